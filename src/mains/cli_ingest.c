/*
 * aviation-agent ingest: make the knowledge base from a folder of documents. The first signal ends
 * it; the old knowledge base then stays.
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/files.h"
#include "knowledge/ingest.h"
#include "mains/cli.h"
#include "mains/service.h"

enum { LOOK_MS = 200 };

static const struct option options[] = {
	{ "remove", no_argument, NULL, 'r' },
	{ NULL, 0, NULL, 0 },
};

static volatile sig_atomic_t stopped;      /* by this signal */

static void stop(int sig)
{
	stopped = sig;
}

static enum errcode look(void *arg, int64_t *ms)
{
	(void)arg;
	*ms = LOOK_MS;
	return stopped != 0 ? ERR_HUP : OK;
}

static const struct watch watch = { -1, look, NULL };

static void left_out(void *arg, const char *source, const char *why)
{
	cli_bar_end(arg);
	fprintf(stderr, "aviation-agent: %s is left out: ", cli_plain(source));
	fprintf(stderr, "%s\n", cli_plain(why));
}

static void report(const struct service *s, const struct ingest_stats *st, int64_t ms)
{
	printf("%s: %zu documents, %zu pieces: %zu new, %zu changed, %zu unchanged, %zu removed, "
	    "%zu left out", s->conf.knowledge_db, st->documents, st->chunks, st->added, st->changed,
	    st->unchanged, st->removed, st->left_out);
	if (service_provider_embeds(s))
		printf("; %zu embedded, %zu kept, %s%lld tokens", st->embedded, st->kept,
		    st->usage.estimated ? "about " : "", (long long)st->usage.input);
	printf("; %.1f s\n", (double)ms / 1000);
	if (st->no_vectors.code != OK)
		fprintf(stderr, "aviation-agent: some pieces have no vector and are found by their words only (%s). "
		    "Run ingest again to add the vectors.\n", cli_plain(st->no_vectors.msg));
}

static enum errcode run(struct service *s, const char *dir, bool remove, struct err *e)
{
	struct cli_bar bar;
	struct ingest_stats stats;
	const struct ingest_options o = { .path = s->conf.knowledge_db, .dir = dir, .remove = remove,
		.llm = service_provider_embeds(s) ? s->llm : NULL, .model = s->config->rules.embedding_model, .watch = &watch,
		.progress = cli_bar_show, .left_out = left_out, .arg = &bar };
	int64_t start = clock_mono_ms();
	char *folder = path_folder(o.path);
	enum errcode rc = make_dirs(folder, 0750, e);
	free(folder);
	if (rc != OK)
		return rc;
	cli_bar_init(&bar);
	rc = ingest(&o, &stats, e);
	cli_bar_end(&bar);
	if (rc == OK)
		report(s, &stats, clock_mono_ms() - start);
	return rc;
}

int cli_ingest(int argc, char **argv)
{
	bool remove = false;
	int opt;
	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (opt) {
		case 'r': remove = true; break;
		default: return EXIT_USAGE;
		}
	if (argc - optind != 1)
		return cli_usage("ingest: usage: ingest [--remove] DIR");

	const struct sigaction action = { .sa_handler = stop, .sa_flags = (int)SA_RESETHAND };
	struct service s;
	struct err e = { 0 };
	int status = 0;
	if (service_open(&s, "OFF", &e) != OK)
		return cli_fail(&e);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	if (run(&s, argv[optind], remove, &e) != OK)
		status = cli_fail(&e);
	service_close(&s);
	if (e.code == ERR_HUP)
		raise(stopped);
	return status;
}
