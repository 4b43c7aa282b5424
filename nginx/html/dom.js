/* Small helpers to make elements. Text always becomes text, never HTML. */

/* element("a", { href, class: "x", onclick: fn, hidden: true }, "text", child…): members that are functions become
   listeners, true and false set and leave out an attribute, null and undefined leave it out. */
export function element(tag, attributes = {}, ...children) {
	const el = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (value === null || value === undefined || value === false) continue;
		if (typeof value === "function") el.addEventListener(name.replace(/^on/, ""), value);
		else el.setAttribute(name, value === true ? "" : String(value));
	}
	el.append(...children.filter(c => c !== null && c !== undefined && c !== false));
	return el;
}

/* Draws `root` anew with draw(). What had the focus in it has it again: the element of the same kind with the same
   data-key or, without one, the same text; if that is gone, `other`, a selector. */
export function redrawn(root, draw, other) {
	const name = e => e.localName + " " + (e.dataset.key ?? e.textContent);
	const before = root.contains(document.activeElement) && document.activeElement !== root ? name(document.activeElement) : null;
	draw();
	if (before === null || root.contains(document.activeElement)) return;
	const same = [...root.querySelectorAll("a, button, summary, [tabindex], [data-key]")].find(e => name(e) === before);
	(same ?? root.querySelector(other))?.focus({ preventScroll: true });
}

/* A link may only lead to a web page: other schemes, such as javascript:, give null. */
export function webAddress(text) {
	try {
		const url = new URL(text);
		return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
	} catch {
		return null;
	}
}

/* Drawn on 24 × 24, in the colour of the text. */
const icons = {
	send: "M5 12h13M12 5l7 7-7 7",
	stop: "M7 7h10v10H7z",
	close: "M6 6l12 12M18 6L6 18",
	plus: "M12 5v14M5 12h14",
	list: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
	chat: "M4 5h16v11H9l-5 4z",
	map: "M9 4L4 6v14l5-2 6 2 5-2V4l-5 2zM9 4v14M15 6v14",
	info: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 11v6M12 7.5h.01",
	rules: "M6 3h9l4 4v14H6zM9 11h7M9 15h7",
	share: "M12 15V4M8 7.5L12 3.5l4 4M6 12v8h12v-8",
	save: "M12 4v11M8 11.5l4 4 4-4M5 20h14",
	print: "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z",
	settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
	rename: "M4 20l1-4L16 5l3 3L8 19z",
	remove: "M5 7h14M10 4h4M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5",
	up: "M7 11v9H4v-9zM7 11l4-8c2 0 3 1 2.500 3L13 9h6l-1.500 9.500L16 20H7",
	down: "M7 13V4H4v9zM7 13l4 8c2 0 3-1 2.500-3L13 15h6l-1.500-9.500L16 4H7",
	back: "M11 5l-7 7 7 7M4 12h16",
	fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
	fold: "M6 9l6 6 6-6",
	plane: "M12 3c1 0 1.400 1.200 1.400 2.500V9L21 13.500v2l-7.600-2.300v4.300l2.300 1.800v1.500L12 19.800l-3.700 1v-1.500l2.300-1.800v-4.300L3 15.500v-2L10.600 9V5.500C10.600 4.200 11 3 12 3z",
	pin: "M12 21s-6.500-6.200-6.500-11a6.500 6.500 0 0 1 13 0c0 4.800-6.500 11-6.500 11zM12 7.500a2.500 2.500 0 1 0 0 5a2.500 2.500 0 1 0 0-5",
	fuel: "M5 20V5h9v15M4 20h11M7.500 8h4v3.500h-4zM14 10h2.500v6.500a1.500 1.500 0 0 0 3 0V9L17 6.500",
	route: "M6 16a2.500 2.500 0 1 0 0 5a2.500 2.500 0 1 0 0-5M18 3a2.500 2.500 0 1 0 0 5a2.500 2.500 0 1 0 0-5M8.500 18.500H15a3 3 0 0 0 0-6H9a3 3 0 0 1 0-6h6.500",
	copy: "M9 9h11v11H9zM5 15H4V4h11v1",
	again: "M5 12a7 7 0 1 0 2-5M7 3v4h4",
};

export function icon(name) {
	const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
	for (const [k, v] of Object.entries({ viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", focusable: "false" }))
		svg.setAttribute(k, v);
	const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
	path.setAttribute("d", icons[name]);
	svg.append(path);
	return svg;
}

/* A button with only a picture: the label is its name and its tooltip. */
export function iconButton(name, label, onclick, attributes = {}) {
	return element("button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick, ...attributes }, icon(name));
}

/* Does the key belong to an input method that composes characters? Some browsers end the composition first and tell it
   by the number 229 only. */
export const composing = event => event.isComposing || event.keyCode === 229;

/* Gives the person a file. */
export function saveFile(name, type, text) {
	const url = URL.createObjectURL(new Blob([text], { type }));
	const link = element("a", { href: url, download: name });
	document.body.append(link);
	link.click();
	link.remove();
	setTimeout(() => URL.revokeObjectURL(url), 10000);
}
