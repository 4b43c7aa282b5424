/*
 * Marked messages as lessons, for the tests of what is trained.
 */
#ifndef TESTS_UNIT_MARKED_LESSONS_H
#define TESTS_UNIT_MARKED_LESSONS_H

#include <stdio.h>

#include "base/arena.h"
#include "tests/language/marked.h"
#include "tests/unit/test.h"

/* Read this text as a file of marked messages in the folder. */
static inline struct marked marked_lessons(struct arena *a, const char *dir, const char *text)
{
	struct marked m = { .n = 0 };
	struct err e = { 0 };
	const char *path = arena_printf(a, "%s/lessons.txt", dir);
	FILE *f = fopen(path, "w");

	cr_assert(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
	TEST_OK(marked_read(&m, a, path, &e), e);
	return m;
}

#endif
