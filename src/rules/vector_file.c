/*
 * What reader and maker share: which texts there are, how they are found again, and what is in a
 * file of ours.
 *
 * Texts are identified only by their hash: a text that moves to another country or question keeps
 * its vector, and one that several countries share has one vector.
 */
#include "rules/vector_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/str.h"
#include "drivers/db.h"

/* A page holds five vectors of 1,536 numbers with little waste, and a comparison reads
 * neighbours. */
static const char SQL_LAYOUT[] = "PRAGMA page_size = 32768; PRAGMA auto_vacuum = FULL;";
static const char SQL_SCHEMA[] =
    "CREATE TABLE vectors (id INTEGER PRIMARY KEY, model TEXT NOT NULL, hash BLOB NOT NULL,"
    " vector BLOB NOT NULL, UNIQUE (model, hash));"
    "CREATE TABLE renewed (id INTEGER PRIMARY KEY, model TEXT NOT NULL, hash BLOB NOT NULL,"
    " vector BLOB NOT NULL, UNIQUE (model, hash));"
    "CREATE TABLE builds (model TEXT PRIMARY KEY, dims INTEGER NOT NULL, texts INTEGER NOT NULL,"
    " built_at TEXT NOT NULL);";

/* -- texts -- */

/* The slot of a hash, or the free slot for it. */
static uint32_t *slot_of(const struct rule_texts *t, const void *hash)
{
	uint64_t bits;
	memcpy(&bits, (const char *)hash + 8, sizeof(bits));
	size_t at = (size_t)bits & (t->nslots - 1);
	while (t->slots[at] != 0 && memcmp(t->text[t->slots[at] - 1].hash.b, hash, 16) != 0)
		at = (at + 1) & (t->nslots - 1);
	return &t->slots[at];
}

size_t rule_texts_find(const struct rule_texts *t, const void *hash)
{
	uint32_t at = *slot_of(t, hash);
	return at == 0 ? t->n : at - 1;
}

/* Its place + 1; 0: it is blank, or there are too many texts. */
static uint32_t add(struct rule_texts *t, const char *text, bool question)
{
	if (str_trim(str_of(text)).n == 0 || t->n > VECTOR_FILE_TEXTS)
		return 0;
	struct text_hash h = text_hash_of(text);
	uint32_t *slot = slot_of(t, h.b);
	if (*slot == 0) {
		t->text[t->n++] = (struct rule_text){ .text = text, .hash = h };
		*slot = (uint32_t)t->n;
	}
	t->text[*slot - 1].question |= question;
	return *slot;
}

enum errcode rule_texts_of(struct rule_texts *t, struct arena *a, const struct rulebase *b,
    struct err *e)
{
	size_t room = b->nquestions;
	for (size_t i = 0; i < b->nquestions; i++)
		room += b->questions[i].nentries;
	if (room > VECTOR_FILE_TEXTS + 1)
		room = VECTOR_FILE_TEXTS + 1;
	uint32_t *of_question = arena_array(a, b->nquestions, sizeof(*of_question));
	const uint32_t **of_answer = arena_array(a, b->nquestions, sizeof(*of_answer));
	*t = (struct rule_texts){ .of_question = of_question, .of_answer = of_answer, .nslots = 64 };
	while (t->nslots < 2 * room)
		t->nslots *= 2;
	t->slots = arena_array(a, t->nslots, sizeof(*t->slots));
	t->text = arena_array(a, room, sizeof(*t->text));
	for (size_t i = 0; i < b->nquestions; i++) {
		const struct rule_question *q = &b->questions[i];
		uint32_t *answers = arena_array(a, q->nentries, sizeof(*answers));
		if (q->nentries > 0)
			of_question[i] = add(t, q->text, true);
		for (size_t k = 0; k < q->nentries; k++) {
			answers[k] = add(t, q->entries[k].html, false);
			t->questions += of_question[i] != 0;
			t->answers += answers[k] != 0;
		}
		of_answer[i] = answers;
	}
	if (t->n > VECTOR_FILE_TEXTS)
		return err_set(e, ERR_DATA, "these rules have more than %d different texts: that is "
		    "more than there can be vectors of", VECTOR_FILE_TEXTS);
	return OK;
}

/* -- the file -- */

/* The content of the file: nothing yet, our tables, or something that must not be changed. */
static enum errcode check_identity(struct db *db, const char *path, bool *empty, struct err *e)
{
	int64_t app = db_int(db, "PRAGMA application_id", -1);
	int64_t format = db_int(db, "PRAGMA user_version", -1);
	int64_t tables = db_int(db, "SELECT count(*) FROM sqlite_schema", -1);
	*empty = tables == 0;
	if (app < 0 || format < 0 || tables < 0)
		return err_set(e, ERR_DATA, "%s: cannot be read", path);
	if (tables > 0 && app != VECTOR_FILE_APP_ID)
		return err_set(e, ERR_DATA, "%s is a database of something else: set VECTOR_DB_PATH to "
		    "a file of its own", path);
	if (tables > 0 && format != VECTOR_FILE_FORMAT)
		return err_set(e, ERR_DATA, "%s was made by another version of this program: remove it "
		    "and " VECTOR_FILE_RUN, path);
	return OK;
}

static enum errcode open_read(struct db **out, const char *path, struct err *e)
{
	char journal[4096];
	struct stat st;
	struct db *db = NULL;
	if (stat(path, &st) != 0 && errno == ENOENT)
		return err_set(e, ERR_NOTFOUND, "%s: there is no such file: " VECTOR_FILE_RUN, path);
	enum errcode rc = db_open(out, path, DB_READ, e);
	if (rc == OK)
		return OK;
	/* a writer was killed: the next process that opens the file for writing rolls its work
	 * back */
	if ((size_t)snprintf(journal, sizeof(journal), "%s-journal", path) < sizeof(journal) &&
	    access(journal, F_OK) == 0 && db_open(&db, path, DB_WRITE, NULL) == OK) {
		db_close(db);
		rc = db_open(out, path, DB_READ, e);
	}
	return rc;
}

void vector_file_hand_over(const char *path)
{
	struct stat st;
	char *dir = path_folder(path);
	if (geteuid() == 0 && stat(dir, &st) == 0)
		(void)!lchown(path, st.st_uid, st.st_gid);
	free(dir);
}

static enum errcode create(struct db *db, struct err *e)
{
	char identity[96];
	snprintf(identity, sizeof(identity), "PRAGMA application_id = %d; PRAGMA user_version = %d;",
	    VECTOR_FILE_APP_ID, VECTOR_FILE_FORMAT);
	enum errcode rc = db_exec(db, SQL_LAYOUT, e);
	if (rc == OK)
		rc = db_exec(db, "BEGIN IMMEDIATE", e);
	if (rc == OK)
		rc = db_exec(db, SQL_SCHEMA, e);
	if (rc == OK)
		rc = db_exec(db, identity, e);
	return rc == OK ? db_exec(db, "COMMIT", e) : rc;
}

enum errcode vector_file_open(struct db **out, const char *path, bool write, struct err *e)
{
	bool empty = false, is_new = write && access(path, F_OK) != 0;
	struct db *db = NULL;
	enum errcode rc = write ? db_open(&db, path, DB_CREATE, e) : open_read(&db, path, e);
	if (rc == ERR_DATA && access(path, R_OK) == 0)
		err_set(e, rc, "%.300s: remove it, or set VECTOR_DB_PATH to another file, and "
		    VECTOR_FILE_RUN, e->msg);
	if (rc == OK && is_new)
		vector_file_hand_over(path);
	if (rc == OK)
		rc = check_identity(db, path, &empty, e);
	if (rc == OK && empty)
		rc = write ? create(db, e) : err_set(e, ERR_DATA, "%s holds nothing yet: "
		    VECTOR_FILE_RUN, path);
	if (rc != OK) {
		db_close(db);
		db = NULL;
	}
	*out = db;
	return rc;
}
