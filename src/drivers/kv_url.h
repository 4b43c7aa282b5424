/*
 * Where Redis is: a URL taken apart. Pure; no connection, no look-up.
 *
 *   redis://[[user]:password@]host[:port][/db]
 *   unix://[[user]:password@]/path[?db=N]
 *   sentinel://[[user]:password@]host[:port][,host[:port]…]/master[/db]
 *   cluster://[[user]:password@]host[:port][,host[:port]…]
 *
 * With rediss://, sentinels:// and clusters:// all connections use TLS, and ?ca=FILE&cert=FILE&key=FILE
 * &name=NAME may follow: authorities (else those of the system), a certificate of the client's own with
 * its key, and the name in the servers' certificates if it is not the host's.
 *
 * User and password may be percent-encoded, hosts may be IPv6 addresses in brackets.
 */
#ifndef DRIVERS_KV_URL_H
#define DRIVERS_KV_URL_H

#include <stdbool.h>

#include "base/errs.h"

enum kv_kind { KV_TCP, KV_UNIX, KV_SENTINEL, KV_CLUSTER };

enum { KV_HOSTS_MAX = 8 };

struct kv_host {
	char name[256];
	int port;
};

struct kv_url {
	enum kv_kind kind;
	struct kv_host host[KV_HOSTS_MAX];  /* the server, sentinels, or first nodes */
	int nhosts;
	char path[108];                     /* of the Unix socket */
	char master[128];                   /* the master's name, as the sentinels know it */
	char user[128], password[256];      /* empty: none */
	int db;
	bool tls;
	char ca[256], cert[256], key[256], tls_name[256];       /* empty: none */
	char where[320];                    /* for messages: everything but user and password */
};

/* ERR_CONFIG when `text` is no such URL; the message never repeats the text. */
enum errcode kv_url_parse(struct kv_url *u, const char *text, struct err *e);

#endif
