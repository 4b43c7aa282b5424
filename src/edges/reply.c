/*
 * Refusals in one shape, so that an error of a thread, a run or a session reads like one of a chat, and
 * a client cannot tell an id of another user from one that does not exist.
 */
#include "edges/reply.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"

/* Retry-After when it is not known how long to wait, and the longest one: a lease may last long, but
 * most turns end long before it does. */
enum {
	RETRY_S = 5,
	ECHO_TEXT = 200,         /* bytes of a string shown in `input` */
	ECHO_MEMBERS = 10,       /* members of an object or array */
	ECHO_DEPTH = 3,
};

void reply_refusal(struct http_req *r, struct http_res *w, const struct err *err, int64_t retry_ms,
    const char *said)
{
	const struct err_row *row = err_row(err->code);

	log_msg((enum log_level)row->level, "refused", "status=%d code=%s why=\"%s\"", row->http,
	    row->name, err->msg);
	if (err->code == ERR_HUP)
		return;                 /* nobody reads it */
	const bool limit = err->code == ERR_LIMIT;
	int64_t wait_s = RETRY_S;
	if (limit || (err->code == ERR_BUSY && retry_ms < RETRY_S * 1000))
		wait_s = retry_ms > 1000 ? (retry_ms + 999) / 1000 : 1;
	if (limit || err->code == ERR_BUSY || row->http == 503)
		http_fieldf(w, "Retry-After", "%lld", (long long)wait_s);
	http_detail(w, r->mem, row->http, said != NULL ? said : row->said);
}

void reply_not_found(struct http_req *r, struct http_res *w)
{
	http_detail(w, r->mem, err_row(ERR_NOTFOUND)->http, err_row(ERR_NOTFOUND)->said);
}

static struct json_object *shown(struct arena *a, struct json_object *o, int depth)
{
	struct json_object *copy = NULL;
	size_t n = 0;

	if (jsn_is(o, json_type_string)) {
		const char *s = json_object_get_string(o);
		size_t len = (size_t)json_object_get_string_len(o);
		if (len <= ECHO_TEXT)
			return jsn_ref(o);
		return jsn_str(arena_printf(a, "%.*s…", (int)utf8_cut(s, len, ECHO_TEXT), s));
	}
	if (jsn_is(o, json_type_object)) {
		copy = jsn_object(a);
		JSN_EACH(o, it) {
			if (depth == 0 || n++ == ECHO_MEMBERS)
				break;
			if (strlen(it.key) <= ECHO_TEXT)
				jsn_add(copy, it.key, shown(a, it.val, depth - 1));
		}
		return jsn_ref(copy);
	}
	if (jsn_is(o, json_type_array)) {
		copy = jsn_array(a);
		for (n = 0; depth > 0 && n < jsn_len(o) && n < ECHO_MEMBERS; n++)
			jsn_push(copy, shown(a, jsn_at(o, n), depth - 1));
		return jsn_ref(copy);
	}
	return jsn_ref(o);
}

struct json_object *reply_shown(struct arena *a, struct json_object *input)
{
	return shown(a, input, ECHO_DEPTH);
}

struct json_object *reply_fault_add(struct arena *a, struct json_object *faults, const char *where,
    const char *name, const char *type, const char *msg, struct json_object *input)
{
	struct json_object *fault = jsn_object(a), *loc = jsn_array(a);

	jsn_push(loc, jsn_str(where));
	if (name != NULL)
		jsn_push(loc, jsn_str(name));
	jsn_add_str(fault, "type", type);
	jsn_add(fault, "loc", jsn_ref(loc));
	jsn_add_str(fault, "msg", msg);
	jsn_add(fault, "input", reply_shown(a, input));
	jsn_push(faults, jsn_ref(fault));
	return fault;
}

void reply_faults(struct http_req *r, struct http_res *w, struct json_object *faults)
{
	struct json_object *o = jsn_object(r->mem), *first = jsn_at(faults, 0);
	struct json_object *name = jsn_at(jsn_get(first, "loc"), 1);
	const char *msg = jsn_get_str(first, "msg", "");

	if (w->typed) {
		http_detail(w, r->mem, 400, name == NULL ? msg :
		    arena_printf(r->mem, "%s: %s", json_object_get_string(name), msg));
		return;
	}
	jsn_add(o, "detail", jsn_ref(faults));
	http_json(w, err_row(ERR_INPUT)->http, o);
}

void reply_fault_value(struct http_req *r, struct http_res *w, const char *where, const char *name,
    const char *type, const char *msg, struct json_object *input)
{
	struct json_object *faults = jsn_array(r->mem);

	reply_fault_add(r->mem, faults, where, name, type, msg, input);
	reply_faults(r, w, faults);
}

void reply_fault(struct http_req *r, struct http_res *w, const char *where, const char *name,
    const char *type, const char *msg, const char *input)
{
	reply_fault_value(r, w, where, name, type, msg, input != NULL ? jsn_own(r->mem, jsn_str(input)) : NULL);
}

void reply_add_plain_time(struct json_object *o, const char *name, int64_t wall_us)
{
	char at[CLOCK_ISO_SIZE];

	clock_iso_utc(at, wall_us);
	jsn_add_str(o, name, wall_us > 0 ? at : NULL);
}

void reply_add_time(struct json_object *o, const char *name, int64_t wall_us)
{
	char at[CLOCK_ISO_SIZE], zoned[CLOCK_ISO_SIZE + 1];

	clock_iso_utc(at, wall_us);
	snprintf(zoned, sizeof(zoned), "%sZ", at);
	jsn_add_str(o, name, wall_us > 0 ? zoned : NULL);
}
