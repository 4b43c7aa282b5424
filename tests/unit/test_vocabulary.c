/* Files of words under conf/language: each kind of fault is reported with file and line. */
#include "agents/aviation/builtin/lexicon_read.h"

#include "agents/aviation/builtin/replies.h"
#include "agents/aviation/builtin/rules_reading.h"
#include "agents/aviation/builtin/word_lists.h"
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

static const struct lex_row *row_of(const struct lex_rows *rows, const char *phrase)
{
	for (size_t i = 0; i < rows->n; i++)
		if (streq(rows->row[i].phrase, phrase))
			return &rows->row[i];
	cr_assert_fail("no row for \"%s\"", phrase);
	return NULL;
}

TEST(vocabulary, each_kind_of_row_has_its_meaning)
{
	static const struct { const char *phrase; enum lex_class class; int value; bool on;
		const char *text; } want[] = {
		{ "please", LX_FILLER, 0, false, NULL },
		{ "b & b", LX_WISH, WISH_HOTEL, true, "vicinity" },
		{ "grass", LX_WISH, WISH_HARD, false, NULL },
		{ "zurich", LX_ROLE, ROLE_FROM, false, NULL },
		{ "half way between", LX_ROLE, ROLE_FROM, false, NULL },
		{ "dozen", LX_NUMBER, 12, false, NULL },
		{ "last", LX_ORDINAL, -1, false, NULL },
		{ "where can i", LX_CUE, CUE_SHOW | CUE_WHERE, false, NULL },
		{ "on site", LX_SITE, 1, false, NULL },
	};
	struct fix f;
	struct lex_rows rows = { NULL, 0 };
	setup(&f);
	TEST_OK(lexicon_read_airports(&rows, f.a, put(&f, "# words\n"
	    "filler; Please\nfilter hotel=vicinity; b&b\nfilter has_hard_runway=false; grass\n"
	    "role from; Z\xc3\xbcrich, half-way  between\nnumber 12; dozen\nordinal -1; last\n"
	    "cue show where; where can I\nsite at_airport; on site\nrole in; please\n"), &f.e), f.e);
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		const struct lex_row *row = row_of(&rows, want[i].phrase);
		cr_expect_eq(row->class, want[i].class, "%s", want[i].phrase);
		cr_expect_eq(row->value, want[i].value, "%s", want[i].phrase);
		cr_expect_eq(row->on, want[i].on, "%s", want[i].phrase);
		cr_expect(streq(row->text, want[i].text), "%s", want[i].phrase);
	}
	rows = (struct lex_rows){ NULL, 0 };
	TEST_OK(lexicon_read_rules(&rows, f.a, put(&f, "topic notice; PPR\nmust; must\n"), &f.e), f.e);
	cr_expect_eq(row_of(&rows, "ppr")->value, MARK_TOPIC | MARK_NOTICE);
	finish(&f);
}

TEST(vocabulary, each_fault_is_told_by_file_and_line)
{
	static const struct { const char *text, *says; } bad[] = {
		{ "noun\n", "words.txt:1: field 2 is missing" },
		{ "noun; a; b\n", "words.txt:1: has more than the 2 fields" },
		{ "nuon; airport\n", "words.txt:1: \"nuon\" is not known here; known are: filler, break" },
		{ "noun big; airport\n", "words.txt:1: no word may follow \"noun\"" },
		{ "role; from\n", "words.txt:1: one word must follow \"role\"" },
		{ "role from to; from\n", "words.txt:1: one word must follow \"role\"" },
		{ "role near; near\n\nrole beside; next to\n", "words.txt:3: \"beside\" is not known here; "
		    "known are: from, to, near, at, in, between, along, via, of, for" },
		{ "cue; find\n", "words.txt:1: at least one word must follow \"cue\"" },
		{ "cue show wehre; find\n", "words.txt:1: \"wehre\" is not known here" },
		{ "number x; ten\n", "words.txt:1: \"x\" is not a whole number" },
		{ "number -2; ten\n", "words.txt:1: \"-2\" is not a whole number" },
		{ "filter fuel; avgas\n", "words.txt:1: \"fuel\" is not known here; known are: has_avgas" },
		{ "filter has_avgas=no; x\n", "words.txt:1: \"no\" is not known here; known are: false, true" },
		{ "filter hotel; x\n", "words.txt:1: \"\" is not known here; known are: vicinity, at_airport" },
		{ "filter max_landing_fee; x\n", "words.txt:1: \"max_landing_fee\" is not known here" },
		{ "noun; airport\nnoun; field, airport\n",
		    "words.txt:2: \"airport\" has a row already, in line 1" },
		{ "noun; half-way, half way\n", "words.txt:1: \"half way\" has a row already, in line 1" },
		{ "noun; a b c d e f g h i\n", "\"a b c d e f g h i\" must have 1 to 8 words" },
		{ "noun; \" \"\n", "\" \" must have 1 to 8 words" },
		{ "cue show show show show show show show show; x\n", "words.txt:1: has more than 8 words" },
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct fix f;
		struct lex_rows rows = { NULL, 0 };
		setup(&f);
		cr_expect_eq(lexicon_read_airports(&rows, f.a, put(&f, bad[i].text), &f.e), ERR_CONFIG, "%s",
		    bad[i].text);
		cr_expect_not_null(strstr(f.e.msg, bad[i].says), "%s: %s", bad[i].text, f.e.msg);
		finish(&f);
	}
}

TEST(vocabulary, a_fault_in_words_of_rules_is_told)
{
	struct fix f;
	struct lex_rows rows = { NULL, 0 };
	setup(&f);
	cr_expect_eq(lexicon_read_rules(&rows, f.a, put(&f, "topic; ppr\ntopic hnit; slot\n"), &f.e),
	    ERR_CONFIG);
	cr_expect_not_null(strstr(f.e.msg, "words.txt:2: \"hnit\" is not known here; known are: topic, hint, "
	    "border"), "%s", f.e.msg);
	rows = (struct lex_rows){ NULL, 0 };
	cr_expect_eq(lexicon_read_rules(&rows, f.a, put(&f, "topic; ppr\nhint; ppr\n"), &f.e), ERR_CONFIG);
	cr_expect_not_null(strstr(f.e.msg, "words.txt:2: \"ppr\" has a row already, in line 1"), "%s",
	    f.e.msg);
	finish(&f);
}

TEST(vocabulary, there_is_a_limit_to_phrases)
{
	struct fix f;
	struct buf b;
	struct lex_rows rows = { NULL, 0 };
	setup(&f);
	buf_init(&b, 100000);
	for (int i = 0; i < 4001; i++)
		buf_printf(&b, i % 100 == 0 ? "\nnoun; w%d" : ", w%d", i);
	cr_expect_eq(lexicon_read_airports(&rows, f.a, put(&f, b.p), &f.e), ERR_CONFIG);
	cr_expect_not_null(strstr(f.e.msg, "there are more than 4000 phrases"), "%s", f.e.msg);
	buf_release(&b);
	finish(&f);
}

/* ---- lists of words ------------------------------------------------------------------- */

TEST(vocabulary, each_fault_in_lists_is_told_by_file_and_line)
{
	static const struct { const char *text, *says; } bad[] = {
		{ "opens; do\nopen; is\n", "words.txt:2: \"open\" is not known here; known are: dotted" },
		{ "opens; do, is\nopens; Do\n", "words.txt:2: \"do\" has a row already, in line 1" },
		{ "opens; tell me\n", "words.txt:1: \"tell me\" is more than one word" },
		{ "opens; do\n", "words.txt: the list \"dotted\" is missing" },
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct fix f;
		struct word_lists *lists;
		setup(&f);
		cr_expect_eq(word_lists_read(&lists, f.a, put(&f, bad[i].text), &f.e), ERR_CONFIG, "%s",
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
		{ "fuel example; a\nfuel example; b\nfuel example; c\nfuel example; d\nfuel example; e\n"
		  "fuel example; f\nfuel example; g\n", "words.txt:7: there are more than 6 examples" },
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
		{ "fuel rules; AVGAS\n", "words.txt:1: English has no row \"fuel rules\"" },
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
	    "topic language; language\nlanguage; french, german\nspeak; speak ?\n"
	    "topic border; border\ninside; this\nabroad; leaving\nown_stem; important\nplain; trip\n"),
	    &f.e), f.e);
	cr_expect_eq(t->nrows, 5);
	cr_expect_str_eq(t->row[0].says, "fis");
	cr_expect_str_eq(t->row[0].hints, "ats");
	cr_expect_eq(t->row[0].kind, TERM_TOPIC);
	cr_expect_str_eq(t->row[4].says, "");
	cr_expect_eq(t->border, &t->row[3]);
	cr_assert_eq(t->ncallsigns, 1);
	cr_expect_eq(t->callsign[0].row, &t->row[0]);
	cr_expect_str_eq(t->inside.stem[0], "thi");
	cr_expect_str_eq(t->abroad.stem[0], "leav");
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
		{ "topic a; b\nlanguage; french\nspeak; in ?\n",
		    "words.txt:3: no row has the concept \"language\" alone" },
		{ "topic language; b\nlanguage; french\nspeak; in french\n",
		    "words.txt:3: \"in french\" has no ? for the language" },
		{ "callsign fis; info\n", "words.txt:1: no row has the concept \"fis\" alone" },
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
