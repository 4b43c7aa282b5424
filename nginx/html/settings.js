/* What a person has chosen. It is kept in the browser and never sent anywhere, apart from the persona, which is
   part of each question. */
import { read, write } from "./storage.js";

/* The first value is the one without a choice. persona: an id of the site, or "" for the site's default. */
export const choices = {
	persona: null,
	units: ["aviation", "metric"],
	theme: ["auto", "light", "dark"],
	language: ["auto", "en", "fr", "de"],
};

function acceptable(name, value) {
	if (choices[name]) return choices[name].includes(value);
	return name === "persona" && typeof value === "string" && /^[\w-]{0,64}$/.test(value);
}

export function createSettings(bus) {
	const stored = read("settings", {}), values = {};
	for (const name of Object.keys(choices)) {
		const value = stored && typeof stored === "object" ? stored[name] : undefined;
		values[name] = acceptable(name, value) ? value : choices[name] ? choices[name][0] : "";
	}
	return {
		get: name => values[name],
		set(name, value) {
			if (!acceptable(name, value) || values[name] === value) return;
			values[name] = value;
			/* Another tab may have changed another one meanwhile. */
			const now = read("settings", {});
			write("settings", { ...values, ...now && typeof now === "object" ? now : {}, [name]: value });
			bus.emit("settings:changed", { name, value });
		},
	};
}
