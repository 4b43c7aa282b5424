/*
 * The rule base: questions about flying in a country, with each country's answer.
 *
 * Loaded from one JSON file of any of the three known shapes, then immutable and shared by all
 * threads. Blank answers and the category "ignore" are left out, because pilots must not see them.
 * Tags are normalised, country codes in upper case, answers harmless HTML.
 */
#ifndef RULES_RULEBASE_H
#define RULES_RULEBASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errs.h"

enum { RULE_CODE = 4 };               /* bytes of a country code, NUL included */

struct rule_question;

/* The answer of one country to one question. */
struct rule_entry {
	const struct rule_question *question;
	char country[RULE_CODE];
	const char *html;             /* light HTML, sanitised (rules/rule_html.h) */
	const char *text;             /* the same without tags, lines ended by LF; never blank */
	const char *const *links;     /* http, https and mailto only */
	size_t nlinks;
	const char *last_reviewed;    /* as in the file, a date; NULL: unknown */
	const char *confidence;       /* as JSON text; NULL: none */
};

struct rule_question {
	size_t index;                 /* in rulebase.questions */
	const char *id, *text, *raw, *prefix, *category;
	const char *const *tags;      /* normalised, without repetitions, in the file's order */
	size_t ntags;
	const struct rule_entry *entries;   /* by country code; may be empty */
	size_t nentries;
};

struct rule_country {
	char code[RULE_CODE];
	const struct rule_entry *const *entries;    /* by lower-case question text */
	size_t nentries;
};

/* Counts of what the file held; the rest of the base is what pilots see. */
struct rule_facts {
	size_t questions, answers;    /* each id, and each country of it, counts once */
	size_t blank, ignored;        /* answers without text; questions of the category "ignore" */
	/* values of a wrong type or without use, which were ignored */
	size_t faults;
};

struct rulebase {
	struct arena *mem;
	const struct rule_question *questions;      /* in the file's order */
	const struct rule_question *const *by_id;   /* the same in the order of their ids */
	size_t nquestions;
	size_t nanswers;                            /* of all of them */
	const struct rule_country *countries;       /* by code; only those with an entry */
	size_t ncountries;
	/* of questions with an answer; in code-point order, without repetitions */
	const char *const *categories, *const *tags;
	size_t ncategories, ntags;
	struct rule_facts facts;
};

/*
 * Load and check a file of at most 16 MB. A value of a wrong type or size counts as absent: it is
 * ignored and counted in facts.faults, and the first few are logged with their place. A later
 * question replaces an earlier one with the same id, and a later answer an earlier one of the same
 * country. ERR_IO: cannot be read; ERR_DATA: not JSON, none of the shapes, or no usable rule in it;
 * both with path and place. Free with rulebase_free().
 */
enum errcode rulebase_load(struct rulebase **out, const char *path, struct err *e);
void rulebase_free(struct rulebase *b);        /* NULL is allowed */

const struct rule_question *rulebase_question(const struct rulebase *b, const char *id);
/* The country's code in any case. NULL: it has no rules. */
const struct rule_country *rulebase_country(const struct rulebase *b, const char *code);
/* A country's answer (any case); NULL: none. */
const struct rule_entry *rule_answer(const struct rule_question *q, const char *code);
/* the tag must be normalised */
bool rule_has_tag(const struct rule_question *q, const char *tag);

/* The name of a question: its text, or its id if it has none. */
const char *rule_title(const struct rule_question *q);

/* "BE, CH, DE"; beyond 300 bytes the rest is only counted. */
const char *rulebase_codes(const struct rulebase *b, struct arena *a);

#endif
