/*
 * What is known of an airfield's hospitality, fees and reviews, in a few words.
 */
#include "agents/aviation/builtin/writer.h"

#include <math.h>

#include "base/str.h"

static void add_amenity(const struct answer *w, struct phrases *p, struct json_object *o,
    const char *what)
{
	static const struct { const char *value, *before, *after; } rows[] = {
		{ "at_airport", "", " on the airfield" },
		{ "vicinity", "", " close by" },
		{ "none", "no ", "" },
	};
	const char *value = jsn_get_str(o, what, "");

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (streq(rows[i].value, value))
			phrases_add(p, arena_printf(w->mem, "%s%s%s", rows[i].before, what, rows[i].after));
}

/* "landing fee 12 EUR for 1,157 kg" */
static void add_fee(const struct answer *w, struct phrases *p, struct json_object *fee)
{
	double amount = jsn_get_num(fee, "fee", NAN), kg = jsn_get_num(fee, "mtow_kg", NAN);
	char text[32];

	if (!isfinite(amount))
		return;
	num_print(text, amount);
	phrases_add(p, arena_printf(w->mem, "landing fee %s %s%s", text,
	    md_text(w->mem, jsn_get_str(fee, "currency", "(currency not recorded)"), 24),
	    isfinite(kg) ? arena_printf(w->mem, " for %s kg", md_count(w->mem, kg)) : ""));
}

static void add_rating(const struct answer *w, struct phrases *p, struct json_object *o)
{
	double rating = jsn_get_num(o, "rating", NAN);
	int64_t reviews = jsn_get_int(o, "review_count", 0);

	if (isfinite(rating) && reviews > 0)
		phrases_add(p, arena_printf(w->mem, "rated %.1f of 5 in %s %s", rating,
		    md_count(w->mem, (double)reviews), reviews == 1 ? "review" : "reviews"));
}

const char *friendliness_said(const struct answer *w, struct json_object *airport)
{
	struct json_object *o = jsn_get(airport, "friendliness");
	struct phrases p = { .n = 0 };
	const char *said = NULL;

	if (!jsn_is(o, json_type_object))
		return NULL;
	add_amenity(w, &p, o, "restaurant");
	add_amenity(w, &p, o, "hotel");
	add_fee(w, &p, jsn_get(o, "landing_fee"));
	add_rating(w, &p, o);
	for (size_t i = 0; i < p.n; i++)
		said = said == NULL ? p.text[i] : arena_printf(w->mem, "%s · %s", said, p.text[i]);
	return said;
}
