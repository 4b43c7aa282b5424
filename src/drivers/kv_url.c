/*
 * Redis URLs, read left to right: scheme, userinfo, hosts or path, database.
 *
 * The text holds a password, so messages name the part that is wrong and never quote it.
 */
#include "drivers/kv_url.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/url.h"

enum {
	PORT_REDIS = 6379,
	PORT_SENTINEL = 26379,
	DB_MAX = 1 << 20,
};

static const struct {
	const char *prefix;
	enum kv_kind kind;
	bool tls;
} schemes[] = {
	{ "redis://", KV_TCP, false },
	{ "rediss://", KV_TCP, true },
	{ "unix://", KV_UNIX, false },
	{ "sentinel://", KV_SENTINEL, false },
	{ "sentinels://", KV_SENTINEL, true },
	{ "cluster://", KV_CLUSTER, false },
	{ "clusters://", KV_CLUSTER, true },
};

static enum errcode wrong(struct err *e, const char *why)
{
	return err_set(e, ERR_CONFIG, "REDIS_URL: %s (redis://[[user]:password@]host[:port][/db], "
	    "unix:///path[?db=N], sentinel://host,host/master[/db] or cluster://host,host)", why);
}

static bool copy(char *dst, size_t size, struct str s)
{
	if (s.n >= size || memchr(s.p, '\0', s.n) != NULL)
		return false;
	memcpy(dst, s.p, s.n);
	dst[s.n] = '\0';
	return true;
}

/* The text before `c`; `c` is removed too. All of the text if there is no `c`. */
static struct str take(struct str *rest, char c)
{
	const char *at = rest->n > 0 ? memchr(rest->p, c, rest->n) : NULL;
	struct str head = *rest;

	if (at == NULL) {
		*rest = (struct str){ rest->p + rest->n, 0 };
		return head;
	}
	head.n = (size_t)(at - rest->p);
	rest->n -= head.n + 1;
	rest->p = at + 1;
	return head;
}

static bool number(struct str s, int lo, int hi, int *out)
{
	int v = 0;

	if (s.n == 0 || s.n > 9)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
		v = v * 10 + (s.p[i] - '0');
	}
	*out = v;
	return v >= lo && v <= hi;
}

static bool userinfo(struct kv_url *u, struct str *rest)
{
	const char *at = NULL;

	/* the last '@' before the path, because a password may contain an '@' that is not
	 * encoded */
	for (size_t i = 0; i < rest->n && rest->p[i] != '/'; i++)
		if (rest->p[i] == '@')
			at = rest->p + i;
	if (at == NULL)
		return true;
	struct str info = { rest->p, (size_t)(at - rest->p) };
	rest->n -= info.n + 1;
	rest->p = at + 1;
	struct str user = take(&info, ':');
	return url_decode(u->user, sizeof(u->user), user, false) &&
	    url_decode(u->password, sizeof(u->password), info, false) && u->password[0] != '\0';
}

static bool host(struct kv_host *h, struct str s, int port)
{
	struct str name;

	h->port = port;
	if (s.n > 0 && s.p[0] == '[') {
		s.p++;
		s.n--;
		if (memchr(s.p, ']', s.n) == NULL)
			return false;
		name = take(&s, ']');
		if (s.n > 0 && (s.p[0] != ':' || !number((struct str){ s.p + 1, s.n - 1 }, 1, 65535,
		    &h->port)))
			return false;
	} else {
		const char *colon = s.n > 0 ? memchr(s.p, ':', s.n) : NULL;

		name = take(&s, ':');
		if (colon != NULL && !number(s, 1, 65535, &h->port))
			return false;
	}
	return name.n > 0 && copy(h->name, sizeof(h->name), name);
}

static enum errcode parse_unix(struct kv_url *u, struct str rest, struct err *e)
{
	struct str path = take(&rest, '?');

	if (path.n == 0 || path.p[0] != '/' || !copy(u->path, sizeof(u->path), path))
		return wrong(e, "the socket's path must be absolute and shorter than 108 bytes");
	if (rest.n > 0 && (rest.n < 3 || memcmp(rest.p, "db=", 3) != 0 ||
	    !number((struct str){ rest.p + 3, rest.n - 3 }, 0, DB_MAX, &u->db)))
		return wrong(e, "after '?' only db=<number> may follow");
	snprintf(u->where, sizeof(u->where), "redis at %s", u->path);
	return OK;
}

/* ca=FILE&name=NAME… */
static bool tls_options(struct kv_url *u, struct str query)
{
	const struct {
		const char *name;
		char *value;
		size_t size;
	} rows[] = {
		{ "ca", u->ca, sizeof(u->ca) },
		{ "cert", u->cert, sizeof(u->cert) },
		{ "key", u->key, sizeof(u->key) },
		{ "name", u->tls_name, sizeof(u->tls_name) },
	};

	while (query.n > 0) {
		struct str value = take(&query, '&'), name = take(&value, '=');
		bool known = false;

		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
			if (str_eq(name, rows[i].name) && value.n > 0)
				known = url_decode(rows[i].value, rows[i].size, value, false);
		if (!known)
			return false;
	}
	return (u->cert[0] == '\0') == (u->key[0] == '\0');
}

static enum errcode parse_hosts(struct kv_url *u, struct str query, struct err *e)
{
	struct str rest = take(&query, '?');

	if (query.n > 0 && (!u->tls || !tls_options(u, query)))
		return wrong(e, u->tls ? "after '?' only ca=, cert= with key=, and name= may follow" :
		    "only a URL with TLS (rediss://) may have something after '?'");
	struct str hosts = take(&rest, '/');
	int port = u->kind == KV_SENTINEL ? PORT_SENTINEL : PORT_REDIS;

	do {
		if (u->nhosts == (u->kind == KV_TCP ? 1 : KV_HOSTS_MAX))
			return wrong(e, "too many hosts");
		if (!host(&u->host[u->nhosts++], take(&hosts, ','), port))
			return wrong(e, "a host or port is missing or malformed");
	} while (hosts.n > 0);
	if (u->kind == KV_SENTINEL) {
		struct str master = take(&rest, '/');

		if (master.n == 0 || !copy(u->master, sizeof(u->master), master))
			return wrong(e, "the master's name must follow the sentinels");
		snprintf(u->where, sizeof(u->where), "redis master %.100s (sentinel %.150s)",
		    u->master, u->host[0].name);
	} else {
		snprintf(u->where, sizeof(u->where), "redis%s at %s:%d",
		    u->kind == KV_CLUSTER ? " cluster" : "", u->host[0].name, u->host[0].port);
	}
	if (rest.n > 0 && !number(rest, 0, u->kind == KV_CLUSTER ? 0 : DB_MAX, &u->db))
		return wrong(e, u->kind == KV_CLUSTER ? "a cluster has no databases" :
		    "the database after the last '/' must be a number");
	return OK;
}

enum errcode kv_url_parse(struct kv_url *u, const char *text, struct err *e)
{
	struct str rest = { NULL, 0 };

	memset(u, 0, sizeof(*u));
	if (text == NULL || text[0] == '\0')
		return wrong(e, "is not set");
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
		if (starts_with(text, schemes[i].prefix)) {
			rest = str_of(text + strlen(schemes[i].prefix));
			u->kind = schemes[i].kind;
			u->tls = schemes[i].tls;
		}
	if (rest.p == NULL)
		return wrong(e, "unknown scheme");
	if (!userinfo(u, &rest))
		return wrong(e, "user or password is empty, too long or badly percent-encoded");
	return u->kind == KV_UNIX ? parse_unix(u, rest, e) : parse_hosts(u, rest, e);
}
