/* Which panes are seen. On a desk, chat and map stand side by side, and the side panel lies over the map's right
   third when it is open. On a phone one pane is seen at a time; an answer never changes which one, it only marks
   the button of a pane that has something new. */
import { icon } from "./dom.js";

const panels = ["list", "details", "rules"];

export function mount(body, app) {
	const { bus, t } = app;
	const id = name => body.querySelector("#" + name);
	const buttons = [...body.querySelectorAll("#views button")];
	const tab = name => id("tab-" + name);

	function badge(button, text) {
		const el = button.querySelector(".badge");
		if (!el) return;
		el.textContent = text;
		el.hidden = !text;
	}

	function view(name) {
		body.dataset.view = name;
		for (const b of buttons) {
			b.setAttribute("aria-pressed", String(b.dataset.view === name));
			if (b.dataset.view === name) badge(b, "");
		}
	}

	/* Shows a pane that another part asks for. What was pressed may be hidden now; then the focus goes to the pane. */
	function go(name) {
		const from = document.activeElement;
		view(name);
		if (from !== body && !from.checkVisibility()) id(name).focus({ preventScroll: true });
	}

	function side(open) {
		body.dataset.side = open ? "open" : "closed";
		id("side-open").hidden = open;
	}

	function panel(name) {
		for (const p of panels) {
			id(p).hidden = p !== name;
			tab(p).setAttribute("aria-selected", String(p === name));
			tab(p).tabIndex = p === name ? 0 : -1;
			if (p === name) tab(p).scrollIntoView?.({ block: "nearest", inline: "nearest" });
		}
	}

	function show(name, by) {
		panel(name);
		side(true);
		if (by === "user" && !app.desk()) go("side");
		else if (body.dataset.view !== "side") badge(buttons.find(b => b.dataset.view === "side"), t("page.new"));
	}

	for (const b of buttons) b.addEventListener("click", () => view(b.dataset.view));
	for (const p of panels) {
		tab(p).addEventListener("click", () => panel(p));
		tab(p).addEventListener("keydown", event => {
			const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
			if (!step) return;
			event.preventDefault();
			const next = panels[(panels.indexOf(p) + step + panels.length) % panels.length];
			panel(next);
			tab(next).focus();
		});
	}

	const opener = id("side-open"), close = id("side-close");
	for (const [button, text, picture] of [[opener, "page.open", "list"], [close, "page.close", "close"]]) {
		button.setAttribute("aria-label", t(text));
		button.title = t(text);
		button.append(icon(picture));
	}
	close.addEventListener("click", () => {
		bus.emit("airport:closed");
		side(false);
		opener.focus();
	});
	opener.addEventListener("click", () => {
		side(true);
		tab(panels.find(p => !id(p).hidden)).focus();
	});
	side(false);

	bus.on("view:show", ({ name }) => go(name));
	bus.on("airport:open", ({ by }) => show("details", by ?? "user"));
	bus.on("rules:show", ({ by }) => show("rules", by ?? "answer"));
	bus.on("panel:show", ({ panel: name, by }) => show(name, by ?? "user"));
	bus.on("panel:count", ({ panel: name, count }) => badge(tab(name), count ? String(count) : ""));
	bus.on("map:changed", () => {
		if (body.dataset.view !== "map") badge(buttons.find(b => b.dataset.view === "map"), t("page.new"));
	});
}
