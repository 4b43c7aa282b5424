/* The map of the newest answer. Drawing is idempotent: whatever was seen before, the same answer gives the same map. */
import { get } from "./api.js";
import { addBasemap } from "./basemap.js";
import { element, icon } from "./dom.js";
import { beside } from "./geo.js";
import { library } from "./libraries.js";
import { createMarkers } from "./markers.js";
import { createRoute, middle } from "./route.js";
import { readAirports } from "./airports.js";
import { shownOf } from "./shown.js";
import { onPalette, readPalette, symbolElement, symbolOf, symbols } from "./symbols.js";
import { createUnits } from "./units.js";

const home = [[36, -11], [60, 25]];
const closest = 9, closestOfOne = 7;

export async function mount(root, app) {
	const { bus, t } = app, shown = shownOf(app), units = createUnits(app);
	const L = await library("leaflet");
	const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
	const box = element("div", { class: "map", role: "application", "aria-label": t("map.keys") });
	root.append(box);
	const map = L.map(box, {
		zoomControl: false, attributionControl: false, zoomSnap: .25, minZoom: 2, maxZoom: 16, fadeAnimation: false,
		zoomAnimation: !still, markerZoomAnimation: !still, inertia: !still, maxBounds: [[-86, -Infinity], [86, Infinity]], maxBoundsViscosity: .8,
	});
	map.fitBounds(home, { animate: false });
	let palette = readPalette(), view = null, guest = null;

	const tip = L.tooltip({ direction: "top", offset: [0, -10], className: "airport-tip" });
	const markers = createMarkers(L, map, {
		open: ident => bus.emit("airport:open", { ident, by: "user" }),
		hover: ident => bus.emit("airport:hover", { ident }),
	});
	const route = createRoute(L, map);
	const credits = [], legendNote = element("p", { class: "legend-note soft" }, t("map.note"));
	const basemap = await addBasemap(L, map, palette, t.language, app.site, credit);
	const legend = addLegend();
	const buttons = addButtons();
	const empty = element("p", { class: "map-empty" }, t("map.empty"));
	root.append(empty);
	if (!basemap.outlines) addDots();

	/* -- what is around the map -- */

	function control(position, ...children) {
		const holder = element("div", { class: "map-box" }, ...children);
		L.DomEvent.disableClickPropagation(holder);
		const made = L.control({ position });
		made.onAdd = () => holder;
		made.addTo(map);
		return holder;
	}

	function addButtons() {
		const button = (text, label, fn) => element("button", { type: "button", class: "map-button", "aria-label": label, title: label, onclick: fn }, text);
		return control("topleft",
			button("+", t("map.closer"), () => map.zoomIn(1)),
			button("−", t("map.farther"), () => map.zoomOut(1)),
			button(icon("fit"), t("map.fit"), () => fit()));
	}

	function credit(name) {
		credits.push(name);
		legendNote.textContent = t("map.note") + " " + t("map.credit", { credit: credits.join(" · ") });
	}

	function addLegend() {
		const rows = element("ul", { class: "legend-rows" });
		const line = element("p", { class: "legend-route", hidden: true });
		const fold = element("details", { class: "legend", open: matchMedia("(min-width: 1100px)").matches }, element("summary", {}, t("map.legend")), line, rows,
			legendNote);
		control("bottomleft", fold);
		return {
			show(names, nm) {
				rows.replaceChildren(...Object.keys(symbols).filter(n => names.has(n)).map(n => element("li", {}, symbolElement(n), t("map.sign." + n))));
				line.hidden = nm === null;
				if (nm !== null) line.textContent = t("map.route", { from: shown.answer.route.from.ident, to: shown.answer.route.to.ident, distance: units.distance(nm) });
			},
		};
	}

	/* Without outlines the airports of the site, as far as it lists them, show where land is. */
	async function addDots() {
		const dots = L.layerGroup().addTo(map), renderer = L.canvas({ padding: .3 });
		let control = null;
		const load = async () => {
			control?.abort();
			control = new AbortController();
			const b = map.getBounds();
			const edges = [b.getNorth(), b.getSouth(), b.getEast(), b.getWest()].map((v, i) => Math.max(i < 2 ? -90 : -180, Math.min(i < 2 ? 90 : 180, v)).toFixed(4));
			try {
				const found = readAirports(await get("/airports/", { query: { bbox: edges.join(","), limit: 500, include_ga: false, include_notification: false }, signal: control.signal }));
				dots.clearLayers();
				for (const a of found)
					dots.addLayer(L.circleMarker([a.lat, beside(a.lon, map.getCenter().lng)], { renderer, radius: 2, stroke: false, fillColor: palette.soft, fillOpacity: .5, interactive: false }));
			} catch (error) {
				if (error.kind === "absent") map.off("moveend", load);
			}
		};
		map.on("moveend", load);
		load();
	}

	/* -- what is drawn -- */

	/* The airports and, if they are not among them, the ends of the route and an airport that somebody opened. */
	function drawn() {
		const list = shown.airports(), has = new Set(list.map(a => a.ident));
		const { route: line } = shown.answer ?? {};
		for (const end of line ? [line.from, line.to] : [])
			if (end.lat !== null && !has.has(end.ident)) {
				has.add(end.ident);
				list.push({ ...end, group: "end", missing: [] });
			}
		if (guest && !has.has(guest.ident)) list.push({ ...guest, group: "also" });
		return list;
	}

	function draw() {
		const list = drawn(), { answer } = shown;
		const by = answer ? middle(answer) : guest?.lon ?? 0;
		const line = route.show(answer ?? { route: null, point: null, fits: [], unrecorded: [] }, by, palette);
		const ends = answer?.ends ?? [];
		markers.show(list, ends, by, palette);
		legend.show(new Set(answer?.focus ? [] : list.map(a => symbolOf(a, ends))), line.nm);
		empty.hidden = answer !== null || guest !== null;
		view = { corners: [...line.corners, ...list.filter(a => a.group !== "also" || !line.corners.length).map(a => [a.lat, beside(a.lon, by)])] };
		box.dataset.drawn = list.map(a => a.ident + ":" + symbolOf(a, ends)).join(" ");
	}

	/* How much of the map the side panel covers, on its right or, on a tablet held upright, below. */
	function covered() {
		const none = { right: 0, below: 0 };
		if (root.classList.contains("on-paper")) return none;
		const side = root.parentElement.querySelector("#side")?.getBoundingClientRect(), own = box.getBoundingClientRect();
		if (!side || !side.width || side.left >= own.right || side.top >= own.bottom) return none;
		if (side.left > own.left + 80) return { right: own.right - side.left, below: 0 };
		return side.top > own.top + 80 ? { right: 0, below: own.bottom - side.top } : none;
	}

	function fit() {
		map.invalidateSize({ animate: false });
		if (!view || !view.corners.length || !box.clientWidth) return;
		const narrow = box.clientWidth < 500, pad = { left: narrow ? 25 : 75, below: narrow ? 60 : 40 };
		const { right, below: panel } = covered();
		const show = () => map.fitBounds(view.corners, { paddingTopLeft: [pad.left, 30], paddingBottomRight: [55 + right, pad.below + panel],
			maxZoom: view.corners.length > 1 ? closest : closestOfOne, animate: false });
		show();
		/* The buttons and the legend must not lie over what the answer is about. */
		const lid = root.querySelector(".legend"), left = hides(buttons, view.corners), below = lid.offsetHeight < box.clientHeight / 2 && hides(lid, view.corners);
		if (left) pad.left = 75;
		if (below) pad.below = lid.offsetHeight + 20;
		if (left || below) show();
	}

	/* Does this element lie over one of the positions? */
	function hides(element, list) {
		const lid = element.getBoundingClientRect(), own = box.getBoundingClientRect();
		return list.some(c => {
			const p = map.latLngToContainerPoint(c), x = own.left + p.x, y = own.top + p.y;
			return x > lid.left - 10 && x < lid.right + 10 && y > lid.top - 20 && y < lid.bottom + 10;
		});
	}

	function bringIntoView(ident) {
		const at = markers.at(ident);
		if (!at || !box.clientWidth) return;
		const p = map.latLngToContainerPoint(at), size = map.getSize(), lid = covered();
		if (p.x > 20 && p.y > 20 && p.x < size.x - lid.right - 20 && p.y < size.y - lid.below - 20) return;
		map.panTo(map.containerPointToLatLng([p.x + lid.right / 2, p.y + lid.below / 2]), { animate: !still });
	}

	bus.on("shown:changed", ({ why }) => {
		if (why !== "also") guest = null;
		draw();
		if (why === "answer") requestAnimationFrame(() => fit());
	});
	bus.on("turn:start", () => { empty.hidden = true; });
	bus.on("shown:selected", ({ ident }) => {
		markers.select(ident);
		if (ident) requestAnimationFrame(() => bringIntoView(ident));
	});
	bus.on("airport:located", ({ airport }) => {
		if (markers.at(airport.ident)) return;
		guest = { ...airport, missing: [] };
		draw();
		markers.select(airport.ident);
		bringIntoView(airport.ident);
	});
	bus.on("airport:hover", ({ ident }) => {
		markers.hover(ident);
		const at = markers.at(ident), airport = at && markers.airport(ident);
		if (!at) return map.closeTooltip(tip);
		tip.setLatLng(at).setContent(element("span", {}, [airport.ident, airport.name].filter(Boolean).join(" · ")));
		map.openTooltip(tip);
	});
	onPalette(app, () => {
		palette = readPalette();
		basemap.recolour(palette);
		draw();
	});
	bus.on("settings:changed", ({ name }) => { if (name === "units") draw(); });
	/* A phone shows the map only when its button is pressed. */
	let width = box.clientWidth;
	new ResizeObserver(() => {
		map.invalidateSize({ animate: false });
		if (!width && box.clientWidth) fit();
		width = box.clientWidth;
	}).observe(box);

	/* Paper has another size than the screen, and the map must be drawn for it before the browser takes its picture. */
	for (const [event, on] of [["beforeprint", true], ["afterprint", false]])
		addEventListener(event, () => {
			root.classList.toggle("on-paper", on);
			fit();
		});

	if (shown.answer) {
		draw();
		markers.select(shown.selected);
		fit();
	} else legend.show(new Set(), null);
}
