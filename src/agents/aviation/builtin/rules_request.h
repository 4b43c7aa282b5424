/*
 * The request for rules, after all that was said: which countries, which question.
 */
#ifndef AGENTS_AVIATION_BUILTIN_RULES_REQUEST_H
#define AGENTS_AVIATION_BUILTIN_RULES_REQUEST_H

#include "agents/aviation/builtin/rules_reading.h"
#include "rules/rules.h"

enum rules_request_kind {
	RULES_REQUEST_ANSWER, RULES_REQUEST_BROWSE, RULES_REQUEST_COMPARE,
	RULES_REQUEST_COUNTRIES /* which countries there are rules for */,
	RULES_REQUEST_SUBJECTS /* what they are about */,
};

enum { RULES_REQUEST_COUNTRIES_MAX = 64 };         /* as many as a tool accepts */

/* Countries by code, each once. */
struct country_list {
	const char *code[RULES_REQUEST_COUNTRIES_MAX];
	size_t n;
};
/* NULL, or no room left: does nothing */
void country_list_add(struct country_list *list, const char *code);
void country_list_add_all(struct country_list *list, const struct country_list *more);

struct rules_request {
	enum rules_request_kind kind;
	const struct rules_snapshot *set;            /* NULL: no rules are loaded */
	/* for the tool, in the pilot's words; NULL: there is none */
	const char *question;
	const char *bare;                    /* the same without countries; NULL: nothing is left */
	const char *const *tags;
	size_t ntags;
	/* there may be too few: then a reply asks for them */
	struct country_list countries;
	size_t offset, limit;                 /* RULES_REQUEST_BROWSE; limit 0: not said */
	/* RULES_REQUEST_COMPARE: asks for the differences that were not shown */
	bool rest;
};

/* The conversation around a message. */
struct rules_request_ground {
	const struct rules_snapshot *set;
	/* the last request of the conversation; NULL: none */
	const struct rules_request *before;
	bool route;                   /* the message names both ends of a flight */
	bool follows;                         /* nothing was said about airports after it */
	const struct country_list *own;          /* countries of the airports and places it names */
	const struct country_list *around;         /* the countries named last */
};

/* Are there enough countries for its kind? */
bool rules_request_complete(const struct rules_request *r);

/* Does a question about rules (rules_reading_about() is RULES) mean the same whatever was said
 * before? It does if it names its countries and its topic. */
bool rules_request_alone(const struct rules_reading *s);

/* The request of a message (rules_reading_about() is not OTHER) in its conversation. NULL: it is no
 * question about rules after all. */
struct rules_request *rules_request_of(struct arena *a, const struct rules_reading *s,
    enum about about, const struct rules_request_ground *ground);

#endif
