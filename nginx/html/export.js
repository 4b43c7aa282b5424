/* The dialog that gives the airports of the answer as a file. */
import { element, iconButton, saveFile } from "./dom.js";
import { fileName, toCsv, toGpx } from "./export-formats.js";
import { shownOf } from "./shown.js";

export function mount(root, app) {
	const { bus, t } = app, shown = shownOf(app);
	const button = iconButton("save", t("export.title"), () => { fill(); dialog.showModal(); });
	const boxes = element("fieldset", {}), problem = element("p", { class: "soft" });
	const save = (kind, type, text) => () => {
		saveFile(`${fileName(shown.answer)}.${kind}`, type, text(chosen()));
		dialog.close();
	};
	const gpx = element("button", { type: "button", onclick: save("gpx", "application/gpx+xml", list => toGpx(list, shown.answer.route, t("export.name"))) }, "GPX");
	const csv = element("button", { type: "button", onclick: save("csv", "text/csv", toCsv) }, "CSV");
	const dialog = element("dialog", { "aria-labelledby": "export-title", class: "export" },
		element("form", { method: "dialog" },
			element("h2", { id: "export-title" }, t("export.title")), boxes, problem,
			element("p", { class: "actions" }, element("button", { value: "cancel" }, t("export.cancel")), gpx, csv)));
	root.append(button, dialog);

	const chosen = () => {
		const wanted = new Set([...boxes.querySelectorAll("input:checked")].map(i => i.value));
		return shown.airports().filter(a => wanted.has(a.group));
	};

	function update() {
		const none = chosen().length === 0 && !shown.answer?.route;
		gpx.disabled = none;
		csv.disabled = chosen().length === 0;
	}

	function fill() {
		const all = shown.airports();
		const lines = ["fits", "unrecorded", "also"].map(group => [group, all.filter(a => a.group === group).length]).filter(([, n]) => n);
		boxes.replaceChildren(element("legend", {}, t("export.which")), ...lines.map(([group, n]) =>
			element("label", { class: "check" }, element("input", { type: "checkbox", value: group, checked: group !== "unrecorded", onchange: update }), t("list." + group, { n }))));
		boxes.hidden = !lines.length;
		problem.textContent = lines.length ? t("export.note") : t("export.empty");
		update();
	}

	/* Before there is an answer the button has nothing to give. */
	const enable = () => { button.disabled = !shown.answer; };
	bus.on("shown:changed", enable);
	enable();
}
