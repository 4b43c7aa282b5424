/*
 * A batch of commands and its way to the right server.
 *
 * A thread borrows a connection for one batch. What an error reply means and whether to try again
 * is in the table of kv_refusal.c; a cluster's MOVED and ASK lead the batch to another node.
 *
 * Scripts: the first run sends SCRIPT LOAD and EVAL together, which is one round trip and tells us
 * the hash. A server that has forgotten the script (restart, failover, another node of a cluster)
 * says NOSCRIPT, and that first run is repeated.
 */
#include "drivers/kv.h"

#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/clock.h"
#include "base/heap.h"
#include "drivers/kv_private.h"
#include "drivers/kv_refusal.h"
#include "drivers/kv_wire.h"

enum {
	TIMEOUT_MS = 2000,
	PAUSE_MIN_MS = 20,
	PAUSE_MAX_MS = 160,
	REDIRECTIONS_MAX = 8,
};

struct batch {
	struct kv *kv;
	struct arena *a;
	const struct kv_cmd *cmds;
	size_t n;
	int64_t until_ms, patience_ms;
	int slot;
	struct kv_pool *pool;           /* where it goes next; NULL: look it up */
	bool asking;                    /* the node in `pool` does not own the slot yet */
	int repeats, redirections, pause_ms;
	/* it was sent and a reply did not come; then a refusal of the repeat, for example by a server
	 * that is starting, does not tell whether it was carried out */
	bool lost;
	redisReply **replies;           /* one for each command, when a try succeeded or was refused */
	char word[KV_WORD_SIZE];        /* first word of the error reply that failed it */
};

static struct kv_cluster *cluster_of(struct kv *kv)
{
	pthread_mutex_lock(&kv->lock);
	struct kv_cluster *cl = kv->cluster;
	pthread_mutex_unlock(&kv->lock);
	return cl;
}

enum errcode kv_find(struct kv *kv, int slot, struct kv_pool **out, int64_t until_ms,
    struct err *e)
{
	struct kv_cluster *cl = cluster_of(kv);

	*out = &kv->pool;
	return cl == NULL ? OK : kv_cluster_find(cl, slot, out, until_ms, e);
}

static void doubt_map(struct kv *kv)
{
	struct kv_cluster *cl = cluster_of(kv);

	if (cl != NULL)
		kv_cluster_doubt(cl);
}

/* Sleep a little, longer each time; false if the call has no patience left. */
static bool pause_batch(struct batch *b)
{
	unsigned char r;

	id_random(&r, sizeof(r));
	int ms = b->pause_ms / 2 + b->pause_ms * r / 512;
	b->pause_ms = b->pause_ms * 2 < PAUSE_MAX_MS ? b->pause_ms * 2 : PAUSE_MAX_MS;
	if (clock_mono_ms() + ms >= b->patience_ms)
		return false;
	clock_sleep_ms(ms);
	return true;
}

/* -- redirections -- */

/* A single server of the URL that redirects is a node of a cluster. */
static struct kv_cluster *discover_cluster(struct kv *kv)
{
	pthread_mutex_lock(&kv->lock);
	if (kv->cluster == NULL && kv->url.kind == KV_TCP && kv->url.db == 0)
		kv->cluster = kv_cluster_new(&kv->way, kv->timeout_ms, kv->pool.max_conns);
	struct kv_cluster *cl = kv->cluster;
	pthread_mutex_unlock(&kv->lock);
	return cl;
}

static bool redirect(struct batch *b, const char *text, bool asking)
{
	struct kv_cluster *cl = discover_cluster(b->kv);
	struct kv_host to;
	int slot;
	const struct kv_host *asked = b->pool->host.name[0] != '\0' ? &b->pool->host :
	    &b->kv->url.host[0];

	if (cl == NULL || b->redirections++ == REDIRECTIONS_MAX ||
	    !kv_redirection(text, asked, &slot, &to))
		return false;
	b->pool = kv_cluster_node(cl, &to);
	b->asking = asking && b->pool != NULL;
	if (!asking && b->pool != NULL)
		kv_cluster_moved(cl, slot, b->pool);
	return b->pool != NULL;
}

/* The batch with ASKING before each of its commands. Inside a transaction that would be queued as a
 * command; the one before MULTI is good for all of it. */
static size_t with_asking(const struct batch *b, struct kv_cmd *out)
{
	static const struct str asking[] = { STR("ASKING") };
	bool inside = false;
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++) {
		if (!inside)
			out[n++] = (struct kv_cmd){ asking, 1 };
		out[n++] = b->cmds[i];
		inside = str_eq(b->cmds[i].argv[0], "MULTI") ||
		    (inside && !str_eq(b->cmds[i].argv[0], "EXEC"));
	}
	return n;
}

static enum wire exchange_asking(struct batch *b, redisContext *c)
{
	struct kv_cmd *cmds = arena_array(b->a, 2 * b->n, sizeof(*cmds));
	redisReply **replies = arena_array(b->a, 2 * b->n, sizeof(redisReply *));
	size_t n = with_asking(b, cmds), kept = 0;
	enum wire w = wire_exchange(c, cmds, n, replies, b->until_ms);

	for (size_t i = 0; w == WIRE_OK && i < n; i++)
		if (str_eq(cmds[i].argv[0], "ASKING"))
			freeReplyObject(replies[i]);
		else
			b->replies[kept++] = replies[i];
	return w;
}

/* -- one try -- */

static const redisReply *first_error(const redisReply *r)
{
	const redisReply *found = r->type == REDIS_REPLY_ERROR ? r : NULL;

	if (r->type == REDIS_REPLY_ARRAY)
		for (size_t i = 0; i < r->elements && found == NULL; i++)
			found = first_error(r->element[i]);
	return found;
}

static void free_reply(void *r)
{
	freeReplyObject(r);
}

/* The node could not be reached. Has its slot another one by now? */
static bool elsewhere(struct batch *b)
{
	const struct kv_pool *failed = b->pool;
	struct kv_pool *found = NULL;
	struct err ignored;

	if (cluster_of(b->kv) == NULL)
		return false;
	doubt_map(b->kv);
	return kv_find(b->kv, b->slot, &found, b->until_ms, &ignored) == OK && found != failed &&
	    clock_mono_ms() < b->patience_ms;
}

/* Give the connection back after an error reply. True: try again. */
static bool remedy(struct batch *b, redisContext *c, const char *text, enum kv_remedy what,
    const struct err *e)
{
	struct kv_pool *p = b->pool;
	/* a connection that comes back is a sign that the server works */
	bool keep = what != REMEDY_CONNECT && what != REMEDY_REST;

	kv_pool_return(p, keep ? c : NULL);
	if (!keep) {
		redisFree(c);
		kv_pool_failed(p, e);
	}
	b->pool = NULL;
	switch (what) {
	case REMEDY_NONE:
		return false;
	case REMEDY_WAIT:
		return pause_batch(b);
	case REMEDY_REST:
		return clock_mono_ms() < b->patience_ms;
	case REMEDY_CONNECT:
		doubt_map(b->kv);
		/* the sentinels may need a moment; without them a second look settles it */
		return b->kv->url.kind == KV_SENTINEL ? pause_batch(b) : b->repeats++ == 0;
	case REMEDY_MOVED:
	case REMEDY_ASK:
		b->pool = p;
		return redirect(b, text, what == REMEDY_ASK);
	case REMEDY_MAP:
		doubt_map(b->kv);
		return pause_batch(b);
	}
	return false;
}

/* True: the batch has to be tried again. */
static bool try_once(struct batch *b, enum errcode *rc, struct err *e)
{
	redisContext *c;
	bool asking = b->asking;

	b->asking = false;
	*rc = b->pool != NULL ? OK : kv_find(b->kv, b->slot, &b->pool, b->until_ms, e);
	if (*rc != OK)
		return false;
	if ((*rc = kv_pool_borrow(b->pool, &c, b->until_ms, e)) != OK) {
		bool again = elsewhere(b);
		b->pool = NULL;
		return again;
	}
	enum wire w = asking ? exchange_asking(b, c) :
	    wire_exchange(c, b->cmds, b->n, b->replies, b->until_ms);
	if (w != WIRE_OK) {
		*rc = wire_broken(b->pool->where, w, c->errstr, b->kv->timeout_ms, e);
		redisFree(c);
		kv_pool_return(b->pool, NULL);
		if (w == WIRE_SILENT)
			kv_pool_failed(b->pool, e);
		else
			kv_pool_close_idle(b->pool);
		doubt_map(b->kv);
		b->pool = NULL;
		b->lost = true;
		return w == WIRE_DEAD && b->repeats++ == 0;
	}
	const redisReply *bad = NULL;
	for (size_t i = 0; i < b->n; i++) {
		arena_defer(b->a, free_reply, b->replies[i]);
		bad = bad != NULL ? bad : first_error(b->replies[i]);
	}
	if (bad == NULL) {
		kv_pool_return(b->pool, c);
		return false;
	}
	kv_first_word(bad->str, b->word);
	if (streq(b->word, "CROSSSLOT"))
		(void)discover_cluster(b->kv);
	enum kv_remedy what = kv_refused(b->pool->where, bad->str, e);
	*rc = ERR_STORE;
	return remedy(b, c, bad->str, what, e);
}

/* Our view of a reply; its text stays in hiredis's memory. */
static struct kv_reply view(struct arena *a, const redisReply *r)
{
	struct kv_reply v = { .type = KV_NIL };

	switch (r->type) {
	case REDIS_REPLY_INTEGER:
		v.type = KV_INT;
		v.num = r->integer;
		break;
	case REDIS_REPLY_STRING:
	case REDIS_REPLY_STATUS:
		v.type = KV_TEXT;
		v.text = (struct str){ r->str, (size_t)r->len };
		break;
	case REDIS_REPLY_ARRAY:
		v.type = KV_LIST;
		v.n = r->elements;
		v.item = arena_array(a, v.n, sizeof(*v.item));
		for (size_t i = 0; i < v.n; i++)
			v.item[i] = view(a, r->element[i]);
		break;
	default:
		break;
	}
	return v;
}

static enum errcode run_batch(struct batch *b, struct kv_reply *out, struct err *e)
{
	struct err tried;               /* *e is left alone if a later try succeeds */
	enum errcode rc;

	b->slot = kv_slot_of(b->cmds, b->n);
	b->patience_ms = b->until_ms - b->kv->timeout_ms / 4;
	b->pause_ms = PAUSE_MIN_MS;
	b->replies = arena_array(b->a, b->n, sizeof(redisReply *));
	do
		b->word[0] = '\0';
	while (try_once(b, &rc, &tried));
	if (rc != OK) {
		*e = tried;
		/* keep the message, but change the code: nobody knows whether it was carried out */
		if (b->lost)
			rc = e->code = ERR_UNSURE;
		return rc;
	}
	for (size_t i = 0; i < b->n; i++)
		out[i] = view(b->a, b->replies[i]);
	return OK;
}

/* -- the interface -- */

bool kv_in_cluster(struct kv *kv)
{
	return cluster_of(kv) != NULL;
}

enum errcode kv_run(struct kv *kv, struct arena *a, const struct kv_cmd *cmds, size_t n,
    struct kv_reply *out, struct err *e)
{
	struct batch b = { .kv = kv, .a = a, .cmds = cmds, .n = n,
		.until_ms = clock_mono_ms() + kv->timeout_ms };

	return run_batch(&b, out, e);
}

enum errcode kv_eval(struct kv *kv, struct arena *a, struct kv_script *s,
    const struct str *keys, size_t nkeys, const struct str *args, size_t nargs,
    struct kv_reply *out, struct err *e)
{
	struct str *argv = arena_array(a, 3 + nkeys + nargs, sizeof(*argv));
	const struct str load[] = { STR("SCRIPT"), STR("LOAD"), str_of(s->text) };
	const struct kv_cmd cmds[] = { { load, 3 }, { argv, 3 + nkeys + nargs } };
	struct batch b = { .kv = kv, .a = a, .cmds = cmds + 1, .n = 1,
		.until_ms = clock_mono_ms() + kv->timeout_ms };
	struct kv_reply replies[2];
	char sha[sizeof(s->sha)], count[24];
	enum errcode rc;

	snprintf(count, sizeof(count), "%zu", nkeys);
	argv[2] = str_of(count);
	for (size_t i = 0; i < nkeys; i++)
		argv[3 + i] = keys[i];
	for (size_t i = 0; i < nargs; i++)
		argv[3 + nkeys + i] = args[i];
	pthread_mutex_lock(&kv->lock);
	memcpy(sha, s->sha, sizeof(sha));
	pthread_mutex_unlock(&kv->lock);
	if (sha[0] != '\0') {
		argv[0] = STR("EVALSHA");
		argv[1] = str_of(sha);
		rc = run_batch(&b, out, e);
		if (rc == OK || !streq(b.word, "NOSCRIPT"))
			return rc;
	}
	argv[0] = STR("EVAL");
	argv[1] = str_of(s->text);
	b.cmds = cmds;
	b.n = 2;
	b.pool = NULL;
	if ((rc = run_batch(&b, replies, e)) != OK)
		return rc;
	if (replies[0].type == KV_TEXT && replies[0].text.n == sizeof(sha) - 1) {
		pthread_mutex_lock(&kv->lock);
		memcpy(s->sha, replies[0].text.p, sizeof(sha));
		pthread_mutex_unlock(&kv->lock);
	}
	*out = replies[1];
	return OK;
}

enum errcode kv_open(struct kv **out, const char *url, int timeout_ms, int max_conns,
    struct err *e)
{
	struct kv *kv = heap_new(sizeof(*kv));
	enum errcode rc;

	*out = NULL;
	if ((rc = kv_url_parse(&kv->url, url, e)) != OK ||
	    (rc = kv_tls_open(&kv->way.tls, &kv->url, e)) != OK) {
		free(kv);
		return rc;
	}
	kv->way.url = &kv->url;
	kv->timeout_ms = timeout_ms > 0 ? timeout_ms : TIMEOUT_MS;
	kv_pool_init(&kv->pool, &kv->way, NULL, kv->timeout_ms, max_conns);
	pthread_mutex_init(&kv->lock, NULL);
	if (kv->url.kind == KV_CLUSTER)
		kv->cluster = kv_cluster_new(&kv->way, kv->timeout_ms, max_conns);
	*out = kv;
	return OK;
}

void kv_close(struct kv *kv)
{
	if (kv == NULL)
		return;
	kv_cluster_free(kv->cluster);
	kv_pool_end(&kv->pool);
	kv_tls_close(kv->way.tls);
	pthread_mutex_destroy(&kv->lock);
	explicit_bzero(&kv->url, sizeof(kv->url));
	free(kv);
}

const char *kv_where(const struct kv *kv)
{
	return kv->url.where;
}
