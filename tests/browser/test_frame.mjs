/* The frame of the page: panes, tabs, settings, languages, themes. */
import { test } from "./driver.mjs";

test("frame: starts without an error", async t => {
	const page = await t.open("/");
	t.equal(await page.title(), "Aviation agent", "title");
	t.check(await page.getByRole("button", { name: "Settings" }).isVisible(), "settings");
	await t.shot(page, "frame");
});

test("frame: the theme, the units and the language are kept", async t => {
	const page = await t.open("/");
	await page.getByRole("button", { name: "Settings" }).click();
	await page.getByLabel("Colours").selectOption("dark");
	t.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark", "at once");
	await page.getByLabel("Language").selectOption("de");
	await t.until(page, () => document.documentElement.lang === "de" && document.body.dataset.ready === "yes", "the page speaks German");
	t.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark", "after loading again");
	t.equal(await page.title(), "Flug-Assistent", "title");
});

test("frame: speaks the language of the browser", async t => {
	const page = await t.open("/", { language: "fr-FR" });
	t.equal(await page.evaluate(() => document.documentElement.lang), "fr", "language");
});
