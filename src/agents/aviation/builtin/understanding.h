/*
 * What the newest message of a conversation means: its reading, its frames, and the talk that it goes on from.
 *
 * The talk is the thread's channel state. If it does not include the messages before the newest one (a
 * client that resends its history without a thread, a turn that a model has planned), it is made of them: at most
 * HISTORY_MESSAGES of the user's, and HISTORY_BYTES.
 */
#ifndef AGENTS_AVIATION_BUILTIN_UNDERSTANDING_H
#define AGENTS_AVIATION_BUILTIN_UNDERSTANDING_H

#include "agents/aviation/builtin/frame_plans.h"
#include "agents/aviation/builtin/talk.h"
#include "runtime/run.h"

enum { HISTORY_MESSAGES = 36, HISTORY_BYTES = 1200 };

struct understanding {
	struct planning planning;         /* for plans_of_frames(); `talk` is the one before the message */
	struct talk before, after;        /* with and without the frames of the message */
	struct frames frames;
};

/*
 * Understand the newest user message of run->messages; everything in the arena. con: NULL: there is no
 * database at hand. talk: of the thread; NULL: none is kept. False: there is no user message.
 */
bool understand(struct understanding *u, struct arena *a, struct run *run, const struct tool_context *ctx,
    struct aircon *con, const struct talk *talk);

/* What uses it; everything is freed afterwards. */
typedef void understood_fn(struct run *run, const struct understanding *u, void *to);

/* The same with a connection of ctx->airports and the talk of the run's thread. fn is not called if there is no user
 * message. It is called a second time if the database failed meanwhile. */
void understanding_for(struct run *run, const struct tool_context *ctx, understood_fn *fn, void *to);

#endif
