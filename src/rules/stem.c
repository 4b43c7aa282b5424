/*
 * Porter's stemmer. A word is seen as [C](VC){m}[V], C and V being runs of consonants and vowels;
 * rules take off or change an ending when what is left before it is long enough (m). The
 * rules are rows; of those of a step only the first whose ending fits is tried.
 */
#include "rules/stem.h"

#include <stdbool.h>
#include <string.h>

struct rule {
	const char *ending, *into;
};

static bool vowel(const char *w, size_t i)
{
	return strchr("aeiou", w[i]) != NULL || (w[i] == 'y' && i > 0 && !vowel(w, i - 1));
}

/* m of the first n letters. */
static int measure(const char *w, size_t n)
{
	int m = 0;

	for (size_t i = 1; i < n; i++)
		m += vowel(w, i - 1) && !vowel(w, i);
	return m;
}

static bool has_vowel(const char *w, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (vowel(w, i))
			return true;
	return false;
}

static bool doubled(const char *w, size_t n)
{
	return n >= 2 && w[n - 1] == w[n - 2] && !vowel(w, n - 1);
}

/* Ends consonant, vowel, consonant, the last one not w, x or y: "hop", which lost an e ("hope"). */
static bool short_end(const char *w, size_t n)
{
	return n >= 3 && !vowel(w, n - 3) && vowel(w, n - 2) && !vowel(w, n - 1) &&
	    strchr("wxy", w[n - 1]) == NULL;
}

static bool ends(const char *w, size_t n, const char *ending)
{
	size_t k = strlen(ending);

	return n > k && memcmp(w + n - k, ending, k) == 0;
}

/* The first rule that fits, if what is left has at least m. No word grows. */
static size_t apply(char *w, size_t n, const struct rule *rules, size_t nrules, int m)
{
	for (size_t i = 0; i < nrules; i++) {
		size_t left, k;

		if (!ends(w, n, rules[i].ending))
			continue;
		left = n - strlen(rules[i].ending);
		if (measure(w, left) < m)
			return n;
		k = strlen(rules[i].into);
		memcpy(w + left, rules[i].into, k);
		return left + k;
	}
	return n;
}

static const struct rule plural[] = {
	{ "sses", "ss" }, { "ies", "i" }, { "ss", "ss" }, { "s", "" },
};

static const struct rule long_endings[] = {
	{ "ational", "ate" }, { "tional", "tion" }, { "enci", "ence" }, { "anci", "ance" },
	{ "izer", "ize" }, { "abli", "able" }, { "alli", "al" }, { "entli", "ent" }, { "eli", "e" },
	{ "ousli", "ous" }, { "ization", "ize" }, { "ation", "ate" }, { "ator", "ate" },
	{ "alism", "al" }, { "iveness", "ive" }, { "fulness", "ful" }, { "ousness", "ous" },
	{ "aliti", "al" }, { "iviti", "ive" }, { "biliti", "ble" },
};

static const struct rule middle_endings[] = {
	{ "icate", "ic" }, { "ative", "" }, { "alize", "al" }, { "iciti", "ic" }, { "ical", "ic" },
	{ "ful", "" }, { "ness", "" },
};

static const struct rule last_endings[] = {
	{ "al", "" }, { "ance", "" }, { "ence", "" }, { "er", "" }, { "ic", "" }, { "able", "" },
	{ "ible", "" }, { "ant", "" }, { "ement", "" }, { "ment", "" }, { "ent", "" },
	{ "ou", "" }, { "ism", "" }, { "ate", "" }, { "iti", "" },
	{ "ous", "" }, { "ive", "" }, { "ize", "" },
};

#define APPLY(w, n, rules, m) apply(w, n, rules, sizeof(rules) / sizeof((rules)[0]), m)

/* "filed", "filing" to "file"; "stopped" to "stop". */
static size_t past(char *w, size_t n)
{
	size_t left;

	if (ends(w, n, "eed"))
		return measure(w, n - 3) > 0 ? n - 1 : n;
	if (ends(w, n, "ed") && has_vowel(w, n - 2))
		left = n - 2;
	else if (ends(w, n, "ing") && has_vowel(w, n - 3))
		left = n - 3;
	else
		return n;
	if (ends(w, left, "at") || ends(w, left, "bl") || ends(w, left, "iz") ||
	    (measure(w, left) == 1 && short_end(w, left))) {
		w[left] = 'e';
		return left + 1;
	}
	return doubled(w, left) && strchr("lsz", w[left - 1]) == NULL ? left - 1 : left;
}

size_t stem(char *w, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (w[i] < 'a' || w[i] > 'z')
			return n;
	if (n < 3)
		return n;
	n = APPLY(w, n, plural, 0);
	n = past(w, n);
	if (n > 2 && w[n - 1] == 'y' && has_vowel(w, n - 1))
		w[n - 1] = 'i';
	n = APPLY(w, n, long_endings, 1);
	n = APPLY(w, n, middle_endings, 1);
	if (ends(w, n, "ion") && strchr("st", w[n - 4]) != NULL && measure(w, n - 3) > 1)
		n -= 3;
	else
		n = APPLY(w, n, last_endings, 2);
	if (ends(w, n, "e")) {
		int m = measure(w, n - 1);

		if (m > 1 || (m == 1 && !short_end(w, n - 1)))
			n--;
	}
	if (doubled(w, n) && w[n - 1] == 'l' && measure(w, n) > 1)
		n--;
	return n;
}
