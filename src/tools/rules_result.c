/*
 * Shared parts of the rules tools.
 */
#include "tools/rules_result.h"

#include <string.h>

#include "airports/countries.h"
#include "base/str.h"
#include "rules/retrieve.h"
#include "rules/rule_html.h"

enum { NAME_MAX_CHARS = 60 };     /* bytes of an unknown country that are shown */

const struct rules_snapshot *rules_of(const struct tool_context *ctx, struct arena *a)
{
	if (ctx == NULL)
		return NULL;
	return ctx->seen != NULL ? rules_view(ctx->seen) : rules_use(ctx->rules, a);
}

/* ---- arguments --------------------------------------------------------------- */

const char *rules_country(struct arena *a, const struct rules_snapshot *set, const char *text)
{
	struct str trimmed = str_trim(str_of(text));
	char *upper = arena_strndup(a, trimmed.p != NULL ? trimmed.p : "", trimmed.n);
	const struct country *c = country_by_code(upper);

	str_upper(upper);
	if (set != NULL && rulebase_country(set->base, upper) != NULL)
		return upper;
	if (c == NULL)
		c = country_by_name(str_fold(a, upper));
	return c != NULL ? c->code : rule_clip(a, upper, NAME_MAX_CHARS);
}

const char *rules_code(struct arena *a, const struct rules_snapshot *set, struct json_object *args,
    const char *name)
{
	return rules_country(a, set, jsn_get_str(args, name, ""));
}

static bool base_has_tag(const struct rulebase *b, const char *tag)
{
	for (size_t i = 0; i < b->ntags; i++)
		if (streq(b->tags[i], tag))
			return true;
	return false;
}

struct tags_asked rules_tags_arg(struct arena *a, const struct rules_snapshot *set,
    struct json_object *args)
{
	struct json_object *list = jsn_get(args, "tags");
	size_t n = jsn_len(list), nknown = 0;
	const char **known = arena_array(a, n + 1, sizeof(*known));
	const char **unknown = arena_array(a, n + 1, sizeof(*unknown));
	struct tags_asked out = { .unknown = unknown };

	for (size_t i = 0; i < n; i++) {
		const char *tag = json_object_get_string(jsn_at(list, i));

		if (tag == NULL)
			continue;
		if (base_has_tag(set->base, rule_tag(a, tag)))
			known[nknown++] = tag;
		else
			unknown[out.nunknown++] = tag;
	}
	out.tags = rule_tags(a, known, nknown);
	return out;
}

/* ---- results ----------------------------------------------------------------- */

const char *rule_texts_joined(struct arena *a, const char *const *texts, size_t n)
{
	const char *joined = "";

	for (size_t i = 0; i < n; i++)
		joined = arena_printf(a, "%s%s%s", joined, i > 0 ? ", " : "", texts[i]);
	return joined;
}

struct json_object *rule_texts_json(const char *const *texts, size_t n)
{
	/* most texts are short, and a result may have a thousand of them */
	struct json_object *list = json_object_new_array_ext((int)(n > 0 ? n : 1));

	for (size_t i = 0; i < n; i++)
		jsn_push(list, jsn_str(texts[i]));
	return list;
}

void result_add_unknown_tags(struct json_object *result, const struct tags_asked *tags)
{
	if (tags->nunknown > 0)
		jsn_add(result, "unknown_tags", rule_texts_json(tags->unknown, tags->nunknown));
}

void result_add_source(struct json_object *o, const struct rule_entry *entry)
{
	jsn_add(o, "links", rule_texts_json(entry->links, entry->nlinks));
	jsn_add_str(o, "last_reviewed", entry->last_reviewed);
}

struct json_object *rule_confidence_json(struct arena *a, const struct rule_entry *entry)
{
	struct json_object *v = NULL;
	const char *text = entry->confidence;

	if (text == NULL || jsn_parse(a, text, strlen(text), JSN_DEPTH, &v, NULL, NULL) != OK)
		return NULL;
	return jsn_ref(v);
}

struct json_object *rule_entry_json(struct arena *a, const struct rule_entry *entry)
{
	const struct rule_question *q = entry->question;
	struct json_object *o = jsn_new();

	jsn_add_str(o, "question_id", q->id);
	jsn_add_str(o, "question_text", q->text);
	jsn_add_str(o, "question_raw", q->raw);
	jsn_add_str(o, "question_prefix", q->prefix);
	jsn_add_str(o, "category", q->category);
	jsn_add(o, "tags", rule_texts_json(q->tags, q->ntags));
	jsn_add_str(o, "country_code", entry->country);
	jsn_add_str(o, "answer_html", entry->html);
	result_add_source(o, entry);
	jsn_add(o, "confidence", rule_confidence_json(a, entry));
	return o;
}

/* ---- words ------------------------------------------------------------------- */

const char *rules_country_name(struct arena *a, const char *code)
{
	const struct country *c = country_by_code(code);

	return c != NULL ? arena_printf(a, "%s (%s)", c->name, code) : code;
}

const char *rules_none(struct arena *a, const struct rules_snapshot *set, const char *country)
{
	if (set == NULL)
		return "No country rules are loaded here, so there is nothing to look them up in.";
	return arena_printf(a, "No rules found for %s. Available countries: %s",
	    rules_country_name(a, country), rulebase_codes(set->base, a));
}

void result_add_available(struct json_object *result, const struct rules_snapshot *set)
{
	if (set == NULL)
		return;
	struct json_object *codes = json_object_new_array();
	for (size_t i = 0; i < set->base->ncountries; i++)
		jsn_push(codes, jsn_str(set->base->countries[i].code));
	jsn_add(result, "available_countries", codes);
}

void result_add_general(struct json_object *result, const struct general_rule *g)
{
	if (g == NULL)
		return;
	const struct general_text said = general_rule_text(g, "en");
	struct json_object *o = jsn_new();
	jsn_add_str(o, "id", g->id);
	jsn_add_str(o, "title", said.title);
	jsn_add_str(o, "text", said.text);
	jsn_add_str(o, "law", g->law);
	jsn_add_str(o, "paragraph", g->paragraph);
	jsn_add_str(o, "aip_section", g->aip);
	jsn_add(result, "general_rule", o);
}

void result_add_entries(struct json_object *result, struct arena *a,
    const struct rule_entry *const *entries, size_t n, size_t max, const char *which)
{
	struct json_object *rules = json_object_new_array();
	size_t shown = n < max ? n : max;
	const char *text = rules_display(a, entries, shown, true);

	for (size_t i = 0; i < shown; i++)
		jsn_push(rules, rule_entry_json(a, entries[i]));
	if (n > shown)
		text = arena_printf(a, "%s\n\n... and %zu more%s", text, n - shown, which);
	jsn_add(result, "rules", rules);
	jsn_add_str(result, "formatted_text", text);
}
