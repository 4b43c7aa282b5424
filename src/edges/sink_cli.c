/*
 * On a terminal the reasoning is shown dimmed above the answer, and the ids below it, so that the
 * next question can continue the thread. In a pipe only the answer is written.
 */
#include "edges/sink_cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/jsn.h"
#include "base/str.h"
#include "edges/wire.h"

enum { LINE_BYTES = 64 << 20 };

static enum errcode emit_json(struct sink_cli *c, const struct event *ev)
{
	struct buf b;
	buf_init(&b, LINE_BYTES);
	buf_printf(&b, "{\"event\": \"%s\", \"data\": ", event_name(ev->kind));
	wire_print(&b, ev);
	buf_puts(&b, "}\n");
	bool ok = fwrite(b.p, 1, b.n, c->out) == b.n && fflush(c->out) == 0;
	buf_release(&b);
	return ok ? OK : ERR_HUP;
}

/* The text of data and models may hold escape sequences; none may reach a terminal. */
static void put_text(struct sink_cli *c, const char *s)
{
	size_t left = strlen(s), len;
	bool plain;
	for (; left > 0; s += len, left -= len) {
		len = str_next(s, left, &plain);
		if (plain || *s == '\n' || *s == '\t')
			fwrite(s, 1, len, c->out);
	}
}

static void put_dim(struct sink_cli *c, const char *text)
{
	fputs("\033[2m", c->out);
	put_text(c, text);
	fputs("\033[0m\n", c->out);
}

/* Below the answer: how to continue, and how many tokens it cost. */
static void put_done(struct sink_cli *c, struct json_object *done)
{
	struct json_object *tokens = jsn_get(done, "tokens");
	fputs("\033[2m\n--thread ", c->out);
	put_text(c, jsn_get_str(done, "thread_id", ""));
	if (jsn_get_int(tokens, "total", 0) > 0)
		fprintf(c->out, "   tokens: %lld in, %lld out%s",
		    (long long)jsn_get_int(tokens, "input", 0),
		    (long long)jsn_get_int(tokens, "output", 0),
		    jsn_get_bool(tokens, "estimated", false) ? " (estimated)" : "");
	fputs("\033[0m\n", c->out);
}

static enum errcode emit(struct sink *s, const struct event *ev)
{
	struct sink_cli *c = (struct sink_cli *)s;
	if (c->json)
		return emit_json(c, ev);
	switch (ev->kind) {
	case EV_THINKING:
		if (c->tty)
			put_dim(c, ev->text);
		break;
	case EV_TEXT:
		put_text(c, ev->text);
		c->text_open = true;
		break;
	case EV_DONE:
		if (c->text_open)
			fputc('\n', c->out);
		if (c->tty)
			put_done(c, ev->data);
		break;
	case EV_TOOL_START:     /* what is said after the call is another piece of the answer */
		if (c->text_open)
			fputs("\n\n", c->out);
		c->text_open = false;
		break;
	case EV_PLAN:
	case EV_TOOL_END:
	case EV_THINKING_DONE:
	case EV_ERROR:          /* the apology is in the answer's text */
	case EV_UI_PAYLOAD:
	case EV_FINAL:
	case EV__MAX:
		break;
	}
	return fflush(c->out) == 0 ? OK : ERR_HUP;
}

void sink_cli_init(struct sink_cli *s, FILE *out, bool json)
{
	static const struct sink_ops ops = { "terminal", .emit = emit };
	*s = (struct sink_cli){ .sink = { &ops }, .out = out, .json = json,
		.tty = !json && isatty(fileno(out)) && getenv("NO_COLOR") == NULL };
}
