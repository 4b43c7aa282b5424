/*
 * The result of rules_json.c, reduced to what is shown and copied into one arena; then the file's
 * tree is freed. Equal texts are kept once: a question's id, text and raw text are mostly equal,
 * and so are an answer and its plain text.
 */
#include "rules/rulebase.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "rules/rules_json.h"

static const char hidden_category[] = "ignore";

/* There are fewer countries, but a file may make up codes by the thousand. */
enum { CODES_LISTED = 300 };

/* ---- building ---------------------------------------------------------------------- */

struct builder {
	struct arena *a;
	struct rulebase *base;
	const struct rules_json *in;
	struct rule_question *questions;
	struct rule_entry *entries;
};

static bool hidden(const struct rules_json_question *q)
{
	return str_ieq(str_trim(str_of(q->category)), hidden_category);
}

static size_t shown_answers(const struct rules_json_question *q)
{
	size_t n = 0;
	for (size_t i = 0; i < q->nanswers; i++)
		n += *q->answers[i].text != '\0';
	return n;
}

/* A copy of s, or `known` if it is equal. NULL gives NULL. */
static const char *keep(struct arena *a, const char *s, const char *known)
{
	return streq(s, known) ? known : arena_strdup(a, s);
}

static int by_text(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* Sort, remove repetitions, copy into the arena. */
static const char *const *distinct(struct arena *a, const char **list, size_t *n)
{
	size_t used = 0;
	if (*n > 0)
		qsort(list, *n, sizeof(*list), by_text);
	for (size_t i = 0; i < *n; i++)
		if (used == 0 || !streq(list[i], list[used - 1]))
			list[used++] = list[i];
	const char **out = arena_array(a, used, sizeof(*out));
	for (size_t i = 0; i < used; i++)
		out[i] = arena_strdup(a, list[i]);
	*n = used;
	return out;
}

/* The equal text in such a list, or a copy. */
static const char *find_text(struct arena *a, const char *s, const char *const *list, size_t n)
{
	const char *const *at = n > 0 ? bsearch(&s, list, n, sizeof(*list), by_text) : NULL;
	return at != NULL ? *at : arena_strdup(a, s);
}

static void make_lists(struct builder *b, struct arena *tmp)
{
	struct rulebase *base = b->base;
	size_t total = 0, ntags = 0, ncategories = 0;
	for (size_t i = 0; i < b->in->nquestions; i++)
		total += b->in->questions[i].ntags;
	const char **tags = arena_array(tmp, total, sizeof(*tags));
	const char **categories = arena_array(tmp, b->in->nquestions, sizeof(*categories));
	for (size_t i = 0; i < b->in->nquestions; i++) {
		const struct rules_json_question *q = &b->in->questions[i];
		if (hidden(q) || shown_answers(q) == 0)
			continue;
		categories[ncategories++] = q->category;
		for (size_t k = 0; k < q->ntags; k++)
			tags[ntags++] = q->tags[k];
	}
	base->tags = distinct(b->a, tags, &ntags);
	base->categories = distinct(b->a, categories, &ncategories);
	base->ntags = ntags;
	base->ncategories = ncategories;
}

static void make_entry(struct builder *b, const struct rule_question *q,
    const struct rules_json_answer *from)
{
	struct rule_entry *to = &b->entries[b->base->nanswers];
	const char *before = b->base->nanswers > 0 ? to[-1].last_reviewed : NULL;
	*to = (struct rule_entry){ .question = q, .html = arena_strdup(b->a, from->html),
		.last_reviewed = keep(b->a, from->last_reviewed, before),
		.confidence = arena_strdup(b->a, from->confidence) };
	_Static_assert(sizeof(to->country) == sizeof(from->country), "codes are copied as they are");
	memcpy(to->country, from->country, sizeof(to->country));
	to->text = keep(b->a, from->text, to->html);
	const char **links = NULL;
	if (from->nlinks > 0)
		links = arena_array(b->a, from->nlinks, sizeof(*links));
	for (size_t i = 0; i < from->nlinks; i++)
		links[i] = arena_strdup(b->a, from->links[i]);
	to->links = links;
	to->nlinks = from->nlinks;
	b->base->nanswers++;
}

static void make_question(struct builder *b, const struct rules_json_question *from)
{
	const struct rulebase *base = b->base;
	size_t index = b->base->nquestions++;
	struct rule_question *q = &b->questions[index];
	const char **tags = arena_array(b->a, from->ntags, sizeof(*tags));

	*q = (struct rule_question){ .index = index, .id = arena_strdup(b->a, from->id),
		.category = find_text(b->a, from->category, base->categories, base->ncategories),
		.tags = tags, .ntags = from->ntags, .entries = &b->entries[base->nanswers] };
	q->text = keep(b->a, from->text, q->id);
	q->raw = keep(b->a, from->raw, q->text);
	q->prefix = keep(b->a, from->prefix, "");
	for (size_t i = 0; i < from->ntags; i++)
		tags[i] = find_text(b->a, from->tags[i], base->tags, base->ntags);
	for (size_t i = 0; i < from->nanswers; i++)
		if (*from->answers[i].text != '\0')
			make_entry(b, q, &from->answers[i]);
	q->nentries = base->nanswers - (size_t)(q->entries - b->entries);
}

static int by_country(const void *x, const void *y)
{
	const struct rule_entry *a = *(const struct rule_entry *const *)x;
	const struct rule_entry *b = *(const struct rule_entry *const *)y;
	int c = strcmp(a->country, b->country);
	if (c == 0)
		c = strcasecmp(rule_title(a->question), rule_title(b->question));
	return c != 0 ? c : a->question->index < b->question->index ? -1 : 1;
}

static void make_countries(struct builder *b)
{
	struct rulebase *base = b->base;
	size_t n = base->nanswers;
	const struct rule_entry **sorted = arena_array(b->a, n, sizeof(*sorted));
	for (size_t i = 0; i < n; i++)
		sorted[i] = &b->entries[i];
	qsort(sorted, n, sizeof(*sorted), by_country);
	for (size_t i = 0; i < n; i++)
		base->ncountries += i == 0 || !streq(sorted[i]->country, sorted[i - 1]->country);
	struct rule_country *c = arena_array(b->a, base->ncountries, sizeof(*c));
	base->countries = c--;
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || !streq(sorted[i]->country, sorted[i - 1]->country)) {
			*++c = (struct rule_country){ .entries = &sorted[i] };
			memcpy(c->code, sorted[i]->country, sizeof(c->code));
		}
		c->nentries++;
	}
}

static int by_id(const void *x, const void *y)
{
	const struct rule_question *a = *(const struct rule_question *const *)x;
	const struct rule_question *b = *(const struct rule_question *const *)y;
	return strcmp(a->id, b->id);
}

static void build(struct rulebase *to, const struct rules_json *in, struct arena *tmp)
{
	struct arena *a = to->mem;
	struct builder b = { .a = a, .base = to, .in = in };
	struct rule_facts *facts = &b.base->facts;
	size_t questions = 0, answers = 0;

	*facts = (struct rule_facts){ .questions = in->nquestions, .faults = in->faults };
	for (size_t i = 0; i < in->nquestions; i++) {
		const struct rules_json_question *q = &in->questions[i];
		size_t shown = shown_answers(q);
		facts->answers += q->nanswers;
		facts->blank += q->nanswers - shown;
		facts->ignored += hidden(q);
		questions += !hidden(q);
		answers += hidden(q) ? 0 : shown;
	}
	make_lists(&b, tmp);
	b.base->questions = b.questions = arena_array(a, questions, sizeof(*b.questions));
	b.entries = arena_array(a, answers, sizeof(*b.entries));
	for (size_t i = 0; i < in->nquestions; i++)
		if (!hidden(&in->questions[i]))
			make_question(&b, &in->questions[i]);
	if (answers > 0)
		make_countries(&b);
	const struct rule_question **ids = arena_array(a, questions, sizeof(*ids));
	for (size_t i = 0; i < questions; i++)
		ids[i] = &b.questions[i];
	if (questions > 0)
		qsort(ids, questions, sizeof(*ids), by_id);
	to->by_id = ids;
}

enum errcode rulebase_load(struct rulebase **out, const char *path, struct err *e)
{
	struct arena *tmp = arena_new();
	struct rules_json in;

	*out = NULL;
	enum errcode rc = rules_json_load(&in, tmp, path, e);
	if (rc == OK) {
		struct arena *a = arena_new();
		struct rulebase *b = arena_alloc(a, sizeof(*b));
		b->mem = a;
		build(b, &in, tmp);
		if (b->nanswers > 0) {
			*out = b;
		} else {
			rc = err_set(e, ERR_DATA, "%s: no rule in it: %zu questions, %zu answers, %zu of "
			    "them blank, %zu values of a wrong type", path, in.nquestions,
			    b->facts.answers, b->facts.blank, in.faults);
			arena_free(a);
		}
	}
	arena_free(tmp);
	return rc;
}

void rulebase_free(struct rulebase *b)
{
	if (b != NULL)
		arena_free(b->mem);
}

/* ---- looking up --------------------------------------------------------------------- */

const char *rule_title(const struct rule_question *q)
{
	return *q->text != '\0' ? q->text : q->id;
}

const struct rule_question *rulebase_question(const struct rulebase *b, const char *id)
{
	const struct rule_question key = { .id = id }, *wanted = &key;
	const struct rule_question *const *at = b->nquestions == 0 ? NULL : bsearch(&wanted,
	    b->by_id, b->nquestions, sizeof(*b->by_id), by_id);
	return at != NULL ? *at : NULL;
}

const struct rule_country *rulebase_country(const struct rulebase *b, const char *code)
{
	for (size_t i = 0; i < b->ncountries; i++)
		if (strieq(b->countries[i].code, code))
			return &b->countries[i];
	return NULL;
}

const struct rule_entry *rule_answer(const struct rule_question *q, const char *code)
{
	for (size_t i = 0; i < q->nentries; i++)
		if (strieq(q->entries[i].country, code))
			return &q->entries[i];
	return NULL;
}

bool rule_has_tag(const struct rule_question *q, const char *tag)
{
	for (size_t i = 0; i < q->ntags; i++)
		if (streq(q->tags[i], tag))
			return true;
	return false;
}

const char *rulebase_codes(const struct rulebase *b, struct arena *a)
{
	size_t n = b->ncountries < CODES_LISTED ? b->ncountries : CODES_LISTED;
	char *out = arena_alloc(a, n * (RULE_CODE + 2) + 1), *to = out;
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			to = mempcpy(to, ", ", 2);
		to = mempcpy(to, b->countries[i].code, strlen(b->countries[i].code));
	}
	return n == b->ncountries ? out :
	    arena_printf(a, "%s and %zu more", out, b->ncountries - n);
}
