/*
 * How often a reader of language was right: the counts of many messages, and the tables that are made of them.
 */
#ifndef TESTS_LANGUAGE_MEASURED_H
#define TESTS_LANGUAGE_MEASURED_H

#include <stdbool.h>
#include <stdio.h>

#include "language/reading.h"

enum { MEASURED_ROWS = 340, MEASURED_BINS = 10, MEASURED_TIMES = 20000 };

/* What a row of the table counts; the table has a part for each. */
enum measured_by {
	BY_ALL, BY_LANGUAGE, BY_TURN, BY_AUTHOR, BY_PLAN, BY_KIND, BY_CANNOT,
	BY__MAX
};

/* What was right of one message. */
struct measured_right {
	bool plans;              /* the kinds of its plans */
	bool reading;            /* these, and all marks */
	bool frames;             /* what the planner makes of the marks, with all wishes and facts */
	bool look_ups;           /* the tools that it calls, and their arguments */
};

struct measured_row {
	enum measured_by by;
	const char *name;
	size_t n, plans, reading, frames, look_ups;
};

/* Of one label: how often it was marked, found, and both. */
struct measured_label {
	const char *name;
	size_t marked, found, right;
};

struct measured {
	struct arena *mem;
	size_t nrows;
	struct measured_row row[MEASURED_ROWS];
	size_t nlabels;
	struct measured_label label[MEASURED_ROWS];
	size_t in_bin[MEASURED_BINS];
	double sure[MEASURED_BINS], right[MEASURED_BINS];
	size_t ntimes;
	double time[MEASURED_TIMES];       /* of CPU for each message, in milliseconds */
};

/* Count a message in a row. The name is long-lived. */
void measured_count(struct measured *m, enum measured_by by, const char *name, struct measured_right right);
/* Count the marks of a message; how many of them are in both. */
size_t measured_marks(struct measured *m, const struct reading *gold, const struct reading *read);
void measured_time(struct measured *m, double ms);
/* How sure a reading was of its plans, and whether they were right. */
void measured_sure(struct measured *m, double sure, bool right);

/* The label of a mark as tables show it. The values of a tag are part of it; those in the words are not. */
const char *measured_label(struct arena *a, const struct mark *m);

/* All tables. */
void measured_print(struct measured *m);
/* One line of a learning curve: these rows only, of which the first is all messages. taught: 0: print the head. */
void measured_print_point(const struct measured *m, size_t taught);

#endif
