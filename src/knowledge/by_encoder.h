/*
 * Judging what words found by its meaning too, with the encoder that ships with the program. Only for
 * knowledge/knowledge.c.
 */
#ifndef KNOWLEDGE_BY_ENCODER_H
#define KNOWLEDGE_BY_ENCODER_H

#include "knowledge/by_words.h"

struct encoder;

/* `hits`: what by_words() found with any relevance. Those stay whose words and meaning together are at
 * least `least`, best first. ERR_DATA. */
enum errcode by_encoder(struct db *db, struct arena *a, const struct encoder *encoder, const char *text,
    double least, struct chunk_hit hits[POOL], size_t *n, struct err *e);

#endif
