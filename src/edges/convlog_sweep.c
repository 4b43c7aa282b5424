/*
 * The folder is read twice: first to see whether the clock can be trusted, then to remove files.
 */
#include "edges/convlog_sweep.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/str.h"

enum { BELIEVED_DAYS = 3, DATE = 10 /* bytes of "2026-01-03" */ };

/* Does p begin with a date? *day: days since 1970. */
static bool date_of(const char *p, int64_t *day)
{
	static const char form[] = "dddd-dd-dd";
	for (size_t i = 0; i < DATE; i++)
		if (form[i] == 'd' ? p[i] < '0' || p[i] > '9' : p[i] != form[i])
			return false;
	struct tm tm = { .tm_year = (int)strtol(p, NULL, 10) - 1900,
		.tm_mon = (int)strtol(p + 5, NULL, 10) - 1, .tm_mday = (int)strtol(p + 8, NULL, 10) };
	struct tm same = tm;
	*day = (int64_t)timegm(&same) / 86400;
	/* refuses the 31st of June */
	return same.tm_mon == tm.tm_mon && same.tm_mday == tm.tm_mday;
}

/* Is this the name of a log? *whole: it is a day's conversations, not its feedback, and not a damaged part that
 * was set aside. */
static bool log_name(const char *name, int64_t *day, bool *whole)
{
	static const char json[] = ".json", aside[] = ".damaged-", feedback[] = "-feedback";
	*whole = false;
	if (!date_of(name, day))
		return false;
	const char *rest = name + DATE;
	const bool said = starts_with(rest, feedback);
	if (said)
		rest += strlen(feedback);
	if (!starts_with(rest, json))
		return false;
	rest += strlen(json);
	*whole = *rest == '\0' && !said;
	if (*rest == '\0' || !starts_with(rest, aside))
		return *rest == '\0';
	rest += strlen(aside);
	return *rest != '\0' && strspn(rest, "0123456789") == strlen(rest);
}

static bool remove_file(int dir, const char *name)
{
	struct stat st;
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
		return false;
	if (unlinkat(dir, name, 0) == 0)
		return true;
	if (errno != ENOENT)          /* another process was faster */
		log_msg(LOG_WARN, "convlog", "file=%s why=\"can't remove it, though it is older than "
		    "CONVERSATION_LOG_DAYS: %s\"", name, strerrordesc_np(errno));
	return false;
}

int convlog_sweep(const char *dir, const char *today, int64_t days)
{
	const int64_t wanted = days + 1 < BELIEVED_DAYS ? days + 1 : BELIEVED_DAYS;
	int64_t now, day, kept = 0;
	struct dirent *entry;
	bool whole;
	int removed = 0;
	DIR *d;

	if (!date_of(today, &now) || (d = opendir(dir)) == NULL)
		return 0;
	while ((entry = readdir(d)) != NULL)
		if (log_name(entry->d_name, &day, &whole) && whole && day >= now - days && day <= now)
			kept++;
	if (kept >= wanted) {
		rewinddir(d);
		while ((entry = readdir(d)) != NULL)
			if (log_name(entry->d_name, &day, &whole) && day < now - days)
				removed += remove_file(dirfd(d), entry->d_name);
	}
	closedir(d);
	if (removed > 0)
		log_msg(LOG_INFO, "convlog", "dir=%s removed=%d days=%lld what=\"logs older than "
		    "CONVERSATION_LOG_DAYS\"", dir, removed, (long long)days);
	return removed;
}
