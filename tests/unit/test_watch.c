/*
 * Watches: what ends a wait, what does not, and when check() is called.
 */
#include "base/watch.h"

#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "tests/unit/test.h"

struct duty {
	int calls, fail_at;            /* the call that returns `code`; 0: none does */
	enum errcode code;
	int64_t every_ms;
};

static enum errcode check(void *arg, int64_t *ms)
{
	struct duty *d = arg;
	*ms = d->every_ms;
	return ++d->calls == d->fail_at ? d->code : OK;
}

static const struct {
	const char *name;
	struct duty duty;
	int64_t ms;
	enum errcode rc;
	int calls_min, calls_max;
} sleeps[] = {
	{ "looks once", { .every_ms = 1000 }, 0, OK, 1, 1 },
	{ "before every slice", { .every_ms = 10 }, 100, OK, 2, 11 },
	{ "nothing is less than 1 ms", { .every_ms = -5 }, 10, OK, 2, 11 },
	{ "its code ends the wait at once", { .fail_at = 1, .code = ERR_OVERLOAD }, 60000,
	    ERR_OVERLOAD, 1, 1 },
	{ "and later", { .fail_at = 3, .code = ERR_TIMEOUT, .every_ms = 1 }, 60000, ERR_TIMEOUT,
	    3, 3 },
};

TEST(watch, sleeps_and_checks)
{
	for (size_t i = 0; i < sizeof(sleeps) / sizeof(sleeps[0]); i++) {
		struct duty d = sleeps[i].duty;
		struct watch w = { .fd = -1, .check = check, .arg = &d };
		int64_t start = clock_mono_ms();
		cr_expect_eq(watch_sleep(&w, sleeps[i].ms), sleeps[i].rc, "%s", sleeps[i].name);
		if (sleeps[i].rc == OK)
			cr_expect_geq(clock_mono_ms() - start, sleeps[i].ms, "%s", sleeps[i].name);
		cr_expect_geq(d.calls, sleeps[i].calls_min, "%s: %d", sleeps[i].name, d.calls);
		cr_expect_leq(d.calls, sleeps[i].calls_max, "%s: %d", sleeps[i].name, d.calls);
	}
}

TEST(watch, needs_neither_watch_nor_descriptor)
{
	int64_t start = clock_mono_ms();
	bool ready = true;
	struct watch none = { .fd = -1 };
	cr_expect_eq(watch_sleep(NULL, 20), OK);
	cr_expect_eq(watch_sleep(&none, 20), OK);
	cr_expect_eq(watch_poll(NULL, -1, 20, &ready), OK);
	cr_expect(!ready);
	cr_expect_geq(clock_mono_ms() - start, 60);
}

TEST(watch, tells_a_hang_up_from_bytes)
{
	int reader[2], data[2];
	bool ready;
	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, reader), 0);
	cr_assert_eq(pipe(data), 0);
	struct duty d = { .every_ms = 1000 };
	struct watch w = { .fd = reader[0], .check = check, .arg = &d };

	/* what the reader sends neither ends the wait nor keeps it from sleeping */
	cr_assert_eq(write(reader[1], "x", 1), 1);
	cr_expect_eq(watch_sleep(&w, 50), OK);
	cr_expect_leq(d.calls, 2, "it was woken %d times", d.calls);

	cr_assert_eq(write(data[1], "x", 1), 1);
	d.calls = 0;
	cr_expect_eq(watch_poll(&w, data[0], 60000, &ready), OK);
	cr_expect(ready);
	cr_expect_eq(d.calls, 1, "a busy descriptor keeps nobody from duty");

	shutdown(reader[1], SHUT_WR);
	cr_expect_eq(watch_sleep(&w, 60000), ERR_HUP);
	cr_expect_eq(watch_poll(&w, data[0], 60000, &ready), ERR_HUP, "even when there is work");
	close(reader[1]);
	cr_expect_eq(watch_sleep(&w, 60000), ERR_HUP);

	/* the end of the other side is something to read, not a hang-up */
	w.fd = -1;
	close(data[1]);
	cr_expect_eq(watch_poll(&w, data[0], 60000, &ready), OK);
	cr_expect(ready);
	close(data[0]);
	close(reader[0]);
}
