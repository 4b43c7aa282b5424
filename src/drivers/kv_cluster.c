/*
 * Nodes are added when they are first heard of, and stay until the end: a node that has left the
 * cluster is in no slot of the map, so nothing is sent to it.
 *
 * One thread reads the map; the others use the old one meanwhile, or wait if there is none.
 */
#include "drivers/kv_cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/heap.h"
#include "drivers/kv_refusal.h"

enum {
	SLOTS = 16384,
	NODES_MAX = 128,
	NOBODY = 255,
	REREAD_MS = 100,
};

struct kv_cluster {
	const struct wire_way *way;
	int timeout_ms, max_conns;
	pthread_mutex_t lock;           /* guards all that follows */
	pthread_cond_t read;
	struct kv_pool *node[NODES_MAX];
	int nnodes;
	int next;                       /* the node that is asked first for the map */
	uint8_t slot[SLOTS];            /* index of the node */
	bool have_map, doubted, reading;
	int64_t read_ms;
};

/* -- slots -- */

/* CRC-16/XMODEM, the hash of the cluster specification */
static unsigned crc16(struct str s)
{
	unsigned crc = 0;

	for (size_t i = 0; i < s.n; i++) {
		crc ^= (unsigned)(unsigned char)s.p[i] << 8;
		for (int bit = 0; bit < 8; bit++)
			crc = (crc & 0x8000u) != 0 ? crc << 1 ^ 0x1021u : crc << 1;
		crc &= 0xffffu;
	}
	return crc;
}

int kv_slot(struct str key)
{
	const char *open = key.n > 0 ? memchr(key.p, '{', key.n) : NULL;

	if (open != NULL) {
		size_t left = key.n - (size_t)(open + 1 - key.p);
		const char *close = left > 0 ? memchr(open + 1, '}', left) : NULL;

		if (close != NULL && close > open + 1)
			key = (struct str){ open + 1, (size_t)(close - open - 1) };
	}
	return (int)(crc16(key) % SLOTS);
}

/* Where the first key of a command is; of most it is the first argument. */
static size_t key_at(const struct kv_cmd *cmd)
{
	static const struct {
		const char *name;
		size_t at;              /* 0: it has none */
	} rows[] = {
		{ "MULTI", 0 }, { "EXEC", 0 }, { "PING", 0 }, { "SCRIPT", 0 }, { "INFO", 0 },
		{ "PUBLISH", 0 }, { "SCAN", 0 }, { "EVAL", 3 }, { "EVALSHA", 3 },
	};

	if (str_eq(cmd->argv[0], "XREAD")) {
		for (size_t i = 1; i + 1 < cmd->argc; i++)
			if (str_eq(cmd->argv[i], "STREAMS"))
				return i + 1;
		return 0;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (str_eq(cmd->argv[0], rows[i].name))
			return rows[i].at < cmd->argc ? rows[i].at : 0;
	return cmd->argc > 1 ? 1 : 0;
}

int kv_slot_of(const struct kv_cmd *cmds, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t at = key_at(&cmds[i]);

		if (at > 0)
			return kv_slot(cmds[i].argv[at]);
	}
	return -1;
}

bool kv_redirection(const char *text, const struct kv_host *asked, int *slot, struct kv_host *to)
{
	char head[KV_WORD_SIZE], place[sizeof(to->name) + 8];
	long long port;

	if (sscanf(text, "%15s %d %263s", head, slot, place) != 3 || *slot < 0 || *slot >= SLOTS)
		return false;
	char *colon = strrchr(place, ':');
	if (colon == NULL || !str_to_int(colon + 1, &port) || port <= 0 || port > 65535)
		return false;
	*colon = '\0';
	if (strlen(place) >= sizeof(to->name))
		return false;
	snprintf(to->name, sizeof(to->name), "%s", place[0] != '\0' ? place : asked->name);
	to->port = (int)port;
	return true;
}

/* -- nodes -- */

/* With the lock held. NOBODY: there are too many. */
static int node_index(struct kv_cluster *cl, const struct kv_host *h)
{
	for (int i = 0; i < cl->nnodes; i++)
		if (cl->node[i]->host.port == h->port && streq(cl->node[i]->host.name, h->name))
			return i;
	if (cl->nnodes == NODES_MAX)
		return NOBODY;
	struct kv_pool *p = heap_new(sizeof(*p));
	kv_pool_init(p, cl->way, h, cl->timeout_ms, cl->max_conns);
	cl->node[cl->nnodes] = p;
	return cl->nnodes++;
}

struct kv_pool *kv_cluster_node(struct kv_cluster *cl, const struct kv_host *node)
{
	pthread_mutex_lock(&cl->lock);
	int i = node_index(cl, node);
	pthread_mutex_unlock(&cl->lock);
	return i == NOBODY ? NULL : cl->node[i];
}

void kv_cluster_doubt(struct kv_cluster *cl)
{
	pthread_mutex_lock(&cl->lock);
	cl->doubted = true;
	pthread_mutex_unlock(&cl->lock);
}

void kv_cluster_moved(struct kv_cluster *cl, int slot, struct kv_pool *to)
{
	pthread_mutex_lock(&cl->lock);
	cl->slot[slot] = (uint8_t)node_index(cl, &to->host);
	cl->doubted = true;
	pthread_mutex_unlock(&cl->lock);
}

/* -- the map -- */

/* One row of CLUSTER SLOTS: first and last slot, then the master (host, port, …), then replicas. */
static bool read_range(struct kv_cluster *cl, const redisReply *r, const struct kv_host *asked,
    uint8_t slot[SLOTS])
{
	struct kv_host h = { .port = 0 };

	if (r->type != REDIS_REPLY_ARRAY || r->elements < 3 ||
	    r->element[0]->type != REDIS_REPLY_INTEGER || r->element[1]->type != REDIS_REPLY_INTEGER ||
	    r->element[2]->type != REDIS_REPLY_ARRAY || r->element[2]->elements < 2)
		return false;
	long long from = r->element[0]->integer, to = r->element[1]->integer;
	const redisReply *name = r->element[2]->element[0], *port = r->element[2]->element[1];
	if (from < 0 || to >= SLOTS || from > to || port->type != REDIS_REPLY_INTEGER ||
	    port->integer <= 0 || port->integer > 65535)
		return false;
	bool known = name->type == REDIS_REPLY_STRING && name->len > 0 && !streq(name->str, "?");
	if (snprintf(h.name, sizeof(h.name), "%s", known ? name->str : asked->name) >=
	    (int)sizeof(h.name))
		return false;
	h.port = (int)port->integer;
	pthread_mutex_lock(&cl->lock);
	int i = node_index(cl, &h);
	pthread_mutex_unlock(&cl->lock);
	memset(slot + from, i, (size_t)(to - from + 1));
	return true;
}

static enum errcode read_from(struct kv_cluster *cl, struct kv_pool *p, uint8_t slot[SLOTS],
    int64_t until_ms, struct err *e)
{
	static const struct str argv[] = { STR("CLUSTER"), STR("SLOTS") };
	const struct kv_cmd cmd = { argv, 2 };
	redisContext *c;
	redisReply *r;
	enum errcode rc = kv_pool_borrow(p, &c, until_ms, e);

	if (rc != OK)
		return rc;
	enum wire w = wire_exchange(c, &cmd, 1, &r, until_ms);
	if (w != WIRE_OK) {
		rc = wire_broken(p->where, w, c->errstr, p->timeout_ms, e);
		redisFree(c);
		kv_pool_return(p, NULL);
		kv_pool_close_idle(p);
		return rc;
	}
	kv_pool_return(p, c);
	memset(slot, NOBODY, SLOTS);
	if (r->type == REDIS_REPLY_ERROR) {
		kv_refused(p->where, r->str, e);
		rc = strstr(r->str, "cluster support disabled") == NULL ? e->code :
		    err_set(e, ERR_STORE, "%s is not part of a cluster: use redis:// in REDIS_URL",
		    p->where);
	} else if (r->type != REDIS_REPLY_ARRAY || r->elements == 0) {
		rc = err_set(e, ERR_STORE, "%s is part of a cluster without slots: assign them "
		    "(redis-cli --cluster create)", p->where);
	} else {
		for (size_t i = 0; i < r->elements && rc == OK; i++)
			if (!read_range(cl, r->element[i], &p->host, slot))
				rc = err_set(e, ERR_STORE, "%s sent an unexpected reply to CLUSTER SLOTS",
				    p->where);
	}
	freeReplyObject(r);
	return rc;
}

/* Ask the nodes in turn. Each gets an equal part of the time that is left. */
static enum errcode read_map(struct kv_cluster *cl, uint8_t slot[SLOTS], int64_t until_ms,
    struct err *e)
{
	pthread_mutex_lock(&cl->lock);
	int n = cl->nnodes, first = cl->next;
	pthread_mutex_unlock(&cl->lock);
	enum errcode rc = ERR_STORE;
	for (int i = 0; i < n; i++) {
		int k = (first + i) % n, part = wire_left(until_ms) / (n - i + 1);

		rc = read_from(cl, cl->node[k], slot, clock_mono_ms() + part, e);
		if (rc == OK) {
			pthread_mutex_lock(&cl->lock);
			cl->next = k;
			pthread_mutex_unlock(&cl->lock);
			break;
		}
	}
	return rc;
}

/* With the lock held; it is given up meanwhile. */
static enum errcode refresh(struct kv_cluster *cl, int64_t until_ms, struct err *e)
{
	uint8_t *slot = heap_new(SLOTS);

	cl->reading = true;
	cl->doubted = false;
	pthread_mutex_unlock(&cl->lock);
	enum errcode rc = read_map(cl, slot, until_ms, e);
	pthread_mutex_lock(&cl->lock);
	cl->reading = false;
	cl->read_ms = clock_mono_ms();
	if (rc == OK) {
		memcpy(cl->slot, slot, SLOTS);
		cl->have_map = true;
	} else {
		cl->doubted = true;
	}
	pthread_cond_broadcast(&cl->read);
	free(slot);
	return rc;
}

enum errcode kv_cluster_find(struct kv_cluster *cl, int slot, struct kv_pool **out,
    int64_t until_ms, struct err *e)
{
	const struct timespec until = clock_at(until_ms);
	enum errcode rc = OK;

	pthread_mutex_lock(&cl->lock);
	while (!cl->have_map && cl->reading)
		if (pthread_cond_timedwait(&cl->read, &cl->lock, &until) != 0)
			break;
	bool due = !cl->have_map ||
	    (cl->doubted && clock_mono_ms() - cl->read_ms >= REREAD_MS);
	if (due && !cl->reading)
		rc = refresh(cl, until_ms, e);
	else if (!cl->have_map)
		rc = err_set(e, ERR_STORE, "%s: no node has named its slots yet: try again in a moment",
		    cl->way->url->where);
	if (cl->have_map)
		rc = OK;                /* the old map may still be right */
	int i = slot < 0 ? cl->next : cl->slot[slot];
	if (rc == OK && i == NOBODY)
		rc = err_set(e, ERR_STORE, "%s: no node has slot %d: look at CLUSTER INFO on its nodes",
		    cl->way->url->where, slot);
	if (i == NOBODY)
		cl->doubted = true;
	*out = rc == OK ? cl->node[i] : NULL;
	pthread_mutex_unlock(&cl->lock);
	return rc;
}

struct kv_cluster *kv_cluster_new(const struct wire_way *way, int timeout_ms, int max_conns)
{
	struct kv_cluster *cl = heap_new(sizeof(*cl));

	cl->way = way;
	cl->timeout_ms = timeout_ms;
	cl->max_conns = max_conns;
	pthread_mutex_init(&cl->lock, NULL);
	clock_cond_init(&cl->read);
	memset(cl->slot, NOBODY, sizeof(cl->slot));
	for (int i = 0; i < way->url->nhosts; i++)
		node_index(cl, &way->url->host[i]);
	return cl;
}

void kv_cluster_free(struct kv_cluster *cl)
{
	if (cl == NULL)
		return;
	for (int i = 0; i < cl->nnodes; i++) {
		kv_pool_end(cl->node[i]);
		free(cl->node[i]);
	}
	pthread_cond_destroy(&cl->read);
	pthread_mutex_destroy(&cl->lock);
	free(cl);
}
