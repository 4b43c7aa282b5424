/*
 * How friendly airfields are to general aviation: reviews, landing fees, hotels and restaurants,
 * from the database GA_PERSONA_DB, which is read as it is and never written. It is held in memory
 * and read anew when the file is replaced (fact_file.h).
 *
 * A value outside its range counts as not recorded; the log says how many there are.
 */
#ifndef AIRPORTS_FRIENDLINESS_H
#define AIRPORTS_FRIENDLINESS_H

#include <stdint.h>

#include "airports/fact_source.h"
#include "airports/landing_fee.h"
#include "airports/persona.h"
#include "base/arena.h"
#include "base/jsn.h"

/* Whether there is a hotel or a restaurant. */
enum amenity {
	AMENITY_NONE,
	AMENITY_VICINITY,
	AMENITY_AT_AIRPORT,
	AMENITY_UNKNOWN,              /* the AIP has a text that says neither */
	AMENITY_MISSING,              /* nothing is recorded */
	AMENITY__MAX
};
/* "none", "vicinity", "at_airport", "unknown"; NULL for AMENITY_MISSING. */
extern const char *const amenity_names[AMENITY__MAX];

/* What is recorded of one airfield; numbers NaN and texts NULL: not recorded. */
struct friendly {
	const char *icao;             /* capitals */
	double feature[FEATURE__MAX];
	double rating;
	int64_t reviews;
	const char *last_review;
	double fee[FEE_BANDS];
	const char *currency, *fees_updated;
	enum amenity hotel, restaurant;
	int ifr;                      /* 0 to 4, as the database has it; 0 also when missing */
	const char *summary;
	const char *const *tags;
	size_t ntags;
	const char *hassle;           /* "low", "moderate", …: of the formalities, from the AIP */
	/* each persona's score by its number; NaN if no review describes the airfield (persona_informed) */
	const double *score;
};

struct buf;
struct friendliness;

/* path NULL: there is none. `personas` must live as long. */
struct friendliness *friendliness_new(const char *path, const struct personas *personas);
void friendliness_free(struct friendliness *f);          /* NULL is allowed */
/* As a source for filters and ranking; its records are struct friendly. */
const struct fact_source *friendliness_source(const struct friendliness *f);
/* For health and check: the state, how many airfields, and what is wrong (`why`, may be NULL). */
enum fact_state friendliness_state(struct friendliness *f, size_t *nairfields, struct err *why);

/* ---- results -------------------------------------------------------------- */

/* A fee for a mass, null when it is not recorded: {fee, currency, fee_band, fee_last_updated_utc}.
 * A fresh reference. */
struct json_object *friendly_fee(const struct friendly *r, double mtow_kg);

/*
 * All that is known of one airfield, as the original's get_summary, for a persona (NULL: the score is
 * null). `r` NULL: there is no record. `notice`: the summary of its notice periods as it is in their
 * database, or NULL; it is cleaned. Owned by the arena.
 */
struct json_object *friendly_summary(struct arena *a, const char *icao, const struct friendly *r,
    const struct persona *persona, const char *notice);
/* The same for the details of an airport, with `rating` and `landing_fees`, which is null or
 * {currency, fee_last_updated_utc, bands: [{below_kg (null: no limit), fee}]}. Owned by the arena. */
struct json_object *friendly_details(struct arena *a, const char *icao, const struct friendly *r,
    const struct persona *persona, const char *notice);
/* All that is recorded of its landing fees, as above; NULL: none. A fresh reference. */
struct json_object *friendly_fees(const struct friendly *r);
/* The member `ga` of an airport in a list, as the original's get_summaries_batch gives it, with the scores
 * of all personas. r NULL: null. */
void friendly_put(struct buf *b, const char *name, const struct friendly *r, const struct personas *personas);

/* A few members for a list of airports: score, reviews, hotel, restaurant, fee, tags, summary; those
 * that are recorded. NULL: nothing is recorded. Owned by the arena. */
struct json_object *friendly_brief(struct arena *a, const struct friendly *r,
    const struct persona *persona, double mtow_kg);

/* A summary of notice periods without labels that stand alone ("Hours:", a lone telephone sign); NULL
 * when nothing is left. */
const char *notice_cleaned(struct arena *a, const char *summary);

/* The airfields with these amenities, as the original's get_icaos_by_hospitality: NULL, "at_airport",
 * "vicinity" or "any" for each. Another word, or nothing asked for, finds none. Idents in the
 * arena, in the order of the database; valid as long as the view. */
const char *const *friendly_with(struct arena *a, const struct fact_view *facts, const char *hotel,
    const char *restaurant, size_t *n);

#endif
