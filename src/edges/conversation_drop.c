#include "edges/conversation_drop.h"

#include "agents/onboarding/agent.h"
#include "base/clock.h"
#include "services/conversations.h"
#include "tools/onboarding_export.h"

enum { LEASE_MS = 60000 };

/* No turn begins while we have the thread. */
static enum errcode take_thread(struct store *s, const char *user, const char *id, int64_t *retry_ms,
    struct err *e)
{
	const struct thread_owner owner = { .user = user, .agent = onboarding_agent.name };
	struct lease lease;
	char run[ID_SIZE];

	id_run(run);
	return store_lease(s, id, run, &owner, LEASE_MS, &lease, retry_ms, e);
}

/* To forget a thread ends its lease. So it is taken once more, until the record is deleted: a turn that begins then finds
 * no record, and is refused. */
enum errcode conversation_drop(struct store *s, const struct conf *conf, const char *user, const char *id,
    int64_t *retry_ms, struct err *e)
{
	enum errcode rc = take_thread(s, user, id, retry_ms, e);

	if (rc == OK)
		rc = onboarding_export_delete(conf, id, e);
	if (rc == OK)
		rc = store_forget(s, id, e);
	if (rc == OK)
		rc = take_thread(s, user, id, retry_ms, e);
	if (rc == OK)
		rc = conversations_drop(s, user != NULL ? user : id, id, e);
	if (rc == OK || rc == ERR_NOTFOUND) {
		struct err ignored;
		(void)store_forget(s, id, &ignored);    /* else the lease ends by itself */
	}
	return rc;
}

enum errcode conversations_drop_all(struct store *s, const struct conf *conf, const char *user, struct err *e)
{
	enum errcode rc;
	size_t n;

	do {
		struct arena *a = arena_new();
		struct conversation *list;
		int64_t retry_ms;

		rc = conversations_list(s, a, user, 0, CONVERSATION_PAGE_MAX, &list, &n, e);
		for (size_t i = 0; rc == OK && i < n; i++) {
			rc = conversation_drop(s, conf, user, list[i].id, &retry_ms, e);
			if (rc == ERR_NOTFOUND)         /* somebody else has just deleted it */
				rc = OK;
		}
		arena_free(a);
	} while (rc == OK && n > 0);
	return rc;
}
