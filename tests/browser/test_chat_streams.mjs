/* A turn whose connection breaks, and a turn that is stopped: at a real worker, with a scripted model that answers
   slowly ([page_slow]: the word "word" 80 times, in six seconds). */
import http from "node:http";
import { test } from "./driver.mjs";
import { answer, answered, ask, field, sentence, text } from "./test_chat.mjs";

const agent = "/api/aviation-agent", slow = "Airports between EGTF and LFMD [page_slow]";
const whole = Array(80).fill("word").join(" ");
const model = { model: true, seconds: 90 };

const words = (t, page, n) => t.until(page, n => document.querySelector(".answer-text")?.textContent.split("word").length > n, `${n} words came`, n);

async function send(page, question) {
	await field(page).fill(question);
	await field(page).press("Enter");
}

/* Passes a request on to the site, and cuts the connection to the page in the middle of an event, behind some pieces
   of the answer. */
function cutAfter(t, pieces, req, res, body) {
	const on = http.request({ port: t.sitePort, host: "127.0.0.1", method: req.method, path: req.url, headers: req.headers }, got => {
		res.writeHead(got.statusCode, got.headers);
		let seen = "";
		got.on("data", piece => {
			if (res.destroyed) return;
			seen += piece;
			if (seen.split("event: message").length <= pieces) return res.write(piece);
			res.write(piece.subarray(0, piece.length >> 1), () => res.destroy());
			on.destroy();
		});
		got.on("end", () => res.end());
		got.on("error", () => res.destroy());
	});
	on.on("error", () => res.destroy());
	res.on("close", () => on.destroy());
	on.end(body);
}

test("streams: the text grows, and what is there stays", async t => {
	const page = await t.open("/");
	await send(page, slow);
	const lengths = [];
	for (const n of [5, 20, 40]) {
		await words(t, page, n);
		lengths.push((await text(page)).length);
		if (n > 5) continue;
		t.equal(await answer(page).getAttribute("aria-busy"), "true", "the answer is not complete");
		t.check(await page.getByRole("button", { name: "Stop" }).isVisible(), "the stop button");
	}
	t.check(lengths[0] < lengths[1] && lengths[1] < lengths[2], "lengths: " + lengths);
	await answered(t, page);
	t.equal(await text(page), whole, "the whole answer");
	t.check(await page.getByRole("button", { name: "Send", exact: true }).isVisible(), "the send button");
}, model);

test("streams: a question meanwhile stays in the field, and why is said", async t => {
	const page = await t.open("/");
	await send(page, slow);
	await words(t, page, 3);
	await send(page, "and with AVGAS?");
	await page.getByRole("alert").getByText("The last answer is still being written.").waitFor();
	t.equal(await field(page).inputValue(), "and with AVGAS?", "the field");
	t.equal(t.asked(agent + "/chat/stream"), 1, "questions sent");
	await page.keyboard.press("Escape");
	await t.until(page, () => !document.querySelector(".composer [role=alert]"), "the sentence goes with the answer");
	t.equal(await field(page).inputValue(), "and with AVGAS?", "the field");
}, model);

test("streams: Stop stops at once, and the thread can be used again", async t => {
	const page = await t.open("/");
	await send(page, slow);
	await words(t, page, 5);
	const [run] = await page.evaluate(() => JSON.parse(localStorage.getItem("aviation-agent:threads")).map(x => x.active.runId));
	await page.getByRole("button", { name: "Stop" }).click();
	const stopped = await text(page);
	t.equal(await answer(page).getAttribute("aria-busy"), "false", "the answer has ended");
	await sentence(page, "You stopped this answer.");
	t.check(await answer(page).getByRole("button", { name: "Ask again" }).isVisible(), "ask again");
	await t.until(page, async url => (await (await fetch(url)).json()).status === "cancelled", "the server has stopped too", `${agent}/runs/${run}`);
	t.equal(await text(page), stopped, "nothing came after the stop");
	await ask(t, page, "Airports between EGTF and LFMD [turn]", 2);
	t.check(/good airfields/.test(await text(page, 2)), "the next answer: " + await text(page, 2));
}, model);

test("streams: Escape stops before the first word, and the server stops too", async t => {
	const page = await t.open("/");
	await send(page, "Airports between EGTF and LFMD [slow_plan]");
	await page.locator(".stop").waitFor();
	await page.keyboard.press("Escape");
	await sentence(page, "You stopped this answer.");
	await ask(t, page, "Airports between EGTF and LFMD [turn]", 2);
	const page2 = await page.evaluate(async agent => {
		const { id } = JSON.parse(localStorage.getItem("aviation-agent:threads"))[0];
		return (await (await fetch(`${agent}/threads/${id}/messages`)).json()).messages.map(m => m.role);
	}, agent);
	t.equal(page2.at(-1), "assistant", "the thread: " + page2);
}, model);

test("streams: an answer goes on after the network was away", async t => {
	t.allow(/ERR_INTERNET_DISCONNECTED/);
	const page = await t.open("/");
	await send(page, slow);
	await words(t, page, 10);
	await page.context().setOffline(true);
	await sentence(page, "Connection lost, resuming…");
	await page.getByText("You are offline.").waitFor();
	await t.shot(page, "chat-offline");
	await page.context().setOffline(false);
	await answered(t, page);
	t.equal(await text(page), whole, "the whole answer, each word once");
	t.equal(await page.locator(".answer-state:visible").count(), 0, "no note is left");
}, model);

test("streams: a question that is sent without network goes out when it is back", async t => {
	t.allow(/ERR_INTERNET_DISCONNECTED/);
	const page = await t.open("/");
	await page.context().setOffline(true);
	await send(page, "Airports between EGTF and LFMD");
	await sentence(page, "Connection lost, resuming…");
	await page.context().setOffline(false);
	await answered(t, page);
	t.check(/good airfields/.test(await text(page)), "the answer: " + await text(page));
}, model);

test("streams: an answer goes on after a proxy closed the connection, twice", async t => {
	t.allow(/ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_CONNECTION/);
	let cuts = 0;
	t.answer(agent + "/chat/stream", (req, res, body) => cutAfter(t, 10, req, res, body));
	t.answer(/\/runs\/[^/]+\/stream$/, (req, res, body) => {
		if (cuts++ === 0) return res.destroy();
		if (cuts === 2) return cutAfter(t, 12, req, res, body);
		return false;
	});
	const page = await t.open("/");
	await send(page, slow);
	await answered(t, page);
	t.equal(await text(page), whole, "the whole answer, each word once");
	t.check(cuts >= 3, `the page asked for the rest ${cuts} times`);
}, model);

test("streams: a site that wants to know who asks is not asked again and again", async t => {
	t.allow(/ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_CONNECTION|401/);
	t.answer(agent + "/chat/stream", (req, res, body) => cutAfter(t, 10, req, res, body));
	t.json(/\/runs\/[^/]+\/stream$/, { detail: "Not authenticated" }, 401);
	const page = await t.open("/");
	await send(page, slow);
	await sentence(page, "This site wants you to sign in first. Load the page again and sign in.");
	t.equal(t.asked(/\/runs\/[^/]+\/stream$/), 1, "the page asked for the rest");
	t.check((await text(page)).startsWith("word"), "what came is kept");
	t.answers.length = 0;
	await page.reload();
	await answered(t, page);
	t.equal(await text(page), whole, "after a sign-in the rest comes");
}, model);

test("streams: a question whose answer never began is sent again and answered once", async t => {
	t.allow(/ERR_EMPTY_RESPONSE|ERR_CONNECTION/);
	const keys = [];
	t.answer(agent + "/chat/stream", (req, res, body) => {
		keys.push(req.headers["idempotency-key"]);
		if (keys.length > 1) return false;
		const on = http.request({ port: t.sitePort, host: "127.0.0.1", method: "POST", path: req.url, headers: req.headers }, got => {
			got.once("data", () => {
				res.destroy();
				on.destroy();
			});
		});
		on.on("error", () => {});
		on.end(body);
	});
	const page = await t.open("/");
	await send(page, "Airports between EGTF and LFMD");
	await answered(t, page);
	t.check(/good airfields/.test(await text(page)), "the answer: " + await text(page));
	t.check(keys.length === 2 && keys[0] === keys[1], "the keys: " + keys);
	const said = await page.evaluate(async agent => {
		const { id } = JSON.parse(localStorage.getItem("aviation-agent:threads"))[0];
		return (await (await fetch(`${agent}/threads/${id}/messages`)).json()).messages.length;
	}, agent);
	t.equal(said, 2, "messages in the thread");
}, model);

test("streams: an answer goes on after the page was loaded again", async t => {
	const page = await t.open("/");
	await send(page, slow);
	await words(t, page, 5);
	await page.reload();
	await words(t, page, 20);
	t.equal(await page.locator(".question > p").innerText(), slow, "the question");
	await answered(t, page);
	t.equal(await text(page), whole, "the whole answer");
	await page.reload();
	await answered(t, page);
	t.equal([await text(page), await page.locator(".turn").count()], [whole, 1], "once more, from the thread");
}, model);

test("streams: another conversation meanwhile; the answer goes on in its own", async t => {
	const page = await t.open("/");
	await send(page, slow);
	await words(t, page, 5);
	await page.getByRole("button", { name: "New conversation" }).click();
	await ask(t, page, "Airports between EGTF and LFMD");
	t.check(/good airfields/.test(await text(page)), "the other answer");
	await page.getByRole("button", { name: "Conversations" }).click();
	await page.getByRole("dialog").locator(".thread-title", { hasText: "page_slow" }).click();
	await t.until(page, () => document.querySelector(".question > p")?.textContent.includes("page_slow") &&
		document.querySelector('.answer[aria-busy="false"]'), "the slow answer is complete");
	t.equal(await text(page), whole, "the whole answer");
}, model);

test("streams: when the events are gone, the answer comes from the thread", async t => {
	t.allow(/ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION/);
	t.answer(agent + "/chat/stream", (req, res, body) => cutAfter(t, 10, req, res, body));
	t.json(/\/runs\/[^/]+\/stream$/, { detail: "The events of this run are not kept any more." }, 410);
	const page = await t.open("/");
	await send(page, slow);
	await answered(t, page);
	t.equal(await text(page), whole, "the whole answer");
}, model);
