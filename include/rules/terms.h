/*
 * Brings the words of pilots and the words of rules into one form.
 *
 * A text becomes a list of terms: stems of its words, and concepts, which stand for all the ways of
 * saying one thing ("FPL", "flight plan" and "flightplan" are one; "class delta" and "class D"
 * another). The concepts and their phrases are rows of conf/language/en/rule_topics.txt.
 */
#ifndef RULES_TERMS_H
#define RULES_TERMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/errs.h"
#include "rules/term_kind.h"

enum {
	TERMS_MAX = 48,               /* of one question; more are dropped */
	TERMS_MUST = 64,              /* concepts in "must" and "subject" rows */
};

struct term_how {
	unsigned char kind;           /* enum term_kind */
	unsigned char unit;           /* terms that come from the same word or phrase share it */
	/* 1 to TERMS_MUST: the number of a concept in a "must" row, such as "night". A question that mentions it is answered only by
	 * rules that mention it too. 0: any other term */
	unsigned char must;
	/* It is in a "subject" row: only the question of a rule counts, and not its answers. */
	bool subject;
	/* not said, but close to what was said: "class D" is controlled */
	bool hint;
};

/* Read and check data_dir/conf/language/en/rule_topics.txt, once a process, after facts_open() and
 * before the first thread; a look-up before it is a bug and aborts. ERR_CONFIG: file, line, reason. */
enum errcode terms_open(const char *data_dir, struct err *e);

struct terms {
	const char *term[TERMS_MAX];  /* letters and digits only, each once */
	struct term_how how[TERMS_MAX];
	size_t n;
	/* ISO-2 code of the first country named as where a flight comes from or goes to; "":
	 * none */
	char abroad[3];
};

/* The terms of a text, in its order. A long word with one typing error counts as the word of the
 * rows that it misspells. */
struct terms terms_of(struct arena *a, const char *text);

/* The same for texts of any length, with repetitions and without correcting anything. `term` is
 * valid during the call. */
typedef void term_fn(void *arg, const char *term, struct term_how how);
void terms_each(const char *text, term_fn *fn, void *arg);

/* The concept of a flight between two countries, or NULL if no row has it; valid as long as the process. */
const char *terms_border(void);

#endif
