/*
 * Variants of marked messages, so that training sees more than their authors wrote: the marks get words that other authors
 * have for the same thing, and the message is typed in another way, without capitals, accents or commas.
 *
 * "Near [Lyon|near] with [customs|point_of_entry]?" → "near [graz|near] with [a border post|point_of_entry]"
 */
#ifndef TESTS_LANGUAGE_VARY_H
#define TESTS_LANGUAGE_VARY_H

#include <stdint.h>

#include "tests/language/marked.h"

struct vary;

/* The words of these messages are what variants are made of; in the arena. The same messages in the same order give the same
 * variants. */
struct vary *vary_new(struct arena *a, const struct marked_message *const *message, size_t n);

/* A variant of a message, in the arena. False: the words of a mark could not be found in it again. */
bool vary_message(struct vary *v, const struct marked_message *m, struct marked_message *out);

#endif
