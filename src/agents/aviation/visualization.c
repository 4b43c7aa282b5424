/*
 * A row for each type of visualization: its members, and what is sent instead if the original
 * service's page cannot draw it.
 */
#include "agents/aviation/visualization.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/str.h"

struct drawing {
	struct arena *mem;
	struct json_object *result;
	bool beside_others;
};

static bool some(struct json_object *list)
{
	return jsn_is(list, json_type_array) && jsn_len(list) > 0;
}

static struct json_object *markers(struct arena *a, struct json_object *list)
{
	struct json_object *o = jsn_object(a);

	jsn_add_str(o, "type", "markers");
	jsn_add(o, "data", jsn_ref(list));
	return o;
}

static struct json_object *draw_markers(const struct drawing *d, struct json_object *v)
{
	(void)d;
	return some(jsn_get(v, "data")) || some(jsn_get(v, "markers")) ? v : NULL;
}

static const char *end_of(struct json_object *v, const char *end)
{
	return jsn_get_str(jsn_get(jsn_get(v, "route"), end), "icao", "");
}

static bool four_letters(const char *code)
{
	size_t n = 0;

	while (isascii((unsigned char)code[n]) && isalpha((unsigned char)code[n]))
		n++;
	return n == 4 && code[n] == '\0';
}

/* The page looks a route up by its two codes, and accepts only codes of four letters. For other
 * codes the airports are sent as markers, and `route` is sent beside them for pages that can use
 * it. */
static struct json_object *draw_route(const struct drawing *d, struct json_object *v)
{
	struct json_object *list = jsn_get(v, "markers"), *o;

	if (!jsn_is(list, json_type_array) || *end_of(v, "from") == '\0' || *end_of(v, "to") == '\0')
		return NULL;
	if (four_letters(end_of(v, "from")) && four_letters(end_of(v, "to")))
		return v;
	if (!some(list))
		return NULL;
	o = jsn_object(d->mem);
	jsn_add_str(o, "type", "markers");
	JSN_EACH(v, it)
		if (!streq(it.key, "type") && !streq(it.key, "markers"))
			jsn_add(o, it.key, jsn_ref(it.val));
	jsn_add(o, "data", jsn_ref(list));
	return o;
}

static struct json_object *draw_point(const struct drawing *d, struct json_object *v)
{
	struct json_object *point = jsn_get(v, "point");
	double lon = jsn_get_num(point, "lon", jsn_get_num(point, "lng", NAN));

	(void)d;
	return isfinite(jsn_get_num(point, "lat", NAN)) && isfinite(lon) ? v : NULL;
}

/* The marked airport as an object of a list: the result's own, or one made from the marker. */
static struct json_object *marked(const struct drawing *d, struct json_object *marker)
{
	const char *ident = jsn_get_str(marker, "ident", "");
	struct json_object *airport = jsn_get(d->result, "airport"), *o;
	double lat = jsn_get_num(marker, "lat", NAN), lon = jsn_get_num(marker, "lon", NAN);

	if (streq(jsn_get_str(airport, "ident", ""), ident))
		return airport;
	if (!isfinite(lat) || !isfinite(lon))
		return NULL;
	o = jsn_object(d->mem);
	jsn_add_str(o, "ident", ident);
	jsn_add_str(o, "name", jsn_get_str(marker, "name", ident));
	jsn_add_num(o, "latitude_deg", lat);
	jsn_add_num(o, "longitude_deg", lon);
	return o;
}

/* The page would show an airport's panel in place of the rules panel and of a map with several
 * airports. So if there are those, the airport is only a marker on the map. */
static struct json_object *draw_details(const struct drawing *d, struct json_object *v)
{
	struct json_object *marker = jsn_get(v, "marker"), *list, *airport;

	if (*jsn_get_str(marker, "ident", "") == '\0')
		return NULL;
	if (!d->beside_others)
		return v;
	airport = marked(d, marker);
	if (airport == NULL)
		return NULL;
	list = jsn_array(d->mem);
	jsn_push(list, jsn_ref(airport));
	return markers(d->mem, list);
}

static const struct {
	const char *type;
	/* NULL: there is nothing to draw */
	struct json_object *(*draw)(const struct drawing *, struct json_object *v);
} types[] = {
	{ "markers", draw_markers },
	{ "route_with_markers", draw_route },
	{ "point_with_markers", draw_point },
	{ "marker_with_details", draw_details },
};

static struct json_object *draw(const struct drawing *d, struct json_object *v)
{
	const char *type = jsn_get_str(v, "type", "");

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (streq(types[i].type, type))
			return types[i].draw(d, v);
	return NULL;
}

struct json_object *visualization_of(struct arena *a, struct json_object *result,
    bool beside_others)
{
	const struct drawing d = { a, result, beside_others };
	struct json_object *v = jsn_get(result, "visualization"), *out;

	if (!jsn_is(v, json_type_array))
		return draw(&d, v);
	out = jsn_array(a);
	for (size_t i = 0; i < jsn_len(v); i++) {
		struct json_object *one = draw(&d, jsn_at(v, i));
		if (one != NULL)
			jsn_push(out, jsn_ref(one));
	}
	return some(out) ? out : NULL;
}
