/*
 * The school: marked messages with all that is known about them, and the training of the reader of language on some of
 * their authors. The program that makes the model and the one that measures share it.
 */
#ifndef TESTS_LANGUAGE_SCHOOL_H
#define TESTS_LANGUAGE_SCHOOL_H

#include "agents/aviation/builtin/shown_evidence.h"
#include "language/frame.h"
#include "tools/tool.h"
#include "tests/language/marked.h"

enum { SCHOOL_AUTHORS = 320, SCHOOL_SOURCES = 5 };

struct school_message {
	const struct marked_message *marked;
	size_t author;                     /* its number */
	struct reading gold;               /* with evidence */
	const struct reading_before *before;
	struct shown *shown;               /* the airports that the answer before it showed */
	struct frames frames;              /* that it results in */
};

struct school {
	struct arena *mem;
	struct marked marked;
	size_t nknown;                     /* authors of the corpus; those behind them are strangers */
	struct airdb *airdb;
	struct aircon *con;
	struct encoder *encoder;
	struct tool_context tools;
	struct evidence_source source[SCHOOL_SOURCES - 1];     /* without the airports shown, which differ from message to message */
	size_t n;
	struct school_message *message;
};

/* Folders with what other authors wrote, who are to be measured and never taught; NULL: none. */
struct school_strangers {
	const char *messages;              /* marked, as in tests/language/corpus */
	const char *rules;                 /* questions by matter, as in tests/language/rules/corpus: their plan is "answer" */
	bool only;                         /* nobody is taught: of the corpus only the names of the authors are wanted, which takes less time */
};

/* Read the data files and the corpus under a source tree. airports: a file that "aviation-agent import" made of the public
 * data, which tells what places there are. strangers: NULL: none. */
enum errcode school_open(struct school *s, const char *tree, const char *airports, const struct school_strangers *strangers,
    struct err *e);
void school_close(struct school *s);

/* The sources of evidence of a message. */
void school_sources(const struct school *s, const struct school_message *x, struct evidence_source out[SCHOOL_SOURCES]);

/* Find authors by their names, "berlin,quebec". ERR_INPUT: there is none of a name. */
enum errcode school_authors(const struct school *s, const char *names, bool author[SCHOOL_AUTHORS], struct err *e);

/* Train on the messages of these authors, and write the file of models. limit: of so many messages only, spread over all
 * of them; 0: all. */
enum errcode school_train(const struct school *s, const bool author[SCHOOL_AUTHORS], size_t limit, const char *path,
    struct err *e);

#endif
