/*
 * All names, aliases and adjectives are in one hash table, because a planner looks up nearly every
 * word of a conversation.
 */
#include "airports/countries.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "airports/facts_tables.h"
#include "base/str.h"

struct country_name {
	const char *text;             /* NULL: free */
	size_t n;
	const struct country *country;
};

/* ---- reading ------------------------------------------------------------------------- */

static bool is_code(const char *s)
{
	return strlen(s) == 2 && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'A' && s[1] <= 'Z';
}

/* A list, folded and joined by "|". */
static enum errcode read_list(struct facts *f, const struct datafile *d,
    const struct datafile_row *r, size_t field, const char **out, struct err *e)
{
	struct fact_words w;
	struct arena *a = f->scratch;
	const char *list = "";
	enum errcode rc = datafile_list(d, r, field, a, &w.word, &w.n, e);
	if (rc == OK && strchr(r->field[field], '|') != NULL)
		return datafile_fault(d, r, e, "\"|\" cannot be part of a name");
	for (size_t i = 0; rc == OK && i < w.n; i++)
		list = arena_printf(a, "%s%s%s", list, i > 0 ? "|" : "", str_fold(a, w.word[i]));
	*out = arena_strdup(f->mem, list);
	return rc;
}

/* The slot of a text, or the free slot for it. ASCII case does not count: names have capitals. */
static struct country_name *slot_of(struct country_name *names, size_t nslots, const char *text, size_t n)
{
	uint32_t h = 2166136261U;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)ascii_lower(text[i])) * 16777619U;
	for (;; h++) {
		struct country_name *slot = &names[h & (nslots - 1)];

		if (slot->text == NULL || (slot->n == n && strncasecmp(slot->text, text, n) == 0))
			return slot;
	}
}

/* Add a text. If another country has it already, that country is returned. */
static const struct country *put_name(struct facts *f, const struct country *c, struct str text)
{
	struct country_name *slot = slot_of(f->names, f->nslots, text.p, text.n);

	if (slot->text != NULL)
		return slot->country != c ? slot->country : NULL;
	*slot = (struct country_name){ text.p, text.n, c };
	return NULL;
}

static enum errcode put_names(struct facts *f, const struct datafile *d,
    const struct datafile_row *r, const struct country *c, const char *list, struct err *e)
{
	for (struct str part; str_part(&list, '|', &part);) {
		const struct country *other = put_name(f, c, part);
		if (other != NULL)
			return datafile_fault(d, r, e, "\"%.*s\" is a name of %s already", (int)part.n,
			    part.p, other->code);
	}
	return OK;
}

static int by_code(const void *a, const void *b)
{
	return strcmp(((const struct datafile_row *)a)->field[0],
	    ((const struct datafile_row *)b)->field[0]);
}

static enum errcode read_country(struct facts *f, const struct datafile *d,
    const struct datafile_row *r, struct country *c, struct err *e)
{
	enum errcode rc;
	if (!is_code(r->field[0]))
		return datafile_fault(d, r, e, "\"%s\" is not two capital letters", r->field[0]);
	memcpy(c->code, r->field[0], sizeof(c->code));
	c->name = arena_strdup(f->mem, r->field[1]);
	c->neighbours = "";
	if ((rc = read_list(f, d, r, 2, &c->adjectives, e)) == OK &&
	    (rc = read_list(f, d, r, 3, &c->aliases, e)) == OK)
		rc = read_list(f, d, r, 4, &c->people, e);
	return rc;
}

/* The most texts that a "|"-separated list can have. */
static size_t texts_in(const char *list)
{
	size_t n = *list != '\0';
	for (; *list != '\0'; list++)
		n += *list == '|';
	return n;
}

/* A word for people of several countries means the first of them. */
static void put_people(struct facts *f, const struct country *c)
{
	const char *list = c->people;

	for (struct str part; str_part(&list, '|', &part);) {
		struct country_name *slot = slot_of(f->people, f->npeople, part.p, part.n);
		if (slot->text == NULL && part.n > 0)
			*slot = (struct country_name){ part.p, part.n, c };
	}
}

/* If an adjective is also another country's name, the name comes first. */
enum errcode countries_read(struct facts *f, struct datafile *d, struct err *e)
{
	enum errcode rc = OK;
	size_t texts = 0, people = 1;
	qsort(d->row, d->n, sizeof(d->row[0]), by_code);
	f->country = arena_array(f->mem, d->n, sizeof(*f->country));
	f->ncountries = d->n;
	for (size_t i = 0; rc == OK && i < d->n; i++) {
		struct country *c = &f->country[i];
		c->index = i;
		rc = read_country(f, d, &d->row[i], c, e);
		if (rc == OK && i > 0 && streq(c->code, c[-1].code))
			rc = datafile_fault(d, &d->row[i], e, "%s has a row already", c->code);
		if (rc == OK)
			texts += 1 + texts_in(c->adjectives) + texts_in(c->aliases);
		if (rc == OK)
			people += texts_in(c->people);
	}
	for (f->nslots = 1; f->nslots < 2 * texts; f->nslots *= 2)
		;
	f->names = arena_array(f->mem, f->nslots, sizeof(*f->names));
	for (f->npeople = 1; f->npeople < 2 * people; f->npeople *= 2)
		;
	f->people = arena_array(f->mem, f->npeople, sizeof(*f->people));
	for (size_t i = 0; rc == OK && i < d->n; i++) {
		const struct country *c = &f->country[i];
		rc = put_names(f, d, &d->row[i], c, c->name, e);
		if (rc == OK)
			rc = put_names(f, d, &d->row[i], c, c->aliases, e);
	}
	for (size_t i = 0; rc == OK && i < d->n; i++)
		rc = put_names(f, d, &d->row[i], &f->country[i], f->country[i].adjectives, e);
	for (size_t i = 0; rc == OK && i < d->n; i++)
		put_people(f, &f->country[i]);
	return rc;
}

static int code_cmp(const void *code, const void *country)
{
	return strcmp(code, ((const struct country *)country)->code);
}

static struct country *find_code(const struct facts *f, const char *code)
{
	return f->ncountries == 0 ? NULL : bsearch(code, f->country, f->ncountries,
	    sizeof(*f->country), code_cmp);
}

struct country *facts_country(const struct facts *f, const struct datafile *d,
    const struct datafile_row *r, const char *code, struct err *e)
{
	struct country *c = find_code(f, code);
	if (c == NULL)
		datafile_fault(d, r, e, "\"%s\" is no country code of countries.txt", code);
	return c;
}

enum errcode neighbours_read(struct facts *f, struct datafile *d, struct err *e)
{
	for (size_t i = 0; i < d->n; i++) {
		struct datafile_row *r = &d->row[i];
		struct country *c = facts_country(f, d, r, r->field[0], e);
		const char *codes = "";
		struct fact_words w;
		if (c == NULL || datafile_list(d, r, 1, f->scratch, &w.word, &w.n, e) != OK)
			return ERR_CONFIG;
		if (c->neighbours[0] != '\0')
			return datafile_fault(d, r, e, "%s has a row already", c->code);
		for (size_t k = 0; k < w.n; k++) {
			const struct country *other = facts_country(f, d, r, w.word[k], e);
			if (other == NULL)
				return ERR_CONFIG;
			if (other == c)
				return datafile_fault(d, r, e, "%s is no neighbour of itself", c->code);
			codes = arena_printf(f->scratch, "%s%s%s", codes, k > 0 ? "|" : "", other->code);
		}
		c->neighbours = arena_strdup(f->mem, codes);
	}
	return OK;
}

enum errcode preferred_countries_read(struct facts *f, struct datafile *d, struct err *e)
{
	for (size_t i = 0; i < d->n; i++) {
		struct country *c = facts_country(f, d, &d->row[i], d->row[i].field[0], e);
		if (c == NULL)
			return ERR_CONFIG;
		if (c->preferred)
			return datafile_fault(d, &d->row[i], e, "%s has a row already", c->code);
		c->preferred = true;
	}
	return OK;
}

/* ---- looking up ---------------------------------------------------------------------- */

size_t country_count(void)
{
	return facts_in_use()->ncountries;
}

const struct country *country_at(size_t i)
{
	return &facts_in_use()->country[i];
}

const struct country *country_by_code(const char *code)
{
	if (code == NULL || strlen(code) != 2)
		return NULL;
	return find_code(facts_in_use(), (const char[]){ ascii_upper(code[0]), ascii_upper(code[1]), '\0' });
}

const struct country *country_by_name(const char *folded)
{
	if (folded == NULL)
		return NULL;
	if (starts_with(folded, "the ") && folded[4] != '\0')
		folded += 4;
	const struct facts *f = facts_in_use();
	size_t n = strlen(folded);
	return n < 2 ? NULL : slot_of(f->names, f->nslots, folded, n)->country;
}

const struct country *country_by_people(const char *folded)
{
	const struct facts *f = facts_in_use();
	return slot_of(f->people, f->npeople, folded, strlen(folded))->country;
}

bool country_preferred(const char *code)
{
	const struct country *c = country_by_code(code);
	return c != NULL && c->preferred;
}
