/*
 * From the files of the vocabulary to its tables.
 *
 * First every phrase becomes a row of numbers of words. Then the tree of phrases is made, in arrays that are large enough even if no
 * two phrases begin alike. When the number of everything is known, all tables are put into one block.
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
	TEXT_AT_FIRST = 1 << 18,
};

/* "word; the, a": ordinary words, which are listed so that they are no slip of another word. */
static const char ordinary[] = "word";
/* "exact article; the, a": words that only fixed rules ask for. */
static const char exact[] = "exact";

struct read_phrase {
	size_t first, n;              /* of the tokens */
	uint16_t kind, file;
	uint32_t value;
};

/* A folded word of an "exact" row. */
struct read_exact {
	const char *word;
	uint32_t kind;                /* as in struct vocabulary_exact */
};

struct reader {
	struct vocabulary_head head;  /* its numbers count what was read so far */
	struct vocabulary_word *word;
	struct vocabulary_edge *edge;
	size_t nedges;
	uint32_t *node;
	struct vocabulary_sense *sense;
	struct vocabulary_kind *kind;
	struct vocabulary_exact *exact;
	char *text;
	size_t text_room;
	struct arena *scratch;
	struct datafile file[VOCABULARY_FILES];
	unsigned at;                  /* the file that is read */
	struct read_phrase *phrase;
	size_t nphrases, room;
	struct read_exact *exact_read;        /* in the order of the files; a word may be there twice */
	size_t nexact_read;
	uint32_t *exact_kind;         /* the kinds of exact_read, each once */
	size_t nexact_kinds;
	uint16_t *token;              /* the words of all phrases, one after another */
	size_t ntokens, token_room;
	/* hash table of words: word + 1, 0: free; and the hash of each word */
	uint16_t *slot;
	size_t nslots;
	uint32_t *hash;
	uint16_t last_kind;           /* of the last row */
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

size_t vocabulary_stem(const struct vocabulary_file *f, const char *text, const char *word, size_t n)
{
	size_t longest = 0;

	for (size_t i = 0; i < f->nendings; i++) {
		const size_t len = f->ending[i].n;
		const char *ending = text + f->ending[i].text;
		if (len > longest && n >= len + VOCABULARY_STEM && word[n - 1] == ending[len - 1] &&
		    memcmp(word + n - len, ending, len) == 0)
			longest = len;
	}
	return n - longest;
}

/* ---- tables -------------------------------------------------------------------------- */

static uint32_t slots_for(size_t n)
{
	uint32_t slots = 16;

	while (slots < n + n / 2)
		slots *= 2;
	return slots;
}

static struct vocabulary_edge *edge_of(struct vocabulary_edge *edge, size_t nedges, uint32_t node, uint32_t word)
{
	size_t i = (node * 0x9E3779B1U ^ word * 0x85EBCA6BU) & (nedges - 1);

	while (edge[i].to != 0 && (edge[i].node != node || edge[i].word != word))
		i = (i + 1) & (nedges - 1);
	return &edge[i];
}

uint32_t vocabulary_step(const struct vocabulary *v, uint32_t node, uint32_t word)
{
	return node == 0 ? word + 1 : edge_of(v->edge, v->head->nedges, node, word)->to;
}

static void put_sense(struct reader *r, uint32_t node, const struct read_phrase *p)
{
	uint32_t *link = &r->node[node];

	for (; *link != 0; link = &r->sense[*link].next) {
		struct vocabulary_sense *s = &r->sense[*link];
		if (s->kind == p->kind && streq(r->text + s->value, r->text + p->value)) {
			s->files |= (uint16_t)(1U << p->file);
			return;
		}
	}
	*link = ++r->head.nsenses;
	r->sense[*link] = (struct vocabulary_sense){ p->value, 0, p->kind, (uint16_t)(1U << p->file) };
}

static void put_phrase(struct reader *r, const struct read_phrase *p)
{
	uint32_t node = r->token[p->first] + 1U;

	for (size_t i = 1; i < p->n; i++) {
		const uint32_t word = r->token[p->first + i];
		struct vocabulary_edge *edge = edge_of(r->edge, r->nedges, node, word);
		if (edge->to == 0)
			*edge = (struct vocabulary_edge){ node, word, r->head.nnodes++ };
		node = edge->to;
	}
	put_sense(r, node, p);
}

static void make_tree(struct reader *r)
{
	const size_t later = r->ntokens - r->nphrases;        /* words that are not the first of their phrases */

	r->nedges = slots_for(later);
	r->edge = arena_array(r->scratch, r->nedges, sizeof(*r->edge));
	r->node = arena_array(r->scratch, r->head.nwords + later + 1, sizeof(*r->node));
	r->head.nnodes = r->head.nwords + 1;
	r->sense = arena_array(r->scratch, r->nphrases + 1, sizeof(*r->sense));
	for (size_t i = 0; i < r->nphrases; i++)
		put_phrase(r, &r->phrase[i]);
}

static void put_key(struct vocabulary *v, unsigned key, const char *text, size_t n, size_t word)
{
	const uint32_t hash = vocabulary_hash(key, text, n);
	size_t i = hash & (v->head->nentries - 1);

	while (v->entry[i].word != 0)
		i = (i + 1) & (v->head->nentries - 1);
	v->entry[i] = (struct vocabulary_entry){ (uint16_t)(hash >> 16), (uint16_t)(word + 1) };
}

static void put_keys(struct vocabulary *v, size_t word)
{
	const struct vocabulary_word *w = &v->word[word];
	const char *text = v->text + w->text;
	const size_t half = w->n / 2;

	put_key(v, KEY_WORD, text, w->n, word);
	if (w->n >= VOCABULARY_SLIP) {
		put_key(v, vocabulary_half(KEY_HEAD, w->n), text, half, word);
		put_key(v, vocabulary_half(KEY_TAIL, w->n), text + half, w->n - half, word);
	}
	for (unsigned file = 0; file < v->head->nfiles && is_letter(text[0]); file++)
		if ((w->files & 1U << file) != 0)
			put_key(v, KEY_STEM + file, text, vocabulary_stem(&v->head->file[file], v->text, text, w->n), word);
}

static size_t count_keys(const struct reader *r)
{
	size_t keys = 0;
	for (size_t i = 0; i < r->head.nwords; i++)
		keys += (size_t)(1 + 2 * (r->word[i].n >= VOCABULARY_SLIP)) + (size_t)__builtin_popcount(r->word[i].files);
	return keys;
}

static void put(void *to, const void *from, size_t n, size_t size)
{
	if (n > 0)
		memcpy(to, from, n * size);
}

/* Put all tables into one block. */
static void pack(struct reader *r, struct arena *a, struct vocabulary *v)
{
	struct vocabulary_head *h = &r->head;

	h->nentries = slots_for(count_keys(r));
	h->nedges = slots_for(h->nnodes - h->nwords);
	struct vocabulary_head *block = arena_alloc(a, vocabulary_bytes(h));
	*block = *h;
	vocabulary_lay(v, block);
	put(v->word, r->word, h->nwords, sizeof(*v->word));
	put(v->node, r->node, h->nnodes, sizeof(*v->node));
	put(v->sense, r->sense, h->nsenses + 1, sizeof(*v->sense));
	put(v->kind, r->kind, h->nkinds + 1, sizeof(*v->kind));
	put(v->exact, r->exact, h->nexact, sizeof(*v->exact));
	put(v->text, r->text, h->ntext, 1);
	for (size_t i = 0; i < r->nedges; i++)
		if (r->edge[i].to != 0)
			*edge_of(v->edge, h->nedges, r->edge[i].node, r->edge[i].word) = r->edge[i];
	for (size_t i = 0; i < h->nwords; i++)
		put_keys(v, i);
}

/* ---- words of phrases ---------------------------------------------------------------- */

/* A larger array with the n old elements. */
static void *grown(struct reader *r, const void *old, size_t n, size_t room, size_t size)
{
	void *more = arena_array(r->scratch, room, size);

	if (n > 0)
		memcpy(more, old, n * size);
	return more;
}

/* A text that is kept, with a NUL behind it; its place. */
static uint32_t keep(struct reader *r, const char *text, size_t n)
{
	const uint32_t at = r->head.ntext;

	if (at + n + 1 > r->text_room) {
		r->text_room = 2 * (r->text_room + n) + TEXT_AT_FIRST;
		r->text = grown(r, r->text, at, r->text_room, 1);
	}
	memcpy(r->text + at, text, n);
	r->text[at + n] = '\0';
	r->head.ntext += (uint32_t)n + 1;
	return at;
}

static void grow_words(struct reader *r)
{
	r->nslots = r->nslots == 0 ? WORDS_AT_FIRST : 2 * r->nslots;
	r->word = grown(r, r->word, r->head.nwords, r->nslots / 2, sizeof(*r->word));
	r->hash = grown(r, r->hash, r->head.nwords, r->nslots / 2, sizeof(*r->hash));
	r->slot = arena_array(r->scratch, r->nslots, sizeof(*r->slot));
	for (size_t i = 0; i < r->head.nwords; i++) {
		size_t at = r->hash[i] & (r->nslots - 1);
		while (r->slot[at] != 0)
			at = (at + 1) & (r->nslots - 1);
		r->slot[at] = (uint16_t)(i + 1);
	}
}

static size_t word_of(struct reader *r, const char *text, size_t n)
{
	const uint32_t hash = vocabulary_hash(KEY_WORD, text, n);
	size_t at;

	if (2 * r->head.nwords >= r->nslots)
		grow_words(r);
	for (at = hash & (r->nslots - 1); r->slot[at] != 0; at = (at + 1) & (r->nslots - 1)) {
		const size_t id = r->slot[at] - 1U;
		if (r->hash[id] == hash && r->word[id].n == n && memcmp(r->text + r->word[id].text, text, n) == 0)
			break;
	}
	if (r->slot[at] == 0) {
		r->hash[r->head.nwords] = hash;
		r->word[r->head.nwords++] = (struct vocabulary_word){ keep(r, text, n), (uint16_t)n, 0 };
		r->slot[at] = (uint16_t)r->head.nwords;
	}
	r->word[r->slot[at] - 1U].files |= (uint16_t)(1U << r->at);
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
	char both[2 * VOCABULARY_WORD];

	if (p->n != 2)
		return;
	const struct vocabulary_word a = r->word[r->token[p->first]], b = r->word[r->token[p->first + 1]];
	if (a.n + b.n < JOINED || a.n + b.n >= VOCABULARY_WORD || !is_letter(r->text[a.text]) || !is_letter(r->text[b.text]))
		return;
	memcpy(both, r->text + a.text, a.n);
	memcpy(both + a.n, r->text + b.text, b.n);
	r->phrase[r->nphrases] = *p;
	r->phrase[r->nphrases].first = r->ntokens;
	r->phrase[r->nphrases++].n = 1;
	add_token(r, both, (size_t)(a.n + b.n));
}

/* ---- rows ---------------------------------------------------------------------------- */

static uint32_t keep_sign(struct reader *r, char sign, const char *name)
{
	const char *text = arena_printf(r->scratch, "%c%s", sign, name);
	return keep(r, text, strlen(text));
}

static uint16_t kind_of(struct reader *r, const char *name)
{
	if (streq(name, ordinary))
		return 0;
	/* rows of one kind stand together */
	if (r->last_kind != 0 && streq(r->text + r->kind[r->last_kind].name, name))
		return r->last_kind;
	for (r->last_kind = 1; r->last_kind <= r->head.nkinds; r->last_kind++)
		if (streq(r->text + r->kind[r->last_kind].name, name))
			return r->last_kind;
	r->head.nkinds++;
	r->kind[r->last_kind].name = keep(r, name, strlen(name));
	r->kind[r->last_kind].slip = keep_sign(r, '~', name);
	r->kind[r->last_kind].part = keep_sign(r, '+', name);
	return r->last_kind;
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
    uint32_t value, struct err *e)
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
	if (r->head.nwords + VOCABULARY_PHRASE + 1 > VOCABULARY_WORDS)
		return datafile_fault(&r->file[r->at], row, e, "there are more than %d different words",
		    VOCABULARY_WORDS);
	r->head.nphrases++;
	add_joined(r, p);
	return OK;
}

static enum errcode read_endings(struct reader *r, char *const *ending, size_t n,
    const struct datafile_row *row, struct err *e)
{
	struct vocabulary_file *f = &r->head.file[r->at];

	if (f->nendings + n > VOCABULARY_ENDINGS)
		return datafile_fault(&r->file[r->at], row, e, "there are more than %d endings",
		    VOCABULARY_ENDINGS);
	for (size_t i = 0; i < n; i++) {
		const char *text = str_fold(r->scratch, ending[i]);
		const size_t len = strlen(text);
		f->ending[f->nendings].text = keep(r, text, len);
		f->ending[f->nendings++].n = (uint32_t)len;
	}
	return OK;
}

/* Does a row without "exact" have this kind? A kind may have only one sort of rows, because evidence_in() finds both. */
static bool is_kind(const struct reader *r, const char *name)
{
	for (size_t i = 1; i <= r->head.nkinds; i++)
		if (streq(r->text + r->kind[i].name, name))
			return true;
	return false;
}

/* The number of the exact kind of this name; nexact_kinds: none has it. */
static size_t find_exact_kind(const struct reader *r, const char *name)
{
	size_t i = 0;

	while (i < r->nexact_kinds && !streq(r->text + r->exact_kind[i], name))
		i++;
	return i;
}

/* The word as messages have it, folded; NULL: they never have it as one word. "l'" stands before a letter, and "'s" behind one. */
static const char *one_word(struct reader *r, const char *text)
{
	const char *fold = str_fold(r->scratch, text);
	const size_t n = strlen(fold), behind = fold[0] == '\'', before = n > 0 && fold[n - 1] == '\'';
	const struct words *w = words_of(r->scratch, arena_printf(r->scratch, "%s%s%s", behind ? "a" : "", fold, before ? "a" : ""), NULL);

	return w->n == 1 + behind + before ? w->word[behind].fold : NULL;
}

/* name: the name of the kind; NULL: the row has none. */
static enum errcode read_exact(struct reader *r, const char *name, char *const *text, size_t n,
    const struct datafile_row *row, struct err *e)
{
	const struct datafile *f = &r->file[r->at];

	if (name == NULL)
		return datafile_fault(f, row, e, "has no kind behind \"%s\"", exact);
	if (strchr(name, ' ') != NULL)
		return datafile_fault(f, row, e, "the kind \"%s\" has a blank", name);
	if (is_kind(r, name))
		return datafile_fault(f, row, e, "an earlier row has the kind \"%s\" without \"%s\": choose another name", name, exact);
	const size_t kind = find_exact_kind(r, name);
	if (kind == r->nexact_kinds)
		r->exact_kind[r->nexact_kinds++] = keep(r, name, strlen(name));
	for (size_t i = 0; i < n; i++) {
		const char *word = one_word(r, text[i]);
		if (word == NULL)
			return datafile_fault(f, row, e, "\"%s\" is not one word of a message, so it would never be found", text[i]);
		if (strlen(word) >= VOCABULARY_WORD)
			return datafile_fault(f, row, e, "\"%s\" has more than %d bytes", text[i], VOCABULARY_WORD - 1);
		r->exact_read[r->nexact_read++] = (struct read_exact){ word, r->exact_kind[kind] };
	}
	return OK;
}

static int by_word(const void *a, const void *b)
{
	const struct read_exact *x = a, *y = b;
	const int order = strcmp(x->word, y->word);
	return order != 0 ? order : (x->kind > y->kind) - (x->kind < y->kind);
}

/* Several files may have the same word of one kind. */
static void make_exact(struct reader *r)
{
	r->exact = arena_array(r->scratch, r->nexact_read + 1, sizeof(*r->exact));
	qsort(r->exact_read, r->nexact_read, sizeof(*r->exact_read), by_word);
	for (size_t i = 0; i < r->nexact_read; i++) {
		const struct read_exact *x = &r->exact_read[i];
		if (i == 0 || by_word(x - 1, x) != 0)
			r->exact[r->head.nexact++] = (struct vocabulary_exact){ keep(r, x->word, strlen(x->word)), x->kind };
	}
}

static enum errcode read_row(struct reader *r, const struct datafile_row *row, struct err *e)
{
	struct datafile *f = &r->file[r->at];
	char **phrase, *text;
	size_t n;
	enum errcode rc;

	if (streq(row->field[0], "compounds")) {
		r->head.file[r->at].compounds = 1;
		return OK;
	}
	if ((rc = datafile_list(f, row, 1, r->scratch, &phrase, &n, e)) != OK)
		return rc;
	if (n == 0)
		return datafile_fault(f, row, e, "has no phrases");
	if (streq(row->field[0], "endings"))
		return read_endings(r, phrase, n, row, e);
	text = strchr(row->field[0], ' ');
	if (text != NULL) {
		*text++ = '\0';
		text += strspn(text, " ");
	}
	if (streq(row->field[0], exact))
		return read_exact(r, text, phrase, n, row, e);
	if (find_exact_kind(r, row->field[0]) < r->nexact_kinds)
		return datafile_fault(f, row, e, "an earlier row has the kind \"%s\" with \"%s\": choose another name", row->field[0], exact);
	const uint32_t value = text != NULL ? keep(r, text, strlen(text)) : 0;
	const uint16_t kind = kind_of(r, row->field[0]);
	for (size_t i = 0; i < n && rc == OK; i++)
		rc = add_phrase(r, row, phrase[i], kind, value, e);
	return rc;
}

static enum errcode read_files(struct reader *r, const char *data_dir, struct err *e)
{
	enum errcode rc = OK;
	size_t rows = 0;

	keep(r, "", 0);
	r->head.nfiles = 1 + (uint32_t)languages_count();
	for (r->at = 0; r->at < r->head.nfiles && rc == OK; r->at++) {
		rc = datafile_read(&r->file[r->at], r->scratch, vocabulary_path(r->scratch, data_dir, r->at), 1, 2, e);
		r->room += rc == OK ? datafile_elements(&r->file[r->at], 1) : 0;
		rows += rc == OK ? r->file[r->at].n : 0;
	}
	r->phrase = arena_array(r->scratch, 2 * r->room + 1, sizeof(*r->phrase));     /* with the joined ones */
	r->kind = arena_array(r->scratch, rows + 1, sizeof(*r->kind));
	r->exact_read = arena_array(r->scratch, r->room + 1, sizeof(*r->exact_read));
	r->exact_kind = arena_array(r->scratch, rows + 1, sizeof(*r->exact_kind));
	for (r->at = 0; r->at < r->head.nfiles && rc == OK; r->at++)
		for (size_t i = 0; i < r->file[r->at].n && rc == OK; i++)
			rc = read_row(r, &r->file[r->at].row[i], e);
	return rc;
}

enum errcode vocabulary_read(struct vocabulary *v, struct arena *a, const char *data_dir, struct err *e)
{
	struct reader r = { .scratch = arena_new() };
	const enum errcode rc = read_files(&r, data_dir, e);

	if (rc == OK) {
		make_tree(&r);
		make_exact(&r);
		pack(&r, a, v);
	}
	arena_free(r.scratch);
	return rc;
}

enum errcode vocabulary_load(struct vocabulary **out, struct arena *a, const char *data_dir, struct err *e)
{
	struct vocabulary *v = arena_alloc(a, sizeof(*v));
	enum errcode rc = languages_open(data_dir, e);

	if (rc == OK && !vocabulary_map(v, a, data_dir))
		rc = vocabulary_read(v, a, data_dir, e);
	*out = rc == OK ? v : NULL;
	return rc;
}
