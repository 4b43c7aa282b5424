/*
 * The messages of the agent by name: SAY_list_try is the message "list_try" of sayings.def and of the files.
 */
#ifndef AGENTS_AVIATION_SAYINGS_H
#define AGENTS_AVIATION_SAYINGS_H

#define SAYING(name) SAY_##name,
#define SAYING_COUNTED(name) SAY_##name,
enum saying {
#include "agents/aviation/sayings.def"
	SAY__MAX,
	SAY_NONE = SAY__MAX
};
#undef SAYING
#undef SAYING_COUNTED

#endif
