/* Parts of the page: elements, the Markdown of answers, and reading a stream of events. */

export function element(tag, text, attributes) {
	const el = document.createElement(tag);
	if (text !== undefined) el.textContent = text;
	for (const [name, value] of Object.entries(attributes || {})) el.setAttribute(name, value);
	return el;
}

/* Bold, code and web addresses of one line; a model may also write [text](address). */
function inline(to, line) {
	for (const p of line.split(/(\*\*[^*]+\*\*|`[^`]+`|\[[^\]]+\]\(https?:[^)\s]+\)|https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/)) {
		const link = /^\[([^\]]+)\]\((https?:[^)\s]+)\)$/.exec(p) || /^((https?:\/\/.+))$/.exec(p);
		if (link)
			to.append(element("a", link[1], { href: link[2], rel: "noopener nofollow", target: "_blank" }));
		else if (p.startsWith("**") && p.length > 4)
			to.append(element("strong", p.slice(2, -2)));
		else if (p.startsWith("`") && p.length > 2)
			to.append(element("code", p.slice(1, -1)));
		else
			to.append(p);
	}
}

/* The answer's Markdown as elements, as far as it is used: text from the server is never read as
   HTML. */
export function render(div, markdown) {
	div.textContent = "";
	for (const line of markdown.split(/(?<=\n)/)) {
		const head = /^#{1,3} +(.*)/.exec(line);
		if (head) inline(div, "**" + head[1].replace(/\*\*/g, "") + "**\n");
		else inline(div, line);
	}
}

/* Call on[name](data) for each event of a response. */
export async function readEvents(response, on) {
	const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
	for (let rest = "";;) {
		const { value, done } = await reader.read();
		if (done) return;
		const blocks = (rest + value).split("\n\n");
		rest = blocks.pop();
		for (const block of blocks) {
			const name = /^event: (.*)$/m.exec(block), data = /^data: (.*)$/m.exec(block);
			if (name && data && on[name[1]]) on[name[1]](JSON.parse(data[1]));
		}
	}
}
