/*
 * Stems: "requires", "required" and "requirement" meet in "requir". Thread-safe.
 */
#ifndef LANGUAGE_STEM_H
#define LANGUAGE_STEM_H

#include <stdbool.h>
#include <stddef.h>

/* Stem n letters of English in place, as M. F. Porter's algorithm of 1980 does (lower case; a word with
 * other characters stays); the new length. */
size_t stem(char *word, size_t n);

/* The same by another algorithm of libstemmer: "porter", or the code of a language. A word of an unknown
 * one stays. */
size_t stem_by(const char *algorithm, char *word, size_t n);
bool stem_known(const char *algorithm);

#endif
