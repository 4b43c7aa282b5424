/*
 * A reply first names the limit and then offers something concrete. If the message named a place,
 * the examples use it, so that the pilot can continue at once. Text from the message is quoted only
 * if it is a short name, and its Markdown is taken out.
 */
#include "agents/aviation/builtin/replies_own.h"

#include <string.h>

#include "agents/aviation/builtin/general_said.h"
#include "agents/aviation/messages.h"
#include "agents/aviation/sayings.h"
#include "airports/countries.h"
#include "airports/day.h"
#include "base/str.h"
#include "rules/rules.h"

enum { QUOTED = 100 };

static const struct reply_texts *texts_in(const struct wording *w)
{
	for (size_t i = 1; w != NULL && replies_at(i) != NULL; i++)
		if (streq(replies_at(i)->language, wording_language(w)))
			return replies_at(i);
	return replies_at(0);
}

const char *reply_text_in(const struct wording *w, enum reply reply)
{
	return texts_in(w)->row[reply][0].text;
}

/* ---- values ------------------------------------------------------------------------- */

static const struct wording *messages_of(const struct reply_facts *f)
{
	return f->wording != NULL ? f->wording : messages_in(NULL);
}

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
	return place != NULL ? place : reply_text_in(f->wording, REPLY_SOME_PLACE);
}

static const char *value_start(struct arena *a, const struct reply_facts *f)
{
	const char *place = f->from != NULL ? named_place(a, f) : NULL;
	return place != NULL ? place : reply_text_in(f->wording, REPLY_SOME_START);
}

static const char *value_end(struct arena *a, const struct reply_facts *f)
{
	const char *place = quoted(a, f->from != NULL ? f->from : f->to);
	return place != NULL ? place : reply_text_in(f->wording, REPLY_SOME_PLACE);
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
	if (near != NULL)
		return near;
	return f->country == NULL ? reply_text_in(f->wording, REPLY_SOME_PLACE) : NULL;
}

static const char *country_name(const struct reply_facts *f, const char *code)
{
	const char *name = message_country(messages_of(f), code);
	return name != NULL ? name : code;
}

/* "in Germany" */
static const char *in_country(struct arena *a, const struct reply_facts *f, const char *code)
{
	const char *text = message_in_country(messages_of(f), a, code);
	return text != NULL ? text : arena_printf(a, "(%s)", code);
}

static const char *value_country(struct arena *a, const struct reply_facts *f)
{
	(void)a;
	return f->country != NULL ? country_name(f, f->country->code) : NULL;
}

static const char *value_in_country(struct arena *a, const struct reply_facts *f)
{
	return f->country != NULL ? in_country(a, f, f->country->code) : NULL;
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
	const char *text = quoted(a, f->unknown_code) != NULL ? filled(a, f, reply_text_in(f->wording, REPLY_UNKNOWN_CODE)) : NULL;
	return text != NULL ? arena_printf(a, "%s ", text) : "";
}

static const struct rulebase *base_of(const struct reply_facts *f)
{
	return f->set != NULL ? f->set->base : NULL;
}

/* "air traffic service" */
static const char *tag_said(struct arena *a, const struct reply_facts *f, const char *tag)
{
	char *text = arena_strdup(a, tag);
	for (char *p = text; *p != '\0'; p++)
		*p = strchr("*_`[]<>#|\\\n\r", *p) != NULL ? ' ' : *p;
	return message_term(messages_of(f), SAY_topic_flight_plan, SAY_category_flight_rules, text);
}

static const char *value_countries(struct arena *a, const struct reply_facts *f)
{
	const struct rulebase *b = base_of(f);
	if (b == NULL || b->ncountries == 0)
		return NULL;
	const char **name = arena_array(a, b->ncountries, sizeof(*name));
	for (size_t i = 0; i < b->ncountries; i++)
		name[i] = country_name(f, b->countries[i].code);
	return wording_list(messages_of(f), a, name, b->ncountries);
}

static const char *value_subjects(struct arena *a, const struct reply_facts *f)
{
	const struct rulebase *b = base_of(f);
	if (b == NULL || b->ntags == 0)
		return NULL;
	const char **name = arena_array(a, b->ntags, sizeof(*name));
	for (size_t i = 0; i < b->ntags; i++)
		name[i] = tag_said(a, f, b->tags[i]);
	return wording_list(messages_of(f), a, name, b->ntags);
}

static const char *country_of_rules(const struct reply_facts *f, size_t i)
{
	const struct rulebase *b = base_of(f);
	return b != NULL && b->ncountries > i ? country_name(f, b->countries[i].code) : NULL;
}

static const char *value_in_first(struct arena *a, const struct reply_facts *f)
{
	const struct rulebase *b = base_of(f);
	return b != NULL && b->ncountries > 0 ? in_country(a, f, b->countries[0].code) : NULL;
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
	return f->asked[i] != NULL ? country_name(f, f->asked[i]) : NULL;
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
	return b != NULL && b->ntags > 0 ? tag_said(a, f, b->tags[0]) : NULL;
}

static const char *value_other_topic(struct arena *a, const struct reply_facts *f)
{
	const struct rulebase *b = base_of(f);
	for (size_t i = 0; b != NULL && i < b->ntags; i++)
		if (!streq(b->tags[i], f->topic))
			return tag_said(a, f, b->tags[i]);
	return NULL;
}

static const char *value_matter(struct arena *a, const struct reply_facts *f)
{
	return quoted(a, f->matter);
}

/* Paragraphs of their own. */
static const char *value_general(struct arena *a, const struct reply_facts *f)
{
	return f->general != NULL ? arena_printf(a, "%s\n", general_said(messages_of(f), a, f->general, NULL)) : NULL;
}

static const char *value_this(struct arena *a, const struct reply_facts *f)
{
	return quoted(a, f->either[0]);
}

static const char *value_that(struct arena *a, const struct reply_facts *f)
{
	return quoted(a, f->either[1]);
}

static const char *value_where(struct arena *a, const struct reply_facts *f);

static const struct reply_value values[] = {
	{ "place", value_place, NULL, false }, { "start", value_start, NULL, false },
	{ "end", value_end, NULL, false }, { "where", value_where, NULL, false },
	{ "from", value_from, NULL, false }, { "to", value_to, NULL, false }, { "near", value_near, NULL, false },
	{ "country", value_country, NULL, false }, { "in_country", value_in_country, "country", false },
	/* what is wrong with a day is told in English only */
	{ "day_fault", value_day_fault, NULL, true },
	{ "unknown_code", value_unknown_code, NULL, false }, { "countries", value_countries, NULL, false },
	{ "subjects", value_subjects, NULL, false }, { "first", value_first, NULL, false },
	{ "in_first", value_in_first, "first", false }, { "second", value_second, NULL, false },
	{ "topic", value_topic, NULL, false }, { "asked", value_asked, NULL, false },
	{ "asked_second", value_asked_second, NULL, false }, { "other", value_other, NULL, false },
	{ "other_topic", value_other_topic, NULL, false }, { "matter", value_matter, NULL, false },
	{ "general", value_general, NULL, false },
	{ "this", value_this, NULL, false }, { "that", value_that, NULL, false },
};

const struct reply_value *reply_value_named(const char *p)
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
		const char *value = reply_value_named(end + 1)->of(a, f);
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
		text = filled(a, f, reply_text_in(f->wording, ways[i]));
	return text;
}

static const struct reply_row *row_of(const struct reply_facts *f, enum reply reply)
{
	const struct reply_row *row = texts_in(f->wording)->row[reply];
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
	    : arena_printf(a, "%s %s\n%s", text, reply_text_in(f->wording, REPLY_FOR_EXAMPLE), list);
}

const char *reply_of(struct arena *a, const struct reply_facts *f, enum reply reply)
{
	const struct reply_row *row = row_of(f, reply);
	const char *text = filled(a, f, row->text);
	/* the reply needs a value that is not known: the general one says what can be asked */
	if (text == NULL) {
		row = row_of(f, REPLY_OFFER);
		text = row->text;
	}
	if (f->brief && row->offer)
		return text;
	if (!row->offer)
		return with_examples(a, f, text, row);
	row = row_of(f, REPLY_OFFER);
	return with_examples(a, f, arena_printf(a, "%s\n\n%s", text, row->text), row);
}
