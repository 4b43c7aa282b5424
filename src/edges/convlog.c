/*
 * Appending to a JSON array in place.
 *
 * The file looks as Python's json.dump(list, indent=2) writes it: "[\n  {…\n  },\n  {…\n  }\n]".
 * Strings hold no raw newlines and nested brackets stand further right, so the four bytes
 * "\n  }" occur nowhere but at the end of an entry. Appending is one pwrite() that begins
 * at the closing "\n]" and replaces it by ",\n  {…\n  }\n]".
 *
 * - Killed in the middle: the kernel has written some first part of that text. The file then
 *   ends with a complete entry followed by a beginning of ",\n  {…" (or by ",]", when one byte
 *   got there), or with the new entry complete and only its "\n]" missing. The next append looks
 *   back from the end for the last "\n  }" and goes on there. So at most the entry being
 *   written is lost, and everything before it is never touched.
 * - Disk full, size limit: the old "\n]" is put back where it was, which needs no new block,
 *   and the rest is cut off.
 * - Anything else at the end (a note somebody added, an editor's layout) is not ours to cut:
 *   if the whole file parses as an array the entry goes before its last bracket, and if not, the
 *   file is renamed to <name>.damaged-<n> and a new one begun.
 *
 * flock() orders writers; each append opens the file anew, so it orders threads as well. After the
 * lock is won the name must still mean the same file, or another writer has set it aside.
 */
#include "edges/convlog.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/log.h"
#include "base/str.h"
#include "edges/convlog_cut.h"
#include "edges/convlog_sweep.h"

enum {
	ENTRY_MAX = 64 << 20,
	/* larger files with another layout are set aside without parsing */
	PARSE_MAX = 64 << 20,
	CHUNK = 32 << 10,
	LOCK_WAIT_MS = 2000,
	REOPENS = 20,
	DAMAGED_MAX = 1000,
	DIR_MODE = 0750,
	FILE_MODE = 0640,
};

static const char ENTRY_END[] = "\n  }";
static const char CLOSE[] = "\n]";
static const char FIRST[] = "[\n  {\n    \"";     /* the first entry begins with this */
/* the other entries begin with this, comma included */
static const char NEXT[] = ",\n  {\n    \"";

struct logfile {
	int fd;
	const char *path;
	off_t length;                /* size of the file */
	off_t size;                  /* the same without zeros at the end */
	off_t end;                   /* where the next entry goes */
	bool any;                    /* there are entries before it */
	/* after the entries comes the beginning of one that was not finished */
	bool torn;
};

static enum errcode failed(struct err *e, const char *path, const char *what)
{
	int why = errno;

	return err_set(e, ERR_IO, "conversation log %s: can't %s: %s", path, what,
	    strerrordesc_np(why));
}

/* -- the state of the file -- */

static bool read_at(const struct logfile *f, void *p, size_t n, off_t at)
{
	char *to = p;

	while (n > 0) {
		ssize_t got = pread(f->fd, to, n, at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		to += got;
		at += got;
		n -= (size_t)got;
	}
	return true;
}

static size_t least(off_t a, size_t b)
{
	return a < (off_t)b ? (size_t)a : b;
}

/* A power cut may leave zeros at the end that nobody wrote. */
static bool trim_zeros(struct logfile *f)
{
	char chunk[512];

	while (f->size > 0) {
		size_t n = least(f->size, sizeof(chunk)), keep = n;

		if (!read_at(f, chunk, n, f->size - (off_t)n))
			return false;
		while (keep > 0 && chunk[keep - 1] == '\0')
			keep--;
		f->size -= (off_t)(n - keep);
		if (keep > 0)
			break;
	}
	return true;
}

/* Offset just behind the last ENTRY_END; 0: there is none; -1: can't read. */
static off_t last_entry_end(const struct logfile *f, struct arena *a)
{
	size_t mark = sizeof(ENTRY_END) - 1;
	char *chunk = arena_alloc(a, CHUNK);
	off_t hi = f->size;

	while (hi >= (off_t)mark) {
		size_t n = least(hi, CHUNK);
		off_t lo = hi - (off_t)n;

		if (!read_at(f, chunk, n, lo))
			return -1;
		for (size_t i = n - mark + 1; i-- > 0;)
			if (memcmp(chunk + i, ENTRY_END, mark) == 0)
				return lo + (off_t)(i + mark);
		if (lo == 0)
			break;
		hi = lo + (off_t)mark - 1;      /* the mark may lie across the border */
	}
	return 0;
}

/* Is one of the two texts a beginning of the other? */
static bool begins(const char *p, size_t n, const char *text)
{
	size_t m = strlen(text);

	return memcmp(p, text, n < m ? n : m) == 0;
}

/* Could the rest of the file, n bytes of it in p, be an append that was interrupted? */
static bool torn(const char *p, off_t rest, size_t n)
{
	return rest == 0 || (rest == 1 && p[0] == '\n') || (rest == 2 && memcmp(p, ",]", 2) == 0) ||
	    begins(p, n, NEXT);
}

static bool blank_between(const char *p, size_t from, size_t to)
{
	while (from < to && strchr(" \t\r\n", p[from]) != NULL && p[from] != '\0')
		from++;
	return from == to;
}

/* The whole file is a JSON array in some other layout: find its last bracket. */
static bool parse_whole(struct logfile *f, struct arena *a)
{
	struct json_object *root;

	if (f->size > PARSE_MAX)
		return false;
	size_t n = (size_t)f->size;
	char *text = arena_alloc(a, n + 1);
	if (!read_at(f, text, n, 0))
		return false;
	bool array = jsn_parse(a, text, n, JSN_DEPTH, &root, NULL, NULL) == OK &&
	    jsn_is(root, json_type_array);
	errno = 0;      /* a number out of range leaves its mark in errno */
	if (!array)
		return false;
	while (text[n - 1] != ']')
		n--;
	f->any = jsn_len(root) > 0;
	for (n--; n > 1 && blank_between(text, n - 1, n);)
		n--;
	f->end = f->any ? (off_t)n : 0;
	return true;
}

/* Find where the next entry goes. False: the file is not a log of ours (errno 0), or unreadable. */
static bool examine(struct logfile *f, struct arena *a)
{
	char tail[sizeof(NEXT)];
	off_t end, rest;
	size_t n;

	errno = 0;
	if (f->size == 0)
		return true;
	if (!trim_zeros(f) || (end = last_entry_end(f, a)) < 0)
		return false;
	rest = f->size - end;
	n = least(rest, sizeof(tail) - 1);
	if (!read_at(f, tail, n, end))
		return false;
	if (end == 0) {
		if (f->size > 0 && parse_whole(f, a))
			return true;
		f->torn = n > 0 && begins(tail, n, FIRST);      /* the place of the first entry */
		return f->torn;
	}
	char head[sizeof(FIRST)];
	n = least(f->size, sizeof(FIRST) - 1);
	if (!read_at(f, head, n, 0))
		return false;
	bool ours = begins(head, n, FIRST);
	n = least(rest, sizeof(tail) - 1);
	if (ours && n >= 2 && (off_t)n == rest && memcmp(tail, CLOSE, 2) == 0 &&
	    blank_between(tail, 2, n)) {
		f->end = end;
	} else if (ours && torn(tail, rest, n)) {
		log_msg(LOG_WARN, "convlog", "file=%s torn_bytes=%lld "
		    "what=\"a writer was interrupted: continued after the last complete entry\"",
		    f->path, (long long)rest);
		f->end = end;
		f->torn = true;
	} else {
		return parse_whole(f, a);
	}
	f->any = true;
	return true;
}

/* -- opening -- */

static int open_file(const char *dir, const char *path)
{
	int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	int fd = open(path, flags, FILE_MODE);

	if (fd < 0 && errno == ENOENT && make_dirs(dir, DIR_MODE, NULL) == OK)
		fd = open(path, flags, FILE_MODE);
	return fd;
}

/* Wait for the lock, but not for ever, because its holder may have been stopped. */
static bool lock(int fd)
{
	int64_t until = clock_mono_ms() + LOCK_WAIT_MS;

	for (int pause = 1; flock(fd, LOCK_EX | LOCK_NB) != 0; pause = pause < 8 ? 2 * pause : 8) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return false;
		if (clock_mono_ms() >= until) {
			errno = ETIMEDOUT;
			return false;
		}
		clock_sleep_ms(pause);
	}
	return true;
}

static bool set_aside(const char *path, struct arena *a)
{
	struct stat st;

	for (int n = 1; n <= DAMAGED_MAX; n++) {
		char *to = arena_printf(a, "%s.damaged-%d", path, n);

		if (lstat(to, &st) == 0)
			continue;
		if (rename(path, to) != 0)
			return false;
		log_msg(LOG_ERROR, "convlog", "file=%s kept=%s what=\"not a conversation log that can be "
		    "continued: set aside, a new one begun\"", path, to);
		return true;
	}
	errno = EEXIST;
	return false;
}

/* Open, lock and examine the file. After a failure it is closed. */
static enum errcode open_log(struct logfile *f, const char *dir, struct arena *a, struct err *e)
{
	struct stat mine, named;
	enum errcode rc = OK;

	for (int i = 0; i < REOPENS; i++) {
		*f = (struct logfile){ .path = f->path };
		f->fd = open_file(dir, f->path);
		if (f->fd < 0)
			return failed(e, f->path, "be opened for writing");
		if (!lock(f->fd)) {
			rc = failed(e, f->path, "be locked");
			break;
		}
		if (fstat(f->fd, &mine) != 0 || !S_ISREG(mine.st_mode)) {
			rc = err_set(e, ERR_IO, "conversation log %s: not a regular file", f->path);
			break;
		}
		if (stat(f->path, &named) == 0 && named.st_ino == mine.st_ino &&
		    named.st_dev == mine.st_dev) {
			f->length = f->size = mine.st_size;
			if (examine(f, a))
				return OK;
			if (errno != 0) {
				rc = failed(e, f->path, "be read");
				break;
			}
			if (!set_aside(f->path, a)) {
				rc = failed(e, f->path, "be set aside, though it is damaged");
				break;
			}
		}
		close(f->fd);
		f->fd = -1;
	}
	if (f->fd >= 0)
		close(f->fd);
	return rc != OK ? rc : err_set(e, ERR_IO, "conversation log %s: is being replaced all the time",
	    f->path);
}

/* -- writing -- */

static bool write_at(int fd, const char *p, size_t n, off_t at)
{
	while (n > 0) {
		ssize_t put = pwrite(fd, p, n, at);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0) {
			errno = put == 0 ? ENOSPC : errno;
			return false;
		}
		p += put;
		at += put;
		n -= (size_t)put;
	}
	return true;
}

/* Close the array again after the old entries. A file without entries is removed. */
static void restore(const struct logfile *f)
{
	size_t n = sizeof(CLOSE) - 1;

	if (!f->any)
		unlink(f->path);
	else if (!write_at(f->fd, CLOSE, n, f->end) || ftruncate(f->fd, f->end + (off_t)n) != 0)
		log_msg(LOG_ERROR, "convlog", "file=%s what=\"can't be closed after a failed write: "
		    "the next append will repair it\"", f->path);
}

static enum errcode write_entry(const struct logfile *f, const struct buf *text, struct err *e)
{
	/* the text begins with ",\n" for a file with entries, and with "[\n" otherwise */
	const char *p = text->p;
	size_t n = text->n;

	if (f->length > f->end + (off_t)n && ftruncate(f->fd, f->end) != 0)
		return failed(e, f->path, "be shortened");
	if (write_at(f->fd, p, n, f->end))
		return OK;
	enum errcode rc = failed(e, f->path, "be written");
	restore(f);
	return rc;
}

static struct json_object *entry_object(const struct convlog_entry *in, struct arena *a)
{
	struct json_object *o = jsn_object(a), *meta = jsn_object(a);
	char start[CLOCK_ISO_SIZE], end[CLOCK_ISO_SIZE];
	double seconds = (double)(in->ended_wall_us - in->started_wall_us) / 1e6;

	clock_iso_local(start, in->started_wall_us);
	clock_iso_local(end, in->ended_wall_us);
	jsn_add_str(o, "session_id", in->session_id);
	jsn_add_str(o, "timestamp", start);
	jsn_add_str(o, "timestamp_end", end);
	jsn_add_num(o, "duration_seconds", num_round(seconds, 2));
	jsn_add_str(o, "question", in->question != NULL ? in->question : "");
	jsn_add_str(o, "answer", in->answer != NULL ? in->answer : "");
	jsn_add_str(o, "thinking", in->thinking != NULL ? in->thinking : "");
	jsn_add(o, "tool_calls", jsn_ref(in->tool_calls != NULL ? in->tool_calls : jsn_array(a)));
	jsn_add_bool(meta, "has_visualizations", in->has_visualizations);
	jsn_add_int(meta, "num_tool_calls", (int64_t)jsn_len(in->tool_calls));
	jsn_add_bool(meta, "has_error", in->has_error);
	JSN_EACH(in->metadata, it)
		jsn_add(meta, it.key, jsn_ref(it.val));
	jsn_add(o, "metadata", jsn_ref(meta));
	jsn_add_str(o, "run_id", in->run_id);
	if (in->error != NULL)
		jsn_add_str(o, "error", in->error);
	return o;
}

static void print_entry(struct buf *text, struct json_object *entry)
{
	buf_clear(text);
	buf_puts(text, ",\n  ");
	jsn_print_at(text, entry, 2);
	buf_puts(text, CLOSE);
}

/* The text of the entry, shortened until it fits. */
static void print_within(struct buf *text, struct json_object *entry, int64_t max_entry,
    struct arena *a)
{
	size_t max = max_entry > CONVLOG_ENTRY_MIN ? (size_t)max_entry : CONVLOG_ENTRY_MIN;

	print_entry(text, entry);
	const size_t whole = text->n;
	if (max_entry > 0 && whole > max)
		entry = jsn_copy(a, entry);      /* the results were finished text until now */
	for (int cut = 0; cut < CONVLOG_CUTS && max_entry > 0 && text->n > max; cut++)
		print_entry(text, convlog_cut(a, entry, cut, whole));
}

/* True for the first call of the day. */
static bool first_today(atomic_int *last, const char *date)
{
	int day = (int)(strtol(date, NULL, 10) * 10000 + strtol(date + 5, NULL, 10) * 100 +
	    strtol(date + 8, NULL, 10));

	return atomic_exchange(last, day) != day;
}

/* The day's file has no room for the entry. A partial entry that a killed writer left is removed
 * all the same, because no later entry will replace it. */
static bool day_is_full(struct convlog *log, const struct logfile *f, size_t n, const char *date)
{
	if (log->max_day == 0 || f->end + (off_t)n <= (off_t)log->max_day)
		return false;
	if (first_today(&log->full, date))
		log_msg(LOG_WARN, "convlog", "file=%s bytes=%lld what=\"the log of this day is full "
		    "(CONVERSATION_LOG_MAX_DAY): further entries are dropped\"", f->path,
		    (long long)f->length);
	if (f->torn || f->length == 0)   /* the file was made just now, if it is empty */
		restore(f);
	return true;
}

enum errcode convlog_put(struct convlog *log, int64_t wall_us, struct json_object *entry, struct arena *a,
    bool *kept, struct err *e)
{
	char day[CLOCK_ISO_SIZE];
	struct logfile f = { 0 };
	struct buf text;
	enum errcode rc;

	if (kept != NULL)
		*kept = false;
	clock_iso_local(day, wall_us);
	if (log->days > 0 && first_today(&log->swept, day))
		convlog_sweep(log->dir, day, log->days);
	f.path = arena_printf(a, "%s/%.10s%s.json", log->dir, day, log->suffix != NULL ? log->suffix : "");
	buf_init(&text, ENTRY_MAX);
	print_within(&text, entry, log->max_entry, a);
	if (text.full) {
		rc = err_set(e, ERR_TOOBIG, "conversation log %s: the entry is larger than %d MB",
		    f.path, ENTRY_MAX >> 20);
		goto out;
	}
	if ((rc = open_log(&f, log->dir, a, e)) != OK)
		goto out;
	if (!f.any)
		text.p[0] = '[';
	if (!day_is_full(log, &f, text.n, day)) {
		rc = write_entry(&f, &text, e);
		if (kept != NULL)
			*kept = rc == OK;
	}
	close(f.fd);
out:
	buf_release(&text);
	return rc;
}

enum errcode convlog_append(struct convlog *log, const struct convlog_entry *entry,
    struct arena *a, struct err *e)
{
	return convlog_put(log, entry->started_wall_us, entry_object(entry, a), a, NULL, e);
}
