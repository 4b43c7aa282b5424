/*
 * The time limit is a watch around the caller's watch. The code below waits with it and cannot tell
 * the two apart; timebox_end() can.
 *
 * A step rests if its failure took long, whatever the reason was: a time-out, a slow reply, or
 * failures that were tried again. A step that fails at once costs a turn nothing.
 */
#include "services/timebox.h"

#include <stdatomic.h>
#include <stddef.h>

#include "base/clock.h"
#include "base/log.h"
#include "services/remote.h"

enum { QUIET_MS = 60000, SHARES = 3 };

/* The limit of each step. The service that is called gets two thirds of it. */
static const struct timebox_row {
	const char *name;
	int64_t limit_ms;
} rows[TIMEBOX__MAX] = {
	[TIMEBOX_REFORMULATE] = { "reformulation", 7500 },
	[TIMEBOX_EMBED] = { "vectors", 7500 },
	[TIMEBOX_SEARCH] = { "vectors", 15000 },
	[TIMEBOX_ANSWERS] = { "vectors", 15000 },
	[TIMEBOX_RERANK] = { "rerank", 8000 },
	[TIMEBOX_KNOWLEDGE] = { "knowledge vectors", 7500 },
};

static struct rest rests[TIMEBOX__MAX];

static enum errcode check(void *arg, int64_t *ms)
{
	struct timebox *s = arg;
	int64_t left = s->began_ms + s->limit_ms - clock_mono_ms();
	const struct watch *w = s->outer;
	*ms = INT64_MAX;
	enum errcode rc = w == NULL || w->check == NULL ? OK : w->check(w->arg, ms);
	if (rc != OK)
		return rc;
	s->late = left <= 0;
	if (*ms > left)
		*ms = s->late ? 1 : left;
	return s->late ? ERR_TIMEOUT : OK;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

bool timebox_begin(struct timebox *s, enum timebox_kind kind, const struct watch *w,
    int64_t turn_ends_ms, int64_t most_ms)
{
	int64_t now = clock_mono_ms(), limit = rows[kind].limit_ms;
	*s = (struct timebox){ .watch = { w == NULL ? -1 : w->fd, check, s }, .kind = kind, .outer = w,
		.began_ms = now };
	if (!rest_ask(&rests[kind], &s->probe))
		return false;
	if (most_ms > 0 && most_ms < limit)
		limit = least(limit, most_ms + (most_ms + 1) / 2);
	if (turn_ends_ms > 0)
		limit = least(limit, (turn_ends_ms - now) / SHARES);
	s->limit_ms = limit > 2 ? limit : 2;
	s->first_ms = s->limit_ms * 2 / 3;
	return true;
}

bool timebox_rests(enum timebox_kind kind)
{
	return rest_left_ms(&rests[kind]) > 0;
}

static void tell(const struct timebox *s, enum errcode rc, const char *why, bool rests_now)
{
	static atomic_llong told_ms[TIMEBOX__MAX];        /* 0: never */
	long long now = (long long)clock_mono_ms() + 1, last = atomic_load(&told_ms[s->kind]);
	bool quiet = last != 0 && now - last < QUIET_MS;
	if (!quiet)
		quiet = !atomic_compare_exchange_strong(&told_ms[s->kind], &last, now);
	log_msg(quiet ? LOG_DEBUG : LOG_WARN, "retrieval_step_failed", "step=%s code=%s ms=%lld "
	    "rest_ms=%d why=\"%s\" then=\"goes on without it\"", rows[s->kind].name,
	    err_row(rc)->name, now - 1 - (long long)s->began_ms, rests_now ? REST_MS : 0, why);
}

enum errcode timebox_end(const struct timebox *s, enum errcode rc, bool *done, const struct err *e)
{
	static const bool survived[ERR__MAX] = { [ERR_UPSTREAM] = true, [ERR_DATA] = true,
		[ERR_NOTFOUND] = true, [ERR_CONFIG] = true, [ERR_IO] = true };
	bool late = rc == ERR_TIMEOUT && s->late, goes_on = rc == OK || late || survived[rc];
	bool long_for_nothing = rc != OK && clock_mono_ms() - s->began_ms >= s->limit_ms / 2;
	*done = rc == OK;
	rest_tell(&rests[s->kind], s->probe, !goes_on ? REST_UNKNOWN : long_for_nothing ? REST_AWAY
	    : REST_THERE);
	if (rc == OK || !goes_on)
		return rc;
	tell(s, rc, late ? "it took too long" : e->msg, long_for_nothing);
	return OK;
}
