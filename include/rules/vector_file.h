/*
 * Our own file of vectors: SQLite, one row for each text and model, by the hash of the text.
 *
 * `aviation-agent index rules` fills it, batch after batch. Each batch is kept at once, so a text
 * that was embedded before a kill or a power cut is not embedded again. A model counts as built
 * when all texts of the rule base have a vector; until then readers see the last complete build.
 *
 *   vectors   what readers use; during a first build, what has been embedded: model, hash, vector
 *   renewed   the same during a rebuild; replaces `vectors` when it is complete
 *   builds    complete builds: model, numbers in a vector, texts, time. Written last.
 *
 * A vector is little-endian float32, length 1. The file has PRAGMA application_id
 * VECTOR_FILE_APP_ID, user_version VECTOR_FILE_FORMAT, and journal mode DELETE, so that each change
 * changes size or time of the file itself.
 */
#ifndef RULES_VECTOR_FILE_H
#define RULES_VECTOR_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errs.h"
#include "base/progress.h"
#include "base/watch.h"
#include "rules/rulebase.h"
#include "services/llm.h"
#include "services/vectors.h"

struct db;

/* -- making it -- */

struct index_options {
	const char *path, *model;
	bool rebuild;             /* embed all texts anew */
};
struct index_stats {
	size_t texts;             /* of the base, each once */
	size_t embedded, kept;    /* embedded now; there already */
	size_t dropped;           /* vectors of texts that are gone, and of other models */
	size_t questions, answers;        /* the records that the original service would count */
	size_t dims;
	struct llm_usage usage;
};

/*
 * Bring the file up to date with a base. A run without `rebuild` continues a rebuild that was not
 * finished. A file that is up to date is not changed. ERR_IO, ERR_DATA (not a file of ours, more
 * than VECTOR_FILE_TEXTS texts), ERR_UPSTREAM (the provider), ERR_BUSY (another index run works on
 * it), and the watch's codes. Texts that were embedded until then are kept, and the message says
 * how to continue. The stats are valid after a failure too.
 */
enum errcode rules_index(const struct index_options *o, const struct rulebase *b,
    struct llm *llm, const struct watch *w, progress_fn *progress, void *arg,
    struct index_stats *stats, struct err *e);

/* -- shared by reader and maker -- */

enum {
	VECTOR_FILE_APP_ID = 0x61677665,
	VECTOR_FILE_FORMAT = 1,
	VECTOR_FILE_TEXTS = 20000,    /* most texts of a base: a limit for what is read to memory */
	VECTOR_FILE_DIMS = 8192,           /* most numbers of a vector */
	VECTOR_FILE_TEXT_BYTES = 8000,     /* of a longer text only the beginning is embedded */
};
#define VECTOR_FILE_RUN "run aviation-agent index rules"

/*
 * The texts of a base that are embedded, without repetitions, in its order: a question, then its
 * answers. Blank texts and questions without answers are left out.
 */
struct rule_texts {
	struct rule_text {
		const char *text;
		struct text_hash hash;
		bool question;            /* it is a question's text, or also one */
	} *text;
	size_t n;
	size_t questions, answers;        /* entries whose question or answer is embedded */
	const uint32_t *of_question;      /* by its index: place in text + 1; 0: none */
	const uint32_t *const *of_answer; /* by question's index and the entry's place in it */
	uint32_t *slots;                  /* hash table */
	size_t nslots;
};

/* ERR_DATA: more than VECTOR_FILE_TEXTS texts. Texts are borrowed from the base. */
enum errcode rule_texts_of(struct rule_texts *t, struct arena *a, const struct rulebase *b,
    struct err *e);
/* The place of a hash (16 bytes), t->n: none. */
size_t rule_texts_find(const struct rule_texts *t, const void *hash);

/*
 * Open for reading, or for writing, which creates the file (0640) and its tables. If root creates
 * it, it belongs to the folder's owner. Reading rolls back an unfinished write of a killed process,
 * if this user may write. ERR_NOTFOUND (reading: there is no file), ERR_DATA (not ours, damaged, of
 * a newer version, not begun), ERR_IO.
 */
enum errcode vector_file_open(struct db **out, const char *path, bool write, struct err *e);
/* If root runs this, the file is given to its folder's owner, because workers are not root and must
 * read it. */
void vector_file_hand_over(const char *path);

#endif
