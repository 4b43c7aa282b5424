/*
 * A private redis-server for a test: on a Unix socket in a folder of its own, without saving, and
 * ended together with the test's process (even when that is killed).
 *
 *   struct redis_server r;
 *   if (!redis_start(&r, dir, NULL))
 *           test_skip("no redis-server");
 *   … r.url …
 *   redis_stop(&r);
 *
 * redis_freeze() and redis_kill() make it hang or die; redis_start() starts it again, empty.
 */
#ifndef TESTS_UNIT_REDIS_SERVER_H
#define TESTS_UNIT_REDIS_SERVER_H

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "tests/unit/test.h"

struct redis_server {
	pid_t pid;
	char sock[100];
	char url[128];
};

static inline bool redis_answers(const char *sock)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char reply[8] = "";
	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", sock);
	bool ok = connect(fd, (struct sockaddr *)&addr, sizeof(addr)) == 0 &&
	    write(fd, "PING\r\n", 6) == 6 && read(fd, reply, sizeof(reply)) > 0;
	close(fd);
	return ok;     /* -NOAUTH is an answer too */
}

/* `extra`: more options ("--maxmemory 2mb"), up to 24 words, or NULL. False: not installed. */
static inline bool redis_start(struct redis_server *r, const char *dir, const char *extra)
{
	char words[1024];
	const char *argv[40] = { "redis-server", "--port", "0", "--unixsocket", r->sock,
	    "--unixsocketperm", "600", "--save", "", "--appendonly", "no", "--dir", dir,
	    "--daemonize", "no" };
	size_t n = 15;

	snprintf(r->sock, sizeof(r->sock), "%s/redis.sock", dir);
	snprintf(r->url, sizeof(r->url), "unix://%s/redis.sock", dir);
	snprintf(words, sizeof(words), "%s", extra != NULL ? extra : "");
	for (char *save = NULL, *w = strtok_r(words, " ", &save); w != NULL && n < 39;
	    w = strtok_r(NULL, " ", &save))
		argv[n++] = w;
	argv[n] = NULL;
	unlink(r->sock);
	pid_t parent = getpid();
	r->pid = fork();
	cr_assert_geq(r->pid, 0, "fork");
	if (r->pid == 0) {
		int null = open("/dev/null", O_RDWR);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(0);
		dup2(null, 0);
		dup2(null, 1);
		dup2(null, 2);
		execvp(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	for (int i = 0; i < 1000; i++) {
		int status;

		if (redis_answers(r->sock))
			return true;
		if (waitpid(r->pid, &status, WNOHANG) == r->pid) {
			r->pid = 0;
			cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 127,
			    "redis-server ended at once");
			return false;
		}
		clock_sleep_ms(10);
	}
	cr_assert(false, "redis-server did not start within 10 s");
	return false;
}

static inline void redis_kill(struct redis_server *r)
{
	if (r->pid > 0) {
		kill(r->pid, SIGKILL);
		waitpid(r->pid, NULL, 0);
		r->pid = 0;
	}
}

static inline void redis_freeze(const struct redis_server *r, bool frozen)
{
	kill(r->pid, frozen ? SIGSTOP : SIGCONT);
}

static inline void redis_stop(struct redis_server *r)
{
	redis_kill(r);
	unlink(r->sock);
}

#endif
