/* How long the page stands still while it shows a thousand airports, and while somebody zooms and moves the map. */
import { agent, airport, answerWith, drawnSigns, listPayload, noData, openWith } from "./payloads.mjs";

/* The longest task of the page's main thread, in ms. t is a Context of driver.mjs. */
export async function longestTask(t) {
	noData(t);
	const many = Array.from({ length: 1000 }, (_, i) => airport("X" + i.toString(36).toUpperCase().padStart(3, "0"), 40 + (i * 7919 % 1500) / 100, -5 + (i * 104729 % 2500) / 100));
	t.json(agent + "/airports/", many);
	const page = await openWith(t, listPayload([airport("LFEA", 47, 2)], { point_of_entry: true }));
	await drawnSigns(t, page, ["LFEA:fits"]);
	const client = await page.context().newCDPSession(page);
	const events = [];
	client.on("Tracing.dataCollected", ({ value }) => events.push(...value));
	const ended = new Promise(resolve => client.on("Tracing.tracingComplete", resolve));
	answerWith(t, listPayload([airport("LFEA", 47, 2)], { country: "FR", search_query: "France" }));
	await page.getByRole("textbox", { name: "Your question" }).fill("airports in France");
	/* From here on no roles: the driver works them out in the page, which takes longer than what is measured. */
	await client.send("Tracing.start", { categories: "devtools.timeline,disabled-by-default-devtools.timeline", transferMode: "ReportEvents" });
	await page.keyboard.press("Enter");
	await t.until(page, () => document.querySelectorAll("#list .airport-row").length === 1001, "the list is complete");
	await t.until(page, () => document.querySelector(".map").dataset.drawn.split(" ").length === 1001, "the map is complete");
	for (let i = 0; i < 2; i++) await page.locator(".map-button").first().click();
	await page.mouse.move(700, 300);
	await page.mouse.down();
	await page.mouse.move(500, 400, { steps: 10 });
	await page.mouse.up();
	await client.send("Tracing.end");
	await ended;
	const main = new Set(events.filter(e => e.name === "thread_name" && e.args.name === "CrRendererMain").map(e => e.pid + "/" + e.tid));
	const tasks = events.filter(e => e.name === "RunTask" && e.dur && main.has(e.pid + "/" + e.tid)).map(e => e.dur / 1000);
	t.check(tasks.length > 0, "tasks were measured");
	return Math.max(...tasks);
}
