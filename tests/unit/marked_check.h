/*
 * Tables of marked dialogues, and the plans of their last messages.
 */
#ifndef TESTS_UNIT_MARKED_CHECK_H
#define TESTS_UNIT_MARKED_CHECK_H

#include "tests/unit/marked_plans.h"

/* The plans, and behind " | " what they do not use. */
static inline const char *plans_and_unused(struct arena *a, const struct plans *plans)
{
	const char *all = plans_text(a, plans);
	for (size_t i = 0; i < plans->n; i++)
		if (plans->plan[i].unused != NULL)
			all = arena_printf(a, "%s | %s", all, plans->plan[i].unused);
	return all;
}

static const struct talk nothing_said;

/* The first plan of the last of these messages, in a talk that begins with them; in the arena. */
static inline struct plan first_plan(struct fixture *f, struct arena *a, const char *lines, bool known)
{
	struct talk talk = nothing_said;
	struct plans plans;
	plan_marked(f, a, lines, known, &talk, &plans);
	return plans.plan[0];
}

/* known: as in frames_marked(); then the plans are compared with what they do not use. A reply need only begin as the row says. */
static inline void check_marked(const char *const (*rows)[2], size_t n, const struct talk *talk, bool known)
{
	struct fixture f;

	fixture_open(&f);
	for (size_t i = 0; i < n; i++) {
		struct arena *a = arena_new();
		struct talk t = *talk;
		struct plans plans;
		plan_marked(&f, a, rows[i][0], known, &t, &plans);
		const char *got = known ? plans_and_unused(a, &plans) : plans_text(a, &plans);
		const bool reply = strncmp(rows[i][1], "reply", 5) == 0;
		cr_expect(reply ? starts_with(got, rows[i][1]) : streq(got, rows[i][1]), "%s\n   got  %s\n   want %s",
		    rows[i][0], got, rows[i][1]);
		arena_free(a);
	}
	fixture_close(&f);
}

#define CHECK_MARKED(rows, talk, known) check_marked(rows, sizeof(rows) / sizeof((rows)[0]), talk, known)

#endif
