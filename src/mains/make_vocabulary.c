/*
 * Makes the image of the vocabulary, when the program is built:
 *
 *   make-vocabulary DATA_DIR FILE
 */
#include <stdio.h>

#include "base/arena.h"
#include "language/vocabulary.h"

int main(int argc, char **argv)
{
	struct arena *a = arena_new();
	struct vocabulary *v;
	struct err e = { 0 };

	if (argc != 3) {
		fputs("usage: make-vocabulary DATA_DIR FILE\n", stderr);
		return 2;
	}
	enum errcode rc = vocabulary_load(&v, a, argv[1], &e);
	if (rc == OK)
		rc = vocabulary_write(v, argv[2], &e);
	if (rc != OK)
		fprintf(stderr, "make-vocabulary: %s\n", e.msg);
	arena_free(a);
	return rc == OK ? 0 : 1;
}
