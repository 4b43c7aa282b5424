/*
 * Conversations and counters in the store. Arguments are checked here, so that no back end gets a wrong one.
 */
#include "services/conversations.h"

#include <string.h>

#include "base/log.h"
#include "base/str.h"
#include "base/url.h"
#include "services/counts.h"
#include "services/store_accounts.h"
#include "services/store_backend.h"

/* -- conversations -- */

/* The owner as part of a key, in the arena. */
static enum errcode check(struct arena *a, const char *owner, const char *id, const char **key,
    struct err *e)
{
	enum errcode rc = store_check_thread(id, e);

	*key = "";
	if (rc != OK)
		return rc;
	if (owner == NULL || *owner == '\0' || strnlen(owner, STORE_OWNER_MAX + 1) > STORE_OWNER_MAX)
		return err_set(e, ERR_INPUT, "store: a conversation's owner has 1 to %d bytes", STORE_OWNER_MAX);
	*key = url_encode(a, owner);
	return OK;
}

static enum errcode check_title(const char *title, struct err *e)
{
	return strnlen(title, CONVERSATION_TITLE_MAX + 1) <= CONVERSATION_TITLE_MAX ? OK :
	    err_set(e, ERR_INPUT, "store: a title has at most %d bytes", CONVERSATION_TITLE_MAX);
}

enum errcode conversations_add(struct store *s, const char *owner, const struct conversation *c, int64_t max,
    struct err *e)
{
	struct arena *a = arena_new();
	const char *key;
	enum errcode rc = check(a, owner, c->id, &key, e);

	if (rc == OK)
		rc = check_title(c->title, e);
	if (rc == OK)
		rc = s->accounts->talk_add(s, key, c, max, e);
	arena_free(a);
	return rc;
}

enum errcode conversations_find(struct store *s, struct arena *a, const char *owner, const char *id,
    struct conversation *out, struct err *e)
{
	const char *key;
	enum errcode rc = check(a, owner, id, &key, e);

	*out = (struct conversation){ .id = arena_strdup(a, id) };
	return rc != OK ? rc : s->accounts->talk_find(s, a, key, out, e);
}

enum errcode conversations_list(struct store *s, struct arena *a, const char *owner, int64_t skip,
    size_t limit, struct conversation **out, size_t *n, struct err *e)
{
	const char *key;
	enum errcode rc = check(a, owner, "any", &key, e);

	*n = 0;
	if (rc == OK && (skip < 0 || limit < 1 || limit > CONVERSATION_PAGE_MAX))
		rc = err_set(e, ERR_INPUT, "store: a page has 1 to %d conversations", CONVERSATION_PAGE_MAX);
	if (rc != OK)
		return rc;
	*out = arena_array(a, limit, sizeof(**out));
	return s->accounts->talk_list(s, a, key, skip, limit, *out, n, e);
}

static enum errcode set(struct store *s, const char *owner, const struct conversation *c, int64_t *turn,
    struct err *e)
{
	struct arena *a = arena_new();
	const char *key;
	enum errcode rc = check(a, owner, c->id, &key, e);

	if (rc == OK && c->title != NULL)
		rc = check_title(c->title, e);
	if (rc == OK)
		rc = s->accounts->talk_set(s, key, c, turn, e);
	arena_free(a);
	return rc;
}

enum errcode conversations_rename(struct store *s, const char *owner, const char *id, const char *title,
    int64_t now_us, struct err *e)
{
	int64_t turn;

	return set(s, owner, &(struct conversation){ .id = id, .title = title, .updated_us = now_us }, &turn, e);
}

enum errcode conversations_turn(struct store *s, const char *owner, const char *id, const char *run,
    int64_t now_us, int64_t *turn, struct err *e)
{
	return set(s, owner, &(struct conversation){ .id = id, .updated_us = now_us, .run = run }, turn, e);
}

enum errcode conversations_drop(struct store *s, const char *owner, const char *id, struct err *e)
{
	struct arena *a = arena_new();
	const char *key;
	enum errcode rc = check(a, owner, id, &key, e);

	if (rc == OK)
		rc = s->accounts->talk_drop(s, key, id, e);
	arena_free(a);
	return rc;
}

enum errcode conversation_unknown(const char *id, struct err *e)
{
	return err_set(e, ERR_NOTFOUND, "conversation %s is not in the store, or is another user's", log_id(id));
}

enum errcode conversation_too_many(int64_t max, struct err *e)
{
	return err_set(e, ERR_LIMIT, "the user has %lld conversations already", (long long)max);
}

/* -- counters -- */

enum errcode store_count(struct store *s, const char *name, int add, int64_t max, int64_t window_ms,
    int64_t *left_ms, struct err *e)
{
	const size_t n = strlen(name);
	int64_t total = 0;

	*left_ms = 0;
	if (max == 0)
		return OK;
	for (size_t i = 0; i < n; i++)
		if (name[i] <= ' ' || name[i] > '~' || n > COUNT_NAME_MAX)
			return err_set(e, ERR_INPUT, "store: the name of a counter is printable ASCII, at most %d bytes",
			    COUNT_NAME_MAX);
	enum errcode rc = s->accounts->count(s, name, add, window_ms, &total, left_ms, e);
	if (rc == OK && add > 0 && total > max)
		rc = err_set(e, ERR_LIMIT, "more than %lld times within %lld s", (long long)max,
		    (long long)window_ms / 1000);
	return rc;
}
