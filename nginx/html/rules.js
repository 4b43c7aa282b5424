/* The rules behind an answer: country by country, those of the question's subjects first, all of them on request,
   and a field that looks for words in them. */
import { get, segment, sentence } from "./api.js";
import { element, redrawn, webAddress } from "./dom.js";
import { lightHtml, link } from "./light-html.js";

const countriesMost = 8;
const text = v => typeof v === "string" ? v : "";
const list = v => Array.isArray(v) ? v : [];
const plain = s => s.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/* A rule as it is shown; `words` is what the field looks in. */
function readRule(v, category) {
	const answer = text(v?.answer_html), question = text(v?.question_text);
	const body = lightHtml(answer).textContent;
	return { question, answer, blank: !body.trim(), tags: list(v?.tags).map(text), links: list(v?.links).map(text).filter(webAddress),
		reviewed: text(v?.last_reviewed), category, words: plain(question + " " + body + " " + category) };
}

function readRules(v) {
	return list(v?.categories).flatMap(c => list(c?.rules).map(r => readRule(r, text(c?.name)))).filter(r => r.question);
}

export function mount(root, app) {
	const { bus, t } = app;
	const loaded = new Map();
	let show = null, all = false, search = "";

	function countryName(code) {
		try {
			return new Intl.DisplayNames([t.language], { type: "region" }).of(code) ?? code;
		} catch {
			return code;
		}
	}

	/* {rules} or {error}; kept as long as the page is open. */
	async function load(code) {
		const kept = loaded.get(code);
		if (kept && !kept.error) return;
		loaded.set(code, {});
		draw();
		try {
			loaded.set(code, { rules: readRules(await get("/rules/" + segment(code))) });
		} catch (error) {
			loaded.set(code, { error });
		}
		draw();
	}

	const words = () => plain(search).split(/\s+/).filter(Boolean);
	const tagsOf = code => list(show.tagsByCountry?.[code]).map(text).filter(Boolean);

	function date(iso) {
		const at = new Date(iso + "T12:00:00Z");
		return Number.isNaN(at.getTime()) ? iso : new Intl.DateTimeFormat(t.language, { dateStyle: "medium" }).format(at);
	}

	function rule(r, open) {
		const links = r.links.map(l => link(l, new URL(l).host));
		return element("details", { class: "rule", open }, element("summary", {}, r.question),
			r.blank ? element("p", { class: "soft" }, t("rules.no-answer")) : lightHtml(r.answer),
			links.length > 0 && element("p", { class: "rule-links" }, ...links.flatMap(l => [l, " "])),
			r.reviewed && element("p", { class: "soft" }, t("rules.reviewed", { date: date(r.reviewed) })));
	}

	function country(code, only) {
		const state = loaded.get(code) ?? {}, part = element("section", { class: "rule-country", "aria-label": countryName(code) });
		part.append(element("h2", {}, countryName(code)));
		if (state.error) {
			part.append(element("p", { class: "problem" }, t("rules.failed") + " " + sentence(t, state.error) + " ",
				element("button", { type: "button", onclick: () => load(code) }, t("call.again"))));
			return part;
		}
		if (!state.rules) {
			part.append(element("p", { class: "soft", role: "status" }, t("call.loading")));
			return part;
		}
		const tags = all ? [] : tagsOf(code), wanted = words();
		const rules = state.rules.filter(r => (!tags.length || r.tags.some(tag => tags.includes(tag))) && wanted.every(w => r.words.includes(w)));
		part.append(element("p", { class: "soft" }, t("rules.count", { n: rules.length, all: state.rules.length }) +
			(tags.length ? " " + t("rules.about", { tags: tags.map(tag => tag.replaceAll("_", " ")).join(", ") }) : "")));
		const categories = [...new Set(rules.map(r => r.category))];
		for (const name of categories) {
			const own = rules.filter(r => r.category === name);
			part.append(element("h3", {}, name || t("rules.other")), ...own.map(r => rule(r, only && rules.length <= 3)));
		}
		if (!state.rules.length) part.append(element("p", {}, t("rules.none")));
		return part;
	}

	const field = element("input", { type: "search", autocomplete: "off", oninput: event => { search = event.target.value; draw(); } });
	const more = element("button", { type: "button", onclick: () => { all = !all; draw(); } });
	const head = element("div", { class: "rules-head" }, element("label", { class: "field" }, element("span", {}, t("rules.search")), field), more);
	const body = element("div", { class: "rules-body" });

	/* The field stays the same element, so that typing is not disturbed; open rules stay open. */
	function draw() {
		if (!show) {
			head.remove();
			body.replaceChildren(element("p", { class: "soft" }, t("rules.empty")));
			if (!body.parentElement) root.append(body);
			return;
		}
		if (!head.parentElement) root.prepend(head);
		const narrowed = show.countries.some(code => tagsOf(code).length);
		more.hidden = !narrowed;
		more.textContent = t(all ? "rules.fewer" : "rules.all");
		const open = new Set([...body.querySelectorAll("details[open]")].map(keyOf));
		redrawn(body, () => body.replaceChildren(...show.countries.map(code => country(code, show.countries.length === 1))), "summary, button");
		for (const d of body.querySelectorAll("details")) if (open.has(keyOf(d))) d.open = true;
	}
	const keyOf = d => d.closest("section").getAttribute("aria-label") + " " + d.querySelector("summary").textContent;

	function set(wanted) {
		const codes = list(wanted?.countries).map(text).filter(c => /^[A-Za-z]{2,3}$/.test(c)).map(c => c.toUpperCase());
		const countries = [...new Set(codes)].slice(0, countriesMost);
		show = countries.length ? { ...wanted, countries } : null;
		all = false;
		search = field.value = "";
		body.replaceChildren();
		draw();
		bus.emit("panel:count", { panel: "rules", count: countries.length });
		for (const code of countries) load(code);
	}

	const fromPayload = payload => {
		const s = payload?.show_rules;
		if (!list(s?.countries).length) return false;
		bus.emit("rules:show", { countries: s.countries, tagsByCountry: s.tags_by_country, categoriesByCountry: s.categories_by_country, by: "answer" });
		return true;
	};
	bus.on("rules:show", set);
	bus.on("turn:payload", ({ payload }) => fromPayload(payload));
	bus.on("thread:opened", ({ payloads }) => { if (![...(payloads ?? [])].reverse().some(fromPayload)) set(null); });
	bus.on("thread:new", () => set(null));
	draw();
}
