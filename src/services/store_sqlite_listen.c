/*
 * Listening to a SQLite file: SQLite tells nobody that it was written to, so the file's data version is
 * looked at a few dozen times a second, while there is somebody who wants to know. When it has changed, any
 * run may have news.
 */
#include "services/store_sqlite.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/heap.h"

enum {
	LOOK_MS = 40,
	CANCELS = 64,
};

struct store_listener {
	struct store *store;
	struct lite_conn conn;
	int64_t seen;
	int wake;
	char cancels[CANCELS][48];
	int ncancels;
	bool changed;                   /* not reported yet */
};

struct store_listener *sqlite_listen_open(struct store *s)
{
	struct store_listener *l = heap_new(sizeof(*l));

	l->store = s;
	l->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	return l;
}

void sqlite_listen_close(struct store_listener *l)
{
	lite_unwatch(&l->conn);
	if (l->wake >= 0)
		close(l->wake);
	free(l);
}

void sqlite_listen_add(struct store_listener *l, const char *run_id)
{
	(void)run_id;
	sqlite_listen_wake(l);
}

void sqlite_listen_drop(struct store_listener *l, const char *run_id)
{
	(void)l;
	(void)run_id;
}

void sqlite_listen_wake(struct store_listener *l)
{
	static const uint64_t one = 1;

	(void)!write(l->wake, &one, sizeof(one));
}

/* What was found by an earlier look. */
static bool found(struct store_listener *l, struct store_news *out)
{
	if (l->ncancels > 0) {
		out->kind = STORE_NEWS_CANCEL;
		memcpy(out->run, l->cancels[--l->ncancels], sizeof(out->run));
		return true;
	}
	if (!l->changed)
		return false;
	l->changed = false;
	out->kind = STORE_NEWS_ALL;
	return true;
}

enum errcode sqlite_listen_wait(struct store_listener *l, int ms, bool active, struct store_news *out,
    struct err *e)
{
	const int64_t until = clock_mono_ms() + ms;
	enum errcode rc = OK;

	out->kind = STORE_NEWS_NONE;
	while (rc == OK && !found(l, out)) {
		struct pollfd p = { .fd = l->wake, .events = POLLIN };
		const int64_t left = until - clock_mono_ms();
		uint64_t count;

		if (left <= 0)
			break;
		if (poll(&p, 1, active && left > LOOK_MS ? LOOK_MS : (int)left) > 0) {
			(void)!read(l->wake, &count, sizeof(count));
			break;
		}
		if (active)
			rc = lite_changed(l->store, &l->conn, &l->seen, &l->changed, e);
		if (rc == OK && l->changed)
			rc = sqlite_runs_cancelled(l->store, l->cancels, CANCELS, &l->ncancels, e);
	}
	return rc;
}
