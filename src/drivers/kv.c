/*
 * A pool of Redis connections, and what the server's refusals mean to an operator.
 *
 * A thread borrows a connection for one batch. Idle connections form a stack: the few that are
 * needed stay in use, and the rest grow old and are closed when they are taken next. Before an idle
 * connection is used, a look at its socket tells whether the server has hung up; that costs no
 * round trip. When a connection breaks or times out, all idle ones are closed too, so after a
 * restart or a failover the next call starts with a new connection.
 *
 * Sockets do not block. Each wait is a poll() with the time that the call has left. A time-out of
 * the socket itself would start again with every byte that arrives.
 *
 * Scripts: the first run sends SCRIPT LOAD and EVAL together, which is one round trip and tells us
 * the hash. A server that has forgotten the script (restart, failover) says NOSCRIPT, and that
 * first run is repeated.
 */
#include "drivers/kv.h"

#include <errno.h>
#include <fcntl.h>
#include <hiredis/hiredis.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/heap.h"
#include "drivers/kv_url.h"

enum { PIECE = 16 * 1024 };

enum {
	TIMEOUT_MS = 2000,
	CONNS_MAX = 64,
	/* a firewall or server may have closed idle connections that are older */
	IDLE_MS = 30000,
	WORD_MAX = 16,
	/* how long after a deadline replies that have arrived are still read */
	LATE_MS = 100,
};

struct conn {
	redisContext *c;
	int64_t idle_since;
};

struct kv {
	struct kv_url url;
	int timeout_ms, max_conns;
	pthread_mutex_t lock;        /* guards all that follows, and the hashes of scripts */
	pthread_cond_t returned;
	struct conn idle[CONNS_MAX];
	int nidle, nout;
	unsigned answered;           /* exchanges so far, to tell whether the server works at all */
	int sentinel;                /* the sentinel that answered last */
};

/* First words of error replies, and what to do about them. */
static const struct {
	const char *word, *said;
} refusals[] = {
	{ "LOADING", "is still loading its data: try again in a moment" },
	{ "READONLY", "is a replica that only reads: name the master in REDIS_URL, or use sentinel://" },
	{ "OOM", "has reached its maxmemory: raise it or let threads expire sooner" },
	{ "MISCONF", "can't save to its own disk and refuses writes: look at its log" },
	{ "NOAUTH", "wants a password: put it into REDIS_URL" },
	{ "WRONGPASS", "does not accept the user or password in REDIS_URL" },
	{ "NOPERM", "does not let this user run EVALSHA, EVAL, SCRIPT and the commands of keys aa:*" },
	{ "MASTERDOWN", "is a replica that has lost its master" },
	{ "NOREPLICAS", "refuses writes because too few replicas are connected" },
	{ "CLUSTERDOWN", "is part of a cluster that is down" },
	{ "TRYAGAIN", "is moving the slot of this key: try again in a moment" },
	{ "MOVED", "is a cluster node that does not hold this key: name a cluster proxy in REDIS_URL" },
	{ "ASK", "is a cluster node that is giving this key away: name a cluster proxy in REDIS_URL" },
	{ "BUSY", "is blocked by a script that does not end (SCRIPT KILL ends it)" },
	{ "WRONGTYPE", "holds something else under a key aa:*: give the threads a database of their own" },
};

enum wire { WIRE_OK, WIRE_DEAD, WIRE_SILENT };

static void word_of(const char *text, char word[WORD_MAX])
{
	size_t n = strcspn(text, " \r\n");

	n = n < WORD_MAX - 1 ? n : WORD_MAX - 1;
	memcpy(word, text, n);
	word[n] = '\0';
}

/* Some servers wrap what failed inside a script: "ERR Error running script …: -OOM …". */
static enum errcode refusal(const struct kv *kv, const char *text, struct err *e)
{
	char word[WORD_MAX];
	bool script = starts_with(text, "ERR Error running script");

	word_of(text, word);
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++)
		if (streq(word, refusals[i].word) ||
		    (script && strstr(text, refusals[i].word) != NULL))
			return err_set(e, ERR_STORE, "%s %s", kv->url.where, refusals[i].said);
	/* the words after "with args" would be the arguments */
	const char *args = strstr(text, "with args");
	int n = (int)(args != NULL ? (size_t)(args - text) : strnlen(text, 160));
	return err_set(e, ERR_STORE, "%s refused a command: %.*s", kv->url.where, n, text);
}

static struct timeval interval(int ms)
{
	return (struct timeval){ .tv_sec = ms / 1000, .tv_usec = (ms % 1000) * 1000 };
}

static int left_ms(int64_t until_ms)
{
	int64_t left = until_ms - clock_mono_ms();

	return left > 0 ? (int)left : 0;
}

static enum errcode broken(const struct kv *kv, enum wire w, const char *why, struct err *e)
{
	if (w == WIRE_SILENT)
		return err_set(e, ERR_STORE, "%s did not answer within %d ms", kv->url.where,
		    kv->timeout_ms);
	return err_set(e, ERR_STORE, "%s: %s: is it running, and is REDIS_URL right?",
	    kv->url.where, why);
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
		n = poll(&fd, 1, left_ms(until_ms));
	while (n < 0 && errno == EINTR);
	return n == 0 ? WIRE_SILENT : WIRE_OK;
}

static enum wire send_all(redisContext *c, int64_t until_ms)
{
	int done = 0;

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
static enum wire read_some(redisContext *c, int64_t until_ms)
{
	enum wire w = await(c, POLLIN, until_ms);

	if (w != WIRE_OK)
		return w;
	char *piece = malloc(PIECE);
	if (piece == NULL)
		heap_exhausted(PIECE);
	ssize_t n = read(c->fd, piece, PIECE);
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

static enum wire get_reply(redisContext *c, int64_t until_ms, redisReply **reply)
{
	for (;;) {
		void *found = NULL;

		if (redisGetReplyFromReader(c, &found) != REDIS_OK)
			return WIRE_DEAD;
		*reply = found;
		if (found != NULL)
			return WIRE_OK;
		enum wire w = read_some(c, until_ms);
		if (w != WIRE_OK)
			return w;
	}
}

/* Send n commands and read n replies, all before `until_ms`. Unless the result is WIRE_OK, there is
 * nothing to free. */
static enum wire exchange(redisContext *c, const struct kv_cmd *cmds, size_t n,
    redisReply **replies, int64_t until_ms)
{
	enum wire w;
	size_t got = 0;

	for (size_t i = 0; i < n; i++) {
		size_t argc = cmds[i].argc;
		const char **argv = heap_new(argc * sizeof(*argv));
		size_t *len = heap_new(argc * sizeof(*len));

		for (size_t k = 0; k < argc; k++) {
			argv[k] = cmds[i].argv[k].p;
			len[k] = cmds[i].argv[k].n;
		}
		if (redisAppendCommandArgv(c, (int)argc, argv, len) != REDIS_OK)
			abort();                /* fails only when memory runs out */
		free(len);
		free(argv);
	}
	w = send_all(c, until_ms);
	while (w == WIRE_OK && got < n) {
		w = get_reply(c, until_ms, &replies[got]);
		got += w == WIRE_OK;
	}
	if (w != WIRE_OK)
		while (got > 0)
			freeReplyObject(replies[--got]);
	return w;
}

static const redisReply *first_error(const redisReply *r)
{
	const redisReply *found = r->type == REDIS_REPLY_ERROR ? r : NULL;

	if (r->type == REDIS_REPLY_ARRAY)
		for (size_t i = 0; i < r->elements && found == NULL; i++)
			found = first_error(r->element[i]);
	return found;
}

static redisContext *dial(const struct kv *kv, const struct kv_host *h, int64_t until_ms)
{
	int left = left_ms(until_ms);
	struct timeval tv = interval(left > 0 ? left : 1);
	redisContext *c = h == NULL ? redisConnectUnixWithTimeout(kv->url.path, tv) :
	    redisConnectWithTimeout(h->name, h->port, tv);

	if (c != NULL && c->err == 0) {
		int flags = fcntl(c->fd, F_GETFL);

		fcntl(c->fd, F_SETFL, flags | O_NONBLOCK);
		/* so that hiredis does not take EAGAIN for a failure */
		c->flags &= ~REDIS_BLOCK;
		if (h != NULL)
			redisEnableKeepAlive(c);
	}
	return c;
}

/* Send AUTH and SELECT, if the URL asks for them. Of a refusal only the first word is reported,
 * because some servers repeat the arguments. */
static enum errcode greet(const struct kv *kv, redisContext *c, int64_t until_ms, struct err *e)
{
	const struct kv_url *u = &kv->url;
	struct str auth[3] = { STR("AUTH") }, select[2] = { STR("SELECT") };
	struct kv_cmd cmds[2];
	redisReply *replies[2];
	char db[16], word[WORD_MAX];
	size_t n = 0, argc = 1;
	enum errcode rc = OK;

	if (u->password[0] != '\0') {
		if (u->user[0] != '\0')
			auth[argc++] = str_of(u->user);
		auth[argc++] = str_of(u->password);
		cmds[n++] = (struct kv_cmd){ auth, argc };
	}
	if (u->db != 0) {
		snprintf(db, sizeof(db), "%d", u->db);
		select[1] = str_of(db);
		cmds[n++] = (struct kv_cmd){ select, 2 };
	}
	if (n == 0)
		return OK;
	enum wire w = exchange(c, cmds, n, replies, until_ms);
	if (w != WIRE_OK)
		return broken(kv, w, c->errstr, e);
	for (size_t i = 0; i < n; i++) {
		if (rc == OK && replies[i]->type == REDIS_REPLY_ERROR) {
			bool password = cmds[i].argv == auth;

			word_of(replies[i]->str, word);
			rc = !streq(word, "ERR") ? refusal(kv, word, e) :
			    err_set(e, ERR_STORE, password ? "%s does not accept the password in "
			    "REDIS_URL (or has none set)" : "%s has no such database as REDIS_URL names",
			    u->where);
		}
		freeReplyObject(replies[i]);
	}
	return rc;
}

/* Ask one sentinel where the master is. */
static enum errcode ask(const struct kv *kv, const struct kv_host *sentinel,
    struct kv_host *master, int64_t until_ms, struct err *e)
{
	const struct str argv[] = { STR("SENTINEL"), STR("get-master-addr-by-name"),
	    str_of(kv->url.master) };
	const struct str auth[] = { STR("AUTH"), str_of(kv->url.password) };
	const struct kv_cmd cmds[] = { { argv, 3 }, { auth, 2 }, { argv, 3 } };
	redisReply *r[2] = { NULL, NULL }, *last;
	redisContext *c = dial(kv, sentinel, until_ms);
	enum errcode rc = OK;
	enum wire w;
	long long port;

	if (c == NULL || c->err != 0) {
		rc = err_set(e, ERR_STORE, "%s: sentinel %s:%d: %s", kv->url.where, sentinel->name,
		    sentinel->port, c != NULL ? c->errstr : "out of memory");
		goto out;
	}
	w = exchange(c, cmds, 1, r, until_ms);
	last = r[0];
	if (w == WIRE_OK && last->type == REDIS_REPLY_ERROR && starts_with(last->str, "NOAUTH") &&
	    kv->url.password[0] != '\0') {
		freeReplyObject(r[0]);
		w = exchange(c, cmds + 1, 2, r, until_ms);
		last = r[1];
	}
	if (w != WIRE_OK) {
		r[0] = r[1] = NULL;
		rc = broken(kv, w, c->errstr, e);
	} else if (last->type == REDIS_REPLY_ARRAY && last->elements == 2 &&
	    last->element[0]->type == REDIS_REPLY_STRING &&
	    last->element[1]->type == REDIS_REPLY_STRING &&
	    last->element[0]->len < sizeof(master->name) &&
	    str_to_int(last->element[1]->str, &port) && port > 0 && port < 65536) {
		memcpy(master->name, last->element[0]->str, last->element[0]->len + 1);
		master->port = (int)port;
	} else {
		rc = err_set(e, ERR_STORE, "%s: sentinel %s:%d knows no master with this name",
		    kv->url.where, sentinel->name, sentinel->port);
	}
out:
	if (r[0] != NULL)
		freeReplyObject(r[0]);
	if (r[1] != NULL)
		freeReplyObject(r[1]);
	if (c != NULL)
		redisFree(c);
	return rc;
}

/* The sentinels and the master each get an equal part of the time that is left, so a silent one
 * cannot use up all of it. */
static enum errcode find_master(struct kv *kv, struct kv_host *master, int64_t until_ms,
    struct err *e)
{
	enum errcode rc = ERR_STORE;

	pthread_mutex_lock(&kv->lock);
	int first = kv->sentinel;
	pthread_mutex_unlock(&kv->lock);
	for (int i = 0; i < kv->url.nhosts; i++) {
		int k = (first + i) % kv->url.nhosts;
		int part = left_ms(until_ms) / (kv->url.nhosts - i + 1);

		rc = ask(kv, &kv->url.host[k], master, clock_mono_ms() + part, e);
		if (rc == OK) {
			pthread_mutex_lock(&kv->lock);
			kv->sentinel = k;
			pthread_mutex_unlock(&kv->lock);
			break;
		}
	}
	return rc;
}

static enum errcode connect_new(struct kv *kv, redisContext **out, int64_t until_ms,
    struct err *e)
{
	struct kv_host master;
	const struct kv_host *h = NULL;
	enum errcode rc = OK;

	switch (kv->url.kind) {
	case KV_UNIX:
		break;
	case KV_TCP:
		h = &kv->url.host[0];
		break;
	case KV_SENTINEL:
		if ((rc = find_master(kv, &master, until_ms, e)) != OK)
			return rc;
		h = &master;
		break;
	}
	redisContext *c = dial(kv, h, until_ms);
	if (c == NULL || c->err != 0)
		rc = broken(kv, WIRE_DEAD, c != NULL ? c->errstr : "out of memory", e);
	else
		rc = greet(kv, c, until_ms, e);
	if (rc != OK && c != NULL)
		redisFree(c);
	*out = rc == OK ? c : NULL;
	return rc;
}

/* Has the server hung up, or sent something that we did not ask for? */
static bool alive(const struct conn *k)
{
	char byte;

	return clock_mono_ms() - k->idle_since < IDLE_MS &&
	    recv(k->c->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
	    (errno == EAGAIN || errno == EWOULDBLOCK);
}

static void close_idle(struct kv *kv)
{
	struct conn dead[CONNS_MAX];
	int n;

	pthread_mutex_lock(&kv->lock);
	n = kv->nidle;
	memcpy(dead, kv->idle, (size_t)n * sizeof(dead[0]));
	kv->nidle = 0;
	pthread_mutex_unlock(&kv->lock);
	while (n > 0)
		redisFree(dead[--n].c);
}

/* Call with the lock held. If the server answered other calls meanwhile, then the server works and
 * there are too many calls. */
static enum errcode await_turn(struct kv *kv, int64_t until_ms, struct err *e)
{
	const struct timespec until = clock_at(until_ms);
	unsigned before = kv->answered;
	int64_t began = clock_mono_ms();

	while (kv->nout >= kv->max_conns)
		if (pthread_cond_timedwait(&kv->returned, &kv->lock, &until) != 0 &&
		    kv->nout >= kv->max_conns) {
			int waited = (int)(clock_mono_ms() - began);

			if (kv->answered == before)
				return err_set(e, ERR_STORE, "%s: all %d connections waited %d ms for an answer: "
				    "the server hangs or is too slow", kv->url.where, kv->max_conns, waited);
			return err_set(e, ERR_OVERLOAD, "%s: all %d connections stayed in use for %d ms: too "
			    "many turns begin or end at once in this worker; start more workers",
			    kv->url.where, kv->max_conns, waited);
		}
	return OK;
}

static void give_back(struct kv *kv, redisContext *c)
{
	pthread_mutex_lock(&kv->lock);
	kv->nout--;
	kv->answered += c != NULL;
	if (c != NULL)
		kv->idle[kv->nidle++] = (struct conn){ c, clock_mono_ms() };
	pthread_cond_signal(&kv->returned);
	pthread_mutex_unlock(&kv->lock);
}

static enum errcode borrow(struct kv *kv, redisContext **out, int64_t until_ms, struct err *e)
{
	struct conn k = { NULL, 0 };
	enum errcode rc;

	pthread_mutex_lock(&kv->lock);
	if ((rc = await_turn(kv, until_ms - kv->timeout_ms / 4, e)) != OK) {
		pthread_mutex_unlock(&kv->lock);
		return rc;
	}
	kv->nout++;
	if (kv->nidle > 0)
		k = kv->idle[--kv->nidle];
	pthread_mutex_unlock(&kv->lock);

	if (k.c != NULL && !alive(&k)) {
		redisFree(k.c);
		k.c = NULL;
		close_idle(kv);
	}
	if (k.c == NULL && (rc = connect_new(kv, &k.c, until_ms, e)) != OK)
		give_back(kv, NULL);
	*out = k.c;
	return rc;
}

static void free_reply(void *r)
{
	freeReplyObject(r);
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

/* Keep the message, but change the code: nobody knows whether the commands were carried out. */
static enum errcode unsure(struct err *e)
{
	e->code = ERR_UNSURE;
	return e->code;
}

/* Run one batch. On an error reply `word` gets its first word. *lost becomes true when the batch
 * was sent and a reply did not come; then a refusal of the repeat, for example by a server that is
 * starting, does not tell whether it was carried out. */
static enum errcode batch(struct kv *kv, struct arena *a, const struct kv_cmd *cmds, size_t n,
    int64_t until_ms, struct kv_reply *out, char word[WORD_MAX], bool *lost, struct err *e)
{
	redisReply **replies = arena_array(a, n, sizeof(*replies));
	redisContext *c = NULL;

	word[0] = '\0';
	for (int attempt = 0;; attempt++) {
		enum errcode rc = borrow(kv, &c, until_ms, e);

		if (rc != OK)
			return *lost ? unsure(e) : rc;
		enum wire w = exchange(c, cmds, n, replies, until_ms);
		if (w != WIRE_OK) {
			broken(kv, w, c->errstr, e);
			redisFree(c);
			give_back(kv, NULL);
			close_idle(kv);
			*lost = true;
			if (w == WIRE_DEAD && attempt == 0)
				continue;
			return unsure(e);
		}
		const redisReply *bad = NULL;
		for (size_t i = 0; i < n; i++) {
			arena_defer(a, free_reply, replies[i]);
			bad = bad != NULL ? bad : first_error(replies[i]);
		}
		if (bad == NULL)
			break;
		word_of(bad->str, word);
		rc = refusal(kv, bad->str, e);
		/* after a failover the old master only reads, so ask the sentinels again */
		if (kv->url.kind == KV_SENTINEL && streq(word, "READONLY")) {
			redisFree(c);
			give_back(kv, NULL);
			close_idle(kv);
			if (attempt == 0)
				continue;
			return *lost ? unsure(e) : rc;
		}
		give_back(kv, c);
		return *lost ? unsure(e) : rc;
	}
	give_back(kv, c);
	for (size_t i = 0; i < n; i++)
		out[i] = view(a, replies[i]);
	return OK;
}

enum errcode kv_run(struct kv *kv, struct arena *a, const struct kv_cmd *cmds, size_t n,
    struct kv_reply *out, struct err *e)
{
	char word[WORD_MAX];
	bool lost = false;

	return batch(kv, a, cmds, n, clock_mono_ms() + kv->timeout_ms, out, word, &lost, e);
}

enum errcode kv_eval(struct kv *kv, struct arena *a, struct kv_script *s,
    const struct str *keys, size_t nkeys, const struct str *args, size_t nargs,
    struct kv_reply *out, struct err *e)
{
	struct str *argv = arena_array(a, 3 + nkeys + nargs, sizeof(*argv));
	const struct str load[] = { STR("SCRIPT"), STR("LOAD"), str_of(s->text) };
	const struct kv_cmd cmds[] = { { load, 3 }, { argv, 3 + nkeys + nargs } };
	struct kv_reply replies[2];
	char sha[sizeof(s->sha)], count[24], word[WORD_MAX];
	int64_t until_ms = clock_mono_ms() + kv->timeout_ms;
	bool lost = false;
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
		rc = batch(kv, a, cmds + 1, 1, until_ms, out, word, &lost, e);
		if (rc == OK || !streq(word, "NOSCRIPT"))
			return rc;
	}
	argv[0] = STR("EVAL");
	argv[1] = str_of(s->text);
	if ((rc = batch(kv, a, cmds, 2, until_ms, replies, word, &lost, e)) != OK)
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
	if ((rc = kv_url_parse(&kv->url, url, e)) != OK) {
		free(kv);
		return rc;
	}
	kv->timeout_ms = timeout_ms > 0 ? timeout_ms : TIMEOUT_MS;
	kv->max_conns = max_conns < 1 ? 1 : max_conns > CONNS_MAX ? CONNS_MAX : max_conns;
	pthread_mutex_init(&kv->lock, NULL);
	clock_cond_init(&kv->returned);
	*out = kv;
	return OK;
}

void kv_close(struct kv *kv)
{
	if (kv == NULL)
		return;
	close_idle(kv);
	pthread_cond_destroy(&kv->returned);
	pthread_mutex_destroy(&kv->lock);
	explicit_bzero(&kv->url, sizeof(kv->url));
	free(kv);
}

const char *kv_where(const struct kv *kv)
{
	return kv->url.where;
}
