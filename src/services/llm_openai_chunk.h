/*
 * A short cut for the chunks that nearly all of a streamed chat completion consists of: a piece
 * of text, and beside it nothing that means anything. Pure.
 */
#ifndef SERVICES_LLM_OPENAI_CHUNK_H
#define SERVICES_LLM_OPENAI_CHUNK_H

#include <stdbool.h>

#include "base/str.h"

/* The text of choices[0].delta.content, which may be empty or end inside a character; it points
 * into the chunk. False: this is not such a chunk, or not surely; it has to be parsed. */
bool openai_chunk_text(struct str chunk, struct str *text);

#endif
