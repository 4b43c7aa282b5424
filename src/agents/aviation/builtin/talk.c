#include "agents/aviation/builtin/talk.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/aviation/builtin/amounts.h"
#include "agents/aviation/builtin/labels.h"
#include "base/arena.h"
#include "base/str.h"
#include "tools/tool.h"

/* ---- picking ------------------------------------------------------------------------------- */

/* The numbers by which the best of the list is picked. */
static const struct best {
	const char *name;
	size_t offset;
	int sign;                     /* 1: the largest, -1: the smallest */
} bests[] = {
	{ "runway", offsetof(struct talk_airport, runway_ft), 1 },
	{ "distance", offsetof(struct talk_airport, distance_nm), -1 },
	{ "fee", offsetof(struct talk_airport, fee), -1 },
};

static double number_of(const struct talk_airport *a, const struct best *by)
{
	double v;
	memcpy(&v, (const char *)a + by->offset, sizeof(v));
	return v * by->sign;
}

static const char *best_of(const struct talk *t, const struct best *by)
{
	const struct talk_airport *best = NULL;
	for (size_t i = 0; i < t->n; i++)
		if (!isnan(number_of(&t->list[i], by)) &&
		    (best == NULL || number_of(&t->list[i], by) > number_of(best, by)))
			best = &t->list[i];
	return best != NULL ? best->ident : NULL;
}

/* "there", "it": the airport spoken of last, or the only one of the list. */
static const char *it(const struct talk *t)
{
	return t->current[0] != '\0' ? t->current : t->n == 1 ? t->list[0].ident : NULL;
}

/* The airport whose longest runway has this length. Answers round it to whole metres. */
static const char *of_length(const struct talk *t, double feet, bool *several)
{
	static const double rounding_ft = 2;
	const struct talk_airport *one = NULL;

	for (size_t i = 0; i < t->n; i++)
		if (fabs(t->list[i].runway_ft - feet) <= rounding_ft) {
			*several |= one != NULL;
			one = &t->list[i];
		}
	return one != NULL && !*several ? one->ident : NULL;
}

const char *talk_pick(const struct talk *t, const char *pick, bool *several)
{
	*several = false;
	for (size_t i = 0; i < sizeof(bests) / sizeof(bests[0]); i++)
		if (streq(pick, bests[i].name))
			return best_of(t, &bests[i]);
	if (streq(pick, "it")) {
		*several = it(t) == NULL;
		return it(t);
	}
	if (!isnan(amount_feet(pick)))
		return of_length(t, amount_feet(pick), several);
	const long nth = strtol(pick, NULL, 10);
	const size_t i = nth < 0 ? t->n : (size_t)nth;
	return i >= 1 && i <= t->n ? t->list[i - 1].ident : NULL;
}

/* ---- what was found ---------------------------------------------------------------------- */

static void put_ident(char out[TALK_IDENT], const char *ident)
{
	snprintf(out, TALK_IDENT, "%s", ident != NULL && strlen(ident) < TALK_IDENT ? ident : "");
}

static struct talk_airport airport_of(struct json_object *o)
{
	struct talk_airport a = {
		.runway_ft = jsn_get_num(o, "longest_runway_length_ft", NAN),
		.distance_nm = jsn_get_num(o, "distance_nm", jsn_get_num(o, "segment_distance_nm", NAN)),
		.fee = jsn_get_num(jsn_get(jsn_get(o, "friendliness"), "landing_fee"), "fee", NAN),
	};
	put_ident(a.ident, jsn_get_str(o, "ident", NULL));
	return a;
}

/* The lines of an answer are numbered from what fits on to what may fit, where nothing is recorded. */
static void hear_list(struct talk *t, const struct plan *plan, struct json_object *result)
{
	static const char *const lists[] = { "airports", "unrecorded" };

	/* there were no further ones, so the list that was shown last is still there to pick from */
	if (jsn_get_num(plan->arguments, "offset", 0) > 0 && jsn_len(jsn_get(result, lists[0])) == 0)
		return;
	t->n = t->ndetails = 0;
	for (size_t k = 0; k < sizeof(lists) / sizeof(lists[0]); k++) {
		struct json_object *list = jsn_get(result, lists[k]);
		const size_t n = jsn_is(list, json_type_array) ? jsn_len(list) : 0;
		for (size_t i = 0; i < n && t->n < TALK_AIRPORTS; i++)
			t->list[t->n++] = airport_of(jsn_at(list, i));
	}
	t->current[0] = '\0';
	if (t->n == 1)
		put_ident(t->current, t->list[0].ident);
}

static void hear_details(struct talk *t, struct json_object *airport)
{
	const struct talk_airport one = airport_of(airport);

	put_ident(t->current, one.ident);
	if (one.ident[0] == '\0' || (t->ndetails > 0 && streq(t->last_details.ident, one.ident)))
		return;
	if (t->ndetails == 1) {
		t->n = 1;
		t->list[0] = t->last_details;
	}
	if (t->ndetails > 0 && t->n < TALK_AIRPORTS)
		t->list[t->n++] = one;
	t->ndetails++;
	t->last_details = one;
}

void talk_next_message(struct talk *t)
{
	t->ndetails = 0;
}

void talk_heard(struct talk *t, const struct plan *plan, struct json_object *result)
{
	if (plan->tool == NULL || result == NULL)
		return;
	switch (plan->tool->result) {
	case RESULT_AIRPORTS_ROUTE:
		t->track_nm = jsn_get_num(result, "distance_nm", 0);
		/* an answer that has only the distance shows no list, so the one before is still there to pick from */
		if (plan->only_flight)
			put_ident(t->current, jsn_get_str(jsn_get(jsn_get(jsn_get(result, "visualization"), "route"), "to"), "icao", NULL));
		else
			hear_list(t, plan, result);
		break;
	case RESULT_AIRPORTS_FOUND:
	case RESULT_AIRPORTS_NEAR:
		t->track_nm = 0;
		hear_list(t, plan, result);
		break;
	case RESULT_AIRPORT:
		hear_details(t, jsn_get(result, "airport"));
		break;
	case RESULT_NOTICE:
		put_ident(t->current, jsn_get_str(result, "icao", NULL));
		break;
	case RESULT_OTHER:
	case RESULT_POINTS_OF_ENTRY:
	case RESULT_AIRPORT_STATISTICS:
	case RESULT_FEES:
	case RESULT_REVIEWS:
	case RESULT_FUEL_PRICES:
	case RESULT_RULES_ANSWER:
	case RESULT_RULES_PAGE:
	case RESULT_RULES_LIST:
	case RESULT_RULES_COMPARISON:
	case RESULT_RULES_ANSWERS:
	case RESULT_RULES_SUBJECTS:
	case RESULT_RULES_COUNTRIES:
	case RESULT_EXTERNAL:
	case RESULT__MAX:
		break;
	}
}

/* ---- JSON ---------------------------------------------------------------------------------- */

/* ["LFLY",5971,12.3,null] */
static struct json_object *airport_json(const struct talk_airport *a)
{
	struct json_object *o = json_object_new_array();
	jsn_push(o, jsn_str(a->ident));
	jsn_push(o, isnan(a->runway_ft) ? NULL : jsn_num(a->runway_ft));
	jsn_push(o, isnan(a->distance_nm) ? NULL : jsn_num(a->distance_nm));
	jsn_push(o, isnan(a->fee) ? NULL : jsn_num(a->fee));
	return o;
}

struct json_object *talk_save(const struct talk *t)
{
	struct json_object *o = jsn_new(), *list = json_object_new_array();
	char last[20];

	for (size_t i = 0; i < t->n; i++)
		jsn_push(list, airport_json(&t->list[i]));
	snprintf(last, sizeof(last), "%016" PRIx64, t->last);
	jsn_add(o, "frames", dialogue_save(&aviation_schema, &t->dialogue));
	jsn_add(o, "airports", list);
	jsn_add_str(o, "current", t->current);
	if (t->track_nm > 0)
		jsn_add_num(o, "track_nm", t->track_nm);
	jsn_add_str(o, "last", last);
	if (t->question != NULL)
		jsn_add_str(o, "question", t->question);
	return o;
}

static double number_at(struct json_object *o, size_t i)
{
	struct json_object *v = jsn_at(o, i);
	return jsn_is(v, json_type_int) || jsn_is(v, json_type_double) ? json_object_get_double(v) : NAN;
}

void talk_load(struct arena *a, struct json_object *o, struct talk *out)
{
	struct json_object *list = jsn_get(o, "airports");

	*out = (struct talk){ .n = 0 };
	dialogue_load(a, &aviation_schema, jsn_get(o, "frames"), &out->dialogue);
	for (size_t i = 0; jsn_is(list, json_type_array) && i < jsn_len(list) && out->n < TALK_AIRPORTS; i++) {
		struct json_object *one = jsn_at(list, i);
		if (!jsn_is(one, json_type_array) || !jsn_is(jsn_at(one, 0), json_type_string))
			continue;
		struct talk_airport *airport = &out->list[out->n++];
		put_ident(airport->ident, json_object_get_string(jsn_at(one, 0)));
		airport->runway_ft = number_at(one, 1);
		airport->distance_nm = number_at(one, 2);
		airport->fee = number_at(one, 3);
	}
	put_ident(out->current, jsn_get_str(o, "current", NULL));
	out->track_nm = jsn_get_num(o, "track_nm", 0);
	const char *question = jsn_get_str(o, "question", NULL);
	out->question = question != NULL ? arena_strndup(a, question, utf8_cut(question, strlen(question), TALK_QUESTION)) : NULL;
	out->last = strtoull(jsn_get_str(o, "last", "0"), NULL, 16);
}

void talk_copy(struct arena *a, const struct talk *t, struct talk *out)
{
	struct json_object *o = talk_save(t);
	talk_load(a, o, out);
	json_object_put(o);
}
