/*
 * What planning may cost, counted: conversations of every shape stay below one ceiling, more of the
 * same costs no more, and nobody thinks for a reader who has left. Nothing here is timed.
 */
#include "agents/aviation/builtin/effort.h"

#include <sys/socket.h>
#include <unistd.h>

#include "agents/aviation/planner.h"
#include "agents/aviation/builtin/conversation.h"
#include "base/str.h"
#include "tests/unit/airports_fixture.h"
#include "tests/unit/hostile.h"
#include "tests/unit/plan_one.h"
#include "tests/unit/planner_airports.h"
#include "tests/unit/planner_rules.h"

/* What the one message that was begun with effort left, or the newest, may take beyond it. */
enum { CEILING = EFFORT_MOST + 200000 };

struct fix {
	char *dir, rules_path[600];
	struct airfix airports;
	struct rules *rules;
	struct tool_context ctx;
};

static void fix_open(struct fix *f)
{
	char path[600];
	struct db *db;
	struct err e = { OK, "" };
	memset(f, 0, sizeof(*f));
	f->dir = test_mkdtemp();
	snprintf(path, sizeof(path), "%s/airports.db", f->dir);
	TEST_OK(db_open(&db, path, DB_CREATE, &e), e);
	TEST_OK(db_exec(db, fixture_sql, &e), e);
	TEST_OK(db_exec(db, planner_airports_sql, &e), e);
	db_close(db);
	airfix_open(&f->airports, path, false);
	planner_rules_open(&f->rules, f->rules_path, f->dir);
	f->ctx = (struct tool_context){ .airports = f->airports.db, .rules = f->rules,
		.table = tools_builtin, .offered = tools_builtin };
}

static void fix_close(struct fix *f)
{
	airfix_close(&f->airports);
	rules_close(f->rules);
	test_rmdir(f->dir);
}

/* Think a conversation through. */
static struct effort think(struct fix *f, struct message *m, size_t n, const struct watch *w,
    size_t *memory)
{
	struct arena *a = arena_new();
	struct effort effort = { .watch = w };
	const struct reader rd = { .mem = a, .con = f->airports.con, .effort = &effort };
	const struct run run = { .messages = m, .nmessages = n };
	struct conversation c;
	conversation_open(&c, &rd, rules_use(f->rules, a), &run);
	conversation_rules(&c);
	conversation_query(&c);
	if (memory != NULL)
		*memory = arena_used(a);
	arena_free(a);
	return effort;
}

static struct effort think_shape(struct fix *f, const struct hostile *h, size_t *memory)
{
	struct arena *a = arena_new();
	size_t n;
	struct message *m = hostile_messages(a, h, &n);
	struct effort e = think(f, m, n, NULL, memory);
	arena_free(a);
	return e;
}

TEST(effort, every_shape_stays_below_the_ceiling)
{
	struct fix f;
	fix_open(&f);
	for (size_t i = 0; i < HOSTILE_SHAPES; i++) {
		size_t memory;
		struct effort e = think_shape(&f, &hostile_shapes[i], &memory);
		cr_expect_gt(e.spent, (size_t)0, "%s: nothing was counted", hostile_shapes[i].name);
		cr_expect_lt(e.spent, (size_t)CEILING, "%s: %zu steps", hostile_shapes[i].name, e.spent);
		cr_expect_lt(memory, (size_t)8 << 20, "%s: %zu bytes", hostile_shapes[i].name, memory);
	}
	fix_close(&f);
}

/* Twelve messages may cost more than one, but forty no more than twenty. */
TEST(effort, more_of_the_same_costs_no_more)
{
	struct fix f;
	fix_open(&f);
	for (size_t i = 0; i < HOSTILE_SHAPES; i++) {
		struct hostile few = hostile_shapes[i], many = hostile_shapes[i];
		few.turns = 20;
		many.turns = 40;
		if (few.bytes < 8 * KB || think_shape(&f, &few, NULL).spent < EFFORT_MOST)
			continue;
		cr_expect_eq(think_shape(&f, &many, NULL).spent, think_shape(&f, &few, NULL).spent, "%s",
		    few.name);
	}
	fix_close(&f);
}

TEST(effort, the_same_conversation_costs_the_same)
{
	struct fix f;
	fix_open(&f);
	for (size_t i = 0; i < HOSTILE_SHAPES; i += 7)
		cr_expect_eq(think_shape(&f, &hostile_shapes[i], NULL).spent,
		    think_shape(&f, &hostile_shapes[i], NULL).spent);
	fix_close(&f);
}

/* An ordinary follow-up costs hundreds of times less than it may. */
TEST(effort, an_ordinary_question_is_cheap)
{
	struct fix f;
	struct message m[] = { MESSAGE("user", "fuel stop with AVGAS between EGTF and LFMD"),
		MESSAGE("assistant", "1. **Albert** (LFAQ)"), MESSAGE("user", "and only with a hard runway?") };
	fix_open(&f);
	cr_expect_lt(think(&f, m, 3, NULL, NULL).spent, (size_t)EFFORT_MOST / 50);
	fix_close(&f);
}

/* ---- the newest message ------------------------------------------------------------- */

static struct plan plan_of(struct fix *f, struct run *run)
{
	struct plan plan;
	struct err e = { OK, "" };
	TEST_OK(plan_one(&planner_builtin, run, &f->ctx, &plan, &e), e);
	return plan;
}

TEST(effort, the_newest_message_is_understood_whatever_came_before)
{
	struct fix f;
	fix_open(&f);
	for (size_t i = 0; i < HOSTILE_SHAPES; i++) {
		struct run run = { .mem = arena_new() };
		run.messages = hostile_messages(run.mem, &hostile_shapes[i], &run.nmessages);
		struct message *last = &run.messages[run.nmessages - (run.nmessages > 0)];
		*last = (struct message)MESSAGE("user", "airports near Lyon with avgas within 30 nm");
		struct plan p = plan_of(&f, &run);
		cr_assert(p.tool != NULL, "%s: %s", hostile_shapes[i].name, p.reply);
		cr_expect_str_eq(p.tool->name, "find_airports_near_location");
		cr_expect_eq(jsn_get_num(p.arguments, "max_distance_nm", 0), 30);
		last->content = "Do I need a flight plan in Norway?";
		p = plan_of(&f, &run);
		cr_assert(p.tool != NULL, "%s: %s", hostile_shapes[i].name, p.reply);
		cr_expect_str_eq(p.tool->name, "answer_rules_question");
		cr_expect_str_eq(jsn_get_str(p.arguments, "country_code", ""), "NO");
		arena_free(run.mem);
	}
	fix_close(&f);
}

/* The question stands at the end of a text, and is read though the beginning would take all. */
TEST(effort, the_end_of_a_long_message_is_read)
{
	static const char *const pieces[] = { "Zzz Yyy. ", "small strange zzzzz yyyyyy ", "48.8, 2.2 1 2 ",
		"x", "XQZW QZWX ", "restaurent aiport runwya. " };
	struct fix f;
	fix_open(&f);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		struct run run = { .mem = arena_new() };
		struct message m = MESSAGE("user", arena_printf(run.mem, "%s\nDo I need a flight plan in Norway?",
		    hostile_text(run.mem, pieces[i], 60000)));
		run.messages = &m;
		run.nmessages = 1;
		struct plan p = plan_of(&f, &run);
		cr_assert(p.tool != NULL, "%s: %s", pieces[i], p.reply);
		cr_expect_str_eq(jsn_get_str(p.arguments, "country_code", ""), "NO", "%s", pieces[i]);
		arena_free(run.mem);
	}
	fix_close(&f);
}

/* ---- nobody waits --------------------------------------------------------------------- */

/* OK for so many looks. */
static enum errcode patience(void *arg, int64_t *ms)
{
	int *left = arg;
	*ms = 1000;
	return (*left)-- > 0 ? OK : ERR_TIMEOUT;
}

/* A pilot who writes letters has the route kept too, though each costs ten times the usual. */
TEST(effort, twenty_long_follow_ups_keep_the_route)
{
	static const char letter[] = "and within 40 nm? We can go a little off the route, but not too "
	    "much because of the fuel reserve that I keep. and within 40 nm? We can go a little off the "
	    "route, but not too much because of the fuel reserve that I keep. and within 40 nm? We can "
	    "go a little off the route, but not too much because of the fuel reserve that I keep.";
	struct message m[42] = { MESSAGE("user", "Find airports between EGTF and LFMD") };
	size_t n = 1;
	struct fix f;
	fix_open(&f);
	for (; n < 41; n += 2) {
		m[n] = (struct message)MESSAGE("assistant", "1. **Albert** (LFAQ)");
		m[n + 1] = (struct message)MESSAGE("user", letter);
	}
	m[n - 1].content = "and with avgas?";
	struct arena *a = arena_new();
	struct effort effort = { .watch = NULL };
	const struct reader rd = { .mem = a, .con = f.airports.con, .effort = &effort };
	const struct run run = { .messages = m, .nmessages = n };
	struct conversation c;
	conversation_open(&c, &rd, rules_use(f.rules, a), &run);
	conversation_rules(&c);
	const struct query *q = conversation_query(&c);
	cr_expect_str_eq(q->from.text != NULL ? q->from.text : "", "EGTF", "%zu steps", effort.spent);
	cr_expect_str_eq(q->to.text != NULL ? q->to.text : "", "LFMD");
	arena_free(a);
	fix_close(&f);
}

TEST(effort, the_end_of_the_turn_ends_the_thinking)
{
	struct fix f;
	struct arena *a = arena_new();
	size_t n;
	struct message *m = hostile_messages(a, &hostile_shapes[0], &n);
	fix_open(&f);
	for (int looks = 0; looks < 4; looks++) {
		int left = looks;
		const struct watch w = { .fd = -1, .check = patience, .arg = &left };
		struct effort e = think(&f, m, n, &w, NULL);
		cr_expect_eq(e.ended, ERR_TIMEOUT);
		cr_expect_lt(e.spent, (size_t)EFFORT_MOST / 2, "%d: %zu", looks, e.spent);
	}
	arena_free(a);
	fix_close(&f);
}

struct gone {
	struct sink sink;
	int fd;
};

static int gone_fd(struct sink *s)
{
	return ((struct gone *)s)->fd;
}

TEST(effort, a_reader_who_has_left_gets_no_plan)
{
	static const struct sink_ops ops = { .name = "gone", .fd = gone_fd };
	struct fix f;
	struct plan plan = { .tool = NULL };
	struct err e = { OK, "" };
	int pair[2];
	fix_open(&f);
	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	close(pair[1]);
	struct gone gone = { { &ops }, pair[0] };
	struct message m = MESSAGE("user", "airports near Lyon");
	struct run run = { .mem = arena_new(), .log.first.sink = &gone.sink,
		.messages = &m, .nmessages = 1 };
	cr_expect_eq(plan_one(&planner_builtin, &run, &f.ctx, &plan, &e), ERR_HUP);
	close(pair[0]);
	arena_free(run.mem);
	fix_close(&f);
}
