/*
 * The record of an employee as the channel state of the thread:
 *
 *   {"version": 1, "fields": {…}, "exported": {"at": …, "fields": {…}} or null,
 *    "builtin": {"asked": …, "declined": …, "again": …}}
 *
 * `builtin` is for the built-in strategy. Without it, nothing was asked.
 */
#include "agents/onboarding/builtin/reading.h"
#include "agents/onboarding/onboarding.h"

#include <string.h>

#include "base/jsn.h"

enum { RECORD_VERSION = 1 };

struct json_object *record_save(const struct run *run)
{
	const struct onboarding_state *st = state_of(run);
	if (st->fields == NULL)
		return NULL;            /* the turn ended before it began */
	struct json_object *o = jsn_new();
	jsn_add_int(o, "version", RECORD_VERSION);
	jsn_add(o, "fields", jsn_ref(st->fields));
	jsn_add(o, "exported", jsn_ref(st->exported));
	struct json_object *b = jsn_new();
	jsn_add_int(b, "asked", st->asked);
	jsn_add_int(b, "declined", st->declined);
	jsn_add_int(b, "again", st->again);
	jsn_add(o, "builtin", b);
	return o;
}

static enum errcode check(struct json_object *o, struct err *e)
{
	if (jsn_get_int(o, "version", 0) != RECORD_VERSION || !jsn_is(jsn_get(o, "fields"), json_type_object))
		return err_set(e, ERR_STORE, "onboarding: the record is damaged, or a newer version of this "
		    "program has stored it");
	return OK;
}

enum errcode record_load(struct run *run, struct json_object *o, struct err *e)
{
	struct onboarding_state *st = state_of(run);
	enum errcode rc = check(o, e);
	if (rc != OK)
		return rc;
	st->fields = onboarding_fields(run->mem, jsn_get(o, "fields"));
	st->exported = jsn_get(o, "exported");
	struct json_object *b = jsn_get(o, "builtin");
	const unsigned bits = (1u << ONBOARDING_WRITABLE) - 1;
	const int64_t asked = jsn_get_int(b, "asked", ASKED_NOTHING);
	st->asked = asked >= ASKED_NOTHING && asked <= ASKED_CONFIRM ? (int)asked : ASKED_NOTHING;
	st->declined = (unsigned)jsn_get_int(b, "declined", 0) & bits;
	st->again = (unsigned)jsn_get_int(b, "again", 0) & bits;
	return OK;
}

void record_begin(struct run *run)
{
	struct onboarding_state *st = state_of(run);
	if (st->fields != NULL)
		return;
	st->fields = onboarding_fields(run->mem, NULL);
	st->asked = ASKED_NOTHING;
}

void record_apply(struct run *run, struct json_object *update)
{
	struct onboarding_state *st = state_of(run);
	JSN_EACH(update, it)
		jsn_add(st->fields, it.key, jsn_ref(it.val));
}

enum errcode onboarding_record(struct arena *a, const char *state, struct json_object **out, struct err *e)
{
	struct json_object *o = NULL;
	enum errcode rc = OK;
	if (state != NULL && (rc = jsn_parse(a, state, strlen(state), JSN_DEPTH, &o, NULL, e)) == OK)
		rc = check(o, e);
	if (rc != OK)
		return rc;
	*out = onboarding_fields(a, jsn_get(o, "fields"));
	jsn_add(*out, "missing_fields", jsn_ref(onboarding_missing(a, *out)));
	jsn_add_str(*out, "exported_at", jsn_get_str(jsn_get(o, "exported"), "at", NULL));
	return OK;
}
