/*
 * The thread of a socket: it checks the token, answers the messages that came meanwhile, and ends.
 */
#include "gateway/server_private.h"

#include "base/log.h"
#include "base/thread.h"

enum {
	LOOK_MS = 100,                /* between a socket's end and that of its turn */
};

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
	bool there = conn_queue(c, text, n);
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
		conn_close(c, rc == ERR_INPUT ? CLOSE_POLICY : CLOSE_FAILED,
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
		conn_close(c, CLOSE_POLICY, "sign in");
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
	conn_let_go(c);
	s->threads--;
	pthread_cond_broadcast(&s->ended);
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

void turn_start(struct conn *c)
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
	conn_close(c, CLOSE_FAILED, "no thread");
}
