/* What an answer shows on the map comes from a model and from data that many people edit, so nothing draws it before
   it went through here. checked(value) gives a copy that holds only known members of the right type, or null if
   nothing of it can be used. Its members have the names of the wire:

   kind, tool, departure, destination, icao, region, topic    texts, or absent
   filters          plain values by name
   visualization    null, or one of
                    {type: "markers", data: [airport], route?, radius_nm?}
                    {type: "route_with_markers", route: {from: end, to: end}, markers, radius_nm?}
                    {type: "point_with_markers", point: {label, lat, lon}, markers, radius_nm?}
                    {type: "marker_with_details", marker: {ident, lat?, lon?, use?}}
                    each of them may have `unrecorded`: airports of which something asked for is not known
   airports, unrecorded    lists of airports
   suggested_queries       [{text, category}]
   show_rules       null, or {countries, tags_by_country, categories_by_country}
   resolved         how places were understood; plain data

   An airport has an ident and finite coordinates in degrees (latitude_deg, longitude_deg); its other members are
   plain data of bounded size, and their web addresses begin with http. */

const limits = { depth: 6, members: 100, rows: 5000, text: 4000, key: 64, values: 300000 };
const identForm = /^[A-Za-z0-9_-]{1,12}$/;
const kinds = new Set(["route", "airport", "rules"]);

const isObject = value => typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value, most = limits.text) => typeof value === "string" && value !== "" ? value.slice(0, most) : undefined;
const finite = (value, least, most) => typeof value === "number" && value >= least && value <= most ? value : undefined;

function isWebAddress(value) {
	try {
		return ["http:", "https:"].includes(new URL(value).protocol);
	} catch {
		return false;
	}
}

/* A copy of plain data, cut to size. budget.left counts the values that may still be copied. */
function plain(value, budget, depth = limits.depth) {
	if (budget.left-- <= 0) return undefined;
	if (typeof value === "string") return value.slice(0, limits.text);
	if (typeof value === "boolean" || value === null) return value;
	if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
	if (depth === 0 || typeof value !== "object") return undefined;
	if (Array.isArray(value))
		return value.slice(0, limits.rows).map(v => plain(v, budget, depth - 1)).filter(v => v !== undefined);
	const copy = {};
	for (const [name, member] of Object.entries(value).slice(0, limits.members)) {
		if (name.length > limits.key || name === "__proto__") continue;
		if (/(_link|link|url|href)$/i.test(name) && !isWebAddress(member)) continue;
		const good = plain(member, budget, depth - 1);
		if (good !== undefined) copy[name] = good;
	}
	return copy;
}

function airport(value, budget) {
	if (!isObject(value) || typeof value.ident !== "string" || !identForm.test(value.ident)) return null;
	const latitude = finite(value.latitude_deg, -90, 90), longitude = finite(value.longitude_deg, -180, 180);
	if (latitude === undefined || longitude === undefined) return null;
	const copy = plain(value, budget);
	for (const name of ["name", "municipality", "country", "iso_country"])
		if (name in copy && typeof copy[name] !== "string") delete copy[name];
	return copy;
}

/* Each airport once, the first one of an ident. */
function airports(list, budget) {
	const seen = new Set(), good = [];
	for (const value of Array.isArray(list) ? list.slice(0, limits.rows) : []) {
		const one = airport(value, budget);
		if (!one || seen.has(one.ident)) continue;
		seen.add(one.ident);
		good.push(one);
	}
	return good;
}

function routeEnd(value) {
	if (!isObject(value) || typeof value.icao !== "string" || !identForm.test(value.icao)) return null;
	return { icao: value.icao, name: text(value.name, 200), municipality: text(value.municipality, 200),
		lat: finite(value.lat ?? value.latitude_deg, -90, 90), lon: finite(value.lon ?? value.longitude_deg, -180, 180) };
}

const shapes = {
	markers(v, budget) {
		const data = airports(v.data ?? v.markers, budget), from = routeEnd(v.route?.from), to = routeEnd(v.route?.to);
		if (!data.length && !Array.isArray(v.unrecorded)) return null;
		return from && to ? { data, route: { from, to } } : { data };
	},
	route_with_markers(v, budget) {
		const from = routeEnd(v.route?.from), to = routeEnd(v.route?.to);
		return from && to ? { route: { from, to }, markers: airports(v.markers, budget) } : null;
	},
	point_with_markers(v, budget) {
		const lat = finite(v.point?.lat, -90, 90), lon = finite(v.point?.lon ?? v.point?.lng, -180, 180);
		if (lat === undefined || lon === undefined) return null;
		return { point: { label: text(v.point.label, 200) ?? "", lat, lon }, markers: airports(v.markers, budget) };
	},
	marker_with_details(v, budget) {
		const marker = v.marker;
		if (!isObject(marker) || typeof marker.ident !== "string" || !identForm.test(marker.ident)) return null;
		const copy = plain(marker, budget);
		for (const [name, other, most] of [["lat", "latitude_deg", 90], ["lon", "longitude_deg", 180]]) {
			copy[name] = finite(marker[name] ?? marker[other], -most, most);
			delete copy[other];
		}
		return { marker: copy };
	},
};

/* One visualization, or the first usable one of a list. */
function visualization(value, budget) {
	if (Array.isArray(value)) {
		for (const one of value.slice(0, 10)) {
			const good = visualization(one, budget);
			if (good) return good;
		}
		return null;
	}
	if (!isObject(value) || !Object.hasOwn(shapes, value.type)) return null;
	const shape = shapes[value.type](value, budget);
	if (!shape) return null;
	const good = { type: value.type, ...shape };
	const radius = finite(value.radius_nm, 0.1, 5000);
	if (radius !== undefined) good.radius_nm = radius;
	if (Array.isArray(value.unrecorded)) good.unrecorded = airports(value.unrecorded, budget);
	return good;
}

const texts = (list, most, length) =>
	(Array.isArray(list) ? list : []).map(v => text(v, length)).filter(Boolean).slice(0, most);

/* {"FR": ["flight_plan"]} for the countries that are shown */
function byCountry(value, countries) {
	const rows = countries.map(c => [c, isObject(value) && Object.hasOwn(value, c) ? texts(value[c], 100, 100) : []]);
	return Object.fromEntries(rows.filter(([, list]) => list.length));
}

function rules(value) {
	if (!isObject(value)) return null;
	const countries = texts(value.countries, 50, 40).filter(c => /^[A-Za-z]{2,3}$/.test(c));
	return countries.length === 0 ? null : { countries, tags_by_country: byCountry(value.tags_by_country, countries),
		categories_by_country: byCountry(value.categories_by_country, countries) };
}

function suggestions(list) {
	const good = [], seen = new Set();
	for (const one of Array.isArray(list) ? list.slice(0, 20) : []) {
		const words = isObject(one) ? text(one.text, 300)?.trim() : undefined;
		if (!words || seen.has(words)) continue;
		seen.add(words);
		good.push({ text: words, category: text(one.category, 40) });
	}
	return good.slice(0, 8);
}

export function checked(value) {
	if (!isObject(value)) return null;
	const budget = { left: limits.values };
	const good = {
		kind: kinds.has(value.kind) ? value.kind : undefined,
		filters: isObject(value.filters) ? plain(value.filters, budget, 2) : {},
		visualization: visualization(value.visualization, budget),
		airports: airports(value.airports, budget),
		unrecorded: airports(value.unrecorded, budget),
		suggested_queries: suggestions(value.suggested_queries),
		show_rules: rules(value.show_rules),
		resolved: Array.isArray(value.resolved) ? plain(value.resolved, budget) : [],
	};
	for (const name of ["tool", "departure", "destination", "icao", "region", "topic"])
		if (text(value[name], 200)) good[name] = text(value[name], 200);
	if (typeof value.ifr === "boolean") good.ifr = value.ifr;
	return good;
}

/* Is there something for a map? */
export const hasMap = payload => Boolean(payload && (payload.visualization || payload.airports.length || payload.unrecorded.length));

/* The idents of all airports that the payload knows. */
export function idents(payload) {
	const v = payload?.visualization ?? {};
	const all = [payload?.airports, payload?.unrecorded, v.data, v.markers, v.unrecorded].flatMap(list => list ?? []).map(a => a.ident);
	return new Set([...all, v.route?.from.icao, v.route?.to.icao, v.marker?.ident].filter(Boolean));
}
