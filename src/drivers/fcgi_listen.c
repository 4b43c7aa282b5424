/*
 * Where connections come from.
 *
 * A new worker must be able to take the place of one that is still serving. On a Unix path it binds
 * another name and renames that over the old one: there is always a socket at PATH, and the old
 * socket keeps what was queued on it. The file is not removed at exit, because a successor may take
 * the name between the question "is it still mine?" and unlink().
 */
#include "drivers/fcgi_listen.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/str.h"

enum { SYSTEMD_FD = 3, INHERITED_FD = 0 };

static bool is_listener(int fd)
{
	int yes = 0;
	socklen_t n = sizeof(yes);
	return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &yes, &n) == 0 && yes != 0;
}

static bool from_systemd(void)
{
	const char *pid = getenv("LISTEN_PID"), *fds = getenv("LISTEN_FDS");
	long long p = 0, n = 0;
	return pid != NULL && fds != NULL && str_to_int(pid, &p) && p == (long long)getpid()
	    && str_to_int(fds, &n) && n >= 1 && is_listener(SYSTEMD_FD);
}

/* Can only this host connect to it? */
static bool is_local(const struct sockaddr *sa)
{
	static const unsigned char mapped[13] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127 };
	if (sa->sa_family == AF_INET) {
		const struct sockaddr_in *in = (const struct sockaddr_in *)(const void *)sa;
		return ntohl(in->sin_addr.s_addr) >> 24 == 127;
	}
	if (sa->sa_family == AF_INET6) {
		const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)(const void *)sa;
		return IN6_IS_ADDR_LOOPBACK(&in->sin6_addr) ||
		    memcmp(&in->sin6_addr, mapped, sizeof(mapped)) == 0;
	}
	return sa->sa_family == AF_UNIX;
}

static enum errcode refuse_remote(const char *what, struct err *e)
{
	return err_set(e, ERR_CONFIG, "other hosts can reach %.60s, and a program that connects can "
	    "claim to be any user. Use unix:PATH or 127.0.0.1:PORT; or, if only your web servers "
	    "can reach it, set AVIATION_AGENT_ALLOW_REMOTE=yes", what);
}

static enum errcode prepare(int fd, bool remote, struct err *e)
{
	struct sockaddr_storage sa = { 0 };
	socklen_t n = sizeof(sa);
	if (getsockname(fd, (struct sockaddr *)&sa, &n) != 0)
		return err_set(e, ERR_IO, "listener (descriptor %d): %m", fd);
	if (!remote && !is_local((const struct sockaddr *)&sa))
		return refuse_remote("the inherited TCP socket", e);
	int fl = fcntl(fd, F_GETFL);
	if (fl < 0 || fcntl(fd, F_SETFL, fl | O_NONBLOCK) < 0
	    || fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
		return err_set(e, ERR_IO, "listener (descriptor %d): %m", fd);
	return OK;
}

static enum errcode listen_unix(int *out, const char *path, int backlog, struct err *e)
{
	struct sockaddr_un sa = { .sun_family = AF_UNIX };
	int fd = -1;
	bool bound = false;

	int n = snprintf(sa.sun_path, sizeof(sa.sun_path), "%s.%ld", path, (long)getpid());
	if (*path == '\0')
		return err_set(e, ERR_CONFIG, "unix: needs a path, as in unix:/run/agent/agent.sock");
	if (n < 0 || (size_t)n >= sizeof(sa.sun_path))
		return err_set(e, ERR_CONFIG, "unix:%s: path too long, at most %zu bytes", path,
		    sizeof(sa.sun_path) - 12);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0) {
		err_set(e, ERR_IO, "unix:%s: socket: %m", path);
		goto fail;
	}
	/* The temporary name holds our process id, so only a process with the same id that died
	 * here can have left it. */
	(void)unlink(sa.sun_path);
	/* No client may connect before the mode is right, whatever the umask is. */
	(void)fchmod(fd, 0600);
	if (bind(fd, (const struct sockaddr *)&sa, sizeof(sa)) < 0) {
		err_set(e, ERR_IO, "unix:%s: bind: %m; is the folder there and writable?", path);
		goto fail;
	}
	bound = true;
	if (chmod(sa.sun_path, 0660) < 0 || listen(fd, backlog) < 0) {
		err_set(e, ERR_IO, "unix:%s: listen: %m", path);
		goto fail;
	}
	if (rename(sa.sun_path, path) < 0) {
		err_set(e, ERR_IO, "unix:%s: rename from %s: %m", path, sa.sun_path);
		goto fail;
	}
	*out = fd;
	return OK;
fail:
	if (bound)
		(void)unlink(sa.sun_path);
	if (fd >= 0)
		(void)close(fd);
	return e != NULL ? e->code : ERR_IO;
}

static enum errcode listen_tcp(int *out, const char *address, int backlog, bool remote,
    struct err *e)
{
	const struct addrinfo hints = {
		.ai_family = AF_UNSPEC,
		.ai_socktype = SOCK_STREAM,
		.ai_flags = AI_PASSIVE | AI_NUMERICSERV,
	};
	struct addrinfo *list = NULL;
	const char *colon = strrchr(address, ':');
	char host[256];
	int fd = -1, yes = 1;

	size_t n = colon != NULL ? (size_t)(colon - address) : 0;
	const char *from = address;
	if (n >= 2 && from[0] == '[' && from[n - 1] == ']') {
		from++;
		n -= 2;
	}
	/* getaddrinfo() accepts any number as a port and keeps only its lower 16 bits */
	long long port = 0;
	if (n == 0 || n >= sizeof(host) || !str_to_int(colon + 1, &port) || port < 1 ||
	    port > 65535)
		return err_set(e, ERR_CONFIG,
		    "listen address \"%.100s\": expected unix:PATH or HOST:PORT, port 1 to 65535", address);
	memcpy(host, from, n);
	host[n] = '\0';

	int rc = getaddrinfo(host, colon + 1, &hints, &list);
	if (rc != 0)
		return err_set(e, ERR_CONFIG, "listen address \"%.100s\": %s", address,
		    gai_strerror(rc));
	for (const struct addrinfo *ai = list; ai != NULL && !remote; ai = ai->ai_next)
		if (!is_local(ai->ai_addr)) {
			freeaddrinfo(list);
			return refuse_remote(address, e);
		}
	for (const struct addrinfo *ai = list; ai != NULL && fd < 0; ai = ai->ai_next) {
		fd = socket(ai->ai_family, ai->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
		    ai->ai_protocol);
		if (fd < 0)
			continue;
		if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) < 0
		    || setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof(yes)) < 0
		    || bind(fd, ai->ai_addr, ai->ai_addrlen) < 0 || listen(fd, backlog) < 0) {
			int saved = errno;
			(void)close(fd);
			errno = saved;
			fd = -1;
		}
	}
	freeaddrinfo(list);
	if (fd < 0)
		return err_set(e, ERR_IO, "listen address \"%.100s\": %m", address);
	*out = fd;
	return OK;
}

enum errcode fcgi_listen(struct fcgi_listener *out, const char *address, int backlog, bool remote,
    struct err *e)
{
	enum errcode rc = OK;
	if (from_systemd()) {
		*out = (struct fcgi_listener){ SYSTEMD_FD, "systemd" };
		rc = prepare(out->fd, remote, e);
	} else if (is_listener(INHERITED_FD)) {
		*out = (struct fcgi_listener){ INHERITED_FD, "inherited" };
		rc = prepare(out->fd, remote, e);
	} else if (address == NULL || *address == '\0') {
		rc = err_set(e, ERR_CONFIG, "nothing to listen on, because no socket was inherited: "
		    "give --listen unix:PATH or --listen HOST:PORT");
	} else if (starts_with(address, "unix:")) {
		out->how = "unix";
		rc = listen_unix(&out->fd, address + strlen("unix:"), backlog, e);
	} else {
		out->how = "tcp";
		rc = listen_tcp(&out->fd, address, backlog, remote, e);
	}
	return rc;
}
