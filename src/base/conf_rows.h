/*
 * A row of the settings table: what conf.c checks a value against, and what it prints about a setting.
 */
#ifndef BASE_CONF_ROWS_H
#define BASE_CONF_ROWS_H

#include <stddef.h>
#include <stdint.h>

enum conf_kind { TEXT, PATH, URL, SECRET, BOOL, INT, LIST };

struct conf_row {
	const char *env;
	enum conf_kind kind;
	size_t offset;
	const char *def;          /* NULL: unset */
	int64_t min, max;         /* INT */
	const char *choices;      /* TEXT, LIST: "a|b"; NULL: any */
	const char *doc;
	const char *group;        /* printed once, above the first row of the group */
};

extern const struct conf_row conf_rows[];
extern const size_t conf_nrows;

#endif
