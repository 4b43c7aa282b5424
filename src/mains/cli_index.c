/*
 * aviation-agent index rules: embed the texts of the rule base. Finished work is always kept. So
 * the first signal ends the program within a fraction of a second, with a line that says how to
 * continue; a second signal ends it at once.
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "mains/service.h"
#include "mains/cli.h"
#include "rules/rulebase.h"
#include "rules/vector_file.h"

enum { LOOK_MS = 200 };

static const struct option options[] = {
	{ "rebuild", no_argument, NULL, 'r' },
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

static enum errcode index_rules(struct service *s, bool rebuild, struct index_stats *stats,
    struct err *e)
{
	const struct index_options o = { s->conf.vectors_db, s->config->rules.embedding_model, rebuild };
	struct rulebase *b = NULL;
	struct cli_bar bar;
	if (s->llm != NULL && llm_usable(s->llm) && !llm_embeds(s->llm))
		return err_set(e, ERR_CONFIG, "index rules: the provider %s makes no embeddings, so the built-in vectors "
		    "are in use, which need no index. To use others, set LLM_PROVIDER to a provider that makes embeddings "
		    "(openai, gemini, ollama)", llm_name(s->llm));
	if (!service_provider_embeds(s))
		return err_set(e, ERR_CONFIG, "index rules: no index is needed: the built-in vectors are in use, and they "
		    "are made when the rules are read. To use the vectors of a provider, set OPENAI_API_KEY, or "
		    "OPENAI_BASE_URL to a server of yours, or LLM_PROVIDER, and rag.embedding_model to a model of it");
	enum errcode rc = rulebase_load(&b, s->conf.rules_json, e);
	if (rc != OK)
		return err_prefix(e, "RULES_JSON");
	cli_bar_init(&bar);
	rc = rules_index(&o, b, s->llm, &watch, cli_bar_show, &bar, stats, e);
	cli_bar_end(&bar);
	rulebase_free(b);
	return rc;
}

static void report(const struct service *s, const struct index_stats *st, int64_t ms)
{
	printf("%s: %s, %zu texts: %zu embedded, %zu kept, %zu dropped; %zu questions, %zu answers; "
	    "%s%lld tokens, %.1f s\n", s->conf.vectors_db, s->config->rules.embedding_model, st->texts,
	    st->embedded, st->kept, st->dropped, st->questions, st->answers,
	    st->usage.estimated ? "about " : "", (long long)st->usage.input, (double)ms / 1000);
	if (s->conf.vectors_url != NULL)
		fprintf(stderr, "aviation-agent: VECTOR_DB_URL is set, so that server is used and this "
		    "file is not\n");
}

int cli_index(int argc, char **argv)
{
	bool rebuild = false;
	int opt;
	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (opt) {
		case 'r': rebuild = true; break;
		default: return EXIT_USAGE;
		}
	if (argc - optind != 1 || !streq(argv[optind], "rules"))
		return cli_usage("index: usage: index rules [--rebuild]");

	const struct sigaction action = { .sa_handler = stop, .sa_flags = (int)SA_RESETHAND };
	struct service s;
	struct err e = { 0 };
	struct index_stats stats;
	int status = 0;
	int64_t start = clock_mono_ms();
	if (service_open(&s, "OFF", &e) != OK)
		return cli_fail(&e);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	if (index_rules(&s, rebuild, &stats, &e) == OK)
		report(&s, &stats, clock_mono_ms() - start);
	else
		status = cli_fail(&e);
	service_close(&s);
	if (e.code == ERR_HUP)
		/* so that the shell that waits for us learns which signal ended it */
		raise(stopped);
	return status;
}
