/* The panel of one airport. */
import { test } from "./driver.mjs";
import { agent, airport, detailsPayload, listPayload, noData, openWith, row } from "./payloads.mjs";

const calls = {
	"/airports/LFMD": { ident: "LFMD", name: "Cannes Mandelieu Airport", type: "medium_airport", latitude_deg: 43.548, longitude_deg: 6.955, elevation_ft: 13,
		iso_country: "FR", municipality: "Cannes", home_link: "https://airport.example/", wikipedia_link: "javascript:document.title='x'", avgas: true,
		runways: [{ le_ident: "04", he_ident: "22", length_ft: 2493, width_ft: 59, surface: "ASP", lighted: 0, closed: 1 }] },
	"/airports/LFMD/runways": [{ le_ident: "17", he_ident: "35", length_ft: 5052, width_ft: 148, surface: "ASP", lighted: 1 }],
	"/airports/LFMD/procedures": [{ name: "RNP Z RWY 17", procedure_type: "approach", approach_type: "RNP" }],
	"/airports/LFMD/aip-entries": [{ field: "Hotels", value: "In Cannes", section: "passenger", std_field: "Hotels" }],
	"/notifications/LFMD": { found: true, notification_type: "hours", hours_notice: 24, summary: "Weekend: 24h notice", phone: "+33 4 00 00 00 00" },
	"/ga/summary/LFMD": { icao: "LFMD", has_data: true, score: 0.64, features: { review_cost_score: 0.3 }, review_count: 12, tags: ["quiet"], summary_text: "Pilots like the view." },
};
/* What each call brings to the panel. */
const words = {
	"/airports/LFMD": "medium airport", "/airports/LFMD/runways": "17/35", "/airports/LFMD/procedures": "1 approach",
	"/airports/LFMD/aip-entries": "For passengers (1)", "/notifications/LFMD": "24 h", "/ga/summary/LFMD": "Pilots like the view.",
};

/* Answers all calls; the one called `bad` fails in the given way. */
function serve(t, bad, way) {
	noData(t);
	for (const [name, value] of Object.entries(calls))
		t.answer(agent + name, (req, res) => {
			if (name === bad) return way(res);
			res.writeHead(200, { "Content-Type": "application/json" });
			res.end(JSON.stringify(value));
		});
}

const complete = (t, page) => t.until(page, () => document.querySelector("#details").dataset.state === "complete", "the panel is complete");

test("details: everything that is known of an airport", async t => {
	serve(t);
	const page = await openWith(t, detailsPayload("LFMD", 43.548, 6.955));
	await complete(t, page);
	const panel = page.locator("#details");
	for (const w of [...Object.values(words), "Cannes, France", "13 ft", "43°32.9′N 6°57.3′E", "AVGAS", "64 %", "12 reviews"])
		t.check((await panel.innerText()).includes(w), `"${w}" stands in the panel: ${await panel.innerText()}`);
	const closed = panel.locator("tr.closed");
	t.equal(await closed.count(), 1, "closed runways");
	t.check(/04\/22.*closed/s.test(await closed.innerText()), "it says so in words: " + await closed.innerText());
	t.equal(await panel.locator("a[href^='https://airport.example']").count(), 1, "the link to the airport");
	t.equal(await panel.locator("a[href^='javascript']").count(), 0, "a link that is none");
	t.equal(await panel.locator(".problem").count(), 0, "problems");
	await t.accessible(page, "the panel of an airport");
	await t.shot(page, "details");
});

const ways = [
	["with status 500", res => { res.writeHead(500); res.end(); }, "refused the request (status 500)"],
	["with another content", res => { res.writeHead(200, { "Content-Type": "application/json" }); res.end("[{"); }, "cannot be read"],
	["with a cut connection", res => res.destroy(), "no connection"],
	["with members of another type", res => { res.writeHead(200, { "Content-Type": "application/json" }); res.end('{"ident":7,"runways":"x","features":[1],"tags":3,"has_data":true,"found":"?"}'); }, null],
	["because the site does not have it", res => { res.writeHead(404, { "Content-Type": "application/json" }); res.end('{"detail":"Not Found"}'); }, null],
];

for (const [how, way, said] of ways)
	test(`details: one call that fails ${how} costs its own section only`, async t => {
		t.allow(/^Failed to load resource: net::ERR_EMPTY_RESPONSE/);
		noData(t);
		const page = await openWith(t, listPayload([airport("LFMD", 43.548, 6.955)])), panel = page.locator("#details");
		for (const bad of Object.keys(calls)) {
			serve(t, bad, way);
			await page.getByRole("tab", { name: /Airports/ }).click();
			await row(page, "LFMD").click();
			await complete(t, page);
			const text = await panel.innerText();
			for (const [name, w] of Object.entries(words)) if (name !== bad) t.check(text.includes(w), `without ${bad}, "${w}" still stands in the panel: ${text}`);
			t.equal(await panel.locator(".problem").count(), said ? 1 : 0, `sentences about ${bad}`);
			if (said) t.check(text.includes(said), `it says why: ${text}`);
			t.check(await panel.getByRole("heading", { name: /LFMD/ }).isVisible(), "the heading stays");
		}
	});

test("details: a section can be asked for again", async t => {
	let broken = true;
	serve(t, "/airports/LFMD/runways", res => {
		res.writeHead(broken ? 500 : 200, { "Content-Type": "application/json" });
		res.end(JSON.stringify(calls["/airports/LFMD/runways"]));
	});
	const page = await openWith(t, detailsPayload("LFMD", 43.548, 6.955));
	await complete(t, page);
	broken = false;
	await page.locator("#details").getByRole("button", { name: "Try again" }).click();
	await page.locator("#details").getByText("17/35").waitFor();
	t.equal(await page.locator("#details .problem").count(), 0, "the sentence is gone");
});

test("details: a call that never answers does not hold up the others", async t => {
	serve(t, "/airports/LFMD/procedures", () => {});
	/* The twelve seconds of api.js are one here. */
	const hurry = () => {
		const later = window.setTimeout;
		window.setTimeout = (fn, ms, ...rest) => later(fn, ms === 12000 ? 1000 : ms, ...rest);
	};
	const page = await openWith(t, detailsPayload("LFMD", 43.548, 6.955), { prepare: hurry });
	await page.locator("#details").getByText("Pilots like the view.").waitFor();
	await page.locator("#details").getByText("The service did not answer in time.").waitFor();
});

test("details: a site without data calls shows what the answer knew", async t => {
	noData(t);
	const page = await openWith(t, listPayload([airport("LFEA", 47, 2, { point_of_entry: true, notification: { notification_type: "h24", hours_notice: null, summary: "Always", is_h24: true } })]));
	await row(page, "LFEA").click();
	await complete(t, page);
	const text = await page.locator("#details").innerText();
	for (const w of ["LFEA LFEA Airfield", "3,000 ft", "point of entry", "around the clock", "Always", "There is nothing more about this airport here."])
		t.check(text.includes(w), `"${w}" stands in the panel: ${text}`);
	t.equal(await page.locator("#details .problem").count(), 0, "problems");
});

test("details: the last airport that was chosen is shown, whatever answers last", async t => {
	noData(t);
	let release;
	t.answer(agent + "/airports/LFEA", (req, res) => new Promise(resolve => {
		release = () => {
			res.writeHead(200, { "Content-Type": "application/json" });
			res.end(JSON.stringify({ ident: "LFEA", name: "Too late", latitude_deg: 47, longitude_deg: 2 }));
			resolve();
		};
	}));
	const page = await openWith(t, listPayload([airport("LFEA", 47, 2), airport("LFEB", 48, 3)]));
	await row(page, "LFEA").click();
	await t.until(page, () => document.querySelector("#details").dataset.state === "loading", "it loads");
	await page.getByRole("tab", { name: /Airports/ }).click();
	await row(page, "LFEB").click();
	await complete(t, page);
	release?.();
	await page.locator("#details").getByRole("heading", { name: /LFEB/ }).waitFor();
	t.check(!(await page.locator("#details").innerText()).includes("Too late"), "nothing of the first one");
});

test("details: another conversation does not keep the airport", async t => {
	const page = await t.open("/?q=" + encodeURIComponent("Tell me about LFMD"));
	await page.locator("#details").getByRole("heading", { name: /LFMD/ }).waitFor();
	await page.getByRole("button", { name: "New conversation" }).click();
	t.equal(await page.locator("#details .airport-title").count(), 0, "nothing in a new one");
	await page.locator("textarea[name=question]").fill("airports between EGTF and LFMD");
	await page.keyboard.press("Enter");
	await row(page, "LFMD").click();
	await page.locator("#details").getByRole("heading", { name: /LFMD/ }).waitFor();
	await page.getByRole("button", { name: "New conversation" }).click();
	await page.locator("textarea[name=question]").fill("airports near LFMD");
	await page.keyboard.press("Enter");
	await row(page, "LFMD").click();
	await page.locator("#details").getByRole("heading", { name: /LFMD/ }).waitFor();
	await page.getByRole("button", { name: "Conversations" }).click();
	await page.getByRole("dialog", { name: "Conversations" }).getByRole("button", { name: /between EGTF/ }).first().click();
	await t.until(page, () => /EGTF/.test(document.querySelector(".legend-route")?.textContent ?? ""), "the other conversation is shown");
	t.equal(await page.locator("#details .airport-title").count(), 0, "no airport");
});

test("details: questions about the airport go to the chat", async t => {
	noData(t);
	const page = await openWith(t, detailsPayload("LFMD", 43.548, 6.955));
	await complete(t, page);
	await page.locator("#details").getByRole("button", { name: "Notice?" }).click();
	await t.until(page, () => document.querySelectorAll('.answer[aria-busy="false"]').length === 2, "it was asked");
	t.check((await page.locator("#chat").innerText()).includes("What notice does LFMD need?"), "as a whole question");
});

test("details: on a phone a question about the airport brings the chat to the front", async t => {
	noData(t);
	const page = await openWith(t, detailsPayload("LFMD", 43.548, 6.955), { phone: true });
	await page.locator('#views button[data-view="side"]').click();
	await page.locator("#details").getByRole("button", { name: "Notice?" }).click();
	await t.until(page, () => document.querySelectorAll('.answer[aria-busy="false"]').length === 2, "it was asked");
	t.check(await page.locator("#chat .question").last().isVisible(), "the question is seen");
});

test("details: what has the focus keeps it while the sections arrive", async t => {
	const late = {};
	noData(t);
	for (const name of ["runways", "procedures"])
		t.answer(`${agent}/airports/LFEA/${name}`, (req, res) => new Promise(resolve => {
			late[name] = () => {
				res.writeHead(200, { "Content-Type": "application/json" });
				res.end(JSON.stringify(calls["/airports/LFMD/" + name]));
				resolve();
			};
		}));
	const page = await openWith(t, listPayload([airport("LFEA", 47, 2)]));
	await row(page, "LFEA").click();
	const focused = () => page.evaluate(() => document.activeElement.className || document.activeElement.textContent);
	t.equal(await focused(), "airport-title", "the focus at first");
	while (!late.runways || !late.procedures) await page.evaluate(() => new Promise(requestAnimationFrame));
	late.runways();
	await page.locator("#details").getByText("17/35").waitFor();
	t.equal(await focused(), "airport-title", "the focus after a section");
	await page.locator("#details").getByRole("button", { name: "Notice?" }).focus();
	late.procedures();
	await complete(t, page);
	t.equal(await focused(), "Notice?", "the focus after all sections");
});
