/* The chat as an element for pages of the site:

     <script type="module" src="/aviation-agent/widget.js"></script>
     <aviation-agent></aviation-agent>

   It loads the same modules as the page. The chat lives in a shadow root, which styles of the page do not reach.
   Attributes: language (en, fr, de), theme (light, dark). Event: aviation-agent:payload with detail {payload},
   what an answer shows, checked. */
import { createBus } from "./bus.js";
import { createSettings } from "./settings.js";
import { createTexts } from "./texts.js";
import { element } from "./dom.js";

const styles = ["css/base.css", "css/chat.css", "css/widget.css"];

/* A style sheet that the element waits for, so that nothing is seen without its looks. */
function style(path) {
	const link = element("link", { rel: "stylesheet", href: new URL(path, import.meta.url).href });
	const loaded = new Promise(resolve => ["load", "error"].forEach(name => link.addEventListener(name, resolve)));
	return { link, loaded };
}

class AviationAgent extends HTMLElement {
	static observedAttributes = ["theme"];
	#chat = null;
	#left = false;

	connectedCallback() {
		if (this.shadowRoot) {              /* it was moved: the conversation stays */
			if (this.#left) this.#chat?.back();
			this.#left = false;
			return;
		}
		this.attachShadow({ mode: "open" });
		this.#start().catch(error => {
			console.error(error);
			this.shadowRoot.append(element("p", { class: "problem" }, "The chat could not be loaded. Please load the page again."));
		});
	}

	/* A chat that was taken out of the page makes no calls any more. Moving the element ends here too,
	   but it is back at once. */
	disconnectedCallback() {
		queueMicrotask(() => {
			if (this.isConnected || !this.#chat) return;
			this.#left = true;
			this.#chat.leave();
		});
	}

	attributeChangedCallback(name, before, value) {
		if (value === "light" || value === "dark") this.dataset.theme = value;
		else delete this.dataset.theme;
	}

	async #start() {
		const bus = createBus(), settings = createSettings(bus);
		const sheets = styles.map(style);
		this.shadowRoot.append(...sheets.map(s => s.link));
		const [t, chat] = await Promise.all([createTexts(this.getAttribute("language") ?? settings.get("language")),
			import("./chat.js"), ...sheets.map(s => s.loaded)]);
		const app = { bus, settings, t, embedded: true, desk: () => false };
		const problems = element("div", { role: "alert" });
		const root = element("section", { class: "widget", lang: t.language, "aria-label": t("page.chat") });
		this.shadowRoot.append(problems, root);
		bus.on("problem", ({ text }) => problems.replaceChildren(...text ? [element("p", { class: "problem" }, text)] : []));
		bus.on("turn:payload", ({ payload }) =>
			this.dispatchEvent(new CustomEvent("aviation-agent:payload", { detail: { payload }, bubbles: true })));
		this.#chat = await chat.mount(root, app);
		this.dataset.ready = "yes";
	}
}

customElements.define("aviation-agent", AviationAgent);
