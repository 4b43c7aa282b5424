/* node page-outlines.mjs COUNTRIES OUTLINES
   Makes the outlines of the page's map from countries-50m.json of the world-atlas package (TopoJSON): in full around
   Europe, simpler elsewhere, so that a visitor loads a third of it. Arcs keep their ends, so neighbours still meet. */
import fs from "node:fs";

/* West, south, east, north in degrees; the tolerance of its lines, and the least size of its islands, in degrees.
   The first region that an arc touches counts. */
const regions = [
	{ box: [-26, 33, 42, 67], tolerance: .01, least: .06 },
	{ box: [-130, 24, -60, 50], tolerance: .05, least: .3 },
	{ box: [-180, -90, 180, 90], tolerance: .15, least: .3 },
];
const grid = .005;              /* degrees */

const [from, to] = process.argv.slice(2);
if (!to) {
	console.error("usage: page-outlines.mjs COUNTRIES OUTLINES");
	process.exit(2);
}
const world = JSON.parse(fs.readFileSync(from, "utf8"));
const { scale, translate } = world.transform;
const arcs = world.arcs.map(arc => {
	let x = 0, y = 0;
	return arc.map(([dx, dy]) => [(x += dx) * scale[0] + translate[0], (y += dy) * scale[1] + translate[1]]);
});
const region = arcs.map(arc => regions.find(({ box }) => arc.some(([x, y]) => x >= box[0] && y >= box[1] && x <= box[2] && y <= box[3])));

/* Ramer-Douglas-Peucker, with degrees of longitude as short as they are there. */
function simpler(points, tolerance) {
	const keep = new Set([0, points.length - 1]), open = [[0, points.length - 1]];
	while (open.length) {
		const [a, b] = open.pop(), narrow = Math.cos(points[a][1] * Math.PI / 180);
		const [ax, ay] = [points[a][0] * narrow, points[a][1]], [bx, by] = [points[b][0] * narrow, points[b][1]];
		const length = Math.hypot(bx - ax, by - ay);
		let most = tolerance, at = -1;
		for (let i = a + 1; i < b; i++) {
			const x = points[i][0] * narrow, y = points[i][1];
			const off = length < 1e-9 ? Math.hypot(x - ax, y - ay) : Math.abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / length;
			if (off > most) [most, at] = [off, i];
		}
		if (at > 0) {
			keep.add(at);
			open.push([a, at], [at, b]);
		}
	}
	return points.filter((_, i) => keep.has(i));
}

const index = i => i < 0 ? ~i : i;

function large(ring) {
	return ring.some(i => {
		const xs = arcs[index(i)].map(p => p[0]), ys = arcs[index(i)].map(p => p[1]);
		return Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)) > region[index(i)].least;
	});
}

const kept = new Map(), lines = [];

function renamed(i) {
	const arc = index(i);
	if (!kept.has(arc)) {
		kept.set(arc, lines.length);
		let [px, py] = [0, 0];
		lines.push(simpler(arcs[arc], region[arc].tolerance).map(([x, y]) => {
			const [gx, gy] = [Math.round((x + 180) / grid), Math.round((y + 90) / grid)], step = [gx - px, gy - py];
			[px, py] = [gx, gy];
			return step;
		}));
	}
	return i < 0 ? ~kept.get(arc) : kept.get(arc);
}

function shape(geometry) {
	const polygons = geometry.type === "Polygon" ? [geometry.arcs] : geometry.type === "MultiPolygon" ? geometry.arcs : [];
	const left = polygons.filter(rings => large(rings[0])).map(rings => rings.filter(large).map(ring => ring.map(renamed)));
	return { type: "MultiPolygon", arcs: left, ...(geometry.properties?.name ? { properties: { name: geometry.properties.name } } : {}) };
}

const collection = list => ({ type: "GeometryCollection", geometries: list.map(shape).filter(g => g.arcs.length) });
const { countries, land } = world.objects;
const objects = { countries: collection(countries.geometries), land: collection(land.geometries ?? [land]) };
fs.writeFileSync(to, JSON.stringify({ type: "Topology", transform: { scale: [grid, grid], translate: [-180, -90] }, objects, arcs: lines }));
