/*
 * The meaning of one message in terms of rules: the words that matter, the countries it names, and
 * whether it is about rules at all. Knows nothing of the conversation.
 */
#ifndef AGENTS_AVIATION_BUILTIN_RULES_READING_H
#define AGENTS_AVIATION_BUILTIN_RULES_READING_H

#include <stdbool.h>
#include <stddef.h>

#include "agents/aviation/builtin/query.h"
#include "agents/aviation/builtin/word_lists.h"
#include "rules/rulebase.h"

/* What a word or phrase of rule_words.txt is; bits. */
enum mark {
	MARK_TOPIC     = 1 << 0,      /* only rules use it: transponder, flight plan */
	MARK_HINT      = 1 << 1,      /* airports may have it as well: night, IFR */
	MARK_BORDER    = 1 << 2,      /* customs: most often the pilot wants an airport */
	MARK_NOTICE    = 1 << 3,      /* PPR: for one airport it is a notice, else a rule */
	MARK_MUST      = 1 << 4,      /* do I need, mandatory */
	MARK_MAY       = 1 << 5,      /* can I, allowed, how do I */
	MARK_NEED      = 1 << 6,      /* I need: may be a wish or an obligation */
	MARK_ASK       = 1 << 7,      /* is, what, which */
	MARK_RULES     = 1 << 8,
	MARK_COMPARE   = 1 << 9,
	MARK_BROWSE    = 1 << 10,     /* show, all, overview */
	MARK_MORE      = 1 << 11,
	MARK_HAVE      = 1 << 12,     /* do you have, covered: about the rule base itself */
	MARK_SUBJECTS  = 1 << 13,     /* topics, categories */
	MARK_EVERY     = 1 << 14,     /* which countries, across Europe */
	MARK_NEIGHBOUR = 1 << 15,
	MARK_GENERAL   = 1 << 16,     /* what should I know */
	MARK_KNOW      = 1 << 17,     /* I know, I'm based: comes before one's own country */
	MARK_SAME      = 1 << 18,     /* comes before the other country */
	MARK_LEAD      = 1 << 19,     /* and, what about */
	MARK_THERE     = 1 << 20,     /* there, that, it */
	MARK_VOID      = 1 << 21,     /* no meaning */
	MARK_SEEK      = 1 << 22,     /* find, show: before a noun, airports are looked for */
	MARK_COUNTRY   = 1 << 23,     /* a country's name; it comes from no row */
};
enum { MARK_FORM = MARK_MUST | MARK_MAY };

/* Of a long message the last words are read, because the question comes last. */
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
	unsigned *mark;               /* of each token; 0: an unknown word or sign */
	struct country_mention country[RULES_READING_COUNTRIES];
	size_t ncountries;              /* the countries it names, each once */
	size_t topics;                /* TOPIC words, other than notices */
	size_t strange;               /* words that are not known */
	double number;                /* how many rules; NaN: not said */
	bool leads;                   /* begins with "and", "what about" */
};

/* Read a message. Codes are most likely those of countries in rd->base. */
struct rules_reading *rules_reading_read(const struct reader *rd, const char *text);

/* Is it about rules? OPEN: it may continue an earlier question about rules. */
enum about { ABOUT_OTHER, ABOUT_OPEN, ABOUT_RULES };
enum about rules_reading_about(const struct rules_reading *s, const struct query *q);
/* Is an airport named and nothing said of rules ("tell me about LFMD")? Then it goes on from no question
 * about rules, unless that asked for the country. */
bool rules_reading_airport(const struct rules_reading *s, const struct query *q);
/* If that is not certain: how near must a rule be (rule_hit.similarity) to make it a question about
 * rules? Infinity: no rule can. */
double rules_reading_doubt(const struct rules_reading *s, const struct query *q);

/* Does it ask for the notice that one airport wants ("PPR at LFMD?")? */
bool rules_reading_notice(const struct rules_reading *s, const struct query *q);

/* Does it ask about something besides countries? */
bool rules_reading_subject(const struct rules_reading *s);
/* The question without the countries, "and", "compare": the part that is the same for every
 * country. NULL if nothing is left. */
const char *rules_reading_bare(struct arena *a, const struct rules_reading *s);
/* Do the tags express its whole subject ("transponder rules": the tag transponder)? */
bool rules_reading_covered(const struct rules_reading *s, const char *const *tags, size_t ntags);

/* -- country_mentions.c ------------------------------------------------------------------- */

/* The country that is named at token i. False: none is. known: the vocabulary has the token, so it
 * is not a name, but may be a code. Codes depend on the words around them: s->mark of the tokens
 * before i must be set. */
bool country_mention_at(const struct reader *rd, const struct rules_reading *s, size_t i,
    bool known, struct country_mention *out);

#endif
