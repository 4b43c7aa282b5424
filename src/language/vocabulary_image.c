/*
 * The image of a vocabulary: its block as a file. To read the texts takes longer than everything else at the start of a
 * worker, and every worker would have tables of its own. An image is only used for the very texts that it was made of, so it
 * can be missing, and nobody has to make it anew who changes a word.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/datafile.h"
#include "base/str.h"
#include "language/linear_format.h"
#include "language/vocabulary_private.h"

/* Raise it when the tables, or what is read from the same texts, become others. */
enum { IMAGE_VERSION = 1 };
static const char MAGIC[8] = "vocable";

static_assert(offsetof(struct vocabulary_head, sum) == LINEAR_SUM_AT, "the sum stands elsewhere");
static_assert(sizeof(struct vocabulary_head) % 8 == 0, "the tables are not aligned");

size_t vocabulary_lay(struct vocabulary *v, struct vocabulary_head *head)
{
	char *p = (char *)(head + 1);

	v->head = head;
	v->word = (void *)p;
	v->entry = (void *)(p += head->nwords * sizeof(*v->word));
	v->edge = (void *)(p += head->nentries * sizeof(*v->entry));
	v->node = (void *)(p += head->nedges * sizeof(*v->edge));
	v->sense = (void *)(p += head->nnodes * sizeof(*v->node));
	v->kind = (void *)(p += (head->nsenses + 1) * sizeof(*v->sense));
	v->text = p += (head->nkinds + 1) * sizeof(*v->kind);
	const size_t bytes = (size_t)(p + head->ntext - (char *)head);
	return (bytes + 7) / 8 * 8;
}

const char *vocabulary_path(struct arena *a, const char *data_dir, unsigned file)
{
	return arena_printf(a, "%s/conf/language/%s/vocabulary.txt", data_dir, file == 0 ? "common" : language_at(file - 1));
}

enum errcode vocabulary_sum(const char *data_dir, uint64_t *sum, struct err *e)
{
	struct arena *a = arena_new();
	enum errcode rc = OK;

	*sum = 0;
	for (unsigned i = 0; i <= languages_count() && rc == OK; i++) {
		struct buf b;
		buf_init(&b, DATAFILE_BYTES);
		rc = buf_load(&b, vocabulary_path(a, data_dir, i), e);
		*sum = *sum * 31 + str_hash(b.p) + b.n;
		buf_release(&b);
	}
	arena_free(a);
	return rc;
}

static bool is_image(struct vocabulary *v, struct vocabulary_head *h, size_t bytes, uint64_t of_texts)
{
	return memcmp(h->magic, MAGIC, sizeof(MAGIC)) == 0 && h->version == IMAGE_VERSION && h->bytes == bytes && bytes % 8 == 0 &&
	    h->of_texts == of_texts && h->nfiles == languages_count() + 1 && vocabulary_lay(v, h) == bytes &&
	    h->sum == linear_sum(h, bytes);
}

bool vocabulary_map(struct vocabulary *v, const char *data_dir, uint64_t of_texts)
{
	struct arena *a = arena_new();
	const int fd = open(arena_printf(a, "%s/conf/language/vocabulary.image", data_dir), O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *p = MAP_FAILED;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size >= (off_t)sizeof(struct vocabulary_head))
		p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	arena_free(a);
	if (p == MAP_FAILED)
		return false;
	if (is_image(v, p, (size_t)st.st_size, of_texts))
		return true;
	munmap(p, (size_t)st.st_size);
	return false;
}

enum errcode vocabulary_write(const struct vocabulary *v, const char *path, struct err *e)
{
	struct arena *a = arena_new();
	struct vocabulary_head *h = memcpy(arena_alloc(a, v->head->bytes), v->head, v->head->bytes);
	FILE *f = fopen(path, "wbe");
	enum errcode rc = OK;

	memcpy(h->magic, MAGIC, sizeof(MAGIC));
	h->version = IMAGE_VERSION;
	h->sum = linear_sum(h, h->bytes);
	const bool written = f != NULL && fwrite(h, h->bytes, 1, f) == 1;
	if ((f != NULL && fclose(f) != 0) || !written)
		rc = err_set(e, ERR_IO, "%s: %m", path);
	arena_free(a);
	return rc;
}
