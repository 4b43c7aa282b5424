/* The list of earlier conversations: open, rename, delete. */
import * as agent from "./agent.js";
import * as store from "./thread-store.js";
import { composing, element, icon, iconButton } from "./dom.js";

/* actions: open(id), removed(id), renamed(id), current() → the id of the conversation that is shown */
export function createThreadList(app, actions) {
	const { t } = app;
	const said = element("p", { class: "problem", role: "alert", hidden: true });
	const list = element("ul", { class: "thread-list" });
	const heading = element("h2", { class: "thread-heading" }, t("threads.title"));
	const close = iconButton("close", t("threads.close"), () => root.close());
	const root = element("dialog", { class: "threads", "aria-label": t("threads.title") },
		element("div", { class: "threads-head" }, heading, close), element("p", { class: "soft" }, t("threads.where")), said, list);
	const when = new Intl.DateTimeFormat(navigator.languages?.find(l => l.startsWith(t.language)) ?? t.language, { dateStyle: "medium", timeStyle: "short" });

	function problem(text) {
		said.hidden = !text;
		said.textContent = text;
	}

	function renameForm(thread, row) {
		const field = element("input", { value: thread.title, maxlength: "120", "aria-label": t("threads.name") });
		const back = () => {
			const fresh = item(store.find(thread.id) ?? thread);
			form.replaceWith(fresh);
			fresh.querySelector(".rename")?.focus();
		};
		const form = element("li", { class: "thread" }, element("form", { class: "thread-edit", onsubmit: event => {
			event.preventDefault();
			const title = field.value.trim().replace(/\s+/g, " ");
			if (title) store.change(thread.id, { title, named: true });
			back();
			actions.renamed(thread.id);
		}, onkeydown: event => {
			if (event.key !== "Escape" || composing(event)) return;
			event.preventDefault();
			event.stopPropagation();
			back();
		} }, field, element("button", { class: "primary" }, t("threads.save")), element("button", { type: "button", onclick: back }, t("threads.keep"))));
		row.replaceWith(form);
		field.focus();
		field.select();
	}

	function removeForm(thread, row) {
		const back = () => {
			form.replaceWith(row);
			row.querySelector(".remove").focus();
		};
		const yes = element("button", { type: "button", class: "danger", onclick: async () => {
			yes.disabled = true;
			if (await removeThread(thread)) {
				const next = form.nextElementSibling ?? form.previousElementSibling;
				form.remove();
				showEmpty();
				(next?.querySelector("button") ?? close).focus();
			} else {
				back();
			}
		} }, t("threads.delete"));
		const form = element("li", { class: "thread" }, element("div", { class: "thread-edit", role: "group", "aria-label": thread.title },
			element("p", {}, t("threads.sure", { title: thread.title })), yes, element("button", { type: "button", onclick: back }, t("threads.keep"))));
		row.replaceWith(form);
		form.querySelectorAll("button")[1].focus();
	}

	/* It is deleted at the server first: nobody could delete it there any more once it is not in the list. */
	async function removeThread(thread) {
		problem("");
		try {
			const run = store.find(thread.id)?.active?.runId;
			if (run) await agent.cancelRun(run).catch(() => {});
			await agent.removeThread(thread.id);
		} catch (error) {
			if (error.status !== 404) {
				problem(t(error.status === 409 ? "threads.answering" : "threads.not-deleted"));
				return false;
			}
		}
		store.remove(thread.id);
		actions.removed(thread.id);
		return true;
	}

	function item(thread) {
		const shown = thread.id === actions.current();
		const row = element("li", { class: "thread" },
			element("button", { type: "button", class: "thread-open", "aria-current": shown && "true", onclick: () => {
				root.close();
				if (!shown) actions.open(thread.id);
			} }, element("span", { class: "thread-title" }, thread.title || t("threads.untitled")),
			element("span", { class: "soft" }, thread.at ? when.format(thread.at) : "")),
			iconButton("rename", t("threads.rename-one", { title: thread.title }), () => renameForm(thread, row), { class: "icon-button rename" }),
			iconButton("remove", t("threads.delete-one", { title: thread.title }), () => removeForm(thread, row), { class: "icon-button remove" }));
		return row;
	}

	function showEmpty() {
		if (!list.childElementCount) list.append(element("li", { class: "soft" }, t("threads.none")));
	}

	return {
		root,
		show() {
			problem("");
			list.replaceChildren(...store.list().map(item));
			showEmpty();
			root.showModal();
		},
	};
}
