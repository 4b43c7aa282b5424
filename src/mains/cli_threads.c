/*
 * aviation-agent threads: list, show, export and delete threads. An operator who can open the store
 * can read every thread anyway, so no owner is checked.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "agents/onboarding/agent.h"
#include "base/clock.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"
#include "edges/chat_request.h"
#include "edges/conversation_drop.h"
#include "mains/cli.h"
#include "mains/service.h"
#include "services/conversations.h"
#include "services/threads.h"

enum { LIST_MAX = 100, LIST_MOST = 10000, SHOW_MAX = 20 };

struct call {
	struct conf conf;
	struct store *store;
	struct arena *a;
	struct err e;
	bool json, force;
	const char *user;
	long long limit;
	const char *id;
};

/* "2026-01-03T10:15:00Z"; "-": not known */
static const char *when(struct arena *a, int64_t wall_us)
{
	char at[CLOCK_ISO_SIZE];

	if (wall_us == 0)
		return "-";
	clock_iso_utc(at, wall_us);
	return arena_printf(a, "%.19sZ", at);
}

static void add_time(struct arena *a, struct json_object *o, const char *name, int64_t wall_us)
{
	jsn_add_str(o, name, wall_us != 0 ? when(a, wall_us) : NULL);
}

static const char *filled(const char *text)
{
	return *text != '\0' ? text : NULL;
}

static struct thread_owner owner_of(const struct thread_about *t)
{
	return (struct thread_owner){ .user = filled(t->user), .agent = filled(t->agent) };
}

static bool is_onboarding(const struct thread_about *t)
{
	return streq(t->agent, onboarding_agent.name);
}

/* The onboarding agent commits several times a turn, so its turns are those of the conversation's record. A thread of
 * 'aviation-agent onboard' has no such record. -1: not known */
static int64_t turns(struct call *c, const struct thread_about *t)
{
	struct conversation talk;
	struct err ignored;

	if (!is_onboarding(t))
		return t->version;
	return conversations_find(c->store, c->a, *t->user != '\0' ? t->user : t->id, t->id, &talk, &ignored) == OK
	    ? talk.turn : -1;
}

static const char *turns_text(struct call *c, const struct thread_about *t)
{
	const int64_t n = turns(c, t);

	return n >= 0 ? arena_printf(c->a, "%lld", (long long)n) : "-";
}

static struct json_object *about_json(struct call *c, const struct thread_about *t)
{
	struct arena *a = c->a;
	struct json_object *o = jsn_object(a);
	const int64_t n = turns(c, t);

	jsn_add_str(o, "thread_id", t->id);
	jsn_add_str(o, "agent", filled(t->agent));
	jsn_add_str(o, "user", filled(t->user));
	jsn_add_str(o, "title", t->title);
	jsn_add_str(o, "persona_id", filled(t->persona));
	add_time(a, o, "created_at", t->created_us);
	add_time(a, o, "updated_at", t->updated_us);
	if (n >= 0)
		jsn_add_int(o, "turns", n);
	else
		jsn_add_str(o, "turns", NULL);
	jsn_add_int(o, "message_count", t->nmessages);
	jsn_add_int(o, "kept_messages", t->nkept);
	return o;
}

/* -- list -- */

static enum errcode list(struct call *c)
{
	struct thread_about *t;
	size_t n;
	bool more;
	enum errcode rc = threads_list(c->store, c->a, c->user, (size_t)c->limit, &t, &n, &more, &c->e);

	for (size_t i = 0; rc == OK && i < n; i++) {
		if (c->json)
			puts(jsn_text(c->a, about_json(c, &t[i]), JSN_PLAIN));
		else
			printf("%s  %s  %4s turns  %s  %s\n", t[i].id, when(c->a, t[i].updated_us),
			    turns_text(c, &t[i]), *t[i].user != '\0' ? cli_plain(t[i].user) : "-",
			    cli_plain(t[i].title));
	}
	if (rc == OK && more)
		fprintf(stderr, "aviation-agent: there are more than %lld threads: --limit N shows up to %d\n", c->limit,
		    (int)LIST_MOST);
	return rc;
}

/* -- show -- */

/* Line by line, because a terminal must not see what else a message may hold. */
static void print_text(struct arena *a, const char *text)
{
	struct str line;

	for (const char *rest = text; str_part(&rest, '\n', &line);) {
		const size_t room = 4 * line.n + 1;
		char *plain = arena_alloc(a, room);
		str_escape_into(plain, room, arena_strndup(a, line.p, line.n));
		printf("  %s\n", plain);
	}
}

static enum errcode show(struct call *c)
{
	struct thread_about t;
	struct thread_page page;
	const struct thread_range range = { .part = THREAD_SAID, .limit = (size_t)c->limit };
	enum errcode rc = threads_find(c->store, c->a, c->id, &t, &c->e);

	if (rc != OK)
		return rc;
	const struct thread_owner owner = owner_of(&t);
	if ((rc = threads_page(c->store, c->a, c->id, &owner, &range, &page, &c->e)) != OK)
		return rc;
	printf("%s\n%s\nuser %s, agent %s, persona %s, begun %s, newest turn %s, %s turns, %lld messages%s\n",
	    t.id, cli_plain(t.title), *t.user != '\0' ? cli_plain(t.user) : "-", t.agent,
	    *t.persona != '\0' ? t.persona : "-", when(c->a, t.created_us), when(c->a, t.updated_us),
	    turns_text(c, &t), (long long)t.nmessages, *t.run != '\0' ? ", a turn is running" : "");
	if (page.older)
		printf("\n… (older messages: --limit N, up to %d)\n", (int)THREAD_PAGE_MAX);
	for (size_t i = 0; i < page.n; i++) {
		printf("\n%s, %s\n", page.messages[i].role, when(c->a, page.messages[i].time_us));
		print_text(c->a, page.messages[i].content);
	}
	return OK;
}

/* -- export -- */

static struct json_object *message_json(struct arena *a, const struct message *m)
{
	struct json_object *o = jsn_object(a);

	jsn_add_str(o, "id", m->id);
	jsn_add_str(o, "role", m->role);
	jsn_add_str(o, "content", m->content);
	add_time(a, o, "created_at", m->time_us);
	if (m->call_id != NULL)
		jsn_add_str(o, "tool_call_id", m->call_id);
	if (m->version != 0) {
		jsn_add_int(o, "turn", m->version);
		jsn_add_str(o, "run_id", m->run);
	}
	if (m->ncalls == 0)
		return o;
	struct json_object *calls = jsn_array(a);
	for (size_t i = 0; i < m->ncalls; i++) {
		struct json_object *call = jsn_object(a);
		jsn_add_str(call, "id", m->calls[i].id);
		jsn_add_str(call, "name", m->calls[i].name);
		jsn_add_str(call, "arguments", m->calls[i].arguments);
		jsn_push(calls, jsn_ref(call));
	}
	jsn_add(o, "tool_calls", jsn_ref(calls));
	return o;
}

static enum errcode export(struct call *c)
{
	struct thread_about t;
	struct thread_page page = { .newer = true };
	struct json_object *messages = jsn_array(c->a);
	enum errcode rc = threads_find(c->store, c->a, c->id, &t, &c->e);

	if (rc != OK)
		return rc;
	const struct thread_owner owner = owner_of(&t);
	for (const char *after = ""; page.newer;) {
		const struct thread_range range = { .part = THREAD_ALL, .limit = THREAD_PAGE_MAX, .after = after };
		rc = threads_page(c->store, c->a, c->id, &owner, &range, &page, &c->e);
		if (rc != OK)
			return rc;
		for (size_t i = 0; i < page.n; i++)
			jsn_push(messages, jsn_ref(message_json(c->a, &page.messages[i])));
		if (page.n > 0)
			after = page.messages[page.n - 1].id;
	}
	struct json_object *o = about_json(c, &t);
	jsn_add(o, "messages", jsn_ref(messages));
	puts(jsn_text(c->a, o, JSN_INDENT));
	return OK;
}

/* -- delete -- */

/* A conversation with the onboarding agent has a record and an export file besides. */
static enum errcode delete_talk(struct call *c, const struct thread_about *t, int64_t *retry_ms)
{
	enum errcode rc = c->force ? store_forget(c->store, c->id, &c->e) : OK;

	if (rc == OK || rc == ERR_NOTFOUND)
		rc = conversation_drop(c->store, &c->conf, filled(t->user), c->id, retry_ms, &c->e);
	return rc == ERR_NOTFOUND ? OK : rc;    /* that of 'aviation-agent onboard' has no record */
}

static enum errcode delete_thread(struct call *c, const struct thread_about *t, int64_t *retry_ms)
{
	const struct thread_owner owner = owner_of(t);

	return c->force ? store_forget(c->store, c->id, &c->e) :
	    threads_delete(c->store, c->id, &owner, retry_ms, &c->e);
}

static enum errcode delete(struct call *c)
{
	struct thread_about t;
	int64_t retry_ms;
	enum errcode rc = threads_find(c->store, c->a, c->id, &t, &c->e);

	if (rc != OK)
		return rc;
	rc = is_onboarding(&t) ? delete_talk(c, &t, &retry_ms) : delete_thread(c, &t, &retry_ms);
	if (rc == ERR_BUSY)
		err_set(&c->e, rc, "a turn of %s is running: wait for its end, or use --force", c->id);
	return rc;
}

/* -- -- */

static const struct option list_options[] = { { "json", no_argument, NULL, 'j' },
	{ "limit", required_argument, NULL, 'l' }, { "user", required_argument, NULL, 'u' }, { NULL, 0, NULL, 0 } };
static const struct option show_options[] = { { "limit", required_argument, NULL, 'l' }, { NULL, 0, NULL, 0 } };
static const struct option no_options[] = { { NULL, 0, NULL, 0 } };
static const struct option delete_options[] = { { "force", no_argument, NULL, 'f' }, { NULL, 0, NULL, 0 } };

static const struct {
	const char *name;
	enum errcode (*run)(struct call *);
	const struct option *options;
	bool of_one;                            /* it takes a thread's id */
	long long limit, most;
} actions[] = {
	{ "list", list, list_options, false, LIST_MAX, LIST_MOST },
	{ "show", show, show_options, true, SHOW_MAX, THREAD_PAGE_MAX },
	{ "export", export, no_options, true, 1, 1 },
	{ "delete", delete, delete_options, true, 1, 1 },
};
enum { NACTIONS = sizeof(actions) / sizeof(actions[0]) };

/* -1: the options are valid; else the exit status. */
static int read_options(struct call *c, size_t i, int argc, char **argv)
{
	int opt;

	c->limit = actions[i].limit;
	while ((opt = getopt_long(argc, argv, "", actions[i].options, NULL)) != -1)
		switch (opt) {
		case 'j': c->json = true; break;
		case 'f': c->force = true; break;
		case 'u': c->user = optarg; break;
		case 'l':
			if (!str_to_int(optarg, &c->limit) || c->limit < 1 || c->limit > actions[i].most) {
				fprintf(stderr, "aviation-agent: threads: --limit takes 1 to %lld\n", actions[i].most);
				return EXIT_USAGE;
			}
			break;
		default: return EXIT_USAGE;
		}
	if (argc - optind != (actions[i].of_one ? 1 : 0))
		return cli_usage(actions[i].of_one ? "threads: give the id of one thread" :
		    "threads: list takes no id");
	c->id = actions[i].of_one ? argv[optind] : NULL;
	if (c->id != NULL && !chat_id_valid(c->id))
		return cli_usage("threads: a thread id has 1 to 128 letters, digits, _ or -");
	return -1;
}

int cli_threads(int argc, char **argv)
{
	struct call c = { 0 };
	size_t i = 0;

	while (i < NACTIONS && (argc < 2 || !streq(argv[1], actions[i].name)))
		i++;
	if (i == NACTIONS)
		return cli_usage("threads: expected list, show, export or delete");
	int status = read_options(&c, i, argc - 1, argv + 1);
	if (status >= 0)
		return status;
	c.a = arena_new();
	log_level_set("OFF");
	if (conf_load(&c.conf, c.a, &c.e) != OK || service_open_store(&c.store, &c.conf, &c.e) != OK ||
	    actions[i].run(&c) != OK) {
		/* the store's own words shorten the id, for the log */
		if (c.e.code == ERR_NOTFOUND && c.id != NULL)
			err_set(&c.e, ERR_NOTFOUND, "thread %s is not in the store; 'aviation-agent threads list' "
			    "shows the ids", cli_plain(c.id));
		status = cli_fail(&c.e);
	} else {
		status = 0;
	}
	if (c.store != NULL && store_in_memory(c.store))
		fprintf(stderr, "aviation-agent: CHECKPOINTER_PROVIDER is %s, so threads are lost when "
		    "their process ends\n", store_name(c.store));
	store_close(c.store);
	arena_free(c.a);
	return status;
}
