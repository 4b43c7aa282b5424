/*
 * A step takes two texts of each of many groups, and some that are alone. Among all these texts each shall find its
 * partner: the softmax over the cosines is the loss, and every feature of the texts takes a step along its gradient
 * (AdaGrad, one number for a row). Words and kinds of features are left out by chance, so that no single one decides.
 *
 * Features begin in the direction that an unknown one has, the shorter the more lessons have them.
 *
 * To the row of a word its sense is added, which is known before the lessons. One matrix for all words brings the senses
 * into the space of the rows. It is learned with the rows, so a word without a lesson gets a useful vector too.
 *
 * What a question about rules sounds like is learned by itself, from the same features: a logistic regression, in which
 * both kinds of questions count half.
 */
#include "language/train/encoder_train_own.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "language/encoder_features.h"
#include "language/train/adagrad.h"
#include "language/train/clusters.h"

enum {
	ROWS_MAX = 38500,
	TAUGHT_MAX = 31500,           /* rows of features that lessons have; the others are for words with a sense */
	GROUPS = 64, ALONE = 32, ITEMS = 2 * GROUPS + ALONE,
};

static const float SHARPNESS = 12, RATE = 0.06F, SENSE_RATE = 0.02F;
/* A word without room for a row may have the row of a word whose sense is as near as this (the product of both). */
static const float SENSE_NEAR = 0.35F;
/* Settings of the regression. */
enum { ASK_ROUNDS = 8 };
static const float ASK_RATE = 0.3F, ASK_DECAY = 1e-4F;
/* How often something is left out, of 100: a word, the word as such and its pair, its pieces, its sense. */
enum { DROP_WORD = 12, DROP_WHOLE = 40, DROP_PIECES = 20, DROP_SENSE = 20 };

/* A text of a step: its vector, before and after it is brought to length 1, and the features that took part. */
struct train_item {
	float vector[ENCODER_DIMS], gradient[ENCODER_DIMS], sense[ENCODER_DIMS], length;
	const struct train_use **used;
	size_t nused;
};

/* ---- the features of all lessons ------------------------------------------------------------- */

struct train_scan {
	struct train *t;
	uint32_t lesson;
	struct train_use *use;        /* NULL: only count */
	size_t n;
};

static size_t slot_of(const struct train *t, uint64_t feature)
{
	size_t i = (size_t)(feature ^ feature >> 32) & (t->nslots - 1);
	while (t->feature[i].used && t->feature[i].feature != feature)
		i = (i + 1) & (t->nslots - 1);
	return i;
}

static struct train_feature *feature_of(struct train *t, uint64_t feature)
{
	struct train_feature *x = &t->feature[slot_of(t, feature)];
	x->feature = feature;
	x->used = true;
	return x;
}

static void count_word(void *arg, const struct encoder_feature *f, size_t n)
{
	struct train_scan *s = arg;

	for (size_t i = 0; i < n; i++) {
		struct train_feature *x = feature_of(s->t, f[i].feature);
		x->word = i == 0;
		if (x->lessons == 0 || x->last != s->lesson)
			x->lessons++;
		x->last = s->lesson;
	}
	s->n += n;
}

static void use_word(void *arg, const struct encoder_feature *f, size_t n)
{
	struct train_scan *s = arg;

	for (size_t i = 0; i < n; i++)
		s->use[s->n++] = (struct train_use){ (uint32_t)slot_of(s->t, f[i].feature), f[i].part,
			(uint8_t)f[i].kind, i == 0 };
}

static void total_word(void *arg, const struct encoder_feature *f, size_t n)
{
	(void)f;
	*(size_t *)arg += n;
}

/* The most frequent first; the number of a feature decides between equal ones. */
static int by_lessons(const void *pa, const void *pb)
{
	const struct train_feature *const *a = pa, *const *b = pb;
	if ((*a)->lessons != (*b)->lessons)
		return (*a)->lessons > (*b)->lessons ? -1 : 1;
	return ((*a)->feature > (*b)->feature) - ((*a)->feature < (*b)->feature);
}

float encoder_rareness(const struct train *t, const struct train_feature *f)
{
	return logf((float)t->n / (float)(f->lessons > 0 ? f->lessons : 1)) / logf((float)t->n);
}

static void new_row(struct train *t, struct train_feature *f, float length)
{
	f->row = (uint32_t)t->nrows++;
	f->owns = true;
	encoder_strange(f->feature, length, t->row[f->row]);
}

static void first_feature(void *arg, const struct encoder_feature *f, size_t n)
{
	(void)n;
	*(uint64_t *)arg = f[0].feature;
}

static struct train_feature *feature_of_word(struct train *t, const char *word)
{
	uint64_t feature = 0;
	encoder_features(word, first_feature, &feature);
	return feature_of(t, feature);
}

/* The row of the word whose sense is nearest, of those that own one; NO_ROW: none is near. */
static uint32_t row_of_nearest(struct train *t, size_t sense)
{
	float most = SENSE_NEAR;
	uint32_t row = NO_ROW;
	for (size_t i = 0; i < t->nsenses; i++) {
		if (t->sensed[i]->row == NO_ROW || !t->sensed[i]->owns)
			continue;
		float near = clusters_dot(t->sense[i].vector, t->sense[sense].vector);
		if (near > most) {
			most = near;
			row = t->sensed[i]->row;
		}
	}
	return row;
}

/* Words with a sense, but without a row: one that is like another has that one's row. The most usual of the others have rows of
 * their own as long as there is room. */
static void make_rows_of_senses(struct train *t)
{
	for (size_t i = 0; i < t->nsenses; i++) {
		struct train_feature *f = t->sensed[i];
		const char *like = t->sense[i].like;
		if (f->row == NO_ROW && like != NULL)
			f->row = feature_of_word(t, like)->row;
		else if (f->row == NO_ROW && t->nrows < ROWS_MAX)
			new_row(t, f, STRANGE);
		else if (f->row == NO_ROW)
			f->row = row_of_nearest(t, i);
	}
}

static void make_rows(struct train *t)
{
	struct train_feature **all = arena_array(t->mem, t->nslots, sizeof(struct train_feature *));
	size_t n = 0;

	for (size_t i = 0; i < t->nslots; i++) {
		t->feature[i].row = NO_ROW;
		if (t->feature[i].lessons >= LEAST)
			all[n++] = &t->feature[i];
	}
	qsort(all, n, sizeof(struct train_feature *), by_lessons);
	t->row = arena_array(t->mem, ROWS_MAX, sizeof(*t->row));
	t->seen = arena_array(t->mem, ROWS_MAX, sizeof(*t->seen));
	t->asks = arena_array(t->mem, ROWS_MAX, sizeof(*t->asks));
	for (size_t i = 0; i < n && i < TAUGHT_MAX; i++)
		new_row(t, all[i], encoder_rareness(t, all[i]));
	make_rows_of_senses(t);
	t->turn = arena_array(t->mem, ENCODER_DIMS, sizeof(*t->turn));
	t->turned = arena_array(t->mem, ENCODER_DIMS, sizeof(*t->turned));
	for (size_t d = 0; d < ENCODER_DIMS; d++)
		t->turn[d][d] = 1;
}

static void read_lessons(struct train *t)
{
	size_t all = 0;

	for (size_t i = 0; i < t->n; i++)
		encoder_features(t->lesson[i].text, total_word, &all);
	all += t->nsenses;
	for (t->nslots = 1024; t->nslots < 2 * all; t->nslots *= 2)
		;
	t->feature = arena_array(t->mem, t->nslots, sizeof(*t->feature));
	t->text = arena_array(t->mem, t->n, sizeof(*t->text));
	for (size_t i = 0; i < t->n; i++) {
		struct train_scan s = { .t = t, .lesson = (uint32_t)i };
		encoder_features(t->lesson[i].text, count_word, &s);
		t->text[i].n = s.n;
	}
	t->sensed = arena_array(t->mem, t->nsenses + 1, sizeof(struct train_feature *));
	for (size_t i = 0; i < t->nsenses; i++) {
		struct train_feature *f = feature_of_word(t, t->sense[i].word);
		f->word = true;
		f->sense = (uint32_t)i + 1;
		t->sensed[i] = f;
	}
	for (size_t i = 0; i < t->n; i++) {
		struct train_scan s = { .t = t };
		s.use = t->text[i].use = arena_array(t->mem, t->text[i].n + 1, sizeof(*s.use));
		encoder_features(t->lesson[i].text, use_word, &s);
	}
	make_rows(t);
}

/* ---- the groups ------------------------------------------------------------------------------ */

static void make_course(struct train *t, unsigned number)
{
	struct train_course *c = &t->course[number];
	size_t last = 0;

	c->alone = arena_array(t->mem, t->n + 1, sizeof(*c->alone));
	for (size_t i = 0; i < t->n; i++)
		if (t->lesson[i].course == number && t->lesson[i].group > last)
			last = t->lesson[i].group;
	struct train_group *all = arena_array(t->mem, last + 1, sizeof(*all));
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < t->n; i++) {
			const struct encoder_lesson *l = &t->lesson[i];
			struct train_group *g = &all[l->group];
			if (l->course != number || t->text[i].n == 0)
				continue;
			if (l->group == 0 && pass == 1)
				c->alone[c->nalone++] = (uint32_t)i;
			else if (pass == 1)
				*(l->rule ? &g->rule[g->nrules] : &g->question[g->nquestions]) = (uint32_t)i;
			*(l->rule ? &g->nrules : &g->nquestions) += 1;
		}
		for (size_t i = 1; pass == 0 && i <= last; i++) {
			all[i].rule = arena_array(t->mem, all[i].nrules + 1, sizeof(*all[i].rule));
			all[i].question = arena_array(t->mem, all[i].nquestions + 1, sizeof(*all[i].question));
			all[i].nrules = all[i].nquestions = 0;
		}
		all[0].nrules = all[0].nquestions = 0;
	}
	c->group = all;
	for (size_t i = 1; i <= last; i++)
		if (all[i].nrules + all[i].nquestions > 1)
			c->group[c->ngroups++] = all[i];
}

/* ---- a step ---------------------------------------------------------------------------------- */

static size_t any(struct train *t, size_t n)
{
	return (size_t)(adagrad_random(&t->chance) >> 11) % n;
}

static bool left_out(struct train *t, unsigned percent)
{
	return any(t, 100) < percent;
}

static void add_sense(const struct train *t, struct train_item *x, const struct train_feature *f)
{
	const float *vector = t->sense[f->sense - 1].vector, length = encoder_rareness(t, f);
	for (size_t d = 0; d < ENCODER_DIMS; d++)
		x->sense[d] += length * vector[d];
}

static void add_text(struct train *t, struct train_item *x, const struct train_text *text)
{
	bool out[3] = { false, false, false }, word = false;

	for (size_t i = 0; i < text->n; i++) {
		const struct train_use *u = &text->use[i];
		const struct train_feature *f = &t->feature[u->at];
		if (u->begins) {
			word = left_out(t, DROP_WORD);
			out[ENCODER_WORD] = left_out(t, DROP_WHOLE);
			out[ENCODER_PAIR] = left_out(t, DROP_WHOLE);
			out[ENCODER_PIECE] = left_out(t, DROP_PIECES);
			if (!word && f->sense != 0 && !left_out(t, DROP_SENSE))
				add_sense(t, x, f);
		}
		if (word || out[u->kind])
			continue;
		if (f->row == NO_ROW) {
			encoder_strange(f->feature, u->part * STRANGE, x->vector);
			continue;
		}
		for (size_t d = 0; d < ENCODER_DIMS; d++)
			x->vector[d] += u->part * t->row[f->row][d];
		x->used[x->nused++] = u;
	}
}

void encoder_turn(const struct train *t, const float sense[ENCODER_DIMS], float *vector)
{
	for (size_t k = 0; k < ENCODER_DIMS; k++)
		for (size_t d = 0; d < ENCODER_DIMS; d++)
			vector[d] += sense[k] * t->turn[k][d];
}

/* lesson and also may be the same one. */
static void look_at(struct train *t, struct train_item *x, uint32_t lesson, uint32_t also)
{
	x->nused = 0;
	x->length = 0;
	memset(x->vector, 0, sizeof(x->vector));
	memset(x->gradient, 0, sizeof(x->gradient));
	memset(x->sense, 0, sizeof(x->sense));
	add_text(t, x, &t->text[lesson]);
	if (also != lesson)
		add_text(t, x, &t->text[also]);
	encoder_turn(t, x->sense, x->vector);
	for (size_t d = 0; d < ENCODER_DIMS; d++)
		x->length += x->vector[d] * x->vector[d];
	x->length = sqrtf(x->length) + 1e-6F;
	for (size_t d = 0; d < ENCODER_DIMS; d++)
		x->vector[d] /= x->length;
}

/* Two lessons of a group; half of the pairs are a question and a rule, if there are both. */
static void pick_pair(struct train *t, const struct train_group *g, uint32_t pair[2])
{
	size_t n = g->nrules + g->nquestions, i = any(t, n), k = any(t, n - 1);
	if (g->nrules > 0 && g->nquestions > 0 && left_out(t, 50)) {
		i = any(t, g->nquestions);
		k = g->nquestions + any(t, g->nrules);
	} else if (k >= i) {
		k++;
	}
	pair[0] = i < g->nquestions ? g->question[i] : g->rule[i - g->nquestions];
	pair[1] = k < g->nquestions ? g->question[k] : g->rule[k - g->nquestions];
}

/* Of a composed course the text is two lessons, and often a neighbour has one of them too. */
static size_t pick(struct train *t, const struct train_course *c, bool composed, struct train_item *x,
    size_t *npaired)
{
	size_t n = 0, ngroups = c->ngroups < GROUPS ? c->ngroups : GROUPS;
	size_t nalone = c->nalone < ALONE ? c->nalone : ALONE;
	struct train_group swap;

	for (size_t i = 0; i < ngroups; i++) {
		uint32_t pair[2], also[2];
		size_t k = i + any(t, c->ngroups - i);
		swap = c->group[i];
		c->group[i] = c->group[k];
		c->group[k] = swap;
		pick_pair(t, &c->group[i], pair);
		memcpy(also, pair, sizeof(also));
		if (composed)
			pick_pair(t, &c->group[i > 0 && left_out(t, 50) ? i - 1 : any(t, c->ngroups)], also);
		look_at(t, &x[n++], pair[0], also[0]);
		look_at(t, &x[n++], pair[1], also[1]);
	}
	*npaired = n;
	for (size_t i = 0; i < nalone; i++) {
		uint32_t lesson = c->alone[any(t, c->nalone)];
		look_at(t, &x[n++], lesson, lesson);
	}
	return n;
}

/* The gradient of item i's loss: it shall find item i ^ 1 among all others. */
static void compare(struct train_item *x, size_t n, size_t i)
{
	float cosine[ITEMS], sum = 0;

	for (size_t k = 0; k < n; k++) {
		cosine[k] = k == i ? 0 : expf(SHARPNESS * (clusters_dot(x[i].vector, x[k].vector) - 1));
		sum += cosine[k];
	}
	for (size_t k = 0; k < n; k++) {
		float g = SHARPNESS * (cosine[k] / sum - (k == (i ^ 1) ? 1 : 0));
		if (k == i)
			continue;
		for (size_t d = 0; d < ENCODER_DIMS; d++) {
			x[i].gradient[d] += g * x[k].vector[d];
			x[k].gradient[d] += g * x[i].vector[d];
		}
	}
}

static void learn(struct train *t, const struct train_item *x, float rate)
{
	float g[ENCODER_DIMS], along = clusters_dot(x->gradient, x->vector), size = 0;

	for (size_t d = 0; d < ENCODER_DIMS; d++) {
		g[d] = (x->gradient[d] - along * x->vector[d]) / x->length;
		size += g[d] * g[d];
	}
	for (size_t i = 0; i < x->nused; i++) {
		const struct train_use *u = x->used[i];
		uint32_t row = t->feature[u->at].row;
		t->seen[row] += u->part * u->part * size / ENCODER_DIMS;
		float by = rate * u->part / (sqrtf(t->seen[row]) + 1e-6F);
		for (size_t d = 0; d < ENCODER_DIMS; d++)
			t->row[row][d] -= by * g[d];
	}
	for (size_t k = 0; k < ENCODER_DIMS; k++) {
		if (x->sense[k] == 0)
			continue;
		t->turned[k] += x->sense[k] * x->sense[k] * size / ENCODER_DIMS;
		float by = rate / RATE * SENSE_RATE * x->sense[k] / (sqrtf(t->turned[k]) + 1e-6F);
		for (size_t d = 0; d < ENCODER_DIMS; d++)
			t->turn[k][d] -= by * g[d];
	}
}

static void study(struct train *t, const struct encoder_study *how)
{
	struct train_item *x = arena_array(t->mem, ITEMS, sizeof(*x));
	size_t most = 0;
	unsigned all = 0;

	for (size_t i = 0; i < t->n; i++)
		most = t->text[i].n > most ? t->text[i].n : most;
	for (size_t i = 0; i < ITEMS; i++)
		x[i].used = arena_array(t->mem, 2 * most + 1, sizeof(const struct train_use *));
	for (size_t i = 0; i < ENCODER_COURSES; i++)
		all += t->course[i].ngroups > 1 ? how->share[i] : 0;
	for (size_t step = 0; step < how->steps; step++) {
		size_t npaired, number = 0, at = any(t, all);
		for (; t->course[number].ngroups < 2 || at >= how->share[number]; number++)
			at -= t->course[number].ngroups > 1 ? how->share[number] : 0;
		size_t n = pick(t, &t->course[number], how->composed[number], x, &npaired);
		for (size_t i = 0; i < npaired; i++)
			compare(x, n, i);
		float rate = RATE * (1 - (float)step / (float)how->steps);
		for (size_t i = 0; i < n; i++)
			learn(t, &x[i], rate);
	}
}

/* ---- what a question about rules sounds like ------------------------------------------------- */

static float size_of(const struct train_text *text)
{
	float size = 0;
	for (size_t i = 0; i < text->n; i++)
		size += text->use[i].part * text->use[i].part;
	return sqrtf(size);
}

/* One gradient step for one question. seen: the sum of squared gradients of each row, and of the constant. */
static void learn_asking(struct train *t, const struct train_text *text, bool asks, float weight, float *seen)
{
	float size = size_of(text), sum = t->asks_always;

	for (size_t i = 0; i < text->n; i++) {
		uint32_t row = t->feature[text->use[i].at].row;
		sum += row != NO_ROW ? text->use[i].part / size * t->asks[row] : 0;
	}
	float off = (1 / (1 + expf(-sum)) - (asks ? 1 : 0)) * weight;
	t->asks_always -= ASK_RATE * off / sqrtf(seen[t->nrows] += off * off);
	for (size_t i = 0; i < text->n; i++) {
		uint32_t row = t->feature[text->use[i].at].row;
		if (row == NO_ROW)
			continue;
		float g = off * text->use[i].part / size + ASK_DECAY * t->asks[row];
		t->asks[row] -= ASK_RATE * g / sqrtf(seen[row] += g * g);
	}
}

static void study_asking(struct train *t, const struct encoder_study *how)
{
	uint32_t *question = arena_array(t->mem, t->n + 1, sizeof(*question));
	float *seen = arena_array(t->mem, t->nrows + 1, sizeof(*seen));
	size_t n = 0, none = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct encoder_lesson *l = &t->lesson[i];
		if (!how->asks[l->course] || l->rule || t->text[i].n == 0)
			continue;
		question[n++] = (uint32_t)i;
		none += l->group == 0;
	}
	if (none == 0 || none == n)
		return;
	for (size_t i = 0; i <= t->nrows; i++)
		seen[i] = 1e-3F;
	for (size_t round = 0; round < ASK_ROUNDS; round++)
		for (size_t i = 0; i < n; i++) {
			size_t k = i + any(t, n - i);
			uint32_t now = question[k];
			question[k] = question[i];
			question[i] = now;
			bool asks = t->lesson[now].group != 0;
			learn_asking(t, &t->text[now], asks, (float)n / 2 / (float)(asks ? n - none : none), seen);
		}
}

enum errcode encoder_train(const struct encoder_lesson *lesson, size_t n, const struct encoder_study *how,
    const char *path, struct err *e)
{
	struct train t = { .mem = arena_new(), .lesson = lesson, .n = n, .sense = how->sense,
		.nsenses = how->nsenses, .chance = 7 };
	size_t courses = 0;

	read_lessons(&t);
	for (unsigned i = 0; i < ENCODER_COURSES; i++) {
		make_course(&t, i);
		courses += t.course[i].ngroups > 1 && how->share[i] > 0;
	}
	enum errcode rc = courses > 0 ? OK
	    : err_set(e, ERR_DATA, "the lessons have no two groups of two texts in any course");
	if (rc == OK) {
		study(&t, how);
		study_asking(&t, how);
		rc = encoder_write(&t, path, e);
	}
	arena_free(t.mem);
	return rc;
}
