/* Calls that read data. Every call may be missing on a site, fail or hang: whoever calls shows what it has, and
   says in a sentence what is missing. */

/* Where the service answers, seen from the page's site. A site that forwards other paths changes it here. */
export const agent = "/api/aviation-agent";
/* The calls that read data: airports, filters, rules, friendliness. They also answer here, so that a site need
   forward one path only. */
export const rest = agent;

const patience = 12000;

/* kind: "absent" (the site has no such call, or nothing of that name), "refused" (another status), "time" (no
   answer in time), "network" (no connection), "content" (not what was expected), "ended" (the caller gave up). */
export class CallError extends Error {
	constructor(kind, path, status = 0) {
		super(`${path}: ${kind}${status ? " " + status : ""}`);
		this.kind = kind;
		this.status = status;
	}
}

/* The query of a call; members that are null or undefined are left out. */
function queryOf(values) {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(values))
		if (value !== null && value !== undefined) query.append(name, String(value));
	const text = query.toString();
	return text ? "?" + text : "";
}

/* The JSON of GET rest + path. Fails with a CallError only. The browser keeps answers and asks with their ETag. */
export async function get(path, { query = {}, signal, timeout = patience } = {}) {
	const control = new AbortController();
	const end = () => control.abort();
	let late = false;
	const timer = setTimeout(() => { late = true; end(); }, timeout);
	signal?.addEventListener("abort", end, { once: true });
	if (signal?.aborted) end();
	try {
		const response = await fetch(rest + path + queryOf(query), {
			headers: { Accept: "application/json" }, credentials: "same-origin", signal: control.signal,
		});
		if (response.status === 404 || response.status === 503 || response.status === 501)
			throw new CallError("absent", path, response.status);
		if (!response.ok) throw new CallError("refused", path, response.status);
		if (!/\bjson\b/.test(response.headers.get("Content-Type") || "")) throw new CallError("absent", path);
		return await response.json();
	} catch (error) {
		if (error instanceof CallError) throw error;
		if (signal?.aborted) throw new CallError("ended", path);
		if (late) throw new CallError("time", path);
		throw new CallError(error instanceof SyntaxError ? "content" : "network", path);
	} finally {
		clearTimeout(timer);
		signal?.removeEventListener("abort", end);
	}
}

/* A piece of a path, whatever characters it has. */
export const segment = text => encodeURIComponent(text);

/* What a person needs to know about a call that failed. */
export function sentence(t, error) {
	return t("call." + (error instanceof CallError ? error.kind : "content"), { status: error.status || 0 });
}
