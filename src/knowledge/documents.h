/*
 * The documents of a folder and of the folders in it: .md, .txt and .pdf files.
 *
 * Links are not followed, hidden files and files named README are left out. A file that cannot be
 * used is reported and left out; the others are still read.
 */
#ifndef KNOWLEDGE_DOCUMENTS_H
#define KNOWLEDGE_DOCUMENTS_H

#include "knowledge/chunks.h"
#include "services/vectors.h"

enum {
	DOCUMENT_BYTES = 8 << 20,     /* largest document, and the largest text of a PDF */
	FOLDER_DEPTH = 16,            /* folders in folders */
	FOLDER_ENTRIES = 10000,       /* files and folders that are looked at */
};

struct document {
	const char *source;           /* "handbook/holidays.md", without control characters */
	enum document_kind kind;
	const char *text;             /* UTF-8 without control characters */
	struct text_hash hash;        /* of the text */
};

struct document_reader {
	/* Any result but OK ends the reading. */
	enum errcode (*take)(void *arg, const struct document *d, struct err *e);
	/* A file or folder is left out. */
	void (*left_out)(void *arg, const char *source, const char *why);
	void *arg;
};

/* *root: the folder's absolute path, without links. ERR_INPUT: it is not a folder, cannot be read,
 * or holds too much. */
enum errcode documents_read(const char *dir, const struct document_reader *r, struct err *e);
/* The absolute path of a folder, as documents are stored under it; also of one that is gone. On
 * the heap. */
char *documents_root(const char *dir);

#endif
