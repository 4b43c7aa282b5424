/*
 * Calls a rules tool as a turn does, and reads its result.
 */
#ifndef TESTS_UNIT_RULES_TOOLS_CALL_H
#define TESTS_UNIT_RULES_TOOLS_CALL_H

#include "base/jsn.h"
#include "tests/unit/rules_tools_fix.h"
#include "tools/tool.h"

/* What remains of the hostile answer of RULES_SMALL, as JSON text and as text. */
#define FRISBEES_GB                                                                        \
	"Only if a &lt; b, see <a href=\\\"https://gb.example/f\\\">AIP</a>"
#define FRISBEES_GB_TEXT                                                                   \
	"Only if a &lt; b, see <a href=\"https://gb.example/f\">AIP</a>"

/* The arguments are validated like those of a plan. */
static inline struct json_object *rules_call(struct rulesfix *f, const char *tool,
    const char *args)
{
	struct tool_context ctx = { .rules = f->rules };
	const struct tool *t = toolset_find(tools_builtin, tool);
	struct json_object *o = NULL, *result = NULL;
	struct err e;

	cr_assert_not_null(t, "%s", tool);
	TEST_OK(jsn_parse(f->mem, args, strlen(args), JSN_DEPTH, &o, NULL, &e), e);
	TEST_OK(tool_check(t, o, &e), e);
	TEST_OK(tool_call(&ctx, t, f->mem, o, "ifr_touring_sr22", &result, &e), e);
	return result;
}

static inline const char *rules_text(struct rulesfix *f, const char *tool, const char *args)
{
	return jsn_text(f->mem, rules_call(f, tool, args), JSN_PLAIN);
}

static inline const char *rules_member(struct arena *a, struct json_object *o, const char *key)
{
	return jsn_text(a, jsn_get(o, key), JSN_PLAIN);
}

static inline const char *rules_keys(struct arena *a, struct json_object *o)
{
	const char *text = "";

	JSN_EACH(o, it)
		text = arena_printf(a, "%s%s%s", text, *text != '\0' ? " " : "", it.key);
	return text;
}

/* Compares long texts, and shows the place where they begin to differ. */
static inline void expect_text(const char *got, const char *want, const char *name)
{
	size_t i = 0;

	while (got[i] != '\0' && got[i] == want[i])
		i++;
	cr_expect(got[i] == want[i], "%s, from byte %zu:\n got: %.200s\nwant: %.200s", name, i,
	    got + i, want + i);
}

#endif
