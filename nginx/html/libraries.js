/* The libraries of others. They are not in the source: scripts/page-libraries puts them into lib/. All of them are
   loaded at the start, so that an offline moment later breaks nothing. */

const files = {
	leaflet: ["leaflet.js", () => globalThis.L],
	markdownit: ["markdown-it.js", () => globalThis.markdownit],
	purify: ["purify.js", () => globalThis.DOMPurify],
};
const loaded = new Map();

/* The address of a file of data in lib/, such as "outlines.json". */
export const dataFile = name => new URL("lib/" + name, import.meta.url).href;

/* The object of a library. The promise fails with an Error that has the member `file` if the file is missing. */
export function library(name) {
	if (!loaded.has(name)) loaded.set(name, load(...files[name]));
	return loaded.get(name);
}

async function load(file, find) {
	try {
		await import("./lib/" + file);
	} catch (cause) {
		throw Object.assign(new Error("lib/" + file + " could not be loaded", { cause }), { file: "lib/" + file });
	}
	const found = find();
	if (!found) throw Object.assign(new Error("lib/" + file + " holds another library"), { file: "lib/" + file });
	return found;
}
