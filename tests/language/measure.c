/*
 * Measures the reader of language on authors that it was not taught:
 *
 *   language-measure TREE AIRPORTS [--misses] [--limit N] [--folds N] [--fold N]
 *   language-measure TREE AIRPORTS [--misses] [--limit N] --authors NAMES [--model FILE]
 *
 * The authors are divided into folds; each is read by a model that was taught the others. --misses prints what was read
 * wrongly; --limit teaches so many messages only (for a learning curve); --fold does one fold only. --authors measures
 * these ("berlin,quebec") by a model that was taught all others, or by the one in FILE.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "agents/aviation/builtin/labels.h"
#include "base/arena.h"
#include "base/str.h"
#include "language/reading.h"
#include "tests/language/same_frames.h"
#include "tests/language/school.h"

enum { ROWS = 120, BINS = 10, TIMES = 20000 };

/* How often something was right. */
struct tally {
	const char *name;
	size_t n, plans, reading, frames;
};

/* Of one label: how often it was marked, found, and both. */
struct label_tally {
	const char *name;
	size_t marked, found, right;
};

struct measure {
	const struct school *school;
	bool misses;
	struct tally row[ROWS];
	size_t nrows;
	struct label_tally label[ROWS];
	size_t nlabels;
	size_t in_bin[BINS];
	double sure[BINS], right[BINS];
	size_t ntimes;
	double time[TIMES];                /* of CPU for each message, in milliseconds */
};

static struct tally *tally_of(struct measure *m, const char *name)
{
	for (size_t i = 0; i < m->nrows; i++)
		if (streq(m->row[i].name, name))
			return &m->row[i];
	if (m->nrows == ROWS)
		return &m->row[ROWS - 1];
	m->row[m->nrows].name = name;
	return &m->row[m->nrows++];
}

static struct label_tally *label_of(struct measure *m, const char *name)
{
	for (size_t i = 0; i < m->nlabels; i++)
		if (streq(m->label[i].name, name))
			return &m->label[i];
	if (m->nlabels == ROWS)
		return &m->label[ROWS - 1];
	m->label[m->nlabels].name = name;
	return &m->label[m->nlabels++];
}

/* The values of a tag are part of it; those in the words are not. */
static const char *label_name(struct arena *a, const struct mark *m)
{
	return arena_printf(a, "%s%s%s%s", m->lifted ? "-" : "", m->label, m->value != NULL ? "=" : "",
	    m->value != NULL ? m->value : "");
}

static bool same_mark(const struct mark *x, const struct mark *y)
{
	return x->first == y->first && x->last == y->last && x->lifted == y->lifted && streq(x->label, y->label) &&
	       streq(x->value, y->value);
}

/* How many marks of x are in y too. */
static size_t common_marks(struct measure *m, const struct reading *x, const struct reading *y, bool gold)
{
	size_t common = 0;
	for (size_t i = 0; i < x->nmarks; i++) {
		bool found = false;
		for (size_t k = 0; k < y->nmarks && !found; k++)
			found = same_mark(&x->mark[i], &y->mark[k]);
		common += found;
		struct label_tally *t = label_of(m, label_name(m->school->mem, &x->mark[i]));
		t->marked += gold;
		t->found += !gold;
		t->right += gold && found;
	}
	return common;
}

static bool same_plans(const struct reading *x, const struct reading *y)
{
	bool same = x->nplans == y->nplans;
	for (size_t i = 0; same && i < x->nplans; i++)
		same = streq(x->plan[i].plan, y->plan[i].plan) && streq(x->plan[i].kind, y->plan[i].kind);
	return same;
}

static const char *reading_line(struct arena *a, const struct reading *r)
{
	const char *text = "";
	for (size_t i = 0; i < r->nmarks; i++)
		text = arena_printf(a, "%s [%s|%s]", text, words_slice(a, r->words, r->mark[i].first, r->mark[i].last),
		    label_name(a, &r->mark[i]));
	text = arena_printf(a, "%s →", text);
	for (size_t i = 0; i < r->nplans; i++)
		text = arena_printf(a, "%s%s%s%s %s", text, i > 0 ? " +" : "", r->plan[i].kind != NULL ? " " : "",
		    r->plan[i].kind != NULL ? r->plan[i].kind : "", r->plan[i].plan);
	return text;
}

static void count(struct measure *m, const char *name, bool plans, bool reading, bool frames)
{
	struct tally *t = tally_of(m, name);
	t->n++;
	t->plans += plans;
	t->reading += reading;
	t->frames += frames;
}

static void show_miss(struct arena *a, const struct marked_message *m, const struct school_message *x,
    const struct reading *r, const struct frames *gold, const struct frames *read)
{
	printf("%s:%zu: %s%s\n  gold%s\n  read%s (%.2f)\n", m->author, m->line, m->turn > 0 ? "- " : "", m->text,
	    reading_line(a, &x->gold), reading_line(a, r), r->sure);
	for (size_t i = 0; i < gold->n; i++)
		printf("  gold %s\n", frame_line(a, &aviation_schema, gold->frame[i]));
	for (size_t i = 0; i < read->n; i++)
		printf("  read %s\n", frame_line(a, &aviation_schema, read->frame[i]));
}

static double cpu_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Read one message, and count. `talk` is as the marked messages have it. */
static void measure_message(struct measure *m, const struct reader *reader, const struct school_message *x,
    struct dialogue *talk)
{
	struct arena *a = arena_new();
	const struct marked_message *marked = x->marked;
	double start = cpu_ms();
	const struct reading *r = reading_make(a, reader, marked->text, x->before);
	if (m->ntimes < TIMES)
		m->time[m->ntimes++] = cpu_ms() - start;
	struct frames read;
	frames_of(a, &aviation_schema, r, talk, &read);
	bool plans = same_plans(&x->gold, r);
	size_t common = common_marks(m, &x->gold, r, true);
	common_marks(m, r, &x->gold, false);
	bool reading = plans && common == x->gold.nmarks && common == r->nmarks;
	bool frames = same_frames(a, &aviation_schema, &x->frames, &read);

	count(m, "all", plans, reading, frames);
	count(m, marked->language, plans, reading, frames);
	count(m, marked->author, plans, reading, frames);
	count(m, marked->turn > 0 ? "later messages" : "first messages", plans, reading, frames);
	if (x->gold.nplans > 1)
		count(m, "several plans", plans, reading, frames);
	else
		count(m, x->gold.plan[0].plan, plans, reading, frames);
	if (x->gold.plan[0].kind != NULL)
		count(m, x->gold.plan[0].kind, plans, reading, frames);
	if (strncmp(x->gold.plan[0].plan, "cannot:", 7) == 0 && x->gold.nplans == 1)
		count(m, "cannot", plans, reading, frames);
	size_t bin = r->sure >= 1 ? BINS - 1 : (size_t)(r->sure * BINS);
	m->in_bin[bin]++;
	m->sure[bin] += r->sure;
	m->right[bin] += plans;
	if (!frames && m->misses)
		show_miss(a, marked, x, r, &x->frames, &read);
	arena_free(a);
}

/* Measure the authors that were not taught, by the model of this file. */
static enum errcode measure_model(struct measure *m, const char *path, const bool taught[SCHOOL_AUTHORS], struct err *e)
{
	const struct school *s = m->school;
	struct reading_model *model = NULL;
	enum errcode rc = reading_model_open(&model, path, e);
	const struct reader reader = { model, s->source, s->nsources };
	struct dialogue talk = { .n = 0 };
	for (size_t i = 0; rc == OK && i < s->n; i++) {
		const struct school_message *x = &s->message[i];
		if (x->marked->turn == 0)
			talk.n = 0;
		if (!taught[x->author])
			measure_message(m, &reader, x, &talk);
		dialogue_add(&talk, &x->frames);
	}
	reading_model_close(model);
	return rc;
}

/* The same by a new model. */
static enum errcode teach_and_measure(struct measure *m, const bool taught[SCHOOL_AUTHORS], size_t limit, struct err *e)
{
	char path[] = "/tmp/language-measure.XXXXXX";
	int fd = mkstemp(path);
	if (fd < 0)
		return err_set(e, ERR_IO, "%s: cannot be made", path);
	close(fd);
	enum errcode rc = school_train(m->school, taught, limit, path, e);
	if (rc == OK)
		rc = measure_model(m, path, taught, e);
	unlink(path);
	return rc;
}

static enum errcode measure_folds(struct measure *m, size_t folds, size_t only, size_t limit, struct err *e)
{
	enum errcode rc = OK;
	if (folds < 2)
		folds = (m->school->marked.nauthors + 1) / 2;
	for (size_t fold = 0; rc == OK && fold < folds; fold++) {
		bool taught[SCHOOL_AUTHORS];
		for (size_t i = 0; i < SCHOOL_AUTHORS; i++)
			taught[i] = i % folds != fold;
		if (only == SIZE_MAX || only == fold)
			rc = teach_and_measure(m, taught, limit, e);
	}
	return rc;
}

static enum errcode measure_authors(struct measure *m, const char *names, const char *model, size_t limit, struct err *e)
{
	bool taught[SCHOOL_AUTHORS];
	enum errcode rc = school_authors(m->school, names, taught, e);
	for (size_t i = 0; i < SCHOOL_AUTHORS; i++)
		taught[i] = !taught[i];
	if (rc != OK)
		return rc;
	return model != NULL ? measure_model(m, model, taught, e) : teach_and_measure(m, taught, limit, e);
}

static int by_time(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void report_times(struct measure *m)
{
	if (m->ntimes == 0)
		return;
	qsort(m->time, m->ntimes, sizeof(m->time[0]), by_time);
	printf("a message takes %.3f ms of CPU; 99 of a hundred take less than %.3f\n", m->time[m->ntimes / 2],
	    m->time[m->ntimes * 99 / 100]);
}

static void report(struct measure *m)
{
	double error = 0, all = 0;
	printf("%-22s %6s %7s %8s %7s\n", "", "n", "plans", "reading", "frames");
	for (size_t i = 0; i < m->nrows; i++) {
		const struct tally *t = &m->row[i];
		double n = (double)t->n;
		printf("%-22s %6zu %7.3f %8.3f %7.3f\n", t->name, t->n, (double)t->plans / n, (double)t->reading / n,
		    (double)t->frames / n);
	}
	printf("\n%-26s %6s %6s %6s %6s\n", "marks", "n", "found", "right", "F1");
	struct label_tally sum = { .name = "all" };
	for (size_t i = 0; i < m->nlabels; i++) {
		const struct label_tally *t = &m->label[i];
		printf("%-26s %6zu %6zu %6zu %6.3f\n", t->name, t->marked, t->found, t->right,
		    2.0 * (double)t->right / (double)(t->marked + t->found));
		sum.marked += t->marked;
		sum.found += t->found;
		sum.right += t->right;
	}
	printf("%-26s %6zu %6zu %6zu %6.3f\n", sum.name, sum.marked, sum.found, sum.right,
	    2.0 * (double)sum.right / (double)(sum.marked + sum.found));
	for (size_t i = 0; i < BINS; i++) {
		double off = m->sure[i] - m->right[i];
		error += off < 0 ? -off : off;
		all += (double)m->in_bin[i];
	}
	printf("\ncalibration error %.3f\n", error / all);
	report_times(m);
}

static size_t number_of(const char *text)
{
	long long n;
	return text != NULL && str_to_int(text, &n) && n >= 0 ? (size_t)n : 0;
}

int main(int argc, char **argv)
{
	struct school s;
	struct err e = { 0 };
	const char *authors = NULL, *model = NULL;
	size_t folds = 0, limit = 0, only = SIZE_MAX;
	static struct measure m;

	m.school = &s;
	for (int i = 3; i < argc; i++) {
		if (streq(argv[i], "--misses"))
			m.misses = true;
		else if (streq(argv[i], "--folds"))
			folds = number_of(argv[++i]);
		else if (streq(argv[i], "--limit"))
			limit = number_of(argv[++i]);
		else if (streq(argv[i], "--fold"))
			only = number_of(argv[++i]);
		else if (streq(argv[i], "--authors"))
			authors = argv[++i];
		else if (streq(argv[i], "--model"))
			model = argv[++i];
		else
			argc = 0;
	}
	if (argc < 3 || (model != NULL && authors == NULL)) {
		fputs("usage: language-measure TREE AIRPORTS [--misses] [--limit N] [--folds N] [--fold N]\n"
		      "                        [--authors NAMES [--model FILE]]\n", stderr);
		return 2;
	}
	enum errcode rc = school_open(&s, argv[1], argv[2], &e);
	if (rc == OK)
		rc = authors != NULL ? measure_authors(&m, authors, model, limit, &e)
		    : measure_folds(&m, folds, only, limit, &e);
	if (rc == OK)
		report(&m);
	else
		fprintf(stderr, "language-measure: %s\n", e.msg);
	school_close(&s);
	return rc == OK ? 0 : 1;
}
