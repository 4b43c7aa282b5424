/*
 * A rules file as it was written: the three shapes brought to one, wrong types passed over and
 * counted, each question and each country of it once. What is made of it: rules/rulebase.h.
 */
#ifndef RULES_RULELOAD_H
#define RULES_RULELOAD_H

#include <stddef.h>

#include "base/arena.h"
#include "base/errs.h"
#include "rules/rulebase.h"

/* No text is NULL unless said. */
struct loaded_answer {
	char country[RULE_CODE];      /* upper case */
	const char *html, *text;      /* sanitised, and without tags: "" for a blank answer */
	const char *const *links;     /* those that may be followed */
	size_t nlinks;
	const char *last_reviewed, *confidence;     /* NULL: none; confidence as JSON text */
	size_t order;                 /* of the file */
};

struct loaded_question {
	const char *id;               /* not empty */
	const char *text, *raw, *prefix, *category;
	const char *const *tags;      /* normalised, each once */
	size_t ntags;
	struct loaded_answer *answers;    /* by country, each once */
	size_t nanswers;
};

struct loaded_rules {
	struct loaded_question *questions;    /* in the file's order */
	size_t nquestions;
	size_t faults;
};

/* Everything, the tree too, is in the arena. ERR_IO, ERR_DATA: not JSON, or none of the shapes. */
enum errcode rules_load(struct loaded_rules *out, struct arena *a, const char *path,
    struct err *e);

#endif
