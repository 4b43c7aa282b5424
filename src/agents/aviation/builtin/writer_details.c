/*
 * One airport. A question for facts (fuel, runway, customs, radio, light …) is answered in the first
 * sentences, with a few lines after them. Otherwise all that is recorded is listed: elevation,
 * runways, services and the text of the AIP.
 */
#include "agents/aviation/builtin/writer_details.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "agents/aviation/builtin/asked_facts.h"
#include "agents/aviation/builtin/writer_aip.h"
#include "agents/aviation/builtin/writer_facts.h"
#include "airports/airport.h"
#include "airports/notice_rules.h"
#include "base/str.h"

enum { RUNWAYS_MAX = 20 };

/* ---- reading the result ---------------------------------------------------- */

static struct json_object *summary(const struct answer *w)
{
	return jsn_get(w->result, "airport");
}

const char *details_name(const struct answer *w)
{
	struct json_object *a = summary(w);
	const char *ident = md_text(w->mem, jsn_get_str(a, "ident", ""), 20);
	const char *name = md_text(w->mem, jsn_get_str(a, "name", ident), 100);

	return *ident ? arena_printf(w->mem, "**%s** (%s)", name, ident)
	              : arena_printf(w->mem, "**%s**", *name ? name : said(w, airport_this));
}

static enum tri fuel_of(const struct answer *w, const char *kind)
{
	struct json_object *v = jsn_get(jsn_get(w->result, "fuel"), kind);

	if (!jsn_is(v, json_type_boolean))
		return TRI_UNKNOWN;
	return json_object_get_boolean(v) ? TRI_YES : TRI_NO;
}

static int64_t procedure_count(const struct answer *w)
{
	return jsn_get_int(jsn_get(w->result, "procedures"), "count", 0);
}

/* The codes of the public data in words; anything else is shown as it is. */
static const char *surface_said(const struct answer *w, const char *surface)
{
	static const struct {
		const char *code;
		enum saying name;
	} known[] = {
		{ "asp", SAY_surface_asphalt }, { "asph", SAY_surface_asphalt }, { "asphalt", SAY_surface_asphalt },
		{ "con", SAY_surface_concrete }, { "conc", SAY_surface_concrete }, { "concrete", SAY_surface_concrete },
		{ "grs", SAY_surface_grass }, { "grass", SAY_surface_grass }, { "gras", SAY_surface_grass },
		{ "gre", SAY_surface_grass }, { "turf", SAY_surface_grass }, { "gravel", SAY_surface_gravel },
		{ "grv", SAY_surface_gravel }, { "gvl", SAY_surface_gravel }, { "bit", SAY_surface_bitumen },
		{ "pem", SAY_surface_paved }, { "peb", SAY_surface_paved }, { "water", SAY_surface_water },
		{ "sand", SAY_surface_sand }, { "dirt", SAY_surface_dirt },
	};

	if (!*surface || strieq(surface, "unk") || strieq(surface, "unknown"))
		return said(w, surface_unknown);
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strieq(surface, known[i].code))
			return said_as(w, known[i].name);
	return md_text(w->mem, surface, 60);
}

const char *details_runway(const struct answer *w, struct json_object *r)
{
	const char *le = md_text(w->mem, jsn_get_str(r, "le_ident", ""), 10);
	const char *he = md_text(w->mem, jsn_get_str(r, "he_ident", ""), 10);

	return *le && *he ? arena_printf(w->mem, "%s/%s", le, he) : *le ? le : he;
}

bool details_runway_closed(struct json_object *r)
{
	return jsn_truthy(jsn_get(r, "closed"));
}

static struct json_object *longest_open(const struct answer *w)
{
	struct json_object *list = jsn_get(w->result, "runways"), *best = NULL;

	for (size_t i = 0; i < jsn_len(list); i++) {
		struct json_object *r = jsn_at(list, i);
		if (!details_runway_closed(r) && jsn_get_num(r, "length_ft", 0) >
		    (best ? jsn_get_num(best, "length_ft", 0) : 0))
			best = r;
	}
	return best;
}

static const char *elevation_of(const struct answer *w)
{
	double ft = jsn_get_num(summary(w), "elevation_ft", NAN);

	return isfinite(ft) ? md_feet(w, ft) : NULL;
}

/* ---- direct answers ------------------------------------------------------------ */

static const char *yes_no(const struct answer *w, enum tri t)
{
	return t == TRI_YES ? said(w, is_yes) : t == TRI_NO ? said(w, is_no) : said(w, is_unknown);
}

static void answer_one_fuel(const struct answer *w, const char *fuel, enum tri t)
{
	if (t == TRI_UNKNOWN)
		put_line(w, fuel_one_unknown, "airport", details_name(w), "fuel", fuel);
	else if (t == TRI_YES)
		put_line(w, fuel_yes, "airport", details_name(w), "fuel", fuel);
	else
		put_line(w, fuel_no, "airport", details_name(w), "fuel", fuel);
}

/* Where a text of the record comes from: "the AIP". */
static const char *source_of(const struct answer *w, const char *text)
{
	return md_sample(text) ? said(w, source_sample) : said(w, source_aip);
}

/* Only the text of the record can name it. */
static void answer_unleaded(const struct answer *w)
{
	const char *text = aip_value(w, "Fuel");

	if (text != NULL && *text != '\0')
		put_line(w, fuel_text, "airport", details_name(w), "source", source_of(w, text),
		    "text", md_text(w->mem, text, AIP_VALUE_MAX));
	else
		put_line(w, fuel_unleaded_unknown, "airport", details_name(w));
}

static void answer_fuel(const struct answer *w)
{
	enum tri avgas = fuel_of(w, "avgas"), jet = fuel_of(w, "jet_a");
	bool ask_avgas = md_asks(w, " avgas| 100ll| 100 ll"), ask_jet = md_asks(w, " jet");

	if (md_asks(w, MD_UNLEADED))
		answer_unleaded(w);
	else if (ask_avgas != ask_jet)
		answer_one_fuel(w, ask_avgas ? "AVGAS" : "Jet A", ask_avgas ? avgas : jet);
	else if (avgas == TRI_UNKNOWN && jet == TRI_UNKNOWN)
		put_line(w, fuel_unknown, "airport", details_name(w));
	else
		put_line(w, fuel_kinds, "airport", details_name(w), "avgas", yes_no(w, avgas),
		    "jet_a", yes_no(w, jet));
}

static void answer_runway(const struct answer *w)
{
	struct json_object *r = longest_open(w);
	double ft = jsn_get_num(summary(w), "longest_runway_length_ft", NAN);

	if (r) {
		const char *name = details_runway(w, r);
		put_line(w, runway_longest, "airport", details_name(w),
		    "runway", *name ? said(w, runway_name, "runway", name) : "",
		    "length", md_feet(w, jsn_get_num(r, "length_ft", 0)),
		    "surface", surface_said(w, jsn_get_str(r, "surface", "")));
	} else if (isfinite(ft)) {
		put_line(w, runway_longest_length, "airport", details_name(w), "length", md_feet(w, ft));
	} else {
		put_line(w, runway_no_length, "airport", details_name(w));
	}
}

/* The notice that customs want; "": none is recorded. */
static const char *customs_notice(const struct answer *w)
{
	return jsn_get_str(jsn_get(w->result, "notification"), "summary", "");
}

/* Is there a notice that could be read, and that says anything but "not available"? */
static bool customs_come(const struct answer *w)
{
	const enum notice_kind kind = notice_kind_of(jsn_get_str(jsn_get(w->result, "notification"), "notification_type", ""));

	return *customs_notice(w) != '\0' && kind != NOTICE_NOT_AVAILABLE && kind != NOTICE_UNKNOWN;
}

/* Without AIP data, an airport that is in no list of points of entry may still be a point of entry. */
static bool has_aip(const struct answer *w)
{
	return jsn_get_bool(summary(w), "has_aip_data", false);
}

static void answer_customs(const struct answer *w)
{
	if (jsn_get_bool(summary(w), "point_of_entry", false))
		put_line(w, customs_yes, "airport", details_name(w));
	else if (customs_come(w))
		put_line(w, customs_on_notice, "airport", details_name(w));
	else if (has_aip(w) || *customs_notice(w) != '\0')
		put_line(w, customs_unknown, "airport", details_name(w));
	else
		put_line(w, customs_unrecorded, "airport", details_name(w));
}

/* " (ILS, RNP)": the kinds of approaches, each once; "" when none is recorded. */
static const char *approaches_said(const struct answer *w)
{
	struct json_object *list = jsn_get(jsn_get(w->result, "procedures"), "list");
	const char *out = "";

	for (size_t i = 0; i < jsn_len(list); i++) {
		const char *kind = jsn_get_str(jsn_at(list, i), "approach_type", "");
		bool seen = *kind == '\0';
		for (size_t k = 0; k < i && !seen; k++)
			seen = streq(jsn_get_str(jsn_at(list, k), "approach_type", ""), kind);
		if (!seen)
			out = arena_printf(w->mem, "%s%s%s", out, *out ? ", " : " (",
			    md_text(w->mem, kind, 20));
	}
	return *out ? arena_printf(w->mem, "%s)", out) : out;
}

/* The kinds of approaches that are asked for by name; other names of the same kind stand beside it. */
static const struct approach {
	const char *words, *said, *types[3];
} approaches[] = {
	{ " ils ", "ILS", { "ILS" } },
	{ " loc | localizer| localiser", "LOC", { "LOC" } },
	{ " vor ", "VOR", { "VOR" } },
	{ " ndb ", "NDB", { "NDB" } },
	{ " rnp | rnav | gps | gnss | lpv ", "RNP", { "RNP", "RNAV", "GPS" } },
};

static const struct approach *approach_asked(const struct answer *w)
{
	for (size_t i = 0; i < sizeof(approaches) / sizeof(*approaches); i++)
		if (md_asks(w, approaches[i].words))
			return &approaches[i];
	return NULL;
}

/* UNKNOWN: some procedures have no type, so one of them may be of this kind. */
static enum tri has_approach(const struct answer *w, const struct approach *kind)
{
	struct json_object *list = jsn_get(jsn_get(w->result, "procedures"), "list");
	enum tri has = jsn_len(list) < (size_t)procedure_count(w) ? TRI_UNKNOWN : TRI_NO;

	for (size_t i = 0; i < jsn_len(list); i++) {
		const char *type = jsn_get_str(jsn_at(list, i), "approach_type", "");
		if (*type == '\0')
			has = TRI_UNKNOWN;
		for (size_t k = 0; k < sizeof(kind->types) / sizeof(*kind->types); k++)
			if (kind->types[k] != NULL && strcasestr(type, kind->types[k]) != NULL)
				return TRI_YES;
	}
	return has;
}

/* "6 instrument procedures (ILS, RNP)" */
static const char *procedures_said(const struct answer *w)
{
	return said_n(w, procedures_count, (double)procedure_count(w), "kinds", approaches_said(w));
}

static void answer_procedures(const struct answer *w)
{
	const struct approach *kind = approach_asked(w);
	const char *name = details_name(w);

	if (procedure_count(w) <= 0)
		put_line(w, procedures_none, "airport", name);
	else if (kind == NULL || has_approach(w, kind) == TRI_YES)
		put_line(w, procedures_yes, "airport", name, "procedures", procedures_said(w));
	else if (has_approach(w, kind) == TRI_UNKNOWN)
		put_line(w, procedures_maybe_this, "kind", kind->said, "airport", name,
		    "procedures", procedures_said(w));
	else
		put_line(w, procedures_not_this, "kind", kind->said, "airport", name,
		    "procedures", procedures_said(w));
}

static void answer_elevation(const struct answer *w)
{
	const char *ft = elevation_of(w), *aip = aip_value(w, "Elevation"), *name = details_name(w);

	if (ft)
		put_line(w, elevation_is, "airport", name, "elevation", ft);
	else if (aip)
		put_line(w, elevation_aip, "airport", name, "elevation", md_text(w->mem, aip, AIP_VALUE_MAX));
	else
		put_line(w, elevation_unknown, "airport", name);
}

/* Lines of the list of facts; a short answer leaves out those that its first sentence tells. */
enum { LINE_RUNWAY = 1, LINE_FUEL = 2, LINE_CUSTOMS = 4 };

static void write_runways(const struct answer *w);

/* `unless`: words that give the others another meaning ("approach frequency"). A short answer goes on
 * with the lines of `more`, without those of `told`, and with the AIP's fields that begin with `field`. */
static const struct topic {
	const char *words, *unless;
	void (*answer)(const struct answer *), (*more)(const struct answer *);
	unsigned told;
	const char *field;
} topics[] = {
	{ " frequency| frequencies| atis | tower| radio | on what channel", " tower view", answer_frequency,
	  write_frequencies, 0, NULL },
	{ " after dark| at night| by night| in the dark| after sunset| before sunrise| night landing"
	  "| during the night", " closing", answer_night, write_runways, LINE_RUNWAY, NULL },
	{ " sunset| sunrise| sun set| sun rise| sun sets| sun rises| twilight| get dark| gets dark"
	  "| getting dark| dusk| dawn ", " after sunset| before sunrise", answer_sun, NULL, 0, NULL },
	{ " lighting| lights| lighted| lit ", " at night| after dark", answer_lights, write_runways,
	  LINE_RUNWAY, NULL },
	{ " heading| qfu | displaced| orientation| runway direction", NULL, answer_headings,
	  write_runways, LINE_RUNWAY, NULL },
	{ " variation| declination", NULL, answer_variation, NULL, 0, NULL },
	{ " coordinates| latitude| longitude| position of ", NULL, answer_position, NULL, 0, NULL },
	{ " iata | icao code", NULL, answer_codes, NULL, 0, NULL },
	{ MD_UNLEADED "| avgas| 100ll| 100 ll| jet a| jeta| fuel| refuel", NULL, answer_fuel, NULL, LINE_FUEL, "Fuel" },
	{ " runway| how long | length", " runway light| lights| heading| displaced| runway direction",
	  answer_runway, write_runways, LINE_RUNWAY, NULL },
	{ " customs| immigration| point of entry| port of entry| border", NULL, answer_customs, NULL,
	  LINE_CUSTOMS, "Customs" },
	{ " ifr | ils | rnav| rnp | instrument| approach| procedure", " frequenc| radio ",
	  answer_procedures, NULL, 0, "Type of Traffic" },
	{ " elevation| how high | sea level| amsl | the altitude | what altitude | altitude of | height of ",
	  NULL, answer_elevation, NULL, 0, NULL },
};

static bool topic_asked(const struct answer *w, const struct topic *t)
{
	return md_asks(w, t->words) && (t->unless == NULL || !md_asks(w, t->unless));
}

#define FUEL_PRICE " fuel price| avgas price| price of avgas| price of fuel| price of the fuel| fuel cost| cost of fuel" \
	"| cost of avgas| avgas cost| price of jet| avgas cost| does avgas cost| does fuel cost| jet price| 100ll price"

/* Nothing tells on which days a restaurant is open. */
static bool has_restaurant(const struct answer *w, const char *airport)
{
	const bool told = answer_restaurant(w, airport);

	if (told && jsn_has(w->args, "date"))
		put_line(w, aside_days, "airport", airport);
	return told;
}

/* "How far is it to the town?" The message names no known place as the other end. */
static bool answer_distance(const struct answer *w, const char *airport)
{
	put_line(w, distance_ends, "airport", airport, "code", md_text(w->mem, jsn_get_str(summary(w), "ident", "?"), 20));
	return true;
}

/* Facts that only the AIP's own text can tell, or that nothing here can tell (field NULL). */
static const struct aside {
	const char *words, *unless;
	enum saying what;
	const char *field;
	/* writes what is known from another source; false: nothing is. NULL: there is no other source */
	bool (*answer)(const struct answer *, const char *airport);
} asides[] = {
	{ " restaurant| food| lunch| dinner| eat | meal| cafe", NULL, SAY_aside_restaurants, "Restaurants",
	  has_restaurant },
	{ " hotel| accommodation| sleep| overnight", NULL, SAY_aside_hotels, "Hotels", answer_hotel },
	{ " taxi| transport| rental car| bus ", NULL, SAY_aside_transport, "Transportation", NULL },
	{ " contact | telephone| phone | e mail| email", NULL, SAY_aside_contact, "AD Administration", NULL },
	{ " hangar", NULL, SAY_aside_hangar, "Hangar", NULL },
	{ " handling", NULL, SAY_aside_handling, "Handling", NULL },
	{ " de icing| deicing", NULL, SAY_aip_deicing, "De-icing", NULL },
	{ " repair| maintenance| mechanic", NULL, SAY_aside_repair, "Repair", NULL },
	{ FUEL_PRICE, NULL, SAY_aside_fuel_price, NULL, NULL },
	{ " fee | fees | cost| price| charge", FUEL_PRICE, SAY_aside_fees, NULL, answer_fees },
	{ " review| pilots say| rating| rated | is it nice| friendly", NULL, SAY_aside_reviews, NULL, answer_reviews },
	{ " opening hours| open at | open on | open today| opening times| closing", NULL, SAY_aside_hours, NULL,
	  answer_hours },
	{ " how far| flight time", " how far ahead| how far in advance| how far before", SAY_NONE, NULL, answer_distance },
	{ " weather| metar| taf ", NULL, SAY_aside_weather, NULL, NULL },
	{ " notam| closed today", NULL, SAY_aside_notams, NULL, NULL },
};

/* Is a group of digits within a text a time of the day or a part of a date ("0700", "07:00", "01/04")? */
static bool is_time(const char *text, const char *p, size_t n)
{
	if (n <= 2)
		return p[n] == ':' || p[n] == '/' || (p > text && (p[-1] == ':' || p[-1] == '/'));
	return n == 4 && (p[0] - '0') * 10 + p[1] - '0' <= 24 && p[2] < '6';
}

/* Does the text have a telephone number or an e-mail address? This field of the AIP may have only opening hours. */
static bool has_contact(const char *text)
{
	enum { LEAST = 6 };
	size_t digits = 0;

	for (const char *p = text; *p != '\0';) {
		const size_t n = strspn(p, "0123456789");
		if (*p == '@' || *p == '+' || strncasecmp(p, "tel", 3) == 0 || strncasecmp(p, "phone", 5) == 0)
			return true;
		digits += n > 0 && !is_time(text, p, n) ? n : 0;
		p += n > 0 ? n : 1;
	}
	return digits >= LEAST;
}

static bool aside_asked(const struct answer *w, const struct aside *x)
{
	return md_asks(w, x->words) && (x->unless == NULL || !md_asks(w, x->unless));
}

static void answer_aside(const struct answer *w, const struct aside *x)
{
	const char *value = aip_value(w, x->field);

	if (x->what == SAY_aside_contact && value != NULL && !has_contact(value))
		value = NULL;
	const bool told = x->answer != NULL && x->answer(w, details_name(w));
	if (value && *value)
		put_line(w, aside_text, "what", said_as(w, x->what), "airport", details_name(w),
		    "source", source_of(w, value), "text", md_text(w->mem, value, AIP_VALUE_MAX));
	else if (!told && x->answer != NULL)
		put_line(w, aside_unknown_call, "what", said_as(w, x->what), "airport", details_name(w));
	else if (!told)
		put_line(w, aside_unknown, "what", said_as(w, x->what), "airport", details_name(w));
}

/* What was asked for, in the order of the question. Each is a topic or an aside. */
struct wanted {
	size_t n;
	struct detail {
		size_t at;
		const struct topic *topic;
		const struct aside *aside;
	} detail[sizeof(topics) / sizeof(*topics) + sizeof(asides) / sizeof(*asides)];
};

/* Of two that the same words ask for, the one that is added first stays first. */
static void want(struct wanted *all, struct detail x)
{
	size_t i = all->n++;

	for (; i > 0 && all->detail[i - 1].at > x.at; i--)
		all->detail[i] = all->detail[i - 1];
	all->detail[i] = x;
}

bool details_tells(const struct answer *w, const struct plan_fact *fact)
{
	struct answer one = *w;

	one.question = asked_fact_words(w->mem, fact);
	for (size_t i = 0; i < sizeof(topics) / sizeof(*topics); i++)
		if (topic_asked(&one, &topics[i]))
			return true;
	for (size_t i = 0; i < sizeof(asides) / sizeof(*asides); i++)
		if (aside_asked(&one, &asides[i]))
			return true;
	return false;
}

/* "Does it have a wind tee?": names the wishes that no row answers. They may still be recorded, under a name that the pilot did not use. */
static void answer_other_wishes(const struct answer *w)
{
	struct phrases words = { .n = 0 };

	for (size_t i = 0; w->plan->asks && i < w->plan->nasked; i++) {
		const struct plan_fact *fact = &w->plan->asked[i];
		if (streq(fact->name, "wish") && !details_tells(w, fact))
			phrases_add(&words, md_text(w->mem, fact->words, 60));
	}
	if (words.n > 0)
		put_line(w, wish_unknown, "words", phrases_join(w, &words), "code", md_text(w->mem, jsn_get_str(summary(w), "ident", "?"), 20));
}

static void write_notice(const struct answer *w);

void details_tell(const struct answer *w, const struct plan_fact *fact)
{
	struct answer one = *w;

	one.question = asked_fact_words(w->mem, fact);
	for (size_t i = 0; i < sizeof(topics) / sizeof(*topics); i++)
		if (topic_asked(&one, &topics[i]))
			topics[i].answer(&one);
	for (size_t i = 0; i < sizeof(asides) / sizeof(*asides); i++)
		if (aside_asked(&one, &asides[i]))
			answer_aside(&one, &asides[i]);
	if (streq(fact->name, "customs"))
		write_notice(w);
}

bool details_has_sample(const struct answer *w)
{
	return aip_has_sample(w);
}

/* The facts that were asked for, in sentences. False: the question is for the whole airport. */
static bool answer_question(const struct answer *w)
{
	const char *where = md_where(w, summary(w));
	struct wanted all = { .n = 0 };

	if (md_asks(w, " everything | all about | all details | full details"))
		return false;
	for (size_t i = 0; i < sizeof(topics) / sizeof(*topics); i++)
		if (topic_asked(w, &topics[i]))
			want(&all, (struct detail){ md_asked_at(w, topics[i].words), &topics[i], NULL });
	for (size_t i = 0; i < sizeof(asides) / sizeof(*asides); i++)
		if (aside_asked(w, &asides[i]))
			want(&all, (struct detail){ md_asked_at(w, asides[i].words), NULL, &asides[i] });
	for (size_t i = 0; i < all.n; i++) {
		if (all.detail[i].topic != NULL)
			all.detail[i].topic->answer(w);
		else
			answer_aside(w, all.detail[i].aside);
	}
	answer_other_wishes(w);
	if (all.n > 0 && *where)
		put_line(w, airport_where, "where", where);
	return all.n > 0;
}

static void write_headline(const struct answer *w)
{
	struct json_object *list = jsn_get(w->result, "runways"), *r = longest_open(w);
	const char *where = md_where(w, summary(w));
	size_t n = 0;

	for (size_t i = 0; jsn_is(list, json_type_array) && i < jsn_len(list); i++)
		n += !details_runway_closed(jsn_at(list, i));
	const char *it = *where ? said(w, airport_is_in, "airport", details_name(w), "where", where) : details_name(w);
	if (n == 0)
		put_line(w, airport_no_runway, "airport", it);
	else if (!r)
		put_line_n(w, airport_runways_unknown, (double)n, "airport", it);
	else
		put_line_n(w, airport_runways, (double)n, "airport", it,
		    "length", md_feet(w, jsn_get_num(r, "length_ft", 0)));
}

/* ---- the facts ------------------------------------------------------------- */

static void write_runway(const struct answer *w, struct json_object *r)
{
	double ft = jsn_get_num(r, "length_ft", NAN), wide = jsn_get_num(r, "width_ft", NAN);
	const char *name = details_runway(w, r);

	const char *more = arena_printf(w->mem, "%s, %s%s%s%s",
	    isfinite(wide) && wide > 0 ? said(w, runway_wide, "width", md_feet(w, wide)) : "",
	    surface_said(w, jsn_get_str(r, "surface", "")),
	    jsn_truthy(jsn_get(r, "lighted")) ? said(w, runway_lighted) : "",
	    details_runway_closed(r) ? said(w, runway_closed) : "", runway_ends_said(w, r));
	put_line(w, line_runway, "runway", *name ? arena_printf(w->mem, " %s", name) : "",
	    "length", isfinite(ft) && ft > 0 ? md_feet(w, ft) : said(w, runway_length_unknown), "more", more);
}

static void write_runways(const struct answer *w)
{
	struct json_object *list = jsn_get(w->result, "runways");
	size_t n = jsn_is(list, json_type_array) ? jsn_len(list) : 0;

	for (size_t i = 0; i < n && i < RUNWAYS_MAX; i++)
		write_runway(w, jsn_at(list, i));
	if (n > RUNWAYS_MAX)
		put_line(w, line_runways_more, "runways", md_count(w, (double)(n - RUNWAYS_MAX)));
}

static void write_fuel(const struct answer *w)
{
	enum tri avgas = fuel_of(w, "avgas"), jet = fuel_of(w, "jet_a");

	if (avgas == TRI_UNKNOWN && jet == TRI_UNKNOWN)
		put_line(w, line_fuel_unknown);
	else
		put_line(w, line_fuel, "avgas", yes_no(w, avgas), "jet_a", yes_no(w, jet));
}

static void write_customs(const struct answer *w)
{
	if (jsn_get_bool(summary(w), "point_of_entry", false))
		put_line(w, line_customs);
	else if (customs_come(w))
		put_line(w, line_customs_on_notice);
	else if (has_aip(w) || *customs_notice(w) != '\0')
		put_line(w, line_customs_unknown);
	else
		put_line(w, line_customs_unrecorded);
}

static void write_notice(const struct answer *w)
{
	if (*customs_notice(w) != '\0')
		put_line(w, line_notice, "notice", md_notice(w, customs_notice(w), AIP_VALUE_MAX));
}

static void write_procedures(const struct answer *w)
{
	int64_t n = procedure_count(w);

	if (n > 0)
		put_line(w, line_procedures, "procedures", arena_printf(w->mem, "%s%s", md_count(w, (double)n),
		    approaches_said(w)));
	else
		put_line(w, line_procedures_none);
}

/* ---- the answer ---------------------------------------------------------------------- */

static void write_all(const struct answer *w)
{
	buf_puts(w->out, "\n");
	if (md_use(w, summary(w)) != NULL)
		put_line(w, line_kind, "kind", md_use(w, summary(w)));
	if (elevation_of(w) != NULL)
		put_line(w, line_elevation, "elevation", elevation_of(w));
	else
		put_line(w, line_elevation_unknown);
	write_position(w);
	write_runways(w);
	write_frequencies(w);
	write_fuel(w);
	write_customs(w);
	write_notice(w);
	write_procedures(w);
	write_friendliness(w);
	write_sun(w);
	write_aip(w);
}

/* What a pilot who asked for some facts needs most besides. */
static void write_short(const struct answer *w)
{
	unsigned told = 0;

	buf_puts(w->out, "\n");
	for (size_t k = 0; k < sizeof(topics) / sizeof(*topics); k++) {
		const struct topic *t = &topics[k];
		if (!topic_asked(w, t))
			continue;
		if (t->more != NULL && !(t->told & told))
			t->more(w);
		if (t->field != NULL)
			write_aip_field(w, t->field);
		told |= t->told;
	}
	if (!(told & LINE_RUNWAY) && longest_open(w) != NULL)
		write_runway(w, longest_open(w));
	if (!(told & LINE_FUEL))
		write_fuel(w);
	if (!(told & LINE_CUSTOMS))
		write_customs(w);
	write_notice(w);
	buf_putc(w->out, '\n');
	put_line(w, airport_all, "code", md_text(w->mem, jsn_get_str(summary(w), "ident", "?"), 20));
}

/* The question names a time of day or other airports, and this answer does not use them. */
static void left_out_note(const struct answer *w, struct phrases *notes)
{
	const char *rest = w->plan->unused;
	const bool time = rest != NULL && isdigit((unsigned char)*rest) && strchr(rest, ':') != NULL;
	const size_t n = time ? strcspn(rest, ",") : 0;

	if (time)
		phrases_add(notes, said(w, airport_time_unused, "time",
		    md_text(w->mem, arena_strndup(w->mem, rest, n), 20)));
	if (rest != NULL)
		rest += n + strspn(rest + n, ", ");
	if (rest != NULL && *rest != '\0')
		phrases_add(notes, said(w, airport_rest_unused,
		    "code", md_text(w->mem, jsn_get_str(summary(w), "ident", said(w, airport_this)), 20),
		    "rest", md_text(w->mem, rest, 60)));
}

/* Codes that may have been meant by one that no airport has. */
static void write_similar(const struct answer *w)
{
	struct json_object *list = jsn_get(w->result, "similar");
	struct phrases airports = { .n = 0 };

	for (size_t i = 0; i < jsn_len(list); i++) {
		struct json_object *x = jsn_at(list, i);
		const char *ident = jsn_get_str(x, "ident", "");
		if (*ident != '\0')
			phrases_add(&airports, arena_printf(w->mem, "%s (%s)", md_text(w->mem, ident, 20),
			    md_text(w->mem, jsn_get_str(x, "name", "?"), 60)));
	}
	if (airports.n > 0)
		put_line(w, airport_similar, "airports", phrases_join(w, &airports));
}

void write_airport_details(const struct answer *w)
{
	struct phrases notes = { .n = 0 };
	const char *why = tool_said(w, "pretty");

	if (!jsn_get_bool(w->result, "found", true) || !summary(w)) {
		buf_printf(w->out, "%s\n\n", *why ? md_text(w->mem, why, 400) : said(w, airport_not_found));
		write_similar(w);
		put_line(w, airport_try);
		return;
	}
	answer_stands_in(w, details_name(w));
	if (answer_question(w)) {
		write_short(w);
	} else {
		write_headline(w);
		write_all(w);
	}
	if (!has_aip(w))
		phrases_add(&notes, said(w, airport_no_aip));
	left_out_note(w, &notes);
	if (aip_has_sample(w))
		phrases_add(&notes, said(w, notes_sample));
	write_notes(w, &notes, true);
}
