/*
 * A PDF may come from anywhere, and a reader of PDF is a large program. So it runs in a process of
 * its own, with limits, and is ended when it takes too long or writes too much.
 */
#include "knowledge/pdf_text.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

enum { PDF_MS = 30000, PDF_CPU_S = 20, PDF_MEMORY = 1 << 30, NO_RIGHTS = 126, NOT_FOUND = 127 };

enum { NOBODY = 65534 };              /* the user and the group that own nothing */

static void limit(int what, rlim_t most)
{
	const struct rlimit r = { most, most };
	(void)!setrlimit(what, &r);
}

/* A PDF that takes over its reader must not get the rights of root, now or by a set-uid program. */
static bool drop_rights(void)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return false;
	return geteuid() != 0 || (setgroups(0, NULL) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0 &&
	    setresuid(NOBODY, NOBODY, NOBODY) == 0);
}

/* In the new process: the file is its standard input. */
static _Noreturn void convert(int fd, int to)
{
	static char name[] = "pdftotext", quiet[] = "-q", enc[] = "-enc", utf8[] = "UTF-8", std[] = "-",
	    path[] = "PATH=/usr/local/bin:/usr/bin:/bin", lang[] = "LC_ALL=C";
	static char *const argv[] = { name, quiet, enc, utf8, std, std, NULL };
	static char *const env[] = { path, lang, NULL };
	int null = open("/dev/null", O_WRONLY);
	limit(RLIMIT_CPU, PDF_CPU_S);
	limit(RLIMIT_AS, PDF_MEMORY);
	limit(RLIMIT_FSIZE, 1 << 26);         /* it copies its input to a file for itself */
	limit(RLIMIT_CORE, 0);
	if (chdir("/") != 0 || !drop_rights())
		_exit(NO_RIGHTS);
	if (lseek(fd, 0, SEEK_SET) == 0 && dup2(fd, 0) == 0 && dup2(to, 1) == 1 && null >= 0 &&
	    dup2(null, 2) == 2 && close_range(3, ~0U, 0) == 0) {
		execve("/usr/bin/pdftotext", argv, env);
		execve("/usr/local/bin/pdftotext", argv, env);
	}
	_exit(NOT_FOUND);
}

/* False: it took too long, or wrote too much. */
static bool collect(int from, struct buf *out)
{
	int64_t until = clock_mono_ms() + PDF_MS;
	for (;;) {
		struct pollfd p = { .fd = from, .events = POLLIN };
		char part[65536];
		int64_t left = until - clock_mono_ms();
		int rc = left > 0 ? poll(&p, 1, (int)left) : 0;
		if (rc < 0 && errno == EINTR)
			continue;
		if (rc <= 0)
			return false;
		ssize_t n = read(from, part, sizeof(part));
		if (n <= 0)
			return n == 0;
		buf_put(out, part, (size_t)n);
		if (out->full)
			return false;
	}
}

const char *pdf_text(int fd, struct buf *out)
{
	int ends[2], status = 0;
	if (pipe2(ends, O_CLOEXEC) != 0)
		return "no pipe to pdftotext could be made";
	pid_t pid = fork();
	if (pid == 0)
		convert(fd, ends[1]);
	close(ends[1]);
	bool whole = pid > 0 && collect(ends[0], out);
	close(ends[0]);
	if (pid < 0)
		return "pdftotext could not be started";
	if (!whole)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!whole)
		return "pdftotext took more than 30 s, or wrote more than 8 MB";
	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_RIGHTS)
		return "pdftotext must not read it with the rights of root, and root cannot become the user nobody "
		    "here: run this command as another user";
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
		return "pdftotext is not installed: install the package poppler-utils";
	return status == 0 ? NULL : "pdftotext could not read it: it may be damaged or locked";
}
