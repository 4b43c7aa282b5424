/*
 * Marks of one label and value in one language are exchanged. Their words are exchanged with their values, except those of
 * places, whose label stays.
 */
#include "tests/language/vary.h"

#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

#include "base/arena.h"
#include "base/str.h"

enum {
	GROUPS = 2000,
	EXCHANGED = 60,          /* of a hundred marks */
	TRIES = 6,               /* to find words of another author */
	INVENTED = 25,           /* of a hundred places that are exchanged: no list has that name */
	NAME_LETTERS = 4,        /* of a name from which another is made, at least */
	SLIPPED = 25,            /* of a hundred messages: a finger slips in one or two words */
	SLIP_LETTERS = 5,        /* of such a word, at least */
	LETTER_BYTES = 16,       /* of a letter that is typed in another way, at most */
};

/* Labels whose words are exchanged with each other. */
static const char PLACES[] = "from|to|via|near";

struct words_for {
	const char *author, *words, *value;
};

struct group {
	const char *name;        /* "en has_avgas=false" */
	size_t n, room;
	struct words_for *at;
};

struct vary {
	struct arena *mem;
	uint32_t state;
	size_t ngroups;
	struct group group[GROUPS];
};

/* How a message is typed. */
struct typing {
	bool small, plain, umlauts, unsigned_;      /* without capitals, accents; "ae" for "ä"; without commas */
};

static const struct {
	unsigned hundredths;
	struct typing typing;
} typings[] = {
	{ 35, { .small = true } },
	{ 20, { .small = true, .plain = true } },
	{ 10, { .umlauts = true, .plain = true } },
	{ 20, { .unsigned_ = true } },
	{ 15, { .small = true, .unsigned_ = true } },
};

/* A generator of Marsaglia's kind, so that the variants are the same on every machine. */
static uint32_t next(struct vary *v)
{
	v->state ^= v->state << 13;
	v->state ^= v->state >> 17;
	v->state ^= v->state << 5;
	return v->state;
}

/* ---- words of marks -------------------------------------------------------------------------- */

static const char *group_name(struct arena *a, const struct marked_message *m, const struct mark *mark)
{
	return arena_printf(a, "%s %s%s%s%s", m->language, mark->lifted ? "-" : "",
	    one_of(mark->label, PLACES) ? "place" : mark->label, mark->value != NULL ? "=" : "",
	    mark->value != NULL ? mark->value : "");
}

static struct group *group_of(struct vary *v, const struct marked_message *m, const struct mark *mark)
{
	const char *name = group_name(v->mem, m, mark);
	size_t i = 0;
	while (i < v->ngroups && !streq(v->group[i].name, name))
		i++;
	if (i == v->ngroups && i < GROUPS)
		v->group[v->ngroups++].name = name;
	return i < GROUPS ? &v->group[i] : NULL;
}

static void add_words(struct vary *v, const struct marked_message *m, size_t mark)
{
	const struct mark *k = &m->gold.mark[mark];
	struct group *g = group_of(v, m, k);
	if (g == NULL)
		return;
	if (g->n == g->room) {
		struct words_for *more = arena_array(v->mem, g->room = g->room == 0 ? 4 : 2 * g->room, sizeof(*more));
		if (g->n > 0)
			memcpy(more, g->at, g->n * sizeof(*more));
		g->at = more;
	}
	g->at[g->n++] = (struct words_for){ m->author, words_slice(v->mem, m->words, k->first, k->last), m->value[mark] };
}

struct vary *vary_new(struct arena *a, const struct marked_message *const *message, size_t n)
{
	struct vary *v = arena_alloc(a, sizeof(*v));
	*v = (struct vary){ .mem = a, .state = 2463534242U };
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < message[i]->gold.nmarks; k++)
			add_words(v, message[i], k);
	return v;
}

static bool is_name(const char *words)
{
	const size_t n = strlen(words);
	return n >= NAME_LETTERS && strcspn(words, " '-.,0123456789") == n && strspn(words, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") < n;
}

static bool begins_letter(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

/* The beginning of one name and the end of another: "Tull" and "amore" of Tullamore and Blackpool give "Tullpool".
 * So the reader learns to recognize a place that is in no list by the words around it. NULL: one of the two is not
 * a single name. */
static const char *invent(struct vary *v, const char *one, const char *two)
{
	if (!is_name(one) || !is_name(two))
		return NULL;
	size_t head = strlen(one) / 2, tail = strlen(two) / 2;
	while (!begins_letter(one[head]))
		head++;
	while (!begins_letter(two[tail]))
		tail++;
	return arena_printf(v->mem, "%.*s%s", (int)head, one, two + tail);
}

/* Other words for a mark, by another author. NULL: there are none, or the mark keeps its own. */
static const struct words_for *others(struct vary *v, const struct marked_message *m, size_t mark)
{
	const struct group *g = group_of(v, m, &m->gold.mark[mark]);
	if (next(v) % 100 >= EXCHANGED)
		return NULL;
	for (size_t i = 0; g != NULL && g->n > 0 && i < TRIES; i++) {
		const struct words_for *w = &g->at[next(v) % g->n];
		if (w->author == m->author)
			continue;
		const char *name = one_of(m->gold.mark[mark].label, PLACES) && next(v) % 100 < INVENTED
		    ? invent(v, w->words, g->at[next(v) % g->n].words) : NULL;
		if (name == NULL)
			return w;
		struct words_for *invented = arena_alloc(v->mem, sizeof(*invented));
		*invented = (struct words_for){ NULL, name, NULL };
		return invented;
	}
	return NULL;
}

/* ---- typing ---------------------------------------------------------------------------------- */

static const char *two_letters(utf8proc_int32_t c)
{
	return c == 0xe4 ? "ae" : c == 0xf6 ? "oe" : c == 0xfc ? "ue" : c == 0xc4 ? "Ae" : c == 0xd6 ? "Oe" : c == 0xdc ? "Ue" :
	    c == 0xdf ? "ss" : NULL;
}

/* One character; how many bytes it has in `to`. */
static size_t type_character(const struct typing *t, utf8proc_int32_t c, char *to)
{
	utf8proc_int32_t part[4] = { 0 };
	int class;
	if (t->small)
		c = utf8proc_tolower(c);
	const char *two = t->umlauts || c == 0xdf ? two_letters(c) : NULL;
	if (t->plain && two != NULL) {
		memcpy(to, two, 2);
		return 2;
	}
	if (t->plain && utf8proc_decompose_char(c, part, 4, UTF8PROC_DECOMPOSE, &class) > 1 &&
	    utf8proc_category(part[1]) == UTF8PROC_CATEGORY_MN)
		c = part[0];
	return (size_t)utf8proc_encode_char(c, (utf8proc_uint8_t *)to);
}

static size_t type(const struct typing *t, const char *text, size_t n, char *to)
{
	size_t done = 0;
	for (size_t i = 0; i < n;) {
		utf8proc_int32_t c;
		utf8proc_ssize_t step = utf8proc_iterate((const utf8proc_uint8_t *)text + i, (utf8proc_ssize_t)(n - i), &c);
		if (step <= 0)
			return done;
		i += (size_t)step;
		bool last = i == n || text[i] == ' ';
		if (!t->unsigned_ || !last || c >= 128 || strchr(",?!;", (int)c) == NULL)
			done += type_character(t, c, to + done);
	}
	return done;
}

static const struct typing *some_typing(struct vary *v)
{
	unsigned k = next(v) % 100;
	size_t i = 0;
	while (k >= typings[i].hundredths)
		k -= typings[i++].hundredths;
	return &typings[i].typing;
}

static bool is_small_letter(char c)
{
	return c >= 'a' && c <= 'z';
}

/* A position in the text after one byte was added or removed at `at`. */
static size_t moved(size_t place, size_t at, int by)
{
	return place > at ? place + (size_t)by : place;
}

/* Changes a long word: two letters change places, one is left out, or one is doubled. The positions of pieces move along. */
static void slip(struct vary *v, char *text, size_t *n, struct marked_piece *piece, size_t npieces)
{
	enum { SWAPPED, LEFT_OUT, TWICE };
	const size_t from = *n > 0 ? next(v) % *n : 0;
	const uint32_t how = next(v) % 3;
	size_t letters = 0, i = from;
	for (; i < *n && letters < SLIP_LETTERS; i++)
		letters = is_small_letter(text[i]) ? letters + 1 : 0;
	if (letters < SLIP_LETTERS)
		return;
	const size_t at = i - 2;              /* the letter before the last of these */
	if (how == SWAPPED) {
		const char kept = text[at];
		text[at] = text[at - 1];
		text[at - 1] = kept;
		return;
	}
	const int by = how == TWICE ? 1 : -1;
	memmove(text + at + (how == TWICE), text + at + (how == LEFT_OUT), *n - at);
	*n += (size_t)by;
	text[*n] = '\0';
	for (size_t k = 0; k < npieces; k++) {
		piece[k].start = moved(piece[k].start, at, by);
		piece[k].end = moved(piece[k].end, at, by);
	}
}

bool vary_message(struct vary *v, const struct marked_message *m, struct marked_message *out)
{
	const struct words *w = m->words;
	const struct typing *typing = some_typing(v);
	struct marked_piece piece[READING_MARKS];
	const struct words_for *other[READING_MARKS];
	size_t at = 0, n = 0, room = strlen(w->text);

	*out = *m;
	for (size_t i = 0; i < m->gold.nmarks; i++) {
		other[i] = others(v, m, i);
		room += other[i] != NULL ? strlen(other[i]->words) : 0;
	}
	char *text = arena_alloc(v->mem, room * 2 + LETTER_BYTES);
	for (size_t i = 0; i < m->gold.nmarks; i++) {
		const struct mark *k = &m->gold.mark[i];
		size_t start = w->word[k->first].start, end = w->word[k->last].end;
		n += type(typing, w->text + at, start - at, text + n);
		piece[i].start = n;
		n += other[i] != NULL ? type(typing, other[i]->words, strlen(other[i]->words), text + n)
		    : type(typing, w->text + start, end - start, text + n);
		piece[i].end = n;
		if (other[i] != NULL && !one_of(k->label, PLACES))
			out->value[i] = other[i]->value;
		at = end;
	}
	n += type(typing, w->text + at, strlen(w->text + at), text + n);
	text[n] = '\0';
	if (next(v) % 100 < SLIPPED)
		for (size_t slips = 1 + next(v) % 2; slips > 0; slips--)
			slip(v, text, &n, piece, m->gold.nmarks);
	out->text = text;
	out->gold.words = out->words = words_of(v->mem, text, m->words->language);
	return marked_find(out, piece) == SIZE_MAX;
}
