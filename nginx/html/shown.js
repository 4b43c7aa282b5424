/* What the map, the list and the export all show: the airports of the newest answer that has some, the others that
   also fit, and which one is selected. There is one for each page; they ask for it with shownOf(app) and listen for

   shown:changed   {why}    "answer", "also" or "cleared"
   shown:selected  {ident}  "" for none
   airport:hover   {ident}  the pointer or the focus is on this airport in the map or the list; "" for none */
import { loadAlso, questionOf } from "./also.js";
import { readPayload } from "./airports.js";
import { forget, read, write } from "./storage.js";

const pages = new WeakMap();

export function shownOf(app) {
	if (!pages.has(app)) pages.set(app, createShown(app));
	return pages.get(app);
}

function createShown({ bus }) {
	const shown = { answer: null, also: [], alsoState: "none", selected: "" };
	let loading = null;

	/* Every airport once, with the group that it belongs to, in the order of the answer. */
	shown.airports = () => shown.answer === null ? [] : [
		...shown.answer.fits.map(a => ({ ...a, group: "fits" })),
		...shown.answer.unrecorded.map(a => ({ ...a, group: "unrecorded" })),
		...shown.also.map(a => ({ ...a, group: "also" })),
	];
	shown.find = ident => shown.airports().find(a => a.ident === ident) ?? null;

	function select(ident) {
		if (shown.selected === ident) return;
		shown.selected = ident;
		if (ident) write("selected", ident);
		else forget("selected");
		bus.emit("shown:selected", { ident });
	}

	async function also() {
		loading?.abort();
		const mine = loading = new AbortController();
		shown.alsoState = questionOf(shown.answer) ? "loading" : "none";
		if (shown.alsoState === "none") return;
		let found = null;
		try {
			found = await loadAlso(shown.answer, mine.signal);
		} catch (error) {
			if (error.kind === undefined) console.error(error);
			shown.alsoError = error;
		}
		if (mine.signal.aborted) return;
		shown.also = found ?? [];
		/* A site without these calls has nothing to say about them. */
		shown.alsoState = found ? "done" : shown.alsoError.kind === "absent" ? "none" : "failed";
		bus.emit("shown:changed", { why: "also" });
	}
	shown.again = () => {
		const done = also();
		bus.emit("shown:changed", { why: "also" });
		return done;
	};

	function set(answer) {
		loading?.abort();
		Object.assign(shown, { answer, also: [], alsoState: "none" });
		const keep = answer && (shown.find(shown.selected) || answer.focus === shown.selected);
		if (!keep) select("");
		if (answer) also();
		bus.emit("shown:changed", { why: answer ? "answer" : "cleared" });
	}

	function draw(payload) {
		const answer = readPayload(payload);
		if (!answer) return false;
		set(answer);
		bus.emit("map:changed");
		if (answer.focus) bus.emit("airport:open", { ident: answer.focus, by: "answer" });
		else bus.emit("panel:show", { panel: "list", by: "answer" });
		return true;
	}

	bus.on("turn:payload", ({ payload }) => draw(payload));
	bus.on("thread:opened", ({ payloads }) => {
		const before = read("selected", "");
		const drawn = [...(payloads ?? [])].reverse().some(draw);
		if (!drawn) set(null);
		else if (before && shown.find(before)) bus.emit("airport:open", { ident: before, by: "answer" });
	});
	bus.on("thread:new", () => set(null));
	bus.on("airport:open", ({ ident }) => select(ident));
	bus.on("airport:closed", () => select(""));
	return shown;
}
