/*
 * Tools: one row each. The model's JSON schema, the catalogue in the planner's prompt and the
 * validation before a call come from the argument rows. A tool returns data; it never calls a model
 * and never writes prose for the user.
 *
 * The table is open: an agent or an external server adds rows when the program starts. So no code
 * depends on a tool's name. Its domain says what a question must be about, its result kind says
 * what its result is and therefore which writer can write it, and `ui` says what a page shows of
 * it.
 */
#ifndef TOOLS_TOOL_H
#define TOOLS_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/behavior.h"
#include "base/errs.h"
#include "base/jsn.h"
#include "base/watch.h"

struct airdb;
struct fact_sources;
struct geocoder;
struct knowledge;
struct llm_usage;
struct personas;
struct rules;
struct rules_view;
struct tool;

enum arg_type {
	ARG_STRING, ARG_INTEGER, ARG_NUMBER, ARG_BOOLEAN, ARG_OBJECT, ARG_STRINGS,
	ARG_ANY,                      /* of a schema from elsewhere: a value that is not looked into */
};

struct tool_arg {
	const char *name;
	enum arg_type type;
	bool required;
	bool nullable;                /* null is a value of its own: required, but it may be null */
	const char *def;              /* default as JSON text, shown in the schema; NULL: none shown */
	const char *doc;              /* for the model */
	bool programs;                /* for programs: no model is told, because it costs room in every plan */
	double min, max;              /* accepted range for numbers, infinite at an open end; both 0: none */
	const char *const *choices;   /* the texts that are accepted, up to NULL; NULL: any */
	struct json_object *(*schema)(struct arena *);    /* sub-schema of an object; NULL: free */
	enum errcode (*check)(struct json_object *, struct err *);  /* further check; NULL: none */
	const char *json;             /* its schema as JSON text, shown as it is; NULL: made from the row */
};

/* A set of tools, in the order in which planners see them: the whole table, or some of it. It is
 * passed by value; its list lives as long as the arena in which it was made. All zero: no tools. */
struct toolset {
	const struct tool *const *tools;
	size_t n;
};

/*
 * What tools may use. The services are process-wide; a service that is absent is NULL. A turn calls
 * a tool with a copy in which the turn's own members are set.
 */
struct tool_context {
	struct airdb *airports;
	const struct fact_sources *sources;   /* facts beside the airports' own rows */
	const struct personas *personas;
	struct geocoder *geocoder;
	struct rules *rules;
	struct knowledge *knowledge;
	struct toolset table;         /* all tools of the process */
	struct toolset offered;       /* those of them that a planner may choose */

	/* set for a turn; all zero: the call belongs to no turn */
	/* its rules, see rules_of(); NULL: those in use at the moment */
	struct rules_view *seen;
	const struct watch *watch;    /* a tool that waits must check it */
	struct llm_usage *usage;      /* the tokens of its model calls are added here */
	int64_t until_ms;             /* when it ends (clock_mono_ms); 0: never */
	/* the model has given nothing in this turn: do not wait for it again */
	bool no_model;
	/* the record that the conversation fills in; NULL: it has none */
	struct tool_record *record;
};

/*
 * The record of a conversation, for the tools that read and write it. A tool never changes `fields`: it puts
 * what it changes into `update`, and the agent applies that together with the tool's result, in one commit.
 */
struct tool_record {
	const char *conversation, *user;      /* ids; user NULL: anonymous */
	struct json_object *fields;
	struct json_object *update;
	const char *dir;                      /* of exported records */
	struct json_object *exported;         /* the last export, as {"at", "fields"}; an export sets it anew */
	bool may_write;                       /* an export may still write the file in this turn */
	int nfiles;                           /* how often a tool wanted to write it */
	/* Write a summary of the fields; *out is in the arena, NULL: nobody can write one at the moment. Another
	 * code than OK: the turn is over. NULL: there is no summary. */
	enum errcode (*summarise)(void *arg, struct arena *a, struct json_object *fields, const char **out,
	    struct err *e);
	/* Called right before a file is changed, which no commit guards: does the conversation still belong to
	 * this turn? NULL: nobody else can have it. */
	enum errcode (*hold)(void *arg, struct err *e);
	void *arg;
};

/* The subject of a tool. */
enum tool_domain {
	TOOL_AIRPORTS, TOOL_RULES, TOOL_NOTIFICATIONS, TOOL_ONBOARDING, TOOL_EXTERNAL,
	TOOL_DOMAIN__MAX
};

/* The kind of ui_payload that its result gives. */
enum tool_ui { TOOL_UI_NONE, TOOL_UI_ROUTE, TOOL_UI_AIRPORT, TOOL_UI_RULES, TOOL_UI_GENERIC, TOOL_UI__MAX };

/* The kind of its result: the shape that all tools of this kind give. */
enum tool_result {
	RESULT_OTHER,                 /* only the tool knows its shape; `pretty` is for people */
	RESULT_AIRPORTS_FOUND,        /* airports by name, code or country */
	RESULT_AIRPORTS_NEAR,         /* … around a place */
	RESULT_AIRPORTS_ROUTE,        /* … along a route */
	RESULT_AIRPORT,               /* all data of one airport */
	RESULT_POINTS_OF_ENTRY,       /* the points of entry of a country, or of all */
	RESULT_AIRPORT_STATISTICS,    /* how many airports of a country have what */
	RESULT_NOTICE,                /* the notice that one airport wants */
	RESULT_FEES,                  /* the landing fees of one airport */
	RESULT_REVIEWS,               /* what pilots say of one airport */
	RESULT_FUEL_PRICES,           /* the fuel prices of one airport */
	RESULT_RULES_ANSWER,          /* what the rules of a country say on a question */
	RESULT_RULES_PAGE,            /* a page of a country's rules */
	RESULT_RULES_LIST,            /* a country's rules by category, tag or word */
	RESULT_RULES_COMPARISON,      /* what differs between countries */
	RESULT_RULES_ANSWERS,         /* the answers to given questions */
	RESULT_RULES_SUBJECTS,        /* which categories and tags there are */
	RESULT_RULES_COUNTRIES,       /* which countries there are */
	RESULT_EXTERNAL,              /* what another server says: services/mcp_result.h */
	RESULT__MAX
};

struct tool {
	const char *name;
	const char *doc;              /* built-in description for the model */
	const struct tool_arg *args;
	size_t nargs;
	bool persona;                 /* wants the turn's persona as `_persona_id` */
	/* ignores unknown arguments when called directly, as the original service's airport
	 * tools do */
	bool open;
	bool older;                   /* offered only where the behaviour config names it */
	enum tool_domain domain;
	enum tool_ui ui;
	enum tool_result result;
	/* what it looks up, for the heading of its part of an answer: "weather"; NULL: what all tools
	 * of its domain look up */
	const char *about;
	/* its whole schema as JSON, if it came from elsewhere; it is shown as it is. NULL: made of the rows */
	const char *schema;
	bool more_args;               /* takes arguments that it has no rows for */
	const char *words;            /* more words for what it does, for planners that match words; NULL */
	void *self;                   /* the row's own data, which the functions may use */
	/* May planners be offered it at the moment? NULL: always. */
	bool (*ready)(void *self);
	enum errcode (*call)(void *self, const struct tool_context *ctx, struct arena *a,
	    struct json_object *args, struct json_object **result, struct err *e);
};

/* ---- the table, and sets of tools ---------------------------------------------------- */

extern const struct toolset tools_builtin;                    /* the rows of tools.def */

/*
 * Add rows at the end of a table, when the program starts. The list is made anew in the arena; the
 * rows stay their caller's and must live as long. ERR_CONFIG, and the table stays as it was: a name
 * that is taken or malformed (1 to 64 letters, digits, "_" and "-"), a row without text or call, or
 * more than TOOLS_MAX tools.
 */
enum { TOOLS_MAX = 512 };
enum errcode toolset_add(struct toolset *table, struct arena *a, const struct tool *const *rows,
    size_t n, struct err *e);

/* NULL: it is not in the set */
const struct tool *toolset_find(struct toolset set, const char *name);
/* The first tool with this kind of result; NULL: there is none. */
const struct tool *toolset_giving(struct toolset set, enum tool_result result);
bool toolset_has(struct toolset set, const struct tool *t);
size_t toolset_count(struct toolset set, enum tool_domain domain);
/* The tools of a domain, and the tools of all other domains. */
struct toolset toolset_of(struct arena *a, struct toolset set, enum tool_domain domain);
struct toolset toolset_but(struct arena *a, struct toolset set, enum tool_domain domain);
/* The tools that a behaviour config offers to planners: those that it switches on, and of those
 * that it does not mention all but the older ones. */
struct toolset toolset_offered(struct arena *a, struct toolset table,
    struct behavior_switches said);

/* Those that are ready. */
struct toolset toolset_ready(struct arena *a, struct toolset set);

/* May a planner choose it? ctx NULL: it may choose any tool. */
bool tool_offered(const struct tool_context *ctx, const struct tool *t);

/* What it looks up, as a noun: "airports". */
const char *tool_about(const struct tool *t);

/* ---- one tool -------------------------------------------------------------------------- */

struct json_object *tool_schema(struct arena *a, const struct tool *t);   /* {"type":"object",…} */
/* NULL: it has no such argument */
const struct tool_arg *tool_arg_find(const struct tool *t, const char *name);

/*
 * Make `args` and `nargs` of a tool from a JSON schema, for a tool of an external server. Types,
 * ranges, choices and required names become our rows, which are checked before the call; the rest
 * of the schema is shown to models as it came. ERR_CONFIG with the reason: there is no object of
 * properties, there are more than TOOL_ARGS_MAX, one of them is too large or not an object, or a
 * required name is not a property. Rows live in the arena.
 */
enum { TOOL_ARGS_MAX = 64, TOOL_ARG_BYTES = 8192 };
enum errcode tool_args_read(struct tool *t, struct arena *a, struct json_object *schema,
    struct err *e);

/*
 * Validate arguments against the rows: required, types, ranges, unknown names. All faults are in
 * one message: "find_airports_near_route: to_location is required; max_results must be an integer,
 * not text". ERR_INPUT. tool_call() validates too; this is for a planner that must know before.
 */
enum errcode tool_check(const struct tool *t, struct json_object *args, struct err *e);

/*
 * Check the arguments and call a tool. *result is an object owned by the arena. ERR_TOOL,
 * ERR_TIMEOUT or ERR_OVERLOAD with a message for the user, "Tool '<name>' failed: <why>"; ERR_DATA
 * or ERR_PREPARING with the error table's sentence. Details of a failing service go to the log and
 * not into the message. ERR_HUP: the watch's reader has gone.
 */
enum errcode tool_call(const struct tool_context *ctx, const struct tool *t, struct arena *a,
    struct json_object *args, const char *persona_id, struct json_object **result,
    struct err *e);

#endif
