/*
 * What the database holds of a country: its points of entry, and how many airports have what.
 */
#include "agents/aviation/builtin/writer.h"

#include <math.h>

#include "base/str.h"

enum { PRETTY_MAX = 500 };

/* A refusal, or the sentence that nothing is recorded. */
static bool nothing_found(const struct answer *w)
{
	if (jsn_get_bool(w->result, "found", false))
		return false;
	buf_printf(w->out, "%s\n", md_text(w->mem, jsn_get_str(w->result, "pretty", "Nothing was found."),
	    PRETTY_MAX));
	return true;
}

static const char *in_country(const struct answer *w, const char *code)
{
	return code != NULL && *code ? arena_printf(w->mem, " in %s", md_country(w, code)) : "";
}

static void write_entry(const struct answer *w, size_t number, struct json_object *airport)
{
	const double ft = jsn_get_num(airport, "longest_runway_length_ft", NAN);
	const char *ident = md_text(w->mem, jsn_get_str(airport, "ident", ""), 20);
	const char *where = md_where(w, airport);

	buf_printf(w->out, "%zu. **%s** (%s)%s%s", number,
	    md_text(w->mem, jsn_get_str(airport, "name", ident), 100), ident, *where ? ", " : "", where);
	if (isfinite(ft))
		buf_printf(w->out, " · longest runway %s", md_feet(w, ft));
	if (jsn_get_bool(airport, "has_procedures", false))
		buf_puts(w->out, " · instrument procedures");
	buf_puts(w->out, "\n");
}

void write_points_of_entry(const struct answer *w)
{
	struct json_object *list = jsn_get(w->result, "airports");
	const size_t n = jsn_is(list, json_type_array) ? jsn_len(list) : 0;
	const int64_t count = jsn_get_int(w->result, "count", (int64_t)n);
	struct phrases notes = { .n = 0 };

	if (nothing_found(w))
		return;
	buf_printf(w->out, "**%s %s**%s %s recorded as %s of entry, with customs and immigration",
	    md_count(w, (double)count), count == 1 ? "airport" : "airports", in_country(w,
	    jsn_get_str(jsn_get(w->result, "filter_profile"), "country", "")), count == 1 ? "is" : "are",
	    count == 1 ? "a point" : "points");
	if (count > (int64_t)n)
		buf_printf(w->out, ". Here are %zu", n);
	buf_puts(w->out, ":\n\n");
	for (size_t i = 0; i < n; i++)
		write_entry(w, i + 1, jsn_at(list, i));
	phrases_add(&notes, "Customs may need notice: ask for the notice period of an airport.");
	write_notes(w, &notes, true);
}

void write_airport_statistics(const struct answer *w)
{
	static const struct { const char *key, *said; } rows[] = {
		{ "with_customs", "points of entry (customs and immigration)" },
		{ "with_procedures", "with instrument procedures" },
		{ "with_hard_runway", "with a hard runway" },
		{ "with_lighted_runway", "with a lighted runway" },
		{ "with_aip_data", "with text of the AIP" },
		{ "with_avgas", "known to have AVGAS" },
		{ "with_jet_a", "known to have Jet A" },
	};
	struct json_object *stats = jsn_get(w->result, "stats");
	struct phrases notes = { .n = 0 };

	if (nothing_found(w))
		return;
	buf_printf(w->out, "The database has **%s airports**%s:\n\n",
	    md_count(w, jsn_get_num(stats, "total_airports", 0)),
	    in_country(w, jsn_get_str(w->result, "country", "")));
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		buf_printf(w->out, "- %s %s (%g %%)\n", md_count(w, jsn_get_num(stats, rows[i].key, 0)),
		    rows[i].said, jsn_get_num(stats, arena_printf(w->mem, "%s_pct", rows[i].key), 0));
	phrases_add(&notes, arena_printf(w->mem, "Fuel is recorded for %s of them; the others may have "
	    "fuel too.", md_count(w, jsn_get_num(stats, "with_fuel_data", 0))));
	write_notes(w, &notes, true);
}
