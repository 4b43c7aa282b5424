/*
 * Conversation log: one JSON array a day, YYYY-MM-DD.json, one entry a turn.
 *
 * The file is valid JSON after every append. An append writes only the new entry, however long the
 * file is. Any number of processes and threads may append. The .c tells what happens when one of
 * them is killed or the disk is full.
 *
 * A log must never fail a turn: convlog_append() returns an error, and the caller only logs it. The
 * process must ignore SIGXFSZ, so that a file size limit is such an error.
 */
#ifndef EDGES_CONVLOG_H
#define EDGES_CONVLOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errs.h"
#include "base/jsn.h"

/* Where the log is and how large it may be: one for the process, shared by its threads. The feedback of users
 * (edges/feedback.h) is another log in the same folder. */
struct convlog {
	const char *dir;                  /* NULL: no log is kept */
	const char *suffix;               /* of the file's name behind the date: "-feedback"; NULL: none */
	int64_t max_entry, max_day;       /* most bytes of an entry and of a file; 0: no limit */
	int64_t days;                     /* how long files are kept; 0: for ever */
	atomic_int swept;                 /* the last day on which old files were removed */
	atomic_int full;                  /* the last day whose file was full */
};

enum { CONVLOG_ENTRY_MIN = 4096 };        /* a smaller max_entry is raised to this */

struct convlog_entry {
	const char *session_id;
	const char *run_id;
	int64_t started_wall_us, ended_wall_us;
	const char *question, *answer, *thinking;   /* NULL: "" */
	struct json_object *tool_calls;   /* array of {name, arguments, result}; NULL: [] */
	bool has_visualizations;          /* a ui_payload was sent */
	bool has_error;
	const char *error;                /* NULL: the entry has no such member */
	struct json_object *metadata;     /* object: further members of metadata; NULL: none */
};

/* Append to the file of the day on which the turn started (local time) in log->dir. The folder is
 * made if it does not exist (0750; files 0640). `a` holds the text while it is written. An entry
 * over max_entry is shortened (convlog_cut.h). If the day's file has no room left (max_day), the
 * entry is dropped: the call returns OK, and the first drop of a day is a line in the program's
 * log. The first append of a day removes old files (convlog_sweep.h). ERR_IO: nothing was logged,
 * and the file is unchanged. ERR_TOOBIG: the entry has more than 64 MB. */
enum errcode convlog_append(struct convlog *log, const struct convlog_entry *entry,
    struct arena *a, struct err *e);

/* The same for an entry that is made already, of the day of this moment. *kept (may be NULL): it is in the file;
 * false: the day's file is full. */
enum errcode convlog_put(struct convlog *log, int64_t wall_us, struct json_object *entry, struct arena *a,
    bool *kept, struct err *e);

/* The entry of a run, in the arena; NULL: it is not there, or cannot be read. The file of the day of newest_us is
 * read from its end, then those of the days before, `days` in all and at most max_bytes. Entries of more than
 * CONVLOG_FIND_ENTRY bytes are not found. */
enum { CONVLOG_FIND_ENTRY = 4 << 20 };
struct json_object *convlog_find(const struct convlog *log, struct arena *a, const char *run_id,
    int64_t newest_us, int days, size_t max_bytes);

#endif
