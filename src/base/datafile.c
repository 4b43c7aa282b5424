/*
 * The file is copied into the arena once. Rows point into that copy, in which each separator has
 * become the end of a string.
 */
#include "base/datafile.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"

static char *trimmed(char *p, char *end)
{
	struct str s = str_trim((struct str){ p, (size_t)(end - p) });
	char *at = p + (s.p - p);
	at[s.n] = '\0';
	return at;
}

enum errcode datafile_fault(const struct datafile *f, const struct datafile_row *r, struct err *e,
    const char *fmt, ...)
{
	char why[400];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	return err_set(e, ERR_CONFIG, "%s:%zu: %s", f->path, r->line, why);
}

/* A control character other than a tab is most likely not what the writer of the file sees. */
static bool readable(const char *line)
{
	for (size_t n = strlen(line), step; n > 0; line += step, n -= step) {
		bool plain;
		step = 1;
		if (*line >= ' ' && *line < 0x7f)
			continue;
		step = str_next(line, n, &plain);
		if (!plain && *line != '\t')
			return false;
	}
	return true;
}

static enum errcode read_row(struct datafile *f, char *line, size_t least, size_t most,
    struct err *e)
{
	struct datafile_row *r = &f->row[f->n];
	if (!readable(line))
		return datafile_fault(f, r, e, "is not UTF-8 text, or has a control character");
	for (char *p = line, *end; p != NULL; p = end == NULL ? NULL : end + 1) {
		end = strchr(p, ';');
		if (r->n == most)
			return datafile_fault(f, r, e, "has more than the %zu fields of a row here", most);
		r->field[r->n++] = trimmed(p, end == NULL ? p + strlen(p) : end);
	}
	for (size_t i = r->n; i < DATAFILE_FIELDS; i++)
		r->field[i] = line + strlen(line);
	for (size_t i = 0; i < least; i++)
		if (r->field[i][0] == '\0')
			return datafile_fault(f, r, e, "field %zu is missing", i + 1);
	f->n++;
	return OK;
}

enum errcode datafile_read(struct datafile *f, struct arena *a, const char *path, size_t least,
    size_t most, struct err *e)
{
	struct buf b;
	*f = (struct datafile){ .path = arena_strdup(a, path), .mem = a };
	buf_init(&b, DATAFILE_BYTES);
	enum errcode rc = buf_load(&b, path, e);
	char *text = arena_strndup(a, b.p, b.n);
	size_t length = b.n, lines = 1;
	buf_release(&b);
	if (rc != OK)
		return e != NULL ? e->code = ERR_CONFIG : ERR_CONFIG;
	f->hash = str_hash(text);
	for (size_t i = 0; i < length; i++) {
		lines += text[i] == '\n';
		f->elements += text[i] == ',';
	}
	f->elements += lines;
	f->row = arena_array(a, lines, sizeof(*f->row));
	size_t number = 1;
	for (char *p = text, *end; rc == OK && p <= text + length; p = end + 1, number++) {
		end = memchr(p, '\n', (size_t)(text + length - p));
		if (end == NULL)
			end = text + length;
		*end = '\0';
		f->row[f->n] = (struct datafile_row){ .line = number };
		size_t n = strlen(p);
		if (n != (size_t)(end - p))
			rc = datafile_fault(f, &f->row[f->n], e, "has a NUL byte");
		else if (n > 0 && p[n - 1] == '\r')
			p[n - 1] = '\0';
		if (rc != OK)
			break;
		if (*p != '#' && str_trim(str_of(p)).n > 0)
			rc = read_row(f, p, least, most, e);
	}
	if (rc == OK && f->n == 0)
		rc = err_set(e, ERR_CONFIG, "%s: has no rows", path);
	return rc;
}

enum errcode datafile_list(const struct datafile *f, const struct datafile_row *r, size_t field,
    struct arena *a, char ***element, size_t *n, struct err *e)
{
	char *text = r->field[field];
	size_t most = 1;
	for (const char *p = text; *p != '\0'; p++)
		most += *p == ',';
	char **list = arena_array(a, most, sizeof(*list));
	*element = list;
	*n = 0;
	if (*text == '\0')
		return OK;
	text = arena_strdup(a, text);
	for (char *p = text, *end; p != NULL; p = end == NULL ? NULL : end + 1) {
		end = strchr(p, ',');
		char *word = trimmed(p, end == NULL ? p + strlen(p) : end);
		size_t length = strlen(word);
		if (length >= 2 && word[0] == '"' && word[length - 1] == '"') {
			word[length - 1] = '\0';
			word++;
		}
		if (*word == '\0')
			return datafile_fault(f, r, e, "an element of field %zu is empty", field + 1);
		if (*n == DATAFILE_LIST)
			return datafile_fault(f, r, e, "field %zu has more than %d elements", field + 1,
			    DATAFILE_LIST);
		for (size_t i = 0; i < *n; i++)
			if (streq(list[i], word))
				return datafile_fault(f, r, e, "\"%s\" stands there twice", word);
		list[(*n)++] = word;
	}
	return OK;
}

enum errcode datafile_name(const struct datafile *f, const struct datafile_row *r, const char *word,
    const struct datafile_name *names, size_t n, int *value, struct err *e)
{
	struct buf known;
	for (size_t i = 0; i < n; i++)
		if (streq(word, names[i].name)) {
			*value = names[i].value;
			return OK;
		}
	buf_init(&known, DATAFILE_BYTES);
	for (size_t i = 0; i < n; i++)
		buf_printf(&known, "%s%s", i == 0 ? "" : ", ", names[i].name);
	enum errcode rc = datafile_fault(f, r, e, "\"%s\" is not known here; known are: %s", word,
	    known.p);
	buf_release(&known);
	return rc;
}

struct datafile_key {
	const char *key;              /* NULL: empty */
	uint32_t hash, line;
};

static struct datafile_key *key_slot(const struct datafile *f, uint32_t hash, const char *key)
{
	size_t i = hash & (f->nslots - 1);
	while (f->keys[i].key != NULL && (f->keys[i].hash != hash || !streq(f->keys[i].key, key)))
		i = (i + 1) & (f->nslots - 1);
	return &f->keys[i];
}

/* At first there is room for all elements of the file, so that it seldom grows. */
static void grow_keys(struct datafile *f)
{
	struct datafile_key *old = f->keys;
	size_t n = f->nslots;
	if (old == NULL)
		for (f->nslots = 64; f->nslots < f->elements + f->elements / 4;)
			f->nslots *= 2;
	else
		f->nslots *= 2;
	f->keys = arena_array(f->mem, f->nslots, sizeof(*f->keys));
	for (size_t i = 0; i < n; i++)
		if (old[i].key != NULL)
			*key_slot(f, old[i].hash, old[i].key) = old[i];
}

enum errcode datafile_once(struct datafile *f, const struct datafile_row *r, int group,
    const char *key, struct err *e)
{
	uint64_t hash = str_hash(key) + (uint64_t)group * UINT64_C(0x9e3779b97f4a7c15);
	if (f->nkeys + f->nkeys / 8 >= f->nslots)
		grow_keys(f);
	struct datafile_key *k = key_slot(f, (uint32_t)(hash ^ hash >> 32), key);
	if (k->key != NULL)
		return datafile_fault(f, r, e, "\"%s\" has a row already, in line %u", key, k->line);
	*k = (struct datafile_key){ key, (uint32_t)(hash ^ hash >> 32), (uint32_t)r->line };
	f->nkeys++;
	return OK;
}

size_t datafile_elements(const struct datafile *f, size_t field)
{
	size_t n = 0;
	for (size_t i = 0; i < f->n; i++) {
		n += *f->row[i].field[field] != '\0';
		for (const char *p = f->row[i].field[field]; *p != '\0'; p++)
			n += *p == ',';
	}
	return n;
}
