/*
 * One thread, one curl_multi, any number of callers.
 *
 * A caller fills in an easy handle, queues it for the I/O thread and waits on an eventfd
 * (httpc_call.c). What arrives is put into a buffer, which the caller swaps for an empty one:
 * a slow reader never holds up the others. Before it goes on the caller has got the handle back,
 * finished or removed, for curl reads the request from the caller's memory.
 *
 * The thread waits with epoll and tells curl which socket is ready. curl_multi_poll() would be
 * simpler and asks every transfer at every piece: three times the CPU at 64 streams.
 *
 * HTTP/1.1 only. libcurl 7.88.1, which Debian 12 has, writes past a small receive buffer
 * when HTTP/2 streams share a connection. And streams that share one stall and end together.
 */
#include "drivers/httpc.h"

#include <curl/curl.h>
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "drivers/httpc_io.h"

enum {
	MAX_IDLE = 256,
	SPARES = 32,                   /* handles kept for the next callers */
	HEAD_MAX = 64 * 1024,
	/* Measured: a waiting transfer holds 12 KB and this. A streamed piece is a few hundred bytes;
	 * less makes large replies dear. For sending curl refuses to go below 16 KB. */
	RECEIVE_SIZE = 4096, SEND_SIZE = 16384,
	/* A network that swallows packets says nothing. Probes find that out, and nothing is sent
	 * again for longer than SILENCE_MS; they also keep a gateway from forgetting a quiet
	 * connection. */
	PROBE_S = 30, SILENCE_MS = 30000,
	RETRY_AFTER_MAX_S = 7 * 24 * 3600,
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	STACK_SIZE = 2048 * 1024,
#else
	STACK_SIZE = 256 * 1024,
#endif
};

struct transfer {
	struct httpc *client;
	struct transfer *next;         /* in the queue or among the spares */
	CURL *easy;
	struct curl_slist *fields;
	int fd;                        /* eventfd: something has come for the caller */
	bool running;                  /* the multi has it; I/O thread only */
	char why[CURL_ERROR_SIZE];     /* I/O thread until done */

	/* with the client's lock */
	bool queued, cancelled, done;
	bool signalled;                /* fd has been written to */
	bool began;                    /* a line of the head has come */
	bool too_long;                 /* head or body */
	CURLcode code;
	struct httpc_head head;
	size_t nhead, room;            /* bytes of the head so far; of the body still allowed */
	int64_t last_ms;               /* when something came last */
	struct buf got;                /* not yet taken */
};

struct httpc {
	int epoll, wake;               /* what the I/O thread waits on; wake: an eventfd in it */
	CURLM *multi;                  /* this and the next: I/O thread only */
	int64_t due_ms;                /* when curl wants to be called; INT64_MAX: never */
	CURLSH *share;                 /* TLS sessions: a multi does not share them by itself */
	pthread_mutex_t share_lock[CURL_LOCK_DATA_LAST];
	pthread_t thread;
	char *ca_file;
	bool one_bundle;               /* the system's certificates are in one file */

	pthread_mutex_t lock;          /* for all that follows */
	struct transfer *queue, **queue_end, *spare;
	int nspare;
	bool stop;
};

/* ---- the I/O thread ---------------------------------------------------------------- */

static void wake_up(int fd)
{
	const uint64_t one = 1;
	ssize_t n = write(fd, &one, sizeof(one));
	(void)n;       /* a full counter wakes too */
}

/* With the lock: must the caller be signalled? */
static bool unaware(struct transfer *t)
{
	bool yes = !t->signalled;
	t->signalled = true;
	return yes;
}

/* Give the transfer back to its caller. One that is queued to be cancelled is left to that. */
static void finish(struct transfer *t, CURLcode code)
{
	struct httpc *h = t->client;
	pthread_mutex_lock(&h->lock);
	if (!t->queued) {
		t->code = code;
		t->done = true;
		/* before the unlock: after it the transfer is another's */
		if (unaware(t))
			wake_up(t->fd);
	}
	pthread_mutex_unlock(&h->lock);
}

static void take_out(struct httpc *h, struct transfer *t)
{
	if (t->running)
		curl_multi_remove_handle(h->multi, t->easy);
	t->running = false;
}

/* Begin what is queued and end what is cancelled. False: it is time to go. */
static bool take_queue(struct httpc *h)
{
	for (;;) {
		bool cancelled = false;
		pthread_mutex_lock(&h->lock);
		bool stop = h->stop;
		struct transfer *t = h->queue;
		if (t != NULL) {
			h->queue = t->next;
			if (h->queue == NULL)
				h->queue_end = &h->queue;
			t->queued = false;
			cancelled = t->cancelled;
		}
		pthread_mutex_unlock(&h->lock);
		if (t == NULL)
			return !stop;
		if (cancelled) {
			take_out(h, t);
			finish(t, CURLE_ABORTED_BY_CALLBACK);
		} else if (curl_multi_add_handle(h->multi, t->easy) == CURLM_OK) {
			t->running = true;
		} else {
			finish(t, CURLE_FAILED_INIT);
		}
	}
}

static void take_finished(struct httpc *h)
{
	CURLMsg *m;
	int left;
	while ((m = curl_multi_info_read(h->multi, &left)) != NULL) {
		char *t = NULL;
		CURLcode code = m->data.result;
		curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &t);
		take_out(h, (struct transfer *)(void *)t);       /* `m` is gone with it */
		finish((struct transfer *)(void *)t, code);
	}
}

static int wait_ms(const struct httpc *h)
{
	int64_t left = h->due_ms - clock_mono_ms();
	return h->due_ms == INT64_MAX ? -1 : left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

static void *io_main(void *arg)
{
	struct httpc *h = arg;
	struct epoll_event ev[64];
	uint64_t count;
	int running;
	while (take_queue(h)) {
		int n = epoll_wait(h->epoll, ev, sizeof(ev) / sizeof(ev[0]), wait_ms(h));
		for (int i = 0; i < n; i++) {
			int what = (ev[i].events & EPOLLIN ? CURL_CSELECT_IN : 0) |
			    (ev[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
			    (ev[i].events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
			if (ev[i].data.fd != h->wake)
				curl_multi_socket_action(h->multi, ev[i].data.fd, what, &running);
			else if (read(h->wake, &count, sizeof(count)) < 0)
				log_msg(LOG_ERROR, "httpc", "eventfd: %m");
		}
		if (clock_mono_ms() >= h->due_ms) {
			h->due_ms = INT64_MAX;
			curl_multi_socket_action(h->multi, CURL_SOCKET_TIMEOUT, 0, &running);
		}
		take_finished(h);
	}
	/* here, where writing to a connection that is closed raises no signal */
	curl_multi_cleanup(h->multi);
	return NULL;
}

/* -- what curl calls, in that thread -- */

static int on_interest(CURL *easy, curl_socket_t fd, int what, void *arg, void *known)
{
	struct httpc *h = arg;
	struct epoll_event ev = { .data.fd = fd, .events = (what & CURL_POLL_IN ? EPOLLIN : 0u) |
		(what & CURL_POLL_OUT ? EPOLLOUT : 0u) };
	(void)easy;
	if (what == CURL_POLL_REMOVE) {
		(void)epoll_ctl(h->epoll, EPOLL_CTL_DEL, fd, NULL);
		return 0;
	}
	if (known == NULL)
		(void)curl_multi_assign(h->multi, fd, h);
	if (epoll_ctl(h->epoll, known == NULL ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &ev) != 0)
		log_msg(LOG_ERROR, "httpc", "epoll: %m");      /* a limit ends that call, not all */
	return 0;
}

static int on_timer(CURLM *multi, long ms, void *arg)
{
	struct httpc *h = arg;
	(void)multi;
	h->due_ms = ms < 0 ? INT64_MAX : clock_mono_ms() + ms;
	return 0;
}

static int64_t retry_after_ms(const char *value)
{
	double s;
	if (!str_to_double(value, &s)) {
		time_t at = curl_getdate(value, NULL);
		if (at == (time_t)-1)
			return -1;
		s = (double)at - (double)clock_wall_us() / 1e6;
	}
	return s > RETRY_AFTER_MAX_S ? 1000LL * RETRY_AFTER_MAX_S : s > 0 ? (int64_t)(s * 1000) : 0;
}

/* Is the line that field? Then its value, in `out`. */
static bool is_field(struct str line, const char *name, char *out, size_t size)
{
	size_t len = strlen(name);
	if (line.n <= len || strncasecmp(line.p, name, len) != 0 || line.p[len] != ':')
		return false;
	struct str v = str_trim((struct str){ line.p + len + 1, line.n - len - 1 });
	if (v.n >= size)
		v.n = size - 1;
	memcpy(out, v.p, v.n);
	out[v.n] = '\0';
	return true;
}

static void read_field(struct httpc_head *head, struct str line)
{
	char value[sizeof(head->type)];
	if (is_field(line, "retry-after", value, sizeof(value))) {
		head->retry_after_ms = retry_after_ms(value);
	} else if (is_field(line, "content-type", value, sizeof(value))) {
		value[strcspn(value, "; \t")] = '\0';
		for (char *p = value; *p != '\0'; p++)
			if (*p >= 'A' && *p <= 'Z')
				*p = (char)(*p - 'A' + 'a');
		memcpy(head->type, value, sizeof(value));
	}
}

static size_t on_head(char *p, size_t size, size_t n, void *arg)
{
	struct transfer *t = arg;
	struct str line = { p, size * n };
	pthread_mutex_lock(&t->client->lock);
	t->began = true;
	t->last_ms = clock_mono_ms();
	t->nhead += line.n;
	t->too_long = t->nhead > HEAD_MAX;
	if (line.n >= 5 && memcmp(line.p, "HTTP/", 5) == 0) {
		t->head = (struct httpc_head){ .retry_after_ms = -1 };     /* after a 1xx */
	} else if (str_trim(line).n == 0) {
		long status = 0, connects = 0;
		curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
		curl_easy_getinfo(t->easy, CURLINFO_NUM_CONNECTS, &connects);
		t->head.status = status < 200 ? 0 : (int)status;
		t->head.reused = connects == 0;
	} else {
		read_field(&t->head, line);
	}
	bool go_on = !t->too_long;
	pthread_mutex_unlock(&t->client->lock);
	return go_on ? line.n : 0;
}

static size_t on_body(char *p, size_t size, size_t n, void *arg)
{
	struct transfer *t = arg;
	bool tell = false;
	n *= size;
	pthread_mutex_lock(&t->client->lock);
	t->last_ms = clock_mono_ms();
	t->too_long = n > t->room;
	if (!t->too_long && n > 0) {
		t->room -= n;
		buf_put(&t->got, p, n);
		tell = unaware(t);
	}
	bool go_on = !t->too_long;
	pthread_mutex_unlock(&t->client->lock);
	if (tell)
		wake_up(t->fd);      /* still ours: it is not done */
	return go_on ? n : 0;
}

static int on_socket(void *arg, curl_socket_t fd, curlsocktype purpose)
{
	const unsigned int ms = SILENCE_MS;
	(void)arg;
	(void)purpose;
	/* a system without it does without it */
	(void)setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, sizeof(ms));
	return CURL_SOCKOPT_OK;
}

static void lock_share(CURL *easy, curl_lock_data data, curl_lock_access access, void *arg)
{
	struct httpc *h = arg;
	(void)easy;
	(void)access;
	pthread_mutex_lock(&h->share_lock[data]);
}

static void unlock_share(CURL *easy, curl_lock_data data, void *arg)
{
	struct httpc *h = arg;
	(void)easy;
	pthread_mutex_unlock(&h->share_lock[data]);
}

/* ---- transfers, in the caller's thread ----------------------------------------------- */

static void transfer_free(struct transfer *t)
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
	curl_easy_reset(t->easy);      /* options go, the share stays */
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

/* A control byte would end the field and begin another. */
static bool is_clean(const char *field)
{
	for (; *field != '\0'; field++)
		if ((unsigned char)*field < ' ' || *field == 127)
			return false;
	return true;
}

static enum errcode add_fields(struct transfer *t, const char *const *fields, struct err *e)
{
	t->fields = curl_slist_append(NULL, "Expect:");      /* no round trip before the body */
	for (; t->fields != NULL && fields != NULL && *fields != NULL; fields++) {
		if (!is_clean(*fields))
			return err_set(e, ERR_CONFIG, "a control character in a header field: does a "
			    "key end with a line break?");
		struct curl_slist *more = curl_slist_append(t->fields, *fields);
		if (more == NULL)
			break;
		t->fields = more;
	}
	return t->fields == NULL || (fields != NULL && *fields != NULL) ?
	    err_set(e, ERR_INTERNAL, "no memory for a request") : OK;
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
	t->queued = t->cancelled = t->done = t->signalled = t->began = t->too_long = false;
	t->code = CURLE_OK;
	t->head = (struct httpc_head){ .retry_after_ms = -1 };
	t->nhead = 0;
	t->room = req->max_bytes;
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
	curl_easy_setopt(c, CURLOPT_QUICK_EXIT, 1L);     /* a cancelled look-up is not waited for */
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
	/* With a folder too, each connection reads and keeps all certificates: 0.9 MB and 20 ms. */
	if (t->client->ca_file != NULL || t->client->one_bundle)
		curl_easy_setopt(c, CURLOPT_CAPATH, NULL);
	if (req->body != NULL) {
		curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)req->nbody);
		curl_easy_setopt(c, CURLOPT_POSTFIELDS, req->body);
	}
	return OK;
}

/* To the I/O thread. */
static void submit(struct transfer *t, bool cancel)
{
	struct httpc *h = t->client;
	pthread_mutex_lock(&h->lock);
	t->cancelled = cancel;
	bool wake = !t->queued && !t->done;
	if (wake) {
		t->queued = true;
		t->next = NULL;
		*h->queue_end = t;
		h->queue_end = &t->next;
	}
	pthread_mutex_unlock(&h->lock);
	if (wake)
		wake_up(h->wake);
}

void transfer_take(struct transfer *t, struct known *k, struct httpc_head *head)
{
	uint64_t count;
	pthread_mutex_lock(&t->client->lock);
	ssize_t n = read(t->fd, &count, sizeof(count));
	(void)n;       /* nothing there: the signal is on its way, and will wake us for nothing */
	t->signalled = false;
	struct buf empty = k->body;
	k->body = t->got;
	t->got = empty;
	k->began = t->began;
	k->done = t->done;
	if (t->last_ms > k->last_ms)
		k->last_ms = t->last_ms;
	*head = t->head;
	pthread_mutex_unlock(&t->client->lock);
}

int transfer_fd(const struct transfer *t)
{
	return t->fd;
}

enum errcode transfer_begin(struct httpc *h, const struct httpc_request *req,
    struct transfer **out, struct err *e)
{
	struct transfer *t;
	enum errcode rc = borrow(h, &t, e);
	if (rc != OK)
		return rc;
	if ((rc = prepare(t, req, e)) != OK) {
		give_back(t);
		return rc;
	}
	submit(t, false);
	*out = t;
	return OK;
}

void transfer_end(struct transfer *t, struct known *k)
{
	struct httpc_head last;
	bool ready;
	if (!k->done) {
		submit(t, true);
		for (transfer_take(t, k, &last); !k->done; transfer_take(t, k, &last)) {
			buf_clear(&k->body);
			(void)watch_poll(NULL, t->fd, -1, &ready);
		}
	}
	give_back(t);
}

/* ---- what went wrong ----------------------------------------------------------------- */

void httpc_address(const char *url, char *out, size_t size)
{
	char *scheme = NULL, *host = NULL, *port = NULL;
	CURLU *u = curl_url();
	if (u != NULL && curl_url_set(u, CURLUPART_URL, url, 0) == CURLUE_OK &&
	    curl_url_get(u, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
	    curl_url_get(u, CURLUPART_HOST, &host, 0) == CURLUE_OK) {
		bool has_port = curl_url_get(u, CURLUPART_PORT, &port, 0) == CURLUE_OK;
		snprintf(out, size, "%s://%s%s%s", scheme, host, has_port ? ":" : "",
		    has_port ? port : "");
	} else {
		snprintf(out, size, "the address given");
	}
	curl_free(scheme);
	curl_free(host);
	curl_free(port);
	curl_url_cleanup(u);
}

const char *httpc_duration(char out[32], int64_t ms)
{
	if (ms % 1000 == 0)
		snprintf(out, 32, "%lld s", (long long)ms / 1000);
	else
		snprintf(out, 32, "%lld ms", (long long)ms);
	return out;
}

/* Why curl gave up. Its own text (`detail`) is shown where it can hold nothing of the address
 * but the host. */
static const struct fault {
	CURLcode code;
	bool dropped, detail;
	const char *said;
} faults[] = {
	{ CURLE_URL_MALFORMAT, false, false, "is not valid; it should look like "
	    "https://host:port/path" },
	{ CURLE_COULDNT_RESOLVE_HOST, false, false, "name not found" },
	{ CURLE_COULDNT_RESOLVE_PROXY, false, false,
	    "name of the proxy not found (see https_proxy, http_proxy and all_proxy)" },
	{ CURLE_UNSUPPORTED_PROTOCOL, false, false, "the server does not speak HTTP" },
	{ CURLE_WEIRD_SERVER_REPLY, false, false, "the server does not speak HTTP" },
	{ CURLE_PEER_FAILED_VERIFICATION, false, true, "certificate not trusted; for a private "
	    "authority set AVIATION_AGENT_CA_FILE to the file of its certificates" },
	{ CURLE_SSL_CACERT_BADFILE, false, true,
	    "the certificates to trust cannot be read (see AVIATION_AGENT_CA_FILE)" },
	{ CURLE_SSL_CONNECT_ERROR, false, true, "no TLS connection; is this an https:// address?" },
	{ CURLE_BAD_CONTENT_ENCODING, false, false, "the answer's compression is damaged" },
	{ CURLE_GOT_NOTHING, true, false, NULL },
	{ CURLE_PARTIAL_FILE, true, false, NULL },
	{ CURLE_SEND_ERROR, true, true, NULL },
	{ CURLE_RECV_ERROR, true, true, NULL },
	{ CURLE_OUT_OF_MEMORY, false, false, "no memory" },
};

static const struct fault *fault_of(CURLcode code)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (faults[i].code == code)
			return &faults[i];
	return NULL;
}

enum errcode transfer_verdict(struct transfer *t, const struct httpc_request *req,
    const struct known *k, struct err *e)
{
	char where[300], time[32];
	long proxy = 0, number = 0;
	/* a head that ends before its blank line is fine by curl */
	if (t->code == CURLE_OK && t->head.status != 0)
		return OK;
	const struct fault *f = fault_of(t->code == CURLE_OK ? CURLE_GOT_NOTHING : t->code);
	httpc_address(req->url, where, sizeof(where));
	curl_easy_getinfo(t->easy, CURLINFO_HTTP_CONNECTCODE, &proxy);
	curl_easy_getinfo(t->easy, CURLINFO_OS_ERRNO, &number);
	if (t->too_long && t->head.status == 0)
		return err_set(e, ERR_UPSTREAM, "%s: the head of the answer is larger than %d bytes",
		    where, HEAD_MAX);
	if (t->too_long)
		return err_set(e, ERR_UPSTREAM, "%s: the answer is larger than %zu bytes", where,
		    req->max_bytes);
	if (proxy >= 300)
		return err_set(e, ERR_UPSTREAM, "%s: the proxy refuses (HTTP status %ld)", where,
		    proxy);
	if (t->code == CURLE_OPERATION_TIMEDOUT)        /* of ours it knows no other limit */
		return err_set(e, ERR_TIMEOUT, "%s: no connection within %s", where,
		    httpc_duration(time, req->connect_ms > 0 ? req->connect_ms :
		    clock_mono_ms() - k->start_ms));
	if (t->code == CURLE_COULDNT_CONNECT && number != 0) {
		errno = (int)number;
		return err_set(e, ERR_UPSTREAM, "%s: no connection: %m", where);
	}
	if (f == NULL)
		return err_set(e, ERR_UPSTREAM, "%s: %s", where, curl_easy_strerror(t->code));
	bool detail = f->detail && *t->why != '\0';
	return err_set(e, ERR_UPSTREAM, "%s: %s%s%s%s", where,
	    !f->dropped ? f->said : k->began ? "connection dropped in the middle of the answer" :
	    "connection dropped before the answer", detail ? " (" : "", detail ? t->why : "",
	    detail ? ")" : "");
}

/* ---- life ------------------------------------------------------------------------------ */

/* The thread takes none of the process's signals, but a fault of its own is not hidden. */
static int start(struct httpc *h)
{
	static const int own[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP };
	sigset_t all, before;
	pthread_attr_t attr;
	sigfillset(&all);
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		sigdelset(&all, own[i]);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int rc = pthread_create(&h->thread, &attr, io_main, h);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	if (rc == 0)
		(void)pthread_setname_np(h->thread, "httpc");
	return rc;
}

static void release(struct httpc *h)
{
	const int fds[] = { h->epoll, h->wake };
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	while (h->spare != NULL) {
		struct transfer *t = h->spare;
		h->spare = t->next;
		transfer_free(t);
	}
	curl_share_cleanup(h->share);
	for (size_t i = 0; i < CURL_LOCK_DATA_LAST; i++)
		pthread_mutex_destroy(&h->share_lock[i]);
	pthread_mutex_destroy(&h->lock);
	free(h->ca_file);
	free(h);
	curl_global_cleanup();
}

enum errcode httpc_open(struct httpc **out, const struct httpc_config *c, struct err *e)
{
	const char *ca_file = c == NULL ? NULL : c->ca_file;
	const int max_idle = c == NULL || c->max_idle <= 0 ? MAX_IDLE : c->max_idle;
	if (ca_file != NULL && access(ca_file, R_OK) != 0)
		return err_set(e, ERR_CONFIG, "AVIATION_AGENT_CA_FILE: %s: %m", ca_file);
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return err_set(e, ERR_INTERNAL, "libcurl cannot be initialised");
	struct httpc *h = calloc(1, sizeof(*h));
	if (h == NULL || (ca_file != NULL && (h->ca_file = strdup(ca_file)) == NULL))
		abort();
	h->queue_end = &h->queue;
	pthread_mutex_init(&h->lock, NULL);
	for (size_t i = 0; i < CURL_LOCK_DATA_LAST; i++)
		pthread_mutex_init(&h->share_lock[i], NULL);
	h->multi = curl_multi_init();
	h->share = curl_share_init();
	h->due_ms = INT64_MAX;
	h->epoll = epoll_create1(EPOLL_CLOEXEC);
	h->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	struct epoll_event ev = { .events = EPOLLIN, .data.fd = h->wake };
	if (h->multi == NULL || h->share == NULL || h->epoll < 0 || h->wake < 0 ||
	    epoll_ctl(h->epoll, EPOLL_CTL_ADD, h->wake, &ev) != 0)
		goto failed;
#if LIBCURL_VERSION_NUM >= 0x074600
	const curl_version_info_data *v = curl_version_info(CURLVERSION_NOW);
	h->one_bundle = v->age >= CURLVERSION_SEVENTH && v->cainfo != NULL &&
	    access(v->cainfo, R_OK) == 0;
#endif
	curl_multi_setopt(h->multi, CURLMOPT_SOCKETFUNCTION, on_interest);
	curl_multi_setopt(h->multi, CURLMOPT_SOCKETDATA, h);
	curl_multi_setopt(h->multi, CURLMOPT_TIMERFUNCTION, on_timer);
	curl_multi_setopt(h->multi, CURLMOPT_TIMERDATA, h);
	curl_multi_setopt(h->multi, CURLMOPT_MAXCONNECTS, (long)max_idle);
	curl_share_setopt(h->share, CURLSHOPT_LOCKFUNC, lock_share);
	curl_share_setopt(h->share, CURLSHOPT_UNLOCKFUNC, unlock_share);
	curl_share_setopt(h->share, CURLSHOPT_USERDATA, h);
	curl_share_setopt(h->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
	if (start(h) != 0)
		goto failed;
	*out = h;
	return OK;
failed:
	curl_multi_cleanup(h->multi);
	release(h);
	return err_set(e, ERR_INTERNAL, "the HTTP client cannot be started");
}

void httpc_close(struct httpc *h)
{
	if (h == NULL)
		return;
	pthread_mutex_lock(&h->lock);
	h->stop = true;
	pthread_mutex_unlock(&h->lock);
	wake_up(h->wake);
	pthread_join(h->thread, NULL);
	release(h);
}
