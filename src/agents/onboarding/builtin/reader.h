/*
 * A message cut into words, and what is asked of these words. A range of words goes from the first to before the last.
 */
#ifndef AGENTS_ONBOARDING_BUILTIN_READER_H
#define AGENTS_ONBOARDING_BUILTIN_READER_H

#include "agents/onboarding/builtin/reading.h"

struct reader {
	const struct onboarding_words *w;
	struct arena *a;
	struct said_word *said;
	size_t n;
	int asked;
	struct reading out;
	bool *taken;                  /* for each word: it belongs to a value */
	bool negated;                 /* a "not" stands before the next kit or diet of the sentence */
	bool found;                   /* a value, a question or a wish */
};

/* Sets `said`, `taken` and `n`. Words beyond a limit are not read. */
void reader_cut(struct reader *rd, const char *message);
/* The text of the words, as it was written. */
const char *reader_text(const struct reader *rd, size_t from, size_t to);

/* As words_match(). */
size_t reader_match(const struct reader *rd, enum word_kind kind, size_t at, size_t end);
/* Does a phrase of the kind stand anywhere in the range? */
bool reader_holds(const struct reader *rd, enum word_kind kind, size_t from, size_t to);
/* The first word from `at` on at which no phrase of the kind stands. */
size_t reader_skip(const struct reader *rd, enum word_kind kind, size_t at, size_t end);
bool reader_has_letter(const struct reader *rd, size_t from, size_t to);
/* Is there a word of denial? Words of another value ("no nuts") deny nothing else. */
bool reader_denies(const struct reader *rd, size_t from, size_t to);
/* A clause ends with a mark, or before a word that begins the next one. */
size_t reader_clause_end(const struct reader *rd, size_t from, size_t to);
/* Does another value begin here? */
bool reader_begins_value(const struct reader *rd, size_t at, size_t end);

/* Notes the value of a field, unless it is empty. */
void reader_put(struct reader *rd, enum onboarding_field f, const char *value);

bool word_has_digit(struct str s);
bool word_is_capital(struct str s);

#endif
