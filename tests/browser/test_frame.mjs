/* The frame of the page: panes, tabs, settings, languages, themes, policy, size, paper. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { test } from "./driver.mjs";

const html = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "..", "nginx", "html");
const modules = () => fs.readdirSync(html).filter(f => f.endsWith(".js"));

const ask = async (page, text) => {
	const field = page.locator("textarea[name=question]");
	await field.fill(text);
	await field.press("Enter");
};
const answered = (t, page, n = 1) => t.until(page, n => document.querySelectorAll("#chat .feedback").length >= n, "answer " + n + " is complete", n);

test("frame: starts without an error", async t => {
	const page = await t.open("/");
	t.equal(await page.title(), "Aviation agent", "title");
	t.check(await page.getByRole("button", { name: "Settings" }).isVisible(), "settings");
	await t.shot(page, "start");
});

test("frame: runs below another path too", async t => {
	const page = await t.open("/aviation-agent/");
	await ask(page, "airports between EGTF and LFMD");
	await answered(t, page);
});

test("frame: the theme and the language are kept", async t => {
	const page = await t.open("/");
	await page.getByRole("button", { name: "Settings" }).click();
	await page.getByLabel("Colours").selectOption("dark");
	t.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark", "at once");
	await page.getByLabel("Language").selectOption("de");
	await t.until(page, () => document.documentElement.lang === "de" && document.body.dataset.ready === "yes", "the page speaks German");
	t.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark", "after loading again");
	t.equal(await page.title(), "Flug-Assistent", "title");
});

test("frame: the settings name the site's personas, and the question says which one", async t => {
	t.json("/api/aviation-agent/ga/config", { personas: [{ id: "vfr_budget", label: "VFR on a budget" }, { id: 7, label: {} }], default_persona: "vfr_budget" });
	const sent = [];
	t.answer("/api/aviation-agent/chat/stream", (req, res, body) => {
		sent.push(JSON.parse(body).persona_id);
		return false;
	});
	const page = await t.open("/");
	await page.getByRole("button", { name: "Settings" }).click();
	await page.getByLabel("Kind of pilot").selectOption("vfr_budget");
	await page.getByRole("button", { name: "Done" }).click();
	await ask(page, "airports near Paris");
	await answered(t, page);
	t.equal(sent, ["vfr_budget"], "persona");
});

test("frame: speaks the language of the browser", async t => {
	for (const [language, title, question] of [["fr-FR", "Agent aviation", "Aérodromes près de Paris"],
		["de-CH", "Flug-Assistent", "Flugplätze bei Paris"], ["pl-PL", "Aviation agent", "Find airports near Paris"]]) {
		const page = await t.open("/", { language });
		t.equal(await page.title(), title, language);
		await page.getByRole("button", { name: question }).click();
		t.equal(await page.getByRole("textbox", { name: /./ }).first().inputValue(), question, "a question of the page");
	}
});

test("frame: works where the browser denies its storage", async t => {
	const page = await t.open("/", { prepare: () => Object.defineProperty(window, "localStorage", { get() { throw new DOMException("denied", "SecurityError"); } }) });
	await page.getByRole("button", { name: "Settings" }).click();
	await page.getByLabel("Colours").selectOption("dark");
	await page.getByRole("button", { name: "Done" }).click();
	t.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark", "theme");
	await ask(page, "airports near Paris");
	await answered(t, page);
});

test("frame: what is stored may be anything", async t => {
	for (const settings of ["{", "null", "[]", '{"theme":{},"language":"../x","units":7,"persona":"<b>"}']) {
		const page = await t.open("/", { store: { "aviation-agent:settings": settings } });
		t.equal(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dataset.theme ?? "auto"]), ["en", "auto"], settings);
	}
});

test("frame: a part that does not load leaves the others working", async t => {
	for (const file of ["/lib/leaflet.js", "/rules.js"]) t.json(file, {}, 404);
	t.allow(/leaflet\.js|rules\.js/);
	const page = await t.open("/");
	const said = await page.locator("#problems").innerText();
	t.check(said.includes("lib/leaflet.js is missing on this site. This part does not work: Map."), said);
	t.check(said.includes("Rules could not be loaded"), said);
	await ask(page, "airports near Paris");
	await answered(t, page);
	await t.shot(page, "parts-missing");
});

test("frame: the list does not wait for the outlines of the map", async t => {
	let release = null;
	t.answer("/lib/outlines.json", async () => {
		await new Promise(resolve => { release = resolve; });
		return false;
	});
	const page = await t.open("/", { slow: true });
	await ask(page, "airports near Paris");
	await answered(t, page);
	await page.locator("#list .airport-row").first().waitFor();
	t.check(await page.locator(".map[data-drawn]").count() === 0, "there is no map yet");
	release();
	await t.until(page, () => document.querySelector(".map")?.dataset.drawn?.includes("LFPN"), "the map shows the answer when it comes");
});

test("frame: without scripts it says that it needs them", async t => {
	const page = await t.open("/", { script: false });
	t.check((await page.locator("noscript").innerText()).includes("needs JavaScript"), "no sentence");
});

test("frame: does not wait for the settings of the site, and uses them when they come", async t => {
	let release;
	t.answer("/site.json", (req, res) => new Promise(resolve => {
		release = () => {
			res.writeHead(200, { "Content-Type": "application/json" });
			res.end(JSON.stringify({ tiles: "/icon.svg?{z}{x}{y}", attribution: "Somebody's map" }));
			resolve();
		};
	}));
	const page = await t.open("/");
	t.equal(await page.locator(".picture-tiles").count(), 0, "no tiles yet");
	release();
	await t.until(page, () => document.querySelector(".picture-tiles"), "the tiles are there");
	t.check((await page.locator(".legend-note").textContent()).includes("Natural Earth · Somebody's map"), "both are named");
});

test("frame: says so when it cannot start", async t => {
	t.allow(/texts|Failed to fetch|404/);
	t.answer("/texts/en.js", (req, res) => { res.writeHead(404); res.end(); });
	const page = await t.open("/", { slow: true });
	await page.getByText("The page could not be started.").waitFor();
});

test("frame: what another tab has set is kept", async t => {
	const page = await t.open("/");
	const other = await page.context().newPage();
	await other.goto(t.url + "/");
	await t.until(other, () => document.body.dataset.ready === "yes", "the other tab is ready");
	await page.getByRole("button", { name: "Settings" }).click();
	await page.getByLabel("Units").selectOption("metric");
	await other.getByRole("button", { name: "Settings" }).click();
	await other.getByLabel("Colours").selectOption("dark");
	t.equal(await other.evaluate(() => { const s = JSON.parse(localStorage.getItem("aviation-agent:settings")); return [s.units, s.theme]; }), ["metric", "dark"], "both");
});

test("frame: tabs and the panel work with the keyboard", async t => {
	const page = await t.open("/");
	const focused = () => page.evaluate(() => document.activeElement.id);
	await page.locator("#side-open").focus();
	await page.keyboard.press("Enter");
	t.equal(await focused(), "tab-list", "the open tab");
	await page.keyboard.press("ArrowRight");
	t.equal(await focused(), "tab-details", "the next tab");
	t.check(await page.locator("#details").isVisible() && !await page.locator("#list").isVisible(), "its panel alone");
	await page.keyboard.press("ArrowLeft");
	await page.keyboard.press("ArrowLeft");
	t.equal(await focused(), "tab-rules", "around the end");
	await page.locator("#side-close").focus();
	await page.keyboard.press("Enter");
	t.equal(await focused(), "side-open", "the button that opens it again");
	t.check(!await page.locator("#side").isVisible(), "closed");
	await page.reload();
	await t.until(page, () => document.body.dataset.ready === "yes", "ready again");
	await page.keyboard.press("Tab");
	t.equal(await page.evaluate(() => document.activeElement.className), "skip", "first the link to the conversation");
});

test("frame: a phone shows one pane, and an answer does not change which", async t => {
	const page = await t.open("/", { phone: true });
	const seen = async () => {
		const out = [];
		for (const id of ["chat", "map", "side"]) if (await page.locator("#" + id).isVisible()) out.push(id);
		return out.join();
	};
	t.equal(await seen(), "chat", "at first");
	await ask(page, "airports between EGTF and LFMD");
	await answered(t, page);
	t.equal(await seen(), "chat", "after an answer");
	const map = page.locator("#views button[data-view=map]");
	await t.until(page, () => !document.querySelector("#views [data-view=map] .badge").hidden, "the button of the map says that it has something new");
	await map.click();
	t.equal(await seen(), "map", "the map");
	t.check(await page.locator("#views [data-view=map] .badge").isHidden(), "nothing new any more");
	await page.locator("#views button[data-view=side]").click();
	t.equal(await seen(), "side", "the side");
	await page.locator(".airport-row").first().click();
	t.check(await page.locator("#details").isVisible(), "a click on an airport shows its details");
	t.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, "nothing is wider than the screen");
	for (const box of await page.locator("button:visible").evaluateAll(list => list.map(b => [b.textContent || b.ariaLabel, b.getBoundingClientRect().height])))
		t.check(box[1] >= 24, "too small to touch: " + box);
});

test("frame: nothing but its own scripts can run", async t => {
	const page = await t.open("/");
	t.allow(/Content Security Policy/);
	const hits = await page.evaluate(async () => {
		const violations = [];
		document.addEventListener("securitypolicyviolation", e => violations.push(e.effectiveDirective));
		const add = (tag, attributes, text = "") => {
			const el = document.createElement(tag);
			for (const [k, v] of Object.entries(attributes)) el.setAttribute(k, v);
			el.textContent = text;
			document.body.append(el);
		};
		window.hits = 0;
		add("script", {}, "window.hits++");
		add("script", { src: "data:text/javascript,window.hits++" });
		add("script", { src: "http://127.0.0.1:9/x.js" });
		add("img", { src: "data:,x", onerror: "window.hits++" });
		add("iframe", { src: "data:text/html,x" });
		add("style", {}, "body { color: red }");
		add("base", { href: "http://127.0.0.1:9/" });
		add("p", { style: "color: red" });
		const refused = await fetch("http://127.0.0.1:9/").then(() => false, () => true);
		await new Promise(r => setTimeout(r, 300));
		return { hits: window.hits, refused, violations: [...new Set(violations)].sort(), base: document.baseURI };
	});
	t.equal([hits.hits, hits.refused], [0, true], "what ran, what was refused");
	for (const d of ["script-src-elem", "script-src-attr", "style-src-elem", "style-src-attr", "connect-src", "frame-src", "base-uri"])
		t.check(hits.violations.includes(d), d + " is not enforced: " + hits.violations);
});

test("frame: everything together is below 300 KB, and is asked for at once", async t => {
	const page = await t.open("/about-nothing", { bare: true });
	const session = await page.context().newCDPSession(page);
	await session.send("Network.enable");
	const files = new Map(), sizes = new Map();
	session.on("Network.requestWillBeSent", e => files.set(e.requestId, e));
	session.on("Network.dataReceived", e => sizes.set(e.requestId, (sizes.get(e.requestId) ?? 0) + e.encodedDataLength));
	await page.goto(t.url + "/");
	await t.until(page, () => document.body.dataset.ready === "yes", "ready");
	await ask(page, "airports between EGTF and LFMD");
	await answered(t, page);
	const mine = [...files.entries()].filter(([, e]) => e.request.url.startsWith(t.url) && !e.request.url.includes("/api/"));
	const total = mine.reduce((sum, [id]) => sum + (sizes.get(id) ?? 0), 0);
	console.log(`     the page: ${mine.length} files, ${Math.round(total / 1000)} KB compressed`);
	t.check(total > 50000 && total < 300000, total + " bytes");
	/* A module that only another one names is asked for one journey later; index.html names them all. */
	const source = fs.readFileSync(path.join(html, "index.html"), "utf8");
	const [first, later] = source.split('<template id="later">').map(part => [...part.matchAll(/<link rel="(?:module)?preload" href="([^"]+)"/g)].map(m => m[1]));
	const loaded = mine.map(([, e]) => new URL(e.request.url).pathname.slice(1)).filter(f => /\.(js|json)$/.test(f));
	t.equal(loaded.filter(f => ![...first, ...later, "app.js", "theme.js"].includes(f)).sort(), [], "not named in index.html");
	/* What the chat imports comes with the page, and nothing else does. */
	const needed = new Set(["texts/en.js"]);
	const add = f => {
		if (needed.has(f)) return;
		needed.add(f);
		for (const [, other] of fs.readFileSync(path.join(html, f), "utf8").matchAll(/^import [^;]*?from "\.\/([^"]+)"/gm)) add(other);
	};
	["app.js", "chat.js"].forEach(add);
	t.equal([...first].sort(), [...needed].filter(f => f !== "app.js").sort(), "what comes before the chat can be used");
});

test("frame: paper shows the conversation and no buttons", async t => {
	const page = await t.open("/");
	await ask(page, "airports between EGTF and LFMD");
	await answered(t, page);
	await page.evaluate(() => dispatchEvent(new Event("beforeprint")));       /* as the browser does it */
	await page.emulateMedia({ media: "print" });
	/* Airports in the answer and in the list are buttons too, which look like text here. */
	t.equal(await page.locator("button:visible:not(.airport-code, .airport-row)").count(), 0, "buttons");
	t.check(await page.locator("#chat").getByText("NM").first().isVisible(), "the answer");
	const clipped = await page.evaluate(() => [...document.querySelectorAll("#chat, #chat *")].filter(e => {
		const s = getComputedStyle(e);
		return e.clientHeight > 0 && e.scrollHeight > e.clientHeight + 4 && /auto|scroll|hidden/.test(s.overflowY) && !e.closest(".unseen, svg");
	}).map(e => e.className || e.id));
	t.equal(clipped, [], "cut off on paper");
	await page.setViewportSize({ width: 794, height: 1123 });
	await t.shot(page, "paper");
});

test("frame: the three languages have the same texts, and every text that is used", async t => {
	const texts = {};
	for (const language of ["en", "fr", "de"]) texts[language] = (await import(pathToFileURL(path.join(html, "texts", language + ".js")))).default;
	const forms = v => typeof v === "object" ? Object.values(v) : [v];
	const holes = v => [...new Set(forms(v).flatMap(x => x.match(/\{\w+\}/g) ?? []))].sort().join();
	for (const language of ["fr", "de"]) {
		t.equal(Object.keys(texts[language]).sort(), Object.keys(texts.en).sort(), "keys in " + language);
		for (const key of Object.keys(texts.en)) t.equal(holes(texts[language][key]), holes(texts.en[key]), `what is filled in, ${language} ${key}`);
	}
	for (const [language, own] of Object.entries(texts)) {
		/* Numbers from a million up take the form "many" in French; nothing here counts so far. */
		const counts = new Intl.PluralRules(language).resolvedOptions().pluralCategories.filter(c => c !== "many").sort().join();
		for (const [key, value] of Object.entries(own)) {
			t.check(forms(value).every(x => typeof x === "string" && x.trim() === x && x), `${language} ${key} is empty or has a blank at its end`);
			t.equal(typeof value, typeof texts.en[key], `${language} ${key} has forms for numbers`);
			if (typeof value === "object") t.equal(Object.keys(value).sort().join(), counts, `the forms of ${language} ${key}`);
			for (const x of forms(value)) t.equal(x.replace(/\{\w+\}/g, "").match(/[{}]/), null, `a broken place to fill in, ${language} ${key}`);
		}
	}
	/* No line may begin with such a sign. A question that is sent is written as people type it. */
	t.equal(Object.entries(texts.fr).filter(([k, v]) => !k.startsWith("airport.ask-") && forms(v).some(x => / [:?!;»]|« /.test(x))).map(([k]) => k), [],
		"French texts with a blank that breaks before a sign");
	const source = modules().map(f => fs.readFileSync(path.join(html, f), "utf8")).join("\n") + fs.readFileSync(path.join(html, "index.html"), "utf8");
	const used = [...source.matchAll(/\bt\("([\w.-]+)"/g), ...source.matchAll(/data-(?:text|label)="([\w.-]+)"/g)].map(m => m[1]);
	t.check(used.length > 50, "too few uses found: " + used.length);
	t.equal([...new Set(used)].filter(k => !(k in texts.en) && !k.endsWith(".")), [], "used, but in no language");
	/* A key may also be put together, as in t("settings." + name): then its beginning is in the source. */
	const beginnings = [...source.matchAll(/["'`]([a-z][\w-]*\.(?:[\w-]+\.)*)(?=["'`$])/g)].map(m => m[1]);
	/* Its end is there too, or comes from the service (kinds of airports and notices, sections of the AIP, names of tools). */
	const given = /^(airport\.kind|notice|aip|procedure|filter|step|steps|tool)\./;
	const ends = k => source.includes(`"${k.split(".").at(-1)}"`) || new RegExp(`\\b${k.split(".").at(-1)}:`).test(source);
	const unused = Object.keys(texts.en).filter(k => !source.includes(`"${k}"`) &&
		!(beginnings.some(b => k.startsWith(b)) && (given.test(k) || ends(k))));
	t.equal(unused, [], "in the languages, but never used");
});
