/* The conversation: the turns, the field for the next question, and the list of earlier conversations. */
import * as agent from "./agent.js";
import * as archive from "./archive.js";
import * as store from "./thread-store.js";
import { createComposer } from "./composer.js";
import { createQuickActions } from "./suggestions.js";
import { createThreadList } from "./threads.js";
import { createTurn } from "./turn.js";
import { checked } from "./payload.js";
import { composing, element, icon, iconButton } from "./dom.js";
import { loadMarkdown } from "./markdown.js";
import { openTurn, randomId } from "./stream.js";
import { takeQuestion } from "./share.js";

/* What a screen reader is told. The lines go after a while: a person who reads line by line finds the text in the
   conversation. */
function createVoice() {
	const root = element("div", { class: "unseen", role: "status", "aria-live": "polite" });
	let timer = 0;
	return {
		root,
		say(text) {
			root.append(element("p", {}, text));
			while (root.childElementCount > 12) root.firstElementChild.remove();
			clearTimeout(timer);
			timer = setTimeout(() => root.replaceChildren(), 15000);
		},
		clear: () => root.replaceChildren(),
	};
}

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

export async function mount(root, app) {
	const { bus, settings, t } = app;
	const voice = createVoice();
	const title = element("h2", { class: "chat-title" });
	const turns = element("ol", { class: "turns" });
	const earlier = element("button", { type: "button", class: "small", hidden: true, onclick: showEarlier }, t("chat.earlier"));
	const welcome = element("div", { class: "welcome" });
	const note = element("div", { class: "chat-note", hidden: true });
	const log = element("div", { class: "log", tabindex: "0", role: "region", "aria-label": t("chat.log") }, earlier, note, turns, welcome);
	const below = iconButton("fold", t("chat.below"), () =>
		log.scrollBy({ top: log.clientHeight * 0.8, behavior: "smooth" }), { class: "icon-button below", hidden: true });
	const composer = createComposer(app, { send: ask, stop });
	const threadList = createThreadList(app, { open: openThread, removed, renamed: showTitle, current: () => thread.id });

	let thread = store.create(), running = null, stopping = null, visit = 0, oldest = null, loading = false;
	/* The chat may be ready before the parts that draw its answers: they get the answers when they listen. */
	const tell = app.ready ? (name, detail) => app.ready.then(() => bus.emit(name, detail)) : (name, detail) => bus.emit(name, detail);
	const shown = [];       /* {view, runId} of each turn on the page, oldest first */

	root.classList.add("chat");
	root.append(
		element("div", { class: "chat-head" },
			iconButton("list", t("threads.title"), () => threadList.show()), title,
			iconButton("plus", t("threads.new"), () => begin())),
		log, element("div", { class: "below-place" }, below), composer.root, voice.root, threadList.root);

	/* -- the view -- */

	function showTitle() {
		thread = store.find(thread.id) ?? thread;
		title.textContent = title.title = thread.title || t("threads.untitled");
	}

	function showBelow() {
		const last = turns.lastElementChild?.querySelector(".answer");
		below.hidden = !last || last.getBoundingClientRect().bottom < log.getBoundingClientRect().bottom + 24;
	}

	/* The newest question goes to the top of the view, and its answer grows below it: nothing that is read moves. */
	function toTop(view) {
		const space = view.root.getBoundingClientRect().top - log.getBoundingClientRect().top;
		log.scrollBy({ top: space, behavior: "instant" });
	}

	function say(kind, text, ...buttons) {
		note.hidden = !text;
		note.className = "chat-note " + kind;
		note.replaceChildren(...(text ? [element("p", {}, text), ...buttons] : []));
		if (text) voice.say(text);
	}

	function clear() {
		turns.replaceChildren();
		shown.length = 0;
		voice.clear();
		say("note", "");
		earlier.hidden = true;
		welcome.hidden = true;
		below.hidden = true;
	}

	function addTurn(question, before = false) {
		const row = { question, runId: null };
		row.view = createTurn(app, question, {
			say: text => voice.say(text),
			ask: text => ask(text),
			again: () => ask(question),
		});
		row.view.root.id = randomId("turn-");
		welcome.hidden = true;
		if (before) turns.prepend(row.view.root);
		else turns.append(row.view.root);
		if (before) shown.unshift(row);
		else shown.push(row);
		return row;
	}

	/* -- a turn -- */

	function requestOf(question) {
		const body = { messages: [{ role: "user", content: question }], thread_id: thread.id, session_id: store.session(),
			on_disconnect: "continue", multitask_strategy: "enqueue" };
		if (settings.get("persona")) body.persona_id = settings.get("persona");
		return body;
	}

	function ask(text) {
		const question = text.trim();
		if (!question) return;
		/* A question that is asked before the conversation is loaded would be shown above the older messages. */
		if (running || loading) {
			composer.keep(question);
			composer.problem(t(loading ? "threads.loading" : "chat.busy"));
			return;
		}
		say("note", "");
		voice.clear();
		const active = { key: randomId(""), body: requestOf(question), runId: null };
		const surplus = store.update(thread, { asked: question, at: Date.now(), active, title: thread.title || store.titleOf(question) });
		for (const { id } of surplus) {
			archive.drop(id);
			agent.removeThread(id).catch(error => console.warn("An old conversation could not be deleted at the server", error));
		}
		store.setTab("thread", thread.id);
		showTitle();
		const row = addTurn(question);
		toTop(row.view);
		follow(row, active);
	}

	/* What the events of a turn do to its view. */
	function listeners(row) {
		const { view } = row, { steps } = view;
		return {
			thinking: d => steps.thinking(d.content),
			tool_call_start: d => steps.begin(d),
			tool_call_end: d => steps.end(d),
			message: d => {
				if (typeof d.content === "string") view.append(d.content);
				showBelow();
			},
			ui_payload: d => {
				const payload = checked(d);
				if (!payload) return;
				view.show(payload);
				tell("turn:payload", { id: view.root.id, payload });
			},
			error: d => { row.error = typeof d.message === "string" ? d.message : t("chat.failed"); },
		};
	}

	/* Shows a turn to its end: a new one (active.body), or one that was begun before the page was loaded (active.runId). */
	async function follow(row, active) {
		const { view } = row, at = visit, question = active.body.messages[0].content, threadId = thread.id;
		const on = listeners(row), me = running = { stopped: false, stream: null };
		composer.busy(true);
		tell("turn:start", { id: view.root.id, question });
		if (stopping) await Promise.race([stopping, sleep(4000)]);
		if (me.stopped || at !== visit) return;
		me.stream = openTurn({
			base: agent.base, body: active.body, key: active.key, run: active.runId,
			on: {
				started({ runId }) {
					row.runId = runId;
					active.runId = runId;
					store.change(threadId, { active });
					view.state("");
				},
				event: ({ name, data }) => data && typeof data === "object" && Object.hasOwn(on, name) && on[name](data),
				state(name) {
					view.state(name === "lost" ? t("chat.lost") : "", "wait");
					if (name === "back") voice.say(t("chat.back"));
				},
			},
		});
		const outcome = await me.stream.ended;
		if (at !== visit || me.stopped) return;
		await endings[outcome.how](row, question, outcome, at);
		if (at === visit && !me.stopped) finish(row, outcome.how);
	}

	/* What is left to say when a turn has ended in one way or another. */
	const endings = {
		done(row, question, { data }) {
			const { view } = row;
			view.state("");
			if (data.status === "cancelled") view.state(t("chat.stopped"), "note", view.againButton());
			else if (row.error || data.status === "failed") {
				const error = row.error ?? t("chat.failed");
				if (!view.text) view.append(error);
				const told = view.text.includes(error) || error === t("chat.failed");
				view.state(t("chat.failed") + (told ? "" : " " + error), "bad", view.againButton());
			} else if (data.metadata?.degraded) view.state(t("chat.degraded"), "note");
		},
		refused({ view }, question, { status, detail, retryAfter }) {
			const words = { 401: "chat.sign-in", 403: "chat.sign-in", 409: "chat.thread-busy", 413: "chat.too-long", 429: "chat.too-many" };
			const key = words[status] ?? (status >= 500 ? "chat.server-busy" : "chat.refused");
			if (status === 404) return elsewhere(view, question);
			const sentence = t(key, { status, seconds: retryAfter || 10 }) + (status === 422 && detail ? " " + detail : "");
			view.state(sentence, "bad", view.againButton());
		},
		unreachable({ view }) {
			view.state(t("chat.unreachable"), "bad", view.againButton());
		},
		/* The rest of the stream cannot be had; the thread may hold the answer. */
		async gone(row, question, { runId }, at) {
			const { view } = row;
			view.state(t("chat.fetching"), "wait");
			const content = await storedAnswer(question, runId, at);
			if (at !== visit) return;
			if (content) {
				view.replace(content);
				view.state("");
			} else view.state(t("chat.broken"), "bad", view.againButton());
		},
	};

	/* The conversation belongs to somebody else, who was signed in before, or there is no agent at this address. */
	function elsewhere(view, question) {
		if (shown.length < 2) return view.state(t("chat.absent"), "bad", view.againButton());
		view.state(t("threads.forgotten"), "bad", element("button", { type: "button", class: "small", onclick: () => {
			begin();
			ask(question);
		} }, icon("plus"), t("chat.ask-new")));
	}

	/* The answer that the server has stored for this question, or null. */
	async function storedAnswer(question, runId, at) {
		for (let n = 0; runId && n < 90 && at === visit && !running?.stopped; n++) {
			const info = await agent.run(runId).catch(error => error);
			if (!["queued", "running"].includes(info.status) && info.status !== 0) break;
			await sleep(2000);
		}
		const page = await agent.messages(thread.id).catch(() => null);
		const [said, answer] = page?.messages.slice(-2) ?? [];
		return said?.role === "user" && said.content.trim() === question && answer?.role === "assistant" ? answer.content : null;
	}

	function finish(row, how) {
		const { view } = row;
		running = null;
		/* Once the person has signed in, the page asks for the rest of this answer. */
		if (how !== "refused" || !row.runId) store.change(thread.id, { active: null });
		view.finish({ runId: row.runId });
		if (view.payload && row.runId && store.find(thread.id)) archive.keep(thread.id, row.runId, view.payload);
		composer.busy(false);
		showBelow();
		tell("turn:done", { id: view.root.id, runId: row.runId, threadId: thread.id, how });
	}

	function stop() {
		if (!running) return;
		const row = shown.at(-1);
		running.stopped = true;
		stopping = running.stream?.stop() ?? null;
		row.view.state(t("chat.stopped"), "note", row.view.againButton());
		finish(row, "stopped");
	}

	/* Another conversation is shown; the turn that runs goes on at the server and is shown again with its own. */
	function leave() {
		visit++;
		running?.stream?.leave();
		running = null;
		loading = false;
		composer.busy(false);
	}

	/* -- conversations -- */

	function begin() {
		leave();
		thread = store.create();
		store.setTab("thread", null);
		clear();
		welcome.hidden = false;
		showTitle();
		tell("thread:new");
		if (app.desk()) composer.focus();
	}

	function removed(id) {
		archive.drop(id);
		if (id === thread.id) begin();
	}

	/* Turns from messages; returns what their answers show. */
	function showMessages(messages, runs, payloads, before) {
		const rows = [];
		for (const { role, content, id } of messages) {
			if (role === "user" || !rows.length) rows.push({ question: role === "user" ? content : "", answer: "", run: null });
			if (role !== "assistant") continue;
			const row = rows.at(-1);
			row.answer += (row.answer ? "\n\n" : "") + content;
			row.run = runs.get(id) ?? row.run;
		}
		const added = (before ? rows.reverse() : rows).map(({ question, answer, run }) => {
			const row = addTurn(question, before);
			row.runId = run;
			row.view.append(answer);
			const payload = run ? checked(payloads.get(run)) : null;
			if (payload) row.view.show(payload);
			row.view.finish({ runId: run, quiet: true });
			return payload;
		});
		return (before ? added.reverse() : added).filter(Boolean);
	}

	/* What the last answer showed, from the events that the server still has; null if they do not come soon. */
	async function lastPayload(runId, at) {
		let payload = null;
		const read = openTurn({ base: agent.base, run: runId, on: { event: ({ name, data }) => {
			if (at !== visit) read.leave();
			else if (name === "ui_payload") payload = checked(data);
		} } });
		await Promise.race([read.ended, sleep(10000)]);
		read.leave();
		return payload;
	}

	async function openThread(id) {
		const record = store.find(id) ?? { ...store.create(), id };
		leave();
		const at = visit;
		thread = record;
		clear();
		showTitle();
		store.setTab("thread", id);
		say("wait", t("threads.loading"));
		loading = true;
		const [page, runs, payloads] = await Promise.all([agent.messages(id).catch(error => error),
			agent.runsOf(id).catch(() => new Map()), archive.ofThread(id), ready]);
		if (at !== visit) return;
		loading = false;
		composer.busy(false);
		if (page instanceof Error && !(page.status === 404 && record.active)) return notOpened(page);
		say("note", "");
		const messages = page.messages ?? [];
		oldest = page.first_id ?? null;
		earlier.hidden = !page.has_older;
		const list = showMessages(messages, runs, payloads, false);
		const last = shown.at(-1), told = { id, title: record.title, asked: last?.question ?? record.asked };
		tell("thread:opened", { thread: told, payloads: list });
		if (last?.runId && !last.view.payload)
			lastPayload(last.runId, at).then(payload => {
				if (at !== visit || !payload) return;
				last.view.show(payload);
				last.view.finish({ runId: last.runId, quiet: true });
				archive.keep(id, last.runId, payload);
				if (shown.at(-1) === last) tell("thread:opened", { thread: told, payloads: [...list, payload] });
			});
		if (record.active && !shown.some(row => row.runId && row.runId === record.active.runId)) {
			const row = addTurn(record.active.body.messages[0].content);
			row.runId = record.active.runId;
			follow(row, record.active);
		} else if (record.active) store.change(id, { active: null });
		if (shown.length) toTop(shown.at(-1).view);
		else welcome.hidden = false;
		showBelow();
	}

	function notOpened(error) {
		const again = element("button", { type: "button", class: "small", onclick: () => openThread(thread.id) }, icon("again"), t("threads.retry"));
		if (error.status !== 404) return say("bad", t("threads.unreachable"), again);
		const { asked } = thread;
		say("bad", t("threads.forgotten"),
			...(asked ? [element("button", { type: "button", class: "small", onclick: () => {
				store.remove(thread.id);
				begin();
				ask(asked);
			} }, icon("again"), t("threads.ask-again", { question: store.titleOf(asked) }))] : []),
			element("button", { type: "button", class: "small", onclick: () => {
				store.remove(thread.id);
				begin();
			} }, icon("plus"), t("threads.new")));
	}

	async function showEarlier() {
		const at = visit, { id } = thread;
		earlier.disabled = true;
		const [page, runs, payloads] = await Promise.all([agent.messages(id, oldest).catch(() => null),
			agent.runsOf(id).catch(() => new Map()), archive.ofThread(id)]);
		earlier.disabled = false;
		if (at !== visit || !page) return;
		const height = log.scrollHeight;
		oldest = page.first_id ?? oldest;
		showMessages(page.messages, runs, payloads, true);
		log.scrollTop += log.scrollHeight - height;
		const focused = root.getRootNode().activeElement === earlier;
		earlier.hidden = !page.has_older;
		if (focused && earlier.hidden) log.focus();
	}

	/* -- start -- */

	const ready = loadMarkdown().catch(error =>
		bus.emit("problem", { key: "markdown", text: t("page.missing-file", { file: error.file ?? "lib/", part: t("chat.formatting") }) }));

	welcome.append(element("h3", {}, t("chat.welcome")), element("p", { class: "soft" }, t("chat.welcome-text")));
	createQuickActions(t, prompt => composer.put(prompt, true)).then(list => list && welcome.append(list));

	log.addEventListener("scroll", showBelow, { passive: true });
	new ResizeObserver(showBelow).observe(log);
	root.addEventListener("keydown", event => {
		if (event.key === "Escape" && !composing(event) && running && !event.target.closest?.("dialog, .feedback")) stop();
	});
	/* Another part asks: on a phone the conversation comes to the front, and the reader goes with it. */
	bus.on("ask", ({ text }) => {
		bus.emit("view:show", { name: "chat" });
		if (!app.desk()) log.focus({ preventScroll: true });
		ask(String(text ?? ""));
	});
	/* The server remembers the persona of a session; a new session has that of the site. */
	bus.on("settings:changed", ({ name, value }) => name === "persona" && !value && store.newSession());

	showTitle();
	const question = app.embedded ? "" : takeQuestion(), last = store.tab("thread");
	if (question) ask(question);
	else if (last) openThread(last);

	/* For whoever takes the chat out of the page: the turn goes on at the server, and is shown again when it is back. */
	return { leave, back: () => thread.at && openThread(thread.id) };
}
