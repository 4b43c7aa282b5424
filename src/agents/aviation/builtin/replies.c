/*
 * A reply first names the limit and then offers something concrete. If the message named a place,
 * the examples use it, so that the pilot can continue at once. Text from the message is quoted only
 * if it is a short name, and its Markdown is taken out.
 */
#include "agents/aviation/builtin/replies.h"

#include <string.h>

#include "airports/countries.h"
#include "airports/day.h"
#include "base/datafile.h"
#include "base/str.h"
#include "rules/rules.h"

enum { QUOTED = 60, EXAMPLES = 6, VALUE_BYTES = 32 };

#define NAMES(rows) rows, sizeof(rows) / sizeof((rows)[0])

#define REPLY_NAME(constant, name) { name, REPLY_##constant },
static const struct datafile_name names[] = { REPLIES(REPLY_NAME) };

struct reply_texts {
	struct reply_row {
		const char *text;             /* NULL: there is none */
		bool offer;
		const char *example[EXAMPLES];
		size_t n;
	} row[REPLY__MAX][2];                 /* without and with rules */
};

static const struct reply_texts *in_use;

void replies_use(const struct reply_texts *texts)
{
	in_use = texts;
}

const char *reply_text(enum reply reply)
{
	return in_use->row[reply][0].text;
}

bool reply_asks_place(const char *answer, enum reply *which)
{
	static const enum reply asking[] = { REPLY_HALF_ROUTE, REPLY_HALF_ROUTE_TO, REPLY_UNPLACED,
		REPLY_NOTIFY_WHERE };

	for (size_t i = 0; answer != NULL && i < sizeof(asking) / sizeof(asking[0]); i++) {
		const char *text = reply_text(asking[i]);
		if (strncmp(answer, text, strcspn(text, "?") + 1) == 0) {
			*which = asking[i];
			return true;
		}
	}
	return false;
}

/* ---- values ------------------------------------------------------------------------- */

/* A name from the message, made harmless for Markdown; NULL if there is none or it should not be quoted. */
static const char *quoted(struct arena *a, const char *name)
{
	if (name == NULL || strlen(name) > QUOTED)
		return NULL;
	char *text = arena_strdup(a, name);
	for (char *p = text; *p != '\0'; p++)
		if (strchr("*_`[]<>#|\\\n\r", *p) != NULL)
			*p = ' ';
	return text;
}

static const char *named_place(struct arena *a, const struct reply_facts *f)
{
	const char *places[] = { f->place, f->near, f->to, f->from };
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const char *text = quoted(a, places[i]);
		if (text != NULL)
			return text;
	}
	return NULL;
}

static const char *value_place(struct arena *a, const struct reply_facts *f)
{
	const char *place = named_place(a, f);
	return place != NULL ? place : reply_text(REPLY_SOME_PLACE);
}

static const char *value_start(struct arena *a, const struct reply_facts *f)
{
	const char *place = f->from != NULL ? named_place(a, f) : NULL;
	return place != NULL ? place : reply_text(REPLY_SOME_START);
}

static const char *value_end(struct arena *a, const struct reply_facts *f)
{
	const char *place = quoted(a, f->from != NULL ? f->from : f->to);
	return place != NULL ? place : reply_text(REPLY_SOME_PLACE);
}

static const char *value_from(struct arena *a, const struct reply_facts *f)
{
	return quoted(a, f->from);
}

static const char *value_to(struct arena *a, const struct reply_facts *f)
{
	return quoted(a, f->to);
}

static const char *value_near(struct arena *a, const struct reply_facts *f)
{
	const char *near = quoted(a, f->near != NULL ? f->near : f->place);
	if (near != NULL && !f->vague)
		return near;
	return f->country == NULL ? reply_text(REPLY_SOME_PLACE) : NULL;
}

static const char *value_country(struct arena *a, const struct reply_facts *f)
{
	(void)a;
	return f->country != NULL ? f->country->name : NULL;
}

static const char *value_day_fault(struct arena *a, const struct reply_facts *f)
{
	struct day day;
	struct err e = { OK, "" };
	return f->day == NULL || day_parse(f->day, day_today(), &day, &e) == OK ? NULL
	    : arena_strdup(a, e.msg);
}

/* The text with its values; NULL: one is missing. */
static const char *filled(struct arena *a, const struct reply_facts *f, const char *text);

/* A sentence before the others: the code that the message names is not known; "" if there is none. */
static const char *value_unknown_code(struct arena *a, const struct reply_facts *f)
{
	const char *text = quoted(a, f->unknown_code) != NULL ? filled(a, f, reply_text(REPLY_UNKNOWN_CODE)) : NULL;
	return text != NULL ? arena_printf(a, "%s ", text) : "";
}

static const struct rulebase *base_of(const struct reply_facts *f)
{
	return f->set != NULL ? f->set->base : NULL;
}

static const char *country_name(const char *code)
{
	const struct country *c = country_by_code(code);
	return c != NULL ? c->name : code;
}

/* "air traffic service" */
static const char *tag_said(struct arena *a, const char *tag)
{
	char *text = arena_strdup(a, tag);
	for (char *p = text; *p != '\0'; p++)
		*p = strchr("_*`[]<>#|\\\n\r", *p) != NULL ? ' ' : *p;
	return text;
}

/* "…, Belgium", "… and Belgium": the i-th of n names after those before it. */
static const char *joined(struct arena *a, const char *text, const char *name, size_t i, size_t n)
{
	return i == 0 ? name : i + 1 < n ? arena_printf(a, "%s, %s", text, name)
	    : arena_printf(a, "%s %s %s", text, reply_text(REPLY_AND), name);
}

static const char *value_countries(struct arena *a, const struct reply_facts *f)
{
	const struct rulebase *b = base_of(f);
	const char *text = NULL;
	for (size_t i = 0; b != NULL && i < b->ncountries; i++)
		text = joined(a, text, country_name(b->countries[i].code), i, b->ncountries);
	return text;
}

static const char *value_subjects(struct arena *a, const struct reply_facts *f)
{
	const struct rulebase *b = base_of(f);
	const char *text = NULL;
	for (size_t i = 0; b != NULL && i < b->ntags; i++)
		text = joined(a, text, tag_said(a, b->tags[i]), i, b->ntags);
	return text;
}

static const char *country_of_rules(const struct reply_facts *f, size_t i)
{
	const struct rulebase *b = base_of(f);
	return b != NULL && b->ncountries > i ? country_name(b->countries[i].code) : NULL;
}

static const char *value_first(struct arena *a, const struct reply_facts *f)
{
	(void)a;
	return country_of_rules(f, 0);
}

static const char *value_second(struct arena *a, const struct reply_facts *f)
{
	(void)a;
	return country_of_rules(f, 1);
}

static const char *asked_country(const struct reply_facts *f, size_t i)
{
	return f->asked[i] != NULL ? country_name(f->asked[i]) : NULL;
}

static const char *value_asked(struct arena *a, const struct reply_facts *f)
{
	(void)a;
	return asked_country(f, 0);
}

static const char *value_asked_second(struct arena *a, const struct reply_facts *f)
{
	(void)a;
	return asked_country(f, 1);
}

static const char *value_other(struct arena *a, const struct reply_facts *f)
{
	(void)a;
	return country_of_rules(f, streq(asked_country(f, 0), country_of_rules(f, 0)));
}

static const char *value_topic(struct arena *a, const struct reply_facts *f)
{
	const struct rulebase *b = base_of(f);
	return b != NULL && b->ntags > 0 ? tag_said(a, b->tags[0]) : NULL;
}

static const char *value_other_topic(struct arena *a, const struct reply_facts *f)
{
	const struct rulebase *b = base_of(f);
	for (size_t i = 0; b != NULL && i < b->ntags; i++)
		if (!streq(b->tags[i], f->topic))
			return tag_said(a, b->tags[i]);
	return NULL;
}

static const char *value_where(struct arena *a, const struct reply_facts *f);

static const struct value {
	const char *name;
	const char *(*of)(struct arena *a, const struct reply_facts *f);    /* NULL: there is none */
} values[] = {
	{ "place", value_place }, { "start", value_start }, { "end", value_end },
	{ "where", value_where }, { "from", value_from }, { "to", value_to }, { "near", value_near },
	{ "country", value_country }, { "day_fault", value_day_fault },
	{ "unknown_code", value_unknown_code }, { "countries", value_countries },
	{ "subjects", value_subjects }, { "first", value_first }, { "second", value_second },
	{ "topic", value_topic }, { "asked", value_asked }, { "asked_second", value_asked_second },
	{ "other", value_other }, { "other_topic", value_other_topic },
};

/* The value whose name is before the "}"; NULL: there is none. */
static const struct value *value_named(const char *p)
{
	const size_t n = strcspn(p, "}");
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (p[n] == '}' && str_eq((struct str){ p, n }, values[i].name))
			return &values[i];
	return NULL;
}

/* ---- texts ---------------------------------------------------------------------------- */

static const char *filled(struct arena *a, const struct reply_facts *f, const char *text)
{
	const char *out = "";
	for (const char *end; *text != '\0'; text = end) {
		end = text + strcspn(text, "{");
		out = arena_printf(a, "%s%.*s", out, (int)(end - text), text);
		if (*end == '\0')
			break;
		const char *value = value_named(end + 1)->of(a, f);
		if (value == NULL)
			return NULL;
		out = arena_printf(a, "%s%s", out, value);
		end += strcspn(end, "}") + 1;
	}
	return out;
}

static const char *value_where(struct arena *a, const struct reply_facts *f)
{
	static const enum reply ways[] = { REPLY_WHERE_BETWEEN, REPLY_WHERE_NEAR, REPLY_WHERE_IN };
	const char *text = NULL;
	for (size_t i = 0; text == NULL && i < sizeof(ways) / sizeof(ways[0]); i++)
		text = filled(a, f, reply_text(ways[i]));
	return text;
}

static const struct reply_row *row_of(const struct reply_facts *f, enum reply reply)
{
	const struct reply_row *row = in_use->row[reply];
	return f->set != NULL && row[1].text != NULL ? &row[1] : &row[0];
}

static const char *with_examples(struct arena *a, const struct reply_facts *f, const char *text,
    const struct reply_row *row)
{
	const size_t n = strlen(text);
	const char *list = "";
	for (size_t i = 0; i < row->n; i++) {
		const char *example = filled(a, f, row->example[i]);
		if (example != NULL)
			list = arena_printf(a, "%s\n- %s", list, example);
	}
	if (*list == '\0')
		return text;
	return n > 0 && text[n - 1] == ':' ? arena_printf(a, "%s\n%s", text, list)
	    : arena_printf(a, "%s %s\n%s", text, reply_text(REPLY_FOR_EXAMPLE), list);
}

const char *reply_of(struct arena *a, const struct reply_facts *f, enum reply reply)
{
	const struct reply_row *row = row_of(f, reply);
	const char *said = filled(a, f, row->text);
	const char *text = said != NULL ? said : row->text;
	if (!row->offer)
		return with_examples(a, f, text, row);
	row = row_of(f, REPLY_OFFER);
	return with_examples(a, f, arena_printf(a, "%s\n\n%s", text, row->text), row);
}

/* ---- the file ------------------------------------------------------------------------- */

/* Every value of a text must exist. */
static enum errcode check_values(const struct datafile *d, const struct datafile_row *r,
    const char *text, struct err *e)
{
	for (const char *p = strchr(text, '{'); p != NULL; p = strchr(p + 1, '{')) {
		const int n = (int)strcspn(p, "}");
		if (value_named(p + 1) == NULL)
			return datafile_fault(d, r, e, "\"%.*s}\" is not one of the values that are named at the top of the file",
			    n < VALUE_BYTES ? n : VALUE_BYTES, p);
	}
	return OK;
}

/* "weather offer", "offer rules example" */
static enum errcode read_text(struct reply_texts *t, struct arena *a, const struct datafile *d,
    const struct datafile_row *r, struct err *e)
{
	enum { OF_RULES = 1, OFFERS = 2, EXAMPLE = 4 };
	static const struct datafile_name words[] = {
		{ "rules", OF_RULES }, { "offer", OFFERS }, { "example", EXAMPLE },
	};
	const char *list = r->field[0], *text = arena_strdup(a, r->field[1]);
	int name = -1, how = 0, bit;
	struct str word;
	enum errcode rc = check_values(d, r, text, e);
	while (rc == OK && str_part(&list, ' ', &word)) {
		const char *s = arena_strndup(d->mem, word.p, word.n);
		if (name < 0)
			rc = datafile_name(d, r, s, names, REPLY__MAX, &name, e);
		else if ((rc = datafile_name(d, r, s, NAMES(words), &bit, e)) == OK)
			how |= bit;
	}
	if (rc != OK)
		return rc;
	struct reply_row *row = &t->row[name][(how & OF_RULES) != 0];
	if ((how & EXAMPLE) != 0) {
		if (row->n == EXAMPLES)
			return datafile_fault(d, r, e, "there are more than %d examples of it", EXAMPLES);
		row->example[row->n++] = text;
		return OK;
	}
	if (row->text != NULL)
		return datafile_fault(d, r, e, "\"%s\" has a row already", r->field[0]);
	row->text = text;
	row->offer = (how & OFFERS) != 0;
	return OK;
}

enum errcode replies_read(struct reply_texts **out, struct arena *a, const char *path, struct err *e)
{
	struct arena *scratch = arena_new();  /* holds the content of the file */
	struct reply_texts *t = arena_alloc(a, sizeof(*t));
	struct datafile d;
	enum errcode rc = datafile_read(&d, scratch, path, 2, 2, e);
	for (size_t i = 0; rc == OK && i < d.n; i++)
		rc = read_text(t, a, &d, &d.row[i], e);
	for (size_t i = 0; rc == OK && i < REPLY__MAX; i++)
		if (t->row[i][0].text == NULL)
			rc = err_set(e, ERR_CONFIG, "%s: the text \"%s\" is missing", path, names[i].name);
	arena_free(scratch);
	*out = t;
	return rc;
}
