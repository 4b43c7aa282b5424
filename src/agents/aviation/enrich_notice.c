/*
 * A question that searches for airports and also asks about notice ("airports near Lyon, and how early
 * must I tell customs on Saturday?"): the airports found get the notice of that day, and the result a
 * text that lists it.
 */
#include "agents/aviation/enrich_notice.h"

#include <ctype.h>
#include <string.h>

#include "agents/aviation/builtin/writer.h"
#include "base/buf.h"
#include "base/str.h"
#include "tools/notice_result.h"

enum { LINES = 15, LINE_BYTES = 100, TEXT_BYTES = 8192, QUESTION_BYTES = 4000 };

/* Each must be a whole word, and may be a plural: "priority" does not count as "prior". */
bool notice_wanted(const char *question)
{
	static const char *const words[] = { "notification", "notify", "customs", "notice", "prior",
		"how early", "when should" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		size_t n = strlen(words[i]);
		for (const char *p = question; *p != '\0' && p - question < QUESTION_BYTES; p++) {
			size_t k = 0;
			if (p > question && isalnum((unsigned char)p[-1]))
				continue;
			while (k < n && ascii_lower(p[k]) == words[i][k])
				k++;
			if (k == n && !isalpha((unsigned char)p[n + (p[n] == 's')]))
				return true;
		}
	}
	return false;
}

static const char *short_line(struct arena *a, const char *text)
{
	char line[LINE_BYTES + 1];
	size_t n = utf8_cut(text, strlen(text), LINE_BYTES);

	memcpy(line, text, n);
	line[n] = '\0';
	return md_text(a, line, LINE_BYTES);
}

/* The notice of one airport: into its object, and as a line of the text. */
static void enrich_one(struct arena *a, struct json_object *airport, const struct notice *n,
    struct notice_days days, struct buf *out, int *lines)
{
	const char *said = notice_said_for(a, n, days), *line = notice_line(a, n, days);
	struct json_object *o = jsn_get(airport, "notification");

	if (*line == '\0')
		return;
	if (o == NULL) {
		o = notice_summary_json(n);
		jsn_add(airport, "notification", o);
	}
	if (said != NULL)
		jsn_add_str(o, "day_rule", said);
	if ((*lines)++ < LINES)
		buf_printf(out, "\n**%s**: %s", md_text(a, n->icao, 12), short_line(a, line));
}

void enrich_notice(struct arena *a, const struct fact_sources *sources, const char *question,
    struct json_object *result)
{
	struct json_object *list = jsn_get(result, "airports");
	const struct notice_days days = notice_days_of(question);
	const char *on = notice_days_text(a, days), *before = jsn_get_str(result, "pretty", "");
	struct fact_view view;
	struct buf out;
	int lines = 0;

	if (jsn_len(list) == 0 || !notice_wanted(question))
		return;
	buf_init(&out, TEXT_BYTES);
	fact_view_take(&view, sources);
	for (size_t i = 0; i < jsn_len(list); i++) {
		struct json_object *airport = jsn_at(list, i);
		const struct notice *n = notice_find(&view, jsn_get_str(airport, "ident", ""));
		if (n != NULL)
			enrich_one(a, airport, n, days, &out, &lines);
	}
	fact_view_put(&view);
	jsn_add_bool(result, "notifications_enriched", true);
	jsn_add_str(result, "pretty", arena_printf(a, "%s%s**Notification requirements%s%s%s:**%s", before,
	    *before != '\0' ? "\n\n" : "", *on != '\0' ? " (" : "", on, *on != '\0' ? ")" : "",
	    lines > 0 ? out.p : "\nNone are recorded for these airports."));
	buf_release(&out);
}
