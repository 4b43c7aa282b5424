/*
 * The thread store in memory: its ceilings, and "none".
 */
#include "services/store_backend.h"

#include "base/clock.h"
#include "tests/unit/store_fix.h"

TEST(store, none_keeps_nothing_but_leases)
{
	struct fix f;
	struct lease other;

	fix_up(&f, "none", 0);
	struct lease l = lease(&f, "t1", "run-1", 5000);
	cr_assert_eq(store_lease(f.s, "t1", "run-2", NULL, 5000, &other, NULL, &f.e), ERR_BUSY);
	TEST_OK(turn(&f, &l, 0, "a", "b", "{}"), f.e);
	cr_assert_eq(load(&f, "t1", 10).version, 0);
	cr_assert_eq(load(&f, "t1", 10).nmessages, 0);
	TEST_OK(store_release(f.s, &l, &f.e), f.e);
	cr_assert_eq(turn(&f, &l, 0, "a", "b", "{}"), ERR_BUSY);
	fix_down(&f);
}

TEST(store_memory, forgets_the_longest_unused_when_full)
{
	struct fix f = { .a = arena_new() };
	struct lease l[8];
	char id[8] = "t0";

	TEST_OK(store_memory_new(&f.s, 0, 4, 1 << 20, &f.e), f.e);
	for (int i = 0; i < 4; i++) {
		id[1] = (char)('0' + i);
		l[i] = lease(&f, id, "run", 20000);
		TEST_OK(turn(&f, &l[i], 0, "a", "b", NULL), f.e);
	}
	/* all in use */
	cr_assert_eq(store_lease(f.s, "t4", "run", NULL, 20000, &l[4], NULL, &f.e), ERR_STORE);
	TEST_OK(store_release(f.s, &l[0], &f.e), f.e);
	TEST_OK(store_release(f.s, &l[2], &f.e), f.e);
	lease(&f, "t0", "run", 1);                       /* t0 is now used later than t2 */
	clock_sleep_ms(5);
	l[4] = lease(&f, "t4", "run", 20000);
	cr_assert_eq(load(&f, "t0", 1).version, 1);
	cr_assert_eq(load(&f, "t2", 1).version, 0);
	l[5] = lease(&f, "t5", "run", 20000);
	cr_assert_eq(load(&f, "t0", 1).version, 0);
	cr_assert_eq(load(&f, "t1", 1).version, 1);
	store_close(f.s);
	arena_free(f.a);
}

TEST(store_memory, stays_within_its_bytes)
{
	struct fix f = { .a = arena_new() };
	char *big = arena_alloc(f.a, 60001), id[16];
	int kept = 0;

	memset(big, 'x', 60000);
	TEST_OK(store_memory_new(&f.s, 0, 100, 1 << 20, &f.e), f.e);
	for (int i = 0; i < 40; i++) {
		snprintf(id, sizeof(id), "t%d", i);
		struct lease l = lease(&f, id, "run", 20000);
		TEST_OK(turn(&f, &l, 0, "a", big, NULL), f.e);
		TEST_OK(store_release(f.s, &l, &f.e), f.e);
	}
	for (int i = 0; i < 40; i++) {
		snprintf(id, sizeof(id), "t%d", i);
		int64_t v = load(&f, id, 0).version;
		kept += (int)v;
		cr_assert_eq(v, i >= 40 - 17 ? 1 : 0, "t%d", i);
	}
	cr_assert_eq(kept, 17);                          /* 17 * 60 kB fit in 1 MiB */
	/* one thread that wants all of it is refused, and what it has stays */
	struct lease l = lease(&f, "t39", "run", 20000);
	int64_t v = 1;
	while (turn(&f, &l, v, "a", big, NULL) == OK)
		v++;
	cr_assert_eq(f.e.code, ERR_STORE);
	cr_assert_eq(load(&f, "t39", 0).version, v);
	cr_assert_eq(v, 17);
	store_close(f.s);
	arena_free(f.a);
}
