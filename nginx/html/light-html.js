/* The light HTML of a rule's answer as elements. No parser of the browser sees it: its tags are read here, the
   elements below are made anew, and everything else leaves its text behind. So nothing in it can run or load. */
import { element, webAddress } from "./dom.js";

const kept = new Set(["p", "ul", "ol", "li", "b", "strong", "i", "em", "code", "pre", "blockquote", "sub", "sup"]);
/* Their text is not meant for readers; an open one ends with the text, as in a browser. */
const dropped = new Set(["script", "style", "iframe", "title", "textarea"]);
const deepest = 30, longest = 50000;
const tag = /<(\/?)([a-z][a-z0-9]*)(?![a-z0-9])([^<>]*)>|<[!?][^<>]*>/gi;

/* &eacute; → é. There is no tag in the text any more; the dot keeps the blanks before it. */
function characters(text) {
	if (!text.includes("&")) return text;
	return new DOMParser().parseFromString("." + text.replaceAll("<", "&lt;"), "text/html").body.textContent.slice(1);
}

/* The element of an opening tag, or null. */
function made(name, attributes) {
	if (kept.has(name)) return element(name);
	if (name !== "a") return null;
	const [, , double, single, bare] = /\bhref\s*=\s*("([^"]*)"|'([^']*)'|(\S+))/i.exec(attributes) ?? [];
	const address = characters(double ?? single ?? bare ?? "");
	return webAddress(address) ? link(address) : null;
}

export function link(address, text = "") {
	const href = webAddress(address);
	return href ? element("a", { href, target: "_blank", rel: "noopener noreferrer nofollow" }, text) : element("span", {}, text);
}

export function lightHtml(source) {
	const out = element("div", { class: "light-html" }), open = [{ name: "", el: out }];
	let from = 0, hidden = "";
	const text = String(source).slice(0, longest);
	for (const found of [...text.matchAll(tag), null]) {
		const before = text.slice(from, found?.index ?? text.length);
		if (before && !hidden) open.at(-1).el.append(characters(before));
		if (!found) break;
		from = found.index + found[0].length;
		const name = (found[2] ?? "").toLowerCase(), closing = found[1] === "/";
		if (hidden) {
			if (closing && name === hidden) hidden = "";
		} else if (dropped.has(name)) {
			if (!closing) hidden = name;
		} else if (name === "br") {
			open.at(-1).el.append(element("br"));
		} else if (closing) {
			const at = open.findLastIndex(o => o.name === name);
			if (at > 0) open.length = at;
		} else if (open.length < deepest) {
			const el = made(name, found[3]);
			if (!el) continue;
			open.at(-1).el.append(el);
			open.push({ name, el });
		}
	}
	return out;
}
