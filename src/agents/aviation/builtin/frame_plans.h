/*
 * From frames to plans: one tool with its arguments for each frame, or a reply where no tool serves.
 *
 * A frame that asks the same of several airports or countries becomes several plans.
 */
#ifndef AGENTS_AVIATION_BUILTIN_FRAME_PLANS_H
#define AGENTS_AVIATION_BUILTIN_FRAME_PLANS_H

#include "agents/aviation/builtin/labels.h"
#include "agents/aviation/builtin/replies.h"
#include "agents/aviation/builtin/talk.h"
#include "agents/aviation/plan.h"
#include "airports/airdb.h"

struct place;
struct rules_snapshot;

/* What the plans are made of. */
struct planning {
	struct arena *mem;
	const struct tool_context *ctx;
	struct aircon *con;                   /* NULL: names are used as typed */
	const struct rules_snapshot *set;     /* NULL: no rules are loaded */
	const char *message;                  /* as typed */
	const struct reading *reading;
	const struct frames *frames;
	const struct talk *talk;              /* before the message */
	const char *persona_id;               /* NULL: none */
	const struct wording *wording;        /* of the turn, for replies */
};

/* One to LOOKUPS_MAX plans, and those for which there is no room. */
void plans_of_frames(const struct planning *p, struct plans *out);

/* ISO-2 codes of the countries that a frame is about: those it names, else those of its places. At most
 * `max`; how many. */
size_t frame_countries(const struct planning *p, const struct frame *f, const char **code, size_t max);

/* The same for a question about rules: without countries of its own it is about those of another frame of the
 * message, of a route for example, or else of a frame before. */
size_t frame_rules_countries(const struct planning *p, const struct frame *f, const char **code, size_t max);

/* The airport that the frame's pick means, as an ident or as typed; NULL: there is none, or *several could be
 * meant. */
const char *frame_picked(const struct planning *p, const struct frame *f, bool *several);

/* ---- for the files of this folder ---------------------------------------------------------- */

/* One look-up of a frame. The value that differs between look-ups of the same frame, else NULL. */
struct look {
	const struct planning *p;
	const struct frame *f;
	const char *at;                       /* an airport, as typed or an ident */
	const char *country;                  /* ISO-2 */
	const char *ground;                   /* a region, a name */
	const struct frame_value *topic;      /* one of several matters of a question; NULL: all of the frame's */
	const char *asks;                     /* the part of the message that asks for it; NULL: the message */
	const char *from, *to;                /* of one leg of a route over other places; NULL: those of the frame */
};

/* frame_places.c */

/* A place as a tool takes it: its code if one stands in the text ("Duxford (EGSU)"), else the text with the
 * country that it was named with ("Cambridge, United Kingdom"). */
const char *place_text(const struct planning *p, const struct frame_value *value);
/* Find the airport that a text means. If out->nearest is set, the text names a place without an airport of its own, or coordinates, and
 * `out` has the airport nearest to it. False: no airport was found. */
bool place_airport_meant(const struct planning *p, const char *text, struct place *out);
/* The ident of that airport; the text itself if none was found. */
const char *place_ident(const struct planning *p, const char *text);
/* Is the text the code of an airport? */
bool place_is_ident(const struct planning *p, const char *text);
/* The codes of the airports and countries that a wish refuses: "LSGG,CH"; NULL: none, or one of them is not known. */
const char *place_refused(const struct planning *p, const struct frame_value *wish);
/* ISO-2 of the country that a place or an airport lies in; NULL: not known. */
const char *place_country(const struct planning *p, const char *text);
/* Is the country bound to a place of the frame, and therefore no wish of its own? */
bool country_is_bound(const struct planning *p, const struct frame *f, const char *code);

/* frame_shown.c */

/* Was the airport in the last answer? */
bool airport_is_shown(const struct talk *t, const char *ident);
/* A place that is not farther from an airport than this may be the one that it serves. */
enum { AIRPORT_SERVES_NM = 25 };

/* The ident of the airport of the last answer whose name or town has all words of `name`: the one spoken of last, else the only one of the
 * list. NULL: none has them, or several do, or the name is that of a well-known town elsewhere. */
const char *airport_shown(const struct planning *p, const char *name);

/* frame_arguments.c, frame_rules.c: the arguments of a tool */

/* Can this tool search the middle of the route? Not with stops: the pilot means the middle of the whole route, and not of each leg. */
bool look_can_be_halfway(const struct look *l, const struct tool *t);

/* The tags of the rule base that the matter of a question is about, and how many; NULL: none. */
const char *const *look_tags(const struct look *l, size_t *n);

typedef void fill_fn(const struct look *l, const struct tool *t, struct plan *out);
fill_fn frame_fill_route, frame_fill_near, frame_fill_search, frame_fill_counted, frame_fill_details,
    frame_fill_notice, frame_fill_answer, frame_fill_browse, frame_fill_compare;

/* A question about rules as the tool wants it: the whole message if all of it is this question and says it in full, else the matter.
 * If the message is not in English, the matter in English is added after it. The search by meaning uses the
 * message, the search by words uses the matter. */
const char *frame_question(const struct look *l);
/* Is a rule about crossing the border meant? */
bool look_crosses_border(const struct look *l);

/* The day of a frame: "2026-12-25" for "25-12", in the year that the message names or else the next such day, which may not
 * exist ("30-02"); other days by their names. NULL: it has none. */
const char *frame_date(const struct planning *p, const struct frame *f);

/* How often "more" was said up to this frame. */
size_t frame_pages(const struct planning *p, const struct frame *f);

#endif
