/*
 * All rules of a country as JSON, printed straight from the rule base, without a tree in between, because
 * they are many.
 */
#include "edges/rules_page.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/jsn.h"
#include "base/str.h"

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

size_t rules_page_print(struct buf *b, struct arena *a, const struct rules_snapshot *set, const char *code)
{
	const struct rule_country *c = set != NULL ? rulebase_country(set->base, code) : NULL;
	const struct rule_entry **sorted = NULL;
	const size_t n = c != NULL ? c->nentries : 0;

	if (n > 0) {
		sorted = arena_array(a, n, sizeof(*sorted));
		memcpy(sorted, c->entries, n * sizeof(*sorted));
		qsort(sorted, n, sizeof(*sorted), by_category);
	}
	put_country(b, str_upper_copy(a, code, strlen(code)), sorted, n);
	return n;
}
