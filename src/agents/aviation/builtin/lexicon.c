/*
 * Matching the vocabulary: phrases against tokens, and words against their misspellings.
 */
#include "agents/aviation/builtin/lexicon.h"

#include <stdlib.h>
#include <string.h>

#include "agents/aviation/builtin/lexicon_read.h"
#include "agents/aviation/builtin/word_lists.h"
#include "airports/countries.h"
#include "base/log.h"
#include "base/str.h"

enum { WORD_MIN = 5 /* shorter words have too many neighbours */ };

/* ---- the index ------------------------------------------------------------------ */

/* By the first two letters of a word; the apostrophe may be missing ("whats"). */
static size_t pair_of(const char *p)
{
	unsigned first = (unsigned char)*p, second = first != 0 ? (unsigned char)p[1] : 0;
	if (second == '\'')
		second = (unsigned char)p[2];
	if (second == ' ')
		second = 0;
	return (first * 37 + second) % 1024;
}

static bool word_there(const struct lexicon *l, const char *word, size_t n)
{
	for (short w = l->word[word[0] & 0x7f]; w >= 0; w = l->words[w].next)
		if (l->words[w].n == n && memcmp(l->words[w].text, word, n) == 0)
			return true;
	return false;
}

/* Words of a phrase that are long enough to be misspelt. */
static short add_words(struct lexicon *l, struct arena *a, short nwords, const char *phrase,
    short last[static 128])
{
	for (const char *p = phrase; *p != '\0';) {
		size_t n = strcspn(p, " "), c = (size_t)(*p & 0x7f);
		if (n >= WORD_MIN && !word_there(l, p, n)) {
			l->words[nwords] = (struct lex_word){ arena_strndup(a, p, n), n, -1 };
			*(last[c] >= 0 ? &l->words[last[c]].next : &l->word[c]) = nwords;
			last[c] = nwords++;
		}
		p += n + (p[n] == ' ');
	}
	return nwords;
}

static size_t count_words(const struct lex_row *rows, size_t n)
{
	size_t words = 0;
	for (size_t i = 0; i < n; i++)
		for (const char *p = rows[i].phrase; p != NULL; p = strchr(p + 1, ' '))
			words++;
	return words;
}

void lexicon_init(struct lexicon *l, struct arena *a, const struct lex_row *rows, size_t n)
{
	short last[128], nwords = 0;
	memset(l, -1, sizeof(*l));
	memset(last, -1, sizeof(last));
	l->rows = rows;
	l->next = arena_array(a, n, sizeof(*l->next));
	l->pair_next = arena_array(a, n, sizeof(*l->pair_next));
	l->words = arena_array(a, count_words(rows, n), sizeof(*l->words));
	for (size_t i = 0; i < n; i++)
		nwords = add_words(l, a, nwords, rows[i].phrase, last);
	for (short i = (short)n - 1; i >= 0; i--) {
		unsigned char c = (unsigned char)rows[i].phrase[0] & 0x7f;
		size_t pair = pair_of(rows[i].phrase);
		l->next[i] = l->head[c];
		l->head[c] = i;
		l->pair_next[i] = l->pair[pair];
		l->pair[pair] = i;
	}
}

static struct lexicon of_airports, of_rules;

/* The names of countries, by their first letter. */
static struct country_word {
	const char *fold;
	const struct country *country;
	struct country_word *next;
} *countries_by_letter[128];

static void make_countries(struct arena *a)
{
	for (size_t i = country_count(); i-- > 0;) {
		struct country_word *w = arena_alloc(a, sizeof(*w));
		*w = (struct country_word){ .fold = str_fold(a, country_at(i)->name),
			.country = country_at(i) };
		w->next = countries_by_letter[w->fold[0] & 0x7f];
		countries_by_letter[w->fold[0] & 0x7f] = w;
	}
}

/* The arena of the vocabularies in use; it is never freed. */
static struct arena *in_use;

static enum errcode read_all(struct arena *a, const char *data_dir, struct err *e)
{
	struct lex_rows airports = { NULL, 0 }, rules = { NULL, 0 };
	const char *dir = arena_printf(a, "%s/conf/language/en", data_dir);
	struct word_lists *lists;
	/* the lexer, which reads phrases too, needs the lists */
	enum errcode rc = word_lists_read(&lists, a, arena_printf(a, "%s/word_lists.txt", dir), e);
	if (rc != OK)
		return rc;
	word_lists_use(lists);
	rc = lexicon_read_airports(&airports, a, arena_printf(a, "%s/airport_words.txt", dir), e);
	if (rc == OK)
		rc = lexicon_read_rules(&rules, a, arena_printf(a, "%s/rule_words.txt", dir), e);
	if (rc != OK)
		return rc;
	lexicon_init(&of_airports, a, airports.row, airports.n);
	lexicon_init(&of_rules, a, rules.row, rules.n);
	make_countries(a);
	return OK;
}

enum errcode lexicon_open(const char *data_dir, struct err *e)
{
	if (in_use != NULL)
		return OK;
	struct arena *a = arena_new();
	enum errcode rc = read_all(a, data_dir, e);
	if (rc == OK)
		in_use = a;
	else
		arena_free(a);
	return rc;
}

static void must_be_open(void)
{
	if (in_use == NULL) {
		log_msg(LOG_ERROR, "lexicon", "a word was looked up before lexicon_open()");
		abort();
	}
}

const struct lexicon *lexicon_of_airports(void)
{
	must_be_open();
	return &of_airports;
}

const struct lexicon *lexicon_of_rules(void)
{
	must_be_open();
	return &of_rules;
}

/* ---- matching ------------------------------------------------------------------- */

/* Does a token match n bytes of a phrase? A missing apostrophe ("whats") and a plural s are
 * ignored. */
static bool word_fits(const char *fold, const char *word, size_t n)
{
	size_t f = 0;
	for (size_t w = 0; w < n; w++) {
		if (fold[f] == word[w])
			f++;
		else if (word[w] != '\'' || w == 0)
			return false;
	}
	return fold[f] == '\0' || (n > 2 && fold[f] == 's' && fold[f + 1] == '\0');
}

/* How many tokens from i the phrase covers; 0: it does not match. */
static size_t phrase_fits(const char *phrase, const struct lexed *x, size_t i)
{
	size_t at = i;
	for (;;) {
		size_t n = strcspn(phrase, " ");
		if (at >= x->n || !word_fits(x->tok[at].fold, phrase, n))
			return 0;
		at++;
		phrase += n;
		if (*phrase == '\0')
			return at - i;
		phrase++;
		if (x->tok[at - 1].owner)
			return 0;
		if (at + 1 < x->n && x->tok[at].kind == TOK_SYMBOL && x->tok[at].fold[0] == '-')
			at++;
	}
}

const struct lex_row *lexicon_match(const struct lexicon *l, const struct lexed *x, size_t i,
    enum lex_class want, size_t *used)
{
	const struct lex_row *best = NULL;
	*used = 0;
	for (short r = l->pair[pair_of(x->tok[i].fold)]; r >= 0; r = l->pair_next[r]) {
		if (want != LX_NONE && l->rows[r].class != want)
			continue;
		size_t n = phrase_fits(l->rows[r].phrase, x, i);
		if (n > *used) {
			best = &l->rows[r];
			*used = n;
		}
	}
	return best;
}

bool lexicon_slip(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b), i = 0, j = 0;
	while (i < na && i < nb && a[i] == b[i])
		i++;
	while (j < na - i && j < nb - i && a[na - 1 - j] == b[nb - 1 - j])
		j++;
	size_t ra = na - i - j, rb = nb - i - j;     /* what differs in the middle */
	return (ra <= 1 && rb <= 1) ||
	    (ra == 2 && rb == 2 && a[i] == b[i + 1] && a[i + 1] == b[i]);
}

const struct country *lexicon_country(const char *fold, country_fn *fits, const void *arg)
{
	must_be_open();
	for (const struct country_word *w = countries_by_letter[fold[0] & 0x7f]; w != NULL; w = w->next)
		if (lexicon_slip(fold, w->fold) && (fits == NULL || fits(arg, w->country)))
			return w->country;
	return NULL;
}

/* Do the two differ only by two neighbouring letters that changed places? */
static bool swapped(const char *a, const char *b)
{
	size_t i = 0;
	while (a[i] != '\0' && a[i] == b[i])
		i++;
	return a[i] != '\0' && b[i] != '\0' && a[i] == b[i + 1] && a[i + 1] == b[i] &&
	    streq(a + i + 2, b + i + 2);
}

const struct lex_row *lexicon_guess(const struct lexicon *l, const char *fold)
{
	size_t n = strlen(fold);
	char single[64];
	if (n < 4 || n >= sizeof(single))
		return NULL;
	memcpy(single, fold, n + 1);
	if (single[n - 1] == 's')
		single[n - 1] = '\0';
	for (short r = l->head[(unsigned char)fold[0] & 0x7f]; r >= 0; r = l->next[r]) {
		const char *p = l->rows[r].phrase;
		size_t len = strlen(p);
		if (len < 4 || strchr(p, ' ') != NULL || (n == 4 && len != n))
			continue;
		/* Short words have too many neighbours. For them only swapped letters count, and
		 * never for a filter, which would be added although nobody asked for it. */
		bool filter = l->rows[r].class == LX_WISH;
		if (filter && (n < 5 || len < 5))
			continue;
		if (n == 4 ? swapped(fold, p) : lexicon_slip(fold, p) || lexicon_slip(single, p))
			return &l->rows[r];
	}
	return NULL;
}

const char *lexicon_word(const struct lexicon *l, const char *fold)
{
	size_t n = strlen(fold);
	for (short w = l->word[fold[0] & 0x7f]; w >= 0; w = l->words[w].next)
		if (n <= l->words[w].n + 1 && l->words[w].n <= n + 1 &&
		    lexicon_slip(fold, l->words[w].text))
			return l->words[w].text;
	return NULL;
}
