/*
 * Matching the vocabulary: phrases against tokens, and words against their misspellings.
 */
#include "agents/builtin/lexicon.h"

#include <string.h>

#include "base/str.h"

void lexicon_init(struct lexicon *l, struct arena *a, const struct lex_row *rows, size_t n)
{
	l->rows = rows;
	memset(l->head, -1, sizeof(l->head));
	l->next = arena_array(a, n, sizeof(*l->next));
	for (short i = (short)n - 1; i >= 0; i--) {
		unsigned char c = (unsigned char)rows[i].phrase[0] & 0x7f;
		l->next[i] = l->head[c];
		l->head[c] = i;
	}
}

/* Does a token match n bytes of a phrase? An apostrophe left out ("whats") and a plural s
 * do not count. */
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

/* How many tokens from i the phrase takes; 0: it does not match. */
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
	unsigned char c = (unsigned char)x->tok[i].fold[0] & 0x7f;
	for (short r = l->head[c]; r >= 0; r = l->next[r]) {
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

/* Words people use that are a letter away from one of ours. */
bool lexicon_common(const char *fold)
{
	static const char *const rows[] = {
		"alone", "always", "among", "beast", "being", "beings", "bench", "black", "boots",
		"chain", "chance", "charged", "child", "chose", "closed", "descent", "feeds", "feels",
		"fight", "filed", "fills", "fleet", "fonts", "fools", "forms", "forth", "given",
		"glass", "grabs", "grasp", "grasse", "greet", "handing", "heads", "holes", "ideal", "known",
		"launch", "leading", "lease", "light", "lines", "lives", "locking", "logging", "loses",
		"marking", "mean", "meaning", "means", "meanwhile", "medal", "menu", "metal", "metro",
		"names", "noticed", "packing", "packs", "paper", "paste", "plain", "planet", "plays",
		"prime", "prone", "provided", "quiet", "quote", "quotes", "rests", "saves", "scaled",
		"sealing", "seeing", "shoes", "short", "shorts", "sites", "sizes", "skill", "slack",
		"slide", "smart", "spell", "spend", "sport", "sports", "stack", "stair", "stand",
		"stats", "steps", "stray", "string", "taken", "talked", "talking", "thank", "theme",
		"themes", "thing", "things", "tools", "trees", "tries", "types", "users", "walls",
		"wheat", "whereas", "white", "whole", "world",
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (streq(rows[i], fold))
			return true;
	return false;
}

/* Two neighbours changed places and nothing else. */
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
		/* Short words have too many neighbours: for them only swapped letters count, and
		 * never for a filter, which would be added unasked. */
		bool filter = l->rows[r].class == LX_WISH;
		if (filter && (n < 5 || len < 5))
			continue;
		if (n == 4 ? swapped(fold, p) : lexicon_slip(fold, p) || lexicon_slip(single, p))
			return &l->rows[r];
	}
	return NULL;
}
