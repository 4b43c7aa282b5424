/* The airports that an answer counts but does not list. They are loaded with the question that the payload
   describes: the same place or route, the same filters. If the payload has a filter that the calls do not take,
   they would show airports that do not fit, so then nothing is loaded. */
import { readAirports } from "./airports.js";
import { get } from "./api.js";

const limit = 1000;
const taken = ["country", "has_procedures", "has_aip_data", "has_hard_runway", "point_of_entry", "has_avgas", "has_jet_a", "has_fuel",
	"min_runway_length_ft", "max_runway_length_ft", "max_landing_fee", "hotel", "restaurant"];
/* These are no filters: they say which place was asked for, or leave out what is left out here anyway. */
const context = ["search_query", "location_query", "radius_nm", "route_distance", "exclude_large_airports"];

const empty = v => v === null || v === undefined || v === "";

/* The filters as parameters of a call; null: there is one that no call takes. */
function parameters(filters) {
	const out = {};
	for (const [name, value] of Object.entries(filters)) {
		if (context.includes(name) || empty(value)) continue;
		if (!taken.includes(name) || !["string", "number", "boolean"].includes(typeof value)) return null;
		out[name] = value;
	}
	return out;
}

/* Has a search for the text looked at the whole country? Then the text is the country's name or its code. */
function wholeCountry(text, code) {
	if (!text) return true;
	const plain = s => s.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
	const names = ["en", "fr", "de"].map(language => {
		try {
			return new Intl.DisplayNames([language], { type: "region" }).of(code);
		} catch {
			return code;
		}
	});
	return [code, ...names].some(name => plain(name) === plain(text));
}

/* {path, query, list(answer)} of the call, or null: there is no such call. */
export function questionOf(answer) {
	const filters = answer && !answer.focus ? parameters(answer.filters) : null;
	if (!filters) return null;
	const query = { ...filters, include_large_airports: false, limit };
	const { route, point, radiusNm } = answer;
	if (route) return {
		path: "/airports/route-search", list: v => v.airports.map(a => ({ ...a.airport, ...a, airport: undefined })),
		query: { airports: route.from.ident + "," + route.to.ident, segment_distance_nm: radiusNm ?? 50, ...query },
	};
	if (point) return {
		path: "/airports/locate", list: v => v.airports,
		query: { center_lat: point.lat, center_lon: point.lon, q: point.label || null, radius_nm: radiusNm ?? 50, ...query },
	};
	const { country, search_query: text } = answer.filters;
	if (typeof country !== "string" || !country || !wholeCountry(typeof text === "string" ? text : "", country)) return null;
	return { path: "/airports/", list: v => v, query };
}

/* The other airports; fails with a CallError. */
export async function loadAlso(answer, signal) {
	const call = questionOf(answer);
	if (!call) return [];
	const got = await get(call.path, { query: call.query, signal });
	const known = new Set([...answer.fits, ...answer.unrecorded].map(a => a.ident));
	let found;
	try {
		found = readAirports(call.list(got));
	} catch {
		return [];
	}
	return found.filter(a => !known.has(a.ident) && !a.large);
}
