/*
 * Sinks for the terminal: the answer as text for a person, or every event as one line of JSON.
 */
#ifndef EDGES_SINK_CLI_H
#define EDGES_SINK_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "runtime/sink.h"

struct sink_cli {
	struct sink sink;
	FILE *out;
	bool json;            /* {"event": name, "data": …} a line */
	bool tty;             /* plan and progress are shown dimmed */
	bool text_open;       /* the last thing written was answer text */
};

void sink_cli_init(struct sink_cli *s, FILE *out, bool json);

#endif
