/*
 * Facts that airports and rules rely on, read from the files under conf/facts: countries and their
 * neighbours, towns, other names of towns, prefixes of location indicators, words in names of
 * places, surfaces of runways, words about customs notice. The fields of a file are described at its beginning.
 *
 * A process opens them once, before its first thread and before any look-up; they stay until it
 * ends. A look-up without facts is a bug and aborts.
 */
#ifndef AIRPORTS_FACTS_H
#define AIRPORTS_FACTS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/errs.h"

struct facts;

/* Read and check all files under data_dir/conf/facts. ERR_CONFIG: file, line and reason. */
enum errcode facts_load(struct facts **out, const char *data_dir, struct err *e);
void facts_free(struct facts *f);              /* NULL is allowed; not for facts that are in use */

/* Load them and use them in this process. Does nothing if they are in use already. */
enum errcode facts_open(const char *data_dir, struct err *e);

/* Tells one content of the files from another; the airport index depends on it. */
uint64_t facts_stamp(void);

/* The facts in use, for people: folder and numbers. */
const char *facts_about(struct arena *a);

#endif
