/*
 * A child process that is spoken to through pipes, and that ends with this one.
 *
 * Between this process and its child stands a minder: the same program, started again with another
 * argument. The minder notices when this process is gone, however it ended, and then ends the
 * child and everything that the child has started. So nothing stays behind after a kill -9.
 */
#ifndef DRIVERS_CHILD_H
#define DRIVERS_CHILD_H

#include <stdint.h>
#include <sys/types.h>

#include "base/errs.h"

/* Of a program whose main() begins with child_minder(). */
#define CHILD_MINDER "/proc/self/exe"

struct child_config {
	const char *minder;           /* CHILD_MINDER; NULL: none, for a program that cannot be one */
	const char *const *argv;      /* no shell is involved; argv[0] is searched in PATH */
	const char *const *env;       /* "NAME=value", NULL at the end; nothing else is passed on */
	const char *dir;              /* its working directory; NULL: that of this process */
};

struct child {
	pid_t pid;                    /* of the minder, or of the child if there is none */
	int in, out, err;             /* our ends, non-blocking and close-on-exec; -1: closed */
	int life;                     /* its closing tells the minder to end the child; -1: no minder */
};

/* Start it, in a process group of its own, with default signals and no other open files. A program
 * that does not exist is told on `err`, or ERR_CONFIG where there is no minder. ERR_IO: pipes. */
enum errcode child_start(struct child *c, const struct child_config *config, struct err *e);
/* Close its input, wait up to `ms` for its end, then ask it to end (SIGTERM), and kill it five seconds
 * later. Returns its exit status, or -1 if a signal ended it. */
int child_end(struct child *c, int64_t ms);

/* Call this first in main(). It returns unless the process was started as a minder. */
void child_minder(int argc, char **argv);

#endif
