/*
 * The sanitiser never edits the text that it reads: it writes its own tags, from the table of kept
 * elements, and text without any "<". Open elements are on a stack, so the result is always
 * balanced. A browser that parses it gets exactly this tree, and nothing in it reads differently
 * when it is parsed a second time.
 */
#include "rules/rule_html.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/str.h"
#include "rules/html_tokenizer.h"

enum { LINK_MAX = 2000, OPEN_MAX = 16 };

static const char *const schemes[] = { "http://", "https://", "mailto:" };

/* Characters that no address needs: some end an attribute, some change the direction of text. */
static const struct {
	uint32_t from, to;
} unprintable[] = {
	{ 0, 0x20 }, { '"', '"' }, { '<', '<' }, { '>', '>' }, { '\\', '\\' }, { '`', '`' },
	{ 0x7f, 0xa0 }, { 0xad, 0xad }, { 0x200b, 0x200f }, { 0x2028, 0x202f },
	{ 0x2060, 0x206f }, { 0x3000, 0x3000 }, { 0xfeff, 0xfeff }, { 0xfff9, 0xffff },
};

const char *rule_tag(struct arena *a, const char *tag)
{
	struct str s = str_trim(str_of(tag));
	char *out = arena_strndup(a, s.p, s.n);
	for (char *p = out; *p != '\0'; p++)
		*p = (char)(*p == ' ' ? '_' : *p >= 'A' && *p <= 'Z' ? *p + 32 : *p);
	return out;
}

static bool printable(uint32_t cp)
{
	for (size_t i = 0; i < sizeof(unprintable) / sizeof(unprintable[0]); i++)
		if (cp >= unprintable[i].from && cp <= unprintable[i].to)
			return false;
	return true;
}

bool rule_link_ok(const char *link)
{
	size_t n = strnlen(link, LINK_MAX + 1), from = 0;
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
		if (strncasecmp(link, schemes[i], strlen(schemes[i])) == 0)
			from = strlen(schemes[i]);
	if (from == 0 || n <= from || n > LINK_MAX)
		return false;
	for (size_t i = from, len; i < n; i += len) {
		uint32_t cp;
		len = utf8_decode(link + i, n - i, &cp);
		if (len == 0 || !printable(cp))
			return false;
	}
	return true;
}

const char *rule_clip(struct arena *a, const char *text, size_t n)
{
	const char *p = text;
	for (; *p != '\0' && n > 0; n--) {
		size_t len = utf8_len(p, strnlen(p, 4));
		p += len > 0 ? len : 1;
	}
	return *p == '\0' ? text : arena_strndup(a, text, (size_t)(p - text));
}

/* ---- HTML -------------------------------------------------------------------------- */

struct rule_html_writer {
	struct buf out;
	enum element open[OPEN_MAX];
	size_t nopen;
};

static void put_text(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] == '<')
			buf_puts(b, "&lt;");
		else
			buf_putc(b, s.p[i]);
}

/* Close all elements opened since open[i], and open[i] too. */
static void close_to(struct rule_html_writer *w, size_t i)
{
	while (w->nopen > i)
		buf_printf(&w->out, "</%s>", html_element_name(w->open[--w->nopen]));
}

/* The place of an open element, innermost first; items outside a list are not seen from inside it.
 * -1: it is not open. */
static int find_open(const struct rule_html_writer *w, enum element el)
{
	for (int i = (int)w->nopen - 1; i >= 0; i--) {
		if (w->open[i] == el)
			return i;
		if (el == ELEMENT_LI && (w->open[i] == ELEMENT_UL || w->open[i] == ELEMENT_OL))
			return -1;
	}
	return -1;
}

/* Elements that a browser would close by itself before this one begins. */
static enum element closes(enum element el)
{
	return el == ELEMENT_UL || el == ELEMENT_OL ? ELEMENT_P : el;
}

/* An address as text, with references resolved. False: it must not be a link. */
static bool address(struct str href, char out[LINK_MAX + 4])
{
	size_t n = 0;
	href = str_trim(href);
	for (size_t i = 0; i < href.n && n < LINK_MAX;) {
		size_t len = 0, used = html_reference(href.p + i, href.n - i, out + n, &len);
		if (used == 0) {
			out[n] = href.p[i];
			len = used = 1;
		}
		n += len;
		i += used;
	}
	out[n] = '\0';
	return n < LINK_MAX && rule_link_ok(out);
}

static void open_link(struct rule_html_writer *w, struct str href)
{
	char link[LINK_MAX + 4];
	if (w->nopen == OPEN_MAX || !address(href, link))
		return;
	buf_puts(&w->out, "<a href=\"");
	for (const char *p = link; *p != '\0'; p++)
		if (*p == '&')
			buf_puts(&w->out, "&amp;");
		else
			buf_putc(&w->out, *p);
	buf_puts(&w->out, "\">");
	w->open[w->nopen++] = ELEMENT_A;
}

static void open_element(struct rule_html_writer *w, const struct html_token *t)
{
	if (t->element == ELEMENT_BR) {
		buf_puts(&w->out, "<br>");
		return;
	}
	if (t->element <= ELEMENT_LI || t->element == ELEMENT_A) {
		int at = find_open(w, closes(t->element));
		if (at >= 0)
			close_to(w, (size_t)at);
	}
	if (t->element == ELEMENT_A) {
		open_link(w, t->href);
	} else if (w->nopen < OPEN_MAX) {
		buf_printf(&w->out, "<%s>", html_element_name(t->element));
		w->open[w->nopen++] = t->element;
	}
}

static void close_element(struct rule_html_writer *w, enum element el)
{
	int at = find_open(w, el);
	if (el == ELEMENT_BR)
		buf_puts(&w->out, "<br>");    /* as browsers read "</br>" */
	else if (at >= 0)
		close_to(w, (size_t)at);
}

/* The cells of a removed table must not become one number. */
static void part(struct buf *b)
{
	if (b->n > 0 && strchr(" \n>", b->p[b->n - 1]) == NULL)
		buf_putc(b, ' ');
}

const char *rule_html(struct arena *a, const char *html)
{
	struct html_token t;
	struct rule_html_writer w = { .nopen = 0 };
	if (strchr(html, '<') == NULL)
		return html;
	buf_init(&w.out, SIZE_MAX / 2);
	for (const char *at = html; html_token_next(&at, &t);) {
		if (t.kind == HTML_TEXT)
			put_text(&w.out, t.text);
		else if (t.element == ELEMENT_OTHER)
			part(&w.out);
		else if (t.element < ELEMENT__KEPT && t.kind == HTML_OPEN)
			open_element(&w, &t);
		else if (t.element < ELEMENT__KEPT)
			close_element(&w, t.element);
	}
	close_to(&w, 0);
	const char *out = arena_strndup(a, w.out.p, w.out.n);
	buf_release(&w.out);
	return out;
}

/* ---- plain text -------------------------------------------------------------------- */

static bool control(char c)
{
	return ((unsigned char)c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
}

/* There is only text, and nothing to trim. */
static bool is_plain(const char *s)
{
	struct str all = str_of(s);
	for (const char *p = s; *p != '\0'; p++)
		if (*p == '<' || *p == '&' || control(*p))
			return false;
	return str_trim(all).n == all.n;
}

/* The text that is being made. Blanks around the line end of a tag are the layout of the source. */
struct rule_plain_writer {
	char *to;
	char *line;                   /* after the last line end of a tag, or at the beginning */
};

static void plain_text(struct rule_plain_writer *p, struct str s)
{
	size_t i = 0, used;
	while (p->to == p->line && i < s.n && strchr(" \t\r\n", s.p[i]) != NULL)
		i++;
	for (; i < s.n; i += used) {
		size_t len = 0;
		used = s.p[i] == '&' ? html_reference(s.p + i, s.n - i, p->to, &len) : 0;
		if (used > 0) {
			p->to += len;
			continue;
		}
		used = 1;
		if (s.p[i] == '\r' && i + 1 < s.n && s.p[i + 1] == '\n')
			continue;
		*p->to++ = s.p[i] == '\r' ? '\n' : control(s.p[i]) ? ' ' : s.p[i];
	}
}

static void plain_line(struct rule_plain_writer *p, bool always)
{
	while (p->to > p->line && strchr(" \t\n", p->to[-1]) != NULL)
		p->to--;
	if (always || p->to > p->line)
		*p->to++ = '\n';
	p->line = p->to;
}

const char *rule_plain(struct arena *a, const char *html)
{
	struct html_token t;
	if (is_plain(html))
		return html;
	/* the text never grows: a tag or reference of n bytes leaves fewer */
	char *out = arena_alloc(a, strlen(html) + 4);
	struct rule_plain_writer p = { .to = out, .line = out };
	for (const char *at = html; html_token_next(&at, &t);) {
		if (t.kind == HTML_TEXT)
			plain_text(&p, t.text);
		else if (t.element <= ELEMENT_LI)
			plain_line(&p, t.element == ELEMENT_BR);
		else if (t.element == ELEMENT_OTHER && p.to > p.line && p.to[-1] != ' ')
			*p.to++ = ' ';
	}
	struct str s = str_trim((struct str){ out, (size_t)(p.to - out) });
	out[s.p - out + (ptrdiff_t)s.n] = '\0';
	return s.p;
}
