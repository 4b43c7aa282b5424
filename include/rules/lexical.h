/*
 * Search by words: SQLite's FTS5 in memory, bm25 over questions, answers, tags and categories,
 * with stemming and the synonyms of rules/terms.h.
 */
#ifndef RULES_LEXICAL_H
#define RULES_LEXICAL_H

#include <stdint.h>

#include "rules/rulebase.h"

struct lexical;

/* A question that was found. */
struct rule_hit {
	const struct rule_question *question;
	double similarity;        /* 0 to 1: how much of the text it covers */
};

/* Index a base, which must outlive the index. ERR_DATA, ERR_INTERNAL. Thread-safe from then on. */
enum errcode lexical_open(struct lexical **out, const struct rulebase *b, struct err *e);
void lexical_close(struct lexical *l);         /* NULL is allowed */

/*
 * The questions nearest to a text, best first, at most max. Only questions that one of the
 * countries answers (n 0: any country), and the answers of these countries count too. `tags`
 * (normalised) are hints: they raise questions that have them and exclude none. The similarity is
 * scaled so that rag.retrieval.similarity_threshold, 0.25 to 0.3, separates rules that answer a
 * question from rules that only share words with it.
 */
enum errcode lexical_search(struct lexical *l, struct arena *a, const char *text,
    const char *const *countries, size_t ncountries, const char *const *tags, size_t ntags,
    struct rule_hit *hits, size_t max, size_t *n, struct err *e);

/* How far the search by words can judge a text and a question of the base, 0 to 1. It is 0 unless both name topics
 * of conf/language/en/rule_topics.txt. It grows with the share of the base's questions that name a topic. */
double lexical_knows(const struct lexical *l, struct arena *a, const char *text, const struct rule_question *q);

/* The concepts of "must" rows of that file, such as "night" or "oxygen", that a text mentions, as a set. */
uint64_t lexical_musts(struct arena *a, const char *text);
/* Are all of them mentioned in the question of the base, its tags, its category, or its answers of these countries (n 0: of any)? */
bool lexical_mentions(const struct lexical *l, const struct rule_question *q, uint64_t musts, const char *const *countries, size_t n);

/* The tags of the base that a text is about, in the base's order; *n 0: none. */
const char *const *lexical_tags(const struct lexical *l, struct arena *a, const char *text,
    size_t *n);

#endif
