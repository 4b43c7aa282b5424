/*
 * The time limit is a watch around the caller's: what is below waits through it and cannot tell the
 * two apart, but here it is known whose time was up.
 */
#include "rules/step.h"

#include <stdatomic.h>
#include <stddef.h>

#include "base/clock.h"
#include "base/log.h"

enum { QUIET_MS = 60000 };

static enum errcode check(void *arg, int64_t *ms)
{
	struct step *s = arg;
	int64_t left = s->until_ms - clock_mono_ms();
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

void step_begin(struct step *s, const struct watch *w, int64_t ms)
{
	*s = (struct step){ .watch = { w == NULL ? -1 : w->fd, check, s }, .outer = w,
		.until_ms = clock_mono_ms() + ms };
}

static void tell(enum step_kind kind, enum errcode rc, const char *why)
{
	static const char *const names[STEP__MAX] = { "reformulation", "vectors", "rerank" };
	static atomic_llong told_ms[STEP__MAX];        /* 0: never */
	long long now = (long long)clock_mono_ms() + 1, last = atomic_load(&told_ms[kind]);
	bool quiet = last != 0 && now - last < QUIET_MS;
	if (!quiet)
		quiet = !atomic_compare_exchange_strong(&told_ms[kind], &last, now);
	log_msg(quiet ? LOG_DEBUG : LOG_WARN, "rules_step_failed", "step=%s code=%s why=\"%s\" "
	    "then=\"goes on without it\"", names[kind], err_row(rc)->name, why);
}

enum errcode step_end(const struct step *s, enum step_kind kind, enum errcode rc, bool *done,
    const struct err *e)
{
	static const bool survived[ERR__MAX] = { [ERR_UPSTREAM] = true, [ERR_DATA] = true,
		[ERR_NOTFOUND] = true, [ERR_CONFIG] = true, [ERR_IO] = true };
	bool late = rc == ERR_TIMEOUT && s->late;
	*done = rc == OK;
	if (rc == OK || !(late || survived[rc]))
		return rc;
	tell(kind, rc, late ? "it took too long" : e->msg);
	return OK;
}
