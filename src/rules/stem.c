/*
 * One stemmer of the library serves all threads, one after the other: a stem takes less time than
 * a stemmer takes to make.
 */
#include "rules/stem.h"

#include <libstemmer.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Porter leaves short words alone; the library does not. Longer ones are no words. */
enum { WORD_MIN = 3, WORD_MAX = 1000 };

static struct sb_stemmer *porter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

size_t stem(char *word, size_t n)
{
	if (n < WORD_MIN || n > WORD_MAX)
		return n;
	for (size_t i = 0; i < n; i++)
		if (word[i] < 'a' || word[i] > 'z')
			return n;
	pthread_mutex_lock(&lock);
	if (porter == NULL && (porter = sb_stemmer_new("porter", NULL)) == NULL) {
		fputs("libstemmer has no \"porter\" stemmer, or memory ran out\n", stderr);
		abort();
	}
	const sb_symbol *s = sb_stemmer_stem(porter, (const sb_symbol *)word, (int)n);
	size_t len = s != NULL ? (size_t)sb_stemmer_length(porter) : n;
	/* an ending is replaced by none that is longer, but the buffer is the caller's */
	if (s != NULL && len <= n)
		memcpy(word, s, len);
	pthread_mutex_unlock(&lock);
	return len <= n ? len : n;
}
