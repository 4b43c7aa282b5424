/*
 * Making the knowledge base from a folder of documents.
 *
 * Each document belongs to the folder that it was ingested from. Ingesting a folder again replaces
 * its documents, removes those that are gone from it, and keeps those of other folders. The file is
 * replaced as a whole at the end: searches see the old one or the new one.
 */
#ifndef KNOWLEDGE_INGEST_H
#define KNOWLEDGE_INGEST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/errs.h"
#include "base/progress.h"
#include "base/watch.h"
#include "services/llm.h"

struct ingest_options {
	const char *path;             /* the file of the knowledge base */
	const char *dir;
	bool remove;                  /* remove the documents of this folder instead */
	struct llm *llm;              /* NULL: no vectors */
	const char *model;
	const struct watch *watch;
	progress_fn *progress;        /* NULL: none */
	/* A file of the folder is left out. */
	void (*left_out)(void *arg, const char *source, const char *why);
	void *arg;                    /* of both */
};

struct ingest_stats {
	size_t documents, chunks;     /* in the file */
	/* documents of this folder; removed: those that no longer exist there */
	size_t added, changed, unchanged, removed, left_out;
	size_t embedded, kept;        /* vectors */
	/* OK: all pieces have a vector, or there is no provider. Else why there are none: the
	 * knowledge base was still written, and is searched by words. */
	struct err no_vectors;
	struct llm_usage usage;
};

/* ERR_INPUT: the folder, see the message; ERR_IO: the file cannot be written, or another process is
 * writing it; ERR_DATA: the old file cannot be used; the watch's codes. The old file then stays. */
enum errcode ingest(const struct ingest_options *o, struct ingest_stats *stats, struct err *e);

#endif
