/*
 * Parts of an address are countries, by name or code, regions of the gazetteer, and areas. An area stands for its countries: its shape is
 * too coarse to exclude a town at its edge.
 */
#include "airports/place_address.h"

#include <stdio.h>
#include <string.h>

#include "airports/areas.h"
#include "airports/countries.h"
#include "airports/facts_tables.h"
#include "airports/gazetteer.h"
#include "airports/place_key.h"
#include "base/str.h"

enum { PART_WORDS = 4 /* "... republic of the congo" */ };

struct place_splitter {
	struct place_address *out;
	struct aircon *con;
	struct arena *mem;
	struct err *e;
};

static bool has_small_letters(const char *s)
{
	for (; *s != '\0'; s++)
		if (*s >= 'a' && *s <= 'z')
			return true;
	return false;
}

struct place_address address_whole(const char *text)
{
	return (struct place_address){ .name = text };
}

static void add(struct place_address *p, const char *country, const char *region)
{
	if (p->n == ADDRESS_MEANINGS)
		return;
	p->meaning[p->n].country = country;
	p->meaning[p->n].region = region;
	p->meaning[p->n++].part = p->parts;
}

/* How many bytes the first word and the blank behind it have, if the word is of this kind. Else 0; also 0 if nothing follows. */
static size_t bytes_of_first_word(enum place_words kind, struct str text)
{
	enum { WORD_BYTES = 40 };
	char fold[3 * WORD_BYTES + 1];

	for (size_t n = 1; n < text.n && n <= WORD_BYTES; n++) {
		if (((unsigned char)text.p[n] & 0xc0) == 0x80)
			continue;
		const size_t len = str_fold_into(fold, text.p, n);
		const bool blank = text.p[n] == ' ';
		fold[len] = '\0';
		/* "l'" has no blank behind it */
		if (len > 0 && (blank || fold[len - 1] == '\'') && fact_words_have(&facts_in_use()->place_words[kind], fold))
			return n + blank;
	}
	return 0;
}

/* "The UK", "l'Indre": the part without its article. */
static struct str without_article(struct str text)
{
	const size_t n = bytes_of_first_word(WORDS_ARTICLE, text);
	return (struct str){ text.p + n, text.n - n };
}

/* Finds the last word such as "in" and returns the blank before it; NULL: there is none. The last one, because a town may have such a word
 * in its name: "Freiburg im Breisgau in Germany". *skip: the bytes of the word and of the blank behind it. */
static const char *find_inside(const char *text, size_t *skip)
{
	const char *last = NULL;

	for (const char *p = strchr(text, ' '); p != NULL; p = strchr(p + 1, ' ')) {
		const size_t n = bytes_of_first_word(WORDS_INSIDE, str_of(p + 1));
		if (n > 0) {
			last = p;
			*skip = n;
		}
	}
	return last;
}

static void add_area(struct place_address *p, const struct area *area)
{
	if (area == NULL)
		return;
	p->area = area;
	for (size_t i = 0; i < area->ncountries; i++)
		add(p, area->country[i], NULL);
}

/* All meanings of a part; Georgia has two. `code`: two letters may be a code. marked: it stands behind a comma or an "in", and may be an area. */
static enum errcode read_part(struct place_splitter *s, struct str text, bool code, bool marked)
{
	struct place_address *p = s->out;
	char key[PLACE_KEY_MAX], *part;
	const struct country *c;
	struct gaz_hit *hits;
	size_t n, before = p->n;

	text = without_article(text);
	part = arena_strndup(s->mem, text.p, text.n);
	c = country_by_name(str_fold(s->mem, part));
	if (c == NULL && code)
		c = country_by_code(part);
	if (c != NULL)
		add(p, c->code, NULL);
	place_key(key, part, false, NULL);
	for (int i = 0; i < 2; i++) {
		if (gazetteer_find(s->con, s->mem, key, &hits, &n, s->e) != OK)
			return s->e->code;
		for (size_t k = 0; k < n; k++)
			if (hits[k].kind == GAZ_REGION)
				add(p, NULL, hits[k].region);
		if (!code || text.n < 2 || text.n > 3)
			break;
		snprintf(key, sizeof(key), "#%.3s", part);
		str_upper(key);
	}
	place_key(key, part, false, NULL);
	if (marked && p->area == NULL)
		add_area(p, area_named(key, 0));
	/* "CA" means Canada or California: the place decides */
	if (p->n == before)
		return ERR_NOTFOUND;
	p->parts++;
	p->said = p->said == NULL ? part : arena_printf(s->mem, "%s, %s", p->said, part);
	return OK;
}

static enum errcode split_marked(struct place_splitter *s, const char *text, bool *split)
{
	size_t skip = 0;
	const char *in = find_inside(text, &skip);
	size_t n = strcspn(text, ",(");
	const char *rest = text + n;
	enum errcode rc = OK;

	*split = false;
	*s->out = address_whole(text);
	if (*rest == '\0' && in != NULL) {
		n = (size_t)(in - text);
		rest = in + skip;
	}
	if (*rest == '\0' || n == 0)
		return OK;
	for (const char *p = rest + 1; *p != '\0' && (rc == OK || rc == ERR_NOTFOUND);) {
		size_t len = strcspn(p, ",()");
		struct str part = str_trim((struct str){ p, len });

		if (part.n > 0) {
			rc = read_part(s, part, true, true);
			*split |= rc == OK;
			if (rc == ERR_NOTFOUND)
				s->out->unread = s->out->unread == NULL ? arena_strndup(s->mem, part.p, part.n)
				    : arena_printf(s->mem, "%s, %.*s", s->out->unread, (int)part.n, part.p);
		}
		p += len + (p[len] != '\0');
	}
	if (*split || *rest == ',' || *rest == '(')
		s->out->name = arena_strndup(s->mem, text, n);
	return rc == OK || rc == ERR_NOTFOUND ? OK : rc;
}

/* "Cambridge UK", "Perth Western Australia": the longest part first. */
static enum errcode split_words(struct place_splitter *s, const char *text, bool *split)
{
	const char *cut[PART_WORDS];
	int n = 0;

	*split = false;
	for (const char *p = text + strlen(text); p > text + 1 && n < PART_WORDS; p--)
		if (p[-1] == ' ' && p[0] != ' ' && p[0] != '\0')
			cut[n++] = p;
	while (n-- > 0 && !*split) {
		struct str part = str_of(cut[n]);
		enum errcode rc = read_part(s, part, part.n <= 3 && !has_small_letters(cut[n]), false);

		if (rc != OK && rc != ERR_NOTFOUND)
			return rc;
		*split = rc == OK;
		if (*split)
			s->out->name = arena_strndup(s->mem, text, (size_t)(cut[n] - text));
	}
	return OK;
}

enum errcode address_split_marked(struct place_address *out, struct aircon *con, struct arena *a,
    const char *text, bool *split, struct err *e)
{
	struct place_splitter s = { out, con, a, e };

	return split_marked(&s, text, split);
}

enum errcode address_split(struct place_address *out, struct aircon *con, struct arena *a,
    const char *text, bool *split, struct err *e)
{
	struct place_splitter s = { out, con, a, e };
	enum errcode rc = split_marked(&s, text, split);

	return rc == OK && !*split && streq(out->name, text) ? split_words(&s, text, split) : rc;
}

bool address_allows(const struct place_address *p, const char *country, const char *region)
{
	for (int part = 0; part < p->parts; part++) {
		bool fits = false;

		for (size_t i = 0; i < p->n; i++)
			if (p->meaning[i].part == part)
				fits |= p->meaning[i].country != NULL ?
				    strieq(country, p->meaning[i].country) :
				    streq(region, p->meaning[i].region);
		if (!fits)
			return false;
	}
	return true;
}

static bool in_country(const struct place_address *p, size_t i, const char *code)
{
	return p->meaning[i].country != NULL ? streq(p->meaning[i].country, code) :
	    strncmp(p->meaning[i].region, code, 2) == 0 && p->meaning[i].region[2] == '-';
}

const char *address_country(const struct place_address *p)
{
	const char *only = NULL;

	for (size_t i = 0; i < p->n; i++) {
		const char *of = p->meaning[i].country != NULL ? p->meaning[i].country
		    : p->meaning[i].region;
		const struct country *c = NULL;
		char code[3] = { of[0], of[1], '\0' };
		bool all = true;

		/* a country that each part has among its meanings */
		for (int part = 0; part < p->parts; part++) {
			bool has = false;

			for (size_t k = 0; k < p->n; k++)
				has |= p->meaning[k].part == part && in_country(p, k, code);
			all &= has;
		}
		c = all ? country_by_code(code) : NULL;
		if (c != NULL && only != NULL && !streq(only, c->code))
			return NULL;
		if (c != NULL)
			only = c->code;
	}
	return only;
}

/* How many bytes the name has without its last word, if that is one to leave out ("area"). Else 0. */
static size_t bytes_without_last_word(struct arena *a, const char *name)
{
	const char *blank = strrchr(name, ' ');

	return blank != NULL && fact_words_have(&facts_in_use()->place_words[WORDS_BEHIND], str_fold(a, blank + 1))
	    ? (size_t)(blank - name) : 0;
}

const char *address_plain(struct arena *a, const char *name)
{
	char *s = arena_strdup(a, name);
	size_t n;

	for (;;) {
		if ((n = bytes_of_first_word(WORDS_BEFORE, str_of(s))) > 0)
			s += n;
		else if ((n = bytes_without_last_word(a, s)) > 0)
			s[n] = '\0';
		else
			return s;
	}
}
