/*
 * A reply first names the limit and then offers something concrete. If the message named a place,
 * the examples use it, so that the pilot can continue at once. Text from the message is quoted only
 * if it is a short name, and its Markdown is taken out.
 */
#include "agents/aviation/builtin/replies.h"

#include <string.h>

#include "agents/aviation/builtin/rules_request.h"
#include "airports/countries.h"
#include "airports/day.h"
#include "base/datafile.h"
#include "base/str.h"

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

/* A name from the message, made harmless for Markdown; NULL if it should not be quoted. */
static const char *quoted(struct arena *a, const struct place_mention *s)
{
	if (s->text == NULL || strlen(s->text) > QUOTED)
		return NULL;
	char *text = arena_strdup(a, s->text);
	for (char *p = text; *p != '\0'; p++)
		if (strchr("*_`[]<>#|\\\n\r", *p) != NULL)
			*p = ' ';
	return text;
}

static const char *named_place(struct arena *a, const struct query *q)
{
	const struct place_mention *spots[] = { &q->subject, &q->near, &q->to, &q->from };
	for (size_t i = 0; i < sizeof(spots) / sizeof(spots[0]); i++) {
		const char *text = quoted(a, spots[i]);
		if (text != NULL)
			return text;
	}
	return NULL;
}

static const char *value_place(struct arena *a, const struct query *q)
{
	const char *place = named_place(a, q);
	return place != NULL ? place : reply_text(REPLY_SOME_PLACE);
}

static const char *value_start(struct arena *a, const struct query *q)
{
	const char *place = q->from.text != NULL ? named_place(a, q) : NULL;
	return place != NULL ? place : reply_text(REPLY_SOME_START);
}

static const char *value_end(struct arena *a, const struct query *q)
{
	const char *place = quoted(a, q->from.text != NULL ? &q->from : &q->to);
	return place != NULL ? place : reply_text(REPLY_SOME_PLACE);
}

static const char *value_from(struct arena *a, const struct query *q)
{
	return quoted(a, &q->from);
}

static const char *value_to(struct arena *a, const struct query *q)
{
	return quoted(a, &q->to);
}

static const char *value_near(struct arena *a, const struct query *q)
{
	const char *near = quoted(a, q->near.text != NULL ? &q->near : &q->subject);
	/* "in Europe": a word after "in" that is not a known place */
	if (near != NULL && !(q->vague && !q->near.known))
		return near;
	return q->country == NULL ? reply_text(REPLY_SOME_PLACE) : NULL;
}

static const char *value_country(struct arena *a, const struct query *q)
{
	(void)a;
	return q->country != NULL ? q->country->name : NULL;
}

static const char *value_day_fault(struct arena *a, const struct query *q)
{
	struct day day;
	struct err e = { OK, "" };
	return q->day == NULL || day_parse(q->day, day_today(), &day, &e) == OK ? NULL
	    : arena_strdup(a, e.msg);
}

/* The text with its values; NULL: one is missing. */
static const char *filled(struct arena *a, const struct query *q, const char *text);

/* A sentence before the others: the code that the message names is not known; "" if there is none. */
static const char *value_unknown_code(struct arena *a, const struct query *q)
{
	const struct place_mention *s = q->subject.text != NULL ? &q->subject : &q->near;
	const char *text = s->missing && quoted(a, s) != NULL ? filled(a, q, reply_text(REPLY_UNKNOWN_CODE)) : NULL;
	return text != NULL ? arena_printf(a, "%s ", text) : "";
}

static const struct rulebase *base_of(const struct query *q)
{
	const struct rules_snapshot *set = q->rules != NULL && q->rules->set != NULL ? q->rules->set
	    : q->set;
	return set != NULL ? set->base : NULL;
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

static const char *value_countries(struct arena *a, const struct query *q)
{
	const struct rulebase *b = base_of(q);
	const char *text = NULL;
	for (size_t i = 0; b != NULL && i < b->ncountries; i++)
		text = joined(a, text, country_name(b->countries[i].code), i, b->ncountries);
	return text;
}

static const char *value_subjects(struct arena *a, const struct query *q)
{
	const struct rulebase *b = base_of(q);
	const char *text = NULL;
	for (size_t i = 0; b != NULL && i < b->ntags; i++)
		text = joined(a, text, tag_said(a, b->tags[i]), i, b->ntags);
	return text;
}

static const char *country_of_rules(const struct query *q, size_t i)
{
	const struct rulebase *b = base_of(q);
	return b != NULL && b->ncountries > i ? country_name(b->countries[i].code) : NULL;
}

static const char *value_first(struct arena *a, const struct query *q)
{
	(void)a;
	return country_of_rules(q, 0);
}

static const char *value_second(struct arena *a, const struct query *q)
{
	(void)a;
	return country_of_rules(q, 1);
}

static const char *asked_country(const struct query *q, size_t i)
{
	return q->rules != NULL && q->rules->countries.n > i
	    ? country_name(q->rules->countries.code[i]) : NULL;
}

static const char *value_asked(struct arena *a, const struct query *q)
{
	(void)a;
	return asked_country(q, 0);
}

static const char *value_asked_second(struct arena *a, const struct query *q)
{
	(void)a;
	return asked_country(q, 1);
}

static const char *value_other(struct arena *a, const struct query *q)
{
	(void)a;
	return country_of_rules(q, streq(asked_country(q, 0), country_of_rules(q, 0)));
}

static const char *value_topic(struct arena *a, const struct query *q)
{
	const struct rulebase *b = base_of(q);
	return b != NULL && b->ntags > 0 ? tag_said(a, b->tags[0]) : NULL;
}

static const char *value_other_topic(struct arena *a, const struct query *q)
{
	const struct rulebase *b = base_of(q);
	for (size_t i = 0; b != NULL && i < b->ntags; i++)
		if (q->rules == NULL || q->rules->ntags == 0 || !streq(b->tags[i], q->rules->tags[0]))
			return tag_said(a, b->tags[i]);
	return NULL;
}

static const char *value_where(struct arena *a, const struct query *q);

static const struct value {
	const char *name;
	const char *(*of)(struct arena *a, const struct query *q);    /* NULL: there is none */
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

static const char *filled(struct arena *a, const struct query *q, const char *text)
{
	const char *out = "";
	for (const char *end; *text != '\0'; text = end) {
		end = text + strcspn(text, "{");
		out = arena_printf(a, "%s%.*s", out, (int)(end - text), text);
		if (*end == '\0')
			break;
		const char *value = value_named(end + 1)->of(a, q);
		if (value == NULL)
			return NULL;
		out = arena_printf(a, "%s%s", out, value);
		end += strcspn(end, "}") + 1;
	}
	return out;
}

static const char *value_where(struct arena *a, const struct query *q)
{
	static const enum reply ways[] = { REPLY_WHERE_BETWEEN, REPLY_WHERE_NEAR, REPLY_WHERE_IN };
	const char *text = NULL;
	for (size_t i = 0; text == NULL && i < sizeof(ways) / sizeof(ways[0]); i++)
		text = filled(a, q, reply_text(ways[i]));
	return text;
}

static enum reply in_words(const struct rules_request *r)
{
	if (r->set == NULL)
		return REPLY_RULES_NONE;
	if (r->kind == RULES_REQUEST_COUNTRIES)
		return REPLY_RULES_COUNTRIES;
	if (r->kind == RULES_REQUEST_SUBJECTS)
		return REPLY_RULES_SUBJECTS;
	if (r->kind != RULES_REQUEST_COMPARE)
		return REPLY_RULES;
	if (r->rest && rules_request_complete(r))
		return REPLY_RULES_REST;
	return r->countries.n == 1 ? REPLY_RULES_COMPARE_WITH : REPLY_RULES_COMPARE;
}

/* Some intents have one reply for several cases. This chooses the one that fits the case. */
static enum reply exactly(const struct query *q, enum reply reply)
{
	if (reply == REPLY_RULES)
		return in_words(q->rules);
	if (reply == REPLY_RULES_OFF && q->rules->kind == RULES_REQUEST_COMPARE)
		return REPLY_COMPARE_OFF;
	if (reply == REPLY_NOTHING && q->empty)
		return REPLY_EMPTY;
	if (reply == REPLY_PICK && q->lack == LACK_WHICH)
		return REPLY_PICK_WHICH;
	if (reply == REPLY_HALF_ROUTE && q->from.text == NULL)
		return REPLY_HALF_ROUTE_TO;
	return reply;
}

static const struct reply_row *row_of(const struct query *q, enum reply reply)
{
	const struct reply_row *row = in_use->row[reply];
	return q->set != NULL && row[1].text != NULL ? &row[1] : &row[0];
}

static const char *with_examples(struct arena *a, const struct query *q, const char *text,
    const struct reply_row *row)
{
	const size_t n = strlen(text);
	const char *list = "";
	for (size_t i = 0; i < row->n; i++) {
		const char *example = filled(a, q, row->example[i]);
		if (example != NULL)
			list = arena_printf(a, "%s\n- %s", list, example);
	}
	if (*list == '\0')
		return text;
	return n > 0 && text[n - 1] == ':' ? arena_printf(a, "%s\n%s", text, list)
	    : arena_printf(a, "%s %s\n%s", text, reply_text(REPLY_FOR_EXAMPLE), list);
}

const char *reply_of(struct arena *a, const struct query *q, enum reply reply)
{
	const struct reply_row *row = row_of(q, exactly(q, reply));
	const char *said = filled(a, q, row->text);
	const char *text = said != NULL ? said : row->text;
	if (!row->offer)
		return with_examples(a, q, text, row);
	row = row_of(q, REPLY_OFFER);
	return with_examples(a, q, arena_printf(a, "%s\n\n%s", text, row->text), row);
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
