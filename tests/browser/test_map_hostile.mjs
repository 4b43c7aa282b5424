/* Names, places, rules and addresses come from data that many people edit: none of them may run. */
import { test } from "./driver.mjs";
import { agent, airport, detailsPayload, listPayload, noData, openWith, row, rulesPayload } from "./payloads.mjs";

const texts = ["<img src=x onerror=\"window.pwned=1\">", "<script>window.pwned=1</script>", "\"><svg onload=window.pwned=1>", "javascript:window.pwned=1",
	"</strong><a href='javascript:window.pwned=1'>click</a>", "{{constructor.constructor('window.pwned=1')()}}", "<style>*{display:none}</style>"];
const links = ["javascript:window.pwned=1", "JaVaScRiPt:window.pwned=1", " javascript:window.pwned=1", "data:text/html,<script>window.pwned=1</script>", "vbscript:x", "java\nscript:window.pwned=1"];

async function harmless(t, page, what) {
	const bad = await page.evaluate(() => ({
		pwned: window.pwned ?? null,
		scripts: [...document.querySelectorAll("script")].filter(s => !/\/(theme|app)\.js$/.test(s.src)).length,
		elements: document.querySelectorAll("main img, main iframe, main object, main embed, main style, main svg[onload], main [onerror], main [onclick]").length,
		links: [...document.querySelectorAll("a[href]")].map(a => a.getAttribute("href")).filter(h => !/^(https?:|tel:|mailto:|#)/.test(h)),
	}));
	t.equal(bad, { pwned: null, scripts: 0, elements: 0, links: [] }, what);
}

test("hostile: names and places of airports", async t => {
	noData(t);
	const page = await openWith(t, listPayload(texts.map((text, i) => airport("LFX" + i, 45 + i / 2, 2, { name: text, municipality: text, iso_country: text, unrecorded: [] }))));
	await t.until(page, n => document.querySelectorAll("#list .airport-row").length === n, "all are listed", texts.length);
	for (let i = 0; i < texts.length; i++) {
		t.check((await row(page, "LFX" + i).innerText()).includes(texts[i].slice(0, 20)), "it is seen as text");
		await row(page, "LFX" + i).hover();
		await page.locator(".airport-tip").getByText("LFX" + i).waitFor();
	}
	await row(page, "LFX0").click();
	await harmless(t, page, "list, tooltip, panel");
});

test("hostile: details of an airport", async t => {
	noData(t);
	const x = texts.join(" ");
	t.json(agent + "/airports/LFMD", { ident: "LFMD", name: x, type: x, latitude_deg: 43.5, longitude_deg: 6.9, iso_country: x, municipality: x, home_link: links[0], wikipedia_link: links[3], iata_code: x, sources: [x] });
	t.json(agent + "/airports/LFMD/runways", [{ le_ident: x, he_ident: x, length_ft: x, width_ft: {}, surface: x, lighted: x }]);
	t.json(agent + "/airports/LFMD/procedures", [{ name: x, procedure_type: x, approach_type: x }]);
	t.json(agent + "/airports/LFMD/aip-entries", texts.map(v => ({ field: v, value: v, section: v, std_field: v })));
	t.json(agent + "/notifications/LFMD", { found: true, notification_type: x, summary: x, phone: links[0], email: "a@b?body=<x>", operating_hours: x });
	t.json(agent + "/ga/summary/LFMD", { has_data: true, score: 0.5, tags: texts, summary_text: x, hassle_level: x, hotel_info: x, features: { [x]: 1 } });
	const page = await openWith(t, detailsPayload("LFMD", 43.5, 6.9));
	await t.until(page, () => document.querySelector("#details").dataset.state === "complete", "the panel is complete");
	await page.evaluate(() => document.querySelectorAll("details").forEach(d => { d.open = true; }));
	t.check((await page.locator("#details").innerText()).includes("<img src=x"), "it is seen as text");
	await harmless(t, page, "the panel");
});

test("hostile: answers and links of rules", async t => {
	noData(t);
	const html = texts.join("<br>") + links.map(l => `<a href="${l}">link</a>`).join("") + "<p onclick='window.pwned=1'>kept</p><iframe src='javascript:window.pwned=1'></iframe><math><mtext><img src=x onerror=window.pwned=1></mtext></math><form action='javascript:1'><button>b</button></form>" + "<b>".repeat(5000);
	t.json(agent + "/rules/FR", { categories: [{ name: texts[0], rules: [{ question_text: texts[0], answer_html: html, links, tags: [texts[1]], last_reviewed: texts[0] }] }] });
	const page = await openWith(t, rulesPayload(["FR"]));
	await page.locator("#rules").getByText("kept").waitFor();
	t.equal(await page.locator("#rules button:not(.rules-head button), #rules form, #rules [onclick]").count(), 0, "no controls from a text");
	await harmless(t, page, "the rules");
});
