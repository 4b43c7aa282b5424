#include "edges/conversation_drop.h"

#include "agents/onboarding/agent.h"
#include "services/conversations.h"
#include "services/threads.h"
#include "tools/onboarding_export.h"

enum errcode conversation_drop(struct store *s, const struct conf *conf, const char *user, const char *id,
    int64_t *retry_ms, struct err *e)
{
	const struct thread_owner owner = { .user = user, .agent = onboarding_agent.name };
	enum errcode rc = threads_delete(s, id, &owner, retry_ms, e);

	if (rc == OK || rc == ERR_NOTFOUND)     /* it may have no messages yet */
		rc = onboarding_export_delete(conf, id, e);
	return rc == OK ? conversations_drop(s, user != NULL ? user : id, id, e) : rc;
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
