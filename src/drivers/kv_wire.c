/*
 * hiredis builds the commands and takes the replies apart; connecting, waiting, reading and writing
 * are done here, so that a whole exchange has one deadline.
 */
#include "drivers/kv_wire.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/heap.h"

enum {
	PIECE = 16 * 1024,
	/* how long after a deadline replies that have arrived are still read */
	LATE_MS = 100,
};

int wire_left(int64_t until_ms)
{
	int64_t left = until_ms - clock_mono_ms();

	return left <= 0 ? 0 : left < INT32_MAX ? (int)left : INT32_MAX;
}

enum errcode wire_broken(const char *where, enum wire w, const char *why, int timeout_ms,
    struct err *e)
{
	if (w == WIRE_SILENT)
		return err_set(e, ERR_STORE, "%s did not answer within %d ms", where, timeout_ms);
	return err_set(e, ERR_STORE, "%s: %s: is it running, and is REDIS_URL right?", where, why);
}

redisContext *wire_dial(const struct wire_way *way, const struct kv_host *h, const char *where,
    int64_t until_ms, struct err *e)
{
	int left = wire_left(until_ms);
	struct timeval tv = { .tv_sec = left / 1000, .tv_usec = left % 1000 * 1000 + 1 };
	redisContext *c = h == NULL ? redisConnectUnixWithTimeout(way->url->path, tv) :
	    redisConnectWithTimeout(h->name, h->port, tv);

	if (c == NULL || c->err != 0 ||
	    (h != NULL && way->tls != NULL && !kv_tls_start(way->tls, c, h->name, wire_left(until_ms)))) {
		wire_broken(where, WIRE_DEAD, c != NULL ? c->errstr : "out of memory", 0, e);
		if (c != NULL)
			redisFree(c);
		return NULL;
	}
	if (h != NULL)
		redisEnableKeepAlive(c);
	int flags = fcntl(c->fd, F_GETFL);
	fcntl(c->fd, F_SETFL, flags | O_NONBLOCK);
	/* so that hiredis does not take EAGAIN for a failure */
	c->flags &= ~REDIS_BLOCK;
	return c;
}

/* Wait until the socket can be read or written (`events`) or has failed; the next read or write
 * reports the failure. If this process itself was delayed, replies that have arrived still count. */
static enum wire await(const redisContext *c, short events, int64_t until_ms)
{
	struct pollfd fd = { c->fd, events, 0 };
	int n;

	if (clock_mono_ms() > until_ms + LATE_MS)
		return WIRE_SILENT;
	do
		n = poll(&fd, 1, wire_left(until_ms));
	while (n < 0 && errno == EINTR);
	return n == 0 ? WIRE_SILENT : WIRE_OK;
}

static void append(redisContext *c, const struct kv_cmd *cmd)
{
	const char **argv = heap_new(cmd->argc * sizeof(*argv));
	size_t *len = heap_new(cmd->argc * sizeof(*len));

	for (size_t k = 0; k < cmd->argc; k++) {
		argv[k] = cmd->argv[k].p;
		len[k] = cmd->argv[k].n;
	}
	if (redisAppendCommandArgv(c, (int)cmd->argc, argv, len) != REDIS_OK)
		abort();                /* fails only when memory runs out */
	free(len);
	free(argv);
}

enum wire wire_send(redisContext *c, const struct kv_cmd *cmds, size_t n, int64_t until_ms)
{
	int done = 0;

	for (size_t i = 0; i < n; i++)
		append(c, &cmds[i]);
	for (;;) {
		enum wire w = await(c, POLLOUT, until_ms);

		if (w != WIRE_OK)
			return w;
		if (redisBufferWrite(c, &done) != REDIS_OK)
			return WIRE_DEAD;
		if (done)
			return WIRE_OK;
	}
}

/*
 * As redisBufferRead(), which reads into 16 kB of the stack. This thread next waits for a model, or
 * is waiting for one when it renews the lease, and its stack would keep these pages all that time.
 */
static enum wire read_some(redisContext *c)
{
	enum wire w = WIRE_OK;
	char *piece = malloc(PIECE);

	if (piece == NULL)
		heap_exhausted(PIECE);
	ssize_t n = kv_tls_read(c, piece, PIECE);
	if (n > 0) {
		if (redisReaderFeed(c->reader, piece, (size_t)n) != REDIS_OK)
			w = WIRE_DEAD;
	} else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
		snprintf(c->errstr, sizeof(c->errstr), n == 0 ? "connection closed" : "%m");
		w = WIRE_DEAD;
	}
	free(piece);
	return w;
}

static enum wire next_reply(redisContext *c, redisReply **reply)
{
	void *found = NULL;

	if (redisGetReplyFromReader(c, &found) != REDIS_OK)
		return WIRE_DEAD;
	*reply = found;
	return WIRE_OK;
}

enum wire wire_reply(redisContext *c, int64_t until_ms, redisReply **reply)
{
	for (;;) {
		enum wire w = next_reply(c, reply);

		if (w != WIRE_OK || *reply != NULL)
			return w;
		if ((w = await(c, POLLIN, until_ms)) != WIRE_OK || (w = read_some(c)) != WIRE_OK)
			return w;
	}
}

enum wire wire_reply_now(redisContext *c, redisReply **reply)
{
	enum wire w = next_reply(c, reply);

	if (w == WIRE_OK && *reply == NULL && (w = read_some(c)) == WIRE_OK)
		w = next_reply(c, reply);
	return w;
}

enum wire wire_exchange(redisContext *c, const struct kv_cmd *cmds, size_t n,
    redisReply **replies, int64_t until_ms)
{
	enum wire w = wire_send(c, cmds, n, until_ms);
	size_t got = 0;

	while (w == WIRE_OK && got < n) {
		w = wire_reply(c, until_ms, &replies[got]);
		got += w == WIRE_OK;
	}
	if (w != WIRE_OK)
		while (got > 0)
			freeReplyObject(replies[--got]);
	return w;
}
