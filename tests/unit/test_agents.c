/*
 * A second agent beside the aviation agent: a row of the list and a route, with threads of its own.
 * It repeats what it is told and counts how often it was asked.
 */
#include "tests/unit/test.h"

#include "agents/agents.h"
#include "agents/aviation/agent.h"
#include "agents/env.h"
#include "base/log.h"
#include "edges/api.h"
#include "edges/convlog.h"
#include "edges/edge.h"
#include "edges/routes.h"
#include "runtime/run.h"
#include "tests/unit/http_mem.h"

struct echo_app {
	bool closed;
};

struct echo_state {
	const char *heard;
	int64_t turn;
};

static enum errcode listen_node(struct run *run, struct err *e)
{
	struct echo_state *st = run->state;
	(void)e;
	st->heard = run->messages[run->nmessages - 1].content;
	st->turn++;
	return OK;
}

static enum errcode repeat_node(struct run *run, struct err *e)
{
	const struct echo_state *st = run->state;
	(void)e;
	enum errcode rc = run_text(run, arena_printf(run->mem, "%lld: %s", (long long)st->turn,
	    st->heard));
	run->answer = run_said(run);
	return rc;
}

/* An empty message has nothing to repeat. */
static int after_listening(const struct run *run)
{
	return ((const struct echo_state *)run->state)->heard[0] != '\0' ? 2 : NODE_END;
}

static struct json_object *save(const struct run *run)
{
	struct json_object *o = jsn_new();
	jsn_add_int(o, "turn", ((const struct echo_state *)run->state)->turn);
	return o;
}

static enum errcode load(struct run *run, struct json_object *o, struct err *e)
{
	(void)e;
	((struct echo_state *)run->state)->turn = jsn_get_int(o, "turn", 0);
	return OK;
}

static const struct node echo_nodes[] = {
	[1] = { "listen", listen_node, 2, after_listening, 0 },
	[2] = { "repeat", repeat_node, NODE_END, NULL, NODE_ALWAYS },
};

static const struct graph echo_graph = {
	.name = "echo", .nodes = echo_nodes, .nnodes = 3, .entry = 1, .max_steps = 3,
	.state_size = sizeof(struct echo_state), .save = save, .load = load,
};

static enum errcode open_echo(void **app, const struct agent_env *env, struct err *e)
{
	(void)e;
	*app = arena_alloc(env->mem, sizeof(struct echo_app));
	return OK;
}

static void close_echo(void *app)
{
	((struct echo_app *)app)->closed = true;
}

static const struct agent echo_agent = {
	.name = "echo", .graph = &echo_graph, .open = open_echo, .close = close_echo,
};

/* Another agent with the same graph, for threads that are not its own. */
static const struct agent parrot_agent = { .name = "parrot", .graph = &echo_graph };

#define ECHO   "SCRIPT_NAME=/api/echo/chat"
#define PARROT "SCRIPT_NAME=/api/parrot/chat"

static const struct route house_routes[] = {
	{ HTTP_POST, "/api/echo/chat", api_chat, ROUTE_BODY | ROUTE_CHAT, "echo", "" },
	{ HTTP_POST, "/api/parrot/chat", api_chat, ROUTE_BODY | ROUTE_CHAT, "parrot", "" },
	{ HTTP_POST, "/api/aviation-agent/chat", api_chat, ROUTE_BODY | ROUTE_CHAT, "aviation", "" },
};

struct house {
	struct arena *a;
	struct conf conf;
	struct convlog log;
	struct agent_open agents[3];
	struct edge_parts parts;
	struct edge edge;
	struct err e;
};

static void set_up(struct house *h)
{
	const struct store_config store = { .provider = "memory", .ttl_s = 60, .timeout_ms = 1000 };
	memset(h, 0, sizeof(*h));
	log_level_set("ERROR");
	h->a = arena_new();
	h->conf = (struct conf){ .enabled = true, .store_provider = "memory", .store_timeout_ms = 100,
		.max_chats = 2, .max_body = 1024, .max_messages = 10, .max_message_bytes = 100,
		.lease_s = 15, .heartbeat_s = 15, .history_messages = 10 };
	const struct agent_env env = { .mem = h->a, .conf = &h->conf };
	h->agents[0] = (struct agent_open){ .agent = &aviation_agent };   /* its routes are not asked */
	TEST_OK(agent_open(&h->agents[1], &echo_agent, &env, &h->e), h->e);
	TEST_OK(agent_open(&h->agents[2], &parrot_agent, &env, &h->e), h->e);
	h->parts = (struct edge_parts){ .conf = &h->conf, .mem = h->a, .agents = h->agents,
		.nagents = 3, .routes = house_routes, .nroutes = 3, .log = &h->log };
	TEST_OK(store_open(&h->parts.store, &store, &h->e), h->e);
	TEST_OK(edge_init(&h->edge, &h->parts, &h->e), h->e);
}

static void tear_down(struct house *h)
{
	edge_release(&h->edge);
	store_close(h->parts.store);
	agent_close(&h->agents[1]);
	arena_free(h->a);
}

/* The answer's "answer", or the status line where there is none. */
static const char *ask(struct house *h, const char *route, const char *thread, const char *text)
{
	struct http_mem m;
	struct json_object *o;
	http_mem_init(&m);
	m.params[0] = "REQUEST_METHOD=POST";
	m.params[1] = route;
	m.body = arena_printf(h->a, "{\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}],"
	    "\"thread_id\":\"%s\"}", text, thread);
	edge_serve(&h->edge, &m.io);
	const char *content = http_mem_content(&m), *answer = NULL;
	if (jsn_parse(h->a, content, strlen(content), JSN_DEPTH, &o, NULL, &h->e) == OK)
		answer = jsn_get_str(o, "answer", NULL);
	if (answer == NULL)
		answer = arena_strndup(h->a, m.out.p, strcspn(m.out.p, "\r"));
	buf_release(&m.out);
	return answer;
}

TEST(agents, a_second_one_is_served_over_its_own_route)
{
	struct house h;
	set_up(&h);
	cr_expect_str_eq(ask(&h, ECHO, "t1", "hello"), "1: hello");
	cr_expect_str_eq(ask(&h, ECHO, "t1", "again"), "2: again", "its state is kept between turns");
	cr_expect_str_eq(ask(&h, ECHO, "t2", "hello"), "1: hello", "another thread");
	const struct echo_app *app = h.agents[1].app;
	cr_expect_not(app->closed);
	agent_close(&h.agents[1]);
	cr_expect(app->closed);
	tear_down(&h);
}

TEST(agents, a_thread_of_one_agent_does_not_exist_for_another)
{
	struct house h;
	set_up(&h);
	cr_expect_str_eq(ask(&h, ECHO, "t1", "hello"), "1: hello");
	const char *refusal = ask(&h, PARROT, "t1", "hello");
	cr_expect_eq(strncmp(refusal, "Status: 404 ", 12), 0, "%s", refusal);
	cr_expect_str_eq(ask(&h, PARROT, "t2", "hello"), "1: hello");
	refusal = ask(&h, ECHO, "t2", "hello");
	cr_expect_eq(strncmp(refusal, "Status: 404 ", 12), 0, "%s", refusal);
	cr_expect_str_eq(ask(&h, ECHO, "t1", "again"), "2: again", "its own agent has it still");
	tear_down(&h);
}

TEST(agents, a_route_of_an_unknown_agent_stops_the_start)
{
	static const struct route lost = { HTTP_POST, "/x", api_chat, ROUTE_BODY | ROUTE_CHAT,
		"nobody", "" };
	struct house h;
	struct edge edge;
	set_up(&h);
	h.parts.routes = &lost;
	h.parts.nroutes = 1;
	cr_expect_eq(edge_init(&edge, &h.parts, &h.e), ERR_INTERNAL);
	cr_expect_not_null(strstr(h.e.msg, "nobody"), "%s", h.e.msg);
	edge_release(&edge);
	tear_down(&h);
}

TEST(agents, the_list_is_sound)
{
	struct err e;
	for (size_t i = 0; i < nagents; i++) {
		TEST_OK(graph_check(agents[i]->graph, &e), e);
		for (size_t k = 0; k < i; k++)
			cr_expect_str_neq(agents[i]->name, agents[k]->name);
	}
	for (size_t i = 0; i < nroutes; i++) {
		size_t k = 0;
		while (routes[i].agent != NULL && k < nagents &&
		    strcmp(agents[k]->name, routes[i].agent) != 0)
			k++;
		cr_expect(routes[i].agent == NULL || k < nagents, "%s", routes[i].path);
		/* a chat needs an agent; other routes name one if they show its threads or runs */
		cr_expect((routes[i].flags & ROUTE_CHAT) == 0 || routes[i].agent != NULL, "%s",
		    routes[i].path);
	}
}
