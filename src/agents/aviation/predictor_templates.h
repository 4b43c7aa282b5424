/*
 * The predictor's templates as C structs. Only the loader and the engine use them.
 */
#ifndef AGENTS_AVIATION_PREDICTOR_TEMPLATES_H
#define AGENTS_AVIATION_PREDICTOR_TEMPLATES_H

#include <stdbool.h>
#include <stddef.h>

#include "agents/aviation/predictor.h"

enum { QUESTIONS_MAX = 20 };         /* of one rule category */

/* What a template may name; the value is the first one that the plan names. */
enum entity { ENTITY_NONE, ENTITY_ICAO, ENTITY_COUNTRY, ENTITY_LOCATION, ENTITY__MAX };

/* One possible suggestion, and when it is made. */
struct suggestion {
	const char *text;             /* with {icao}, {country} or {location} */
	const struct tool *tool;      /* the tool that answers it */
	const char *category;
	int priority;
	/* made only if this filter is not applied; NULL: no such condition */
	const char *filter;
	enum entity entity;           /* made only if the plan names one of these */
	enum entity requires;         /* … and also one of these */
	bool only_one;                /* … and exactly one */
	/* not made if the user's text contains this; NULL: no such condition */
	const char *unless_text;
	/* of a rule category, whose questions are the suggestions; then text is NULL */
	const char *rules;            /* its name */
	size_t questions;             /* how many of them, at most QUESTIONS_MAX */
};

/* In the order in which suggestions are made. If there is a rule base, questions of rule categories
 * replace the fallback queries. */
enum section { SECTION_FIXED, SECTION_FILTERS, SECTION_ENTITIES, SECTION_RULES, SECTION_FALLBACK,
	SECTION__MAX };

/* The suggestions after one tool. */
struct templates {
	const char *tool;             /* its name */
	/* its kind of result: the suggestions also follow any other tool with this kind of
	 * result, unless that tool has its own. RESULT_OTHER: only this tool */
	enum tool_result after;
	struct {
		struct suggestion *items;
		size_t n;
	} sections[SECTION__MAX];
};

struct predictor {
	struct arena *mem;
	struct templates *tools;
	size_t ntools;
};

/* Questions about rules are answered by the tool with this kind of result. */
#define RULES_RESULT RESULT_RULES_ANSWER
#define RULES_CATEGORY "rules"

extern const char *const entity_names[ENTITY__MAX + 1];      /* "icao_codes", …, NULL */
extern const char *const entity_placeholders[ENTITY__MAX];   /* "{icao}", … */

#endif
