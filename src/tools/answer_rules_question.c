/*
 * answer_rules_question: the rules of one country that answer a question. They are found by their
 * text; if none fits, by their tags. A whole country is never the answer to a question.
 */
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "rules/retrieve.h"
#include "tools/rules_result.h"

enum { TEXT_BYTES = 4 * 1024 * 1024 };

struct asked {
	const char *country, *question;
	struct tags_asked tags;
};

/* ---- found by their text ------------------------------------------------- */

/* Rounded once, so that the two digits of the text are those of the number beside it. */
static double shown(const struct rule_hit *hit)
{
	return num_round(hit->similarity, 3);
}

static struct json_object *hit_json(struct arena *a, const struct rule_hit *hit,
    const struct rule_entry *entry)
{
	const struct rule_question *q = hit->question;
	char *id = arena_printf(a, "%s_%s", q->id, entry->country);
	struct json_object *o = jsn_new();

	for (char *p = id; (p = strchr(p, ' ')) != NULL;)
		*p = '_';
	jsn_add_str(o, "id", id);
	jsn_add_str(o, "question_id", q->id);
	jsn_add_str(o, "question_text", q->text);
	jsn_add_num(o, "similarity", shown(hit));
	jsn_add_str(o, "country_code", entry->country);
	jsn_add_str(o, "category", q->category);
	jsn_add(o, "tags", rule_texts_json(q->tags, q->ntags));
	jsn_add_str(o, "answer_html", entry->html);
	result_add_source(o, entry);
	return o;
}

static struct json_object *by_meaning(struct arena *a, const struct asked *in,
    const struct rules_found *found)
{
	struct json_object *o = jsn_object(a), *rules = json_object_new_array();
	struct buf text;

	buf_init(&text, TEXT_BYTES);
	for (size_t i = 0; i < found->n; i++) {
		const struct rule_hit *hit = &found->hits[i];
		const struct rule_entry *entry = rule_answer(hit->question, in->country);

		if (entry == NULL)
			continue;
		jsn_push(rules, hit_json(a, hit, entry));
		buf_printf(&text, "%s**Q: %s**\nA: %s\n(relevance: %.2f)", text.n > 0 ? "\n\n" : "",
		    hit->question->text, entry->html, shown(hit));
	}
	jsn_add_bool(o, "found", true);
	jsn_add_str(o, "country_code", in->country);
	jsn_add_int(o, "count", (int64_t)jsn_len(rules));
	jsn_add_str(o, "retrieval_mode", "rag");
	jsn_add(o, "rules", rules);
	jsn_add_str(o, "formatted_text", text.p);
	buf_release(&text);
	return o;
}

/* ---- found by their tags ----------------------------------------------------- */

static struct json_object *by_tags(struct arena *a, const struct asked *in,
    const struct rule_entry *const *entries, size_t n)
{
	struct json_object *o = jsn_object(a);

	jsn_add_bool(o, "found", true);
	jsn_add_str(o, "country_code", in->country);
	jsn_add_int(o, "count", (int64_t)n);
	jsn_add_str(o, "retrieval_mode", "tags");
	result_add_entries(o, a, entries, n, RULES_SHOWN, " with these tags");
	return o;
}

static struct json_object *nothing(struct arena *a, const struct rules_snapshot *set,
    const struct asked *in)
{
	struct json_object *o = jsn_object(a);
	bool has_rules = set != NULL && rulebase_country(set->base, in->country) != NULL;

	jsn_add_bool(o, "found", false);
	jsn_add_str(o, "country_code", in->country);
	jsn_add_int(o, "count", 0);
	jsn_add_str(o, "retrieval_mode", "tags");
	jsn_add_str(o, "message", !has_rules ? rules_none(a, set, in->country)
	    : arena_printf(a, "Not in my rules: I found none recorded for %s that answers this "
	    "question. Countries with rules: %s", rules_country_name(a, in->country),
	    rulebase_codes(set->base, a)));
	result_add_available(o, set);
	return o;
}

/* The rules of the country with the tags of the question, less those that do not mention what an answer must mention. */
static const struct rule_entry *const *tagged(const struct rules_snapshot *set, struct arena *a, const struct asked *in, size_t *n)
{
	const struct rule_filter filter = { .tags = in->tags.tags };
	const uint64_t musts = lexical_musts(a, in->question);
	size_t all = 0;

	*n = 0;
	if (filter.tags.n == 0)
		return NULL;
	const struct rule_entry *const *entry = rules_for_country(set->base, a, in->country, &filter, &all);
	const struct rule_entry **kept = arena_array(a, all + 1, sizeof(*kept));
	for (size_t i = 0; i < all; i++)
		if (lexical_mentions(set->lexical, entry[i]->question, musts, &in->country, 1))
			kept[(*n)++] = entry[i];
	return kept;
}

static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	const struct rules_snapshot *set = rules_of(ctx, a);
	struct asked in = {
		.country = rules_code(a, set, args, "country_code"),
		.question = jsn_get_str(args, "question", ""),
	};
	struct rules_query q = { .question = in.question, .countries = &in.country,
		.ncountries = 1, .watch = ctx->watch, .until_ms = ctx->until_ms,
		.no_model = ctx->no_model, .usage = ctx->usage };
	struct rules_found found;
	const struct rule_entry *const *entries = NULL;
	size_t n = 0;
	enum errcode rc;
	(void)self;

	if (set == NULL || rulebase_country(set->base, in.country) == NULL) {
		*result = nothing(a, set, &in);
		result_add_general(*result, rules_general(set, in.question));
		return OK;
	}
	in.tags = rules_tags_arg(a, set, args);
	q.tags = in.tags.tags.tag;
	q.ntags = in.tags.tags.n;
	rc = rules_retrieve(ctx->rules, set, a, &q, &found, e);
	if (rc != OK)
		return rc;
	if (found.n == 0)
		entries = tagged(set, a, &in, &n);
	*result = found.n > 0 ? by_meaning(a, &in, &found)
	    : n > 0 ? by_tags(a, &in, entries, n) : nothing(a, set, &in);
	result_add_general(*result, found.n > 0 ? found.general : rules_general(set, in.question));
	result_add_unknown_tags(*result, &in.tags);
	return OK;
}

static const struct tool_arg rows[] = {
	ARG_ROW_COUNTRY_CODE,
	{ .name = "question", .type = ARG_STRING, .required = true,
	    .doc = "In full, without the country." },
	ARG_ROW_TAGS,
};

const struct tool tool_answer_rules_question = {
	.name = "answer_rules_question",
	.doc = "Finds what the rules of one country say to a question.",
	.args = rows,
	.nargs = sizeof(rows) / sizeof(rows[0]),
	.domain = TOOL_RULES,
	.ui = TOOL_UI_RULES,
	.result = RESULT_RULES_ANSWER,
	.call = call,
};
