/* What lies below the airports: land and borders that come with the page and need no network, a graticule, and, if
   the site has configured them, map tiles. Without the outlines the graticule carries numbers. */
import { dataFile } from "./libraries.js";
import { project, readOutlines } from "./outlines.js";

const tileSize = 512;
/* Arcs of the outline file have few points. From here on they are drawn as curves through the middles. */
const smoothFromZoom = 4;
const steps = [[3, 30], [5, 10], [7, 5], [9, 2], [11, 1], [99, .5]];

async function loadOutlines() {
	const response = await fetch(dataFile("outlines.json"), { signal: AbortSignal.timeout(20000) });
	if (!response.ok) throw new Error("lib/outlines.json: status " + response.status);
	return readOutlines(await response.json());
}

/* English names of countries to those of another language, as far as the browser knows them. */
function countryNames(language) {
	if (language === "en") return name => name;
	const table = new Map();
	try {
		const english = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
		const own = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
		const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
		for (const code of letters.flatMap(a => letters.map(b => a + b))) {
			const name = english.of(code);
			if (name) table.set(name, own.of(code) ?? name);
		}
	} catch {
		return name => name;
	}
	return name => table.get(name) ?? name;
}

const meets = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/* A tile's canvas, its scale and its corner. */
function tileView(coords) {
	const scale = 256 * 2 ** coords.z, x = coords.x * tileSize, y = coords.y * tileSize;
	const pad = 4 / scale;
	return { z: coords.z, scale, x, y, box: [x / scale - pad, y / scale - pad, (x + tileSize) / scale + pad, (y + tileSize) / scale + pad] };
}

/* Adds an arc to the path. Curves are the same in both directions, so neighbours share their border. */
function trace(ctx, points, v, back, smooth, join) {
	const n = points.length / 2, at = i => (back ? n - 1 - i : i) * 2;
	const X = i => points[at(i)] * v.scale - v.x, Y = i => points[at(i) + 1] * v.scale - v.y;
	if (join) ctx.lineTo(X(0), Y(0));
	else ctx.moveTo(X(0), Y(0));
	if (!smooth || n < 3) {
		for (let i = 1; i < n; i++) ctx.lineTo(X(i), Y(i));
		return;
	}
	for (let i = 1; i < n - 2; i++) ctx.quadraticCurveTo(X(i), Y(i), (X(i) + X(i + 1)) / 2, (Y(i) + Y(i + 1)) / 2);
	ctx.quadraticCurveTo(X(n - 2), Y(n - 2), X(n - 1), Y(n - 1));
}

function drawLand(ctx, v, outlines, palette) {
	const smooth = v.z >= smoothFromZoom;
	ctx.beginPath();
	for (const shape of outlines.land) {
		if (!meets(shape.box, v.box)) continue;
		for (const ring of shape.rings) {
			ring.forEach((i, k) => trace(ctx, outlines.arcs[i < 0 ? ~i : i], v, i < 0, smooth, k > 0));
			ctx.closePath();
		}
	}
	ctx.fillStyle = palette.land;
	ctx.fill("evenodd");
	for (const [lines, colour, width, dash] of [[outlines.coast, palette.coast, 1.1, []], [outlines.borders, palette.border, 1.2, [5, 3]]]) {
		ctx.beginPath();
		for (const l of lines) {
			/* The file cuts countries at the date line; that cut is no coast. */
			const cut = l.box[2] - l.box[0] < 1e-9 && (l.box[0] < 1e-6 || l.box[0] > 1 - 1e-6);
			if (!cut && meets(l.box, v.box)) trace(ctx, l.points, v, false, smooth, false);
		}
		ctx.strokeStyle = colour;
		ctx.lineWidth = width;
		ctx.setLineDash(dash);
		ctx.stroke();
	}
	ctx.setLineDash([]);
}

function drawNames(ctx, v, outlines, palette, translate) {
	ctx.textAlign = "center";
	ctx.textBaseline = "middle";
	ctx.font = "600 12px system-ui, sans-serif";
	ctx.fillStyle = palette.soft;
	ctx.globalAlpha = .75;
	for (const { name, x, y, size } of outlines.names) {
		const width = Math.sqrt(size) * v.scale, text = translate(name).toUpperCase();
		if (width < text.length * 7 || width > 3500) continue;
		const [px, py] = [x * v.scale - v.x, y * v.scale - v.y];
		if (px > -150 && px < tileSize + 150 && py > -20 && py < tileSize + 20) ctx.fillText(text, px, py);
	}
	ctx.globalAlpha = 1;
}

function drawGraticule(ctx, v, palette, numbered) {
	const step = steps.find(([z]) => v.z <= z)[1];
	const lonOf = x => (x - .5) * 360, latOf = y => Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI;
	const first = value => Math.ceil(value / step) * step;
	const name = (value, plus, minus) => Math.round(Math.abs(value) * 10) / 10 + "°" + (value === 0 ? "" : value < 0 ? minus : plus);
	ctx.strokeStyle = palette.coast;
	ctx.lineWidth = 1;
	ctx.globalAlpha = numbered ? .6 : .3;
	ctx.beginPath();
	/* A number may begin in the tile on the left or below. */
	const xs = [], ys = [], [west, north, east, south] = v.box, room = 90 / v.scale;
	for (let lon = first(lonOf(west - room)); lon <= lonOf(east); lon += step) xs.push([lon, project(lon, 0)[0] * v.scale - v.x]);
	for (let lat = first(latOf(south + room)); lat <= Math.min(85, latOf(north)); lat += step) ys.push([lat, project(0, lat)[1] * v.scale - v.y]);
	for (const [, x] of xs) {
		ctx.moveTo(x, 0);
		ctx.lineTo(x, tileSize);
	}
	for (const [, y] of ys) {
		ctx.moveTo(0, y);
		ctx.lineTo(tileSize, y);
	}
	ctx.stroke();
	ctx.globalAlpha = 1;
	if (!numbered) return;
	ctx.fillStyle = palette.soft;
	ctx.font = "11px system-ui, sans-serif";
	ctx.textAlign = "left";
	ctx.textBaseline = "bottom";
	for (const [lon, x] of xs)
		for (const [lat, y] of ys) ctx.fillText(`${name(lat, "N", "S")} ${name(((lon + 540) % 360) - 180, "E", "W")}`, x + 3, y - 2);
}

function layerClass(L, state) {
	return L.GridLayer.extend({
		createTile(coords) {
			const tile = document.createElement("canvas"), dense = Math.min(2, Math.max(1.5, window.devicePixelRatio || 1));
			tile.width = tile.height = tileSize * dense;
			const ctx = tile.getContext("2d"), v = tileView(coords);
			ctx.scale(dense, dense);
			if (state.outlines) drawLand(ctx, v, state.outlines, state.palette);
			drawGraticule(ctx, v, state.palette, !state.outlines);
			if (state.outlines) drawNames(ctx, v, state.outlines, state.palette, state.translate);
			return tile;
		},
	});
}

/* site: a promise; its tiles come when it comes. credited(text) is called for whoever has to be named.
   Gives {outlines: are they there, recolour(palette)}. The colours of tiles are their own. */
export async function addBasemap(L, map, palette, language, site, credited) {
	const state = { palette, outlines: null, translate: countryNames(language) };
	try {
		state.outlines = await loadOutlines();
	} catch (error) {
		console.warn("The map has no outlines of land: " + error.message);
	}
	const layer = new (layerClass(L, state))({ tileSize, updateWhenZooming: false, keepBuffer: 1, className: "outline-tiles" }).addTo(map);
	if (state.outlines) credited("Natural Earth");
	site.then(({ tiles, attribution, maxZoom }) => {
		if (!tiles) return;
		L.tileLayer(tiles, { maxZoom: 22, maxNativeZoom: maxZoom, className: "picture-tiles" }).addTo(map);
		if (attribution) credited(attribution);
	});
	return {
		outlines: state.outlines !== null,
		recolour(colours) {
			state.palette = colours;
			layer.redraw();
		},
	};
}
