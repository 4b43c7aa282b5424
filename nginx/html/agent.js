/* The calls of a conversation, apart from its stream. A failure is an Error with `status` (0: no answer came) and
   `detail`, the server's sentence if it gave one. */
import { agent } from "./api.js";

export { agent as base };

async function call(method, path, { body, signal } = {}) {
	let response;
	try {
		response = await fetch(agent + path, { method, credentials: "same-origin", cache: "no-store",
			signal: signal ?? AbortSignal.timeout(15000),
			...(body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }) });
	} catch (cause) {
		throw Object.assign(new Error("no answer to " + path, { cause }), { status: 0, detail: "" });
	}
	if (response.ok) return response.status === 204 ? null : response.json();
	const said = await response.json().catch(() => null);
	throw Object.assign(new Error(`${path}: status ${response.status}`),
		{ status: response.status, detail: typeof said?.detail === "string" ? said.detail : "" });
}

const thread = id => "/threads/" + encodeURIComponent(id);

/* The newest messages, or those just before the message `before`. */
export const messages = (id, before) => call("GET", `${thread(id)}/messages?limit=60${before ? "&before=" + encodeURIComponent(before) : ""}`);
/* Which run wrote which message: message id → run id. */
export async function runsOf(id) {
	const { checkpoints } = await call("GET", thread(id) + "/history?limit=200");
	return new Map(checkpoints.map(c => [c.message_id, c.run_id]));
}
export const removeThread = id => call("DELETE", thread(id));
export const cancelRun = id => call("POST", `/runs/${encodeURIComponent(id)}/cancel`);
export const run = id => call("GET", "/runs/" + encodeURIComponent(id));
export const feedback = (id, score, comment) => call("POST", "/feedback", { body: { run_id: id, score, comment } });
export const quickActions = language => call("GET", "/quick-actions?language=" + language);
