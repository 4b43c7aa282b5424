/* Distances and lines on the sphere. Angles in degrees, distances in nautical miles, positions {lat, lon}.
   Formulas: Ed Williams, "Aviation Formulary", sections "Distance between points", "Course between points",
   "Lat/lon given radial and distance" and "Intermediate points on a great circle". */

const radius = 3440.065, rad = Math.PI / 180;

export function distance(a, b) {
	const u = Math.sin((b.lat - a.lat) * rad / 2), v = Math.sin((b.lon - a.lon) * rad / 2);
	const h = u * u + Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * v * v;
	return 2 * radius * Math.asin(Math.min(1, Math.sqrt(h)));
}

/* The first course from a to b, 0 to 360. */
export function course(a, b) {
	const d = (b.lon - a.lon) * rad, y = Math.sin(d) * Math.cos(b.lat * rad);
	const x = Math.cos(a.lat * rad) * Math.sin(b.lat * rad) - Math.sin(a.lat * rad) * Math.cos(b.lat * rad) * Math.cos(d);
	return (Math.atan2(y, x) / rad + 360) % 360;
}

/* The position that lies so far from a on this course. */
export function onward(a, bearing, nm) {
	const d = nm / radius, lat = a.lat * rad, c = bearing * rad;
	const to = Math.asin(Math.min(1, Math.max(-1, Math.sin(lat) * Math.cos(d) + Math.cos(lat) * Math.sin(d) * Math.cos(c))));
	const by = Math.atan2(Math.sin(c) * Math.sin(d) * Math.cos(lat), Math.cos(d) - Math.sin(lat) * Math.sin(to));
	return { lat: to / rad, lon: a.lon + by / rad };
}

/* The same place as lon, at most half a turn from `by`: so a drawing crosses the date line in one piece. */
export function beside(lon, by) {
	return lon + 360 * Math.round((by - lon) / 360);
}

/* The great circle from a to b as positions about 100 NM apart, b's longitude being next to that of a. */
export function line(a, b) {
	const nm = distance(a, b), steps = Math.min(200, Math.max(1, Math.ceil(nm / 100)));
	const out = [{ lat: a.lat, lon: a.lon }];
	for (let i = 1; i <= steps; i++) {
		const last = out[i - 1];
		const next = i === steps ? { lat: b.lat, lon: b.lon } : onward(last, course(last, b), nm / steps);
		out.push({ lat: next.lat, lon: beside(next.lon, last.lon) });
	}
	return out;
}

/* The positions at a distance from a, clockwise from `from` to `to` degrees. */
export function arc(a, nm, from, to, steps) {
	const out = [];
	for (let i = 0; i <= steps; i++) {
		const p = onward(a, from + (to - from) * i / steps, nm);
		out.push({ lat: p.lat, lon: beside(p.lon, a.lon) });
	}
	return out;
}

export const circle = (a, nm) => arc(a, nm, 0, 360, 72);

/* The outline of all that lies within nm of a line that line() has made. */
export function corridor(points, nm) {
	const left = [], right = [], last = points.length - 1;
	if (last < 1) return circle(points[0], nm);
	const at = i => i < last ? course(points[i], points[i + 1]) : course(points[i - 1], points[i]);
	for (const [i, p] of points.entries()) {
		const c = at(i), l = onward(p, c - 90, nm), r = onward(p, c + 90, nm);
		left.push({ lat: l.lat, lon: beside(l.lon, p.lon) });
		right.push({ lat: r.lat, lon: beside(r.lon, p.lon) });
	}
	return [...left, ...arc(points[last], nm, at(last) - 90, at(last) + 90, 24), ...right.reverse(),
		...arc(points[0], nm, at(0) + 90, at(0) + 270, 24)];
}
