/*
 * The sentinels and the master each get an equal part of the time that is left, so a silent one
 * leaves time for the others.
 */
#include "drivers/kv_sentinel.h"

#include <string.h>

#include "base/clock.h"

static bool read_master(const redisReply *r, struct kv_host *master)
{
	long long port;

	if (r->type != REDIS_REPLY_ARRAY || r->elements != 2 ||
	    r->element[0]->type != REDIS_REPLY_STRING || r->element[1]->type != REDIS_REPLY_STRING ||
	    (size_t)r->element[0]->len >= sizeof(master->name) ||
	    !str_to_int(r->element[1]->str, &port) || port <= 0 || port >= 65536)
		return false;
	memcpy(master->name, r->element[0]->str, (size_t)r->element[0]->len + 1);
	master->port = (int)port;
	return true;
}

static enum errcode ask(const struct wire_way *way, const struct kv_host *sentinel,
    struct kv_host *master, int64_t until_ms, struct err *e)
{
	const struct kv_url *u = way->url;
	const struct str argv[] = { STR("SENTINEL"), STR("get-master-addr-by-name"),
	    str_of(u->master) };
	const struct str auth[] = { STR("AUTH"), str_of(u->password) };
	const struct kv_cmd cmds[] = { { argv, 3 }, { auth, 2 }, { argv, 3 } };
	redisReply *r[2] = { NULL, NULL }, *last;
	enum errcode rc = OK;
	int part_ms = wire_left(until_ms);
	redisContext *c = wire_dial(way, sentinel, u->where, until_ms, e);

	if (c == NULL)
		return err_prefix(e, "sentinel %s:%d", sentinel->name, sentinel->port);
	enum wire w = wire_exchange(c, cmds, 1, r, until_ms);
	last = r[0];
	if (w == WIRE_OK && last->type == REDIS_REPLY_ERROR && starts_with(last->str, "NOAUTH") &&
	    u->password[0] != '\0') {
		freeReplyObject(r[0]);
		w = wire_exchange(c, cmds + 1, 2, r, until_ms);
		last = r[1];
	}
	if (w != WIRE_OK) {
		r[0] = r[1] = NULL;
		wire_broken(u->where, w, c->errstr, part_ms, e);
		rc = err_prefix(e, "sentinel %s:%d", sentinel->name, sentinel->port);
	} else if (!read_master(last, master)) {
		rc = err_set(e, ERR_STORE, "%s: sentinel %s:%d knows no master with this name",
		    u->where, sentinel->name, sentinel->port);
	}
	for (int i = 0; i < 2; i++)
		if (r[i] != NULL)
			freeReplyObject(r[i]);
	redisFree(c);
	return rc;
}

enum errcode kv_sentinel_master(const struct wire_way *way, int *first, struct kv_host *master,
    int64_t until_ms, struct err *e)
{
	const struct kv_url *u = way->url;
	enum errcode rc = ERR_STORE;
	int from = *first;

	for (int i = 0; i < u->nhosts; i++) {
		int k = (from + i) % u->nhosts;
		int part = wire_left(until_ms) / (u->nhosts - i + 1);

		rc = ask(way, &u->host[k], master, clock_mono_ms() + part, e);
		if (rc == OK) {
			*first = k;
			break;
		}
	}
	return rc;
}
