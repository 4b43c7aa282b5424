/*
 * The loop: what libwebsockets calls, and the life of the gateway. The thread of a socket's turns is in
 * server_turn.c, the handshake in server_handshake.c.
 */
#include "gateway/server.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "gateway/server_private.h"

enum {
	SLOW_S = 10,                  /* for a slow reader to take the close frame */
	STOP_MS = 3000,               /* for the last frames when the gateway stops */
	IDLE_PING_S = 45, IDLE_END_S = 60,
	HEADER_MAX = 16384,
};

/* What libwebsockets keeps for each socket. */
struct session {
	struct conn *conn;
};

volatile sig_atomic_t server_stopping;

static void on_signal(int sig)
{
	server_stopping = sig;
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
	turn_start(c);
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
	conn_let_go(c);
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
			turn_start(c);
		}
		return;
	}
	conn_queue(c, answer, strlen(answer));
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
		c->queued -= frame_cost(f);
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
	/* libwebsockets calls for many more reasons; it handles the others itself */
	if (reason == LWS_CALLBACK_HTTP_CONFIRM_UPGRADE)
		return handshake_confirm(s, wsi);
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
		conn_close(c, CLOSE_GOING, "the gateway stops");
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
		return err_set(e, ERR_IO, "cannot listen at %s: is another program using it?", c->listen);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	log_msg(LOG_INFO, "gateway_ready", "listen=%s upstream=%s", c->listen, c->relay.upstream);
	while (!server_stopping && lws_service(s.context, 0) >= 0)
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
