/*
 * The trained reader of the process: the model, and the vocabulary of each language.
 */
#ifndef AGENTS_AVIATION_BUILTIN_TRAINED_READER_H
#define AGENTS_AVIATION_BUILTIN_TRAINED_READER_H

#include "base/errs.h"

struct aircon;
struct arena;
struct reading;
struct talk;

/* Read the files under data_dir/conf/language, once a process and before its first thread; they stay until it
 * ends. ERR_CONFIG: file, line and reason. */
enum errcode trained_reader_open(const char *data_dir, struct err *e);

/* The reading of a message of this talk; in the arena. con: NULL: there is no database at hand, so places are known
 * less well. A call before trained_reader_open() is a bug and aborts. */
struct reading *trained_reader_read(struct arena *a, struct aircon *con, const char *text,
    const struct talk *talk);

#endif
