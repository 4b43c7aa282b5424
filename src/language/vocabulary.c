/*
 * Finding the phrases of a message.
 *
 * For each word of the message its candidates are found: the words of the vocabulary that it may be, as it
 * stands, without its ending, joined with the next one, or with one slip of the finger. From each word the
 * tree of phrases is then walked along all candidates.
 */
#include "language/vocabulary.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "language/vocabulary_private.h"

enum { CANDIDATES = 10, PART = 4 /* fewest letters of a part of a word */, COMPOUND = 7 };

struct candidate {
	uint32_t word;
	uint8_t words;                /* of the message: 2 for "night stop" as "nightstop" */
	bool slip;
};

struct candidates {
	size_t n;
	struct candidate at[CANDIDATES];
};

struct search {
	const struct vocabulary *v;
	const struct words *w;
	struct evidences *out;
	struct candidates *of;        /* of each word of the message */
	size_t first;                 /* where the phrase begins */
};

/* ---- words --------------------------------------------------------------------------- */

/* The next word with this key from slot *i on, which is a hash at first; NULL: no further. */
static const struct vocabulary_word *next_word(const struct vocabulary *v, uint32_t hash, size_t *i)
{
	for (;; ++*i) {
		const struct vocabulary_entry *x = &v->entry[*i & (v->head->nentries - 1)];
		if (x->word == 0)
			return NULL;
		if (x->tag == hash >> 16) {
			++*i;
			return &v->word[x->word - 1];
		}
	}
}

static const struct vocabulary_word *word_as_it_stands(const struct vocabulary *v, const char *text, size_t n)
{
	const uint32_t hash = vocabulary_hash(KEY_WORD, text, n);
	const struct vocabulary_word *x;

	for (size_t i = hash; (x = next_word(v, hash, &i)) != NULL;)
		if (x->n == n && memcmp(v->text + x->text, text, n) == 0)
			return x;
	return NULL;
}

static void add_candidate(const struct vocabulary *v, struct candidates *c, const struct vocabulary_word *x,
    uint8_t words, bool slip)
{
	const uint32_t id = (uint32_t)(x - v->word);

	for (size_t i = 0; i < c->n; i++)
		if (c->at[i].word == id && c->at[i].words == words)
			return;
	if (c->n < CANDIDATES)
		c->at[c->n++] = (struct candidate){ id, words, slip };
}

/* Words that are the same but for their endings, in the language of one file. */
static void add_inflected(const struct vocabulary *v, struct candidates *c, unsigned file, const char *text,
    size_t n)
{
	const size_t stem = vocabulary_stem(&v->head->file[file], v->text, text, n);
	const uint32_t hash = vocabulary_hash(KEY_STEM + file, text, stem);
	const struct vocabulary_word *x;

	for (size_t i = hash; (x = next_word(v, hash, &i)) != NULL;)
		if ((x->files & 1U << file) != 0 && x->n >= stem && memcmp(v->text + x->text, text, stem) == 0 &&
		    vocabulary_stem(&v->head->file[file], v->text, v->text + x->text, x->n) == stem)
			add_candidate(v, c, x, 1, false);
}

/* One slip leaves the first or the second half of the right word as it is. */
static void add_slips(const struct vocabulary *v, struct candidates *c, const char *text, size_t n)
{
	for (size_t right = n - 1; right <= n + 1; right++) {
		const size_t half[2] = { right / 2, right - right / 2 };
		if (right < VOCABULARY_SLIP)
			continue;
		for (unsigned k = 0; k < 2; k++) {
			const char *part = k == 0 ? text : text + n - half[1];
			const uint32_t hash = vocabulary_hash(vocabulary_half(k == 0 ? KEY_HEAD : KEY_TAIL, right),
			    part, half[k]);
			const struct vocabulary_word *x;
			for (size_t i = hash; (x = next_word(v, hash, &i)) != NULL;)
				if (x->n == right && str_one_slip((struct str){ v->text + x->text, x->n }, (struct str){ text, n }))
					add_candidate(v, c, x, 1, true);
		}
	}
}

/* Two words that the vocabulary writes as one. */
static void add_pair(const struct search *s, struct candidates *c, size_t i)
{
	const struct word *a = &s->w->word[i], *b = a + 1;
	const size_t na = strlen(a->fold), nb = i + 1 < s->w->n ? strlen(b->fold) : 0;
	char both[VOCABULARY_WORD];

	if (i + 1 >= s->w->n || b->kind != WORD_LETTERS || nb < 2 || na < 2 || na + nb >= VOCABULARY_WORD)
		return;
	memcpy(both, a->fold, na);
	memcpy(both + na, b->fold, nb);
	const struct vocabulary_word *x = word_as_it_stands(s->v, both, na + nb);
	if (x != NULL)
		add_candidate(s->v, c, x, 2, false);
}

static void find_candidates(const struct search *s, size_t i)
{
	const struct word *w = &s->w->word[i];
	struct candidates *c = &s->of[i];
	char text[VOCABULARY_WORD];
	const size_t n = vocabulary_plain(text, w->fold);
	const struct vocabulary_word *x;

	if (n == 0)
		return;
	if ((x = word_as_it_stands(s->v, text, n)) != NULL)
		add_candidate(s->v, c, x, 1, false);
	if (w->kind != WORD_LETTERS)
		return;
	for (unsigned file = 0; file < s->v->head->nfiles; file++)
		add_inflected(s->v, c, file, text, n);
	if (c->n == 0 && n >= VOCABULARY_SLIP)
		add_slips(s->v, c, text, n);
	add_pair(s, c, i);
}

/* ---- phrases ------------------------------------------------------------------------- */

static void add_sense(const struct search *s, size_t last, uint32_t kind_at, uint32_t value_at)
{
	const struct evidences *e = s->out;
	const char *kind = s->v->text + kind_at, *value = value_at != 0 ? s->v->text + value_at : NULL;

	for (size_t i = e->n; i > 0 && e->at[i - 1].first == s->first; i--)
		if (e->at[i - 1].last == last && e->at[i - 1].kind == kind && streq(e->at[i - 1].value, value))
			return;
	evidence_add(s->out, s->first, last, kind, value);
}

/* Where a phrase may go on after `last`: a hyphen or the like between two words is passed over. */
static size_t after(const struct words *w, size_t last)
{
	const size_t i = last + 1;

	if (i + 1 < w->n && w->word[i].kind == WORD_SIGN && vocabulary_joint(w->word[i].fold) &&
	    (w->word[i].fold[0] == '-' || !w->word[i + 1].gap))
		return i + 1;
	return i;
}

static void walk(const struct search *s, uint32_t node, size_t at, bool slip)
{
	for (size_t i = 0; at < s->w->n && i < s->of[at].n; i++) {
		const struct candidate *c = &s->of[at].at[i];
		const size_t last = at + c->words - 1;
		const uint32_t to = vocabulary_step(s->v, node, c->word);
		const bool weak = slip || c->slip;
		if (to == 0)
			continue;
		for (uint32_t k = s->v->node[to]; k != 0; k = s->v->sense[k].next) {
			const struct vocabulary_sense *x = &s->v->sense[k];
			const struct vocabulary_kind *kind = &s->v->kind[x->kind];
			if (x->kind != 0)
				add_sense(s, last, weak ? kind->slip : kind->name, x->value);
		}
		walk(s, to, after(s->w, last), weak);
	}
}

/* ---- parts of words ------------------------------------------------------------------ */

/* What this part may mean as a word of its own in the language of a file with compounds. */
static bool add_part(const struct search *s, const char *text, size_t n)
{
	const struct vocabulary_word *x = word_as_it_stands(s->v, text, n);
	bool found = false;

	if (x == NULL)
		return false;
	const uint32_t node = vocabulary_step(s->v, 0, (uint32_t)(x - s->v->word));
	for (uint32_t k = node != 0 ? s->v->node[node] : 0; k != 0; k = s->v->sense[k].next) {
		const struct vocabulary_sense *sense = &s->v->sense[k];
		for (unsigned file = 0; file < s->v->head->nfiles; file++)
			if (sense->kind != 0 && (sense->files & 1U << file) != 0 &&
			    s->v->head->file[file].compounds != 0) {
				add_sense(s, s->first, s->v->kind[sense->kind].part, sense->value);
				found = true;
			}
	}
	return found;
}

/* The longest word of the vocabulary at each end of a long word. */
static void find_parts(const struct search *s)
{
	const char *text = s->w->word[s->first].fold;
	const size_t n = strlen(text);

	if (s->w->word[s->first].kind != WORD_LETTERS || n < COMPOUND || n >= VOCABULARY_WORD)
		return;
	for (size_t k = n - 2; k >= PART; k--)
		if (add_part(s, text, k))
			break;
	for (size_t k = n - 2; k >= PART; k--)
		if (add_part(s, text + n - k, k))
			break;
}

/* ---- exact words --------------------------------------------------------------------- */

/* The index of the first exact word that is not less than `text`. */
static size_t exact_from(const struct vocabulary *v, const char *text)
{
	size_t first = 0, end = v->head->nexact;

	while (first < end) {
		const size_t middle = (first + end) / 2;
		if (strcmp(v->text + v->exact[middle].text, text) < 0)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

static void find_exact(const struct search *s, size_t word)
{
	const struct vocabulary *v = s->v;
	const char *text = s->w->word[word].fold;

	for (size_t i = exact_from(v, text); i < v->head->nexact && streq(v->text + v->exact[i].text, text); i++)
		evidence_add_exact(s->out, word, v->text + v->exact[i].kind);
}

static void find(void *self, const struct words *w, struct evidences *out)
{
	struct search s = { .v = self, .w = w, .out = out };

	s.of = arena_array(out->mem, w->n + 1, sizeof(*s.of));
	for (size_t i = 0; i < w->n; i++)
		find_candidates(&s, i);
	for (s.first = 0; s.first < w->n; s.first++) {
		bool known = false;
		walk(&s, 0, s.first, false);
		for (size_t i = 0; i < s.of[s.first].n; i++)
			known |= !s.of[s.first].at[i].slip && s.of[s.first].at[i].words == 1;
		if (!known)
			find_parts(&s);
		find_exact(&s, s.first);
	}
}

struct evidence_source vocabulary_source(const struct vocabulary *v)
{
	union { const struct vocabulary *in; void *out; } self = { .in = v };

	return (struct evidence_source){ find, self.out };
}

const char *vocabulary_value(const struct vocabulary *v, const char *word, size_t n, const char *kind)
{
	const struct vocabulary_word *x = word_as_it_stands(v, word, n);
	const uint32_t node = x != NULL ? vocabulary_step(v, 0, (uint32_t)(x - v->word)) : 0;

	for (uint32_t k = node != 0 ? v->node[node] : 0; k != 0; k = v->sense[k].next)
		if (v->sense[k].kind != 0 && streq(v->text + v->kind[v->sense[k].kind].name, kind))
			return v->sense[k].value != 0 ? v->text + v->sense[k].value : NULL;
	return NULL;
}

const char *vocabulary_about(const struct vocabulary *v, struct arena *a)
{
	return arena_printf(a, "%u phrases of %u kinds", v->head->nphrases, v->head->nkinds);
}
