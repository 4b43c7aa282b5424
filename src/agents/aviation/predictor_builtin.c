/*
 * The built-in templates, for sections that a template file does not mention.
 * conf/next_query_predictor/default.json contains the same rows; a test keeps the two equal.
 */
#include "agents/aviation/predictor_templates.h"

#define FILTER(t, f, q, p) \
	{ t, SECTION_FILTERS, t, { .filter = f, .text = q, .category = "route", .priority = p } }
#define ENTITY(t, kind, q, to, cat, p) \
	{ t, SECTION_ENTITIES, to, { .entity = kind, .text = q, .category = cat, .priority = p } }
#define QUESTION(t, name, p) \
	{ t, SECTION_RULES, RULES_RESULT, { .rules = name, .questions = 1, \
	    .category = RULES_CATEGORY, .priority = p } }
#define FALLBACK(t, q) \
	{ t, SECTION_FALLBACK, RULES_RESULT, { .text = q, .category = RULES_CATEGORY, .priority = 4 } }

#define ROUTE    RESULT_AIRPORTS_ROUTE
#define NEAR     RESULT_AIRPORTS_NEAR
#define SEARCH   RESULT_AIRPORTS_FOUND
#define DETAILS  RESULT_AIRPORT
#define NOTICE   RESULT_NOTICE
#define BROWSE   RESULT_RULES_PAGE
#define COMPARE  RESULT_RULES_COMPARISON

/* The same three after any question about rules. */
#define AFTER_RULES(t) \
	{ t, SECTION_FIXED, SEARCH, { .entity = ENTITY_COUNTRY, \
	    .text = "Which airports have customs in {country}?", \
	    .category = "route", .priority = 5 } }, \
	{ t, SECTION_FIXED, RULES_RESULT, { .entity = ENTITY_COUNTRY, .unless_text = "vfr", \
	    .text = "What are the VFR weather minimums for {country}?", \
	    .category = RULES_CATEGORY, .priority = 4 } }, \
	{ t, SECTION_FIXED, COMPARE, { .entity = ENTITY_COUNTRY, .only_one = true, \
	    .text = "Compare rules with neighboring countries", \
	    .category = RULES_CATEGORY, .priority = 3 } }

const struct builtin_suggestion predictor_builtin[] = {
	FILTER(ROUTE, "has_avgas", "Show me airports with AVGAS along this route", 4),
	FILTER(ROUTE, "point_of_entry", "Which airports have customs facilities on this route?", 5),
	ENTITY(ROUTE, ENTITY_ICAO, "What are the procedures at {icao}?", DETAILS, "details", 3),
	ENTITY(ROUTE, ENTITY_ICAO, "Tell me more about {icao}", DETAILS, "details", 3),
	QUESTION(ROUTE, "International", 5),
	QUESTION(ROUTE, "VFR", 4),
	QUESTION(ROUTE, "Airspace", 4),
	QUESTION(ROUTE, "Flight Rules", 4),
	QUESTION(ROUTE, "IFR", 3),
	QUESTION(ROUTE, "Airfields", 3),
	FALLBACK(ROUTE, "What are the customs rules for countries along this route?"),
	FALLBACK(ROUTE, "Do I need to file a flight plan for this route?"),

	FILTER(NEAR, "has_hard_runway", "Show me airports with a hard runway near {location}", 3),
	FILTER(NEAR, "has_avgas", "Which airports have AVGAS near {location}", 4),
	ENTITY(NEAR, ENTITY_COUNTRY, "What are the landing requirements for {country}?",
	    RULES_RESULT, RULES_CATEGORY, 4),

	FILTER(SEARCH, "point_of_entry", "Show only airports with customs facilities", 3),
	ENTITY(SEARCH, ENTITY_COUNTRY, "What are the VFR rules for {country}?", RULES_RESULT,
	    RULES_CATEGORY, 4),

	{ DETAILS, SECTION_FIXED, NOTICE, { .entity = ENTITY_ICAO,
	    .text = "What are the notification requirements for {icao}?",
	    .category = "details", .priority = 4 } },
	{ DETAILS, SECTION_ENTITIES, RULES_RESULT, { .entity = ENTITY_COUNTRY, .requires = ENTITY_ICAO,
	    .text = "What are the customs rules for {country}?",
	    .category = RULES_CATEGORY, .priority = 3 } },

	ENTITY(NOTICE, ENTITY_ICAO, "Tell me more about {icao}", DETAILS, "details", 3),

	AFTER_RULES(RULES_RESULT),
	AFTER_RULES(BROWSE),
	AFTER_RULES(COMPARE),
};
const size_t npredictor_builtin = sizeof(predictor_builtin) / sizeof(*predictor_builtin);
