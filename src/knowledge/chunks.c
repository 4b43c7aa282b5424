/*
 * A line is a heading, or begins a paragraph, or continues one. A paragraph is cut into sentences;
 * sentences are put together until the next one does not fit. Items of lists, rows of tables and
 * lines of code begin a line of their own, because they lose their meaning when they are joined.
 */
#include "knowledge/chunks.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "knowledge/knowledge.h"

enum {
	LEVELS = 6,
	TITLE_BYTES = 120,            /* of one heading; the rest is cut off */
	PARAGRAPH_BYTES = 64 << 10,   /* a longer one is cut anywhere */
};

struct cutter {
	enum document_kind kind;
	chunk_fn *take;
	void *arg;
	struct err *e;
	enum errcode rc;
	char title[LEVELS][TITLE_BYTES + 1];
	char heading[LEVELS * (TITLE_BYTES + 3) + 1];
	struct buf paragraph, piece;
	size_t lines;                 /* of the paragraph */
	bool own_line;                /* the paragraph begins a line of its own */
	bool code;                    /* between two fences */
	int page;
};

/* -- pieces -- */

static void end_piece(struct cutter *c)
{
	const struct chunk out = { c->heading, c->piece.p };
	if (c->piece.n > 0 && c->rc == OK)
		c->rc = c->take(c->arg, &out, c->e);
	buf_clear(&c->piece);
}

/* The bytes of the first KNOWLEDGE_CHUNK characters, up to a blank if there is one. */
static size_t first_part(const char *p, size_t n)
{
	size_t at = 0, blank = 0, len;
	for (size_t i = 0; i < KNOWLEDGE_CHUNK && at < n; i++, at += len) {
		len = utf8_len(p + at, n - at);
		if (len == 0)
			len = 1;
		if (p[at] == ' ' || p[at] == '\n')
			blank = at;
	}
	return at < n && blank > 0 ? blank : at;
}

/* Add a sentence to the piece, or begin a new piece with it. */
static void put_sentence(struct cutter *c, struct str s, bool own_line)
{
	while ((s = str_trim(s)).n > 0 && c->rc == OK) {
		if (c->piece.n > 0 && utf8_count(c->piece.p, c->piece.n) + 1 + utf8_count(s.p, s.n) >
		    KNOWLEDGE_CHUNK)
			end_piece(c);
		if (c->piece.n > 0)
			buf_putc(&c->piece, own_line ? '\n' : ' ');
		size_t n = first_part(s.p, s.n);
		buf_put(&c->piece, s.p, n);
		s = (struct str){ s.p + n, s.n - n };
	}
}

/* The bytes up to the end of the first sentence. */
static size_t sentence(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (strchr(".!?", p[i]) == NULL)
			continue;
		while (i + 1 < n && strchr("\"')*_", p[i + 1]) != NULL)
			i++;
		if (i + 1 < n && p[i + 1] == ' ')
			return i + 1;
	}
	return n;
}

static void end_paragraph(struct cutter *c)
{
	struct str rest = { c->paragraph.p, c->paragraph.n };
	bool own_line = c->own_line;
	/* a whole paragraph is better than two halves, if it fits into one piece */
	if (utf8_count(rest.p, rest.n) <= KNOWLEDGE_CHUNK) {
		put_sentence(c, rest, own_line);
		rest.n = 0;
	}
	while (rest.n > 0) {
		size_t n = sentence(rest.p, rest.n);
		put_sentence(c, (struct str){ rest.p, n }, own_line);
		rest = (struct str){ rest.p + n, rest.n - n };
		own_line = false;
	}
	buf_clear(&c->paragraph);
	c->lines = 0;
}

/* -- headings -- */

static void set_heading(struct cutter *c, size_t level, struct str title)
{
	end_paragraph(c);
	end_piece(c);
	title = str_trim(title);
	while (title.n > 0 && title.p[title.n - 1] == '#')
		title.n--;
	title = str_trim(title);
	title.n = utf8_cut(title.p, title.n, TITLE_BYTES);
	for (size_t i = level - 1; i < LEVELS; i++)
		c->title[i][0] = '\0';
	memcpy(c->title[level - 1], title.p, title.n);
	c->title[level - 1][title.n] = '\0';
	size_t n = 0;
	c->heading[0] = '\0';
	for (size_t i = 0; i < LEVELS; i++)
		if (c->title[i][0] != '\0')
			n += (size_t)snprintf(c->heading + n, sizeof(c->heading) - n, "%s%s",
			    n > 0 ? " > " : "", c->title[i]);
}

/* "## Title": its level; 0: no heading. */
static size_t hashes(struct str line)
{
	size_t n = 0;
	while (n < line.n && line.p[n] == '#')
		n++;
	return n <= LEVELS && n > 0 && (n == line.n || line.p[n] == ' ') ? n : 0;
}

static bool only(struct str line, const char *set)
{
	for (size_t i = 0; i < line.n; i++)
		if (strchr(set, line.p[i]) == NULL)
			return false;
	return line.n > 0;
}

/* -- lines -- */

/* Does it begin an item, a row or a quotation? */
static bool begins_line(struct str s)
{
	size_t digits = 0;
	if (s.n >= 2 && strchr("-*+", s.p[0]) != NULL && s.p[1] == ' ')
		return true;
	if (s.p[0] == '|' || s.p[0] == '>')
		return true;
	while (digits < s.n && s.p[digits] >= '0' && s.p[digits] <= '9')
		digits++;
	return digits > 0 && digits + 1 < s.n && strchr(".)", s.p[digits]) != NULL &&
	    s.p[digits + 1] == ' ';
}

/* Add a line, with its blanks made single. */
static void add_line(struct cutter *c, struct str s, bool own_line)
{
	if (own_line || c->paragraph.n + s.n > PARAGRAPH_BYTES)
		end_paragraph(c);
	if (c->lines++ == 0)
		c->own_line = own_line;
	else
		buf_putc(&c->paragraph, ' ');
	for (size_t i = 0; i < s.n; i++) {
		bool blank = s.p[i] == ' ' || s.p[i] == '\t';
		if (!blank)
			buf_putc(&c->paragraph, s.p[i]);
		else if (i > 0 && s.p[i - 1] != ' ' && s.p[i - 1] != '\t')
			buf_putc(&c->paragraph, ' ');
	}
}

/* A line that is a heading, or the line below one. */
static bool heading_line(struct cutter *c, struct str s)
{
	size_t level = hashes(s);
	if (level > 0) {
		set_heading(c, level, (struct str){ s.p + level, s.n - level });
		return true;
	}
	if (!only(s, "=") && !(only(s, "-") && s.n >= 2))
		return false;
	if (c->lines == 1 && !c->own_line) {
		char title[TITLE_BYTES + 1];
		size_t n = utf8_cut(c->paragraph.p, c->paragraph.n, TITLE_BYTES);
		memcpy(title, c->paragraph.p, n);
		buf_clear(&c->paragraph);
		c->lines = 0;
		set_heading(c, s.p[0] == '=' ? 1 : 2, (struct str){ title, n });
	} else {
		end_paragraph(c);             /* a rule between two parts */
	}
	return true;
}

static void markdown_line(struct cutter *c, struct str s)
{
	if (s.n >= 3 && (memcmp(s.p, "```", 3) == 0 || memcmp(s.p, "~~~", 3) == 0)) {
		end_paragraph(c);
		c->code = !c->code;
	} else if (c->code) {
		add_line(c, s, true);
	} else if (!heading_line(c, s) && !(s.p[0] == '|' && only(s, "|-: "))) {
		add_line(c, s, begins_line(s));
	}
}

static void line(struct cutter *c, struct str s)
{
	s = str_trim(s);
	if (s.n == 0)
		end_paragraph(c);
	else if (c->kind == DOCUMENT_MARKDOWN)
		markdown_line(c, s);
	else
		add_line(c, s, begins_line(s));
}

static void end_page(struct cutter *c)
{
	char title[32];
	int n = snprintf(title, sizeof(title), "page %d", ++c->page);
	set_heading(c, 1, (struct str){ title, (size_t)n });
}

/* The part before the text proper that some programs write: between two lines "---". */
static const char *after_front_matter(const char *text)
{
	if (!starts_with(text, "---\n"))
		return text;
	const char *end = strstr(text + 3, "\n---\n");
	return end == NULL ? text : end + 5;
}

enum errcode cut_document(const char *text, enum document_kind kind, chunk_fn *take, void *arg,
    struct err *e)
{
	struct cutter c = { .kind = kind, .take = take, .arg = arg, .e = e };
	buf_init(&c.paragraph, 4 * PARAGRAPH_BYTES);
	buf_init(&c.piece, 8 * KNOWLEDGE_CHUNK);
	if (kind == DOCUMENT_MARKDOWN)
		text = after_front_matter(text);
	if (kind == DOCUMENT_PAGES)
		end_page(&c);
	while (*text != '\0' && c.rc == OK) {
		size_t n = strcspn(text, "\n\f");
		/* a line of this length has no line ends: it is cut anywhere */
		if (n > PARAGRAPH_BYTES)
			n = utf8_cut(text, n, PARAGRAPH_BYTES);
		line(&c, (struct str){ text, n });
		text += n;
		if (*text == '\f' && kind == DOCUMENT_PAGES)
			end_page(&c);
		text += *text == '\n' || *text == '\f';
	}
	end_paragraph(&c);
	end_piece(&c);
	buf_release(&c.paragraph);
	buf_release(&c.piece);
	return c.rc;
}
