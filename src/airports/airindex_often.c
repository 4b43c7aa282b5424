/*
 * Texts of one and two characters have no trigrams, and nearly every airport has the word "airport".
 * A search for one of them would read the texts of all airports. So the airports of all texts of one
 * and two characters are listed, and those of the words that at least OFTEN airports have.
 *
 * The first pass lists the short texts and counts words. The second pass lists the airports of the
 * frequent words, those with the word in a longer word too.
 */
#include "airports/airindex_often.h"

#include <string.h>

#include "airports/row_list.h"
#include "base/buf.h"
#include "base/str.h"
#include "drivers/db.h"

enum { SHORT = 2, LIST_BYTES = 16 << 20 };

struct often_text {
	const char *text;             /* NULL: free; not terminated */
	size_t n;
	uint32_t airports;
	uint32_t last;                /* the last of them */
	struct buf rows;              /* of a short text; p NULL: it is a word, which is only counted */
};

struct often {
	struct arena *mem;
	struct often_text *slot;      /* hash table */
	size_t nslots, used;
};

static struct often_text *slot_of(const struct often *o, const char *text, size_t n)
{
	uint64_t h = 14695981039346656037U;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)text[i]) * 1099511628211U;
	for (h ^= h >> 32;; h++) {
		struct often_text *t = &o->slot[h & (o->nslots - 1)];

		if (t->text == NULL || (t->n == n && memcmp(t->text, text, n) == 0))
			return t;
	}
}

static void grow(struct often *o)
{
	struct often_text *old = o->slot;
	size_t n = o->nslots;

	o->nslots = n > 0 ? 2 * n : 4096;
	o->slot = arena_array(o->mem, o->nslots, sizeof(*o->slot));
	for (size_t i = 0; i < n; i++)
		if (old[i].text != NULL)
			*slot_of(o, old[i].text, old[i].n) = old[i];
}

/* The text, unless airport `row` was seen with it already. */
static struct often_text *first_in(struct often *o, uint32_t row, const char *text, size_t n)
{
	struct often_text *t;

	if (2 * o->used >= o->nslots)
		grow(o);
	t = slot_of(o, text, n);
	if (t->text == NULL) {
		*t = (struct often_text){ .text = text, .n = n };
		o->used++;
	}
	return t->airports > 0 && t->last == row ? NULL : t;
}

static void add_short(struct often *o, uint32_t row, const char *text, size_t n)
{
	struct often_text *t = first_in(o, row, text, n);

	if (t == NULL)
		return;
	if (t->airports++ == 0)
		buf_init(&t->rows, LIST_BYTES);
	row_list_put(&t->rows, t->last, row);
	t->last = row;
}

static void count_word(struct often *o, uint32_t row, const char *text, size_t n)
{
	struct often_text *t = utf8_count(text, n) > SHORT ? first_in(o, row, text, n) : NULL;

	if (t == NULL)
		return;
	t->airports++;
	t->last = row;
}

static size_t char_at(const char *p)
{
	size_t n = *p == '\0' || *p == '\n' ? 0 : utf8_len(p, strlen(p));

	return n > 0 || *p == '\0' || *p == '\n' ? n : 1;
}

static bool in_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & 0x80);
}

static void read_line(struct often *o, uint32_t row, const char *line)
{
	for (const char *p = line; *p != '\0';) {
		size_t n = char_at(p), more = n > 0 ? char_at(p + n) : 0;

		if (n > 0)
			add_short(o, row, p, n);
		if (more > 0)
			add_short(o, row, p, n + more);
		p += n > 0 ? n : 1;
	}
	for (const char *p = line; *p != '\0';) {
		const char *word = p;

		while (in_word(*p))
			p++;
		if (p > word)
			count_word(o, row, word, (size_t)(p - word));
		else
			p++;
	}
}

/* The airports whose texts contain a word, also as part of another one. */
static void list_word(struct buf *rows, const char *word, const char *const *lines, size_t n)
{
	uint32_t last = 0;

	for (uint32_t row = 1; row <= n; row++)
		if (strstr(lines[row - 1], word) != NULL) {
			row_list_put(rows, last, row);
			last = row;
		}
}

static enum errcode put(struct db *db, const struct often_text *t, const struct buf *rows,
    struct err *e)
{
	static const char sql[] = "INSERT INTO often VALUES(?,?)";

	return db_put(db, sql, e, DB_TEXTN(t->text, t->n), DB_BLOB(rows->p, rows->n));
}

static enum errcode write(struct often *o, struct db *db, const char *const *lines, size_t n,
    struct err *e)
{
	enum errcode rc = OK;
	struct buf rows;

	buf_init(&rows, LIST_BYTES);
	for (size_t i = 0; i < o->nslots && rc == OK; i++) {
		struct often_text *t = &o->slot[i];

		if (t->rows.p != NULL) {
			rc = put(db, t, &t->rows, e);
		} else if (t->airports >= OFTEN) {
			buf_clear(&rows);
			list_word(&rows, arena_strndup(o->mem, t->text, t->n), lines, n);
			rc = put(db, t, &rows, e);
		}
	}
	buf_release(&rows);
	return rc;
}

enum errcode airindex_often_write(struct db *db, const char *const *lines, size_t n, struct err *e)
{
	struct often o = { .mem = arena_new() };
	enum errcode rc;

	grow(&o);
	for (uint32_t row = 1; row <= n; row++)
		read_line(&o, row, lines[row - 1]);
	rc = write(&o, db, lines, n, e);
	for (size_t i = 0; i < o.nslots; i++)
		if (o.slot[i].rows.p != NULL)
			buf_release(&o.slot[i].rows);
	arena_free(o.mem);
	return rc;
}
