/*
 * The rule base: questions about flying in a country, with each country's answer.
 *
 * Loaded from one JSON file of any of the three known shapes, then immutable and shared by all
 * threads. What no pilot shall see is not in it: blank answers, the category "ignore". Tags are
 * normalised, country codes in upper case, answers harmless HTML.
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
	const char *const *tags;      /* normalised, each once, in the file's order */
	size_t ntags;
	const struct rule_entry *entries;   /* by country code; may be none */
	size_t nentries;
};

struct rule_country {
	char code[RULE_CODE];
	const struct rule_entry *const *entries;    /* by lower-case question text */
	size_t nentries;
};

/* What the file held; the rest of the base is what is shown of it. */
struct rule_facts {
	size_t questions, answers;    /* in the file, each id and each country of it once */
	size_t blank, ignored;        /* answers without text; questions of the category "ignore" */
	size_t faults;                /* values of a wrong type or without use, passed over */
};

struct rulebase {
	struct arena *mem;
	const struct rule_question *questions;      /* in the file's order */
	const struct rule_question *const *by_id;   /* the same in the order of their ids */
	size_t nquestions;
	size_t nanswers;                            /* of all of them */
	const struct rule_country *countries;       /* by code; only those with an entry */
	size_t ncountries;
	/* of questions with an answer; in code-point order, each once */
	const char *const *categories, *const *tags;
	size_t ncategories, ntags;
	struct rule_facts facts;
};

/*
 * Load and check a file of at most 16 MB. A value of a wrong type or beyond its size counts as absent:
 * it is passed over, counted in facts.faults, and the first few are logged with their place. A later
 * question with the same id replaces the earlier one, a later answer of a country the earlier one.
 * ERR_IO: cannot be read; ERR_DATA: not JSON, none of the shapes, or no usable rule in it; both
 * with path and place. Free with rulebase_free().
 */
enum errcode rulebase_load(struct rulebase **out, const char *path, struct err *e);
void rulebase_free(struct rulebase *b);        /* NULL is allowed */

const struct rule_question *rulebase_question(const struct rulebase *b, const char *id);
/* Any case; NULL: no rules of it. */
const struct rule_country *rulebase_country(const struct rulebase *b, const char *code);
/* A country's answer (any case); NULL: none. */
const struct rule_entry *rule_answer(const struct rule_question *q, const char *code);
bool rule_has_tag(const struct rule_question *q, const char *tag);    /* tag normalised */

/* What to call a question: its text, its id when it has none. */
const char *rule_title(const struct rule_question *q);

/* "BE, CH, DE"; past 300 they are counted. */
const char *rulebase_codes(const struct rulebase *b, struct arena *a);

#endif
