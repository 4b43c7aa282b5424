/* The airports of the answer as a list: the same ones as on the map, for everybody who reads or uses a keyboard. */
import { sentence } from "./api.js";
import { element } from "./dom.js";
import { filterName } from "./filters.js";
import { shownOf } from "./shown.js";
import { symbolElement, symbolOf } from "./symbols.js";
import { createUnits } from "./units.js";

const chunk = 60;
const groups = ["fits", "unrecorded", "also"];

/* What can be compared; airports without the value come last. */
const orders = {
	answer: null,
	distance: (a, b) => (a.distanceNm ?? Infinity) - (b.distanceNm ?? Infinity),
	along: (a, b) => (a.alongNm ?? Infinity) - (b.alongNm ?? Infinity),
	runway: (a, b) => (b.runwayFt ?? -1) - (a.runwayFt ?? -1),
	name: (a, b) => (a.name || a.ident).localeCompare(b.name || b.ident),
	ident: (a, b) => a.ident.localeCompare(b.ident),
};
const usable = { distance: a => a.distanceNm !== null, along: a => a.alongNm !== null, runway: a => a.runwayFt !== null };

export function mount(root, app) {
	const { bus, t } = app, shown = shownOf(app), units = createUnits(app);
	const rows = new Map();
	let order = "answer", work = 0;

	/* The facts of a row, most important first. */
	function facts(a) {
		const distance = units.distance(a.distanceNm);
		return [
			distance && t(shown.answer.route ? "list.off-route" : "list.away", { distance }),
			a.alongNm !== null && shown.answer.route && t("list.along", { distance: units.distance(a.alongNm) }),
			a.runwayFt !== null && t(a.soft && a.hard === false ? "list.soft-runway" : "list.runway", { length: units.feet(a.runwayFt) }),
			a.entry && t("list.entry"),
			a.procedures && t("list.procedures"),
		].filter(Boolean);
	}

	function row(a) {
		const open = () => bus.emit("airport:open", { ident: a.ident, by: "user" });
		const hover = ident => () => bus.emit("airport:hover", { ident });
		const place = [a.town, a.country].filter(Boolean).join(", ");
		const button = element("button", {
			type: "button", class: "airport-row", onclick: open, onfocus: hover(a.ident), onblur: hover(""), onpointerenter: hover(a.ident), onpointerleave: hover(""),
			"aria-current": shown.selected === a.ident ? "true" : null,
		},
		symbolElement(symbolOf(a, shown.answer.ends)),
		element("span", { class: "airport-name" }, element("strong", {}, a.ident), " ", a.name),
		element("span", { class: "airport-place soft" }, place),
		a.use && element("span", { class: "airport-use" }, t("airport.use." + a.use)),
		element("span", { class: "airport-facts" }, facts(a).join(" · ")),
		a.missing.length > 0 && element("span", { class: "airport-missing" }, t("list.missing", { what: a.missing.map(name => filterName(t, name)).join(", ") })));
		rows.set(a.ident, button);
		return element("li", {}, button);
	}

	/* A thousand rows at once would stop the page for a moment, so they come in portions. */
	function fill(holder, airports, mine) {
		const next = from => {
			if (mine !== work) return;
			holder.append(...airports.slice(from, from + chunk).map(row));
			if (from + chunk < airports.length) setTimeout(next, 0, from + chunk);
		};
		next(0);
	}

	function sorted(airports) {
		return orders[order] ? [...airports].sort(orders[order]) : airports;
	}

	function sorter(all) {
		const names = Object.keys(orders).filter(name => !usable[name] || all.some(usable[name]));
		if (!names.includes(order)) order = "answer";
		const field = element("select", { onchange: event => { order = event.target.value; draw(); root.querySelector("select")?.focus(); } },
			...names.map(name => element("option", { value: name, selected: name === order }, t("list.by." + name))));
		return element("label", { class: "list-sort" }, element("span", {}, t("list.sort")), field);
	}

	function also() {
		if (shown.alsoState === "loading") return element("p", { class: "soft", role: "status" }, t("list.also-loading"));
		if (shown.alsoState !== "failed") return null;
		return element("p", { class: "problem" }, t("list.also-failed") + " " + sentence(t, shown.alsoError) + " ",
			element("button", { type: "button", onclick: () => shown.again() }, t("call.again")));
	}

	function draw() {
		const mine = ++work, all = shown.airports();
		const kept = root.contains(document.activeElement) ? [...rows].find(([, b]) => b === document.activeElement)?.[0] : null;
		rows.clear();
		root.replaceChildren();
		bus.emit("panel:count", { panel: "list", count: all.length });
		if (!shown.answer) return root.append(element("p", { class: "soft" }, t("list.empty")));
		if (!shown.answer.fits.length && !shown.also.length && !shown.answer.focus) root.append(element("p", {}, t("list.none")));
		if (all.length > 1) root.append(sorter(all));
		for (const group of groups) {
			const airports = sorted(all.filter(a => a.group === group));
			if (!airports.length) continue;
			const id = "list-" + group;
			const holder = element("ul", { class: "airport-list", "aria-labelledby": id });
			root.append(element("h2", { id }, t("list." + group, { n: airports.length })));
			const note = { unrecorded: "list.unrecorded-note", also: "list.also-note" }[group];
			if (note) root.append(element("p", { class: "list-note soft" }, t(note)));
			root.append(holder);
			fill(holder, airports, mine);
		}
		const more = also();
		if (more) root.append(more);
		if (kept) rows.get(kept)?.focus();
	}

	/* Up and Down go from airport to airport. */
	root.addEventListener("keydown", event => {
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (!step || !event.target.classList.contains("airport-row")) return;
		const all = [...root.querySelectorAll(".airport-row")], next = all[all.indexOf(event.target) + step];
		if (!next) return;
		event.preventDefault();
		next.focus();
	});
	bus.on("shown:changed", draw);
	bus.on("shown:selected", ({ ident }) => {
		for (const [key, button] of rows) {
			if (key === ident) button.setAttribute("aria-current", "true");
			else button.removeAttribute("aria-current");
		}
		if (ident && !root.hidden) rows.get(ident)?.scrollIntoView({ block: "nearest" });
	});
	bus.on("airport:hover", ({ ident }) => {
		for (const [key, button] of rows) button.classList.toggle("hovered", key === ident);
	});
	bus.on("settings:changed", ({ name }) => { if (name === "units") draw(); });
	draw();
}
