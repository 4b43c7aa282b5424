/* The page: makes what its parts share, gives each part its place, and says what could not be loaded. A part is a
   module with mount(root, app); it makes its elements in root, and talks to the others through app.bus.

   app = {
     bus         events (bus.js)
     settings    get(name), set(name, value) (settings.js)
     t           t(key, values) (texts.js), t.language
     site        promise of {tiles, attribution, maxZoom} of site.json; tiles is "" without a map server. It never fails
                 (absent in the widget)
     ready       promise: all parts listen to the bus, except the map, which draws what it finds when it comes
                 (absent in the widget)
     embedded    true in the widget: there is a chat and nothing else
     desk()      is there room for everything side by side?
   } */
import { createBus } from "./bus.js";
import { createSettings } from "./settings.js";
import { createTexts, translate } from "./texts.js";
import { mount as mountViews } from "./views.js";
import { mount as mountSettings } from "./settings-menu.js";
import { element, iconButton } from "./dom.js";

/* Each part in a file of its own, and the place of it. One that does not load leaves the others working. */
const parts = [
	["chat", "page.chat", () => import("./chat.js")],
	["share", null, () => import("./share.js")],
	["map", "page.map", () => import("./map.js")],
	["list", "page.list", () => import("./list.js")],
	["details", "page.details", () => import("./details.js")],
	["rules", "page.rules", () => import("./rules.js")],
	["export", null, () => import("./export.js")],
];

const place = id => document.getElementById(id);

function createProblems(bus, root) {
	const shown = new Map();
	bus.on("problem", ({ text, key = "" }) => {
		shown.get(key)?.remove();
		shown.delete(key);
		if (!text) return;
		const line = element("p", { class: "problem" }, text);
		shown.set(key, line);
		root.append(line);
	});
}

/* What the operator has set: the address of map tiles, such as "https://tile.example.org/{z}/{x}/{y}.png". Nothing but
   the map's background waits for it. */
async function readSite() {
	const site = { tiles: "", attribution: "", maxZoom: 19 };
	try {
		const response = await fetch(new URL("site.json", import.meta.url), { signal: AbortSignal.timeout(8000) });
		const given = await response.json();
		if (typeof given.tiles === "string" && /^(https?:\/)?\/[^\s]+$/.test(given.tiles)) site.tiles = given.tiles;
		if (typeof given.attribution === "string") site.attribution = given.attribution.slice(0, 200);
		if (Number.isInteger(given.maxZoom) && given.maxZoom >= 1 && given.maxZoom <= 22) site.maxZoom = given.maxZoom;
	} catch (error) {
		console.warn("site.json cannot be read; the page works without it", error);
	}
	return site;
}

/* What a person needs to know about a part that did not come. */
function loadProblem(app, what, error) {
	console.error(error);
	const part = what ? app.t(what) : "";
	if (error.file) return app.t("page.missing-file", { file: error.file, part });
	return app.t("page.broken-part", { part });
}

async function start() {
	const bus = createBus(), settings = createSettings(bus), wide = matchMedia("(min-width: 760px)");
	const [[, , loadChat]] = parts;
	const later = loadChat().catch(() => {}).then(() => document.head.append(place("later").content));
	const t = await createTexts(settings.get("language"));
	let allMounted;
	const ready = new Promise(resolve => { allMounted = resolve; });
	const app = { bus, settings, t, site: later.then(readSite), ready, embedded: false, desk: () => wide.matches };
	document.documentElement.lang = t.language;
	document.title = t("page.title");
	translate(document, t);
	createProblems(bus, place("problems"));
	bus.on("settings:changed", ({ name, value }) => {
		if (name === "theme") document.documentElement.dataset.theme = value;
		if (name === "language") location.reload();
	});
	mountViews(document.body, app);
	place("print").append(iconButton("print", t("page.print"), () => window.print()));
	mountSettings(place("settings"), app);

	/* Each part is used as soon as it is there: nobody waits for the map to type a question or to read the list. The
	   chat comes first; without it the others come all the same. */
	await later;
	const mounting = new Map(parts.map(part => [part[0], mountPart(...part)]));
	await Promise.all([...mounting].filter(([id]) => id !== "map").map(([, mounted]) => mounted));
	allMounted();
	await mounting.get("map");
	document.body.dataset.ready = "yes";

	async function mountPart(id, name, load) {
		try {
			await (await load()).mount(place(id), app);
		} catch (error) {
			bus.emit("problem", { key: id, text: loadProblem(app, name, error) });
		}
	}
}

/* Even the texts may be missing here, so this sentence is in English. */
start().catch(error => {
	console.error(error);
	place("problems").append(element("p", { class: "problem" }, "The page could not be started. Please load it again."));
});
