/* The chat as an element in a page of the site. */
import { test } from "./driver.mjs";

const host = (attributes = "") => (req, res) => {
	res.writeHead(200, { "Content-Type": "text/html; charset=utf-8"});
	res.end(`<!doctype html><html lang="en"><title>Club</title><link rel="icon" href="data:,">
<style>button, textarea, p { font: 30px fantasy !important; color: red !important; border: 9px solid red !important; display: block }</style>
<script type="module" src="/aviation-agent/widget.js"></script>
<main><h1>Our club</h1><aviation-agent ${attributes}></aviation-agent></main></html>`);
};
const ready = (t, page) => t.until(page, () => document.querySelector("aviation-agent")?.dataset.ready === "yes", "the chat is ready");
const answered = (t, page) => t.until(page, () => document.querySelector("aviation-agent").shadowRoot.querySelector(".feedback"), "an answer");

test("widget: answers inside a page of the site, whose styles do not reach it", async t => {
	t.answer("/club", host());
	const page = await t.open("/club", { slow: true });
	await ready(t, page);
	await page.evaluate(() => {
		window.told = [];
		document.addEventListener("aviation-agent:payload", e => window.told.push(e.detail.payload));
	});
	const field = page.locator("textarea[name=question]");
	await field.fill("airports between EGTF and LFMD");
	await field.press("Enter");
	await answered(t, page);
	const told = await page.evaluate(() => window.told);
	t.equal(told.map(p => p.visualization.type), ["route_with_markers"], "what the page was told");
	const looks = await field.evaluate(e => [getComputedStyle(e).color, getComputedStyle(e).borderTopWidth]);
	t.check(looks[0] !== "rgb(255, 0, 0)" && looks[1] !== "9px", "the page's styles reach the chat: " + looks);
	await t.accessible(page, "the chat in a page");
	await t.shot(page, "widget");
});

test("widget: takes language and theme from its attributes", async t => {
	t.answer("/club", host('language="fr" theme="dark"'));
	const page = await t.open("/club", { slow: true });
	await ready(t, page);
	const got = await page.evaluate(() => {
		const el = document.querySelector("aviation-agent");
		return [el.shadowRoot.querySelector(".widget").lang, getComputedStyle(el).colorScheme];
	});
	t.equal(got, ["fr", "dark"], "language, colours");
	await page.evaluate(() => document.querySelector("aviation-agent").setAttribute("theme", "light"));
	t.equal(await page.evaluate(() => getComputedStyle(document.querySelector("aviation-agent")).colorScheme), "light", "changed later");
	/* moving the element keeps its conversation */
	await page.evaluate(() => document.body.append(document.querySelector("aviation-agent")));
	t.equal(await page.evaluate(() => document.querySelector("aviation-agent").shadowRoot.querySelectorAll(".widget").length), 1, "one chat");
});

test("widget: works under a strict policy of its page", async t => {
	t.answer("/club", (req, res) => {
		res.writeHead(200, { "Content-Type": "text/html; charset=utf-8",
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'" });
		res.end(`<!doctype html><html lang="en"><title>Club</title><link rel="icon" href="data:,"><script type="module" src="/aviation-agent/widget.js"></script><main><h1>Club</h1><aviation-agent></aviation-agent></main></html>`);
	});
	const page = await t.open("/club", { slow: true });
	await ready(t, page);
	const field = page.locator("textarea[name=question]");
	await field.fill("airports near Paris");
	await field.press("Enter");
	await answered(t, page);
});

test("widget: says when it cannot be loaded", async t => {
	t.answer("/club", host());
	t.json("/aviation-agent/chat.js", {}, 404);
	t.allow(/chat\.js/);
	const page = await t.open("/club", { slow: true });
	await t.until(page, () => document.querySelector("aviation-agent")?.shadowRoot?.textContent.includes("could not be loaded"), "a sentence");
});

test("widget: reads no further when it is taken out of the page, and shows the answer when it is back", async t => {
	t.answer("/club", host());
	let closed = false, began = false;
	t.answer("/api/aviation-agent/chat/stream", (req, res) => {
		res.writeHead(200, { "Content-Type": "text/event-stream", "X-Run-ID": "11111111-2222-4333-8444-555555555555" });
		res.write('id: 1\nevent: message\ndata: {"content":"Begun. "}\n\n');
		began = true;
		/* It is not silence that ends the reading. */
		const beat = setInterval(() => res.write(": beat\n\n"), 1000);
		res.on("close", () => {
			clearInterval(beat);
			closed = true;
		});
	});
	const page = await t.open("/club", { slow: true });
	await ready(t, page);
	const field = page.locator("textarea[name=question]");
	await field.fill("airports near Paris");
	await field.press("Enter");
	await page.locator("aviation-agent .answer").getByText("Begun.").waitFor();
	t.check(began && !closed, "the answer is being read");
	await page.evaluate(() => {
		window.chat = document.querySelector("aviation-agent");
		window.chat.remove();
	});
	while (!closed) await page.evaluate(() => new Promise(requestAnimationFrame));
	await page.evaluate(() => document.querySelector("main").append(window.chat));
	await page.locator("aviation-agent .question").getByText("airports near Paris").waitFor();
});
