/*
 * Trains the reader of language on all marked messages: language-train TREE AIRPORTS FILE
 */
#include <stdio.h>
#include <string.h>

#include "tests/language/school.h"

int main(int argc, char **argv)
{
	struct school s;
	struct err e = { 0 };
	bool all[SCHOOL_AUTHORS];

	if (argc != 4) {
		fputs("usage: language-train TREE AIRPORTS FILE\n", stderr);
		return 2;
	}
	memset(all, true, sizeof(all));
	enum errcode rc = school_open(&s, argv[1], argv[2], &e);
	if (rc == OK)
		rc = school_train(&s, all, 0, argv[3], &e);
	if (rc != OK)
		fprintf(stderr, "language-train: %s\n", e.msg);
	school_close(&s);
	return rc == OK ? 0 : 1;
}
