#include "base/files.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/heap.h"

char *path_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	if (slash == NULL)
		return heap_dup(".");
	return heap_printf("%.*s", slash == path ? 1 : (int)(slash - path), path);
}

enum errcode make_dirs(const char *path, mode_t mode, struct err *e)
{
	char p[PATH_MAX];
	size_t n = strlen(path);
	if (n == 0 || n >= sizeof(p))
		return err_set(e, ERR_IO, "folder %.100s: the path is %s", path,
		    n == 0 ? "empty" : "too long");
	memcpy(p, path, n + 1);
	for (size_t i = 1; i <= n; i++) {
		if (path[i] != '/' && path[i] != '\0')
			continue;
		p[i] = '\0';
		if (mkdir(p, mode) == -1 && errno != EEXIST)
			return err_set(e, ERR_IO, "folder %s: cannot make %s: %m", path, p);
		p[i] = path[i];
	}
	return OK;
}

struct file_stamp file_stamp(const char *path)
{
	struct stat st;
	if (path == NULL || stat(path, &st) != 0)
		return (struct file_stamp){ .there = false };
	return (struct file_stamp){ .there = true, .dev = st.st_dev, .ino = st.st_ino,
		.size = st.st_size, .changed = st.st_mtim };
}

bool file_stamp_same(const struct file_stamp *a, const struct file_stamp *b)
{
	return a->there == b->there && a->dev == b->dev && a->ino == b->ino && a->size == b->size &&
	    a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}
