/* Files of words under conf/language: each kind of fault is reported with file and line. */
#include "agents/aviation/builtin/replies.h"
#include "agents/aviation/builtin/tool_words.h"
#include "base/buf.h"
#include "base/str.h"
#include "rules/phrase_table.h"
#include "rules/terms_read.h"
#include "tests/unit/test.h"

struct fix {
	struct arena *a;
	char *dir;
	const char *path;
	struct err e;
};

static void setup(struct fix *f)
{
	*f = (struct fix){ .a = arena_new(), .dir = test_mkdtemp() };
	f->path = arena_printf(f->a, "%s/words.txt", f->dir);
}

static void finish(struct fix *f)
{
	test_rmdir(f->dir);
	arena_free(f->a);
}

static const char *put(struct fix *f, const char *text)
{
	FILE *file = fopen(f->path, "we");
	cr_assert_not_null(file);
	cr_assert_geq(fputs(text, file), 0);
	cr_assert_eq(fclose(file), 0);
	return f->path;
}

/* ---- lists of words ------------------------------------------------------------------- */

TEST(vocabulary, each_fault_in_lists_is_told_by_file_and_line)
{
	static const struct { const char *text, *says; } bad[] = {
		{ "tool_idle; get\nidle; of\n", "words.txt:2: \"idle\" is not known here; known are: tool_idle" },
		{ "tool_idle; do, is\ntool_idle; Do\n", "words.txt:2: \"do\" has a row already, in line 1" },
		{ "tool_idle; tell me\n", "words.txt:1: \"tell me\" is more than one word" },
		{ "argument_code; icao\n", "words.txt: the list \"tool_idle\" is missing" },
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct fix f;
		struct tool_word_lists *lists;
		setup(&f);
		cr_expect_eq(tool_words_read(&lists, f.a, put(&f, bad[i].text), &f.e), ERR_CONFIG, "%s",
		    bad[i].text);
		cr_expect_not_null(strstr(f.e.msg, bad[i].says), "%s: %s", bad[i].text, f.e.msg);
		finish(&f);
	}
}

TEST(vocabulary, each_fault_in_replies_is_told_by_file_and_line)
{
	static const struct { const char *text, *says; } bad[] = {
		{ "helo; Hello!\n", "words.txt:1: \"helo\" is not known here; known are: emergency, inject, rules" },
		{ "hello ofer; Hello!\n", "words.txt:1: \"ofer\" is not known here; known are: rules, offer, example" },
		{ "hello; Hello!\nhello; Hi!\n", "words.txt:2: \"hello\" has a row already" },
		{ "hello; Hello {name}!\n", "words.txt:1: \"{name}\" is not one of the values" },
		{ "hello; Hello {place!\n", "words.txt:1: \"{place!}\" is not one of the values" },
		{ "hello; Hello; there\n", "words.txt:1: has more than the 2 fields" },
		{ "rank example; a\nrank example; b\nrank example; c\nrank example; d\nrank example; e\n"
		  "rank example; f\nrank example; g\n", "words.txt:7: there are more than 6 examples" },
		{ "hello; Hello!\n", "words.txt: the text \"emergency\" is missing" },
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct fix f;
		struct reply_texts *texts;
		setup(&f);
		cr_expect_eq(replies_read(&texts, f.a, put(&f, bad[i].text), NULL, &f.e), ERR_CONFIG, "%s",
		    bad[i].text);
		cr_expect_not_null(strstr(f.e.msg, bad[i].says), "%s: %s", bad[i].text, f.e.msg);
		finish(&f);
	}
}

TEST(vocabulary, each_fault_in_translated_replies_is_told_by_file_and_line)
{
	static const struct { const char *text, *says; } bad[] = {
		{ "hello; Bonjour !\n", "words.txt:1: English has no row \"hello\"" },
		{ "rank rules; AVGAS\n", "words.txt:1: English has no row \"rank rules\"" },
		{ "where_near; ici\n", "words.txt:1: \"{near}\" of the English text is missing" },
		{ "where_near; {near} {to}\n", "words.txt:1: \"{to}\" is not in the English text" },
		{ "where_in; {country}\nwhere_near; {in_country}\n", "words.txt:2: \"{in_country}\" is not in" },
		{ "no_day; {unknown_code}Non.\nno_time; Non.\n", "words.txt:2: \"{unknown_code}\" of the English text" },
		{ "rules example; ici\n", "words.txt:1: \"{first}\" of the English text is missing" },
		{ "rules example; {in_first}\nrules example; {in_first}\n", "words.txt:2: there are more examples of it than in English" },
		{ "where_in; {in_country}\n", "words.txt: the text \"emergency\" is missing" },
	};
	struct arena *a = arena_new();
	struct reply_texts *english;
	struct err e = { 0 };

	TEST_OK(replies_read(&english, a, TEST_SRCDIR "/conf/language/en/replies.txt", NULL, &e), e);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct fix f;
		struct reply_texts *texts;
		setup(&f);
		cr_expect_eq(replies_read(&texts, f.a, put(&f, bad[i].text), english, &f.e), ERR_CONFIG, "%s",
		    bad[i].text);
		cr_expect_not_null(strstr(f.e.msg, bad[i].says), "%s: %s", bad[i].text, f.e.msg);
		finish(&f);
	}
	arena_free(a);
}

/* ---- words for the search of rules ------------------------------------------------------ */

TEST(vocabulary, topics_share_rows_and_know_languages)
{
	struct fix f;
	struct phrase_table *t;
	setup(&f);
	TEST_OK(terms_read(&t, put(&f, "callsign fis; information\ntopic fis ~ats; FIS\n"
	    "topic fis ~ats; flight information\npart info ~fis; information\nnothing; the\n"
	    "topic language; language\nlanguage; french, german\nspeak language; speak ?\n"
	    "topic border; border\ninside; this\nabroad border; leaving\nwithin; in\ntowards; to\nor; or, and\n"
	    "class_word; class\nclass_letter; b, c\nown_stem; important\nplain; trip\n"),
	    &f.e), f.e);
	cr_expect_eq(t->nrows, 5);
	cr_expect_str_eq(t->row[0].says, "fis");
	cr_expect_str_eq(t->row[0].hints, "ats");
	cr_expect_eq(t->row[0].kind, TERM_TOPIC);
	cr_expect_str_eq(t->row[4].says, "");
	cr_expect_eq(t->border, &t->row[3]);
	cr_expect_str_eq(t->border_term, "0border");
	cr_assert_eq(t->ncallsigns, 1);
	cr_expect_eq(t->callsign[0].row, &t->row[0]);
	cr_expect_str_eq(t->grammar[GRAMMAR_INSIDE].stem[0], "thi");
	cr_expect_str_eq(t->grammar[GRAMMAR_ABROAD].stem[0], "leav");
	cr_expect_str_eq(t->grammar[GRAMMAR_WITHIN].stem[0], "in");
	cr_expect_str_eq(t->grammar[GRAMMAR_TOWARDS].stem[0], "to");
	cr_expect_eq(t->grammar[GRAMMAR_OR].n, 2);
	cr_expect_str_eq(t->grammar[GRAMMAR_CLASS].stem[0], "class");
	cr_expect_eq(t->grammar[GRAMMAR_LETTER].n, 2);
	cr_expect_str_eq(t->own.stem[0], "important");
	arena_free(t->mem);
	finish(&f);
}

TEST(vocabulary, each_fault_in_topics_is_told_by_file_and_line)
{
	static const struct { const char *text, *says; } bad[] = {
		{ "topik x; y\n", "words.txt:1: \"topik\" is not known here; known are: topic, part, faint" },
		{ "topic; y\n", "words.txt:1: a row of \"topic\" has 1 to 16 concepts" },
		{ "topic ~x; y\n", "words.txt:1: a row of \"topic\" has 1 to 16 concepts" },
		{ "plain x; y\n", "words.txt:1: a row of \"plain\" has 0 to 0 concepts" },
		{ "plain ~x; y\n", "words.txt:1: a row of \"plain\" has 0 to 0 concepts" },
		{ "topic Fis; y\n", "words.txt:1: \"Fis\" is no name of a concept" },
		{ "topic x ~; y\n", "words.txt:1: \"\" is no name of a concept" },
		{ "topic a; b\n\ntopic c; b\n", "words.txt:3: \"b\" has a row already, in line 1" },
		{ "nothing; b\ntopic c; b\n", "words.txt:2: \"b\" has a row already, in line 1" },
		{ "topic a; need\ntopic c; needed\n",
		    "words.txt:2: \"needed\" has the same stems as a phrase of the rows from line 1 on" },
		{ "topic a; take-off\npart a; takeoff\n", "words.txt:2: \"takeoff\" has the same stems" },
		{ "topic a; one two three four five six\n", "has more than 5 words" },
		{ "topic a; b\nlanguage; french\nspeak tongue; in ?\n",
		    "words.txt:3: no row has the concept \"tongue\" alone" },
		{ "topic language; b\nlanguage; french\nspeak language; in french\n",
		    "words.txt:3: \"in french\" has no ? for the language" },
		{ "callsign fis; info\n", "words.txt:1: no row has the concept \"fis\" alone" },
		{ "topic a b; c\nabroad b; from\n", "words.txt:2: no row has the concept \"b\" alone" },
		{ "topic ab; c\nmust; ab, b\n", "words.txt:2: no row has the concept \"b\"" },
		{ "abroad; from\n", "words.txt:1: a row of \"abroad\" has 1 to 1 concepts" },
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct fix f;
		struct phrase_table *t;
		setup(&f);
		cr_expect_eq(terms_read(&t, put(&f, bad[i].text), &f.e), ERR_CONFIG, "%s", bad[i].text);
		cr_expect_null(t);
		cr_expect_not_null(strstr(f.e.msg, bad[i].says), "%s: %s", bad[i].text, f.e.msg);
		finish(&f);
	}
}

TEST(vocabulary, there_is_a_limit_to_must_rows)
{
	struct fix f;
	struct buf b;
	struct phrase_table *t;
	setup(&f);
	buf_init(&b, 100000);
	for (int i = 0; i <= TERMS_MUST; i++)
		buf_printf(&b, "topic a%d; b%d\nmust; a%d\n", i, i, i);
	cr_expect_eq(terms_read(&t, put(&f, b.p), &f.e), ERR_CONFIG);
	cr_expect_not_null(strstr(f.e.msg, "there are more than 64 concepts in rows of \"must\""), "%s", f.e.msg);
	buf_release(&b);
	finish(&f);
}

TEST(vocabulary, there_is_a_limit_to_long_words)
{
	struct fix f;
	struct buf b;
	struct phrase_table *t;
	setup(&f);
	buf_init(&b, 100000);
	for (int i = 0; i <= GUESSES_MAX; i++)
		buf_printf(&b, i % 100 == 0 ? "\ntopic a; plenty%d" : ", plenty%d", i);
	cr_expect_eq(terms_read(&t, put(&f, b.p), &f.e), ERR_CONFIG);
	cr_expect_not_null(strstr(f.e.msg, "or 3072 long words"), "%s", f.e.msg);
	buf_release(&b);
	finish(&f);
}
