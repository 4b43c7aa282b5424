/* How quick the page is; run.mjs calls it with --measure. Each line is name, figure and remark, with tabs between.

   The phone is the slow one that tools for page speed use: 1.6 Mbit/s down, 0.75 up, 150 ms for each answer, and a
   processor of a quarter of this machine's speed. */

import { Context } from "./driver.mjs";
import { longestTask } from "./thousand.mjs";

const tries = 3;
const median = list => list.sort((a, b) => a - b)[list.length >> 1];

async function phone(browser, url) {
	const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, ignoreHTTPSErrors: true });
	try {
		const page = await context.newPage(), session = await context.newCDPSession(page);
		page.setDefaultTimeout(60000);
		await session.send("Network.enable");
		await session.send("Network.emulateNetworkConditions", { offline: false, latency: 150, downloadThroughput: 200000, uploadThroughput: 93750 });
		await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
		const began = Date.now();
		await page.goto(url, { waitUntil: "commit" });
		await page.waitForFunction(() => document.querySelector("textarea[name=question]"));
		const usable = Date.now() - began;
		await page.locator("textarea[name=question]").fill("airports between EGTF and LFMD");
		const asked = Date.now();
		await page.keyboard.press("Enter");
		await page.waitForFunction(() => (document.querySelector(".answer-text")?.textContent ?? "").length > 20);
		const answered = Date.now() - asked;
		await page.waitForFunction(() => document.body.dataset.ready === "yes");
		return { usable, answered, whole: Date.now() - began };
	} finally {
		await context.close();
	}
}

/* On a desk, with the whole speed of this machine. */
async function standstill(browser, site) {
	const t = new Context(browser, site.port, null, "measure");
	try {
		await t.start();
		return await longestTask(t);
	} finally {
		await t.end();
	}
}

export async function measure(browser, site) {
	for (const [name, url] of [["HTTP/2", `https://127.0.0.1:${site.tls}/`], ["HTTP/1.1", `http://127.0.0.1:${site.port}/`]]) {
		const runs = [];
		for (let i = 0; i < tries; i++) runs.push(await phone(browser, url));
		const of = key => median(runs.map(r => r[key]));
		console.log(`page, slow phone, ${name}: ready for a question\t${of("usable")} ms\t` +
			`first words of an answer ${of("answered")} ms after it is asked; together target <= 2,000 ms; the map too after ${of("whole")} ms`);
	}
	const tasks = [];
	for (let i = 0; i < tries; i++) tasks.push(await standstill(browser, site));
	console.log(`page: longest task with 1,000 airports\t${Math.round(median(tasks))} ms\ttarget <= 50 ms: list, map, zoom and move`);
}
