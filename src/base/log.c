/*
 * A line is composed in one buffer on the stack and written with one write(2). This keeps lines of
 * several threads and processes apart without a lock.
 */
#include "base/log.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/owned.h"
#include "base/str.h"

enum { LINE_MAX_BYTES = 2048 };

static atomic_int threshold = LOG_INFO;
static atomic_int target = STDERR_FILENO;

static _Thread_local char ctx_run[16];
static _Thread_local const char *ctx_node;

static const struct {
	const char *name;
	enum log_level level;
} level_names[] = {
	{ "debug", LOG_DEBUG }, { "info", LOG_INFO }, { "warning", LOG_WARN },
	{ "warn", LOG_WARN }, { "error", LOG_ERROR }, { "critical", LOG_ERROR },
	{ "off", LOG_OFF },
};

bool log_level_set(const char *level)
{
	for (size_t i = 0; i < sizeof(level_names) / sizeof(level_names[0]); i++)
		if (strcasecmp(level, level_names[i].name) == 0) {
			threshold = (int)level_names[i].level;
			return true;
		}
	threshold = LOG_INFO;
	return false;
}

bool log_open(const char *path)
{
	int fd = STDERR_FILENO;
	if (path != NULL) {
		fd = owned_open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY, 0640);
		if (fd == -1)
			return false;
	}
	int old = atomic_exchange(&target, fd);
	if (old != STDERR_FILENO)
		close(old);
	return true;
}

bool log_enabled(enum log_level level)
{
	return (int)level >= threshold;
}

void log_run(const char *run_id)
{
	/* the first group of the id is enough to tell runs apart in a log */
	snprintf(ctx_run, sizeof(ctx_run), "%.8s", run_id == NULL ? "" : run_id);
}

void log_node(const char *node)
{
	ctx_node = node;
}

const char *log_id(const char *id)
{
	static _Thread_local char ring[4][32];
	static _Thread_local unsigned next;
	char *out = ring[next++ % 4];
	if (id == NULL)
		return "-";
	size_t n = strlen(id), prefix = 0;
	const char *under = strchr(id, '_');
	if (under != NULL && (size_t)(under - id) < 12)
		prefix = (size_t)(under - id) + 1;
	size_t show = prefix + 4;
	if (n <= show)
		show = n / 2;
	snprintf(out, sizeof(ring[0]), "%.*s…", (int)show, id);
	return out;
}

void log_msg(enum log_level level, const char *event, const char *fmt, ...)
{
	static const char *const names[] = { "debug", "info", "warn", "error" };
	if (!log_enabled(level))
		return;
	char body[LINE_MAX_BYTES / 2], line[LINE_MAX_BYTES + 256], when[CLOCK_ISO_SIZE];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(body, sizeof(body), fmt, ap);
	va_end(ap);

	clock_iso_utc(when, clock_wall_us());
	int n = snprintf(line, 256, "%.23sZ %s %s", when, names[level], event);
	size_t at = n < 0 ? 0 : (size_t)n < 256 ? (size_t)n : 255;
	if (ctx_run[0] != '\0')
		at += (size_t)snprintf(line + at, 64, " run=%s", ctx_run);
	if (ctx_node != NULL)
		at += (size_t)snprintf(line + at, 64, " node=%.40s", ctx_node);
	line[at++] = ' ';
	at += str_escape_into(line + at, sizeof(line) - at - 1, body);
	line[at++] = '\n';
	/* if the log itself cannot be written, nothing useful can be done */
	ssize_t ignored = write(target, line, at);
	(void)ignored;
}
