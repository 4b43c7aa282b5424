/*
 * The waiting room: who is let go, and who is kept, when it is full or time is over.
 */
#include "tests/unit/test.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "drivers/fcgi_room.h"

#define BEGIN "\1\1\0\1\0\10\0\0\0\1\0\0\0\0\0\0"
#define NO_MORE "\1\4\0\1\0\0\0\0"
#define EMPTY "\1\5\0\1\0\0\0\0"
#define BYTES(s) s, sizeof(s) - 1

static struct fcgi_room *room(int max, size_t bytes_max, size_t body_max, int64_t wait_ms)
{
	const struct fcgi_room_config c = { max, bytes_max, body_max, wait_ms };
	struct fcgi_room *r;
	struct err e;
	log_level_set("OFF");
	TEST_OK(fcgi_room_open(&r, &c, &e), e);
	return r;
}

/* A connection in the room; returns the web server's end. */
static int enter(struct fcgi_room *r, const char *p, size_t n)
{
	int fd[2];
	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	cr_assert_eq(write(fd[0], p, n), (ssize_t)n);
	fcgi_room_enter(r, fd[1]);
	return fd[0];
}

static bool is_closed(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLRDHUP };
	return poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLRDHUP)) != 0;
}

static struct fcgi_arrival *next(struct fcgi_room *r)
{
	struct fcgi_arrival *a = fcgi_room_first(r);
	if (a != NULL)
		fcgi_room_take(r);
	return a;
}

static void forget(struct fcgi_arrival *a)
{
	close(a->fd);
	fcgi_arrival_free(a);
}

TEST(fcgi_room, who_waits_longest_goes_first)
{
	struct fcgi_room *r = room(3, 1 << 20, 100, 60000);
	int fd[6];
	for (int i = 0; i < 5; i++)
		fd[i] = enter(r, BYTES(BEGIN));
	cr_assert_eq(fcgi_room_waiting(r), 3);
	for (int i = 0; i < 5; i++)
		cr_assert_eq(is_closed(fd[i]), i < 2, "connection %d", i);
	/* a whole request needs no place */
	fd[5] = enter(r, BYTES(BEGIN NO_MORE EMPTY));
	struct fcgi_arrival *a = next(r);
	cr_assert_not_null(a);
	cr_assert_eq(a->in.state, SCREEN_DONE);
	forget(a);
	for (int i = 2; i < 5; i++)
		cr_assert(!is_closed(fd[i]) || i == 2, "connection %d", i);
	fcgi_room_close(r);
	for (int i = 0; i < 6; i++)
		close(fd[i]);
}

TEST(fcgi_room, bytes_are_bounded)
{
	static const char body[] = BEGIN NO_MORE "\1\5\0\1\17\240\0\0";
	static const char x[3000];
	struct fcgi_room *r = room(100, 20000, 10000, 60000);
	int fd[10], closed = 0;
	for (int i = 0; i < 10; i++) {
		fd[i] = enter(r, body, sizeof(body) - 1);
		cr_assert_eq(write(fd[i], x, sizeof(x)), (ssize_t)sizeof(x));
		fcgi_room_work(r);
	}
	for (int i = 0; i < 10; i++)
		closed += is_closed(fd[i]);
	cr_assert(is_closed(fd[0]) && !is_closed(fd[9]));
	cr_assert(closed >= 4 && closed <= 7, "%d of 10 were closed", closed);
	fcgi_room_close(r);
	for (int i = 0; i < 10; i++)
		close(fd[i]);
}

/* Without a head there is nobody to answer; with one, the sender is told. */
TEST(fcgi_room, time_ends)
{
	struct fcgi_room *r = room(10, 1 << 20, 100, 50);
	int silent = enter(r, "", 0), begun = enter(r, BYTES(BEGIN));
	int body = enter(r, BYTES(BEGIN NO_MORE)), left = enter(r, BYTES(BEGIN));
	close(left);
	cr_assert_gt(fcgi_room_due(r), 0);
	fcgi_room_work(r);
	cr_assert_eq(fcgi_room_waiting(r), 3);
	cr_assert_null(fcgi_room_first(r));
	clock_sleep_ms(60);
	cr_assert_eq(fcgi_room_due(r), 0);
	fcgi_room_work(r);
	cr_assert(is_closed(silent) && is_closed(begun) && !is_closed(body));
	cr_assert_eq(fcgi_room_waiting(r), 0);
	cr_assert_eq(fcgi_room_due(r), -1);
	struct fcgi_arrival *a = next(r);
	cr_assert_not_null(a);
	cr_assert_eq(a->in.state, SCREEN_BODY);
	forget(a);
	fcgi_room_close(r);
	close(silent);
	close(begun);
	close(body);
}

/* Answered before it was read: it hears the answer's end, what it still sends is dropped. */
TEST(fcgi_room, leaving)
{
	static const char more[5000];
	struct fcgi_room *r = room(10, 1 << 20, 2, 50);
	int fd = enter(r, BYTES(BEGIN NO_MORE "\1\5\0\1\0\5\0\0" "abcde"));
	struct fcgi_arrival *a = next(r);
	cr_assert_not_null(a);
	cr_assert_eq(a->in.state, SCREEN_FULL);
	cr_assert_eq(write(a->fd, "answer", 6), 6);
	fcgi_room_leave(r, a);
	cr_assert_eq(fcgi_room_waiting(r), 0, "it is not waited for");
	for (int i = 0; i < 5; i++) {
		cr_assert_eq(write(fd, more, sizeof(more)), (ssize_t)sizeof(more));
		fcgi_room_work(r);
	}
	char got[16];
	cr_assert_eq(read(fd, got, sizeof(got)), 6);
	cr_assert_eq(read(fd, got, sizeof(got)), 0);
	clock_sleep_ms(60);
	fcgi_room_work(r);
	cr_assert_eq(send(fd, "x", 1, MSG_NOSIGNAL), -1, "after its time it is closed");
	fcgi_room_close(r);
	close(fd);
}
