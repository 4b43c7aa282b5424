/*
 * Filters over lists that the base has sorted already. Nothing is cached here: a country has some
 * fifty rules.
 */
#include "rules/rule_filter.h"

#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "rules/rule_html.h"

enum {
	SHOWN_TEXT = 200,             /* characters of an answer in rules_display() */
	SHOWN_LINKS = 2,
	SHOWN_RULES = 20,             /* without groups */
};

/* If both are requested, the first alone is meant. */
static const struct {
	const char *tag, *takes_out;
} suppressed[] = {
	{ "vfr_ifr_transition", "vfr" },
	{ "vfr_ifr_transition", "ifr" },
	{ "ifr", "vfr" },
};

static bool has(const char *const *list, size_t n, const char *s)
{
	for (size_t i = 0; i < n; i++)
		if (streq(list[i], s))
			return true;
	return false;
}

struct rule_tags rule_tags(struct arena *a, const char *const *tags, size_t n)
{
	const char **all = arena_array(a, n, sizeof(*all)), **out;
	size_t nall = 0, nout = 0;
	for (size_t i = 0; i < n; i++) {
		const char *tag = tags[i] != NULL ? rule_tag(a, tags[i]) : "";
		if (*tag != '\0')
			all[nall++] = tag;
	}
	out = arena_array(a, nall, sizeof(*out));
	for (size_t i = 0; i < nall; i++) {
		bool out_of_it = false;
		for (size_t k = 0; k < sizeof(suppressed) / sizeof(suppressed[0]); k++)
			out_of_it |= streq(all[i], suppressed[k].takes_out) &&
			    has(all, nall, suppressed[k].tag);
		if (!out_of_it)
			out[nout++] = all[i];
	}
	return (struct rule_tags){ out, nout };
}

static bool has_any(const struct rule_question *q, struct rule_tags tags)
{
	for (size_t i = 0; i < tags.n; i++)
		if (rule_has_tag(q, tags.tag[i]))
			return true;
	return tags.n == 0;
}

/* Accents are ignored too: "Zurich" also finds the name with an umlaut. */
static bool contains(struct arena *tmp, const char *text, const char *folded)
{
	return strstr(str_fold(tmp, text), folded) != NULL;
}

const struct rule_entry *const *rules_for_country(const struct rulebase *b, struct arena *a,
    const char *country, const struct rule_filter *f, size_t *n)
{
	static const struct rule_filter all;
	const struct rule_country *c = rulebase_country(b, country);
	size_t total = c != NULL ? c->nentries : 0;
	const struct rule_entry **out = arena_array(a, total, sizeof(*out));
	struct arena *tmp = arena_new();

	if (f == NULL)
		f = &all;
	const char *category = f->category != NULL ? str_fold(tmp, f->category) : NULL;
	const char *search = f->search != NULL ? str_fold(tmp, f->search) : NULL;
	*n = 0;
	for (size_t i = 0; i < total; i++) {
		const struct rule_entry *entry = c->entries[i];
		const struct rule_question *q = entry->question;
		if (has_any(q, f->tags) &&
		    (category == NULL || contains(tmp, q->category, category)) &&
		    (search == NULL || contains(tmp, rule_title(q), search) ||
		     contains(tmp, entry->text, search)))
			out[(*n)++] = entry;
	}
	arena_free(tmp);
	return out;
}

const struct rule_question *const *rules_by_tags(const struct rulebase *b, struct arena *a,
    struct rule_tags tags, size_t *n)
{
	const struct rule_question **out = arena_array(a, b->nquestions, sizeof(*out));
	*n = 0;
	for (size_t i = 0; i < b->nquestions; i++)
		if (has_any(&b->questions[i], tags))
			out[(*n)++] = &b->questions[i];
	return out;
}

/* ---- Markdown ---------------------------------------------------------------------- */

/* The beginning of a text on one line, with dots only if text follows. */
static void put_short(struct buf *b, struct arena *a, const char *text)
{
	const char *shown = rule_clip(a, text, SHOWN_TEXT);
	for (const char *p = shown; *p != '\0'; p++)
		buf_putc(b, *p == '\n' || *p == '\t' ? ' ' : *p);
	if (shown != text)
		buf_puts(b, "...");
}

static void put_rule(struct buf *b, struct arena *a, const struct rule_entry *entry, bool links)
{
	buf_printf(b, "%s\n• **%s**\n  ", b->n > 0 ? "\n" : "", rule_title(entry->question));
	put_short(b, a, entry->text);
	for (size_t i = 0; links && i < entry->nlinks && i < SHOWN_LINKS; i++)
		buf_printf(b, "%s%s", i == 0 ? "\n  📎 Links: " : ", ", entry->links[i]);
}

static void put_group(struct buf *b, struct arena *a, const struct rule_entry *const *entries,
    size_t n, const char *category)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		count += streq(entries[i]->question->category, category);
	buf_printf(b, "%s\n**%s** (%zu rules):", b->n > 0 ? "\n" : "", category, count);
	for (size_t i = 0; i < n; i++)
		if (streq(entries[i]->question->category, category))
			put_rule(b, a, entries[i], true);
}

/* The next category in code-point order; NULL: there is none. */
static const char *next_category(const struct rule_entry *const *entries, size_t n,
    const char *last)
{
	const char *next = NULL;
	for (size_t i = 0; i < n; i++) {
		const char *category = entries[i]->question->category;
		if ((last == NULL || strcmp(category, last) > 0) &&
		    (next == NULL || strcmp(category, next) < 0))
			next = category;
	}
	return next;
}

const char *rules_display(struct arena *a, const struct rule_entry *const *entries, size_t n,
    bool grouped)
{
	struct buf b;
	if (n == 0)
		return "No rules match this request.";
	buf_init(&b, SIZE_MAX / 2);
	if (grouped) {
		for (const char *c = NULL; (c = next_category(entries, n, c)) != NULL;)
			put_group(&b, a, entries, n, c);
	} else {
		for (size_t i = 0; i < n && i < SHOWN_RULES; i++)
			put_rule(&b, a, entries[i], false);
		if (n > SHOWN_RULES)
			buf_printf(&b, "\n\n%zu more rules are not shown.", n - SHOWN_RULES);
	}
	const char *out = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return out;
}
