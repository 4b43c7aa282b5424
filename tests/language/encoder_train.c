/*
 * Trains the encoder on all lessons:
 *
 *   encoder-train TREE VECTORS FILE [--without-author NAME]… [--without-fold I]
 *
 * VECTORS is the output of word_vectors.py. --without-author leaves out the texts of an author. --without-fold leaves out the
 * matters whose number, divided by five, has this rest. So scripts/quality can measure on what was not taught.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "tests/language/lessons.h"

enum { AUTHORS = 16 };

struct without {
	const char *author[AUTHORS];
	size_t nauthors;
	int fold;                     /* -1: none */
};

static bool left_out(const void *arg, const struct matter_text *t)
{
	const struct without *w = arg;

	for (size_t i = 0; i < w->nauthors; i++)
		if (streq(t->author, w->author[i]))
			return true;
	return w->fold >= 0 && lessons_fold(t) == (unsigned)w->fold;
}

static bool parse(int argc, char **argv, struct without *w)
{
	for (int i = 4; i < argc; i += 2) {
		if (i + 1 == argc)
			return false;
		if (streq(argv[i], "--without-author") && w->nauthors < AUTHORS)
			w->author[w->nauthors++] = argv[i + 1];
		else if (streq(argv[i], "--without-fold"))
			w->fold = (int)strtol(argv[i + 1], NULL, 10);
		else
			return false;
	}
	return argc >= 4;
}

int main(int argc, char **argv)
{
	struct without without = { .fold = -1 };
	struct lessons lessons;
	struct err e = { 0 };

	if (!parse(argc, argv, &without)) {
		fputs("usage: encoder-train TREE VECTORS FILE [--without-author NAME]... [--without-fold I]\n", stderr);
		return 2;
	}
	struct arena *a = arena_new();
	enum errcode rc = lessons_read(&lessons, a, argv[1], argv[2], NULL, &e);
	if (rc == OK)
		rc = lessons_train(&lessons, left_out, &without, argv[3], &e);
	if (rc != OK)
		fprintf(stderr, "encoder-train: %s\n", e.msg);
	arena_free(a);
	return rc == OK ? 0 : 1;
}
