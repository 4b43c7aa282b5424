/*
 * The predictor's templates as C structs: shared by the loader and the engine, nobody else.
 */
#ifndef AGENTS_AVIATION_PREDICTOR_TEMPLATES_H
#define AGENTS_AVIATION_PREDICTOR_TEMPLATES_H

#include <stdbool.h>
#include <stddef.h>

#include "agents/aviation/predictor.h"

enum { QUESTIONS_MAX = 20 };         /* of one rule category */

/* What a template may speak of; the value is the first one the plan names. */
enum entity { ENTITY_NONE, ENTITY_ICAO, ENTITY_COUNTRY, ENTITY_LOCATION, ENTITY__MAX };

/* One possible suggestion and when it is made. */
struct suggestion {
	const char *text;             /* with {icao}, {country} or {location} */
	const struct tool *tool;      /* what answers it */
	const char *category;
	int priority;
	const char *filter;           /* only when this filter is not applied; NULL: no such condition */
	enum entity entity;           /* only when the plan names one */
	enum entity requires;         /* and one of these as well */
	bool only_one;                /* and exactly one */
	const char *unless_text;      /* not when the user's text holds this; NULL: no such condition */
	/* of a rule category, whose questions are the suggestions; text is NULL then */
	const char *rules;            /* its name */
	size_t questions;             /* how many of them, at most QUESTIONS_MAX */
};

/* In the order suggestions are generated. Questions of rule categories take the place of the
 * fallback queries where a rule base is loaded. */
enum section { SECTION_FIXED, SECTION_FILTERS, SECTION_ENTITIES, SECTION_RULES, SECTION_FALLBACK,
	SECTION__MAX };

/* The suggestions after one tool. */
struct templates {
	const char *tool;             /* its name */
	enum tool_result after;       /* what it gives: they follow any tool that gives the like, unless it
	                                 has some of its own. RESULT_OTHER: this tool alone */
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

/* Built-in content, one row a suggestion. Tools are named by what they give. */
struct builtin_suggestion {
	enum tool_result after;
	enum section section;
	enum tool_result to;
	struct suggestion s;
};
extern const struct builtin_suggestion predictor_builtin[];
extern const size_t npredictor_builtin;

/* Questions about rules are for the tool that gives this. */
#define RULES_RESULT RESULT_RULES_ANSWER
#define RULES_CATEGORY "rules"

extern const char *const entity_names[ENTITY__MAX];          /* "icao_codes", … */
extern const char *const entity_placeholders[ENTITY__MAX];   /* "{icao}", … */

#endif
