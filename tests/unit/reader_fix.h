/*
 * The reader of language as the built-in planner uses it, for tests that plan.
 */
#ifndef TESTS_UNIT_READER_FIX_H
#define TESTS_UNIT_READER_FIX_H

#include "agents/aviation/builtin/tool_words.h"
#include "agents/aviation/builtin/trained_reader.h"
#include "tests/unit/test.h"

/* Once a process is enough; more calls do nothing. */
static inline void reader_open(void)
{
	struct err e = { OK, "" };
	TEST_OK(trained_reader_open(TEST_SRCDIR, &e), e);
	TEST_OK(tool_words_open(TEST_SRCDIR, &e), e);
}

#endif
