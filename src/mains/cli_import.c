/*
 * aviation-agent import: databases out of public files. Each kind of data is a row.
 */
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "airports/airdb.h"
#include "airports/facts.h"
#include "airports/import.h"
#include "airports/notice_model.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/str.h"
#include "mains/cli.h"
#include "mains/service.h"

struct importing {
	const char *from;             /* the argument; NULL: the kind takes none */
	const char *out, *types, *facts;
	long long least;              /* inhabitants */
	bool llm;                     /* a language model may help */
	struct conf conf;
	struct cli_bar bar;
	int64_t start_ms;
};

static double seconds_of(const struct importing *im)
{
	return (double)(clock_mono_ms() - im->start_ms) / 1000;
}

static enum errcode ourairports(struct importing *im, struct err *e)
{
	const struct conf *c = &im->conf;
	const char *out = im->out != NULL ? im->out : c->airports_db;
	struct import_options o = { .dir = im->from, .facts = im->facts, .out = out,
		.types = im->types };
	struct airdb_config db = { .path = out, .cache_dir = c->state_dir,
		.index_path = streq(out, c->airports_db) ? c->airports_index : NULL };
	struct import_stats n = { 0 };

	im->out = out;
	if (import_ourairports(&o, cli_bar_show, &im->bar, &n, e) != OK ||
	    airdb_index(&db, cli_bar_show, &im->bar, e) != OK)
		return e->code;
	cli_bar_end(&im->bar);
	printf("%s: %lld airports, %lld runways, %lld frequencies, %lld navaids, %lld sample facts, "
	    "%lld rows skipped, %.1f s\n", out, (long long)n.airports, (long long)n.runways,
	    (long long)n.frequencies, (long long)n.navaids, (long long)n.facts, (long long)n.skipped,
	    seconds_of(im));
	return OK;
}

static enum errcode friendliness(struct importing *im, struct err *e)
{
	const char *out = im->out != NULL ? im->out : im->conf.persona_db;
	int64_t n = 0;

	if (out == NULL)
		return err_set(e, ERR_INPUT, "import friendliness: name the database to write: set "
		    "GA_PERSONA_DB, or add --out FILE");
	im->out = out;
	if (import_friendliness(im->conf.airports_db, out, &n, e) != OK)
		return e->code;
	printf("%s: %lld airfields, %.1f s\n", out, (long long)n, seconds_of(im));
	return OK;
}

static enum errcode places(struct importing *im, struct err *e)
{
	struct import_places o = { .file = im->from, .least = im->least,
		.out = im->out != NULL ? im->out : im->conf.places_db };

	im->out = o.out;
	if (import_places(&o, cli_bar_show, &im->bar, e) != OK)
		return e->code;
	cli_bar_end(&im->bar);
	printf("%s: %lld places, %lld names, %lld lines left out, %.1f s\n", o.out, (long long)o.places,
	    (long long)o.names, (long long)o.skipped, seconds_of(im));
	return OK;
}

static enum errcode write_notices(struct importing *im, struct notice_model *model, struct err *e)
{
	const char *out = im->out != NULL ? im->out : im->conf.notifications_db;
	int64_t n = 0;

	im->out = out;
	if (import_notices(im->conf.airports_db, out, model, &n, e) != OK)
		return e->code;
	printf("%s: %lld airports, ", out, (long long)n);
	if (model != NULL)
		printf("the language model was asked about %zu texts and read %zu%s, ", model->asked, model->used,
		    model->failed >= NOTICE_MODEL_FAILURES ? " (it stopped answering)" : "");
	printf("%.1f s\n", seconds_of(im));
	return OK;
}

static enum errcode notifications(struct importing *im, struct err *e)
{
	struct notice_model model;
	struct service s;
	enum errcode rc;

	if (!im->llm)
		return write_notices(im, NULL, e);
	rc = service_open(&s, "OFF", e);
	if (rc != OK)
		return rc;
	rc = s.llm != NULL ? cli_notice_model(&model, &s, e) : err_set(e, ERR_CONFIG,
	    "import notifications: --llm needs a language model: set OPENAI_API_KEY, "
	    "OPENAI_BASE_URL or LLM_PROVIDER");
	if (rc == OK)
		rc = write_notices(im, &model, e);
	service_close(&s);
	return rc;
}

static const struct {
	const char *name;
	bool takes_path;
	enum errcode (*run)(struct importing *im, struct err *e);
	const char *setting;          /* names the database to write */
} kinds[] = {
	{ "ourairports", true, ourairports, "AIRPORTS_DB" },
	{ "friendliness", false, friendliness, "GA_PERSONA_DB" },
	{ "places", true, places, "PLACES_DB" },
	{ "notifications", false, notifications, "GA_NOTIFICATIONS_DB" },
};
enum { NKINDS = sizeof(kinds) / sizeof(kinds[0]) };

static const struct option options[] = {
	{ "out", required_argument, NULL, 'o' },
	{ "types", required_argument, NULL, 't' },
	{ "facts", required_argument, NULL, 'f' },
	{ "min-population", required_argument, NULL, 'm' },
	{ "llm", no_argument, NULL, 'l' },
	{ NULL, 0, NULL, 0 },
};

/* A relative path alone does not tell where the file was to be, nor how to choose another one. */
static void say_where(const struct importing *im, const char *setting, struct err *e)
{
	char cwd[PATH_MAX], said[sizeof(e->msg)];

	if (e->code != ERR_IO || im->out == NULL || strncmp(e->msg, im->out, strlen(im->out)) != 0)
		return;
	snprintf(said, sizeof(said), "%s", e->msg);
	const bool relative = im->out[0] != '/' && getcwd(cwd, sizeof(cwd)) != NULL;
	err_set(e, ERR_IO, "%s%s%s; to write another file: --out FILE, or %s", relative ? cwd : "", relative ? "/" : "",
	    said, setting);
}

int cli_import(int argc, char **argv)
{
	struct importing im = { .start_ms = clock_mono_ms() };
	struct err e = { 0 };
	size_t k = 0;
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (opt) {
		case 'o': im.out = optarg; break;
		case 't': im.types = optarg; break;
		case 'f': im.facts = optarg; break;
		case 'l': im.llm = true; break;
		case 'm':
			if (!str_to_int(optarg, &im.least) || im.least < 0)
				return cli_usage("import: --min-population needs a number of inhabitants, such as 500");
			break;
		default: return EXIT_USAGE;
		}
	while (k < NKINDS && (optind == argc || !streq(argv[optind], kinds[k].name)))
		k++;
	if (k == NKINDS || argc - optind != 1 + kinds[k].takes_path)
		return cli_usage("import: usage: import ourairports DIR, import places FILE, import friendliness, or "
		    "import notifications");
	im.from = kinds[k].takes_path ? argv[optind + 1] : NULL;

	struct arena *a = arena_new();
	cli_bar_init(&im.bar);
	if (conf_load(&im.conf, a, &e) == OK && facts_open(im.conf.data_dir, &e) == OK)
		if (kinds[k].run(&im, &e) != OK)
			say_where(&im, kinds[k].setting, &e);
	cli_bar_end(&im.bar);
	arena_free(a);
	return e.code == OK ? 0 : cli_fail(&e);
}
