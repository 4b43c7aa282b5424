/*
 * What a web server sends on a FastCGI connection, checked before libfcgi sees any of it.
 *
 * A push parser without I/O. It is fed bytes as they arrive, in pieces of any size, and collects the
 * parameters and the body of one request. libfcgi 2.4.2 crashes on some parameter lengths (an
 * assertion) and on some management records (a buffer of 64 bytes). So it never gets the bytes of
 * the network: fcgi_screen_head() writes the checked request anew for it.
 *
 * Management records and requests that cannot be served are answered: `reply` holds bytes for the
 * web server, to be sent and cleared after each feed.
 */
#ifndef DRIVERS_FCGI_SCREEN_H
#define DRIVERS_FCGI_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum {
	SCREEN_PARAMS_MAX = 128 << 10,     /* bytes of parameters; nginx itself allows 64 kB */
	SCREEN_COUNT_MAX = 1024,           /* number of parameters */
	SCREEN_WIRE_MAX = 512 << 10,       /* bytes until the parameters end, record headers included */
	SCREEN_SMALL_MAX = 1024,           /* content of a management record */
	/* bytes of answers to management records and to other requests */
	SCREEN_REPLIES_MAX = 8,
};

enum fcgi_screen_state {
	SCREEN_HEAD,         /* BEGIN_REQUEST or parameters have not arrived whole */
	SCREEN_BODY,         /* the parameters are whole, the body is not */
	SCREEN_DONE,         /* the request is whole */
	SCREEN_FULL,         /* the body is longer than body_max; `body` holds its beginning */
	SCREEN_ABORTED,      /* the web server has cancelled the request */
	SCREEN_REFUSED,      /* the web server broke the protocol or a limit; `why` says which */
};

struct fcgi_screen {
	enum fcgi_screen_state state;
	const char *why;               /* a string literal */
	struct buf params, body, reply;
	int id;                        /* of the request; 0: not begun */
	/* the record that is being read */
	unsigned char head[8];
	size_t nhead, content, padding;
	int type, of;
	struct buf small;              /* content of BEGIN_REQUEST and management records */
	size_t wire;
	int nreplies;
};

void fcgi_screen_init(struct fcgi_screen *s, size_t body_max);
void fcgi_screen_release(struct fcgi_screen *s);
/* Read the next `n` bytes. After SCREEN_FULL, SCREEN_ABORTED and SCREEN_REFUSED they are ignored.
 * After SCREEN_DONE only an ABORT_REQUEST has an effect. */
enum fcgi_screen_state fcgi_screen_feed(struct fcgi_screen *s, const void *p, size_t n);
/* From SCREEN_BODY on: append the request for libfcgi, with its parameters and an empty body. */
void fcgi_screen_head(const struct fcgi_screen *s, struct buf *out);

#endif
