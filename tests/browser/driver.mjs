/* What a test in the browser gets. A test file calls test(name, fn, options) for each of its tests; run.mjs runs them,
   several at a time. Each test has a browser profile of its own, and a site of its own in front of the real one.

   options: seconds (90) that the test may take; alone: true, it runs when no other one does; model: true, a site with
   a scripted language model, whose answer a question chooses by the name of a case in brackets (tests/double/README).

   t.open(path, settings)   a page; settings: phone, width, height, dark, language ("en-GB"), store (values of
                            localStorage before the page starts), prepare (a function that runs before the page's
                            scripts), script (false: no JavaScript), slow (true: do not wait until the page is ready), bare (true: an
                            empty page)
   t.answer(path, fn)       answers requests to this path (text or RegExp) itself: fn(req, res, body) as in Node's
                            http; whatever is not answered so goes to the real site. false from fn: go there after all
   t.json(path, value)      answers with this JSON
   t.until(page, fn, what, arg)   waits until fn(arg), in the page, gives something true; returns it
   t.check, t.equal         as in any test
   t.allow(pattern)         errors on the console that this test provokes; any other error fails the test
   t.accessible(page, what) what axe-core finds against WCAG 2.2 AA fails the test
   t.shot(page, name)       a screenshot among the artefacts
   t.asked(path)            how often the page asked for this path

   Wait for conditions, never for a time. */
import http from "node:http";
import fs from "node:fs";
import path from "node:path";

export const tests = [];

export function test(name, fn, options = {}) {
	tests.push({ name, fn, options });
}

const patience = 20000;       /* a busy machine with two cores */

export class Failure extends Error {}

/* A server that passes on what the test does not answer. */
function front(target, answers, seen) {
	const server = http.createServer((req, res) => {
		const where = new URL(req.url, "http://x").pathname;
		seen.push({ method: req.method, path: where, url: req.url });
		const found = answers.findLast(a => typeof a.path === "string" ? a.path === where : a.path.test(req.url));
		const chunks = [];
		req.on("data", c => chunks.push(c)).on("end", async () => {
			const body = Buffer.concat(chunks);
			try {
				if (found && await found.fn(req, res, body.toString()) !== false) return;
			} catch (error) {
				console.error(error);
				res.destroy();
				return;
			}
			const on = http.request({ port: target, host: "127.0.0.1", method: req.method, path: req.url,
				headers: { ...req.headers, "x-forwarded-host": req.headers.host } }, answer => {
				res.writeHead(answer.statusCode, answer.headers);
				res.flushHeaders();
				answer.pipe(res);
				answer.on("error", () => res.destroy());
			});
			on.on("error", () => res.destroy());
			res.on("close", () => on.destroy());
			on.end(body);
		});
	});
	return new Promise(resolve => server.listen(0, "127.0.0.1", () => resolve(server)));
}

export class Context {
	constructor(browser, sitePort, keep, name) {
		Object.assign(this, { browser, sitePort, keep, name, answers: [], seen: [], allowed: [], problems: [], contexts: [] });
	}

	async start() {
		this.server = await front(this.sitePort, this.answers, this.seen);
		this.url = "http://127.0.0.1:" + this.server.address().port;
	}

	async end() {
		for (const c of this.contexts) await c.close().catch(() => {});
		this.server?.closeAllConnections();
		await new Promise(resolve => this.server ? this.server.close(resolve) : resolve());
	}

	async open(where = "/", { phone = false, width, height, dark = false, language = "en-GB", store = {}, slow = false, script = true, prepare = null, bare = false } = {}) {
		const size = { width: width ?? (phone ? 390 : 1280), height: height ?? (phone ? 844 : 800) };
		const context = await this.browser.newContext({ viewport: size, locale: language, colorScheme: dark ? "dark" : "light",
			reducedMotion: "reduce", hasTouch: phone, isMobile: phone, javaScriptEnabled: script, acceptDownloads: true });
		this.contexts.push(context);
		context.setDefaultTimeout(patience);
		if (Object.keys(store).length)
			await context.addInitScript(values => {
				try {
					if (localStorage.getItem("test:stored")) return;
					for (const [k, v] of Object.entries(values)) localStorage.setItem(k, typeof v === "string" ? v : JSON.stringify(v));
					localStorage.setItem("test:stored", "1");
				} catch { /* this frame has no storage */ }
			}, store);
		if (prepare) await context.addInitScript(prepare);
		const page = await context.newPage();
		page.on("console", m => {
			const text = m.text() + " " + (m.location().url ?? "");
			/* The browser itself writes down each 404; of the calls that is no fault of the page. */
			if (m.type() === "error" && !/^Failed to load resource: the server responded .*\/api\//.test(text)) this.problems.push(text);
		});
		page.on("pageerror", e => this.problems.push(String(e.stack ?? e)));
		if (bare) return page;
		await page.goto(this.url + where, { waitUntil: slow ? "commit" : "load" });
		if (script && !slow) await this.until(page, () => document.body.dataset.ready === "yes", "the page is ready");
		return page;
	}

	answer(where, fn) {
		this.answers.push({ path: where, fn });
	}

	json(where, value, status = 200) {
		this.answer(where, (req, res) => {
			res.writeHead(status, { "Content-Type": "application/json" });
			res.end(JSON.stringify(value));
		});
	}

	asked(where) {
		return this.seen.filter(r => typeof where === "string" ? r.path === where : where.test(r.url)).length;
	}

	async until(page, fn, what, arg) {
		try {
			return await (await page.waitForFunction(fn, arg, { timeout: patience, polling: 50 })).jsonValue();
		} catch (error) {
			const text = await page.evaluate(() => document.body.innerText.slice(-600)).catch(() => "");
			throw new Failure(`${what}: ${String(error.message).split("\n")[0]}; console: ${this.problems.join(" | ")}; page: ${text}`);
		}
	}

	check(condition, what) {
		if (!condition) throw new Failure(what);
	}

	equal(got, expected, what) {
		const a = JSON.stringify(got), b = JSON.stringify(expected);
		if (a !== b) throw new Failure(`${what}:\n       got      ${a}\n       expected ${b}`);
	}

	allow(pattern) {
		this.allowed.push(pattern);
	}

	async accessible(page, what) {
		await this.until(page, () => document.getAnimations().every(a => a.playState !== "running"), "animations have ended");
		if (!await page.evaluate(() => Boolean(window.axe))) await page.evaluate(this.axe);
		const found = await page.evaluate(async () => {
			const { violations } = await window.axe.run(document, { resultTypes: ["violations"],
				runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] });
			return violations.map(v => `${v.id} (${v.help}): ` + v.nodes.slice(0, 3).map(n => n.target.join(" ") + " " +
				(n.any[0]?.message ?? n.failureSummary ?? "").slice(0, 160)).join("; "));
		});
		if (found.length) throw new Failure(`${what}: ${found.join("\n       ")}`);
	}

	/* Called at the end of each test. */
	quiet() {
		const bad = this.problems.filter(p => !this.allowed.some(a => a.test(p)));
		if (bad.length) throw new Failure("errors on the console: " + bad.join(" | ").slice(0, 1500));
	}

	async shot(page, name) {
		if (!this.keep) return;
		fs.mkdirSync(this.keep, { recursive: true });
		await page.screenshot({ path: path.join(this.keep, name.replace(/[^\w.-]+/g, "-") + ".png") });
	}
}
