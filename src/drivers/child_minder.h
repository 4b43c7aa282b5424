/*
 * How a program is told to be a minder.
 */
#ifndef DRIVERS_CHILD_MINDER_H
#define DRIVERS_CHILD_MINDER_H

enum { CHILD_TERM_MS = 5000 };        /* that a child has between SIGTERM and SIGKILL */

#define CHILD_MINDER_NAME "aviation-agent-minder"
#define CHILD_MINDER_FLAG "--mind-child"

#endif
