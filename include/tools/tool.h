/*
 * Tools: one row each. The argument rows give the model's JSON schema, the catalogue in the
 * planner's prompt and the validation before a handler runs. A tool returns data; it never
 * calls a model and never writes prose for the user.
 */
#ifndef TOOLS_TOOL_H
#define TOOLS_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errs.h"
#include "base/jsn.h"
#include "base/watch.h"

struct airdb;
struct behavior;
struct geocoder;
struct llm_usage;
struct rules;
struct rules_view;

enum arg_type { ARG_STRING, ARG_INTEGER, ARG_NUMBER, ARG_BOOLEAN, ARG_OBJECT, ARG_STRINGS };

struct tool_arg {
	const char *name;
	enum arg_type type;
	bool required;
	const char *def;              /* default as JSON text, shown in the schema; NULL: none shown */
	const char *doc;              /* for the model */
	double min, max;              /* accepted range for numbers; both 0: none */
	struct json_object *(*schema)(struct arena *);    /* sub-schema of an object; NULL: free */
	enum errcode (*check)(struct json_object *, struct err *);  /* further check; NULL: none */
};

/*
 * What tools may use. The services are process-wide; absent ones are NULL. Whoever calls a tool in
 * a turn passes a copy with the turn's own members set.
 */
struct tool_context {
	struct airdb *airports;
	struct geocoder *geocoder;
	struct rules *rules;
	uint64_t offered;             /* tools a planner may choose, a bit each (tools_offered) */

	/* of the turn; all zero: the call belongs to no turn */
	struct rules_view *seen;      /* its rules, see rules_of(); NULL: those in use now */
	const struct watch *watch;    /* a tool that waits must check this */
	struct llm_usage *usage;      /* what its model calls used is added here */
	int64_t until_ms;             /* when it ends (clock_mono_ms); 0: never */
	bool no_model;                /* the model gave nothing: it is not to be waited for again */
};

enum tool_ui { TOOL_UI_ROUTE, TOOL_UI_AIRPORT, TOOL_UI_RULES };   /* kind of the ui_payload */

struct tool {
	const char *name;
	const char *doc;              /* built-in description for the model */
	const struct tool_arg *args;
	size_t nargs;
	bool persona;                 /* wants the turn's persona as `_persona_id` */
	bool open;                    /* ignores unknown arguments when called directly, as the original's airport tools */
	bool older;                   /* offered only where the behaviour config names it */
	enum tool_ui ui;
	enum errcode (*call)(const struct tool_context *ctx, struct arena *a,
	    struct json_object *args, struct json_object **result, struct err *e);
};

extern const struct tool *const tools[];      /* catalogue order */
extern const size_t ntools;

const struct tool *tool_find(const char *name);               /* NULL: no such tool */

/* The tools that a behaviour config offers to planners: those it switches on, and of those it does
 * not mention all but the older ones. */
uint64_t tools_offered(const struct behavior *b);
/* May a planner choose it? ctx NULL: any. */
bool tool_offered(const struct tool_context *ctx, const struct tool *t);
/* The bits of all tools of one kind. */
uint64_t tools_of(enum tool_ui ui);
struct json_object *tool_schema(struct arena *a, const struct tool *t);   /* {"type":"object",…} */

/*
 * Validate arguments against the rows: required, types, ranges, unknown names. All faults
 * in one message: "find_airports_near_route: to_location is required; max_results must be an
 * integer, not text". ERR_INPUT.
 */
enum errcode tool_check(const struct tool *t, struct json_object *args, struct err *e);

/*
 * Call a tool whose arguments have passed tool_check(). *result is an object owned by the arena.
 * ERR_TOOL, ERR_TIMEOUT or ERR_OVERLOAD with a message for the user, "Tool '<name>' failed: <why>";
 * ERR_DATA or ERR_PREPARING with the table's own sentence; details of a failing service are logged
 * here and not in it. ERR_HUP: the watch's reader has gone.
 */
enum errcode tool_call(const struct tool_context *ctx, const struct tool *t, struct arena *a,
    struct json_object *args, const char *persona_id, struct json_object **result,
    struct err *e);

#endif
