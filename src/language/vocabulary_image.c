/*
 * The image of a vocabulary is its block, as a file. To read the texts takes longer than everything else at the start of a
 * worker, and every worker would have tables of its own. An image is only used for the very texts that it was made of. After a
 * change of a text the program reads the texts.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/datafile.h"
#include "base/replace_file.h"
#include "base/str.h"
#include "language/linear_format.h"
#include "language/vocabulary_private.h"

/* Raise it when the layout changes, or when the same texts give other tables. */
enum { IMAGE_VERSION = 3 };
static const char MAGIC[8] = "vocable";

static_assert(offsetof(struct vocabulary_head, sum) == LINEAR_SUM_AT, "the sum stands elsewhere");
static_assert(sizeof(struct vocabulary_head) % 8 == 0, "the tables are not aligned");

/* ---- the block --------------------------------------------------------------------------- */

/* Where each table begins, from the head on. */
struct layout {
	uint64_t word, entry, edge, node, sense, kind, exact, text, end;
};

static struct layout layout_of(const struct vocabulary_head *h)
{
	struct layout at = { .word = sizeof(*h) };

	at.entry = at.word + (uint64_t)h->nwords * sizeof(struct vocabulary_word);
	at.edge = at.entry + (uint64_t)h->nentries * sizeof(struct vocabulary_entry);
	at.node = at.edge + (uint64_t)h->nedges * sizeof(struct vocabulary_edge);
	at.sense = at.node + (uint64_t)h->nnodes * sizeof(uint32_t);
	at.kind = at.sense + ((uint64_t)h->nsenses + 1) * sizeof(struct vocabulary_sense);
	at.exact = at.kind + ((uint64_t)h->nkinds + 1) * sizeof(struct vocabulary_kind);
	at.text = at.exact + (uint64_t)h->nexact * sizeof(struct vocabulary_exact);
	at.end = (at.text + h->ntext + 7) / 8 * 8;
	return at;
}

uint64_t vocabulary_bytes(const struct vocabulary_head *head)
{
	return layout_of(head).end;
}

void vocabulary_lay(struct vocabulary *v, struct vocabulary_head *head)
{
	const struct layout at = layout_of(head);
	char *p = (char *)head;

	*v = (struct vocabulary){ .head = head, .word = (void *)(p + at.word), .entry = (void *)(p + at.entry),
		.edge = (void *)(p + at.edge), .node = (void *)(p + at.node), .sense = (void *)(p + at.sense),
		.kind = (void *)(p + at.kind), .exact = (void *)(p + at.exact), .text = p + at.text };
}

/* ---- its texts --------------------------------------------------------------------------- */

const char *vocabulary_path(struct arena *a, const char *data_dir, unsigned file)
{
	return arena_printf(a, "%s/conf/language/%s/vocabulary.txt", data_dir, file == 0 ? "common" : language_at(file - 1));
}

/* The sum of all texts; false: one cannot be read. */
static bool sum_texts(const char *data_dir, uint64_t *sum)
{
	struct arena *a = arena_new();
	bool right = true;

	*sum = 0;
	for (unsigned i = 0; i <= languages_count() && right; i++) {
		struct buf b;
		struct err e = { 0 };
		buf_init(&b, DATAFILE_BYTES);
		right = buf_load(&b, vocabulary_path(a, data_dir, i), &e) == OK;
		*sum = *sum * 31 + str_hash(b.p) + b.n;
		buf_release(&b);
	}
	arena_free(a);
	return right;
}

/* ---- the file ---------------------------------------------------------------------------- */

static bool is_power(uint32_t n)
{
	return n != 0 && (n & (n - 1)) == 0;
}

/* The sum finds damage. The other checks find an image of another version or of other texts. */
static bool is_image(const struct vocabulary_head *h, size_t bytes, uint64_t of_texts)
{
	bool right = memcmp(h->magic, MAGIC, sizeof(MAGIC)) == 0 && h->version == IMAGE_VERSION && h->of_texts == of_texts &&
	    h->nfiles == languages_count() + 1 && h->bytes == bytes && bytes % 8 == 0 && vocabulary_bytes(h) == bytes &&
	    is_power(h->nentries) && is_power(h->nedges) && h->sum == linear_sum(h, bytes);

	for (size_t i = 0; right && i < h->nfiles; i++)
		right = h->file[i].nendings <= VOCABULARY_ENDINGS;
	return right;
}

/* The checksum is also right if a faulty program wrote the image. Exact words are found by binary search, so they must be sorted. An offset
 * outside the texts would crash the worker. */
static bool exact_is_valid(const struct vocabulary *v)
{
	const uint32_t ntext = v->head->ntext;
	bool right = ntext > 0 && v->text[ntext - 1] == '\0';

	for (size_t i = 0; right && i < v->head->nexact; i++)
		right = v->exact[i].text < ntext && v->exact[i].kind < ntext &&
		    (i == 0 || strcmp(v->text + v->exact[i - 1].text, v->text + v->exact[i].text) <= 0);
	return right;
}

struct mapping {
	void *p;
	size_t bytes;
};

static void unmap(void *mapping)
{
	const struct mapping *m = mapping;
	munmap(m->p, m->bytes);
}

bool vocabulary_map(struct vocabulary *v, struct arena *a, const char *data_dir)
{
	const int fd = open(arena_printf(a, "%s/conf/language/vocabulary.image", data_dir), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct mapping *m = arena_alloc(a, sizeof(*m));
	struct stat st;
	uint64_t of_texts;

	m->p = MAP_FAILED;
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size >= (off_t)sizeof(struct vocabulary_head)) {
		m->bytes = (size_t)st.st_size;
		m->p = mmap(NULL, m->bytes, PROT_READ, MAP_SHARED, fd, 0);
	}
	if (fd >= 0)
		close(fd);
	if (m->p == MAP_FAILED)
		return false;
	if (sum_texts(data_dir, &of_texts) && is_image(m->p, m->bytes, of_texts)) {
		vocabulary_lay(v, m->p);
		if (exact_is_valid(v)) {
			arena_defer(a, unmap, m);
			return true;
		}
	}
	unmap(m);
	return false;
}

enum errcode vocabulary_make_image(const char *data_dir, const char *path, struct err *e)
{
	struct arena *a = arena_new();
	struct vocabulary v;
	int fd = -1;
	enum errcode rc = languages_open(data_dir, e);

	if (rc == OK)
		rc = vocabulary_read(&v, a, data_dir, e);
	if (rc == OK && !sum_texts(data_dir, &v.head->of_texts))
		rc = err_set(e, ERR_IO, "%s: a vocabulary.txt cannot be read", data_dir);
	const char *tmp = arena_printf(a, "%s.new", path);
	if (rc == OK)
		rc = replace_begin(tmp, &fd, e);
	if (rc == OK) {
		memcpy(v.head->magic, MAGIC, sizeof(MAGIC));
		v.head->version = IMAGE_VERSION;
		v.head->bytes = vocabulary_bytes(v.head);
		v.head->sum = linear_sum(v.head, v.head->bytes);
		FILE *f = fdopen(fd, "wb");
		const bool written = f != NULL && fwrite(v.head, v.head->bytes, 1, f) == 1;
		if ((f != NULL ? fclose(f) : close(fd)) != 0 || !written)
			rc = err_set(e, ERR_IO, "%s: cannot be written", tmp);
		if (rc == OK)
			rc = replace_file(tmp, path, e);
		else
			unlink(tmp);
	}
	arena_free(a);
	return rc;
}
