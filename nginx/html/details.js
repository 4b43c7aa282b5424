/* The panel of one airport. Each section has its own call; a call that fails costs its own section and no other.
   What the answer already knows is shown at once. */
import { readAirport } from "./airports.js";
import { get, segment, sentence } from "./api.js";
import { sections, summaryOf } from "./details-parts.js";
import { element, redrawn } from "./dom.js";
import { shownOf } from "./shown.js";
import { createUnits } from "./units.js";

export function mount(root, app) {
	const { bus, t, settings } = app, shown = shownOf(app), context = { ...app, units: createUnits(app) };
	let open = null;

	const calls = ident => ({
		detail: "/airports/" + segment(ident),
		runways: `/airports/${segment(ident)}/runways`,
		procedures: `/airports/${segment(ident)}/procedures`,
		aip: `/airports/${segment(ident)}/aip-entries`,
		notice: "/notifications/" + segment(ident),
		ga: "/ga/summary/" + segment(ident),
	});

	/* One call of the panel: its result is in open.got, its fault in open.failed. */
	async function load(name, mine) {
		const { ident } = mine;
		delete mine.failed[name];
		mine.waiting.add(name);
		try {
			mine.got[name] = await get(calls(ident)[name], { query: name === "ga" ? { persona: settings.get("persona") || null } : {}, signal: mine.control.signal });
		} catch (error) {
			mine.failed[name] = error;
		}
		mine.waiting.delete(name);
		if (mine !== open) return;
		if (name === "detail" && mine.got.detail) {
			const airport = readAirport(mine.got.detail);
			if (airport) bus.emit("airport:located", { airport });
		}
		draw();
	}

	function header({ ident, known, got }) {
		const { name, place } = summaryOf(known, got.detail, t);
		const country = got.detail?.iso_country ?? known?.country;
		const ask = (key, question) => element("button", { type: "button", title: question, "data-key": key, onclick: () => bus.emit("ask", { text: question }) }, t(key));
		return [
			element("h2", { class: "airport-title", tabindex: "-1", "data-key": "title" }, element("strong", {}, ident), " ", name),
			place && element("p", { class: "soft" }, place),
			element("p", { class: "airport-actions" },
				ask("airport.notice-short", t("airport.ask-notice", { ident })),
				ask("airport.near-short", t("airport.ask-near", { ident })),
				typeof country === "string" && /^[A-Z]{2}$/.test(country) && element("button", {
					type: "button", onclick: () => bus.emit("rules:show", { countries: [country], tagsByCountry: {}, categoriesByCountry: {}, by: "user" }),
				}, t("airport.rules"))),
		];
	}

	/* A section whose call failed says so and can be asked for again; one that the site does not have says nothing. */
	function fault(mine, name) {
		const error = mine.failed[name];
		if (!error || error.kind === "absent" || error.kind === "ended") return null;
		return element("p", { class: "problem" }, sentence(t, error) + " ",
			element("button", { type: "button", "data-key": "again " + name, onclick: () => { load(name, mine); draw(); } }, t("call.again")));
	}

	function draw() {
		const mine = open;
		if (!mine) return root.replaceChildren(element("p", { class: "soft" }, t("airport.empty")));
		const folded = new Map([...root.querySelectorAll("details[data-key]")].map(d => [d.dataset.key, d.open]));
		const parts = [];
		for (const { name, title, draw: part } of sections) {
			let body = null;
			try {
				body = part(context, mine.known, mine.got, mine.waiting);
			} catch (error) {
				console.error(error);
			}
			const there = [body, fault(mine, name)].flat().filter(Boolean);
			if (there.length) parts.push(element("section", { class: "airport-part part-" + name }, element("h3", {}, t(title)), ...there));
		}
		const states = Object.values(mine.failed);
		const nothing = !mine.waiting.size && states.length && states.every(e => e.kind === "absent");
		redrawn(root, () => root.replaceChildren(...header(mine), ...parts,
			mine.waiting.size ? element("p", { class: "soft", role: "status" }, t("call.loading")) : "",
			nothing ? element("p", { class: "soft" }, t("airport.no-details")) : "",
			element("p", { class: "soft airport-note" }, t("airport.note"))), ".airport-title");
		for (const d of root.querySelectorAll("details[data-key]")) if (folded.has(d.dataset.key)) d.open = folded.get(d.dataset.key);
		root.dataset.state = mine.waiting.size ? "loading" : "complete";
	}

	bus.on("airport:open", ({ ident, by }) => {
		if (typeof ident !== "string" || !ident) return;
		open?.control.abort();
		open = { ident, known: shown.find(ident), got: {}, failed: {}, waiting: new Set(), control: new AbortController() };
		for (const name of Object.keys(calls(ident))) load(name, open);
		draw();
		root.scrollTop = 0;
		/* Somebody who has chosen an airport goes on reading here; an answer never takes the focus. */
		if ((by ?? "user") === "user") root.querySelector(".airport-title").focus({ preventScroll: true });
	});
	const close = () => {
		open?.control.abort();
		open = null;
		draw();
	};
	bus.on("airport:closed", close);
	bus.on("thread:new", close);
	/* Of another conversation; one that is loaded again opens the airport that was chosen in it by itself. */
	bus.on("thread:opened", () => { if (open && shown.selected !== open.ident) close(); });
	bus.on("settings:changed", ({ name }) => {
		if (name === "units") draw();
		if (name === "persona" && open) load("ga", open);
	});
	draw();
}
