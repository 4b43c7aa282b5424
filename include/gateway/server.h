/*
 * The WebSocket server: libwebsockets, one thread for all sockets, and a thread for each turn.
 *
 * What a socket may do is limited: 64 KiB in a frame, one turn at a time, one message ahead while
 * its token is checked, and 1 MB that waits for a slow reader.
 */
#ifndef GATEWAY_SERVER_H
#define GATEWAY_SERVER_H

#include <stdint.h>

#include "base/errs.h"
#include "gateway/relay.h"

struct server_config {
	const char *listen;           /* "HOST:PORT" or "unix:PATH" */
	const char *origins;          /* "https://a.example, https://b.example"; NULL: the site's own */
	int64_t max_sockets;
	struct relay relay;
};

/* Serve until SIGTERM or SIGINT: then every socket is closed with 1001. ERR_CONFIG, ERR_IO: it cannot
 * listen. */
enum errcode server_run(const struct server_config *c, struct err *e);

#endif
