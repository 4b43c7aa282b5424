/*
 * Building the sidecar index and telling whether one is current. The file's tables are
 * described in airindex.h.
 */
#ifndef AIRPORTS_AIRINDEX_BUILD_H
#define AIRPORTS_AIRINDEX_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "airports/airindex_load.h"
#include "base/progress.h"

/* Tells one state of a source file from another. */
struct airindex_stamp {
	int64_t size, mtime_ns;
	/* of the write-ahead log; 0: there is none, or it is empty */
	int64_t wal_size, wal_mtime_ns;
};

/* ERR_DATA when the file can't be looked at. */
enum errcode airindex_stamp_of(const char *path, struct airindex_stamp *p, struct err *e);
bool airindex_stamp_equal(const struct airindex_stamp *a, const struct airindex_stamp *b);

/* Is `index` whole, of our version, and made from that state of the source? Cheap: reads a few
 * pages. *n: airports in it. With `our_facts` it must also be made with the facts of this process
 * (airports/facts.h). */
bool airindex_current(const char *index, const struct airindex_stamp *p, bool our_facts,
    int64_t *n);

/*
 * Make the index of `source` and put it in place by rename; readers keep the old one. Only one
 * process builds at a time: others wait for the lock and then find a current index; `force` builds
 * all the same. If a builder is killed, the next one removes its temporary file. ERR_DATA (the
 * source), ERR_IO (the index can't be written), ERR_HUP (stopped).
 */
struct airindex_build {
	const char *source, *index;
	bool force;
	progress_fn *progress;        /* may be NULL, as stop */
	stop_fn *stop;
	void *arg;                    /* of both */
};
enum errcode airindex_build(const struct airindex_build *b, struct err *e);

#endif
