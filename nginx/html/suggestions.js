/* Questions that can be asked with one press: what the agent suggests after an answer, and examples before the first. */
import { quickActions } from "./agent.js";
import { element, icon } from "./dom.js";

/* The server names pictures as Font Awesome does, or gives a short text such as an emoji. A name that is not here is
   left out. */
const pictures = { "✈️": "plane", plane: "plane", "map-marker-alt": "pin", "fuel-pump": "fuel", route: "route", book: "rules" };

const known = new Set(["route", "rules", "details"]);

/* press(text) is called with the words of the suggestion. */
export function createSuggestions(t, list, press) {
	if (!list.length) return null;
	const items = list.map(({ text, category }) => element("li", {},
		element("button", { type: "button", class: "chip", onclick: () => press(text) },
			known.has(category) && element("span", { class: "chip-kind" }, t("suggestions." + category)), element("span", {}, text))));
	return element("div", { class: "suggestions", role: "group", "aria-label": t("suggestions.title") }, element("ul", {}, ...items));
}

function action(value) {
	if (typeof value?.title !== "string" || typeof value?.prompt !== "string" || !value.prompt.trim()) return null;
	const name = typeof value.icon === "string" ? value.icon : "";
	const picture = Object.hasOwn(pictures, name) ? icon(pictures[name]) : name.length <= 2 ? name : "";
	return { title: value.title.slice(0, 80), prompt: value.prompt.slice(0, 500), picture };
}

/* The examples of the site; an empty list where it has none. press(prompt) gets the whole question. */
export async function createQuickActions(t, press) {
	const answer = await quickActions(t.language).catch(() => null);
	const list = (Array.isArray(answer?.actions) ? answer.actions : []).slice(0, 12).map(action).filter(Boolean);
	if (!list.length) return null;
	return element("ul", { class: "quick" }, ...list.map(({ title, prompt, picture }) => element("li", {},
		element("button", { type: "button", class: "card", onclick: () => press(prompt) },
			element("span", { class: "card-picture", "aria-hidden": "true" }, picture),
			element("span", { class: "card-words" }, element("strong", {}, title), element("span", { class: "soft" }, prompt))))));
}
