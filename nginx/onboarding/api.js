/* The HTTP interface of the onboarding agent. A failure is an Error with a sentence for people and the
   status. */
import { readEvents } from "./parts.js";

const base = "/api/onboarding";
let token = sessionStorage.getItem("onboarding-token");

export function setToken(value) {
	token = value;
	if (value) sessionStorage.setItem("onboarding-token", value);
	else sessionStorage.removeItem("onboarding-token");
}

function sentence(body, status) {
	if (typeof body.message === "string") return body.message;
	if (typeof body.detail === "string") return body.detail;
	if (Array.isArray(body.detail))
		return body.detail.map(d => `${(d.loc || []).slice(-1)[0] || "input"}: ${d.msg}`).join(". ");
	return `The assistant cannot be reached (status ${status}). Please try again.`;
}

async function call(method, path, { json, form, headers, signal, any } = {}) {
	const h = { ...headers };
	let body;
	if (token) h.Authorization = "Bearer " + token;
	if (json) { h["Content-Type"] = "application/json"; body = JSON.stringify(json); }
	if (form) body = new URLSearchParams(form);
	const response = await fetch(base + path, { method, headers: h, body, signal });
	if (!response.ok && !any) {
		const error = new Error(sentence(await response.json().catch(() => ({})), response.status));
		error.status = response.status;
		throw error;
	}
	return response;
}

const json = async (...args) => (await call(...args)).json();

export const health = async () => (await call("GET", "/health", { any: true })).json();
export const me = () => json("GET", "/auth/me");
export const register = user => json("POST", "/auth/register", { json: user });
export const signIn = (username, password) => json("POST", "/auth/token", { form: { username, password } });
/* Nobody is signed in again who has signed out meanwhile. */
export async function refresh() {
	const before = token, { access_token } = await json("POST", "/auth/refresh");
	if (token === before) setToken(access_token);
}
export const conversations = () => json("GET", "/conversations?limit=1");
export const create = title => json("POST", "/conversations", { json: { title } });
export const rename = (id, title) => json("PATCH", `/conversations/${id}`, { json: { title } });
/* All messages, oldest first; one request gives at most 500. */
export async function messages(id) {
	const all = [];
	for (;;) {
		const some = await json("GET", `/conversations/${id}/messages?skip=${all.length}&limit=500`);
		all.push(...some);
		if (some.length < 500) return all;
	}
}
export const state = id => json("GET", `/conversations/${id}/state`);
export const record = id => json("GET", `/conversations/${id}/export`);
export const stop = id => call("DELETE", `/conversations/${id}/turn`, { any: true });

/* One turn; on: functions by the name of the event. */
export async function turn(id, content, on, signal) {
	const response = await call("POST", `/conversations/${id}/messages`,
		{ json: { type: "message", content }, headers: { Accept: "text/event-stream" }, signal });
	await readEvents(response, on);
}
