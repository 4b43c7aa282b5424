/*
 * Streamed turns for scripts/bench: keeps N of them open at once through the web server and
 * measures how long a token takes from the model to the reader.
 *
 *   stream_load URL STREAMS [--seconds S | --turns T] [--ramp MS] [--case NAME] [--tokens N]
 *               [--memory PID,…]
 *
 * The scripted provider (tests/double) writes into each token when it sent it ("t=<us of
 * CLOCK_MONOTONIC> "); here that is subtracted from the time at which the token was read. The
 * question names the case it is answered from. One thread, one epoll, little work a byte: what
 * this program uses of the processor is missing to those it measures.
 *
 * A turn that ends makes room for the next, on a new thread of conversation, until S seconds
 * have passed or T turns have begun. The first ones begin spread over --ramp, and tokens count
 * from its end on. A turn has failed without `event: done`, with `event: error`, when it is
 * degraded, or when it holds another number of tokens than --tokens; the first reason goes to
 * stderr.
 *
 * Prints one line, times of tokens and of the first message in us, memory in kB (0: not asked):
 *   RESULT turns failed seconds tokens p50 p99 max first_p50 own_cpu_ms before peak streaming
 * "before" and "peak" are the private memory of the pids at start and while the most streams had
 * begun to write, "streaming" is how many that were.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
	/* of a line of the stream; the rest of a longer one is ignored */
	LINE_KEPT = 4096,
	SILENCE_US = 30 * 1000000,  /* no byte on any stream for this long: the site is stuck */
	SAMPLE_US = 100 * 1000,     /* between two measurements of memory */
	PIDS_MAX = 64,
};

enum part { PART_HEAD, PART_SIZE, PART_DATA, PART_DATA_END, PART_REST };
enum kind { KIND_OTHER, KIND_MESSAGE, KIND_ERROR, KIND_DONE };

struct line {
	size_t n;
	char text[LINE_KEPT];
};

struct stream {
	int fd;                     /* -1: none */
	bool asked, answered, done;
	const char *wrong;          /* why the turn failed; NULL: it did not fail */
	enum part part;
	enum kind kind;             /* of the frame being read */
	size_t chunk;               /* bytes of it that are still to come */
	long tokens;
	int64_t asked_us;
	struct line frame, event;   /* a line of HTTP; a line of the stream */
};

struct samples {
	int64_t *v;
	size_t n, size;
};

static struct {
	struct sockaddr_in to;
	char request[512];
	size_t nrequest;
	int epoll;
	struct stream *streams;
	long nstreams, open, streaming, begun, turns, failed;
	/* the request */
	long max_turns, tokens;
	int64_t end_us, measure_us;
	pid_t pids[PIDS_MAX];
	int npids;
	/* the results */
	struct samples way, first;
	long all_tokens, before, peak, most;
} load;

static int64_t now_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void die(const char *what)
{
	fprintf(stderr, "stream_load: %s: %m\n", what);
	exit(1);
}

static void sample(struct samples *s, int64_t us)
{
	if (s->n == s->size) {
		s->size = s->size == 0 ? 1 << 16 : s->size * 2;
		s->v = realloc(s->v, s->size * sizeof(*s->v));
		if (s->v == NULL)
			die("memory");
	}
	s->v[s->n++] = us;
}

/* -- a turn --------------------------------------------------------------------- */

static void begin(struct stream *s)
{
	s->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (s->fd < 0)
		die("socket");
	if (connect(s->fd, (struct sockaddr *)&load.to, sizeof(load.to)) != 0
	    && errno != EINPROGRESS)
		die("connect");
	s->asked = s->answered = s->done = false;
	s->wrong = NULL;
	s->part = PART_HEAD;
	s->kind = KIND_OTHER;
	s->chunk = 0;
	s->tokens = 0;
	s->frame.n = s->event.n = 0;
	struct epoll_event ev = { .events = EPOLLOUT, .data.ptr = s };
	if (epoll_ctl(load.epoll, EPOLL_CTL_ADD, s->fd, &ev) != 0)
		die("epoll_ctl");
	load.open++;
	load.begun++;
}

static void finish(struct stream *s)
{
	if (s->wrong == NULL && !s->done)
		s->wrong = "the stream ended without done";
	if (s->wrong == NULL && load.tokens > 0 && s->tokens != load.tokens)
		s->wrong = "tokens are missing";
	if (s->wrong != NULL && load.failed++ == 0)
		fprintf(stderr, "stream_load: first failed turn: %s (%ld tokens)\n", s->wrong, s->tokens);
	load.turns++;
	load.all_tokens += s->tokens;
	load.streaming -= s->answered && !s->done;
	load.open--;
	close(s->fd);
	s->fd = -1;
}

static void ask(struct stream *s)
{
	/* a site that takes no connections cannot be measured, and the attempts would never end */
	if (send(s->fd, load.request, load.nrequest, MSG_NOSIGNAL) != (ssize_t)load.nrequest)
		die("the request cannot be sent");
	s->asked = true;
	s->asked_us = now_us();
	struct epoll_event ev = { .events = EPOLLIN, .data.ptr = s };
	if (epoll_ctl(load.epoll, EPOLL_CTL_MOD, s->fd, &ev) != 0)
		die("epoll_ctl");
}

/* -- the answer -------------------------------------------------------------------- */

/* Add the bytes that have come to a line, and move on. True: the line is complete. */
static bool take_line(struct line *l, const char **p, size_t *n)
{
	const char *end = memchr(*p, '\n', *n);
	size_t have = end != NULL ? (size_t)(end - *p) : *n;
	size_t room = LINE_KEPT - 1 - l->n, kept = have < room ? have : room;

	memcpy(l->text + l->n, *p, kept);
	l->n += kept;
	have += end != NULL;
	*p += have;
	*n -= have;
	if (end == NULL)
		return false;
	if (l->n > 0 && l->text[l->n - 1] == '\r')
		l->n--;
	l->text[l->n] = '\0';
	l->n = 0;
	return true;
}

/* A message: one token, or several that arrived together. */
static void take_message(struct stream *s, const char *text, int64_t now)
{
	if (!s->answered) {
		s->answered = true;
		load.streaming++;
		if (now >= load.measure_us)
			sample(&load.first, now - s->asked_us);
	}
	while ((text = strstr(text, "t=")) != NULL) {
		char *end;
		long long sent = strtoll(text += 2, &end, 10);
		if (end == text)
			continue;
		if (sent > now)
			s->wrong = "a token is dated in the future";
		s->tokens++;
		if (now >= load.measure_us)
			sample(&load.way, now - sent);
		text = end;
	}
}

static void take_event_line(struct stream *s, int64_t now)
{
	static const struct {
		const char *line;
		enum kind kind;
	} names[] = {
		{ "event: message", KIND_MESSAGE },
		{ "event: error", KIND_ERROR },
		{ "event: done", KIND_DONE },
	};
	const char *text = s->event.text;

	if (text[0] == 'e') {
		s->kind = KIND_OTHER;
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (strcmp(text, names[i].line) == 0)
				s->kind = names[i].kind;
	} else if (text[0] == 'd') {
		if (s->kind == KIND_MESSAGE) {
			take_message(s, text, now);
		} else if (s->kind == KIND_ERROR) {
			s->wrong = "event: error";
		} else if (s->kind == KIND_DONE) {
			load.streaming -= s->answered && !s->done;
			s->done = true;
			if (strstr(text, "\"degraded\": true") != NULL)
				s->wrong = "degraded";
		}
	}
}

static void take_bytes(struct stream *s, const char *p, size_t n, int64_t now)
{
	while (n > 0) {
		switch (s->part) {
		case PART_HEAD:
			if (!take_line(&s->frame, &p, &n))
				break;
			if (s->frame.text[0] == '\0')
				s->part = PART_SIZE;
			else if (strncmp(s->frame.text, "HTTP/", 5) == 0
			    && strncmp(s->frame.text, "HTTP/1.1 200 ", 13) != 0)
				s->wrong = "the status is not 200";
			break;
		case PART_SIZE:
			if (!take_line(&s->frame, &p, &n))
				break;
			s->chunk = strtoul(s->frame.text, NULL, 16);
			s->part = s->chunk > 0 ? PART_DATA : PART_REST;
			break;
		case PART_DATA: {
			size_t have = n < s->chunk ? n : s->chunk;
			s->chunk -= have;
			n -= have;
			while (have > 0)
				if (take_line(&s->event, &p, &have))
					take_event_line(s, now);
			if (s->chunk == 0)
				s->part = PART_DATA_END;
			break;
		}
		case PART_DATA_END:
			if (take_line(&s->frame, &p, &n))
				s->part = PART_SIZE;
			break;
		case PART_REST:
			n = 0;
			break;
		}
	}
}

static void readable(struct stream *s)
{
	static char buf[64 << 10];
	ssize_t n = read(s->fd, buf, sizeof(buf));

	if (n > 0) {
		take_bytes(s, buf, (size_t)n, now_us());
		return;
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n < 0)
		s->wrong = "the connection was cut";
	finish(s);
}

/* -- memory --------------------------------------------------------------------- */

/* Private memory of all pids in kB. */
static long memory(void)
{
	long sum = 0;
	for (int i = 0; i < load.npids; i++) {
		char path[64], line[256];
		snprintf(path, sizeof(path), "/proc/%d/status", (int)load.pids[i]);
		FILE *f = fopen(path, "r");
		if (f == NULL)
			die(path);
		while (fgets(line, sizeof(line), f) != NULL)
			if (strncmp(line, "RssAnon:", 8) == 0)
				sum += strtol(line + 8, NULL, 10);
		fclose(f);
	}
	return sum;
}

static void look_at_memory(void)
{
	if (load.npids == 0 || load.streaming == 0 || load.streaming < load.most)
		return;
	long kb = memory();
	if (load.streaming > load.most || kb > load.peak)
		load.peak = kb;
	load.most = load.streaming;
}

/* -- all of it ------------------------------------------------------------------ */

static void run(int64_t ramp_us)
{
	struct epoll_event events[256];
	int64_t start = now_us(), last = start, sampled = start;
	long next = 0;                        /* the first stream that has not begun yet */

	for (int64_t now = start;; now = now_us()) {
		bool more = load.max_turns > 0 ? load.begun < load.max_turns : now < load.end_us;
		for (; more && next < load.nstreams && now >= start + ramp_us * next / load.nstreams;
		     next++) {
			begin(&load.streams[next]);
			more = load.max_turns == 0 || load.begun < load.max_turns;
		}
		if (load.open == 0 && (!more || next == load.nstreams))
			return;
		if (now - sampled >= SAMPLE_US) {
			look_at_memory();
			sampled = now;
		}
		/* read the clock often only while something is due */
		bool due = (more && next < load.nstreams) || load.npids > 0;
		int n = epoll_wait(load.epoll, events, 256, due ? 1 : 1000);
		if (n < 0 && errno != EINTR)
			die("epoll_wait");
		if (n > 0)
			last = now;
		for (int i = 0; i < n; i++) {
			struct stream *s = events[i].data.ptr;
			if (!s->asked)
				ask(s);
			else
				readable(s);
			if (s->fd < 0 && (load.max_turns > 0 ? load.begun < load.max_turns
			                                     : now < load.end_us))
				begin(s);
		}
		if (now - last > SILENCE_US) {
			fprintf(stderr, "stream_load: nothing came for %d seconds on %ld streams\n",
			    SILENCE_US / 1000000, load.open);
			load.turns += load.open;
			load.failed += load.open;
			return;
		}
	}
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

static void sort(struct samples *s)
{
	if (s->n > 0)
		qsort(s->v, s->n, sizeof(*s->v), by_value);
}

/* The smallest value that is not exceeded by `percent` of all. */
static long long at(const struct samples *s, size_t percent)
{
	return s->n == 0 ? 0 : (long long)s->v[(s->n - 1) * percent / 100];
}

static long number(const char *text, long least, long most)
{
	char *end;
	long n = strtol(text, &end, 10);
	if (end == text || *end != '\0' || n < least || n > most) {
		fprintf(stderr, "stream_load: not a number from %ld to %ld: %s\n", least, most, text);
		exit(2);
	}
	return n;
}

static void take_pids(char *list)
{
	for (char *p = list, *next; p != NULL && load.npids < PIDS_MAX; p = next) {
		next = strchr(p, ',');
		if (next != NULL)
			*next++ = '\0';
		load.pids[load.npids++] = (pid_t)number(p, 1, INT32_MAX);
	}
}

static void take_url(const char *url, const char *script)
{
	char host[64], body[256];
	int port, used = 0;

	if (sscanf(url, "http://%63[0-9.]:%d%n", host, &port, &used) != 2 || url[used] != '\0'
	    || port < 1 || port > 65535 || inet_pton(AF_INET, host, &load.to.sin_addr) != 1) {
		fprintf(stderr, "stream_load: not http://ADDRESS:PORT: %s\n", url);
		exit(2);
	}
	load.to.sin_family = AF_INET;
	load.to.sin_port = htons((uint16_t)port);
	int n = snprintf(body, sizeof(body), "{\"messages\":[{\"role\":\"user\",\"content\":"
	    "\"Find airports between EGTF and LFMD [%.64s]\"}]}", script);
	n = snprintf(load.request, sizeof(load.request),
	    "POST /api/aviation-agent/chat/stream HTTP/1.1\r\nHost: %s:%d\r\n"
	    "Content-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s",
	    host, port, n, body);
	load.nrequest = (size_t)n;
}

int main(int argc, char **argv)
{
	long seconds = 5, ramp_ms = 0;
	const char *script = "";

	if (argc < 3 || argc % 2 == 0) {
		fprintf(stderr, "Usage: stream_load URL STREAMS [--seconds S | --turns T] [--ramp MS]"
		                " [--case NAME] [--tokens N] [--memory PID,…]\n");
		return 2;
	}
	load.nstreams = number(argv[2], 1, 100000);
	for (int i = 3; i + 1 < argc; i += 2) {
		if (strcmp(argv[i], "--seconds") == 0)
			seconds = number(argv[i + 1], 1, 3600);
		else if (strcmp(argv[i], "--turns") == 0)
			load.max_turns = number(argv[i + 1], 1, 100000000);
		else if (strcmp(argv[i], "--ramp") == 0)
			ramp_ms = number(argv[i + 1], 0, 60000);
		else if (strcmp(argv[i], "--case") == 0)
			script = argv[i + 1];
		else if (strcmp(argv[i], "--tokens") == 0)
			load.tokens = number(argv[i + 1], 0, 1000000);
		else if (strcmp(argv[i], "--memory") == 0)
			take_pids(argv[i + 1]);
		else {
			fprintf(stderr, "stream_load: unknown option %s\n", argv[i]);
			return 2;
		}
	}
	take_url(argv[1], script);
	struct rlimit files = { 0 };
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	load.streams = calloc((size_t)load.nstreams, sizeof(*load.streams));
	load.epoll = epoll_create1(EPOLL_CLOEXEC);
	if (load.streams == NULL || load.epoll < 0)
		die("start");
	for (long i = 0; i < load.nstreams; i++)
		load.streams[i].fd = -1;
	load.before = memory();
	int64_t start = now_us();
	load.end_us = start + seconds * 1000000;
	load.measure_us = start + ramp_ms * 1000;
	run(ramp_ms * 1000);
	double took = (double)(now_us() - start) / 1e6;

	struct rusage u;
	getrusage(RUSAGE_SELF, &u);
	long cpu_ms = (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000
	    + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1000;
	sort(&load.way);
	sort(&load.first);
	printf("RESULT %ld %ld %.3f %ld %lld %lld %lld %lld %ld %ld %ld %ld\n", load.turns,
	    load.failed, took, load.all_tokens, at(&load.way, 50), at(&load.way, 99),
	    at(&load.way, 100), at(&load.first, 50), cpu_ms, load.before, load.peak, load.most);
	free(load.way.v);
	free(load.first.v);
	free(load.streams);
	return 0;
}
