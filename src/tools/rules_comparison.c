/*
 * The comparison object of the original service: counts, texts that are not equal, and a summary.
 */
#include "tools/rules_comparison.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "rules/rule_html.h"
#include "tools/rules_result.h"

enum {
	SUMMARY_DIFFERENCES = 5, SUMMARY_ONLY = 3, SUMMARY_CHARS = 100,
	SUMMARY_BYTES = 64 * 1024,
};

/* The questions that are compared, and what was counted. */
struct sides {
	const char *const *countries;
	size_t n;
	const struct rule_question **questions;       /* by id */
	size_t nquestions;
	const struct rule_question **differing;
	size_t ndiffering;
	size_t *answers, *only;                       /* of each country */
	size_t common;
};

static int by_id(const void *pa, const void *pb)
{
	const struct rule_question *a = *(const struct rule_question *const *)pa;
	const struct rule_question *b = *(const struct rule_question *const *)pb;

	return strcmp(a->id, b->id);
}

static bool same_text(const struct rule_entry *a, const struct rule_entry *b)
{
	struct str x = str_trim(str_of(a->html)), y = str_trim(str_of(b->html));

	return x.n == y.n && memcmp(x.p, y.p, x.n) == 0;
}

/* The one country that has an answer which no other has; n: none or several. */
static size_t only_country(const struct sides *s, const struct rule_question *q)
{
	size_t only = s->n;

	for (size_t i = 0; i < s->n; i++) {
		if (rule_answer(q, s->countries[i]) == NULL)
			continue;
		if (only < s->n)
			return s->n;
		only = i;
	}
	return only;
}

static void count(struct sides *s, const struct rule_question *q)
{
	const struct rule_entry *first = NULL;
	size_t answers = 0, only = only_country(s, q);
	bool differ = false;

	for (size_t i = 0; i < s->n; i++) {
		const struct rule_entry *entry = rule_answer(q, s->countries[i]);

		if (entry == NULL)
			continue;
		answers++;
		s->answers[i]++;
		differ |= first != NULL && !same_text(first, entry);
		first = first != NULL ? first : entry;
	}
	s->common += answers == s->n;
	if (only < s->n)
		s->only[only]++;
	if (differ)
		s->differing[s->ndiffering++] = q;
}

/* ---- the list ---------------------------------------------------------------- */

/* The object of a question among those shown; NULL: it is not among them. */
static struct json_object *shown_of(struct json_object *shown, const struct rule_question *q)
{
	for (size_t i = 0; i < jsn_len(shown); i++) {
		struct json_object *o = jsn_at(shown, i);

		if (streq(jsn_get_str(o, "question_id", NULL), q->id))
			return o;
	}
	return NULL;
}

static struct json_object *differences_of(const struct sides *s, struct json_object *shown)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < s->ndiffering; i++) {
		struct json_object *o = shown_of(shown, s->differing[i]);

		if (o != NULL)
			jsn_push(list, jsn_ref(o));
	}
	return list;
}

/* ---- the summary ------------------------------------------------------------- */

/* The beginning of a text, with dots when there is more. */
static const char *in_one_line(struct arena *a, const char *text)
{
	const char *clipped = rule_clip(a, text, SUMMARY_CHARS);
	char *line = arena_printf(a, "%s%s", clipped,
	    strlen(clipped) < strlen(text) ? "..." : "");

	for (char *p = line; *p != '\0'; p++)
		if (*p == '\n')
			*p = ' ';
	return line;
}

static void summarize_differences(struct buf *b, struct arena *a, const struct sides *s)
{
	size_t n = s->ndiffering < SUMMARY_DIFFERENCES ? s->ndiffering : SUMMARY_DIFFERENCES;

	if (n > 0)
		buf_printf(b, "\n\n**Different answers** (%zu):", s->ndiffering);
	for (size_t i = 0; i < n; i++) {
		buf_printf(b, "\n\n**%s**", s->differing[i]->text);
		for (size_t k = 0; k < s->n; k++) {
			const struct rule_entry *entry =
			    rule_answer(s->differing[i], s->countries[k]);

			if (entry != NULL)
				buf_printf(b, "\n- %s: %s", s->countries[k],
				    in_one_line(a, entry->text));
		}
	}
	if (s->ndiffering > n)
		buf_printf(b, "\n\n%zu more differences", s->ndiffering - n);
}

static void summarize_only(struct buf *b, const struct sides *s, size_t country)
{
	size_t n = 0;

	if (s->only[country] == 0)
		return;
	buf_printf(b, "\n\n**Only in %s** (%zu):", s->countries[country], s->only[country]);
	for (size_t i = 0; i < s->nquestions && n < SUMMARY_ONLY; i++)
		if (only_country(s, s->questions[i]) == country) {
			buf_printf(b, "\n- %s", s->questions[i]->text);
			n++;
		}
	if (s->only[country] > n)
		buf_printf(b, "\n- %zu more", s->only[country] - n);
}

static const char *summary(struct arena *a, const struct sides *s)
{
	struct buf b;
	const char *text;

	buf_init(&b, SUMMARY_BYTES);
	buf_puts(&b, "**Rules of ");
	for (size_t i = 0; i < s->n; i++)
		buf_printf(&b, "%s%s", i > 0 ? " and " : "", s->countries[i]);
	buf_puts(&b, " compared**");
	summarize_differences(&b, a, s);
	for (size_t i = 0; i < s->n; i++)
		summarize_only(&b, s, i);
	text = arena_strndup(a, b.p, utf8_cut(b.p, b.n, b.n));
	buf_release(&b);
	return text;
}

/* ---- the object -------------------------------------------------------------- */

static struct json_object *counts_json(const struct sides *s, const size_t *counts)
{
	struct json_object *o = jsn_new();

	for (size_t i = 0; i < s->n; i++)
		jsn_add_int(o, s->countries[i], (int64_t)counts[i]);
	return o;
}

static void add_counts_of_two(struct json_object *o, const struct sides *s)
{
	jsn_add_str(o, "country1", s->countries[0]);
	jsn_add_str(o, "country2", s->countries[1]);
	jsn_add_int(o, "total_rules_country1", (int64_t)s->answers[0]);
	jsn_add_int(o, "total_rules_country2", (int64_t)s->answers[1]);
	jsn_add_int(o, "common_rules", (int64_t)s->common);
	jsn_add_int(o, "only_in_country1", (int64_t)s->only[0]);
	jsn_add_int(o, "only_in_country2", (int64_t)s->only[1]);
}

static void add_counts(struct json_object *o, const struct sides *s)
{
	jsn_add(o, "countries", rule_texts_json(s->countries, s->n));
	jsn_add(o, "total_rules", counts_json(s, s->answers));
	jsn_add_int(o, "common_rules", (int64_t)s->common);
	jsn_add(o, "only_in", counts_json(s, s->only));
}

struct json_object *rules_comparison_json(struct arena *a,
    const struct rule_question *const *questions, size_t n, const char *const *countries,
    size_t ncountries, struct json_object *shown)
{
	struct json_object *o = jsn_new();
	struct sides s = { .countries = countries, .n = ncountries, .nquestions = n };

	if (ncountries < 2) {
		jsn_add(o, "differences", json_object_new_array());
		return o;
	}
	s.questions = arena_array(a, n + 1, sizeof(*s.questions));
	s.differing = arena_array(a, n + 1, sizeof(*s.differing));
	s.answers = arena_array(a, ncountries, sizeof(*s.answers));
	s.only = arena_array(a, ncountries, sizeof(*s.only));
	for (size_t i = 0; i < n; i++)
		s.questions[i] = questions[i];
	qsort(s.questions, n, sizeof(*s.questions), by_id);
	for (size_t i = 0; i < n; i++)
		count(&s, s.questions[i]);
	if (ncountries == 2)
		add_counts_of_two(o, &s);
	else
		add_counts(o, &s);
	jsn_add(o, "differences", differences_of(&s, shown));
	jsn_add_int(o, "differences_count", (int64_t)s.ndiffering);
	jsn_add_str(o, "summary", summary(a, &s));
	return o;
}
