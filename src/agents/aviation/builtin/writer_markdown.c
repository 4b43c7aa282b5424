/*
 * Words, numbers and names as Markdown.
 *
 * Names come from public data and arguments from users, so both may be hostile. A character that
 * has a meaning in Markdown or HTML is replaced by one that looks like it. Control characters become
 * blanks, and direction overrides are removed. Backslash escapes are not used, because pages that
 * know only headings and bold would show them. A name never begins a line, so it cannot make a
 * heading; text at the beginning of a line goes through md_line().
 */
#include "agents/aviation/builtin/writer.h"

#include <ctype.h>
#include <string.h>

#include "airports/airport.h"
#include "airports/countries.h"
#include "airports/import.h"
#include "base/str.h"

void phrases_add(struct phrases *p, const char *text)
{
	if (p->n < PHRASES_MAX)
		p->text[p->n++] = text;
}

const char *phrases_join(const struct answer *w, const struct phrases *p)
{
	return wording_list(w->wording, w->mem, p->text, p->n);
}

/* Left-to-right marks, overrides, isolates, zero-width and line separators: they are invisible and
 * can make a line read like another one. */
static bool invisible(uint32_t cp)
{
	return (cp >= 0x200B && cp <= 0x200F) || (cp >= 0x2028 && cp <= 0x202E) ||
	    (cp >= 0x2060 && cp <= 0x2069) || cp == 0xFEFF;
}

/* "&lt;" and "&#42;" would become the character again; "B&B" stays as it is. */
static bool entity_at(const char *p)
{
	p++;
	if (*p == '#')
		return true;
	while (isalnum((unsigned char)*p))
		p++;
	return *p == ';';
}

/* The beginning of a tag or of an address in angle brackets; "a < b" and "<5 t" are not. */
static bool tag_at(const char *p)
{
	return strchr(" =0123456789", p[1]) == NULL || p[1] == '\0';
}

/* Inside a word it has no meaning in Markdown. */
static bool underline_at(const char *start, const char *p)
{
	return !(p > start && isalnum((unsigned char)p[-1]) && isalnum((unsigned char)p[1]));
}

/* The text that replaces the character at p if it would be markup; NULL: the character stays. */
static const char *look_alike(const char *start, const char *p)
{
	switch (*p) {
	case '*':  return "∗";
	case '`':  return "'";
	case '[':  return "(";
	case ']':  return ")";
	case '~':  return "∼";
	case '|':  return "¦";
	case '\\': return "∖";
	case '_':  return underline_at(start, p) ? "ˍ" : NULL;
	case '<':  return tag_at(p) ? "‹" : NULL;
	case '&':  return entity_at(p) ? "＆" : NULL;
	default:   return NULL;
	}
}

const char *md_text(struct arena *a, const char *s, size_t max)
{
	struct buf b;
	size_t n, used = 0, len;
	uint32_t cp;

	if (!s)
		return "";
	n = strlen(s);
	buf_init(&b, 3 * max + 16);
	for (const char *p = s; *p; p += len) {
		len = utf8_decode(p, n - (size_t)(p - s), &cp);
		if (len == 0) {         /* not UTF-8 */
			len = 1;
			cp = '?';
		}
		if (invisible(cp))
			continue;
		if (used + len > max) {
			buf_puts(&b, "…");
			break;
		}
		if (cp <= 0x20 || (cp >= 0x7F && cp < 0xA0)) {
			if (b.n && b.p[b.n - 1] != ' ')
				buf_putc(&b, ' ');
			continue;
		}
		used += len;
		const char *other = look_alike(s, p);
		if (other != NULL)
			buf_puts(&b, other);
		else if (len == 1 && (unsigned char)*p >= 0x80)
			buf_putc(&b, '?');
		else
			buf_put(&b, p, len);
	}
	while (b.n && b.p[b.n - 1] == ' ')
		buf_trunc(&b, b.n - 1);
	char *out = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return out;
}

/* Characters that would begin a heading, a list, a quotation or a rule, and their replacements. */
static const struct {
	char c;
	bool alone;                   /* only before a blank, the end or itself: "- x", "---", not "-5" */
	const char *as;
} openers[] = {
	{ '#', false, "＃" }, { '>', false, "›" }, { '-', true, "–" }, { '+', true, "＋" },
	{ '=', true, "＝" },
};

const char *md_line(struct arena *a, const char *s, size_t max)
{
	const char *text = md_text(a, s, max);
	size_t n = strspn(text, "0123456789");

	if (n > 0 && (text[n] == '.' || text[n] == ')') && (text[n + 1] == ' ' || text[n + 1] == '\0'))
		return arena_printf(a, "%.*s․%s", (int)n, text, text + n + 1);
	for (size_t i = 0; i < sizeof(openers) / sizeof(openers[0]); i++)
		if (text[0] == openers[i].c && (!openers[i].alone || text[1] == ' ' || text[1] == '\0' ||
		    text[1] == text[0]))
			return arena_printf(a, "%s%s", openers[i].as, text + 1);
	return text;
}

const char *md_count(const struct answer *w, double n)
{
	return wording_count(w->wording, w->mem, n);
}

const char *md_nm(const struct answer *w, double nm)
{
	return arena_printf(w->mem, "%s NM", nm < 99.95 ? wording_decimals(w->wording, w->mem, nm, 1)
	    : md_count(w, nm));
}

const char *md_feet(const struct answer *w, double ft)
{
	return arena_printf(w->mem, "%s ft (%s m)", md_count(w, ft), md_count(w, ft * 0.3048));
}

const char *md_country(const struct answer *w, const char *code)
{
	if (!code || !*code)
		return NULL;
	const char *name = message_country(w->wording, code);
	return name != NULL ? name : md_text(w->mem, code, 20);
}

const char *md_in_country(const struct answer *w, const char *country)
{
	const struct country *c = country_by_code(country);

	c = c != NULL ? c : country_by_name(str_fold(w->mem, country));
	return c != NULL ? message_in_country(w->wording, w->mem, c->code)
	    : said(w, in_unknown_country, "country", md_text(w->mem, country, 20));
}

const char *md_airport(const struct answer *w, struct json_object *airport)
{
	const char *name = jsn_get_str(airport, "name", "");
	const char *ident = jsn_get_str(airport, "ident", jsn_get_str(airport, "icao", ""));

	if (!*name)
		return md_text(w->mem, ident, 20);
	if (!*ident)
		return md_text(w->mem, name, 100);
	return arena_printf(w->mem, "%s (%s)", md_text(w->mem, name, 100), md_text(w->mem, ident, 20));
}

const char *md_where(const struct answer *w, struct json_object *airport)
{
	const char *town = jsn_get_str(airport, "municipality", "");
	const char *country = md_country(w, jsn_get_str(airport, "iso_country",
	    jsn_get_str(airport, "country", NULL)));

	if (!*town)
		return country ? country : "";
	town = md_text(w->mem, town, 100);
	return country ? arena_printf(w->mem, "%s, %s", town, country) : town;
}

const char *md_use(const struct answer *w, struct json_object *airport)
{
	static const enum saying uses[USE__MAX] = {
		[USE_WATER] = SAY_use_water,
		[USE_MOUNTAIN] = SAY_use_mountain,
		[USE_MILITARY] = SAY_use_military,
	};
	const char *use = jsn_get_str(airport, "use", "");

	for (int i = USE_ORDINARY + 1; i < USE__MAX; i++)
		if (streq(use, airport_use_name((enum airport_use)i)))
			return said_as(w, uses[i]);
	return NULL;
}

const char *md_place(const struct answer *w, const char *label, size_t max)
{
	const char *comma = strrchr(label, ',');
	const char *last = comma != NULL ? comma + 1 + strspn(comma + 1, " ") : label;
	const struct country *c = country_by_name(str_fold(w->mem, last));

	if (c == NULL || !streq(c->name, last))
		return md_text(w->mem, label, max);
	return md_text(w->mem, arena_printf(w->mem, "%.*s%s", (int)(last - label), label,
	    message_country(w->wording, c->code)), max);
}

const char *tool_said(const struct answer *w, const char *member)
{
	return streq(wording_language(w->wording), CATALOGUE_REFERENCE) ? jsn_get_str(w->result, member, "") : "";
}

/* Where the first of the words stands in the text; SIZE_MAX: none does. */
static size_t first_of(const char *text, const char *words)
{
	size_t first = SIZE_MAX;
	struct str word;

	while (str_part(&words, '|', &word)) {
		const char *at = memmem(text, strlen(text), word.p, word.n);
		if (at != NULL && (size_t)(at - text) < first)
			first = (size_t)(at - text);
	}
	return first;
}

size_t md_asked_at(const struct answer *w, const char *words)
{
	return first_of(w->question, words);
}

bool md_has(const char *folded, const char *words)
{
	return first_of(folded, words) != SIZE_MAX;
}

bool md_asks(const struct answer *w, const char *words)
{
	return md_has(w->question, words);
}

/* ---- notices and the sample --------------------------------------------------------- */

/* The length of "PPR 24h" or "PPR 24 h" at p, and where its digits are; 0: it is something else. */
static size_t hours_at(const char *p, size_t *digits, size_t *count)
{
	size_t n = 3 + strspn(p + 3, " ");

	*digits = n;
	*count = strspn(p + n, "0123456789");
	n += *count;
	n += strspn(p + n, " ");
	return *count > 0 && n > 3 && p[n] == 'h' && !isalnum((unsigned char)p[n + 1]) ? n + 1 : 0;
}

bool md_dummy_phone(const char *number)
{
	enum { LEAST = 6, ENDING = 2 };
	size_t digits = 0, zeros = 0;

	for (const char *p = number; *p != '\0'; p++) {
		zeros += *p == '0' && zeros == digits;
		digits += isdigit((unsigned char)*p) != 0;
	}
	return digits >= LEAST && zeros + ENDING >= digits;
}

/* The lines of a summary, without a telephone number that is none. */
static const char *without_dummy(struct arena *a, const char *summary)
{
	static const char telephone[] = "\xF0\x9F\x93\x9E";
	const char *all = summary, *out = NULL;
	struct str line;

	if (strstr(summary, telephone) == NULL)
		return summary;
	while (str_part(&all, '\n', &line)) {
		const char *text = arena_strndup(a, line.p, line.n);
		if (!starts_with(text, telephone) || !md_dummy_phone(text + strlen(telephone)))
			out = out == NULL ? text : arena_printf(a, "%s\n%s", out, text);
	}
	return out != NULL ? out : "";
}

const char *md_notice(const struct answer *w, const char *summary, size_t max)
{
	const char *out = "", *rest = summary != NULL ? without_dummy(w->mem, summary) : "";

	for (const char *p = rest; (p = strstr(p, "PPR")) != NULL; p += 3) {
		size_t digits, count, n = p > rest && isalnum((unsigned char)p[-1]) ? 0
		    : hours_at(p, &digits, &count);
		if (n == 0)
			continue;
		out = arena_printf(w->mem, "%s%.*s%s", out, (int)(p - rest), rest, said(w, hours_in_text, "hours",
		    arena_strndup(w->mem, p + digits, count)));
		rest = p + n;
		p = rest - 3;
	}
	return md_text(w->mem, record_said(w, arena_printf(w->mem, "%s%s", out, rest)), max);
}

bool md_sample(const char *text)
{
	return text != NULL && strstr(text, "(" FACTS_SOURCE) != NULL;
}
