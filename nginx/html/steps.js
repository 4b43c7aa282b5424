/* How an answer came about: what the agent thought, and what it looked up, folded. While it works, the folded line says
   what it does now. */
import { element, icon } from "./dom.js";

/* The tools that have a name in words; another one is shown by its own name. */
const known = new Set(["search_airports", "find_airports_near_location", "find_airports_near_route", "get_airport_details",
	"get_notification_for_airport", "answer_rules_question", "browse_rules", "compare_rules_between_countries"]);
const hidden = new Set(["persona_id"]);

function valueText(value) {
	if (Array.isArray(value)) return value.map(valueText).join(", ");
	if (typeof value === "object" && value !== null)
		return Object.entries(value).map(([k, v]) => `${k.replaceAll("_", " ")}: ${valueText(v)}`).join(", ");
	return value === true ? "✓" : value === false ? "✗" : String(value);
}

const cut = (text, most) => text.length > most ? text.slice(0, most - 1) + "…" : text;

export function createSteps(t) {
	const now = element("span", { class: "steps-now" }, t("steps.begin"));
	const list = element("ol", { class: "steps-list" });
	const thought = element("div", { class: "steps-thought", hidden: true });
	const root = element("details", { class: "steps" }, element("summary", {}, icon("fold"), now), list, thought);
	let thinking = "", count = 0, open = null;

	const toolName = name => known.has(name) ? t("tool." + name) : String(name).replaceAll("_", " ");

	function argumentRows(values) {
		const rows = Object.entries(values ?? {}).filter(([k, v]) => !hidden.has(k) && v !== null && v !== "");
		return rows.slice(0, 20).flatMap(([k, v]) =>
			[element("dt", {}, cut(k.replaceAll("_", " "), 60)), element("dd", {}, cut(valueText(v), 200))]);
	}

	function add({ name, arguments: values }) {
		const result = element("span", { class: "steps-result" });
		list.append(element("li", {}, element("span", { class: "steps-name" }, cut(toolName(name), 80)), result, element("dl", {}, ...argumentRows(values))));
		count++;
		return { name, result };
	}

	function outcome(result) {
		if (!result || typeof result !== "object") return "";
		if (result.found === false) return t("steps.none");
		const n = result.total_found ?? result.count;
		return Number.isInteger(n) && n >= 0 ? t("steps.found", { n }) : "";
	}

	return {
		root,
		thinking(text) {
			thinking += (thinking && !thinking.endsWith("\n") ? "\n" : "") + String(text ?? "");
			thought.textContent = cut(thinking, 20000);
			thought.hidden = false;
			if (!count) now.textContent = t("steps.thinking");
		},
		begin(call) {
			open = add(call);
			now.textContent = toolName(call.name) + " …";
		},
		/* A tool may report only its end. */
		end(call) {
			const step = open && open.name === call.name ? open : add(call);
			const text = outcome(call.result);
			if (text) step.result.textContent = " · " + text;
			open = null;
			now.textContent = t("steps.writing");
		},
		writing() {
			now.textContent = t("steps.writing");
		},
		finish() {
			root.hidden = !count && !thinking;
			now.textContent = count ? t("steps.done", { n: count }) : t("steps.how");
		},
	};
}
