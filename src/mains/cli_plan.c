/*
 * aviation-agent plan: how the built-in planner reads a message, as JSON. Nothing is looked up, and nothing is stored.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "agents/aviation/agent.h"
#include "agents/aviation/explanation.h"
#include "base/jsn.h"
#include "base/str.h"
#include "edges/chat_request.h"
#include "mains/cli.h"
#include "mains/service.h"
#include "runtime/run.h"
#include "services/store.h"

static const struct option options[] = {
	{ "thread", required_argument, NULL, 't' },
	{ "explain", no_argument, NULL, 'e' },
	{ NULL, 0, NULL, 0 },
};

struct call {
	struct service s;
	struct run *run;
	const char *thread;           /* NULL: a message of its own */
	struct message *messages;
	struct err e;
};

/* The messages and the state of the thread that the message goes on from. */
static enum errcode load_thread(struct call *c)
{
	static const struct thread_owner anyone = { .user = NULL };
	struct run *run = c->run;
	struct thread t;
	struct json_object *state;
	enum errcode rc = store_load(c->s.store, run->mem, c->thread, &anyone, run->limits.history_messages, &t, &c->e);

	if (rc == OK && t.version == 0)
		return err_set(&c->e, ERR_NOTFOUND, "plan: there is no thread %s: 'aviation-agent threads list' shows "
		    "the ids", c->thread);
	if (rc != OK)
		return rc;
	c->messages = arena_array(run->mem, t.nloaded + 1, sizeof(*c->messages));
	for (size_t i = 0; i < t.nloaded; i++)
		c->messages[run->nmessages++] = t.messages[i];
	if (t.state != NULL && jsn_parse(run->mem, t.state, strlen(t.state), JSN_DEPTH, &state, NULL, &c->e) == OK)
		return aviation_load(run, state, &c->e);
	return c->e.code;
}

static enum errcode plan(struct call *c, const char *text, bool explain)
{
	const struct message message = MESSAGE("user", text);
	struct run *run = c->run;
	struct message one;
	enum errcode rc = OK;

	run->state = arena_alloc(run->mem, run->agent->graph->state_size);
	c->messages = &one;
	if (c->thread != NULL)
		rc = load_thread(c);
	if (rc != OK)
		return rc;
	c->messages[run->nmessages++] = message;
	run->messages = c->messages;
	turn_language_read(run);
	struct json_object *o = jsn_own(run->mem, explanation(run, explain));
	puts(jsn_text(run->mem, o, JSN_INDENT));
	return OK;
}

int cli_plan(int argc, char **argv)
{
	struct call c = { .thread = NULL };
	bool explain = false;
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (opt) {
		case 't': c.thread = optarg; break;
		case 'e': explain = true; break;
		default: return EXIT_USAGE;
		}
	if (optind >= argc)
		return cli_usage("plan: the question is missing");
	if (c.thread != NULL && !chat_id_valid(c.thread))
		return cli_usage("plan: --thread takes 1 to 128 letters, digits, _ or -");
	if (service_open(&c.s, "OFF", &c.e) != OK)
		return cli_fail(&c.e);
	const struct edge_parts parts = service_parts(&c.s);
	c.run = edge_run_new(&parts, service_agent(&c.s, &aviation_agent));
	const char *text = cli_question(c.run->mem, &c.s, argc - optind, argv + optind, &c.e);
	enum errcode rc = c.e.code;
	if (rc == OK) {
		cli_wait_until_ready(&c.s);
		rc = plan(&c, text, explain);
	}
	const int status = rc == OK ? 0 : cli_fail(&c.e);
	run_free(c.run);
	service_close(&c.s);
	return status;
}
