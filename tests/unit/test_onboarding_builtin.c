/*
 * The onboarding agent without a language model: conversations from tests/data/onboarding_conversations.txt.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tests/unit/onboarding_fix.h"
#include "tests/unit/test.h"
#include "tools/onboarding.h"

enum { FILE_BYTES = 1 << 20 };

static const struct { char letter; const char *field; } fields[] = {
	{ 'n', "employee_name" }, { 'i', "employee_id" }, { 'k', "starter_kit" },
	{ 'd', "dietary_restrictions" }, { 'm', "meeting_scheduled" },
};

/* The field as text; "-": it is not filled. */
static const char *value_of(struct office *o, const char *field)
{
	struct json_object *record;
	struct err e = { 0 };
	TEST_OK(onboarding_record(o->a, o->thread.state, &record, &e), e);
	struct json_object *v = jsn_get(record, field);
	return v == NULL ? "-" : jsn_is(v, json_type_string) ? json_object_get_string(v) :
	    jsn_text(o->a, v, JSN_PLAIN);
}

/* The names of the tools that were called after the newest user message. */
static const char *tools_of(struct office *o)
{
	const struct thread *t = &o->thread;
	size_t from = 0;
	const char *list = "";
	for (size_t i = 0; i < t->nloaded; i++)
		if (streq(t->messages[i].role, "user"))
			from = i;
	for (size_t i = from; i < t->nloaded; i++)
		for (size_t k = 0; k < t->messages[i].ncalls; k++)
			list = arena_printf(o->a, "%s%s%s", list, *list != '\0' ? " " : "",
			    t->messages[i].calls[k].name);
	return *list == '\0' ? "-" : list;
}

static void expect(struct office *o, const char *line, const char *said, size_t number)
{
	const char *rest = line + 2;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (line[0] == fields[i].letter)
			cr_expect_str_eq(value_of(o, fields[i].field), rest, "line %zu: \"%s\": %s is %s", number,
			    said, fields[i].field, value_of(o, fields[i].field));
	if (line[0] == '~')
		cr_expect_not_null(strstr(o->text, rest), "line %zu: \"%s\": %s", number, said, o->text);
	if (line[0] == '!')
		cr_expect_null(strstr(o->text, rest), "line %zu: \"%s\": %s", number, said, o->text);
	if (line[0] == '+')
		cr_expect_str_eq(tools_of(o), rest, "line %zu: \"%s\": %s", number, said, tools_of(o));
}

TEST(onboarding_builtin, leads_through_conversations)
{
	struct buf b;
	struct err e;
	struct office o;
	bool open = false;
	size_t number = 0, turns = 0;
	const char *said = "";
	buf_init(&b, FILE_BYTES);
	TEST_OK(buf_load(&b, TEST_SRCDIR "/tests/data/onboarding_conversations.txt", &e), e);
	for (char *line = b.p, *end; *line != '\0'; line = end) {
		end = line + strcspn(line, "\n");
		if (*end != '\0')
			*end++ = '\0';
		number++;
		if (starts_with(line, "== ")) {
			if (open)
				office_close(&o);
			open = office_open(&o, "memory", NULL, 0);
		} else if (starts_with(line, "> ")) {
			cr_assert(open);
			said = line + 2;
			office_turn(&o, said);
			turns++;
			cr_expect_eq(o.error.code, OK, "line %zu: %s", number, o.error.msg);
			cr_expect_str_neq(o.text, "", "line %zu", number);
		} else if (*line != '\0' && *line != '#') {
			expect(&o, line, said, number);
		}
	}
	if (open)
		office_close(&o);
	buf_release(&b);
	cr_expect_gt(turns, 50);
}

/* What the record should be after a turn, and what it was before. */
struct open_turn {
	const char *said, *want[ONBOARDING_WRITABLE];
	bool export, asked;
	size_t wished, exported, wrong_exports;
};

/* Of diets one text may hold the other: "pork" and "no pork". */
static bool same_value(size_t i, const char *is, const char *should)
{
	if (fields[i].letter != 'd' || streq(is, "-") || streq(should, "-"))
		return streq(is, should);
	return strcasestr(is, should) != NULL || strcasestr(should, is) != NULL;
}

/* Were exactly the right fields changed? `want` goes on from what the record holds, so that one miss counts once. */
static bool open_turn_right(struct office *o, struct open_turn *t)
{
	bool right = true;
	office_turn(o, t->said);
	cr_expect_eq(o->error.code, OK, "%s: %s", t->said, o->error.msg);
	for (size_t i = 0; i < ONBOARDING_WRITABLE; i++) {
		const char *got = value_of(o, fields[i].field);
		if (!same_value(i, got, t->want[i])) {
			fprintf(stderr, "\"%s\": %s is %s, not %s\n", t->said, fields[i].field, got, t->want[i]);
			right = false;
		}
		t->want[i] = got;
	}
	const bool exported = strstr(tools_of(o), "export_data") != NULL && strstr(o->text, "exported") != NULL;
	t->wished += t->export;
	t->exported += t->export && exported;
	t->wrong_exports += exported && !t->export;
	if (exported != t->export)
		fprintf(stderr, "\"%s\": %s\n", t->said, exported ? "exported, and nobody wished it" : "not exported");
	right = right && exported == t->export;
	t->export = false;
	return right;
}

/* Reads the conversations of a file. `floor`: how many turns of a hundred must be right; 0: only the figures are
 * printed. */
static void read_conversations(const char *path, size_t floor)
{
	struct buf b;
	struct err e;
	struct office o;
	struct open_turn t = { 0 };
	bool open = false;
	size_t turns = 0, right = 0;
	buf_init(&b, FILE_BYTES);
	TEST_OK(buf_load(&b, path, &e), e);
	for (char *line = b.p, *end;; line = end) {
		const bool last = *line == '\0';
		end = line + strcspn(line, "\n");
		if (*end != '\0')
			*end++ = '\0';
		if (t.asked && (last || starts_with(line, "== ") || starts_with(line, "> "))) {
			turns++;
			right += open_turn_right(&o, &t);
			t.asked = false;
		}
		if (open && (last || starts_with(line, "== ")))
			office_close(&o);
		if (last)
			break;
		if (starts_with(line, "== ")) {
			open = office_open(&o, "memory", NULL, 0);
			for (size_t i = 0; i < ONBOARDING_WRITABLE; i++)
				t.want[i] = "-";
		} else if (starts_with(line, "> ")) {
			cr_assert(open);
			t.said = line + 2;
			t.asked = true;
		} else if (starts_with(line, "+ ")) {
			t.export = true;
		}
		for (size_t i = 0; t.asked && *line != '\0' && line[1] == ' ' && i < ONBOARDING_WRITABLE; i++)
			if (line[0] == fields[i].letter)
				t.want[i] = line + 2;
	}
	buf_release(&b);
	fprintf(stderr, "onboarding without a model: %zu of %zu turns are read exactly; %zu of %zu exports made, %zu that "
	    "nobody wished\n", right, turns, t.exported, t.wished, t.wrong_exports);
	cr_expect_gt(turns, 0);
	if (floor == 0)
		return;
	cr_expect(right * 100 >= turns * floor, "%s: %zu of %zu", path, right, turns);
	cr_expect_eq(t.wrong_exports, 0, "%s", path);
}

/* Conversations by authors who had seen neither the strategy nor each other's. The floors are a little below what it
 * reaches. ONBOARDING_SET names another file of conversations. */
TEST(onboarding_builtin, reads_conversations_of_strangers)
{
	const char *set = getenv("ONBOARDING_SET");
	if (set != NULL) {
		read_conversations(set, 0);
		return;
	}
	read_conversations(TEST_SRCDIR "/tests/quality/onboarding_open.txt", 90);
	read_conversations(TEST_SRCDIR "/tests/quality/onboarding_sealed.txt", 80);
}

/* The model is down: the built-in strategy leads on, and says so. */
TEST(onboarding_builtin, stands_in_for_a_model_that_is_down)
{
	static const struct scripted_reply replies[] = {
		{ .text = "Welcome! What is your name?" },
	};
	struct office o;
	if (!office_open(&o, "memory", replies, 1))
		return;
	office_turn(&o, "hi");
	cr_expect_str_eq(o.text, "Welcome! What is your name?");
	const struct thread *t = office_turn(&o, "My name is Ada Lovelace and my id is 42-A");
	cr_expect_eq(o.error.code, OK);
	cr_expect_not_null(strstr(o.text, "The language model is not available"), "%s", o.text);
	cr_expect_str_eq(office_field(&o, "employee_name"), "Ada Lovelace");
	cr_expect_str_eq(office_field(&o, "employee_id"), "42-A");
	cr_expect_eq(t->nloaded, 7);
	office_close(&o);
}

/* The record may have changed since it was shown: a "yes" after a turn of the model does not confirm it. */
TEST(onboarding_builtin, a_turn_of_the_model_ends_the_question)
{
	static const struct scripted_reply replies[] = {
		{ .text = "", .rc = ERR_UPSTREAM }, { .text = "Of course." }, { .text = "", .rc = ERR_UPSTREAM },
	};
	struct office o;
	if (!office_open(&o, "memory", replies, 3))
		return;
	office_turn(&o, "my name is Bo Li, id 12, mouse, vegan, the meeting is booked");
	cr_expect_not_null(strstr(o.text, "Is it right"), "%s", o.text);
	office_turn(&o, "are you there?");
	cr_expect_str_eq(o.text, "Of course.");
	office_turn(&o, "yes");
	cr_expect_str_eq(tools_of(&o), "-");
	cr_expect_not_null(strstr(o.text, "Is it right"), "%s", o.text);
	office_close(&o);
}

/* Any text is read without harm, in little time. */
TEST(onboarding_builtin, reads_any_text)
{
	static const char *const texts[] = { "?", "...", ", , ,", "id", "my id is", "I'm", "my name is", "not", "no but",
	    "id:", "id not but", "my id is not", "allergic to", "\"\"", "instead of", "é", "id is but", "the", "a a a" };
	struct office o;
	if (!office_open(&o, "memory", NULL, 0))
		return;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		office_turn(&o, texts[i]);
		cr_expect_eq(o.error.code, OK, "%s", texts[i]);
		cr_expect_str_neq(o.text, "", "%s", texts[i]);
	}
	struct buf b;
	buf_init(&b, 100000);
	for (int i = 0; i < 8000; i++)
		buf_puts(&b, i % 2 == 0 ? "id " : "not ");
	office_turn(&o, b.p);
	cr_expect_eq(o.error.code, OK);
	buf_release(&b);
	office_close(&o);
}

/* The worker was killed between the calls and their results, and the employee sends the message again. */
TEST(onboarding_builtin, a_message_that_is_sent_again_is_read_again)
{
	static const struct message_call calls[] = { { "c1", "write_data",
	    "{\"field_name\":\"employee_name\",\"value\":\"Ada\"}", NULL } };
	const struct thread_owner owner = { .agent = "onboarding" };
	struct office o;
	struct message m[] = { MESSAGE("user", "I'm Ada"), MESSAGE("assistant", "") };
	struct lease l;
	struct err e;
	if (!office_open(&o, "memory", NULL, 0))
		return;
	m[1].calls = calls;
	m[1].ncalls = 1;
	const struct commit c = { .append = m, .nappend = 2, .last = true };
	TEST_OK(store_lease(o.store.s, OFFICE_THREAD, "run", &owner, 1000, &l, NULL, &e), e);
	TEST_OK(store_commit(o.store.s, &l, &owner, &c, &e), e);
	office_turn(&o, "I'm Ada");
	cr_expect_eq(o.error.code, OK);
	cr_expect_str_eq(office_field(&o, "employee_name"), "Ada");
	cr_expect_not_null(strstr(o.text, "Noted: name Ada."), "%s", o.text);
	office_close(&o);
}
