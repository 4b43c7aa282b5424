#include "edges/turn_slot.h"

#include "base/clock.h"
#include "base/log.h"
#include "edges/caller.h"
#include "edges/reply.h"

enum {
	END_MS = 60 * 1000,             /* after its last moment a turn still stores its answer */
	HOLD_MAX_MS = 600 * 1000,       /* no claim may last longer */
	RETRY_MS = 5000,
};
#define MARK "turn"
#define TOO_MANY "Too many of your messages are being answered at the moment. Please wait until an answer is complete."

static int64_t hold_ms(const struct conf *c)
{
	const int64_t ms = c->onboarding_turn_s * 1000 + END_MS;

	return ms < HOLD_MAX_MS ? ms : HOLD_MAX_MS;
}

/* The slots are tried from a different one each time, so that the first try mostly succeeds. */
bool turn_slot_take(const struct edge *e, struct http_req *r, struct http_res *w, struct turn_slot *out)
{
	const struct conf *c = e->parts.conf;
	const int64_t n = c->turns_at_once, first = n > 0 ? clock_mono_ms() % n : 0;
	struct err err = { 0 };
	enum errcode rc = OK;

	out->name = NULL;
	id_run(out->token);
	for (int64_t i = 0; rc == OK && i < n; i++) {
		const char *name = arena_printf(r->mem, "turn:%lld:%s", (long long)((first + i) % n), caller_counted(r));
		struct claim claim;

		rc = store_claim(e->parts.store, name, MARK, out->token, hold_ms(c), &claim, &err);
		if (rc == OK && claim.state == CLAIM_MINE) {
			out->name = name;
			return true;
		}
	}
	if (n == 0)
		return true;
	if (rc == OK)
		(void)err_set(&err, ERR_LIMIT, "%lld turns of this user run already", (long long)n);
	reply_refusal(r, w, &err, RETRY_MS, err.code == ERR_LIMIT ? TOO_MANY : NULL);
	return false;
}

void turn_slot_free(const struct edge *e, struct turn_slot *slot)
{
	struct err err;

	if (slot->name != NULL && store_claim_free(e->parts.store, slot->name, slot->token, &err) != OK)
		log_msg(LOG_WARN, "turn_slot_not_freed", "ends_in_ms=%lld why=\"%s\"",
		    (long long)hold_ms(e->parts.conf), err.msg);
	slot->name = NULL;
}
