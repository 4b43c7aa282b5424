/*
 * Friendliness as results: fees, summaries, the few members of a list.
 */
#include "airports/friendliness.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/jsn_put.h"
#include "base/str.h"

enum { BRIEF_SUMMARY_BYTES = 200, BRIEF_TAGS = 6, NOTICE_BYTES = 4096 };

struct json_object *friendly_fee(const struct friendly *r, double mtow_kg)
{
	size_t band = fee_band_of(mtow_kg);
	struct json_object *o;

	if (r == NULL || isnan(r->fee[band]))
		return NULL;
	o = jsn_new();
	jsn_add_num(o, "fee", r->fee[band]);
	jsn_add_str(o, "currency", r->currency);
	jsn_add_str(o, "fee_band", fee_bands[band].column);
	jsn_add_str(o, "fee_last_updated_utc", r->fees_updated);
	return o;
}

static struct json_object *features_of(const struct friendly *r)
{
	struct json_object *o = jsn_new();

	for (size_t f = 0; f < FEATURE__MAX; f++)
		jsn_add_num(o, features[f].name, r->feature[f]);
	return o;
}

/* A list that is not empty, or null. */
static struct json_object *tags_of(const struct friendly *r, size_t most)
{
	struct json_object *list = r->ntags > 0 ? json_object_new_array() : NULL;

	for (size_t i = 0; i < r->ntags && i < most; i++)
		jsn_push(list, jsn_str(r->tags[i]));
	return list;
}

struct json_object *friendly_summary(struct arena *a, const char *icao, const struct friendly *r,
    const struct persona *persona, const char *notice)
{
	struct json_object *o = jsn_object(a);

	jsn_add_str(o, "icao", r != NULL ? r->icao : str_upper_copy(a, icao, strlen(icao)));
	jsn_add_bool(o, "has_data", r != NULL);
	jsn_add_num(o, "score", r != NULL && persona != NULL ? r->score[persona->number] : NAN);
	jsn_add(o, "features", r != NULL ? features_of(r) : NULL);
	jsn_add_int(o, "review_count", r != NULL ? r->reviews : 0);
	jsn_add_str(o, "last_review_utc", r != NULL ? r->last_review : NULL);
	jsn_add(o, "tags", r != NULL ? tags_of(r, SIZE_MAX) : NULL);
	jsn_add_str(o, "summary_text", r != NULL ? r->summary : NULL);
	jsn_add_str(o, "notification_summary", notice_cleaned(a, notice));
	jsn_add_str(o, "hassle_level", r != NULL ? r->hassle : NULL);
	jsn_add_str(o, "hotel_info", r != NULL ? amenity_names[r->hotel] : NULL);
	jsn_add_str(o, "restaurant_info", r != NULL ? amenity_names[r->restaurant] : NULL);
	return o;
}

struct json_object *friendly_fees(const struct friendly *r)
{
	struct json_object *o, *bands = NULL;

	for (size_t i = 0; r != NULL && i < FEE_BANDS; i++) {
		struct json_object *band;

		if (isnan(r->fee[i]))
			continue;
		if (bands == NULL)
			bands = json_object_new_array();
		band = jsn_new();
		/* the last band has no limit, which is null */
		jsn_add_num(band, "below_kg", isinf(fee_bands[i].below_kg) ? NAN : fee_bands[i].below_kg);
		jsn_add_num(band, "fee", r->fee[i]);
		jsn_push(bands, band);
	}
	if (bands == NULL)
		return NULL;
	o = jsn_new();
	jsn_add_str(o, "currency", r->currency);
	jsn_add_str(o, "fee_last_updated_utc", r->fees_updated);
	jsn_add(o, "bands", bands);
	return o;
}

struct json_object *friendly_details(struct arena *a, const char *icao, const struct friendly *r,
    const struct persona *persona, const char *notice)
{
	struct json_object *o = friendly_summary(a, icao, r, persona, notice);

	jsn_add_num(o, "rating", r != NULL ? r->rating : NAN);
	jsn_add(o, "landing_fees", friendly_fees(r));
	return o;
}

void friendly_put(struct buf *b, const char *name, const struct friendly *r, const struct personas *personas)
{
	if (r == NULL) {
		jsn_put_null(b, name);
		return;
	}
	jsn_put_open(b, name, '{');
	jsn_put_open(b, "features", '{');
	for (size_t f = 0; f < FEATURE__MAX; f++)
		jsn_put_num(b, features[f].name, r->feature[f]);
	jsn_put_close(b, '}');
	jsn_put_open(b, "persona_scores", '{');
	for (size_t i = 0; i < personas->n; i++) {
		jsn_put_key(b, personas->list[i].id);
		jsn_put_num(b, NULL, r->score[i]);
	}
	jsn_put_close(b, '}');
	jsn_put_int(b, "review_count", r->reviews);
	jsn_put_str(b, "last_review_utc", r->last_review);
	if (r->ntags == 0)
		jsn_put_null(b, "tags");
	else
		jsn_put_open(b, "tags", '[');
	for (size_t i = 0; i < r->ntags; i++)
		jsn_put_str(b, NULL, r->tags[i]);
	if (r->ntags > 0)
		jsn_put_close(b, ']');
	jsn_put_str(b, "summary_text", r->summary);
	jsn_put_str(b, "notification_hassle", r->hassle);
	jsn_put_close(b, '}');
}

static void add_amenity(struct json_object *o, const char *key, enum amenity v)
{
	if (v != AMENITY_UNKNOWN && v != AMENITY_MISSING)
		jsn_add_str(o, key, amenity_names[v]);
}

struct json_object *friendly_brief(struct arena *a, const struct friendly *r,
    const struct persona *persona, double mtow_kg)
{
	struct json_object *o, *fee;

	if (r == NULL)
		return NULL;
	o = jsn_object(a);
	fee = friendly_fee(r, mtow_kg);
	if (persona != NULL && !isnan(r->score[persona->number]))
		jsn_add_num(o, "score", num_round(r->score[persona->number], 2));
	if (!isnan(r->rating) && r->reviews > 0)
		jsn_add_num(o, "rating", num_round(r->rating, 1));
	if (r->reviews > 0)
		jsn_add_int(o, "review_count", r->reviews);
	add_amenity(o, "hotel", r->hotel);
	add_amenity(o, "restaurant", r->restaurant);
	if (fee != NULL) {
		jsn_add_num(fee, "mtow_kg", mtow_kg);
		jsn_add(o, "landing_fee", fee);
	}
	if (r->ntags > 0)
		jsn_add(o, "tags", tags_of(r, BRIEF_TAGS));
	if (r->summary != NULL)
		jsn_add(o, "summary", jsn_strn(r->summary,
		    utf8_cut(r->summary, strlen(r->summary), BRIEF_SUMMARY_BYTES)));
	return jsn_len(o) > 0 ? o : NULL;
}

/* ---- notice --------------------------------------------------------------- */

static void drop_end(struct str *line, const char *end)
{
	size_t n = strlen(end);

	if (line->n >= n && memcmp(line->p + line->n - n, end, n) == 0)
		*line = str_trim((struct str){ line->p, line->n - n });
}

/* Is the line only a label without its value? */
static bool bare(struct str line)
{
	static const char *const labels[] = { "", "Hours:", "|", "\U0001F4DE", "\U0001F4E7" };

	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
		if (line.n == strlen(labels[i]) && memcmp(line.p, labels[i], line.n) == 0)
			return true;
	return false;
}

const char *notice_cleaned(struct arena *a, const char *summary)
{
	struct buf out;
	const char *text = NULL;
	struct str line;

	if (summary == NULL || strlen(summary) > NOTICE_BYTES)
		return NULL;
	buf_init(&out, NOTICE_BYTES + 1);
	while (str_part(&summary, '\n', &line)) {
		line = str_trim(line);
		drop_end(&line, "| Hours:");
		drop_end(&line, " |");
		if (bare(line))
			continue;
		if (out.n > 0)
			buf_putc(&out, '\n');
		buf_put(&out, line.p, line.n);
	}
	if (out.n > 0)
		text = arena_strndup(a, out.p, out.n);
	buf_release(&out);
	return text;
}
