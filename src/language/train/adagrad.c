#include "language/train/adagrad.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/heap.h"

struct adagrad_slot {
	uint64_t feature;
	uint32_t count;          /* authors that have it; 0: free */
	uint32_t author;         /* the last of them, and 1 */
	uint32_t id;             /* 0: has no weights */
};

struct adagrad {
	size_t classes, nslots, used, nids;
	struct adagrad_slot *slot;
	float *weight, *seen;    /* [id][class]: the weight, and the sum of its squared gradients */
	size_t *column;          /* the classes that a step changes */
};

/* A class whose part in a step is smaller is left alone. */
static const float GRADIENT_LEAST = 0.002F;

struct adagrad *adagrad_new(size_t classes)
{
	struct adagrad *w = heap_new(sizeof(*w));
	w->classes = classes;
	w->column = heap_new(classes * sizeof(*w->column));
	w->nslots = 1 << 16;
	w->slot = heap_new(w->nslots * sizeof(*w->slot));
	return w;
}

void adagrad_free(struct adagrad *w)
{
	if (w == NULL)
		return;
	free(w->slot);
	free(w->weight);
	free(w->seen);
	free(w->column);
	free(w);
}

static struct adagrad_slot *find(const struct adagrad *w, uint64_t feature)
{
	size_t at = (feature ^ feature >> 32) & (w->nslots - 1);
	while (w->slot[at].count != 0 && w->slot[at].feature != feature)
		at = (at + 1) & (w->nslots - 1);
	return &w->slot[at];
}

static void grow(struct adagrad *w)
{
	struct adagrad_slot *old = w->slot;
	size_t n = w->nslots;
	w->nslots *= 2;
	w->slot = heap_new(w->nslots * sizeof(*w->slot));
	for (size_t i = 0; i < n; i++)
		if (old[i].count != 0)
			*find(w, old[i].feature) = old[i];
	free(old);
}

void adagrad_count(struct adagrad *w, const uint64_t *feature, size_t n, uint32_t author)
{
	for (size_t i = 0; i < n; i++) {
		struct adagrad_slot *s = find(w, feature[i]);
		if (s->author == author + 1)
			continue;
		s->feature = feature[i];
		s->author = author + 1;
		if (s->count++ == 0 && ++w->used * 2 > w->nslots)
			grow(w);
	}
}

void adagrad_keep(struct adagrad *w, unsigned least)
{
	w->nids = 1;
	for (size_t i = 0; i < w->nslots; i++)
		if (w->slot[i].count >= least)
			w->slot[i].id = (uint32_t)w->nids++;
	w->weight = heap_new(w->nids * w->classes * sizeof(*w->weight));
	w->seen = heap_new(w->nids * w->classes * sizeof(*w->seen));
}

size_t adagrad_ids(const struct adagrad *w, const uint64_t *feature, size_t n, uint32_t *id)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		const struct adagrad_slot *s = find(w, feature[i]);
		if (s->count != 0 && s->id != 0)
			id[kept++] = s->id;
	}
	return kept;
}

void adagrad_score(const struct adagrad *w, const uint32_t *id, size_t n, float *score)
{
	for (size_t i = 0; i < n; i++) {
		const float *row = w->weight + (size_t)id[i] * w->classes;
		for (size_t c = 0; c < w->classes; c++)
			score[c] += row[c];
	}
}

void adagrad_step(struct adagrad *w, const uint32_t *id, size_t n, const float *gradient, float rate, float decay)
{
	size_t nused = 0;
	for (size_t c = 0; c < w->classes; c++)
		if (fabsf(gradient[c]) >= GRADIENT_LEAST)
			w->column[nused++] = c;
	for (size_t i = 0; i < n; i++) {
		float *row = w->weight + (size_t)id[i] * w->classes;
		float *seen = w->seen + (size_t)id[i] * w->classes;
		for (size_t k = 0; k < nused; k++) {
			size_t c = w->column[k];
			float g = gradient[c];
			seen[c] += g * g;
			float part = rate / (sqrtf(seen[c]) + 1e-6F), to = row[c] - part * g;
			row[c] = to > part * decay ? to - part * decay : to < -part * decay ? to + part * decay : 0;
		}
	}
}

void adagrad_settle(struct adagrad *w, float least)
{
	for (size_t i = 0; i < w->nids * w->classes; i++)
		if (fabsf(w->weight[i]) < least) {
			w->weight[i] = 0;
			w->seen[i] = INFINITY;        /* so that its steps are 0 */
		}
}

struct linear_entry *adagrad_entries(const struct adagrad *w, struct arena *a, float scale, float least,
    size_t *n)
{
	struct linear_entry *entry = NULL;
	for (int pass = 0; pass < 2; pass++) {
		if (pass == 1)
			entry = arena_array(a, *n + 1, sizeof(*entry));
		*n = 0;
		for (size_t i = 0; i < w->nslots; i++) {
			const struct adagrad_slot *s = &w->slot[i];
			for (size_t c = 0; s->id != 0 && c < w->classes; c++) {
				float weight = w->weight[(size_t)s->id * w->classes + c];
				if (fabsf(weight) < least)
					continue;
				if (pass == 1)
					entry[*n] = (struct linear_entry){ s->feature, (unsigned)c, (int)lroundf(weight * scale) };
				++*n;
			}
		}
	}
	return entry;
}

uint64_t adagrad_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return z ^ z >> 31;
}

void adagrad_shuffle(size_t *order, size_t n, uint64_t *state)
{
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	for (size_t i = n; i > 1; i--) {
		size_t k = adagrad_random(state) % i, old = order[i - 1];
		order[i - 1] = order[k];
		order[k] = old;
	}
}
