/* Markdown of a model becomes elements. This is the only place of the page where a string becomes HTML: markdown-it
   makes it (HTML inside the text stays text), and DOMPurify keeps a short list of elements. Without the two libraries the text is
   shown as it is. */
import { library } from "./libraries.js";
import { element, webAddress } from "./dom.js";

const tags = ["p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "strong", "em",
	"s", "a", "table", "thead", "tbody", "tr", "th", "td"];

let tools = null;

/* Loads the libraries; fails with an Error that names the missing file. Until then text is shown as it is. */
export async function loadMarkdown() {
	const [markdownit, purify] = await Promise.all([library("markdownit"), library("purify")]);
	const reader = markdownit({ html: false, linkify: true, breaks: true });
	reader.disable("image");
	reader.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
	reader.validateLink = address => webAddress(address) !== null;
	tools = { reader, purify };
}

/* Headings of an answer lie below those of the page. */
function lower(html) {
	return html.replace(/<(\/?)h([1-6])>/g, (all, slash, n) => `<${slash}h${Math.min(6, Number(n) + 2)}>`);
}

function prepare(root, t) {
	for (const link of root.querySelectorAll("a")) {
		const address = webAddress(link.getAttribute("href") ?? "");
		if (!address) {
			link.replaceWith(...link.childNodes);
			continue;
		}
		link.href = address;
		link.target = "_blank";
		link.rel = "noopener noreferrer nofollow";
	}
	/* A wide table scrolls in a box of its own, by keyboard too. */
	for (const table of root.querySelectorAll("table")) {
		const box = element("div", { class: "table-box", tabindex: "0", role: "region", "aria-label": t("chat.table") });
		table.replaceWith(box);
		box.append(table);
	}
}

function fragment(html, t) {
	const root = tools.purify.sanitize(lower(html),
		{ ALLOWED_TAGS: tags, ALLOWED_ATTR: ["href", "start"], ALLOW_DATA_ATTR: false, ALLOW_ARIA_ATTR: false, RETURN_DOM_FRAGMENT: true });
	prepare(root, t);
	return root;
}

/* A row that is not complete, and a head without the line below it, are not shown as a table yet. */
function withoutHalfTable(lines) {
	const row = line => /^\s*\|/.test(line);
	if (row(lines.at(-1))) lines = [...lines.slice(0, -1), ""];
	let from = lines.length - 1;
	while (from > 0 && row(lines[from - 1])) from--;
	return lines.length - 1 - from === 1 ? [...lines.slice(0, from), ""] : lines;
}

/* What is still being written: a mark that has no partner yet would be shown as it is and then vanish. */
function settled(text) {
	if ((text.match(/^ {0,3}```/gm) ?? []).length % 2) return text;
	const at = text.lastIndexOf("\n\n") + 1;
	let tail = withoutHalfTable(text.slice(at).split("\n")).join("\n");
	tail = tail.replace(/\[[^\]\n]*(\]\([^)\n]*)?$/, open => open.includes("](") ? open.slice(1, open.indexOf("](")) : open.slice(1));
	tail = tail.replace(/(^|\n)(#{1,6}|[-*+]|[-=]+|\d+\.|>)[ \t]*$/, "$1");
	tail = tail.replace(/\*+$/, "");
	for (const mark of ["**", "`"])
		if (tail.split(mark).length % 2 === 0) tail = tail.endsWith(mark) ? tail.slice(0, -mark.length) : tail.trimEnd() + mark;
	return text.slice(0, at) + tail;
}

/* The blocks of a text (paragraph, list, table…), each as HTML. */
function blocks(text) {
	const env = {}, tokens = tools.reader.parse(text, env), out = [];
	let from = 0;
	for (let i = 0, depth = 0; i < tokens.length; i++) {
		depth += tokens[i].nesting;
		if (depth) continue;
		out.push(tools.reader.renderer.render(tokens.slice(from, i + 1), tools.reader.options, env));
		from = i + 1;
	}
	return out;
}

/* Shows a growing text in `root`. show(text, complete) replaces only the blocks that have changed, so what somebody
   reads, selects or scrolls stays as it is. */
export function createMarkdown(root, t) {
	let shown = [];

	function plain(text) {
		root.classList.add("plain");
		if (root.textContent !== text) root.textContent = text;
		shown = [];
	}

	return {
		show(text, complete) {
			if (!tools) return plain(text);
			if (root.classList.contains("plain")) {
				root.classList.remove("plain");
				root.replaceChildren();
			}
			const next = blocks(complete ? text : settled(text));
			let same = 0;
			while (same < next.length && same < shown.length && next[same] === shown[same].html) same++;
			for (const old of shown.splice(same)) old.nodes.forEach(node => node.remove());
			for (const html of next.slice(same)) {
				const nodes = [...fragment(html, t).childNodes];
				root.append(...nodes);
				shown.push({ html, nodes });
			}
		},
	};
}
