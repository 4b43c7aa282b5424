/* The light HTML of a rule's answer as elements. The text is read by the browser's parser into a document that runs
   nothing, and only what is listed here is made anew; everything else leaves its text behind. */
import { element, webAddress } from "./dom.js";

const kept = new Set(["p", "br", "ul", "ol", "li", "b", "strong", "i", "em", "code", "pre", "blockquote", "h3", "h4", "table", "tbody", "thead", "tr", "td", "th", "sub", "sup"]);
const dropped = new Set(["script", "style", "template", "noscript", "iframe", "object", "embed", "svg", "math", "title", "head", "textarea", "select", "option"]);
const deepest = 30;

function copy(from, to, depth) {
	for (const node of from.childNodes) {
		if (node.nodeType === Node.TEXT_NODE) to.append(node.data);
		if (node.nodeType !== Node.ELEMENT_NODE) continue;
		const name = node.localName;
		if (dropped.has(name) || depth > deepest) continue;
		let made = null;
		if (kept.has(name)) made = element(name);
		if (name === "a" && webAddress(node.getAttribute("href"))) made = link(node.getAttribute("href"));
		if (made) to.append(made);
		copy(node, made ?? to, depth + 1);
	}
}

export function link(address, text = "") {
	const href = webAddress(address);
	return href ? element("a", { href, target: "_blank", rel: "noopener noreferrer nofollow" }, text) : element("span", {}, text);
}

export function lightHtml(text) {
	const out = element("div", { class: "light-html" });
	copy(new DOMParser().parseFromString(String(text), "text/html").body, out, 0);
	return out;
}
