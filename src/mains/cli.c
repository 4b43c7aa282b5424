/*
 * aviation-agent, the command line: ask a question without a server, build the airport database,
 * index the rules, check an installation, print the settings. Each command is a row; the exit
 * status comes from the error table.
 */
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agents/agents.h"
#include "agents/aviation/agent.h"
#include "agents/aviation/model.h"
#include "airports/facts.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "drivers/child.h"
#include "edges/chat_request.h"
#include "edges/sink_cli.h"
#include "mains/cli.h"
#include "mains/service.h"
#include "services/threads.h"
#include "runtime/run.h"

/* How long to wait for an index that is being built, and how long to wait before saying so. */
enum { INDEX_MS = 60000, QUIET_MS = 1000 };

struct command {
	const char *name, *args, *doc;
	int (*run)(int argc, char **argv);
};

const char *cli_plain(const char *text)
{
	static char ring[2][4096];
	static int next;
	char *out = ring[next++ % 2];
	str_escape_into(out, sizeof(ring[0]), text);
	return out;
}

int cli_fail(const struct err *e)
{
	fprintf(stderr, "aviation-agent: %s\n", cli_plain(e->msg));
	return err_row(e->code)->exit;
}

int cli_usage(const char *why)
{
	fprintf(stderr, "aviation-agent: %s\nTry 'aviation-agent --help'.\n", why);
	return EXIT_USAGE;
}

/* -- ask -- */

static const struct option ask_options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "thread", required_argument, NULL, 't' },
	{ "persona", required_argument, NULL, 'p' },
	{ NULL, 0, NULL, 0 },
};

static char *join_words(struct arena *a, char **words, int n)
{
	struct buf b;
	buf_init(&b, 65536);
	for (int i = 0; i < n; i++)
		buf_printf(&b, "%s%s", i > 0 ? " " : "", words[i]);
	char *text = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return text;
}

/* Standard input, up to the greatest size of a message. */
static const char *read_question(struct arena *a, int64_t max, struct err *e)
{
	const size_t room = (size_t)max + 1;
	char *text = arena_alloc(a, room + 1);
	const size_t n = fread(text, 1, room, stdin);

	if (ferror(stdin))
		err_set(e, ERR_INPUT, "cannot read the question from standard input");
	else if (n == room)
		err_set(e, ERR_TOOBIG, "the question on standard input is longer than %lld bytes",
		    (long long)max);
	else if (memchr(text, '\0', n) != NULL)
		err_set(e, ERR_INPUT, "the question on standard input must be text");
	text[n] = '\0';
	const struct str s = str_trim((struct str){ text, n });
	return arena_strndup(a, s.p, s.n);
}

const char *cli_question(struct arena *a, const struct service *s, int nwords, char **words, struct err *e)
{
	const bool piped = nwords == 1 && streq(words[0], "-");
	const char *text = piped ? read_question(a, s->conf.max_message_bytes, e) : join_words(a, words, nwords);

	if (e->code == OK && !utf8_valid(text, strlen(text)))
		err_set(e, ERR_INPUT, "the question must be text in UTF-8");
	else if (e->code == OK && str_trim(str_of(text)).n == 0)
		err_set(e, ERR_INPUT, "the question is empty; write it after the command, for example: "
		    "aviation-agent ask \"airports near Lyon with AVGAS\"");
	return text;
}

void cli_wait_until_ready(struct service *s)
{
	struct aircon *con = NULL;
	rules_refresh(s->rules);
	if (airdb_get(s->airports, QUIET_MS, &con, NULL) == ERR_PREPARING) {
		fprintf(stderr, "aviation-agent: the airport index is being built, which takes a moment "
		    "once\n");
		airdb_get(s->airports, INDEX_MS, &con, NULL);
	}
	airdb_put(con);
}

/* The answer said that airports cannot be looked up. Tell the person at the terminal why. */
static void tell_why(struct service *s, const struct run *run)
{
	struct err why = { 0 };
	if (run->error.code == ERR_DATA &&
	    airdb_state(s->airports, NULL, &why) == AIRDB_FAILED)
		cli_fail(&why);
}

/* On a terminal the id stands below the answer. If only the answer goes elsewhere (a file, a pipe), the id is still
 * shown on the terminal. A script gets no id. */
static void tell_thread(struct service *s, const struct run *run, const struct sink_cli *terminal)
{
	if (!terminal->json && !terminal->tty && isatty(STDERR_FILENO) && run->saved &&
	    !store_in_memory(s->store))
		fprintf(stderr, "aviation-agent: to continue: aviation-agent ask --thread %s …\n",
		    cli_plain(run->thread_id));
}

/* A mistyped id begins a new thread. A person should notice that. */
static void tell_new_thread(struct service *s, struct arena *a, const char *id)
{
	struct thread_about t;
	struct err e = { 0 };

	if (id != NULL && isatty(STDERR_FILENO) && !store_in_memory(s->store) && threads_find(s->store, a, id, &t, &e) == ERR_NOTFOUND)
		fprintf(stderr, "aviation-agent: there was no thread %s: this question begins it "
		    "('aviation-agent threads list' shows the ids)\n", cli_plain(id));
}

static int unknown_persona(struct service *s)
{
	char text[400] = "ask: --persona takes one of";
	int status;
	for (size_t i = 0; i < s->personas.n; i++) {
		size_t n = strlen(text);
		snprintf(text + n, sizeof(text) - n, "%s %s", i > 0 ? "," : "", s->personas.ids[i]);
	}
	status = cli_usage(text);
	service_close(s);
	return status;
}

static int ask(int argc, char **argv)
{
	struct turn_request req = { 0 };
	bool json = false;
	int opt;
	while ((opt = getopt_long(argc, argv, "", ask_options, NULL)) != -1)
		switch (opt) {
		case 'j': json = true; break;
		case 't': req.thread_id = optarg; break;
		case 'p': req.persona_id = optarg; break;
		default: return EXIT_USAGE;
		}
	if (optind >= argc)
		return cli_usage("ask: the question is missing");
	if (req.thread_id != NULL && !chat_id_valid(req.thread_id))
		return cli_usage("ask: --thread takes 1 to 128 letters, digits, _ or -");
	if (streq(req.thread_id, "last"))
		return cli_usage("ask: --thread takes the id of a thread, not \"last\": "
		    "'aviation-agent threads list' shows the ids");

	struct service s;
	struct err e = { 0 };
	if (service_open(&s, "OFF", &e) != OK)
		return cli_fail(&e);
	if (req.persona_id == NULL)
		req.persona_id = s.personas.standard->id;
	if (persona_find(&s.personas, req.persona_id) == NULL)
		return unknown_persona(&s);
	int status = 0;
	struct arena *a = arena_new();
	const struct edge_parts parts = service_parts(&s);
	struct message question = MESSAGE("user", cli_question(a, &s, argc - optind, argv + optind, &e));
	struct run *run = edge_run_new(&parts, service_agent(&s, &aviation_agent));
	struct sink_cli terminal;
	int64_t retry_ms;
	req.messages = &question;
	req.nmessages = 1;
	sink_cli_init(&terminal, stdout, json);
	if (e.code == OK)
		cli_wait_until_ready(&s);
	if (e.code == OK)
		tell_new_thread(&s, a, req.thread_id);
	if (e.code == OK && run_begin(run, &req, &retry_ms, &e) == OK) {
		(void)edge_run_turn(&parts, run, &terminal.sink);
		tell_why(&s, run);
		tell_thread(&s, run, &terminal);
		status = err_row(run->error.code)->exit;
	}
	if (e.code != OK)
		status = cli_fail(&e);
	run_free(run);
	arena_free(a);
	service_close(&s);
	return status;
}

/* -- tools -- */

static int list_tools(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		return cli_usage("tools takes no arguments");
	struct conf c;
	struct aviation_config b;
	struct err e = { 0 };
	struct arena *a = arena_new();
	struct toolset table = tools_builtin;
	const char *catalog;
	int status = 0;
	if (conf_load(&c, a, &e) == OK && behavior_read(&b, &aviation_slice, &c, a, &e) == OK &&
	    cli_mcp_tools(&table, a, &c, &e) == OK && model_catalog(&catalog, a, table, &b, &e) == OK)
		puts(catalog);
	else
		status = cli_fail(&e);
	arena_free(a);
	return status;
}

/* -- config -- */

static enum errcode print_slice(const struct behavior_slice *s, const struct conf *c,
    struct arena *a, struct buf *out, struct err *e)
{
	void *values = arena_alloc(a, s->size);
	enum errcode rc = behavior_read(values, s, c, a, e);
	if (rc != OK)
		return rc;
	buf_putc(out, '\n');
	behavior_print(values, s, out);
	return OK;
}

static int config(int argc, char **argv)
{
	if (argc != 2 || strcmp(argv[1], "--print") != 0)
		return cli_usage("config: expected: config --print");
	struct conf c;
	struct err e = { 0 };
	struct arena *a = arena_new();
	struct buf out;
	buf_init(&out, 1 << 20);
	enum errcode rc = conf_load(&c, a, &e);
	if (rc == OK)
		conf_print(&c, &out);
	for (size_t i = 0; i < nagents && rc == OK; i++)
		if (agents[i]->slice != NULL)
			rc = print_slice(agents[i]->slice, &c, a, &out, &e);
	const int status = rc == OK ? 0 : cli_fail(&e);
	if (rc == OK)
		fwrite(out.p, 1, out.n, stdout);
	buf_release(&out);
	arena_free(a);
	return status;
}

/* -- -- */

static const struct command commands[] = {
	{ "ask", "[--json] [--thread ID] [--persona ID] QUESTION",
	    "answer a question in the terminal; - is standard input", ask },
	{ "onboard", "[--json] [--thread ID]",
	    "talk to the onboarding agent: one message a line on standard input", cli_onboard },
	{ "plan", "[--thread ID] [--explain] QUESTION", "print as JSON what the built-in planner would look up for a question; "
	    "--explain also prints what it understood; - is standard input", cli_plan },
	{ "import", "ourairports DIR [--out FILE] [--types LIST] [--facts DIR]",
	    "build the airport database from the OurAirports CSV files in DIR", cli_import },
	{ "import", "places FILE [--out FILE] [--min-population N]",
	    "add towns, lakes and mountains from a file of GeoNames; - is standard input", cli_import },
	{ "import", "friendliness [--out FILE]",
	    "write what the airport database says of hotels, restaurants and fees to GA_PERSONA_DB",
	    cli_import },
	{ "import", "notifications [--out FILE] [--llm]",
	    "write the notice periods that can be read from the customs texts of AIRPORTS_DB; "
	    "with --llm a language model reads difficult ones", cli_import },
	{ "notifications", "parse [--llm] [TEXT|ICAO]",
	    "print as JSON the notice that a customs text of the AIP asks for; "
	    "without an argument the text is read from standard input; "
	    "with --llm a language model reads a difficult one", cli_notifications },
	{ "index", "rules [--rebuild]",
	    "embed the rules for the search by meaning; --rebuild embeds all of them again", cli_index },
	{ "ingest", "DIR", "put the documents of a folder (.md, .txt, .pdf) into the knowledge base; those it had "
	    "of this folder are replaced", cli_ingest },
	{ "ingest", "--remove DIR", "remove the documents of a folder from the knowledge base", cli_ingest },
	{ "mcp-client", "show|pin [SERVER]", "print the tools of the external servers in MCP_SERVERS; pin accepts those "
	    "that are allowed as they are now", cli_mcp_client },
	{ "mcp-client", "call SERVER TOOL [JSON]", "call an accepted tool, and print its result", cli_mcp_client },
	{ "check", "", "check settings, prompts, data, store and provider, with a line for each", cli_check },
	{ "tools", "", "list what the agent can look up: each tool with its parameters", list_tools },
	{ "threads", "list [--json] [--limit N] [--user NAME]",
	    "list the stored threads: id, last use, turns, user, first words", cli_threads },
	{ "threads", "show [--limit N] ID", "print a thread", cli_threads },
	{ "threads", "export ID", "print all that is stored of a thread as JSON", cli_threads },
	{ "threads", "delete [--force] ID",
	    "delete a thread; with --force also while a turn is running", cli_threads },
	{ "feedback", "list [--json] [--days N] [--score up|down]",
	    "what users think of answers: the last score of each answer, newest first", cli_feedback },
	{ "users", "add NAME EMAIL", "add a user of the onboarding agent; the password is asked for, or read from "
	    "standard input", cli_users },
	{ "users", "show|close|open NAME", "show a user, or close or open the account", cli_users },
	{ "users", "delete NAME", "delete a user with all conversations and their exports", cli_users },
	{ "users", "password NAME", "give a user a new password", cli_users },
	{ "mcp", "", "serve the tools to an assistant that has started this program: Model Context Protocol over "
	    "standard input and output", cli_mcp },
	{ "mcp-token", "add [--tools A,B] NAME", "make a token for a caller of /mcp, for all tools or only these; it is "
	    "printed once", cli_mcp_token },
	{ "mcp-token", "list", "list the tokens' names, and the tools that each may use", cli_mcp_token },
	{ "mcp-token", "remove NAME", "remove a token: its caller is refused at once", cli_mcp_token },
	{ "config", "--print", "print every setting with its documentation and value", config },
};
enum { NCOMMANDS = sizeof(commands) / sizeof(commands[0]) };

/* Print how a command is used; name NULL: every command. */
static size_t print_commands(const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < NCOMMANDS; i++)
		if (name == NULL || strcmp(commands[i].name, name) == 0) {
			printf("  %s %s\n      %s\n", commands[i].name, commands[i].args, commands[i].doc);
			n++;
		}
	return n;
}

static int help_of(const char *name)
{
	return print_commands(name) > 0 ? 0 : cli_usage("unknown command");
}

static int help(void)
{
	printf("Usage: aviation-agent COMMAND\n\n");
	(void)print_commands(NULL);
	printf("\n  COMMAND --help, help COMMAND\n      show how this command is used\n");
	printf("\n  --version, --help\n\nExit status:\n  0   done\n");
	for (int code = 1; code < 10; code++)
		for (int c = 0; c < ERR__MAX; c++) {
			const struct err_row *r = err_row((enum errcode)c);
			if (r->exit == code && r->said != NULL)
				printf("  %d   %s\n", code, r->name);
		}
	printf("\nSettings come from the environment: see 'aviation-agent config --print'.\n");
	return 0;
}

int main(int argc, char **argv)
{
	child_minder(argc, argv);
	signal(SIGPIPE, SIG_IGN);
	/* writing at a file size limit must give an error and not end the program */
	signal(SIGXFSZ, SIG_IGN);
	if (argc < 2)
		return cli_usage("no command");
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0)
		return argc == 3 && strcmp(argv[2], "--help") != 0 && strcmp(argv[2], "help") != 0 ? help_of(argv[2]) : help();
	if (argc > 2 && strcmp(argv[argc - 1], "--help") == 0)
		return help_of(argv[1]);
	if (strcmp(argv[1], "--version") == 0) {
		printf("aviation-agent %s\n", AGENT_VERSION);
		return 0;
	}
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return commands[i].run(argc - 1, argv + 1);
	return cli_usage("unknown command");
}
