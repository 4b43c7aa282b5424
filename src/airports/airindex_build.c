/*
 * The index is written to <index>.tmp under a lock on <index>.lock, synced, and renamed. Its table
 * meta says from which state of the source it was made. Size and time of change tell states apart,
 * so the index stays valid when both files are copied to another place.
 */
#include "airports/airindex_build.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "airports/airindex_write.h"
#include "airports/facts.h"
#include "base/replace_file.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "drivers/db.h"

enum { LOCK_POLL_MS = 50, LOCK_MODE = 0644 };

/* Raise it when a table, a column or a record changes its meaning. The second part tells machines
 * apart that store records differently. */
static const char version[] = "16."
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	"le";
#else
	"be";
#endif

/* ---- fingerprint ------------------------------------------------------- */

static int64_t mtime_ns(const struct stat *st)
{
	return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

enum errcode airindex_stamp_of(const char *path, struct airindex_stamp *p, struct err *e)
{
	char wal[4096];
	struct stat st;

	*p = (struct airindex_stamp){ 0 };
	if (stat(path, &st) != 0)
		return err_set(e, ERR_DATA, "%s: %s", path, errno == ENOENT ?
		    "no such file" : strerrordesc_np(errno));
	p->size = st.st_size;
	p->mtime_ns = mtime_ns(&st);
	if ((size_t)snprintf(wal, sizeof(wal), "%s-wal", path) < sizeof(wal) &&
	    stat(wal, &st) == 0 && st.st_size > 0) {
		p->wal_size = st.st_size;
		p->wal_mtime_ns = mtime_ns(&st);
	}
	return OK;
}

bool airindex_stamp_equal(const struct airindex_stamp *a, const struct airindex_stamp *b)
{
	return a->size == b->size && a->mtime_ns == b->mtime_ns &&
	    a->wal_size == b->wal_size && a->wal_mtime_ns == b->wal_mtime_ns;
}

static void print_text(char out[128], const struct airindex_stamp *p)
{
	snprintf(out, 128, "%lld.%lld.%lld.%lld", (long long)p->size, (long long)p->mtime_ns,
	    (long long)p->wal_size, (long long)p->wal_mtime_ns);
}

static void print_facts(char out[32])
{
	snprintf(out, 32, "%016llx", (unsigned long long)facts_stamp());
}

static bool meta_is(struct db *db, const char *key, const char *value)
{
	static const char sql[] = "SELECT value FROM meta WHERE key = ?";
	struct db_stmt *s = db_query(db, sql, NULL, DB_TEXT(key));
	bool same = db_step(s, NULL) == DB_ROW && streq(db_text(s, 0), value);

	db_done(s);
	return same;
}

bool airindex_current(const char *index, const struct airindex_stamp *p, bool our_facts, int64_t *n)
{
	struct db *db = NULL;
	struct stat st;
	char print[128], facts[32];
	bool ok;

	if (db_open(&db, index, DB_READ, NULL) != OK)
		return false;
	print_text(print, p);
	print_facts(facts);
	/* a file that was cut short opens well and fails in the middle of a search */
	ok = stat(index, &st) == 0 &&
	    st.st_size == db_int(db, "PRAGMA page_count", 0) * db_int(db, "PRAGMA page_size", 0) &&
	    meta_is(db, "version", version) && meta_is(db, "source", print) &&
	    (!our_facts || meta_is(db, "facts", facts));
	if (ok)
		*n = db_int(db, "SELECT value FROM meta WHERE key = 'airports'", 0);
	db_close(db);
	return ok;
}

/* ---- the file ---------------------------------------------------------- */

static enum errcode io(const char *path, const char *what, struct err *e)
{
	return err_set(e, ERR_IO, "%s: %s (%s)", path, what, strerrordesc_np(errno));
}

/* Searches must not fail because something odd cannot be counted. */
static enum errcode count_totals(const struct airindex_build *b, struct arena *mem, struct db *src,
    struct airindex_write *w, struct err *e)
{
	struct airindex_total *totals = NULL;
	struct err why = { OK, "" };
	size_t n = 0;
	const enum errcode rc = airindex_totals_count(mem, src, w->load, b->stop, b->arg, &totals, &n, &why);

	if (rc == ERR_HUP)
		return err_set(e, rc, "%s", why.msg);
	if (rc != OK)
		log_msg(LOG_WARN, "airports", "path=%s what=\"filters and statistics cannot be counted\" why=\"%s\"",
		    b->source, why.msg);
	w->totals = totals;
	w->ntotals = rc == OK ? n : 0;
	return OK;
}

static enum errcode build_locked(const struct airindex_build *b, const char *tmp,
    const struct airindex_stamp *p, struct err *e)
{
	struct arena *mem = arena_new();
	struct db *src = NULL, *out = NULL;
	struct airindex_load load;
	char print[128], facts[32];
	struct airindex_write w = { .load = &load, .version = version, .source = print, .facts = facts,
		.progress = b->progress, .stop = b->stop, .arg = b->arg };
	enum errcode rc;

	unlink(tmp);
	rc = db_open(&src, b->source, DB_READ, e);
	if (rc == OK)
		rc = airindex_load_check(src, b->source, e);
	if (rc == OK)
		rc = airindex_load(&load, mem, src, b->stop, b->arg, e);
	if (rc == OK)
		rc = count_totals(b, mem, src, &w, e);
	db_close(src);
	if (rc == OK)
		rc = db_open(&out, tmp, DB_CREATE, e);
	if (rc == OK) {
		w.db = out;
		print_text(print, p);
		print_facts(facts);
		rc = airindex_write(&w, e);
	}
	db_close(out);
	if (rc == OK)
		rc = replace_file(tmp, b->index, e);
	if (rc != OK)
		unlink(tmp);
	arena_free(mem);
	return rc;
}

static enum errcode take_lock(const struct airindex_build *b, const char *path, int *fd,
    struct err *e)
{
	/* empty; the next builder may be another user and must be able to lock it */
	*fd = open(path, O_RDONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, LOCK_MODE);
	if (*fd >= 0)
		(void)fchmod(*fd, LOCK_MODE);
	if (*fd < 0)
		return err_set(e, ERR_IO, "%s: can't be created (%s); the airport index needs a folder it can "
		    "be written to", path, strerrordesc_np(errno));
	while (flock(*fd, LOCK_EX | LOCK_NB) != 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return io(path, "can't be locked", e);
		if (b->stop != NULL && b->stop(b->arg))
			return err_set(e, ERR_HUP, "stopped");
		clock_sleep_ms(LOCK_POLL_MS);
	}
	return OK;
}

enum errcode airindex_build(const struct airindex_build *b, struct err *e)
{
	char lock[4096], tmp[4096];
	struct airindex_stamp p;
	struct err local;
	enum errcode rc;
	int64_t n;
	int fd = -1;

	if (e == NULL)
		e = &local;
	if ((size_t)snprintf(lock, sizeof(lock), "%s.lock", b->index) >= sizeof(lock) - 16)
		return err_set(e, ERR_CONFIG, "%.100s…: the path is too long", b->index);
	snprintf(tmp, sizeof(tmp), "%s.tmp", b->index);
	rc = take_lock(b, lock, &fd, e);
	if (rc == OK)
		rc = airindex_stamp_of(b->source, &p, e);
	if (rc == OK && (b->force || !airindex_current(b->index, &p, true, &n)))
		rc = build_locked(b, tmp, &p, e);
	if (fd >= 0)
		close(fd);
	return rc;
}
