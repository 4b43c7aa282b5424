/*
 * Whoever opened a file may trust it: every offset and every class is checked once, here.
 */
#include "language/linear.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"
#include "language/linear_format.h"

struct linear_file {
	struct arena *mem;
	const char *path;
	const unsigned char *p;               /* the mapped bytes */
	size_t n;
	size_t nmodels;
	struct linear model[LINEAR_MODELS];
};

static enum errcode damaged(const struct linear_file *f, const char *what, struct err *e)
{
	return err_set(e, ERR_CONFIG, "%s: %s; install the file that belongs to this program", f->path, what);
}

static enum errcode map(struct linear_file *f, struct err *e)
{
	int fd = open(f->path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	enum errcode rc = OK;
	if (fd < 0 || fstat(fd, &st) != 0) {
		rc = damaged(f, strerrordesc_np(errno), e);
	} else if (!S_ISREG(st.st_mode) || st.st_size < (off_t)sizeof(struct linear_head) ||
	    st.st_size > LINEAR_BYTES) {
		rc = damaged(f, "the file is no file of models", e);
	} else {
		f->n = (size_t)st.st_size;
		void *p = mmap(NULL, f->n, PROT_READ, MAP_SHARED, fd, 0);
		if (p == MAP_FAILED)
			rc = err_set(e, ERR_CONFIG, "%s: %m", f->path);
		else
			f->p = p;
	}
	if (fd >= 0)
		close(fd);
	return rc;
}

static enum errcode check_head(struct linear_file *f, struct err *e)
{
	const struct linear_head *h = (const void *)f->p;
	if (memcmp(h->magic, LINEAR_MAGIC, sizeof(h->magic)) != 0)
		return damaged(f, "the file is no file of models", e);
	if (h->version != LINEAR_VERSION)
		return damaged(f, "the file is of another version of the program", e);
	if (h->bytes != f->n)
		return damaged(f, "the file is cut", e);
	if (f->n % 8 != 0 || h->sum != linear_sum(f->p, f->n) ||
	    h->nmodels > LINEAR_MODELS || f->n < sizeof(*h) + h->nmodels * sizeof(struct linear_section))
		return damaged(f, "the file is damaged", e);
	f->nmodels = h->nmodels;
	return OK;
}

/* A table of n elements; NULL: it does not lie in the file. */
static const void *table(const struct linear_file *f, uint32_t at, size_t n, size_t size)
{
	return at % 8 == 0 && at <= f->n && n <= (f->n - at) / size ? f->p + at : NULL;
}

static bool class_names(struct linear_file *f, struct linear *m, const struct linear_section *s)
{
	const char *p = table(f, s->names, s->names_bytes, 1);
	const char **name = arena_array(f->mem, m->nclasses + 1, sizeof(*name));
	if (p == NULL)
		return false;
	const char *end = p + s->names_bytes;
	for (size_t i = 0; i < m->nclasses; i++) {
		const char *nul = memchr(p, '\0', (size_t)(end - p));
		if (nul == NULL)
			return false;
		name[i] = p;
		p = nul + 1;
	}
	m->class_name = name;
	return true;
}

static bool slots_right(const struct linear *m, const struct linear_section *s)
{
	size_t used = 0;
	for (size_t i = 0; i < m->nslots; i++) {
		if (m->slot[i].first > m->slot[i + 1].first)
			return false;
		used += m->slot[i].tag != 0;
	}
	for (size_t i = 0; i < s->nweights; i++)
		if (m->weight[i].class >= m->nclasses)
			return false;
	return used < m->nslots && m->slot[0].first == 0 && m->slot[m->nslots].first == s->nweights;
}

static bool section_right(struct linear_file *f, struct linear *m, const struct linear_section *s)
{
	if (s->name[LINEAR_NAME - 1] != '\0' || s->nclasses > LINEAR_CLASSES || s->nslots == 0)
		return false;
	*m = (struct linear){ .name = s->name, .nclasses = s->nclasses, .nnumbers = s->nnumbers,
		.number = table(f, s->numbers, s->nnumbers, sizeof(int32_t)), .nslots = s->nslots,
		.slot = table(f, s->slots, (size_t)s->nslots + 1, sizeof(struct linear_slot)),
		.weight = table(f, s->weights, s->nweights, sizeof(struct linear_weight)) };
	return m->number != NULL && m->slot != NULL && m->weight != NULL && class_names(f, m, s) &&
	    slots_right(m, s);
}

enum errcode linear_open(struct linear_file **out, const char *path, struct err *e)
{
	struct arena *a = arena_new();
	struct linear_file *f = arena_alloc(a, sizeof(*f));
	*f = (struct linear_file){ .mem = a, .path = arena_strdup(a, path) };
	enum errcode rc = map(f, e);
	if (rc == OK)
		rc = check_head(f, e);
	for (size_t i = 0; rc == OK && i < f->nmodels; i++) {
		const struct linear_section *s = (const void *)(f->p + sizeof(struct linear_head));
		if (!section_right(f, &f->model[i], &s[i]))
			rc = damaged(f, "the file is damaged", e);
	}
	*out = rc == OK ? f : NULL;
	if (rc != OK)
		linear_close(f);
	return rc;
}

void linear_close(struct linear_file *f)
{
	if (f == NULL)
		return;
	if (f->p != NULL)
		munmap((void *)(uintptr_t)f->p, f->n);
	arena_free(f->mem);
}

const struct linear *linear_get(const struct linear_file *f, const char *name)
{
	for (size_t i = 0; i < f->nmodels; i++)
		if (streq(f->model[i].name, name))
			return &f->model[i];
	return NULL;
}

size_t linear_weights(const struct linear *m)
{
	return m->slot[m->nslots].first;
}

int linear_class(const struct linear *m, const char *name)
{
	for (size_t i = 0; i < m->nclasses; i++)
		if (streq(m->class_name[i], name))
			return (int)i;
	return -1;
}

const struct linear_weight *linear_find(const struct linear *m, uint64_t feature, size_t *n)
{
	uint32_t tag = linear_tag(feature);
	for (size_t i = linear_place(feature, m->nslots);; i = i + 1 < m->nslots ? i + 1 : 0) {
		const struct linear_slot *s = &m->slot[i];
		if (s->tag == tag) {
			*n = s[1].first - s->first;
			return m->weight + s->first;
		}
		if (s->tag == 0) {
			*n = 0;
			return m->weight;
		}
	}
}

/* The table is larger than the caches of a processor, so memory is asked for some features ahead. */
void linear_add(const struct linear *m, const uint64_t *feature, const float *by, size_t n, float *score)
{
	enum { AHEAD = 64 };
	const struct linear_weight *weight[AHEAD];
	size_t count[AHEAD];

	for (size_t from = 0; from < n; from += AHEAD) {
		size_t some = n - from < AHEAD ? n - from : AHEAD;
		for (size_t i = 0; i < some; i++)
			__builtin_prefetch(&m->slot[linear_place(feature[from + i], m->nslots)]);
		for (size_t i = 0; i < some; i++) {
			weight[i] = linear_find(m, feature[from + i], &count[i]);
			__builtin_prefetch(weight[i]);
		}
		for (size_t i = 0; i < some; i++) {
			float part = by != NULL ? by[from + i] : 1;
			for (size_t k = 0; k < count[i]; k++)
				score[weight[i][k].class] += part * weight[i][k].weight;
		}
	}
}
