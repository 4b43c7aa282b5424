/* The field for the next question, with Send, and Stop while an answer is written. */
import * as store from "./thread-store.js";
import { composing, element, icon } from "./dom.js";

const longest = 16000;
let fields = 0;

/* A keyboard on a phone may cover the page instead of making it smaller; how much it covers is in --keyboard. */
function watchKeyboard() {
	const seen = window.visualViewport;
	if (!seen) return;
	const measure = () => {
		const covered = Math.max(0, innerHeight - seen.height * seen.scale);
		document.documentElement.style.setProperty("--keyboard", (seen.scale > 1.01 || covered < 100 ? 0 : covered) + "px");
	};
	seen.addEventListener("resize", measure);
}

/* actions: send(text), stop() */
export function createComposer(app, actions) {
	const { t } = app, id = "question-" + ++fields;
	const field = element("textarea", { id, name: "question", rows: "1", autocomplete: "off", enterkeyhint: "send",
		placeholder: t("chat.placeholder"), "aria-describedby": id + "-hint" });
	const send = element("button", { type: "submit", class: "primary send", "aria-label": t("chat.send"), title: t("chat.send") }, icon("send"));
	const stop = element("button", { type: "button", class: "stop", hidden: true }, icon("stop"), t("chat.stop"));
	const hint = element("p", { id: id + "-hint", class: "composer-hint" });
	const root = element("form", { class: "composer" },
		element("label", { for: id, class: "unseen" }, t("chat.question")), element("div", { class: "composer-row" }, field, send, stop), hint);
	let since = 0;

	const focused = () => root.getRootNode().activeElement;

	function fit() {
		store.setTab("draft", field.value);
		if (CSS.supports("field-sizing", "content")) return;
		field.style.height = "auto";
		field.style.height = field.scrollHeight + 2 + "px";
	}

	/* What a person should know before sending; problem: why the text was not sent. It stays until the text is changed
	   or the answer is complete. */
	function showHint(problem = "") {
		hint.classList.toggle("bad", Boolean(problem));
		field.toggleAttribute("aria-invalid", Boolean(problem));
		if (problem) return hint.replaceChildren(element("span", { role: "alert" }, problem));
		const offline = navigator.onLine === false;
		hint.replaceChildren(...offline ? [t("chat.offline")] : [element("span", { class: "composer-keys" }, t("chat.keys") + " "), t("chat.hint")]);
	}

	root.addEventListener("submit", event => {
		event.preventDefault();
		const text = field.value;
		if (text.length > longest) return showHint(t("chat.too-long-by", { n: text.length, most: longest }));
		if (!text.trim() || !stop.hidden) return actions.send(text);
		field.value = "";
		fit();
		actions.send(text);
	});
	field.addEventListener("keydown", event => {
		if (event.key !== "Enter" || event.shiftKey || composing(event)) return;
		event.preventDefault();
		root.requestSubmit();
	});
	field.addEventListener("input", () => {
		fit();
		if (hint.classList.contains("bad")) showHint();
	});
	/* The second half of a double press on Send is no stop. */
	stop.addEventListener("click", event => {
		if (event.detail < 2 || Date.now() - since > 400) actions.stop();
	});
	for (const name of ["online", "offline"]) addEventListener(name, () => showHint());
	showHint();
	watchKeyboard();
	field.value = store.tab("draft") ?? "";
	requestAnimationFrame(fit);

	return {
		root,
		focus: () => field.focus({ preventScroll: true }),
		/* Puts a text into the field; select: to be changed before it is sent. */
		put(text, select = false) {
			field.value = text;
			fit();
			if (!select) return;
			field.focus();
			field.select();
		},
		/* Keeps a question that could not be sent, unless the person has begun another one. */
		keep(text) {
			if (field.value.trim()) return;
			field.value = text;
			fit();
		},
		/* Why the text was not sent. */
		problem: showHint,
		busy(on) {
			if (on) since = Date.now();
			else if (hint.classList.contains("bad")) showHint();
			const from = focused();
			send.hidden = on;
			stop.hidden = !on;
			if (on && from === send) stop.focus();
			if (!on && from === stop) send.focus();
		},
	};
}
