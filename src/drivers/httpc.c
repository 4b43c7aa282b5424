/*
 * One curl_multi and its lock. A caller begins its transfer itself and waits for the connection
 * itself, as soon as curl only wants to read: a kept connection needs no other thread, and a
 * streamed token wakes one thread. A thread of our own does the rest for all callers: it waits for
 * connections that are being made or written to, and for curl's timers.
 *
 * That thread waits with epoll and tells curl which socket is ready. curl_multi_poll() would be
 * simpler, but it looks at every transfer for every piece: three times the CPU at 64 streams.
 *
 * HTTP/1.1 only. libcurl 7.88.1, which Debian 12 has, writes past a small receive buffer when
 * HTTP/2 streams share a connection. And streams that share a connection stall and end together.
 */
#include "drivers/httpc.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "drivers/httpc_io.h"

enum { MAX_IDLE = 256 };

/* ---- driving curl: call all of this with the lock held ------------------------------- */

static void signal_fd(int fd)
{
	const uint64_t one = 1;
	ssize_t n = write(fd, &one, sizeof(one));
	(void)n;       /* when the counter is full, the reader wakes too */
}

void httpc_fresh(struct transfer *t)
{
	if (t->fresh)
		return;
	t->fresh = true;
	t->next = t->client->fresh;
	t->client->fresh = t;
}

/* Wake the callers of the transfers that have got something, once for all that curl has done in one
 * go. The caller who drives curl is awake. */
static void tell(struct httpc *h, const struct transfer *driver)
{
	for (struct transfer *t; (t = h->fresh) != NULL;) {
		h->fresh = t->next;
		t->fresh = false;
		if (t == driver || t->signalled)
			continue;
		t->signalled = true;
		signal_fd(t->fd);
	}
}

/* curl's limit counts the connections in use too. If it were max_idle, no connection would be kept
 * while there are that many transfers. */
static void count(struct httpc *h, int more)
{
	h->running += more;
	curl_multi_setopt(h->multi, CURLMOPT_MAXCONNECTS,
	    (long)h->max_idle + (h->running > 1 ? h->running - 1 : 0));
}

static void put_in(struct httpc *h, struct transfer *t)
{
	t->running = curl_multi_add_handle(h->multi, t->easy) == CURLM_OK;
	if (t->running) {
		count(h, 1);
		return;
	}
	t->code = CURLE_FAILED_INIT;
	t->done = true;
	httpc_fresh(t);
}

static void take_out(struct httpc *h, struct transfer *t)
{
	if (!t->running)
		return;
	curl_multi_remove_handle(h->multi, t->easy);
	t->running = false;
	count(h, -1);
}

/* Tell curl what a socket is ready for, or that its time has come (CURL_SOCKET_TIMEOUT), and take
 * out the transfers that have ended. `driver`: the transfer whose caller does this; or NULL. */
static void act(struct httpc *h, curl_socket_t fd, int what, struct transfer *driver)
{
	CURLMsg *m;
	int n;
	if (fd == CURL_SOCKET_TIMEOUT)
		h->due_ms = INT64_MAX;       /* on_timer() is told if there is another time */
	curl_multi_socket_action(h->multi, fd, what, &n);
	while ((m = curl_multi_info_read(h->multi, &n)) != NULL) {
		char *private = NULL;
		CURLcode code = m->data.result;
		curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &private);
		struct transfer *t = (struct transfer *)(void *)private;
		take_out(h, t);       /* frees `m` */
		if (transfer_again(t, code)) {
			put_in(h, t);
			continue;
		}
		t->code = code;
		t->done = true;
		httpc_fresh(t);
	}
	tell(h, driver);
}

/* After a caller has driven curl: the thread must not sleep past curl's next time. */
static void mind_the_time(struct httpc *h)
{
	if (h->due_ms >= h->waits_ms)
		return;
	h->waits_ms = h->due_ms;
	signal_fd(h->wake);
}

void httpc_begin(struct transfer *t)
{
	put_in(t->client, t);
	act(t->client, CURL_SOCKET_TIMEOUT, 0, t);
	mind_the_time(t->client);
}

void httpc_drive(struct transfer *t)
{
	if (t->socket >= 0)
		act(t->client, t->socket, CURL_CSELECT_IN, t);
	mind_the_time(t->client);
}

void httpc_end(struct transfer *t)
{
	take_out(t->client, t);
	/* curl has reported that the connection is gone, so `t` may be in the list of fresh ones: it
	 * must not stay there, because its memory is used again or freed */
	tell(t->client, t);
	mind_the_time(t->client);
}

/* ---- the thread ----------------------------------------------------------------------- */

static int wait_ms(const struct httpc *h)
{
	int64_t left = h->waits_ms - clock_mono_ms();
	return h->waits_ms == INT64_MAX ? -1 : left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

static void *io_main(void *arg)
{
	struct httpc *h = arg;
	struct epoll_event ev[64];
	uint64_t signals;
	pthread_mutex_lock(&h->lock);
	while (!h->stop) {
		h->waits_ms = h->due_ms;
		const int wait = wait_ms(h);
		pthread_mutex_unlock(&h->lock);
		int n = epoll_wait(h->epoll, ev, sizeof(ev) / sizeof(ev[0]), wait);
		pthread_mutex_lock(&h->lock);
		for (int i = 0; i < n; i++) {
			int what = (ev[i].events & EPOLLIN ? CURL_CSELECT_IN : 0) |
			    (ev[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
			    (ev[i].events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
			if (ev[i].data.fd != h->wake)
				act(h, ev[i].data.fd, what, NULL);
			else if (read(h->wake, &signals, sizeof(signals)) < 0)
				log_msg(LOG_ERROR, "httpc", "eventfd: %m");
		}
		if (clock_mono_ms() >= h->due_ms)
			act(h, CURL_SOCKET_TIMEOUT, 0, NULL);
	}
	pthread_mutex_unlock(&h->lock);
	/* here, where writing to a connection that is closed raises no signal */
	curl_multi_cleanup(h->multi);
	return NULL;
}

/* -- what curl calls -- */

static int on_interest(CURL *easy, curl_socket_t fd, int what, void *arg, void *watched)
{
	struct httpc *h = arg;
	struct epoll_event ev = { .data.fd = fd, .events = (what & CURL_POLL_IN ? EPOLLIN : 0u) |
		(what & CURL_POLL_OUT ? EPOLLOUT : 0u) };
	char *private = NULL;
	curl_easy_getinfo(easy, CURLINFO_PRIVATE, &private);
	bool callers = private != NULL &&
	    transfer_wants((struct transfer *)(void *)private, fd, what);
	if (callers || what == CURL_POLL_REMOVE) {
		if (watched != NULL)
			(void)epoll_ctl(h->epoll, EPOLL_CTL_DEL, fd, NULL);
		(void)curl_multi_assign(h->multi, fd, NULL);
		return 0;
	}
	(void)curl_multi_assign(h->multi, fd, h);      /* epoll watches it from now on */
	if (epoll_ctl(h->epoll, watched == NULL ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &ev) != 0)
		/* a limit ends its own call, not all calls */
		log_msg(LOG_ERROR, "httpc", "epoll: %m");
	return 0;
}

static int on_timer(CURLM *multi, long ms, void *arg)
{
	struct httpc *h = arg;
	(void)multi;
	h->due_ms = ms < 0 ? INT64_MAX : clock_mono_ms() + ms;
	return 0;
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

/* ---- life ------------------------------------------------------------------------------ */

static int start(struct httpc *h)
{
	int rc = thread_start(&h->thread, io_main, h);
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
	if (ca_file != NULL && access(ca_file, R_OK) != 0)
		return err_set(e, ERR_CONFIG, "AVIATION_AGENT_CA_FILE: %s: %m", ca_file);
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return err_set(e, ERR_INTERNAL, "libcurl cannot be initialised");
	struct httpc *h = calloc(1, sizeof(*h));
	if (h == NULL || (ca_file != NULL && (h->ca_file = strdup(ca_file)) == NULL))
		abort();
	pthread_mutex_init(&h->lock, NULL);
	for (size_t i = 0; i < CURL_LOCK_DATA_LAST; i++)
		pthread_mutex_init(&h->share_lock[i], NULL);
	h->multi = curl_multi_init();
	h->share = curl_share_init();
	h->due_ms = h->waits_ms = INT64_MAX;
	h->max_idle = c == NULL || c->max_idle <= 0 ? MAX_IDLE : c->max_idle;
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
	signal_fd(h->wake);
	pthread_mutex_unlock(&h->lock);
	pthread_join(h->thread, NULL);
	release(h);
}
