/*
 * Cutting a document into pieces that can be shown whole.
 *
 * A piece belongs to one section and has at most KNOWLEDGE_CHUNK characters; it is cut between
 * sentences or lines where that is possible. Headings of Markdown become the path of the pieces
 * below them: "Holidays > Carry-over". Pure.
 */
#ifndef KNOWLEDGE_CHUNKS_H
#define KNOWLEDGE_CHUNKS_H

#include <stddef.h>

#include "base/arena.h"
#include "base/errs.h"

enum document_kind {
	DOCUMENT_TEXT,
	DOCUMENT_MARKDOWN,
	DOCUMENT_PAGES,               /* text whose pages end with a form feed */
};

struct chunk {
	const char *heading, *text;
};

/* Called with each piece in its order; borrowed. Any result but OK ends the cutting. */
typedef enum errcode chunk_fn(void *arg, const struct chunk *c, struct err *e);

/* `text` is UTF-8. */
enum errcode cut_document(const char *text, enum document_kind kind, chunk_fn *take, void *arg,
    struct err *e);

#endif
