/*
 * The server: one thread, one epoll, a heap of deadlines.
 *
 * A connection reads a request, gets a reply, and then mostly waits: for the reply's next deadline,
 * for room to write, or for the reader to leave, which it notices at any time because it never
 * stops reading. The deadlines are a heap, and the earliest one sets the one timer (a timerfd,
 * which counts microseconds where epoll's own timeout counts milliseconds). Each piece is due a
 * fixed time after the one before it was due, so that delays do not add up.
 */
#include "double.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum {
	OUT_MAX = 64 << 10,          /* most bytes that wait for a slow reader */
	EVENTS = 256,
};

enum phase { PHASE_IDLE, PHASE_HEAD, PHASE_BODY, PHASE_SENT, PHASE_STALLED };
enum ending { ENDING_NONE, ENDING_CLOSE, ENDING_RESET };

struct conn {
	struct conn *next, **link;
	int fd;
	int64_t number, requests;    /* since the start, counted from 1; on this connection */
	bool continued, writing;     /* told to go on; waits for room */
	int64_t begun_us;            /* first byte of the request that is being read */
	struct text in, out;
	size_t sent;                 /* bytes of out that were sent */
	enum phase phase;
	enum ending ending;          /* to be done when out is sent */
	bool keep;
	struct speech speech;
	int64_t request, due_us;
	size_t at;                   /* place in the heap, from 1; 0: not there */
};

static struct {
	int epoll, listener, timer, signals;
	struct conn *conns;
	struct conn **heap;          /* heap[1] is due first */
	size_t nheap, room;
	int64_t armed_us;
	FILE *log;
	int64_t connections, open, requests, active, peak, reused;
} server;

static int64_t now_us(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* -- deadlines --------------------------------------------------------------------- */

static void place(size_t i, struct conn *c)
{
	server.heap[i] = c;
	c->at = i;
}

static void settle(size_t i, struct conn *c)
{
	while (i > 1 && server.heap[i / 2]->due_us > c->due_us) {
		place(i, server.heap[i / 2]);
		i /= 2;
	}
	for (;;) {
		size_t k = 2 * i;
		if (k < server.nheap && server.heap[k + 1]->due_us < server.heap[k]->due_us)
			k++;
		if (k > server.nheap || server.heap[k]->due_us >= c->due_us)
			break;
		place(i, server.heap[k]);
		i = k;
	}
	place(i, c);
}

static void forget(struct conn *c)
{
	size_t i = c->at;

	if (i == 0)
		return;
	struct conn *last = server.heap[server.nheap--];
	c->at = 0;
	if (last != c)
		settle(i, last);
}

static void expect(struct conn *c)
{
	if (c->at == 0) {
		if (server.nheap + 2 > server.room) {
			server.room = server.room * 2 + 64;
			server.heap = must(realloc(server.heap, server.room * sizeof(struct conn *)));
		}
		place(++server.nheap, c);
	}
	settle(c->at, c);
}

static void arm(void)
{
	int64_t due = server.nheap > 0 ? server.heap[1]->due_us : 0;

	if (due == server.armed_us)
		return;
	server.armed_us = due;
	struct itimerspec at = { .it_value = { due / 1000000, due % 1000000 * 1000 } };
	if (timerfd_settime(server.timer, TFD_TIMER_ABSTIME, &at, NULL) != 0)
		die("timerfd_settime");
}

/* -- log --------------------------------------------------------------------------- */

/* A line about a connection; `o` gives further members and is consumed. */
static void note(const struct conn *c, const char *event, struct json_object *o)
{
	if (server.log == NULL) {
		json_object_put(o);
		return;
	}
	if (o == NULL)
		o = json_object_new_object();
	json_object_object_add(o, "event", json_object_new_string(event));
	json_object_object_add(o, "at", json_object_new_int64(now_us()));
	json_object_object_add(o, "conn", json_object_new_int64(c->number));
	fprintf(server.log, "%s\n", json_object_to_json_string_ext(o,
	    JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
}

static void note_end(const struct conn *c, const char *event, const char *by)
{
	struct json_object *o = json_object_new_object();

	if (c->phase != PHASE_IDLE) {
		json_object_object_add(o, "request", json_object_new_int64(c->request));
		json_object_object_add(o, "pieces", json_object_new_int64((int64_t)c->speech.next));
	}
	if (by != NULL)
		json_object_object_add(o, "by", json_object_new_string(by));
	note(c, event, o);
}

/* -- connections --------------------------------------------------------------------- */

static void end_reply(struct conn *c)
{
	if (c->phase != PHASE_IDLE)
		server.active--;
	c->phase = PHASE_IDLE;
	speech_end(&c->speech);
}

static void drop(struct conn *c, const char *by)
{
	note_end(c, "closed", by);
	end_reply(c);
	forget(c);
	close(c->fd);
	*c->link = c->next;
	if (c->next != NULL)
		c->next->link = c->link;
	server.open--;
	text_free(&c->in);
	text_free(&c->out);
	free(c);
}

static void listen_for(struct conn *c, bool writing)
{
	if (c->writing == writing)
		return;
	c->writing = writing;
	struct epoll_event e = { .events = EPOLLIN | (writing ? EPOLLOUT : 0), .data.ptr = c };
	if (epoll_ctl(server.epoll, EPOLL_CTL_MOD, c->fd, &e) != 0)
		die("epoll_ctl");
}

/* False: the connection is gone. */
static bool flush(struct conn *c)
{
	while (c->sent < c->out.n) {
		ssize_t n = send(c->fd, c->out.p + c->sent, c->out.n - c->sent, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN) {
			listen_for(c, true);
			return true;
		}
		if (n < 0) {
			drop(c, "peer");
			return false;
		}
		c->sent += (size_t)n;
	}
	c->out.n = c->sent = 0;
	listen_for(c, false);
	if (c->ending == ENDING_NONE)
		return true;
	struct linger hard = { .l_onoff = 1 };
	if (c->ending == ENDING_RESET)
		setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
	drop(c, "us");
	return false;
}

/* Begin the fault in the reply of c. */
static void fault(struct conn *c)
{
	const struct reply *r = c->speech.reply;

	c->phase = PHASE_SENT;
	switch (r->fault) {
	case FAULT_STALL:
		c->phase = PHASE_STALLED;
		break;
	case FAULT_GARBAGE:
		text_put(&c->out, r->body != NULL ? r->body : "\x05\x01 no HTTP\r\n",
		    r->body != NULL ? r->nbody : 12);
		c->ending = ENDING_CLOSE;
		break;
	case FAULT_END:
	case FAULT_ERROR:
		speech_fault(&c->speech, r->fault, &c->out);
		if (!c->speech.chunked)
			c->ending = ENDING_CLOSE;
		break;
	case FAULT_CLOSE:
		c->ending = ENDING_CLOSE;
		break;
	case FAULT_RESET:
		c->ending = ENDING_RESET;
		break;
	case FAULT_NONE:
	case FAULT__MAX:
		break;
	}
}

static int64_t position(const struct conn *c)
{
	return c->phase == PHASE_HEAD ? AFTER_REQUEST : c->speech.next == 0 ? AFTER_HEAD
	    : (int64_t)c->speech.next;
}

/* Take the next step of a reply that is due, and set when the next one is. */
static void step(struct conn *c)
{
	const struct reply *r = c->speech.reply;

	if (r->fault != FAULT_NONE && r->after == position(c)) {
		fault(c);
		return;
	}
	if (c->phase == PHASE_HEAD) {
		speech_head(&c->speech, c->keep, &c->out);
		c->phase = PHASE_BODY;
		c->due_us += r->first_ms * 1000;
	} else {
		bool more = speech_piece(&c->speech, now_us(), &c->out);
		c->due_us += (speech_cut(&c->speech) ? r->chop_ms : r->every_ms) * 1000;
		if (!more)
			c->phase = PHASE_SENT;
	}
	if (r->fault != FAULT_NONE && r->after == position(c))
		c->due_us += r->fault_ms * 1000;
}

static void take_requests(struct conn *c);

static void finish(struct conn *c)
{
	note_end(c, "reply", NULL);
	if ((!c->keep || c->speech.reply->hangup) && c->ending == ENDING_NONE)
		c->ending = ENDING_CLOSE;
	end_reply(c);
	if (flush(c))
		take_requests(c);
}

static bool speaks(const struct conn *c)
{
	return c->phase == PHASE_HEAD || c->phase == PHASE_BODY;
}

/* Continue the reply of c as far as time and room allow. c may be gone afterwards. */
static void speak(struct conn *c)
{
	while (speaks(c)) {
		int64_t now = now_us();
		if (c->due_us > now) {
			expect(c);
			return;
		}
		/* pieces that are due together are sent together, except for slices, which are cut
		 * on purpose */
		do
			step(c);
		while (speaks(c) && c->due_us <= now && c->out.n < OUT_MAX && !speech_cut(&c->speech));
		if (c->phase == PHASE_SENT) {
			forget(c);
			finish(c);
			return;
		}
		if (!flush(c))
			return;
		if (c->writing || c->phase == PHASE_STALLED) {
			forget(c);
			return;
		}
	}
}

/* -- requests --------------------------------------------------------------------- */

static void note_request(const struct conn *c, const struct request *r, const struct http *h,
    const struct choice *choice)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "request", json_object_new_int64(c->request));
	json_object_object_add(o, "nth", json_object_new_int64(c->requests));
	json_object_object_add(o, "begun", json_object_new_int64(c->begun_us));
	json_object_object_add(o, "active", json_object_new_int64(server.active));
	json_object_object_add(o, "method", json_object_new_string(h->method));
	json_object_object_add(o, "path", json_object_new_string(h->path));
	json_object_object_add(o, "kind", json_object_new_string(kind_names[r->kind]));
	json_object_object_add(o, "case", json_object_new_string(choice->script));
	json_object_object_add(o, "list", json_object_new_int(choice->list));
	json_object_object_add(o, "reply", json_object_new_int(choice->nth));
	json_object_object_add(o, "status", json_object_new_int(choice->status));
	json_object_object_add(o, "headers", json_object_get(h->fields));
	json_object_object_add(o, "bytes", json_object_new_int64((int64_t)h->body.n));
	if (r->raw != NULL)
		json_object_object_add(o, "chat", json_object_get(r->body));
	json_object_object_add(o, "body", r->raw != NULL ? json_object_get(r->raw)
	    : r->body != NULL ? json_object_get(r->body)
	    : json_object_new_string_len(h->body.n > 0 ? h->body.p : "", (int)h->body.n));
	note(c, "request", o);
}

static void choose_stats(struct choice *out)
{
	*out = (struct choice){ .status = 200, .script = "", .list = -1, .nth = -1 };
	text_printf(&out->body, "{\"connections\":%lld,\"open\":%lld,\"requests\":%lld,\"reused\":%lld,"
	    "\"active\":%lld,\"peak\":%lld}", (long long)server.connections, (long long)server.open,
	    (long long)server.requests, (long long)server.reused, (long long)server.active,
	    (long long)server.peak);
}

static void answer(struct conn *c, const struct http *h)
{
	struct request r = { .path = h->path, .key = http_field(h, "authorization") };
	struct choice choice;

	r.key += strncmp(r.key, "Bearer ", 7) == 0 ? 7 : 0;
	r.body = h->body.n > 0 ? json_tokener_parse(h->body.p) : NULL;
	request_translate(&r, h);
	request_read(&r);
	if (strcmp(r.path, "/double/stats") == 0)
		choose_stats(&choice);
	else {
		script_choose(&r, &choice);
		c->request = ++server.requests;
		server.reused += ++c->requests > 1;
		if (server.active + 1 > server.peak)
			server.peak = server.active + 1;
	}
	server.active++;
	c->keep = strcasecmp(http_field(h, "connection"), "close") != 0 &&
	    (choice.reply == NULL || !choice.reply->close);
	if (server.log != NULL)
		note_request(c, &r, h, &choice);
	speech_start(&c->speech, c->request, &r, &choice);
	c->phase = PHASE_HEAD;
	c->due_us = now_us() + c->speech.reply->head_ms * 1000;
	if (c->speech.reply->fault != FAULT_NONE && c->speech.reply->after == AFTER_REQUEST)
		c->due_us += c->speech.reply->fault_ms * 1000;
	text_free(&choice.body);
	json_object_put(r.body);
	json_object_put(r.raw);
}

/* Answer the requests that have been read, one after another. c may be gone afterwards. */
static void take_requests(struct conn *c)
{
	struct http h;
	bool hundred;

	if (c->phase != PHASE_IDLE || c->ending != ENDING_NONE)
		return;
	int rc = http_read(&h, c->in.p, c->in.n, &hundred);
	if (rc > 0) {
		c->in.n -= h.length;
		memmove(c->in.p, c->in.p + h.length, c->in.n + 1);
		c->continued = false;
		answer(c, &h);
		http_release(&h);
		speak(c);
		return;
	}
	if (hundred && !c->continued) {
		c->continued = true;
		text_puts(&c->out, "HTTP/1.1 100 Continue\r\n\r\n");
	}
	if (rc < 0) {
		text_puts(&c->out, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n"
		    "Connection: close\r\n\r\n");
		c->ending = ENDING_CLOSE;
	}
	(void)flush(c);
}

static void readable(struct conn *c)
{
	char piece[64 << 10];

	for (;;) {
		ssize_t n = recv(c->fd, piece, sizeof(piece), 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			break;
		if (n <= 0) {
			drop(c, "peer");
			return;
		}
		if (c->in.n == 0)
			c->begun_us = now_us();
		text_put(&c->in, piece, (size_t)n);
		if (c->in.n > (size_t)HEAD_MAX + 2 * BODY_MAX) {
			drop(c, "us");
			return;
		}
		if ((size_t)n < sizeof(piece))
			break;
	}
	take_requests(c);
}

static void welcome(void)
{
	int yes = 1;

	for (;;) {
		int fd = accept4(server.listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd < 0)
			return;
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
		struct conn *c = must(calloc(1, sizeof(*c)));
		c->fd = fd;
		c->number = ++server.connections;
		server.open++;
		c->next = server.conns;
		c->link = &server.conns;
		if (c->next != NULL)
			c->next->link = &c->next;
		server.conns = c;
		struct epoll_event e = { .events = EPOLLIN, .data.ptr = c };
		if (epoll_ctl(server.epoll, EPOLL_CTL_ADD, fd, &e) != 0)
			die("epoll_ctl");
		note(c, "open", NULL);
	}
}

static void serve(void)
{
	struct epoll_event events[EVENTS];

	for (;;) {
		arm();
		int n = epoll_wait(server.epoll, events, EVENTS, -1);
		if (n < 0 && errno != EINTR)
			die("epoll_wait");
		for (int i = 0; i < n; i++) {
			struct conn *c = events[i].data.ptr;
			if (events[i].data.ptr == &server.signals)
				return;
			if (events[i].data.ptr == &server.listener)
				welcome();
			else if (events[i].data.ptr == &server.timer)
				/* the timer must be set again, or it keeps firing */
				server.armed_us = -1;
			else if (events[i].events & ~(unsigned)EPOLLOUT)
				readable(c);
			else if (flush(c) && !c->writing)
				speak(c);
		}
		for (int64_t now = now_us(); server.nheap > 0 && server.heap[1]->due_us <= now;)
			speak(server.heap[1]);
	}
}

/* -- start -------------------------------------------------------------------------- */

static void watch(int fd, int *which)
{
	struct epoll_event e = { .events = EPOLLIN, .data.ptr = which };

	*which = fd;
	if (fd < 0 || epoll_ctl(server.epoll, EPOLL_CTL_ADD, fd, &e) != 0)
		die("provider: start");
}

static void start(int port)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port),
		.sin_addr = { htonl(INADDR_LOOPBACK) } };
	struct rlimit files;
	socklen_t len = sizeof(at);
	sigset_t set;
	int yes = 1;

	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	server.epoll = epoll_create1(EPOLL_CLOEXEC);
	watch(signalfd(-1, &set, SFD_CLOEXEC), &server.signals);
	watch(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK), &server.timer);

	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) != 0 ||
	    bind(fd, (const struct sockaddr *)&at, len) != 0 || listen(fd, 4096) != 0 ||
	    getsockname(fd, (struct sockaddr *)&at, &len) != 0)
		die("provider: listen");
	watch(fd, &server.listener);
	printf("%d\n", ntohs(at.sin_port));
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int port = 0, i = 1;

	for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
		if (strcmp(argv[i], "--port") == 0)
			port = (int)strtol(argv[i + 1], NULL, 10);
		else if (strcmp(argv[i], "--log") != 0)
			break;
		else if ((server.log = fopen(argv[i + 1], "ae")) == NULL)
			die(argv[i + 1]);
		else       /* the line about a reply is in the log before the reply is sent */
			setvbuf(server.log, NULL, _IOLBF, 1 << 16);
	}
	if (i >= argc || strncmp(argv[i], "--", 2) == 0) {
		fprintf(stderr, "usage: provider [--port N] [--log FILE] CASE.json...\n");
		return 2;
	}
	for (; i < argc; i++)
		script_load(argv[i]);
	start(port);
	serve();
	while (server.conns != NULL)
		drop(server.conns, "us");
	if (server.log != NULL)
		fclose(server.log);
	return 0;
}
