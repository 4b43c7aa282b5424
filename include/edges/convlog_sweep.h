/*
 * Retention of the conversation log.
 */
#ifndef EDGES_CONVLOG_SWEEP_H
#define EDGES_CONVLOG_SWEEP_H

#include <stdint.h>

/*
 * Remove from `dir` the logs of days that lie more than `days` before `today` ("2026-01-03", more text
 * may follow), and what was set aside of them as damaged. Nothing else in the folder is touched: names
 * must have the form of ours to the last character, and be plain files. Returns how many were removed.
 *
 * A clock may be wrong, and must not cost the logs: nothing is removed before three days within the time
 * to keep have a log (two of them where one day is kept). Days that lie ahead of today do not count,
 * and stay. Any number of processes may do this at once.
 */
int convlog_sweep(const char *dir, const char *today, int64_t days);

#endif
