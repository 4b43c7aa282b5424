/*
 * What one message says in terms of rules: the words that matter, the countries it names, and
 * whether it is about rules at all. Knows nothing of the conversation.
 */
#ifndef AGENTS_AVIATION_BUILTIN_RULES_READING_H
#define AGENTS_AVIATION_BUILTIN_RULES_READING_H

#include <stdbool.h>
#include <stddef.h>

#include "agents/aviation/builtin/query.h"
#include "rules/rulebase.h"

/* What a word or phrase of lexicon_rules.c is; bits. */
enum mark {
	MARK_TOPIC     = 1 << 0,      /* only rules speak of it: transponder, flight plan */
	MARK_HINT      = 1 << 1,      /* airports may speak of it as well: night, IFR */
	MARK_BORDER    = 1 << 2,      /* customs: most often an airport is wanted */
	MARK_NOTICE    = 1 << 3,      /* PPR: at one airport it is a notice, else a rule */
	MARK_MUST      = 1 << 4,      /* do I need, mandatory */
	MARK_MAY       = 1 << 5,      /* can I, allowed, how do I */
	MARK_NEED      = 1 << 6,      /* I need: a wish as often as an obligation */
	MARK_ASK       = 1 << 7,      /* is, what, which */
	MARK_RULES     = 1 << 8,
	MARK_COMPARE   = 1 << 9,
	MARK_BROWSE    = 1 << 10,     /* show, all, overview */
	MARK_MORE      = 1 << 11,
	MARK_HAVE      = 1 << 12,     /* do you have, covered: about the base itself */
	MARK_SUBJECTS  = 1 << 13,     /* topics, categories */
	MARK_EVERY     = 1 << 14,     /* which countries, across Europe */
	MARK_NEIGHBOUR = 1 << 15,
	MARK_GENERAL   = 1 << 16,     /* what should I know */
	MARK_KNOW      = 1 << 17,     /* I know, I'm based: before the country one comes from */
	MARK_SAME      = 1 << 18,     /* the same for */
	MARK_LEAD      = 1 << 19,     /* and, what about */
	MARK_THERE     = 1 << 20,     /* there, that, it */
	MARK_VOID      = 1 << 21,     /* no weight */
	MARK_SEEK      = 1 << 22,     /* find, show: before a noun, airports are looked for */
	MARK_COUNTRY   = 1 << 23,     /* a country's name; no row has it */
};
enum { MARK_FORM = MARK_MUST | MARK_MAY };

extern const struct lex_row lexicon_rules[];
extern const size_t lexicon_nrules;

/* Of a long message the last words are read, since the question comes last. */
enum { RULES_READING_COUNTRIES = 24, RULES_READING_TOKENS = 160 };

/* A country and the tokens that name it. */
struct country_mention {
	const char *code;             /* ISO-2 */
	size_t first, last;
	bool origin;                  /* of the pilot or the aircraft: "as a German pilot" */
};

struct rules_reading {
	const char *text;
	struct lexed x;
	unsigned marks;               /* of all tokens */
	unsigned *mark;               /* of each token; 0: a word or sign nobody knows */
	struct country_mention country[RULES_READING_COUNTRIES];
	size_t ncountries;              /* named, each once */
	size_t topics;                /* TOPIC, other than notices */
	size_t strange;               /* words that are not known */
	double number;                /* how many rules; NaN: not said */
	bool leads;                   /* begins with "and", "what about" */
};

/* Read a message. The countries of rd->base are those whose codes are most likely meant. */
struct rules_reading *rules_reading_read(const struct reader *rd, const char *text);

/* Is it about rules? OPEN: it may go on from what was said about rules before. */
enum about { ABOUT_OTHER, ABOUT_OPEN, ABOUT_RULES };
enum about rules_reading_about(const struct rules_reading *s, const struct query *q);
/* When that is not sure: how near must a rule be (rule_hit.similarity) to make it one?
 * Infinity: it is none however near. */
double rules_reading_doubt(const struct rules_reading *s, const struct query *q);

/* Does it ask for the notice that one airport wants ("PPR at LFMD?")? */
bool rules_reading_notice(const struct rules_reading *s, const struct query *q);

/* Is there something it asks about, besides countries? */
bool rules_reading_subject(const struct rules_reading *s);
/* The question without the countries, "and", "compare": what is the same in every country.
 * NULL when nothing is left. */
const char *rules_reading_bare(struct arena *a, const struct rules_reading *s);
/* Do the tags say all of its subject ("transponder rules": the tag transponder)? */
bool rules_reading_covered(const struct rules_reading *s, const char *const *tags, size_t ntags);

/* Is a word one of an array's? */
bool word_of(const char *word, const char *const *rows, size_t n);
#define WORD_OF(word, rows) word_of(word, rows, sizeof(rows) / sizeof((rows)[0]))

/* -- country_mentions.c ------------------------------------------------------------------- */

/* The country named at token i; false: none. known: the vocabulary has the token, so that it is no
 * name, and at most a code. Codes are looked at with what stands around them: s->mark of the tokens
 * before i must be set. */
bool country_mention_at(const struct reader *rd, const struct rules_reading *s, size_t i, bool known,
    struct country_mention *out);

#endif
