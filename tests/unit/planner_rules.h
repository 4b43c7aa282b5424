/*
 * A made-up rule base for the planner's cases: nine countries that answer one question for each
 * tag, with answers that say nothing.
 */
#ifndef TESTS_UNIT_PLANNER_RULES_H
#define TESTS_UNIT_PLANNER_RULES_H

#include <stdio.h>

#include "rules/rules.h"
#include "tests/unit/test.h"

static const struct { const char *text, *category, *tags; } planner_questions[] = {
	{ "When must a flight plan be filed?", "Flights", "\"flight plan\"" },
	{ "How is a flight plan closed where nobody is in the tower?", "Flights",
	  "\"flight plan\", \"uncontrolled\"" },
	{ "Which transponder code is set in visual flight?", "Airspace", "\"transponder\"" },
	{ "Is a transponder needed in airspace of class E?", "Airspace",
	  "\"transponder\", \"airspace\"" },
	{ "What is asked of those who enter class D?", "Airspace", "\"airspace\", \"clearance\"" },
	{ "May danger areas be crossed?", "Airspace", "\"airspace\", \"penetration\", \"permission\"" },
	{ "How is the circuit joined?", "Airfields", "\"airfield\", \"join\"" },
	{ "Is prior permission usual?", "Airfields", "\"airfield\", \"prior permission\"" },
	{ "Which levels are flown?", "Flights", "\"semicircle\"" },
	{ "What is to be done on arrival from outside Schengen?", "Borders", "\"international\"" },
	{ "Who gives flight information?", "Services", "\"air traffic service\"" },
	{ "How does one begin an instrument flight in the air?", "Instruments", "\"procedure\"" },
};

/* `path` becomes the file's name and must live as long as the rules. */
static inline void planner_rules_open(struct rules **out, char path[static 600], const char *dir)
{
	static const char *const codes[] = { "BE", "CH", "DE", "FR", "GB", "IT", "NL", "NO", "PL" };
	struct err e = { OK, "" };
	snprintf(path, 600, "%s/rules.json", dir);
	FILE *f = fopen(path, "we");
	cr_assert_not_null(f, "%s", path);
	fputs("{\"questions\": [", f);
	for (size_t i = 0; i < sizeof(planner_questions) / sizeof(planner_questions[0]); i++) {
		fprintf(f, "%s{\"question_id\": \"q%zu\", \"question_text\": \"%s\", \"category\": \"%s\","
		    " \"tags\": [%s], \"answers_by_country\": {", i > 0 ? "," : "", i,
		    planner_questions[i].text, planner_questions[i].category, planner_questions[i].tags);
		for (size_t c = 0; c < sizeof(codes) / sizeof(codes[0]); c++)
			fprintf(f, "%s\"%s\": {\"answer_html\": \"As %s has it.\"}", c > 0 ? "," : "",
			    codes[c], codes[c]);
		fputs("}}", f);
	}
	fputs("]}", f);
	cr_assert_eq(fclose(f), 0);
	TEST_OK(rules_open(out, &(struct rules_config){ .path = path }, &e), e);
}

#endif
