/* The airports on the map. All of them are drawn on one canvas, so that a thousand cost no more than a few
   milliseconds. Next to a sign stands its code where there is room. */
import { beside } from "./geo.js";
import { paint, symbolOf, symbols } from "./symbols.js";

/* Later ones lie above earlier ones. */
const order = ["also", "unrecorded", "restricted", "fits", "large", "end"];
const labelFont = "600 12px system-ui, sans-serif", labelHeight = 15, gap = 4;
const crowded = 400;
const alsoLabelsFromZoom = 8;

/* A marker that Leaflet keeps, finds under the pointer and asks to draw itself. */
function signClass(L) {
	return L.CircleMarker.extend({
		_updateBounds() {
			L.CircleMarker.prototype._updateBounds.call(this);
			const box = this.options.box;
			if (!box) return;
			this._pxBounds.extend(this._point.add([box.left, box.top]));
			this._pxBounds.extend(this._point.add([box.right, box.bottom]));
		},
		_updatePath() {
			const renderer = this._renderer;
			if (renderer._drawing && !this._empty()) this.draw(renderer._ctx, this._point);
		},
		draw(ctx, { x, y }) {
			const { symbol, palette, ring, box, airport } = this.options;
			if (ring) {
				ctx.save();
				ctx.beginPath();
				ctx.arc(x, y, symbols[symbol].size + 6, 0, 2 * Math.PI);
				ctx.lineWidth = 6;
				ctx.strokeStyle = palette.back;
				ctx.stroke();
				ctx.lineWidth = 3;
				ctx.strokeStyle = ring === "hover" ? palette.soft : palette.accent;
				ctx.stroke();
				ctx.restore();
			}
			paint(ctx, symbol, x, y, palette);
			if (!box) return;
			ctx.save();
			ctx.font = labelFont;
			ctx.textAlign = "left";
			ctx.textBaseline = "middle";
			ctx.lineJoin = "round";
			ctx.lineWidth = 3.5;
			ctx.strokeStyle = palette.back;
			ctx.strokeText(airport.ident, x + box.left, y + (box.top + box.bottom) / 2);
			ctx.fillStyle = palette.text;
			ctx.fillText(airport.ident, x + box.left, y + (box.top + box.bottom) / 2);
			ctx.restore();
		},
	});
}

/* Where a code may stand beside a sign of this size, best place first; pixels from the sign. */
function places(width, size) {
	const far = size + gap, half = labelHeight / 2;
	return [
		{ left: far, top: -half }, { left: -far - width, top: -half },
		{ left: -width / 2, top: size + 2 }, { left: -width / 2, top: -size - 2 - labelHeight },
	].map(p => ({ ...p, right: p.left + width, bottom: p.top + labelHeight }));
}

const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/* on: {open(ident), hover(ident)}. */
export function createMarkers(L, map, on) {
	const Sign = signClass(L);
	const coarse = matchMedia("(pointer: coarse)").matches;
	const pane = map.createPane("airports");
	pane.style.zIndex = 450;
	const renderer = L.canvas({ pane: "airports", padding: .3, tolerance: coarse ? 15 : 4 });
	const group = L.featureGroup().addTo(map);
	const byIdent = new Map();
	const measure = document.createElement("canvas").getContext("2d");
	let palette = {}, selected = "", hovered = "";

	group.on("click", event => on.open(event.layer.options.airport.ident));
	group.on("mouseover", event => on.hover(event.layer.options.airport.ident));
	group.on("mouseout", () => on.hover(""));
	map.on("zoomend", () => { label(); redraw(); });

	const ringOf = ident => ident === selected ? "selected" : ident === hovered ? "hover" : null;
	const redraw = () => { for (const s of byIdent.values()) s.redraw(); };

	/* Gives codes a place where they cover neither a sign nor another code: the selected airport first, then
	   the groups from the uppermost to the lowest. */
	function label() {
		measure.font = labelFont;
		const zoom = map.getZoom(), boxes = [], all = [...byIdent.values()].reverse();
		const at = new Map(all.map(s => [s, map.project(s.getLatLng(), zoom)]));
		const moved = (box, p) => ({ left: box.left + p.x, right: box.right + p.x, top: box.top + p.y, bottom: box.bottom + p.y });
		const wanted = s => ringOf(s.options.airport.ident) || s.options.symbol !== "also" || zoom >= alsoLabelsFromZoom;
		const signs = all.filter(s => s.options.symbol !== "also" || zoom >= alsoLabelsFromZoom).slice(0, crowded).map(s => {
			const r = symbols[s.options.symbol].size;
			return { of: s, ...moved({ left: -r, right: r, top: -r, bottom: r }, at.get(s)) };
		});
		const rank = s => ringOf(s.options.airport.ident) === "selected" ? 0 : 1;
		const candidates = all.filter(wanted).sort((a, b) => rank(a) - rank(b)).slice(0, crowded);
		for (const s of all) s.options.box = null;
		for (const s of candidates) {
			const { airport, symbol } = s.options;
			const width = Math.ceil(measure.measureText(airport.ident).width);
			const options = places(width, symbols[symbol].size);
			const free = options.find(box => {
				const there = moved(box, at.get(s));
				return !boxes.some(b => meet(b, there)) && !signs.some(b => b.of !== s && meet(b, there));
			}) ?? (rank(s) === 0 ? options[0] : null);
			s.options.box = free;
			if (free) boxes.push(moved(free, at.get(s)));
		}
	}

	function ring(ident) {
		const s = byIdent.get(ident);
		if (!s) return;
		s.options.ring = ringOf(ident);
		if (s.options.ring) s.bringToFront();
		s.redraw();
	}

	return {
		/* Draws these airports and no others. `by` is the longitude next to which all of them are drawn. */
		show(airports, ends, by, colours) {
			palette = colours;
			group.clearLayers();
			byIdent.clear();
			const rank = a => order.indexOf(symbolOf(a, ends));
			for (const airport of [...airports].sort((a, b) => rank(a) - rank(b))) {
				const symbol = symbolOf(airport, ends);
				const sign = new Sign([airport.lat, beside(airport.lon, by)], {
					renderer, pane: "airports", radius: symbols[symbol].size + 1, stroke: false, bubblingMouseEvents: false,
					airport, symbol, palette, ring: ringOf(airport.ident), box: null,
				});
				byIdent.set(airport.ident, sign);
			}
			label();
			for (const sign of byIdent.values()) group.addLayer(sign);
		},
		recolour(colours) {
			palette = colours;
			for (const s of byIdent.values()) s.options.palette = palette;
			redraw();
		},
		select(ident) {
			const before = selected;
			selected = ident;
			label();
			ring(before);
			ring(ident);
			redraw();
		},
		hover(ident) {
			const before = hovered;
			hovered = ident;
			ring(before);
			ring(ident);
		},
		at: ident => byIdent.get(ident)?.getLatLng() ?? null,
		airport: ident => byIdent.get(ident)?.options.airport ?? null,
	};
}
