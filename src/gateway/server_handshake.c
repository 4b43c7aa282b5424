/*
 * The handshake: whether a socket may be opened, and what is kept of its request.
 */
#include "gateway/server_private.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/heap.h"
#include "base/log.h"
#include "base/str.h"

enum {
	VALUE_MAX = 8192, ORIGIN_MAX = 512,
};

static char *header(struct lws *wsi, enum lws_token_indexes which)
{
	char value[VALUE_MAX];
	int n = lws_hdr_copy(wsi, value, sizeof(value), which);
	return n > 0 ? heap_dup(value) : NULL;
}

/* "https://site.example:8443" without what stands before the host. */
static bool same_host(const char *origin, const char *host)
{
	const char *at = strstr(origin, "://");
	return at != NULL && host != NULL && strieq(at + 3, host);
}

/* A browser names the page that opens the socket. Other programs name none and may connect. */
static bool origin_allowed(const struct server *s, struct lws *wsi)
{
	char origin[ORIGIN_MAX], host[ORIGIN_MAX];
	const char *list = s->c->origins;
	struct str part;
	if (lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) == 0)
		return true;
	if (lws_hdr_copy(wsi, origin, sizeof(origin), WSI_TOKEN_ORIGIN) <= 0)
		return false;
	if (list == NULL)
		return lws_hdr_copy(wsi, host, sizeof(host), WSI_TOKEN_HOST) > 0 && same_host(origin, host);
	while (str_part(&list, ',', &part))
		if (str_ieq(str_trim(part), origin) || str_eq(str_trim(part), "*"))
			return true;
	return false;
}

static const struct relay_agent *agent_of(struct lws *wsi)
{
	char path[64];
	return lws_hdr_copy(wsi, path, sizeof(path), WSI_TOKEN_GET_URI) > 0 ? relay_agent_at(path) : NULL;
}

static bool version_known(struct lws *wsi)
{
	char version[8];
	return lws_hdr_copy(wsi, version, sizeof(version), WSI_TOKEN_VERSION) > 0 && streq(version, "13");
}

int handshake_confirm(struct server *s, struct lws *wsi)
{
	const struct { bool wrong; unsigned int status; const char *why; } rows[] = {
		{ agent_of(wsi) == NULL, 404, "path" },
		{ !origin_allowed(s, wsi), 403, "origin" },
		{ !version_known(wsi), 426, "version" },
		{ server_stopping, 503, "stopping" },
		{ s->sockets >= (size_t)s->c->max_sockets, 503, "sockets" },
	};
	const char *why = "";
	unsigned int status = 0;

	for (size_t i = 0; status == 0 && i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].wrong) {
			status = rows[i].status;
			why = rows[i].why;
		}
	if (status == 0)
		return 0;
	log_msg(LOG_INFO, "gateway_refused", "status=%u why=%s", status, why);
	return lws_return_http_status(wsi, status, NULL) < 0 ? -1 : 1;
}

/* `?token=` counts if there is no Authorization. It is not logged. */
static char *authorization(struct lws *wsi)
{
	char token[VALUE_MAX];
	char *value = header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION);
	const char *at = value == NULL ? lws_get_urlarg_by_name(wsi, "token=", token, sizeof(token)) : NULL;
	if (at == NULL)
		return value;
	for (const char *p = at; *p != '\0'; p++)
		if ((unsigned char)*p <= ' ' || (unsigned char)*p >= 0x7f)
			return NULL;              /* it must not become another header */
	return heap_printf("Bearer %s", at);
}

/* Its address as text, or NULL for a Unix socket. *local: it is a program of this machine. */
static const char *peer_address(struct lws *wsi, char *text, socklen_t room, bool *local)
{
	struct sockaddr_storage peer;
	socklen_t n = sizeof(peer);
	*local = false;
	if (getpeername(lws_get_socket_fd(wsi), (struct sockaddr *)&peer, &n) != 0)
		return NULL;
	*local = peer.ss_family == AF_UNIX;
	if (peer.ss_family == AF_INET) {
		const struct in_addr *v4 = &((const struct sockaddr_in *)&peer)->sin_addr;
		*local = ntohl(v4->s_addr) >> 24 == 127;
		return inet_ntop(AF_INET, v4, text, room);
	}
	if (peer.ss_family == AF_INET6) {
		const struct in6_addr *v6 = &((const struct sockaddr_in6 *)&peer)->sin6_addr;
		bool mapped = IN6_IS_ADDR_V4MAPPED(v6);      /* an IPv4 client of a socket for both */
		*local = IN6_IS_ADDR_LOOPBACK(v6) || (mapped && v6->s6_addr[12] == 127);
		return mapped ? inet_ntop(AF_INET, &v6->s6_addr[12], text, room) :
		    inet_ntop(AF_INET6, v6, text, room);
	}
	return NULL;
}

/* The client's address, which limits go by. Only a web server on this machine may name another one than its own. */
static char *client_address(struct lws *wsi)
{
	char text[INET6_ADDRSTRLEN];
	bool local;
	const char *peer = peer_address(wsi, text, sizeof(text), &local);
	char *named = local ? header(wsi, WSI_TOKEN_X_FORWARDED_FOR) : NULL;
	return named != NULL || peer == NULL ? named : heap_dup(peer);
}

struct conn *conn_new(struct server *s, struct lws *wsi)
{
	struct conn *c = heap_new(sizeof(*c));
	c->server = s;
	c->wsi = wsi;
	c->holders = 1;
	c->agent = agent_of(wsi);
	c->authorization = authorization(wsi);
	c->cookie = header(wsi, WSI_TOKEN_HTTP_COOKIE);
	c->address = client_address(wsi);
	c->end = &c->first;
	buf_init(&c->message, FRAME_MAX);
	return c;
}
