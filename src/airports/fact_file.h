/*
 * A database of facts that is held in memory: read on its first use, read anew when the file was
 * replaced, and given out to many threads at once.
 *
 * What is in memory stays in use while a new file cannot be read, and while the file is gone: the
 * log says so, and fact_file_state() too.
 */
#ifndef AIRPORTS_FACT_FILE_H
#define AIRPORTS_FACT_FILE_H

#include <stdatomic.h>

#include "airports/fact_source.h"
#include "base/arena.h"
#include "base/errs.h"

struct db;
struct fact_file;

/* The first member of what a file's reader makes. */
struct fact_content {
	struct arena *mem;            /* holds all of it */
	atomic_int users;
};

/* Reads all of a database into `mem`. The result begins with a struct fact_content. ERR_DATA: the
 * file is not usable. */
typedef enum errcode fact_read_fn(void *self, struct db *db, struct arena *mem,
    struct fact_content **out, struct err *e);

/* `name` is for the log; it and `path` are copied. path NULL: there is no file, which is no fault. */
struct fact_file *fact_file_new(const char *name, const char *path, fact_read_fn *read, void *self);
void fact_file_free(struct fact_file *f);        /* NULL is allowed; nothing may be taken any more */

/* What the file holds, as fact_source wants it; NULL: nothing. */
const void *fact_file_take(void *f);
void fact_file_put(void *f, const void *content);

/* As fact_file_state in fact_source.h. */
enum fact_state fact_file_state(struct fact_file *f, struct err *why);

#endif
