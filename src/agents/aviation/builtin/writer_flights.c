/*
 * A flight is told in one sentence: how far it is, which way it leads, and how long it takes. Several flights get one more.
 *
 * A pilot may name towns. If both have the same airport, the distance between the towns is told instead. If it differs much from that
 * between the airports, both are told.
 */
#include "agents/aviation/builtin/writer_flights.h"

#include <math.h>

#include "agents/aviation/agent.h"
#include "airports/geo.h"
#include "base/str.h"

/* The distance between the places is told if it differs by more than this from that between the airports. */
static const double DIFFERENCE_NM = 5;

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

/* The distance between the places that the pilot named; NAN: the pilot named the airports themselves. */
static double places_length(const struct answer *w)
{
	return jsn_get_num(jsn_get(w->result, "flight"), "places_distance_nm", NAN);
}

/* The place that the pilot named; the airport, if it was named itself. */
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
	const bool one_airport = has_one_airport(w);
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
	    "from", one_airport ? place_name(w, "from", "from_location") : flight_end_name(w, "from", "from_location"),
	    "to", one_airport ? place_name(w, "to", "to_location") : flight_end_name(w, "to", "to_location"),
	    "track", course, "time", time);
	if (w->plan->only_flight && !one_airport && fabs(apart - nm) > DIFFERENCE_NM) {
		buf_puts(w->out, " ");
		say(w, flight_places, "distance", md_nm(w, apart), "km", md_count(w, apart * 1.852));
	}
	buf_puts(w->out, "\n");
}

/* Make the answer about this look-up. False: the look-up is no route of which the pilot asks the distance or the time. */
static bool is_flight(struct answer *w, const struct run *run, const struct finding *f)
{
	writer_take(w, run, f);
	return f->plan->tool != NULL && writer_asks_flight(w) && isfinite(flight_length(w));
}

/* Is the end `one` of a flight the same place as the end `other` of another one? */
static bool is_same_place(const struct plan *x, const char *one, const struct plan *y, const char *other)
{
	return strieq(jsn_get_str(x->arguments, one, "-"), jsn_get_str(y->arguments, other, ""));
}

/* One of several flights. */
struct leg {
	const struct plan *plan;
	const char *from, *to;        /* the airports */
	const char *start, *goal;     /* what the pilot named */
	/* apart: distance of the places that the pilot named; minutes: NaN if they are not asked for, or if no speed is known */
	double nm, apart, minutes;
	bool one_airport;             /* start and goal have the same airport */
};

static struct leg leg_of(const struct answer *w, const struct plan *plan)
{
	const double apart = places_length(w);
	return (struct leg){ .plan = plan, .from = flight_end_name(w, "from", "from_location"), .to = flight_end_name(w, "to", "to_location"),
		.start = place_name(w, "from", "from_location"), .goal = place_name(w, "to", "to_location"), .nm = distance_of(w),
		.one_airport = has_one_airport(w), .apart = isfinite(apart) ? apart : distance_of(w), .minutes = asks_time(w) ? minutes_of(w) : NAN };
}

/* Which of two starts is nearer to the same goal? Compare the airports' distances. If a start has the same airport as the goal, or both
 * starts have one airport, compare the distances of the places instead. False: neither is nearer, and nothing was written. */
static bool write_nearer(const struct answer *w, const struct leg leg[2])
{
	const bool places = leg[0].one_airport || leg[1].one_airport || leg[0].nm == leg[1].nm;
	const double nm[2] = { places ? leg[0].apart : leg[0].nm, places ? leg[1].apart : leg[1].nm };

	if (!(nm[0] < nm[1]) && !(nm[1] < nm[0]))
		return false;
	put_line(w, flight_nearer, "nearer", leg[nm[1] < nm[0]].start, "place", leg[0].goal);
	return true;
}

bool writer_legs(struct answer *w, const struct run *run, const struct writing *writing)
{
	struct leg leg[LOOKUPS_MAX];
	const char *route = NULL;
	double all = 0;
	size_t n = 0;

	/* the last legs may have been left out */
	if (run->state != NULL && state_of(run)->over != NULL)
		return false;
	for (size_t i = 0; i < writing->n; i++) {
		const struct finding *f = &writing->found[i];
		if (f->plan->tool == NULL || f->plan->tool->result != RESULT_AIRPORTS_ROUTE)
			continue;
		writer_take(w, run, f);
		if (writer_asks_flight(w) || !isfinite(flight_length(w)))
			return false;
		leg[n] = leg_of(w, f->plan);
		if (n > 0 && !is_same_place(leg[n - 1].plan, "to_location", leg[n].plan, "from_location"))
			return false;
		all += leg[n].nm;
		route = arena_printf(w->mem, "%s – %s", n > 0 ? route : leg[n].from, leg[n].to);
		n++;
	}
	if (n < 2)
		return false;
	put_line(w, flight_legs, "route", route, "n", arena_printf(w->mem, "%zu", n), "distance", md_nm(w, all));
	buf_puts(w->out, "\n");
	return true;
}

/* Beside the flights there may be other look-ups: "how long is it over Lille, and do I need a flight plan?" */
void writer_flights_together(struct answer *w, const struct run *run, const struct writing *writing)
{
	struct leg leg[LOOKUPS_MAX];
	double minutes = 0, all = 0;
	bool chain = true, same = true;
	size_t n = 0;

	for (size_t i = 0; i < writing->n; i++) {
		if (!is_flight(w, run, &writing->found[i]))
			continue;
		leg[n] = leg_of(w, writing->found[i].plan);
		all += leg[n].nm;
		minutes += leg[n].minutes;
		chain &= n == 0 || is_same_place(leg[n - 1].plan, "to_location", leg[n].plan, "from_location");
		same &= n == 0 || is_same_place(leg[0].plan, "to_location", leg[n].plan, "to_location");
		n++;
	}
	if (n > 1 && chain)
		put_line(w, flight_total, "distance", md_nm(w, all), "km", md_count(w, all * 1.852), "from", leg[0].from, "to", leg[n - 1].to,
		    "time", time_said(w, minutes));
	if ((n > 1 && chain) || (n == 2 && same && write_nearer(w, leg)))
		buf_puts(w->out, "\n");
}
