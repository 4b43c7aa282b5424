/*
 * The meaning of a text: an airport's code, a country's code, part of a name, a name followed by a
 * country, words in any order. The meanings are tried from the most precise to the least, and a
 * later one only if nothing was found.
 */
#include "airports/search_text.h"

#include <string.h>

#include "airports/airindex.h"
#include "base/str.h"

enum { WORDS_MAX = 8 };       /* words of a text that are used */
/* The visits of a text search, best first. */
enum { BUCKET_CODE, BUCKET_COUNTRY, BUCKET_TEXT };

/* ---- words ------------------------------------------------------------- */

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

/* The rows with one more word: those of `before` that are visited go to `after`. In table order. */
struct word_visit {
	struct airport_search *s;
	const struct rows *before;    /* NULL: the first word */
	size_t at;
	/* NULL: this is the last word, and the rows are the candidates */
	struct rows *after;
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
		search_consider(w->s, a);
	return true;
}

/* Words of letters and digits; all other characters separate words. */
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

static enum errcode by_words(struct airport_search *s, struct aircon *con, const char *folded,
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

/* ---- phrases ----------------------------------------------------------- */

/* Single blanks between words, none around: the form of names in the index. */
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

/* Words that mean "airport" at either end of a text; not every airport's name contains them. */
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

/* "cannes, france", "cannes (france)": the country at the end, and the text before it. */
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

/* ---- all readings ------------------------------------------------------ */

struct union_visit {
	struct airport_search *s;
	const char *country;          /* its airports come before others; NULL: no country is named */
};

static bool visit_all(void *arg, const struct airport *a)
{
	struct union_visit *u = arg;

	if (a->row == u->s->exact)
		return true;
	u->s->bucket = u->country != NULL && search_in_country(a, u->country) ? BUCKET_COUNTRY
	    : BUCKET_TEXT;
	search_consider(u->s, a);
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
enum errcode search_text(struct airport_search *s, struct aircon *con, struct err *e)
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
		s->bucket = capitals(typed) ? BUCKET_CODE : BUCKET_TEXT;
		search_consider(s, &exact);
	}
	folded = essence(s->mem, folded);
	if (country != NULL && strlen(typed) == 2) {
		u.country = country->code;
		rc = airindex_code_text(con, u.country, folded, visit_all, &u, e);
	} else {
		rc = airindex_text(con, folded, visit_all, &u, e);
	}
	s->bucket = BUCKET_TEXT;
	if (rc == OK && s->out->candidates == 0)
		s->only = tail_country(s->mem, folded, &rest);
	if (rc == OK && s->only != NULL)
		rc = by_words(s, con, rest, e);
	s->only = NULL;
	if (rc == OK && s->out->candidates == 0)
		rc = by_words(s, con, folded, e);
	return rc;
}
