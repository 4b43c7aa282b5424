/* The conversation: questions and answers, suggestions, earlier conversations, links, keyboard, phone. */
import { test } from "./driver.mjs";

const agent = "/api/aviation-agent";

export const field = page => page.getByRole("textbox", { name: "Your question" });

export async function ask(t, page, text, n = 1) {
	await field(page).fill(text);
	await field(page).press("Enter");
	await answered(t, page, n);
}

/* The nth answer is complete. */
export const answered = (t, page, n = 1) =>
	t.until(page, n => document.querySelectorAll('.answer[aria-busy="false"]').length >= n, `answer ${n} is complete`, n);

export const answer = (page, n = 1) => page.locator(".answer").nth(n - 1);
/* A sentence that is seen; a screen reader has it in a place of its own too. */
export const sentence = (page, words) => page.locator(".log").getByText(words).waitFor();
export const text = async (page, n = 1) => (await answer(page, n).locator(".answer-text").innerText()).trim();

const kinds = [
	["a route", "Find airports between EGTF and LFMD", "Airports along a route", /LFPT|LFLX/, "Show on map"],
	["a place", "Find airports near Paris", "Airports near a place", /LFPN/, "Show on map"],
	["one airport", "Tell me about LFMD", "Airport details", /Cannes/, "Show on map"],
	["rules", "Do I need a flight plan VFR in France?", "Rules of a country", /flight plan/i, "Rules: France"],
	["a comparison", "Compare flight plans in France and Germany", "Comparison of rules", /Germany/, "Rules: France, Germany"],
];

test("chat: answers the five kinds of question", async t => {
	const page = await t.open("/");
	for (const [i, [what, question, tool, words, button]] of kinds.entries()) {
		await ask(t, page, question, i + 1);
		const shown = answer(page, i + 1);
		t.check(words.test(await text(page, i + 1)), `${what}: the answer is ${await text(page, i + 1)}`);
		t.check(await shown.getByRole("button", { name: button }).isVisible(), `${what}: the button "${button}"`);
		t.check(!await shown.locator(".steps-name").first().isVisible(), `${what}: the steps are folded`);
		await shown.locator("summary").click();
		t.equal(await shown.locator(".steps-name").first().innerText(), tool, `${what}: what was looked up`);
	}
	t.equal(await page.locator(".chat-title").innerText(), "Find airports between EGTF and LFMD", "the title is the first question");
	t.equal(await page.locator(".problem:visible").allInnerTexts(), [], "problems");
	await t.shot(page, "chat-five-questions");
});

test("chat: a code in an answer opens the airport", async t => {
	const page = await t.open("/");
	await ask(t, page, "Find airports near Paris");
	await page.evaluate(() => { document.querySelector("#list").dataset.x = ""; });
	const code = answer(page).getByRole("button", { name: "LFPN", exact: true }).first();
	await code.click();
	await t.until(page, () => document.querySelector("#tab-details").getAttribute("aria-selected") === "true", "the details are shown");
});

test("chat: the question goes to the top and nothing moves while the answer grows", async t => {
	const page = await t.open("/");
	await ask(t, page, "Find airports near Paris");
	await field(page).fill("Tell me about LFMD [slow]");
	const watch = page.evaluate(() => new Promise(resolve => {
		const places = new Set();
		const look = () => {
			const last = document.querySelectorAll(".turn")[1];
			if (last) places.add(Math.round(last.querySelector(".question").getBoundingClientRect().top));
			if (last?.querySelector('[aria-busy="false"]')) resolve([...places]);
			else requestAnimationFrame(look);
		};
		look();
	}));
	await field(page).press("Enter");
	t.equal((await watch).length, 1, "places of the question");
	const top = await page.evaluate(() => document.querySelectorAll(".turn")[1].getBoundingClientRect().top - document.querySelector(".log").getBoundingClientRect().top);
	t.check(Math.abs(top) < 3, `the question is ${top} px below the top`);
	t.check(await field(page).evaluate(e => e === document.activeElement), "the field keeps the focus");
});

test("chat: suggestions ask, examples are put into the field", async t => {
	const page = await t.open("/");
	await page.getByRole("button", { name: "Airports near location" }).click();
	t.equal(await field(page).inputValue(), "Find airports near Paris", "the example");
	t.equal(t.asked(agent + "/chat/stream"), 0, "an example is not sent");
	await field(page).press("Enter");
	await answered(t, page);
	const next = answer(page).getByRole("group", { name: "You could ask next" }).getByRole("button").first();
	const words = await next.locator("span").last().innerText();
	await next.click();
	await answered(t, page, 2);
	t.equal(await page.locator(".question > p").nth(1).innerText(), words, "the suggestion was asked");
});

test("chat: follows the thread of the conversation", async t => {
	const page = await t.open("/");
	await ask(t, page, "Find airports near Paris");
	await ask(t, page, "and with AVGAS?", 2);
	t.check(/Paris/.test(await text(page, 2)), "the second answer knows the first: " + await text(page, 2));
	const bodies = await page.evaluate(() => JSON.parse(localStorage.getItem("aviation-agent:threads")));
	t.equal(bodies.length, 1, "one conversation");
});

test("chat: a link with a question asks once", async t => {
	const page = await t.open("/?q=" + encodeURIComponent("Tell me about LFMD"));
	await answered(t, page);
	t.check(/Cannes/.test(await text(page)), "the answer");
	t.equal(new URL(page.url()).search, "", "the question left the address");
	await page.reload();
	await t.until(page, () => document.querySelectorAll('.answer[aria-busy="false"]').length === 1, "the conversation is shown again");
	t.equal(t.asked(agent + "/chat/stream"), 1, "questions sent");
});

test("chat: an answer that is quicker than the panels is shown all the same", async t => {
	let release;
	const held = new Promise(resolve => { release = resolve; });
	t.answer("/lib/leaflet.js", async () => {
		await held;
		return false;
	});
	const page = await t.open("/?q=" + encodeURIComponent("Compare flight plans in France and Germany"), { slow: true });
	await answered(t, page);
	release();
	await t.until(page, () => document.body.dataset.ready === "yes", "the page is ready");
	await t.until(page, () => document.querySelector("#rules").textContent.includes("France"), "the rules are shown");
});

test("chat: the persona goes with the question, and the site's own comes back with a new session", async t => {
	const bodies = [];
	t.json("/api/aviation-agent/ga/config", { personas: [{ id: "vfr_budget", label: "VFR budget" }] });
	t.json("/api/ga/config", { personas: [{ id: "vfr_budget", label: "VFR budget" }] });
	t.answer(agent + "/chat/stream", (req, res, body) => {
		bodies.push(JSON.parse(body));
		return false;
	});
	const page = await t.open("/");
	const choose = async value => {
		await page.getByRole("button", { name: "Settings" }).click();
		await page.getByLabel("Kind of pilot").selectOption(value);
		await page.getByRole("button", { name: "Done" }).click();
	};
	await choose("vfr_budget");
	await ask(t, page, "Find airports near Paris");
	await choose("");
	await ask(t, page, "Tell me about LFMD", 2);
	t.equal(bodies.map(b => b.persona_id ?? null), ["vfr_budget", null], "personas");
	t.check(bodies[0].session_id !== bodies[1].session_id, "sessions");
	t.check(bodies[0].thread_id === bodies[1].thread_id, "one thread");
});

test("chat: the share button gives a link to the question", async t => {
	const page = await t.open("/");
	await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
	await ask(t, page, "Tell me about LFMD");
	await page.getByRole("button", { name: "Copy a link to this question" }).click();
	await page.getByText("The link was copied.").waitFor();
	t.equal(await page.evaluate(() => navigator.clipboard.readText()), t.url + "/?q=Tell+me+about+LFMD", "the link");
});

test("chat: a link that cannot be copied stays until somebody leaves it", async t => {
	const page = await t.open("/", { prepare: () => {
		Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.reject(new Error("no")) } });
		document.execCommand = () => false;
	} });
	await ask(t, page, "Tell me about LFMD");
	await page.clock.install();
	await page.getByRole("button", { name: "Copy a link to this question" }).click();
	const link = page.getByRole("textbox", { name: /did not allow copying/ });
	await link.waitFor();
	t.equal(await link.inputValue(), t.url + "/?q=Tell+me+about+LFMD", "the link");
	await page.clock.fastForward(20000);
	t.check(await link.evaluate(e => e === document.activeElement && e.selectionEnd === e.value.length), "it is still there and selected");
	await t.shot(page, "share-by-hand");
	await page.keyboard.press("Escape");
	t.equal(await link.count(), 0, "it is gone");
});

test("chat: a double press sends feedback once", async t => {
	let sent = 0, release;
	t.answer(agent + "/feedback", (req, res) => new Promise(resolve => {
		sent++;
		release = () => {
			res.writeHead(200, { "Content-Type": "application/json" });
			res.end('{"status":"ok","feedback_id":null}');
			resolve();
		};
	}));
	const page = await t.open("/");
	await ask(t, page, "Tell me about LFMD");
	await answer(page).getByRole("button", { name: "Good answer" }).dblclick();
	await t.until(page, () => true, "");
	release();
	await answer(page).getByText("Thanks for your feedback!").waitFor();
	t.equal(sent, 1, "sent");
});

test("chat: Escape that belongs to an input method does not stop the answer", async t => {
	t.answer(agent + "/chat/stream", (req, res) => {
		res.writeHead(200, { "Content-Type": "text/event-stream", "X-Run-ID": "r" });
		res.write("event: message\ndata: {\"content\": \"half\"}\n\n");
		return new Promise(() => {});
	});
	const page = await t.open("/");
	await field(page).fill("Tell me about LFMD");
	await field(page).press("Enter");
	await page.getByText("half").waitFor();
	for (const composed of [{ isComposing: true }, { keyCode: 229 }]) {
		await field(page).evaluate((e, o) => e.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, ...o })), composed);
		t.check(await page.locator(".stop").isVisible(), "it goes on: " + JSON.stringify(composed));
	}
	await page.keyboard.press("Escape");
	await sentence(page, "You stopped this answer.");
});

test("chat: the focus follows to the map on a phone", async t => {
	const page = await t.open("/", { phone: true });
	await ask(t, page, "airports between EGTF and LFMD");
	await page.getByRole("button", { name: "Show on map" }).click();
	t.equal(await page.evaluate(() => [document.body.dataset.view, document.activeElement.id]), ["map", "map"], "the map, and the focus in it");
});

test("chat: feedback reaches the service, and may be changed", async t => {
	const page = await t.open("/");
	await ask(t, page, "Tell me about LFMD");
	await answer(page).getByRole("button", { name: "Good answer" }).click();
	await answer(page).getByText("Thanks for your feedback!").waitFor();
	t.equal(await answer(page).getByRole("button", { name: "Good answer" }).getAttribute("aria-pressed"), "true", "the choice is shown");
	await answer(page).getByRole("button", { name: "Bad answer" }).click();
	await answer(page).getByRole("group").getByRole("button", { name: "Send" }).click();
	await t.until(page, () => document.querySelector('.feedback [aria-pressed="true"]')?.getAttribute("aria-label") === "Bad answer", "the other choice is shown");
	t.equal(t.asked(agent + "/feedback"), 2, "sent");
});

test("chat: what is sent as feedback, and what is said when it fails", async t => {
	const sent = [];
	let status = 200;
	t.answer(agent + "/feedback", (req, res, body) => {
		sent.push(JSON.parse(body));
		res.writeHead(status, { "Content-Type": "application/json" });
		res.end('{"status":"ok","feedback_id":null}');
	});
	const page = await t.open("/");
	await ask(t, page, "Tell me about LFMD");
	await ask(t, page, "Find airports near Paris", 2);
	await answer(page).getByRole("button", { name: "Good answer" }).click();
	await answer(page).getByText("Thanks for your feedback!").waitFor();
	const bad = answer(page, 2).getByRole("button", { name: "Bad answer" });
	await bad.click();
	await answer(page, 2).getByLabel("What was wrong?").fill("no fuel there");
	await answer(page, 2).getByRole("group").getByRole("button", { name: "Send" }).click();
	await answer(page, 2).getByText("Thanks for your feedback!").waitFor();
	t.equal(sent.map(s => [s.score, s.comment]), [[1, null], [0, "no fuel there"]], "what was sent");
	t.check(sent.every(s => /^[0-9a-f-]{36}$/.test(s.run_id)) && sent[0].run_id !== sent[1].run_id, "the runs");
	status = 503;
	await answer(page).getByRole("button", { name: "Good answer" }).click();
	await answer(page).getByText("Your feedback could not be sent.").waitFor();
	status = 404;
	await answer(page).getByRole("button", { name: "Good answer" }).click();
	await answer(page).getByText("cannot be saved here").waitFor();
});

/* -- conversations -- */

const list = page => page.getByRole("dialog", { name: "Conversations" });
const openList = page => page.getByRole("button", { name: "Conversations" }).click();

test("threads: a conversation is shown again after a reload, and opened from the list", async t => {
	const page = await t.open("/");
	await ask(t, page, "Find airports near Paris");
	await ask(t, page, "Tell me about LFMD", 2);
	const first = await text(page), second = await text(page, 2);
	await page.reload();
	await answered(t, page, 2);
	t.equal([await text(page), await text(page, 2)], [first, second], "the answers after a reload");
	t.check(await answer(page).getByRole("button", { name: "Show on map" }).isVisible(), "the first answer has its map again");
	await page.getByRole("button", { name: "New conversation" }).click();
	t.equal(await page.locator(".turn").count(), 0, "a new conversation is empty");
	await ask(t, page, "Compare flight plans in France and Germany");
	await openList(page);
	t.equal(await list(page).locator(".thread-title").allInnerTexts(), ["Compare flight plans in France and Germany", "Find airports near Paris"], "the list, newest first");
	await t.shot(page, "threads");
	await list(page).getByText("Find airports near Paris").click();
	await answered(t, page, 2);
	t.equal(await text(page, 2), second, "the answer after opening");
	await ask(t, page, "what is its elevation?", 3);
	t.check(/13 ft/.test(await text(page, 3)), "the thread goes on: " + await text(page, 3));
});

test("threads: the map of an answer comes from the server where the browser kept none", async t => {
	const page = await t.open("/");
	await ask(t, page, "Find airports near Paris");
	await page.evaluate(() => new Promise(resolve => { indexedDB.deleteDatabase("aviation-agent").onblocked = resolve; }));
	await page.reload();
	await answered(t, page);
	await answer(page).getByRole("button", { name: "Show on map" }).waitFor();
});

test("threads: a question waits until the conversation is loaded, and no draft is lost", async t => {
	let release = null;
	t.answer(/\/threads\/[^/]+\/messages/, async () => {
		await new Promise(resolve => { release = resolve; });
		return false;
	});
	const page = await t.open("/");
	await ask(t, page, "Find airports near Paris");
	await page.reload();
	await page.locator(".log").getByText("The conversation is being loaded").waitFor();
	await field(page).fill("Tell me about LFMD");
	await field(page).press("Enter");
	await page.locator(".composer").getByRole("alert").waitFor();
	t.equal([await field(page).inputValue(), await page.locator(".turn").count()], ["Tell me about LFMD", 0], "the question is still in the field");
	while (!release) await page.evaluate(() => new Promise(requestAnimationFrame));
	release();
	await answered(t, page);
	await t.until(page, () => !document.querySelector(".composer [role=alert]"), "the sentence goes when the conversation is there");
	await field(page).press("Enter");
	await answered(t, page, 2);
	t.equal(await page.locator(".question > p").allInnerTexts(), ["Find airports near Paris", "Tell me about LFMD"], "the turns");
	await t.until(page, () => document.querySelector("#map [data-drawn]").dataset.drawn.includes("LFMD"), "the map shows the newest answer");
});

test("threads: one that was deleted in another tab does not come back", async t => {
	let release = null;
	const page = await t.open("/");
	t.answer(agent + "/chat/stream", async () => {
		await new Promise(resolve => { release = resolve; });
		return false;
	});
	await field(page).fill("Find airports near Paris");
	await field(page).press("Enter");
	while (!release) await page.evaluate(() => new Promise(requestAnimationFrame));
	await page.evaluate(() => localStorage.setItem("aviation-agent:threads", "[]"));
	release();
	await answered(t, page);
	t.equal(await page.evaluate(() => localStorage.getItem("aviation-agent:threads")), "[]", "the list");
});

test("threads: the oldest of too many is deleted at the server too", async t => {
	const old = Array.from({ length: 50 }, (_, i) => ({ id: "thread_" + i, title: "old " + i, named: false, asked: "x", at: 1000 + i, active: null }));
	const gone = [];
	t.answer(/\/threads\/thread_\d+$/, (req, res) => {
		gone.push(req.method + " " + req.url.split("/").at(-1));
		res.writeHead(204);
		res.end();
	});
	const page = await t.open("/", { store: { "aviation-agent:threads": old } });
	await ask(t, page, "Find airports near Paris");
	while (!gone.length) await page.evaluate(() => new Promise(requestAnimationFrame));
	t.equal(gone, ["DELETE thread_0"], "deleted at the server");
	t.equal(await page.evaluate(() => JSON.parse(localStorage.getItem("aviation-agent:threads")).length), 50, "the list");
});

test("threads: renamed and deleted, at the server too", async t => {
	const page = await t.open("/");
	await ask(t, page, "Find airports near Paris");
	const id = await page.evaluate(() => JSON.parse(localStorage.getItem("aviation-agent:threads"))[0].id);
	await openList(page);
	await list(page).getByRole("button", { name: "Rename" }).click();
	await list(page).getByLabel("Name of the conversation").fill("<b>Trip to Paris</b>");
	await list(page).getByLabel("Name of the conversation").press("Enter");
	t.equal(await list(page).locator(".thread-title").innerText(), "<b>Trip to Paris</b>", "in the list");
	await page.keyboard.press("Escape");
	t.equal(await page.locator(".chat-title").innerText(), "<b>Trip to Paris</b>", "above the conversation");
	await page.reload();
	await answered(t, page);
	t.equal(await page.locator(".chat-title").innerText(), "<b>Trip to Paris</b>", "after a reload");

	const status = () => page.evaluate(async url => (await fetch(url)).status, `${agent}/threads/${id}`);
	t.equal(await status(), 200, "the thread at the server");
	await openList(page);
	await list(page).getByRole("button", { name: "Delete" }).click();
	await list(page).getByRole("button", { name: "Cancel" }).click();
	t.equal(await list(page).locator(".thread-title").count(), 1, "nothing is deleted without a second press");
	await list(page).getByRole("button", { name: "Delete" }).click();
	await list(page).getByRole("button", { name: "Delete", exact: true }).click();
	await list(page).getByText("There are no conversations yet.").waitFor();
	t.equal(await status(), 404, "the thread at the server");
	t.equal(await page.locator(".turn").count(), 0, "the deleted conversation is not shown");
});

test("threads: one that could not be deleted stays in the list", async t => {
	const page = await t.open("/");
	await ask(t, page, "Tell me about LFMD");
	t.answer(/\/threads\/thread_/, (req, res) => {
		if (req.method !== "DELETE") return false;
		res.writeHead(500);
		res.end();
	});
	await openList(page);
	await list(page).getByRole("button", { name: "Delete" }).click();
	await list(page).getByRole("button", { name: "Delete", exact: true }).click();
	await list(page).getByRole("alert").getByText("It is still there").waitFor();
	t.equal(await list(page).locator(".thread-title").count(), 1, "conversations");
});

test("threads: one that the server has forgotten says so and can be asked again", async t => {
	const page = await t.open("/");
	await ask(t, page, "Tell me about LFMD");
	await page.evaluate(async agent => {
		const { id } = JSON.parse(localStorage.getItem("aviation-agent:threads"))[0];
		await fetch(`${agent}/threads/${id}`, { method: "DELETE" });
	}, agent);
	await page.reload();
	await sentence(page, "The server does not have this conversation any more.");
	await page.getByRole("button", { name: "Ask again: Tell me about LFMD" }).click();
	await answered(t, page);
	t.check(/Cannes/.test(await text(page)), "the new answer");
	t.equal(await page.evaluate(() => JSON.parse(localStorage.getItem("aviation-agent:threads")).length), 1, "conversations in the list");
});

test("threads: a list that another program has spoilt does not stop the page", async t => {
	const id = "thread_" + "0".repeat(32), rows = [null, 5, { id: 7 }, { id: "<b>", title: "x" }, { id, title: "Old", at: "x", asked: 5, active: { body: {} } }];
	const page = await t.open("/", { store: { "aviation-agent:threads": rows, "aviation-agent:session": { a: 1 } } });
	await openList(page);
	t.equal(await list(page).locator(".thread-title").allInnerTexts(), ["Old"], "the list");
	await list(page).getByText("Old").click();
	await sentence(page, "The server does not have this conversation any more.");
	await page.locator(".log").getByRole("button", { name: "New conversation" }).click();
	await ask(t, page, "Tell me about LFMD");
	t.check(/Cannes/.test(await text(page)), "the answer");
});

/* -- keyboard, phone, screen reader -- */

test("chat: works with the keyboard alone", async t => {
	const page = await t.open("/");
	const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent);
	async function tabTo(name) {
		for (let i = 0; i < 60; i++) {
			await page.keyboard.press("Tab");
			if (await focused() === name || await page.evaluate(() => document.activeElement.name) === name) return;
		}
		throw new Error(`no way to ${name} by Tab; the focus is on ${await focused()}`);
	}
	await tabTo("question");
	await page.keyboard.type("Find airports near Paris");
	await page.keyboard.press("Shift+Enter");
	await page.keyboard.type("please");
	t.equal(await field(page).inputValue(), "Find airports near Paris\nplease", "Shift+Enter begins a line");
	await page.keyboard.press("Enter");
	await answered(t, page);
	await page.keyboard.press("Shift+Tab");
	if (await focused() === "Scroll down") await page.keyboard.press("Shift+Tab");
	t.check(/customs|AVGAS|hard|rules/i.test(await focused()), "before the field are the suggestions: " + await focused());
	await page.keyboard.press("Enter");
	await answered(t, page, 2);
	t.check(await page.evaluate(() => document.activeElement !== document.body), "the focus is not lost");
	await page.evaluate(() => document.activeElement.blur());
	await tabTo("Conversations");
	await page.keyboard.press("Enter");
	await tabTo("Rename “Find airports near Paris please”");
	await page.keyboard.press("Enter");
	await page.keyboard.type("Paris");
	await page.keyboard.press("Enter");
	t.equal(await focused(), "Rename “Paris”", "the focus after renaming");
	await page.keyboard.press("Escape");
	t.equal(await focused(), "Conversations", "the focus after closing the list");
});

test("chat: fits a phone", async t => {
	const page = await t.open("/", { phone: true, width: 320, height: 640 });
	await ask(t, page, "Compare flight plans in France and Germany, and tell me about airportswithaverylongnamewithoutanyspaceinit");
	t.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, "nothing is wider than the screen");
	const small = await page.evaluate(() => [...document.querySelectorAll("#chat button, #chat summary, #chat textarea")].filter(e => e.checkVisibility() && !e.matches(".airport-code"))
		.map(e => [e.getAttribute("aria-label") || e.textContent, e.getBoundingClientRect()]).filter(([, r]) => r.height < 43.5 || r.width < 43.5).map(([n]) => n));
	t.equal(small, [], "targets smaller than 44 px");
	const at = await field(page).boundingBox();
	t.check(at.y + at.height <= 640, "the field is on the screen");
	await page.evaluate(() => document.documentElement.style.setProperty("--keyboard", "300px"));
	const above = await field(page).boundingBox();
	t.check(above.y + above.height <= 340, `the field stays above a keyboard: ${above.y + above.height}`);
	await t.shot(page, "chat-phone");
});

test("chat: a screen reader hears whole paragraphs, each once", async t => {
	const page = await t.open("/");
	await page.evaluate(() => {
		window.heard = [];
		new MutationObserver(records => records.forEach(r => r.addedNodes.forEach(n => window.heard.push(n.textContent))))
			.observe(document.querySelector('#chat > [role="status"]'), { childList: true });
	});
	await ask(t, page, "Compare flight plans in France and Germany");
	const heard = await page.evaluate(() => window.heard.join("\n").split("\n").map(s => s.trim()).filter(Boolean));
	const shown = await page.evaluate(() => [...document.querySelectorAll(".answer-text > *")].map(e => e.textContent.trim()).join("\n").split("\n").map(s => s.trim()).filter(Boolean));
	t.equal(heard, shown, "what was said");
});
