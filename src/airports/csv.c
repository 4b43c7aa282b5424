/*
 * One record at a time, one byte at a time: the values of a record lie one after the other in a
 * buffer of fixed size, each with a NUL, so that nothing in a file can make memory grow.
 *
 * libcsv does not replace this: it counts no lines, sets no bound to a value, lets NULs through and
 * reads the lists of OurAirports 1.2 to 1.5 times slower, and the code around it that makes up for
 * that is as long as the code below.
 */
#include "airports/csv.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/heap.h"
#include "base/str.h"

enum {
	CHUNK = 65536,
	RECORD_MAX = 256 << 10,
};
/* unpacked; a larger file is not a list of airports */
static const int64_t text_max = (int64_t)4 << 30;

struct csv {
	gzFile file;
	char *path;
	int64_t size, unpacked;       /* on disk; read so far */
	unsigned char *in;
	size_t at, n;
	long line, row_line;          /* being read; where the row began */
	int ncolumns, nvalues;
	char *names;                  /* the header's record */
	size_t name_at[CSV_COLUMNS_MAX];
	char *record;
	size_t used, value_at[CSV_COLUMNS_MAX];
};

static char *find(const char *dir, const char *name)
{
	static const char *const suffixes[] = { "", ".gz" };
	struct stat st;

	for (int i = 0; i < 2; i++) {
		char *path = heap_printf("%s/%s%s", dir, name, suffixes[i]);

		if (stat(path, &st) == 0)
			return path;
		free(path);
	}
	return NULL;
}

bool csv_exists(const char *dir, const char *name)
{
	char *path = find(dir, name);

	free(path);
	return path != NULL;
}

enum errcode csv_error(const struct csv *c, struct err *e, const char *fmt, ...)
{
	char text[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return err_set(e, ERR_DATA, "%s:%ld: %s", c->path, c->row_line, text);
}

enum { END = -1, BROKEN = -2 };

static int refill(struct csv *c)
{
	int n = gzread(c->file, c->in, CHUNK), code = Z_OK;

	/* a packed file that is cut short can be read as far as it goes, and reports the error only
	 * when asked */
	if (n < CHUNK)
		gzerror(c->file, &code);
	if (n < 0 || (code != Z_OK && code != Z_STREAM_END))
		return BROKEN;
	c->at = 0;
	c->n = (size_t)n;
	c->unpacked += n;
	return n == 0 ? END : 0;
}

static inline int get(struct csv *c)
{
	if (c->at == c->n) {
		int rc = c->unpacked > text_max ? BROKEN : refill(c);

		if (rc != 0)
			return rc;
	}
	return c->in[c->at++];
}

static inline bool put(struct csv *c, int ch)
{
	if (c->used == RECORD_MAX - 1)
		return false;
	c->record[c->used++] = (char)ch;
	return true;
}

/* After the line's end: CR only before LF. */
static bool ends_line(struct csv *c, int *ch)
{
	if (*ch == '\r') {
		*ch = get(c);
		if (*ch != '\n')
			return false;
	}
	return true;
}

/* One value; *ch is the byte after it (comma, LF, END). NULL, or what is wrong. */
static const char *value(struct csv *c, int *ch)
{
	size_t start = c->used;

	*ch = get(c);
	if (*ch == '"') {
		for (;;) {
			*ch = get(c);
			if (*ch == '"') {
				*ch = get(c);
				if (*ch != '"')
					break;
			} else if (*ch == END) {
				return "a quote is never closed";
			} else if (*ch == '\n') {
				c->line++;
			}
			if (*ch <= 0)
				return *ch == 0 ? "holds a NUL byte" : "can't be read to its end";
			if (c->used - start > CSV_FIELD_MAX || !put(c, *ch))
				return "a value is too long";
		}
		if (!ends_line(c, ch) || (*ch != ',' && *ch != '\n' && *ch != END && *ch != BROKEN))
			return "text after a closing quote";
	} else {
		while (*ch != ',' && *ch != '\n' && *ch != '\r' && *ch > 0) {
			if (*ch == '"')
				return "a quote inside a bare value";
			if (c->used - start > CSV_FIELD_MAX || !put(c, *ch))
				return "a value is too long";
			*ch = get(c);
		}
		if (*ch == 0)
			return "holds a NUL byte";
		if (!ends_line(c, ch))
			return "a carriage return inside a line";
	}
	if (*ch == BROKEN)
		return "can't be read to its end";
	return put(c, '\0') ? NULL : "a line is too long";
}

static enum csv_next record(struct csv *c, struct err *e)
{
	const char *wrong;
	int ch;

	c->used = 0;
	c->nvalues = 0;
	c->row_line = c->line;
	do {
		if (c->nvalues == CSV_COLUMNS_MAX) {
			csv_error(c, e, "more than %d values", CSV_COLUMNS_MAX);
			return CSV_FAIL;
		}
		c->value_at[c->nvalues++] = c->used;
		wrong = value(c, &ch);
		if (wrong != NULL) {
			csv_error(c, e, "%s", wrong);
			return CSV_FAIL;
		}
	} while (ch == ',');
	c->line++;
	/* the end of the file is an empty line without an end */
	if (ch == END && c->nvalues == 1 && c->used == 1)
		return CSV_END;
	if (!utf8_valid(c->record, c->used)) {
		csv_error(c, e, "is not UTF-8");
		return CSV_FAIL;
	}
	return CSV_ROW;
}

static enum errcode header(struct csv *c, struct err *e)
{
	static const char bom[] = "\xef\xbb\xbf";
	int rc = refill(c);

	if (rc == BROKEN)
		return csv_error(c, e, "can't be read to its end");
	if (c->n >= 3 && memcmp(c->in, bom, 3) == 0)
		c->at = 3;
	rc = rc == END ? CSV_END : record(c, e);
	if (rc == CSV_FAIL)
		return ERR_DATA;
	if (rc == CSV_END)
		return csv_error(c, e, "is empty");
	c->names = heap_new(c->used);
	memcpy(c->names, c->record, c->used);
	memcpy(c->name_at, c->value_at, sizeof(c->name_at));
	c->ncolumns = c->nvalues;
	return OK;
}

enum errcode csv_open(struct csv **out, const char *dir, const char *name, struct err *e)
{
	struct csv *c = heap_new(sizeof(*c));
	struct stat st;
	enum errcode rc = OK;

	*out = NULL;
	c->line = c->row_line = 1;
	c->in = heap_new(CHUNK);
	c->record = heap_new(RECORD_MAX);
	c->path = find(dir, name);
	if (stat(dir, &st) != 0)
		rc = err_set(e, ERR_DATA, "%s: %s", dir, errno == ENOENT ? "no such folder" :
		    strerrordesc_np(errno));
	else if (!S_ISDIR(st.st_mode))
		rc = err_set(e, ERR_DATA, "%s: not a folder", dir);
	else if (c->path == NULL)
		rc = err_set(e, ERR_DATA, "%s: holds neither %s nor %s.gz", dir, name, name);
	else if (stat(c->path, &st) != 0 || !S_ISREG(st.st_mode))
		rc = err_set(e, ERR_DATA, "%s: not a regular file", c->path);
	else if ((c->file = gzopen(c->path, "re")) == NULL)
		rc = err_set(e, ERR_DATA, "%s: can't be opened (%s)", c->path, strerrordesc_np(errno));
	if (rc == OK) {
		c->size = st.st_size;
		gzbuffer(c->file, CHUNK);
		rc = header(c, e);
	}
	if (rc == OK)
		*out = c;
	else
		csv_close(c);
	return rc;
}

void csv_close(struct csv *c)
{
	if (c == NULL)
		return;
	if (c->file != NULL)
		gzclose_r(c->file);
	free(c->path);
	free(c->in);
	free(c->names);
	free(c->record);
	free(c);
}

int csv_find(const struct csv *c, const char *column)
{
	for (int i = 0; i < c->ncolumns; i++)
		if (strieq(c->names + c->name_at[i], column))
			return i;
	return -1;
}

enum errcode csv_need(const struct csv *c, const char *column, int *out, struct err *e)
{
	*out = csv_find(c, column);
	if (*out >= 0)
		return OK;
	return err_set(e, ERR_DATA, "%s: has no column %s", c->path, column);
}

enum csv_next csv_next(struct csv *c, struct err *e)
{
	enum csv_next rc;

	do
		rc = record(c, e);
	while (rc == CSV_ROW && c->nvalues == 1 && c->used == 1);     /* a blank line */
	if (rc == CSV_ROW && c->nvalues != c->ncolumns) {
		csv_error(c, e, "%d values, but the header names %d columns", c->nvalues, c->ncolumns);
		return CSV_FAIL;
	}
	return rc;
}

const char *csv_text(const struct csv *c, int column)
{
	const char *v = column >= 0 && column < c->nvalues ? c->record + c->value_at[column] : "";

	return v[0] != '\0' ? v : NULL;
}

enum errcode csv_number(const struct csv *c, int column, double *out, struct err *e)
{
	const char *v = csv_text(c, column);

	*out = (double)NAN;
	if (v == NULL || (str_to_double(v, out) && isfinite(*out)))
		return OK;
	return csv_error(c, e, "%s is %.40s, which is not a number", c->names + c->name_at[column], v);
}

void csv_progress(const struct csv *c, int64_t *done, int64_t *total)
{
	*total = c->size;
	*done = gzoffset(c->file);
	if (*done > *total || *done < 0)
		*done = *total;
}
