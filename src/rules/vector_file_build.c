/*
 * Makes the file of vectors: texts without a vector are embedded, a hundred at a time, and each
 * hundred is written at once.
 *
 * A first build, and new texts of a built model, go to `vectors`: readers ignore texts that they do
 * not know. A rebuild goes to `renewed`, because `vectors` is in use. The last transaction puts the
 * new vectors in place, removes those that no text needs any more, and marks the model as built.
 * After a kill before that, readers still see the old state.
 */
#include "rules/vector_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "drivers/db.h"
#include "rules/vector_store.h"

enum { BATCH = 100, LOCK_MODE = 0640 };

struct index {
	const struct index_options *o;
	struct llm *llm;
	const struct watch *w;
	progress_fn *progress;
	void *arg;
	struct index_stats *stats;
	struct arena *mem;
	struct rule_texts texts;
	bool *have;                   /* by a text's place: it has a vector */
	size_t done;                  /* how many texts have one */
	bool renews;                  /* write into `renewed` */
	int lock;
	struct db *db;
};

/* The same statement for each of the two tables. */
struct place_sql {
	const char *vectors, *renewed;
};
static const struct place_sql SQL_HASHES = {
	"SELECT hash FROM vectors WHERE model = ?1", "SELECT hash FROM renewed WHERE model = ?1" };
static const struct place_sql SQL_BYTES = {
	"SELECT length(vector) FROM vectors WHERE model = ?1 LIMIT 1",
	"SELECT length(vector) FROM renewed WHERE model = ?1 LIMIT 1" };
static const struct place_sql SQL_INSERT = {
	"INSERT OR REPLACE INTO vectors (model, hash, vector) VALUES (?1, ?2, ?3)",
	"INSERT OR REPLACE INTO renewed (model, hash, vector) VALUES (?1, ?2, ?3)" };

static const char SQL_FORGET[] = "DELETE FROM renewed";
static const char SQL_CLEAR[] = "DELETE FROM vectors";
static const char SQL_TAKE_OVER[] = "INSERT INTO vectors (model, hash, vector) "
    "SELECT model, hash, vector FROM renewed WHERE model = ?1 ORDER BY id";
static const char SQL_ALL[] = "SELECT id, model, hash FROM vectors";
static const char SQL_DELETE[] = "DELETE FROM vectors WHERE id = ?1";
static const char SQL_NO_BUILDS[] = "DELETE FROM builds";
static const char SQL_BUILT[] = "INSERT INTO builds VALUES (?1, ?2, ?3, ?4)";
/* Is the file in the state in which the last transaction leaves it? */
static const char SQL_CURRENT[] = "SELECT (SELECT count(*) FROM builds) = 1 AND "
    "(SELECT dims = ?2 AND texts = ?3 FROM builds WHERE model = ?1) AND "
    "NOT EXISTS (SELECT 1 FROM renewed) AND (SELECT count(*) FROM vectors) = ?3";

static const char *sql_of(const struct index *x, const struct place_sql *sql)
{
	return x->renews ? sql->renewed : sql->vectors;
}

/* -- one run at a time -- */

/* The lock belongs to the descriptor, so it ends with the process. The lock file says who holds it,
 * and stays. */
static enum errcode take_lock(struct index *x, struct err *e)
{
	const char *path = arena_printf(x->mem, "%s.lock", x->o->path);
	char pid[32] = "";
	x->lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, LOCK_MODE);
	if (x->lock < 0)
		return err_set(e, ERR_IO, "%s: cannot be created (%s): there must be a folder that this "
		    "user may write to", path, strerrordesc_np(errno));
	vector_file_hand_over(path);
	if (flock(x->lock, LOCK_EX | LOCK_NB) != 0) {
		if (errno != EWOULDBLOCK)
			return err_set(e, ERR_IO, "%s: cannot be locked (%s)", path,
			    strerrordesc_np(errno));
		ssize_t n = pread(x->lock, pid, sizeof(pid) - 1, 0);
		pid[n > 0 ? strspn(pid, "0123456789") : 0] = '\0';
		return err_set(e, ERR_BUSY, "%s: another index run works on it%s%s: wait for its end",
		    x->o->path, *pid != '\0' ? ", process " : "", pid);
	}
	snprintf(pid, sizeof(pid), "%d\n", (int)getpid());
	if (ftruncate(x->lock, 0) == 0)
		/* a full disk: the holder stays unknown */
		(void)!pwrite(x->lock, pid, strlen(pid), 0);
	return OK;
}

/* -- what the file has -- */

/* The texts that have a vector of the model. */
static enum errcode look(struct index *x, struct err *e)
{
	struct db_stmt *s = db_query(x->db, sql_of(x, &SQL_HASHES), e, DB_TEXT(x->o->model));
	enum db_step step;
	while ((step = db_step(s, e)) == DB_ROW) {
		size_t at = x->texts.n;
		if (db_bytes(s, 0) == sizeof(struct text_hash))
			at = rule_texts_find(&x->texts, db_blob(s, 0));
		if (at < x->texts.n && !x->have[at]) {
			x->have[at] = true;
			x->done++;
		}
	}
	return db_end(s, step, e);
}

/* Numbers of the vectors that are there; 0: there are none. */
static enum errcode look_at_dims(struct index *x, struct err *e)
{
	struct db_stmt *s = db_query(x->db, sql_of(x, &SQL_BYTES), e, DB_TEXT(x->o->model));
	enum db_step step = db_step(s, e);
	x->stats->dims = step == DB_ROW ? (size_t)db_int_at(s, 0) / sizeof(float) : 0;
	return db_end(s, step, e);
}

static enum errcode begin(struct index *x, struct err *e)
{
	enum errcode rc = OK;
	if (x->o->rebuild)
		rc = db_exec(x->db, SQL_FORGET, e);
	/* if it is empty, there is no unfinished rebuild */
	x->renews = true;
	if (rc == OK)
		rc = look_at_dims(x, e);
	x->renews = x->o->rebuild || x->stats->dims > 0;
	if (rc == OK && !x->renews)
		rc = look_at_dims(x, e);
	if (rc == OK)
		rc = look(x, e);
	x->stats->kept = x->done;
	return rc;
}

/* -- a batch -- */

static enum errcode check_vectors(struct index *x, float *vectors, size_t n, size_t dims,
    struct err *e)
{
	if (dims == 0 || dims > VECTOR_FILE_DIMS)
		return err_set(e, ERR_UPSTREAM, "%s: vectors of %zu numbers: is it an embedding model "
		    "(rag.embedding_model)?", x->o->model, dims);
	if (x->stats->dims != 0 && x->stats->dims != dims)
		return err_set(e, ERR_UPSTREAM, "%s: vectors of %zu numbers, those in the file have %zu: "
		    "the provider has another model of this name now: " VECTOR_FILE_RUN " --rebuild",
		    x->o->model, dims, x->stats->dims);
	for (size_t i = 0; i < n; i++) {
		float *v = vectors + i * dims;
		vector_unit(v, dims);
		double one = vector_dot(v, v, dims);
		if (!(fabs(one - 1) < 1e-3))
			return err_set(e, ERR_UPSTREAM, "%s: a vector without a direction: is it an "
			    "embedding model (rag.embedding_model)?", x->o->model);
	}
	x->stats->dims = dims;
	return OK;
}

static enum errcode insert(struct index *x, struct arena *a, const size_t *which, size_t n,
    const float *vectors, struct err *e)
{
	const size_t dims = x->stats->dims;
	unsigned char *blob = arena_alloc(a, dims * sizeof(float));
	for (size_t i = 0; i < n; i++) {
		const struct text_hash *h = &x->texts.text[which[i]].hash;
		vector_encode(blob, vectors + i * dims, dims);
		if (db_put(x->db, sql_of(x, &SQL_INSERT), e, DB_TEXT(x->o->model),
		        DB_BLOB(h->b, sizeof(h->b)), DB_BLOB(blob, dims * sizeof(float))) != OK)
			return e->code;
	}
	return OK;
}

static enum errcode commit(struct index *x, enum errcode rc, struct err *e)
{
	if (rc == OK)
		rc = db_exec(x->db, "COMMIT", e);
	if (rc != OK)
		db_exec(x->db, "ROLLBACK", &(struct err){ 0 });
	return rc;
}

static enum errcode batch(struct index *x, struct arena *a, const size_t *which, size_t n,
    struct err *e)
{
	const char *texts[BATCH];
	float *vectors;
	size_t dims;
	struct llm_usage used;
	for (size_t i = 0; i < n; i++) {
		const char *text = x->texts.text[which[i]].text;
		texts[i] = arena_strndup(a, text, utf8_cut(text, strlen(text), VECTOR_FILE_TEXT_BYTES));
	}
	/* chats do not wait for the indexing, and its failures do not count for them */
	const struct llm_embed_request req = { .model = x->o->model, .texts = texts, .n = n,
		.ungated = true };
	enum errcode rc = llm_embed(x->llm, a, &req, x->w, &vectors, &dims, &used, e);
	llm_usage_add(&x->stats->usage, &used);
	if (rc == OK)
		rc = check_vectors(x, vectors, n, dims, e);
	if (rc == OK)
		rc = db_exec(x->db, "BEGIN IMMEDIATE", e);
	if (rc != OK)
		return rc;
	rc = commit(x, insert(x, a, which, n, vectors, e), e);
	if (rc != OK)
		return rc;
	for (size_t i = 0; i < n; i++)
		x->have[which[i]] = true;
	x->done += n;
	x->stats->embedded += n;
	return OK;
}

static void report(const struct index *x)
{
	if (x->progress != NULL)
		x->progress(x->arg, "embedding", (int64_t)x->done, (int64_t)x->texts.n);
}

static enum errcode embed_all(struct index *x, struct err *e)
{
	enum errcode rc = OK;
	int64_t ms;
	report(x);
	for (size_t next = 0; rc == OK && x->done < x->texts.n;) {
		size_t which[BATCH], n = 0;
		for (; next < x->texts.n && n < BATCH; next++)
			if (!x->have[next])
				which[n++] = next;
		if (x->w != NULL && x->w->check != NULL && (rc = x->w->check(x->w->arg, &ms)) != OK)
			return err_set(e, rc, "given up");
		struct arena *a = arena_new();
		rc = batch(x, a, which, n, e);
		arena_free(a);
		report(x);
	}
	return rc;
}

/* -- the end -- */

static bool is_current(struct index *x)
{
	struct db_stmt *s = db_query(x->db, SQL_CURRENT, NULL, DB_TEXT(x->o->model),
	    DB_INT((int64_t)x->stats->dims), DB_INT((int64_t)x->texts.n));
	bool yes = db_step(s, NULL) == DB_ROW && db_int_at(s, 0) == 1;
	db_done(s);
	return yes;
}

/* Remove vectors that belong to no text of the base, or to another model. */
static enum errcode drop(struct index *x, struct err *e)
{
	/* a damaged file may give a count smaller than its rows */
	size_t room = (size_t)db_int(x->db, "SELECT count(*) FROM vectors", 0);
	int64_t *ids = arena_array(x->mem, room, sizeof(*ids));
	struct db_stmt *s = db_prepare(x->db, SQL_ALL, e);
	enum db_step step;
	size_t n = 0;
	while ((step = db_step(s, e)) == DB_ROW) {
		bool ours = streq(db_text(s, 1), x->o->model) &&
		    db_bytes(s, 2) == sizeof(struct text_hash) &&
		    rule_texts_find(&x->texts, db_blob(s, 2)) < x->texts.n;
		if (!ours && n < room)
			ids[n++] = db_int_at(s, 0);
	}
	enum errcode rc = db_end(s, step, e);
	for (size_t i = 0; rc == OK && i < n; i++)
		rc = db_put(x->db, SQL_DELETE, e, DB_INT(ids[i]));
	x->stats->dropped += n;
	return rc;
}

/* The rebuilt vectors take the place of all others. */
static enum errcode take_over(struct index *x, struct err *e)
{
	enum errcode rc = db_exec(x->db, SQL_CLEAR, e);
	if (rc == OK)
		rc = db_put(x->db, SQL_TAKE_OVER, e, DB_TEXT(x->o->model));
	/* the rules may have changed since the rebuild began */
	return rc == OK ? drop(x, e) : rc;
}

static enum errcode say_built(struct index *x, struct err *e)
{
	char now[CLOCK_ISO_SIZE];
	clock_iso_utc(now, clock_wall_us());
	return db_put(x->db, SQL_BUILT, e, DB_TEXT(x->o->model), DB_INT((int64_t)x->stats->dims),
	    DB_INT((int64_t)x->texts.n), DB_TEXT(now));
}

/* One transaction: put the new vectors in place, remove all others, and mark the model as built. */
static enum errcode finish(struct index *x, struct err *e)
{
	if (is_current(x))
		return OK;
	enum errcode rc = db_exec(x->db, "BEGIN IMMEDIATE", e);
	if (rc != OK)
		return rc;
	rc = drop(x, e);
	if (rc == OK && x->renews)
		rc = take_over(x, e);
	if (rc == OK)
		rc = db_exec(x->db, SQL_FORGET, e);
	if (rc == OK)
		rc = db_exec(x->db, SQL_NO_BUILDS, e);
	if (rc == OK)
		rc = say_built(x, e);
	return commit(x, rc, e);
}

/* The finished part was kept; say how to continue. */
static enum errcode broken_off(const struct index *x, enum errcode rc, struct err *e)
{
	if (rc == ERR_HUP)
		err_set(e, rc, "stopped");
	/* the next run does not see a rebuild that has no vector yet */
	const char *how = x->renews && x->done == 0 ? " --rebuild" : "";
	size_t n = utf8_cut(e->msg, strlen(e->msg), 370);
	return err_set(e, rc, "%.*s; %zu of %zu texts are done: " VECTOR_FILE_RUN "%s again to go on",
	    (int)n, e->msg, x->done, x->texts.n, how);
}

enum errcode rules_index(const struct index_options *o, const struct rulebase *b,
    struct llm *llm, const struct watch *w, progress_fn *progress, void *arg,
    struct index_stats *stats, struct err *e)
{
	struct arena *mem = arena_new();
	struct index x = { .o = o, .llm = llm, .w = w, .progress = progress, .arg = arg,
		.stats = stats, .mem = mem, .lock = -1 };
	struct err local;
	if (e == NULL)
		e = &local;
	*stats = (struct index_stats){ 0 };
	enum errcode rc = rule_texts_of(&x.texts, mem, b, e);
	x.have = arena_array(mem, x.texts.n, sizeof(*x.have));
	stats->texts = x.texts.n;
	stats->questions = x.texts.questions;
	stats->answers = x.texts.answers;
	if (rc == OK)
		rc = take_lock(&x, e);
	if (rc == OK)
		rc = vector_file_open(&x.db, o->path, true, e);
	if (rc == OK)
		rc = begin(&x, e);
	if (rc == OK) {
		rc = embed_all(&x, e);
		if (rc == OK)
			rc = finish(&x, e);
		if (rc != OK)
			broken_off(&x, rc, e);
	}
	db_close(x.db);
	if (x.lock >= 0)
		close(x.lock);
	arena_free(mem);
	return rc;
}
