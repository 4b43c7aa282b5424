/*
 * A thread that was cut or damaged, as the next turn gets it. Threads are written as words:
 *   u, a       what the user and the assistant said
 *   [12]       the assistant calls tools; each character is the id of a call
 *   1          the result of call 1
 *   !1         the result that the store makes up
 */
#include "services/store_backend.h"

#include "tests/unit/store_fix.h"

static const struct {
	const char *stored, *loaded;
} threads[] = {
	{ "u a", "u a" },
	{ "u", "u" },
	{ "u [1] 1 a", "u [1] 1 a" },
	{ "u [12] 2 1 a", "u [12] 2 1 a" },
	/* cut between a call and its result */
	{ "u [1]", "u [1] !1" },
	{ "u [12]", "u [12] !1 !2" },
	{ "u [12] 2", "u [12] 2 !1" },
	{ "u [1] u a", "u [1] !1 u a" },
	{ "u [12] 1 a u [3] 3", "u [12] 1 !2 a u [3] 3" },
	{ "u [1] [2] 2 a", "u [1] !1 [2] 2 a" },
	/* results without a call */
	{ "1 u a", "u a" },
	{ "1 2", "" },
	{ "u 1 a", "u a" },
	{ "u [1] 1 2 a", "u [1] 1 a" },
	{ "u [1] 1 1 a", "u [1] 1 a" },
	{ "u [1] u 1 a", "u [1] !1 u a" },
	/* a call that repeats an id has one result */
	{ "u [11] 1 1 a", "u [1] 1 a" },
	{ "u [11] a", "u [1] !1 a" },
	/* an id may be used again by a later turn */
	{ "u [1] 1 a u [1] a", "u [1] 1 a u [1] !1 a" },
};
enum { THREADS = sizeof(threads) / sizeof(threads[0]) };

static struct message_call *calls_of(struct arena *a, const char *word, size_t *n)
{
	*n = strlen(word) - 2;
	struct message_call *calls = arena_array(a, *n, sizeof(*calls));
	for (size_t i = 0; i < *n; i++)
		calls[i] = (struct message_call){ arena_printf(a, "%c", word[i + 1]), "search", "{}", NULL };
	return calls;
}

static struct message message_of(struct arena *a, const char *word)
{
	struct message m = message_new(a, *word == 'u' ? "user" : *word == 'a' || *word == '[' ?
	    "assistant" : "tool", *word == '[' ? "" : word);
	if (*word == '[')
		m.calls = calls_of(a, word, &m.ncalls);
	else if (streq(m.role, "tool"))
		m.call_id = word;
	return m;
}

static size_t read_words(struct arena *a, const char *words, struct message *m)
{
	size_t n = 0;
	char *copy = arena_strdup(a, words);

	for (char *save = NULL, *w = strtok_r(copy, " ", &save); w != NULL; w = strtok_r(NULL, " ", &save))
		m[n++] = message_of(a, w);
	return n;
}

static const char *words_of(struct arena *a, const struct thread *t)
{
	const char *out = "";

	for (size_t i = 0; i < t->nloaded; i++) {
		const struct message *m = &t->messages[i];
		const char *word = m->content;

		if (m->ncalls > 0)
			word = "[";
		for (size_t k = 0; k < m->ncalls; k++)
			word = arena_printf(a, "%s%s%s", word, m->calls[k].id, k + 1 == m->ncalls ? "]" : "");
		if (streq(m->role, "tool"))
			word = arena_printf(a, "%s%s", strstr(m->content, "\"error\"") != NULL ? "!" : "",
			    m->call_id);
		out = arena_printf(a, "%s%s%s", out, i > 0 ? " " : "", word);
	}
	return out;
}

EACH_STORE(a_cut_thread_can_be_shown_to_a_model, 3600)
{
	for (size_t i = 0; i < THREADS; i++) {
		struct message m[16];
		const char *id = arena_printf(f->a, "t%zu", i);
		struct lease l = lease(f, id, "run-1", 20000);
		struct commit c = { .append = m, .nappend = read_words(f->a, threads[i].stored, m),
		    .last = true };

		TEST_OK(store_commit(f->s, &l, NULL, &c, &f->e), f->e);
		struct thread t = load(f, id, 100);
		cr_expect_str_eq(words_of(f->a, &t), threads[i].loaded, "\"%s\": got \"%s\"",
		    threads[i].stored, words_of(f->a, &t));
		cr_expect_eq(t.nmessages, (int64_t)c.nappend);
		cr_expect_eq(t.nolder, 0);
		for (size_t k = 0; k < t.nloaded; k++)
			cr_expect_eq(id_valid(t.messages[k].id, 128), true, "%s", t.messages[k].id);
	}
}

/* What was made up is not stored: the next turn finds the same thread, with its own messages behind. */
EACH_STORE(a_repair_is_not_stored, 3600)
{
	struct message m[8], next[4];
	struct lease l = lease(f, "t1", "run-1", 20000);
	struct commit c = { .append = m, .nappend = read_words(f->a, "u [12] 2 3", m) };

	TEST_OK(store_commit(f->s, &l, NULL, &c, &f->e), f->e);
	for (int v = 1; v < 4; v++) {
		struct thread t = load(f, "t1", 100);
		cr_assert_eq(t.nmessages, 4 + 2 * (v - 1));
		c = (struct commit){ .version = v, .append = next,
		    .nappend = read_words(f->a, "u a", next) };
		TEST_OK(store_commit(f->s, &l, NULL, &c, &f->e), f->e);
	}
	struct thread t = load(f, "t1", 100);
	cr_assert_str_eq(words_of(f->a, &t), "u [12] 2 !1 u a u a u a");
	/* made up alike each time */
	struct thread again = load(f, "t1", 100);
	cr_assert_str_eq(t.messages[3].id, again.messages[3].id);
}

/* A range that begins between a call and its results. */
EACH_STORE(older_messages_are_counted_before_the_repair, 3600)
{
	struct message m[8];
	struct lease l = lease(f, "t1", "run-1", 20000);
	struct commit c = { .append = m, .nappend = read_words(f->a, "u [12] 1 2 a u", m) };

	TEST_OK(store_commit(f->s, &l, NULL, &c, &f->e), f->e);
	struct thread t = load(f, "t1", 4);
	cr_assert_str_eq(words_of(f->a, &t), "a u");
	cr_assert_eq(t.nolder, 2);
	cr_assert_eq(load(f, "t1", 100).nolder, 0);
}
