/*
 * A reply in one line, for comparisons: the pieces that the parser handed on, and what it found.
 * For the unit tests and the fuzzer.
 *
 *   [Hello][ you] AviationPlan({"a":1}) stop 12/3 fine
 */
#ifndef TESTS_UNIT_LLM_SUMMARY_H
#define TESTS_UNIT_LLM_SUMMARY_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "services/llm_parse.h"

static const char *const summary_verdicts[VERDICT__MAX] = {
	"fine", "stopped", "refused", "html", "not json", "nothing", "no message", "cut", "filtered",
	"too big",
};

/* Does the parser keep its promises, whatever the input was? */
static inline bool summary_sound(const struct llm_parse *r, const struct buf *handed_on)
{
	if (r->ncalls > PARSE_CALLS || !utf8_valid(handed_on->p, handed_on->n) ||
	    strlen(handed_on->p) != handed_on->n || r->text.n != handed_on->n ||
	    memcmp(r->text.p, handed_on->p, handed_on->n) != 0)
		return false;
	for (size_t i = 0; r->verdict == VERDICT_FINE && i < r->ncalls; i++)
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
static inline bool summarize(struct buf *out, const struct llm_dialect *d, const char *type,
    const char *p, size_t n, const size_t *ends, size_t nends, size_t max)
{
	struct summary s;
	struct llm_parse r;
	enum errcode rc = OK;
	buf_init(&s.line, SIZE_MAX / 2);
	buf_init(&s.text, SIZE_MAX / 2);
	llm_parse_init(&r, d, max, summary_piece, &s);
	size_t at = 0;
	for (size_t i = 0; i < nends && rc == OK; i++) {
		size_t end = ends[i] > n ? n : ends[i];
		if (end < at)
			continue;
		char *piece = malloc(end - at + (end == at));
		memcpy(piece, p + at, end - at);
		rc = llm_parse_feed(&r, type, piece, end - at);
		free(piece);
		at = end;
	}
	if (rc == OK)
		rc = llm_parse_end(&r);
	for (size_t i = 0; i < r.ncalls; i++)
		buf_printf(&s.line, " %s(%s)", r.calls[i].name.p, r.calls[i].arguments.p);
	buf_printf(&s.line, " %s %lld/%lld %s", r.finish, (long long)r.input, (long long)r.output,
	    summary_verdicts[r.verdict]);
	if (r.verdict == VERDICT_REFUSED)
		buf_printf(&s.line, ": %d,%s,%s,%s,%s", r.error.status, r.error.code, r.error.type,
		    r.error.param, r.error.message);
	bool sound = ((rc == OK) == (r.verdict == VERDICT_FINE)) &&
	    (r.verdict == VERDICT_STOPPED || summary_sound(&r, &s.text));
	buf_clear(out);
	buf_put(out, s.line.p, s.line.n);
	llm_parse_release(&r);
	buf_release(&s.line);
	buf_release(&s.text);
	return sound;
}

#endif
