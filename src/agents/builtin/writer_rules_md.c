/*
 * Answers, sources and topics of rules as Markdown. A rules file may come from anywhere: its
 * HTML is read as text and escaped, a line of it cannot begin a heading or a list, and a link
 * leads where it says, to a web address.
 */
#include "agents/builtin/writer_rules.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "rules/ruletext.h"

enum { LINKS = 3, HOST_BYTES = 80, URL_BYTES = 1000, DATE_BYTES = 30, LINE_BYTES = 4000 };

/* At most max bytes of a text, cut between words. */
static const char *cut(struct arena *a, const char *text, size_t max)
{
	size_t n = strlen(text);
	if (n <= max)
		return text;
	n = utf8_cut(text, n, max);
	for (size_t k = n; k > max / 2; k--)
		if (isspace((unsigned char)text[k - 1])) {
			n = k - 1;
			break;
		}
	return arena_printf(a, "%.*s …", (int)n, text);
}

/* Would it begin a heading, a list, a quotation or a rule? */
static bool opens_block(const char *text)
{
	size_t n = strspn(text, "0123456789");
	return strchr("#->+=|", *text) != NULL || (n > 0 && (text[n] == '.' || text[n] == ')'));
}

/* A line that may stand at the beginning of one. */
static const char *line_text(const struct answer *w, const char *line)
{
	const char *text = md_text(w->mem, line, LINE_BYTES);
	size_t n = strspn(text, "0123456789");
	if (*text == '\0' || !opens_block(text))
		return text;
	return arena_printf(w->mem, "%.*s\\%s", (int)n, text, text + n);
}

void rules_quote(const struct answer *w, const char *html, size_t max)
{
	const char *text = cut(w->mem, rule_plain(w->mem, html), max);
	while (*text != '\0') {
		size_t n = strcspn(text, "\n");
		const char *line = line_text(w, arena_strndup(w->mem, text, n));
		text += n + (text[n] == '\n');
		/* two blanks keep what follows on a line of its own */
		buf_printf(w->out, "> %s%s\n", line, *text != '\0' && *line != '\0' ? "  " : "");
	}
}

const char *rules_short(const struct answer *w, const char *html, size_t max)
{
	return md_text(w->mem, cut(w->mem, rule_plain(w->mem, html), max), LINE_BYTES);
}

/* ---- sources ---------------------------------------------------------------------------- */

/* Where an address leads: without user name and path, as it must not look like another. */
static const char *host_of(struct arena *a, const char *url)
{
	const char *p = strstr(url, "://") + 3;
	size_t n = strcspn(p, "/?#\\");
	const char *at = memrchr(p, '@', n);
	if (at != NULL) {
		n -= (size_t)(at + 1 - p);
		p = at + 1;
	}
	return md_text(a, arena_strndup(a, p, n), HOST_BYTES);
}

/* "[caa.example](https://caa.example/x)"; NULL: not a web address. */
static const char *link_text(struct arena *a, const char *url)
{
	bool web = (starts_with(url, "http://") || starts_with(url, "https://")) && rule_link_ok(url);
	if (!web || strlen(url) > URL_BYTES || *host_of(a, url) == '\0')
		return NULL;
	char *safe = arena_alloc(a, 3 * strlen(url) + 1), *to = safe;
	for (const char *p = url; *p != '\0'; p++) {
		static const char hex[] = "0123456789ABCDEF";
		unsigned char c = (unsigned char)*p;
		if (c > ' ' && strchr("()<>[]\\`*\"", c) == NULL) {
			*to++ = *p;
			continue;
		}
		*to++ = '%';
		*to++ = hex[c >> 4];
		*to++ = hex[c & 15];
	}
	return arena_printf(a, "[%s](%s)", host_of(a, url), safe);
}

static const char *links_text(struct arena *a, struct json_object *links)
{
	const char *text = "";
	size_t n = 0;
	for (size_t i = 0; i < jsn_len(links) && n < LINKS; i++) {
		struct json_object *v = jsn_at(links, i);
		const char *one = jsn_is(v, json_type_string)
		    ? link_text(a, json_object_get_string(v)) : NULL;
		if (one != NULL)
			text = arena_printf(a, "%s%s%s", text, n++ > 0 ? ", " : "", one);
	}
	return text;
}

const char *rules_source(const struct answer *w, struct json_object *rule)
{
	const char *date = md_text(w->mem, jsn_get_str(rule, "last_reviewed", ""), DATE_BYTES);
	const char *links = links_text(w->mem, jsn_get(rule, "links"));
	return arena_printf(w->mem, "%s%s%s%s", *date != '\0' ? "last reviewed " : "", date,
	    *date != '\0' && *links != '\0' ? " · " : "", links);
}

/* ---- words -------------------------------------------------------------------------------- */

void rules_name(const struct answer *w, struct rules_names *names, const char *code)
{
	const char *name = md_country(w->mem, code);
	if (name != NULL && names->n < RULES_NAMES)
		names->name[names->n++] = name;
}

const char *rules_join(const struct answer *w, const struct rules_names *names)
{
	const char *text = "";
	for (size_t i = 0; i < names->n; i++)
		text = arena_printf(w->mem, "%s%s%s", text,
		    i == 0 ? "" : i + 1 < names->n ? ", " : " and ", names->name[i]);
	return text;
}

const char *rules_names(const struct answer *w, struct json_object *codes)
{
	struct rules_names names = { .n = 0 };
	for (size_t i = 0; i < jsn_len(codes); i++)
		if (jsn_is(jsn_at(codes, i), json_type_string))
			rules_name(w, &names, json_object_get_string(jsn_at(codes, i)));
	return rules_join(w, &names);
}

const char *rules_topics(const struct answer *w)
{
	struct json_object *tags = jsn_get(w->args, "tags");
	struct phrases p = { .n = 0 };
	for (size_t i = 0; i < jsn_len(tags); i++) {
		struct json_object *v = jsn_at(tags, i);
		if (!jsn_is(v, json_type_string))
			continue;
		char *tag = arena_strdup(w->mem, json_object_get_string(v));
		for (char *c = tag; *c != '\0'; c++)
			*c = *c == '_' ? ' ' : *c;
		phrases_add(&p, md_text(w->mem, tag, 60));
	}
	return p.n > 0 ? arena_printf(w->mem, " about %s", phrases_join(w->mem, &p)) : "";
}

void rules_nothing(const struct answer *w, const char *country)
{
	const char *why = jsn_get_str(w->result, "message", "");
	buf_printf(w->out, "%s\n", *why != '\0' ? md_text(w->mem, why, 1000)
	    : "There is nothing about this in my rules.");
	if (country != NULL)
		buf_printf(w->out, "\nPlease check the AIP of %s, ask in other words (I understand English "
		    "best), or ask about another topic or country.\n", country);
}

void rules_note(const struct answer *w)
{
	buf_puts(w->out, "\nRules change, and practice can differ: check the AIP before you fly.\n");
}
