/*
 * Features, personas and scores.
 */
#include "airports/persona.h"

#include <math.h>

#include "base/str.h"

const struct feature_row features[FEATURE__MAX] = {
	[FEATURE_COST] = { "review_cost_score", "Cost",
	    "How low pilots find the fees.", true },
	[FEATURE_HASSLE] = { "review_hassle_score", "Low Hassle",
	    "How simple pilots find the formalities, and how helpful the staff.", true },
	[FEATURE_REVIEW] = { "review_review_score", "Reviews",
	    "What pilots think of the airfield as a whole.", true },
	[FEATURE_REVIEW_IFR] = { "review_ops_ifr_score", "IFR Ops (Reviews)",
	    "How well instrument flights are served, according to reviews.", true },
	[FEATURE_VFR] = { "review_ops_vfr_score", "VFR Ops",
	    "How good runway and procedures are for visual flights.", true },
	[FEATURE_ACCESS] = { "review_access_score", "Access",
	    "How easily one gets to town.", true },
	[FEATURE_FUN] = { "review_fun_score", "Fun Factor",
	    "How enjoyable a visit is.", true },
	[FEATURE_REVIEW_HOSPITALITY] = { "review_hospitality_score", "Hospitality (Reviews)",
	    "What pilots say of food and beds nearby.", true },
	[FEATURE_AIP_IFR] = { "aip_ops_ifr_score", "IFR Ops (Official)",
	    "Which instrument approaches are published.", false },
	[FEATURE_AIP_HOSPITALITY] = { "aip_hospitality_score", "Hospitality (Official)",
	    "Which hotels and restaurants the AIP names.", false },
};

const struct missing_row missing_rows[MISSING__MAX] = {
	[MISSING_NEUTRAL] = { "neutral", 0.5 },
	[MISSING_NEGATIVE] = { "negative", 0 },
	[MISSING_POSITIVE] = { "positive", 1 },
	[MISSING_EXCLUDE] = { "exclude", NAN },
};

/* ---- scores ------------------------------------------------------------- */

/* The value that a persona counts for a feature; NaN: the feature is left out. */
static double resolved(const struct persona *p, size_t f, double value)
{
	return isnan(value) ? missing_rows[p->missing[f]].value : value;
}

static void sums(const struct persona *p, const double value[FEATURE__MAX], double *score,
    double *weight)
{
	*score = *weight = 0;
	for (size_t f = 0; f < FEATURE__MAX; f++) {
		double v = resolved(p, f, value[f]);

		if (!(p->weight[f] > 0) || isnan(v))
			continue;
		*score += p->weight[f] * v;
		*weight += p->weight[f];
	}
}

double persona_score(const struct persona *p, const double value[FEATURE__MAX])
{
	double score, weight;

	sums(p, value, &score, &weight);
	return weight > 0 ? score / weight : 0.5;
}

bool persona_informed(const struct persona *p, const double value[FEATURE__MAX])
{
	for (size_t f = 0; f < FEATURE__MAX; f++)
		if (features[f].reviewed && p->weight[f] > 0 && !isnan(value[f]))
			return true;
	return false;
}

struct json_object *persona_explain(struct arena *a, const struct persona *p,
    const double value[FEATURE__MAX])
{
	struct json_object *o = jsn_object(a), *list = jsn_new();
	double score, weight;

	sums(p, value, &score, &weight);
	jsn_add_str(o, "persona_id", p->id);
	jsn_add_str(o, "persona_label", p->label);
	for (size_t f = 0; f < FEATURE__MAX; f++) {
		double v = resolved(p, f, value[f]);
		bool counts = p->weight[f] > 0 && !isnan(v);
		struct json_object *one;

		if (!(p->weight[f] > 0))
			continue;
		one = jsn_new();
		jsn_add_num(one, "weight", p->weight[f]);
		jsn_add_num(one, "raw_value", value[f]);
		jsn_add_num(one, "resolved_value", v);
		jsn_add_str(one, "missing_behavior",
		    isnan(value[f]) ? missing_rows[p->missing[f]].name : NULL);
		jsn_add_bool(one, "included", counts);
		jsn_add_num(one, "contribution", counts ? p->weight[f] * v : 0);
		jsn_add(list, features[f].name, one);
	}
	jsn_add(o, "features", list);
	jsn_add_num(o, "total_weight", weight);
	jsn_add_num(o, "total_score", score);
	jsn_add_num(o, "final_score", persona_score(p, value));
	return o;
}

/* ---- the list --------------------------------------------------------------- */

const struct persona *persona_find(const struct personas *p, const char *id)
{
	for (size_t i = 0; p != NULL && id != NULL && i < p->n; i++)
		if (streq(p->list[i].id, id))
			return &p->list[i];
	return NULL;
}

const struct persona *persona_or_standard(const struct personas *p, const char *id)
{
	const struct persona *found = persona_find(p, id);

	return found != NULL || p == NULL ? found : p->standard;
}

static struct json_object *weights_of(const struct persona *p)
{
	struct json_object *o = jsn_new();

	for (size_t f = 0; f < FEATURE__MAX; f++)
		jsn_add_num(o, features[f].name, p->weight[f]);
	return o;
}

static struct json_object *buckets(void)
{
	static const struct { const char *id, *label, *color; } rows[] = {
		{ "top-quartile", "Most Relevant", "#27ae60" },
		{ "second-quartile", "Relevant", "#3498db" },
		{ "third-quartile", "Less Relevant", "#e67e22" },
		{ "bottom-quartile", "Least Relevant", "#e74c3c" },
		{ "unknown", "Unknown", "#95a5a6" },
	};
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_object *o = jsn_new();
		jsn_add_str(o, "id", rows[i].id);
		jsn_add_str(o, "label", rows[i].label);
		jsn_add_str(o, "color", rows[i].color);
		jsn_push(list, o);
	}
	return list;
}

struct json_object *personas_config(struct arena *a, const struct personas *p)
{
	struct json_object *o = jsn_object(a), *names = json_object_new_array();
	struct json_object *display = jsn_new(), *docs = jsn_new(), *list = json_object_new_array();

	for (size_t f = 0; f < FEATURE__MAX; f++) {
		jsn_push(names, jsn_str(features[f].name));
		jsn_add_str(display, features[f].name, features[f].display);
		jsn_add_str(docs, features[f].name, features[f].doc);
	}
	for (size_t i = 0; i < p->n; i++) {
		struct json_object *one = jsn_new();
		jsn_add_str(one, "id", p->list[i].id);
		jsn_add_str(one, "label", p->list[i].label);
		jsn_add_str(one, "description", p->list[i].description);
		jsn_add(one, "weights", weights_of(&p->list[i]));
		jsn_push(list, one);
	}
	jsn_add(o, "feature_names", names);
	jsn_add(o, "feature_display_names", display);
	jsn_add(o, "feature_descriptions", docs);
	jsn_add(o, "relevance_buckets", buckets());
	jsn_add(o, "personas", list);
	jsn_add_str(o, "default_persona", p->standard->id);
	jsn_add_str(o, "version", p->version);
	return o;
}
