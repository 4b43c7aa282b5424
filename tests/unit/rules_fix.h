/*
 * Rules files for tests: written as text with ' for ", which is easier to read in C.
 */
#ifndef TESTS_UNIT_RULES_FIX_H
#define TESTS_UNIT_RULES_FIX_H

#include <stdio.h>
#include <string.h>

#include "rules/rulebase.h"
#include "tests/unit/test.h"

static inline void rules_fix_write(const char *path, const char *text)
{
	FILE *f = fopen(path, "wb");
	cr_assert_not_null(f, "%s", path);
	for (const char *p = text; *p != '\0'; p++)
		fputc(*p == '\'' ? '"' : *p, f);
	cr_assert_eq(fclose(f), 0);
}

/* Load such a text, through a file in a folder of its own that is removed again. */
static inline enum errcode rules_fix_load(struct rulebase **out, const char *text, struct err *e)
{
	char *dir = test_mkdtemp(), path[600];
	snprintf(path, sizeof(path), "%s/rules.json", dir);
	rules_fix_write(path, text);
	enum errcode rc = rulebase_load(out, path, e);
	test_rmdir(dir);
	return rc;
}

/* Three countries, two categories with an answer in them, and an ignored one. */
static const char rules_fix_small[] =
	"{'questions': ["
	" {'question_id': 'q-plan', 'question_text': 'When is a flight plan needed?',"
	"  'question_raw': 'When is a flight plan needed?', 'question_prefix': '',"
	"  'category': 'VFR', 'tags': ['flight plan', 'VFR'], 'answers_by_country': {"
	"   'FR': {'answer_html': 'Always.<br>Not for <b>local</b> flights.',"
	"          'links': ['https://one.example', 'https://two.example', 'https://three.example'],"
	"          'last_reviewed': '2025-11-11', 'confidence': 0.5},"
	"   'gb': {'answer_html': 'Never below 500 ft & above.', 'links': [],"
	"          'last_reviewed': '2025-11-11'},"
	"   'DE': {'answer_html': '  '}}},"
	" {'question_id': 'q-air', 'question_text': 'all about airspace Z', 'category': 'Airspace',"
	"  'tags': ['Air Space'], 'answers_by_country': {"
	"   'FR': {'answer_html': 'See the map of Z\\u00fcrich.'}, 'GB': {'answer_html': 'None.'},"
	"   'BE': {'answer_html': 'Some.'}}},"
	" {'question_id': 'q-hid', 'question_text': 'x', 'category': 'Ignore', 'tags': ['secret'],"
	"  'answers_by_country': {'FR': {'answer_html': 'hidden'}, 'NL': {'answer_html': 'hidden'}}},"
	" {'question_id': 'q-none', 'question_text': '', 'category': 'Empty', 'tags': ['unused'],"
	"  'answers_by_country': {'FR': {'answer_html': ''}}}"
	"], 'inconsistent_qids': ['x']}";

#endif
