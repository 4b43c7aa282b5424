/*
 * Transfers: what httpc.c, which drives them with libcurl, offers to httpc_call.c. For nobody
 * else.
 */
#ifndef DRIVERS_HTTPC_IO_H
#define DRIVERS_HTTPC_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "drivers/httpc.h"

struct transfer;

/* What a caller knows of its transfer. */
struct known {
	struct buf body;               /* taken, not yet passed on */
	bool began, done;              /* the reply's head has begun; curl has given the handle back */
	int64_t start_ms, last_ms;     /* of the call; of the server's last sign of life */
};

/* Hand a request to the I/O thread. After OK transfer_end() must follow. ERR_CONFIG: not an
 * address, a header field with a line break; ERR_IO: no descriptors. */
enum errcode transfer_begin(struct httpc *h, const struct httpc_request *req,
    struct transfer **out, struct err *e);
/* Readable when there is something to take. */
int transfer_fd(const struct transfer *t);
/* Bring `k` and *head up to date. k->body must be empty: it is swapped for what has come. */
void transfer_take(struct transfer *t, struct known *k, struct httpc_head *head);
/* How it went, once k->done. */
enum errcode transfer_verdict(struct transfer *t, const struct httpc_request *req,
    const struct known *k, struct err *e);
/* Give it back; one that is not done is cancelled, its connection closed when this returns. */
void transfer_end(struct transfer *t, struct known *k);

/* "https://host:port", all of an address that may be shown. */
void httpc_address(const char *url, char *out, size_t size);
/* "30 s", "250 ms" */
const char *httpc_duration(char out[32], int64_t ms);

#endif
