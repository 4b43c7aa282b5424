/*
 * Starting a child with posix_spawn(), which is safe in a process of many threads, and ending it.
 *
 * Libraries open sockets that are not close-on-exec. A child that inherited one would keep the
 * connection of a client open, so everything above the four descriptors that it gets is closed.
 */
#include "drivers/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/heap.h"
#include "drivers/child_minder.h"

enum {
	ARGS_MAX = 64,
	STEP_MS = 10,                 /* between two looks whether it has ended */
	/* a minder also waits before it sends SIGTERM, and ends what its child has left behind */
	MINDER_MS = CHILD_TERM_MS + 2000,
	KILLED_MS = 3000,             /* for the kernel to end a process after SIGKILL */
	FIRST_FD = 10,                /* above those that the child's ends are moved to */
};

struct pipe_pair { int ours, theirs; };

static void shut(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_pair(struct pipe_pair *p)
{
	shut(&p->ours);
	shut(&p->theirs);
}

/* `write`: we write into it. Their end lies above the descriptors it will be moved to. */
static bool open_pair(struct pipe_pair *p, bool write)
{
	int fd[2], high;

	if (pipe2(fd, O_CLOEXEC) != 0)
		return false;
	p->ours = fd[write];
	p->theirs = fd[!write];
	if ((high = fcntl(p->theirs, F_DUPFD_CLOEXEC, FIRST_FD)) < 0)
		return false;
	close(p->theirs);
	p->theirs = high;
	return fcntl(p->ours, F_SETFL, O_NONBLOCK) == 0;
}

/* What is run: the program itself, or its minder with the program as arguments. */
static const char *command(const struct child_config *c, const char *args[ARGS_MAX])
{
	size_t n = 0;

	if (c->minder != NULL) {
		args[n++] = CHILD_MINDER_NAME;
		args[n++] = CHILD_MINDER_FLAG;
		args[n++] = c->dir != NULL ? c->dir : "";
	}
	for (size_t i = 0; c->argv[i] != NULL && n < ARGS_MAX - 1; i++)
		args[n++] = c->argv[i];
	args[n] = NULL;
	return c->minder != NULL ? c->minder : c->argv[0];
}

static int spawn(pid_t *pid, const struct child_config *c, const struct pipe_pair pairs[4])
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	const char *args[ARGS_MAX];
	const char *program = command(c, args);
	sigset_t none, all;
	int rc;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attr);
	for (int i = 0; i < 4; i++)
		posix_spawn_file_actions_adddup2(&files, pairs[i].theirs, i);
	posix_spawn_file_actions_addclosefrom_np(&files, c->minder != NULL ? 4 : 3);
	if (c->minder == NULL && c->dir != NULL)
		posix_spawn_file_actions_addchdir_np(&files, c->dir);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setflags(&attr,
	    POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	/* the function does not change the texts, although its type says so */
	union { const char *const *ours; char *const *spawns; } argv = { args }, env = { c->env };
	rc = posix_spawnp(pid, program, &files, &attr, argv.spawns, env.spawns);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return rc;
}

enum errcode child_start(struct child *c, const struct child_config *config, struct err *e)
{
	struct pipe_pair pairs[4] = { { -1, -1 }, { -1, -1 }, { -1, -1 }, { -1, -1 } };
	bool opened = true;
	int rc = 0;

	*c = (struct child){ -1, -1, -1, -1, -1 };
	for (int i = 0; i < 4 && opened; i++)
		opened = open_pair(&pairs[i], i == 0 || i == 3);
	if (!opened)
		err_set(e, ERR_IO, "cannot make a pipe for a child process: %m");
	else if ((rc = spawn(&c->pid, config, pairs)) != 0)
		err_set(e, ERR_CONFIG, "%s cannot be started: %s", config->argv[0], strerrordesc_np(rc));
	if (!opened || rc != 0) {
		for (int i = 0; i < 4; i++)
			close_pair(&pairs[i]);
		return opened ? ERR_CONFIG : ERR_IO;
	}
	for (int i = 0; i < 4; i++)
		close(pairs[i].theirs);
	c->in = pairs[0].ours;
	c->out = pairs[1].ours;
	c->err = pairs[2].ours;
	c->life = pairs[3].ours;
	if (config->minder == NULL)
		shut(&c->life);
	return OK;
}

/* Wait until `until` for its end. */
static bool ended(struct child *c, int64_t until, int *status)
{
	for (;;) {
		pid_t pid = waitpid(c->pid, status, WNOHANG);
		if (pid == c->pid || (pid < 0 && errno != EINTR))
			return true;
		if (clock_mono_ms() >= until)
			return false;
		clock_sleep_ms(STEP_MS);
	}
}

int child_end(struct child *c, int64_t ms)
{
	const bool minded = c->life >= 0;
	int status = 0;

	shut(&c->in);
	bool gone = ended(c, clock_mono_ms() + ms, &status);
	shut(&c->life);
	if (!gone) {
		if (!minded)
			kill(-c->pid, SIGTERM);
		gone = ended(c, clock_mono_ms() + (minded ? MINDER_MS : CHILD_TERM_MS), &status);
	}
	if (!gone) {
		/* the child dies with its minder */
		kill(-c->pid, SIGKILL);
		ended(c, clock_mono_ms() + KILLED_MS, &status);
	}
	shut(&c->out);
	shut(&c->err);
	c->pid = -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
