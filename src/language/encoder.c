/*
 * The vector of a text is the sum of the vectors of its features, brought to length 1. Features that no lesson had get a
 * direction by chance: they make texts similar that share an unknown word, and disturb others little.
 */
#include "language/encoder.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/heap.h"
#include "language/encoder_features.h"
#include "language/encoder_format.h"
#include "language/linear_format.h"

struct encoder {
	const unsigned char *p;               /* the mapped bytes */
	size_t n;
	const struct encoder_head *head;
	const struct encoder_slot *slot;
	const struct encoder_row *row;
};

/* ---- the file -------------------------------------------------------------------------------- */

static enum errcode damaged(const char *path, const char *what, struct err *e)
{
	return err_set(e, ERR_CONFIG, "%s: %s; install the file that belongs to this program", path, what);
}

static enum errcode map(struct encoder *m, const char *path, struct err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	enum errcode rc = OK;

	if (fd < 0 || fstat(fd, &st) != 0) {
		rc = damaged(path, strerrordesc_np(errno), e);
	} else if (!S_ISREG(st.st_mode) || st.st_size < (off_t)sizeof(*m->head) || st.st_size > ENCODER_FILE_BYTES) {
		rc = damaged(path, "the file is no encoder", e);
	} else {
		void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
		if (p == MAP_FAILED) {
			rc = err_set(e, ERR_CONFIG, "%s: %m", path);
		} else {
			m->p = p;
			m->n = (size_t)st.st_size;
		}
	}
	if (fd >= 0)
		close(fd);
	return rc;
}

static bool tables_right(struct encoder *m)
{
	const struct encoder_head *h = m->head;
	size_t slots = (size_t)h->nslots * sizeof(*m->slot), rows = (size_t)h->nrows * sizeof(*m->row), used = 0;

	if (h->dims != ENCODER_DIMS || h->nslots == 0 || (h->nslots & (h->nslots - 1)) != 0 ||
	    slots > m->n || rows > m->n || (sizeof(*h) + slots + rows + 7) / 8 * 8 != m->n || !isfinite(h->strange) ||
	    !isfinite(h->asks))
		return false;
	m->slot = (const void *)(m->p + sizeof(*h));
	m->row = (const void *)(m->p + sizeof(*h) + slots);
	for (size_t i = 0; i < h->nslots; i++) {
		if (m->slot[i].tag != 0 && (m->slot[i].row & ~(uint32_t)ENCODER_UNTAUGHT) >= h->nrows)
			return false;
		used += m->slot[i].tag != 0;
	}
	for (size_t i = 0; i < h->nrows; i++)
		if (!isfinite(m->row[i].scale))
			return false;
	return used < h->nslots;
}

static enum errcode check(struct encoder *m, const char *path, struct err *e)
{
	m->head = (const void *)m->p;
	if (memcmp(m->head->magic, ENCODER_MAGIC, sizeof(m->head->magic)) != 0)
		return damaged(path, "the file is no encoder", e);
	if (m->head->version != ENCODER_VERSION)
		return damaged(path, "the file is of another version of the program", e);
	if (m->head->bytes != m->n)
		return damaged(path, "the file is cut", e);
	if (m->n % 8 != 0 || m->head->sum != linear_sum(m->p, m->n) ||
	    !tables_right(m))
		return damaged(path, "the file is damaged", e);
	return OK;
}

enum errcode encoder_open(struct encoder **out, const char *path, struct err *e)
{
	struct encoder *m = heap_new(sizeof(*m));
	enum errcode rc = map(m, path, e);

	if (rc == OK)
		rc = check(m, path, e);
	*out = rc == OK ? m : NULL;
	if (rc != OK)
		encoder_close(m);
	return rc;
}

void encoder_close(struct encoder *m)
{
	if (m == NULL)
		return;
	if (m->p != NULL)
		munmap((void *)(uintptr_t)m->p, m->n);
	free(m);
}

/* ---- vectors --------------------------------------------------------------------------------- */

struct encoder_sum {
	const struct encoder *m;
	float *vector;
};

struct encoder_list {
	const struct encoder *m;
	struct encoder_word *word;
	size_t n;
};

/* NULL: neither a lesson nor the word vectors of the training had it. */
static const struct encoder_slot *slot_of(const struct encoder *m, uint64_t feature)
{
	uint32_t tag = encoder_tag(feature);
	size_t mask = m->head->nslots - 1;

	for (size_t i = (size_t)feature & mask; m->slot[i].tag != 0; i = (i + 1) & mask)
		if (m->slot[i].tag == tag)
			return &m->slot[i];
	return NULL;
}

static const struct encoder_row *row_of(const struct encoder *m, uint64_t feature)
{
	const struct encoder_slot *slot = slot_of(m, feature);
	return slot != NULL ? &m->row[slot->row & ~(uint32_t)ENCODER_UNTAUGHT] : NULL;
}

/* The rows are larger than the caches of a processor, so all of a word are asked for before the first is used. */
static void add_features(const struct encoder *m, const struct encoder_feature *f, size_t n, float vector[ENCODER_DIMS])
{
	const struct encoder_row *row[ENCODER_FEATURES];

	for (size_t i = 0; i < n; i++) {
		row[i] = row_of(m, f[i].feature);
		__builtin_prefetch(row[i]);
	}
	for (size_t i = 0; i < n; i++) {
		if (row[i] == NULL) {
			encoder_strange(f[i].feature, f[i].part * m->head->strange, vector);
			continue;
		}
		float by = f[i].part * row[i]->scale;
		for (size_t d = 0; d < ENCODER_DIMS; d++)
			vector[d] += by * row[i]->v[d];
	}
}

static void add_word(void *arg, const struct encoder_feature *f, size_t n)
{
	const struct encoder_sum *s = arg;
	add_features(s->m, f, n, s->vector);
}

/* Bring a vector to length 1. False: it has no direction, and becomes zero. */
static bool make_unit(float vector[ENCODER_DIMS])
{
	float length = 0;

	for (size_t d = 0; d < ENCODER_DIMS; d++)
		length += vector[d] * vector[d];
	if (!(length > 0) || !isfinite(length)) {
		memset(vector, 0, ENCODER_DIMS * sizeof(*vector));
		return false;
	}
	length = 1 / sqrtf(length);
	for (size_t d = 0; d < ENCODER_DIMS; d++)
		vector[d] *= length;
	return true;
}

bool encoder_vector(const struct encoder *m, const char *text, float vector[ENCODER_DIMS])
{
	struct encoder_sum s = { m, vector };

	memset(vector, 0, ENCODER_DIMS * sizeof(*vector));
	encoder_features(text, add_word, &s);
	return make_unit(vector);
}

/* The pair with the word before is no part of a word by itself. */
static void list_word(void *arg, const struct encoder_feature *f, size_t n)
{
	enum { MOST = 127 };
	struct encoder_list *l = arg;
	struct encoder_word *w = &l->word[l->n];
	const struct encoder_row *row = row_of(l->m, f[0].feature);
	const size_t pieces = n > 1 && f[1].kind == ENCODER_PAIR ? 2 : 1;
	const float rare = row != NULL ? (float)row->rare / ENCODER_RARE_ONE : 1;
	float vector[ENCODER_DIMS] = { 0 };

	for (size_t i = 0; i < l->n; i++)
		if (l->word[i].id == f[0].feature)
			return;
	add_features(l->m, f, 1, vector);
	add_features(l->m, f + pieces, n - pieces, vector);
	make_unit(vector);
	*w = (struct encoder_word){ .id = f[0].feature, .weight = rare * rare };
	for (size_t d = 0; d < ENCODER_DIMS; d++)
		w->direction[d] = (int8_t)lroundf(MOST * vector[d]);
	l->n++;
}

size_t encoder_words(const struct encoder *m, const char *text, struct encoder_word word[ENCODER_WORDS])
{
	struct encoder_list l = { .m = m, .word = word };

	encoder_features(text, list_word, &l);
	return l.n;
}

struct encoder_asking {
	const struct encoder *m;
	float sum, size;
};

static void ask_word(void *arg, const struct encoder_feature *f, size_t n)
{
	struct encoder_asking *s = arg;

	for (size_t i = 0; i < n; i++) {
		const struct encoder_row *row = row_of(s->m, f[i].feature);
		s->size += f[i].part * f[i].part;
		s->sum += row != NULL ? f[i].part * (float)row->asks / ENCODER_ASKS_ONE : 0;
	}
}

float encoder_asks_rule(const struct encoder *m, const char *text)
{
	struct encoder_asking s = { .m = m };

	encoder_features(text, ask_word, &s);
	return m->head->asks + (s.size > 0 ? s.sum / sqrtf(s.size) : 0);
}

struct encoder_hearing {
	struct encoder_asking asking;         /* first */
	struct evidence_clusters clusters;    /* of the first word, and its vector */
	const int8_t *meaning;
};

static void hear_word(void *arg, const struct encoder_feature *f, size_t n)
{
	struct encoder_hearing *h = arg;
	const struct encoder_row *row = h->asking.size == 0 ? row_of(h->asking.m, f[0].feature) : NULL;
	if (row != NULL) {
		h->clusters = row->clusters;
		h->meaning = row->v;
	}
	ask_word(&h->asking, f, n);
}

static void hear(void *self, const struct words *w, struct evidences *out)
{
	struct evidence_sound *sound = arena_array(out->mem, w->n + 1, sizeof(*sound));
	struct evidence_clusters *clusters = arena_array(out->mem, w->n + 1, sizeof(*clusters));
	const int8_t **meaning = arena_array(out->mem, w->n + 1, sizeof(*meaning));

	for (size_t i = 0; i < w->n; i++) {
		struct encoder_hearing h = { .asking.m = self };
		if (w->word[i].kind != WORD_SIGN)
			encoder_features(w->word[i].fold, hear_word, &h);
		sound[i] = (struct evidence_sound){ h.asking.sum, h.asking.size };
		clusters[i] = h.clusters;
		meaning[i] = h.meaning;
	}
	out->sound = sound;
	out->clusters = clusters;
	out->meanings = meaning;
}

struct evidence_source encoder_evidence(const struct encoder *m)
{
	return (struct evidence_source){ hear, (void *)(uintptr_t)m };
}

struct encoder_counting {
	const struct encoder *m;
	size_t words, known;
};

static void count_word(void *arg, const struct encoder_feature *f, size_t n)
{
	struct encoder_counting *c = arg;

	(void)n;                      /* the first feature is the word itself */
	c->words++;
	const struct encoder_slot *slot = slot_of(c->m, f[0].feature);
	c->known += slot != NULL && (slot->row & ENCODER_UNTAUGHT) == 0;
}

void encoder_count(const struct encoder *m, const char *text, size_t *words, size_t *known)
{
	struct encoder_counting c = { .m = m };

	encoder_features(text, count_word, &c);
	*words += c.words;
	*known += c.known;
}
