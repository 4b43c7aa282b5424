/*
 * The replies for messages that no tool can serve: what is not possible, what is possible, and two
 * questions to try. Markdown, in the arena.
 */
#ifndef AGENTS_AVIATION_BUILTIN_REPLIES_H
#define AGENTS_AVIATION_BUILTIN_REPLIES_H

#include "agents/aviation/builtin/query.h"

const char *reply_inject(struct arena *a, const struct query *q);
const char *reply_rules(struct arena *a, const struct query *q);
const char *reply_rules_off(struct arena *a, const struct query *q);
const char *reply_notify(struct arena *a, const struct query *q);
const char *reply_weather(struct arena *a, const struct query *q);
const char *reply_notam(struct arena *a, const struct query *q);
const char *reply_file(struct arena *a, const struct query *q);
const char *reply_here(struct arena *a, const struct query *q);
const char *reply_coords(struct arena *a, const struct query *q);
const char *reply_sense(struct arena *a, const struct query *q);
const char *reply_pick(struct arena *a, const struct query *q);
const char *reply_rank(struct arena *a, const struct query *q);
const char *reply_fuel(struct arena *a, const struct query *q);
const char *reply_half_route(struct arena *a, const struct query *q);
const char *reply_unplaced(struct arena *a, const struct query *q);
const char *reply_who(struct arena *a, const struct query *q);
const char *reply_thanks(struct arena *a, const struct query *q);
const char *reply_hello(struct arena *a, const struct query *q);
const char *reply_nothing(struct arena *a, const struct query *q);
const char *reply_no_tool(struct arena *a, const struct query *q);

#endif
