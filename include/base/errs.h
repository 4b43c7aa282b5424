/*
 * Errors: one enum, one table.
 *
 * Every fallible function returns an enum errcode and, on failure only, fills the
 * struct err that comes last in its argument list. The message in err->msg is for the
 * log and for operators; what a user is told comes from the table.
 */
#ifndef BASE_ERRS_H
#define BASE_ERRS_H

#include <stdbool.h>

enum errcode {
	OK = 0,
	ERR_INPUT,       /* the request is malformed or fails validation */
	ERR_NOTFOUND,    /* no such path, thread or record */
	ERR_METHOD,      /* the path exists, but not with this method */
	ERR_TOOBIG,      /* an input is larger than its ceiling */
	ERR_MEDIA,       /* content type not accepted */
	ERR_AUTH,        /* the caller has not signed in, or its token is not valid */
	ERR_BUSY,        /* the thread already has a run */
	ERR_OVERLOAD,    /* no capacity: try again later */
	ERR_LIMIT,       /* the client has reached a limit; it may try again later */
	ERR_PREPARING,   /* the airport index is being built: try again in a moment */
	ERR_PLANNER,     /* no usable plan */
	ERR_TOOL,        /* the tool could not do its work */
	ERR_FORMATTER,   /* the answer could not be written */
	ERR_UPSTREAM,    /* a remote service answered wrongly or not at all */
	ERR_TIMEOUT,     /* a deadline passed */
	ERR_STEPS,       /* a graph took more steps than it may take */
	ERR_STORE,       /* the thread store could not be reached, or refused */
	ERR_UNSURE,      /* sent to the store, but no reply came: it may be stored or not */
	ERR_DATA,        /* airport or rules data is missing, damaged or of a wrong kind */
	ERR_CONFIG,      /* a setting is missing or wrong */
	ERR_IO,          /* file, socket or disk */
	ERR_LOST,        /* the process that executed the run died, or was paused for too long */
	ERR_HUP,         /* the reader has gone; this is no failure, the run just stops */
	ERR_INTERNAL,    /* a bug */
	ERR__MAX
};

struct err {
	enum errcode code;
	char msg[512];
};

struct err_row {
	const char *name;  /* machine-readable code on the wire: "store_unavailable" */
	int http;          /* HTTP status; 0: never sent */
	int rpc;           /* JSON-RPC code */
	int exit;          /* exit status of the command line */
	int level;         /* the enum log_level with which it is logged */
	const char *said;  /* one sentence for the user; NULL: nothing to say */
	bool answers;      /* `said` is a complete answer; no apology is put around it */
};

/* The row of a code; never NULL, unknown codes give ERR_INTERNAL's row. */
const struct err_row *err_row(enum errcode code);

/* Fill `e` (may be NULL) and return `code`, so that a failure is one line:
 * return err_set(e, ERR_DATA, "%s: no table airports", path); */
enum errcode err_set(struct err *e, enum errcode code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Put "prefix: " before the message already in `e`; returns e->code. */
enum errcode err_prefix(struct err *e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
