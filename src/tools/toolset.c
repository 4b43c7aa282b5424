/*
 * The tool table, and sets of tools. A set is a list of rows. A turn has about a dozen tools, so
 * searching a list of names costs nothing compared with what a tool does.
 */
#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "tools/tool.h"

#define TOOL(name) extern const struct tool tool_##name;
#include "tools/tools.def"
#undef TOOL

#define TOOL(name) &tool_##name,
static const struct tool *const builtin[] = {
#include "tools/tools.def"
};
#undef TOOL

const struct toolset tools_builtin = { builtin, sizeof(builtin) / sizeof(builtin[0]) };

enum { NAME_MAX_BYTES = 64 };         /* what models accept as the name of a function */

/* ---- looking up -------------------------------------------------------------- */

const struct tool *toolset_find(struct toolset set, const char *name)
{
	for (size_t i = 0; i < set.n; i++)
		if (streq(set.tools[i]->name, name))
			return set.tools[i];
	return NULL;
}

const struct tool *toolset_giving(struct toolset set, enum tool_result result)
{
	for (size_t i = 0; i < set.n; i++)
		if (set.tools[i]->result == result)
			return set.tools[i];
	return NULL;
}

bool toolset_has(struct toolset set, const struct tool *t)
{
	for (size_t i = 0; i < set.n; i++)
		if (set.tools[i] == t)
			return true;
	return false;
}

size_t toolset_count(struct toolset set, enum tool_domain domain)
{
	size_t n = 0;

	for (size_t i = 0; i < set.n; i++)
		n += set.tools[i]->domain == domain;
	return n;
}

bool tool_offered(const struct tool_context *ctx, const struct tool *t)
{
	return ctx == NULL || toolset_has(ctx->offered, t);
}

const char *tool_about(const struct tool *t)
{
	static const char *const words[TOOL_DOMAIN__MAX] = {
		[TOOL_AIRPORTS] = "airports", [TOOL_RULES] = "rules",
		[TOOL_NOTIFICATIONS] = "notice periods", [TOOL_ONBOARDING] = "onboarding data",
		[TOOL_EXTERNAL] = "other data",
	};

	return t->about != NULL ? t->about : words[t->domain];
}

/* ---- smaller sets -------------------------------------------------------------- */

static struct toolset choose(struct arena *a, struct toolset set, enum tool_domain domain, bool of)
{
	const struct tool **tools = arena_array(a, set.n + 1, sizeof(*tools));
	size_t n = 0;

	for (size_t i = 0; i < set.n; i++)
		if ((set.tools[i]->domain == domain) == of)
			tools[n++] = set.tools[i];
	return (struct toolset){ tools, n };
}

struct toolset toolset_of(struct arena *a, struct toolset set, enum tool_domain domain)
{
	return choose(a, set, domain, true);
}

struct toolset toolset_but(struct arena *a, struct toolset set, enum tool_domain domain)
{
	return choose(a, set, domain, false);
}

struct toolset toolset_ready(struct arena *a, struct toolset set)
{
	const struct tool **tools = arena_array(a, set.n + 1, sizeof(*tools));
	size_t n = 0;

	for (size_t i = 0; i < set.n; i++)
		if (set.tools[i]->ready == NULL || set.tools[i]->ready(set.tools[i]->self))
			tools[n++] = set.tools[i];
	/* if all are ready, the list itself: what was prepared for it is found by its address */
	return n == set.n ? set : (struct toolset){ tools, n };
}

struct toolset toolset_offered(struct arena *a, struct toolset table,
    struct behavior_switches said)
{
	const struct tool **tools = arena_array(a, table.n + 1, sizeof(*tools));
	size_t offered = 0;

	for (size_t i = 0; i < table.n; i++) {
		bool on = !table.tools[i]->older;
		for (size_t k = 0; k < said.n; k++)
			if (streq(said.list[k].name, table.tools[i]->name))
				on = said.list[k].on;
		if (on)
			tools[offered++] = table.tools[i];
	}
	return (struct toolset){ tools, offered };
}

/* ---- adding ------------------------------------------------------------------------ */

static bool is_name(const char *name)
{
	size_t n = 0;

	while (name != NULL && (isalnum((unsigned char)name[n]) || name[n] == '_' || name[n] == '-'))
		n++;
	return n > 0 && n <= NAME_MAX_BYTES && name[n] == '\0';
}

enum errcode toolset_add(struct toolset *table, struct arena *a, const struct tool *const *rows,
    size_t n, struct err *e)
{
	const struct tool **tools;
	struct toolset all;

	if (n > TOOLS_MAX - table->n)
		return err_set(e, ERR_CONFIG, "tools: %zu and %zu more are too many: the table holds %d",
		    table->n, n, TOOLS_MAX);
	tools = arena_array(a, table->n + n + 1, sizeof(*tools));
	for (size_t i = 0; i < table->n; i++)
		tools[i] = table->tools[i];
	all = (struct toolset){ tools, table->n };
	for (size_t i = 0; i < n; i++) {
		const struct tool *t = rows[i];

		if (!is_name(t->name))
			return err_set(e, ERR_CONFIG, "tools: \"%.80s\" cannot be the name of a tool: use 1 to "
			    "%d letters, digits, \"_\" and \"-\"", t->name != NULL ? t->name : "",
			    NAME_MAX_BYTES);
		if (toolset_find(all, t->name) != NULL)
			return err_set(e, ERR_CONFIG, "tools: there are two tools called %s: give one of them "
			    "another name", t->name);
		if (t->doc == NULL || t->call == NULL)
			return err_set(e, ERR_CONFIG, "tools: %s has no %s", t->name,
			    t->doc == NULL ? "description" : "function to call");
		tools[all.n++] = t;
	}
	*table = all;
	return OK;
}
