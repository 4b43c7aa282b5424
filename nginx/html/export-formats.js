/* Airports as files for other programs. */

/* Characters that XML 1.0 does not know at all are left out; see its section 2.2. */
const xmlText = text => String(text).replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
	.replace(/[&<>"']/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" })[c]);

const tag = (name, text) => text ? `<${name}>${xmlText(text)}</${name}>` : "";

function point(name, a, type) {
	return `<${name} lat="${a.lat.toFixed(6)}" lon="${a.lon.toFixed(6)}">` + tag("name", a.ident) +
		tag("cmt", a.name) + tag("desc", [a.name, a.town, a.country].filter(Boolean).join(", ")) +
		tag("sym", "Airport") + tag("type", type) + `</${name}>`;
}

/* GPX 1.1, http://www.topografix.com/GPX/1/1/: a waypoint for each airport and, if the answer has a route with
   known ends, the route. */
export function toGpx(airports, route, title, time = new Date()) {
	const ends = route && [route.from, route.to].every(e => e.lat !== null && e.lon !== null) ? [route.from, route.to] : [];
	const lines = ['<?xml version="1.0" encoding="UTF-8"?>',
		'<gpx version="1.1" creator="aviation-agent" xmlns="http://www.topografix.com/GPX/1/1">',
		`<metadata>${tag("name", title)}<time>${time.toISOString()}</time></metadata>`,
		...airports.map(a => point("wpt", a, a.group)),
		ends.length ? `<rte>${tag("name", ends.map(e => e.ident).join(" - "))}${ends.map(e => point("rtept", e, "")).join("")}</rte>` : "",
		"</gpx>", ""];
	return lines.filter((l, i) => l || i === lines.length - 1).join("\n");
}

/* A table program runs a cell as a formula if it begins with one of these (OWASP, "CSV Injection"). The quote keeps
   it a text. Numbers of ours are written as numbers. */
function cell(value) {
	if (value === null || value === undefined) return "";
	if (typeof value === "number") return String(value);
	const text = /^[\s]*[=+\-@\t\r]/.test(value) ? "'" + value : value;
	return /[",\n\r;\t]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
}

const yesNo = v => v === null || v === undefined ? "" : v ? "yes" : "no";

const columns = [
	["code", a => a.ident], ["name", a => a.name], ["town", a => a.town], ["country", a => a.country],
	["latitude", a => a.lat], ["longitude", a => a.lon], ["longest_runway_ft", a => a.runwayFt],
	["hard_runway", a => yesNo(a.hard)], ["customs", a => yesNo(a.entry)], ["instrument_procedures", a => yesNo(a.procedures)],
	["distance_nm", a => a.distanceNm], ["along_route_nm", a => a.alongNm], ["notice_hours", a => a.notice?.hours ?? null],
	["notice", a => a.notice?.summary ?? ""], ["use", a => a.use], ["group", a => a.group], ["not_recorded", a => a.missing.join(" ")],
];

/* RFC 4180, with CRLF and in UTF-8; the byte order mark makes table programs read it as such. */
export function toCsv(airports) {
	const rows = [columns.map(([name]) => name), ...airports.map(a => columns.map(([, of]) => of(a)))];
	return "\uFEFF" + rows.map(r => r.map(cell).join(",") + "\r\n").join("");
}

/* "EGTF-LFMD", "airports" …, in characters that every file system takes. */
export function fileName(answer) {
	const parts = answer.route ? answer.ends : [answer.point?.label || answer.focus || answer.filters.country || "airports"];
	return parts.join("-").normalize("NFD").replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "airports";
}
