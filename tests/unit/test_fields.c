/*
 * Field rows: which faults are found, where, and in which order.
 */
#include "base/buf.h"
#include "base/fields.h"
#include "base/str.h"
#include "tests/unit/test.h"

static const struct field text = { .type = FIELD_TEXT, .flags = FIELD_FILLED, .max = 4 };
static const struct field point_rows[] = {
	{ "lat", FIELD_NUMBER, FIELD_REQUIRED, .min = -90, .max = 90 },
	{ .name = "lon", .type = FIELD_NUMBER, .flags = FIELD_REQUIRED },
};
static const struct field point = { .type = FIELD_OBJECT, .of = point_rows, .nof = 2 };
static const char *const choices[] = { "a", "bc", NULL };
static const struct field rows[] = {
	{ "name", FIELD_TEXT, FIELD_REQUIRED | FIELD_FILLED, .max = 5 },
	{ "kind", FIELD_TEXT, FIELD_NULLABLE, .choices = choices },
	{ "id", FIELD_TEXT, FIELD_ID, .max = 3 },
	{ "n", FIELD_INTEGER, FIELD_NULLABLE, .min = 1, .max = 9 },
	{ .name = "any", .type = FIELD_ANY },
	{ .name = "on", .type = FIELD_BOOLEAN },
	{ "words", FIELD_LIST, FIELD_NULLABLE, .max = 2, .of = &text },
	{ "points", FIELD_LIST, FIELD_NEWEST, .min = 1, .max = 2, .of = &point },
};

static const char *const fault_names[FAULT__MAX] = {
	[FAULT_MISSING] = "missing", [FAULT_TYPE] = "type", [FAULT_LONG] = "long", [FAULT_NUL] = "nul",
	[FAULT_BLANK] = "blank", [FAULT_ID] = "id", [FAULT_CHOICE] = "choice",
	[FAULT_FRACTION] = "fraction", [FAULT_RANGE] = "range", [FAULT_FEW] = "few",
	[FAULT_MANY] = "many",
};

static void put_place(struct buf *b, const struct field_place *at)
{
	if (at == NULL)
		return;
	put_place(b, at->up);
	if (at->name != NULL)
		buf_printf(b, "/%s", at->name);
	else
		buf_printf(b, "/%zu", at->index);
}

static void told(void *arg, enum field_fault fault, const struct field *row,
    const struct field_place *at, struct json_object *value)
{
	(void)row;
	struct buf *b = arg;
	buf_printf(b, "%s%s ", b->n > 0 ? "; " : "", fault_names[fault]);
	put_place(b, at);
	if (fault == FAULT_MISSING)
		cr_assert(jsn_is(value, json_type_object));
}

#define GOOD "\"name\":\"x\",\"points\":[{\"lat\":1,\"lon\":2}]"

static const struct {
	const char *object, *faults;
} checks[] = {
	{ "{" GOOD "}", "" },
	{ "{" GOOD ",\"kind\":null,\"n\":null,\"words\":null,\"other\":[[]],\"id\":\"\",\"on\":true,\"any\":[{}]}", "" },
	{ "{" GOOD ",\"kind\":\"bc\",\"id\":\"a_1\",\"n\":9,\"words\":[\"a\",\"b\"]}", "" },
	{ "{}", "missing /name; few /points" },
	{ "{\"name\":null,\"points\":null}", "type /name; type /points" },
	{ "{\"name\":\"123456\",\"points\":[]}", "long /name; few /points" },
	{ "{" GOOD ",\"name\":\" \\t\"}", "blank /name" },
	{ "{" GOOD ",\"name\":\"x\\u0000\"}", "nul /name" },
	{ "{" GOOD ",\"kind\":\"b\"}", "choice /kind" },
	{ "{" GOOD ",\"kind\":\"a|bc\"}", "choice /kind" },
	{ "{" GOOD ",\"kind\":3}", "type /kind" },
	{ "{" GOOD ",\"id\":\"abcd\"}", "id /id" },
	{ "{" GOOD ",\"id\":\"a b\"}", "id /id" },
	{ "{" GOOD ",\"id\":\"a\\u0000\"}", "nul /id" },
	{ "{" GOOD ",\"id\":null}", "type /id" },
	{ "{" GOOD ",\"n\":1.5}", "fraction /n" },
	{ "{" GOOD ",\"n\":2.0}", "" },
	{ "{" GOOD ",\"n\":0}", "range /n" },
	{ "{" GOOD ",\"n\":1e300}", "range /n" },
	{ "{" GOOD ",\"n\":true,\"on\":0}", "type /n; type /on" },
	{ "{" GOOD ",\"words\":[\"a\",\"\",7]}", "many /words; blank /words/1" },
	{ "{" GOOD ",\"words\":[7,\"abcde\"]}", "type /words/0; long /words/1" },
	{ "{" GOOD ",\"words\":\"a\"}", "type /words" },
	/* only the newest elements count */
	{ "{\"name\":\"x\",\"points\":[7,{\"lat\":91,\"lon\":1e9},{\"lat\":1}]}",
	  "range /points/1/lat; missing /points/2/lon" },
	/* in the order of the rows, whatever the order of the members */
	{ "{\"points\":[{\"lon\":\"x\",\"lat\":-91}],\"kind\":5,\"name\":[]}",
	  "type /name; type /kind; range /points/0/lat; type /points/0/lon" },
};

TEST(fields, finds_every_fault)
{
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		struct arena *a = arena_new();
		struct json_object *o;
		struct err e = { 0 };
		struct buf b;
		buf_init(&b, 1000);
		TEST_OK(jsn_parse(a, checks[i].object, strlen(checks[i].object), JSN_DEPTH, &o, NULL, &e), e);
		fields_check(rows, sizeof(rows) / sizeof(rows[0]), o, NULL, told, &b);
		cr_expect_str_eq(b.p, checks[i].faults, "%s\ngave %s", checks[i].object, b.p);
		buf_release(&b);
		arena_free(a);
	}
}
