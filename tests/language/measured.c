#include "tests/language/measured.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

static const char *const titles[BY__MAX] = {
	[BY_ALL] = "", [BY_LANGUAGE] = "by language", [BY_TURN] = "by place in the talk", [BY_AUTHOR] = "by author",
	[BY_PLAN] = "by plan", [BY_KIND] = "by kind of follow-up", [BY_CANNOT] = "what cannot be done",
};

/* ---- counting ------------------------------------------------------------------------------- */

void measured_count(struct measured *m, enum measured_by by, const char *name, struct measured_right right)
{
	size_t i = 0;
	while (i < m->nrows && (m->row[i].by != by || !streq(m->row[i].name, name)))
		i++;
	if (i == MEASURED_ROWS) {
		fputs("language-measure: more rows than the table has\n", stderr);
		abort();
	}
	if (i == m->nrows)
		m->row[m->nrows++] = (struct measured_row){ .by = by, .name = name };
	struct measured_row *r = &m->row[i];
	r->n++;
	r->plans += right.plans;
	r->reading += right.reading;
	r->frames += right.frames;
	r->look_ups += right.look_ups;
}

static struct measured_label *label_of(struct measured *m, const char *name)
{
	size_t i = 0;
	while (i < m->nlabels && !streq(m->label[i].name, name))
		i++;
	if (i == MEASURED_ROWS)
		return &m->label[MEASURED_ROWS - 1];
	if (i == m->nlabels)
		m->label[m->nlabels++].name = name;
	return &m->label[i];
}

const char *measured_label(struct arena *a, const struct mark *m)
{
	return arena_printf(a, "%s%s%s%s", m->lifted ? "-" : "", m->label, m->value != NULL ? "=" : "",
	    m->value != NULL ? m->value : "");
}

static bool same_mark(const struct mark *x, const struct mark *y)
{
	return x->first == y->first && x->last == y->last && x->lifted == y->lifted && streq(x->label, y->label) &&
	       streq(x->value, y->value);
}

size_t measured_marks(struct measured *m, const struct reading *gold, const struct reading *read)
{
	size_t common = 0;
	for (size_t i = 0; i < gold->nmarks; i++) {
		struct measured_label *label = label_of(m, measured_label(m->mem, &gold->mark[i]));
		bool found = false;
		for (size_t k = 0; k < read->nmarks && !found; k++)
			found = same_mark(&gold->mark[i], &read->mark[k]);
		label->marked++;
		label->right += found;
		common += found;
	}
	for (size_t i = 0; i < read->nmarks; i++)
		label_of(m, measured_label(m->mem, &read->mark[i]))->found++;
	return common;
}

void measured_time(struct measured *m, double ms)
{
	if (m->ntimes < MEASURED_TIMES)
		m->time[m->ntimes++] = ms;
}

void measured_sure(struct measured *m, double sure, bool right)
{
	size_t bin = sure >= 1 ? MEASURED_BINS - 1 : (size_t)(sure * MEASURED_BINS);
	m->in_bin[bin]++;
	m->sure[bin] += sure;
	m->right[bin] += right;
}

/* ---- tables --------------------------------------------------------------------------------- */

static double part(size_t some, size_t all)
{
	return all > 0 ? (double)some / (double)all : 0;
}

static double f1(const struct measured_label *l)
{
	return part(2 * l->right, l->marked + l->found);
}

static struct measured_label all_marks(const struct measured *m)
{
	struct measured_label sum = { .name = "all marks" };
	for (size_t i = 0; i < m->nlabels; i++) {
		sum.marked += m->label[i].marked;
		sum.found += m->label[i].found;
		sum.right += m->label[i].right;
	}
	return sum;
}

static double calibration_error(const struct measured *m)
{
	double error = 0, all = 0;
	for (size_t i = 0; i < MEASURED_BINS; i++) {
		double off = m->sure[i] - m->right[i];
		error += off < 0 ? -off : off;
		all += (double)m->in_bin[i];
	}
	return all > 0 ? error / all : 0;
}

static int by_size(const void *a, const void *b)
{
	const struct measured_row *x = a, *y = b;
	if (x->by != y->by)
		return x->by < y->by ? -1 : 1;
	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int by_marked(const void *a, const void *b)
{
	const struct measured_label *x = a, *y = b;
	if (x->marked != y->marked)
		return x->marked > y->marked ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int by_time(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void print_rows(struct measured *m)
{
	qsort(m->row, m->nrows, sizeof(m->row[0]), by_size);
	printf("%-26s %6s %7s %8s %7s %8s\n", "", "n", "plans", "reading", "frames", "look-ups");
	for (size_t i = 0; i < m->nrows; i++) {
		const struct measured_row *r = &m->row[i];
		if (i > 0 && r->by != r[-1].by)
			printf("\n%s\n", titles[r->by]);
		printf("%-26s %6zu %7.3f %8.3f %7.3f %8.3f\n", r->name, r->n, part(r->plans, r->n),
		    part(r->reading, r->n), part(r->frames, r->n), part(r->look_ups, r->n));
	}
}

static void print_labels(struct measured *m)
{
	const struct measured_label sum = all_marks(m);
	qsort(m->label, m->nlabels, sizeof(m->label[0]), by_marked);
	printf("\n%-26s %6s %6s %9s %7s %7s\n", "marks", "n", "found", "precision", "recall", "F1");
	for (size_t i = 0; i <= m->nlabels; i++) {
		const struct measured_label *l = i < m->nlabels ? &m->label[i] : &sum;
		printf("%-26s %6zu %6zu %9.3f %7.3f %7.3f\n", l->name, l->marked, l->found, part(l->right, l->found),
		    part(l->right, l->marked), f1(l));
	}
}

static void print_sure(const struct measured *m)
{
	printf("\n%-26s %6s %7s %7s\n", "sure of the plans", "n", "sure", "right");
	for (size_t i = 0; i < MEASURED_BINS; i++) {
		const double n = (double)m->in_bin[i];
		if (n > 0)
			printf("%.1f to %.1f %27.0f %7.3f %7.3f\n", (double)i / MEASURED_BINS, (double)(i + 1) / MEASURED_BINS,
			    n, m->sure[i] / n, m->right[i] / n);
	}
	printf("calibration error %.3f\n", calibration_error(m));
}

void measured_print(struct measured *m)
{
	print_rows(m);
	print_labels(m);
	print_sure(m);
	if (m->ntimes == 0)
		return;
	qsort(m->time, m->ntimes, sizeof(m->time[0]), by_time);
	printf("\na message takes %.3f ms of CPU; 99 of a hundred take less than %.3f\n", m->time[m->ntimes / 2],
	    m->time[m->ntimes * 99 / 100]);
}

/* ---- the learning curve ------------------------------------------------------------------------ */

static const struct { enum measured_by by; const char *name, *title; } points[] = {
	{ BY_ALL, "all", "all" }, { BY_LANGUAGE, "en", "en" }, { BY_LANGUAGE, "fr", "fr" }, { BY_LANGUAGE, "de", "de" },
	{ BY_TURN, "later messages", "later" }, { BY_CANNOT, "all of these", "cannot" },
};
enum { POINTS = sizeof(points) / sizeof(points[0]) };

static void print_point(const struct measured *m, enum measured_by by, const char *name)
{
	for (size_t i = 0; i < m->nrows; i++)
		if (m->row[i].by == by && streq(m->row[i].name, name)) {
			printf(" %7.3f", part(m->row[i].frames, m->row[i].n));
			return;
		}
	printf(" %7s", "-");
}

void measured_print_point(const struct measured *m, size_t taught)
{
	if (taught == 0) {
		printf("%7s", "taught");
		for (size_t i = 0; i < POINTS; i++)
			printf(" %7s", points[i].title);
		printf(" %7s %7s\n", "marks", "off");
	} else {
		const struct measured_label marks = all_marks(m);
		printf("%7zu", taught);
		for (size_t i = 0; i < POINTS; i++)
			print_point(m, points[i].by, points[i].name);
		printf(" %7.3f %7.3f\n", f1(&marks), calibration_error(m));
	}
	fflush(stdout);
}
