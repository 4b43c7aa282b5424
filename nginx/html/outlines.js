/* Land and borders of the world from a TopoJSON file of the world-atlas package (Natural Earth, public domain),
   turned into lines that a map can draw at any zoom. Format: "The TopoJSON Format Specification", version 1. */

const rad = Math.PI / 180;

/* Web Mercator, the whole world being 0 to 1 from west to east and from north to south. */
export function project(lon, lat) {
	const s = Math.sin(Math.max(-85.05, Math.min(85.05, lat)) * rad);
	return [lon / 360 + .5, .5 - Math.log((1 + s) / (1 - s)) / (4 * Math.PI)];
}

/* Arcs are stored as steps between whole numbers. */
function decodeArcs({ arcs, transform: { scale, translate } }) {
	return arcs.map(arc => {
		const out = new Float64Array(arc.length * 2);
		let x = 0, y = 0;
		for (const [i, step] of arc.entries()) {
			x += step[0];
			y += step[1];
			out.set(project(x * scale[0] + translate[0], y * scale[1] + translate[1]), 2 * i);
		}
		return out;
	});
}

const polygons = g => g.type === "Polygon" ? [g.arcs] : g.type === "MultiPolygon" ? g.arcs : [];
const arcIndex = i => i < 0 ? ~i : i;

function boxOf(points, box = [Infinity, Infinity, -Infinity, -Infinity]) {
	for (let i = 0; i < points.length; i += 2) {
		box[0] = Math.min(box[0], points[i]);
		box[1] = Math.min(box[1], points[i + 1]);
		box[2] = Math.max(box[2], points[i]);
		box[3] = Math.max(box[3], points[i + 1]);
	}
	return box;
}

/* The middle of the largest ring of a country, where its name can stand; null for small ones. */
function nameOf(geometry, arcs) {
	let best = null;
	for (const [ring] of polygons(geometry)) {
		let area = 0, x = 0, y = 0;
		const points = ring.flatMap(i => {
			const a = arcs[arcIndex(i)], pairs = [];
			for (let k = 0; k < a.length; k += 2) pairs.push([a[k], a[k + 1]]);
			return i < 0 ? pairs.reverse() : pairs;
		});
		for (let k = 0; k < points.length; k++) {
			const [ax, ay] = points[k], [bx, by] = points[(k + 1) % points.length], c = ax * by - bx * ay;
			area += c;
			x += (ax + bx) * c;
			y += (ay + by) * c;
		}
		if (area && Math.abs(area) > (best?.size ?? 0))
			best = { size: Math.abs(area), x: x / (3 * area), y: y / (3 * area), name: String(geometry.properties?.name ?? "") };
	}
	return best && best.name ? best : null;
}

/* {land: [{rings: [[arc number…]…], box}], coast: [{points, box}], borders: the same, names: [{name, x, y, size}]},
   arcs: the points. Throws where the file has another shape. */
export function readOutlines(topology) {
	const arcs = decodeArcs(topology), used = new Map();
	const countries = topology.objects.countries.geometries;
	for (const country of countries) {
		const own = new Set(polygons(country).flat(2).map(arcIndex));
		for (const i of own) used.set(i, (used.get(i) ?? 0) + 1);
	}
	const land = topology.objects.land.geometries ? topology.objects.land.geometries : [topology.objects.land];
	const shapes = land.flatMap(polygons).map(rings => ({
		rings, box: rings.flat().reduce((box, i) => boxOf(arcs[arcIndex(i)], box), undefined),
	}));
	const lines = wanted => [...used].filter(([, n]) => wanted(n)).map(([i]) => ({ points: arcs[i], box: boxOf(arcs[i]) }));
	return { arcs, land: shapes, coast: lines(n => n === 1), borders: lines(n => n > 1), names: countries.map(c => nameOf(c, arcs)).filter(Boolean) };
}
