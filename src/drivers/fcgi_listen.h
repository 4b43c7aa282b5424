/*
 * The listening socket of a FastCGI worker: inherited, or made so that the web server finds a
 * socket at every moment.
 */
#ifndef DRIVERS_FCGI_LISTEN_H
#define DRIVERS_FCGI_LISTEN_H

#include <stdbool.h>

#include "base/errs.h"

struct fcgi_listener {
	int fd;              /* non-blocking, close-on-exec */
	const char *how;     /* "systemd", "inherited", "unix", "tcp": for the log */
};

/*
 * Choose, in this order: the socket that systemd passed (LISTEN_FDS with our LISTEN_PID: fd 3); a
 * listening socket at descriptor 0 (spawn-fcgi, mod_fcgid, lighttpd, multiwatch); our own at
 * `address`, "unix:PATH" or "HOST:PORT" ("[::1]:9000"), which may be NULL. A Unix socket is bound
 * under a temporary name, mode 0660, and renamed over PATH: a worker that listened there keeps its
 * connections and can finish them. A TCP port is shared with such a worker (SO_REUSEPORT). A
 * program that can connect can claim any user name (REMOTE_USER). So without `remote` a TCP address
 * that other hosts can reach is refused, even when the socket is inherited. ERR_CONFIG: nothing to
 * listen on, or an address that is malformed or refused; ERR_IO.
 */
enum errcode fcgi_listen(struct fcgi_listener *out, const char *address, int backlog, bool remote,
    struct err *e);

#endif
