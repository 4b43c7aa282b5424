/*
 * The UI payload: what a map or a rules panel needs to draw an answer.
 *
 * This is the only place that makes one. It is pure: plan and tool result in, JSON out; the
 * kind comes from the tool's row.
 */
#ifndef AGENTS_AVIATION_UI_PAYLOAD_H
#define AGENTS_AVIATION_UI_PAYLOAD_H

#include <stdbool.h>

#include "agents/aviation/planner.h"
#include "base/arena.h"
#include "base/jsn.h"

/*
 * Payload of a turn, owned by the arena: `kind`, `tool`, the members of the kind, then what the
 * result has of `filters`, `visualization` (what a page can draw of it), `airports`, `unrecorded`, then
 * `suggested_queries` when `suggested` (may be NULL) is not empty, and the whole result as `mcp_raw` when asked.
 * Of a turn about both, `show_rules` of the rules besides. NULL when the plan has no tool or the
 * result is empty. Parts of the result are shared, not copied.
 */
struct json_object *ui_payload_build(struct arena *a, const struct writing *w,
    struct json_object *suggested, bool mcp_raw);

#endif
