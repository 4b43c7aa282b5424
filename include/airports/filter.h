/*
 * Filters: one row each. An airport must pass all filters of a search.
 *
 * The JSON schema of the tools' `filters` argument, the validation of a plan, and the test itself
 * come from the rows. A row says which source its facts come from: the airport's own row, which is
 * always at hand, or one of fact_source.h. Every filter answers yes, no or not recorded, and a
 * source that is absent or has no record of an airport is "not recorded".
 */
#ifndef AIRPORTS_FILTER_H
#define AIRPORTS_FILTER_H

#include "airports/airport.h"
#include "airports/fact_source.h"
#include "base/arena.h"
#include "base/errs.h"
#include "base/jsn.h"

struct aircon;

enum filter_type { FILTER_BOOL, FILTER_NUMBER, FILTER_TEXT, FILTER_ENUM, FILTER_OBJECT };
/* The data says no; nothing is recorded; the data says yes. */
enum filter_fit { FIT_NO, FIT_UNKNOWN, FIT_YES };
enum { FILTERS_MAX = 24 };

/* What preparing a filter may use. */
struct filter_env {
	struct aircon *con;           /* NULL: no airport database (tests) */
	struct arena *mem;
	const struct fact_view *facts;        /* must live as long as the set; NULL: no other sources */
	struct json_object *values;   /* set by filter_set_init(): all filters of the search */
};

/* A filter with its value, ready to test many airports. */
struct filter_arg {
	const struct filter *filter;
	bool flag;                    /* FILTER_BOOL */
	double number;                /* FILTER_NUMBER */
	size_t band;                  /* max_landing_fee: index of fee_bands */
	const char *text;             /* FILTER_TEXT, FILTER_ENUM; max_landing_fee: its currency */
	double lat, lon, min, max;    /* trip_distance */
	const struct row_bits *says;  /* aip_field: the airports whose AIP says it */
	/* has no effect (null, not numeric, unknown `from`) */
	bool skip;
	bool blind;                   /* the database has this fact for no airport at all */
};

struct filter {
	const char *name;
	enum filter_type type;
	const char *choices;          /* FILTER_ENUM: "at_airport|vicinity|any" */
	const char *unit;             /* "ft", "EUR", … or NULL */
	const char *doc;              /* for the model; NULL: the name says it */
	bool offered;                 /* in the schema that models and other clients see */
	bool profiled;                /* shown in filter_profile if it has an effect */
	/* NULL: the filter is accepted here, but has its effect elsewhere. `record` is what the row's
	 * source has of the airport; NULL: nothing, and always for FACTS_AIRPORT. */
	enum filter_fit (*test)(const struct filter_arg *arg, const struct airport *a,
	    const void *record);
	/* Makes `arg` of the value, if the type alone does not say how; NULL: the type does. */
	enum errcode (*prepare)(const struct filter_env *env, struct json_object *value,
	    struct filter_arg *arg, struct err *e);
	enum fact_source_name source;
	/* FILTER_TEXT: NULL if this is a value, else what is one. NULL: any text is a value */
	const char *(*refuse)(const char *text);
};

/* In the list of the filter "exclude": airfields of the armed forces. */
#define FILTER_MILITARY "military"

extern const struct filter filters[];
extern const size_t nfilters;

const struct filter *filter_find(const char *name);

/* What the filters did, for use in answers: how many airports each one dropped, and how many of
 * those because nothing is recorded. An airport that several filters drop counts once: for the first
 * whose data says no, else for the first without data. */
struct filter_report {
	struct {
		const char *name;
		size_t dropped, unknown;
	} row[FILTERS_MAX];
	size_t n;
};

struct filter_set {
	struct filter_arg arg[FILTERS_MAX];
	size_t n;
	const struct fact_view *facts;
};
/* Make a set of a filters object: exclude_large_airports first (unless include_large), then the
 * caller's in the order given. Unknown names are logged and skipped. trip_distance needs a
 * connection, and so do filters that must know how complete the database is. ERR_INPUT: a value of
 * the wrong type, with the message of filter_check(). */
enum errcode filter_set_init(struct filter_set *s, struct filter_env env,
    struct json_object *values, bool include_large, struct err *e);
/* Does the airport pass all filters? FIT_UNKNOWN: no filter says no, but some have no data; bit i of
 * *unknown is then set for filter i of the set. Otherwise *unknown is 0. Counts into `r` (may be
 * NULL). */
enum filter_fit filter_set_test(const struct filter_set *s, const struct airport *a,
    struct filter_report *r, unsigned *unknown);

/* Schema of the `filters` argument from the rows (offered ones), owned by the arena. */
struct json_object *filter_schema(struct arena *mem);
/* Validate a filters object as a plan's argument: unknown names, wrong types and bad choices, all
 * in one message. A null value means "not asked". NULL means no filters. ERR_INPUT:
 * "filters.has_avgas must be a boolean, not text". */
enum errcode filter_check(struct json_object *values, struct err *e);
/* Validate one value for filter_set_init(): the same checks, but a text that is not a number counts
 * as a number without effect. */
enum errcode filter_check_value(const struct filter *f, struct json_object *v, struct err *e);
/* The mass of the aircraft that a filters object names, in kg; that of FEE_AIRCRAFT if it names
 * none. */
double filter_aircraft_kg(struct json_object *values);
/* A finite number, or the text of one. */
bool filter_number(struct json_object *v, double *out);
/* Add the part of filter_profile that these filters have in the original service. Clients compare its
 * country with the `iso_country` of airports, so "Germany" becomes "DE". */
void filter_profile(struct arena *mem, struct json_object *profile, struct json_object *values);
/* The ISO code that a text means ("UK", "Germany", "de"), else the text itself. Owned by the arena. */
const char *filter_country(struct arena *mem, const char *text);

#endif
