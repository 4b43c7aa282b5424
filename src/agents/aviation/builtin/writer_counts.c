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
	const char *why = tool_said(w, "pretty");
	buf_printf(w->out, "%s\n", *why ? md_text(w->mem, why, PRETTY_MAX) : said(w, counts_nothing));
	return true;
}

static const char *in_country(const struct answer *w, const char *code)
{
	return code != NULL && *code ? arena_printf(w->mem, " %s", md_in_country(w, code)) : "";
}

static void write_entry(const struct answer *w, size_t number, struct json_object *airport)
{
	const double ft = jsn_get_num(airport, "longest_runway_length_ft", NAN);
	const char *ident = md_text(w->mem, jsn_get_str(airport, "ident", ""), 20);
	const char *where = md_where(w, airport);

	buf_printf(w->out, "%zu. **%s** (%s)%s%s", number,
	    md_text(w->mem, jsn_get_str(airport, "name", ident), 100), ident, *where ? ", " : "", where);
	if (isfinite(ft))
		buf_printf(w->out, " · %s", said(w, entries_runway, "length", md_feet(w, ft)));
	if (jsn_get_bool(airport, "has_procedures", false))
		buf_printf(w->out, " · %s", said(w, item_procedures));
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
	const char *found = said_n(w, entries_found, (double)count, "country", in_country(w,
	    jsn_get_str(jsn_get(w->result, "filter_profile"), "country", "")));
	if (count > (int64_t)n)
		put_line(w, list_some, "found", found, "shown", md_count(w, (double)n));
	else
		put_line(w, list_all, "found", found);
	buf_putc(w->out, '\n');
	for (size_t i = 0; i < n; i++)
		write_entry(w, i + 1, jsn_at(list, i));
	phrases_add(&notes, said(w, entries_notice));
	write_notes(w, &notes, true);
}

void write_airport_statistics(const struct answer *w)
{
	static const struct { const char *key; enum saying what; } rows[] = {
		{ "with_customs", SAY_counts_customs },
		{ "with_procedures", SAY_counts_procedures },
		{ "with_hard_runway", SAY_counts_hard },
		{ "with_lighted_runway", SAY_counts_lighted },
		{ "with_aip_data", SAY_counts_aip },
		{ "with_avgas", SAY_counts_avgas },
		{ "with_jet_a", SAY_counts_jet_a },
	};
	struct json_object *stats = jsn_get(w->result, "stats");
	struct phrases notes = { .n = 0 };

	if (nothing_found(w))
		return;
	put_line(w, counts_all, "airports", md_count(w, jsn_get_num(stats, "total_airports", 0)),
	    "country", in_country(w, jsn_get_str(w->result, "country", "")));
	buf_putc(w->out, '\n');
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		put_line(w, counts_line, "airports", md_count(w, jsn_get_num(stats, rows[i].key, 0)),
		    "what", said_as(w, rows[i].what), "percent", wording_number(w->wording, w->mem,
		    jsn_get_num(stats, arena_printf(w->mem, "%s_pct", rows[i].key), 0)));
	phrases_add(&notes, said(w, counts_fuel, "airports", md_count(w, jsn_get_num(stats, "with_fuel_data", 0))));
	write_notes(w, &notes, true);
}
