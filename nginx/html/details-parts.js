/* The sections of an airport's panel, in their order. Each one gets what is known from the answer and what the calls
   gave, and returns elements, or null if there is nothing to say. Members may be missing or of another type. */
import { uses } from "./airports.js";
import { element, webAddress } from "./dom.js";
import { filterName } from "./filters.js";
import { link } from "./light-html.js";
import { position } from "./units.js";

const text = v => typeof v === "string" ? v.trim() : typeof v === "number" ? String(v) : "";
const number = v => typeof v === "number" && Number.isFinite(v) ? v : null;
const list = v => Array.isArray(v) ? v.filter(o => o && typeof o === "object") : [];
const yes = v => v === true || v === 1;

/* Name and place for the heading. */
export function summaryOf(known, detail, t) {
	let country = text(detail?.iso_country) || known?.country || "";
	try {
		if (/^[A-Z]{2}$/.test(country)) country = new Intl.DisplayNames([t.language], { type: "region" }).of(country) ?? country;
	} catch {
		/* An unknown code stays a code. */
	}
	return { name: text(detail?.name) || known?.name || "", place: [text(detail?.municipality) || known?.town, country].filter(Boolean).join(", ") };
}

/* Pairs of a name and a value; pairs without a value are left out. */
function pairs(rows) {
	const there = rows.filter(([, value]) => value);
	if (!there.length) return null;
	return element("dl", { class: "pairs" }, ...there.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

function table(label, head, rows) {
	return element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": label }, element("table", {},
		element("thead", {}, element("tr", {}, ...head.map(h => element("th", { scope: "col" }, h)))),
		element("tbody", {}, ...rows.map(r => element("tr", { class: r.closed ? "closed" : null }, ...r.cells.map((c, i) => element(i ? "td" : "th", i ? {} : { scope: "row" }, c)))))));
}

const kinds = ["large_airport", "medium_airport", "small_airport", "seaplane_base", "heliport", "balloonport", "closed"];

/* Who can use it; a seaplane base says so by its kind. */
const useSaid = (t, kind, use) => uses.includes(use) && !(use === "water" && kind === "seaplane_base") && t("airport.use." + use);

function facts({ t, units }, known, { detail }) {
	const d = detail ?? {}, lat = number(d.latitude_deg) ?? known?.lat, lon = number(d.longitude_deg) ?? known?.lon;
	const kind = text(d.type), use = text(d.use) || known?.use || "", entry = d.point_of_entry ?? known?.entry;
	const codes = [...new Set([d.iata_code, d.gps_code, d.local_code].map(text).filter(c => c && c !== text(d.ident)))].join(", ");
	const links = [["airport.home", d.home_link], ["airport.wikipedia", d.wikipedia_link]].filter(([, l]) => webAddress(text(l)));
	const fuel = [[d.avgas, "AVGAS"], [d.jet_a, "Jet A"]].filter(([has]) => has === true || has === 1).map(([, name]) => name).join(", ");
	return [
		kind === "closed" && element("p", { class: "problem" }, t("airport.closed")),
		pairs([
			[t("airport.kind"), [kinds.includes(kind) && t("airport.kind." + kind), useSaid(t, kind, use)].filter(Boolean).join(", ")],
			[t("airport.elevation"), units.feet(number(d.elevation_ft))],
			[t("airport.position"), Number.isFinite(lat) && Number.isFinite(lon) ? position(lat, lon) : ""],
			[t("airport.longest"), units.feet(number(d.longest_runway_length_ft) ?? known?.runwayFt)],
			[t("airport.customs"), entry === true || entry === 1 ? t("airport.customs.yes") : t("airport.not-recorded")],
			[t("airport.fuel"), fuel],
			[t("airport.codes"), codes],
			[t("airport.missing"), (known?.missing ?? []).map(name => filterName(t, name)).join(", ")],
		]),
		links.length > 0 && element("p", { class: "links" }, ...links.flatMap(([key, l]) => [link(text(l), t(key)), " "])),
	].filter(Boolean);
}

function notice({ t, units }, known, { notice: n, ga }) {
	const own = known?.notice, found = n && n.found !== false ? n : {};
	const type = text(found.notification_type) || own?.type || "", hours = number(found.hours_notice) ?? own?.hours ?? null;
	const types = ["h24", "hours", "on_request", "business_day", "as_ad_hours", "specific_time", "not_available"];
	const phone = text(found.phone), mail = text(found.email);
	const dial = phone.replace(/[^\d+]/g, "");
	const summary = text(found.summary) || own?.summary || text(ga?.notification_summary);
	if (!types.includes(type) && !summary) return null;
	const says = words => types.includes(type) && words.toLowerCase() === t("notice." + type).toLowerCase();
	return [
		pairs([
			[t("notice.type"), types.includes(type) ? t("notice." + type) : ""],
			[t("notice.longest"), hours === null ? "" : t("notice.h", { n: hours })],
			[t("notice.open"), text(found.operating_hours)],
			[t("notice.phone"), dial.length > 4 ? element("a", { href: "tel:" + dial }, phone) : phone],
			[t("notice.mail"), /^[^\s@<>?&]+@[^\s@<>?&]+$/.test(mail) ? element("a", { href: "mailto:" + mail }, mail) : mail],
			[t("notice.sure"), number(found.confidence) === null ? "" : units.percent(found.confidence)],
		]),
		summary && !says(summary) && element("p", { class: "lines" }, summary),
	].filter(Boolean);
}

/* Ends as pilots write them; a runway that is closed says so in words. */
function runways({ t, units }, known, { runways: called, detail }) {
	const rows = list(called), inside = list(detail?.runways);
	const key = r => text(r.le_ident) + "/" + text(r.he_ident);
	const listed = new Set(rows.map(key));
	const all = [...rows, ...inside.filter(r => !listed.has(key(r)))];
	if (!all.length) return null;
	const shut = r => yes(r.closed) || inside.some(i => key(i) === key(r) && yes(i.closed)) || /\bclosed\b/i.test(text(r.surface));
	const cells = r => [
		[text(r.le_ident), text(r.he_ident)].filter(Boolean).join("/") || "–", units.feet(number(r.length_ft)) || "–", units.feet(number(r.width_ft)) || "–",
		text(r.surface) || "–",
		[shut(r) && t("runway.closed"), yes(r.lighted) && t("runway.lighted")].filter(Boolean).join(", "),
	];
	const sorted = [...all].sort((a, b) => shut(a) - shut(b) || (number(b.length_ft) ?? 0) - (number(a.length_ft) ?? 0));
	return table(t("airport.runways"), ["runway.ends", "runway.length", "runway.width", "runway.surface", "runway.remarks"].map(k => t(k)),
		sorted.slice(0, 40).map(r => ({ cells: cells(r), closed: shut(r) })));
}

function procedures({ t }, known, { procedures: called }) {
	const all = list(called).filter(p => text(p.name));
	if (!all.length) return null;
	const types = ["approach", "departure", "arrival"];
	const of = p => types.includes(text(p.procedure_type).toLowerCase()) ? text(p.procedure_type).toLowerCase() : "other";
	return [...types, "other"].map(type => [type, all.filter(p => of(p) === type)]).filter(([, own]) => own.length).map(([type, own]) =>
		element("details", { "data-key": "procedures-" + type, open: type === "approach" && own.length <= 12 },
			element("summary", {}, t("procedure." + type, { n: own.length })),
			element("ul", { class: "plain" }, ...own.slice(0, 300).map(p => element("li", {}, text(p.name),
				text(p.approach_type) && !text(p.name).includes(text(p.approach_type)) ? element("span", { class: "soft" }, " " + text(p.approach_type)) : "")))));
}

const aipSections = ["admin", "operational", "handling", "passenger"];

function aip({ t }, known, { aip: called }) {
	const all = list(called).filter(e => text(e.value) || text(e.alt_value));
	if (!all.length) return null;
	const of = e => aipSections.includes(text(e.section)) ? text(e.section) : "other";
	return [...aipSections, "other"].map(name => [name, all.filter(e => of(e) === name)]).filter(([, own]) => own.length).map(([name, own]) =>
		element("details", { "data-key": "aip-" + name }, element("summary", {}, t("aip." + name, { n: own.length })),
			element("dl", { class: "aip" }, ...own.slice(0, 200).flatMap(e => [
				element("dt", {}, text(e.std_field) || text(e.field)),
				element("dd", { class: "lines" }, (e.parsed_notification && text(e.parsed_summary)) || text(e.value) || text(e.alt_value))]))));
}

const featureName = name => name.replace(/_score$/, "").replace(/^(review|aip)_/, "").replaceAll("_", " ");

function friendliness({ t, units }, known, { ga }) {
	if (!ga || ga.has_data !== true) return null;
	const features = Object.entries(ga.features && typeof ga.features === "object" ? ga.features : {}).filter(([, v]) => number(v) !== null);
	const bar = v => element("meter", { min: 0, max: 1, value: v, "aria-hidden": "true" });
	const tags = Array.isArray(ga.tags) ? ga.tags.map(text).filter(Boolean).slice(0, 30) : [];
	return [
		pairs([
			[t("ga.score"), units.percent(number(ga.score))],
			[t("ga.reviews"), number(ga.review_count) ? t("ga.review-count", { n: ga.review_count }) : ""],
			[t("ga.hassle"), text(ga.hassle_level).replaceAll("_", " ")],
			[t("ga.hotel"), text(ga.hotel_info).replaceAll("_", " ")],
			[t("ga.restaurant"), text(ga.restaurant_info).replaceAll("_", " ")],
		]),
		text(ga.summary_text) && element("p", { class: "lines" }, text(ga.summary_text)),
		tags.length > 0 && element("ul", { class: "tags" }, ...tags.map(tag => element("li", {}, tag.replaceAll("_", " ")))),
		features.length > 0 && element("details", { "data-key": "ga-features" }, element("summary", {}, t("ga.features")),
			element("dl", { class: "pairs" }, ...features.flatMap(([name, v]) => [element("dt", {}, featureName(name)), element("dd", {}, bar(v), " ", units.percent(v))]))),
	].filter(Boolean);
}

export const sections = [
	{ name: "detail", title: "airport.facts", draw: facts },
	{ name: "notice", title: "airport.notice", draw: notice },
	{ name: "runways", title: "airport.runways", draw: runways },
	{ name: "procedures", title: "airport.procedures", draw: procedures },
	{ name: "ga", title: "airport.ga", draw: friendliness },
	{ name: "aip", title: "airport.aip", draw: aip },
];
