/*
 * From the files of the vocabulary to its tables.
 *
 * First every phrase becomes a row of numbers of words, so that the number of everything is known; then the
 * tables are made in their final size.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/datafile.h"
#include "base/str.h"
#include "language/vocabulary_private.h"

enum {
	JOINED = 6,                   /* fewest letters of two words that may be written as one */
	WORDS_AT_FIRST = 1 << 15,     /* room for so many words, twice */
	TOKENS_AT_FIRST = 1 << 16,
};

/* "word; the, a": ordinary words, which are listed so that they are no slip of another word. */
static const char ordinary[] = "word";

struct read_phrase {
	size_t first, n;              /* of the tokens */
	uint16_t kind, file;
	const char *value;
};

struct reader {
	struct vocabulary *v;
	struct arena *mem, *scratch;
	struct datafile file[VOCABULARY_FILES];
	unsigned at;                  /* the file that is read */
	struct read_phrase *phrase;
	size_t nphrases, room;
	uint16_t *token;              /* the words of all phrases, one after another */
	size_t ntokens, token_room;
	/* hash table of words: word + 1, 0: free; and the hash of each word */
	uint16_t *slot;
	size_t nslots;
	uint32_t *hash;
	uint16_t kind;                /* of the last row */
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
		const size_t len = f->ending[i].n;
		if (len > longest && n >= len + VOCABULARY_STEM && word[n - 1] == f->ending[i].text[len - 1] &&
		    memcmp(word + n - len, f->ending[i].text, len) == 0)
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
	v->entry[i] = (struct vocabulary_entry){ (uint16_t)(hash >> 16), (uint16_t)(word + 1) };
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
	return node == 0 ? word + 1 : edge_of(v, node, word)->to;
}

/* The keys of all words. */
static void make_entries(struct reader *r)
{
	struct vocabulary *v = r->v;
	size_t keys = 0;

	for (size_t i = 0; i < v->nwords; i++)
		keys += (size_t)(1 + 2 * (v->word[i].n >= VOCABULARY_SLIP)) + (size_t)__builtin_popcount(v->word[i].files);
	v->nentries = slots_for(keys);
	v->entry = arena_array(r->mem, v->nentries, sizeof(*v->entry));
	for (size_t i = 0; i < v->nwords; i++) {
		const struct vocabulary_word *w = &v->word[i];
		put_key(v, KEY_WORD, w->text, w->n, i);
		if (w->n >= VOCABULARY_SLIP) {
			put_key(v, vocabulary_half(KEY_HEAD, w->n), w->text, w->n / 2, i);
			put_key(v, vocabulary_half(KEY_TAIL, w->n), w->text + w->n / 2, (size_t)(w->n - w->n / 2), i);
		}
		for (unsigned file = 0; file < v->nfiles && is_letter(w->text[0]); file++)
			if ((w->files & 1U << file) != 0)
				put_key(v, KEY_STEM + file, w->text, vocabulary_stem(&v->file[file], w->text, w->n), i);
	}
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
	v->sense[*link] = (struct vocabulary_sense){ p->value, 0, p->kind, (uint16_t)(1U << p->file) };
}

static void put_phrase(struct reader *r, const struct read_phrase *p)
{
	struct vocabulary *v = r->v;
	uint32_t node = r->token[p->first] + 1U;

	for (size_t i = 1; i < p->n; i++) {
		const uint32_t word = r->token[p->first + i];
		struct vocabulary_edge *edge = edge_of(v, node, word);
		if (edge->to == 0)
			*edge = (struct vocabulary_edge){ node, word, (uint32_t)v->nnodes++ };
		node = edge->to;
	}
	put_sense(v, node, p);
}

static void make_tree(struct reader *r)
{
	struct vocabulary *v = r->v;
	const size_t later = r->ntokens - r->nphrases;        /* words that are not the first of their phrases */

	v->nedges = slots_for(later);
	v->edge = arena_array(r->scratch, v->nedges, sizeof(*v->edge));
	v->node = arena_array(r->scratch, v->nwords + later + 1, sizeof(*v->node));
	v->nnodes = v->nwords + 1;
	v->sense = arena_array(r->scratch, r->nphrases + 1, sizeof(*v->sense));
	for (size_t i = 0; i < r->nphrases; i++)
		put_phrase(r, &r->phrase[i]);
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

/* Many phrases begin alike, so the tree turns out smaller than it had to be. Every worker has it, so it gets
 * its final size here. */
static void shrink_tree(struct reader *r)
{
	struct vocabulary *v = r->v;
	const struct vocabulary_edge *edge = v->edge;
	const size_t nedges = v->nedges;

	v->node = moved(r->mem, v->node, v->nnodes, sizeof(*v->node));
	v->sense = moved(r->mem, v->sense, v->nsenses + 1, sizeof(*v->sense));
	v->nedges = slots_for(v->nnodes - v->nwords);
	v->edge = arena_array(r->mem, v->nedges, sizeof(*v->edge));
	for (size_t i = 0; i < nedges; i++)
		if (edge[i].to != 0)
			*edge_of(v, edge[i].node, edge[i].word) = edge[i];
}

/* ---- words of phrases ---------------------------------------------------------------- */

/* Twice as much room for an array of n things. */
static void *grown(struct reader *r, const void *old, size_t n, size_t room, size_t size)
{
	void *more = arena_array(r->scratch, room, size);

	if (n > 0)
		memcpy(more, old, n * size);
	return more;
}

static void grow_words(struct reader *r)
{
	struct vocabulary *v = r->v;

	r->nslots = r->nslots == 0 ? WORDS_AT_FIRST : 2 * r->nslots;
	v->word = grown(r, v->word, v->nwords, r->nslots / 2, sizeof(*v->word));
	r->hash = grown(r, r->hash, v->nwords, r->nslots / 2, sizeof(*r->hash));
	r->slot = arena_array(r->scratch, r->nslots, sizeof(*r->slot));
	for (size_t i = 0; i < v->nwords; i++) {
		size_t at = r->hash[i] & (r->nslots - 1);
		while (r->slot[at] != 0)
			at = (at + 1) & (r->nslots - 1);
		r->slot[at] = (uint16_t)(i + 1);
	}
}

/* The word of this text, which lives as long as the scratch arena. */
static size_t word_of(struct reader *r, const char *text, size_t n)
{
	struct vocabulary *v = r->v;
	const uint32_t hash = vocabulary_hash(KEY_WORD, text, n);
	size_t at;

	if (2 * v->nwords >= r->nslots)
		grow_words(r);
	for (at = hash & (r->nslots - 1); r->slot[at] != 0; at = (at + 1) & (r->nslots - 1)) {
		const size_t id = r->slot[at] - 1U;
		if (r->hash[id] == hash && v->word[id].n == n && memcmp(v->word[id].text, text, n) == 0)
			break;
	}
	if (r->slot[at] == 0) {
		r->hash[v->nwords] = hash;
		v->word[v->nwords++] = (struct vocabulary_word){ text, (uint16_t)n, 0 };
		r->slot[at] = (uint16_t)v->nwords;
	}
	v->word[r->slot[at] - 1U].files |= (uint16_t)(1U << r->at);
	return r->slot[at] - 1U;
}

static void add_token(struct reader *r, const char *text, size_t n)
{
	if (r->ntokens == r->token_room) {
		r->token_room = r->token_room == 0 ? TOKENS_AT_FIRST : 2 * r->token_room;
		r->token = grown(r, r->token, r->ntokens, r->token_room, sizeof(*r->token));
	}
	r->token[r->ntokens++] = (uint16_t)word_of(r, text, n);
}

/* "night stop" is also written as one word. */
static void add_joined(struct reader *r, const struct read_phrase *p)
{
	const struct vocabulary_word *a, *b;

	if (p->n != 2)
		return;
	a = &r->v->word[r->token[p->first]];
	b = &r->v->word[r->token[p->first + 1]];
	if (a->n + b->n < JOINED || a->n + b->n >= VOCABULARY_WORD || !is_letter(a->text[0]) || !is_letter(b->text[0]))
		return;
	r->phrase[r->nphrases] = *p;
	r->phrase[r->nphrases].first = r->ntokens;
	r->phrase[r->nphrases++].n = 1;
	add_token(r, arena_printf(r->scratch, "%.*s%.*s", (int)a->n, a->text, (int)b->n, b->text), a->n + b->n);
}

/* ---- rows ---------------------------------------------------------------------------- */

static uint16_t kind_of(struct reader *r, const char *name)
{
	struct vocabulary *v = r->v;

	if (streq(name, ordinary))
		return 0;
	/* rows of one kind stand together */
	if (r->kind != 0 && streq(v->kind[r->kind].name, name))
		return r->kind;
	for (r->kind = 1; r->kind <= v->nkinds; r->kind++)
		if (streq(v->kind[r->kind].name, name))
			return r->kind;
	v->kind[++v->nkinds] = (struct vocabulary_kind){ arena_strdup(r->mem, name),
		arena_printf(r->mem, "~%s", name), arena_printf(r->mem, "+%s", name) };
	return r->kind;
}

/* Nearly all phrases are letters, blanks and hyphens, so that their words need no reading, and most of them
 * need no folding. NULL: it is not such a phrase. */
static const char *plain_phrase(struct reader *r, const char *text)
{
	size_t n = 0;

	while ((text[n] >= 'a' && text[n] <= 'z') || text[n] == ' ')
		n++;
	if (text[n] == '\0')
		return text;
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
		while (**p == ' ')
			++*p;
		for (*word = *p; **p != ' ' && **p != '\0';)
			++*p;
		*n = (size_t)(*p - *word);
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

static enum errcode add_phrase(struct reader *r, const struct datafile_row *row, const char *text, uint16_t kind,
    const char *value, struct err *e)
{
	struct read_phrase *p = &r->phrase[r->nphrases++];
	const char *rest = plain_phrase(r, text), *word;
	const struct words *w = rest != NULL ? NULL : words_of(r->scratch, text, NULL);
	size_t i = 0, n;

	*p = (struct read_phrase){ .first = r->ntokens, .kind = kind, .value = value, .file = (uint16_t)r->at };
	while (next_token(r, &rest, w, &i, &word, &n)) {
		if (p->n == VOCABULARY_PHRASE || n >= VOCABULARY_WORD)
			return datafile_fault(&r->file[r->at], row, e, "\"%s\" has more than %d words, or a word "
			    "of more than %d bytes", text, VOCABULARY_PHRASE, VOCABULARY_WORD - 1);
		add_token(r, word, n);
		p->n++;
	}
	if (p->n == 0)
		return datafile_fault(&r->file[r->at], row, e, "\"%s\" has no letter, digit or sign", text);
	if (r->v->nwords + VOCABULARY_PHRASE + 1 > VOCABULARY_WORDS)
		return datafile_fault(&r->file[r->at], row, e, "there are more than %d different words",
		    VOCABULARY_WORDS);
	r->v->nphrases++;
	add_joined(r, p);
	return OK;
}

static enum errcode read_endings(struct reader *r, char *const *ending, size_t n,
    const struct datafile_row *row, struct err *e)
{
	struct vocabulary_file *f = &r->v->file[r->at];

	if (f->nendings + n > VOCABULARY_ENDINGS)
		return datafile_fault(&r->file[r->at], row, e, "there are more than %d endings",
		    VOCABULARY_ENDINGS);
	for (size_t i = 0; i < n; i++) {
		const char *text = arena_strdup(r->mem, str_fold(r->scratch, ending[i]));
		f->ending[f->nendings].text = text;
		f->ending[f->nendings++].n = strlen(text);
	}
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
	const uint16_t kind = kind_of(r, row->field[0]);
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
	r->phrase = arena_array(r->scratch, 2 * r->room + 1, sizeof(*r->phrase));     /* with the joined ones */
	r->v->kind = arena_array(r->scratch, rows + 1, sizeof(*r->v->kind));
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
		move_words(r.v, a);
		r.v->kind = moved(a, r.v->kind, r.v->nkinds + 1, sizeof(*r.v->kind));
		make_entries(&r);
		make_tree(&r);
		shrink_tree(&r);
		*out = r.v;
	}
	arena_free(r.scratch);
	return rc;
}
