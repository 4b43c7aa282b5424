/*
 * Plans with external tools (domain TOOL_EXTERNAL), by their own words.
 *
 * Nothing is known of such a tool but its name, its title and the schema of its arguments. So it is
 * planned only if the question says a word of its name or title that tells something, and if every
 * argument that it requires can be taken from the question.
 */
#ifndef AGENTS_AVIATION_BUILTIN_EXTERNAL_PLANS_H
#define AGENTS_AVIATION_BUILTIN_EXTERNAL_PLANS_H

#include "agents/aviation/builtin/frame_plans.h"

/*
 * Look at the message and at the plans that were made of it. If nothing of ours serves (`open`), a tool that
 * shares a word with the message is planned instead. Beside a look-up of ours, it is planned only if that
 * word is none that our own tools are described with. Everything new is in the arena of the planning.
 */
void external_plans(const struct planning *p, struct plans *plans);

#endif
