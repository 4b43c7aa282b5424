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

#include "airports/aircraft.h"
#include "airports/airdb.h"
#include "airports/airport_use.h"
#include "airports/countries.h"
#include "airports/friendliness.h"
#include "airports/geo.h"
#include "airports/notice.h"
#include "base/log.h"
#include "base/str.h"

/* ---- tests ------------------------------------------------------------- */

static enum filter_fit fact(bool has, bool wanted)
{
	return has == wanted ? FIT_YES : FIT_NO;
}

static enum filter_fit tri_fact(enum tri has, bool wanted)
{
	return has == TRI_UNKNOWN ? FIT_UNKNOWN : fact(has == TRI_YES, wanted);
}

static enum filter_fit test_country(const struct filter_arg *arg, const struct airport *a,
    const void *record)
{
	(void)record;
	if (a->country == NULL)
		return FIT_UNKNOWN;
	return fact(strieq(a->country, arg->text), true);
}

/* The text is a list of countries and airports: "CH,LFAC". */
static enum filter_fit test_exclude(const struct filter_arg *arg, const struct airport *a,
    const void *record)
{
	const char *rest = arg->text;
	struct str code;

	(void)record;
	while (str_part(&rest, ',', &code))
		if (str_ieq(code, a->ident) || (str_ieq(code, FILTER_MILITARY) && airport_use(a) == USE_MILITARY) || (a->iata != NULL && str_ieq(code, a->iata)) ||
		    (a->country != NULL && str_ieq(code, a->country)))
			return FIT_NO;
	return FIT_YES;
}

/* A fact that some databases do not know, or know of a few airports only: there, a missing fact says nothing. */
static enum filter_fit fact_if_known(bool has, bool blind, const struct filter_arg *arg)
{
	return blind && !has ? FIT_UNKNOWN : fact(has, arg->flag);
}

static enum filter_fit test_procedures(const struct filter_arg *arg, const struct airport *a,
    const void *record)
{
	(void)record;
	return fact_if_known(a->flags & AF_PROCEDURES, arg->blind, arg);
}

static enum filter_fit test_entry(const struct filter_arg *arg, const struct airport *a,
    const void *record)
{
	(void)record;
	return fact_if_known(a->flags & AF_ENTRY, arg->blind || (a->flags & AF_ENTRY_UNLISTED) != 0, arg);
}

static enum filter_fit test_aip(const struct filter_arg *arg, const struct airport *a,
    const void *record)
{
	(void)record;
	return fact(a->flags & AF_AIP, arg->flag);
}

static enum filter_fit test_hard(const struct filter_arg *arg, const struct airport *a,
    const void *record)
{
	(void)record;
	/* a runway of unknown surface may be hard */
	if (!(a->flags & AF_RUNWAYS) || (!(a->flags & AF_HARD) && (a->flags & AF_SURFACE_UNKNOWN)))
		return FIT_UNKNOWN;
	return fact(a->flags & AF_HARD, arg->flag);
}

static enum filter_fit test_avgas(const struct filter_arg *arg, const struct airport *a,
    const void *record)
{
	(void)record;
	return tri_fact(airport_avgas(a), arg->flag);
}

static enum filter_fit test_jeta(const struct filter_arg *arg, const struct airport *a,
    const void *record)
{
	(void)record;
	return tri_fact(airport_jeta(a), arg->flag);
}

/* Known to have one of the two, known to have neither, or not known. */
static enum filter_fit test_fuel(const struct filter_arg *arg, const struct airport *a,
    const void *record)
{
	const enum tri avgas = airport_avgas(a), jeta = airport_jeta(a);
	(void)record;

	if (avgas == TRI_YES || jeta == TRI_YES)
		return fact(true, arg->flag);
	return avgas == TRI_NO && jeta == TRI_NO ? fact(false, arg->flag) : FIT_UNKNOWN;
}

static enum filter_fit test_min_runway(const struct filter_arg *arg, const struct airport *a,
    const void *record)
{
	(void)record;
	if (isnan(a->longest_ft))
		return FIT_UNKNOWN;
	return fact(a->longest_ft >= (double)(float)arg->number, true);
}

static enum filter_fit test_max_runway(const struct filter_arg *arg, const struct airport *a,
    const void *record)
{
	(void)record;
	if (isnan(a->longest_ft))
		return FIT_UNKNOWN;
	return fact(a->longest_ft <= (double)(float)arg->number, true);
}

static enum filter_fit test_fee(const struct filter_arg *arg, const struct airport *a,
    const void *record)
{
	const struct friendly *r = record;
	(void)a;

	/* Amounts in different currencies cannot be compared. A limit of 0 is the same in every currency. */
	if (r == NULL || isnan(r->fee[arg->band]) || (arg->number > 0 && !strieq(r->currency, arg->text)))
		return FIT_UNKNOWN;
	return fact(r->fee[arg->band] <= arg->number, true);
}

static enum filter_fit amenity_fits(enum amenity has, const char *wanted)
{
	if (has == AMENITY_MISSING || has == AMENITY_UNKNOWN)
		return FIT_UNKNOWN;
	return fact(has == AMENITY_AT_AIRPORT ||
	    (has == AMENITY_VICINITY && !streq(wanted, "at_airport")), true);
}

static enum filter_fit test_hotel(const struct filter_arg *arg, const struct airport *a,
    const void *record)
{
	const struct friendly *r = record;
	(void)a;

	return r == NULL ? FIT_UNKNOWN : amenity_fits(r->hotel, arg->text);
}

static enum filter_fit test_restaurant(const struct filter_arg *arg, const struct airport *a,
    const void *record)
{
	const struct friendly *r = record;
	(void)a;

	return r == NULL ? FIT_UNKNOWN : amenity_fits(r->restaurant, arg->text);
}

static enum filter_fit test_notice(const struct filter_arg *arg, const struct airport *a,
    const void *record)
{
	(void)a;
	return notice_fit(record, arg->number);
}

static enum filter_fit test_trip(const struct filter_arg *arg, const struct airport *a,
    const void *record)
{
	(void)record;
	double nm = geo_distance_nm((struct point){ arg->lat, arg->lon },
	    (struct point){ a->lat, a->lon });

	return fact((isnan(arg->min) || nm >= arg->min) && (isnan(arg->max) || nm <= arg->max),
	    true);
}

static enum filter_fit test_not_large(const struct filter_arg *arg, const struct airport *a,
    const void *record)
{
	(void)record;
	return fact(!arg->flag || a->type != TYPE_LARGE, true);
}

static enum filter_fit test_aip_field(const struct filter_arg *arg, const struct airport *a,
    const void *record)
{
	(void)record;
	if (!(a->flags & AF_AIP))
		return FIT_UNKNOWN;
	return fact(row_bits_has(arg->says, a->row), true);
}

/* ---- from JSON to arguments ---------------------------------------------- */

/* Models write "UK" and "Germany" where a code is asked for. */
const char *filter_country(struct arena *mem, const char *text)
{
	const struct country *c = country_by_code(text);

	if (c == NULL)
		c = country_by_name(str_fold(mem, text));
	return arena_strdup(mem, c != NULL ? c->code : text);
}

static enum errcode prepare_country(const struct filter_env *env, struct json_object *value,
    struct filter_arg *arg, struct err *e)
{
	const char *text = json_object_get_string(value);

	(void)e;
	arg->text = filter_country(env->mem, text);
	arg->skip = *text == '\0';
	return OK;
}

/* "Switzerland, lfac" becomes ",CH,lfac". */
static enum errcode prepare_exclude(const struct filter_env *env, struct json_object *value,
    struct filter_arg *arg, struct err *e)
{
	const char *rest = json_object_get_string(value);
	struct str part;

	(void)e;
	arg->text = "";
	while (str_part(&rest, ',', &part)) {
		const struct str code = str_trim(part);
		if (code.n > 0)
			arg->text = arena_printf(env->mem, "%s,%s", arg->text,
			    filter_country(env->mem, arena_strndup(env->mem, code.p, code.n)));
	}
	arg->skip = *arg->text == '\0';
	return OK;
}

static enum errcode facts_of(const struct filter_env *env, struct airdb_facts *f, struct err *e)
{
	*f = (struct airdb_facts){ .with_procedures = 1, .listed_entries = 1 };
	return env->con == NULL ? OK : airdb_facts(env->con, env->mem, f, e);
}

static enum errcode prepare_procedures(const struct filter_env *env, struct json_object *value,
    struct filter_arg *arg, struct err *e)
{
	struct airdb_facts f;
	enum errcode rc = facts_of(env, &f, e);

	arg->flag = json_object_get_boolean(value);
	arg->blind = rc == OK && f.with_procedures == 0;
	return rc;
}

static enum errcode prepare_entry(const struct filter_env *env, struct json_object *value,
    struct filter_arg *arg, struct err *e)
{
	struct airdb_facts f;
	enum errcode rc = facts_of(env, &f, e);

	arg->flag = json_object_get_boolean(value);
	arg->blind = rc == OK && f.listed_entries == 0;
	return rc;
}

double filter_aircraft_kg(struct json_object *values)
{
	double kg;

	if (!aircraft_mass(jsn_get_str(values, "fee_aircraft", FEE_AIRCRAFT), &kg) &&
	    !aircraft_mass(FEE_AIRCRAFT, &kg))
		kg = NAN;
	return kg;
}

static enum errcode prepare_fee(const struct filter_env *env, struct json_object *value,
    struct filter_arg *arg, struct err *e)
{
	const char *currency = jsn_get_str(env->values, "fee_currency", "EUR");

	(void)e;
	arg->skip = !filter_number(value, &arg->number);
	arg->band = fee_band_of(filter_aircraft_kg(env->values));
	arg->text = arena_strdup(env->mem, currency);
	return OK;
}

static enum errcode prepare_trip(const struct filter_env *env, struct json_object *value,
    struct filter_arg *arg, struct err *e)
{
	const char *from = jsn_get_str(value, "from", "");
	struct airport a;
	bool found = false;
	enum errcode rc = OK;

	if (env->con != NULL && *from != '\0')
		rc = airdb_by_code(env->con, env->mem, from, &a, &found, e);
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

/* What an AIP field must say is in the values beside it; without a text there is nothing to compare. */
static enum errcode prepare_aip_field(const struct filter_env *env, struct json_object *value,
    struct filter_arg *arg, struct err *e)
{
	const char *operator = jsn_get_str(env->values, "aip_operator", "contains");
	const char *text = jsn_get_str(env->values, "aip_value", NULL);

	arg->skip = env->con == NULL || (text == NULL && !streq(operator, "not_empty"));
	return arg->skip ? OK : airdb_aip_says(env->con, env->mem, json_object_get_string(value), operator,
	    text, &arg->says, e);
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

static const char *not_currency(const char *text)
{
	return currency_known(text) ? NULL : "a currency's three letters, such as GBP";
}

static const char *not_aircraft(const char *text)
{
	double kg;

	return aircraft_mass(text, &kg) ? NULL : "a type of aircraft such as SR22, or its mass such as 1633 kg";
}

/* ---- the table ------------------------------------------------------------- */

const struct filter filters[] = {
	{ "country", FILTER_TEXT, NULL, NULL,
	    "ISO code (FR).",
	    true, true, test_country, prepare_country, FACTS_AIRPORT, NULL },
	{ "max_runway_length_ft", FILTER_NUMBER, NULL, "ft",
	    NULL,
	    true, true, test_max_runway, NULL, FACTS_AIRPORT, NULL },
	{ "min_runway_length_ft", FILTER_NUMBER, NULL, "ft",
	    NULL,
	    true, true, test_min_runway, NULL, FACTS_AIRPORT, NULL },
	{ "max_landing_fee", FILTER_NUMBER, NULL, "EUR",
	    NULL,
	    true, true, test_fee, prepare_fee, FACTS_FRIENDLINESS, NULL },
	{ "fee_currency", FILTER_TEXT, NULL, NULL,
	    NULL,
	    true, true, NULL, NULL, FACTS_AIRPORT, not_currency },
	{ "fee_aircraft", FILTER_TEXT, NULL, NULL,
	    NULL,
	    true, true, NULL, NULL, FACTS_AIRPORT, not_aircraft },
	{ "hotel", FILTER_ENUM, "at_airport|vicinity|any", NULL,
	    NULL,
	    true, true, test_hotel, NULL, FACTS_FRIENDLINESS, NULL },
	{ "restaurant", FILTER_ENUM, "at_airport|vicinity|any", NULL,
	    NULL,
	    true, true, test_restaurant, NULL, FACTS_FRIENDLINESS, NULL },
	{ "has_procedures", FILTER_BOOL, NULL, NULL,
	    "IFR approaches.",
	    true, true, test_procedures, prepare_procedures, FACTS_AIRPORT, NULL },
	{ "has_aip_data", FILTER_BOOL, NULL, NULL,
	    "true: has entries of the national AIP; false: has none.",
	    false, true, test_aip, NULL, FACTS_AIRPORT, NULL },
	{ "has_hard_runway", FILTER_BOOL, NULL, NULL,
	    "Paved; false: grass.",
	    true, true, test_hard, NULL, FACTS_AIRPORT, NULL },
	{ "point_of_entry", FILTER_BOOL, NULL, NULL,
	    "Customs, to cross a border.",
	    true, true, test_entry, prepare_entry, FACTS_AIRPORT, NULL },
	{ "has_avgas", FILTER_BOOL, NULL, NULL,
	    NULL,
	    true, true, test_avgas, NULL, FACTS_AIRPORT, NULL },
	{ "has_jet_a", FILTER_BOOL, NULL, NULL,
	    "No other fuel has a filter.",
	    true, true, test_jeta, NULL, FACTS_AIRPORT, NULL },
	/* Not in the schema: the request of a plan has no room for one more. Whoever knows the filter may use it. */
	{ "has_fuel", FILTER_BOOL, NULL, NULL,
	    "AVGAS or Jet A.",
	    false, true, test_fuel, NULL, FACTS_AIRPORT, NULL },
	{ "trip_distance", FILTER_OBJECT, NULL, "NM",
	    "Distance from the airport `from` (code) of at least `min` and at most `max` NM.",
	    false, false, test_trip, prepare_trip, FACTS_AIRPORT, NULL },
	{ "exclude_large_airports", FILTER_BOOL, NULL, NULL,
	    "true: leave out large airports.",
	    false, false, test_not_large, NULL, FACTS_AIRPORT, NULL },
	{ "aip_field", FILTER_TEXT, NULL, NULL,
	    "An AIP field that is compared with aip_value; aip_operator says how.",
	    false, false, test_aip_field, prepare_aip_field, FACTS_AIRPORT, NULL },
	{ "aip_value", FILTER_TEXT, NULL, NULL,
	    NULL,
	    false, false, NULL, NULL, FACTS_AIRPORT, NULL },
	{ "aip_operator", FILTER_ENUM, "contains|equals|not_empty|starts_with|ends_with", NULL,
	    NULL,
	    false, false, NULL, NULL, FACTS_AIRPORT, NULL },
	{ "exclude", FILTER_TEXT, NULL, NULL,
	    "Airports and countries to leave out, with commas between (LFAC,CH). \"military\": air bases.",
	    false, false, test_exclude, prepare_exclude, FACTS_AIRPORT, NULL },
	/* An argument beside the filters, but planners put it here, so it is accepted here too. */
	{ "max_hours_notice", FILTER_NUMBER, NULL, "h",
	    "Customs notice of at most this many hours.",
	    false, false, test_notice, NULL, FACTS_NOTICE, NULL },
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

enum errcode filter_set_init(struct filter_set *s, struct filter_env env,
    struct json_object *values, bool include_large, struct err *e)
{
	enum errcode rc;

	env.values = values;
	*s = (struct filter_set){ .facts = env.facts };
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
			rc = arg.filter->prepare(&env, it.val, &arg, e);
		else if (rc == OK)
			prepare_by_type(env.mem, it.val, &arg);
		if (rc != OK)
			return rc;
		set_add(s, &arg);
	}
	return OK;
}

static void report(struct filter_report *r, const struct filter_set *s, size_t i,
    enum filter_fit fit)
{
	if (r == NULL)
		return;
	for (; r->n < s->n; r->n++)
		r->row[r->n].name = s->arg[r->n].filter->name;
	r->row[i].dropped++;
	r->row[i].unknown += fit == FIT_UNKNOWN;
}

/* What the sources have of one airport; each is asked once, and only if a filter wants it. */
struct records {
	const void *of[FACTS__MAX];
	unsigned asked;
};

static const void *record_of(struct records *r, const struct filter_set *s,
    enum fact_source_name source, const struct airport *a)
{
	if (source != FACTS_AIRPORT && !(r->asked & 1U << source)) {
		r->asked |= 1U << source;
		r->of[source] = fact_find(s->facts, source, a->ident);
	}
	return r->of[source];
}

enum filter_fit filter_set_test(const struct filter_set *s, const struct airport *a,
    struct filter_report *r, unsigned *unknown)
{
	struct records records = { .asked = 0 };
	size_t first = s->n;          /* the first filter without data on it */
	unsigned lacks = 0;

	*unknown = 0;
	for (size_t i = 0; i < s->n; i++) {
		const struct filter *f = s->arg[i].filter;

		switch (f->test(&s->arg[i], a, record_of(&records, s, f->source, a))) {
		case FIT_YES:
			break;
		case FIT_NO:
			report(r, s, i, FIT_NO);
			return FIT_NO;
		case FIT_UNKNOWN:
			first = first < i ? first : i;
			lacks |= 1U << i;
		}
	}
	if (first == s->n)
		return FIT_YES;
	report(r, s, first, FIT_UNKNOWN);
	*unknown = lacks;
	return FIT_UNKNOWN;
}
