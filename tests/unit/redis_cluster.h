/*
 * A Redis Cluster of a test: nodes without replicas on free ports of 127.0.0.1, the slots shared
 * equally. Each also has a Unix socket, by which a test talks to that node alone.
 */
#ifndef TESTS_UNIT_REDIS_CLUSTER_H
#define TESTS_UNIT_REDIS_CLUSTER_H

#include <arpa/inet.h>
#include <netinet/in.h>

#include "drivers/kv.h"
#include "tests/unit/redis_server.h"

enum { CLUSTER_NODES = 3, CLUSTER_SLOTS = 16384 };

struct redis_cluster {
	struct redis_server node[CLUSTER_NODES];
	char *dir[CLUSTER_NODES];
	struct kv *direct[CLUSTER_NODES];
	int port[CLUSTER_NODES];
	char id[CLUSTER_NODES][48];
	char url[200];
	struct arena *a;
};

/* A port that is free, and whose cluster bus (10,000 higher) is free too. */
static inline int cluster_port(void)
{
	for (;;) {
		struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
		socklen_t size = sizeof(at);
		int fd = socket(AF_INET, SOCK_STREAM, 0), bus = socket(AF_INET, SOCK_STREAM, 0), port = 0;

		if (bind(fd, (struct sockaddr *)&at, sizeof(at)) == 0 &&
		    getsockname(fd, (struct sockaddr *)&at, &size) == 0)
			port = ntohs(at.sin_port);
		/* the system hands out high ports; come down to where the bus has room */
		port = port > 55000 ? port - 20000 : port;
		at.sin_port = htons((uint16_t)(port + 10000));
		bool good = port > 0 && bind(bus, (struct sockaddr *)&at, sizeof(at)) == 0;
		close(fd);
		close(bus);
		if (good)
			return port;
	}
}

/* Words separated by blanks, sent to one node. Fails the test unless the node agrees. */
static inline const char *cluster_ask(struct redis_cluster *c, int node, const char *fmt, ...)
{
	char line[512];
	struct str argv[32];
	struct kv_cmd cmd = { argv, 0 };
	struct kv_reply r;
	struct err e;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	for (char *save = NULL, *w = strtok_r(line, " ", &save); w != NULL;
	    w = strtok_r(NULL, " ", &save))
		argv[cmd.argc++] = str_of(w);
	TEST_OK(kv_run(c->direct[node], c->a, &cmd, 1, &r, &e), e);
	return r.type == KV_TEXT ? r.text.p : "";
}

static inline int cluster_holder(int slot)
{
	return slot / (CLUSTER_SLOTS / CLUSTER_NODES + 1);
}

static inline void cluster_await_ok(struct redis_cluster *c, int node)
{
	for (int i = 0; i < 1000; i++) {
		if (strstr(cluster_ask(c, node, "CLUSTER INFO"), "cluster_state:ok") != NULL)
			return;
		clock_sleep_ms(20);
	}
	cr_assert_fail("the cluster does not come up");
}

static inline bool cluster_start(struct redis_cluster *c)
{
	enum { SHARE = CLUSTER_SLOTS / CLUSTER_NODES + 1 };
	char options[200];
	size_t n;
	struct err e;

	*c = (struct redis_cluster){ .a = arena_new() };
	n = (size_t)snprintf(c->url, sizeof(c->url), "cluster://");
	for (int i = 0; i < CLUSTER_NODES; i++) {
		c->dir[i] = test_mkdtemp();
		c->port[i] = cluster_port();
		/* the later option wins over the harness's "--port 0" */
		snprintf(options, sizeof(options), "--port %d --cluster-enabled yes "
		    "--cluster-node-timeout 2000", c->port[i]);
		if (!redis_start(&c->node[i], c->dir[i], options))
			return false;
		TEST_OK(kv_open(&c->direct[i], c->node[i].url, 5000, 1, &e), e);
		snprintf(c->id[i], sizeof(c->id[i]), "%s", cluster_ask(c, i, "CLUSTER MYID"));
		cluster_ask(c, i, "CLUSTER SET-CONFIG-EPOCH %d", i + 1);
		int last = (i + 1) * SHARE - 1;
		cluster_ask(c, i, "CLUSTER ADDSLOTSRANGE %d %d", i * SHARE,
		    last < CLUSTER_SLOTS ? last : CLUSTER_SLOTS - 1);
		n += (size_t)snprintf(c->url + n, sizeof(c->url) - n, "%s127.0.0.1:%d",
		    i > 0 ? "," : "", c->port[i]);
	}
	for (int i = 1; i < CLUSTER_NODES; i++)
		cluster_ask(c, 0, "CLUSTER MEET 127.0.0.1 %d", c->port[i]);
	for (int i = 0; i < CLUSTER_NODES; i++)
		cluster_await_ok(c, i);
	return true;
}

static inline void cluster_stop(struct redis_cluster *c)
{
	for (int i = 0; i < CLUSTER_NODES; i++) {
		if (c->dir[i] == NULL)
			continue;
		kv_close(c->direct[i]);
		redis_stop(&c->node[i]);
		test_rmdir(c->dir[i]);
	}
	arena_free(c->a);
}

#endif
