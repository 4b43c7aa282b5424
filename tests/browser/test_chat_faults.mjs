/* Answers that are hostile, broken or refused. The test itself is the server, so that each byte can be chosen. */
import { test } from "./driver.mjs";
import { answer, answered, field, sentence, text } from "./test_chat.mjs";

const agent = "/api/aviation-agent";
const done = { session_id: "session_x", thread_id: "thread_x", run_id: "11111111-2222-4333-8444-555555555555", tokens: {}, metadata: {} };
const frames = list => list.map(([name, data], i) => `id: ${i + 1}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join("");

function stream(t, list, end = true) {
	t.answer(agent + "/chat/stream", (req, res) => {
		res.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8", "X-Run-ID": done.run_id });
		res.write(": open\n\n" + frames(end ? [...list, ["done", done]] : list));
		if (end) res.end();
	});
}

async function put(page, question) {
	await field(page).fill(question);
	await field(page).press("Enter");
}

const airport = (ident, more = {}) => ({ ident, name: "A", country: "FR", latitude_deg: 48, longitude_deg: 2, ...more });
const attack = '<img src=x onerror="window.hit=1"><script>window.hit=1</scr' + 'ipt><svg onload="window.hit=1">';

test("faults: hostile text anywhere stays text", async t => {
	stream(t, [
		["plan", { selected_tool: attack }],
		["thinking", { content: attack }],
		["tool_call_start", { name: attack, arguments: { [attack]: attack, list: [attack, { a: attack }] } }],
		["tool_call_end", { name: attack, arguments: {}, result: { count: 1 } }],
		["message", { content: `Before ${attack} after.\n\n[one](javascript:window.hit=1) [two](data:text/html,${encodeURIComponent(attack)}) [three](https://example.org/a\u0022onmouseover=x) ![four](https://example.org/x.png)\n\n` }],
		["message", { content: `\`${attack}\`\n\n| ${attack} | b |\n|---|---|\n| <a href="javascript:1">c</a> | [d](vbscript:x) |\n\n<iframe srcdoc="x"></iframe>\n\n<style>body{display:none}</style>\n\n<form action="/x"><input name="q"></form>` }],
		["ui_payload", { kind: "route", tool: attack, visualization: { type: "markers", data: [airport("LFPN", { name: attack, home_link: "javascript:window.hit=1" })] },
			show_rules: { countries: ["FR", attack], tags_by_country: { FR: [attack] } },
			suggested_queries: [{ text: attack, category: attack }, { text: { toString: 1 } }, null, "x"] }],
	]);
	const page = await t.open("/");
	await put(page, attack);
	await answered(t, page);
	await answer(page).locator("summary").click();
	const found = await page.evaluate(() => {
		const chat = document.querySelector("#chat");
		return {
			hit: window.hit ?? 0,
			elements: [...chat.querySelectorAll("img, script, iframe, style, object, embed, .answer-text svg, .answer-text form, .answer-text input")].map(e => e.outerHTML),
			handlers: [...chat.querySelectorAll("*")].flatMap(e => [...e.attributes].filter(a => /^on/i.test(a.name)).map(a => a.name)),
			links: [...chat.querySelectorAll("a")].map(a => [a.href, a.rel, a.target]),
		};
	});
	t.equal(found.hit, 0, "scripts that ran");
	t.equal([found.elements, found.handlers], [[], []], "foreign elements and handlers");
	t.check(found.links.every(([href, rel, target]) => /^https:\/\/example\.org\//.test(href) && /noopener/.test(rel) && target === "_blank"), "links: " + JSON.stringify(found.links));
	t.equal(await page.locator(".question > p").innerText(), attack, "the question");
	t.check((await page.locator(".chat-title").innerText()).startsWith("<img"), "the title");
	t.check((await text(page)).includes('<img src=x onerror="window.hit=1">'), "the answer shows the text");
	t.equal(await answer(page).locator(".suggestions button").count(), 1, "suggestions");
	await page.getByRole("button", { name: "Conversations" }).click();
	t.check((await page.locator(".thread-title").innerText()).startsWith("<img"), "the list");
	t.equal(await page.evaluate(() => window.hit ?? 0), 0, "scripts that ran");
});

test("faults: Markdown of every kind, and a wide table in a box of its own", async t => {
	const cells = Array.from({ length: 14 }, (_, i) => "column" + i);
	stream(t, [["message", { content: "# Heading\n\nSome **bold**, *italic*, `code` and https://example.org/page.\n\n1. one\n2. two\n   - inner\n\n> said\n\n" }],
		["message", { content: `| ${cells.join(" | ")} |\n|${cells.map(() => "---").join("|")}|\n| ${cells.join(" | ")} |\n\n\`\`\`\nraw  text\n\`\`\`\n` }]]);
	const page = await t.open("/", { phone: true });
	await put(page, "a table");
	await answered(t, page);
	const names = await page.evaluate(() => [...document.querySelectorAll(".answer-text > *")].map(e => e.localName));
	t.equal(names, ["h3", "p", "ol", "blockquote", "div", "pre"], "blocks");
	t.equal(await answer(page).getByRole("link").getAttribute("href"), "https://example.org/page", "the bare address is a link");
	const box = await page.evaluate(() => {
		const b = document.querySelector(".table-box");
		return [b.scrollWidth > b.clientWidth, document.documentElement.scrollWidth <= innerWidth, b.tabIndex];
	});
	t.equal(box, [true, true, 0], "the table scrolls, the page does not, the keyboard gets there");
});

test("faults: what is half written shows no marks", async t => {
	const page = await t.open("/");
	const seen = await page.evaluate(async () => {
		const { createMarkdown, loadMarkdown } = await import("./markdown.js");
		await loadMarkdown();
		const root = document.createElement("div"), view = createMarkdown(root, key => key);
		const whole = "**Airports** near `LFMD` and [a link](https://example.org/x):\n\n- **one**\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd with *stress*.";
		const bad = [], first = [];
		for (let n = 1; n <= whole.length; n++) {
			view.show(whole.slice(0, n), n === whole.length);
			if (/\*\*|`|\]\(|\|/.test(root.textContent)) bad.push(whole.slice(0, n).slice(-25) + " → " + root.textContent.slice(-25));
			first.push(root.firstElementChild);
		}
		return { bad, kept: first[100] === first.at(-1), text: root.textContent.replace(/\s+/g, " ").trim() };
	});
	t.equal(seen.bad, [], "marks that were seen");
	t.check(seen.kept, "the first paragraph was made only once since it was complete");
	t.equal(seen.text, "Airports near LFMD and a link: one two a b 1 2 End with stress.", "the text");
});

test("faults: events are read as the standard says", async t => {
	const page = await t.open("/");
	const got = await page.evaluate(async () => {
		const { createParser } = await import("./sse.js");
		const read = (text, size) => {
			const out = [], parser = createParser({ event: e => out.push([e.name, e.data, e.id]), retry: n => out.push(n) });
			for (let i = 0; i < text.length; i += size) parser.push(text.slice(i, i + size));
			return out;
		};
		const texts = ["\ufeffevent: a\ndata: 1\n\n", "data:1\r\ndata: 2\r\n\r\n", "id: 7\revent: x\rdata: y\r\r", ": comment\n\ndata: z\n\nretry: 1500\n\n", "data\n\n", "event: lost\ndata: no end\n"];
		return texts.map(text => [1, 2, 3, 1000].map(size => JSON.stringify(read(text, size))));
	});
	const expected = [[["a", "1", null]], [["message", "1\n2", null]], [["x", "y", "7"]], [["message", "z", null], 1500], [["message", "", null]], []];
	for (const [i, list] of got.entries()) t.equal([...new Set(list)], [JSON.stringify(expected[i])], `text ${i}`);
});

test("faults: a payload is checked before anybody sees it", async t => {
	const page = await t.open("/");
	const got = await page.evaluate(async () => {
		const { checked, hasMap, idents } = await import("./payload.js");
		const a = (ident, lat, lon, more) => ({ ident, latitude_deg: lat, longitude_deg: lon, ...more });
		const many = Array.from({ length: 9000 }, (_, i) => a("A" + i, 1, 1));
		let deep = 1;
		for (let i = 0; i < 50; i++) deep = { deep };
		const good = checked({ kind: "route", departure: 7, filters: { country: "FR", x: deep }, airports: [
			a("LFPN", 48, 2, { name: 5, home_link: "javascript:1", wikipedia_link: "https://example.org/", nested: deep }), a("LFPN", 1, 1), a("<b>", 1, 1), a("EGTF", 91, 0),
			a("EGTG", "48", 0), a("EGTH", NaN, 0), a("EGTI", 0, 181), null, 5, "x", a("x".repeat(20), 1, 1)],
		visualization: [{ type: "unknown" }, { type: "constructor" }, { type: "route_with_markers", route: { from: { icao: "EGTF", lat: 51, lon: 0 } } },
			{ type: "point_with_markers", point: { label: "x".repeat(5000), lat: 48, lng: 2 }, radius_nm: -5, markers: [a("LFPN", 48, 2)] }],
		show_rules: { countries: ["FR", 5, "<b>", "TOOLONG"], tags_by_country: { FR: ["a", 5], __proto__: { GB: ["x"] } } } });
		return {
			none: [null, 5, "x", [], undefined].map(v => checked(v)),
			empty: hasMap(checked({})),
			idents: good.airports.map(x => x.ident), links: [good.airports[0].home_link ?? null, good.airports[0].wikipedia_link], name: good.airports[0].name ?? null,
			departure: good.departure ?? null, type: good.visualization.type, label: good.visualization.point.label.length, radius: good.visualization.radius_nm ?? null,
			rules: good.show_rules, many: checked({ airports: many }).airports.length, all: [...idents(good)],
			size: JSON.stringify(good).length < 20000,
		};
	});
	t.equal(got, { none: [null, null, null, null, null], empty: false, idents: ["LFPN"], links: [null, "https://example.org/"], name: null, departure: null,
		type: "point_with_markers", label: 200, radius: null, rules: { countries: ["FR"], tags_by_country: { FR: ["a"] }, categories_by_country: {} },
		many: 5000, all: ["LFPN"], size: true }, "the payload");
});

const refusals = [
	[422, { detail: [{ type: "x", loc: ["body"], msg: "Message too long" }] }, /did not accept this question \(status 422\)\. Message too long/],
	[409, { detail: "busy" }, /still being answered elsewhere/],
	[413, {}, /too long for the assistant/],
	[429, "<html>nginx</html>", /too many questions in a short time/],
	[503, { detail: "no" }, /not available just now/],
	[401, {}, /sign in first/],
	[404, { detail: "Not Found" }, /does not have this conversation any more/],
	[200, "<html>a portal of a hotel</html>", /not available just now/],
];

test("faults: a refused question is explained in a sentence, and can be asked again", async t => {
	let now = 0;
	t.answer(agent + "/chat/stream", (req, res) => {
		const [status, body] = refusals[now] ?? [];
		if (!status) return false;
		res.writeHead(status, { "Content-Type": typeof body === "string" ? "text/html" : "application/json" });
		res.end(typeof body === "string" ? body : JSON.stringify(body));
	});
	const page = await t.open("/");
	for (const [i, [status, , sentence]] of refusals.entries()) {
		now = i;
		await put(page, "Tell me about LFMD");
		await answered(t, page, i + 1);
		const said = await answer(page, i + 1).locator(".answer-state").innerText();
		t.check(sentence.test(said) && !/<|undefined|\{/.test(said), `${status}: ${said}`);
	}
	now = refusals.length;
	await answer(page, refusals.length).getByRole("button", { name: "Ask again" }).click();
	await answered(t, page, refusals.length + 1);
	t.check(/Cannes/.test(await text(page, refusals.length + 1)), "the answer");
}, { seconds: 120 });

test("faults: an error of the agent is shown once", async t => {
	stream(t, [["error", { message: "The model did not answer properly.", code: "upstream" }], ["message", { content: "The model did not answer properly." }]]);
	const page = await t.open("/");
	await put(page, "x");
	await answered(t, page);
	t.equal((await answer(page).innerText()).split("The model did not answer properly.").length - 1, 1, "how often");
	await sentence(page, "This answer could not be completed.");
});

test("faults: events that make no sense change nothing", async t => {
	stream(t, [["message", null], ["message", { content: 5 }], ["message", { content: "Fine." }], ["constructor", { a: 1 }], ["__proto__", {}], ["ui_payload", [1]],
		["ui_payload", { suggested_queries: "x", airports: {}, visualization: 7 }], ["tool_call_end", {}], ["tool_call_start", { name: null }], ["thinking", {}], ["error", {}]]);
	const page = await t.open("/");
	await put(page, "x");
	await answered(t, page);
	t.check((await text(page)).startsWith("Fine."), "the answer: " + await text(page));
});

test("faults: without the libraries the text is shown as it is, and the page says what is missing", async t => {
	t.allow(/markdown-it\.js/);
	t.answer("/lib/markdown-it.js", (req, res) => {
		res.writeHead(404);
		res.end();
	});
	stream(t, [["message", { content: `**bold** ${attack}` }]]);
	const page = await t.open("/");
	await page.getByText("lib/markdown-it.js is missing on this site").waitFor();
	await put(page, "x");
	await answered(t, page);
	t.equal(await text(page), `**bold** ${attack}`, "the text");
	t.equal(await page.evaluate(() => window.hit ?? 0), 0, "scripts that ran");
});

test("faults: a question that is too long is not sent, and nothing of it is lost", async t => {
	const page = await t.open("/"), long = "word ".repeat(4000);
	await field(page).fill(long);
	await field(page).press("Enter");
	await page.getByRole("alert").getByText("This question has 20,000 characters.").waitFor();
	t.equal(await field(page).inputValue(), long, "the field");
	t.equal(t.asked(agent + "/chat/stream"), 0, "questions sent");
	await field(page).fill("Tell me about LFMD");
	await field(page).press("Enter");
	await answered(t, page);
});

test("faults: works where the browser denies every storage", async t => {
	const page = await t.open("/", { prepare: () => {
		for (const name of ["getItem", "setItem", "removeItem"]) Storage.prototype[name] = () => { throw new DOMException("denied", "SecurityError"); };
		Object.defineProperty(window, "indexedDB", { get() { throw new DOMException("denied", "SecurityError"); } });
	} });
	await put(page, "Tell me about LFMD");
	await answered(t, page);
	await put(page, "what is its elevation?");
	await answered(t, page, 2);
	t.check(/13 ft/.test(await text(page, 2)), "the thread goes on: " + await text(page, 2));
	await page.getByRole("button", { name: "New conversation" }).click();
	await page.getByRole("button", { name: "Conversations" }).click();
	await page.getByRole("dialog").getByText("Tell me about LFMD").click();
	await answered(t, page, 2);
});

test("faults: a site without the agent says so", async t => {
	t.json(agent + "/chat/stream", { detail: "Not Found" }, 404);
	const page = await t.open("/");
	await put(page, "Tell me about LFMD");
	await answered(t, page);
	await sentence(page, "The assistant is switched off on this site");
});
