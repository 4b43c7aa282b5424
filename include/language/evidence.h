/*
 * Evidence: what exact knowledge says of the words of a message, before anything is understood.
 *
 * A source is a table or a grammar: the vocabulary files of a language, numbers with their units, days
 * and times, codes, countries, names of places. It does not decide. It says that words 3 to 4 may be
 * a quantity of length, or a town, and what that would be worth; the tagger learns how far to believe it.
 * Evidence may overlap and contradict. Kinds are described where they are made: those of words and phrases in
 * conf/language/common/vocabulary.txt, those of numbers, times and dates in quantity.h. This layer knows no
 * airport: an agent adds sources of its own.
 */
#ifndef LANGUAGE_EVIDENCE_H
#define LANGUAGE_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "language/words.h"

struct evidence {
	size_t first, last;      /* words */
	/* what it may be, "length", "avgas", "country", "town": a static or long-lived string, which is the
	 * feature that the tagger learns from */
	const char *kind;
	/* what it would be worth in one exact spelling ("800m", "30min", "FR", "2", "14:00"); NULL: nothing but
	 * its kind. In the arena or long-lived. */
	const char *value;
};

/* How much a word sounds like a question about rules (encoder.h). For several words, `sum` and `size` add up; the sound is
 * sum / sqrt(size). */
struct evidence_sound {
	float sum, size;
};

/* The clusters of words of similar meaning that a word is in, from the largest to the smallest, with numbers from 1 (encoder.h);
 * 0: the word is not known. */
enum { CLUSTER_LARGE, CLUSTER_MIDDLE, CLUSTER_SMALL, EVIDENCE_CLUSTERS };
struct evidence_clusters {
	uint16_t at[EVIDENCE_CLUSTERS];
};

struct evidences {
	struct arena *mem;
	size_t n, room;
	struct evidence *at;     /* in the order of their first words, the longest first */
	/* Words of kinds that only fixed rules use, in the order of the words. evidence_in() finds them too. The models do not see them, so
	 * nothing is trained again when they change. */
	size_t nexact, exact_room;
	struct evidence *exact;
	const struct evidence_sound *sound;           /* of each word; NULL: no source tells */
	const struct evidence_clusters *clusters;     /* likewise */
	/* of each word the ENCODER_DIMS numbers of its vector, as long as the encoder is open; NULL: the word is not known */
	const int8_t *const *meanings;
};

/* One of these adds what it knows. It must be thread-safe, and fast: a message has up to WORDS_MAX words. */
struct evidence_source {
	void (*find)(void *self, const struct words *w, struct evidences *out);
	void *self;
};

enum { EVIDENCE_MAX = 2000 };        /* further ones are left out */

void evidence_add(struct evidences *out, size_t first, size_t last, const char *kind, const char *value);
/* Call it in the order of the words, because exact evidence is not sorted later. */
void evidence_add_exact(struct evidences *out, size_t word, const char *kind);

/* All that these sources say of a message; in the arena. */
struct evidences *evidence_of(struct arena *a, const struct words *w, const struct evidence_source *source, size_t n);

/* The evidence of this kind that covers exactly these words, else the longest within them; NULL: none. */
const struct evidence *evidence_in(const struct evidences *e, size_t first, size_t last, const char *kind);

/* May a word that means "not" be of this kind too? "Noch" is also "still", and in capitals OHNE looks like a code. */
bool evidence_fits_not(const char *kind);

#endif
