/*
 * The UI payload: what a map or a rules panel needs to draw an answer.
 *
 * Only this module makes one. It is pure: plans and tool results in, JSON out. The kind comes from
 * the tool's row.
 */
#ifndef AGENTS_AVIATION_UI_PAYLOAD_H
#define AGENTS_AVIATION_UI_PAYLOAD_H

#include <stdbool.h>

#include "agents/aviation/planner.h"
#include "base/arena.h"
#include "base/jsn.h"

/*
 * The payload of a turn, owned by the arena. Its members are, in this order:
 * - `kind`, `tool` and the members of the kind;
 * - of the result, if it has them: `filters`, `visualization` (the part that a page can draw),
 * `airports`, `unrecorded`;
 * - `suggested_queries`, if `suggested` (may be NULL) is not empty;
 * - `mcp_raw`, the whole result, if the behaviour config wants it.
 *
 * A turn that looked into rules has `show_rules`. If there were several look-ups, the kind and the
 * tool are those of the first one among airports, and the lists and the map hold the airports of
 * all. NULL if no look-up has a result. Parts of the results are shared, not copied.
 */
struct json_object *ui_payload_build(struct arena *a, const struct writing *w,
    struct json_object *suggested, bool mcp_raw);

#endif
