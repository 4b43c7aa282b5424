/* The page: signing in, the conversation, and what has been gathered so far. */
import * as api from "./api.js";
import { element, render } from "./parts.js";

const $ = id => document.getElementById(id);
const fields = [
	["employee_name", "Name", true], ["employee_id", "Employee id", true], ["starter_kit", "Starter kit", true],
	["dietary_restrictions", "Diet (optional)", false], ["meeting_scheduled", "First meeting (optional)", false],
];
const activities = { read_data: "Looked at your details", write_data: "Took a note", export_data: "Wrote your record",
	rag_search: "Searched the company's documents" };
let auth = "off", conversation = null, running = null, named = false, shown = "";
let visit = 0;                  /* grows when somebody signs out: what was asked for before is not shown */

function problem(error) {
	$("problem").textContent = error ? error.message : "";
}

function say(text) {
	$("status").textContent = text;
}

/* Show the newest line, unless the person has scrolled up to read. */
function follow(change) {
	const log = $("log"), below = log.scrollHeight - log.scrollTop - log.clientHeight < 80;
	const result = change();
	if (below) log.scrollTop = log.scrollHeight;
	return result;
}

function add(cls, text) {
	const div = element("div", text, { class: cls });
	return follow(() => ($("log").append(div), div));
}

/* -- what has been gathered -- */

const plain = value => value === true ? "yes" : value === false ? "no" : value;

function showProgress(state) {
	$("progress").replaceChildren(...fields.map(([name, label]) => {
		const value = plain(state[name] ?? null), done = value !== null;
		const li = element("li", undefined, { class: done ? "done" : "open" });
		li.append(element("span", done ? "✓" : "○", { class: "mark", "aria-hidden": "true" }), element("span", label),
			element("span", done ? value : "not known yet", { class: "value" }));
		return li;
	}));
}

async function showRecord(exported) {
	if (!exported) $("record").hidden = true;
	if (!exported || exported === shown) return;
	const id = conversation, record = await api.record(id);
	if (id !== conversation) return;
	const rows = [...fields.map(([name, label]) => [label.replace(" (optional)", ""), record[name]]),
		["Summary", record.conversation_summary], ["Written", new Date(record.exported_at).toLocaleString()]];
	$("record").querySelector("dl").replaceChildren(...rows.flatMap(([label, value]) =>
		[element("dt", label), element("dd", plain(value ?? null) ?? "–")]));
	if ($("download").href) URL.revokeObjectURL($("download").href);
	$("download").href = URL.createObjectURL(new Blob([JSON.stringify(record, null, 2) + "\n"], { type: "application/json" }));
	$("record").hidden = false;
	if (shown !== "" || running) say("Your record has been written.");
	shown = exported;
}

async function update() {
	const id = conversation;
	if (!id) return;
	const state = await api.state(id);
	if (id !== conversation) return;
	showProgress(state);
	await showRecord(state.exported_at);
}

/* -- a turn -- */

function parsed(text) {
	try { return JSON.parse(text); } catch { return {}; }
}

function activity(event) {
	const result = parsed(event.tool_result), what = activities[event.tool_name] || event.tool_name;
	const field = fields.find(([name]) => name === result.field_name);
	const detail = [field && field[1].replace(" (optional)", ""), result.status === "error" && result.message]
		.filter(Boolean).join(": ");
	$("activity").append(element("li", what + (detail ? " – " + detail : "")));
}

function busy(on) {
	$("send").disabled = on;
	$("stop").hidden = !on;
	$("log").setAttribute("aria-busy", on);
}

async function start(signal) {
	if (!conversation) {
		const { id } = await api.create("New Conversation");
		signal.throwIfAborted();
		conversation = id;
		remember();
	}
	return conversation;
}

async function ask(text) {
	if (running || !text.trim()) return;
	problem();
	const turn = running = new AbortController(), signal = turn.signal;
	busy(true);
	add("me", text);
	$("log").scrollTop = $("log").scrollHeight;
	const note = add("note", "…");
	let bubble = null, answer = "", ended = false;
	const on = {
		token: e => {
			bubble = bubble || add("agent", "");
			answer += e.content;
			follow(() => render(bubble, answer));
		},
		tool_start: e => { note.textContent = (activities[e.tool_name] || e.tool_name) + " …"; },
		tool_complete: e => {
			activity(e);
			note.textContent = activities[e.tool_name] || e.tool_name;
			update().catch(() => {});
		},
		complete: () => { ended = true; say(answer); },
		error: e => {
			ended = true;
			if (!answer.endsWith(e.message)) add("note", e.message);
			say(e.message);
		},
	};
	try {
		const id = await start(signal);
		await api.turn(id, text, on, signal);
		signal.throwIfAborted();
		if (!ended) throw new Error("The answer broke off. Please try again.");
		if (!named) await api.rename(id, text.split(/\s+/).slice(0, 4).join(" ").slice(0, 50));
		if (id === conversation) named = true;
	} catch (error) {
		if (signal.aborted) return;
		if (error.status === 401) return leave(error);
		problem(error);
		if (!bubble) $("field").value = $("field").value || text;
	} finally {
		if (note.textContent === "…") note.remove();
		if (running === turn) {
			running = null;
			busy(false);
			$("field").focus();
		}
	}
	if (signal.aborted) return;
	await update().catch(problem);
}

/* -- conversations and users -- */

/* Without users nobody can list conversations, so the page keeps the id itself. */
function remember() {
	if (auth === "none" && conversation) localStorage.setItem("onboarding-conversation", conversation);
	else localStorage.removeItem("onboarding-conversation");
}

async function open(id) {
	const at = visit, messages = await api.messages(id);
	if (at !== visit) return;
	conversation = id;
	named = messages.length > 0;
	for (const m of messages) {
		const div = add(m.role === "user" ? "me" : "agent", "");
		if (m.role === "user") div.textContent = m.content;
		else render(div, m.content);
	}
	$("log").scrollTop = $("log").scrollHeight;
	await update();
}

function clear() {
	conversation = null;
	named = false;
	shown = "";
	for (const id of ["log", "activity"]) $(id).textContent = "";
	$("record").hidden = true;
	$("record").querySelector("dl").replaceChildren();
	if ($("download").href) URL.revokeObjectURL($("download").href);
	$("download").removeAttribute("href");
	showProgress({});
	say("");
}

async function enter() {
	const at = visit, user = await api.me();
	if (at !== visit) return;
	$("sign").hidden = true;
	$("chat").hidden = $("new").hidden = false;
	$("leave").hidden = auth !== "token";
	$("who").textContent = auth === "none" ? "" : user.username;
	clear();
	const [last] = await api.conversations();
	if (at !== visit) return;
	const id = last ? last.id : auth === "none" && localStorage.getItem("onboarding-conversation");
	if (id) await open(id).catch(() => { if (at === visit) clear(); });
	if (at !== visit) return;
	if (!conversation) add("agent", "Welcome! I help you to get started. Tell me your name, and ask me anything about the company.");
	$("field").focus();
}

function leave(error) {
	visit++;
	api.setToken(null);
	if (running) running.abort();
	running = null;
	busy(false);
	clear();
	$("field").value = "";
	$("chat").hidden = $("new").hidden = $("leave").hidden = true;
	$("who").textContent = "";
	$("sign").hidden = false;
	problem(error);
	$("sign-in").elements.username.focus();
}

async function signIn(username, password) {
	api.setToken((await api.signIn(username, password)).access_token);
	await enter();
}

function submits(form, action) {
	form.addEventListener("submit", async event => {
		event.preventDefault();
		problem();
		await action(Object.fromEntries(new FormData(form))).then(() => form.reset()).catch(problem);
	});
}

submits($("sign-in"), f => signIn(f.username, f.password));
submits($("register"), async f => {
	await api.register(f);
	await signIn(f.username, f.password);
});
$("ask").addEventListener("submit", event => {
	event.preventDefault();
	const text = $("field").value;
	if (running) return;
	$("field").value = "";
	ask(text);
});
$("field").addEventListener("keydown", event => {
	if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
		event.preventDefault();
		$("ask").requestSubmit();
	}
});
$("stop").addEventListener("click", () => api.stop(conversation).catch(problem));
$("new").addEventListener("click", () => {
	if (running) return;
	clear();
	remember();
	add("agent", "Let us begin again. What is your name?");
	$("field").focus();
});
$("leave").addEventListener("click", () => leave());
/* A token ends after half an hour; as long as the page is used, it gets a new one. */
setInterval(() => {
	if (auth === "token" && !$("chat").hidden) api.refresh().catch(() => {});
}, 10 * 60 * 1000);

try {
	auth = (await api.health()).auth || "off";
	if (auth === "off") throw new Error("The onboarding assistant is switched off here. The operator can switch it on with ONBOARDING_AUTH.");
	await enter();
} catch (error) {
	if (error.status === 401 && auth === "token") leave();
	else problem(error);
}
