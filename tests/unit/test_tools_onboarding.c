/*
 * The tools of the onboarding record: what may be written, what is read, and what an export leaves on disk.
 */
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/str.h"
#include "tests/unit/test.h"
#include "tools/onboarding.h"
#include "tools/onboarding_export.h"

struct desk {
	struct arena *a;
	char *dir;
	struct tool_record record;
	struct tool_context ctx;
	int summaries;
	enum errcode summary_rc, hold_rc;
	struct err e;
};

static enum errcode summarise(void *arg, struct arena *a, struct json_object *fields, const char **out,
    struct err *e)
{
	struct desk *d = arg;
	d->summaries++;
	if (d->summary_rc == OK)
		*out = arena_printf(a, "- %s", onboarding_text(fields, FIELD_EMPLOYEE_NAME));
	/* a model that is down gives nothing, and the turn goes on */
	return d->summary_rc == OK || d->summary_rc == ERR_UPSTREAM ? OK : err_set(e, d->summary_rc, "over");
}

static enum errcode hold(void *arg, struct err *e)
{
	const struct desk *d = arg;
	return d->hold_rc == OK ? OK : err_set(e, d->hold_rc, "another run has the thread");
}

static void open_desk(struct desk *d)
{
	*d = (struct desk){ .a = arena_new(), .dir = test_mkdtemp() };
	d->record = (struct tool_record){ .conversation = "c-1", .user = "u-1",
		.fields = onboarding_fields(d->a, NULL), .dir = arena_printf(d->a, "%s/sub/exports", d->dir),
		.may_write = true, .summarise = summarise, .hold = hold, .arg = d };
	d->ctx = (struct tool_context){ .table = tools_onboarding, .offered = tools_onboarding,
		.record = &d->record };
}

static void close_desk(struct desk *d)
{
	test_rmdir(d->dir);
	arena_free(d->a);
}

/* The result as text; what it changes is applied to the fields, as the agent does it. */
static const char *call(struct desk *d, const char *tool, const char *args)
{
	struct json_object *o, *result;
	TEST_OK(jsn_parse(d->a, args, strlen(args), JSN_DEPTH, &o, NULL, &d->e), d->e);
	d->record.update = jsn_object(d->a);
	const struct tool *t = toolset_find(tools_onboarding, tool);
	cr_assert_not_null(t, "%s", tool);
	if (tool_call(&d->ctx, t, d->a, o, NULL, &result, &d->e) != OK)
		return arena_printf(d->a, "failed: %s", d->e.msg);
	const char *before = jsn_text(d->a, d->record.fields, JSN_PLAIN);
	cr_expect_str_eq(jsn_text(d->a, d->record.fields, JSN_PLAIN), before);
	JSN_EACH(d->record.update, it)
		jsn_add(d->record.fields, it.key, jsn_ref(it.val));
	return jsn_is(result, json_type_string) ? json_object_get_string(result) :
	    jsn_text(d->a, result, JSN_PLAIN);
}

#define OK_OF(field, value) "{\"field_name\":\"" field "\",\"value\":" value ",\"status\":\"success\"," \
	"\"message\":\"Data recorded\"}"
#define NO_OF(field, value, why) "{\"field_name\":\"" field "\",\"value\":" value ",\"status\":\"error\"," \
	"\"message\":\"" why "\"}"
#define NO_KIT(value, shown) "{\"field_name\":\"starter_kit\",\"value\":" value ",\"status\":\"error\"," \
	"\"message\":\"Value error, Invalid starter_kit value '" shown "'. Must be one of: mouse, keyboard, backpack\"," \
	"\"valid_values\":[\"mouse\",\"keyboard\",\"backpack\"]}"
#define NO_MEETING(value) "{\"field_name\":\"meeting_scheduled\",\"value\":" value ",\"status\":\"error\"," \
	"\"message\":\"Input should be a valid boolean, unable to interpret input\",\"valid_values\":[true,false]}"
#define SHORT "String should have at least 1 character"
#define CONTROL "String should have no control characters"

/* W13: blank names, coerced truth values, null and the summary were accepted. */
static const struct { const char *field, *value, *result; } writes[] = {
	{ "employee_name", "\"Ada Lovelace\"", OK_OF("employee_name", "\"Ada Lovelace\"") },
	{ "employee_name", "\"  Ada \\u00a0\\u3000\"", OK_OF("employee_name", "\"Ada\"") },
	{ "employee_name", "\"\"", NO_OF("employee_name", "\"\"", SHORT) },
	{ "employee_name", "\" \\u00a0\"", NO_OF("employee_name", "\" \u00a0\"", SHORT) },
	{ "employee_name", "\"A\\u0007da\"", NO_OF("employee_name", "\"A\\u0007da\"", CONTROL) },
	{ "employee_name", "\"A\\nda\"", NO_OF("employee_name", "\"A\\nda\"", CONTROL) },
	{ "employee_name", "7", NO_OF("employee_name", "7", "Input should be a valid string") },
	{ "employee_name", "null", NO_OF("employee_name", "null", "A required field cannot be cleared") },
	{ "employee_id", "\"42-A\"", OK_OF("employee_id", "\"42-A\"") },
	{ "employee_id", "42", NO_OF("employee_id", "42", "Input should be a valid string") },
	{ "starter_kit", "\"KEYBOARD\"", OK_OF("starter_kit", "\"keyboard\"") },
	{ "starter_kit", "\"mouse \"", OK_OF("starter_kit", "\"mouse\"") },
	{ "starter_kit", "\"laptop\"", NO_KIT("\"laptop\"", "laptop") },
	{ "dietary_restrictions", "\"vegan\"", OK_OF("dietary_restrictions", "\"vegan\"") },
	{ "dietary_restrictions", "\"\"", OK_OF("dietary_restrictions", "\"\"") },
	{ "dietary_restrictions", "null", OK_OF("dietary_restrictions", "null") },
	{ "meeting_scheduled", "true", OK_OF("meeting_scheduled", "true") },
	{ "meeting_scheduled", "false", OK_OF("meeting_scheduled", "false") },
	{ "meeting_scheduled", "null", OK_OF("meeting_scheduled", "null") },
	{ "meeting_scheduled", "\"yes\"", NO_MEETING("\"yes\"") },
	{ "meeting_scheduled", "1", NO_MEETING("1") },
	{ "conversation_summary", "\"x\"", "{\"field_name\":\"conversation_summary\",\"status\":\"error\","
	    "\"message\":\"Unknown field 'conversation_summary'\",\"valid_fields\":[\"employee_name\","
	    "\"employee_id\",\"starter_kit\",\"dietary_restrictions\",\"meeting_scheduled\"]}" },
};

TEST(tools_onboarding, w13_only_good_values_are_written)
{
	struct desk d;
	open_desk(&d);
	for (size_t i = 0; i < sizeof(writes) / sizeof(writes[0]); i++) {
		const char *before = jsn_text(d.a, d.record.fields, JSN_PLAIN);
		const char *got = call(&d, "write_data", arena_printf(d.a, "{\"field_name\":\"%s\",\"value\":%s}",
		    writes[i].field, writes[i].value));
		cr_expect_str_eq(got, writes[i].result, "%s %s", writes[i].field, writes[i].value);
		if (strstr(got, "\"error\"") != NULL)
			cr_expect_str_eq(jsn_text(d.a, d.record.fields, JSN_PLAIN), before);
	}
	cr_expect_str_eq(call(&d, "write_data", "{\"field_name\":\"employee_id\"}"),
	    "failed: Tool 'write_data' failed: value is required");
	close_desk(&d);
}

/* Lengths count code points: 255 and 256, 50 and 51, 500 and 501 of two bytes each. */
TEST(tools_onboarding, lengths_are_counted_in_characters)
{
	static const struct { const char *field; size_t most; } rows[] = {
		{ "employee_name", 255 }, { "employee_id", 50 }, { "dietary_restrictions", 500 },
	};
	struct desk d;
	open_desk(&d);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (size_t more = 0; more < 2; more++) {
			struct buf b;
			buf_init(&b, 100000);
			for (size_t k = 0; k < rows[i].most + more; k++)
				buf_puts(&b, "é");
			const char *got = call(&d, "write_data", arena_printf(d.a,
			    "{\"field_name\":\"%s\",\"value\":\"%s\"}", rows[i].field, b.p));
			cr_expect_eq(strstr(got, "\"success\"") != NULL, more == 0, "%s", got);
			if (more > 0)
				cr_expect_not_null(strstr(got, arena_printf(d.a,
				    "String should have at most %zu characters", rows[i].most)));
			cr_expect_lt(strlen(got), 1300, "a long value is repeated only in part");
			buf_release(&b);
		}
	close_desk(&d);
}

TEST(tools_onboarding, reads_all_or_some_fields)
{
	struct desk d;
	open_desk(&d);
	call(&d, "write_data", "{\"field_name\":\"employee_name\",\"value\":\"Ada\"}");
	cr_expect_str_eq(call(&d, "read_data", "{}"), "{\"employee_name\":\"Ada\",\"employee_id\":null,"
	    "\"starter_kit\":null,\"dietary_restrictions\":null,\"meeting_scheduled\":null,"
	    "\"conversation_summary\":null,\"status\":\"success\"}");
	cr_expect_str_eq(call(&d, "read_data", "{\"field_names\":null}"), call(&d, "read_data",
	    "{\"field_names\":[]}"));
	cr_expect_str_eq(call(&d, "read_data", "{\"field_names\":[\"employee_id\",\"employee_name\"]}"),
	    "{\"employee_id\":null,\"employee_name\":\"Ada\",\"status\":\"success\"}");
	cr_expect_str_eq(call(&d, "read_data", "{\"field_names\":[\"salary\",\"employee_name\"]}"),
	    "{\"status\":\"error\",\"message\":\"Invalid field names: ['salary']\",\"valid_fields\":"
	    "[\"employee_name\",\"employee_id\",\"starter_kit\",\"dietary_restrictions\","
	    "\"meeting_scheduled\",\"conversation_summary\"]}");
	close_desk(&d);
}

static int count_files(const char *dir)
{
	DIR *list = opendir(dir);
	int n = 0;
	cr_assert_not_null(list);
	for (const struct dirent *f; (f = readdir(list)) != NULL;)
		n += !streq(f->d_name, ".") && !streq(f->d_name, "..");
	closedir(list);
	return n;
}

static void fill(struct desk *d)
{
	call(d, "write_data", "{\"field_name\":\"employee_name\",\"value\":\"Ada\"}");
	call(d, "write_data", "{\"field_name\":\"employee_id\",\"value\":\"42-A\"}");
	call(d, "write_data", "{\"field_name\":\"starter_kit\",\"value\":\"mouse\"}");
}

/* W20: the export was overwritten in place and not synced; here its file is replaced as a whole. */
TEST(tools_onboarding, w20_an_export_is_a_whole_file)
{
	struct desk d;
	struct buf b;
	struct stat st;
	open_desk(&d);
	cr_expect_str_eq(call(&d, "export_data", "{}"), "{\"status\":\"error\",\"message\":\"Cannot export: missing "
	    "required fields\",\"missing_fields\":[\"employee_name\",\"employee_id\",\"starter_kit\"],"
	    "\"required_fields\":[\"employee_name\",\"employee_id\",\"starter_kit\"]}");
	fill(&d);
	const char *path = onboarding_export_path(d.a, d.record.dir, "c-1");
	cr_expect_str_eq(call(&d, "export_data", "{\"confirmation_message\":null}"), arena_printf(d.a,
	    "{\"status\":\"success\",\"message\":\"Onboarding data exported successfully\",\"file_path\":\"%s\","
	    "\"summary\":\"- Ada\"}", path));
	cr_assert_eq(stat(path, &st), 0);
	cr_expect_eq(st.st_mode & 0777, 0640);
	buf_init(&b, 10000);
	TEST_OK(buf_load(&b, path, &d.e), d.e);
	const char *at = strstr(b.p, "\"exported_at\": \"");
	cr_assert_not_null(at);
	cr_expect_eq(strlen(at), strlen("\"exported_at\": \"2026-01-01T10:00:00.000000Z\"\n}"));
	cr_expect_eq(strncmp(b.p, "{\n  \"conversation_id\": \"c-1\",\n  \"user_id\": \"u-1\",\n"
	    "  \"employee_name\": \"Ada\",\n  \"employee_id\": \"42-A\",\n  \"starter_kit\": \"mouse\",\n"
	    "  \"dietary_restrictions\": null,\n  \"meeting_scheduled\": null,\n"
	    "  \"conversation_summary\": \"- Ada\",\n  ", (size_t)(at - b.p)), 0, "%s", b.p);
	buf_release(&b);
	cr_expect_eq(count_files(d.record.dir), 1, "no temporary file is left");
	close_desk(&d);
}

/* W3: every try paid for a summary. */
TEST(tools_onboarding, w3_a_repeated_export_costs_no_summary)
{
	struct desk d;
	open_desk(&d);
	fill(&d);
	const char *first = call(&d, "export_data", "{}");
	cr_expect_str_eq(call(&d, "export_data", "{}"), first);
	cr_expect_eq(d.summaries, 1);
	cr_expect_eq(d.record.nfiles, 1);
	cr_assert_eq(unlink(onboarding_export_path(d.a, d.record.dir, "c-1")), 0);
	cr_expect_str_eq(call(&d, "export_data", "{}"), first, "a file that is gone is written again");
	cr_expect_eq(d.summaries, 1);
	call(&d, "write_data", "{\"field_name\":\"meeting_scheduled\",\"value\":false}");
	call(&d, "export_data", "{}");
	cr_expect_eq(d.summaries, 2, "another record wants another summary");
	/* the folder cannot be made: no summary is paid for, and nothing changes */
	d.record.dir = "/dev/null/exports";
	call(&d, "write_data", "{\"field_name\":\"meeting_scheduled\",\"value\":true}");
	cr_expect_not_null(strstr(call(&d, "export_data", "{}"), "Failed to write export file: "));
	cr_expect_eq(d.summaries, 2);
	cr_expect_eq(jsn_len(d.record.update), 0);
	close_desk(&d);
}

TEST(tools_onboarding, a_turn_that_is_over_writes_no_file)
{
	struct desk d;
	open_desk(&d);
	fill(&d);
	const char *path = onboarding_export_path(d.a, d.record.dir, "c-1");
	d.summary_rc = ERR_HUP;
	cr_expect_str_eq(call(&d, "export_data", "{}"), "failed: export_data: the reader has gone");
	d.summary_rc = OK;
	d.hold_rc = ERR_LOST;
	cr_expect_eq(strncmp(call(&d, "export_data", "{}"), "failed: ", 8), 0);
	cr_expect_neq(access(path, F_OK), 0);
	cr_expect_eq(count_files(d.record.dir), 0, "no temporary file is left");
	cr_expect_null(d.record.exported);
	d.hold_rc = OK;
	/* a summary that is missing does not stop an export, and is not used again */
	d.summary_rc = ERR_UPSTREAM;
	cr_expect_not_null(strstr(call(&d, "export_data", "{}"), "Summary generation unavailable"));
	d.summary_rc = OK;
	cr_assert_eq(unlink(path), 0);
	cr_expect_not_null(strstr(call(&d, "export_data", "{}"), "\"summary\":\"- Ada\""));
	close_desk(&d);
}

TEST(tools_onboarding, an_id_that_is_no_file_name_is_refused)
{
	static const char *const ids[] = { "../x", "a/b", "", ".", "a.b", "é",
	    "12345678901234567890123456789012345678901234567890123456789012345" };
	struct desk d;
	open_desk(&d);
	fill(&d);
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		const struct conf c = { .onboarding_export_dir = d.dir };
		struct json_object *o;
		d.record.conversation = ids[i];
		cr_expect_null(onboarding_export_path(d.a, d.dir, ids[i]), "%s", ids[i]);
		cr_expect_eq(strncmp(call(&d, "export_data", "{}"), "failed: ", 8), 0);
		cr_expect_eq(onboarding_export_read(&c, d.a, ids[i], &o, &d.e), ERR_NOTFOUND);
		cr_expect_eq(onboarding_export_delete(&c, ids[i], &d.e), OK);
	}
	cr_expect_eq(d.summaries, 0);
	close_desk(&d);
}

TEST(tools_onboarding, an_export_can_be_read_and_deleted)
{
	struct desk d;
	struct json_object *o;
	open_desk(&d);
	const struct conf c = { .onboarding_export_dir = d.record.dir };
	cr_expect_eq(onboarding_export_delete(&c, "c-1", &d.e), OK, "there is none, not even the folder");
	fill(&d);
	call(&d, "export_data", "{}");
	TEST_OK(onboarding_export_read(&c, d.a, "c-1", &o, &d.e), d.e);
	cr_expect_str_eq(jsn_get_str(o, "starter_kit", ""), "mouse");
	TEST_OK(onboarding_export_delete(&c, "c-1", &d.e), d.e);
	cr_expect_eq(onboarding_export_read(&c, d.a, "c-1", &o, &d.e), ERR_NOTFOUND);
	close_desk(&d);
}

TEST(tools_onboarding, a_search_without_documents_says_so)
{
	struct desk d;
	open_desk(&d);
	cr_expect_str_eq(call(&d, "rag_search", "{\"query\":\"holidays\"}"), "Knowledge base service not available");
	cr_expect_str_eq(call(&d, "rag_search", "{\"query\":\" \"}"), "Invalid query: Query cannot be empty");
	cr_expect_str_eq(call(&d, "rag_search", "{\"query\":null}"), "Invalid query: Query cannot be empty");
	close_desk(&d);
}

/* W4: state was an argument that the model could fill in. */
TEST(tools_onboarding, w4_the_state_is_no_argument)
{
	struct arena *a = arena_new();
	for (size_t i = 0; i < tools_onboarding.n; i++) {
		const char *schema = jsn_text(a, tool_schema(a, tools_onboarding.tools[i]), JSN_PLAIN);
		cr_expect_null(strstr(schema, "state"), "%s", schema);
		cr_expect_null(strstr(schema, "conversation_id"), "%s", schema);
		cr_expect_eq(tools_onboarding.tools[i]->domain, TOOL_ONBOARDING);
		cr_expect_null(toolset_find(tools_builtin, tools_onboarding.tools[i]->name),
		    "other agents do not have it");
	}
	cr_expect_str_eq(jsn_text(a, tool_schema(a, toolset_find(tools_onboarding, "rag_search")), JSN_PLAIN),
	    "{\"type\":\"object\",\"properties\":{\"query\":{\"type\":\"string\",\"description\":\"What to look "
	    "for, in the words of the question.\"}},\"required\":[\"query\"]}");
	arena_free(a);
}
