/*
 * One stemmer of the library serves all threads, one after the other: a stem takes less time than
 * a stemmer takes to make. The stems of the last words are kept, because the same words come again soon.
 */
#include "language/stem.h"

#include <libstemmer.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Porter leaves short words alone; the library does not. Longer ones are no words. */
enum { WORD_MIN = 3, WORD_MAX = 1000, KEPT = 1024 /* a power of two */, KEPT_BYTES = 15 };

static struct kept {
	char word[KEPT_BYTES], stem[KEPT_BYTES];      /* not ended by NUL */
	unsigned char n, len;
} kept[KEPT];

static struct sb_stemmer *porter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The place of a word, which may hold another one; NULL: the word is too long to be kept. */
static struct kept *place_of(const char *word, size_t n)
{
	uint32_t h = 0x811c9dc5U;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)word[i]) * 16777619U;
	return n > KEPT_BYTES ? NULL : &kept[(h ^ h >> 16) & (KEPT - 1)];
}

/* The stem in place of the word; an ending is replaced by none that is longer. */
static size_t stem_new(char *word, size_t n)
{
	if (porter == NULL && (porter = sb_stemmer_new("porter", NULL)) == NULL) {
		fputs("libstemmer has no \"porter\" stemmer, or memory ran out\n", stderr);
		abort();
	}
	const sb_symbol *s = sb_stemmer_stem(porter, (const sb_symbol *)word, (int)n);
	size_t len = s != NULL ? (size_t)sb_stemmer_length(porter) : n;
	if (s == NULL || len > n)
		return n;
	memcpy(word, s, len);
	return len;
}

size_t stem(char *word, size_t n)
{
	if (n < WORD_MIN || n > WORD_MAX)
		return n;
	for (size_t i = 0; i < n; i++)
		if (word[i] < 'a' || word[i] > 'z')
			return n;
	struct kept *k = place_of(word, n);
	pthread_mutex_lock(&lock);
	if (k == NULL) {
		n = stem_new(word, n);
	} else {
		if (k->n != n || memcmp(k->word, word, n) != 0) {
			memcpy(k->word, word, n);
			memcpy(k->stem, word, n);
			k->n = (unsigned char)n;
			k->len = (unsigned char)stem_new(k->stem, n);
		}
		n = k->len;
		memcpy(word, k->stem, n);
	}
	pthread_mutex_unlock(&lock);
	return n;
}
