/*
 * Trains the reader of language on the marked messages, and writes the file of models:
 *
 *   language-train TREE AIRPORTS FILE [--without AUTHORS]
 *
 * --without leaves out the messages of these authors ("berlin,quebec"), so that they can be measured.
 */
#include <stdio.h>

#include "base/str.h"
#include "tests/language/school.h"

int main(int argc, char **argv)
{
	struct school s;
	struct err e = { 0 };
	bool taught[SCHOOL_AUTHORS] = { false };

	if (argc != 4 && (argc != 6 || !streq(argv[4], "--without"))) {
		fputs("usage: language-train TREE AIRPORTS FILE [--without AUTHORS]\n", stderr);
		return 2;
	}
	enum errcode rc = school_open(&s, argv[1], argv[2], NULL, &e);
	if (rc == OK && argc == 6)
		rc = school_authors(&s, argv[5], taught, &e);
	for (size_t i = 0; i < SCHOOL_AUTHORS; i++)
		taught[i] = !taught[i];
	if (rc == OK)
		rc = school_train(&s, taught, 0, argv[3], &e);
	if (rc != OK)
		fprintf(stderr, "language-train: %s\n", e.msg);
	school_close(&s);
	return rc == OK ? 0 : 1;
}
