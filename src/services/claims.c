/*
 * The entrance to the claims in the store: checks what no back end may get.
 */
#include "services/claims.h"

#include <string.h>

#include "base/str.h"
#include "services/store_backend.h"

static enum errcode check(const char *name, const char *mark, const char *token, struct err *e)
{
	size_t n = strlen(name);

	if (n == 0 || n > CLAIM_NAME_MAX)
		return err_set(e, ERR_INPUT, "store: a key has 1 to %d bytes, not %zu", CLAIM_NAME_MAX, n);
	for (const char *p = name; *p != '\0'; p++)
		if (*p <= ' ' || *p > '~')
			return err_set(e, ERR_INPUT, "store: a key holds printable ASCII only");
	if (!id_valid(mark, CLAIM_MARK_MAX) || !id_valid(token, CLAIM_MARK_MAX))
		return err_set(e, ERR_INPUT, "store: a mark or a token is 1 to %d letters, digits, - or _",
		    CLAIM_MARK_MAX);
	return OK;
}

enum errcode store_claim(struct store *s, const char *name, const char *mark, const char *token,
    int64_t hold_ms, struct claim *out, struct err *e)
{
	enum errcode rc = check(name, mark, token, e);

	*out = (struct claim){ .state = CLAIM_PENDING };
	if (rc == OK && (hold_ms < 1 || hold_ms > STORE_HOLD_MAX_MS))
		rc = err_set(e, ERR_INPUT, "store: a claim lasts 1 to %d ms", STORE_HOLD_MAX_MS);
	return rc != OK ? rc : s->ops->claim(s, name, mark, token, hold_ms, out, e);
}

enum errcode store_claim_settle(struct store *s, const char *name, const char *mark, const char *token,
    const char *run_id, int64_t ttl_ms, struct err *e)
{
	enum errcode rc = check(name, mark, token, e);

	if (rc == OK && (!id_valid(run_id, sizeof(((struct claim *)NULL)->run) - 1) || ttl_ms < 1))
		rc = err_set(e, ERR_INPUT, "store: a claim is settled on a run, for at least 1 ms");
	return rc != OK ? rc : s->ops->claim_settle(s, name, mark, token, run_id, ttl_ms, e);
}

enum errcode store_claim_free(struct store *s, const char *name, const char *token, struct err *e)
{
	enum errcode rc = check(name, "none", token, e);

	return rc != OK ? rc : s->ops->claim_free(s, name, token, e);
}

enum errcode store_claim_lost(struct err *e)
{
	return err_set(e, ERR_BUSY, "the claim to an idempotency key has ended or was taken over");
}
