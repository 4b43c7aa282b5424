/*
 * Countries side by side: question by question, each country with its answer. Countries with the
 * same answer share a line. The distance between answers only orders them; as a number it would
 * mean nothing to a pilot.
 */
#include "agents/aviation/builtin/writer_rules.h"

#include <string.h>

#include "base/str.h"
#include "rules/rule_html.h"

enum { QUESTIONS = 8, ANSWER_BYTES = 420, QUESTION_BYTES = 300, MISSING = 3, NAMED = 6, OTHERS = 4 };

/* The answer of a country to difference i; NULL: none recorded. */
static const char *answer_of(struct json_object *difference, const char *code)
{
	const char *text = jsn_get_str(jsn_get(difference, "answers"), code, NULL);
	return text != NULL && *text != '\0' ? text : NULL;
}

static const char *code_at(struct json_object *codes, size_t i)
{
	struct json_object *v = jsn_at(codes, i);
	return jsn_is(v, json_type_string) ? json_object_get_string(v) : "";
}

static bool listed(struct json_object *codes, const char *code)
{
	for (size_t i = 0; i < jsn_len(codes); i++)
		if (streq(code_at(codes, i), code))
			return true;
	return false;
}

/* The words that count: "Yes." and "yes" are the same answer. NULL: there is no answer. */
static const char *gist_of(const struct answer *w, struct json_object *difference,
    const char *code)
{
	const char *html = answer_of(difference, code);
	if (html == NULL)
		return NULL;
	char *text = str_fold(w->mem, rule_plain(w->mem, html));
	size_t n = strlen(text);
	while (n > 0 && strchr(" .!\n", text[n - 1]) != NULL)
		text[--n] = '\0';
	return text;
}

/* "- **France and Italy**: answer (source)"; the source is that of the first. */
static void write_answer(const struct answer *w, struct json_object *difference,
    struct json_object *sources, struct json_object *codes, const char *const *gist, size_t nth)
{
	const char *source = rules_source(w, jsn_get(sources, code_at(codes, nth)));
	struct rules_names names = { .n = 0 };

	for (size_t i = nth; i < jsn_len(codes); i++)
		if (streq(gist[i], gist[nth]))
			rules_name(w, &names, code_at(codes, i));
	say(w, compare_answer, "countries", rules_join(w, &names),
	    "answer", rules_short(w, answer_of(difference, code_at(codes, nth)), ANSWER_BYTES));
	buf_printf(w->out, *source != '\0' ? " (%s)\n" : "%s\n", source);
}

static void write_silent(const struct answer *w, struct json_object *difference,
    struct json_object *codes)
{
	struct json_object *unknown = jsn_get(w->result, "unknown_countries");
	struct rules_names names = { .n = 0 };
	for (size_t i = 0; i < jsn_len(codes); i++) {
		const char *code = code_at(codes, i);
		if (answer_of(difference, code) == NULL && !listed(unknown, code))
			rules_name(w, &names, code);
	}
	if (names.n > 0)
		put_line(w, compare_silent, "countries", rules_join(w, &names));
}

static void write_difference(const struct answer *w, struct json_object *difference,
    struct json_object *sources)
{
	struct json_object *codes = jsn_get(w->result, "countries");
	const char **gist = arena_array(w->mem, jsn_len(codes) + 1, sizeof(*gist));
	buf_printf(w->out, "%s**%s**\n\n", w->out->n > 0 ? "\n" : "",
	    md_text(w->mem, jsn_get_str(difference, "question_text", ""), QUESTION_BYTES));
	for (size_t i = 0; i < jsn_len(codes); i++)
		gist[i] = gist_of(w, difference, code_at(codes, i));
	for (size_t i = 0; i < jsn_len(codes); i++) {
		bool said = gist[i] == NULL;
		for (size_t k = 0; k < i && !said; k++)
			said = streq(gist[k], gist[i]);
		if (!said)
			write_answer(w, difference, sources, codes, gist, i);
	}
	write_silent(w, difference, codes);
}

/* Questions that only some of the countries answer, besides those that are shown. */
static void write_missing(const struct answer *w)
{
	struct json_object *list = jsn_get(w->result, "missing_answers");
	struct json_object *shown = jsn_get(w->result, "differences");
	size_t n = 0, left = 0;
	for (size_t i = 0; i < jsn_len(list); i++) {
		struct json_object *q = jsn_at(list, i);
		const char *id = jsn_get_str(q, "question_id", "");
		bool told = false;
		for (size_t k = 0; k < jsn_len(shown) && k < QUESTIONS && !told; k++)
			told = streq(jsn_get_str(jsn_at(shown, k), "question_id", ""), id);
		if (told)
			continue;
		if (n == MISSING) {
			left++;
			continue;
		}
		if (n++ == 0)
			buf_printf(w->out, "\n%s\n\n", said(w, compare_missing_head));
		put_line(w, compare_missing, "question",
		    md_text(w->mem, jsn_get_str(q, "question_text", ""), QUESTION_BYTES),
		    "countries", rules_names(w, jsn_get(q, "countries")));
	}
	if (left > 0)
		put_line(w, compare_missing_more, "questions", md_count(w, (double)left));
}

static void write_unknown(const struct answer *w)
{
	struct json_object *unknown = jsn_get(w->result, "unknown_countries");
	if (jsn_len(unknown) > 0) {
		buf_putc(w->out, '\n');
		put_line(w, compare_unknown, "countries", rules_names(w, unknown));
	}
}

/* Nothing differs, or nothing could be compared. */
static void write_none(const struct answer *w)
{
	int64_t total = jsn_get_int(w->result, "total_questions", 0);
	struct json_object *with_rules = jsn_get(w->result, "available_countries");
	const char *why = tool_said(w, "message");
	size_t known = jsn_len(jsn_get(w->result, "countries")) -
	    jsn_len(jsn_get(w->result, "unknown_countries"));
	if (known < 2 && jsn_len(with_rules) > 0) {
		put_line(w, compare_needs_two, "countries", rules_names(w, with_rules));
		return;
	}
	if (total == 0 && known >= 2) {
		struct rules_names names = { .n = 0 };
		for (size_t i = 0; i < jsn_len(jsn_get(w->result, "countries")); i++) {
			const char *code = code_at(jsn_get(w->result, "countries"), i);
			if (!listed(jsn_get(w->result, "unknown_countries"), code))
				rules_name(w, &names, code);
		}
		const char *countries = rules_join(w, &names);
		const bool general = rules_general_said(w);
		if (general)
			buf_putc(w->out, '\n');
		put_line(w, compare_unanswered, "countries", countries);
		if (general)
			put_line(w, general_note);
		else
			put_line(w, rules_check, "country", countries);
		write_unknown(w);
		return;
	}
	if (known < 2) {
		buf_printf(w->out, "%s\n", *why != '\0' ? md_text(w->mem, why, 1000) : said(w, compare_nothing));
		return;
	}
	put_line_n(w, compare_alike, (double)total, "countries", rules_names(w, jsn_get(w->result, "countries")),
	    "topics", rules_topics(w));
	write_missing(w);
	write_unknown(w);
	rules_note(w);
}

/* Is it a question whose answer the pilot wants, and not how the countries differ? */
static bool wants_answer(const struct answer *w)
{
	return *jsn_get_str(w->args, "question", "") != '\0' && !md_asks(w, " compare| comparison| compared"
	    "| differ| versus | vs | contrast| same ");
}

/* The answer of the countries to the question comes first; it is the first of the list. */
static void write_asked(const struct answer *w, struct json_object *list, size_t shown)
{
	struct json_object *sources = jsn_get(w->result, "sources");

	write_difference(w, jsn_at(list, 0), jsn_at(sources, 0));
	if (shown > 1) {
		buf_putc(w->out, '\n');
		put_line(w, compare_others, "topics", rules_topics(w));
	}
	for (size_t i = 1; i < shown && i < OTHERS; i++)
		write_difference(w, jsn_at(list, i), jsn_at(sources, i));
}

void write_rules_comparison(const struct answer *w)
{
	struct json_object *list = jsn_get(w->result, "differences");
	size_t n = jsn_len(list), shown = n < QUESTIONS ? n : QUESTIONS;
	int64_t total = jsn_get_int(w->result, "total_questions", (int64_t)n);

	if (n == 0) {
		write_none(w);
		return;
	}
	if (wants_answer(w)) {
		if (rules_general_tells(w))
			(void)rules_general_said(w);
		write_asked(w, list, shown);
		write_missing(w);
		write_unknown(w);
		rules_note(w);
		return;
	}
	struct json_object *codes = jsn_get(w->result, "countries");
	const char *countries = jsn_len(codes) > NAMED
	    ? said(w, compare_many, "countries", md_count(w, (double)jsn_len(codes))) : rules_names(w, codes);
	if (total > (int64_t)shown)
		put_line(w, compare_head_part, "countries", countries, "topics", rules_topics(w),
		    "shown", md_count(w, (double)shown), "all", md_count(w, (double)total));
	else
		put_line(w, compare_head, "countries", countries, "topics", rules_topics(w));
	for (size_t i = 0; i < shown; i++)
		write_difference(w, jsn_at(list, i), jsn_at(jsn_get(w->result, "sources"), i));
	write_missing(w);
	write_unknown(w);
	rules_note(w);
}
