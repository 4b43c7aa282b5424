/*
 * An entry may stand twice in the database, with the same text: it is shown once. Texts of our sample
 * are shown apart, because they stand where a text of the AIP would.
 */
#include "agents/aviation/builtin/writer_aip.h"

#include "base/str.h"

enum { AIP_LINES_MAX = 12 };

const char *aip_value(const struct answer *w, const char *field)
{
	struct json_object *list = jsn_get(w->result, "aip_data");

	for (size_t i = 0; field && i < jsn_len(list); i++)
		if (starts_with(jsn_get_str(jsn_at(list, i), "field", ""), field))
			return jsn_get_str(jsn_at(list, i), "value", NULL);
	return NULL;
}

/* The AIP fields that a visiting pilot needs first, in this order; compared by their beginnings. */
static const struct { const char *begins; enum saying name; } useful[] = {
	{ "Customs and immigration", SAY_aip_customs }, { "Fuel and oil types", SAY_aip_fuel },
	{ "Fuelling", SAY_aip_fuelling }, { "Type of Traffic", SAY_aip_traffic },
	{ "AD Administration", SAY_aip_administration }, { "ATS", SAY_aip_ats }, { "Handling", SAY_aip_handling },
	{ "Hangar", SAY_aip_hangar }, { "Repair", SAY_aip_repair }, { "De-icing", SAY_aip_deicing },
	{ "Restaurants", SAY_aip_restaurants }, { "Hotels", SAY_aip_hotels },
	{ "Transportation", SAY_aip_transport },
};

/* The name of a field: as the AIP has it, or in the language of the answer. */
static const char *field_said(const struct answer *w, const char *field)
{
	for (size_t i = 0; i < sizeof(useful) / sizeof(*useful); i++)
		if (starts_with(field, useful[i].begins) && !streq(wording_language(w->wording), CATALOGUE_REFERENCE))
			return said_as(w, useful[i].name);
	return md_text(w->mem, field, 60);
}

static bool same_line_again(struct json_object *list, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (streq(jsn_get_str(jsn_at(list, j), "field", ""),
		    jsn_get_str(jsn_at(list, i), "field", "")) &&
		    streq(jsn_get_str(jsn_at(list, j), "value", ""),
		    jsn_get_str(jsn_at(list, i), "value", "")))
			return true;
	return false;
}

/* Is it an entry with a text, in a field that begins so, and not the same line again? */
static bool aip_line(struct json_object *list, size_t i, const char *field)
{
	struct json_object *o = jsn_at(list, i);

	return starts_with(jsn_get_str(o, "field", ""), field) && *jsn_get_str(o, "value", "") != '\0' &&
	    !same_line_again(list, i);
}

static void put_aip_line(const struct answer *w, struct json_object *o)
{
	put_line(w, line_aip, "field", field_said(w, jsn_get_str(o, "field", "")),
	    "text", md_text(w->mem, jsn_get_str(o, "value", ""), AIP_VALUE_MAX));
}

void write_aip_field(const struct answer *w, const char *field)
{
	struct json_object *list = jsn_get(w->result, "aip_data");

	for (size_t i = 0; i < jsn_len(list); i++)
		if (aip_line(list, i, field))
			put_aip_line(w, jsn_at(list, i));
}

void write_aip(const struct answer *w)
{
	static const enum saying headings[] = { SAY_aip_head, SAY_aip_head_sample };
	struct json_object *list = jsn_get(w->result, "aip_data");
	size_t n = jsn_is(list, json_type_array) ? jsn_len(list) : 0;

	for (int sample = 0; sample <= 1; sample++) {
		size_t lines = 0;
		for (size_t k = 0; k < sizeof(useful) / sizeof(*useful); k++)
			for (size_t i = 0; i < n && lines < AIP_LINES_MAX; i++) {
				if (!aip_line(list, i, useful[k].begins) ||
				    md_sample(jsn_get_str(jsn_at(list, i), "value", "")) != (sample == 1))
					continue;
				if (lines++ == 0)
					buf_printf(w->out, "\n%s\n", said_as(w, headings[sample]));
				put_aip_line(w, jsn_at(list, i));
			}
	}
}

bool aip_has_sample(const struct answer *w)
{
	struct json_object *list = jsn_get(w->result, "aip_data");

	for (size_t i = 0; jsn_is(list, json_type_array) && i < jsn_len(list); i++)
		if (md_sample(jsn_get_str(jsn_at(list, i), "value", "")))
			return true;
	return false;
}
