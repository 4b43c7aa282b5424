/*
 * Reading the file of personas. Every fault is found at start and told with file, persona and key.
 */
#include "airports/persona.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

enum { FILE_MAX = 1 << 18, TEXT_MAX = 400, ID_MAX = 64 };
static const double SUM_SLACK = 0.05, CRUISE_MAX_KT = 600;
static const char original_standard[] = "ifr_touring_sr22";

struct reading {
	const char *path, *id;        /* id NULL: not in a persona */
	struct arena *mem;
	struct err *e;
};

__attribute__((format(printf, 2, 3)))
static enum errcode wrong(const struct reading *r, const char *fmt, ...)
{
	char why[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	if (r->id == NULL)
		return err_set(r->e, ERR_CONFIG, "%s: %s", r->path, why);
	return err_set(r->e, ERR_CONFIG, "%s: persona \"%.64s\": %s", r->path, r->id, why);
}

static enum errcode text_of(const struct reading *r, struct json_object *o, const char *key,
    const char **out)
{
	const char *s = jsn_get_str(o, key, "");

	if (*s == '\0' || strlen(s) > TEXT_MAX)
		return wrong(r, "%s must be a text of 1 to %d bytes, not %s", key, TEXT_MAX,
		    jsn_has(o, key) ? jsn_kind(jsn_get(o, key)) : "absent");
	*out = arena_strdup(r->mem, s);
	return OK;
}

static size_t feature_of(const char *name)
{
	size_t f = 0;

	while (f < FEATURE__MAX && !streq(features[f].name, name))
		f++;
	return f;
}

static enum errcode unknown_feature(const struct reading *r, const char *key, const char *name)
{
	return wrong(r, "%s: there is no feature %.60s; the features are review_cost_score, "
	    "review_hassle_score and so on, see the shipped file", key, name);
}

static enum errcode read_weights(const struct reading *r, struct json_object *o, struct persona *p)
{
	double sum = 0;

	if (!jsn_is(o, json_type_object))
		return wrong(r, "weights must be an object, not %s", jsn_kind(o));
	JSN_EACH(o, it) {
		size_t f = feature_of(it.key);
		double w = jsn_get_num(o, it.key, NAN);

		if (f == FEATURE__MAX)
			return unknown_feature(r, "weights", it.key);
		if (!(w >= 0) || !isfinite(w))
			return wrong(r, "weights.%s must be a number of at least 0", it.key);
		p->weight[f] = w;
		sum += w;
	}
	if (!(fabs(sum - 1) <= SUM_SLACK + 1e-9))
		return wrong(r, "the weights add up to %g; they must add up to 1 (%.2f to %.2f)", sum,
		    1 - SUM_SLACK, 1 + SUM_SLACK);
	return OK;
}

static enum errcode read_missing(const struct reading *r, struct json_object *o, struct persona *p)
{
	p->missing[FEATURE_REVIEW_HOSPITALITY] = MISSING_EXCLUDE;
	p->missing[FEATURE_AIP_HOSPITALITY] = MISSING_EXCLUDE;
	if (o != NULL && !jsn_is(o, json_type_object))
		return wrong(r, "missing_behaviors must be an object, not %s", jsn_kind(o));
	JSN_EACH(o, it) {
		size_t f = feature_of(it.key), m = 0;

		if (f == FEATURE__MAX)
			return unknown_feature(r, "missing_behaviors", it.key);
		while (m < MISSING__MAX && !streq(missing_rows[m].name, jsn_get_str(o, it.key, "")))
			m++;
		if (m == MISSING__MAX)
			return wrong(r, "missing_behaviors.%s must be neutral, negative, positive or exclude",
			    it.key);
		p->missing[f] = (enum missing)m;
	}
	return OK;
}

static enum errcode read_persona(struct reading *r, struct json_object *o, struct persona *p)
{
	struct json_object *cruise = jsn_get(o, "cruise_speed_kt");
	enum errcode rc;

	if (!id_valid(r->id, ID_MAX))
		return wrong(r, "an id has 1 to %d letters, digits, \"_\" and \"-\"", ID_MAX);
	if (!jsn_is(o, json_type_object))
		return wrong(r, "it must be an object, not %s", jsn_kind(o));
	if (!streq(jsn_get_str(o, "id", ""), r->id))
		return wrong(r, "its id must be \"%.64s\", like its key", r->id);
	p->id = arena_strdup(r->mem, r->id);
	p->cruise_kt = jsn_get_num(o, "cruise_speed_kt", NAN);
	if (cruise != NULL && !(p->cruise_kt > 0 && p->cruise_kt <= CRUISE_MAX_KT))
		return wrong(r, "cruise_speed_kt must be a number above 0 and at most %g", CRUISE_MAX_KT);
	rc = text_of(r, o, "label", &p->label);
	if (rc == OK)
		rc = text_of(r, o, "description", &p->description);
	if (rc == OK)
		rc = read_weights(r, jsn_get(o, "weights"), p);
	if (rc == OK)
		rc = read_missing(r, jsn_get(o, "missing_behaviors"), p);
	return rc;
}

static enum errcode choose_standard(const struct reading *r, struct json_object *o,
    struct personas *out)
{
	struct json_object *named = jsn_get(o, "default_persona");

	out->standard = persona_find(out, original_standard);
	if (out->standard == NULL)
		out->standard = &out->list[0];
	if (named == NULL)
		return OK;
	out->standard = persona_find(out, jsn_get_str(o, "default_persona", ""));
	if (out->standard == NULL)
		return wrong(r, "default_persona must be the id of one of the personas");
	return OK;
}

enum errcode personas_load(struct personas *out, struct arena *a, const char *path, struct err *e)
{
	struct reading r = { .path = path, .mem = a, .e = e };
	struct json_object *o, *all;
	struct persona *list = arena_array(a, PERSONAS_MAX, sizeof(*list));
	const char **ids = arena_array(a, PERSONAS_MAX + 1, sizeof(*ids));
	enum errcode rc = jsn_load(a, path, FILE_MAX, &o, e);

	*out = (struct personas){ .path = arena_strdup(a, path), .list = list, .ids = ids };
	if (rc != OK)
		return rc == ERR_CONFIG ? rc : err_set(e, ERR_CONFIG, "%.450s", arena_strdup(a, e->msg));
	all = jsn_get(o, "personas");
	if (!jsn_is(all, json_type_object) || jsn_len(all) == 0 || jsn_len(all) > PERSONAS_MAX)
		return wrong(&r, "it must have an object \"personas\" with 1 to %d members", PERSONAS_MAX);
	rc = text_of(&r, o, "version", &out->version);
	if (rc != OK)
		return rc;
	JSN_EACH(all, it) {
		r.id = it.key;
		list[out->n].number = out->n;
		rc = read_persona(&r, it.val, &list[out->n]);
		if (rc != OK)
			return rc;
		ids[out->n] = list[out->n].id;
		out->n++;
	}
	r.id = NULL;
	return choose_standard(&r, o, out);
}
