/*
 * How many authors, and how many of their messages, have a feature. Most features are so rare that they teach nothing, so only
 * two counts, the last author and the last message are kept of each.
 */
#ifndef LANGUAGE_TRAIN_SEEN_H
#define LANGUAGE_TRAIN_SEEN_H

#include <stddef.h>
#include <stdint.h>

struct seen;

struct seen *seen_new(void);
void seen_free(struct seen *s);      /* NULL: nothing happens */

/* A message has these features, some of them perhaps more than once. All messages of one author come before the next author's, and each
 * message has its own number. */
void seen_add(struct seen *s, const uint64_t *feature, size_t n, uint32_t author, uint32_t message);

struct seen_count {
	uint32_t authors, messages;
};
/* Zeros: nobody has it. */
struct seen_count seen_of(const struct seen *s, uint64_t feature);

#endif
