/*
 * Answers and pages show this. So a pilot sees at once when the wrong one of two Cambridges was taken.
 */
#include "tools/place_result.h"

#include "base/str.h"

static const char *how(const struct place *p)
{
	static const char *const names[] = {
		[PLACE_IDENT] = "code", [PLACE_IATA] = "iata", [PLACE_COORDS] = "coordinates",
		[PLACE_AREA] = "area", [PLACE_GEOCODER] = "geocoder", [PLACE_GAZETTEER] = "gazetteer",
	};

	return p->area != NULL ? "area" : names[p->source];
}

static void add_spot(struct json_object *o, const char *label, const char *country, double lat,
    double lon)
{
	jsn_add_str(o, "place", label);
	jsn_add_str(o, "country", country);
	jsn_add_num(o, "lat", lat);
	jsn_add_num(o, "lon", lon);
}

static struct json_object *area_of(const struct area *a)
{
	struct json_object *o = jsn_new(), *countries = json_object_new_array();

	jsn_add_str(o, "name", a->name);
	jsn_add_bool(o, "article", a->article);
	for (size_t i = 0; i < a->ncountries; i++)
		jsn_push(countries, jsn_str(a->country[i]));
	jsn_add(o, "countries", countries);
	return o;
}

void result_add_area(struct json_object *result, const struct area *a)
{
	jsn_add(result, "area", area_of(a));
}

static struct json_object *others_of(const struct place *p)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < p->nothers; i++) {
		struct json_object *o = jsn_new();

		add_spot(o, p->other[i].label, p->other[i].country, p->other[i].lat, p->other[i].lon);
		jsn_push(list, o);
	}
	return list;
}

void result_add_resolved(struct json_object *result, const char *role, const char *query,
    const struct place *p)
{
	struct json_object *list = jsn_get(result, "resolved"), *o = jsn_new();

	if (list == NULL) {
		list = json_object_new_array();
		jsn_add(result, "resolved", list);
	}
	jsn_add_str(o, "role", role);
	jsn_add_str(o, "query", query);
	jsn_add_str(o, "how", how(p));
	add_spot(o, p->label, p->country, p->lat, p->lon);
	if (p->is_airport)
		jsn_add_str(o, "airport", p->airport.ident);
	if (p->area != NULL)
		jsn_add(o, "area", area_of(p->area));
	if (p->ignored != NULL)
		jsn_add_str(o, "ignored", p->ignored);
	jsn_add_bool(o, "unsure", p->unsure);
	jsn_add(o, "alternatives", others_of(p));
	jsn_push(list, o);
}
