/* One question and its answer in the conversation. The view only shows; chat.js tells it what happens. */
import { copyText } from "./clipboard.js";
import { createFeedback } from "./feedback.js";
import { createMarkdown } from "./markdown.js";
import { createSteps } from "./steps.js";
import { createSuggestions } from "./suggestions.js";
import { element, icon, iconButton } from "./dom.js";
import { hasMap, idents } from "./payload.js";

const mostLinks = 300;

/* Codes of the answer's airports become buttons that open the airport. Links and code stay as they are. */
function linkAirports(root, known, open) {
	if (!known.size) return;
	const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), nodes = [];
	while (walker.nextNode()) if (!walker.currentNode.parentElement.closest("a, code, button")) nodes.push(walker.currentNode);
	let left = mostLinks;
	for (const node of nodes) {
		const parts = node.data.split(/(\(?\b(?:[A-Z0-9]{2,3}-[A-Z0-9-]{2,8}|[A-Z0-9]{3,8})\b\)?)/);
		const code = part => part.replace(/[()]/g, "");
		if (!parts.some((part, i) => i % 2 && known.has(code(part)))) continue;
		node.replaceWith(...parts.map((part, i) => {
			const ident = code(part);
			if (i % 2 === 0 || !known.has(ident) || left-- <= 0) return part;
			const button = element("button", { type: "button", class: "airport-code", onclick: () => open(ident) }, ident);
			/* a bracket stays on the line of its code */
			return element("span", { class: "together" }, part.startsWith("(") && "(", button, part.endsWith(")") && ")");
		}));
	}
}

/* handlers: ask(text), again(), say(text) for the live region */
export function createTurn(app, question, handlers) {
	const { bus, t, embedded } = app;
	const steps = createSteps(t);
	const text = element("div", { class: "answer-text" });
	const state = element("p", { class: "answer-state", hidden: true });
	const foot = element("div", { class: "answer-foot" });
	const answer = element("article", { class: "answer", "aria-label": t("chat.answer"), "aria-busy": "true" }, steps.root, text, state, foot);
	const root = element("li", { class: "turn" },
		element("div", { class: "question" }, element("h3", { class: "unseen" }, t("chat.asked")), element("p", {}, question)), answer);
	const markdown = createMarkdown(text, t);
	let whole = "", planned = 0, cost = 0, spoken = 0, payload = null;

	/* A screen reader hears whole paragraphs: those behind which another one has begun. */
	function speak(complete) {
		const ready = [...text.children].slice(spoken, complete ? undefined : -1);
		if (!ready.length) return;
		spoken += ready.length;
		handlers.say(ready.map(e => e.textContent.trim()).filter(Boolean).join("\n"));
	}

	function draw(complete) {
		clearTimeout(planned);
		planned = 0;
		const began = performance.now();
		markdown.show(whole, complete);
		cost = performance.now() - began;
		speak(complete);
	}

	/* Draws what has come: with the next frame, or later where that takes long (a huge table on a slow phone), so that
	   three quarters of the time are left for the person. */
	function plan() {
		planned ||= setTimeout(() => {
			if (cost > 8 || document.hidden) draw(false);
			else requestAnimationFrame(() => planned && draw(false));
		}, cost > 8 ? cost * 3 : 0);
	}

	function countries(rules) {
		const names = new Intl.DisplayNames([t.language], { type: "region", fallback: "code" });
		return rules.countries.map(c => c.length === 2 ? names.of(c.toUpperCase()) : c).join(", ");
	}

	function tools(runId) {
		const list = [];
		if (!embedded && hasMap(payload))
			list.push(element("button", { type: "button", class: "small", onclick: () => {
				bus.emit("turn:payload", { id: root.id, payload, again: true });
				bus.emit("view:show", { name: "map" });
			} }, icon("map"), t("chat.show-map")));
		if (!embedded && payload?.show_rules) {
			const { countries: codes, tags_by_country: tagsByCountry, categories_by_country: categoriesByCountry } = payload.show_rules;
			list.push(element("button", { type: "button", class: "small", onclick: () =>
				bus.emit("rules:show", { countries: codes, tagsByCountry, categoriesByCountry, by: "user" }) },
			icon("rules"), t("chat.show-rules", { countries: countries(payload.show_rules) })));
		}
		if (whole) list.push(copyButton());
		if (runId && whole) list.push(createFeedback(app, runId));
		return list;
	}

	function copyButton() {
		const said = element("span", { class: "soft", role: "status" });
		const copy = iconButton("copy", t("chat.copy"), async () => {
			said.textContent = t(await copyText(whole) ? "chat.copied" : "chat.not-copied");
		});
		return element("span", { class: "copy" }, copy, said);
	}

	return {
		root, steps,
		get text() { return whole; },
		get payload() { return payload; },
		/* More of the answer. */
		append(delta) {
			whole += delta;
			steps.writing();
			plan();
		},
		/* Another text in place of what came so far: what the server has kept of it. */
		replace(content) {
			whole = content;
			spoken = 0;
		},
		show(value) {
			payload = value;
		},
		/* A sentence about the answer; kind: "wait", "note" or "bad"; "" takes it away. */
		state(sentence, kind = "note", ...buttons) {
			state.hidden = !sentence;
			state.className = "answer-state " + kind;
			state.replaceChildren(sentence, ...buttons);
			if (sentence) handlers.say(sentence);
		},
		againButton(words = t("chat.again")) {
			return element("button", { type: "button", class: "small", onclick: handlers.again }, icon("again"), words);
		},
		finish({ runId = null, quiet = false } = {}) {
			answer.setAttribute("aria-busy", "false");
			if (quiet) spoken = Infinity;
			draw(true);
			steps.finish();
			if (!embedded) linkAirports(text, idents(payload), ident => bus.emit("airport:open", { ident, by: "user" }));
			const suggestions = createSuggestions(t, payload?.suggested_queries ?? [], handlers.ask);
			foot.replaceChildren(element("div", { class: "answer-tools" }, ...tools(runId)), ...(suggestions ? [suggestions] : []));
		},
	};
}
