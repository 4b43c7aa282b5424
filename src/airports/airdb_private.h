/*
 * What the files of the airport database share: its life (airdb.c), its pool of connections
 * (airdb_pool.c) and the handles (aircon.c).
 */
#ifndef AIRPORTS_AIRDB_PRIVATE_H
#define AIRPORTS_AIRDB_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "airports/airdb.h"
#include "airports/airindex_build.h"
#include "base/files.h"

struct airdb_conn {
	struct airdb_conn *next;
	struct db *db;
	struct file_stamp file;        /* of the index, before it was opened */
	uint64_t generation;
	int64_t idle_since;
	bool damaged, places;
};

struct airdb {
	char *path, *index, *places /* NULL: none */;
	bool all_idents;
	int max;

	pthread_mutex_t lock;
	pthread_cond_t changed;      /* the state has changed, or a connection came back */
	enum airdb_state state;
	struct err why;
	int64_t airports;
	struct airindex_stamp print;       /* of the source the index was made from */
	struct file_stamp file;        /* the index served */
	struct file_stamp places_file;
	uint64_t generation;
	int64_t looked, retry_at, forced_at;
	struct airdb_conn *idle;           /* last used first */
	int open;                    /* number of connections */

	pthread_t builder;
	bool has_builder, building, force;
	atomic_bool stop;
};

/* With the lock held. Has the source or the index changed? Is it time to try again? */
void airdb_look(struct airdb *db);
/* With the lock held. Build the index in a thread, if none does so yet. */
void airdb_start_builder(struct airdb *db);

/* With the lock held. Close the connections that nobody uses. */
void airdb_drop_idle(struct airdb *db);

struct airdb_waiting {
	int64_t deadline_ms;
	const struct watch *watch;   /* NULL: none */
};
struct airdb_waiting airdb_wait_begin(int wait_ms, const struct watch *w);
/* With the lock held. Wait for an index or a free connection. If there is none, say why. */
enum errcode airdb_wait_ready(struct airdb *db, const struct airdb_waiting *w, struct err *e);
enum errcode airdb_borrow(struct airdb *db, const struct airdb_waiting *w, struct airdb_conn **out,
    struct err *e);
void airdb_give_back(struct airdb *db, struct airdb_conn *conn);

#endif
