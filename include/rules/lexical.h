/*
 * Search by words: SQLite's FTS5 in memory, bm25 over questions, answers, tags and categories,
 * with stemming and the synonyms of rules/terms.h.
 */
#ifndef RULES_LEXICAL_H
#define RULES_LEXICAL_H

#include "rules/rulebase.h"

struct lexical;

/* A question found. */
struct rule_hit {
	const struct rule_question *question;
	double similarity;        /* 0 to 1: how much of what was asked it speaks of */
};

/* Index a base, which must outlive it. ERR_DATA, ERR_INTERNAL. Thread-safe from then on. */
enum errcode lexical_open(struct lexical **out, const struct rulebase *b, struct err *e);
void lexical_close(struct lexical *l);         /* NULL is allowed */

/*
 * The questions nearest to a text, best first, at most max. Only questions that one of the countries
 * has an answer to (n 0: any country), and answers of these countries speak with. `tags`
 * (normalised) are hints: they raise what has them and exclude nothing. The similarity
 * is scaled so that rag.retrieval.similarity_threshold, 0.25 to 0.3, parts what answers a
 * question from what only shares words with it.
 */
enum errcode lexical_search(struct lexical *l, struct arena *a, const char *text,
    const char *const *countries, size_t ncountries, const char *const *tags, size_t ntags,
    struct rule_hit *hits, size_t max, size_t *n, struct err *e);

/* Tags of the base that a text speaks of, in the base's order; *n 0: none. */
const char *const *lexical_tags(const struct lexical *l, struct arena *a, const char *text,
    size_t *n);

#endif
