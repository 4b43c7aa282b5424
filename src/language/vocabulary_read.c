/*
 * From the files of the vocabulary to its tables.
 *
 * First every phrase becomes a row of words, so that the number of everything is known; then the tables
 * are made in their final size. A phrase of two words is also written as one ("night stop", "nightstop").
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/datafile.h"
#include "base/str.h"
#include "language/vocabulary_private.h"

enum { JOINED = 6 };                  /* fewest letters of two words that may be written as one */

/* "word; the, a": ordinary words, which are listed so that they are no slip of another word. */
static const char ordinary[] = "word";

struct read_phrase {
	const char *word[VOCABULARY_PHRASE];
	size_t length[VOCABULARY_PHRASE], n;
	const struct vocabulary_kind *kind;
	const char *value;
	unsigned file;
};

struct reader {
	struct vocabulary *v;
	struct arena *mem, *scratch;
	struct datafile file[VOCABULARY_FILES];
	unsigned at;                  /* the file that is read */
	struct read_phrase *phrase;
	size_t nphrases, room, ntokens;
	const struct vocabulary_kind *kind;   /* of the last row */
};

/* ---- words and keys ------------------------------------------------------------------ */

bool vocabulary_joint(const char *sign)
{
	return sign[0] != '\0' && sign[1] == '\0' && strchr("-'/.", sign[0]) != NULL;
}

size_t vocabulary_plain(char out[VOCABULARY_WORD], const char *fold)
{
	size_t n = 0;

	for (const char *p = fold; *p != '\0'; p++) {
		if (*p == '\'' && fold[1] != '\0')
			continue;
		if (n + 1 == VOCABULARY_WORD)
			return 0;
		out[n++] = *p;
	}
	out[n] = '\0';
	return n;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c & 0x80);
}

uint32_t vocabulary_hash(unsigned key, const char *text, size_t n)
{
	uint32_t h = 2166136261U ^ key * 0x9E3779B1U;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)text[i]) * 16777619U;
	return h ^ h >> 15;
}

unsigned vocabulary_half(enum vocabulary_key half, size_t n)
{
	return (unsigned)half | (unsigned)n << 8;
}

size_t vocabulary_stem(const struct vocabulary_file *f, const char *word, size_t n)
{
	size_t longest = 0;

	for (size_t i = 0; i < f->nendings; i++) {
		const size_t len = strlen(f->ending[i]);
		if (len > longest && n >= len + VOCABULARY_STEM &&
		    memcmp(word + n - len, f->ending[i], len) == 0)
			longest = len;
	}
	return n - longest;
}

/* ---- tables -------------------------------------------------------------------------- */

static size_t slots_for(size_t n)
{
	size_t slots = 16;

	while (slots < n + n / 2)
		slots *= 2;
	return slots;
}

static void put_key(struct vocabulary *v, unsigned key, const char *text, size_t n, size_t word)
{
	const uint32_t hash = vocabulary_hash(key, text, n);
	size_t i = hash & (v->nentries - 1);

	while (v->entry[i].word != 0)
		i = (i + 1) & (v->nentries - 1);
	v->entry[i] = (struct vocabulary_entry){ hash, (uint32_t)word + 1 };
}

static size_t put_word(struct reader *r, const char *text, size_t n, unsigned file)
{
	struct vocabulary *v = r->v;
	const uint32_t hash = vocabulary_hash(KEY_WORD, text, n);
	size_t id = v->nwords;

	for (size_t i = hash & (v->nentries - 1); v->entry[i].word != 0; i = (i + 1) & (v->nentries - 1)) {
		const struct vocabulary_word *w = &v->word[v->entry[i].word - 1];
		if (v->entry[i].hash == hash && w->n == n && memcmp(w->text, text, n) == 0)
			id = v->entry[i].word - 1;
	}
	if (id == v->nwords) {
		v->word[v->nwords++] = (struct vocabulary_word){ text, (uint16_t)n, 0 };
		put_key(v, KEY_WORD, text, n, id);
		if (n >= VOCABULARY_SLIP) {
			put_key(v, vocabulary_half(KEY_HEAD, n), text, n / 2, id);
			put_key(v, vocabulary_half(KEY_TAIL, n), text + n / 2, n - n / 2, id);
		}
	}
	if ((v->word[id].files & 1U << file) == 0) {
		v->word[id].files |= (uint16_t)(1U << file);
		if (is_letter(text[0]))
			put_key(v, KEY_STEM + file, text, vocabulary_stem(&v->file[file], text, n), id);
	}
	return id;
}

static struct vocabulary_edge *edge_of(const struct vocabulary *v, uint32_t node, uint32_t word)
{
	size_t i = (node * 0x9E3779B1U ^ word * 0x85EBCA6BU) & (v->nedges - 1);

	while (v->edge[i].to != 0 && (v->edge[i].node != node || v->edge[i].word != word))
		i = (i + 1) & (v->nedges - 1);
	return &v->edge[i];
}

uint32_t vocabulary_step(const struct vocabulary *v, uint32_t node, uint32_t word)
{
	return edge_of(v, node, word)->to;
}

static void put_sense(struct vocabulary *v, uint32_t node, const struct read_phrase *p)
{
	uint32_t *link = &v->node[node];

	for (; *link != 0; link = &v->sense[*link].next) {
		struct vocabulary_sense *s = &v->sense[*link];
		if (s->kind == p->kind && streq(s->value, p->value)) {
			s->files |= (uint16_t)(1U << p->file);
			return;
		}
	}
	*link = (uint32_t)++v->nsenses;
	v->sense[*link] = (struct vocabulary_sense){ p->kind, p->value, 0, (uint16_t)(1U << p->file) };
}

static void put_phrase(struct reader *r, const struct read_phrase *p)
{
	struct vocabulary *v = r->v;
	uint32_t node = 0;

	for (size_t i = 0; i < p->n; i++) {
		const uint32_t word = (uint32_t)put_word(r, p->word[i], p->length[i], p->file);
		struct vocabulary_edge *edge = edge_of(v, node, word);
		if (edge->to == 0)
			*edge = (struct vocabulary_edge){ node, word, (uint32_t)v->nnodes++ };
		node = edge->to;
	}
	put_sense(v, node, p);
}

static bool all_letters(const struct read_phrase *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (!is_letter(p->word[i][0]))
			return false;
	return true;
}

static void put_joined(struct reader *r, const struct read_phrase *p)
{
	struct read_phrase one = *p;

	if (p->n != 2 || p->length[0] + p->length[1] < JOINED || !all_letters(p))
		return;
	one.n = 1;
	one.length[0] = p->length[0] + p->length[1];
	one.word[0] = arena_printf(r->scratch, "%.*s%.*s", (int)p->length[0], p->word[0],
	    (int)p->length[1], p->word[1]);
	put_phrase(r, &one);
}

static void make_tables(struct reader *r)
{
	struct vocabulary *v = r->v;
	const size_t tokens = r->ntokens + r->nphrases;       /* with the joined ones */

	v->word = arena_array(r->scratch, tokens, sizeof(*v->word));
	v->nentries = slots_for(4 * r->ntokens);
	v->entry = arena_array(r->scratch, v->nentries, sizeof(*v->entry));
	v->nedges = slots_for(tokens);
	v->edge = arena_array(r->scratch, v->nedges, sizeof(*v->edge));
	v->node = arena_array(r->scratch, tokens + 1, sizeof(*v->node));
	v->nnodes = 1;
	v->sense = arena_array(r->scratch, 2 * r->nphrases + 1, sizeof(*v->sense));
	for (size_t i = 0; i < r->nphrases; i++) {
		put_phrase(r, &r->phrase[i]);
		put_joined(r, &r->phrase[i]);
	}
	v->nphrases = r->nphrases;
}

static void *moved(struct arena *a, const void *old, size_t n, size_t size)
{
	return memcpy(arena_array(a, n, size), old, n * size);
}

static void move_words(struct vocabulary *v, struct arena *a)
{
	size_t bytes = 0;
	char *text;

	for (size_t i = 0; i < v->nwords; i++)
		bytes += v->word[i].n;
	text = arena_alloc(a, bytes + 1);
	v->word = moved(a, v->word, v->nwords, sizeof(*v->word));
	for (size_t i = 0; i < v->nwords; text += v->word[i++].n)
		v->word[i].text = memcpy(text, v->word[i].text, v->word[i].n);
}

/* Many words stand in several phrases, so the tables turn out smaller than they had to be. Every worker has
 * them, so they get their final size here. */
static void shrink_tables(struct reader *r)
{
	struct vocabulary *v = r->v;
	const struct vocabulary_entry *entry = v->entry;
	const struct vocabulary_edge *edge = v->edge;
	const size_t nentries = v->nentries, nedges = v->nedges;
	size_t used = 0;

	move_words(v, r->mem);
	v->node = moved(r->mem, v->node, v->nnodes, sizeof(*v->node));
	v->sense = moved(r->mem, v->sense, v->nsenses + 1, sizeof(*v->sense));
	for (size_t i = 0; i < nentries; i++)
		used += entry[i].word != 0;
	v->nentries = slots_for(used);
	v->entry = arena_array(r->mem, v->nentries, sizeof(*v->entry));
	for (size_t i = 0; i < nentries; i++) {
		size_t at = entry[i].hash & (v->nentries - 1);
		if (entry[i].word == 0)
			continue;
		while (v->entry[at].word != 0)
			at = (at + 1) & (v->nentries - 1);
		v->entry[at] = entry[i];
	}
	v->nedges = slots_for(v->nnodes);
	v->edge = arena_array(r->mem, v->nedges, sizeof(*v->edge));
	for (size_t i = 0; i < nedges; i++)
		if (edge[i].to != 0)
			*edge_of(v, edge[i].node, edge[i].word) = edge[i];
}

/* ---- rows ---------------------------------------------------------------------------- */

static const struct vocabulary_kind *kind_of(struct reader *r, const char *name)
{
	struct vocabulary *v = r->v;

	if (streq(name, ordinary))
		return NULL;
	/* rows of one kind stand together */
	if (r->kind != NULL && streq(r->kind->name, name))
		return r->kind;
	for (size_t i = 0; i < v->nkinds; i++)
		if (streq(v->kind[i].name, name))
			return r->kind = &v->kind[i];
	v->kind[v->nkinds] = (struct vocabulary_kind){ arena_strdup(r->mem, name),
		arena_printf(r->mem, "~%s", name), arena_printf(r->mem, "+%s", name) };
	return r->kind = &v->kind[v->nkinds++];
}

/* Nearly all phrases are letters, blanks and hyphens, so that their words need no reading. NULL: it is not
 * such a phrase. */
static const char *plain_phrase(struct reader *r, const char *text)
{
	char *fold = str_fold(r->scratch, text);

	for (char *p = fold; *p != '\0'; p++) {
		if (*p == '-' && p > fold && p[1] != '\0' && p[1] != ' ' && p[-1] != ' ')
			*p = ' ';
		if (*p != ' ' && (*p < 'a' || *p > 'z'))
			return NULL;
	}
	return fold;
}

/* The next word of a phrase. */
static bool next_token(struct reader *r, const char **p, const struct words *w, size_t *i,
    const char **word, size_t *n)
{
	char plain[VOCABULARY_WORD];

	if (w == NULL) {
		*p += strspn(*p, " ");
		*word = *p;
		*n = strcspn(*p, " ");
		*p += *n;
		return *n > 0;
	}
	while (*i < w->n && vocabulary_joint(w->word[*i].fold) && w->n > 1)
		++*i;
	if (*i == w->n)
		return false;
	const char *fold = w->word[(*i)++].fold;
	*n = vocabulary_plain(plain, fold);
	*word = *n > 0 ? arena_strndup(r->scratch, plain, *n) : fold;
	*n = *n > 0 ? *n : VOCABULARY_WORD;
	return true;
}

static enum errcode add_phrase(struct reader *r, const struct datafile_row *row, const char *text,
    const struct vocabulary_kind *kind, const char *value, struct err *e)
{
	struct read_phrase *p = &r->phrase[r->nphrases++];
	const char *rest = plain_phrase(r, text), *word;
	const struct words *w = rest != NULL ? NULL : words_of(r->scratch, text, NULL);
	size_t i = 0, n;

	*p = (struct read_phrase){ .kind = kind, .value = value, .file = r->at };
	while (next_token(r, &rest, w, &i, &word, &n)) {
		if (p->n == VOCABULARY_PHRASE || n >= VOCABULARY_WORD)
			return datafile_fault(&r->file[r->at], row, e, "\"%s\" has more than %d words, or a word "
			    "of more than %d bytes", text, VOCABULARY_PHRASE, VOCABULARY_WORD - 1);
		p->word[p->n] = word;
		p->length[p->n++] = n;
	}
	if (p->n == 0)
		return datafile_fault(&r->file[r->at], row, e, "\"%s\" has no letter, digit or sign", text);
	r->ntokens += p->n;
	return OK;
}

static enum errcode read_endings(struct reader *r, char *const *ending, size_t n,
    const struct datafile_row *row, struct err *e)
{
	struct vocabulary_file *f = &r->v->file[r->at];

	if (f->nendings + n > VOCABULARY_ENDINGS)
		return datafile_fault(&r->file[r->at], row, e, "there are more than %d endings",
		    VOCABULARY_ENDINGS);
	for (size_t i = 0; i < n; i++)
		f->ending[f->nendings++] = arena_strdup(r->mem, str_fold(r->scratch, ending[i]));
	return OK;
}

static enum errcode read_row(struct reader *r, const struct datafile_row *row, struct err *e)
{
	struct datafile *f = &r->file[r->at];
	char **phrase, *value;
	size_t n;
	enum errcode rc;

	if (streq(row->field[0], "compounds")) {
		r->v->file[r->at].compounds = true;
		return OK;
	}
	if ((rc = datafile_list(f, row, 1, r->scratch, &phrase, &n, e)) != OK)
		return rc;
	if (n == 0)
		return datafile_fault(f, row, e, "has no phrases");
	if (streq(row->field[0], "endings"))
		return read_endings(r, phrase, n, row, e);
	value = strchr(row->field[0], ' ');
	if (value != NULL) {
		*value++ = '\0';
		value = arena_strdup(r->mem, value + strspn(value, " "));
	}
	const struct vocabulary_kind *kind = kind_of(r, row->field[0]);
	for (size_t i = 0; i < n && rc == OK; i++)
		rc = add_phrase(r, row, phrase[i], kind, value, e);
	return rc;
}

static enum errcode read_file(struct reader *r, const char *data_dir, const char *folder, struct err *e)
{
	return datafile_read(&r->file[r->at], r->scratch, arena_printf(r->scratch,
	    "%s/conf/language/%s/vocabulary.txt", data_dir, folder), 1, 2, e);
}

static enum errcode read_files(struct reader *r, const char *data_dir, struct err *e)
{
	enum errcode rc = languages_open(data_dir, e);
	size_t rows = 0;

	r->v->nfiles = 1 + (unsigned)languages_count();
	for (r->at = 0; r->at < r->v->nfiles && rc == OK; r->at++) {
		rc = read_file(r, data_dir, r->at == 0 ? "common" : language_at(r->at - 1), e);
		r->room += rc == OK ? datafile_elements(&r->file[r->at], 1) : 0;
		rows += rc == OK ? r->file[r->at].n : 0;
	}
	r->phrase = arena_array(r->scratch, r->room + 1, sizeof(*r->phrase));
	r->v->kind = arena_array(r->mem, rows + 1, sizeof(*r->v->kind));
	for (r->at = 0; r->at < r->v->nfiles && rc == OK; r->at++)
		for (size_t i = 0; i < r->file[r->at].n && rc == OK; i++)
			rc = read_row(r, &r->file[r->at].row[i], e);
	return rc;
}

enum errcode vocabulary_load(struct vocabulary **out, struct arena *a, const char *data_dir, struct err *e)
{
	struct reader r = { .v = arena_alloc(a, sizeof(*r.v)), .mem = a, .scratch = arena_new() };
	const enum errcode rc = read_files(&r, data_dir, e);

	*out = NULL;
	if (rc == OK) {
		make_tables(&r);
		shrink_tables(&r);
		*out = r.v;
	}
	arena_free(r.scratch);
	return rc;
}
