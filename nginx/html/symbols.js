/* The signs of airports: one shape for each group, so that colour is never the only difference. A shape is drawn
   around 0, 0 with a radius of 1; the map draws it on its canvas, the list and the legend as SVG. */

const dot = "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0Z";

/* size: pixels of radius on the map. fill: the inside has the colour; otherwise only the outline. mark: a text. */
export const symbols = {
	fits: { path: dot, size: 7.5, fill: true },
	unrecorded: { path: "M0-1.15L1.15 0L0 1.150L-1.15 0Z", size: 8, fill: false, mark: "?" },
	also: { path: dot, size: 4, fill: true },
	large: { path: "M-.9-.9H.9V.9H-.9Z", size: 8, fill: true },
	restricted: { path: dot, size: 7, fill: false },
	end: { path: "M0-1.150L1.05.8H-1.05Z", size: 9, fill: true },
};

/* The sign of an airport of a group; `ends` are the idents of the route's ends. */
export function symbolOf(airport, ends = []) {
	if (ends.includes(airport.ident)) return "end";
	if (airport.group !== "fits") return airport.group;
	return airport.use ? "restricted" : airport.large ? "large" : "fits";
}

const colour = { fits: "--fits", unrecorded: "--maybe", also: "--also", large: "--large", restricted: "--fits", end: "--end" };

/* The colours of the theme, as a canvas takes them. */
export function readPalette() {
	const style = getComputedStyle(document.documentElement), of = name => style.getPropertyValue(name).trim() || "#888";
	const out = { back: of("--surface"), text: of("--text"), soft: of("--soft"), accent: of("--accent"), land: of("--land"),
		water: of("--water"), border: of("--border"), coast: of("--coast") };
	for (const [name, variable] of Object.entries(colour)) out[name] = of(variable);
	return out;
}

/* Calls fn when the colours change: by the setting or by the system. */
export function onPalette({ bus }, fn) {
	bus.on("settings:changed", ({ name }) => { if (name === "theme") requestAnimationFrame(fn); });
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => requestAnimationFrame(fn));
}

const paths = new Map();

/* Draws the sign at x, y on a canvas. */
export function paint(ctx, name, x, y, palette, scale = 1) {
	const s = symbols[name], r = s.size * scale;
	if (!paths.has(name)) paths.set(name, new Path2D(s.path));
	ctx.save();
	ctx.translate(x, y);
	ctx.scale(r, r);
	ctx.lineJoin = "round";
	ctx.globalAlpha = 1;
	ctx.setLineDash([]);
	ctx.lineWidth = (s.fill ? 3 : 5) / r;
	ctx.strokeStyle = palette.back;
	ctx.stroke(paths.get(name));
	ctx.fillStyle = s.fill ? palette[name] : palette.back;
	ctx.fill(paths.get(name));
	if (!s.fill) {
		ctx.lineWidth = 2 / r;
		ctx.strokeStyle = palette[name];
		ctx.stroke(paths.get(name));
	}
	if (s.mark) {
		ctx.scale(1 / r, 1 / r);
		ctx.fillStyle = palette[name];
		ctx.font = `700 ${Math.round(r * 1.4)}px system-ui, sans-serif`;
		ctx.textAlign = "center";
		ctx.textBaseline = "middle";
		ctx.fillText(s.mark, 0, .5);
	}
	ctx.restore();
}

/* The sign as an SVG element; its colours come from map.css. */
export function symbolElement(name) {
	const ns = "http://www.w3.org/2000/svg", s = symbols[name];
	const make = (tag, attributes) => {
		const el = document.createElementNS(ns, tag);
		for (const [k, v] of Object.entries(attributes)) el.setAttribute(k, v);
		return el;
	};
	const svg = make("svg", { viewBox: "-1.5 -1.5 3 3", class: `symbol symbol-${name}`, "aria-hidden": "true", focusable: "false" });
	const scale = Math.min(1.1, s.size / 7.5);
	svg.append(make("path", { d: s.path, transform: `scale(${scale})` }));
	if (s.mark) {
		const mark = make("text", { x: 0, y: .45, "text-anchor": "middle", "font-size": 1.3 });
		mark.textContent = s.mark;
		svg.append(mark);
	}
	return svg;
}
