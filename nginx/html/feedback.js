/* Was an answer good? One press for yes; no opens a field for the reason. */
import * as agent from "./agent.js";
import { element, iconButton } from "./dom.js";

let forms = 0;

export function createFeedback(app, runId) {
	const { t } = app;
	const root = element("div", { class: "feedback", role: "group", "aria-label": t("feedback.question") });
	const said = element("p", { class: "feedback-said soft", role: "status" });
	const up = iconButton("up", t("feedback.up"), () => send(1, null), { "aria-pressed": "false" });
	const down = iconButton("down", t("feedback.down"), ask, { "aria-expanded": "false", "aria-pressed": "false" });
	const id = "feedback-" + ++forms;
	const field = element("textarea", { id, rows: "2", maxlength: "2000" });
	const form = element("form", { hidden: true, onsubmit: event => {
		event.preventDefault();
		send(0, field.value.trim() || null);
	} },
	element("label", { for: id }, t("feedback.reason")), field,
	element("p", { class: "actions" },
		element("button", { type: "button", onclick: () => fold(true) }, t("feedback.back")),
		element("button", { class: "primary" }, t("feedback.send"))));

	function fold(back) {
		form.hidden = true;
		down.setAttribute("aria-expanded", "false");
		if (back) down.focus();
	}

	function ask() {
		form.hidden = !form.hidden;
		down.setAttribute("aria-expanded", String(!form.hidden));
		if (!form.hidden) field.focus();
	}

	let sending = false;

	/* The second half of a double press sends nothing. */
	async function send(score, comment) {
		if (sending) return;
		sending = true;
		const inForm = form.contains(root.getRootNode().activeElement);
		said.textContent = "";
		try {
			await agent.feedback(runId, score, comment);
		} catch (error) {
			said.textContent = t(error.status === 404 || error.status === 410 ? "feedback.gone" : "feedback.failed");
			return;
		} finally {
			sending = false;
		}
		fold(inForm);
		up.setAttribute("aria-pressed", String(score === 1));
		down.setAttribute("aria-pressed", String(score === 0));
		said.textContent = t("feedback.thanks");
	}

	root.append(up, down, said, form);
	return root;
}
