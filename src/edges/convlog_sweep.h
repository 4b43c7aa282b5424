/*
 * Removes old files of the conversation log, and of the feedback beside it.
 */
#ifndef EDGES_CONVLOG_SWEEP_H
#define EDGES_CONVLOG_SWEEP_H

#include <stdint.h>

/*
 * Remove from `dir` the logs of days more than `days` before `today` ("2026-01-03", more text may
 * follow), and the damaged parts that were set aside from them. Only plain files whose whole name
 * has the form of our log files are removed. Returns how many were removed.
 *
 * A wrong clock must not delete the logs. So nothing is removed until there are logs of three days
 * within the last `days` days (two, when only one day is kept). Logs of days after `today` do not
 * count and are kept. Any number of processes may do this at once.
 */
int convlog_sweep(const char *dir, const char *today, int64_t days);

#endif
