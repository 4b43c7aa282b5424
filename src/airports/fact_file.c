/*
 * The file is looked at when somebody takes its content, at most every two seconds, so an idle
 * process does nothing. The thread that finds it changed reads it; the others use the old content
 * meanwhile, and only the very first content is waited for.
 */
#include "airports/fact_file.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/files.h"
#include "base/heap.h"
#include "base/log.h"
#include "drivers/db.h"

enum {
	LOOK_MS = 2000,      /* between checks of the file */
	LOCKED_MS = 500,     /* wait for a program that writes it */
};

struct fact_file {
	char *name, *path;            /* path NULL: unset */
	fact_read_fn *read;
	void *self;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct fact_content *now;     /* NULL: nothing */
	struct file_stamp tried;      /* the file that was last read, or could not be */
	int64_t looked_ms;            /* 0: never */
	bool reading;
	struct err why;               /* code OK: the present file is in use */
};

struct fact_file *fact_file_new(const char *name, const char *path, fact_read_fn *read, void *self)
{
	struct fact_file *f = heap_new(sizeof(*f));

	f->name = heap_dup(name);
	f->path = heap_dup(path);
	f->read = read;
	f->self = self;
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->changed, NULL);
	return f;
}

static void drop(struct fact_content *c)
{
	if (c != NULL && atomic_fetch_sub(&c->users, 1) == 1)
		arena_free(c->mem);
}

void fact_file_free(struct fact_file *f)
{
	if (f == NULL)
		return;
	drop(f->now);
	pthread_cond_destroy(&f->changed);
	pthread_mutex_destroy(&f->lock);
	free(f->name);
	free(f->path);
	free(f);
}

static enum errcode load(struct fact_file *f, struct fact_content **out, struct err *e)
{
	struct arena *mem = arena_new();
	struct db *db = NULL;
	enum errcode rc = db_open_until(&db, f->path, DB_READ, clock_mono_ms() + LOCKED_MS, e);

	*out = NULL;
	if (rc == OK && (rc = f->read(f->self, db, mem, out, e)) != OK)
		err_set(e, rc, "%s: %s", f->path, arena_strdup(mem, e->msg));
	db_close(db);
	if (rc != OK) {
		arena_free(mem);
		*out = NULL;
		return rc;
	}
	(*out)->mem = mem;
	atomic_init(&(*out)->users, 1);
	return OK;
}

/* Read the file anew, without the lock. A file that a program holds locked is tried again. */
static void reload(struct fact_file *f)
{
	struct file_stamp stamp = file_stamp(f->path);
	struct fact_content *fresh, *old = NULL;
	struct err why = { .code = OK };
	enum errcode rc = load(f, &fresh, &why);
	bool kept;

	pthread_mutex_lock(&f->lock);
	kept = f->now != NULL;
	f->why = why;
	f->why.code = rc;
	if (rc != ERR_TIMEOUT)
		f->tried = stamp;
	if (rc == OK) {
		old = f->now;
		f->now = fresh;
	}
	f->looked_ms = clock_mono_ms();
	f->reading = false;
	pthread_cond_broadcast(&f->changed);
	pthread_mutex_unlock(&f->lock);
	if (rc == OK)
		log_msg(LOG_INFO, f->name, "read path=%s", f->path);
	else
		log_msg(LOG_ERROR, f->name, "why=\"%s\" in_use=%s", why.msg,
		    kept ? "the content read before" : "nothing");
	drop(old);
}

/* With the lock held. */
static void look(struct fact_file *f)
{
	int64_t now = clock_mono_ms();
	struct file_stamp stamp;

	if (f->path == NULL)
		return;
	if (f->reading) {
		while (f->reading && f->now == NULL && f->looked_ms == 0)
			pthread_cond_wait(&f->changed, &f->lock);
		return;
	}
	if (f->looked_ms != 0 && now - f->looked_ms < LOOK_MS)
		return;
	stamp = file_stamp(f->path);
	if (f->looked_ms != 0 && file_stamp_same(&stamp, &f->tried)) {
		f->looked_ms = now;
		return;
	}
	f->reading = true;
	pthread_mutex_unlock(&f->lock);
	reload(f);
	pthread_mutex_lock(&f->lock);
}

const void *fact_file_take(void *file)
{
	struct fact_file *f = file;
	struct fact_content *c;

	pthread_mutex_lock(&f->lock);
	look(f);
	c = f->now;
	if (c != NULL)
		atomic_fetch_add(&c->users, 1);
	pthread_mutex_unlock(&f->lock);
	return c;
}

void fact_file_put(void *file, const void *content)
{
	struct fact_content *c;

	(void)file;
	memcpy(&c, &content, sizeof(c));      /* it is ours, and only its count changes */
	drop(c);
}

enum fact_state fact_file_state(struct fact_file *f, struct err *why)
{
	enum fact_state state;

	pthread_mutex_lock(&f->lock);
	look(f);
	if (f->path == NULL)
		state = FACT_UNSET;
	else if (f->why.code == OK && f->now != NULL)
		state = FACT_READY;
	else
		state = f->now != NULL ? FACT_STALE : FACT_FAILED;
	if (why != NULL && (state == FACT_STALE || state == FACT_FAILED))
		*why = f->why;
	pthread_mutex_unlock(&f->lock);
	return state;
}
