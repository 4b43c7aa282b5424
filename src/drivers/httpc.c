/*
 * One thread, one curl_multi, any number of callers, who queue their transfers for it.
 *
 * Once a reply's body has begun, its caller waits for the connection itself and drives curl when
 * something has come, so a streamed token wakes one thread and not two. The I/O thread does it for
 * all other transfers. The lock `drive` makes sure that only one thread at a time is in curl.
 *
 * The thread waits with epoll and tells curl which socket is ready. curl_multi_poll() would be
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
#include "drivers/httpc_io.h"

enum {
	MAX_IDLE = 256,
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	STACK_SIZE = 2048 * 1024,
#else
	STACK_SIZE = 256 * 1024,
#endif
};

/* ---- the I/O thread ---------------------------------------------------------------- */

void httpc_signal(int fd)
{
	const uint64_t one = 1;
	ssize_t n = write(fd, &one, sizeof(one));
	(void)n;       /* when the counter is full, the reader wakes too */
}

void httpc_submit(struct transfer *t, bool cancel)
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
		httpc_signal(h->wake);
}

/* curl's limit counts the connections in use too. If it were max_idle, no connection would be kept
 * while there are that many transfers. */
static void count(struct httpc *h, int more)
{
	h->running += more;
	curl_multi_setopt(h->multi, CURLMOPT_MAXCONNECTS,
	    (long)h->max_idle + (h->running > 1 ? h->running - 1 : 0));
}

static bool put_in(struct httpc *h, struct transfer *t)
{
	t->running = curl_multi_add_handle(h->multi, t->easy) == CURLM_OK;
	if (t->running)
		count(h, 1);
	return t->running;
}

static void take_out(struct httpc *h, struct transfer *t)
{
	if (!t->running)
		return;
	curl_multi_remove_handle(h->multi, t->easy);
	t->running = false;
	count(h, -1);
}

/* Begin what is queued and end what is cancelled. False: the thread must end. */
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
			transfer_finish(t, CURLE_ABORTED_BY_CALLBACK);
		} else if (!put_in(h, t)) {
			transfer_finish(t, CURLE_FAILED_INIT);
		}
	}
}

/* Tell curl what a socket is ready for, and take out the transfers that have ended. */
static void act(struct httpc *h, curl_socket_t fd, int what)
{
	CURLMsg *m;
	int n;
	curl_multi_socket_action(h->multi, fd, what, &n);
	while ((m = curl_multi_info_read(h->multi, &n)) != NULL) {
		char *private = NULL;
		CURLcode code = m->data.result;
		curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &private);
		struct transfer *t = (struct transfer *)(void *)private;
		take_out(h, t);       /* frees `m` */
		if (!transfer_again(t, code) || !put_in(h, t))
			transfer_finish(t, code);
	}
}

void httpc_drive(struct transfer *t)
{
	struct httpc *h = t->client;
	pthread_mutex_lock(&h->drive);
	const int fd = atomic_load(&t->socket);
	if (fd >= 0) {
		t->here = true;
		act(h, fd, CURL_CSELECT_IN);
		t->here = false;
	}
	bool wake = h->due_ms < h->waits_ms;
	pthread_mutex_unlock(&h->drive);
	if (wake)
		httpc_signal(h->wake);
}

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
	pthread_mutex_lock(&h->drive);
	while (take_queue(h)) {
		h->waits_ms = h->due_ms;
		pthread_mutex_unlock(&h->drive);
		int n = epoll_wait(h->epoll, ev, sizeof(ev) / sizeof(ev[0]), wait_ms(h));
		pthread_mutex_lock(&h->drive);
		for (int i = 0; i < n; i++) {
			int what = (ev[i].events & EPOLLIN ? CURL_CSELECT_IN : 0) |
			    (ev[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
			    (ev[i].events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
			if (ev[i].data.fd != h->wake)
				act(h, ev[i].data.fd, what);
			else if (read(h->wake, &signals, sizeof(signals)) < 0)
				log_msg(LOG_ERROR, "httpc", "eventfd: %m");
		}
		if (clock_mono_ms() >= h->due_ms) {
			h->due_ms = INT64_MAX;
			act(h, CURL_SOCKET_TIMEOUT, 0);
		}
	}
	pthread_mutex_unlock(&h->drive);
	/* here, where writing to a connection that is closed raises no signal */
	curl_multi_cleanup(h->multi);
	return NULL;
}

/* -- what curl calls -- */

static int on_interest(CURL *easy, curl_socket_t fd, int what, void *arg, void *known)
{
	struct httpc *h = arg;
	struct epoll_event ev = { .data.fd = fd, .events = (what & CURL_POLL_IN ? EPOLLIN : 0u) |
		(what & CURL_POLL_OUT ? EPOLLOUT : 0u) };
	char *private = NULL;
	curl_easy_getinfo(easy, CURLINFO_PRIVATE, &private);
	if (private != NULL && transfer_wants((struct transfer *)(void *)private, fd, what)) {
		known = NULL;
		if (what == CURL_POLL_REMOVE)
			return 0;
	}
	if (what == CURL_POLL_REMOVE) {
		(void)epoll_ctl(h->epoll, EPOLL_CTL_DEL, fd, NULL);
		return 0;
	}
	if (known == NULL)
		(void)curl_multi_assign(h->multi, fd, h);      /* epoll watches it from now on */
	if (epoll_ctl(h->epoll, known == NULL ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &ev) != 0)
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

/* The thread takes none of the process's signals, but a crash in it must not be hidden. */
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
	pthread_mutex_destroy(&h->drive);
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
	h->queue_end = &h->queue;
	pthread_mutex_init(&h->lock, NULL);
	pthread_mutex_init(&h->drive, NULL);
	for (size_t i = 0; i < CURL_LOCK_DATA_LAST; i++)
		pthread_mutex_init(&h->share_lock[i], NULL);
	h->multi = curl_multi_init();
	h->share = curl_share_init();
	h->due_ms = INT64_MAX;
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
	pthread_mutex_unlock(&h->lock);
	httpc_signal(h->wake);
	pthread_join(h->thread, NULL);
	release(h);
}
