/*
 * Measures the encoder alone on what it was not taught: encoder-measure TREE [FOLDS]
 *
 * In each round one author and one fold of the matters are left out. A question of that author counts as "author" if its
 * matter was taught, else as "matter"; all matters are in the rules. A rule is its first title and the mean of its
 * answers.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "language/encoder.h"
#include "tests/language/lessons.h"

enum { LANGUAGES = 3, MATTERS = 1000, QUESTIONS = 40000, WAYS = 3 };
static const char *const languages[LANGUAGES] = { "en", "fr", "de" };

/* How much the answers count: a rule by its title, by both, by its answers. */
static const double ways[WAYS] = { 0, 0.4, 1 };

struct left {
	const char *author;
	unsigned fold;
};

struct tally {
	size_t n, first[WAYS], five[WAYS];
};

struct measure {
	struct lessons lessons;
	struct left left;
	float title[MATTERS][ENCODER_DIMS], answers[MATTERS][ENCODER_DIMS];
	struct tally tally[2][LANGUAGES];     /* matter seen, unseen */
	double best[2][QUESTIONS];            /* the best cosine, of questions with a rule and without one */
	size_t nbest[2];
};

static bool left_out(const void *arg, const struct matter_text *t)
{
	const struct left *left = arg;
	return streq(t->author, left->author) || lessons_fold(t) == left->fold;
}

static double dot(const float *a, const float *b)
{
	double sum = 0;
	for (size_t d = 0; d < ENCODER_DIMS; d++)
		sum += (double)(a[d] * b[d]);
	return sum;
}

static void make_rules(struct measure *m, const struct encoder *encoder)
{
	float v[ENCODER_DIMS];

	memset(m->title, 0, sizeof(m->title));
	memset(m->answers, 0, sizeof(m->answers));
	for (size_t i = 0; i < m->lessons.ntexts; i++) {
		const struct matter_text *t = &m->lessons.text[i];
		if (!t->rule)
			continue;
		encoder_vector(encoder, t->text, v);
		if (streq(t->kind, "title") && dot(m->title[t->number], m->title[t->number]) <= 0)
			memcpy(m->title[t->number], v, sizeof(v));
		for (size_t d = 0; streq(t->kind, "answer") && d < ENCODER_DIMS; d++)
			m->answers[t->number][d] += v[d];
	}
	for (size_t i = 1; i <= m->lessons.nmatters; i++) {
		float length = (float)sqrt(dot(m->answers[i], m->answers[i]));
		for (size_t d = 0; length > 0 && d < ENCODER_DIMS; d++)
			m->answers[i][d] /= length;
	}
}

static double nearness(const struct measure *m, size_t matter, const float *question, size_t way)
{
	return (1 - ways[way]) * dot(m->title[matter], question) + ways[way] * dot(m->answers[matter], question);
}

static void ask(struct measure *m, const struct matter_text *t, const float *question)
{
	bool unseen = lessons_fold(t) == m->left.fold;
	struct tally *tally = NULL;

	for (size_t i = 0; i < LANGUAGES; i++)
		if (t->number != 0 && streq(t->kind, languages[i]))
			tally = &m->tally[unseen][i];
	for (size_t way = 0; way < WAYS; way++) {
		double own = t->number != 0 ? nearness(m, t->number, question, way) : 2, best = -1;
		size_t rank = 0;
		for (size_t k = 1; k <= m->lessons.nmatters; k++) {
			double at = nearness(m, k, question, way);
			rank += k != t->number && at > own;
			best = at > best ? at : best;
		}
		if (way == 1 && m->nbest[t->number == 0] < QUESTIONS)
			m->best[t->number == 0][m->nbest[t->number == 0]++] = best;
		if (tally == NULL)
			continue;
		tally->n += way == 0;
		tally->first[way] += rank == 0;
		tally->five[way] += rank < 5;
	}
}

static enum errcode round_of(struct measure *m, const char *file, struct err *e)
{
	struct encoder *encoder;
	float v[ENCODER_DIMS];
	enum errcode rc = lessons_train(&m->lessons, left_out, &m->left, file, e);

	if (rc == OK)
		rc = encoder_open(&encoder, file, e);
	if (rc != OK)
		return rc;
	make_rules(m, encoder);
	for (size_t i = 0; i < m->lessons.ntexts; i++) {
		const struct matter_text *t = &m->lessons.text[i];
		if (t->rule || (t->number == 0 ? lessons_fold(t) != m->left.fold : !streq(t->author, m->left.author)))
			continue;
		encoder_vector(encoder, t->text, v);
		ask(m, t, v);
	}
	encoder_close(encoder);
	return OK;
}

static void print(const struct measure *m)
{
	printf("left out         n    first and among five, by title, both, answers\n");
	for (int unseen = 0; unseen < 2; unseen++)
		for (size_t i = 0; i < LANGUAGES; i++) {
			const struct tally *t = &m->tally[unseen][i];
			printf("%-9s %s %5zu", unseen ? "matter" : "author", languages[i], t->n);
			for (size_t way = 0; way < WAYS && t->n > 0; way++)
				printf("    %.3f %.3f", (double)t->first[way] / (double)t->n,
				    (double)t->five[way] / (double)t->n);
			printf("\n");
		}
	for (double at = 0.3; at < 0.75; at += 0.05) {
		size_t n[2] = { 0, 0 };
		for (int none = 0; none < 2; none++)
			for (size_t i = 0; i < m->nbest[none]; i++)
				n[none] += m->best[none][i] >= at;
		printf("threshold %.2f: %.3f of the questions with a rule pass, %.3f of the others\n", at,
		    (double)n[0] / (double)m->nbest[0], (double)n[1] / (double)m->nbest[1]);
	}
}

/* The authors of questions, each once; how many. */
static size_t authors_of(const struct lessons *l, const char **author, size_t max)
{
	size_t n = 0;
	for (size_t i = 0; i < l->ntexts; i++) {
		size_t k = 0;
		if (l->text[i].rule || l->text[i].number == 0)
			continue;
		while (k < n && !streq(author[k], l->text[i].author))
			k++;
		if (k == n && n < max)
			author[n++] = l->text[i].author;
	}
	return n;
}

int main(int argc, char **argv)
{
	static struct measure m;
	const char *author[32];
	char folder[] = "/tmp/encoder-measure.XXXXXX";
	struct arena *a = arena_new();
	struct err e = { 0 };

	if (argc < 2 || mkdtemp(folder) == NULL) {
		fputs("usage: encoder-measure TREE [FOLDS]\n", stderr);
		return 2;
	}
	const char *file = arena_printf(a, "%s/encoder.model", folder);
	size_t folds = argc > 2 ? strtoul(argv[2], NULL, 10) : LESSONS_FOLDS, nauthors = 0;
	enum errcode rc = lessons_read(&m.lessons, a, argv[1], &e);
	if (rc == OK && (m.lessons.nmatters >= MATTERS ||
	    (nauthors = authors_of(&m.lessons, author, sizeof(author) / sizeof(author[0]))) == 0))
		rc = err_set(&e, ERR_DATA, "no author, or too many matters");
	for (size_t i = 0; rc == OK && i < folds; i++) {
		m.left = (struct left){ author[i % nauthors], (unsigned)(i % LESSONS_FOLDS) };
		rc = round_of(&m, file, &e);
	}
	if (rc == OK)
		print(&m);
	else
		fprintf(stderr, "encoder-measure: %s\n", e.msg);
	(void)unlink(file);
	(void)rmdir(folder);
	arena_free(a);
	return rc == OK ? 0 : 1;
}
