/* Puts a text into the clipboard; gives false if the browser does not allow it. A page without https has no
   navigator.clipboard, so the older way is tried too. */
export async function copyText(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		return copySelected(text);
	}
}

function copySelected(text) {
	const before = document.activeElement, field = document.createElement("textarea");
	field.value = text;
	field.className = "unseen";
	document.body.append(field);
	field.select();
	const done = document.execCommand("copy");
	field.remove();
	before?.focus({ preventScroll: true });
	return done;
}
