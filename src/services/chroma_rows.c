/*
 * Two steps: find the member among those of the outermost object, then read it strictly. What is
 * skipped on the way is not checked here: the JSON parser does that afterwards, with the rest.
 */
#include "services/chroma_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

#define BLANKS " \t\r\n"

static char *skip_blanks(char *p)
{
	return p + strspn(p, BLANKS);
}

/* The place after the string that begins at p; NULL: the string does not end. */
static char *skip_string(char *p)
{
	for (p++; *p != '"'; p++)
		if (*p == '\0' || (*p == '\\' && *++p == '\0'))
			return NULL;
	return p + 1;
}

/* The place after the value that begins at p. */
static char *skip_value(char *p)
{
	size_t depth = 0;
	do {
		p += strcspn(p, "\"[]{},");
		if (*p == '\0')
			return NULL;
		if (depth == 0 && strchr(",]}", *p) != NULL)
			return p;
		if (*p == '"') {
			if ((p = skip_string(p)) == NULL)
				return NULL;
			continue;
		}
		if (*p == '[' || *p == '{')
			depth++;
		else if (*p != ',')
			depth--;
		p++;
	} while (depth > 0);
	return p;
}

/* The place where the value of a member of the outermost object begins; NULL: there is none. */
static char *find(char *p, const char *key)
{
	p = skip_blanks(p);
	if (*p != '{')
		return NULL;
	do {
		char *name = skip_blanks(p + 1);
		if (*name != '"' || (p = skip_string(name)) == NULL)
			return NULL;
		bool is = str_eq((struct str){ name + 1, (size_t)(p - name) - 2 }, key);
		p = skip_blanks(p);
		if (*p != ':')
			return NULL;
		p = skip_blanks(p + 1);
		if (is)
			return p;
		if ((p = skip_value(p)) == NULL)
			return NULL;
		p = skip_blanks(p);
	} while (*p == ',');
	return NULL;
}

/* Read a number as JSON writes it; strtof() accepts more forms. */
static char *read_number(char *p, float *out)
{
	char *digit = p + (*p == '-'), *end;
	if (*digit < '0' || *digit > '9' || digit[1] == 'x' || digit[1] == 'X')
		return NULL;
	*out = strtof(p, &end);
	return isfinite(*out) ? end : NULL;
}

/* Read the row of numbers that begins at p; there must be n. */
static char *read_row(char *p, float *row, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		p = read_number(skip_blanks(p + 1), &row[i]);
		if (p == NULL)
			return NULL;
		p = skip_blanks(p);
		if (*p != (i + 1 < n ? ',' : ']'))
			return NULL;
	}
	return p + 1;
}

static size_t count_numbers(const char *row)
{
	size_t n = 1;
	for (; *row != '\0' && *row != ']'; row++)
		n += *row == ',';
	return n;
}

bool chroma_rows(struct arena *a, char *text, size_t n, const char *key, size_t max, float **rows,
    size_t *nrows, size_t *dims)
{
	char *start = strlen(text) == n ? find(text, key) : NULL, *p = start;
	*nrows = *dims = 0;
	if (p == NULL || *p != '[')
		return false;
	p = skip_blanks(p + 1);
	for (bool more = *p != ']'; more; more = *p == ',', p = more ? skip_blanks(p + 1) : p) {
		float *row = NULL;
		if (*nrows == max)
			return false;
		if (starts_with(p, "null")) {
			p += 4;
		} else if (*p == '[') {
			if (*dims == 0)
				*dims = count_numbers(p);
			row = arena_array(a, *dims, sizeof(*row));
			if ((p = read_row(p, row, *dims)) == NULL)
				return false;
		} else {
			return false;
		}
		rows[(*nrows)++] = row;
		p = skip_blanks(p);
	}
	if (*p != ']')
		return false;
	memset(start, ' ', (size_t)(p + 1 - start));
	*start = '0';
	return true;
}
