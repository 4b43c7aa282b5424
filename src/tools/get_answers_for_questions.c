/*
 * get_answers_for_questions: the answers to questions whose ids are known.
 */
#include "base/str.h"
#include "tools/rules_result.h"

/* The countries of the question, by code; n 0: all. */
struct codes {
	const char **code;
	size_t n;
};

static struct codes codes_of(struct arena *a, const struct rules_snapshot *set,
    struct json_object *args)
{
	struct json_object *list = jsn_get(args, "countries");
	struct codes c = { arena_array(a, jsn_len(list) + 1, sizeof(*c.code)), jsn_len(list) };

	for (size_t i = 0; i < c.n; i++)
		c.code[i] = rules_country(a, set, json_object_get_string(jsn_at(list, i)));
	return c;
}

static bool wanted(const struct codes *c, const char *code)
{
	for (size_t i = 0; i < c->n; i++)
		if (streq(c->code[i], code))
			return true;
	return c->n == 0;
}

static struct json_object *question_json(struct arena *a, const struct rule_question *q,
    const struct codes *c)
{
	struct json_object *o = jsn_new(), *answers = jsn_new();

	for (size_t i = 0; i < q->nentries; i++) {
		const struct rule_entry *entry = &q->entries[i];
		struct json_object *answer;

		if (!wanted(c, entry->country))
			continue;
		answer = jsn_new();
		jsn_add_str(answer, "answer_html", entry->html);
		result_add_source(answer, entry);
		jsn_add(answer, "confidence", rule_confidence_json(a, entry));
		jsn_add(answers, entry->country, answer);
	}
	jsn_add_str(o, "question_id", q->id);
	jsn_add_str(o, "question_text", q->text);
	jsn_add_str(o, "category", q->category);
	jsn_add(o, "tags", rule_texts_json(q->tags, q->ntags));
	jsn_add(o, "answers", answers);
	return o;
}

static bool seen(const char *const *ids, size_t n, const char *id)
{
	for (size_t i = 0; i < n; i++)
		if (streq(ids[i], id))
			return true;
	return false;
}

static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	const struct rules_snapshot *set = rules_of(ctx, a);
	struct json_object *o = jsn_object(a), *list = jsn_get(args, "question_ids");
	struct json_object *questions = json_object_new_array();
	struct codes codes = codes_of(a, set, args);
	const char **ids = arena_array(a, jsn_len(list) + 1, sizeof(*ids));
	const char **unknown = arena_array(a, jsn_len(list) + 1, sizeof(*unknown));
	size_t n = 0, nunknown = 0;
	(void)self;
	(void)e;

	for (size_t i = 0; i < jsn_len(list); i++) {
		const char *id = json_object_get_string(jsn_at(list, i));
		const struct rule_question *q;

		if (id == NULL || seen(ids, n, id))
			continue;
		ids[n++] = id;
		q = set != NULL ? rulebase_question(set->base, id) : NULL;
		if (q != NULL)
			jsn_push(questions, question_json(a, q, &codes));
		else
			unknown[nunknown++] = id;
	}
	jsn_add_bool(o, "found", jsn_len(questions) > 0);
	if (set == NULL)
		jsn_add_str(o, "message", rules_none(a, NULL, ""));
	else if (jsn_len(questions) == 0)
		jsn_add_str(o, "message", "No question has such an id.");
	jsn_add(o, "questions", questions);
	if (nunknown > 0)
		jsn_add(o, "unknown_ids", rule_texts_json(unknown, nunknown));
	*result = o;
	return OK;
}

static const struct tool_arg rows[] = {
	{ .name = "question_ids", .type = ARG_STRINGS, .required = true,
	    .doc = "Ids of questions, as other results name them (question_id)." },
	{ .name = "countries", .type = ARG_STRINGS,
	    .doc = "ISO-2 codes of the countries whose answers to give; all when left out." },
};

const struct tool tool_get_answers_for_questions = {
	.name = "get_answers_for_questions",
	.doc = "Get the answers of some or all countries to questions known by their ids.",
	.args = rows,
	.nargs = sizeof(rows) / sizeof(rows[0]),
	.older = true,
	.domain = TOOL_RULES,
	.ui = TOOL_UI_RULES,
	.result = RESULT_RULES_ANSWERS,
	.call = call,
};
