/*
 * Makes the image of the vocabulary, when the program is built:
 *
 *   make-vocabulary DATA_DIR FILE
 */
#include <stdio.h>

#include "language/vocabulary.h"

int main(int argc, char **argv)
{
	struct err e = { 0 };

	if (argc != 3) {
		fputs("usage: make-vocabulary DATA_DIR FILE\n", stderr);
		return 2;
	}
	if (vocabulary_make_image(argv[1], argv[2], &e) == OK)
		return 0;
	fprintf(stderr, "make-vocabulary: %s\n", e.msg);
	return 1;
}
