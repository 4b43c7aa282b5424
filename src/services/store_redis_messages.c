/*
 * A message as an element of the list aa:{<thread>}:msgs; store_redis.c says what is in it.
 */
#include "services/store_redis.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"

enum { TIME_DIGITS = STORE_KEPT_BYTES - 5 };    /* one byte for each separator */

struct str redis_message(struct arena *a, const struct kept *k)
{
	/* the turn's NUL is there only if it is */
	const char *p = arena_printf(a, "%s\n%s%c%s%c%0*lld%c%s%c%s%c%s", k->role, k->content, 0, k->id, 0,
	    TIME_DIGITS, (long long)k->time_us, 0, k->call_id, 0, k->calls, 0, k->turn);

	return (struct str){ p, store_kept_bytes(k) };
}

enum errcode redis_odd_thread(const struct remote *s, const char *thread_id, struct err *e)
{
	return err_set(e, ERR_STORE, "%s: thread %s is not stored the way this program stores it",
	    kv_where(s->kv), log_id(thread_id));
}

/* The text behind *at, which ends with a NUL. Texts that an old message does not have are empty. */
static const char *next_text(const char **at, const char *end)
{
	*at += strlen(*at);
	return *at < end ? ++*at : *at;
}

/* The texts live as long as the reply, and that as long as the arena. A reply ends with a NUL. */
static bool decode_message(struct arena *a, struct str v, struct kept *k)
{
	const char *nl = v.n > 0 ? memchr(v.p, '\n', v.n) : NULL, *end = v.p + v.n;
	long long time_us = 0;

	if (nl == NULL)
		return false;
	const char *at = nl + 1;
	k->role = arena_strndup(a, v.p, (size_t)(nl - v.p));
	k->content = at;
	k->id = next_text(&at, end);
	const char *time = next_text(&at, end);
	k->call_id = next_text(&at, end);
	k->calls = next_text(&at, end);
	k->turn = next_text(&at, end);
	k->time_us = str_to_int(time, &time_us) ? time_us : 0;
	return true;
}

enum errcode redis_messages(const struct remote *s, struct arena *a, const char *thread_id,
    const struct kv_reply *list, struct message **out, struct err *e)
{
	*out = arena_array(a, list->n, sizeof(**out));
	for (size_t i = 0; i < list->n; i++) {
		struct kept k;

		if (!decode_message(a, list->item[i].text, &k) || store_read(a, &k, &(*out)[i], e) != OK)
			return redis_odd_thread(s, thread_id, e);
	}
	return OK;
}
