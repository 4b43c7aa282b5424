/*
 * Answers, sources and topics of rules as Markdown. A rules file may come from anywhere, so its
 * HTML is read as text without markup, a line of it cannot begin a heading or a list, and a link is
 * a bare web address, so that the reader sees where it leads.
 */
#include "agents/aviation/builtin/writer_rules.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "base/url.h"
#include "rules/rule_html.h"

enum { LINKS = 3, URL_BYTES = 1000, DATE_BYTES = 30, LINE_BYTES = 4000 };

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

void rules_quote(const struct answer *w, const char *html, size_t max)
{
	const char *text = cut(w->mem, rule_plain(w->mem, html), max);
	bool gap = false;            /* an empty line was skipped */

	for (bool first = true; *text != '\0';) {
		size_t n = strcspn(text, "\n");
		const char *line = md_line(w->mem, arena_strndup(w->mem, text, n), LINE_BYTES);
		text += n + (text[n] == '\n');
		if (*line != '\0') {
			/* two blanks keep the next line on a line of its own */
			buf_puts(w->out, first ? "" : gap ? "\n\n" : "  \n");
			buf_puts(w->out, line);
			first = false;
		}
		gap = *line == '\0';
	}
	buf_putc(w->out, '\n');
}

const char *rules_short(const struct answer *w, const char *html, size_t max)
{
	return md_text(w->mem, cut(w->mem, rule_plain(w->mem, html), max), LINE_BYTES);
}

/* ---- sources ---------------------------------------------------------------------------- */

/* The address after "https://". Without a user name, because that could look like the host of
 * another site. */
static const char *behind_user(const char *url)
{
	const char *host = strstr(url, "://") + 3;
	const char *at = memrchr(host, '@', strcspn(host, "/?#\\"));
	return at != NULL ? at + 1 : host;
}

/* "https://caa.example/x", without a character that ends an address or is markup. NULL: it is not a
 * web address. */
static const char *link_text(struct arena *a, const char *url)
{
	bool web = (starts_with(url, "http://") || starts_with(url, "https://")) && rule_link_ok(url);
	if (!web || strlen(url) > URL_BYTES || strchr("/?#", *behind_user(url)) != NULL)
		return NULL;
	char *safe = arena_alloc(a, 3 * strlen(url) + 1), *to = safe;
	to = mempcpy(to, url, (size_t)(strstr(url, "://") + 3 - url));
	for (const char *p = behind_user(url); *p != '\0'; p++) {
		if ((unsigned char)*p > ' ' && strchr("()<>[]\\`*\"", *p) == NULL)
			*to++ = *p;
		else
			to = url_encode_byte(to, *p);
	}
	return safe;
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
	const char *name = md_country(w, code);
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
	return p.n > 0 ? arena_printf(w->mem, " about %s", phrases_join(w, &p)) : "";
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
