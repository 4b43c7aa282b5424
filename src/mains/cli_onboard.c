/*
 * aviation-agent onboard: a conversation with the onboarding agent in the terminal, one line a message. It is the
 * same agent with the same store as behind the web server, so it shows what a turn does without any server.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agents/onboarding/agent.h"
#include "base/clock.h"
#include "base/str.h"
#include "edges/sink_cli.h"
#include "mains/cli.h"
#include "mains/service.h"
#include "runtime/run.h"

enum { THREAD_MAX = 64 };         /* what can be the name of an export file */

struct onboard {
	struct service s;
	const char *thread;
	bool json;
	int status;                   /* of the newest turn */
};

/* One message and its answer. */
static int turn(struct onboard *o, const char *text)
{
	const struct edge_parts parts = service_parts(&o->s);
	const struct message said = MESSAGE("user", text);
	const struct turn_request req = { .thread_id = o->thread, .messages = &said, .nmessages = 1,
		.reader_fd = -1 };
	struct run *run = edge_run_new(&parts, service_agent(&o->s, &onboarding_agent));
	struct sink_cli terminal;
	struct err e = { 0 };
	int64_t retry_ms;
	int status = 0;
	sink_cli_init(&terminal, stdout, o->json);
	if (run_begin(run, &req, &retry_ms, &e) == OK) {
		(void)edge_run_turn(&parts, run, &terminal.sink);
		status = err_row(run->error.code)->exit;
	} else {
		status = cli_fail(&e);
	}
	run_free(run);
	return status;
}

/* NULL: the line can be sent. */
static const char *fault_of(const struct onboard *o, const char *text, size_t n)
{
	if (strlen(text) != n || !utf8_valid(text, n))
		return "a message must be text in UTF-8";
	if (utf8_count(text, n) > (size_t)o->s.conf.onboarding_max_characters)
		return "the message is too long (ONBOARDING_MAX_CHARACTERS)";
	return NULL;
}

static void converse(struct onboard *o)
{
	const bool person = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	if (person)
		fputs("Say hello. Ctrl-D ends the conversation.\n", stdout);
	for (;;) {
		if (person)
			fputs("\n> ", stdout);
		fflush(stdout);
		if ((n = getline(&line, &room, stdin)) < 0)
			break;
		while (n > 0 && (line[n - 1] == '\n' || line[n - 1] == '\r'))
			line[--n] = '\0';
		const char *fault = fault_of(o, line, (size_t)n);
		if (fault != NULL)
			fprintf(stderr, "aviation-agent: onboard: %s\n", fault);
		else if (str_trim(str_of(line)).n > 0)
			o->status = turn(o, line);
	}
	free(line);
}

int cli_onboard(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "thread", required_argument, NULL, 't' },
		{ NULL, 0, NULL, 0 },
	};
	struct onboard o = { .status = 0 };
	struct err e = { 0 };
	char id[ID_SIZE];
	int opt;
	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (opt) {
		case 'j': o.json = true; break;
		case 't': o.thread = optarg; break;
		default: return EXIT_USAGE;
		}
	if (optind < argc)
		return cli_usage("onboard takes no words: it reads messages from standard input, one a line");
	if (o.thread != NULL && !id_valid(o.thread, THREAD_MAX))
		return cli_usage("onboard: --thread takes 1 to 64 letters, digits, _ or -");
	if (o.thread == NULL) {
		id_run(id);
		o.thread = id;
	}
	if (service_open(&o.s, "OFF", &e) != OK)
		return cli_fail(&e);
	converse(&o);
	service_close(&o.s);
	return o.status;
}
