/*
 * The marks of a reading, for the files that set them right by exact knowledge (reading_amends.h).
 */
#ifndef AGENTS_AVIATION_BUILTIN_READING_MARKS_H
#define AGENTS_AVIATION_BUILTIN_READING_MARKS_H

#include "agents/aviation/builtin/labels.h"
#include "language/reading.h"

/* False for a mark that takes its wish away. */
bool mark_has_label(const struct mark *m, enum label label);
/* The mark loses its value. */
void mark_set_label(struct mark *m, enum label label);
bool mark_is_place(const struct mark *m);

/* Does it ask for a distance or a flying time? */
bool mark_asks_how_far(const struct mark *m);

/* The first mark with this label, except lifted marks; NULL: there is none. */
const struct mark *reading_marked(const struct reading *r, enum label label);
void reading_remove_mark(struct reading *r, size_t i);
/* Take plan i away. A mark still belongs to the plan that it belonged to. */
void reading_remove_plan(struct reading *r, size_t i);
/* The mark that covers a word, or a new one in its order, of which the caller sets the label; NULL: there is no room. */
struct mark *reading_mark_at(struct reading *r, size_t word);
/* A mark with this label on these words, instead of those that it overlaps; NULL: there is no room. */
struct mark *reading_put_mark(struct reading *r, size_t first, size_t last, enum label label);
/* Does a mark cover one of these words? */
bool reading_is_marked(const struct reading *r, size_t first, size_t last);

/* Is there evidence of this kind within these words? */
bool reading_has_evidence(const struct reading *r, size_t first, size_t last, const char *kind);

/* Is there such evidence right before the mark? */
bool reading_is_behind(const struct reading *r, const struct mark *m, const char *kind);

/* Does a mark name a place, or an airport of the list? */
bool reading_names_place(const struct reading *r);

/* Does the mark ask for a fact that one airport has? */
bool mark_asks_of_airport(const struct mark *m);

/* Do the words from `first` up to, but without, `end` say "on the way", "unterwegs"? "A stop" and "for a break" do not. */
bool reading_says_on_the_way(const struct reading *r, size_t first, size_t end);

/* Does the message end with a question mark? */
bool reading_is_asked(const struct reading *r);

/* Does the message ask how far it is or how long it takes? */
bool reading_asks_how_far(const struct reading *r);

/* The index in `other` of a plan that stands alone and begins something new; nothers: it is not among them. */
size_t reading_other_at(const struct reading *r, enum plan_kind plan);
/* The plan other[i] and that of the reading, which has one, change places. The marks go, because they were those of the old plan. */
void reading_take_other(struct reading *r, size_t i);

/* Do the plans of mark i have another mark for a place or a country? */
bool reading_looks_elsewhere(const struct reading *r, size_t i);

/* Does any plan look for airports: near, route or search? */
bool reading_searches(const struct reading *r);

/* The "not" that ends with this word; NULL: none does. */
const struct evidence *reading_not_at(const struct reading *r, size_t word);

/* The labels that such evidence is about, a bit each. */
uint64_t evidence_about(const char *kind);

/* Does the evidence say that the words name a place or a country? */
bool evidence_is_place(const char *kind);

/* Is the kind that of a slip of the finger, or of a part of a word? */
bool evidence_is_guessed(const char *kind);

/* Do the words before a country say that one flies into it ("nach", "in die", "vers", "aller en") or out of it ("aus der")? "In den" may mean "in",
 * and so may "en", if it does not follow "aller". Rules "for France" and "pour la France" are those in France. */
enum flight { FLIGHT_NONE, FLIGHT_INTO, FLIGHT_OUT };
enum flight reading_flight_before(const struct reading *r, const struct mark *country);

/* ---- what these files set right ------------------------------------------------------------- */

/* What was misunderstood goes, and what is meant stands in its place (reading_corrections.c). */
void reading_amend_corrections(struct reading *r, const struct dialogue *before);

/* A place that the pilot takes back in the same breath (reading_taken_back.c). */
void reading_amend_taken_back(struct reading *r);
/* A fuel that the pilot takes back. Call it after reading_amend_wishes(), which marks each fuel that is named. */
void reading_amend_fuel_taken_back(struct reading *r);

/* Leaves out airports that the last answer showed and the pilot refuses (reading_exclusions.c). */
void reading_amend_exclusions(struct reading *r, const struct dialogue *before);

/* Places that a pilot does not want, words that are no places, and names of which a mark has only a part (reading_places.c).
 * places: as in reading_amend(). */
void reading_amend_places(struct reading *r, bool places);

/* Parts of countries: "NI", "aéroports italiens du nord" (reading_parts.c). */
void reading_amend_parts(struct reading *r);

/* Wishes that no mark has, that a mark misunderstands, or that airports cannot be chosen by (reading_wishes.c). */
void reading_amend_wishes(struct reading *r);

/* What the words within marks are worth (reading_values.c). */
void reading_amend_values(struct reading *r, const struct dialogue *before);

/* The ends of a route, and the places between them (reading_route.c). */
void reading_amend_route(struct reading *r);

/* Are facts of the named airports wanted, one beside the other? This does not look at how many airports are named (reading_compare.c). */
bool reading_compares(const struct reading *r);

/* "Compare LFAT and LFRG": questions about each of several airports (reading_compare.c). */
void reading_amend_comparison(struct reading *r);

/* How long the legs of a route are, and how far one flies without a stop (reading_legs.c). */
void reading_amend_legs(struct reading *r, const struct dialogue *before);

/* Two distances in one message, and which of two places is nearer to a third (reading_distances.c). */
void reading_amend_distances(struct reading *r, const struct dialogue *before);

/* The list that the message goes on with (reading_lists.c). */
void reading_amend_lists(struct reading *r, const struct dialogue *before);

/* Which wish of the frame before is taken away (reading_lifts.c). */
void reading_amend_lifts(struct reading *r, const struct dialogue *before);

#endif
