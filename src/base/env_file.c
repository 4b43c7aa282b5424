/*
 * Reading env files.
 */
#include "base/env_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/owned.h"
#include "base/str.h"

const char *env_lookup(const struct env_pair *file, const char *name)
{
	const char *v = getenv(name);
	if (v != NULL && *v != '\0')
		return v;
	for (; file != NULL; file = file->next)
		if (strcmp(file->name, name) == 0)
			return *file->value == '\0' ? NULL : file->value;
	return NULL;
}

/* ${OTHER} stands for an earlier line of the file or the process environment. */
static const char *expand(struct arena *a, const struct env_pair *file, const char *text)
{
	struct buf b;
	buf_init(&b, 65536);
	while (*text != '\0') {
		const char *open = strstr(text, "${"), *close = open ? strchr(open, '}') : NULL;
		if (close == NULL)
			break;
		buf_put(&b, text, (size_t)(open - text));
		const char *v = env_lookup(file, arena_strndup(a, open + 2, (size_t)(close - open - 2)));
		buf_puts(&b, v == NULL ? "" : v);
		text = close + 1;
	}
	buf_puts(&b, text);
	const char *out = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return out;
}

static bool name_char(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* KEY=value, optional "export ", quotes, comments. Single quotes keep ${…} as it is. */
static enum errcode env_line(struct arena *a, struct env_pair **file, char *line, struct err *e,
    const char *path, int lineno)
{
	struct str s = str_trim(str_of(line));
	if (s.n == 0 || s.p[0] == '#')
		return OK;
	char *at = arena_strndup(a, s.p, s.n);
	if (starts_with(at, "export "))
		at += 7;
	size_t n = 0;
	while (name_char(at[n]))
		n++;
	struct str rest = str_trim(str_of(at + n));
	if (n == 0 || rest.n == 0 || rest.p[0] != '=')
		return err_set(e, ERR_CONFIG, "%s:%d: expected NAME=value", path, lineno);
	struct str v = str_trim((struct str){ rest.p + 1, rest.n - 1 });
	if (v.n > 0 && v.p[0] == '#' && v.p != rest.p + 1)
		v.n = 0;        /* an empty value and a comment: NAME= # a comment */
	char quote = v.n > 0 && (v.p[0] == '"' || v.p[0] == '\'') ? v.p[0] : '\0';
	if (quote != '\0') {
		const char *end = memchr(v.p + 1, quote, v.n - 1);
		if (end == NULL)
			return err_set(e, ERR_CONFIG, "%s:%d: quote not closed", path, lineno);
		v = (struct str){ v.p + 1, (size_t)(end - v.p - 1) };
	} else {
		const char *hash = v.n == 0 ? NULL : strstr(v.p, " #");
		if (hash != NULL)
			v = str_trim((struct str){ v.p, (size_t)(hash - v.p) });
	}
	struct env_pair *p = arena_alloc(a, sizeof(*p));
	p->name = arena_strndup(a, at, n);
	p->value = arena_strndup(a, v.p, v.n);
	if (quote != '\'')
		p->value = expand(a, *file, p->value);
	p->next = *file;      /* the newest first, because a later line wins */
	*file = p;
	return OK;
}

/* OK with *found false when there is no such file. A file that another user may have written is an
 * error. If it were skipped, that user could choose which settings are used. */
static enum errcode env_file(struct arena *a, const char *path, struct env_pair **file, bool *found,
    struct err *e)
{
	char why[64];
	/* O_NONBLOCK: a pipe without a writer must not block the start */
	int fd = owned_open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
	*found = fd != -1;
	if (fd == -1 && errno == ENOENT)
		return OK;
	if (fd == -1)
		return err_set(e, ERR_CONFIG, "%s: %s", path, errno == ELOOP
		    ? "this symbolic link was made by another user: remove it, or set ENV_FILE to a safe file"
		    : strerror_r(errno, why, sizeof(why)));
	FILE *f = NULL;
	enum errcode rc = owned_settings(fd, path,
	    "set ENV_FILE to another file (/dev/null: none)", e);
	if (rc == OK && (f = fdopen(fd, "r")) == NULL)
		rc = err_set(e, ERR_CONFIG, "%s: %m", path);
	if (rc != OK) {
		close(fd);
		return rc;
	}
	char *line = NULL;
	size_t size = 0;
	for (int n = 1; rc == OK && getline(&line, &size, f) != -1; n++)
		rc = env_line(a, file, line, e, path, n);
	if (rc == OK && ferror(f))
		rc = err_set(e, ERR_CONFIG, "%s: %s", path, strerror_r(errno, why, sizeof(why)));
	free(line);
	fclose(f);
	return rc;
}

enum errcode env_files(struct arena *a, struct env_pair **file, struct err *e)
{
	const char *named = getenv("ENV_FILE"), *root = getenv("PROJECT_ROOT");
	bool found = false;
	if (named != NULL && *named != '\0') {
		enum errcode rc = env_file(a, named, file, &found, e);
		if (rc == OK && !found)
			rc = err_set(e, ERR_CONFIG, "ENV_FILE: %s does not exist", named);
		return rc;
	}
	enum errcode rc = env_file(a, ".env", file, &found, e);
	if (rc == OK && !found && root != NULL && *root != '\0')
		rc = env_file(a, arena_printf(a, "%s/.env", root), file, &found, e);
	return rc;
}
