/*
 * The minder of a child process.
 *
 * Descriptor 3 is a pipe that nobody writes into. Its other end is open as long as the parent lives
 * and wants the child, so a hang-up is the one sign for both. The minder is the reaper of what its
 * child leaves behind, so it can end a program that has left the child's process group too.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "drivers/child.h"
#include "drivers/child_minder.h"

enum {
	LIFE = 3,
	OWN_MS = 500,                 /* time to end by itself, once its input is closed */
	ROUNDS = 50,                  /* of ending what is left, 10 ms each */
	STEP_MS = 10,
};

static _Noreturn void run_child(const char *dir, char **argv)
{
	sigset_t none;

	sigemptyset(&none);
	setpgid(0, 0);
	/* if somebody kills the minder */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigprocmask(SIG_SETMASK, &none, NULL);
	close(LIFE);
	if (*dir != '\0' && chdir(dir) != 0)
		dprintf(STDERR_FILENO, "cannot change to the folder %s: %m\n", dir);
	else if (execvp(argv[0], argv) != 0)
		dprintf(STDERR_FILENO, "cannot start %s: %m\n", argv[0]);
	_exit(127);
}

/* Take the ends of all processes that have ended. True: the child is among them. */
static bool reap(pid_t child, int *status)
{
	bool found = false;
	int how;

	for (pid_t pid; (pid = waitpid(-1, &how, WNOHANG)) > 0;)
		if (pid == child) {
			*status = how;
			found = true;
		}
	return found;
}

static bool wait_child(pid_t child, int ms, int *status)
{
	for (int64_t until = clock_mono_ms() + ms;; clock_sleep_ms(STEP_MS)) {
		if (reap(child, status))
			return true;
		if (clock_mono_ms() >= until)
			return false;
	}
}

/* Processes that the child has started and left, which are now ours. */
static size_t kill_orphans(void)
{
	char path[64];
	size_t n = 0;
	int pid;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	FILE *f = fopen(path, "re");
	while (f != NULL && fscanf(f, "%d", &pid) == 1) {
		kill((pid_t)pid, SIGKILL);
		n++;
	}
	if (f != NULL)
		fclose(f);
	return n;
}

/* Wait until the child ends or the parent is gone. True: the child has ended. */
static bool watch_over(pid_t child, int signals, int *status)
{
	struct pollfd p[] = { { .fd = LIFE, .events = POLLIN }, { .fd = signals, .events = POLLIN } };
	struct signalfd_siginfo info;

	for (;;) {
		if (poll(p, 2, -1) < 0 && errno != EINTR)
			return false;
		if (p[0].revents != 0)
			return false;
		if (p[1].revents == 0 || read(signals, &info, sizeof(info)) != sizeof(info))
			continue;
		if (info.ssi_signo != SIGCHLD)
			return false;
		if (reap(child, status))
			return true;
	}
}

static int mind(const char *dir, char **argv)
{
	sigset_t set;
	int status = 0;

	prctl(PR_SET_NAME, "minder");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigfillset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	int signals = signalfd(-1, &set, SFD_CLOEXEC);
	pid_t child = fork();
	if (child == 0)
		run_child(dir, argv);
	if (child < 0 || signals < 0) {
		dprintf(STDERR_FILENO, "cannot start %s: %m\n", argv[0]);
		return 127;
	}
	/* its pipes are the child's alone, so that their ends are seen */
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	bool gone = watch_over(child, signals, &status) || wait_child(child, OWN_MS, &status);
	if (!gone) {
		kill(-child, SIGTERM);
		gone = wait_child(child, CHILD_TERM_MS, &status);
	}
	/* the rest of its group; if nobody is left in it, this does nothing */
	kill(-child, SIGKILL);
	for (int i = 0; i < ROUNDS; i++) {
		if (kill_orphans() == 0)
			break;
		clock_sleep_ms(STEP_MS);
		reap(child, &status);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void child_minder(int argc, char **argv)
{
	if (argc > 3 && strcmp(argv[1], CHILD_MINDER_FLAG) == 0)
		_exit(mind(argv[2], argv + 3));
}
