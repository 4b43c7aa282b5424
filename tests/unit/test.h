/*
 * What every unit test includes: Criterion, and TEST(), which checks for leaks before the test's
 * process ends. (Criterion runs each test in a child that exits without the leak check, so a plain
 * Test() would not notice leaks.)
 *
 *   TEST(buf, grows)
 *   {
 *           …
 *   }
 */
#ifndef TESTS_UNIT_TEST_H
#define TESTS_UNIT_TEST_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "agents/aviation/builtin/replies.h"
#include "agents/aviation/messages.h"
#include "airports/facts.h"
#include "base/arena.h"
#include "base/errs.h"
#include "language/languages.h"
#include "rules/answer_words.h"
#include "rules/general_rules.h"
#include "rules/terms.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
/* TEST_IS_SLOW: 1 in a build that is so slow that tests may use less data */
#define TEST_LEAKS() __lsan_do_recoverable_leak_check()
#define TEST_IS_SLOW 1
#else
#define TEST_LEAKS() 0
#define TEST_IS_SLOW 0
#endif

/* The facts and words of the source tree, without which nothing can be looked up or understood. */
static inline void test_facts(void)
{
	struct err e = { 0 };
	cr_assert_eq(facts_open(TEST_SRCDIR, &e), OK, "%s", e.msg);
	cr_assert_eq(languages_open(TEST_SRCDIR, &e), OK, "%s", e.msg);
	cr_assert_eq(terms_open(TEST_SRCDIR, &e), OK, "%s", e.msg);
	cr_assert_eq(general_rules_open(TEST_SRCDIR, &e), OK, "%s", e.msg);
	cr_assert_eq(answer_words_open(TEST_SRCDIR, &e), OK, "%s", e.msg);
	cr_assert_eq(messages_open(TEST_SRCDIR, &e), OK, "%s", e.msg);
	cr_assert_eq(replies_open(TEST_SRCDIR, &e), OK, "%s", e.msg);
}

#define TEST(suite, name, ...)                                                        \
	static void suite##_##name##_body(void);                                      \
	Test(suite, name, ##__VA_ARGS__)                                              \
	{                                                                             \
		test_facts();                                                         \
		suite##_##name##_body();                                              \
		cr_assert_eq(TEST_LEAKS(), 0, "memory leaked");                       \
	}                                                                             \
	static void suite##_##name##_body(void)

/* Check that a call succeeded, and show its message if it did not. `e` is a struct err. */
#define TEST_OK(call, e)                                                              \
	do {                                                                          \
		enum errcode rc_ = (call);                                            \
		cr_assert_eq(rc_, OK, "%s: %s: %s", #call, err_row(rc_)->name, (e).msg); \
	} while (0)

#define test_skip(why) cr_skip_test("skipped: %s", why)

/* A file of the real data set beside the source tree (../shared/data, or $TEST_DATA), or NULL if it
 * does not exist. The text is static for each call site and thread. */
static inline const char *test_data(const char *name)
{
	static char path[4096];
	const char *roots[] = { getenv("TEST_DATA"), TEST_SRCDIR "/../shared/data" };
	struct stat st;
	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		if (roots[i] == NULL)
			continue;
		snprintf(path, sizeof(path), "%s/%s", roots[i], name);
		if (stat(path, &st) == 0)
			return path;
	}
	return NULL;
}

/* A new empty folder; remove it with test_rmdir(). The caller frees the path. */
static inline char *test_mkdtemp(void)
{
	const char *base = getenv("TMPDIR");
	char buf[512];
	snprintf(buf, sizeof(buf), "%s/aatest.XXXXXX", base != NULL && *base ? base : "/tmp");
	cr_assert_not_null(mkdtemp(buf), "mkdtemp");
	return strdup(buf);
}

/* A new folder with the marked messages (tests/language/corpus); remove it with test_rmdir(). The caller frees the path. A build with
 * AddressSanitizer has one file in five, because it would need a minute for all of them. */
static inline char *test_corpus(void)
{
	char *dir = test_mkdtemp(), cmd[2048];

	snprintf(cmd, sizeof(cmd), "for f in '%s'/tests/language/corpus/*.txt; do i=$((i + 1)); [ $((i %% %d)) -ne 0 ] || ln -s \"$f\" '%s'; done",
	    TEST_SRCDIR, TEST_IS_SLOW ? 5 : 1, dir);
	cr_assert_eq(system(cmd), 0);
	return dir;
}

static inline void test_rmdir(char *dir)
{
	char cmd[600];
	snprintf(cmd, sizeof(cmd), "rm -rf -- '%s'", dir);
	cr_assert_eq(system(cmd), 0);
	free(dir);
}

#endif
