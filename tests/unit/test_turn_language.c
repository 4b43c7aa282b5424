/*
 * The language of a turn: that of the message, else that of the thread, else that of the messages before it, else that of the
 * browser.
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
		const char *language, *browser;
	} cases[] = {
		{ NULL, { "airports near Lyon with customs" }, "en", NULL },
		{ NULL, { "Quels aérodromes avec douane près de Lyon ?" }, "fr", NULL },
		{ NULL, { "Welche Flugplätze mit Zoll gibt es bei Lyon?" }, "de", NULL },
		/* too short to tell */
		{ NULL, { "EGKB" }, "en", NULL },
		{ "fr", { "EGKB" }, "fr", NULL },
		{ "de", { "50 nm" }, "de", NULL },
		{ "de", { "" }, "de", NULL },
		/* the browser says what a name cannot */
		{ NULL, { "Colmar" }, "fr", "fr-CH, fr;q=0.9, en;q=0.8" },
		{ NULL, { "EGKB" }, "de", "it, en;q=0.5, de-AT;q=0.7" },
		{ NULL, { "EGKB" }, "en", "it-IT, it;q=0.9" },
		{ NULL, { "EGKB" }, "en", "" },
		{ NULL, { "EGKB" }, "en", ",;q=,de;q=x,-, ;" },
		{ NULL, { "le touquet ppr" }, "en", "en-GB" },
		{ "de", { "EGKB" }, "de", "fr" },
		{ NULL, { "Welche Flugplätze mit Zoll gibt es bei Lyon?" }, "de", "fr" },
		/* a letter of one language in a name */
		{ NULL, { "Mogas Dänemark" }, "de", NULL },
		/* the pilot changes the language */
		{ "fr", { "airports near Lyon with customs" }, "en", NULL },
		/* a client without threads sends its history */
		{ NULL, { "Quels aérodromes avec douane près de Lyon ?", "EGKB" }, "fr", NULL },
		{ NULL, { "Quels aérodromes avec douane près de Lyon ?", "EGTF", "EGKB" }, "fr", NULL },
		{ NULL, { "Welche Flugplätze gibt es bei Lyon?", "Which airports are near Paris?", "EGKB" }, "en", NULL },
		/* the thread knows better than its messages */
		{ "de", { "Quels aérodromes avec douane près de Lyon ?", "EGKB" }, "de", NULL },
		/* a language that a thread cannot have */
		{ "xx", { "EGKB" }, "en", NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct message messages[MESSAGES];
		struct aviation_state st = { .nlookups = 0 };
		struct run run = { .mem = arena_new(), .state = &st, .messages = messages, .languages = cases[i].browser };
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
