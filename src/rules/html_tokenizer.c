/*
 * One pass, no memory. A tag is read to its ">" (with quotes around values) before any of it is
 * used. If that fails, the characters are text. Nothing is read twice, and no text is lost in a tag
 * that never ends.
 */
#include "rules/html_tokenizer.h"

#include <string.h>
#include <strings.h>

#include "base/str.h"

static const struct {
	const char *name;
	enum element element;
} elements[] = {
	{ "br", ELEMENT_BR }, { "p", ELEMENT_P }, { "ul", ELEMENT_UL }, { "ol", ELEMENT_OL },
	{ "li", ELEMENT_LI }, { "b", ELEMENT_B }, { "strong", ELEMENT_STRONG },
	{ "i", ELEMENT_I }, { "em", ELEMENT_EM }, { "u", ELEMENT_U }, { "a", ELEMENT_A },
	/* the first ELEMENT__KEPT rows are in the enum's order: html_element_name() */
	{ "span", ELEMENT_INLINE }, { "font", ELEMENT_INLINE }, { "small", ELEMENT_INLINE },
	{ "big", ELEMENT_INLINE }, { "sub", ELEMENT_INLINE }, { "sup", ELEMENT_INLINE },
	{ "code", ELEMENT_INLINE }, { "tt", ELEMENT_INLINE }, { "kbd", ELEMENT_INLINE },
	{ "s", ELEMENT_INLINE }, { "del", ELEMENT_INLINE }, { "ins", ELEMENT_INLINE },
	{ "mark", ELEMENT_INLINE }, { "abbr", ELEMENT_INLINE }, { "cite", ELEMENT_INLINE },
	{ "q", ELEMENT_INLINE }, { "wbr", ELEMENT_INLINE },
};

static const char *const unread[] = { "script", "style" };

static const struct {
	const char *name, *utf8;
} references[] = {
	{ "amp", "&" }, { "lt", "<" }, { "gt", ">" }, { "quot", "\"" }, { "apos", "'" },
	{ "nbsp", " " }, { "ensp", " " }, { "emsp", " " }, { "thinsp", " " }, { "shy", "" },
	{ "ndash", "–" }, { "mdash", "—" }, { "hellip", "…" }, { "bull", "•" },
	{ "middot", "·" }, { "lsquo", "‘" }, { "rsquo", "’" }, { "sbquo", "‚" },
	{ "ldquo", "“" }, { "rdquo", "”" }, { "bdquo", "„" }, { "laquo", "«" },
	{ "raquo", "»" }, { "deg", "°" }, { "plusmn", "±" }, { "times", "×" },
	{ "divide", "÷" }, { "frac12", "½" }, { "frac14", "¼" }, { "frac34", "¾" },
	{ "le", "≤" }, { "ge", "≥" }, { "ne", "≠" }, { "asymp", "≈" }, { "minus", "−" },
	{ "rarr", "→" }, { "larr", "←" }, { "harr", "↔" }, { "euro", "€" }, { "pound", "£" },
	{ "yen", "¥" }, { "cent", "¢" }, { "sect", "§" }, { "para", "¶" }, { "copy", "©" },
	{ "reg", "®" }, { "trade", "™" }, { "prime", "′" }, { "Prime", "″" },
	{ "agrave", "à" }, { "aacute", "á" }, { "acirc", "â" }, { "atilde", "ã" },
	{ "auml", "ä" }, { "aring", "å" }, { "aelig", "æ" }, { "ccedil", "ç" },
	{ "egrave", "è" }, { "eacute", "é" }, { "ecirc", "ê" }, { "euml", "ë" },
	{ "igrave", "ì" }, { "iacute", "í" }, { "icirc", "î" }, { "iuml", "ï" },
	{ "ntilde", "ñ" }, { "ograve", "ò" }, { "oacute", "ó" }, { "ocirc", "ô" },
	{ "otilde", "õ" }, { "ouml", "ö" }, { "oslash", "ø" }, { "ugrave", "ù" },
	{ "uacute", "ú" }, { "ucirc", "û" }, { "uuml", "ü" }, { "szlig", "ß" },
	{ "Agrave", "À" }, { "Auml", "Ä" }, { "Aring", "Å" }, { "AElig", "Æ" },
	{ "Ccedil", "Ç" }, { "Eacute", "É" }, { "Egrave", "È" }, { "Ouml", "Ö" },
	{ "Oslash", "Ø" }, { "Uuml", "Ü" },
};

const char *html_element_name(enum element el)
{
	return elements[el].name;
}

static bool letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static bool ends_name(char c)
{
	return blank(c) || c == '/' || c == '>' || c == '<' || c == '\0';
}

/* What a tag says. */
struct tag {
	struct str name, href;
	const char *end;              /* the place after its ">", or where reading it failed */
	bool whole;
};

/* Can it be the name of an element? "FL100" cannot, nor a name with unusual bytes. */
static bool element_name(struct str s)
{
	size_t n = 0;
	while (n < s.n && (letter(s.p[n]) || (n > 0 && (s.p[n] == '-' || s.p[n] == ':'))))
		n++;
	return n == s.n || (s.n == 2 && (s.p[0] | 32) == 'h' && s.p[1] >= '1' && s.p[1] <= '6');
}

/* The value after a "=", with p at its beginning; NULL: it never ends. */
static const char *read_value(const char *p, struct str *value)
{
	while (blank(*p))
		p++;
	if (*p == '"' || *p == '\'') {
		const char *close = strchr(p + 1, *p);
		*value = (struct str){ p + 1, close != NULL ? (size_t)(close - p - 1) : 0 };
		return close != NULL ? close + 1 : NULL;
	}
	*value = (struct str){ p, 0 };
	while (!blank(*p) && *p != '>' && *p != '<' && *p != '\0')
		p++;
	value->n = (size_t)(p - value->p);
	return p;
}

/* The tag whose name begins at p. */
static struct tag read_tag(const char *p)
{
	struct tag t = { .name = { p, 0 } };
	while (!ends_name(*p))
		p++;
	t.name.n = (size_t)(p - t.name.p);
	while (*p != '>' && *p != '<' && *p != '\0') {
		struct str attr = { p, 0 }, value;
		while (!ends_name(*p) && *p != '=')
			p++;
		attr.n = (size_t)(p - attr.p);
		while (attr.n > 0 && blank(*p))
			p++;
		if (*p == '=') {
			const char *end = read_value(p + 1, &value);
			if (end == NULL) {
				t.end = p + strlen(p);
				return t;
			}
			if (t.href.n == 0 && str_ieq(attr, "href"))
				/* of several equal ones the first counts, as in a browser */
				t.href = value;
			p = end;
		} else if (attr.n == 0) {
			p++;
		}
	}
	t.whole = *p == '>' && element_name(t.name);
	t.end = p + (*p == '>');
	return t;
}

/* The place after the end of an element whose content is not shown; the element may never end. */
static const char *skip_content(const char *p, const char *name)
{
	size_t n = strlen(name);
	while ((p = strchr(p, '<')) != NULL) {
		if (p[1] == '/' && strncasecmp(p + 2, name, n) == 0 && ends_name(p[2 + n])) {
			const char *end = strchr(p, '>');
			return end != NULL ? end + 1 : p + strlen(p);
		}
		p++;
	}
	return NULL;
}

/* The place after a comment or declaration whose "<" is at p; NULL: it is none, or has no end. */
static const char *skip_declaration(const char *p)
{
	if (strncmp(p, "<!--", 4) == 0) {
		const char *end = strstr(p + 2, "-->");
		return end != NULL ? end + 3 : NULL;
	}
	if (!(p[1] == '?' || (p[1] == '!' && (letter(p[2]) || p[2] == '['))))
		return NULL;
	p += 1 + strcspn(p + 1, "<>");
	return *p == '>' ? p + 1 : NULL;
}

static enum element element_of(struct str name)
{
	for (size_t i = 0; i < sizeof(elements) / sizeof(elements[0]); i++)
		if (str_ieq(name, elements[i].name))
			return elements[i].element;
	return ELEMENT_OTHER;
}

static const char *unread_name(struct str name)
{
	for (size_t i = 0; i < sizeof(unread) / sizeof(unread[0]); i++)
		if (str_ieq(name, unread[i]))
			return unread[i];
	return NULL;
}

static bool text_token(const char **at, const char *end, struct html_token *t)
{
	*t = (struct html_token){ .kind = HTML_TEXT, .text = { *at, (size_t)(end - *at) } };
	*at = end;
	return true;
}

bool html_token_next(const char **at, struct html_token *t)
{
	for (;;) {
		const char *p = *at, *end;
		if (*p == '\0')
			return false;
		if (*p != '<')
			return text_token(at, p + strcspn(p, "<"), t);
		if (p[1] == '!' || p[1] == '?') {
			if ((end = skip_declaration(p)) == NULL)
				return text_token(at, strncmp(p, "<!--", 4) == 0 ?
				    p + strlen(p) : p + 1, t);
			*at = end;
			continue;
		}
		bool close = p[1] == '/';
		if (!letter(p[1 + close]))
			return text_token(at, p + 1, t);
		struct tag tag = read_tag(p + 1 + close);
		if (!tag.whole)
			return text_token(at, tag.end, t);
		const char *hidden = unread_name(tag.name);
		if (hidden != NULL) {
			end = close ? tag.end : skip_content(tag.end, hidden);
			*at = end != NULL ? end : tag.end + strlen(tag.end);
			continue;
		}
		*at = tag.end;
		*t = (struct html_token){ .kind = close ? HTML_CLOSE : HTML_OPEN,
			.element = element_of(tag.name) };
		if (t->kind == HTML_OPEN && t->element == ELEMENT_A)
			t->href = tag.href;
		return true;
	}
}

static size_t utf8_put(char out[4], unsigned long cp)
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	size_t n = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
	for (size_t i = n; i-- > 1; cp >>= 6)
		out[i] = (char)(0x80 | (cp & 0x3f));
	out[0] = (char)((0xf00U >> n & 0xf0U) | cp);
	return n;
}

/* The character with this number. A number without a character gives U+FFFD, a control character
 * gives a blank. */
static size_t number_put(char out[4], unsigned long cp)
{
	if (cp == 0 || cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		cp = 0xfffd;
	else if ((cp < 0x20 && cp != '\t' && cp != '\n') || (cp >= 0x7f && cp <= 0xa0))
		cp = ' ';
	return utf8_put(out, cp);
}

size_t html_reference(const char *p, size_t n, char out[4], size_t *len)
{
	enum { LONGEST = 12 };
	const char *semicolon = memchr(p, ';', n < LONGEST ? n : LONGEST);
	if (p[0] != '&' || semicolon == NULL)
		return 0;
	struct str s = { p + 1, (size_t)(semicolon - p - 1) };
	if (s.n > 1 && s.p[0] == '#') {
		bool hex = (s.p[1] | 32) == 'x';
		unsigned base = hex ? 16 : 10;
		unsigned long cp = 0;
		if (s.n == 2 && hex)
			return 0;
		for (size_t i = hex ? 2 : 1; i < s.n; i++) {
			int digit = hex_value(s.p[i]);
			if (digit < 0 || digit >= (int)base)
				return 0;
			cp = cp > 0x10ffff ? cp : cp * base + (unsigned long)digit;
		}
		*len = number_put(out, cp);
		return s.n + 2;
	}
	for (size_t i = 0; i < sizeof(references) / sizeof(references[0]); i++)
		if (str_eq(s, references[i].name)) {
			*len = strlen(references[i].utf8);
			memcpy(out, references[i].utf8, *len);
			return s.n + 2;
		}
	return 0;
}
