/*
 * A rules file as it was written: the three shapes in one form, wrong types ignored and counted,
 * each question and each country of it once. rules/rulebase.h makes the rule base of it.
 */
#ifndef RULES_RULES_JSON_H
#define RULES_RULES_JSON_H

#include <stddef.h>

#include "base/arena.h"
#include "base/errs.h"

enum { RULES_JSON_CODE = 4 };         /* bytes of a country code, NUL included */

/* No text is NULL unless a comment says so. */
struct rules_json_answer {
	char country[RULES_JSON_CODE];      /* upper case */
	const char *html, *text;      /* sanitised, and without tags; "" for a blank answer */
	const char *const *links;     /* only addresses that may be links */
	size_t nlinks;
	const char *last_reviewed, *confidence;     /* NULL: none; confidence as JSON text */
	size_t order;                 /* of the file */
};

struct rules_json_question {
	const char *id;               /* not empty */
	const char *text, *raw, *prefix, *category;
	const char *const *tags;      /* normalised, each once */
	size_t ntags;
	struct rules_json_answer *answers;    /* by country, each once */
	size_t nanswers;
};

struct rules_json {
	struct rules_json_question *questions;    /* in the file's order */
	size_t nquestions;
	size_t faults;
};

/* Everything, the tree too, is in the arena. ERR_IO, ERR_DATA: not JSON, or none of the shapes. */
enum errcode rules_json_load(struct rules_json *out, struct arena *a, const char *path,
    struct err *e);

#endif
