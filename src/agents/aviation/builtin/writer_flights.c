/*
 * A flight is told in one sentence: how far it is, which way it leads, and how long it takes. Several flights get one more.
 *
 * A flight goes from airport to airport. The places that a pilot names may be elsewhere, and two of them may have the same airport;
 * then the distance between the places is told.
 */
#include "agents/aviation/builtin/writer_flights.h"

#include <math.h>

#include "airports/geo.h"
#include "base/str.h"

/* A place that is farther from its airport is told by itself. */
static const double PLACE_NM = 2;

struct json_object *flight_end(const struct answer *w, const char *end)
{
	struct json_object *v = jsn_get(w->result, "visualization");

	return jsn_get(jsn_get(v, "route"), end);
}

const char *flight_end_name(const struct answer *w, const char *end, const char *arg)
{
	struct json_object *o = flight_end(w, end);

	return o ? md_airport(w, o) : md_text(w->mem, jsn_get_str(w->args, arg, "?"), 100);
}

double flight_length(const struct answer *w)
{
	struct json_object *from = flight_end(w, "from"), *to = flight_end(w, "to");

	return geo_distance_nm(
	    (struct point){ jsn_get_num(from, "lat", NAN), jsn_get_num(from, "lon", NAN) },
	    (struct point){ jsn_get_num(to, "lat", NAN), jsn_get_num(to, "lon", NAN) });
}

/* The distance between the places that the pilot named; NAN: they are the airports. */
static double places_length(const struct answer *w)
{
	return jsn_get_num(jsn_get(w->result, "flight"), "places_distance_nm", NAN);
}

/* The place that the pilot named, and not the airport that stands for it. */
static const char *place_name(const struct answer *w, const char *end, const char *arg)
{
	const char *label = jsn_get_str(jsn_get(jsn_get(w->result, "substitutions"), end), "geocoded_location", NULL);

	return label != NULL ? md_place(w, label, 100) : flight_end_name(w, end, arg);
}

/* Do both ends have the same airport, although they are different places? */
static bool has_one_airport(const struct answer *w)
{
	return places_length(w) > 0 && flight_length(w) <= 0;
}

/* The distance of the flight that the answer is about, in NM. */
static double distance_of(const struct answer *w)
{
	return has_one_airport(w) ? places_length(w) : jsn_get_num(jsn_get(w->result, "flight"), "distance_nm", flight_length(w));
}

/* How long it takes, without wind. NAN: no speed is known. */
static double minutes_of(const struct answer *w)
{
	struct json_object *o = jsn_get(w->result, "flight");
	return has_one_airport(w) ? places_length(w) / jsn_get_num(o, "cruise_kt", NAN) * 60 : jsn_get_num(o, "time_min", NAN);
}

static bool asks_time(const struct answer *w)
{
	return jsn_has(w->args, "cruise_kt") || md_asks(w, " flight time| flying time| how long is the flight| how long does it take"
	    "| how long will it take");
}

bool writer_asks_flight(const struct answer *w)
{
	return w->plan->tool->result == RESULT_AIRPORTS_ROUTE &&
	    (asks_time(w) || md_asks(w, " how far| distance| the track | what track | course | heading"));
}

/* "; about 1 h 20 min at 100 kt"; "": the time is not known. */
static const char *time_said(const struct answer *w, double minutes)
{
	const double knots = jsn_get_num(jsn_get(w->result, "flight"), "cruise_kt", 0);
	const char *speed = wording_number(w->wording, w->mem, knots);

	if (!isfinite(minutes))
		return "";
	minutes = round(minutes);
	if (minutes < 60)
		return said(w, flight_minutes, "minutes", arena_printf(w->mem, "%.0f", minutes), "speed", speed);
	return said(w, flight_hours, "hours", arena_printf(w->mem, "%.0f", floor(minutes / 60)),
	    "minutes", arena_printf(w->mem, "%02.0f", fmod(minutes, 60)), "speed", speed);
}

void writer_flight(const struct answer *w)
{
	struct json_object *o = jsn_get(w->result, "flight");
	const bool one = has_one_airport(w);
	const double nm = distance_of(w), apart = places_length(w);
	const double track = jsn_get_num(o, "initial_true_track_deg", NAN);
	const double minutes = asks_time(w) || jsn_has(w->args, "_persona_id") ? minutes_of(w) : NAN;
	const char *course = "", *time = "";

	if (!isfinite(nm))
		return;
	if (isfinite(track) && track >= 0 && track <= 360)
		course = said(w, flight_track, "degrees", arena_printf(w->mem, "%03ld",
		    lround(track) % 360 == 0 ? 360 : lround(track) % 360));
	time = time_said(w, minutes);
	say(w, flight, "distance", md_nm(w, nm), "km", md_count(w, nm * 1.852),
	    "from", one ? place_name(w, "from", "from_location") : flight_end_name(w, "from", "from_location"),
	    "to", one ? place_name(w, "to", "to_location") : flight_end_name(w, "to", "to_location"),
	    "track", course, "time", time);
	if (w->plan->only_flight && !one && fabs(apart - nm) > PLACE_NM)
		say(w, flight_places, "distance", md_nm(w, apart), "km", md_count(w, apart * 1.852));
	buf_puts(w->out, "\n");
}

/* Make the answer about this look-up. False: the look-up is no route of which the pilot asks the distance or the time. */
static bool is_flight(struct answer *w, const struct run *run, const struct finding *f)
{
	writer_take(w, run, f);
	return f->plan->tool != NULL && f->plan->tool->result == RESULT_AIRPORTS_ROUTE && (w->plan->only_flight || asks_time(w)) &&
	    isfinite(flight_length(w));
}

/* Is the end `one` of flight i the same place as the end `other` of flight k? */
static bool is_same_place(const struct writing *writing, size_t i, const char *one, size_t k, const char *other)
{
	return strieq(jsn_get_str(writing->found[i].plan->arguments, one, "-"), jsn_get_str(writing->found[k].plan->arguments, other, ""));
}

void writer_flights_together(struct answer *w, const struct run *run, const struct writing *writing)
{
	double nm[LOOKUPS_MAX] = { 0 }, minutes = 0, all = 0;
	const char *from[LOOKUPS_MAX], *to[LOOKUPS_MAX], *place[LOOKUPS_MAX] = { NULL }, *third = NULL;
	bool chain = writing->n > 1, same = writing->n == 2;

	for (size_t i = 0; i < writing->n; i++) {
		if (!is_flight(w, run, &writing->found[i]))
			return;
		nm[i] = isfinite(places_length(w)) ? places_length(w) : distance_of(w);
		all += distance_of(w);
		minutes += asks_time(w) ? minutes_of(w) : (double)NAN;
		from[i] = flight_end_name(w, "from", "from_location");
		to[i] = flight_end_name(w, "to", "to_location");
		place[i] = place_name(w, "from", "from_location");
		third = place_name(w, "to", "to_location");
		chain &= i == 0 || is_same_place(writing, i - 1, "to_location", i, "from_location");
		same &= i == 0 || is_same_place(writing, 0, "to_location", i, "to_location");
	}
	if (chain)
		put_line(w, flight_total, "distance", md_nm(w, all), "km", md_count(w, all * 1.852), "from", from[0], "to", to[writing->n - 1],
		    "time", time_said(w, minutes));
	else if (same && nm[0] != nm[1])
		put_line(w, flight_nearer, "nearer", nm[0] < nm[1] ? place[0] : place[1], "place", third);
	else
		return;
	buf_puts(w->out, "\n");
}
