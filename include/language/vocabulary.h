/*
 * The vocabulary: words and phrases of all languages, each with the kind of evidence that it is
 * (conf/language/LANGUAGE/vocabulary.txt, which the file of "common" describes). All languages are looked
 * up in every message, because pilots mix them.
 *
 * Case, accents, hyphens and apostrophes make no difference; the endings that a file names are left off.
 * What is less certain has a kind of its own: "~avgas" is a slip of the finger of a word of "avgas",
 * "+customs" is a part of a longer word ("Zollflugplatz").
 */
#ifndef LANGUAGE_VOCABULARY_H
#define LANGUAGE_VOCABULARY_H

#include <stddef.h>

#include "base/errs.h"
#include "language/evidence.h"

struct arena;
struct vocabulary;

/* Read all files under data_dir/conf/language, or map the image conf/language/vocabulary.image if it was made of these files. The
 * vocabulary lives as long as the arena, and is never changed. ERR_CONFIG: file, line and reason. */
enum errcode vocabulary_load(struct vocabulary **out, struct arena *a, const char *data_dir, struct err *e);

/* Read the files, and write the image of them. ERR_CONFIG as above; ERR_IO with path and reason. */
enum errcode vocabulary_make_image(const char *data_dir, const char *path, struct err *e);

/* Finds the phrases of a message. The vocabulary must outlive it. */
struct evidence_source vocabulary_source(const struct vocabulary *v);

/* The value that a folded word of n bytes has as a phrase of this kind; NULL: it is none, or has none. */
const char *vocabulary_value(const struct vocabulary *v, const char *word, size_t n, const char *kind);

/* For people: how many phrases of how many kinds. */
const char *vocabulary_about(const struct vocabulary *v, struct arena *a);

#endif
