/*
 * The handshake: whether a socket may be opened, and what is kept of its request.
 */
#include "gateway/server_private.h"

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

struct conn *conn_new(struct server *s, struct lws *wsi)
{
	struct conn *c = heap_new(sizeof(*c));
	c->server = s;
	c->wsi = wsi;
	c->holders = 1;
	c->agent = agent_of(wsi);
	c->authorization = authorization(wsi);
	c->cookie = header(wsi, WSI_TOKEN_HTTP_COOKIE);
	c->address = header(wsi, WSI_TOKEN_X_FORWARDED_FOR);
	c->end = &c->first;
	buf_init(&c->message, FRAME_MAX);
	return c;
}
