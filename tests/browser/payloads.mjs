/* Answers made up by a test: a payload goes through the same stream as a real one. */

export const agent = "/api/aviation-agent";
export const event = (name, data) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/* An airport of a list; more members can be given. */
export const airport = (ident, lat, lon, more = {}) => ({ ident, name: ident + " Airfield", municipality: "Town", country: "FR", iso_country: "FR",
	latitude_deg: lat, longitude_deg: lon, longest_runway_length_ft: 3000, point_of_entry: false, has_aip_data: true, has_procedures: false,
	has_hard_runway: true, ...more });

const end = (icao, lat, lon) => ({ icao, name: icao + " Airport", municipality: "Town", lat, lon });

export function routePayload(markers, { unrecorded = [], filters = {}, from = end("EGTF", 51.348, -0.559), to = end("LFMD", 43.548, 6.955) } = {}) {
	return { kind: "route", tool: "find_airports_near_route", departure: from.icao, destination: to.icao, filters: { route_distance: 50, ...filters },
		visualization: { type: "route_with_markers", route: { from, to }, markers, radius_nm: 50, ...(unrecorded.length ? { unrecorded } : {}) },
		airports: markers, ...(unrecorded.length ? { unrecorded } : {}) };
}

export const listPayload = (data, filters = {}) => ({ kind: "route", tool: "search_airports", filters, visualization: { type: "markers", data }, airports: data });

export const detailsPayload = (ident, lat, lon) => ({ kind: "airport", tool: "get_airport_details", icao: ident,
	visualization: { type: "marker_with_details", marker: { ident, lat, lon, zoom: 12 } } });

export const rulesPayload = (countries, tags = {}) => ({ kind: "rules", tool: "answer_rules_question", region: countries[0], topic: null,
	show_rules: { countries, tags_by_country: tags, categories_by_country: {} } });

/* The calls that read data, as on a site that has none of them. */
export const noData = t => t.json(/\/api\/(aviation-agent\/)?(airports|rules|ga|notifications|filters)\//, { detail: "Not Found" }, 404);

let count = 0;

/* From now on each question gets this answer. */
export function answerWith(t, payload, text = "Here they are.") {
	t.answer(agent + "/chat/stream", (req, res) => {
		const id = `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}`;
		res.writeHead(200, { "Content-Type": "text/event-stream", "X-Run-ID": id });
		res.end([["message", { content: text }], ["thinking_done", {}], ...(payload ? [["ui_payload", payload]] : []), ["final_answer", { state: { final_answer: text } }],
			["done", { session_id: "session_1", thread_id: "thread_" + String(count).padStart(32, "0"), run_id: id, tokens: {}, metadata: {} }]]
			.map(([name, data], i) => `id: ${i + 1}\n` + event(name, data)).join(""));
	});
}

/* The idents on the map with the names of their signs: {LFMD: "end", LFPT: "fits"}. */
export const signs = page => page.evaluate(() => Object.fromEntries((document.querySelector(".map").dataset.drawn ?? "").split(" ").filter(Boolean).map(s => s.split(":"))));

export const drawnSigns = (t, page, wanted) => t.until(page, text => {
	const drawn = document.querySelector(".map")?.dataset.drawn ?? "";
	return text.every(s => (" " + drawn + " ").includes(" " + s + " "));
}, "the map shows " + wanted.join(" "), wanted);

/* A page on which this payload has just been answered. */
export async function openWith(t, payload, settings = {}) {
	answerWith(t, payload);
	const page = await t.open("/?q=" + encodeURIComponent("a question"), settings);
	await t.until(page, () => document.querySelector('.answer[aria-busy="false"]'), "the answer is complete");
	return page;
}

export const row = (page, ident) => page.locator("#list .airport-row").filter({ has: page.locator("strong", { hasText: new RegExp(`^${ident}$`) }) });
