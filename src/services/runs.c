/*
 * The entrance to the runs in the store: checks what no back end may get, and who may see a run.
 */
#include "services/runs.h"

#include <string.h>

#include "base/log.h"
#include "services/store_backend.h"

static const char *const status_names[RUN_STATUS__MAX] = {
	[RUN_QUEUED]    = "queued",
	[RUN_RUNNING]   = "running",
	[RUN_DONE]      = "done",
	[RUN_FAILED]    = "failed",
	[RUN_CANCELLED] = "cancelled",
};

const char *run_status_name(enum run_status status)
{
	return status_names[status];
}

bool run_status_ended(enum run_status status)
{
	return status != RUN_RUNNING && status != RUN_QUEUED;
}

bool run_status_parse(const char *name, enum run_status *out)
{
	for (int i = 0; i < RUN_STATUS__MAX; i++)
		if (streq(name, status_names[i])) {
			*out = (enum run_status)i;
			return true;
		}
	return false;
}

/* A sign of life ends a little before the lease, so that an overdue run is ended and its thread free
 * when the time of the lease has passed. */
int64_t store_alive_ms(int64_t lease_ms)
{
	return lease_ms - lease_ms / 5;
}

bool store_run_is_of(const struct run_record *r, const struct thread_owner *owner)
{
	return owner == NULL || ((r->user == NULL || streq(r->user, owner->user)) &&
	    streq(r->agent, owner->agent));
}

static bool id_ok(const char *run_id)
{
	return run_id != NULL && id_valid(run_id, sizeof(((struct lease *)NULL)->run) - 1);
}

static enum errcode check_group(const struct run_group *g, struct err *e)
{
	if (g->first < 1 || g->count < 0 || (g->count == 0) != (g->events.n == 0))
		return err_set(e, ERR_INPUT, "store: a group of events has a number from 1 on, and text "
		    "exactly if it has events");
	if (g->events.n > RUN_GROUP_BYTES)
		return err_set(e, ERR_TOOBIG, "store: %zu bytes of events at once, at most %d are allowed",
		    g->events.n, RUN_GROUP_BYTES);
	return OK;
}

enum errcode store_run_read(struct store *s, struct arena *a, const char *run_id,
    const struct thread_owner *owner, int64_t after, size_t max_bytes, struct run_record *out,
    struct run_group **groups, size_t *ngroups, struct err *e)
{
	*out = (struct run_record){ .run_id = run_id };
	if (groups != NULL) {
		*groups = NULL;
		*ngroups = 0;
	}
	if (!id_ok(run_id))
		return store_run_unknown("of this form", e);
	struct thread_owner mine;
	enum errcode rc = OK;
	if (owner != NULL && (rc = store_check_owner(s, owner, &mine, e)) != OK)
		return rc;
	out->run_id = arena_strdup(a, run_id);
	rc = s->ops->run_read(s, a, after < 0 ? 0 : after, max_bytes, out, groups, ngroups, e);
	if (rc == OK && !store_run_is_of(out, owner != NULL ? &mine : NULL)) {
		*out = (struct run_record){ .run_id = out->run_id };
		if (groups != NULL)
			*ngroups = 0;
		rc = store_run_unknown(run_id, e);
	}
	return rc;
}

enum errcode store_run_find(struct store *s, struct arena *a, const char *run_id,
    const struct thread_owner *owner, struct run_record *out, struct err *e)
{
	return store_run_read(s, a, run_id, owner, 0, 0, out, NULL, NULL, e);
}

enum errcode store_run_append(struct store *s, const char *run_id, const struct run_group *g,
    int64_t alive_ms, const struct run_end *end, struct err *e)
{
	enum errcode rc = check_group(g, e);

	if (rc != OK)
		return rc;
	return !id_ok(run_id) ? store_run_unknown("of this form", e) :
	    s->ops->run_append(s, run_id, g, alive_ms, end, e);
}

enum errcode store_run_bury(struct store *s, const char *run_id, int64_t count, struct str events,
    const struct run_end *end, bool *ended, struct err *e)
{
	const struct run_group g = { .first = 1, .count = count, .events = events };
	enum errcode rc = check_group(&g, e);

	*ended = false;
	if (rc != OK)
		return rc;
	return !id_ok(run_id) ? store_run_unknown("of this form", e) :
	    s->ops->run_bury(s, run_id, &g, end, ended, e);
}

enum errcode store_run_cancel(struct store *s, const char *run_id, const struct thread_owner *owner,
    enum run_status *was, struct err *e)
{
	struct thread_owner mine;
	enum errcode rc = OK;

	if (!id_ok(run_id))
		return store_run_unknown("of this form", e);
	if (owner != NULL && (rc = store_check_owner(s, owner, &mine, e)) != OK)
		return rc;
	return s->ops->run_cancel(s, run_id, owner != NULL ? &mine : NULL, was, e);
}

enum errcode store_run_unknown(const char *run_id, struct err *e)
{
	return err_set(e, ERR_NOTFOUND, "there is no run %s, or it belongs to somebody else",
	    log_id(run_id));
}

enum errcode store_run_ended(const char *run_id, struct err *e)
{
	return err_set(e, ERR_BUSY, "run %s has ended, or was ended because it gave no sign of life",
	    log_id(run_id));
}

enum errcode store_run_gap(const char *run_id, int64_t last, struct err *e)
{
	return err_set(e, ERR_BUSY, "the log of run %s ends with event %lld, so these events do not "
	    "continue it", log_id(run_id), (long long)last);
}
