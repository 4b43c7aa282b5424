/* A link to a question: whoever opens it asks the same. */
import { copyText } from "./clipboard.js";
import { element, iconButton } from "./dom.js";

/* The question of the address the page was opened with, once: a reload does not ask again. */
export function takeQuestion() {
	const url = new URL(location.href), question = url.searchParams.get("q")?.trim().slice(0, 4000) ?? "";
	if (!url.searchParams.has("q")) return "";
	url.searchParams.delete("q");
	history.replaceState(history.state, "", url);
	return question;
}

function linkTo(question) {
	const url = new URL(location.pathname, location.href);
	if (question) url.searchParams.set("q", question);
	return url.href;
}

export function mount(root, app) {
	const { bus, t } = app;
	const said = element("span", { class: "share-said", role: "status" });
	const button = iconButton("share", t("share.title"), share);
	let question = "", timer = 0;

	const clear = () => said.replaceChildren();

	function copied() {
		said.textContent = t("share.copied");
		clearTimeout(timer);
		timer = setTimeout(clear, 6000);
	}

	/* A link to be copied by hand stays until somebody leaves it. */
	function byHand(url) {
		clearTimeout(timer);
		const field = element("input", { class: "share-link", readonly: true, value: url, "aria-label": t("share.by-hand"), onblur: clear,
			onkeydown: event => { if (event.key === "Escape") button.focus(); } });
		said.replaceChildren(t("share.by-hand"), " ", field);
		field.focus();
		field.select();
	}

	async function share() {
		const url = linkTo(question);
		if (navigator.share && matchMedia("(pointer: coarse)").matches) {
			const done = await navigator.share({ title: t("page.title"), text: question, url }).then(() => true, error => error.name === "AbortError");
			if (done) return;
		}
		if (await copyText(url)) copied();
		else byHand(url);
	}

	bus.on("turn:start", ({ question: asked }) => { question = asked; });
	bus.on("thread:opened", ({ thread }) => { question = thread.asked ?? ""; });
	bus.on("thread:new", () => { question = ""; });
	root.classList.add("share");
	root.append(button, said);
}
