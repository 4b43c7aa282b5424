/*
 * What the thread store costs a turn: time of lease, load and commit, and bytes stored.
 *
 *   bench_store redis URL
 *   bench_store sqlite FILE
 *
 * THREADS conversations of TURNS turns each, with a question of 60 and an answer of 2,000 bytes. Prints the
 * median in microseconds for turn 1, for the turn from which on the history that is loaded is full, and
 * for the last turn, then the bytes a turn adds in the first half and in the second, separated by tabs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "drivers/kv.h"
#include "services/store.h"

enum { THREADS = 40, TURNS = 200, ANSWER = 2000, HISTORY = 40, LEASE_MS = 15000 };

struct bench {
	struct store_config config;
	struct store *store;
	struct kv *kv;                  /* NULL: SQLite */
	char answer[ANSWER + 1];
};

static void need(enum errcode rc, const struct err *e)
{
	if (rc == OK)
		return;
	fprintf(stderr, "bench_store: %s\n", e->msg);
	exit(1);
}

static int64_t file_bytes(const char *path, const char *suffix)
{
	char name[4096];
	struct stat st;

	snprintf(name, sizeof(name), "%s%s", path, suffix);
	return stat(name, &st) == 0 ? (int64_t)st.st_size : 0;
}

static int64_t stored_bytes(struct bench *b)
{
	static const char *const parts[] = { "meta", "msgs" };
	struct arena *a = arena_new();
	int64_t sum = 0;
	struct err e;

	if (b->kv == NULL)
		sum = file_bytes(b->config.sqlite_path, "") + file_bytes(b->config.sqlite_path, "-wal");
	for (int i = 0; b->kv != NULL && i < THREADS * 2; i++) {
		char key[80];
		struct kv_reply r;

		snprintf(key, sizeof(key), "aa:{bench-%d}:%s", i / 2, parts[i % 2]);
		const struct str argv[] = { STR("MEMORY"), STR("USAGE"), str_of(key), STR("SAMPLES"), STR("0") };
		const struct kv_cmd cmd = { argv, 5 };
		need(kv_run(b->kv, a, &cmd, 1, &r, &e), &e);
		sum += r.type == KV_INT ? r.num : 0;
	}
	arena_free(a);
	return sum;
}

/* One turn, as a run makes it; returns microseconds. */
static int64_t turn(struct bench *b, const char *id, int64_t version)
{
	const struct thread_owner owner = { .agent = "aviation" };
	struct arena *a = arena_new();
	struct thread t = { .id = id };
	struct lease l;
	int64_t retry_ms, began = clock_mono_us();
	char run[ID_SIZE];
	struct err e;

	id_run(run);
	need(store_lease(b->store, id, run, &owner, LEASE_MS, &l, &retry_ms, &e), &e);
	need(store_load(b->store, a, id, &owner, HISTORY, &t, &e), &e);
	const struct message append[] = {
		message_new(a, "user", "Find airports with fuel between EGTF and LFMD, please, now."),
		message_new(a, "assistant", b->answer),
	};
	const struct commit c = { .version = version, .append = append, .nappend = 2,
		.state = "{\"plan\":{\"selected_tool\":\"find_airports_near_route\"}}", .last = true };
	need(store_commit(b->store, &l, &owner, &c, &e), &e);
	arena_free(a);
	return clock_mono_us() - began;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	struct bench b = { .config = { .timeout_ms = 10000, .ttl_s = 86400, .agent = "aviation" } };
	int64_t us[THREADS], first_us = 0, full_us = 0, last_us = 0, bytes[3] = { 0 };
	struct err e;

	if (argc != 3) {
		fprintf(stderr, "usage: bench_store redis URL | sqlite FILE\n");
		return 2;
	}
	b.config.provider = argv[1];
	if (streq(argv[1], "redis")) {
		b.config.redis_url = argv[2];
		need(kv_open(&b.kv, argv[2], 10000, 1, &e), &e);
	} else {
		b.config.sqlite_path = argv[2];
	}
	memset(b.answer, 'x', ANSWER);
	need(store_open(&b.store, &b.config, &e), &e);
	bytes[0] = stored_bytes(&b);
	for (int v = 0; v < TURNS; v++) {
		for (int k = 0; k < THREADS; k++) {
			char id[32];

			snprintf(id, sizeof(id), "bench-%d", k);
			us[k] = turn(&b, id, v);
		}
		qsort(us, THREADS, sizeof(us[0]), by_value);
		first_us = v == 0 ? us[THREADS / 2] : first_us;
		full_us = v == HISTORY / 2 ? us[THREADS / 2] : full_us;
		last_us = us[THREADS / 2];
		if (v == TURNS / 2 - 1)
			bytes[1] = stored_bytes(&b);
	}
	bytes[2] = stored_bytes(&b);
	const int half = THREADS * TURNS / 2;
	printf("%lld\t%lld\t%lld\t%lld\t%lld\n", (long long)first_us, (long long)full_us, (long long)last_us,
	    (long long)(bytes[1] - bytes[0]) / half, (long long)(bytes[2] - bytes[1]) / half);
	store_close(b.store);
	kv_close(b.kv);
	return 0;
}
