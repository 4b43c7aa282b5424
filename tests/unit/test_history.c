/*
 * What is new of a conversation that a client sends: positions, spellings of the same text, and what
 * a hostile one costs.
 */
#include "tests/unit/test.h"

#include "base/arena.h"
#include "base/clock.h"
#include "runtime/history.h"

/* one letter a message: lower case user, upper case assistant */
static size_t letters(const char *s, struct message *out)
{
	static const char *const text[] = { "a", "b", "c", "d", "e", "f", "g" };
	size_t n = 0;
	for (; *s != '\0'; s++) {
		bool user = *s >= 'a';
		out[n++] = (struct message)MESSAGE(user ? "user" : "assistant", text[*s - (user ? 'a' : 'A')]);
	}
	return n;
}

static const struct { const char *stored, *sent; size_t from, skipped; } histories[] = {
	{ "", "a", 0, 0 },
	{ "aB", "c", 0, 0 },             /* sends only the new one */
	{ "aB", "aBc", 2, 0 },           /* sends everything again */
	{ "aBcD", "cDe", 2, 0 },         /* sends the newest ones again */
	{ "aBcD", "aBcD", 4, 0 },
	{ "a", "a", 1, 0 },              /* the answer was lost: asked again */
	{ "aB", "aCd", 0, 0 },           /* another history: nothing matches */
	{ "aBaB", "aBc", 2, 0 },
	/* a long thread, of which only the end was loaded */
	{ "cD", "aBcDe", 4, 2 },      /* sends everything again */
	{ "cD", "cDe", 2, 2 },
	{ "cD", "De", 1, 2 },
	{ "cD", "e", 0, 2 },
	{ "cD", "aBcDe", 4, 6 },      /* all it has: its own beginning is lost */
	{ "aB", "aBaBc", 4, 2 },      /* the same words twice */
	{ "cD", "fGcDe", 0, 0 },      /* nothing was skipped, so this is another history */
	{ "", "a", 0, 3 },
	/* a client that keeps no answers */
	{ "aB", "ac", 1, 0 },
	{ "aBcD", "ace", 2, 0 },
	{ "aBc", "ac", 2, 0 },            /* the answer was lost: asked again */
	{ "aB", "a", 0, 0 },              /* answered, and asked again */
	{ "cD", "ace", 2, 1 },
	{ "aBcD", "acEf", 0, 0 },         /* another answer is another history */
	{ "aBCd", "ade", 2, 0 },
	/* asked again, because the answer broke off: only the question is new */
	{ "aBcD", "aBc", 2, 0 },
	{ "aBcD", "ac", 1, 0 },
	{ "cD", "aBc", 2, 2 },
	{ "aBcDcE", "aBc", 2, 0 },
	{ "aBcDcE", "aBcEf", 4, 0 },      /* and its last answer is all that the client keeps */
	{ "aBcDcEcFg", "aBcFgAb", 5, 0 },
	/* a client that keeps a question each time it asked it, with an answer to the last one only */
	{ "aB", "aaBc", 3, 0 },
	{ "aBcD", "aBccDe", 5, 0 },
	{ "aBcD", "aaccce", 5, 0 },       /* and one that keeps no answers */
	{ "aBcD", "aBcc", 2, 0 },
	{ "aB", "aac", 2, 0 },
	{ "eF", "aaBccDeFg", 8, 4 },
	{ "aaBc", "aaBc", 4, 0 },         /* the same, known from its beginning */
	{ "aBcDe", "aBe", 0, 0 },         /* what it does not have is not the same question */
};

TEST(history, appends_only_what_is_new)
{
	for (size_t i = 0; i < sizeof(histories) / sizeof(histories[0]); i++) {
		struct message stored[12], sent[12];
		size_t ns = letters(histories[i].stored, stored);
		size_t nn = letters(histories[i].sent, sent);
		size_t all = nn;
		cr_expect_eq(history_new(stored, ns, histories[i].skipped, sent, &nn), histories[i].from,
		    "row %zu", i);
		bool twice = all > 1 && strcmp(sent[all - 1].content, sent[all - 2].content) == 0;
		cr_expect_eq(nn, all - twice, "row %zu", i);
	}
}

/* A thread with tool turns: clients never saw them. */
TEST(history, tool_turns_are_passed_over)
{
	static const struct message_call call = { "call_1", "search_airports", "{}", NULL };
	for (size_t i = 0; i < sizeof(histories) / sizeof(histories[0]); i++) {
		struct message said[12], stored[36], sent[12];
		size_t nn = letters(histories[i].sent, sent), n = 0;
		for (size_t k = 0, ns = letters(histories[i].stored, said); k < ns; k++) {
			if (strcmp(said[k].role, "assistant") == 0) {
				stored[n++] = (struct message){ .role = "assistant", .content = "b",
				    .calls = &call, .ncalls = 1 };
				stored[n++] = (struct message){ .role = "tool", .content = "a",
				    .call_id = "call_1" };
			}
			stored[n++] = said[k];
		}
		cr_expect_eq(history_new(stored, n, histories[i].skipped, sent, &nn), histories[i].from,
		    "row %zu", i);
	}
}

/* -- the same text, told otherwise -- */

static const struct {
	const char *name;
	const char *stored, *sent;        /* the answer */
	bool same;
} answers[] = {
	{ "the same", "Two airports.", "Two airports.", true },
	{ "a last newline", "Two airports.", "Two airports.\n", true },
	{ "blanks around", "Two airports.", " \n\tTwo airports. \n \n", true },
	{ "blanks that only browsers know", "Two airports.", "\u00a0Two airports.\u2003\ufeff", true },
	{ "other line ends", "One.\n\nTwo.", "One.\r\n\r\nTwo.\r\n", true },
	{ "stored with blanks", "Two airports. \n", "Two airports.", true },
	{ "the reader left", "Two airports: LFLY, LF …", "Two airports: LF", true },
	{ "the reader left later", "Two airports: LF …", "Two airports: LFLY, LF", true },
	{ "the reader left, marked", "Two airports: LF …", "Two airports: LF …", true },
	{ "too long to be read whole", "Two airports: LFLY and LFPB.", "Two airports: LFLY an…", true },
	{ "a notice behind it", "Two airports.", "Two airports.\n\nIt could not be saved.", true },
	{ "no text at all", "Two airports.", "", true },
	{ "another answer", "Two airports.", "Three airports.", false },
	{ "another end", "Two airports: LFLY.", "Two airports: LFPB.", false },
	{ "blanks inside", "Two airports.", "Two  airports.", false },
};

TEST(history, the_same_answer_is_known)
{
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		const struct message stored[] = { MESSAGE("user", "Where?"), MESSAGE("assistant", answers[i].stored) };
		const struct message sent[] = { MESSAGE("user", "Where?\r\n"), MESSAGE("assistant", answers[i].sent),
			MESSAGE("user", "And?") };
		size_t n = 3;
		cr_expect_eq(history_new(stored, 2, 0, sent, &n), answers[i].same ? 2 : 0, "%s",
		    answers[i].name);
		cr_expect_eq(n, 3, "%s", answers[i].name);
	}
}

/* A question is told whole: its beginning is another question. */
TEST(history, questions_are_the_same_only_whole)
{
	const struct message stored[] = { MESSAGE("user", "airports near Lyon"), MESSAGE("assistant", "Two.") };
	const struct message sent[] = { MESSAGE("user", "airports"), MESSAGE("assistant", "Two."), MESSAGE("user", "b") };
	size_t n = 3;
	cr_expect_eq(history_new(stored, 2, 0, sent, &n), 0);
}

/* The beginning of an answer that broke off may be that of the answer before it. */
TEST(history, an_earlier_try_is_known_by_its_question)
{
	const struct message stored[] = { MESSAGE("user", "a"), MESSAGE("assistant", "No airports."),
		MESSAGE("user", "b"), MESSAGE("assistant", "No \u2026"), MESSAGE("user", "b"), MESSAGE("assistant", "Two.") };
	const struct message sent[] = { MESSAGE("user", "a"), MESSAGE("assistant", "No airports."),
		MESSAGE("user", "b"), MESSAGE("assistant", "Two."), MESSAGE("user", "c") };
	size_t n = 5;
	cr_expect_eq(history_new(stored, 6, 0, sent, &n), 4);
	n = 3;
	cr_expect_eq(history_new(stored, 5, 0, sent, &n), 3);
	cr_expect_eq(history_new(stored, 6, 0, sent, &n), 2);
}

static const struct { const char *sent; size_t from, n; } repeats[] = {
	{ "aa", 0, 1 }, { "aaa", 0, 1 }, { "aBcc", 0, 3 }, { "abab", 0, 4 }, { "aB", 0, 2 },
	{ "aBB", 0, 3 },
};

TEST(history, a_last_question_sent_twice_counts_once)
{
	for (size_t i = 0; i < sizeof(repeats) / sizeof(repeats[0]); i++) {
		struct message sent[8];
		size_t n = letters(repeats[i].sent, sent);
		cr_expect_eq(history_new(NULL, 0, 0, sent, &n), repeats[i].from, "row %zu", i);
		cr_expect_eq(n, repeats[i].n, "row %zu", i);
	}
	const struct message blanks[] = { MESSAGE("user", "Where?"), MESSAGE("user", "Where? \n") };
	size_t n = 2;
	cr_expect_eq(history_new(NULL, 0, 0, blanks, &n), 0);
	cr_expect_eq(n, 1);
}

/* -- what it costs -- */

enum { LONG = 64 << 10 };

/* Long texts that differ in their last byte, or answers that are beginnings of each other; the oldest
 * message that was stored fits nowhere. */
TEST(history, a_hostile_conversation_costs_little_more_than_reading_it, .timeout = 60)
{
	enum { STORED = 40, SENT = 1000 };
	for (int answers_too = 0; answers_too < 2; answers_too++) {
		struct message stored[STORED], sent[SENT];
		struct arena *a = arena_new();
		char *text[3];
		for (size_t i = 0; i < 3; i++) {
			text[i] = arena_alloc(a, LONG + 1);
			memset(text[i], 'x', LONG);
			text[i][LONG - 1] = (char)('x' + i);
		}
		for (size_t i = 0; i < SENT; i++)
			sent[i] = !answers_too || i % 2 == 0 ? (struct message)MESSAGE("user", text[i % 2])
			    : (struct message)MESSAGE("assistant", text[0] + 1);
		for (size_t i = 0; i < STORED; i++)
			stored[i] = !answers_too || i % 2 == 0 ? (struct message)MESSAGE("user", text[i % 2])
			    : (struct message)MESSAGE("assistant", text[0]);
		stored[0].content = text[2];
		size_t n = SENT;
		int64_t t0 = clock_mono_us();
		cr_expect_eq(history_new(stored, STORED, 960, sent, &n), STORED - 2);
		int64_t took = clock_mono_us() - t0;
		fprintf(stderr, "history of 64 MB: %lld us\n", (long long)took);
		cr_expect_lt(took, 5000000);
		arena_free(a);
	}
}
