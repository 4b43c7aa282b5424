/*
 * The answer is printed straight from the rule base, without a tree in between, because it is large
 * and a map may ask for several countries at once.
 *
 * A country that is not known has no rules, and that is a normal answer (200): clients draw an
 * empty panel. While no rules are loaded the answer is the same, but must not be cached.
 */
#include "edges/api.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "edges/params.h"
#include "rules/rules.h"

static const struct param code_param = { "country_code", PARAM_TEXT, PARAM_VERBATIM, .min = 2, .max = 3 };

enum {
	MAX_AGE_S = 60,
	ANSWER_MAX = 64 << 20,
};

/* ---- rules ------------------------------------------------------------------------- */

/* Sort categories by their name in lower case, and their questions by what they are called. */
static int by_category(const void *x, const void *y)
{
	const struct rule_question *a = (*(const struct rule_entry *const *)x)->question;
	const struct rule_question *b = (*(const struct rule_entry *const *)y)->question;
	int c = strcasecmp(a->category, b->category);
	if (c == 0)
		c = strcmp(a->category, b->category);
	if (c == 0)
		c = strcmp(rule_title(a), rule_title(b));
	return c != 0 ? c : a->index < b->index ? -1 : a->index > b->index;
}

/* `name` is printed before the value: the member's name and its punctuation. */
static void put_member(struct buf *b, const char *name, const char *value)
{
	buf_puts(b, name);
	if (value != NULL)
		jsn_print_str(b, value);
	else
		buf_puts(b, "null");
}

static void put_list(struct buf *b, const char *name, const char *const *list, size_t n)
{
	buf_puts(b, name);
	for (size_t i = 0; i < n; i++)
		put_member(b, i > 0 ? "," : "", list[i]);
	buf_putc(b, ']');
}

static void put_rule(struct buf *b, const struct rule_entry *x)
{
	const struct rule_question *q = x->question;
	put_member(b, "{\"question_id\":", q->id);
	put_member(b, ",\"question_text\":", q->text);
	put_member(b, ",\"category\":", q->category);
	put_list(b, ",\"tags\":[", q->tags, q->ntags);
	put_member(b, ",\"answer_html\":", x->html);
	put_list(b, ",\"links\":[", x->links, x->nlinks);
	put_member(b, ",\"last_reviewed\":", x->last_reviewed);
	buf_puts(b, ",\"confidence\":");
	buf_puts(b, x->confidence != NULL ? x->confidence : "null");
	buf_putc(b, '}');
}

static void put_category(struct buf *b, const char *name, const struct rule_entry *const *entries,
    size_t n)
{
	put_member(b, "{\"name\":", name);
	buf_printf(b, ",\"count\":%zu,\"rules\":[", n);
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			buf_putc(b, ',');
		put_rule(b, entries[i]);
	}
	buf_puts(b, "]}");
}

static void put_country(struct buf *b, const char *code, const struct rule_entry *const *entries,
    size_t n)
{
	put_member(b, "{\"country\":", code);
	buf_printf(b, ",\"total_rules\":%zu,\"categories\":[", n);
	for (size_t i = 0, end; i < n; i = end) {
		const char *category = entries[i]->question->category;
		for (end = i + 1; end < n && streq(entries[end]->question->category, category);)
			end++;
		if (i > 0)
			buf_putc(b, ',');
		put_category(b, category, entries + i, end - i);
	}
	buf_puts(b, "]}");
}

void api_rules(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	(void)rt;
	if (!params_path(r, w, &code_param, r->arg))
		return;
	const struct rules_snapshot *set = rules_use(e->parts.rules, r->mem);
	const struct rule_country *c = set != NULL ? rulebase_country(set->base, r->arg) : NULL;
	const struct rule_entry **sorted = NULL;
	struct buf b;

	const size_t n = c != NULL ? c->nentries : 0;
	if (n > 0) {
		sorted = arena_array(r->mem, n, sizeof(*sorted));
		memcpy(sorted, c->entries, n * sizeof(*sorted));
		qsort(sorted, n, sizeof(*sorted), by_category);
	}
	buf_init(&b, ANSWER_MAX);
	put_country(&b, str_upper_copy(r->mem, r->arg, strlen(r->arg)), sorted, n);
	if (set != NULL)
		http_fieldf(w, "Cache-Control", "max-age=%d", MAX_AGE_S);
	else
		http_field(w, "Cache-Control", "no-store");
	if (http_begin(w, 200, "application/json", (int64_t)b.n) == OK &&
	    http_put(w, b.p, b.n) == OK)
		http_end(w);
	buf_release(&b);
}
