/*
 * aviation-agent feedback: what users think of answers, from the files that the workers write.
 */
#include <dirent.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/conf.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"
#include "mains/cli.h"

enum { DAYS = 30, DAYS_MOST = 3650, FILE_MAX = 64 << 20, COMMENT_SHOWN = 300, QUESTION_SHOWN = 120 };

struct listing {
	struct arena *a;
	const char *dir;
	bool json;
	const char *score;                /* "up", "down"; NULL: both */
	long long days;
	const char **files;
	size_t nfiles, room;
	struct json_object *seen;         /* runs whose last score was read */
	size_t broken;
};

static int newest_first(const void *pa, const void *pb)
{
	return strcmp(*(const char *const *)pb, *(const char *const *)pa);
}

/* The files of the days that are asked for. A folder that does not exist has none. */
static void find_files(struct listing *l)
{
	static const char end[] = "-feedback.json";
	char first[CLOCK_ISO_SIZE];
	DIR *d = l->dir != NULL ? opendir(l->dir) : NULL;
	struct dirent *entry;

	clock_iso_local(first, clock_wall_us() - (l->days - 1) * INT64_C(86400000000));
	while (d != NULL && (entry = readdir(d)) != NULL) {
		const size_t n = strlen(entry->d_name);
		if (n != 10 + strlen(end) || !streq(entry->d_name + 10, end) || strncmp(entry->d_name, first, 10) < 0)
			continue;
		if (l->nfiles == l->room) {
			const char **more = arena_array(l->a, 2 * l->room + 64, sizeof(*more));
			if (l->nfiles > 0)
				memcpy(more, l->files, l->nfiles * sizeof(*more));
			l->files = more;
			l->room = 2 * l->room + 64;
		}
		l->files[l->nfiles++] = arena_strdup(l->a, entry->d_name);
	}
	if (d != NULL)
		closedir(d);
	if (l->nfiles > 0)
		qsort(l->files, l->nfiles, sizeof(*l->files), newest_first);
}

/* One line for a terminal; what a user wrote may hold anything. */
static const char *line_of(struct arena *a, const char *text, size_t max)
{
	char *copy = arena_strdup(a, text);
	const size_t n = strlen(copy), cut = utf8_cut(copy, n, max);

	for (char *p = copy; *p != '\0'; p++)
		if (*p == '\n' || *p == '\r' || *p == '\t')
			*p = ' ';
	return arena_printf(a, "%.*s%s", (int)cut, copy, cut < n ? "…" : "");
}

static void show(struct listing *l, struct json_object *o)
{
	const char *comment = jsn_get_str(o, "comment", NULL), *question = jsn_get_str(o, "question", NULL);

	if (l->json) {
		puts(jsn_text(l->a, o, JSN_PLAIN));
		return;
	}
	printf("%.19s  %-4s  %s\n", cli_plain(jsn_get_str(o, "timestamp", "-")), jsn_get_str(o, "feedback", "-"),
	    cli_plain(jsn_get_str(o, "run_id", "-")));
	if (question != NULL)
		printf("    asked: %s\n", cli_plain(line_of(l->a, question, QUESTION_SHOWN)));
	if (comment != NULL)
		printf("    said:  %s\n", cli_plain(line_of(l->a, comment, COMMENT_SHOWN)));
}

static void list_file(struct listing *l, const char *name)
{
	struct json_object *records, *o;
	struct err e;

	if (jsn_load(l->a, arena_printf(l->a, "%s/%s", l->dir, name), FILE_MAX, &records, &e) != OK) {
		fprintf(stderr, "aviation-agent: %s\n", cli_plain(e.msg));
		l->broken++;
		return;
	}
	for (size_t i = jsn_len(records); i-- > 0;) {
		o = jsn_at(records, i);
		const char *run = jsn_get_str(o, "run_id", "");
		if (jsn_has(l->seen, run))
			continue;
		jsn_add_bool(l->seen, run, true);
		if (l->score == NULL || streq(jsn_get_str(o, "feedback", NULL), l->score))
			show(l, o);
	}
}

static int read_options(struct listing *l, int argc, char **argv)
{
	static const struct option options[] = { { "json", no_argument, NULL, 'j' },
		{ "days", required_argument, NULL, 'd' }, { "score", required_argument, NULL, 's' },
		{ NULL, 0, NULL, 0 } };
	int opt;

	l->days = DAYS;
	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (opt) {
		case 'j': l->json = true; break;
		case 'd':
			if (!str_to_int(optarg, &l->days) || l->days < 1 || l->days > DAYS_MOST)
				return cli_usage("feedback: --days takes 1 to 3650");
			break;
		case 's':
			if (!streq(optarg, "up") && !streq(optarg, "down"))
				return cli_usage("feedback: --score takes up or down");
			l->score = optarg;
			break;
		default: return EXIT_USAGE;
		}
	return optind == argc ? -1 : cli_usage("feedback: list takes no argument");
}

int cli_feedback(int argc, char **argv)
{
	struct listing l = { .broken = 0 };
	struct conf conf;
	struct err e;
	int status;

	if (argc < 2 || !streq(argv[1], "list"))
		return cli_usage("feedback: expected list");
	if ((status = read_options(&l, argc - 1, argv + 1)) >= 0)
		return status;
	l.a = arena_new();
	log_level_set("OFF");
	if (conf_load(&conf, l.a, &e) != OK) {
		status = cli_fail(&e);
	} else {
		l.dir = conf.conversation_log_dir;
		l.seen = jsn_object(l.a);
		find_files(&l);
		for (size_t i = 0; i < l.nfiles; i++)
			list_file(&l, l.files[i]);
		if (l.nfiles == 0)
			fprintf(stderr, "aviation-agent: there is no feedback of the last %lld days%s%s\n", l.days,
			    l.dir != NULL ? " in " : ": CONVERSATION_LOG_DIR is none",
			    l.dir != NULL ? cli_plain(l.dir) : "");
		status = l.broken > 0 ? err_row(ERR_IO)->exit : 0;
	}
	arena_free(l.a);
	return status;
}
