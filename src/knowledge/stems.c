/*
 * A phrase is looked up by its stems, so "holidays" finds the row of "holiday". Of two phrases that
 * begin at the same word of a question the longer one counts.
 */
#include "knowledge/stems.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/datafile.h"
#include "base/heap.h"
#include "base/str.h"
#include "language/stem.h"
#include "language/word_reader.h"

enum { STEMS_MAX = 1 << 20, SKIP = -1 };

struct entry {
	const char *stems;
	int meaning;                  /* its place in `meanings`; SKIP: it tells nothing */
};

struct meaning {
	const char *const *phrases;
	size_t n;
};

struct word_file {
	struct arena *mem;
	struct entry *entries;        /* sorted by stems */
	size_t n;
	struct meaning *meanings;
	size_t nmeanings;
};

static const struct datafile_name kinds[] = { { "skip", 0 }, { "same", 1 } };

char *stems_of(struct arena *a, const char *text)
{
	struct term_reader r = { .p = text };
	struct term_word w;
	struct buf b;

	buf_init(&b, STEMS_MAX);
	while (term_word_next(&r, &w)) {
		if (b.n > 0)
			buf_putc(&b, ' ');
		buf_put(&b, w.stem, stem(w.stem, w.n));
	}
	char *out = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return out;
}

/* -- the file -- */

static int by_stems(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;
	return strcmp(a->stems, b->stems);
}

static const struct entry *find(const struct word_file *f, const char *stems)
{
	const struct entry key = { .stems = stems };
	return f->n == 0 ? NULL : bsearch(&key, f->entries, f->n, sizeof(key), by_stems);
}

static bool has_phrase(const struct meaning *m, const char *phrase)
{
	for (size_t i = 0; i < m->n; i++)
		if (streq(m->phrases[i], phrase))
			return true;
	return false;
}

static bool is_skipped(const struct word_file *f, const char *stems)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->entries[i].meaning == SKIP && streq(f->entries[i].stems, stems))
			return true;
	return false;
}

static enum errcode add_row(struct word_file *f, struct datafile *d, const struct datafile_row *r,
    struct err *e)
{
	char **words;
	size_t n;
	int kind;
	enum errcode rc = datafile_name(d, r, r->field[0], kinds, 2, &kind, e);
	if (rc == OK)
		rc = datafile_list(d, r, 1, f->mem, &words, &n, e);
	if (rc != OK)
		return rc;
	struct meaning *m = &f->meanings[f->nmeanings];
	const char **phrases = arena_array(f->mem, n, sizeof(*phrases));
	*m = (struct meaning){ phrases, 0 };   /* a row of "skip" does not count it, so the next row uses its place */
	for (size_t i = 0; i < n; i++) {
		const char *stems = stems_of(f->mem, words[i]);
		size_t blanks = 0;
		for (const char *p = stems; *p != '\0'; p++)
			blanks += *p == ' ';
		if (*stems == '\0' || blanks >= PHRASE_WORDS || (kind == 0 && blanks > 0))
			return datafile_fault(d, r, e, "\"%s\" must be %s", words[i],
			    kind == 0 ? "one word" : "one to three words");
		/* "train, training" in one row, "use, us" in two of "skip": endings do not matter */
		if (has_phrase(m, stems) || (kind == 0 && is_skipped(f, stems)))
			continue;
		if ((rc = datafile_once(d, r, 0, stems, e)) != OK)
			return rc;
		f->entries[f->n++] = (struct entry){ stems, kind == 0 ? SKIP : (int)f->nmeanings };
		phrases[m->n++] = stems;
	}
	f->nmeanings += kind == 1;
	return OK;
}

enum errcode word_file_open(struct word_file **out, const char *path, struct err *e)
{
	struct arena *mem = arena_new();
	struct word_file *f = arena_alloc(mem, sizeof(*f));
	struct datafile d;
	enum errcode rc = datafile_read(&d, mem, path, 2, 2, e);
	f->mem = mem;
	*out = NULL;
	if (rc == OK) {
		f->entries = arena_array(mem, datafile_elements(&d, 1), sizeof(*f->entries));
		f->meanings = arena_array(mem, d.n, sizeof(*f->meanings));
	}
	for (size_t i = 0; rc == OK && i < d.n; i++)
		rc = add_row(f, &d, &d.row[i], e);
	if (rc != OK) {
		arena_free(mem);
		return rc;
	}
	qsort(f->entries, f->n, sizeof(*f->entries), by_stems);
	*out = f;
	return OK;
}

void word_file_close(struct word_file *f)
{
	if (f != NULL)
		arena_free(f->mem);
}

/* -- a question -- */

/* The bytes of the next n words, 0: there are fewer. */
static size_t words_at(const char *p, size_t n)
{
	size_t bytes = 0;
	for (size_t i = 0; i < n; i++) {
		if (i > 0) {
			if (p[bytes] == '\0')
				return 0;
			bytes++;
		}
		if (p[bytes] == '\0')
			return 0;
		bytes += strcspn(p + bytes, " ");
	}
	return bytes;
}

/* The longest phrase of the file that begins here; *bytes: its length, or that of one word. */
static const struct entry *longest(struct arena *a, const struct word_file *f, const char *p,
    size_t *bytes)
{
	for (size_t n = PHRASE_WORDS; n > 0; n--) {
		*bytes = words_at(p, n);
		if (*bytes == 0)
			continue;
		const struct entry *found = find(f, arena_strndup(a, p, *bytes));
		if (found != NULL)
			return found;
	}
	*bytes = words_at(p, 1);
	return NULL;
}

static bool has_term(const struct query_term *terms, size_t n, const char *phrase)
{
	for (size_t i = 0; i < n; i++) {
		const struct meaning m = { terms[i].phrases, terms[i].n };
		if (has_phrase(&m, phrase))
			return true;
	}
	return false;
}

size_t query_terms(struct arena *a, const struct word_file *f, const char *text,
    struct query_term terms[QUERY_TERMS])
{
	size_t n = 0, bytes;
	for (const char *p = stems_of(a, text); *p != '\0' && n < QUERY_TERMS; p += *p == ' ') {
		const struct entry *known = longest(a, f, p, &bytes);
		const char **own = arena_array(a, 1, sizeof(*own));
		own[0] = arena_strndup(a, p, bytes);
		p += bytes;
		if ((known != NULL && known->meaning == SKIP) || has_term(terms, n, own[0]))
			continue;
		if (known != NULL)
			terms[n++] = (struct query_term){ own[0], f->meanings[known->meaning].phrases,
				f->meanings[known->meaning].n };
		else
			terms[n++] = (struct query_term){ own[0], own, 1 };
	}
	return n;
}
