/*
 * The file of the knowledge base: SQLite, only ever replaced as a whole.
 *
 *   documents  one row for each: root (the folder that was ingested, absolute), source (what hits
 *              show), hash of its bytes
 *   chunks     its pieces in their order: id, document, place in it, heading, text, hash of both
 *   words      full-text index of the stems of a piece's text and of its heading and source
 *   vectors    of pieces, by their id; complete if `model` is set
 *   facts      model, dims, documents, chunks, ingested (time)
 */
#ifndef KNOWLEDGE_KNOWLEDGE_FILE_H
#define KNOWLEDGE_KNOWLEDGE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/errs.h"

struct db;

enum {
	KNOWLEDGE_APP_ID = 0x61676b62,
	KNOWLEDGE_FORMAT = 1,
	KNOWLEDGE_DOCUMENTS = 2000,   /* most documents */
	KNOWLEDGE_CHUNKS = 20000,     /* most pieces: a search reads all their vectors */
};
#define KNOWLEDGE_RUN "run aviation-agent ingest DIR"

struct knowledge_facts {
	size_t documents, chunks;
	const char *model;            /* of the vectors; NULL: there are none */
	size_t dims;
};

/* Open for reading. ERR_NOTFOUND: there is no file; ERR_DATA: not ours, damaged, or of another
 * version. */
enum errcode knowledge_file_open(struct db **out, const char *path, struct err *e);
/* The tables, in an empty file. */
enum errcode knowledge_file_create(struct db *db, struct err *e);

enum errcode knowledge_file_facts(struct db *db, struct arena *a, struct knowledge_facts *out,
    struct err *e);
enum errcode knowledge_file_set(struct db *db, const struct knowledge_facts *f, struct err *e);

#endif
