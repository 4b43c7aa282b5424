/* Every visible word of the page, in the language of the person. */

const languages = { en: () => import("./texts/en.js"), fr: () => import("./texts/fr.js"), de: () => import("./texts/de.js") };

/* The first language of the browser that the page knows. */
function preferred() {
	for (const tag of navigator.languages || [navigator.language || "en"]) {
		const language = tag.slice(0, 2).toLowerCase();
		if (languages[language]) return language;
	}
	return "en";
}

/* Gives t(key, values). t.language is the language in use. In a text, {name} stands for values.name. A text with
   several forms is an object such as {one, other}; the form is chosen by values.n. */
export async function createTexts(setting) {
	const language = languages[setting] ? setting : preferred();
	const english = (await languages.en()).default;
	const texts = language === "en" ? english : await languages[language]().then(m => m.default, () => english);
	const plural = new Intl.PluralRules(language);
	const numbers = new Intl.NumberFormat(language);

	function t(key, values = {}) {
		let text = texts[key] ?? english[key];
		if (text && typeof text === "object") text = text[plural.select(values.n)] ?? text.other;
		if (text === undefined) {
			console.error("no text for " + key);
			return key;
		}
		return text.replace(/\{(\w+)\}/g, (all, name) => {
			const value = values[name];
			return value === undefined ? all : typeof value === "number" ? numbers.format(value) : String(value);
		});
	}
	t.language = language;
	return t;
}

/* Fills the marked elements of a page: data-text is the key of the text, data-label that of the aria-label. */
export function translate(root, t) {
	for (const el of root.querySelectorAll("[data-text]")) el.textContent = t(el.dataset.text);
	for (const el of root.querySelectorAll("[data-label]")) el.setAttribute("aria-label", t(el.dataset.label));
}
