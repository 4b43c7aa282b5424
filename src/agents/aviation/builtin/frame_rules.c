/*
 * The arguments of tools for rules: the country, the question in the words of rules, its tags, the page of a list.
 */
#include "agents/aviation/builtin/frame_arguments_own.h"

#include <string.h>

#include "agents/aviation/builtin/amounts.h"
#include "agents/aviation/builtin/reading_marks.h"
#include "base/jsn.h"
#include "base/str.h"
#include "rules/rules.h"

enum { QUESTION_LIMIT = 300, PAGE = 10, CODES = 12 };

static const char *clipped(struct arena *a, const char *text)
{
	const struct str s = str_trim(str_of(text));
	return arena_strndup(a, s.p, utf8_cut(s.p, s.n, s.n < QUESTION_LIMIT ? s.n : QUESTION_LIMIT));
}

static bool is_english(const struct look *l)
{
	return streq(l->p->reading->words->language, "en");
}

/* "flying at night, transponder": the matter alone, in English if the vocabulary knows how it is called, because the
 * rules are recorded in English; NULL: none is named. */
static const char *topics(const struct look *l)
{
	const struct frame_slot *slot = &l->f->slot[LABEL_TOPIC];
	struct arena *a = l->p->mem;
	const char *all = NULL;
	for (size_t i = 0; i < slot->n; i++) {
		const char *text = slot->value[i].text;
		if (l->topic != NULL && l->topic != &slot->value[i])
			continue;
		if (slot->value[i].bound != NULL && !is_english(l))
			text = slot->value[i].bound;
		all = all == NULL ? text : arena_printf(a, "%s, %s", all, text);
	}
	return all;
}

/* The part of the message that asks this question. NULL: that part is too short to stand alone ("and in Italy?"), so its matter is
 * used instead. */
static const char *clause_of(const struct look *l)
{
	enum { WORDS = 4 };
	const struct reading *r = l->p->reading;
	size_t first, end;

	if (l->f->kind != NULL || l->p->frames->n != r->nplans || !look_clause(l, &first, &end))
		return NULL;
	first = first == 0 ? r->start[0] : first;
	while (first < end && (r->words->word[first].kind == WORD_SIGN || evidence_in(r->evidence, first, first, "and") != NULL))
		first++;
	while (end > first && end <= r->words->n &&
	    (streq(r->words->word[end - 1].fold, ",") || evidence_in(r->evidence, end - 1, end - 1, "and") != NULL))
		end--;
	return end <= r->words->n && first + WORDS <= end ? words_slice(l->p->mem, r->words, first, end - 1) : NULL;
}

static bool names_topic(const struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (streq(r->mark[i].label, aviation_schema.label[LABEL_TOPIC].name))
			return true;
	return false;
}

/* Does the message say that one flies into or out of a country? */
static bool names_flight_direction(const struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (streq(r->mark[i].label, aviation_schema.label[LABEL_COUNTRY].name) && reading_flight_before(r, &r->mark[i]) != FLIGHT_NONE)
			return true;
	return false;
}

/* Do airports of two countries stand in the question, or an airport and another country ("a flight plan from Lübeck to Sweden")? */
static bool names_two_countries(const struct look *l, bool flight_plan)
{
	const struct frame_slot *at = &l->f->slot[LABEL_AT], *country = &l->f->slot[LABEL_COUNTRY];
	const char *first = flight_plan && country->n == 1 && country->value[0].words != NULL ? country->value[0].text : NULL;
	for (size_t i = 0; i < at->n; i++) {
		const char *code = place_country(l->p, place_text(l->p, &at->value[i]));
		if (first != NULL && code != NULL && !streq(first, code))
			return true;
		first = code != NULL ? code : first;
	}
	return false;
}

/* A question can mean this without the word "border": "a flight plan to Switzerland". The search for rules understands this by itself if it
 * reads an English message whole. */
bool look_crosses_border(const struct look *l)
{
	const struct reading *r = l->p->reading;
	const char *matter = topics(l);
	if (matter == NULL)
		return false;
	const bool plan = strstr(matter, "flight plan") != NULL, is_read_whole = is_english(l) && l->f->kind == NULL;
	const bool between = l->f->slot[LABEL_COUNTRY].n > 1 && (!is_english(l) || (reading_says(r, "role.from") && reading_says(r, "role.to")));

	return names_two_countries(l, plan) || (plan && (between || (!is_read_whole && names_flight_direction(r))));
}

const char *frame_question(const struct look *l)
{
	struct arena *a = l->p->mem;
	/* "and in Italy?": the earlier question, now for another country */
	const bool other_country = streq(l->f->kind, "replace") && l->p->frames->n == 1 && !names_topic(l->p->reading);
	const bool again = other_country && l->p->talk->question != NULL;
	const char *clause = l->p->frames->n > 1 ? clause_of(l) : NULL;
	const char *matter = topics(l), *message = l->asks != NULL ? l->asks : clause != NULL ? clause : again ? l->p->talk->question : l->p->message;
	const bool whole = again || (l->f->kind == NULL && (clause != NULL || l->p->frames->n == 1) && strlen(message) <= QUESTION_LIMIT);
	if (look_crosses_border(l))
		return clipped(a, arena_printf(a, "%s for a flight that crosses the border", matter));
	if (!whole || matter == NULL)
		return clipped(a, matter == NULL ? message : matter);
	const bool english = is_english(l) && !(again && !streq(l->p->talk->language, "en"));
	return clipped(a, english ? message : arena_printf(a, "%s (%s)", message, matter));
}

static void put_texts(struct plan *out, const char *name, const char *const *texts, size_t n)
{
	struct json_object *list = json_object_new_array();
	for (size_t i = 0; i < n; i++)
		jsn_push(list, jsn_str(texts[i]));
	jsn_add(out->arguments, name, list);
}

const char *const *look_tags(const struct look *l, size_t *n)
{
	const char *matter = topics(l);
	*n = 0;
	const char *const *tags = l->p->set != NULL && matter != NULL
	    ? lexical_tags(l->p->set->lexical, l->p->mem, matter, n) : NULL;
	return *n > 0 ? tags : NULL;
}

static void put_tags(const struct look *l, const struct tool *t, struct plan *out)
{
	size_t n;
	const char *const *tags = look_tags(l, &n);
	if (tags != NULL && tool_arg_find(t, "tags") != NULL)
		put_texts(out, "tags", tags, n);
}

void frame_fill_answer(const struct look *l, const struct tool *t, struct plan *out)
{
	if (l->country != NULL)
		jsn_add_str(out->arguments, "country_code", l->country);
	jsn_add_str(out->arguments, "question", frame_question(l));
	put_tags(l, t, out);
}

void frame_fill_browse(const struct look *l, const struct tool *t, struct plan *out)
{
	const double count = amount_number(frame_get(l->f, LABEL_COUNT));
	const size_t pages = frame_pages(l->p, l->f);

	if (l->country != NULL)
		jsn_add_str(out->arguments, "country_code", l->country);
	put_tags(l, t, out);
	if (pages > 0)
		jsn_add_int(out->arguments, "offset", (int64_t)((count > 0 ? count : PAGE) * (double)pages));
	if (count > 0 || pages > 0)
		plan_put_number(t, out, "limit", count > 0 ? count : PAGE);
}

void frame_fill_compare(const struct look *l, const struct tool *t, struct plan *out)
{
	const char *code[CODES];
	const size_t n = frame_rules_countries(l->p, l->f, code, CODES);
	const char *matter = topics(l);

	if (n > 0)
		put_texts(out, "countries", code, n);
	put_tags(l, t, out);
	if (matter != NULL && tool_arg_find(t, "question") != NULL)
		jsn_add_str(out->arguments, "question", frame_plan_kind(l->f) == PLAN_ANSWER ? frame_question(l)
		    : clipped(l->p->mem, matter));
}
