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
#include <math.h>
#include <stdio.h>
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

const char *phrases_join(struct arena *a, const struct phrases *p)
{
	const char *s = p->n ? p->text[0] : "";

	for (size_t i = 1; i < p->n; i++)
		s = arena_printf(a, "%s%s%s", s, i + 1 == p->n ? " and " : ", ", p->text[i]);
	return s;
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

const char *md_count(struct arena *a, double n)
{
	char digits[40], *out, *o;
	size_t len;

	if (!(fabs(n) < 1e15))
		return "?";
	len = (size_t)snprintf(digits, sizeof(digits), "%.0f", fabs(n));
	out = o = arena_alloc(a, 2 * len + 2);
	if (n <= -0.5)
		*o++ = '-';
	for (size_t i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*o++ = ',';
		*o++ = digits[i];
	}
	return out;
}

const char *md_nm(struct arena *a, double nm)
{
	if (nm < 99.95)
		return arena_printf(a, "%.1f NM", nm);
	return arena_printf(a, "%s NM", md_count(a, nm));
}

const char *md_feet(struct arena *a, double ft)
{
	return arena_printf(a, "%s ft (%s m)", md_count(a, ft), md_count(a, ft * 0.3048));
}

const char *md_country(struct arena *a, const char *code)
{
	const struct country *c;

	if (!code || !*code)
		return NULL;
	c = country_by_code(code);
	return c ? c->name : md_text(a, code, 20);
}

const char *md_airport(struct arena *a, struct json_object *airport)
{
	const char *name = jsn_get_str(airport, "name", "");
	const char *ident = jsn_get_str(airport, "ident", jsn_get_str(airport, "icao", ""));

	if (!*name)
		return md_text(a, ident, 20);
	if (!*ident)
		return md_text(a, name, 100);
	return arena_printf(a, "%s (%s)", md_text(a, name, 100), md_text(a, ident, 20));
}

const char *md_where(struct arena *a, struct json_object *airport)
{
	const char *town = jsn_get_str(airport, "municipality", "");
	const char *country = md_country(a, jsn_get_str(airport, "iso_country",
	    jsn_get_str(airport, "country", NULL)));

	if (!*town)
		return country ? country : "";
	town = md_text(a, town, 100);
	return country ? arena_printf(a, "%s, %s", town, country) : town;
}

const char *md_use(struct json_object *airport)
{
	static const char *const said[USE__MAX] = {
		[USE_WATER] = "seaplane base",
		[USE_MOUNTAIN] = "mountain landing site",
		[USE_MILITARY] = "military",
	};
	const char *use = jsn_get_str(airport, "use", "");

	for (int i = USE_ORDINARY + 1; i < USE__MAX; i++)
		if (streq(use, airport_use_name((enum airport_use)i)))
			return said[i];
	return NULL;
}

bool md_asks(const struct answer *w, const char *words)
{
	struct str word;
	while (str_part(&words, '|', &word))
		if (memmem(w->question, strlen(w->question), word.p, word.n))
			return true;
	return false;
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

const char *md_notice(struct arena *a, const char *summary, size_t max)
{
	const char *out = "", *rest = summary != NULL ? summary : "";

	for (const char *p = rest; (p = strstr(p, "PPR")) != NULL; p += 3) {
		size_t digits, count, n = p > rest && isalnum((unsigned char)p[-1]) ? 0
		    : hours_at(p, &digits, &count);
		if (n == 0)
			continue;
		out = arena_printf(a, "%s%.*s%.*s h notice", out, (int)(p - rest), rest, (int)count, p + digits);
		rest = p + n;
		p = rest - 3;
	}
	return md_text(a, arena_printf(a, "%s%s", out, rest), max);
}

const char sample_note[] = "Some facts on fuel, customs, restaurants and fees are a hand-made sample. They "
    "are not fit for flight planning.";

bool md_sample(const char *text)
{
	return text != NULL && strstr(text, "(" FACTS_SOURCE) != NULL;
}
