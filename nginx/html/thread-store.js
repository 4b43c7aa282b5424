/* The conversations of this browser: {id, title, named, asked, at, active}.

   id       the thread at the server; made here, so that it is known before the first answer
   title    the beginning of the first question, or the name that the person gave it (then named is true)
   asked    the newest question; it can be asked again when the server has forgotten the conversation
   at       ms since 1970, of the newest question
   active   {key, body, runId?} of a turn that had not ended when this was written, or null

   The list lies in localStorage, shared by all tabs; which conversation a tab shows lies in its sessionStorage. */
import { read, write } from "./storage.js";
import { randomId } from "./stream.js";

const most = 50;
const key = "threads", here = "aviation-agent:thread";
let kept = [];              /* used where storage is denied */

const good = t => t && typeof t.id === "string" && /^[A-Za-z0-9_-]{1,128}$/.test(t.id) && typeof t.title === "string";

const goodTurn = a => Boolean(a && typeof a.key === "string" && typeof a.body?.messages?.[0]?.content === "string");

/* What is stored may come from another version of the page. */
function load() {
	const list = read(key, kept);
	return (Array.isArray(list) ? list.filter(good) : []).map(t => ({ ...t, at: Number(t.at) || 0,
		asked: typeof t.asked === "string" ? t.asked : "", active: goodTurn(t.active) ? t.active : null }));
}

/* Returns those for which there is no room any more. */
function save(list) {
	const sorted = list.sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
	kept = sorted.slice(0, most);
	write(key, kept);
	return sorted.slice(most);
}

export const list = load;
export const find = id => load().find(t => t.id === id) ?? null;
export const create = () => ({ id: randomId("thread_"), title: "", named: false, asked: "", at: 0, active: null });

/* Changes a thread; one that is not in the list is added. Returns the threads that had to leave the list for it: they
   should be deleted at the server too. */
export function update(thread, change) {
	const all = load(), known = all.find(t => t.id === thread.id);
	Object.assign(thread, known, change);
	return save([...all.filter(t => t.id !== thread.id), thread]);
}

/* The same for a thread that may have been deleted meanwhile, in another tab: it is not added again. */
export const change = (id, values) => void (find(id) && update({ id }, values));

export const remove = id => save(load().filter(t => t.id !== id));

export function titleOf(question) {
	const line = question.trim().replace(/\s+/g, " ");
	return line.length > 60 ? line.slice(0, 59).replace(/\s\S*$/, "") + "…" : line;
}

/* What this tab keeps over a reload: the thread that it shows ("thread") and an unsent text ("draft"). */
export function tab(name) {
	try {
		return sessionStorage.getItem(here + ":" + name);
	} catch {
		return null;
	}
}

export function setTab(name, value) {
	try {
		if (value) sessionStorage.setItem(here + ":" + name, value);
		else sessionStorage.removeItem(here + ":" + name);
	} catch {
		/* without storage a reload begins anew */
	}
}

/* The session under which the server counts this browser's turns. It has to be hard to guess. */
let sessionId = null;

export function newSession() {
	sessionId = randomId("session_");
	write("session", sessionId);
	return sessionId;
}

export function session() {
	sessionId ??= read("session", null);
	return typeof sessionId === "string" && /^session_[0-9a-f]{32}$/.test(sessionId) ? sessionId : newSession();
}
