/*
 * The fields of a reply's head that callers need; all others are skipped. A value that is too long
 * for these fields is cut off.
 */
#include "drivers/httpc_io.h"

#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/str.h"

enum { RETRY_AFTER_MAX_S = 7 * 24 * 3600 };

static int64_t retry_after_ms(const char *value)
{
	double s;
	if (!str_to_double(value, &s)) {
		time_t at = curl_getdate(value, NULL);
		if (at == (time_t)-1)
			return -1;
		s = (double)at - (double)clock_wall_us() / 1e6;
	}
	return s > RETRY_AFTER_MAX_S ? 1000LL * RETRY_AFTER_MAX_S : s > 0 ? (int64_t)(s * 1000) : 0;
}

/* Is the line this field? Then put its value into `out`. */
static bool is_field(struct str line, const char *name, char *out, size_t size)
{
	size_t len = strlen(name);
	if (line.n <= len || strncasecmp(line.p, name, len) != 0 || line.p[len] != ':')
		return false;
	struct str v = str_trim((struct str){ line.p + len + 1, line.n - len - 1 });
	if (v.n >= size)
		v.n = size - 1;
	memcpy(out, v.p, v.n);
	out[v.n] = '\0';
	return true;
}

/* A value that does not fit is dropped: a part of an id would be another id. */
static void keep_field(struct httpc_head *head, struct str line, const char *keep)
{
	char value[sizeof(head->kept) + 1] = "";
	if (is_field(line, keep, value, sizeof(value)) && strlen(value) < sizeof(head->kept))
		memcpy(head->kept, value, sizeof(head->kept));
}

void httpc_head_field(struct httpc_head *head, struct str line, const char *keep)
{
	char value[sizeof(head->type)];
	if (keep != NULL)
		keep_field(head, line, keep);
	if (is_field(line, "retry-after", value, sizeof(value))) {
		head->retry_after_ms = retry_after_ms(value);
	} else if (is_field(line, "content-type", value, sizeof(value))) {
		value[strcspn(value, "; \t")] = '\0';
		str_lower(value);
		memcpy(head->type, value, sizeof(value));
	}
}
