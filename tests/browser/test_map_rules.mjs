/* The rules panel. */
import { test } from "./driver.mjs";
import { agent, noData, openWith, rulesPayload } from "./payloads.mjs";

const rule = (question_text, answer_html, tags, more = {}) => ({ question_id: question_text, question_text, category: "VFR", tags, answer_html, links: [], last_reviewed: "2025-06-01", confidence: null, ...more });
const france = { country: "FR", total_rules: 3, categories: [
	{ name: "VFR", count: 2, rules: [rule("Is a flight plan needed?", "Only <b>across</b> borders.", ["flight_plan"], { links: ["https://rules.example/a", "javascript:alert(1)"] }),
		rule("What is the transition altitude?", "5000 ft", ["airspace"])] },
	{ name: "IFR", count: 1, rules: [rule("Is joining by instruments possible?", "Oui, à la verticale", ["procedure"])] }] };

test("rules: those of the question first, then all, then those with a word", async t => {
	noData(t);
	t.json(agent + "/rules/FR", france);
	const page = await openWith(t, rulesPayload(["FR"], { FR: ["flight_plan"] }));
	const panel = page.locator("#rules");
	await panel.getByText("1 of 3 rules. About: flight plan.").waitFor();
	t.equal(await panel.locator("summary").allInnerTexts(), ["Is a flight plan needed?"], "of the question");
	t.check(await panel.getByText("Only across borders.").isVisible(), "a single rule is open");
	t.equal(await panel.locator("b").innerText(), "across", "light HTML is kept");
	t.equal(await panel.locator("a").evaluateAll(list => list.map(a => a.href)), ["https://rules.example/a"], "links");
	await t.accessible(page, "the rules");
	await t.shot(page, "rules");
	await panel.getByRole("button", { name: "Show all rules" }).click();
	t.equal(await panel.locator("summary").count(), 3, "all");
	await panel.getByLabel("Words in the rules").fill("VERTICALE a");
	t.equal(await panel.locator("summary").allInnerTexts(), ["Is joining by instruments possible?"], "words, without regard to case and accents");
	t.check(await panel.getByLabel("Words in the rules").evaluate(f => f === document.activeElement), "the field keeps the focus");
	await panel.getByLabel("Words in the rules").fill("zzz");
	await panel.getByText("0 of 3 rules.").waitFor();
});

test("rules: several countries, one of which fails", async t => {
	noData(t);
	let status = 500;
	t.json(agent + "/rules/FR", france);
	t.answer(agent + "/rules/DE", (req, res) => {
		res.writeHead(status, { "Content-Type": "application/json" });
		res.end(JSON.stringify({ country: "DE", total_rules: 1, categories: [{ name: "VFR", count: 1, rules: [rule("Is a flight plan needed?", "Nein", [])] }] }));
	});
	const page = await openWith(t, rulesPayload(["FR", "DE"]));
	const panel = page.locator("#rules");
	await panel.getByText("The rules could not be loaded.").waitFor();
	await panel.getByText("3 of 3 rules.").waitFor();
	t.equal(await panel.getByRole("heading", { level: 2 }).allInnerTexts(), ["France", "Germany"], "countries");
	status = 200;
	await panel.getByRole("button", { name: "Try again" }).click();
	await panel.getByText("1 of 1 rules.").waitFor();
});

test("rules: of a country without rules", async t => {
	noData(t);
	t.json(agent + "/rules/IS", { country: "IS", total_rules: 0, categories: [] });
	const page = await openWith(t, rulesPayload(["IS"]));
	await page.locator("#rules").getByText("No rules are known for this country.").waitFor();
});

test("rules: of a real answer", async t => {
	const page = await t.open("/?q=" + encodeURIComponent("Do I need a flight plan VFR in France?"));
	await page.locator("#rules").getByRole("heading", { name: "France" }).waitFor();
	await t.until(page, () => document.querySelectorAll("#rules details").length > 0, "there are rules");
});
