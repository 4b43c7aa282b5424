/*
 * The language of a turn: that of the message, else that of the thread, else that of the messages before it.
 */
#include "agents/aviation/agent.h"
#include "agents/aviation/messages.h"
#include "base/str.h"
#include "tests/unit/test.h"

enum { MESSAGES = 4 };

TEST(turn_language, is_that_of_the_message_or_of_the_talk)
{
	static const struct {
		const char *thread;           /* the language that the thread kept */
		const char *said[MESSAGES];   /* messages of the pilot, the newest last */
		const char *language;
	} cases[] = {
		{ NULL, { "airports near Lyon with customs" }, "en" },
		{ NULL, { "Quels aérodromes avec douane près de Lyon ?" }, "fr" },
		{ NULL, { "Welche Flugplätze mit Zoll gibt es bei Lyon?" }, "de" },
		/* too short to tell */
		{ NULL, { "EGKB" }, "en" },
		{ "fr", { "EGKB" }, "fr" },
		{ "de", { "50 nm" }, "de" },
		{ "de", { "" }, "de" },
		/* the pilot changes the language */
		{ "fr", { "airports near Lyon with customs" }, "en" },
		/* a client without threads sends its history */
		{ NULL, { "Quels aérodromes avec douane près de Lyon ?", "EGKB" }, "fr" },
		{ NULL, { "Quels aérodromes avec douane près de Lyon ?", "EGTF", "EGKB" }, "fr" },
		{ NULL, { "Welche Flugplätze gibt es bei Lyon?", "Which airports are near Paris?", "EGKB" }, "en" },
		/* the thread knows better than its messages */
		{ "de", { "Quels aérodromes avec douane près de Lyon ?", "EGKB" }, "de" },
		/* a language that a thread cannot have */
		{ "xx", { "EGKB" }, "en" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct message messages[MESSAGES];
		struct aviation_state st = { .nlookups = 0 };
		struct run run = { .mem = arena_new(), .state = &st, .messages = messages };
		struct json_object *kept = jsn_object(run.mem);
		struct err e = { .code = OK };

		if (cases[i].thread != NULL) {
			jsn_add_str(kept, "language", cases[i].thread);
			TEST_OK(aviation_graph.load(&run, kept, &e), e);
		}
		while (run.nmessages < MESSAGES && cases[i].said[run.nmessages] != NULL) {
			messages[run.nmessages] = (struct message)MESSAGE("user", cases[i].said[run.nmessages]);
			run.nmessages++;
		}
		turn_language_read(&run);
		cr_expect_str_eq(st.language, cases[i].language, "row %zu: %s", i, st.language);
		cr_expect_str_eq(wording_language(turn_wording(&run)), cases[i].language, "row %zu", i);
		kept = jsn_own(run.mem, aviation_graph.save(&run));
		cr_expect_str_eq(jsn_get_str(kept, "language", ""), cases[i].language, "row %zu", i);
		arena_free(run.mem);
	}
}
