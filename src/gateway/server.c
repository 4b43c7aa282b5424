/*
 * A socket is shared by the loop's thread and the thread of its turn, and lives until both have let
 * go of it. One lock guards all sockets: what is done under it takes microseconds. Only the loop's
 * thread may call libwebsockets; a turn puts its frames into the queue and wakes the loop.
 */
#include "gateway/server.h"

#include <libwebsockets.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/heap.h"
#include "base/log.h"
#include "base/str.h"
#include "base/thread.h"

enum {
	QUEUE_MAX = 1 << 20,          /* bytes that wait for a slow reader */
	SLOW_S = 10,                  /* … to take the close frame */
	STOP_MS = 3000,               /* for the last frames when the gateway stops */
	LOOK_MS = 100,                /* between a socket's end and that of its turn */
	IDLE_PING_S = 45, IDLE_END_S = 60,
	HEADER_MAX = 16384, VALUE_MAX = 8192, ORIGIN_MAX = 512,
};

/* Why a socket is closed: codes of RFC 6455 and its registry. */
static const int CLOSE_GOING = 1001, CLOSE_BINARY = 1003, CLOSE_POLICY = 1008, CLOSE_TOO_BIG = 1009,
    CLOSE_FAILED = 1011, CLOSE_SLOW = 1013;

struct frame {
	struct frame *next;
	size_t n;
	unsigned char bytes[];        /* LWS_PRE bytes, then the text */
};

enum conn_state { CHECKING, IDLE, BUSY, GONE };

struct conn {
	struct server *server;
	struct lws *wsi;
	int holders;                  /* the loop, and a thread */
	const struct relay_agent *agent;
	char *authorization, *cookie, *address;
	bool open;                    /* its handshake was completed */
	struct buf message;           /* what came of a frame */

	/* under the lock */
	enum conn_state state;
	struct client_frame next;     /* the message of the turn, or of the next one */
	struct arena *next_mem;       /* NULL: there is none */
	bool said_all;                /* the turn has put its last frame: the next message may come */
	struct frame *first, **end;
	size_t queued;
	int close;                    /* the code to close with; 0: stay open */
	const char *why;
	struct conn *wake;            /* list of sockets that the loop must look at */
	bool waking;
	struct conn *before, *after;  /* list of all */
};

struct server {
	const struct server_config *c;
	struct lws_context *context;
	pthread_mutex_t lock;
	pthread_cond_t ended;
	struct conn *all, *wake;
	size_t sockets, threads;
};

/* What libwebsockets keeps for each socket. */
struct session {
	struct conn *conn;
};

static volatile sig_atomic_t stopping;

static void on_signal(int sig)
{
	stopping = sig;
}

/* -- with the lock held -- */

static void wake(struct conn *c)
{
	if (c->waking || c->state == GONE)
		return;
	c->waking = true;
	c->wake = c->server->wake;
	c->server->wake = c;
	lws_cancel_service(c->server->context);
}

static void drop_frames(struct conn *c)
{
	while (c->first != NULL) {
		struct frame *f = c->first;
		c->first = f->next;
		free(f);
	}
	c->end = &c->first;
	c->queued = 0;
}

static void close_with(struct conn *c, int code, const char *why)
{
	if (c->close == 0) {
		c->close = code;
		c->why = why;
	}
	wake(c);
}

/* False: the socket is gone or about to be closed. */
static bool queue(struct conn *c, const char *text, size_t n)
{
	if (c->state == GONE || c->close != 0)
		return false;
	if (c->queued + n > QUEUE_MAX) {
		drop_frames(c);
		close_with(c, CLOSE_SLOW, "reads too slowly");
		return false;
	}
	struct frame *f = heap_new(sizeof(*f) + LWS_PRE + n);
	f->n = n;
	memcpy(f->bytes + LWS_PRE, text, n);
	*c->end = f;
	c->end = &f->next;
	c->queued += n;
	wake(c);
	return true;
}

static void let_go(struct conn *c)
{
	if (--c->holders > 0)
		return;
	drop_frames(c);
	buf_release(&c->message);
	arena_free(c->next_mem);
	free(c->authorization);
	free(c->cookie);
	free(c->address);
	free(c);
}

/* -- the thread of a turn -- */

static enum errcode still_there(void *arg, int64_t *ms)
{
	struct conn *c = arg;
	pthread_mutex_lock(&c->server->lock);
	bool gone = c->state == GONE || c->close != 0;
	pthread_mutex_unlock(&c->server->lock);
	*ms = LOOK_MS;
	return gone ? ERR_HUP : OK;
}

static enum errcode put_frame(void *arg, const char *text, size_t n, bool last)
{
	struct conn *c = arg;
	pthread_mutex_lock(&c->server->lock);
	bool there = queue(c, text, n);
	c->said_all |= last;
	pthread_mutex_unlock(&c->server->lock);
	return there ? OK : ERR_HUP;
}

static void check_token(struct conn *c, const struct relay_client *who, const struct watch *w)
{
	struct err e = { 0 };
	enum errcode rc = relay_check(&c->server->c->relay, c->agent, who, w, &e);
	if (rc != OK && rc != ERR_INPUT && rc != ERR_HUP)
		log_msg(LOG_ERROR, "gateway_check", "why=\"%s\"", e.msg);
	pthread_mutex_lock(&c->server->lock);
	if (rc != OK)
		close_with(c, rc == ERR_INPUT ? CLOSE_POLICY : CLOSE_FAILED,
		    rc == ERR_INPUT ? "sign in" : "the assistant cannot be reached");
	if (c->state == CHECKING)
		c->state = c->next_mem != NULL ? BUSY : IDLE;
	pthread_mutex_unlock(&c->server->lock);
}

static void turn(struct conn *c, const struct relay_client *who, const struct watch *w,
    const struct client_frame *message)
{
	enum errcode rc = relay_turn(&c->server->c->relay, c->agent, who, message, w, put_frame, c);
	pthread_mutex_lock(&c->server->lock);
	if (rc == ERR_INPUT)
		close_with(c, CLOSE_POLICY, "sign in");
	pthread_mutex_unlock(&c->server->lock);
}

/* Take the message that waits; false: there is none, and the thread ends. */
static bool take_message(struct conn *c, struct client_frame *m, struct arena **mem)
{
	pthread_mutex_lock(&c->server->lock);
	bool there = c->next_mem != NULL && c->state == BUSY && c->close == 0;
	if (there) {
		*m = c->next;
		*mem = c->next_mem;
		c->next_mem = NULL;
		c->said_all = false;
	} else if (c->state == BUSY) {
		c->state = IDLE;
	}
	pthread_mutex_unlock(&c->server->lock);
	return there;
}

static void *work(void *arg)
{
	struct conn *c = arg;
	struct server *s = c->server;
	const struct relay_client who = { c->authorization, c->cookie, c->address };
	const struct watch w = { -1, still_there, c };
	struct client_frame message;
	struct arena *mem;

	pthread_mutex_lock(&s->lock);
	bool unchecked = c->state == CHECKING;
	pthread_mutex_unlock(&s->lock);
	if (unchecked)
		check_token(c, &who, &w);
	while (take_message(c, &message, &mem)) {
		turn(c, &who, &w, &message);
		arena_free(mem);
	}
	pthread_mutex_lock(&s->lock);
	let_go(c);
	s->threads--;
	pthread_cond_broadcast(&s->ended);
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

/* With the lock held. */
static void start_thread(struct conn *c)
{
	pthread_t t;
	c->holders++;
	c->server->threads++;
	if (thread_start(&t, work, c) == 0) {
		pthread_detach(t);
		return;
	}
	c->holders--;
	c->server->threads--;
	close_with(c, CLOSE_FAILED, "no thread");
}

/* -- a handshake -- */

static char *header(struct lws *wsi, enum lws_token_indexes which)
{
	char value[VALUE_MAX];
	int n = lws_hdr_copy(wsi, value, sizeof(value), which);
	return n > 0 ? heap_dup(value) : NULL;
}

/* "https://site.example:8443" without what stands before the host. */
static bool same_host(const char *origin, const char *host)
{
	const char *at = strstr(origin, "://");
	return at != NULL && host != NULL && strieq(at + 3, host);
}

/* A browser names the page that opens the socket. Other programs name none and may connect. */
static bool origin_allowed(const struct server *s, struct lws *wsi)
{
	char origin[ORIGIN_MAX], host[ORIGIN_MAX];
	const char *list = s->c->origins;
	struct str part;
	if (lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) == 0)
		return true;
	if (lws_hdr_copy(wsi, origin, sizeof(origin), WSI_TOKEN_ORIGIN) <= 0)
		return false;
	if (list == NULL)
		return lws_hdr_copy(wsi, host, sizeof(host), WSI_TOKEN_HOST) > 0 && same_host(origin, host);
	while (str_part(&list, ',', &part))
		if (str_ieq(str_trim(part), origin) || str_eq(str_trim(part), "*"))
			return true;
	return false;
}

static const struct relay_agent *agent_of(struct lws *wsi)
{
	char path[64];
	return lws_hdr_copy(wsi, path, sizeof(path), WSI_TOKEN_GET_URI) > 0 ? relay_agent_at(path) : NULL;
}

static bool version_known(struct lws *wsi)
{
	char version[8];
	return lws_hdr_copy(wsi, version, sizeof(version), WSI_TOKEN_VERSION) > 0 && streq(version, "13");
}

/* Before the handshake is answered: 0, or an answer was sent instead. */
static int confirm(struct server *s, struct lws *wsi)
{
	unsigned int status = agent_of(wsi) == NULL ? 404 : !origin_allowed(s, wsi) ? 403 :
	    !version_known(wsi) ? 426 :
	    s->sockets >= (size_t)s->c->max_sockets || stopping ? 503 : 0;
	if (status == 0)
		return 0;
	log_msg(LOG_INFO, "gateway_refused", "status=%u", status);
	return lws_return_http_status(wsi, status, NULL) < 0 ? -1 : 1;
}

/* `?token=` counts if there is no Authorization. It is not logged. */
static char *authorization(struct lws *wsi)
{
	char token[VALUE_MAX];
	char *value = header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION);
	const char *at = value == NULL ? lws_get_urlarg_by_name(wsi, "token=", token, sizeof(token)) : NULL;
	if (at == NULL)
		return value;
	for (const char *p = at; *p != '\0'; p++)
		if ((unsigned char)*p <= ' ' || (unsigned char)*p >= 0x7f)
			return NULL;              /* it must not become another header */
	return heap_printf("Bearer %s", at);
}

static struct conn *conn_new(struct server *s, struct lws *wsi)
{
	struct conn *c = heap_new(sizeof(*c));
	c->server = s;
	c->wsi = wsi;
	c->holders = 1;
	c->agent = agent_of(wsi);
	c->authorization = authorization(wsi);
	c->cookie = header(wsi, WSI_TOKEN_HTTP_COOKIE);
	c->address = header(wsi, WSI_TOKEN_X_FORWARDED_FOR);
	c->end = &c->first;
	buf_init(&c->message, FRAME_MAX);
	return c;
}

/* -- callbacks, in the loop's thread -- */

static void opened(struct server *s, struct session *session)
{
	struct conn *c = session->conn;
	pthread_mutex_lock(&s->lock);
	c->open = true;
	c->after = s->all;
	if (s->all != NULL)
		s->all->before = c;
	s->all = c;
	s->sockets++;
	start_thread(c);
	pthread_mutex_unlock(&s->lock);
}

static void forget(struct server *s, struct conn *c)
{
	struct conn **at = &s->wake;
	while (*at != NULL && *at != c)
		at = &(*at)->wake;
	if (*at == c)
		*at = c->wake;
	if (c->before != NULL)
		c->before->after = c->after;
	else if (s->all == c)
		s->all = c->after;
	if (c->after != NULL)
		c->after->before = c->before;
}

/* A socket is gone, or one whose handshake was not completed. */
static void closed(struct server *s, struct session *session)
{
	struct conn *c = session != NULL ? session->conn : NULL;
	if (c == NULL)
		return;
	session->conn = NULL;
	pthread_mutex_lock(&s->lock);
	if (c->open) {
		forget(s, c);
		s->sockets--;
	}
	c->state = GONE;
	c->wsi = NULL;
	let_go(c);
	pthread_mutex_unlock(&s->lock);
}

/* With the lock held. */
static void take_frame(struct conn *c)
{
	struct arena *a = arena_new();
	struct client_frame f;
	struct err e = { 0 };
	const char *answer = NULL;
	if (frame_read(&f, a, c->message.p, c->message.n, &e) != OK) {
		answer = frame_error(a, e.msg, "INVALID_FORMAT");
	} else if (f.kind == FRAME_PING) {
		answer = FRAME_PONG;
	} else if ((c->state == BUSY && !c->said_all) || c->next_mem != NULL) {
		answer = frame_error(a, "Your last message is still being answered. Please wait for that answer.",
		    "TURN_IN_PROGRESS");
	} else {
		c->next = f;
		c->next_mem = a;
		if (c->state == IDLE) {
			c->state = BUSY;
			start_thread(c);
		}
		return;
	}
	queue(c, answer, strlen(answer));
	arena_free(a);
}

/* What a callback returns to close the socket. */
static int close_now(struct lws *wsi, int code, const char *why)
{
	unsigned char text[64];
	size_t n = strnlen(why, sizeof(text));
	memcpy(text, why, n);
	lws_close_reason(wsi, (enum lws_close_status)code, text, n);
	return -1;
}

static int received(struct conn *c, struct lws *wsi, const void *in, size_t n)
{
	if (lws_frame_is_binary(wsi)) {
		return close_now(wsi, CLOSE_BINARY, "text only");
	}
	if (lws_is_first_fragment(wsi))
		buf_clear(&c->message);
	buf_put(&c->message, in, n);
	if (c->message.full || c->message.n + lws_remaining_packet_payload(wsi) > FRAME_MAX) {
		return close_now(wsi, CLOSE_TOO_BIG, "at most 64 KiB");
	}
	if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi) > 0)
		return 0;
	pthread_mutex_lock(&c->server->lock);
	take_frame(c);
	pthread_mutex_unlock(&c->server->lock);
	return 0;
}

/* Send one frame; libwebsockets calls again when the socket can take more. */
static int writable(struct conn *c, struct lws *wsi)
{
	int rc = 0;
	pthread_mutex_lock(&c->server->lock);
	struct frame *f = c->first;
	if (f != NULL) {
		c->first = f->next;
		if (c->first == NULL)
			c->end = &c->first;
		c->queued -= f->n;
	}
	int code = c->close;
	const char *why = c->why;
	bool more = c->first != NULL || code != 0;
	pthread_mutex_unlock(&c->server->lock);
	if (f != NULL) {
		rc = lws_write(wsi, f->bytes + LWS_PRE, f->n, LWS_WRITE_TEXT) < 0 ? -1 : 0;
		free(f);
		if (rc == 0 && more)
			lws_callback_on_writable(wsi);
	} else if (code != 0) {
		rc = close_now(wsi, code, why);
	}
	return rc;
}

/* A turn has put frames into queues. */
static void look_at_woken(struct server *s)
{
	pthread_mutex_lock(&s->lock);
	while (s->wake != NULL) {
		struct conn *c = s->wake;
		s->wake = c->wake;
		c->waking = false;
		lws_callback_on_writable(c->wsi);
		/* a reader that takes nothing does not take a close frame either */
		if (c->close != 0)
			lws_set_timeout(c->wsi, PENDING_TIMEOUT_CLOSE_SEND, SLOW_S);
	}
	pthread_mutex_unlock(&s->lock);
}

static int callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t n)
{
	struct server *s = lws_context_user(lws_get_context(wsi));
	struct session *session = user;
	/* libwebsockets has a hundred reasons; the others are its own affair */
	if (reason == LWS_CALLBACK_HTTP_CONFIRM_UPGRADE)
		return confirm(s, wsi);
	if (reason == LWS_CALLBACK_HTTP)          /* a plain request */
		return lws_return_http_status(wsi, 426, NULL) < 0 ? -1 : lws_http_transaction_completed(wsi);
	if (reason == LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION)
		session->conn = conn_new(s, wsi);
	else if (reason == LWS_CALLBACK_ESTABLISHED)
		opened(s, session);
	else if (reason == LWS_CALLBACK_RECEIVE)
		return received(session->conn, wsi, in, n);
	else if (reason == LWS_CALLBACK_SERVER_WRITEABLE)
		return writable(session->conn, wsi);
	else if (reason == LWS_CALLBACK_CLOSED || reason == LWS_CALLBACK_WSI_DESTROY)
		closed(s, session);
	else if (reason == LWS_CALLBACK_EVENT_WAIT_CANCELLED)
		look_at_woken(s);
	return 0;
}

static const struct lws_protocols protocols[] = {
	{ .name = "chat", .callback = callback, .per_session_data_size = sizeof(struct session),
	    .rx_buffer_size = 8192 },
	{ .name = NULL },
};

/* -- the loop -- */

static void library_log(int level, const char *line)
{
	log_msg(level == LLL_ERR ? LOG_ERROR : LOG_WARN, "gateway_library", "%.*s",
	    (int)strcspn(line, "\n"), line);
}

/* "unix:PATH", "HOST:PORT", "[::1]:PORT" */
static enum errcode listen_at(struct lws_context_creation_info *info, char *host, size_t room,
    const char *listen, struct err *e)
{
	long long port;
	if (starts_with(listen, "unix:")) {
		info->iface = listen + strlen("unix:");
		info->options |= LWS_SERVER_OPTION_UNIX_SOCK;
		return OK;
	}
	const char *colon = strrchr(listen, ':');
	if (colon == NULL || !str_to_int(colon + 1, &port) || port < 1 || port > 65535 ||
	    (size_t)(colon - listen) >= room)
		return err_set(e, ERR_CONFIG, "AVIATION_AGENT_WS_LISTEN: \"%.100s\" must be unix:PATH or HOST:PORT", listen);
	bool brackets = listen[0] == '[' && colon[-1] == ']';
	snprintf(host, room, "%.*s", (int)(colon - listen) - 2 * brackets, listen + brackets);
	info->iface = *host != '\0' ? host : NULL;
	info->port = (int)port;
	return OK;
}

static void close_all(struct server *s)
{
	pthread_mutex_lock(&s->lock);
	for (struct conn *c = s->all; c != NULL; c = c->after)
		close_with(c, CLOSE_GOING, "the gateway stops");
	pthread_mutex_unlock(&s->lock);
}

static size_t sockets(struct server *s)
{
	pthread_mutex_lock(&s->lock);
	size_t n = s->sockets;
	pthread_mutex_unlock(&s->lock);
	return n;
}

static void wait_for_threads(struct server *s)
{
	pthread_mutex_lock(&s->lock);
	while (s->threads > 0)
		pthread_cond_wait(&s->ended, &s->lock);
	pthread_mutex_unlock(&s->lock);
}

enum errcode server_run(const struct server_config *c, struct err *e)
{
	static const lws_retry_bo_t idle = { .secs_since_valid_ping = IDLE_PING_S,
		.secs_since_valid_hangup = IDLE_END_S };
	const struct sigaction action = { .sa_handler = on_signal };
	/* static: the last thread may still be leaving the lock when this function returns */
	static struct server s = { .lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER };
	struct lws_context_creation_info info = { .protocols = protocols, .user = &s, .max_http_header_data = HEADER_MAX, .retry_and_idle_policy = &idle,
		.server_string = "aviation-agent-ws", .timeout_secs = 15,
		.options = LWS_SERVER_OPTION_VALIDATE_UTF8 };
	char host[128];

	s.c = c;
	lws_set_log_level(LLL_ERR | LLL_WARN, library_log);
	enum errcode rc = listen_at(&info, host, sizeof(host), c->listen, e);
	if (rc != OK)
		return rc;
	mode_t mask = umask(0117);            /* a socket is for the group: 0660 */
	s.context = lws_create_context(&info);
	umask(mask);
	if (s.context == NULL)
		return err_set(e, ERR_IO, "%s: cannot be listened at: is it in use?", c->listen);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	log_msg(LOG_INFO, "gateway_ready", "listen=%s upstream=%s", c->listen, c->relay.upstream);
	while (!stopping && lws_service(s.context, 0) >= 0)
		;
	close_all(&s);
	for (int64_t until = clock_mono_ms() + STOP_MS; sockets(&s) > 0 && clock_mono_ms() < until;)
		lws_service(s.context, 0);
	/* closes the sockets that are left, so their turns end */
	close_all(&s);
	wait_for_threads(&s);
	lws_context_destroy(s.context);
	return OK;
}
