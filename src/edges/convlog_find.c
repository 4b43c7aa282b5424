/*
 * Looking for the entry of a run.
 *
 * Its line "run_id" stands at one place of the layout, and no text of an entry can hold a line end. So the files are
 * searched as bytes, in chunks from their ends, where a run that was just finished is. Only the entry around the
 * line is parsed.
 */
#include "edges/convlog.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"

enum { CHUNK = 1 << 20, NEEDLE_MAX = 256 };

static const char begins[] = "\n  {\n", ends[] = "\n  }";

/* Read n bytes at an offset. The file may be shorter than it was: the result is how many there are. */
static size_t read_some(int fd, char *to, size_t n, off_t at)
{
	size_t got = 0;

	while (got < n) {
		const ssize_t more = pread(fd, to + got, n - got, at + (off_t)got);
		if (more <= 0)
			break;
		got += (size_t)more;
	}
	return got;
}

/* Where the line is; -1: not in the last *budget bytes of the file, from which what was read is taken off. */
static off_t find_line(int fd, off_t size, const char *needle, char *chunk, size_t *budget)
{
	const size_t n = strlen(needle);

	for (off_t hi = size; hi >= (off_t)n && *budget > 0;) {
		const size_t want = hi < CHUNK ? (size_t)hi : CHUNK;
		const off_t lo = hi - (off_t)want;
		const size_t got = read_some(fd, chunk, want, lo);
		const char *found = memmem(chunk, got, needle, n);
		if (found != NULL)
			return lo + (found - chunk);
		*budget -= want < *budget ? want : *budget;
		if (lo == 0)
			break;
		hi = lo + (off_t)n - 1;          /* the line may lie across the border */
	}
	return -1;
}

/* The last place of a mark in the text; NULL: it is not there. */
static const char *last_of(const char *p, size_t n, const char *mark)
{
	const size_t m = strlen(mark);

	for (size_t i = n >= m ? n - m + 1 : 0; i-- > 0;)
		if (memcmp(p + i, mark, m) == 0)
			return p + i;
	return NULL;
}

/* The entry around an offset. The room on either side grows until both of its ends are in it. */
static struct json_object *entry_at(int fd, off_t at, struct arena *a)
{
	for (size_t room = CHUNK / 16; room <= CONVLOG_FIND_ENTRY; room *= 8) {
		const off_t lo = at > (off_t)room ? at - (off_t)room : 0;
		char *text = arena_alloc(a, 2 * room);
		const size_t n = read_some(fd, text, 2 * room, lo), here = (size_t)(at - lo);
		const char *from = here <= n ? last_of(text, here + 1, begins) : NULL;
		const char *to = here < n ? memmem(text + here, n - here, ends, strlen(ends)) : NULL;
		struct json_object *entry;

		if (from == NULL || to == NULL)
			continue;
		from += strlen("\n  ");
		to += strlen(ends);
		return jsn_parse(a, from, (size_t)(to - from), JSN_DEPTH, &entry, NULL, NULL) == OK ? entry : NULL;
	}
	return NULL;
}

struct json_object *convlog_find(const struct convlog *log, struct arena *a, const char *run_id,
    int64_t newest_us, int days, size_t max_bytes)
{
	struct json_object *entry = NULL;
	struct stat st;
	off_t at;

	if (log->dir == NULL || strlen(run_id) > NEEDLE_MAX - 32)
		return NULL;
	const char *needle = arena_printf(a, "\n    \"run_id\": \"%s\"", run_id);
	char *chunk = arena_alloc(a, CHUNK);
	for (int day = 0; day < days && entry == NULL && max_bytes > 0; day++) {
		char date[CLOCK_ISO_SIZE];
		clock_iso_local(date, newest_us - day * INT64_C(86400000000));
		const int fd = open(arena_printf(a, "%s/%.10s.json", log->dir, date), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
		if (fd < 0)
			continue;
		if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		    (at = find_line(fd, st.st_size, needle, chunk, &max_bytes)) >= 0)
			entry = entry_at(fd, at, a);
		close(fd);
	}
	return streq(jsn_get_str(entry, "run_id", NULL), run_id) ? entry : NULL;
}
