/*
 * A French or German word means what the English words mean that the dictionary gives for it. A word that is spelled alike in two
 * languages has the mean of both senses. A name has the vector of the common word that says what it is. An inflected English word is
 * like the word that it comes from.
 */
#include "tests/language/senses.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "language/stem.h"

enum { SENSES_MAX = 150000, SENSE_BYTES = 60 };

struct senses_reading {
	struct senses *s;
	struct arena *mem;
	struct hsearch_data word, stem;       /* of a sense */
	size_t english;                       /* so many of the senses have vectors of their own */
	float *times;                         /* by sense: how many vectors were added up */
};

static struct encoder_sense *find(struct hsearch_data *in, const char *key)
{
	ENTRY *found;
	return hsearch_r((ENTRY){ .key = (char *)(uintptr_t)key }, FIND, &found, in) != 0 ? found->data : NULL;
}

static void put(struct hsearch_data *in, const char *key, struct encoder_sense *sense)
{
	ENTRY *kept;
	hsearch_r((ENTRY){ .key = (char *)(uintptr_t)key, .data = sense }, ENTER, &kept, in);
}

static struct encoder_sense *add(struct senses_reading *r, const char *word, const char *like)
{
	struct encoder_sense *x = &r->s->sense[r->s->n++];
	*x = (struct encoder_sense){ .word = word, .like = like };
	put(&r->word, word, x);
	return x;
}

static const char *stem_of(struct arena *a, const char *word)
{
	char *stem = arena_strdup(a, word);
	stem[stem_by("en", stem, strlen(stem))] = '\0';
	return stem;
}

/* "runway 0.123 -0.456 …" */
static bool vector_line(struct senses_reading *r, char *line)
{
	const char *word = arena_strdup(r->mem, strsep(&line, " ")), *stem = stem_of(r->mem, word);
	const struct encoder_sense *like = find(&r->stem, stem);
	struct encoder_sense *x = add(r, word, like != NULL ? like->word : NULL);
	if (like == NULL)
		put(&r->stem, stem, x);
	for (size_t d = 0; d < ENCODER_DIMS; d++) {
		char *end = line;
		if (line == NULL)
			return false;
		x->vector[d] = strtof(line, &end);
		if (end == line)
			return false;
		line = end;
	}
	if (*line != '\0')
		return false;
	r->english = r->s->n;
	return true;
}

static bool one_word(const char *fold)
{
	return *fold != '\0' && strlen(fold) < SENSE_BYTES && fold[strspn(fold, "abcdefghijklmnopqrstuvwxyz0123456789")] == '\0';
}

static bool mean_of(struct senses_reading *r, const struct encoder_sense *english, const char *words)
{
	for (struct str one; str_part(&words, ',', &one);) {
		const struct str text = str_trim(one);
		const char *fold = str_fold(r->mem, arena_strndup(r->mem, text.p, text.n));
		struct encoder_sense *x = find(&r->word, fold);
		if (!one_word(fold) || x == english)
			continue;
		if (x == NULL && r->s->n == SENSES_MAX)
			return false;
		if (x == NULL)
			x = add(r, fold, english->word);
		float *times = &r->times[x - r->s->sense];
		for (size_t d = 0; d < ENCODER_DIMS; d++)
			x->vector[d] = (x->vector[d] * *times + english->vector[d]) / (*times + 1);
		++*times;
	}
	return true;
}

/* Finds an English word that has a vector of its own; NULL: there is none. */
static const struct encoder_sense *english_word(struct senses_reading *r, const char *word)
{
	const struct str trimmed = str_trim(str_of(word));
	const char *fold = str_fold(r->mem, arena_strndup(r->mem, trimmed.p, trimmed.n));
	const struct encoder_sense *x = find(&r->word, fold);
	return x != NULL && x < r->s->sense + r->english ? x : NULL;
}

/* "runway | piste | Landebahn, Piste" */
static bool dictionary_line(struct senses_reading *r, char *line)
{
	const char *word = strsep(&line, "|"), *french = strsep(&line, "|"), *german = line;
	if (german == NULL)
		return *word == '#';
	const struct encoder_sense *english = english_word(r, word);
	return english == NULL || (mean_of(r, english, french) && mean_of(r, english, german));
}

/* "headset | bose, lightspeed" */
static bool name_line(struct senses_reading *r, char *line)
{
	const char *word = strsep(&line, "|"), *names = line;
	if (names == NULL)
		return *word == '#';
	const struct encoder_sense *english = english_word(r, word);
	return english == NULL || mean_of(r, english, names);
}

static enum errcode read_lines(struct senses_reading *r, const char *path, bool (*take)(struct senses_reading *r, char *line),
    struct err *e)
{
	FILE *in = fopen(path, "re");
	char *line = NULL;
	size_t room = 0, number = 0;
	enum errcode rc = in != NULL ? OK : err_set(e, ERR_IO, "%s: %m", path);

	while (rc == OK && getline(&line, &room, in) > 0) {
		number++;
		line[strcspn(line, "\r\n")] = '\0';
		if (*line != '\0' && (r->s->n == SENSES_MAX || !take(r, line)))
			rc = err_set(e, ERR_CONFIG, "%s:%zu: the line is malformed, or there are too many words", path, number);
	}
	free(line);
	if (in != NULL)
		fclose(in);
	return rc;
}

enum errcode senses_read(struct senses *s, struct arena *a, const struct senses_files *from, struct err *e)
{
	struct senses_reading r = { .s = s, .mem = a, .times = arena_array(a, SENSES_MAX, sizeof(*r.times)) };
	*s = (struct senses){ 0, arena_array(a, SENSES_MAX, sizeof(*s->sense)) };
	if (hcreate_r(2 * SENSES_MAX, &r.word) == 0 || hcreate_r(2 * SENSES_MAX, &r.stem) == 0)
		return err_set(e, ERR_INTERNAL, "no memory");
	enum errcode rc = read_lines(&r, from->vectors, vector_line, e);
	for (size_t i = 0; i < s->n; i++)
		r.times[i] = 1;
	if (rc == OK)
		rc = read_lines(&r, from->dictionary, dictionary_line, e);
	if (rc == OK)
		rc = read_lines(&r, from->names, name_line, e);
	hdestroy_r(&r.word);
	hdestroy_r(&r.stem);
	return rc;
}
