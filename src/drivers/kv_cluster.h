/*
 * Redis Cluster: which node has which slot. Private to src/drivers/kv*.c.
 *
 * All threads share one map of the 16,384 slots. It is read from the first node that answers, and
 * again when a node says that a slot has moved, when a node cannot be reached, and when the cluster
 * is down; but not more often than every 100 ms.
 */
#ifndef DRIVERS_KV_CLUSTER_H
#define DRIVERS_KV_CLUSTER_H

#include <stdint.h>

#include "base/str.h"
#include "drivers/kv.h"
#include "drivers/kv_pool.h"

struct kv_cluster;

/* The slot of a key: of the text between the first { and the next }, if there is any. */
int kv_slot(struct str key);
/* The slot of the first key in the commands; -1: none has a key. */
int kv_slot_of(const struct kv_cmd *cmds, size_t n);
/* "MOVED 3999 127.0.0.1:6381", "ASK …"; an empty host means `asked`. */
bool kv_redirection(const char *text, const struct kv_host *asked, int *slot, struct kv_host *to);

/* The hosts of the URL are the first nodes to be asked. */
struct kv_cluster *kv_cluster_new(const struct wire_way *way, int timeout_ms, int max_conns);
void kv_cluster_free(struct kv_cluster *cl);    /* NULL is allowed */

/* The connections to the node that has the slot (-1: to any node). */
enum errcode kv_cluster_find(struct kv_cluster *cl, int slot, struct kv_pool **out,
    int64_t until_ms, struct err *e);
/* The connections to a node that was named in a redirection; NULL: there are too many nodes. */
struct kv_pool *kv_cluster_node(struct kv_cluster *cl, const struct kv_host *node);
void kv_cluster_moved(struct kv_cluster *cl, int slot, struct kv_pool *to);
/* The map may be wrong: read it again with the next call. */
void kv_cluster_doubt(struct kv_cluster *cl);

#endif
