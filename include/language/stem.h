/*
 * English stems, as M. F. Porter's algorithm of 1980 gives them: "requires", "required" and
 * "requirement" meet in "requir". Pure.
 */
#ifndef LANGUAGE_STEM_H
#define LANGUAGE_STEM_H

#include <stddef.h>

/* Stem n letters in place (lower case; a word with other characters stays); the new length. */
size_t stem(char *word, size_t n);

#endif
