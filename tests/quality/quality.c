/*
 * How well retrieval finds the right rule: it asks questions for which the right rules are known,
 * and counts the right results.
 *
 *   quality [--misses] [--require R1,R5,REFUSED] FILE…
 *
 * Settings are those of the service (RULES_JSON, the behaviour config, a provider for vectors).
 * Each set is asked by words alone, and if there are vectors by meaning alone and by both.
 * tests/quality/README describes the lines of a set. --misses shows what went wrong, but never for
 * a set that is kept aside (a file called *heldout*). With --require the exit status is 1 if a
 * figure of a set is lower than required; without, it never depends on the figures.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "mains/service.h"
#include "rules/retrieve.h"

enum {
	LINE = 4096,
	CASES = 4096,                /* of one set */
	CODES = 8,                   /* countries of one question */
	ROUNDS = 5,                  /* a question by words, for the time it takes */
};

struct tally {
	size_t answerable, first, five, refused_wrongly;
	size_t unanswerable, refused;
	/* of the set: the rule does not exist, or the country has no answer to it */
	size_t wrong_lines;
	size_t ntimes;
	int64_t times[CASES * ROUNDS];
};

struct question {
	const char *countries[CODES];
	size_t ncountries;
	const char *expected;        /* hashes, "|" between them; "-": none */
	const char *text;
};

struct asking {
	struct rules *rules;
	const char *how;             /* "words", "meaning", "both" */
	enum rules_search search;
	int rounds;
	bool misses;
};

/* Required figures; 0: any figure is good. */
struct least {
	double first, five, refused;
};

static bool expects(const struct question *q, const struct rule_question *r)
{
	char hash[17];

	snprintf(hash, sizeof(hash), "%016" PRIx64, str_hash(r->id));
	return strstr(q->expected, hash) != NULL;
}

static bool unanswerable(const struct question *q)
{
	return streq(q->expected, "-");
}

/* Can a line be answered? One of its expected rules must have an answer. */
static bool can_be_found(const struct rulebase *b, const struct question *q)
{
	for (size_t i = 0; i < b->nquestions; i++)
		for (size_t k = 0; expects(q, &b->questions[i]) && k < q->ncountries; k++)
			if (rule_answer(&b->questions[i], q->countries[k]) != NULL)
				return true;
	return unanswerable(q);
}

static void show_miss(const struct rulebase *b, const struct question *q,
    const struct rules_found *found, const char *how)
{
	printf("  %s, %s: %s\n", how, q->ncountries > 0 ? q->countries[0] : "any country", q->text);
	for (size_t i = 0; i < b->nquestions; i++)
		if (expects(q, &b->questions[i]))
			printf("    wanted        %s\n", b->questions[i].text);
	for (size_t i = 0; i < found->n && i < 3; i++)
		printf("    found %.3f   %s\n", found->hits[i].similarity, found->hits[i].question->text);
	if (found->n == 0)
		printf("    found nothing\n");
}

static enum errcode ask(const struct asking *how, const struct question *q, struct tally *t,
    struct err *e)
{
	struct arena *a = arena_new();
	const struct rules_snapshot *set = rules_use(how->rules, a);
	const struct rules_query query = { .question = q->text, .countries = q->countries,
		.ncountries = q->ncountries, .search = how->search };
	struct rules_found found = { 0 };
	enum errcode rc = OK;

	for (int i = 0; rc == OK && i < how->rounds; i++) {
		int64_t began = clock_mono_us();

		rc = rules_retrieve(how->rules, set, a, &query, &found, e);
		t->times[t->ntimes++] = clock_mono_us() - began;
	}
	if (rc == OK) {
		size_t rank = 0;
		bool wrong;

		while (rank < found.n && !expects(q, found.hits[rank].question))
			rank++;
		if (unanswerable(q)) {
			t->unanswerable++;
			t->refused += found.n == 0;
			wrong = found.n > 0;
		} else {
			t->answerable++;
			t->first += found.n > 0 && rank == 0;
			t->five += rank < found.n && rank < 5;
			t->refused_wrongly += found.n == 0;
			wrong = rank > 0 || found.n == 0;
		}
		t->wrong_lines += !can_be_found(set->base, q);
		if (wrong && how->misses)
			show_miss(set->base, q, &found, how->how);
	}
	arena_free(a);
	return rc;
}

/* "FR,GB <tab> hash|hash <tab> question"; false: a comment or nothing. */
static bool parse(char *line, struct question *q)
{
	char *rest = line, *codes;

	line[strcspn(line, "\r\n")] = '\0';
	if (line[0] == '#' || line[0] == '\0')
		return false;
	*q = (struct question){ 0 };
	codes = strsep(&rest, "\t");
	q->expected = strsep(&rest, "\t");
	q->text = rest;
	if (q->text == NULL)
		return false;
	if (!streq(codes, "-"))
		while (codes != NULL && q->ncountries < CODES)
			q->countries[q->ncountries++] = strsep(&codes, ",");
	return true;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static double share(size_t n, size_t of)
{
	return of > 0 ? (double)n / (double)of : 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static void print(const char *set, const struct asking *how, struct tally *t)
{
	qsort(t->times, t->ntimes, sizeof(t->times[0]), by_value);
	printf("%-20s %-8s %5zu %9.3f %9.3f %9.3f %9.3f   %7.2f %7.2f\n", set, how->how,
	    t->answerable + t->unanswerable, share(t->first, t->answerable),
	    share(t->five, t->answerable), share(t->refused, t->unanswerable),
	    share(t->refused_wrongly, t->answerable), (double)t->times[t->ntimes / 2] / 1000,
	    (double)t->times[t->ntimes - 1 - t->ntimes / 100] / 1000);
	if (t->wrong_lines > 0)
		printf("  %zu lines cannot be found: no such rule, or no answer of that country\n",
		    t->wrong_lines);
}

static bool enough(const struct tally *t, const struct least *least)
{
	return (t->answerable == 0 || (share(t->first, t->answerable) >= least->first &&
	    share(t->five, t->answerable) >= least->five)) &&
	    (t->unanswerable == 0 || share(t->refused, t->unanswerable) >= least->refused);
}

/* One set, asked in one way. *below: a figure is lower than required. */
static enum errcode measure(struct asking how, const char *path, const struct least *least,
    bool *below, struct err *e)
{
	struct tally *t = calloc(1, sizeof(*t));
	FILE *f = fopen(path, "r");
	char line[LINE];
	enum errcode rc = OK;
	size_t n = 0;

	if (f == NULL || t == NULL) {
		free(t);
		return err_set(e, ERR_IO, "%s: cannot be read", path);
	}
	how.misses = how.misses && strstr(base_name(path), "heldout") == NULL;
	while (rc == OK && n < CASES && fgets(line, sizeof(line), f) != NULL) {
		struct question q;

		if (!parse(line, &q))
			continue;
		rc = ask(&how, &q, t, e);
		n++;
	}
	fclose(f);
	if (rc == OK && n == 0)
		rc = err_set(e, ERR_DATA, "%s: no question in it", path);
	if (rc == OK) {
		print(base_name(path), &how, t);
		*below |= !enough(t, least);
	}
	free(t);
	return rc;
}

static int run(struct service *s, char **paths, int npaths, bool misses, const struct least *least)
{
	static const struct { const char *how; enum rules_search search; } ways[] = {
		{ "words", RULES_BY_WORDS }, { "meaning", RULES_BY_MEANING }, { "both", RULES_BY_BOTH },
	};
	struct rules_status status;
	struct err e;
	bool below = false;
	enum errcode rc = OK;

	rules_refresh(s->rules);
	status = rules_status(s->rules, s->mem);
	if (!status.loaded)
		rc = err_set(&e, ERR_DATA, "%s", status.rules);
	const bool provider = status.vectors && !streq(status.model, RULES_BUILTIN);
	if (rc == OK)
		printf("%s\nvectors: %s\ntop_k %" PRId64 ", similarity_threshold %g\n\n%-20s %-8s %5s %9s %9s %9s %9s   "
		    "%7s %7s\n", status.rules, status.index, s->config->rules.top_k, s->config->rules.threshold, "set", "by",
		    "n", "recall@1", "recall@5", "refused", "wrongly", "p50 ms", "p99 ms");
	/* what --require asks for is what a site gets: both, or words where there are no vectors */
	const struct least none = { 0 };
	for (int i = 0; rc == OK && i < npaths; i++)
		for (size_t k = 0; rc == OK && k < sizeof(ways) / sizeof(ways[0]); k++) {
			const bool words = ways[k].search == RULES_BY_WORDS, both = ways[k].search == RULES_BY_BOTH;
			const struct asking how = { .rules = s->rules, .how = ways[k].how, .search = ways[k].search,
				.rounds = words || !provider ? ROUNDS : 1, .misses = misses };
			if (words || status.vectors)
				rc = measure(how, paths[i], both || !status.vectors ? least : &none, &below, &e);
		}
	if (rc == OK)
		printf("\nrefused: of the questions that no rule answers; wrongly: of the others\n");
	if (rc != OK) {
		fprintf(stderr, "quality: %s\n", e.msg);
		return 2;
	}
	if (below)
		printf("below the figures that --require asks for\n");
	return below ? 1 : 0;
}

static const struct option options[] = {
	{ "misses", no_argument, NULL, 'm' },
	{ "require", required_argument, NULL, 'r' },
	{ NULL, 0, NULL, 0 },
};

int main(int argc, char **argv)
{
	struct least least = { 0 };
	struct service s;
	struct err e;
	bool misses = false, usage = false;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		if (option == 'm')
			misses = true;
		else if (option != 'r' ||
		    sscanf(optarg, "%lf,%lf,%lf", &least.first, &least.five, &least.refused) != 3)
			usage = true;
	if (usage || optind == argc) {
		fprintf(stderr, "Usage: quality [--misses] [--require R1,R5,REFUSED] FILE...\n");
		return 2;
	}
	if (service_open(&s, "OFF", &e) != OK) {
		fprintf(stderr, "quality: %s\n", e.msg);
		return 2;
	}
	int status = run(&s, argv + optind, argc - optind, misses, &least);
	service_close(&s);
	return status;
}
