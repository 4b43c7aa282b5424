/* One turn of the conversation as a stream of events that survives a broken connection.

   The question is sent with an Idempotency-Key, so it may be sent again when no response came: it is answered once.
   Each event has a number. When the connection breaks, the page asks for the events behind the last one it has; the
   turn goes on at the server meanwhile. */
import { createParser } from "./sse.js";

const silence = 30000;          /* ms without a byte, heartbeats included, after which a connection counts as broken */
const headTime = 45000;         /* ms to the head of the response; a question may wait 30 s for another one */
const pauses = [500, 1000, 2000, 4000, 8000, 15000];
const attempts = { send: 4, resume: 40 };

export function randomId(prefix) {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return prefix + [...bytes].map(b => b.toString(16).padStart(2, "0")).join("");
}

const offline = () => navigator.onLine === false;

/* Waits, but no longer than until the network is back, the page is looked at again, or `signal` ends it. */
function pause(ms, signal) {
	return new Promise(resolve => {
		const done = () => {
			clearTimeout(timer);
			removeEventListener("online", done);
			document.removeEventListener("visibilitychange", seen);
			signal.removeEventListener("abort", done);
			resolve();
		};
		const seen = () => document.visibilityState === "visible" && done();
		const timer = setTimeout(done, ms);
		addEventListener("online", done);
		document.addEventListener("visibilitychange", seen);
		signal.addEventListener("abort", done);
		if (signal.aborted) done();
	});
}

function seconds(response) {
	const n = Number(response.headers.get("Retry-After"));
	return Number.isFinite(n) && n > 0 ? Math.min(n, 60) : 0;
}

/* What the server says about a refused request, as a sentence, or "". */
async function detailOf(response) {
	const body = await response.json().catch(() => null);
	if (typeof body?.detail === "string") return body.detail;
	if (Array.isArray(body?.detail))
		return body.detail.map(d => d?.msg).filter(m => typeof m === "string").join(". ");
	return "";
}

const isStream = response => /^text\/event-stream\b/i.test(response.headers.get("Content-Type") ?? "");

/* Begins a turn, or follows one that runs already.

   base        address of the agent, such as "/api/aviation-agent"
   body        the request; key: its Idempotency-Key
   run, after  in place of body: the run to follow, and the number of the last event that is known (0: none)
   on.started({runId, sessionId})    the response began
   on.event({name, data})            each event once, in order; data is parsed JSON
   on.state("lost" | "back")         the connection broke, or stands again

   Returns {ended, stop, leave}. stop() ends the turn here at once and at the server as soon as that can be reached; it
   returns a promise for the latter. leave() only ends it here: the server goes on. `ended` never fails; it gives
   {how: "done", data}               the last event came
   {how: "stopped"}                  also after leave()
   {how: "refused", status, detail, retryAfter}    the server did not take the question, or it wants to know who asks
                                     before it gives the rest of the answer (401, 403)
   {how: "unreachable"}              no response came; nothing is known of the turn
   {how: "gone", runId}              the turn began, but the server has its remaining events no more */
export function openTurn({ base, body, key, run = null, after = 0, on }) {
	const stopper = new AbortController();
	let runId = run, last = after, numbered = Boolean(run), stopped = false, left = false, lost = false;
	let serverPause = 0;

	function state(name) {
		if (stopped || lost === (name === "lost")) return;
		lost = name === "lost";
		on.state?.(name);
	}

	/* The answer of the server, or null if none came. A stopped turn still waits for the head of its question, because
	   only that has the number by which the turn can be cancelled. */
	async function request(url, options) {
		const attempt = new AbortController();
		const timer = setTimeout(() => attempt.abort(), headTime);
		const end = () => runId && attempt.abort();
		stopper.signal.addEventListener("abort", end);
		try {
			const response = await fetch(url, { cache: "no-store", credentials: "same-origin", ...options, signal: attempt.signal });
			return { response, attempt };
		} catch {
			return null;
		} finally {
			clearTimeout(timer);
			stopper.signal.removeEventListener("abort", end);
		}
	}

	const send = () => request(base + "/chat/stream", { method: "POST", body: JSON.stringify(body),
		headers: { "Content-Type": "application/json", "Accept": "text/event-stream", "X-Stream-Ids": "1", "Idempotency-Key": key } });
	const resume = () => request(`${base}/runs/${encodeURIComponent(runId)}/stream`,
		{ headers: { "Accept": "text/event-stream", "Last-Event-ID": String(last) } });

	function take({ name, data, id }) {
		if (id !== null && /^\d+$/.test(id)) {
			numbered = true;
			if (Number(id) <= last) return null;
			last = Number(id);
		}
		let value;
		try {
			value = JSON.parse(data);
		} catch {
			return null;            /* an event that nobody can read changes nothing */
		}
		if (!stopped) on.event({ name, data: value });
		return name === "done" ? value : null;
	}

	/* Reads to the last event, which it returns, or to the end of the connection: null. */
	async function read({ response, attempt }) {
		const reader = response.body.getReader(), decoder = new TextDecoder();
		let done = null, timer = 0;
		const parser = createParser({ event: e => { done = take(e) ?? done; }, retry: ms => { serverPause = Math.min(ms, 15000); } });
		const cut = () => attempt.abort();
		const watch = () => {
			clearTimeout(timer);
			timer = setTimeout(cut, silence);
		};
		stopper.signal.addEventListener("abort", cut);
		addEventListener("offline", cut);
		try {
			while (!done && !stopped) {
				watch();
				const piece = await reader.read();
				if (piece.done) break;
				state("back");
				parser.push(decoder.decode(piece.value, { stream: true }));
			}
		} catch {
			/* broken: whoever called asks for the rest */
		} finally {
			clearTimeout(timer);
			stopper.signal.removeEventListener("abort", cut);
			removeEventListener("offline", cut);
			reader.cancel().catch(() => {});
			attempt.abort();
		}
		return done;
	}

	async function begin() {
		for (let n = 0; ; ) {
			const got = await send();
			if (got) {
				const { response } = got;
				if (response.ok && isStream(response)) return got;
				const again = [502, 503, 504].includes(response.status);
				if (!again || n + 1 >= attempts.send)
					return { refused: { how: "refused", status: response.ok ? 502 : response.status, detail: await detailOf(response), retryAfter: seconds(response) } };
				serverPause = seconds(response) * 1000;
				got.attempt.abort();
			}
			if (stopped) return null;
			state("lost");
			if (!offline() && ++n >= attempts.send) return null;
			await pause(Math.max(serverPause, pauses[Math.min(n, pauses.length - 1)]), stopper.signal);
			if (stopped) return null;
			serverPause = 0;
		}
	}

	/* Why a response ends the turn here, or null: asking again may help. */
	async function verdict({ response }) {
		if ([401, 403].includes(response.status))
			return { refused: { how: "refused", status: response.status, detail: await detailOf(response), retryAfter: 0 } };
		return [204, 404, 410, 422].includes(response.status) ? { gone: true } : null;
	}

	/* A response with the remaining events, or {refused}, or null when there is none to be had. */
	async function again() {
		for (let n = 0; n < attempts.resume && !stopped; ) {
			await pause(serverPause || pauses[Math.min(n, pauses.length - 1)], stopper.signal);
			serverPause = 0;
			if (stopped) return null;
			const got = await resume();
			if (!offline()) n++;
			if (!got) continue;
			const { response } = got;
			if (response.status === 200 && isStream(response)) return got;
			const end = await verdict(got);
			got.attempt.abort();
			if (end) return end.refused ? end : null;
			serverPause = seconds(response) * 1000;
		}
		return null;
	}

	async function cancel() {
		for (const wait of [0, 1000, 3000, 10000, 30000]) {
			if (wait) await pause(wait, new AbortController().signal);
			const response = await fetch(`${base}/runs/${encodeURIComponent(runId)}/cancel`,
				{ method: "POST", keepalive: true, signal: AbortSignal.timeout(10000) }).catch(() => null);
			if (response && response.status < 500) return;
		}
	}

	async function follow() {
		let got = run ? await resume() : await begin();
		if (got?.refused) return stopped ? { how: "stopped" } : got.refused;
		if (run && got && !(got.response.status === 200 && isStream(got.response))) {
			const end = await verdict(got);
			got.attempt.abort();
			got = null;
			if (end) return stopped ? { how: "stopped" } : end.refused ?? { how: "gone", runId };
		}
		if (got) {
			runId = got.response.headers.get("X-Run-ID") ?? runId;
			if (!stopped) on.started?.({ runId, sessionId: got.response.headers.get("X-Session-ID") });
		} else if (!run) {
			return stopped ? { how: "stopped" } : { how: "unreachable" };
		}
		while (!stopped) {
			if (got) {
				const done = await read(got);
				if (stopped) break;
				if (done) return { how: "done", data: done };
			}
			state("lost");
			got = runId && numbered ? await again() : null;
			if (got?.refused) return stopped ? { how: "stopped" } : got.refused;
			if (!got && !stopped) return { how: "gone", runId };
		}
		got?.attempt.abort();
		return { how: "stopped" };
	}

	const work = follow().catch(error => {
		console.error(error);
		return { how: "gone", runId };
	});
	const cancelled = work.then(() => stopped && !left && runId ? cancel() : undefined);
	const stopping = new Promise(resolve => stopper.signal.addEventListener("abort", () => resolve({ how: "stopped" })));

	return {
		ended: Promise.race([stopping, work]),
		stop() {
			stopped = true;
			stopper.abort();
			return cancelled;
		},
		leave() {
			left = stopped = true;
			stopper.abort();
		},
	};
}
