/*
 * Answers, sources and topics of rules as Markdown. A rules file may come from anywhere, so its
 * HTML is read as text without markup, a line of it cannot begin a heading or a list, and a link is
 * a bare web address, so that the reader sees where it leads.
 */
#include "agents/aviation/builtin/writer_rules.h"

#include <ctype.h>
#include <string.h>

#include "agents/aviation/builtin/general_said.h"
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
	return arena_printf(w->mem, "%s%s%s", *date != '\0' ? said(w, rules_reviewed, "date", date) : "",
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
	return wording_list(w->wording, w->mem, names->name, names->n);
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
		phrases_add(&p, rules_term(w, tag));
	}
	return p.n > 0 ? said(w, rules_about, "topics", phrases_join(w, &p)) : "";
}

const char *rules_term(const struct answer *w, const char *name)
{
	return md_text(w->mem, message_term(w->wording, SAY_topic_flight_plan, SAY_category_flight_rules, name), 80);
}

static bool listed(struct json_object *codes, const char *code)
{
	for (size_t i = 0; i < jsn_len(codes); i++)
		if (jsn_is(jsn_at(codes, i), json_type_string) &&
		    streq(json_object_get_string(jsn_at(codes, i)), code))
			return true;
	return false;
}

bool rules_general_tells(const struct answer *w)
{
	const struct general_rule *g = general_rule_named(jsn_get_str(jsn_get(w->result, "general_rule"), "id", ""));
	struct json_object *countries = jsn_get(w->result, "countries");
	bool holds = g != NULL && *g->law != '\0' &&
	    (general_rule_state(g) != NULL || general_rule_force(g, jsn_get_str(w->result, "country_code", "")) != GENERAL_FOREIGN);

	for (size_t i = 0; g != NULL && *g->law != '\0' && i < jsn_len(countries); i++) {
		struct json_object *code = jsn_at(countries, i);
		holds |= jsn_is(code, json_type_string) && general_rule_force(g, json_object_get_string(code)) != GENERAL_FOREIGN;
	}
	return holds;
}

bool rules_general_said(const struct answer *w)
{
	const struct general_rule *g = general_rule_named(jsn_get_str(jsn_get(w->result, "general_rule"), "id", ""));

	if (g == NULL)
		return false;
	const bool again = *w->general == g;
	*w->general = g;
	buf_puts(w->out, (again ? general_said_again : general_said)(w->wording, w->mem, g, jsn_get_str(w->result, "country_code", NULL)));
	return true;
}

void rules_nothing(const struct answer *w, const char *country)
{
	struct json_object *known = jsn_get(w->result, "available_countries");
	const char *why = tool_said(w, "message");
	const bool general = rules_general_said(w), has_rules = listed(known, jsn_get_str(w->result, "country_code", ""));

	if (general)
		buf_putc(w->out, '\n');
	if (country != NULL && general)
		put_line(w, rules_not_of_country, "country", country);
	else if (country != NULL && has_rules)
		put_line(w, rules_none_recorded, "country", country);
	else if (country != NULL && jsn_len(known) > 0)
		put_line(w, rules_no_country, "country", country, "countries", rules_names(w, known));
	else if (*why != '\0')
		buf_printf(w->out, "%s\n", md_text(w->mem, why, 1000));
	else
		put_line(w, rules_nothing);
	if (general) {
		buf_putc(w->out, '\n');
		put_line(w, general_note);
	} else if (country != NULL) {
		buf_putc(w->out, '\n');
		put_line(w, rules_check, "country", country);
	}
}

void rules_note(const struct answer *w)
{
	buf_putc(w->out, '\n');
	put_line(w, rules_note);
}
