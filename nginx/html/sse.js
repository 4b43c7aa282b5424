/* Server-sent events from the bytes of a response, as the HTML standard defines them: lines end with LF, CR or CRLF, an
   event may have several data lines, a comment is a line that begins with a colon. fetch() is used in place of
   EventSource, because that cannot send a POST. */

const largest = 16 * 1024 * 1024;       /* characters of one event */

/* push(text) takes the next piece; end() drops an event that is not complete. on.event({name, data, id}) gets each event
   (id: null without one), on.retry(ms) the pause that the server wants before a new connection. */
export function createParser(on) {
	let rest = "", name = "", data = [], id = null, size = 0, first = true, afterCr = false;

	function line(text) {
		if (text === "") {
			if (data.length) on.event({ name: name || "message", data: data.join("\n"), id });
			name = "";
			data = [];
			id = null;
			size = 0;
			return;
		}
		if (text[0] === ":") return;
		const colon = text.indexOf(":");
		const field = colon < 0 ? text : text.slice(0, colon);
		const value = colon < 0 ? "" : text.slice(colon + (text[colon + 1] === " " ? 2 : 1));
		if (field === "event") name = value;
		else if (field === "data") data.push(value);
		else if (field === "id" && !value.includes("\0")) id = value;
		else if (field === "retry" && /^\d+$/.test(value)) on.retry?.(Number(value));
	}

	return {
		push(text) {
			if (first && text) {
				first = false;
				if (text[0] === "\ufeff") text = text.slice(1);
			}
			if (afterCr && text[0] === "\n") text = text.slice(1);
			if (text) afterCr = text.endsWith("\r");
			size += text.length;
			if (size > largest) throw new Error("an event is larger than the page can hold");
			const lines = (rest + text).split(/\r\n|\r|\n/);
			rest = lines.pop();
			lines.forEach(line);
		},
	};
}
