/*
 * The gate, alone and shared. A second gate over the same file stands for another process
 * where nothing dies: it has the file open for itself, so the kernel sees two holders.
 */
#include "services/llm_gate.h"
#include "tests/unit/test.h"

#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define URL "https://user:secret@llm.example/v1"
enum { FAILURES_AT = 8, UNTIL_AT = 16, LONG_MS = 60000, ROUNDS = 1000 };

/* As most tests want it: nobody waits, three failures, a rest no test outlives. */
static struct llm_gate_config config(const char *dir)
{
	return (struct llm_gate_config){ .dir = dir, .provider = URL, .max_calls = 4,
		.max_failures = 3, .rest_ms = LONG_MS };
}

static struct llm_gate *gate(const char *dir)
{
	struct llm_gate_config c = config(dir);
	return llm_gate_open(&c);
}

static enum errcode enter(struct llm_gate *g, int *place)
{
	bool full;
	return llm_gate_enter(g, NULL, place, &full, NULL);
}

/* One call that ended so. */
static void call(struct llm_gate *g, enum llm_outcome outcome)
{
	int place;
	cr_assert_eq(enter(g, &place), OK);
	llm_gate_leave(g, place, outcome);
}

/* The gate's file in dir; static storage. */
static const char *file_of(const char *dir)
{
	static char path[600];
	char pattern[600];
	glob_t found;
	snprintf(pattern, sizeof(pattern), "%s/*.gate", dir);
	cr_assert_eq(glob(pattern, 0, NULL, &found), 0);
	cr_assert_eq(found.gl_pathc, 1);
	snprintf(path, sizeof(path), "%s", found.gl_pathv[0]);
	globfree(&found);
	return path;
}

static void poke(const char *dir, off_t at, int64_t value)
{
	int fd = open(file_of(dir), O_WRONLY);
	cr_assert_eq(pwrite(fd, &value, sizeof(value), at), sizeof(value));
	close(fd);
}

static int64_t peek(const char *dir, off_t at)
{
	int64_t value;
	int fd = open(file_of(dir), O_RDONLY);
	cr_assert_eq(pread(fd, &value, sizeof(value), at), sizeof(value));
	close(fd);
	return value;
}

static int64_t boot_ms(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_BOOTTIME, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void log_to(const char *dir)
{
	char path[600];
	snprintf(path, sizeof(path), "%s/log", dir);
	cr_assert(log_open(path));
}

/* Lines of the log with `what` in them. */
static int logged(const char *dir, const char *what)
{
	char path[600], line[4096];
	int n = 0;
	snprintf(path, sizeof(path), "%s/log", dir);
	FILE *f = fopen(path, "r");
	cr_assert_not_null(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		n += strstr(line, what) != NULL;
		cr_expect_null(strstr(line, "secret"), "%s", line);
	}
	fclose(f);
	return n;
}

/* -- the cap -- */

TEST(llm_gate, cap)
{
	int place[5];
	bool full, seen[4] = { false };
	struct err e;
	struct llm_gate *g = gate(NULL);
	for (int i = 0; i < 4; i++) {
		TEST_OK(llm_gate_enter(g, NULL, &place[i], &full, &e), e);
		cr_assert(place[i] >= 0 && place[i] < 4 && !seen[place[i]]);
		seen[place[i]] = true;
	}
	cr_expect_eq(llm_gate_enter(g, NULL, &place[4], &full, &e), ERR_OVERLOAD);
	cr_expect(full);
	cr_expect_eq(place[4], -1);
	cr_expect(strstr(e.msg, "AVIATION_AGENT_LLM_MAX_CALLS") != NULL, "%s", e.msg);
	llm_gate_leave(g, place[2], LLM_ANSWERED);
	cr_expect_eq(enter(g, &place[4]), OK);
	cr_expect_eq(place[4], place[2]);
	llm_gate_close(g);
}

/* A process with `n` places in its hands; it ends when `end` is closed, or is killed. */
static pid_t holder(const char *dir, int n, int end[2])
{
	int ready[2];
	char c;
	cr_assert_eq(pipe(ready), 0);
	cr_assert_eq(pipe(end), 0);
	pid_t pid = fork();
	if (pid == 0) {
		int place;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		struct llm_gate *g = gate(dir);
		close(end[1]);
		for (int i = 0; i < n; i++)
			if (enter(g, &place) != OK)
				_exit(1);
		if (write(ready[1], "y", 1) != 1 || read(end[0], &c, 1) != 0)
			_exit(2);
		llm_gate_leave(g, place, LLM_ANSWERED);
		pause();
	}
	close(ready[1]);
	close(end[0]);
	cr_assert_eq(read(ready[0], &c, 1), 1, "the child got no places");
	close(ready[0]);
	return pid;
}

static void killed(pid_t pid)
{
	kill(pid, SIGKILL);
	cr_assert_eq(waitpid(pid, NULL, 0), pid);
}

TEST(llm_gate, cap_over_processes)
{
	char *dir = test_mkdtemp();
	int a[2], b[2], place;
	pid_t pa = holder(dir, 2, a), pb = holder(dir, 2, b);
	struct llm_gate *g = gate(dir);
	cr_expect_eq(enter(g, &place), ERR_OVERLOAD);
	killed(pb);
	cr_expect_eq(enter(g, &place), OK);
	cr_expect_eq(enter(g, &place), OK);
	cr_expect_eq(enter(g, &place), ERR_OVERLOAD);
	killed(pa);
	cr_expect_eq(enter(g, &place), OK);
	close(a[1]);
	close(b[1]);
	llm_gate_close(g);
	test_rmdir(dir);
}

/* -- waiting -- */

/* What the other process does once somebody waits: it gives a place back, or dies with them. */
struct other {
	pid_t pid;
	int end;
	bool dies, done;
};

static enum errcode let_go(void *arg, int64_t *ms)
{
	struct other *o = arg;
	*ms = LONG_MS;
	if (!o->done && o->dies)
		killed(o->pid);
	else if (!o->done)
		close(o->end);
	o->done = true;
	return OK;
}

TEST(llm_gate, waits_for_another_process)
{
	for (int dies = 0; dies < 2; dies++) {
		char *dir = test_mkdtemp();
		int end[2], place;
		bool full;
		struct err e;
		struct llm_gate_config c = config(dir);
		c.queue_ms = LONG_MS;
		struct other o = { .pid = holder(dir, 4, end), .end = end[1], .dies = dies };
		struct llm_gate *g = llm_gate_open(&c);
		struct watch w = { .fd = -1, .check = let_go, .arg = &o };
		TEST_OK(llm_gate_enter(g, &w, &place, &full, &e), e);
		cr_expect(o.done, "it came in before anybody left");
		if (dies)
			close(end[1]);
		else
			killed(o.pid);
		llm_gate_close(g);
		test_rmdir(dir);
	}
}

/* What happens while one waits as the first in line: the only place is given back, and somebody
 * else comes. */
struct scene {
	struct llm_gate *g;
	int held, checks, refused;
};

static enum errcode in_a_hurry(void *arg, int64_t *ms)
{
	(void)arg;
	*ms = 1;
	return ERR_TIMEOUT;
}

static enum errcode play(void *arg, int64_t *ms)
{
	struct scene *s = arg;
	const struct watch hurry = { .fd = -1, .check = in_a_hurry };
	int place;
	bool full;
	*ms = LONG_MS;
	if (s->checks++ == 0) {
		llm_gate_leave(s->g, s->held, LLM_NO_VERDICT);
		s->refused = llm_gate_enter(s->g, &hurry, &place, &full, NULL) == ERR_TIMEOUT;
	}
	return OK;
}

TEST(llm_gate, first_come_first_served_and_at_once)
{
	int place;
	bool full;
	struct err e;
	struct llm_gate_config c = config(NULL);
	c.max_calls = 1;
	c.queue_ms = LONG_MS;
	struct scene s = { .g = llm_gate_open(&c) };
	const struct watch w = { .fd = -1, .check = play, .arg = &s };
	TEST_OK(llm_gate_enter(s.g, NULL, &s.held, &full, &e), e);
	TEST_OK(llm_gate_enter(s.g, &w, &place, &full, &e), e);
	cr_expect(s.refused, "who came later was let in first");
	cr_expect_eq(s.checks, 1, "it was not woken but looked again");
	llm_gate_close(s.g);
}

struct crowd {
	struct llm_gate *gates[2];
	atomic_int inside, most, served;
};

static void *pass(void *arg)
{
	struct crowd *c = arg;
	static atomic_int next;
	struct llm_gate *g = c->gates[atomic_fetch_add(&next, 1) % 2];
	for (int i = 0; i < 20; i++) {
		int place;
		if (enter(g, &place) != OK)
			return NULL;
		int n = atomic_fetch_add(&c->inside, 1) + 1, most = atomic_load(&c->most);
		while (n > most && !atomic_compare_exchange_weak(&c->most, &most, n))
			;
		clock_sleep_ms(1);
		atomic_fetch_sub(&c->inside, 1);
		atomic_fetch_add(&c->served, 1);
		llm_gate_leave(g, place, LLM_ANSWERED);
	}
	return NULL;
}

TEST(llm_gate, a_crowd_is_served_few_at_a_time)
{
	char *dir = test_mkdtemp();
	pthread_t t[16];
	struct llm_gate_config gc = config(dir);
	gc.max_calls = 3;
	gc.queue_ms = LONG_MS;
	struct crowd c = { .gates = { llm_gate_open(&gc), llm_gate_open(&gc) } };
	for (size_t i = 0; i < COUNT(t); i++)
		pthread_create(&t[i], NULL, pass, &c);
	for (size_t i = 0; i < COUNT(t); i++)
		pthread_join(t[i], NULL);
	cr_expect_eq(c.served, 16 * 20);
	cr_expect_eq(c.most, 3);
	llm_gate_close(c.gates[0]);
	llm_gate_close(c.gates[1]);
	test_rmdir(dir);
}

static enum errcode ending(void *arg, int64_t *ms)
{
	*ms = 1;
	return ++*(int *)arg > 3 ? ERR_OVERLOAD : OK;
}

TEST(llm_gate, who_leaves_waits_no_longer)
{
	int s[2], places[4], place, checks = 0;
	bool full = true;
	struct err e;
	struct llm_gate_config c = config(NULL);
	c.queue_ms = LONG_MS;
	struct llm_gate *g = llm_gate_open(&c);
	for (int i = 0; i < 4; i++)
		cr_assert_eq(enter(g, &places[i]), OK);

	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
	close(s[1]);
	struct watch gone = { .fd = s[0] }, stop = { .fd = -1, .check = ending, .arg = &checks };
	cr_expect_eq(llm_gate_enter(g, &gone, &place, &full, &e), ERR_HUP);
	cr_expect(!full);
	cr_expect_eq(llm_gate_enter(g, &stop, &place, &full, &e), ERR_OVERLOAD);
	cr_expect(!full, "the watch said so, not the cap");
	cr_expect_eq(place, -1);

	/* and nobody stands in the queue for them */
	llm_gate_leave(g, places[0], LLM_NO_VERDICT);
	cr_expect_eq(enter(g, &place), OK);
	close(s[0]);
	llm_gate_close(g);
}

/* -- the breaker -- */

TEST(llm_gate, rests_after_failures_in_a_row)
{
	char *dir = test_mkdtemp();
	int place, late;
	bool full;
	struct err e;
	log_to(dir);
	struct llm_gate *a = gate(dir), *b = gate(dir);
	cr_assert_eq(enter(a, &late), OK);
	call(a, LLM_OUTAGE);
	call(b, LLM_OUTAGE);
	call(a, LLM_ANSWERED);
	call(a, LLM_OUTAGE);
	call(a, LLM_NO_VERDICT);
	call(b, LLM_OUTAGE);
	cr_expect_eq(llm_gate_rests(a), 0);
	call(b, LLM_OUTAGE);
	cr_expect(llm_gate_rests(a) > LONG_MS / 2 && llm_gate_rests(a) <= LONG_MS);
	cr_expect_eq(llm_gate_enter(a, NULL, &place, &full, &e), ERR_UPSTREAM);
	cr_expect(!full);
	cr_expect(strstr(e.msg, "3 times in a row") != NULL, "%s", e.msg);
	cr_expect_eq(enter(b, &place), ERR_UPSTREAM);

	/* a call from before the rest */
	int64_t until = peek(dir, UNTIL_AT);
	llm_gate_leave(a, late, LLM_OUTAGE);
	cr_expect_eq(peek(dir, UNTIL_AT), until);
	cr_expect_eq(logged(dir, " warn provider_resting "), 1);
	cr_expect_eq(logged(dir, "provider_back"), 0);
	llm_gate_close(a);
	llm_gate_close(b);
	log_open(NULL);
	test_rmdir(dir);
}

TEST(llm_gate, an_answer_from_before_ends_the_rest)
{
	char *dir = test_mkdtemp();
	int late;
	log_to(dir);
	struct llm_gate *g = gate(dir);
	cr_assert_eq(enter(g, &late), OK);
	for (int i = 0; i < 3; i++)
		call(g, LLM_OUTAGE);
	cr_expect(llm_gate_rests(g) > 0);
	llm_gate_leave(g, late, LLM_ANSWERED);
	cr_expect_eq(llm_gate_rests(g), 0);
	cr_expect_eq(logged(dir, " info provider_back "), 1);
	llm_gate_close(g);
	log_open(NULL);
	test_rmdir(dir);
}

TEST(llm_gate, never_rests_when_not_told_to)
{
	struct llm_gate_config c = config(NULL);
	c.max_failures = 0;
	struct llm_gate *g = llm_gate_open(&c);
	for (int i = 0; i < 20; i++)
		call(g, LLM_OUTAGE);
	cr_expect_eq(llm_gate_rests(g), 0);
	llm_gate_close(g);
}

/* What the call that tries finds, and whether it is open, resting or to be tried again then. */
enum then { OPEN, RESTS, NEXT_TRIES };
static const struct { enum llm_outcome outcome; enum then then; } probes[] = {
	{ LLM_ANSWERED, OPEN },
	{ LLM_OUTAGE, RESTS },
	{ LLM_NO_VERDICT, NEXT_TRIES },
};

TEST(llm_gate, one_tries_for_all)
{
	for (size_t i = 0; i < COUNT(probes); i++) {
		char *dir = test_mkdtemp();
		int probe, place, again;
		log_to(dir);
		struct llm_gate *a = gate(dir), *b = gate(dir);
		for (int n = 0; n < 3; n++)
			call(a, LLM_OUTAGE);
		poke(dir, UNTIL_AT, 1);         /* the rest is over */
		cr_expect_eq(enter(b, &probe), OK, "%zu", i);
		cr_expect_eq(enter(a, &place), ERR_UPSTREAM, "%zu", i);
		cr_expect_eq(enter(b, &place), ERR_UPSTREAM, "%zu", i);
		clock_sleep_ms(5);
		int64_t left_ms = boot_ms();
		llm_gate_leave(b, probe, probes[i].outcome);
		if (probes[i].then == RESTS)
			cr_expect_geq(peek(dir, UNTIL_AT), left_ms + LONG_MS, "%zu", i);

		bool rests = probes[i].then == RESTS, open = probes[i].then == OPEN;
		cr_expect_eq(llm_gate_rests(a) > 0, rests, "%zu", i);
		cr_expect_eq(enter(a, &place), rests ? ERR_UPSTREAM : OK, "%zu", i);
		cr_expect_eq(enter(a, &again), open ? OK : ERR_UPSTREAM, "%zu", i);
		cr_expect_eq(logged(dir, "provider_back"), open, "%zu", i);
		cr_expect_eq(logged(dir, "provider_resting"), 1, "%zu", i);
		llm_gate_close(a);
		llm_gate_close(b);
		log_open(NULL);
		test_rmdir(dir);
	}
}

TEST(llm_gate, one_tries_for_all_processes)
{
	enum { CHILDREN = 8 };
	char *dir = test_mkdtemp(), c;
	int start[2], status, tried = 0;
	pid_t pid[CHILDREN];
	struct llm_gate *g = gate(dir);
	for (int n = 0; n < 3; n++)
		call(g, LLM_OUTAGE);
	poke(dir, UNTIL_AT, 1);
	cr_assert_eq(pipe(start), 0);
	for (int i = 0; i < CHILDREN; i++)
		if ((pid[i] = fork()) == 0) {
			int place;
			struct llm_gate *mine = gate(dir);
			close(start[1]);
			/* it ends without an answer: the place comes back, the rest does not end */
			_exit(read(start[0], &c, 1) == 0 && enter(mine, &place) == OK ? 7 : 0);
		}
	close(start[1]);
	for (int i = 0; i < CHILDREN; i++) {
		cr_assert_eq(waitpid(pid[i], &status, 0), pid[i]);
		tried += WIFEXITED(status) && WEXITSTATUS(status) == 7;
	}
	cr_expect_eq(tried, 1);
	int place;
	cr_expect_eq(enter(g, &place), ERR_UPSTREAM);
	/* who tried has died: the rest it set is over */
	poke(dir, UNTIL_AT, boot_ms() - 1);
	cr_expect_eq(enter(g, &place), OK);
	close(start[0]);
	llm_gate_close(g);
	test_rmdir(dir);
}

struct race {
	struct llm_gate *gates[2];
	pthread_barrier_t line;
	atomic_int number, in;
};

static void *run_race(void *arg)
{
	struct race *r = arg;
	struct llm_gate *g = r->gates[atomic_fetch_add(&r->number, 1) % 2];
	for (int i = 0; i < ROUNDS; i++) {
		int place;
		pthread_barrier_wait(&r->line);
		enum errcode rc = enter(g, &place);
		atomic_fetch_add(&r->in, rc == OK);
		pthread_barrier_wait(&r->line);
		/* who tried hands the trial on, for the next round */
		if (rc == OK)
			llm_gate_leave(g, place, LLM_NO_VERDICT);
	}
	return NULL;
}

TEST(llm_gate, one_wins_each_time)
{
	char *dir = test_mkdtemp();
	pthread_t t[8];
	struct llm_gate_config c = config(dir);
	c.max_calls = 2 * (int)COUNT(t);
	struct race r = { .gates = { llm_gate_open(&c), llm_gate_open(&c) } };
	pthread_barrier_init(&r.line, NULL, COUNT(t));
	poke(dir, UNTIL_AT, 1);
	for (size_t i = 0; i < COUNT(t); i++)
		pthread_create(&t[i], NULL, run_race, &r);
	for (size_t i = 0; i < COUNT(t); i++)
		pthread_join(t[i], NULL);
	cr_expect_eq(r.in, ROUNDS, "%d", r.in);
	pthread_barrier_destroy(&r.line);
	llm_gate_close(r.gates[0]);
	llm_gate_close(r.gates[1]);
	test_rmdir(dir);
}

/* -- numbers nobody wrote -- */

static const int64_t odd[] = { INT64_MAX, INT64_MAX - LONG_MS, INT64_MIN, -1, 1,
	INT64_C(1) << 40, 0x7f7f7f7f7f7f7f7f };

TEST(llm_gate, no_number_closes_it_for_longer)
{
	char *dir = test_mkdtemp();
	for (size_t i = 0; i < COUNT(odd); i++) {
		struct llm_gate *g = gate(dir);
		poke(dir, UNTIL_AT, odd[i]);
		poke(dir, FAILURES_AT, odd[i]);
		bool ahead = odd[i] > boot_ms();
		int64_t rests = llm_gate_rests(g);
		cr_expect(ahead ? rests > 0 && rests <= LONG_MS : rests == 0, "%zu: %lld", i,
		    (long long)rests);
		/* and not from anew each time */
		if (ahead)
			cr_expect_leq(peek(dir, UNTIL_AT), boot_ms() + LONG_MS, "%zu", i);
		else
			call(g, LLM_OUTAGE);
		cr_expect_leq(llm_gate_rests(g), LONG_MS, "%zu", i);
		poke(dir, UNTIL_AT, 1);
		call(g, LLM_ANSWERED);
		cr_expect_eq(peek(dir, FAILURES_AT), 0, "%zu", i);
		call(g, LLM_OUTAGE);
		cr_expect_eq(llm_gate_rests(g), 0, "%zu", i);

		/* nor keeps it open */
		poke(dir, FAILURES_AT, odd[i]);
		for (int n = 0; n < 3 && llm_gate_rests(g) == 0; n++)
			call(g, LLM_OUTAGE);
		cr_expect(llm_gate_rests(g) > 0, "%zu", i);
		llm_gate_close(g);
	}
	test_rmdir(dir);
}

TEST(llm_gate, the_rest_of_before_a_reboot_ends)
{
	char *dir = test_mkdtemp();
	struct llm_gate_config c = config(dir);
	c.rest_ms = 50;
	struct llm_gate *g = llm_gate_open(&c);
	poke(dir, UNTIL_AT, boot_ms() + 30 * INT64_C(86400000));
	cr_expect(llm_gate_rests(g) > 0);
	for (int i = 0; i < 500 && llm_gate_rests(g) > 0; i++)
		clock_sleep_ms(10);
	call(g, LLM_ANSWERED);
	llm_gate_close(g);
	test_rmdir(dir);
}

static const struct { const char *what; int byte; size_t size; } damages[] = {
	{ "empty", 0, 0 }, { "cut short", 'x', 3 }, { "text", 'x', 5000 }, { "ones", 0xff, 24 },
	{ "zeros", 0, 100000 },
};

TEST(llm_gate, damaged_files_start_again)
{
	for (size_t i = 0; i < COUNT(damages); i++) {
		char *dir = test_mkdtemp();
		struct stat st;
		llm_gate_close(gate(dir));
		FILE *f = fopen(file_of(dir), "w");
		for (size_t n = 0; n < damages[i].size; n++)
			fputc(damages[i].byte, f);
		fclose(f);
		struct llm_gate *a = gate(dir), *b = gate(dir);
		cr_expect_eq(llm_gate_rests(a), 0, "%s", damages[i].what);
		for (int n = 0; n < 3; n++)
			call(a, LLM_OUTAGE);
		cr_expect(llm_gate_rests(b) > 0, "%s: not shared", damages[i].what);
		cr_assert_eq(stat(file_of(dir), &st), 0);
		cr_expect(st.st_size >= (off_t)damages[i].size && st.st_size >= 32, "%s: %lld",
		    damages[i].what, (long long)st.st_size);
		llm_gate_close(a);
		llm_gate_close(b);
		test_rmdir(dir);
	}
}

/* -- the file -- */

TEST(llm_gate, file_of_a_provider)
{
	char *dir = test_mkdtemp();
	struct stat st;
	umask(022);
	struct llm_gate *g = gate(dir);
	const char *path = file_of(dir);
	cr_expect_null(strstr(path, "llm.example"));
	cr_assert_eq(stat(path, &st), 0);
	cr_expect_eq(st.st_mode & 07777, 0640);

	/* what another provider does is no concern of this one */
	struct llm_gate_config c = config(dir);
	c.provider = "http://127.0.0.1:11434/v1";
	struct llm_gate *other = llm_gate_open(&c);
	for (int n = 0; n < 3; n++)
		call(other, LLM_OUTAGE);
	cr_expect(llm_gate_rests(other) > 0);
	cr_expect_eq(llm_gate_rests(g), 0);
	llm_gate_close(g);
	llm_gate_close(other);
	test_rmdir(dir);
}

/* Ways to make the file, or its folder, one that cannot be used. */
static void as_symlink(const char *path) { cr_assert_eq(symlink("target", path), 0); }
static void as_fifo(const char *path) { cr_assert_eq(mkfifo(path, 0640), 0); }
static void as_folder(const char *path) { cr_assert_eq(mkdir(path, 0750), 0); }

static void as_second_name(const char *path)
{
	char target[700];
	snprintf(target, sizeof(target), "%.*s/target", (int)(strrchr(path, '/') - path), path);
	cr_assert_eq(link(target, path), 0);
}

static const struct {
	const char *what;
	void (*spoil)(const char *path);       /* NULL: the folder is the trouble */
	const char *folder;                    /* NULL: the test's own */
	const char *says;
} unusable[] = {
	{ "symbolic link", as_symlink, NULL, "a symbolic link: remove it" },
	{ "fifo", as_fifo, NULL, "not a regular file" },
	{ "folder", as_folder, NULL, "Is a directory" },
	{ "second name", as_second_name, NULL, "not a regular file of one name" },
	{ "no folder", NULL, "/nowhere/at/all", "No such file" },
	{ "file for folder", NULL, "/etc/passwd", "Not a directory" },
	{ "nobody may write there", NULL, "/proc/self", "provider_gate" },
};

TEST(llm_gate, alone_without_a_file)
{
	for (size_t i = 0; i < COUNT(unusable); i++) {
		char *dir = test_mkdtemp(), path[600], target[600];
		struct stat st;
		log_to(dir);
		snprintf(target, sizeof(target), "%s/target", dir);
		fclose(fopen(target, "w"));
		if (unusable[i].spoil != NULL) {
			llm_gate_close(gate(dir));
			snprintf(path, sizeof(path), "%s", file_of(dir));
			unlink(path);
			unusable[i].spoil(path);
		}
		const char *folder = unusable[i].folder != NULL ? unusable[i].folder : dir;
		struct llm_gate *a = gate(folder), *b = gate(folder);
		cr_expect_eq(logged(dir, unusable[i].says), 2, "%s", unusable[i].what);
		cr_expect_eq(logged(dir, " warn provider_gate "), 2, "%s", unusable[i].what);
		for (int n = 0; n < 3; n++)
			call(a, LLM_OUTAGE);
		cr_expect(llm_gate_rests(a) > 0, "%s", unusable[i].what);
		cr_expect_eq(llm_gate_rests(b), 0, "%s", unusable[i].what);
		cr_assert_eq(stat(target, &st), 0);
		cr_expect_eq(st.st_size, 0, "%s: written to", unusable[i].what);
		llm_gate_close(a);
		llm_gate_close(b);
		log_open(NULL);
		test_rmdir(dir);
	}
}

TEST(llm_gate, read_only_folder)
{
	char *dir = test_mkdtemp();
	bool root = geteuid() == 0;
	log_to(dir);
	cr_assert_eq(chmod(dir, 0555), 0);
	cr_assert(!root || seteuid(65534) == 0);
	struct llm_gate *g = gate(dir);
	cr_assert(!root || seteuid(0) == 0);
	cr_assert_eq(chmod(dir, 0755), 0);
	cr_expect_eq(logged(dir, "Permission denied"), 1);
	call(g, LLM_ANSWERED);
	llm_gate_close(g);
	log_open(NULL);
	test_rmdir(dir);
}

TEST(llm_gate, alone_because_asked_to_says_nothing)
{
	char *dir = test_mkdtemp();
	log_to(dir);
	struct llm_gate *g = gate(NULL);
	call(g, LLM_ANSWERED);
	cr_expect_eq(logged(dir, ""), 0);
	llm_gate_close(g);
	log_open(NULL);
	test_rmdir(dir);
}
