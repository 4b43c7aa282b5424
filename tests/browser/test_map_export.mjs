/* Files for other programs. */
import fs from "node:fs";
import { test } from "./driver.mjs";
import { airport, listPayload, noData, openWith, routePayload } from "./payloads.mjs";

async function saved(page, kind) {
	await page.getByRole("button", { name: "Save the airports as a file" }).click();
	const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("dialog").getByRole("button", { name: kind }).click()]);
	return { name: download.suggestedFilename(), text: fs.readFileSync(await download.path(), "utf8") };
}

const hostile = 'Q&A <x> "y" \' \u0001 ]]> é';

test("export: GPX holds the airports and the route", async t => {
	noData(t);
	const page = await openWith(t, routePayload([airport("LFEA", 47.5, 2.25, { name: hostile }), airport("LFEB", -33.9, 151.2)], { unrecorded: [airport("LFEC", 46, 3, { unrecorded: ["has_avgas"] })] }));
	const { name, text } = await saved(page, "GPX");
	t.equal(name, "EGTF-LFMD.gpx", "name of the file");
	const read = await page.evaluate(xml => {
		const doc = new DOMParser().parseFromString(xml, "application/xml"), ns = "http://www.topografix.com/GPX/1/1";
		const points = tag => [...doc.getElementsByTagNameNS(ns, tag)].map(p => [p.getElementsByTagNameNS(ns, "name")[0].textContent, Number(p.getAttribute("lat")), Number(p.getAttribute("lon")), p.getElementsByTagNameNS(ns, "cmt")[0]?.textContent]);
		return { error: doc.querySelector("parsererror")?.textContent ?? "", version: doc.documentElement.getAttribute("version"), wpt: points("wpt"), rtept: points("rtept") };
	}, text);
	t.equal(read.error, "", "it is XML");
	t.equal(read.version, "1.1", "version");
	t.equal(read.wpt, [["LFEA", 47.5, 2.25, hostile.replace("\u0001", "")], ["LFEB", -33.9, 151.2, "LFEB Airfield"]], "only what fits, by default");
	t.equal(read.rtept.map(p => p.slice(0, 3)), [["EGTF", 51.348, -0.559], ["LFMD", 43.548, 6.955]], "the route");
});

test("export: CSV is a table that runs nothing", async t => {
	noData(t);
	const names = ["=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("http://x","y")', "\t=2", 'say "no", please', "two\nlines"];
	const page = await openWith(t, listPayload(names.map((name, i) => airport("LFE" + "ABCDEFGH"[i], -10 - i, -20, { name })), { country: "FR" }));
	await page.getByRole("button", { name: "Save the airports as a file" }).click();
	t.check(await page.getByRole("dialog").getByRole("button", { name: "CSV" }).isEnabled(), "CSV is offered");
	await t.accessible(page, "the dialog");
	await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
	const { name, text } = await saved(page, "CSV");
	t.equal(name, "FR.csv", "name of the file");
	t.equal(text[0], "\uFEFF", "the byte order mark");
	const rows = parse(text.slice(1));
	t.equal(rows[0].slice(0, 6), ["code", "name", "town", "country", "latitude", "longitude"], "head");
	t.equal(rows.length, names.length + 1, "rows");
	t.check(rows.every(r => r.length === rows[0].length), "all rows have the same number of cells");
	const got = rows.slice(1).map(r => r[1]);
	t.equal(got.map(s => s.replace(/^'/, "")), names.map(n => n.trim()), "the names are all there");
	for (const cell of rows.slice(1).flatMap(r => r.filter((_, i) => ![4, 5].includes(i)))) t.check(!/^\s*[=+\-@]/.test(cell), `no program takes this for a formula: ${cell}`);
	t.equal(rows.slice(1).map(r => Number(r[4])), names.map((_, i) => -10 - i), "numbers stay numbers");
});

/* RFC 4180, as strict as a reader can be. */
function parse(text) {
	const rows = [];
	let row = [], cell = "", quoted = false;
	for (let i = 0; i < text.length; i++) {
		const c = text[i];
		if (quoted && c === '"' && text[i + 1] === '"') { cell += '"'; i++; }
		else if (c === '"') quoted = !quoted;
		else if (!quoted && c === ",") { row.push(cell); cell = ""; }
		else if (!quoted && c === "\r" && text[i + 1] === "\n") { row.push(cell); rows.push(row); row = []; cell = ""; i++; }
		else cell += c;
	}
	return rows;
}

test("export: what may fit is left out unless somebody asks for it", async t => {
	noData(t);
	const page = await openWith(t, routePayload([airport("LFEA", 47, 2)], { unrecorded: [airport("LFEC", 46, 3, { unrecorded: ["has_avgas"] })] }));
	await page.getByRole("button", { name: "Save the airports as a file" }).click();
	await page.getByRole("dialog").getByLabel("1 may fit").check();
	const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("dialog").getByRole("button", { name: "CSV" }).click()]);
	t.check(fs.readFileSync(await download.path(), "utf8").includes("LFEC"), "it is there now");
});

test("export: there is nothing to save before there is an answer", async t => {
	const page = await t.open("/");
	t.check(await page.getByRole("button", { name: "Save the airports as a file" }).isDisabled(), "the button says so");
});
