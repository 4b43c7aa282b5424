/* The map and the list of airports. */
import { test } from "./driver.mjs";
import { longestTask } from "./thousand.mjs";
import { agent, airport, answerWith, drawnSigns, listPayload, noData, openWith, routePayload, row, signs } from "./payloads.mjs";

const real = [
	["a route", "Find airports between EGTF and LFMD", ["EGTF:end", "LFMD:end", "LFPT:fits"], /EGTF – LFMD: 55\d NM/],
	["a place", "Find airports near Paris", ["LFPN:fits", "LFPZ:fits"], null],
	["a country", "Airports in Germany with a hard runway", ["EDAZ:fits"], null],
];

for (const [what, question, wanted, line] of real)
	test(`map: follows an answer about ${what}`, async t => {
		const page = await t.open("/?q=" + encodeURIComponent(question));
		await drawnSigns(t, page, wanted);
		if (line) t.check(line.test(await page.locator(".legend-route").innerText()), "length of the route: " + await page.locator(".legend-route").innerText());
		const listed = await page.locator("#list .airport-row strong").allTextContents();
		for (const ident of wanted.filter(w => w.endsWith(":fits")).map(w => w.split(":")[0])) t.check(listed.includes(ident), `${ident} is in the list: ${listed}`);
		await t.shot(page, "map-" + what);
	});

test("map: follows an answer about one airport, and opens its panel", async t => {
	const page = await t.open("/?q=" + encodeURIComponent("Tell me about LFMD"));
	await drawnSigns(t, page, ["LFMD:fits"]);
	await page.locator("#details").getByRole("heading", { name: /LFMD/ }).waitFor();
});

test("map: a new answer replaces the old one, and the same answer draws the same map", async t => {
	noData(t);
	const page = await openWith(t, listPayload([airport("LFAA", 47, 2), airport("LFAB", 48, 3)]));
	await drawnSigns(t, page, ["LFAA:fits", "LFAB:fits"]);
	const ask = async payload => {
		answerWith(t, payload);
		const n = await page.locator(".answer").count();
		await page.getByRole("textbox", { name: "Your question" }).fill("another");
		await page.getByRole("textbox", { name: "Your question" }).press("Enter");
		await t.until(page, n => document.querySelectorAll('.answer[aria-busy="false"]').length > n, "the next answer", n);
	};
	await ask(routePayload([airport("LFBB", 46, 2)]));
	await drawnSigns(t, page, ["LFBB:fits", "EGTF:end"]);
	t.equal(Object.keys(await signs(page)).sort(), ["EGTF", "LFBB", "LFMD"], "only the new ones");
	const before = await page.locator(".map").getAttribute("data-drawn");
	await ask(routePayload([airport("LFBB", 46, 2)]));
	t.equal(await page.locator(".map").getAttribute("data-drawn"), before, "once more");
	await ask(null);
	t.equal(await page.locator(".map").getAttribute("data-drawn"), before, "an answer without a map leaves it");
});

test("map: a route between codes with digits comes as markers and has its line all the same", async t => {
	noData(t);
	const payload = listPayload([airport("LF52", 47, 2)]);
	Object.assign(payload.visualization, { radius_nm: 30, route: { from: { icao: "LF51", name: "A", lat: 48, lon: 1 }, to: { icao: "LF53", name: "B", lat: 46, lon: 3 } } });
	const page = await openWith(t, payload);
	await drawnSigns(t, page, ["LF52:fits", "LF51:end", "LF53:end"]);
	await page.locator(".legend-route").getByText("LF51 – LF53: 145 NM").waitFor();
});

test("map: what is not recorded has a sign and words of its own", async t => {
	noData(t);
	const maybe = airport("LFCC", 47, 2, { unrecorded: ["has_avgas", "restaurant"] });
	const page = await openWith(t, routePayload([airport("LFCD", 48, 2)], { unrecorded: [maybe], filters: { has_avgas: true } }));
	await drawnSigns(t, page, ["LFCD:fits", "LFCC:unrecorded"]);
	await page.locator(".legend").getByText("may fit: something is not recorded").waitFor();
	await page.getByRole("heading", { name: "1 may fit" }).waitFor();
	t.equal(await row(page, "LFCC").locator(".airport-missing").innerText(), "Not recorded: AVGAS, restaurant", "words");
	t.equal(await row(page, "LFCD").locator(".airport-missing").count(), 0, "no such words where all is known");
	const paths = await page.evaluate(() => ["fits", "unrecorded"].map(n => document.querySelector(`.legend .symbol-${n} path`).getAttribute("d")));
	t.check(paths[0] !== paths[1], "the shapes differ, not only the colours");
	await t.shot(page, "map-not-recorded");
});

test("map: a large airport has a sign of its own", async t => {
	const page = await t.open("/?q=" + encodeURIComponent("Airports LFPG and LFPN"));
	await drawnSigns(t, page, ["LFPG:large", "LFPN:fits"]);
	await page.locator(".legend").getByText("large airport").waitFor();
});

const near = idents => ({ airports_found: idents.length, airports: idents.map((ident, i) => ({ airport: airport(ident, 47 + i / 10, 2), segment_distance_nm: i, enroute_distance_nm: 10 * i })) });

test("map: shows the other airports that the answer counts", async t => {
	noData(t);
	let asked = null;
	t.answer(agent + "/airports/route-search", (req, res) => {
		asked = Object.fromEntries(new URL(req.url, "http://x").searchParams);
		res.writeHead(200, { "Content-Type": "application/json" });
		res.end(JSON.stringify({ ...near(["LFCD", "LFDA", "LFDB", "LFMD"]), airports: [...near(["LFCD", "LFDA", "LFDB", "LFMD"]).airports,
			{ airport: airport("LFPG", 49, 2.5, { type: "large_airport" }), segment_distance_nm: 1 }] }));
	});
	const page = await openWith(t, routePayload([airport("LFCD", 48, 2)], { filters: { has_avgas: true, has_fuel: true, min_runway_length_ft: 2000 } }));
	await page.getByRole("heading", { name: "3 more also fit" }).waitFor();
	t.equal(Object.entries(await signs(page)).sort(), [["EGTF", "end"], ["LFCD", "fits"], ["LFDA", "also"], ["LFDB", "also"], ["LFMD", "end"]], "neither the large one nor what is listed; an end that fits stays an end");
	t.equal(await page.locator("#list .airport-row strong").allTextContents(), ["LFCD", "LFDA", "LFDB", "LFMD"], "the list has the end too, because the answer counts it");
	t.equal(asked, { airports: "EGTF,LFMD", segment_distance_nm: "50", has_avgas: "true", has_fuel: "true", min_runway_length_ft: "2000", include_large_airports: "false", limit: "1000" }, "with the filters of the answer");
	t.equal(await page.locator("#tab-list .badge").innerText(), "4", "the list counts them");
});

test("map: shows no others if the answer has a filter that the calls do not take", async t => {
	noData(t);
	const page = await openWith(t, routePayload([airport("LFCD", 48, 2)], { filters: { max_hours_notice: 24 } }));
	await drawnSigns(t, page, ["LFCD:fits"]);
	t.equal(t.asked(/route-search/), 0, "calls");
});

test("map: others that cannot be loaded cost a sentence, others that the site does not offer cost nothing", async t => {
	noData(t);
	let status = 500;
	t.answer(agent + "/airports/route-search", (req, res) => {
		res.writeHead(status, { "Content-Type": "application/json" });
		res.end(JSON.stringify(near(["LFDA"])));
	});
	const page = await openWith(t, routePayload([airport("LFCD", 48, 2)]));
	await page.locator("#list").getByText("could not be loaded").waitFor();
	status = 200;
	await page.locator("#list").getByRole("button", { name: "Try again" }).click();
	await drawnSigns(t, page, ["LFDA:also"]);
	t.equal(await page.locator("#list .problem").count(), 0, "the sentence is gone");
});

test("list: airport and marker belong together", async t => {
	noData(t);
	const page = await openWith(t, listPayload([airport("LFEA", 47, 2), airport("LFEB", 48, 4, { longest_runway_length_ft: 9000 }), airport("LFEC", 46, 5, { longest_runway_length_ft: null })]));
	await drawnSigns(t, page, ["LFEA:fits"]);
	await row(page, "LFEB").hover();
	const tip = page.locator(".airport-tip");
	await tip.getByText("LFEB").waitFor();
	const box = await tip.boundingBox();
	await row(page, "LFEA").click();
	await page.locator("#details").getByRole("heading", { name: /LFEA/ }).waitFor();
	await page.getByRole("tab", { name: /Airports/ }).click();
	t.equal(await row(page, "LFEA").getAttribute("aria-current"), "true", "the chosen one is marked");
	/* The tooltip stands above its marker. */
	await page.mouse.click(box.x + box.width / 2, box.y + box.height + 10);
	await page.locator("#details").getByRole("heading", { name: /LFEB/ }).waitFor();
	await page.getByRole("tab", { name: /Airports/ }).click();
	t.equal(await row(page, "LFEB").getAttribute("aria-current"), "true", "a click on the map marks it in the list");
	await page.getByLabel("Sort by").selectOption("runway");
	t.equal(await page.locator("#list .airport-row strong").allTextContents(), ["LFEB", "LFEA", "LFEC"], "sorted, unknown last");
	await row(page, "LFEB").focus();
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("Enter");
	await page.locator("#details").getByRole("heading", { name: /LFEA/ }).waitFor();
});

test("list: says which airports are not for every pilot", async t => {
	noData(t);
	t.json(agent + "/airports/LFEC", { ident: "LFEC", type: "small_airport", use: "mountain", latitude_deg: 45, longitude_deg: 6 });
	const page = await openWith(t, listPayload([airport("LFEA", 47, 2), airport("LFEB", 48, 3, { use: "military" }), airport("LFEC", 45, 6, { use: "mountain" }),
		airport("LFED", 46, 3, { use: "water", type: "seaplane_base" }), airport("LFEE", 46, 4, { use: "<b>secret</b>" })]));
	await drawnSigns(t, page, ["LFEA:fits", "LFEB:restricted", "LFEC:restricted", "LFED:restricted", "LFEE:fits"]);
	await page.locator(".legend").getByText("check that you can land").waitFor();
	const said = ident => row(page, ident).locator(".airport-use").allInnerTexts();
	t.equal([await said("LFEB"), await said("LFEC"), await said("LFED")], [["military field: ask whether you may land"], ["mountain landing site"], ["seaplane base"]], "in the list");
	for (const ident of ["LFEA", "LFEE"]) t.equal(await said(ident), [], ident + " has no such sign");
	await t.shot(page, "list-uses");
	await row(page, "LFEC").click();
	await page.locator("#details").getByText("small airport, mountain landing site").waitFor();
	await t.shot(page, "details-use");
});

test("map: the one airport that was asked for says that it is not for every pilot", async t => {
	noData(t);
	const page = await openWith(t, { kind: "airport", tool: "get_airport_details", icao: "LSMD",
		visualization: { type: "marker_with_details", marker: { ident: "LSMD", lat: 47.4, lon: 8.6, use: "military" } } });
	await drawnSigns(t, page, ["LSMD:restricted"]);
	await page.locator("#details").getByText("military field: ask whether you may land").waitFor();
});

test("list: speaks in the units of the person", async t => {
	noData(t);
	const page = await openWith(t, routePayload([airport("LFEA", 47, 2, { segment_distance_nm: 10, along_track_distance_nm: 100 })]));
	await row(page, "LFEA").getByText("10 NM off the route · after 100 NM · runway 3,000 ft").waitFor();
	await page.getByRole("button", { name: "Settings" }).click();
	await page.getByLabel("Units").selectOption("metric");
	await row(page, "LFEA").getByText("19 km off the route · after 185 km · runway 914 m").waitFor({ state: "attached" });
});

test("list: an airport without a hard runway on record is called unpaved only if a soft one is on record", async t => {
	noData(t);
	const page = await openWith(t, listPayload([airport("LFEA", 47, 2, { has_hard_runway: false }), airport("LFEB", 48, 4, { has_hard_runway: false, has_soft_runway: true })]));
	await row(page, "LFEB").getByText("unpaved runway 3,000 ft").waitFor();
	t.check(!(await row(page, "LFEA").innerText()).includes("unpaved"), "nothing is said of an unknown surface");
});

test("map: on a tablet held upright the panel leaves room for the map", async t => {
	noData(t);
	const page = await openWith(t, listPayload([airport("LFEA", 47, 2)]), { width: 820, height: 1180 });
	await row(page, "LFEA").waitFor();
	const map = await page.locator("#map").boundingBox(), side = await page.locator("#side").boundingBox();
	t.check(side.y > map.y + 300, `the panel begins at ${side.y}, the map at ${map.y}`);
	await page.locator(".legend summary").click();
	await row(page, "LFEA").hover();
	await page.locator(".airport-tip").getByText("LFEA").waitFor();
	for (const [what, part] of [["the airport", ".airport-tip"], ["the legend", ".legend"]]) {
		const box = await page.locator(part).boundingBox();
		t.check(box.y > map.y && box.y + box.height <= side.y, `${what} is above the panel: ${box.y} to ${box.y + box.height}, the panel begins at ${side.y}`);
	}
	await t.shot(page, "map-tablet");
});

test("map: the chosen airport survives a reload", async t => {
	const page = await t.open("/?q=" + encodeURIComponent("Find airports near Paris"));
	await drawnSigns(t, page, ["LFPN:fits", "LFPZ:fits"]);
	await row(page, "LFPN").click();
	await page.locator("#details").getByRole("heading", { name: /LFPN/ }).waitFor();
	await t.until(page, () => document.querySelector('.answer[aria-busy="false"]'), "the answer is complete");
	await page.reload();
	await drawnSigns(t, page, ["LFPN:fits", "LFPZ:fits"]);
	await page.locator("#details").getByRole("heading", { name: /LFPN/ }).waitFor();
});

test("map: a route across the date line is drawn in one piece", async t => {
	noData(t);
	const from = { icao: "NZAA", name: "Auckland", lat: -37.008, lon: 174.792 }, to = { icao: "NSFA", name: "Faleolo", lat: -13.83, lon: -172.008 };
	const page = await openWith(t, routePayload([airport("NFFN", -17.755, 177.443), airport("NFTF", -21.241, -175.15)], { from, to }));
	await drawnSigns(t, page, ["NZAA:end", "NSFA:end", "NFTF:fits"]);
	const at = async ident => {
		await row(page, ident).hover();
		await page.locator(".airport-tip").getByText(ident).waitFor();
		return (await page.locator(".airport-tip").boundingBox()).x;
	};
	const east = await at("NFTF"), west = await at("NFFN");
	t.check(east > west && east - west < 700, `the island east of the line (${east}) stands right of the one west of it (${west}), on the same map`);
	await t.shot(page, "map-date-line");
});

/* Which share of the tiles is covered with something that is not see-through, such as land? */
const covered = page => page.evaluate(() => {
	let opaque = 0, all = 0;
	for (const tile of document.querySelectorAll(".outline-tiles canvas")) {
		const { data } = tile.getContext("2d").getImageData(0, 0, tile.width, tile.height);
		for (let i = 3; i < data.length; i += 4 * 97) {
			all++;
			if (data[i] === 255) opaque++;
		}
	}
	return opaque / all;
});

test("map: land and borders need no network", async t => {
	noData(t);
	const page = await openWith(t, listPayload([airport("LFEA", 47, 2)]));
	await drawnSigns(t, page, ["LFEA:fits"]);
	await page.context().setOffline(true);
	for (let i = 0; i < 3; i++) await page.getByRole("button", { name: "Zoom out" }).click();
	await t.until(page, () => document.querySelectorAll(".outline-tiles canvas").length >= 2, "tiles are drawn");
	t.check(await covered(page) > .2, "there is land");
	t.check((await page.locator(".legend-note").textContent()).includes("Natural Earth"), "the source is named");
	await page.context().setOffline(false);
});

test("map: without outlines there is a graticule with airports as dots", async t => {
	noData(t);
	t.allow(/outlines|404/);
	t.answer(/\/lib\/outlines\.json/, (req, res) => { res.writeHead(404); res.end(); });
	t.json(agent + "/airports/", [airport("LFGA", 47, 2), airport("LFGB", 48, 3)]);
	const page = await openWith(t, listPayload([airport("LFEA", 47, 2)]));
	await drawnSigns(t, page, ["LFEA:fits"]);
	await t.until(page, () => document.querySelectorAll(".outline-tiles canvas").length >= 1, "the graticule is drawn");
	t.check(await covered(page) < .02, "no land");
	await t.until(page, () => document.querySelector(".leaflet-overlay-pane canvas"), "there are dots");
	t.check(t.asked(/\/airports\/\?bbox=/) > 0, "the airports of the view were asked for");
	t.check(!(await page.locator(".legend-note").textContent()).includes("Natural Earth"), "nobody is named");
	await t.shot(page, "map-without-outlines");
});

test("map: a phone shows a mark, not another view", async t => {
	noData(t);
	const page = await openWith(t, routePayload([airport("LFEA", 47, 2)]), { phone: true });
	t.equal(await page.evaluate(() => document.body.dataset.view), "chat", "the view stays");
	const button = page.locator("#views button[data-view=map]");
	await button.getByText("new").waitFor();
	await button.click();
	await drawnSigns(t, page, ["LFEA:fits"]);
	const map = await page.locator(".map").boundingBox();
	t.check(map.width > 300 && map.height > 400, `the map has room: ${map.width} x ${map.height}`);
	for (const b of await page.locator(".map-button").all()) {
		const { width, height } = await b.boundingBox();
		t.check(width >= 44 && height >= 44, `a button has ${width} x ${height}`);
	}
	await t.shot(page, "map-phone");
});

test("map: a thousand airports are drawn without a long pause", async t => {
	const longest = await longestTask(t);
	console.log(`     longest task with 1,000 airports: ${longest.toFixed(0)} ms`);
	/* On an idle machine it is below 50 ms; this bound is for a busy one. */
	t.check(longest < 3000, `the page stood still for ${longest} ms`);
}, { alone: true });
