/*
 * What a child process writes to its standard error.
 *
 * It may hold anything, so it is logged at the level for debugging alone, and only the first lines of a
 * minute: a child that writes without end must not fill the disk. The last line is kept for the
 * message that says why the child ended.
 */
#include <string.h>

#include "base/log.h"
#include "services/mcp_client_own.h"

enum { LINES_MAX = 20, MINUTE_MS = 60 * 1000 };

void mcp_words_init(struct mcp_words *w, const char *server)
{
	*w = (struct mcp_words){ .server = server };
	buf_init(&w->line, MCP_WORDS_MAX);
}

void mcp_words_release(struct mcp_words *w)
{
	buf_release(&w->line);
}

static void tell_left_out(struct mcp_words *w)
{
	if (w->left_out > 0)
		log_msg(LOG_DEBUG, "mcp_child_says", "server=%s left_out=%zu", w->server, w->left_out);
	w->left_out = 0;
}

static void log_line(struct mcp_words *w, int64_t now_ms)
{
	if (!log_enabled(LOG_DEBUG))
		return;
	if (now_ms - w->since_ms >= MINUTE_MS) {
		tell_left_out(w);
		w->since_ms = now_ms;
		w->logged = 0;
	}
	if (w->logged >= LINES_MAX) {
		w->left_out++;
		return;
	}
	struct arena *a = arena_new();
	log_msg(LOG_DEBUG, "mcp_child_says", "server=%s text=\"%s\"", w->server,
	    mcp_clean_line(a, w->line.p, w->line.n, MCP_WORDS_MAX));
	arena_free(a);
	w->logged++;
}

void mcp_words_take(struct mcp_words *w, const char *p, size_t n, int64_t now_ms)
{
	for (size_t i = 0; i < n; i++) {
		const bool end = p[i] == '\n' || p[i] == '\r';
		if (end && !w->over && w->line.n > 0)
			log_line(w, now_ms);
		if (end) {
			w->over = w->line.n > 0;
			continue;
		}
		if (w->over)
			buf_clear(&w->line);
		w->over = false;
		buf_putc(&w->line, p[i]);
	}
}

const char *mcp_words_last(struct mcp_words *w, struct arena *a, int64_t now_ms)
{
	if (!w->over && w->line.n > 0)
		log_line(w, now_ms);
	tell_left_out(w);
	return mcp_clean_line(a, w->line.p, w->line.n, MCP_WORDS_MAX);
}
