/*
 * What an answer says of the places of the question: how they were understood, what else they could
 * have been, and which one was not found.
 */
#include <math.h>
#include <string.h>

#include "agents/aviation/builtin/writer.h"
#include "airports/countries.h"
#include "base/str.h"

enum { FEW = 3 /* with so few airports in an area, the answer says how to see those around it */ };

/* How the place of a role was resolved; NULL: the result does not tell. */
static struct json_object *resolved(const struct answer *w, const char *role)
{
	struct json_object *list = jsn_get(w->result, "resolved");

	for (size_t i = 0; i < jsn_len(list); i++)
		if (streq(jsn_get_str(jsn_at(list, i), "role", ""), role))
			return jsn_at(list, i);
	return NULL;
}

/* "the Alps"; languages without such a rule name the area only. */
static const char *area_name(const struct answer *w, struct json_object *area)
{
	const char *name = jsn_get_str(area, "name", NULL);

	if (name == NULL)
		return said(w, area_this);
	const struct country *country = country_by_name(str_fold(w->mem, name));
	/* Scotland has its own name */
	const char *named = country != NULL && strieq(country->name, name) ? message_country(w->wording, country->code) : NULL;
	name = md_text(w->mem, named != NULL ? named : message_area(w->wording, name), 100);
	return jsn_get_bool(area, "article", false) ? said(w, area_the, "area", name) : name;
}

const char *places_area(const struct answer *w)
{
	struct json_object *area = jsn_get(w->result, "area");
	const char *name = area_name(w, area);

	if (area == NULL)
		return NULL;
	return strstr(name, "Isle") != NULL || strstr(name, "coast") != NULL ? said(w, area_on, "area", name) : said(w, area_in, "area", name);
}

/* " There is also: Vik, Iceland; Vik, Sweden. …", or "". */
static const char *others_said(const struct answer *w, struct json_object *place)
{
	struct json_object *list = jsn_get(place, "alternatives");
	const char *others = "";

	/* labels have commas of their own */
	for (size_t i = 0; i < jsn_len(list); i++)
		others = arena_printf(w->mem, "%s%s%s", others, i > 0 ? "; " : "",
		    md_place(w, jsn_get_str(jsn_at(list, i), "place", "?"), 100));
	if (*others == '\0' || !jsn_get_bool(place, "unsure", false))
		return "";
	return said_n(w, place_others, (double)jsn_len(list), "others", others);
}

/* ---- ends of a route ------------------------------------------------------ */

static const char *end_name(const struct answer *w, const char *end, const char *def)
{
	struct json_object *v = jsn_get(w->result, "visualization");
	struct json_object *o = jsn_get(jsn_get(v, "route"), end);

	return o != NULL ? md_airport(w, o) : md_text(w->mem, def, 100);
}

/* The airport that was taken for the place, and why. */
static const char *stands_for(const struct answer *w, const char *airport, struct json_object *place,
    struct json_object *substitution)
{
	struct json_object *area = jsn_get(place, "area");
	const char *label = jsn_get_str(substitution, "geocoded_location", "");
	double nm = jsn_get_num(substitution, "distance_nm", NAN);

	if (area != NULL)
		return said(w, place_main_airport, "airport", airport, "area", area_name(w, area));
	if (*label == '\0' || !(nm >= 0.05))
		return airport;
	return said(w, place_nearest_airport, "airport", airport, "place", md_place(w, label, 100),
	    "distance", md_nm(w, nm));
}

static void end_note(const struct answer *w, const char *end, const char *role,
    struct phrases *notes)
{
	struct json_object *o = jsn_get(jsn_get(w->result, "substitutions"), end);
	struct json_object *place = resolved(w, role);
	const char *asked = jsn_get_str(o, "original", jsn_get_str(place, "query", "?"));
	const char *others = others_said(w, place);

	if (!jsn_is(o, json_type_object) && *others == '\0')
		return;
	phrases_add(notes, said(w, place_taken, "asked", md_text(w->mem, asked, 100), "place",
	    stands_for(w, end_name(w, end, asked), place, o), "others", others));
}

/* ---- the middle of a search ------------------------------------------------ */

/* Is the label only what was asked for? "Fairoaks Airport (EGTF)" contains the ident already. */
static bool same(const struct answer *w, const char *asked, const char *label)
{
	const char *at = *asked != '\0' ? strcasestr(label, asked) : NULL;

	if (at != NULL && (at == label ? strlen(asked) == strlen(label)
	    : at[-1] == '(' && at[strlen(asked)] == ')'))
		return true;
	return *label == '\0' || *asked == '\0' ||
	    strieq(str_fold(w->mem, label), str_fold(w->mem, asked));
}

static void centre_note(const struct answer *w, struct phrases *notes)
{
	const char *label = jsn_get_str(jsn_get(w->result, "center"), "label", "");
	const char *asked = jsn_get_str(w->args, "location_query", "");
	struct json_object *place = resolved(w, "location");
	const char *others = others_said(w, place);

	/* the headline names an area, and the first sentence what was not understood */
	if ((same(w, asked, label) || jsn_has(place, "area") || jsn_has(place, "ignored")) && *others == '\0')
		return;
	phrases_add(notes, said(w, place_taken, "asked", md_text(w->mem, asked, 100),
	    "place", md_place(w, label, 120), "others", others));
}

/* Few airports in an area, or none: those around it may be what the pilot wants. */
static void area_note(const struct answer *w, struct phrases *notes)
{
	struct json_object *area = jsn_get(resolved(w, "location"), "area");
	struct json_object *profile = jsn_get(w->result, "filter_profile");
	double radius = jsn_get_num(profile, "radius_nm", NAN);

	if (area != NULL && places_area(w) == NULL)
		phrases_add(notes, said(w, area_around, "radius", wording_number(w->wording, w->mem, radius),
		    "area", area_name(w, area)));
	else if (area != NULL && jsn_get_int(w->result, "total_found", FEW + 1) <= FEW)
		phrases_add(notes, said(w, area_inside, "area", area_name(w, area)));
}

void places_first(const struct answer *w)
{
	struct json_object *list = jsn_get(w->result, "resolved");
	bool told = false;

	for (size_t i = 0; i < jsn_len(list); i++) {
		struct json_object *place = jsn_at(list, i);
		const char *ignored = jsn_get_str(place, "ignored", "");
		if (*ignored == '\0')
			continue;
		buf_puts(w->out, told ? " " : "");
		say(w, place_ignored, "ignored", md_text(w->mem, ignored, 60),
		    "asked", md_text(w->mem, jsn_get_str(place, "query", "?"), 100),
		    "place", md_place(w, jsn_get_str(place, "place", "?"), 120));
		told = true;
	}
	if (told)
		buf_puts(w->out, "\n\n");
}

void places_notes(const struct answer *w, struct phrases *notes)
{
	end_note(w, "from", "departure", notes);
	end_note(w, "to", "destination", notes);
	centre_note(w, notes);
	area_note(w, notes);
}

/* ---- not found -------------------------------------------------------------- */

/* Only the result's `error` tells which end of a route was not found. */
static const char *lost_place(const struct answer *w, enum saying *sentence)
{
	*sentence = SAY_lost_place;
	if (w->plan->tool->result != RESULT_AIRPORTS_ROUTE)
		return jsn_get_str(w->args, "location_query", said(w, near_that_place));
	if (strstr(jsn_get_str(w->result, "error", ""), "destination")) {
		*sentence = SAY_lost_destination;
		return jsn_get_str(w->args, "to_location", "?");
	}
	*sentence = SAY_lost_departure;
	return jsn_get_str(w->args, "from_location", "?");
}

/* ": no place of that name is known", which the tools say in English only; else "". */
static const char *why_lost(const struct answer *w)
{
	const char *why = md_text(w->mem, tool_said(w, "reason"), 300);
	size_t n = strlen(why);

	while (n && why[n - 1] == '.')
		n--;
	return n > 0 ? arena_printf(w->mem, ": %.*s", (int)n, why) : "";
}

void places_not_found(const struct answer *w)
{
	enum saying sentence;
	const char *place = lost_place(w, &sentence);

	buf_printf(w->out, "%s\n", said_as(w, sentence, "place", md_text(w->mem, place, 100),
	    "why", why_lost(w)));
}
