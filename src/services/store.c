/*
 * The entrance to the thread store: picks a back end by name, refuses arguments that no back end
 * may get, and passes on the rest.
 *
 * Thread and run ids become part of keys and scripts, so only letters, digits, '-' and '_' are
 * allowed, whatever the caller has checked before. Of a turn that is larger than the thread's limit
 * only the newest messages are passed on. There is no state here: the locks are in the back ends.
 */
#include "services/store.h"

#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "base/errs.h"
#include "services/store_backend.h"

enum {
	ID_MAX = 128,
	ROLE_MAX = 16,
	LEASE_MAX_MS = 24 * 3600 * 1000,
	KEPT_MESSAGES = 2,              /* kept whatever their size is: a question and its answer */
};

static const struct {
	const char *name;
	enum errcode (*open)(struct store **out, const struct store_config *c, struct err *e);
} providers[] = {
	{ "redis", store_redis_open },
	{ "sqlite", store_sqlite_open },
	{ "memory", store_memory_open },
	{ "none", store_none_open },
};

struct message message_new(struct arena *a, const char *role, const char *content)
{
	char id[ID_SIZE];

	id_message(id);
	return (struct message){ .role = role, .content = content, .id = arena_strdup(a, id),
	    .time_us = clock_wall_us() };
}

bool message_is_said(const struct message *m)
{
	return m->content != NULL && m->ncalls == 0 &&
	    (streq(m->role, "user") || streq(m->role, "assistant"));
}

static enum errcode check_thread(const char *id, struct err *e)
{
	if (id_valid(id, ID_MAX))
		return OK;
	return err_set(e, ERR_INPUT, "store: a thread id is 1 to %d letters, digits, - or _",
	    ID_MAX);
}

static enum errcode check_run(const char *id, struct err *e)
{
	if (id_valid(id, sizeof(((struct lease *)NULL)->run) - 1))
		return OK;
	return err_set(e, ERR_INPUT, "store: a run id is 1 to 47 letters, digits, - or _");
}

static enum errcode check_owner(const char *owner, struct err *e)
{
	if (owner == NULL || (owner[0] != '\0' && strnlen(owner, STORE_OWNER_MAX + 1) <= STORE_OWNER_MAX))
		return OK;
	return err_set(e, ERR_INPUT, "store: the user's name is empty or longer than %d bytes",
	    STORE_OWNER_MAX);
}

static enum errcode check_lease(const struct lease *l, struct err *e)
{
	enum errcode rc = check_thread(l->thread, e);

	if (rc != OK || (rc = check_run(l->run, e)) != OK)
		return rc;
	if (l->ttl_ms < 1 || l->ttl_ms > LEASE_MAX_MS)
		return err_set(e, ERR_INPUT, "store: a lease lasts 1 ms to 24 h, not %lld ms",
		    (long long)l->ttl_ms);
	return OK;
}

enum errcode store_open(struct store **out, const struct store_config *c, struct err *e)
{
	*out = NULL;
	for (size_t i = 0; i < sizeof(providers) / sizeof(providers[0]); i++)
		if (streq(providers[i].name, c->provider)) {
			enum errcode rc = providers[i].open(out, c, e);

			if (rc == OK) {
				(*out)->name = providers[i].name;
				(*out)->thread_bytes = c->thread_bytes;
			}
			return rc;
		}
	return err_set(e, ERR_CONFIG,
	    "CHECKPOINTER_PROVIDER is '%.40s': use redis, sqlite, memory or none",
	    c->provider != NULL ? c->provider : "");
}

void store_close(struct store *s)
{
	if (s != NULL)
		s->ops->close(s);
}

const char *store_name(const struct store *s)
{
	return s->name;
}

enum errcode store_ping(struct store *s, struct err *e)
{
	struct err scratch;

	return s->ops->ping(s, e != NULL ? e : &scratch);
}

enum errcode store_lease(struct store *s, const char *thread_id, const char *run_id,
    const char *owner, int64_t ttl_ms, struct lease *out, int64_t *retry_ms, struct err *e)
{
	struct err scratch;
	int64_t wait = 0;
	enum errcode rc;

	e = e != NULL ? e : &scratch;
	memset(out, 0, sizeof(*out));
	if ((rc = check_thread(thread_id, e)) != OK || (rc = check_run(run_id, e)) != OK ||
	    (rc = check_owner(owner, e)) != OK)
		return rc;
	memcpy(out->thread, thread_id, strlen(thread_id));
	memcpy(out->run, run_id, strlen(run_id));
	out->ttl_ms = ttl_ms;
	if ((rc = check_lease(out, e)) == OK)
		rc = s->ops->lease(s, owner, out, &wait, e);
	if (retry_ms != NULL)
		*retry_ms = wait;
	return rc;
}

enum errcode store_renew(struct store *s, const struct lease *l, struct err *e)
{
	struct err scratch;
	enum errcode rc;

	e = e != NULL ? e : &scratch;
	rc = check_lease(l, e);
	return rc != OK ? rc : s->ops->renew(s, l, e);
}

enum errcode store_release(struct store *s, const struct lease *l, struct err *e)
{
	struct err scratch;
	enum errcode rc;

	e = e != NULL ? e : &scratch;
	rc = check_lease(l, e);
	return rc != OK ? rc : s->ops->release(s, l, e);
}

enum errcode store_load(struct store *s, struct arena *a, const char *thread_id,
    size_t max_messages, struct thread *out, struct err *e)
{
	struct err scratch;
	enum errcode rc;

	e = e != NULL ? e : &scratch;
	memset(out, 0, sizeof(*out));
	if ((rc = check_thread(thread_id, e)) != OK)
		return rc;
	out->id = arena_strdup(a, thread_id);
	return s->ops->load(s, a, max_messages, out, e);
}

size_t store_message_bytes(const struct message *m)
{
	return strlen(m->role) + 1 + strlen(m->content);
}

/* Leave out the oldest of the new messages until the rest fits the limit. */
static struct commit cut(const struct commit *c, size_t ceiling)
{
	struct commit fits = *c;
	size_t n = 0, bytes = 0;

	if (ceiling == 0)
		return fits;
	for (; n < c->nappend; n++) {
		bytes += store_message_bytes(&c->append[c->nappend - n - 1]);
		if (bytes > ceiling && n >= KEPT_MESSAGES)
			break;
	}
	fits.skipped += c->nappend - n;
	fits.append += c->nappend - n;
	fits.nappend = n;
	return fits;
}

enum errcode store_commit(struct store *s, const struct lease *l, const char *owner,
    const struct commit *c, struct err *e)
{
	struct err scratch;
	enum errcode rc;

	e = e != NULL ? e : &scratch;
	if ((rc = check_lease(l, e)) != OK || (rc = check_owner(owner, e)) != OK)
		return rc;
	for (size_t i = 0; i < c->nappend; i++)
		if (!id_valid(c->append[i].role, ROLE_MAX) || c->append[i].content == NULL)
			return err_set(e, ERR_INPUT,
			    "store: message %zu of the turn has no valid role or no content", i);
	const struct commit fits = cut(c, s->thread_bytes);
	return s->ops->commit(s, l, owner, &fits, e);
}

enum errcode store_forget(struct store *s, const char *thread_id, struct err *e)
{
	struct err scratch;
	enum errcode rc;

	e = e != NULL ? e : &scratch;
	rc = check_thread(thread_id, e);
	return rc != OK ? rc : s->ops->forget(s, thread_id, e);
}

enum errcode store_lost(const struct lease *l, struct err *e)
{
	return err_set(e, ERR_BUSY, "thread %s: the lease of run %.8s has ended or was taken over",
	    log_id(l->thread), l->run);
}

enum errcode store_foreign(const char *thread_id, struct err *e)
{
	return err_set(e, ERR_NOTFOUND, "thread %s belongs to another user", log_id(thread_id));
}

enum errcode store_moved(const struct lease *l, int64_t version, struct err *e)
{
	return err_set(e, ERR_BUSY, "thread %s is at version %lld, not at the one that was loaded",
	    log_id(l->thread), (long long)version);
}

enum errcode store_busy(const struct lease *l, int64_t retry_ms, struct err *e)
{
	return err_set(e, ERR_BUSY, "thread %s has a run: its lease ends in %lld ms at the latest",
	    log_id(l->thread), (long long)retry_ms);
}
