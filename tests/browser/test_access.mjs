/* Each view of the page against WCAG 2.2 AA, on a desk and on a phone, light and dark. */
import { test } from "./driver.mjs";

async function ask(t, page, text, n) {
	const field = page.locator("textarea[name=question]");
	await field.fill(text);
	await field.press("Enter");
	await t.until(page, n => document.querySelectorAll("#chat .feedback").length >= n, `the answer to "${text}" is complete`, n);
}

for (const phone of [false, true])
	for (const dark of [false, true]) {
		const where = `${phone ? "phone" : "desk"}, ${dark ? "dark" : "light"}`;
		test(`access: every view, ${where}`, async t => {
			const page = await t.open("/", { phone, dark });
			const view = async (name, what) => {
				if (phone && name) await page.locator(`#views button[data-view=${name}]`).click();
				await t.accessible(page, `${where}: ${what}`);
				await t.shot(page, `${phone ? "phone" : "desk"}-${dark ? "dark" : "light"}-${what}`);
			};
			await view("chat", "start");
			await view("map", "empty map");
			if (phone) await page.locator("#views button[data-view=chat]").click();
			await ask(t, page, "airports between EGTF and LFMD", 1);
			await view("chat", "answer");
			await view("map", "route");
			if (!phone && !await page.locator("#side").isVisible()) await page.locator("#side-open").click();
			await view("side", "list");
			await page.locator(".airport-row").first().click();
			await t.until(page, () => document.querySelector("#details h2, #details h3"), "the airport is shown");
			await view("side", "airport");
			if (phone) await page.locator("#views button[data-view=chat]").click();
			await ask(t, page, "Do I need a flight plan VFR in France?", 2);
			await view("chat", "rules answer");
			if (phone) await page.locator("#views button[data-view=side]").click();
			await page.locator("#tab-rules").click();
			await view("side", "rules");
			if (phone) await page.locator("#views button[data-view=chat]").click();
			await page.locator(".chat-head button").first().click();
			await view(null, "conversations");
			await page.keyboard.press("Escape");
			await page.getByRole("button", { name: "Settings" }).click();
			await view(null, "settings");
		}, { seconds: 120 });
	}
