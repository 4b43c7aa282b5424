/*
 * Records of notice have short texts in English, "Mon-Fri: 12h notice", made by this program or by the
 * one that wrote the database. Their usual words are said in the language of the answer; all else stays.
 */
#include <ctype.h>
#include <string.h>

#include "agents/aviation/builtin/writer.h"
#include "base/str.h"

enum { RECORD_MAX = 1000 };

/* The words, whose English texts are what the records have. */
static const enum saying words[] = {
	SAY_record_hours, SAY_record_all_days, SAY_record_weekdays, SAY_record_weekend, SAY_record_monday,
	SAY_record_tuesday, SAY_record_wednesday, SAY_record_thursday, SAY_record_friday, SAY_record_saturday,
	SAY_record_sunday, SAY_record_holidays, SAY_record_on_request, SAY_record_arrangement,
	SAY_record_ad_hours, SAY_record_not_available, SAY_record_last_working_day, SAY_record_previous_day,
	SAY_record_schengen, SAY_record_non_schengen, SAY_record_form, SAY_record_none,
	SAY_record_by_form,
};

/* The longest of the words that stands here; its length, 0: none does. */
static size_t word_at(const char *p, enum saying *word)
{
	const struct wording *english = messages_in(CATALOGUE_REFERENCE);
	size_t longest = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *text = message_pattern(english, words[i]);
		const size_t n = strlen(text);
		if (n > longest && strncasecmp(p, text, n) == 0 && !isalnum((unsigned char)p[n])) {
			*word = words[i];
			longest = n;
		}
	}
	return longest;
}

/* The length of "12h notice", and of its digits; 0: it is something else. */
static size_t hours_at(const char *p, size_t *digits)
{
	static const char rest[] = "h notice";

	*digits = strspn(p, "0123456789");
	return *digits > 0 && strncmp(p + *digits, rest, sizeof(rest) - 1) == 0 ? *digits + sizeof(rest) - 1 : 0;
}

const char *record_said(const struct answer *w, const char *text)
{
	struct buf b;
	bool inside = false;          /* of a word */

	if (streq(wording_language(w->wording), CATALOGUE_REFERENCE))
		return text;
	buf_init(&b, RECORD_MAX);
	for (size_t n; *text != '\0'; text += n) {
		enum saying word = SAY_NONE;
		size_t digits;
		if (!inside && (n = word_at(text, &word)) > 0)
			buf_puts(&b, said_as(w, word));
		else if (!inside && (n = hours_at(text, &digits)) > 0)
			buf_puts(&b, said(w, hours_in_text, "hours", arena_strndup(w->mem, text, digits)));
		else
			buf_put(&b, text, n = 1);
		inside = isalnum((unsigned char)text[n - 1]);
	}
	const char *out = arena_strndup(w->mem, b.p, b.full ? utf8_cut(b.p, b.n, b.n - 1) : b.n);
	buf_release(&b);
	return out;
}
