/*
 * Rules, as they are written: quoted, with their country, date and sources, and nothing added. The
 * nearest rule is quoted in full, the others in short. If no rule answers the question, the answer
 * says so.
 */
#include "agents/aviation/builtin/writer_rules.h"

#include <string.h>

#include "base/str.h"

enum { ANSWER_BYTES = 1600, SHORT_BYTES = 260, QUESTION_BYTES = 300, MORE_RULES = 4,
	TAGGED_RULES = 8 };

/* Below this the best rule is only near the question. Others are shown if they are near the best
 * one. */
static const double sure = 0.5, beside = 0.6;

static const char *country_of(const struct answer *w)
{
	const char *name = md_country(w, jsn_get_str(w->result, "country_code", NULL));
	return name != NULL && *name != '\0' ? name : said(w, rules_this_country);
}

static const char *question_of(const struct answer *w, struct json_object *rule)
{
	return md_text(w->mem, jsn_get_str(rule, "question_text", ""), QUESTION_BYTES);
}

/* "- **question** answer (source)" */
static void write_short(const struct answer *w, struct json_object *rule)
{
	const char *source = rules_source(w, rule);
	buf_printf(w->out, "- **%s** %s", question_of(w, rule),
	    rules_short(w, jsn_get_str(rule, "answer_html", ""), SHORT_BYTES));
	if (*source != '\0')
		buf_printf(w->out, " (%s)", source);
	buf_putc(w->out, '\n');
}

/* ---- an answer ------------------------------------------------------------------------ */

static void write_best(const struct answer *w, struct json_object *rule)
{
	const char *source = rules_source(w, rule);
	bool near = jsn_get_num(rule, "similarity", 1) < sure;
	if (near) {
		if (rules_general_tells(w) && rules_general_said(w))
			buf_putc(w->out, '\n');
		buf_printf(w->out, "%s\n\n", said(w, rules_near, "country", country_of(w)));
	}
	buf_printf(w->out, "**%s: %s**\n\n", country_of(w), question_of(w, rule));
	rules_quote(w, jsn_get_str(rule, "answer_html", ""), ANSWER_BYTES);
	if (*source != '\0')
		buf_printf(w->out, "\n(%s)\n", source);
	if (!near && rules_general_tells(w)) {
		buf_putc(w->out, '\n');
		(void)rules_general_said(w);
	}
}

static void write_found(const struct answer *w, struct json_object *rules)
{
	struct json_object *best = jsn_at(rules, 0);
	double least = jsn_get_num(best, "similarity", 0) * beside;
	size_t shown = 0;

	write_best(w, best);
	for (size_t i = 1; i < jsn_len(rules) && shown < MORE_RULES; i++) {
		struct json_object *rule = jsn_at(rules, i);
		if (jsn_get_num(rule, "similarity", 0) < least)
			continue;
		if (shown++ == 0)
			buf_printf(w->out, "\n%s\n\n", said(w, rules_related));
		write_short(w, rule);
	}
}

static void write_tagged(const struct answer *w, struct json_object *rules)
{
	size_t n = jsn_len(rules);
	int64_t count = jsn_get_int(w->result, "count", (int64_t)n);

	if (rules_general_tells(w) && rules_general_said(w))
		buf_putc(w->out, '\n');
	buf_printf(w->out, "%s\n\n", said(w, rules_only_tagged, "country", country_of(w),
	    "topics", rules_topics(w)));
	for (size_t i = 0; i < n && i < TAGGED_RULES; i++)
		write_short(w, jsn_at(rules, i));
	if (count > TAGGED_RULES) {
		buf_putc(w->out, '\n');
		put_line(w, rules_more_see, "rules", md_count(w, (double)(count - TAGGED_RULES)));
	}
}

void write_rules_answer(const struct answer *w)
{
	struct json_object *rules = jsn_get(w->result, "rules");

	if (!jsn_get_bool(w->result, "found", false) || jsn_len(rules) == 0) {
		rules_nothing(w, country_of(w));
		return;
	}
	if (streq(jsn_get_str(w->result, "retrieval_mode", "rag"), "tags"))
		write_tagged(w, rules);
	else
		write_found(w, rules);
	rules_note(w);
}

/* ---- a page ------------------------------------------------------------------------------ */

static void write_page_head(const struct answer *w, size_t n, int64_t total, int64_t offset)
{
	const char *page = said_n(w, rules_page, (double)total, "country", country_of(w), "topics", rules_topics(w));
	if ((int64_t)n < total)
		put_line(w, rules_page_part, "page", page, "first", md_count(w, (double)(offset + 1)),
		    "last", md_count(w, (double)(offset + (int64_t)n)));
	else
		put_line(w, rules_page_whole, "page", page);
}

/* The rules of a page by category, in the order in which the categories first come. */
static void write_categories(const struct answer *w, struct json_object *rules)
{
	size_t n = jsn_len(rules);

	for (size_t i = 0; i < n; i++) {
		const char *category = jsn_get_str(jsn_at(rules, i), "category", "");
		bool known = false;

		for (size_t k = 0; k < i && !known; k++)
			known = streq(jsn_get_str(jsn_at(rules, k), "category", ""), category);
		if (known)
			continue;
		buf_printf(w->out, "\n**%s**\n\n",
		    *category != '\0' ? rules_term(w, category) : said(w, rules_category_other));
		for (size_t k = i; k < n; k++)
			if (streq(jsn_get_str(jsn_at(rules, k), "category", ""), category))
				write_short(w, jsn_at(rules, k));
	}
}

void write_rules_page(const struct answer *w)
{
	struct json_object *rules = jsn_get(w->result, "rules");
	size_t n = jsn_len(rules);
	int64_t total = jsn_get_int(w->result, "total", (int64_t)n);
	int64_t offset = jsn_get_int(w->result, "offset", 0);

	if (!jsn_get_bool(w->result, "found", false)) {
		rules_nothing(w, country_of(w));
		return;
	}
	if (n == 0) {
		put_line(w, rules_page_end, "country", country_of(w), "topics", rules_topics(w),
		    "rules", md_count(w, (double)total));
		return;
	}
	write_page_head(w, n, total, offset);
	write_categories(w, rules);
	if (offset + (int64_t)n < total) {
		buf_putc(w->out, '\n');
		put_line(w, rules_more_go, "rules", md_count(w, (double)(total - offset - (int64_t)n)));
	}
	rules_note(w);
}

/* ---- the older tools ----------------------------------------------------------------- */

void write_rules_answers(const struct answer *w)
{
	struct json_object *list = jsn_get(w->result, "questions");

	if (jsn_len(list) == 0) {
		rules_nothing(w, NULL);
		return;
	}
	for (size_t i = 0; i < jsn_len(list); i++) {
		struct json_object *q = jsn_at(list, i);
		buf_printf(w->out, "%s**%s**\n\n", i > 0 ? "\n" : "", question_of(w, q));
		JSN_EACH(jsn_get(q, "answers"), it) {
			const char *source = rules_source(w, it.val);
			buf_printf(w->out, "- **%s**: %s", md_country(w, it.key),
			    rules_short(w, jsn_get_str(it.val, "answer_html", ""), ANSWER_BYTES));
			buf_printf(w->out, *source != '\0' ? " (%s)\n" : "%s\n", source);
		}
	}
	rules_note(w);
}

/* "airspace (18), flight_plan (9)" */
static void write_counts(const struct answer *w, const char *head, struct json_object *list)
{
	buf_printf(w->out, "%s\n\n", head);
	for (size_t i = 0; i < jsn_len(list); i++) {
		int64_t n = jsn_get_int(jsn_at(list, i), "count", 0);
		put_line_n(w, rules_questions, (double)n, "name", rules_term(w, jsn_get_str(jsn_at(list, i), "name", "")));
	}
	buf_putc(w->out, '\n');
}

void write_rules_subjects(const struct answer *w)
{
	if (!jsn_get_bool(w->result, "found", false)) {
		rules_nothing(w, NULL);
		return;
	}
	write_counts(w, said(w, rules_head_categories), jsn_get(w->result, "categories"));
	write_counts(w, said(w, rules_head_topics), jsn_get(w->result, "tags"));
}

void write_rules_countries(const struct answer *w)
{
	struct json_object *list = jsn_get(w->result, "countries");

	if (jsn_len(list) == 0) {
		rules_nothing(w, NULL);
		return;
	}
	buf_printf(w->out, "%s\n\n", said(w, rules_head_countries));
	for (size_t i = 0; i < jsn_len(list); i++) {
		struct json_object *c = jsn_at(list, i);
		const char *code = jsn_get_str(c, "code", ""), *name = message_country(w->wording, code);
		put_line(w, rules_of_country, "country",
		    name != NULL ? name : md_text(w->mem, jsn_get_str(c, "name", ""), 80),
		    "code", md_text(w->mem, code, 10), "rules", md_count(w, (double)jsn_get_int(c, "rules", 0)));
	}
}
