/*
 * The stemmers of the library serve all threads, one after the other: a stem takes less time than
 * a stemmer takes to make. The stems of the last words are kept, because the same words come again soon.
 */
#include "language/stem.h"

#include <libstemmer.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"

/* Porter leaves short words alone; the library does not. Longer ones are no words. */
enum { WORD_MIN = 3, WORD_MAX = 1000, KEPT = 1024 /* a power of two */, KEPT_BYTES = 15, ALGORITHMS = 12 };

/* One algorithm of the library; they are never freed. */
static struct stemmer {
	char name[16];                                    /* "": free */
	struct sb_stemmer *sb;                            /* NULL: the library does not know the name */
	struct kept {
		char word[KEPT_BYTES], stem[KEPT_BYTES];      /* not ended by NUL */
		unsigned char n, len;
	} kept[KEPT];
} stemmers[ALGORITHMS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The place of a word, which may hold another one; NULL: the word is too long to be kept. */
static struct kept *place_of(struct stemmer *s, const char *word, size_t n)
{
	uint32_t h = 0x811c9dc5U;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)word[i]) * 16777619U;
	return n > KEPT_BYTES ? NULL : &s->kept[(h ^ h >> 16) & (KEPT - 1)];
}

/* NULL: there is no such algorithm, or no room for another one. */
static struct stemmer *stemmer_of(const char *name)
{
	if (strlen(name) >= sizeof(stemmers[0].name))
		return NULL;
	for (struct stemmer *s = stemmers; s < stemmers + ALGORITHMS; s++) {
		if (s->name[0] == '\0') {
			memcpy(s->name, name, strlen(name) + 1);
			s->sb = sb_stemmer_new(name, NULL);
		}
		if (streq(s->name, name))
			return s->sb != NULL ? s : NULL;
	}
	return NULL;
}

/* The stem in place of the word; an ending is replaced by none that is longer. */
static size_t stem_new(struct stemmer *s, char *word, size_t n)
{
	const sb_symbol *to = sb_stemmer_stem(s->sb, (const sb_symbol *)word, (int)n);
	size_t len = to != NULL ? (size_t)sb_stemmer_length(s->sb) : n;
	if (to == NULL || len > n)
		return n;
	memcpy(word, to, len);
	return len;
}

static size_t stem_kept(struct stemmer *s, char *word, size_t n)
{
	struct kept *k = place_of(s, word, n);
	if (k == NULL)
		return stem_new(s, word, n);
	if (k->n != n || memcmp(k->word, word, n) != 0) {
		memcpy(k->word, word, n);
		memcpy(k->stem, word, n);
		k->n = (unsigned char)n;
		k->len = (unsigned char)stem_new(s, k->stem, n);
	}
	memcpy(word, k->stem, k->len);
	return k->len;
}

size_t stem_by(const char *algorithm, char *word, size_t n)
{
	if (n < WORD_MIN || n > WORD_MAX)
		return n;
	for (size_t i = 0; i < n; i++)
		if (word[i] < 'a' || word[i] > 'z')
			return n;
	pthread_mutex_lock(&lock);
	struct stemmer *s = stemmer_of(algorithm);
	if (s != NULL)
		n = stem_kept(s, word, n);
	pthread_mutex_unlock(&lock);
	return n;
}

bool stem_known(const char *algorithm)
{
	pthread_mutex_lock(&lock);
	bool known = stemmer_of(algorithm) != NULL;
	pthread_mutex_unlock(&lock);
	return known;
}

size_t stem(char *word, size_t n)
{
	return stem_by("porter", word, n);
}
