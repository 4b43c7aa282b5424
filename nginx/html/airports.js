/* Turns the payload of an answer into what is drawn. Nothing here touches the page, and nothing is believed:
   a member of the wrong type is treated like a missing one. */

const most = 5000;

const number = v => typeof v === "number" && Number.isFinite(v) ? v : null;
const text = v => typeof v === "string" ? v.slice(0, 300).trim() : "";
const truth = v => v === true || v === 1 ? true : v === false || v === 0 ? false : null;
const list = v => Array.isArray(v) ? v.slice(0, most) : [];
const object = v => v && typeof v === "object" && !Array.isArray(v) ? v : {};

function position(lat, lon) {
	lat = number(lat);
	lon = number(lon);
	return lat !== null && lon !== null && Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null;
}

function notice(v) {
	const { notification_type: type, hours_notice: hours, summary, is_h24: h24 } = object(v);
	if (!text(type) && !text(summary)) return null;
	return { type: text(type), hours: number(hours), summary: text(summary), h24: truth(h24) === true };
}

/* Why an airport is not for every pilot. */
export const uses = ["water", "mountain", "military"];

/* An airport of a list, as the tools and the lists of the service send it; null if it cannot be drawn. */
export function readAirport(v) {
	const o = object(v), ident = text(o.ident), at = position(o.latitude_deg, o.longitude_deg);
	if (!ident || ident.length > 16 || !at) return null;
	return {
		ident, ...at,
		name: text(o.name),
		town: text(o.municipality),
		country: text(o.iso_country) || text(o.country),
		runwayFt: number(o.longest_runway_length_ft),
		entry: truth(o.point_of_entry),
		procedures: truth(o.has_procedures),
		hard: truth(o.has_hard_runway),
		soft: truth(o.has_soft_runway),
		large: o.type === "large_airport",
		use: uses.includes(o.use) ? o.use : "",
		distanceNm: number(o.distance_nm) ?? number(o.segment_distance_nm),
		alongNm: number(o.along_track_distance_nm) ?? number(o.enroute_distance_nm),
		notice: notice(o.notification),
		missing: list(o.unrecorded).map(text).filter(Boolean),
	};
}

/* Airports of several lists, each one once. */
export function readAirports(...lists) {
	const seen = new Map();
	for (const v of lists.flatMap(list)) {
		const airport = readAirport(v);
		if (airport && !seen.has(airport.ident)) seen.set(airport.ident, airport);
	}
	return [...seen.values()];
}

function readEnd(v) {
	const o = object(v), ident = text(o.icao), at = position(o.lat, o.lon);
	return ident ? { ident, name: text(o.name), town: text(o.municipality), ...(at || { lat: null, lon: null }) } : null;
}

function readRoute(v) {
	const from = readEnd(object(v).from), to = readEnd(object(v).to);
	return from && to ? { from, to } : null;
}

function readPoint(v) {
	const o = object(v), at = position(o.lat, o.lon ?? o.lng);
	return at ? { ...at, label: text(o.label) } : null;
}

const types = ["markers", "route_with_markers", "point_with_markers", "marker_with_details"];

/* What an answer shows:
     fits        airports known to fit
     unrecorded  airports that may fit; `missing` names what is not recorded of them
     route       {from, to} or null; an end may lack its position
     point       {lat, lon, label} or null; radiusNm around it, or on both sides of the route
     focus       the ident of the one airport that was asked for, or ""
     filters     what the airports were filtered by
   null: the answer has nothing for the map. */
export function readPayload(payload) {
	const p = object(payload);
	const v = [p.visualization].flat().find(o => types.includes(object(o).type));
	if (!v) return null;
	const route = readRoute(v.route), point = v.type === "point_with_markers" ? readPoint(v.point) : null;
	const marker = v.type === "marker_with_details" ? object(v.marker) : {};
	const one = { ident: marker.ident, name: marker.name, latitude_deg: marker.lat, longitude_deg: marker.lon ?? marker.lng, use: marker.use };
	const ends = route ? [route.from.ident, route.to.ident] : [];
	const fits = readAirports(p.airports, v.markers, v.data, [one]);
	const taken = new Set(fits.map(a => a.ident));
	const unrecorded = readAirports(v.unrecorded, p.unrecorded).filter(a => !taken.has(a.ident));
	const focus = text(marker.ident);
	if (!fits.length && !unrecorded.length && !route && !point && !focus) return null;
	return { fits, unrecorded, route, point, focus, ends, radiusNm: number(v.radius_nm), filters: object(p.filters) };
}
