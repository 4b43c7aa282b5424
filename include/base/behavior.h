/*
 * Behaviour config: how the assistant behaves, from a JSON file (conf/aviation_agent/<name>.json).
 *
 * One row a key: path, type, bounds, default, documentation. The original's files are
 * accepted as they are: keys of it that nothing here reads are listed once in the log, unknown ones
 * are warned about.
 *
 * Where the file is, the first that exists: PROJECT_ROOT/configs/aviation_agent/,
 * PROJECT_ROOT/conf/aviation_agent/, the shipped conf/aviation_agent/. A missing name falls
 * back to "default" with a warning; a missing default to the built-in values.
 */
#ifndef BASE_BEHAVIOR_H
#define BASE_BEHAVIOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/conf.h"
#include "base/errs.h"

struct buf;

struct behavior {
	const char *file;                     /* what was read; NULL: built-in values */
	bool predict;                         /* next_query_prediction.enabled */
	int64_t predict_max;                  /* next_query_prediction.max_suggestions */
	const char *predict_templates;        /* next_query_prediction.templates_path, resolved; NULL: none */
	bool ui_mcp_raw;                      /* ui_payload.mcp_raw */
	bool all_idents;                      /* airports.all_idents */
};

/* ERR_CONFIG names file, key and reason. Strings live in the arena. */
enum errcode behavior_load(struct behavior *b, const struct conf *c, struct arena *a,
    struct err *e);
/* The keys with type, default and documentation. */
void behavior_print(const struct behavior *b, struct buf *out);

#endif
