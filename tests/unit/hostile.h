/*
 * Conversations that are made to cost their reader as much as possible: one row a shape.
 */
#ifndef TESTS_UNIT_HOSTILE_H
#define TESTS_UNIT_HOSTILE_H

#include <string.h>

#include "base/arena.h"
#include "services/store.h"

struct hostile {
	const char *name;
	const char *piece;            /* repeated, it is the text of each of the pilot's messages */
	size_t bytes;                 /* … up to this length */
	size_t turns;                 /* number of these messages */
	/* repeated, it is the answer after each; NULL: there are none */
	const char *answer;
	size_t answer_bytes;
	const char *last;             /* a message after all of them; NULL: there is none */
	const char *first;            /* a message before them; NULL: there is none */
};

enum { KB = 1024 };

static const struct hostile hostile_shapes[] = {
	{ "strange names", "and Zzz Yyy ", 16 * KB, 12, NULL, 0, NULL, NULL },
	{ "strange names, then a follow-up", "and Zzz Yyy ", 16 * KB, 12, "ok ", 10, "and with avgas?", NULL },
	{ "strange names, 20 turns", "and Zzz Yyy ", 16 * KB, 20, "ok ", 10, "and with avgas?", NULL },
	{ "small strange names", "and zzzzz yyyyyy ", 16 * KB, 12, NULL, 0, NULL, NULL },
	{ "sentences about rules", "And what about a transponder in Germany, and Zzzz? ", 16 * KB, 12,
	  NULL, 0, NULL, NULL },
	{ "long sentences about rules", "and do I need a transponder or a clearance for class D ", 16 * KB,
	  12, "ok ", 10, NULL, NULL },
	{ "short sentences", "Why Zyx? ", 16 * KB, 12, NULL, 0, NULL, NULL },
	{ "shortest sentences", "Zyx Zyw Zyv. ", 64 * KB, 12, "ok ", 10, NULL, NULL },
	{ "both", "Find airports near Lyon, and do I need a flight plan in France? ", 4 * KB, 20, "ok ", 10,
	  NULL, NULL },
	{ "both, short", "and which airports, and can I fly VFR in France and ", 290, 20, "ok ", 10, NULL, NULL },
	{ "codes", "EGTF LFMD ", 16 * KB, 20, "ok ", 10, NULL, NULL },
	{ "codes that are none", "XQZW and QZWX ", 16 * KB, 20, "ok ", 10, NULL, NULL },
	{ "numbers", "1 2 3.5 ", 16 * KB, 20, "ok ", 10, NULL, NULL },
	{ "coordinates", "48.8, 2.2 N48 E2 -1 ", 16 * KB, 20, "ok ", 10, NULL, NULL },
	{ "degrees", "-1.1, -1.1 -1.1, ", 64 * KB, 20, "ok ", 10, NULL, NULL },
	{ "between", "between Zyxw and Wzyx ", 16 * KB, 20, "ok ", 10, NULL, NULL },
	{ "to", "from Lyon to Nice to ", 16 * KB, 20, "ok ", 10, NULL, NULL },
	{ "capitals", "WHERE IS THE AIRPORT AND THE FUEL OF ", 16 * KB, 20, "ok ", 10, NULL, NULL },
	{ "commas", ",", 16 * KB, 20, "ok ", 10, NULL, NULL },
	{ "names with hyphens", "zyxw-", 16 * KB, 20, "ok ", 10, NULL, NULL },
	{ "one long word", "x", 64 * KB, 15, "ok ", 10, NULL, NULL },
	{ "one long number", "9", 64 * KB, 15, "ok ", 10, NULL, NULL },
	{ "not ASCII", "\xd0\x9b\xd0\xb6 \xc5\x81\xc3\xb3\xe2\x80\x99 ", 16 * KB, 20, "ok ", 10, NULL, NULL },
	{ "no blanks, not ASCII", "\xe2\x80\x99\xf0\x9f\x98\x80\xc3\xa9", 64 * KB, 15, "ok ", 10, NULL, NULL },
	{ "countries", "France Germany, Italy and the United Kingdom ", 16 * KB, 20, "ok ", 10, NULL, NULL },
	{ "countries misspelt", "Switzerlandd and Germnay Itally Swedden ", 16 * KB, 20, "ok ", 10, NULL, NULL },
	{ "towns", "near San Francisco and St. Moritz or Frankfurt am Main ", 16 * KB, 20, "ok ", 10, NULL, NULL },
	{ "unknown towns", "near Xan Yrancisco Zzz of Wwww Qqqq ", 16 * KB, 20, "ok ", 10, NULL, NULL },
	{ "slips", "restaurent aiport runwya custms transpondre cleerance ", 16 * KB, 20, "ok ", 10, NULL, NULL },
	{ "answers that are lists", "tell me about the second one", 28, 20, "1. **Lyon** (LFLY) x\n", 16 * KB,
	  NULL, "airports near Lyon" },
	{ "answers with lines", "tell me about the second one", 28, 20, "1. (((\n\n\n", 48 * KB, NULL,
	  "airports near Lyon" },
	{ "answers with brackets", "tell me about the ninth one", 27, 20, "2. (ABC (ABC (ABC ", 64 * KB, NULL,
	  "airports near Lyon" },
	{ "answers with codes", "and the ninth one?", 18, 20, "(LFLY) ABCD XQZW ", 48 * KB, NULL,
	  "airports near Lyon" },
	{ "answers with codes that are none", "how long is the runway there?", 29, 20, "XQZW,QZWX;", 48 * KB,
	  NULL, "airports near Lyon" },
	{ "one long message", "and Zzz Yyy ", 64 * KB, 1, NULL, 0, NULL, NULL },
	{ "one long message of rules", "Must I file a plan, and Zzz? ", 64 * KB, 1, NULL, 0, NULL, NULL },
	{ "long messages", "and do I need Zzz for Yyy, ", 64 * KB, 15, "ok ", 10, NULL, NULL },
	{ "long messages in 40", "Zzz and do I need Zzz for Yyy. ", 24 * KB, 40, NULL, 0, NULL, NULL },
	{ "a thousand small ones", "and with avgas?", 15, 500, "ok ", 3, NULL, NULL },
	{ "a thousand small ones of rules", "and in Zzzzzz what about it?", 28, 500, "ok ", 3, NULL, NULL },
	{ "small ones that lean", "do i and what of Zyxw Yxwz Wwww near a Zz, b Yyyy? ", 299, 500, NULL, 0,
	  NULL, NULL },
};
enum { HOSTILE_SHAPES = sizeof(hostile_shapes) / sizeof(hostile_shapes[0]) };

static inline const char *hostile_text(struct arena *a, const char *piece, size_t bytes)
{
	char *out = arena_alloc(a, bytes + 1);
	size_t n = strlen(piece);
	for (size_t i = 0; i < bytes; i++)
		out[i] = piece[i % n];
	return out;
}

/* The messages of a shape; no two of the pilot's messages are equal. *n: their number. */
static inline struct message *hostile_messages(struct arena *a, const struct hostile *h, size_t *n)
{
	struct message *m = arena_array(a, 2 * h->turns + 3, sizeof(*m));
	*n = 0;
	if (h->first != NULL)
		m[(*n)++] = (struct message)MESSAGE("user", h->first);
	if (h->first != NULL && h->answer != NULL)
		m[(*n)++] = (struct message)MESSAGE("assistant", hostile_text(a, h->answer, h->answer_bytes));
	for (size_t i = 0; i < h->turns; i++) {
		const char *text = hostile_text(a, h->piece, h->bytes);
		m[(*n)++] = (struct message)MESSAGE("user", h->answer != NULL ? text :
		    arena_printf(a, "%zu %s", i, text));
		if (h->answer != NULL && (i + 1 < h->turns || h->last != NULL))
			m[(*n)++] = (struct message)MESSAGE("assistant",
				hostile_text(a, h->answer, h->answer_bytes));
	}
	if (h->last != NULL)
		m[(*n)++] = (struct message)MESSAGE("user", h->last);
	return m;
}

#endif
