/*
 * compare_rules_between_countries: the differences between the rules of some countries.
 *
 * The result has one of two shapes, as in the original service: measured by vectors, or without
 * vectors. Members that only we have follow after the others: the source of each answer, and what
 * has no answer.
 *
 * A turn keeps its result until the answer is written, and a thousand turns may wait. So data that
 * appears twice is one object with two owners: an answer's text and links, a question's text, the
 * countries, and `comparison.differences` as a whole.
 */
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "rules/compare.h"
#include "tools/rules_comparison.h"
#include "tools/rules_result.h"

enum { CONTEXT_BYTES = 4 * 1024 * 1024, MISSING_MAX = 100 };

/* The arguments and the result so far. */
struct comparing {
	const struct rules_snapshot *set;
	const char **countries;               /* the countries of the question, each once */
	size_t ncountries;
	const char **known, **unknown;        /* those with rules, and those without */
	size_t nknown, nunknown;
	struct tags_asked tags;
	struct json_object *tags_given;       /* NULL: none */
	const char *question;                 /* NULL: none */
	struct rules_compared found;
	/* the members that the original service has without embeddings: a site without a provider has them always,
	 * with built-in vectors too */
	bool texts;
};

static bool listed(const char *const *list, size_t n, const char *code)
{
	for (size_t i = 0; i < n; i++)
		if (streq(list[i], code))
			return true;
	return false;
}

static void read_args(struct comparing *c, struct arena *a, struct json_object *args)
{
	struct json_object *list = jsn_get(args, "countries");
	size_t n = jsn_len(list);

	c->countries = arena_array(a, n + 1, sizeof(*c->countries));
	c->known = arena_array(a, n + 1, sizeof(*c->known));
	c->unknown = arena_array(a, n + 1, sizeof(*c->unknown));
	for (size_t i = 0; i < n; i++) {
		const char *code = rules_country(a, c->set,
		    json_object_get_string(jsn_at(list, i)));

		if (*code == '\0' || listed(c->countries, c->ncountries, code))
			continue;
		c->countries[c->ncountries++] = code;
		if (c->set != NULL && rulebase_country(c->set->base, code) != NULL)
			c->known[c->nknown++] = code;
		else
			c->unknown[c->nunknown++] = code;
	}
	c->tags_given = jsn_get(args, "tags");
	if (c->set != NULL)
		c->tags = rules_tags_arg(a, c->set, args);
	c->question = jsn_get_str(args, "question", NULL);
	if (c->question != NULL && str_trim(str_of(c->question)).n == 0)
		c->question = NULL;
}

/* ---- differences ------------------------------------------------------------- */

/* {"answer","links"}, the parts shared. */
static struct json_object *answer_json(struct json_object *text, struct json_object *source)
{
	struct json_object *o = jsn_new();

	jsn_add(o, "answer", jsn_ref(text));
	jsn_add(o, "links", jsn_ref(jsn_get(source, "links")));
	return o;
}

/* The object of the original service; without vectors also with the members of its other shape.
 * `sources` is filled: {code: {links, last_reviewed}}. */
static struct json_object *difference_json(const struct comparing *c,
    const struct rule_difference *d, struct json_object *countries, struct json_object *sources)
{
	const struct rule_question *q = d->question;
	struct json_object *o = jsn_new(), *answers = jsn_new(), *text = jsn_str(q->text);

	jsn_add_str(o, "question_id", q->id);
	jsn_add(o, "question_text", text);
	jsn_add_str(o, "category", q->category);
	jsn_add(o, "tags", rule_texts_json(q->tags, q->ntags));
	jsn_add_num(o, "difference_score", num_round(d->score, 3));
	jsn_add(o, "countries", jsn_ref(countries));
	jsn_add(o, "answers", answers);
	if (c->texts)
		jsn_add(o, "question", jsn_ref(text));
	for (size_t i = 0; i < c->nknown; i++) {
		const struct rule_entry *entry = rule_answer(q, c->known[i]);
		struct json_object *source, *answer;

		if (entry == NULL)
			continue;
		source = jsn_new();
		result_add_source(source, entry);
		jsn_add(sources, entry->country, source);
		answer = jsn_str(entry->html);
		jsn_add(answers, entry->country, answer);
		if (c->texts)
			jsn_add(o, entry->country, answer_json(answer, source));
	}
	return o;
}

/* `differences`, and with each the sources of its answers. */
struct shown {
	struct json_object *differences, *sources;     /* fresh references */
};

static struct shown shown_of(const struct comparing *c, struct json_object *countries)
{
	struct shown s = { json_object_new_array(), json_object_new_array() };

	for (size_t i = 0; i < c->found.n; i++) {
		struct json_object *sources = jsn_new();

		jsn_push(s.differences, difference_json(c, &c->found.differences[i], countries,
		    sources));
		jsn_push(s.sources, sources);
	}
	return s;
}

static struct json_object *missing_of(const struct comparing *c)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < c->found.nincomplete && i < MISSING_MAX; i++) {
		const struct rule_question *q = c->found.incomplete[i];
		struct json_object *o = jsn_new(), *countries = json_object_new_array();

		for (size_t k = 0; k < c->nknown; k++)
			if (rule_answer(q, c->known[k]) == NULL)
				jsn_push(countries, jsn_str(c->known[k]));
		jsn_add_str(o, "question_id", q->id);
		jsn_add_str(o, "question_text", q->text);
		jsn_add(o, "countries", countries);
		jsn_push(list, o);
	}
	return list;
}

/* ---- the text for the writer of the answer ---------------------------------- */

static void put_list(struct buf *b, const char *const *texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_printf(b, "%s%s", i > 0 ? ", " : "", texts[i]);
}

/* An answer takes one line; `end` replaces the ends of its own lines. */
static void put_line(struct buf *b, const char *text, const char *end)
{
	while (*text != '\0') {
		size_t n = strcspn(text, "\r\n"), blank;

		buf_put(b, text, n);
		blank = strspn(text + n, "\r\n \t");
		text += n + blank;
		if (blank > 0 && *text != '\0')
			buf_puts(b, end);
	}
}

static void put_difference(struct buf *b, const struct comparing *c, size_t i)
{
	const struct rule_difference *d = &c->found.differences[i];

	buf_printf(b, "%s\n### %zu. ", i > 0 ? "\n" : "", i + 1);
	put_line(b, d->question->text, " ");
	buf_puts(b, "\nTags: ");
	put_list(b, d->question->tags, d->question->ntags);
	buf_printf(b, "\nSemantic difference score: %.2f\n\n", d->score);
	for (size_t k = 0; k < c->nknown; k++) {
		const struct rule_entry *entry = rule_answer(d->question, c->known[k]);

		if (entry == NULL)
			continue;
		buf_printf(b, "**%s**: ", entry->country);
		put_line(b, entry->text, " / ");
		buf_putc(b, '\n');
	}
}

static size_t missing(const struct comparing *c, const char *country)
{
	size_t n = 0;

	for (size_t i = 0; i < c->found.nincomplete; i++)
		n += rule_answer(c->found.incomplete[i], country) == NULL;
	return n;
}

static void put_missing(struct buf *b, const struct comparing *c)
{
	if (c->found.nincomplete == 0 && c->nunknown == 0)
		return;
	buf_printf(b, "%s\n### Not recorded\n", b->n > 0 ? "\n" : "");
	for (size_t i = 0; i < c->nknown; i++) {
		size_t n = missing(c, c->known[i]);

		if (n > 0)
			buf_printf(b, "**%s**: no answer recorded to %zu of the %zu questions "
			    "compared\n", c->known[i], n, c->found.total);
	}
	for (size_t i = 0; i < c->nunknown; i++)
		buf_printf(b, "**%s**: no rules recorded\n", c->unknown[i]);
}

static const char *context_of(struct arena *a, const struct comparing *c)
{
	struct buf b;
	const char *text;

	buf_init(&b, CONTEXT_BYTES);
	for (size_t i = 0; i < c->found.n; i++)
		put_difference(&b, c, i);
	put_missing(&b, c);
	text = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return text;
}

static const char *message_of(struct arena *a, const struct comparing *c)
{
	const char *said, *known = rule_texts_joined(a, c->known, c->nknown);

	if (c->set == NULL)
		return rules_none(a, NULL, "");
	if (c->nknown < 2)
		said = arena_printf(a, "A comparison needs the rules of two countries at least%s%s. "
		    "Available countries: %s.",
		    c->nknown == 1 ? ", and only this one has some: " : "", known,
		    rulebase_codes(c->set->base, a));
	else if (c->found.total == 0)
		said = arena_printf(a, "None of the rules of %s answers this question.", known);
	else if (c->found.n == 0)
		said = arena_printf(a, "Comparison between %s complete: the answers to the %zu "
		    "questions compared hardly differ.", known, c->found.total);
	else
		said = arena_printf(a, "Comparison between %s complete. Questions compared: %zu; "
		    "shown: %zu%s.", known, c->found.total, c->found.n,
		    c->found.filtered ? ", those with the most different answers" : "");
	if (c->nunknown == 0)
		return said;
	return arena_printf(a, "%s No rules found for %s.%s%s", said,
	    rule_texts_joined(a, c->unknown, c->nunknown),
	    c->nknown < 2 ? "" : " Available countries: ",
	    c->nknown < 2 ? "" : rulebase_codes(c->set->base, a));
}

/* ---- results ----------------------------------------------------------------- */

static void add_asked(struct json_object *o, const struct comparing *c, bool found)
{
	jsn_add_bool(o, "found", found);
	jsn_add(o, "countries", rule_texts_json(c->countries, c->ncountries));
	jsn_add(o, "tags", jsn_ref(c->tags_given));
}

static void add_totals(struct json_object *o, const struct comparing *c)
{
	jsn_add_int(o, "total_questions", (int64_t)c->found.total);
	jsn_add_int(o, "questions_analyzed", (int64_t)c->found.n);
}

static void add_end(struct json_object *o, const char *message)
{
	jsn_add_str(o, "message", message);
	jsn_add_str(o, "_tool_type", "comparison");
}

/* What the original service does not have. */
static void add_more(struct json_object *o, const struct comparing *c,
    struct json_object *sources)
{
	jsn_add(o, "sources", sources);
	jsn_add(o, "missing_answers", missing_of(c));
	if (c->nunknown > 0)
		jsn_add(o, "unknown_countries", rule_texts_json(c->unknown, c->nunknown));
	result_add_unknown_tags(o, &c->tags);
}

static struct json_object *by_vectors(struct arena *a, const struct comparing *c)
{
	struct json_object *o = jsn_object(a);
	struct shown s;

	add_asked(o, c, true);
	s = shown_of(c, jsn_get(o, "countries"));
	add_totals(o, c);
	jsn_add_bool(o, "filtered_by_embedding", c->found.filtered);
	jsn_add(o, "differences", s.differences);
	jsn_add_str(o, "rules_context", context_of(a, c));
	jsn_add_int(o, "total_differences", (int64_t)c->found.n);
	add_end(o, message_of(a, c));
	add_more(o, c, s.sources);
	return o;
}

static struct json_object *with_texts(struct arena *a, const struct comparing *c)
{
	struct json_object *o = jsn_object(a);
	struct shown s;

	add_asked(o, c, true);
	s = shown_of(c, jsn_get(o, "countries"));
	jsn_add(o, "comparison", rules_comparison_json(a, c->found.questions, c->found.total,
	    c->known, c->nknown, s.differences));
	jsn_add(o, "differences", s.differences);
	jsn_add_str(o, "rules_context", context_of(a, c));
	jsn_add_int(o, "total_differences", (int64_t)c->found.n);
	jsn_add_bool(o, "filtered_by_embedding", false);
	add_end(o, message_of(a, c));
	add_totals(o, c);
	add_more(o, c, s.sources);
	return o;
}

static struct json_object *not_done(struct arena *a, const struct comparing *c,
    const char *message)
{
	struct json_object *o = jsn_object(a);

	add_asked(o, c, false);
	jsn_add(o, "differences", json_object_new_array());
	jsn_add_int(o, "total_differences", 0);
	add_end(o, message);
	result_add_available(o, c->set);
	return o;
}

static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	struct comparing c = { .set = rules_of(ctx, a) };
	struct rules_comparing q;
	enum errcode rc;
	(void)self;

	read_args(&c, a, args);
	if (c.set == NULL || !rules_config(ctx->rules)->options->compare) {
		*result = not_done(a, &c, c.set == NULL ? rules_none(a, NULL, "")
		    : "Comparing the rules of countries is switched off here; ask for one country.");
		return OK;
	}
	q = (struct rules_comparing){
		.countries = c.known, .ncountries = c.nknown, .tags = c.tags.tags,
		.question = c.question, .watch = ctx->watch, .until_ms = ctx->until_ms,
		.no_model = ctx->no_model, .usage = ctx->usage,
	};
	rc = rules_compare(ctx->rules, c.set, a, &q, &c.found, e);
	c.texts = !c.found.vectors || c.set->vectors->encoder != NULL;
	if (rc == OK)
		*result = c.texts ? with_texts(a, &c) : by_vectors(a, &c);
	if (rc == OK)
		result_add_general(*result, c.found.general);
	return rc;
}

static const struct tool_arg rows[] = {
	{ .name = "countries", .type = ARG_STRINGS, .required = true,
	    .doc = "Two or more." },
	ARG_ROW_TAGS,
	{ .name = "question", .type = ARG_STRING,
	    .doc = "What to compare, without the countries." },
};

const struct tool tool_compare_rules_between_countries = {
	.name = "compare_rules_between_countries",
	.doc = "Compares the rules of two or more countries.",
	.args = rows,
	.nargs = sizeof(rows) / sizeof(rows[0]),
	.domain = TOOL_RULES,
	.ui = TOOL_UI_RULES,
	.result = RESULT_RULES_COMPARISON,
	.call = call,
};
