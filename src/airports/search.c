/*
 * Airport search.
 *
 * The index hands over candidates one by one, a search keeps the best few in a heap and counts
 * the rest, and only the few that are shown get their names fetched. So the cost of a search is
 * that of looking at its candidates once, whether 5 or 5,000 of them qualify.
 *
 * Everything that differs between the kinds of search is which candidates are visited and
 * where they lie (`place`); filters, priority and cut are the same for all.
 */
#include "airports/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "airports/airindex.h"
#include "airports/countries.h"
#include "airports/priority.h"
#include "base/str.h"

enum { WORDS_MAX = 8 };       /* words of a text looked at */
/* Buckets of a text search that come before PRIORITY_TEXT. */
enum { BUCKET_CODE, BUCKET_COUNTRY };

/* Pieces of a route: longer ones visit more airports beside it, shorter ones cost look-ups. */
static const double PIECE_NM = 150;

struct found {
	struct priority key;
	double distance, segment;
};

struct search {
	const struct airport_query *q;
	struct arena *mem;
	bool all_idents, blind;       /* blind: the database has nothing scores are made of */
	struct geo_leg leg;
	struct filter_set filters;
	struct filter_set pardoned;   /* the same with large airports let through */
	int64_t exact;                /* row that the text is the code of, 0: none */
	int bucket;                   /* of what is being visited, for text searches */
	const struct country *only;   /* the text names a country: other airports are out */
	struct found *heap;           /* the worst on top */
	size_t n, max;
	struct airport_hits *out;
};

/* ---- the best few ------------------------------------------------------- */

static int found_cmp(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return priority_cmp(&x->key, &y->key);
}

static void sift_down(struct found *h, size_t n, size_t i)
{
	struct found it = h[i];

	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && found_cmp(&h[child + 1], &h[child]) > 0)
			child++;
		if (found_cmp(&h[child], &it) <= 0)
			break;
		h[i] = h[child];
	}
	h[i] = it;
}

static void sift_up(struct found *h, size_t i)
{
	struct found it = h[i];

	for (; i > 0 && found_cmp(&it, &h[(i - 1) / 2]) > 0; i = (i - 1) / 2)
		h[i] = h[(i - 1) / 2];
	h[i] = it;
}

static void keep(struct search *s, const struct found *f)
{
	s->out->total++;
	if (s->n < s->max) {
		s->heap[s->n] = *f;
		sift_up(s->heap, s->n++);
	} else if (s->max > 0 && found_cmp(f, &s->heap[0]) < 0) {
		s->heap[0] = *f;
		sift_down(s->heap, s->n, 0);
	}
}

/* ---- one candidate --------------------------------------------------------- */

static bool searchable(const struct search *s, const struct airport *a)
{
	if (!(a->flags & AF_ICAO4) && !s->all_idents)
		return false;
	if (s->only != NULL && !strieq(a->country, s->only->code))
		return false;
	return a->type != TYPE_CLOSED && a->type != TYPE_HELIPORT && a->type != TYPE_BALLOON;
}

/* num_round(v, 2), which goes through decimal text and would be half the cost of a long route,
 * wherever a multiplication can't be mistaken about the side a value falls on. */
static double round2(double v)
{
	double y = v * 100;

	if (fabs(y - floor(y) - 0.5) < 1e-6)
		return num_round(v, 2);
	return floor(y + 0.5) / 100;
}

/* Where the candidate lies; false: outside. */
static bool place(const struct search *s, const struct airport *a, struct found *f)
{
	struct point at = { a->lat, a->lon };
	double start;

	switch (s->q->kind) {
	case SEARCH_NEAR:
		f->distance = geo_distance_nm(s->q->from, at);
		if (!(f->distance <= s->q->radius_nm))
			return false;
		f->distance = round2(f->distance);
		f->key.distance = f->distance;
		f->key.bucket = priority_near(f->distance);
		return true;
	case SEARCH_ROUTE:
		if (!geo_leg_near(&s->leg, at, s->q->radius_nm, &f->segment, &start))
			return false;
		f->segment = round2(f->segment);
		f->distance = round2(start);
		f->key.distance = f->segment;
		f->key.bucket = priority_route(f->distance, s->leg.nm);
		return true;
	case SEARCH_TEXT:
	case SEARCH_CODES:
	case SEARCH_COUNTRY:
		break;
	}
	f->key.bucket = s->bucket;
	return true;
}

static void consider(struct search *s, const struct airport *a)
{
	struct found f = { .key = { .row = a->row } };
	const struct filter_set *set = a->row == s->exact ? &s->pardoned : &s->filters;

	if (!searchable(s, a) || !place(s, a, &f))
		return;
	s->out->candidates++;
	if (!filter_set_test(set, a, &s->out->report))
		return;
	f.key.score = s->blind ? priority_estimate(a) : priority_score(a);
	keep(s, &f);
}

static bool visit(void *arg, const struct airport *a)
{
	consider(arg, a);
	return true;
}

/* ---- candidates ---------------------------------------------------------------- */

/* A list of rows that grows. */
struct rows {
	struct arena *mem;
	int64_t *row;
	size_t n, size;
};

static void rows_add(struct rows *r, int64_t row)
{
	if (r->n == r->size) {
		size_t size = r->size > 0 ? 2 * r->size : 256;
		int64_t *more = arena_array(r->mem, size, sizeof(*more));
		if (r->n > 0)
			memcpy(more, r->row, r->n * sizeof(*more));
		r->row = more;
		r->size = size;
	}
	r->row[r->n++] = row;
}

static struct airbox box_around(struct point at, double nm)
{
	struct geo_box b = geo_circle_box(at, nm);

	return (struct airbox){ b.south, b.north, b.west, b.east };
}

static enum errcode search_near(struct search *s, struct aircon *con, struct err *e)
{
	struct airbox box = box_around(s->q->from, s->q->radius_nm);

	return airindex_boxes(con, &box, 1, visit, s, e);
}

/*
 * The great circle is cut into pieces, and each piece lies within a circle about its middle.
 * Boxes of those circles need no thought about bulging towards a pole, and a diagonal
 * route visits its corridor instead of a continent.
 */
static enum errcode search_route(struct search *s, struct aircon *con, struct err *e)
{
	double piece = fmax(s->q->radius_nm, PIECE_NM);
	size_t n = (size_t)fmax(1, ceil(s->leg.nm / piece));
	struct airbox *boxes = arena_array(s->mem, n, sizeof(*boxes));

	piece = s->leg.nm / (double)n;
	for (size_t i = 0; i < n; i++) {
		struct point middle = geo_destination(s->leg.a, s->leg.bearing,
		    ((double)i + 0.5) * piece);
		boxes[i] = box_around(middle, s->q->radius_nm + piece / 2 + 0.1);
	}
	return airindex_boxes(con, boxes, n, visit, s, e);
}

static enum errcode search_codes(struct search *s, struct aircon *con, struct err *e)
{
	struct rows seen = { .mem = s->mem };

	for (size_t i = 0; i < s->q->ncodes; i++) {
		struct airport a;
		bool found;
		enum errcode rc = airdb_by_code(con, s->mem, s->q->codes[i], &a, &found, e);

		if (rc != OK)
			return rc;
		for (size_t k = 0; k < seen.n && found; k++)
			found = seen.row[k] != a.row;
		if (!found)
			continue;
		rows_add(&seen, a.row);
		consider(s, &a);
	}
	return OK;
}

/* ---- text ---------------------------------------------------------------------------- */

/* Rows with one more word: those of `before` that are visited, to `after`. In table order. */
struct word_visit {
	struct search *s;
	const struct rows *before;    /* NULL: the first word */
	size_t at;
	struct rows *after;           /* NULL: the last word, these are the candidates */
};

static bool visit_word(void *arg, const struct airport *a)
{
	struct word_visit *w = arg;

	if (w->before != NULL) {
		while (w->at < w->before->n && w->before->row[w->at] < a->row)
			w->at++;
		if (w->at == w->before->n)
			return false;
		if (w->before->row[w->at] != a->row)
			return true;
	}
	if (w->after != NULL)
		rows_add(w->after, a->row);
	else
		consider(w->s, a);
	return true;
}

/* Words of letters and digits; what stands between them separates. */
static size_t words_of(char *text, const char *words[WORDS_MAX])
{
	static const char between[] = " \t\r\n\v\f,;:.-/()'\"&+";
	size_t n = 0;
	char *p = text;

	while (*p != '\0' && n < WORDS_MAX) {
		p += strspn(p, between);
		if (*p == '\0')
			break;
		words[n++] = p;
		p += strcspn(p, between);
		if (*p != '\0')
			*p++ = '\0';
	}
	return n;
}

static enum errcode search_words(struct search *s, struct aircon *con, const char *folded,
    struct err *e)
{
	const char *words[WORDS_MAX];
	size_t n = words_of(arena_strdup(s->mem, folded), words);
	struct rows sets[2] = { { .mem = s->mem }, { .mem = s->mem } };
	enum errcode rc = OK;

	for (size_t i = 0; i < n && rc == OK; i++) {
		struct word_visit w = { .s = s };
		w.before = i > 0 ? &sets[(i - 1) % 2] : NULL;
		w.after = i + 1 < n ? &sets[i % 2] : NULL;
		if (w.after != NULL)
			w.after->n = 0;
		rc = airindex_text(con, words[i], visit_word, &w, e);
	}
	return rc;
}

/* One blank between words, none around: what names look like in the index. */
static const char *squeeze(char *text)
{
	char *to = text;

	for (const char *p = text; *p != '\0'; p++) {
		bool blank = *p == ' ' || (*p >= '\t' && *p <= '\r');
		if (!blank)
			*to++ = *p;
		else if (to > text && to[-1] != ' ')
			*to++ = ' ';
	}
	if (to > text && to[-1] == ' ')
		to--;
	*to = '\0';
	return text;
}

/* Words that say "airport" at either end of a text, which not every airport's name repeats. */
static const char *essence(struct arena *a, const char *folded)
{
	static const char *const front[] = {
		"the ", "airport ", "airports ", "airfield ", "airfields ", "aerodrome ", "aeroport ",
		"aeropuerto ", "aeroporto ", "flughafen ", "flugplatz ", "of ", "in ", "at ",
	};
	static const char *const back[] = {
		" airport", " airports", " airfield", " airfields", " aerodrome", " flughafen",
		" flugplatz",
	};
	char *text = arena_strdup(a, folded);

	for (size_t i = 0; i < sizeof(front) / sizeof(front[0]); i++)
		if (starts_with(text, front[i]))
			text += strlen(front[i]);
	for (size_t i = 0; i < sizeof(back) / sizeof(back[0]); i++) {
		size_t n = strlen(text), m = strlen(back[i]);
		if (n > m && streq(text + n - m, back[i]))
			text[n - m] = '\0';
	}
	return text;
}

/* "cannes, france", "cannes (france)": the country at the end, and what is left before it. */
static const struct country *tail_country(struct arena *a, const char *text, const char **rest)
{
	char *plain = arena_strdup(a, text);

	for (char *p = plain; *p != '\0'; p++)
		if (strchr(",()", *p) != NULL)
			*p = ' ';
	squeeze(plain);
	for (char *p = strchr(plain, ' '); p != NULL; p = strchr(p + 1, ' ')) {
		const struct country *c = country_by_name(p + 1);
		if (c == NULL)
			continue;
		*p = '\0';
		*rest = plain;
		return c;
	}
	return NULL;
}

struct union_visit {
	struct search *s;
	const char *country;          /* already visited */
};

static bool visit_rest(void *arg, const struct airport *a)
{
	struct union_visit *u = arg;

	if (a->row != u->s->exact
	    && (u->country == NULL || !strieq(a->country, u->country)))
		consider(u->s, a);
	return true;
}

static bool capitals(const char *text)
{
	for (; *text != '\0'; text++)
		if (*text >= 'a' && *text <= 'z')
			return false;
	return true;
}

/*
 * A text may be a code, a country's code, and part of a name, all at once ("FR", "PAU", "SAN").
 * Codes come first if they are typed like codes: somebody who writes "Pau" wants Pau in France
 * and not the airport in Myanmar whose code it is.
 */
static enum errcode search_text(struct search *s, struct aircon *con, struct err *e)
{
	const char *folded = squeeze(str_fold(s->mem, s->q->text));
	const char *typed = squeeze(arena_strdup(s->mem, s->q->text));
	struct union_visit u = { .s = s };
	const struct country *country = country_by_code(typed);
	const char *rest = folded;
	struct airport exact;
	bool found = false;
	enum errcode rc = OK;

	if (*folded == '\0')
		return OK;
	if (strchr(typed, ' ') == NULL)
		rc = airdb_by_code(con, s->mem, typed, &exact, &found, e);
	if (rc != OK)
		return rc;
	if (found) {
		s->exact = exact.row;
		s->bucket = capitals(typed) ? BUCKET_CODE : PRIORITY_TEXT;
		consider(s, &exact);
	}
	s->bucket = PRIORITY_TEXT;
	if (country != NULL && strlen(typed) == 2) {
		u.country = country->code;
		s->bucket = BUCKET_COUNTRY;
		rc = airindex_country(con, country->code, visit, s, e);
		s->bucket = PRIORITY_TEXT;
	}
	folded = essence(s->mem, folded);
	if (rc == OK)
		rc = airindex_text(con, folded, visit_rest, &u, e);
	if (rc == OK && s->out->candidates == 0)
		s->only = tail_country(s->mem, folded, &rest);
	if (rc == OK && s->only != NULL)
		rc = search_words(s, con, rest, e);
	s->only = NULL;
	if (rc == OK && s->out->candidates == 0)
		rc = search_words(s, con, folded, e);
	return rc;
}

/* ---- the whole ---------------------------------------------------------------------- */

static enum errcode visit_candidates(struct search *s, struct aircon *con, struct err *e)
{
	switch (s->q->kind) {
	case SEARCH_TEXT:
		return search_text(s, con, e);
	case SEARCH_CODES:
		return search_codes(s, con, e);
	case SEARCH_COUNTRY:
		return airindex_country(con, s->q->country, visit, s, e);
	case SEARCH_NEAR:
		return search_near(s, con, e);
	case SEARCH_ROUTE:
		return search_route(s, con, e);
	}
	return OK;
}

static enum errcode fetch(struct search *s, struct aircon *con, struct err *e)
{
	struct airport_hits *out = s->out;
	struct airport *airports = arena_array(s->mem, s->n, sizeof(*airports));
	int64_t *rows = arena_array(s->mem, s->n, sizeof(*rows));
	enum errcode rc;

	qsort(s->heap, s->n, sizeof(*s->heap), found_cmp);
	for (size_t i = 0; i < s->n; i++)
		rows[i] = s->heap[i].key.row;
	rc = airdb_by_rows(con, s->mem, rows, s->n, airports, e);
	if (rc != OK)
		return rc;
	out->n = s->n;
	out->hits = arena_array(s->mem, s->n, sizeof(*out->hits));
	for (size_t i = 0; i < s->n; i++) {
		struct airport_hit *hit = &out->hits[i];
		hit->a = airports[i];
		if (s->q->kind == SEARCH_NEAR)
			hit->distance_nm = s->heap[i].distance;
		if (s->q->kind != SEARCH_ROUTE)
			continue;
		hit->segment_nm = s->heap[i].segment;
		hit->enroute_nm = s->heap[i].distance;
		hit->along_nm = num_round(geo_along_nm((struct point){ hit->a.lat, hit->a.lon },
		    s->q->from, s->q->to), 2);
	}
	return OK;
}

enum errcode airport_search(struct aircon *con, struct arena *a, const struct airport_query *q,
    struct airport_hits *out, struct err *e)
{
	struct search s = {
		.q = q, .mem = a, .all_idents = aircon_all_idents(con), .max = q->max,
		.bucket = PRIORITY_TEXT, .out = out,
	};
	bool large = q->include_large || q->kind == SEARCH_CODES;
	struct airdb_facts facts;
	enum errcode rc = airdb_facts(con, a, &facts, e);

	if (rc != OK)
		return rc;
	s.blind = facts.with_procedures == 0 && facts.entries == 0;

	*out = (struct airport_hits){ .n = 0 };
	s.heap = arena_array(a, q->max, sizeof(*s.heap));
	rc = filter_set_init(&s.filters, con, a, q->filters, large, e);
	s.pardoned = s.filters;
	if (!large)
		s.pardoned.arg[0].flag = false;
	if (rc == OK && q->kind == SEARCH_ROUTE)
		geo_leg_init(&s.leg, q->from, q->to);
	if (rc == OK)
		rc = visit_candidates(&s, con, e);
	return rc == OK ? fetch(&s, con, e) : rc;
}
