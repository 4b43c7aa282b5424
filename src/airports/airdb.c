/*
 * The life of the airport database in a process: which index is in use, and who builds a missing one.
 *
 * A generation is one index file. When another one appears (built here or by another process) the
 * generation is raised; connections of the old one finish the call that uses them and are then
 * closed (airdb_pool.c). A check of source and index costs two stat() calls, every two seconds at
 * most, in the thread that happens to ask for a connection; so an idle process does nothing.
 *
 * The builder is a thread with a lower priority that ends with its build.
 */
#include "airports/airdb_private.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/heap.h"
#include "base/log.h"
#include "base/str.h"
#include "base/thread.h"
#include "drivers/db.h"

enum {
	CONNECTIONS = 8, CONNECTIONS_MAX = 64,
	LOOK_MS = 2000,              /* between checks of source and index */
	RETRY_MS = 30000,            /* after a failed build */
	RETRY_SOURCE_MS = 5000,      /* between two checks of a source that cannot be used */
	/* ... after a failure because of disk, descriptors or a lock */
	RETRY_IO_MS = 3000,
	/* attempts to build while the source keeps changing, and the pause between them */
	UNSTEADY = 20, UNSTEADY_MS = 1000,
};

/* ---- the place of the index -------------------------------------------- */

/* In a shared folder the name must differ for sources with the same name. */
static char *index_in(const char *dir, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *real = realpath(path, NULL);
	uint64_t h = str_hash(real != NULL ? real : path);

	free(real);
	return heap_printf("%s/%s-%016llx.index", dir, slash != NULL ? slash + 1 : path,
	    (unsigned long long)h);
}

static bool folder_writable(const char *path)
{
	char *dir = path_folder(path);
	bool ok = faccessat(AT_FDCWD, dir, W_OK | X_OK, AT_EACCESS) == 0;

	free(dir);
	return ok;
}

/* A current index beside the source is used even if none could be written there. */
static char *index_path(const struct airdb_config *c)
{
	struct airindex_stamp p;
	int64_t n;
	char *s;

	if (c->index_path != NULL)
		return heap_dup(c->index_path);
	s = heap_printf("%s.index", c->path);
	if (c->cache_dir == NULL || folder_writable(s) ||
	    (airindex_stamp_of(c->path, &p, NULL) == OK && airindex_current(s, &p, true, &n)))
		return s;
	free(s);
	return index_in(c->cache_dir, c->path);
}

/* ---- state, under the lock --------------------------------------------- */

/* Use the index if it fits the source; true if it does. */
static bool refresh(struct airdb *db)
{
	struct airindex_stamp p;
	struct file_stamp id = file_stamp(db->index);
	int64_t n;

	if (airindex_stamp_of(db->path, &p, NULL) != OK || !id.there ||
	    !airindex_current(db->index, &p, false, &n))
		return false;
	if (db->generation == 0 || !file_stamp_same(&id, &db->file)) {
		db->generation++;
		airdb_drop_idle(db);
	}
	db->file = id;
	db->print = p;
	db->airports = n;
	db->state = AIRDB_READY;
	pthread_cond_broadcast(&db->changed);
	return true;
}

static bool told_to_stop(void *arg)
{
	struct airdb *db = arg;

	return atomic_load(&db->stop);
}

/* Build the index and use it. True: build it again. Somebody found the new index damaged before this function had ended. */
static bool build_once(struct airdb *db)
{
	struct airindex_build b = { .source = db->path, .index = db->index, .stop = told_to_stop, .arg = db };
	int64_t start = clock_mono_ms();
	struct err e = { OK, "" };
	enum errcode rc = OK;
	bool served = false;

	for (int i = 0; i < UNSTEADY && rc == OK && !served && !told_to_stop(db); i++) {
		if (i > 0)
			clock_sleep_ms(UNSTEADY_MS);
		pthread_mutex_lock(&db->lock);
		b.force = db->force;
		db->force = false;
		pthread_mutex_unlock(&db->lock);
		rc = airindex_build(&b, &e);
		pthread_mutex_lock(&db->lock);
		served = rc == OK && refresh(db);
		pthread_mutex_unlock(&db->lock);
	}
	if (rc == OK && !served && told_to_stop(db))
		rc = err_set(&e, ERR_HUP, "stopped");
	if (rc == OK && !served)
		rc = err_set(&e, ERR_DATA, "%s: keeps changing, no index could be made of it", db->path);
	if (served)
		log_msg(LOG_INFO, "airports", "index=%s airports=%lld ms=%lld", db->index,
		    (long long)db->airports, (long long)(clock_mono_ms() - start));
	else if (rc != ERR_HUP)
		log_msg(LOG_ERROR, "airports", "index=failed why=\"%s\"", e.msg);
	malloc_trim(0);
	pthread_mutex_lock(&db->lock);
	const bool again = served && db->force && !told_to_stop(db);
	db->building = again;
	if (!served) {
		db->why = e;
		db->retry_at = clock_mono_ms() + (rc == ERR_DATA ? RETRY_MS : RETRY_IO_MS);
		/* an older index that is in use is better than none */
		if (db->state == AIRDB_INDEXING)
			db->state = AIRDB_FAILED;
	}
	pthread_cond_broadcast(&db->changed);
	pthread_mutex_unlock(&db->lock);
	return again;
}

static void *build(void *arg)
{
	setpriority(PRIO_PROCESS, (id_t)gettid(), 10);
	while (build_once(arg))
		;
	return NULL;
}

void airdb_start_builder(struct airdb *db)
{
	if (db->building)
		return;
	if (db->has_builder)
		pthread_join(db->builder, NULL);
	db->has_builder = false;
	if (thread_start(&db->builder, build, db) == 0) {
		db->has_builder = db->building = true;
	} else {
		err_set(&db->why, ERR_INTERNAL, "no thread for building the airport index");
		db->retry_at = clock_mono_ms() + RETRY_MS;
		if (db->state == AIRDB_INDEXING)
			db->state = AIRDB_FAILED;
	}
}

static enum errcode check_source(const char *path, struct err *e)
{
	struct db *src = NULL;
	enum errcode rc = OK;

	if (path == NULL || path[0] == '\0')
		rc = err_set(e, ERR_DATA, "no file is named");
	if (rc == OK)
		rc = db_open(&src, path, DB_READ, e);
	if (rc == OK)
		rc = airindex_load_check(src, path, e);
	db_close(src);
	if (rc == OK)
		return OK;
	if (path == NULL || access(path, F_OK) != 0)
		err_set(e, ERR_DATA, "%.300s: set AIRPORTS_DB to a database, or make one with: "
		    "aviation-agent import ourairports DIR", e->msg);
	err_prefix(e, "airport database");
	return e->code = ERR_DATA;
}

/* Use the source if that is possible. */
static void begin(struct airdb *db)
{
	struct err e = { OK, "" };
	int64_t n;

	if (check_source(db->path, &e) == OK) {
		log_msg(LOG_INFO, "airports", "path=%s", db->path);
		db->state = AIRDB_INDEXING;
		/* An index made with other facts is used until a new one is ready. This is checked
		 * only at the start: two processes with different facts must not replace each
		 * other's index again and again. */
		if (!refresh(db) || db->force || !airindex_current(db->index, &db->print, true, &n))
			airdb_start_builder(db);
		return;
	}
	if (!streq(e.msg, db->why.msg))        /* log it once, not every five seconds */
		log_msg(LOG_ERROR, "airports_unavailable", "why=\"%s\"", e.msg);
	db->why = e;
	db->state = AIRDB_FAILED;
	db->retry_at = clock_mono_ms() + RETRY_SOURCE_MS;
}

/* Imported places came, went or were replaced: connections must attach them anew. */
static void look_places(struct airdb *db)
{
	struct file_stamp now;

	if (db->places == NULL)
		return;
	now = file_stamp(db->places);
	if (file_stamp_same(&now, &db->places_file))
		return;
	db->places_file = now;
	if (db->generation > 0) {
		db->generation++;
		airdb_drop_idle(db);
	}
}

void airdb_look(struct airdb *db)
{
	int64_t now = clock_mono_ms();
	struct file_stamp id;
	struct airindex_stamp p;

	if (now - db->looked < LOOK_MS || (db->state == AIRDB_INDEXING && db->building))
		return;
	db->looked = now;
	look_places(db);
	if (db->state == AIRDB_FAILED) {
		if (now >= db->retry_at)
			begin(db);
		return;
	}
	if (db->state == AIRDB_READY) {
		/* a source that is missing for a moment is being replaced */
		if (airindex_stamp_of(db->path, &p, NULL) != OK)
			return;
		id = file_stamp(db->index);
		if (id.there && file_stamp_same(&id, &db->file) &&
		    airindex_stamp_equal(&p, &db->print))
			return;
		if (now < db->retry_at)
			return;
	}
	if (!refresh(db))
		airdb_start_builder(db);
}

/* ---- life -------------------------------------------------------------- */

enum errcode airdb_open(struct airdb **out, const struct airdb_config *c, struct err *e)
{
	struct airdb *db = heap_new(sizeof(*db));

	(void)e;
	db->path = heap_dup(c->path != NULL ? c->path : "");
	db->index = index_path(c);
	db->places = c->places_path != NULL ? heap_dup(c->places_path) : NULL;
	db->all_idents = c->all_idents;
	db->max = c->connections <= 0 ? CONNECTIONS :
	    c->connections < CONNECTIONS_MAX ? c->connections : CONNECTIONS_MAX;
	pthread_mutex_init(&db->lock, NULL);
	clock_cond_init(&db->changed);
	pthread_mutex_lock(&db->lock);
	db->looked = clock_mono_ms();
	begin(db);
	pthread_mutex_unlock(&db->lock);
	*out = db;
	return OK;
}

void airdb_close(struct airdb *db)
{
	if (db == NULL)
		return;
	atomic_store(&db->stop, true);
	if (db->has_builder)
		pthread_join(db->builder, NULL);
	airdb_drop_idle(db);
	pthread_cond_destroy(&db->changed);
	pthread_mutex_destroy(&db->lock);
	free(db->path);
	free(db->index);
	free(db->places);
	free(db);
}

enum airdb_state airdb_state(struct airdb *db, int64_t *nairports, struct err *why)
{
	enum airdb_state state;

	pthread_mutex_lock(&db->lock);
	airdb_look(db);
	state = db->state;
	if (nairports != NULL)
		*nairports = db->airports;
	if (why != NULL && state == AIRDB_FAILED)
		*why = db->why;
	pthread_mutex_unlock(&db->lock);
	return state;
}

enum errcode airdb_index(const struct airdb_config *c, progress_fn *progress, void *arg,
    struct err *e)
{
	struct airindex_build b = { .source = c->path, .progress = progress, .arg = arg };
	struct err local;
	enum errcode rc = check_source(c->path, e != NULL ? e : (e = &local));
	char *index;

	if (rc != OK)
		return rc;
	b.index = index = index_path(c);
	rc = airindex_build(&b, e);
	free(index);
	return rc;
}
