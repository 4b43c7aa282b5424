/*
 * A reply in one line, for comparisons: the pieces that the parser handed on, and what it found.
 * For the unit tests and the fuzzer.
 *
 *   [Hello][ you] AviationPlan({"a":1}) stop 12/3 fine
 */
#ifndef TESTS_UNIT_OPENAI_SUMMARY_H
#define TESTS_UNIT_OPENAI_SUMMARY_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "services/llm_openai_reply.h"

static const char *const summary_verdicts[OPENAI__MAX] = {
	"fine", "stopped", "refused", "html", "not json", "nothing", "no choices", "cut", "filtered",
	"too big",
};

/* Does the parser keep its promises, whatever the input was? */
static inline bool summary_sound(const struct openai_reply *r, const struct buf *handed_on)
{
	if (r->ncalls > OPENAI_CALLS || !utf8_valid(handed_on->p, handed_on->n) ||
	    strlen(handed_on->p) != handed_on->n || r->text.n != handed_on->n ||
	    memcmp(r->text.p, handed_on->p, handed_on->n) != 0)
		return false;
	for (size_t i = 0; r->verdict == OPENAI_FINE && i < r->ncalls; i++)
		if (!utf8_valid(r->calls[i].name.p, r->calls[i].name.n) ||
		    !utf8_valid(r->calls[i].arguments.p, r->calls[i].arguments.n) ||
		    strlen(r->calls[i].arguments.p) != r->calls[i].arguments.n)
			return false;
	return true;
}

struct summary {
	struct buf line, text;
};

static enum errcode summary_piece(void *arg, const char *text)
{
	struct summary *s = arg;
	if (strstr(text, "STOP") != NULL)
		return ERR_HUP;
	buf_printf(&s->line, "[%s]", text);
	buf_puts(&s->text, text);
	return OK;
}

/* Feed n bytes in pieces that end where `ends` says (the last at n). Each piece is a copy, so that
 * a read beyond its end is noticed. False: the parser broke a promise. */
static inline bool summarize(struct buf *out, const char *type, const char *p, size_t n,
    const size_t *ends, size_t nends, size_t max)
{
	struct summary s;
	struct openai_reply r;
	enum errcode rc = OK;
	buf_init(&s.line, SIZE_MAX / 2);
	buf_init(&s.text, SIZE_MAX / 2);
	openai_reply_init(&r, max, summary_piece, &s);
	size_t at = 0;
	for (size_t i = 0; i < nends && rc == OK; i++) {
		size_t end = ends[i] > n ? n : ends[i];
		if (end < at)
			continue;
		char *piece = malloc(end - at + (end == at));
		memcpy(piece, p + at, end - at);
		rc = openai_reply_feed(&r, type, piece, end - at);
		free(piece);
		at = end;
	}
	if (rc == OK)
		rc = openai_reply_end(&r);
	for (size_t i = 0; i < r.ncalls; i++)
		buf_printf(&s.line, " %s(%s)", r.calls[i].name.p, r.calls[i].arguments.p);
	buf_printf(&s.line, " %s %lld/%lld %s", r.finish, (long long)r.input, (long long)r.output,
	    summary_verdicts[r.verdict]);
	if (r.verdict == OPENAI_REFUSED)
		buf_printf(&s.line, ": %d,%s,%s,%s,%s", r.error.status, r.error.code, r.error.type,
		    r.error.param, r.error.message);
	bool sound = ((rc == OK) == (r.verdict == OPENAI_FINE)) &&
	    (r.verdict == OPENAI_STOPPED || summary_sound(&r, &s.text));
	buf_clear(out);
	buf_put(out, s.line.p, s.line.n);
	openai_reply_release(&r);
	buf_release(&s.line);
	buf_release(&s.text);
	return sound;
}

#endif
