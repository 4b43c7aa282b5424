/*
 * The texts of replies as the files conf/language/LANGUAGE/replies.txt have them, shared by the
 * reading of the files (replies_read.c) and the making of replies (replies.c).
 */
#ifndef AGENTS_AVIATION_BUILTIN_REPLIES_OWN_H
#define AGENTS_AVIATION_BUILTIN_REPLIES_OWN_H

#include "agents/aviation/builtin/replies.h"

enum { REPLY_EXAMPLES = 6 };

struct reply_texts {
	const char *language;                 /* "fr", long-lived */
	struct reply_row {
		const char *text;             /* NULL: there is none */
		bool offer;
		const char *example[REPLY_EXAMPLES];
		size_t n;
	} row[REPLY__MAX][2];                 /* without and with rules */
};

/* A name in braces. */
struct reply_value {
	const char *name;
	const char *(*of)(struct arena *a, const struct reply_facts *f);    /* NULL: there is none */
	const char *as;               /* another form of this value, which a translation may need; NULL: of none */
	bool optional;                /* a translation may leave it out */
};

/* The value whose name is before the "}"; NULL: there is none. */
const struct reply_value *reply_value_named(const char *p);

/* The i-th language in use, English first; NULL: there is none. Before replies_open() it aborts. */
const struct reply_texts *replies_at(size_t i);

#endif
