/*
 * The language of a turn: that of the pilot's message. A message too short to tell ("EGKB", "50 nm") keeps the
 * language of the talk, which is part of the thread's state. A client without threads sends its history
 * instead; then the newest message before that tells a language gives it. The first message of all leaves it to the
 * browser's languages.
 */
#include "agents/aviation/agent.h"

#include <string.h>

#include "agents/aviation/messages.h"
#include "language/languages.h"
#include "language/words.h"

enum { MESSAGES_READ = 6 };

/* NULL: no message before the newest tells one. */
static const char *language_before(struct run *run)
{
	const char *language = NULL;
	int left = MESSAGES_READ;
	bool newest = true;

	for (size_t i = run->nmessages; i > 0 && left > 0 && language == NULL; i--) {
		const struct message *m = &run->messages[i - 1];
		if (strcmp(m->role, "user") != 0)
			continue;
		if (!newest) {
			/* a message that does not tell is guessed to be in the language of the talk, whichever
			 * that is */
			const char *one = words_of(run->mem, m->content, "en")->language;
			language = one == words_of(run->mem, m->content, "fr")->language ? one : NULL;
			left--;
		}
		newest = false;
	}
	return language;
}

void turn_language_read(struct run *run)
{
	struct aviation_state *st = state_of(run);
	const char *before = st->language != NULL ? st->language : language_before(run);

	if (before == NULL)
		before = language_accepted(run->languages);

	st->language = words_of(run->mem, last_question(run), before)->language;
}

const struct wording *turn_wording(const struct run *run)
{
	const struct aviation_state *st = state_of(run);

	return messages_in(st != NULL ? st->language : NULL);
}
