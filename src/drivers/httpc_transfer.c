/*
 * One request with libcurl. Its caller fills in an easy handle, gives it to curl and waits for what
 * comes. It takes what has come by swapping an empty buffer for a full one, so a slow reader never
 * holds up the others. A caller never leaves before curl has given the handle back, because the
 * request is read from the caller's memory.
 */
#include "drivers/httpc_io.h"

#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "base/watch.h"

enum {
	SPARES = 32,                   /* handles kept for the next callers */
	/* Measured: a waiting transfer holds 12 KB and this. A streamed piece is a few hundred
	 * bytes; with a smaller buffer large replies cost more. curl does not send with less than
	 * 16 KB. */
	RECEIVE_SIZE = 4096, SEND_SIZE = 16384,
	/* When a network drops packets, nobody is told. Probes find out, and nothing is sent again
	 * for longer than SILENCE_MS. The probes also keep a gateway from forgetting a quiet
	 * connection. */
	PROBE_S = 30, SILENCE_MS = 30000,
};

/* ---- called by curl, with the lock held ---------------------------------------------- */

/* Is the request sent? If a reply has begun, it is not sent again, but its body may still be on its
 * way: a server can answer before it has read all of it. */
static bool uploaded(const struct transfer *t)
{
	curl_off_t n;
	return curl_easy_getinfo(t->easy, CURLINFO_SIZE_UPLOAD_T, &n) == CURLE_OK && n >= t->ntotal;
}

bool transfer_wants(struct transfer *t, curl_socket_t fd, int what)
{
	const bool callers = what == CURL_POLL_IN && uploaded(t) &&
	    (t->socket < 0 || t->socket == fd);
	const int socket = callers ? fd : t->socket == fd ? -1 : t->socket;
	if (socket != t->socket)
		httpc_fresh(t);
	t->socket = socket;
	return callers;
}

static size_t on_head(char *p, size_t size, size_t n, void *arg)
{
	struct transfer *t = arg;
	struct str line = { p, size * n };
	t->began = true;
	t->last_ms = clock_mono_ms();
	t->nhead += line.n;
	t->too_long = t->nhead > HTTPC_HEAD_MAX;
	if (line.n >= 5 && memcmp(line.p, "HTTP/", 5) == 0) {
		/* discards the head of a 1xx reply */
		t->head = (struct httpc_head){ .retry_after_ms = -1 };
	} else if (str_trim(line).n == 0) {
		long status = 0, connects = 0;
		curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
		curl_easy_getinfo(t->easy, CURLINFO_NUM_CONNECTS, &connects);
		t->head.status = status < 200 ? 0 : (int)status;
		t->head.reused = connects == 0;
	} else {
		httpc_head_field(&t->head, line, t->keep);
	}
	return t->too_long ? 0 : line.n;
}

static size_t on_body(char *p, size_t size, size_t n, void *arg)
{
	struct transfer *t = arg;
	n *= size;
	t->last_ms = clock_mono_ms();
	t->head.uploaded = t->head.uploaded || uploaded(t);
	t->too_long = n > t->room;
	if (t->too_long)
		return 0;
	t->room -= n;
	buf_put(&t->got, p, n);
	httpc_fresh(t);
	return n;
}

static size_t on_read(char *p, size_t size, size_t n, void *arg)
{
	struct transfer *t = arg;
	size_t left = t->nbody - t->nsent;
	n = n * size < left ? n * size : left;
	memcpy(p, t->body + t->nsent, n);
	t->nsent += n;
	return n;
}

/* curl sends it again, over a new connection. */
static int on_seek(void *arg, curl_off_t at, int origin)
{
	struct transfer *t = arg;
	if (origin != SEEK_SET || at < 0 || (uint64_t)at > t->nbody)
		return CURL_SEEKFUNC_CANTSEEK;
	t->nsent = (size_t)at;
	return CURL_SEEKFUNC_OK;
}

static int on_socket(void *arg, curl_socket_t fd, curlsocktype purpose)
{
	const unsigned int ms = SILENCE_MS;
	(void)arg;
	(void)purpose;
	/* a system that lacks the option works without it */
	(void)setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, sizeof(ms));
	return CURL_SOCKOPT_OK;
}

bool transfer_again(struct transfer *t, CURLcode code)
{
	long connects = 1;
	curl_easy_getinfo(t->easy, CURLINFO_NUM_CONNECTS, &connects);
	/* curl itself does this, but not when sending fails in the middle of the body */
	if (code != CURLE_SEND_ERROR || connects > 0 || t->began || t->again)
		return false;
	t->again = true;
	t->nsent = 0;
	curl_easy_setopt(t->easy, CURLOPT_FRESH_CONNECT, 1L);
	return true;
}

/* ---- in the caller's thread ---------------------------------------------------------- */

void transfer_free(struct transfer *t)
{
	if (t == NULL)
		return;
	if (t->easy != NULL)
		curl_easy_cleanup(t->easy);
	if (t->fd >= 0)
		close(t->fd);
	free(t);
}

static enum errcode transfer_new(struct httpc *h, struct transfer **out, struct err *e)
{
	enum errcode rc = OK;
	struct transfer *t = calloc(1, sizeof(*t));
	if (t == NULL)
		abort();
	t->client = h;
	t->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (t->fd < 0) {
		rc = ERR_IO;
		err_set(e, rc, "no descriptor for a request: %m");
	} else if ((t->easy = curl_easy_init()) == NULL ||
	    curl_easy_setopt(t->easy, CURLOPT_SHARE, h->share) != CURLE_OK) {
		rc = ERR_INTERNAL;
		err_set(e, rc, "libcurl gives no handle");
	}
	if (rc != OK) {
		transfer_free(t);
		return rc;
	}
	*out = t;
	return OK;
}

static enum errcode borrow(struct httpc *h, struct transfer **out, struct err *e)
{
	pthread_mutex_lock(&h->lock);
	struct transfer *t = h->spare;
	if (t != NULL) {
		h->spare = t->next;
		h->nspare--;
	}
	pthread_mutex_unlock(&h->lock);
	*out = t;
	return t != NULL ? OK : transfer_new(h, out, e);
}

static void give_back(struct transfer *t)
{
	struct httpc *h = t->client;
	/* curl_easy_reset() clears the options but keeps the share */
	curl_easy_reset(t->easy);
	curl_slist_free_all(t->fields);
	t->fields = NULL;
	buf_release(&t->got);
	pthread_mutex_lock(&h->lock);
	if (h->nspare < SPARES) {
		t->next = h->spare;
		h->spare = t;
		h->nspare++;
		t = NULL;
	}
	pthread_mutex_unlock(&h->lock);
	transfer_free(t);
}

/* A control byte would end the field and begin another one. */
static bool is_clean(const char *field)
{
	for (; *field != '\0'; field++)
		if ((unsigned char)*field < ' ' || *field == 127)
			return false;
	return true;
}

/* To libcurl "Name:" means that the field is left out; with an empty value it is "Name;". */
static struct curl_slist *append(struct curl_slist *list, const char *field)
{
	const char *colon = strchr(field, ':');
	char name[128];

	if (colon == NULL || colon[1 + strspn(colon + 1, " ")] != '\0' || (size_t)(colon - field) + 2 > sizeof(name))
		return curl_slist_append(list, field);
	memcpy(name, field, (size_t)(colon - field));
	memcpy(name + (colon - field), ";", 2);
	return curl_slist_append(list, name);
}

static enum errcode add_fields(struct transfer *t, const char *const *fields, struct err *e)
{
	/* without "Expect": it would cost a round trip before the body */
	t->fields = curl_slist_append(NULL, "Expect:");
	for (; t->fields != NULL && fields != NULL && *fields != NULL; fields++) {
		if (!is_clean(*fields))
			return err_set(e, ERR_CONFIG, "a control character in a header field: does a "
			    "key end with a line break?");
		struct curl_slist *more = append(t->fields, *fields);
		if (more == NULL)
			break;
		t->fields = more;
	}
	return t->fields == NULL || (fields != NULL && *fields != NULL) ?
	    err_set(e, ERR_INTERNAL, "no memory for a request") : OK;
}

/* curl copies a body of up to 64 KB behind the head. Over TLS, where it sends 16 KB at once, it
 * keeps that copy until the reply is complete: a waiting transfer with 40 KB then costs 134 KB, but
 * 69 KB when curl asks for the body piece by piece. A small body is sent at once. Without TLS the
 * kernel takes all of it at once, and asking for pieces would cost a buffer of 16 KB. */
static void add_body(struct transfer *t, const struct httpc_request *req)
{
	CURL *c = t->easy;
	t->ntotal = (curl_off_t)req->nbody;
	curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)req->nbody);
	if (strncasecmp(req->url, "https:", 6) != 0 || req->nbody <= SEND_SIZE / 2) {
		curl_easy_setopt(c, CURLOPT_POSTFIELDS, req->body);
		return;
	}
	t->body = req->body;
	t->nbody = req->nbody;
	curl_easy_setopt(c, CURLOPT_POST, 1L);
	curl_easy_setopt(c, CURLOPT_READFUNCTION, on_read);
	curl_easy_setopt(c, CURLOPT_READDATA, t);
	curl_easy_setopt(c, CURLOPT_SEEKFUNCTION, on_seek);
	curl_easy_setopt(c, CURLOPT_SEEKDATA, t);
}

static enum errcode prepare(struct transfer *t, const struct httpc_request *req, struct err *e)
{
	CURL *c = t->easy;
	if (strncasecmp(req->url, "http://", 7) != 0 && strncasecmp(req->url, "https://", 8) != 0)
		return err_set(e, ERR_CONFIG, "an address must begin with http:// or https://");
	enum errcode rc = add_fields(t, req->fields, e);
	if (rc != OK)
		return rc;
	*t->why = '\0';
	t->socket = -1;
	t->body = NULL;
	t->nbody = t->nsent = 0;
	t->ntotal = 0;
	/* t->signalled stays: if the last call ended before it had read the eventfd, take() reads it */
	t->again = t->done = t->began = t->too_long = false;
	t->code = CURLE_OK;
	t->head = (struct httpc_head){ .retry_after_ms = -1 };
	t->nhead = 0;
	t->room = req->max_bytes;
	t->keep = req->keep;
	t->last_ms = 0;
	buf_init(&t->got, req->max_bytes);

	curl_easy_setopt(c, CURLOPT_URL, req->url);
	curl_easy_setopt(c, CURLOPT_PRIVATE, t);
	curl_easy_setopt(c, CURLOPT_ERRORBUFFER, t->why);
	curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075500
	curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
#else
	curl_easy_setopt(c, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
	/* do not wait for a name look-up that was cancelled */
	curl_easy_setopt(c, CURLOPT_QUICK_EXIT, 1L);
#endif
	curl_easy_setopt(c, CURLOPT_USERAGENT, "aviation-agent/" AGENT_VERSION);
	curl_easy_setopt(c, CURLOPT_HTTPHEADER, t->fields);
	curl_easy_setopt(c, CURLOPT_ACCEPT_ENCODING, "");
	curl_easy_setopt(c, CURLOPT_HTTP09_ALLOWED, 0L);
	curl_easy_setopt(c, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	curl_easy_setopt(c, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS,
	    req->connect_ms > 0 && req->connect_ms < INT_MAX ? (long)req->connect_ms : (long)INT_MAX);
	curl_easy_setopt(c, CURLOPT_TCP_NODELAY, 1L);
	curl_easy_setopt(c, CURLOPT_TCP_KEEPALIVE, 1L);
	curl_easy_setopt(c, CURLOPT_TCP_KEEPIDLE, (long)PROBE_S);
	curl_easy_setopt(c, CURLOPT_TCP_KEEPINTVL, (long)PROBE_S / 3);
	curl_easy_setopt(c, CURLOPT_SOCKOPTFUNCTION, on_socket);
	curl_easy_setopt(c, CURLOPT_BUFFERSIZE, (long)RECEIVE_SIZE);
	curl_easy_setopt(c, CURLOPT_UPLOAD_BUFFERSIZE, (long)SEND_SIZE);
	curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, on_head);
	curl_easy_setopt(c, CURLOPT_HEADERDATA, t);
	curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(c, CURLOPT_WRITEDATA, t);
	if (t->client->ca_file != NULL)
		curl_easy_setopt(c, CURLOPT_CAINFO, t->client->ca_file);
	/* If a folder is named too, each connection reads and keeps all certificates: 0.9 MB and 20
	 * ms. */
	if (t->client->ca_file != NULL || t->client->one_bundle)
		curl_easy_setopt(c, CURLOPT_CAPATH, NULL);
	if (req->body != NULL)
		add_body(t, req);
	if (req->method != NULL)
		curl_easy_setopt(c, CURLOPT_CUSTOMREQUEST, req->method);
	return OK;
}

/* call with the lock held */
static void take(struct transfer *t, struct known *k, struct httpc_head *head)
{
	uint64_t count;
	if (t->signalled) {
		ssize_t n = read(t->fd, &count, sizeof(count));
		(void)n;
		t->signalled = false;
	}
	struct buf empty = k->body;
	k->body = t->got;
	t->got = empty;
	k->socket = t->socket;
	k->began = t->began;
	k->done = t->done;
	if (t->last_ms > k->last_ms)
		k->last_ms = t->last_ms;
	*head = t->head;
}

enum errcode transfer_wait(struct transfer *t, const struct watch *w, int64_t ms, struct known *k,
    struct httpc_head *head)
{
	const int fd[] = { t->fd, k->socket };
	bool ready;
	enum errcode rc = watch_poll_two(w, fd, ms, &ready);
	if (rc != OK)
		return rc;
	pthread_mutex_lock(&t->client->lock);
	if (ready)
		httpc_drive(t);
	take(t, k, head);
	pthread_mutex_unlock(&t->client->lock);
	return OK;
}

enum errcode transfer_begin(struct httpc *h, const struct httpc_request *req, struct known *k,
    struct transfer **out, struct httpc_head *head, struct err *e)
{
	struct transfer *t;
	enum errcode rc = borrow(h, &t, e);
	if (rc != OK)
		return rc;
	if ((rc = prepare(t, req, e)) != OK) {
		give_back(t);
		return rc;
	}
	pthread_mutex_lock(&h->lock);
	httpc_begin(t);
	take(t, k, head);
	pthread_mutex_unlock(&h->lock);
	*out = t;
	return OK;
}

void transfer_end(struct transfer *t, struct known *k)
{
	pthread_mutex_lock(&t->client->lock);
	httpc_end(t);
	pthread_mutex_unlock(&t->client->lock);
	curl_off_t us = 0;
	k->sent = curl_easy_getinfo(t->easy, CURLINFO_PRETRANSFER_TIME_T, &us) == CURLE_OK && us > 0;
	give_back(t);
}
