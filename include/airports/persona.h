/*
 * Personas: what a kind of pilot looks for in an airfield. Each weighs the features that reviews and
 * the AIP give an airfield. They are data: conf/personas.json, or the site's own file.
 */
#ifndef AIRPORTS_PERSONA_H
#define AIRPORTS_PERSONA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/errs.h"
#include "base/jsn.h"

/* All of them from 0 to 1, and higher is better. */
enum feature {
	FEATURE_COST, FEATURE_HASSLE, FEATURE_REVIEW, FEATURE_REVIEW_IFR, FEATURE_VFR,
	FEATURE_ACCESS, FEATURE_FUN, FEATURE_REVIEW_HOSPITALITY,
	FEATURE_AIP_IFR, FEATURE_AIP_HOSPITALITY,
	FEATURE__MAX
};

struct feature_row {
	const char *name;             /* as in the database */
	const char *display;
	const char *doc;
	bool reviewed;                /* from reviews of pilots, not from the AIP */
};
extern const struct feature_row features[FEATURE__MAX];

/* How a persona takes a feature that is not recorded. */
enum missing {
	MISSING_NEUTRAL,              /* as 0.5 */
	MISSING_NEGATIVE,             /* as 0 */
	MISSING_POSITIVE,             /* as 1 */
	MISSING_EXCLUDE,              /* it does not count */
	MISSING__MAX
};

struct missing_row {
	const char *name;
	double value;                 /* what counts instead; NaN: nothing */
};
extern const struct missing_row missing_rows[MISSING__MAX];

enum { PERSONAS_MAX = 32 };

struct persona {
	const char *id, *label, *description;
	size_t number;                /* its place in the list */
	double weight[FEATURE__MAX];
	enum missing missing[FEATURE__MAX];
	double cruise_kt;             /* NaN: not given */
};

struct personas {
	const char *path, *version;
	const struct persona *list;
	size_t n;
	const struct persona *standard;       /* for a request that names none */
	/* "ifr_touring_sr22", "vfr_budget", …, NULL */
	const char *const *ids;
};

/*
 * Read and check a file; all of it lives in the arena:
 *
 *   {"version": "1.0", "default_persona": "a", "personas": {"a": {"id": "a", "label": "…",
 *    "description": "…", "weights": {"review_cost_score": 1}, "missing_behaviors": {…},
 *    "cruise_speed_kt": 120}}}
 *
 * ERR_CONFIG with file and reason: another shape, an unknown feature or behaviour, a negative weight,
 * weights whose sum is not within 0.05 of 1. Without default_persona the standard persona is
 * ifr_touring_sr22, or else the first.
 */
enum errcode personas_load(struct personas *out, struct arena *a, const char *path, struct err *e);

const struct persona *persona_find(const struct personas *p, const char *id);   /* NULL: none */
/* The same, but the standard persona for NULL and for ids that are not known. */
const struct persona *persona_or_standard(const struct personas *p, const char *id);

/* The weighted mean of an airfield's features (NaN: not recorded), 0 to 1; 0.5 when none counts. */
double persona_score(const struct persona *p, const double value[FEATURE__MAX]);
/* Is a feature recorded that comes from reviews and has weight? Without one a score says nothing of
 * the airfield, only of what is assumed where nothing is known. */
bool persona_informed(const struct persona *p, const double value[FEATURE__MAX]);
/* How the score comes about, as the original service explains it. Owned by the arena. */
struct json_object *persona_explain(struct arena *a, const struct persona *p,
    const double value[FEATURE__MAX]);

/* The personas, the features and their words, as GET /api/ga/config of the original gives them. */
struct json_object *personas_config(struct arena *a, const struct personas *p);

#endif
