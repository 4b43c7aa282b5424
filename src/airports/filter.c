/*
 * Filters: one row each. To add a filter, add a row.
 *
 * A test says not only whether an airport stays. If it is dropped, the test also says whether the
 * data says no or there is no data. Public data knows the fuel of very few airfields; "none of them
 * has AVGAS" and "for most of them nothing is recorded" are different answers for a pilot who needs
 * fuel.
 *
 * filter_profile lists the filters in the order of the rows. Their JSON side (schema, checks,
 * profile) is in filter_json.c.
 */
#include "airports/filter.h"

#include <math.h>
#include <string.h>

#include "airports/airdb.h"
#include "airports/countries.h"
#include "airports/geo.h"
#include "base/log.h"
#include "base/str.h"

/* ---- tests ------------------------------------------------------------- */

static enum filter_verdict fact(bool has, bool wanted)
{
	return has == wanted ? FILTER_PASS : FILTER_DROP;
}

static enum filter_verdict tri_fact(enum tri has, bool wanted)
{
	return has == TRI_UNKNOWN ? FILTER_DROP_UNKNOWN : fact(has == TRI_YES, wanted);
}

static enum filter_verdict test_country(const struct filter_arg *arg, const struct airport *a)
{
	if (a->country == NULL)
		return FILTER_DROP_UNKNOWN;
	return fact(strieq(a->country, arg->text), true);
}

/* A fact that some databases lack completely. */
static enum filter_verdict fact_if_known(bool has, const struct filter_arg *arg)
{
	enum filter_verdict v = fact(has, arg->flag);

	if (arg->blind)
		return v == FILTER_DROP ? FILTER_DROP_UNKNOWN : FILTER_PASS_UNKNOWN;
	return v;
}

static enum filter_verdict test_procedures(const struct filter_arg *arg, const struct airport *a)
{
	return fact_if_known(a->flags & AF_PROCEDURES, arg);
}

static enum filter_verdict test_entry(const struct filter_arg *arg, const struct airport *a)
{
	return fact_if_known(a->flags & AF_ENTRY, arg);
}

static enum filter_verdict test_aip(const struct filter_arg *arg, const struct airport *a)
{
	return fact(a->flags & AF_AIP, arg->flag);
}

static enum filter_verdict test_hard(const struct filter_arg *arg, const struct airport *a)
{
	enum filter_verdict v = fact(a->flags & AF_HARD, arg->flag);

	return v == FILTER_DROP && !(a->flags & AF_RUNWAYS) ? FILTER_DROP_UNKNOWN : v;
}

static enum filter_verdict test_avgas(const struct filter_arg *arg, const struct airport *a)
{
	return tri_fact(airport_avgas(a), arg->flag);
}

static enum filter_verdict test_jeta(const struct filter_arg *arg, const struct airport *a)
{
	return tri_fact(airport_jeta(a), arg->flag);
}

static enum filter_verdict test_min_runway(const struct filter_arg *arg, const struct airport *a)
{
	if (isnan(a->longest_ft))
		return FILTER_DROP_UNKNOWN;
	return fact(a->longest_ft >= arg->number, true);
}

static enum filter_verdict test_max_runway(const struct filter_arg *arg, const struct airport *a)
{
	if (isnan(a->longest_ft))
		return FILTER_DROP_UNKNOWN;
	return fact(a->longest_ft <= arg->number, true);
}

/* Without the friendliness data no fee is known, and an unknown fee is no reason to drop an
 * airport… */
static enum filter_verdict test_fee(const struct filter_arg *arg, const struct airport *a)
{
	(void)arg;
	(void)a;
	return FILTER_PASS_UNKNOWN;
}

/* …but a bed or a meal must be recorded. */
static enum filter_verdict test_hospitality(const struct filter_arg *arg, const struct airport *a)
{
	(void)arg;
	(void)a;
	return FILTER_DROP_UNKNOWN;
}

static enum filter_verdict test_trip(const struct filter_arg *arg, const struct airport *a)
{
	double nm = geo_distance_nm((struct point){ arg->lat, arg->lon },
	    (struct point){ a->lat, a->lon });

	return fact((isnan(arg->min) || nm >= arg->min) && (isnan(arg->max) || nm <= arg->max),
	    true);
}

static enum filter_verdict test_not_large(const struct filter_arg *arg, const struct airport *a)
{
	return fact(!arg->flag || a->type != TYPE_LARGE, true);
}

/* ---- from JSON to arguments ---------------------------------------------- */

/* Models write "UK" and "Germany" where a code is asked for. */
static enum errcode prepare_country(struct aircon *con, struct arena *mem,
    struct json_object *value, struct filter_arg *arg, struct err *e)
{
	const char *text = json_object_get_string(value);
	const struct country *c = country_by_code(text);

	(void)con;
	(void)e;
	if (c == NULL)
		c = country_by_name(str_fold(mem, text));
	arg->text = c != NULL ? c->code : arena_strdup(mem, text);
	arg->skip = *text == '\0';
	return OK;
}

static enum errcode facts_of(struct aircon *con, struct arena *mem, struct airdb_facts *f,
    struct err *e)
{
	*f = (struct airdb_facts){ .with_procedures = 1, .entries = 1 };
	return con == NULL ? OK : airdb_facts(con, mem, f, e);
}

static enum errcode prepare_procedures(struct aircon *con, struct arena *mem,
    struct json_object *value, struct filter_arg *arg, struct err *e)
{
	struct airdb_facts f;
	enum errcode rc = facts_of(con, mem, &f, e);

	arg->flag = json_object_get_boolean(value);
	arg->blind = rc == OK && f.with_procedures == 0;
	return rc;
}

static enum errcode prepare_entry(struct aircon *con, struct arena *mem,
    struct json_object *value, struct filter_arg *arg, struct err *e)
{
	struct airdb_facts f;
	enum errcode rc = facts_of(con, mem, &f, e);

	arg->flag = json_object_get_boolean(value);
	arg->blind = rc == OK && f.entries == 0;
	return rc;
}

static enum errcode prepare_trip(struct aircon *con, struct arena *mem,
    struct json_object *value, struct filter_arg *arg, struct err *e)
{
	const char *from = jsn_get_str(value, "from", "");
	struct airport a;
	bool found = false;
	enum errcode rc = OK;

	if (con != NULL && *from != '\0')
		rc = airdb_by_code(con, mem, from, &a, &found, e);
	if (rc != OK)
		return rc;
	if (!found) {
		arg->skip = true;
		return OK;
	}
	arg->lat = a.lat;
	arg->lon = a.lon;
	arg->min = jsn_get_num(value, "min", NAN);
	arg->max = jsn_get_num(value, "max", NAN);
	return OK;
}

static void prepare_by_type(struct arena *mem, struct json_object *value, struct filter_arg *arg)
{
	switch (arg->filter->type) {
	case FILTER_BOOL:
		arg->flag = json_object_get_boolean(value);
		break;
	case FILTER_NUMBER:
		arg->skip = !filter_number(value, &arg->number);
		break;
	case FILTER_TEXT:
	case FILTER_ENUM:
		arg->text = arena_strdup(mem, json_object_get_string(value));
		break;
	case FILTER_OBJECT:
		break;
	}
}

/* ---- the table ------------------------------------------------------------- */

const struct filter filters[] = {
	{ "country", FILTER_TEXT, NULL, NULL,
	    "Two-letter ISO code, such as FR.",
	    true, true, test_country, prepare_country },
	{ "max_runway_length_ft", FILTER_NUMBER, NULL, "ft",
	    "Longest runway, at most.",
	    true, true, test_max_runway, NULL },
	{ "min_runway_length_ft", FILTER_NUMBER, NULL, "ft",
	    "Longest runway, at least.",
	    true, true, test_min_runway, NULL },
	{ "max_landing_fee", FILTER_NUMBER, NULL, "EUR",
	    "Landing fee in euros.",
	    true, true, test_fee, NULL },
	{ "hotel", FILTER_ENUM, "at_airport|vicinity|any", NULL,
	    "at_airport: on the airfield; vicinity: there or close by.",
	    true, true, test_hospitality, NULL },
	{ "restaurant", FILTER_ENUM, "at_airport|vicinity|any", NULL,
	    "at_airport: on the airfield; vicinity: there or close by.",
	    true, true, test_hospitality, NULL },
	{ "has_procedures", FILTER_BOOL, NULL, NULL,
	    "true: instrument approaches, for IFR or ILS.",
	    true, true, test_procedures, prepare_procedures },
	{ "has_aip_data", FILTER_BOOL, NULL, NULL,
	    "true: has entries of the national AIP; false: has none.",
	    false, true, test_aip, NULL },
	{ "has_hard_runway", FILTER_BOOL, NULL, NULL,
	    "true: paved; false: grass.",
	    true, true, test_hard, NULL },
	{ "point_of_entry", FILTER_BOOL, NULL, NULL,
	    "true: customs and immigration, to cross a border.",
	    true, true, test_entry, prepare_entry },
	{ "has_avgas", FILTER_BOOL, NULL, NULL,
	    "true: sells AVGAS (100LL).",
	    true, true, test_avgas, NULL },
	{ "has_jet_a", FILTER_BOOL, NULL, NULL,
	    "true: sells Jet A or A-1 (kerosene). Other fuels have no filter.",
	    true, true, test_jeta, NULL },
	{ "trip_distance", FILTER_OBJECT, NULL, "NM",
	    "Distance from the airport `from` (code) of at least `min` and at most `max` NM.",
	    false, false, test_trip, prepare_trip },
	{ "exclude_large_airports", FILTER_BOOL, NULL, NULL,
	    "true: leave out large airports.",
	    false, false, test_not_large, NULL },
	/* It belongs beside the filters, but planners put it here, so it is accepted here too. */
	{ "max_hours_notice", FILTER_NUMBER, NULL, "h",
	    "Customs notice of at most this many hours.",
	    false, false, NULL, NULL },
};
const size_t nfilters = sizeof(filters) / sizeof(filters[0]);

const struct filter *filter_find(const char *name)
{
	for (size_t i = 0; i < nfilters; i++)
		if (streq(filters[i].name, name))
			return &filters[i];
	return NULL;
}

/* ---- applying a set ------------------------------------------------------------ */

static void set_add(struct filter_set *s, const struct filter_arg *arg)
{
	if (!arg->skip && s->n < FILTERS_MAX)
		s->arg[s->n++] = *arg;
}

enum errcode filter_set_init(struct filter_set *s, struct aircon *con, struct arena *mem,
    struct json_object *values, bool include_large, struct err *e)
{
	enum errcode rc;

	*s = (struct filter_set){ .n = 0 };
	if (!include_large)
		set_add(s, &(struct filter_arg){
		    .filter = filter_find("exclude_large_airports"), .flag = true });
	JSN_EACH(values, it) {
		struct filter_arg arg = { .filter = filter_find(it.key) };

		if (arg.filter == NULL) {
			log_msg(LOG_WARN, "filter-unknown", "skipped=1");
			log_msg(LOG_DEBUG, "filter-unknown", "name=%.40s", it.key);
			continue;
		}
		if (it.val == NULL || arg.filter->test == NULL)
			continue;
		rc = filter_check_value(arg.filter, it.val, e);
		if (rc == OK && arg.filter->prepare != NULL)
			rc = arg.filter->prepare(con, mem, it.val, &arg, e);
		else if (rc == OK)
			prepare_by_type(mem, it.val, &arg);
		if (rc != OK)
			return rc;
		set_add(s, &arg);
	}
	return OK;
}

static void report(struct filter_report *r, const struct filter_set *s, size_t i,
    enum filter_verdict v)
{
	if (r == NULL)
		return;
	for (; r->n < s->n; r->n++)
		r->row[r->n].name = s->arg[r->n].filter->name;
	r->row[i].dropped += v == FILTER_DROP || v == FILTER_DROP_UNKNOWN;
	r->row[i].unknown += v == FILTER_DROP_UNKNOWN || v == FILTER_PASS_UNKNOWN;
}

enum filter_fit filter_set_test(const struct filter_set *s, const struct airport *a,
    struct filter_report *r, unsigned *unknown)
{
	size_t first = s->n;          /* the first filter that drops it because there is no data */
	unsigned lacks = 0;

	*unknown = 0;
	for (size_t i = 0; i < s->n; i++) {
		enum filter_verdict v = s->arg[i].filter->test(&s->arg[i], a);
		if (v == FILTER_DROP_UNKNOWN)
			first = first < i ? first : i;
		else if (v != FILTER_PASS)
			report(r, s, i, v);
		if (v == FILTER_DROP)
			return FIT_NO;
		lacks |= v == FILTER_PASS ? 0 : 1U << i;
	}
	if (first == s->n)
		return FIT_YES;
	report(r, s, first, FILTER_DROP_UNKNOWN);
	*unknown = lacks;
	return FIT_UNKNOWN;
}
