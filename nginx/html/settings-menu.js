/* The dialog with what a person can choose. */
import { choices } from "./settings.js";
import { get } from "./api.js";
import { element, iconButton } from "./dom.js";

function select(app, name, values) {
	const { settings, t } = app;
	const options = values.map(([value, text]) => element("option", { value, selected: value === settings.get(name) }, text));
	const field = element("select", { name, onchange: event => settings.set(name, event.target.value) }, ...options);
	return element("label", { class: "field" }, element("span", {}, t("settings." + name)), field);
}

/* The personas of the site, or none where it has no such data. */
async function personas() {
	try {
		const { personas: list } = await get("/ga/config");
		return list.filter(p => typeof p.id === "string" && typeof p.label === "string").map(p => [p.id, p.label]);
	} catch {
		return [];
	}
}

export function mount(root, app) {
	const { t } = app;
	const heading = element("h2", { id: "settings-title" }, t("settings.title"));
	const fields = ["units", "theme", "language"].map(name =>
		select(app, name, choices[name].map(value => [value, t(`settings.${name}.${value}`)])));
	const done = element("button", { class: "primary", value: "done" }, t("settings.done"));
	const form = element("form", { method: "dialog" }, heading, ...fields, element("p", { class: "actions" }, done));
	const dialog = element("dialog", { "aria-labelledby": "settings-title" }, form);
	root.append(iconButton("settings", t("settings.title"), () => dialog.showModal()), dialog);
	personas().then(list => {
		if (list.length) heading.after(select(app, "persona", [["", t("settings.persona.")], ...list]));
	});
}
