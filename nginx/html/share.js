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
	let question = "", timer = 0;

	function tell(text) {
		said.textContent = text;
		clearTimeout(timer);
		timer = setTimeout(() => { said.textContent = ""; }, 6000);
	}

	async function share() {
		const url = linkTo(question);
		if (navigator.share && matchMedia("(pointer: coarse)").matches) {
			const done = await navigator.share({ title: t("page.title"), text: question, url }).then(() => true, error => error.name === "AbortError");
			if (done) return;
		}
		tell(await copyText(url) ? t("share.copied") : t("share.by-hand", { url }));
	}

	bus.on("turn:start", ({ question: asked }) => { question = asked; });
	bus.on("thread:opened", ({ thread }) => { question = thread.asked ?? ""; });
	bus.on("thread:new", () => { question = ""; });
	root.classList.add("share");
	root.append(iconButton("share", t("share.title"), share), said);
}
