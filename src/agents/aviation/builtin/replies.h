/*
 * The texts for messages that no tool can serve: what is not possible, what is possible, and
 * questions to try. They are rows of conf/language/LANGUAGE/replies.txt. Markdown, in the arena.
 */
#ifndef AGENTS_AVIATION_BUILTIN_REPLIES_H
#define AGENTS_AVIATION_BUILTIN_REPLIES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/errs.h"

struct country;
struct rules_snapshot;
struct wording;

/* The constant, and the name in the file. First the replies of intents, then those that reply_of()
 * chooses instead of one of them, then parts of replies. */
#define REPLIES(X) \
	X(EMERGENCY, "emergency") \
	X(INJECT, "inject") \
	X(RULES, "rules") \
	X(RULES_OFF, "rules_off") \
	X(NOTIFY, "notify") \
	X(NOTIFY_WHERE, "notify_where") \
	X(WEATHER, "weather") \
	X(NOTAM, "notam") \
	X(FILE, "file") \
	X(COMPUTE, "compute") \
	X(NOTHING, "nothing") \
	X(COORDS, "coordinates") \
	X(PICK, "pick") \
	X(RANK, "rank") \
	X(HERE, "here") \
	X(NO_TOOL, "no_tool") \
	X(NO_DAY, "no_day") \
	X(NO_TIME, "no_time") \
	X(HALF_ROUTE, "half_route") \
	X(UNPLACED, "unplaced") \
	X(WHO, "who") \
	X(THANKS, "thanks") \
	X(HELLO, "hello") \
	X(RULES_NONE, "rules_none") \
	X(RULES_COUNTRIES, "rules_countries") \
	X(RULES_NOWHERE, "rules_nowhere") \
	X(RULES_GENERAL, "rules_general") \
	X(RULES_REST, "rules_rest") \
	X(RULES_COMPARE, "rules_compare") \
	X(RULES_COMPARE_WITH, "rules_compare_with") \
	X(COMPARE_OFF, "compare_off") \
	X(EMPTY, "empty") \
	X(PICK_WHICH, "pick_which") \
	X(HALF_ROUTE_TO, "half_route_to") \
	X(LANGUAGE, "language") \
	X(CONTRADICTION, "contradiction") \
	X(QUESTION_BACK, "question_back") \
	X(ASK_NEAR, "ask_near") \
	X(ASK_ROUTE, "ask_route") \
	X(ASK_SEARCH, "ask_search") \
	X(ASK_DETAILS, "ask_details") \
	X(ASK_NOTICE, "ask_notice") \
	X(ASK_ANSWER, "ask_answer") \
	X(ASK_BROWSE, "ask_browse") \
	X(ASK_COMPARE, "ask_compare") \
	X(UNKNOWN_CODE, "unknown_code") \
	X(OFFER, "offer") \
	X(FOR_EXAMPLE, "for_example") \
	X(WHERE_BETWEEN, "where_between") \
	X(WHERE_NEAR, "where_near") \
	X(WHERE_IN, "where_in") \
	X(SOME_PLACE, "some_place") \
	X(SOME_START, "some_start")

#define REPLY_ENUM(constant, name) REPLY_##constant,
enum reply { REPLIES(REPLY_ENUM) REPLY__MAX };

/* What a reply may name; NULL: it is not known. */
struct reply_facts {
	const char *place;            /* an airport or a place that the message names */
	const char *from, *to, *near;
	const struct country *country;        /* that airports are looked for in */
	const char *day;              /* as day_parse() reads it */
	const char *unknown_code;     /* a code that no airport has */
	const struct rules_snapshot *set;     /* the loaded rules */
	const char *asked[2];         /* countries of a question about rules, ISO-2 */
	const char *topic;            /* its topic */
	const char *matter;           /* the pilot's words for it */
	const struct general_rule *general;   /* the general rule that the question is about */
	/* two wishes that exclude each other, or two questions that may be meant */
	const char *either[2];
	bool brief;                   /* without an offer and examples, because other things are answered beside it */
	const struct wording *wording;        /* in the language of the turn; NULL: English */
};

const char *reply_of(struct arena *a, const struct reply_facts *facts, enum reply reply);
/* A text without values in it, in a language; NULL: in English. */
const char *reply_text_in(const struct wording *w, enum reply reply);

/* Read and check the file of each language that the agent speaks, and use them in this process;
 * messages_open() comes first. Does nothing if they are in use already. ERR_CONFIG: file, line and reason. */
enum errcode replies_open(const char *data_dir, struct err *e);

/* One file; everything lives in the arena. `english`: what it translates, with the same rows, as many examples and
 * the same values; NULL: it is the English file. */
struct reply_texts;
enum errcode replies_read(struct reply_texts **out, struct arena *a, const char *path,
    const struct reply_texts *english, struct err *e);

#endif
