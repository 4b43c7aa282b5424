/*
 * An HTTP exchange in memory: parameters and body in, bytes out.
 */
#ifndef TESTS_UNIT_HTTP_MEM_H
#define TESTS_UNIT_HTTP_MEM_H

#include <string.h>

#include "base/buf.h"
#include "edges/http.h"

struct http_mem {
	struct http_io io;
	const char *params[24];        /* "NAME=value", NULL at the end */
	const char *body;              /* NULL: empty */
	struct buf out;
	size_t writes, flushes;
	size_t hup_after;              /* when not 0: this write and later ones fail */
	bool gone;
};

static inline const char *http_mem_param(struct http_io *io, const char *name)
{
	struct http_mem *m = (struct http_mem *)io;
	size_t n = strlen(name);
	for (const char **p = m->params; *p != NULL; p++)
		if (strncmp(*p, name, n) == 0 && (*p)[n] == '=')
			return *p + n + 1;
	return NULL;
}

static inline enum errcode http_mem_body(struct http_io *io, struct buf *b, struct err *e)
{
	struct http_mem *m = (struct http_mem *)io;
	buf_puts(b, m->body != NULL ? m->body : "");
	return b->full ? err_set(e, ERR_TOOBIG, "too big") : OK;
}

static inline enum errcode http_mem_write(struct http_io *io, const char *p, size_t n)
{
	struct http_mem *m = (struct http_mem *)io;
	m->writes++;
	if (m->hup_after != 0 && m->writes >= m->hup_after)
		return ERR_HUP;
	buf_put(&m->out, p, n);
	return OK;
}

static inline enum errcode http_mem_flush(struct http_io *io)
{
	((struct http_mem *)io)->flushes++;
	return OK;
}

static inline bool http_mem_gone(struct http_io *io)
{
	return ((struct http_mem *)io)->gone;
}

static inline int http_mem_fd(struct http_io *io)
{
	(void)io;
	return -1;
}

static inline void http_mem_init(struct http_mem *m)
{
	static const struct http_io_ops ops = { http_mem_param, http_mem_body,
		http_mem_write, http_mem_flush, http_mem_gone, http_mem_fd };
	memset(m, 0, sizeof(*m));
	m->io.ops = &ops;
	buf_init(&m->out, 1 << 20);
}

/* The content of the response: the bytes after the fields. */
static inline const char *http_mem_content(const struct http_mem *m)
{
	const char *p = strstr(m->out.p, "\r\n\r\n");
	return p != NULL ? p + 4 : "";
}

#endif
