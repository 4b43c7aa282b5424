/*
 * A short cut for the most frequent chunk of a streamed chat completion: a piece of text, and
 * nothing else that means anything. Pure.
 */
#ifndef SERVICES_LLM_OPENAI_CHUNK_H
#define SERVICES_LLM_OPENAI_CHUNK_H

#include <stdbool.h>

#include "base/str.h"

/* The text of choices[0].delta.content, which may be empty or end inside a character; it points
 * into the chunk. False: this is not such a chunk, or not certainly, so it must be parsed. */
bool openai_chunk_text(struct str chunk, struct str *text);

#endif
