/*
 * What is asked of the rules, after all that was said: which countries, which question.
 */
#ifndef AGENTS_AVIATION_BUILTIN_RULING_H
#define AGENTS_AVIATION_BUILTIN_RULING_H

#include "agents/aviation/builtin/speech.h"
#include "rules/rules.h"

enum ruling_kind {
	RULING_ANSWER, RULING_BROWSE, RULING_COMPARE,
	RULING_COUNTRIES /* which countries there are rules for */,
	RULING_SUBJECTS /* what they are about */,
};

enum { RULING_NATIONS = 64 };         /* as many as a tool takes */

/* Countries by code, each once. */
struct nations {
	const char *code[RULING_NATIONS];
	size_t n;
};
void nations_add(struct nations *list, const char *code);     /* NULL, or no room: nothing */
void nations_add_all(struct nations *list, const struct nations *more);

struct ruling {
	enum ruling_kind kind;
	const struct ruleset *set;            /* NULL: no rules are loaded */
	const char *question;                 /* for the tool, in the pilot's words; NULL: none */
	const char *bare;                     /* the same without countries; NULL: nothing is left */
	const char *const *tags;
	size_t ntags;
	struct nations nations;               /* may be too few: then a reply asks which */
	size_t offset, limit;                 /* RULING_BROWSE; limit 0: not said */
	bool rest;                            /* RULING_COMPARE: what it did not show is asked for */
};

/* What a message stands in. */
struct ruling_ground {
	const struct ruleset *set;
	const struct ruling *before;          /* the last one in the conversation; NULL: none */
	bool follows;                         /* nothing was said about airports since then */
	const struct nations *own;            /* countries of the airports and places it names */
	const struct nations *around;         /* countries last spoken of */
};

/* Are there countries enough for its kind? */
bool ruling_complete(const struct ruling *r);

/* Does a question about rules (speech_about() is RULES) mean the same whatever was said before? It
 * does when it names its countries and its topic. */
bool ruling_alone(const struct speech *s);

/* The meaning of a message (speech_about() is not OTHER) on its ground. NULL: it is no question
 * about rules after all. */
struct ruling *ruling_of(struct arena *a, const struct speech *s, enum about about,
    const struct ruling_ground *ground);

#endif
