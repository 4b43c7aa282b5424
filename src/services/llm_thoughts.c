/*
 * Only the beginning of a reply is searched: a tag in the middle is normal text.
 */
#include "services/llm_thoughts.h"

#include <string.h>

#include "base/buf.h"

static const char opening[] = "<think>", closing[] = "</think>";
enum { OPENING = sizeof(opening) - 1, CLOSING = sizeof(closing) - 1 };

static size_t blanks(const char *p)
{
	return strspn(p, " \t\r\n");
}

static void hold(struct thoughts *t, const char *p, size_t n)
{
	memmove(t->held, p, n);
	t->held[n] = '\0';
	t->n = n;
}

/* `p` is all the text since the last decision. */
static void decide(struct thoughts *t, const char *p, struct buf *out)
{
	for (;;) {
		size_t n = strlen(p);
		if (t->inside) {
			const char *end = strstr(p, closing);
			if (end == NULL) {
				size_t tail = n < CLOSING - 1 ? n : CLOSING - 1;
				hold(t, p + n - tail, tail);
				return;
			}
			t->inside = false;
			p = end + CLOSING;
			continue;
		}
		const char *word = p + blanks(p);
		size_t left = strlen(word);
		if (left >= OPENING && memcmp(word, opening, OPENING) == 0) {
			t->inside = true;
			p = word + OPENING;
		} else if (left < OPENING && n < sizeof(t->held) && memcmp(word, opening, left) == 0) {
			hold(t, p, n);
			return;
		} else {
			t->past = true;
			t->n = 0;
			buf_puts(out, p);
			return;
		}
	}
}

void thoughts_feed(struct thoughts *t, const char *text, struct buf *out)
{
	if (t->past) {
		buf_puts(out, text);
		return;
	}
	struct buf all;
	buf_init(&all, out->max);
	buf_put(&all, t->held, t->n);
	buf_puts(&all, text);
	decide(t, all.p, out);
	buf_release(&all);
}

void thoughts_end(struct thoughts *t, struct buf *out)
{
	if (!t->past && !t->inside && t->n > 0 && t->held[blanks(t->held)] != '\0')
		buf_puts(out, t->held);
}

const char *thoughts_skip(const char *text)
{
	for (;;) {
		const char *word = text + blanks(text);
		if (strncmp(word, opening, OPENING) != 0)
			return text;
		const char *end = strstr(word, closing);
		if (end == NULL)
			return "";
		text = end + CLOSING;
	}
}
