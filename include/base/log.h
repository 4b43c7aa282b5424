/*
 * Log: one line an event, key=value, to stderr (systemd, quickstart) or a file.
 *
 *   2026-01-03T10:15:00.123Z info turn run=6f1c2b1e node=tool tool=search_airports ms=3
 *
 * Control characters are escaped, so a value cannot forge a line. Never log a key, a prompt, a
 * user's text or a body above LOG_DEBUG; thread ids only through log_id().
 * Thread-safe: one write(2) a line.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR, LOG_OFF };

/* Set the level: "DEBUG", "INFO", "WARNING", "ERROR" or "OFF" in any case. Another text sets INFO
 * and returns false. */
bool log_level_set(const char *level);
/* Write to `path` (created 0640, appended) instead of stderr; NULL goes back to stderr. False: it
 * can't be opened, and the old target stays. */
bool log_open(const char *path);
bool log_enabled(enum log_level level);
void log_msg(enum log_level level, const char *event, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Context of the calling thread, printed in every line as run=… node=…; NULL clears. */
void log_run(const char *run_id);
void log_node(const char *node);

/* A capability (thread id, session id) shortened for the log: "thread_1a2b…". Returns
 * a pointer into a per-thread ring of four buffers. */
const char *log_id(const char *id);

#endif
