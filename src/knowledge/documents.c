/*
 * Each file is opened below the open folder, never through a link, and what was opened is checked:
 * somebody may put another file in its place meanwhile.
 */
#include "knowledge/documents.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/heap.h"
#include "base/str.h"
#include "knowledge/pdf_text.h"

struct walk {
	const struct document_reader *r;
	struct err *e;
	size_t entries;
};

static const struct {
	const char *suffix;
	enum document_kind kind;
} kinds[] = {
	{ ".md", DOCUMENT_MARKDOWN }, { ".markdown", DOCUMENT_MARKDOWN }, { ".txt", DOCUMENT_TEXT },
	{ ".pdf", DOCUMENT_PAGES },
};

static void leave_out(const struct walk *w, const char *source, const char *why)
{
	w->r->left_out(w->r->arg, source, why);
}

/* -- a file -- */

/* NULL, or why it cannot be read. */
static const char *read_all(int fd, struct buf *out)
{
	char part[65536];
	ssize_t n;
	while ((n = read(fd, part, sizeof(part))) > 0)
		buf_put(out, part, (size_t)n);
	if (n < 0)
		return strerrordesc_np(errno);
	return out->full ? "it has grown beyond 8 MB" : NULL;
}

/* Control characters do not belong into a prompt or onto a terminal: each becomes a blank, except that
 * a text keeps its lines, which may end with CR, and its pages. Returns the new length. */
static size_t clean(char *p, size_t n, bool lines)
{
	size_t to = 0, len;
	bool plain;
	for (size_t i = 0; i < n; i += len) {
		len = str_next(p + i, n - i, &plain);
		if (lines && p[i] == '\r' && i + 1 < n && p[i + 1] == '\n')
			continue;
		if (plain) {
			memmove(p + to, p + i, len);
			to += len;
		} else {
			p[to++] = !lines ? ' ' : p[i] == '\r' ? '\n' : p[i] == '\n' || p[i] == '\f' ? p[i] : ' ';
		}
	}
	return to;
}

/* The name of a document as it is stored and shown. On the heap. */
static char *source_name(const char *folder, const char *name)
{
	char *source = folder == NULL ? heap_dup(name) : heap_printf("%s/%s", folder, name);
	source[clean(source, strlen(source), false)] = '\0';
	return source;
}

static const char *text_of(int fd, enum document_kind kind, struct buf *out)
{
	const char *why = kind == DOCUMENT_PAGES ? pdf_text(fd, out) : read_all(fd, out);
	if (why != NULL)
		return why;
	if (out->n >= 3 && memcmp(out->p, "\xef\xbb\xbf", 3) == 0)
		memcpy(out->p, "   ", 3);
	if (!utf8_valid(out->p, out->n))
		return "it is not text in UTF-8: save it in that encoding";
	buf_trunc(out, clean(out->p, out->n, true));
	if (str_trim((struct str){ out->p, out->n }).n == 0)
		return "it holds no text";
	return NULL;
}

static enum errcode read_document(struct walk *w, int fd, off_t size, const char *source,
    enum document_kind kind)
{
	struct document d = { .source = source, .kind = kind };
	enum errcode rc = OK;
	struct buf text;
	if (size > DOCUMENT_BYTES) {
		char why[100];
		snprintf(why, sizeof(why), "it has %lld MB, and at most 8 MB are read: divide it",
		    (long long)(size >> 20));
		leave_out(w, source, why);
		return OK;
	}
	buf_init(&text, DOCUMENT_BYTES);
	const char *why = text_of(fd, kind, &text);
	if (why != NULL) {
		leave_out(w, source, why);
	} else {
		d.text = text.p;
		d.hash = text_hash_of(text.p);
		rc = w->r->take(w->r->arg, &d, w->e);
	}
	buf_release(&text);
	return rc;
}

/* -- a folder -- */

static enum errcode read_folder(struct walk *w, int fd, const char *source, int depth);

static bool wanted(const char *name, enum document_kind *kind)
{
	const char *dot = strrchr(name, '.');
	if (dot == NULL || (dot - name == 6 && strncasecmp(name, "readme", 6) == 0))
		return false;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strieq(dot, kinds[i].suffix)) {
			*kind = kinds[i].kind;
			return true;
		}
	return false;
}

static enum errcode read_entry(struct walk *w, int dir, const char *name, const char *source,
    int depth)
{
	struct stat st;
	enum document_kind kind = DOCUMENT_TEXT;
	enum errcode rc = OK;
	bool document = wanted(name, &kind);
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return OK;              /* it is gone */
	if (S_ISLNK(st.st_mode))
		leave_out(w, source, "it is a link: links are not followed");
	if (!S_ISDIR(st.st_mode) && !(S_ISREG(st.st_mode) && document))
		return OK;
	if (!utf8_valid(name, strlen(name))) {
		leave_out(w, source, "its name is not UTF-8");
		return OK;
	}
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0)
		leave_out(w, source, strerrordesc_np(errno));
	else if (S_ISDIR(st.st_mode))
		rc = read_folder(w, fd, source, depth + 1);
	else if (S_ISREG(st.st_mode) && document)
		rc = read_document(w, fd, st.st_size, source, kind);
	if (fd >= 0)
		close(fd);
	return rc;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int not_hidden(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static enum errcode read_folder(struct walk *w, int fd, const char *source, int depth)
{
	struct dirent **list = NULL;
	enum errcode rc = OK;
	if (depth > FOLDER_DEPTH) {
		leave_out(w, source, "it lies too deep: folders are read down to a depth of 16");
		return OK;
	}
	int n = scandirat(fd, ".", &list, not_hidden, by_name);
	if (n < 0)
		leave_out(w, source, strerrordesc_np(errno));
	for (int i = 0; i < n; i++) {
		char *path = source_name(source, list[i]->d_name);
		if (rc == OK && ++w->entries > FOLDER_ENTRIES)
			rc = err_set(w->e, ERR_INPUT, "there are more than %d files: name a folder that "
			    "holds only documents", FOLDER_ENTRIES);
		if (rc == OK)
			rc = read_entry(w, fd, list[i]->d_name, path, depth);
		free(path);
		free(list[i]);
	}
	free(list);
	return rc;
}

char *documents_root(const char *dir)
{
	char *root = realpath(dir, NULL);
	char *here = root == NULL && dir[0] != '/' ? realpath(".", NULL) : NULL;
	if (root == NULL) {
		root = here == NULL ? heap_dup(dir) : heap_printf("%s/%s", here, dir);
		for (size_t n = strlen(root); n > 1 && root[n - 1] == '/'; n--)
			root[n - 1] = '\0';
	}
	free(here);
	return root;
}

enum errcode documents_read(const char *dir, const struct document_reader *r, struct err *e)
{
	struct walk w = { .r = r, .e = e };
	char *root = documents_root(dir);
	const char *slash = strrchr(root, '/');
	char *source = source_name(NULL, slash != NULL && slash[1] != '\0' ? slash + 1 : "documents");
	int fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	enum errcode rc;
	if (fd < 0)
		rc = err_set(e, ERR_INPUT, "%s: %s: name a folder with documents", dir,
		    strerrordesc_np(errno));
	else
		rc = read_folder(&w, fd, source, 0);
	if (fd >= 0)
		close(fd);
	free(source);
	free(root);
	return rc;
}
