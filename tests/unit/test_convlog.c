/*
 * The conversation log: the format to the byte, and that no crash, crowd or full disk costs
 * more than the entry being written.
 */
#include "edges/convlog.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "tests/unit/test.h"
#include "tests/unit/tmpfs.h"

/* 2026-01-03 10:15:00.123456 UTC */
static const int64_t START_US = 1767435300123456;

struct fix {
	char *dir;
	struct convlog log;
	char path[512];
	struct arena *a;
	struct err e;
};

static void fix_up(struct fix *f)
{
	*f = (struct fix){ .dir = test_mkdtemp(), .a = arena_new() };
	f->log.dir = f->dir;
	log_open("/dev/null");           /* repairs are reported, here by the thousand */
	setenv("TZ", "UTC", 1);
	tzset();
	snprintf(f->path, sizeof(f->path), "%s/2026-01-03.json", f->dir);
}

static void fix_down(struct fix *f)
{
	arena_free(f->a);
	test_rmdir(f->dir);
}

static struct convlog_entry entry(const char *question)
{
	return (struct convlog_entry){ .session_id = "session_1", .run_id = "run-1",
	    .started_wall_us = START_US, .ended_wall_us = START_US + 5230000,
	    .question = question, .answer = "an answer", .thinking = "a thought" };
}

static enum errcode append(struct fix *f, const char *question)
{
	struct convlog_entry in = entry(question);

	return convlog_append(&f->log, &in, f->a, &f->e);
}

static char *slurp(struct fix *f, const char *path, size_t *n)
{
	struct stat st;
	int fd = open(path, O_RDONLY);

	cr_assert_geq(fd, 0, "%s", path);
	cr_assert_eq(fstat(fd, &st), 0);
	char *text = arena_alloc(f->a, (size_t)st.st_size + 1);
	cr_assert_eq(read(fd, text, (size_t)st.st_size), st.st_size);
	close(fd);
	if (n != NULL)
		*n = (size_t)st.st_size;
	return text;
}

static void spit(const char *path, const char *text, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0640);

	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, text, n), (ssize_t)n);
	close(fd);
}

/* The log as JSON; fails the test when it is not an array. */
static struct json_object *parse(struct fix *f)
{
	struct json_object *root = NULL;
	size_t n;
	char *text = slurp(f, f->path, &n);

	TEST_OK(jsn_parse(f->a, text, n, JSN_DEPTH, &root, NULL, &f->e), f->e);
	cr_assert(jsn_is(root, json_type_array));
	cr_assert(n > 4 && memcmp(text + n - 6, "\n  }\n]", 6) == 0, "%s", text);
	return root;
}

static const char *question_at(struct json_object *log, size_t i)
{
	return jsn_get_str(jsn_at(log, i), "question", NULL);
}

static int count_files(const char *dir)
{
	DIR *d = opendir(dir);
	int n = 0;

	while (readdir(d) != NULL)
		n++;
	closedir(d);
	return n - 2;
}

/* What Python's json.dump(log, f, indent=2, ensure_ascii=False) writes for these entries. */
static const char EXPECTED[] =
	"[\n"
	"  {\n"
	"    \"session_id\": \"session_1767435300123456\",\n"
	"    \"timestamp\": \"2026-01-03T10:15:00.123456\",\n"
	"    \"timestamp_end\": \"2026-01-03T10:15:05.353456\",\n"
	"    \"duration_seconds\": 5.23,\n"
	"    \"question\": \"Fuel near \\\"Zürich\\\"?\\n\\tAVGAS ✈️ \\u0001/\\\\\",\n"
	"    \"answer\": \"**LSZH**\",\n"
	"    \"thinking\": \"\",\n"
	"    \"tool_calls\": [\n"
	"      {\n"
	"        \"name\": \"find_airports_near_location\",\n"
	"        \"arguments\": {\n"
	"          \"location_query\": \"Zürich\",\n"
	"          \"filters\": {}\n"
	"        },\n"
	"        \"result\": {\n"
	"          \"count\": 1,\n"
	"          \"airports\": [\n"
	"            {\n"
	"              \"ident\": \"LSZH\",\n"
	"              \"distance_nm\": 4.5\n"
	"            }\n"
	"          ],\n"
	"          \"note\": null\n"
	"        }\n"
	"      }\n"
	"    ],\n"
	"    \"metadata\": {\n"
	"      \"has_visualizations\": true,\n"
	"      \"num_tool_calls\": 1,\n"
	"      \"has_error\": false,\n"
	"      \"tokens\": {\n"
	"        \"input\": 12\n"
	"      }\n"
	"    },\n"
	"    \"run_id\": \"6f1c2b1e-5a77-4d0c-9d34-0f6a8f1f7c11\"\n"
	"  },\n"
	"  {\n"
	"    \"session_id\": \"session_1\",\n"
	"    \"timestamp\": \"2026-01-03T10:15:00.123456\",\n"
	"    \"timestamp_end\": \"2026-01-03T10:15:05.353456\",\n"
	"    \"duration_seconds\": 5.23,\n"
	"    \"question\": \"second\",\n"
	"    \"answer\": \"an answer\",\n"
	"    \"thinking\": \"a thought\",\n"
	"    \"tool_calls\": [],\n"
	"    \"metadata\": {\n"
	"      \"has_visualizations\": false,\n"
	"      \"num_tool_calls\": 0,\n"
	"      \"has_error\": true\n"
	"    },\n"
	"    \"run_id\": \"run-1\",\n"
	"    \"error\": \"it broke\"\n"
	"  }\n"
	"]";

TEST(convlog, writes_what_the_original_wrote)
{
	struct fix f;
	static const char calls[] = "[{\"name\":\"find_airports_near_location\",\"arguments\":"
	    "{\"location_query\":\"Zürich\",\"filters\":{}},\"result\":{\"count\":1,\"airports\":"
	    "[{\"ident\":\"LSZH\",\"distance_nm\":4.5}],\"note\":null}}]";
	static const char extra[] = "{\"tokens\":{\"input\":12}}";

	fix_up(&f);
	struct convlog_entry in = {
		.session_id = "session_1767435300123456",
		.run_id = "6f1c2b1e-5a77-4d0c-9d34-0f6a8f1f7c11",
		.started_wall_us = START_US,
		.ended_wall_us = START_US + 5230000,
		.question = "Fuel near \"Zürich\"?\n\tAVGAS ✈️ \001/\\",
		.answer = "**LSZH**",
		.has_visualizations = true,
	};
	TEST_OK(jsn_parse(f.a, calls, sizeof(calls) - 1, JSN_DEPTH, &in.tool_calls, NULL, &f.e), f.e);
	TEST_OK(jsn_parse(f.a, extra, sizeof(extra) - 1, JSN_DEPTH, &in.metadata, NULL, &f.e), f.e);
	TEST_OK(convlog_append(&f.log, &in, f.a, &f.e), f.e);
	parse(&f);
	in = entry("second");
	in.has_error = true;
	in.error = "it broke";
	TEST_OK(convlog_append(&f.log, &in, f.a, &f.e), f.e);
	cr_assert_str_eq(slurp(&f, f.path, NULL), EXPECTED);
	fix_down(&f);
}

TEST(convlog, files_and_folders_are_private_and_made_on_demand)
{
	struct fix f;
	struct stat st;
	char *top;

	fix_up(&f);
	umask(022);
	top = f.dir;
	f.log.dir = f.dir = arena_printf(f.a, "%s/logs/conversations", top);
	snprintf(f.path, sizeof(f.path), "%s/2026-01-03.json", f.dir);
	TEST_OK(append(&f, "q"), f.e);
	cr_assert_eq(stat(f.path, &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0640);
	cr_assert_eq(stat(f.dir, &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0750);
	f.dir = top;
	fix_down(&f);
}

TEST(convlog, a_day_is_a_file)
{
	struct fix f;

	fix_up(&f);
	for (int i = 0; i < 3; i++) {
		struct convlog_entry in = entry("q");
		in.started_wall_us += (int64_t)i * 86400 * 1000000;
		in.ended_wall_us = in.started_wall_us + 12 * 3600 * (int64_t)1000000 * (i == 1);
		TEST_OK(convlog_append(&f.log, &in, f.a, &f.e), f.e);
	}
	cr_assert_eq(count_files(f.dir), 3);
	cr_assert_eq(jsn_len(parse(&f)), 1);
	fix_down(&f);
}

TEST(convlog, append_costs_the_same_in_a_large_file)
{
	struct fix f;
	struct stat st;

	fix_up(&f);
	/* entries far apart: a sparse hole in the first one makes the file 1 GB long */
	TEST_OK(append(&f, "first"), f.e);
	TEST_OK(append(&f, "second"), f.e);
	size_t n;
	char *text = slurp(&f, f.path, &n);
	char *second = strstr(text, ",\n  {");
	int fd = open(f.path, O_RDWR);
	cr_assert_eq(pwrite(fd, second, n - (size_t)(second - text), 1 << 30),
	    (ssize_t)(n - (size_t)(second - text)));
	close(fd);
	int64_t t0 = clock_mono_us();
	TEST_OK(append(&f, "third"), f.e);
	fprintf(stderr, "append to a 1 GB file: %lld us\n", (long long)(clock_mono_us() - t0));
	cr_assert_eq(stat(f.path, &st), 0);
	cr_assert_gt(st.st_size, 1 << 30);
	cr_assert_lt(st.st_blocks, 64);          /* nothing was read into place or rewritten */
	cr_assert_eq(count_files(f.dir), 1);
	fix_down(&f);
}

/* Every way a kill can tear an append: the old file with its "\n]" overwritten by the first
 * k bytes of what replaces it. And every shorter file: an original that was cut while rewriting. */
TEST(convlog, torn_tail_of_every_length_is_repaired, .timeout = 120)
{
	struct fix f;
	size_t old, n;

	fix_up(&f);
	TEST_OK(append(&f, "one"), f.e);
	TEST_OK(append(&f, "two }\n]\n  }"), f.e);
	slurp(&f, f.path, &old);
	struct convlog_entry in = entry("three");
	in.tool_calls = jsn_array(f.a);
	for (int i = 0; i < 2; i++) {
		struct json_object *call = jsn_object(f.a);
		jsn_add(call, "arguments", jsn_ref(jsn_object(f.a)));
		jsn_add_str(call, "result", "]}");
		jsn_push(in.tool_calls, jsn_ref(call));
	}
	TEST_OK(convlog_append(&f.log, &in, f.a, &f.e), f.e);
	char *full = slurp(&f, f.path, &n);

	for (size_t cut = old - 2; cut <= n; cut++) {
		char *torn = arena_strndup(f.a, full, n);
		size_t length = cut > old ? cut : old;

		if (cut < old)
			memcpy(torn + cut, "\n]" + (cut - (old - 2)), old - cut);
		spit(f.path, torn, length);
		TEST_OK(append(&f, "after"), f.e);
		struct json_object *log = parse(&f);
		size_t kept = jsn_len(log);
		/* the third is there from the moment its last bracket is */
		cr_assert_eq(kept, cut >= n - 2 ? 4 : 3, "cut at %zu of %zu: %zu entries", cut, n, kept);
		cr_assert_str_eq(question_at(log, 0), "one");
		cr_assert_str_eq(question_at(log, 1), "two }\n]\n  }");
		cr_assert_str_eq(question_at(log, kept - 1), "after");
		cr_assert_eq(count_files(f.dir), 1);
	}
	for (size_t cut = 0; cut < n; cut++) {
		spit(f.path, full, cut);
		TEST_OK(append(&f, "after"), f.e);
		struct json_object *log = parse(&f);
		cr_assert_str_eq(question_at(log, jsn_len(log) - 1), "after");
		cr_assert_eq(count_files(f.dir), 1, "cut at %zu", cut);
		if (cut >= old)
			cr_assert_geq(jsn_len(log), 3);
	}
	fix_down(&f);
}

TEST(convlog, zeros_after_a_power_cut_are_cut_off)
{
	struct fix f;

	fix_up(&f);
	TEST_OK(append(&f, "one"), f.e);
	TEST_OK(append(&f, "two"), f.e);
	size_t n;
	char *text = slurp(&f, f.path, &n);
	for (size_t k = 0; k < 3; k++) {
		char *zeros = arena_alloc(f.a, n + 20000);
		memcpy(zeros, text, n - k * 30);
		spit(f.path, zeros, n + 20000);
		TEST_OK(append(&f, "three"), f.e);
		struct json_object *log = parse(&f);
		cr_assert_eq(jsn_len(log), k == 0 ? 3 : 2);
	}
	fix_down(&f);
}

TEST(convlog, files_in_another_layout_are_continued)
{
	static const struct {
		const char *before;
		size_t entries;
	} rows[] = {
		{ "", 0 },
		{ "[]", 0 },
		{ "[\n]\n", 0 },
		{ " [ ] ", 0 },
		{ "[{\"question\":\"old\"}]", 1 },
		{ "[{\"question\":\"old\"}]\n", 1 },
		{ "[\n  {\n    \"question\": \"old\"\n  }\n]\n\n", 1 },
		{ "[\n  {\n    \"question\": \"old\"\n  }\n]", 1 },
		{ "[\n  {\n    \"question\": \"old\"}]", 1 },
		{ "[\n  {\n    \"question\": \"old\"\n  },\n  {\"question\": \"older\"}]", 2 },
		{ "[\n\t{\n\t\t\"question\": \"old\"\n\t}\n]\n", 1 },
		{ "[\r\n  {\r\n    \"question\": \"old\"\r\n  }\r\n]\r\n", 1 },
	};
	struct fix f;

	fix_up(&f);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		spit(f.path, rows[i].before, strlen(rows[i].before));
		for (size_t k = 1; k < 3; k++) {
			TEST_OK(append(&f, "new"), f.e);
			struct json_object *log = parse(&f);
			cr_assert_eq(jsn_len(log), rows[i].entries + k, "row %zu", i);
			if (rows[i].entries > 0)
				cr_assert_str_eq(question_at(log, 0), "old", "row %zu", i);
			cr_assert_str_eq(question_at(log, rows[i].entries), "new", "row %zu", i);
		}
		cr_assert_eq(count_files(f.dir), 1, "row %zu", i);
	}
	fix_down(&f);
}

TEST(convlog, garbage_is_set_aside_and_kept)
{
	static const char *const rows[] = {
		"garbage",
		"{\"question\": \"an object\"}",
		"[1, 2",
		"[{\"question\": \"cut, in another lay",
		"[\n  {\n    \"question\": \"old\"\n  }\n]\nnotes of the operator",
		"[\n  {\n    \"question\": \"old\"\n  }\n]\n[\n]",
		"\xef\xbb\xbf[]",
		"<?xml version=\"1.0\"?>\n  }\n]",
		"[{\"n\": 1e999}, {\n  }\n] and a note",
	};
	enum { ROWS = sizeof(rows) / sizeof(rows[0]) };
	struct fix f;
	char kept[600];

	fix_up(&f);
	for (int i = 0; i < ROWS; i++) {
		spit(f.path, rows[i], strlen(rows[i]));
		TEST_OK(append(&f, "new"), f.e);
		cr_assert_eq(jsn_len(parse(&f)), 1, "row %d", i);
		snprintf(kept, sizeof(kept), "%s.damaged-%d", f.path, i + 1);
		cr_assert_str_eq(slurp(&f, kept, NULL), rows[i], "row %d", i);
		cr_assert_eq(count_files(f.dir), i + 2);
	}
	fix_down(&f);
}

TEST(convlog, refuses_what_is_no_plain_file)
{
	struct fix f;
	char target[600];

	fix_up(&f);
	cr_assert_eq(mkdir(f.path, 0755), 0);
	cr_assert_eq(append(&f, "q"), ERR_IO);
	rmdir(f.path);
	cr_assert_eq(mkfifo(f.path, 0600), 0);
	cr_assert_eq(append(&f, "q"), ERR_IO);
	unlink(f.path);
	snprintf(target, sizeof(target), "%s/elsewhere", f.dir);
	spit(target, "precious", 8);
	cr_assert_eq(symlink(target, f.path), 0);
	cr_assert_eq(append(&f, "q"), ERR_IO);
	cr_assert_not_null(strstr(f.e.msg, f.path), "%s", f.e.msg);
	cr_assert_str_eq(slurp(&f, target, NULL), "precious");
	unlink(f.path);

	/* a path that can't be made: a file stands where a folder should */
	struct convlog_entry in = entry("q");
	snprintf(target, sizeof(target), "%s/elsewhere/logs", f.dir);
	f.log.dir = target;
	cr_assert_eq(convlog_append(&f.log, &in, f.a, &f.e), ERR_IO);
	fix_down(&f);
}

TEST(convlog, unwritable_folder_is_an_error)
{
	struct fix f;

	fix_up(&f);
	cr_assert_eq(chmod(f.dir, 0555), 0);
	pid_t pid = fork();
	if (pid == 0) {
		if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0)
			_exit(2);
		_exit(append(&f, "q") == ERR_IO && strstr(f.e.msg, "ermission") != NULL ? 0 : 1);
	}
	int status;
	waitpid(pid, &status, 0);
	cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	chmod(f.dir, 0755);
	fix_down(&f);
}

TEST(convlog, stuck_lock_does_not_hold_a_turn_for_ever)
{
	struct fix f;

	fix_up(&f);
	TEST_OK(append(&f, "one"), f.e);
	int fd = open(f.path, O_RDONLY);
	cr_assert_eq(flock(fd, LOCK_EX), 0);
	int64_t t0 = clock_mono_ms();
	cr_assert_eq(append(&f, "two"), ERR_IO);
	cr_assert_lt(clock_mono_ms() - t0, 10000);
	close(fd);
	TEST_OK(append(&f, "two"), f.e);
	cr_assert_eq(jsn_len(parse(&f)), 2);
	fix_down(&f);
}

/* -- full disks -- */

static void fill_until_refused(struct fix *f, const char *big)
{
	int kept = 0;

	while (append(f, big) == OK) {
		kept++;
		cr_assert_lt(kept, 1000);
	}
	cr_assert_eq(f->e.code, ERR_IO);
	cr_assert_not_null(strstr(f->e.msg, f->path), "%s", f->e.msg);
	cr_assert_gt(kept, 1);
	for (int i = 0; i < 3; i++) {
		cr_assert_eq(append(f, big), ERR_IO);
		cr_assert_eq(jsn_len(parse(f)), (size_t)kept);
	}
	TEST_OK(append(f, "small"), f->e);       /* a little room is left */
	cr_assert_eq(jsn_len(parse(f)), (size_t)kept + 1);
}

static char *big_text(struct fix *f, size_t n)
{
	char *p = arena_alloc(f->a, n + 1);

	memset(p, 'x', n);
	return p;
}

TEST(convlog, full_disk_leaves_the_file_valid)
{
	struct fix f;

	fix_up(&f);
	if (!test_tmpfs(f.dir, "size=256k")) {
		fix_down(&f);
		test_skip("can't mount a tmpfs");
	}
	fill_until_refused(&f, big_text(&f, 50000));
	/* no room at all, and no file yet: none is left behind */
	struct convlog_entry in = entry(big_text(&f, 200000));
	in.started_wall_us += (int64_t)86400 * 1000000;
	int files = count_files(f.dir);
	cr_assert_eq(convlog_append(&f.log, &in, f.a, &f.e), ERR_IO);
	cr_assert_eq(count_files(f.dir), files);
	umount2(f.dir, MNT_DETACH);
	fix_down(&f);
}

TEST(convlog, size_limit_leaves_the_file_valid)
{
	struct fix f;
	struct rlimit limit = { 200000, RLIM_INFINITY }, none = { RLIM_INFINITY, RLIM_INFINITY };

	fix_up(&f);
	signal(SIGXFSZ, SIG_IGN);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	fill_until_refused(&f, big_text(&f, 30000));
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
	fix_down(&f);
}

/* -- crowds and kills -- */

static void append_many(struct fix *f, int who, int n)
{
	char question[64];

	for (int i = 0; i < n; i++) {
		snprintf(question, sizeof(question), "%d/%d", who, i);
		if (append(f, question) != OK) {
			fprintf(stderr, "%s\n", f->e.msg);
			_exit(1);
		}
	}
}

TEST(convlog, eight_processes_lose_nothing, .timeout = 60)
{
	enum { WRITERS = 8, EACH = 50 };
	struct fix f;
	pid_t pid[WRITERS];
	bool seen[WRITERS][EACH] = { { false } };

	fix_up(&f);
	int64_t t0 = clock_mono_us();
	for (int w = 0; w < WRITERS; w++)
		if ((pid[w] = fork()) == 0) {
			append_many(&f, w, EACH);
			_exit(0);
		}
	for (int w = 0; w < WRITERS; w++) {
		int status;
		waitpid(pid[w], &status, 0);
		cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	fprintf(stderr, "8 processes, 400 appends: %lld us each\n",
	    (long long)(clock_mono_us() - t0) / (WRITERS * EACH));
	struct json_object *log = parse(&f);
	cr_assert_eq(jsn_len(log), WRITERS * EACH);
	for (size_t i = 0; i < jsn_len(log); i++) {
		int w, k;
		cr_assert_eq(sscanf(question_at(log, i), "%d/%d", &w, &k), 2);
		cr_assert_not(seen[w][k]);
		seen[w][k] = true;
	}
	fix_down(&f);
}

static void *append_some(void *p)
{
	struct fix *f = p, mine = { .dir = f->dir, .log = { .dir = f->dir }, .a = arena_new() };
	enum errcode rc = OK;

	for (int i = 0; i < 25 && rc == OK; i++)
		rc = append(&mine, "q");
	arena_free(mine.a);
	return rc == OK ? NULL : f;
}

TEST(convlog, threads_lose_nothing, .timeout = 60)
{
	enum { WRITERS = 8 };
	struct fix f;
	pthread_t thread[WRITERS];

	fix_up(&f);
	for (int w = 0; w < WRITERS; w++)
		pthread_create(&thread[w], NULL, append_some, &f);
	for (int w = 0; w < WRITERS; w++) {
		void *failed;
		pthread_join(thread[w], &failed);
		cr_assert_null(failed);
	}
	cr_assert_eq(jsn_len(parse(&f)), WRITERS * 25);
	fix_down(&f);
}

TEST(convlog, a_crowd_sets_garbage_aside_once, .timeout = 60)
{
	enum { WRITERS = 8 };
	struct fix f;
	pid_t pid[WRITERS];

	fix_up(&f);
	spit(f.path, "garbage", 7);
	for (int w = 0; w < WRITERS; w++)
		if ((pid[w] = fork()) == 0) {
			append_many(&f, w, 5);
			_exit(0);
		}
	for (int w = 0; w < WRITERS; w++) {
		int status;
		waitpid(pid[w], &status, 0);
		cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	cr_assert_eq(jsn_len(parse(&f)), WRITERS * 5);
	cr_assert_eq(count_files(f.dir), 2);
	fix_down(&f);
}

TEST(convlog, kill_loses_at_most_the_entry_being_written, .timeout = 120)
{
	struct fix f;
	int acknowledged = 0, torn = 0;

	fix_up(&f);
	char *big = big_text(&f, 300000);        /* long enough for a kill to hit a write */
	for (int round = 0; round < 40; round++) {
		int said[2];
		char byte;

		cr_assert_eq(pipe(said), 0);
		pid_t pid = fork();
		if (pid == 0) {
			while (append(&f, big) == OK && write(said[1], "x", 1) == 1)
				;
			_exit(1);
		}
		close(said[1]);
		cr_assert_eq(read(said[0], &byte, 1), 1);
		acknowledged++;
		usleep((useconds_t)(round * 173 % 4000));
		kill(pid, SIGKILL);
		while (read(said[0], &byte, 1) == 1)
			acknowledged++;
		waitpid(pid, NULL, 0);
		close(said[0]);

		size_t n;
		struct json_object *root;
		char *text = slurp(&f, f.path, &n);
		torn += jsn_parse(f.a, text, n, JSN_DEPTH, &root, NULL, NULL) != OK;
		TEST_OK(append(&f, "marker"), f.e);
		acknowledged++;
		struct json_object *log = parse(&f);
		int kept = (int)jsn_len(log);
		/* one may have been written completely and killed before saying so */
		cr_assert(kept >= acknowledged && kept <= acknowledged + 1,
		    "round %d: %d kept of %d", round, kept, acknowledged);
		cr_assert_str_eq(question_at(log, (size_t)kept - 1), "marker");
		cr_assert_eq(count_files(f.dir), 1);
		acknowledged = kept;
		if (kept > 60) {
			unlink(f.path);
			acknowledged = 0;
		}
		arena_free(f.a);
		f.a = arena_new();
		big = big_text(&f, 300000);
	}
	fprintf(stderr, "40 kills: %d left a torn file\n", torn);
	fix_down(&f);
}

/* -- ceilings -- */

/* The text of the entry alone: without "[\n  " before it and "\n]" behind. */
static size_t entry_bytes(struct fix *f)
{
	struct stat st;

	cr_assert_eq(stat(f->path, &st), 0);
	return (size_t)st.st_size;
}

static struct json_object *call_with(struct fix *f, size_t airports, size_t text)
{
	struct json_object *calls = jsn_array(f->a), *call = jsn_object(f->a),
		*result = jsn_object(f->a), *list = jsn_array(f->a);

	for (size_t i = 0; i < airports; i++) {
		struct json_object *airport = jsn_object(f->a);
		jsn_add_str(airport, "ident", "LFLY");
		jsn_add_int(airport, "number", (int64_t)i);
		jsn_push(list, jsn_ref(airport));
	}
	jsn_add(result, "airports", jsn_ref(list));
	jsn_add_str(result, "pretty", big_text(f, text));
	jsn_add_str(call, "name", "search_airports");
	jsn_add(call, "arguments", jsn_ref(jsn_object(f->a)));
	jsn_add(call, "result", jsn_ref(result));
	jsn_push(calls, jsn_ref(call));
	return calls;
}

static const struct {
	const char *name;
	size_t airports, text, answer;         /* how much there is */
	int64_t max;
	size_t left, answered;                 /* airports; bytes of the answer, SIZE_MAX: all */
} larges[] = {
	{ "fits", 100, 1000, 100, 65536, 100, SIZE_MAX },
	{ "no limit", 20000, 100000, 100000, 0, 20000, SIZE_MAX },
	{ "many airports", 1000, 1000, 1000, 65536, 100, SIZE_MAX },
	{ "a long text", 10, 100000, 1000, 65536, 10, SIZE_MAX },
	{ "a long answer", 10, 10, 100000, 65536, 10, 32768 },
	{ "all of it", 20000, 1000000, 1000000, 65536, 20, 32768 },
	{ "little room", 20000, 1000000, 1000000, 8192, 1, 2048 },
	{ "least room", 20000, 1000000, 1000000, 4096, 1, 2048 },
	{ "less than that", 20000, 1000000, 1000000, 1, 1, 2048 },
};

TEST(convlog, large_entries_are_shortened, .timeout = 60)
{
	for (size_t i = 0; i < sizeof(larges) / sizeof(larges[0]); i++) {
		const char *name = larges[i].name;
		struct fix f;
		fix_up(&f);
		f.log.max_entry = larges[i].max;
		struct convlog_entry in = entry("Where?");
		in.answer = big_text(&f, larges[i].answer);
		in.tool_calls = call_with(&f, larges[i].airports, larges[i].text);
		TEST_OK(convlog_append(&f.log, &in, f.a, &f.e), f.e);
		size_t n = entry_bytes(&f), max = larges[i].max < 4096 ? 4096 : (size_t)larges[i].max;
		cr_expect(larges[i].max == 0 || n <= max, "%s: %zu bytes", name, n);
		struct json_object *e = jsn_at(parse(&f), 0), *meta = jsn_get(e, "metadata");
		struct json_object *call = jsn_at(jsn_get(e, "tool_calls"), 0);
		cr_expect_str_eq(jsn_get_str(e, "question", ""), "Where?", "%s", name);
		cr_expect_str_eq(jsn_get_str(call, "name", ""), "search_airports", "%s", name);
		cr_expect_eq(jsn_get_int(meta, "num_tool_calls", -1), 1, "%s", name);
		cr_expect_eq(jsn_len(jsn_get(jsn_get(call, "result"), "airports")), larges[i].left,
		    "%s: %zu airports", name, jsn_len(jsn_get(jsn_get(call, "result"), "airports")));
		const char *answer = jsn_get_str(e, "answer", "");
		if (larges[i].answered == SIZE_MAX)
			cr_expect_str_eq(answer, in.answer, "%s", name);
		else
			cr_expect_str_eq(answer + larges[i].answered,
			    arena_printf(f.a, "… [cut: %zu bytes]", larges[i].answer), "%s", name);
		bool cut = larges[i].left < larges[i].airports || strcmp(name, "a long text") == 0 ||
		    larges[i].answered != SIZE_MAX;
		cr_expect_eq(jsn_has(meta, "cut"), cut, "%s", name);
		fix_down(&f);
	}
}

/* Whatever stands in it: wide, deep, nothing but control characters. */
TEST(convlog, every_entry_can_be_shortened)
{
	struct fix f;
	struct json_object *deep = NULL, *wide;
	char *odd;

	fix_up(&f);
	odd = big_text(&f, 150);
	memset(odd, '\x01', 150);                /* six bytes each in JSON */
	for (int i = 0; i < 10; i++) {
		struct json_object *o = jsn_object(f.a);
		for (int k = 0; k < 40; k++)
			jsn_add_str(o, arena_printf(f.a, "%d%s", k, "member"), odd);
		if (deep != NULL)
			jsn_add(o, "0member", jsn_ref(deep));
		deep = o;
	}
	wide = jsn_object(f.a);
	for (int i = 0; i < 5000; i++)
		jsn_add_int(wide, arena_printf(f.a, "a member with a long name, number %d", i), i);
	char *prose = big_text(&f, 10000);
	memset(prose, '\x01', 10000);
	struct convlog_entry in = entry(prose);
	in.answer = in.thinking = in.error = prose;
	in.tool_calls = jsn_array(f.a);
	for (int i = 0; i < 20; i++) {
		struct json_object *call = jsn_object(f.a);
		jsn_add_str(call, "name", "compare_rules_between_countries");
		jsn_add(call, "arguments", jsn_ref(wide));
		jsn_add(call, "result", jsn_ref(deep));
		jsn_push(in.tool_calls, jsn_ref(call));
	}
	f.log.max_entry = CONVLOG_ENTRY_MIN;
	TEST_OK(convlog_append(&f.log, &in, f.a, &f.e), f.e);
	cr_expect_leq(entry_bytes(&f), CONVLOG_ENTRY_MIN, "%zu", entry_bytes(&f));
	parse(&f);
	fix_down(&f);
}

TEST(convlog, a_full_day_takes_no_more, .timeout = 60)
{
	struct fix f;
	char program_log[600], line[1024];
	int told = 0;

	fix_up(&f);
	snprintf(program_log, sizeof(program_log), "%s/program", f.dir);
	log_open(program_log);
	log_level_set("INFO");
	f.log.max_day = 20000;
	for (int i = 0; i < 200; i++)
		TEST_OK(append(&f, "question"), f.e);
	size_t n = entry_bytes(&f);
	cr_expect(n <= 20000 && n > 19000, "%zu bytes", n);
	size_t kept = jsn_len(parse(&f));
	/* the next day has room again, and so has this one when its file was moved away */
	struct convlog_entry in = entry("next day");
	in.started_wall_us += (int64_t)86400 * 1000000;
	TEST_OK(convlog_append(&f.log, &in, f.a, &f.e), f.e);
	TEST_OK(append(&f, "question"), f.e);
	cr_expect_eq(jsn_len(parse(&f)), kept);
	unlink(f.path);
	TEST_OK(append(&f, "question"), f.e);
	cr_expect_eq(jsn_len(parse(&f)), 1);
	/* no file is left of an entry that no day could hold */
	unlink(f.path);
	f.log.max_day = 100;
	TEST_OK(append(&f, "question"), f.e);
	cr_expect_eq(access(f.path, F_OK), -1);
	log_open(NULL);
	FILE *p = fopen(program_log, "r");
	while (fgets(line, sizeof(line), p) != NULL)
		told += strstr(line, "CONVERSATION_LOG_MAX_DAY") != NULL;
	fclose(p);
	cr_expect_eq(told, 1, "told %d times", told);
	fix_down(&f);
}

/* A writer that was killed may have left a torn entry at the end of what a day may hold. */
TEST(convlog, a_full_day_is_closed_after_a_kill, .timeout = 60)
{
	struct fix f;
	size_t one, two, n;

	fix_up(&f);
	TEST_OK(append(&f, "one"), f.e);
	slurp(&f, f.path, &one);
	TEST_OK(append(&f, "two"), f.e);
	char *text = slurp(&f, f.path, &two);
	f.log.max_day = (int64_t)two - 1;
	for (size_t cut = one - 1; cut < two; cut += 50) {
		spit(f.path, text, cut);
		TEST_OK(append(&f, "there is no room for this one"), f.e);
		cr_expect_eq(jsn_len(parse(&f)), 1, "cut at %zu", cut);
		slurp(&f, f.path, &n);
		cr_expect_eq(n, one, "cut at %zu", cut);
	}
	fix_down(&f);
}

TEST(convlog, eight_processes_respect_a_full_day, .timeout = 60)
{
	enum { WRITERS = 8 };
	struct fix f;
	pid_t pid[WRITERS];

	fix_up(&f);
	f.log.max_day = 30000;
	for (int w = 0; w < WRITERS; w++)
		if ((pid[w] = fork()) == 0) {
			append_many(&f, w, 50);
			_exit(0);
		}
	for (int w = 0; w < WRITERS; w++) {
		int status;
		waitpid(pid[w], &status, 0);
		cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	size_t n = entry_bytes(&f);
	cr_expect(n <= 30000 && n > 29000, "%zu bytes", n);
	parse(&f);
	fix_down(&f);
}

/* -- retention -- */

static void touch(struct fix *f, const char *name)
{
	spit(arena_printf(f->a, "%s/%s", f->dir, name), "[]", 2);
}

static bool there(struct fix *f, const char *name)
{
	return access(arena_printf(f->a, "%s/%s", f->dir, name), F_OK) == 0;
}

/* Today is 2026-01-03 in all of them. */
static const struct {
	const char *name;
	int64_t days;
	const char *present;         /* days that have a log, between blanks */
	const char *gone;            /* those that are removed */
} sweeps[] = {
	{ "old ones go", 90, "2025-10-04 2025-10-05 2025-12-01 2026-01-01 2026-01-02", "2025-10-04" },
	{ "all of the old ones", 90, "2020-01-01 2024-02-29 2025-09-30 2025-12-01 2026-01-01 2026-01-02",
	    "2020-01-01 2024-02-29 2025-09-30" },
	{ "for ever", 0, "2020-01-01 2025-12-01 2026-01-01 2026-01-02", "" },
	{ "a clock that runs ahead", 90, "2015-01-01 2015-01-02 2015-01-03", "" },
	{ "and has done so for two days", 90, "2015-01-01 2015-01-02 2026-01-02 2026-01-03", "" },
	{ "a site that rested", 90, "2015-01-01 2026-01-01 2026-01-02 2026-01-03", "2015-01-01" },
	{ "a clock that was ahead", 90, "2015-01-01 2026-01-01 2031-01-01 2031-01-02 2031-01-03", "" },
	{ "a clock that ran behind", 90, "1970-01-01 2025-12-31 2026-01-01 2026-01-02", "1970-01-01" },
	{ "one day", 1, "2025-12-31 2026-01-01 2026-01-02 2026-01-03", "2025-12-31 2026-01-01" },
	{ "one day, and the clock", 1, "2025-12-31 2026-01-01 2026-01-03", "" },
	{ "the end of February", 308, "2025-03-01 2025-02-28 2025-12-01 2025-12-02 2025-12-03", "2025-02-28" },
};

TEST(convlog, old_files_are_removed)
{
	for (size_t i = 0; i < sizeof(sweeps) / sizeof(sweeps[0]); i++) {
		struct fix f;
		fix_up(&f);
		for (const char *p = sweeps[i].present; *p != '\0'; p += strcspn(p, " "), p += *p == ' ')
			touch(&f, arena_printf(f.a, "%.10s.json", p));
		f.log.days = sweeps[i].days;
		TEST_OK(append(&f, "q"), f.e);
		for (const char *p = sweeps[i].present; *p != '\0'; p += strcspn(p, " "), p += *p == ' ') {
			const char *day = arena_printf(f.a, "%.10s", p);
			bool gone = strstr(sweeps[i].gone, day) != NULL;
			cr_expect_eq(there(&f, arena_printf(f.a, "%s.json", day)), !gone, "%s: %s",
			    sweeps[i].name, day);
		}
		cr_expect(there(&f, "2026-01-03.json"), "%s", sweeps[i].name);
		fix_down(&f);
	}
}

TEST(convlog, nothing_else_is_removed)
{
	static const char *const others[] = {
		"2020-01-01", "2020-01-01.json.gz", "2020-01-01.json~", "2020-01-01.JSON", "2020-1-1.json",
		"2020-13-01.json", "2020-02-30.json", "2020-00-10.json", "x2020-01-01.json", "20200101.json",
		"2020-01-01.json.damaged-", "2020-01-01.json.damaged-1x", "2020-01-01.json.damaged-old",
		"2020-01-01-feedback2.json", "notes.txt", ".json", "2020-01-01 .json", "+202-01-01.json",
	};
	enum { OTHERS = sizeof(others) / sizeof(others[0]) };
	struct fix f;

	fix_up(&f);
	for (size_t i = 0; i < OTHERS; i++)
		touch(&f, others[i]);
	touch(&f, "2020-01-03.json");
	touch(&f, "2020-01-03.json.damaged-12");
	cr_assert_eq(mkdir(arena_printf(f.a, "%s/2020-01-04.json", f.dir), 0700), 0);
	cr_assert_eq(symlink("notes.txt", arena_printf(f.a, "%s/2020-01-05.json", f.dir)), 0);
	touch(&f, "2025-12-31.json");
	touch(&f, "2026-01-01.json");
	touch(&f, "2026-01-02.json");
	f.log.days = 30;
	TEST_OK(append(&f, "q"), f.e);
	cr_expect_not(there(&f, "2020-01-03.json"), "or the test shows nothing");
	cr_expect_not(there(&f, "2020-01-03.json.damaged-12"));
	for (size_t i = 0; i < OTHERS; i++)
		cr_expect(there(&f, others[i]), "%s", others[i]);
	cr_expect(there(&f, "2020-01-04.json"), "a folder");
	cr_expect(there(&f, "2020-01-05.json"), "a link");
	/* once a day is enough */
	touch(&f, "2020-01-03.json");
	TEST_OK(append(&f, "q"), f.e);
	cr_expect(there(&f, "2020-01-03.json"));
	struct convlog_entry in = entry("next day");
	in.started_wall_us += (int64_t)86400 * 1000000;
	TEST_OK(convlog_append(&f.log, &in, f.a, &f.e), f.e);
	cr_expect_not(there(&f, "2020-01-03.json"));
	rmdir(arena_printf(f.a, "%s/2020-01-04.json", f.dir));
	fix_down(&f);
}

TEST(convlog, a_crowd_sweeps_at_once, .timeout = 60)
{
	enum { WRITERS = 8 };
	struct fix f;
	pid_t pid[WRITERS];

	fix_up(&f);
	for (int d = 1; d <= 28; d++)
		touch(&f, arena_printf(f.a, "2025-02-%02d.json", d));
	touch(&f, "2025-12-31.json");
	touch(&f, "2026-01-01.json");
	touch(&f, "2026-01-02.json");
	f.log.days = 30;
	for (int w = 0; w < WRITERS; w++)
		if ((pid[w] = fork()) == 0) {
			append_many(&f, w, 5);
			_exit(0);
		}
	for (int w = 0; w < WRITERS; w++) {
		int status;
		waitpid(pid[w], &status, 0);
		cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	cr_expect_eq(jsn_len(parse(&f)), WRITERS * 5);
	cr_expect_eq(count_files(f.dir), 4);
	fix_down(&f);
}

/* -- feedback, and looking for a run -- */

TEST(convlog, feedback_beside_it)
{
	struct fix f;
	fix_up(&f);
	struct convlog feedback = { .dir = f.dir, .suffix = "-feedback", .max_day = 300 };
	struct json_object *o = jsn_object(f.a);
	bool kept = false;

	jsn_add_str(o, "run_id", "run-1");
	jsn_add_str(o, "comment", "one \"two\"");
	jsn_add(o, "tool_calls", jsn_ref(jsn_array(f.a)));
	TEST_OK(convlog_put(&feedback, START_US, o, f.a, &kept, &f.e), f.e);
	cr_expect(kept);
	cr_expect_str_eq(slurp(&f, arena_printf(f.a, "%s/2026-01-03-feedback.json", f.dir), NULL),
	    "[\n  {\n    \"run_id\": \"run-1\",\n    \"comment\": \"one \\\"two\\\"\",\n    \"tool_calls\": []\n  }\n]");
	for (int i = 0; i < 5; i++)
		TEST_OK(convlog_put(&feedback, START_US, o, f.a, &kept, &f.e), f.e);
	cr_expect_not(kept, "the day is full");
	cr_expect_eq(count_files(f.dir), 1);

	/* its files go with those of the log, and never alone */
	touch(&f, "2025-01-01-feedback.json");
	touch(&f, "2025-01-01-feedback.json.damaged-1");
	touch(&f, "2025-01-01-feedback.txt");
	touch(&f, "2025-01-01-feedbacks.json");
	f.log.days = 90;
	TEST_OK(append(&f, "q"), f.e);
	cr_expect(there(&f, "2025-01-01-feedback.json"), "there are no logs of three days yet");
	touch(&f, "2026-01-01.json");
	touch(&f, "2026-01-02.json");
	atomic_store(&f.log.swept, 0);
	TEST_OK(append(&f, "q"), f.e);
	cr_expect_not(there(&f, "2025-01-01-feedback.json"));
	cr_expect_not(there(&f, "2025-01-01-feedback.json.damaged-1"));
	cr_expect(there(&f, "2025-01-01-feedback.txt") && there(&f, "2025-01-01-feedbacks.json"));
	cr_expect(there(&f, "2026-01-03-feedback.json") && there(&f, "2026-01-03.json"));
	fix_down(&f);
}

static const char *found(struct fix *f, const char *run, int64_t newest_us, int days, size_t max)
{
	return jsn_get_str(convlog_find(&f->log, f->a, run, newest_us, days, max), "question", NULL);
}

TEST(convlog, the_entry_of_a_run)
{
	struct fix f;
	fix_up(&f);
	enum { DAY_US = 1000000 };
	const int64_t day_us = INT64_C(86400) * DAY_US;
	char *big = arena_alloc(f.a, 3000001);
	memset(big, 'x', 3000000);
	for (int i = 0; i < 400; i++) {
		struct convlog_entry in = entry(arena_printf(f.a, "q%d \"run_id\": \"run-7\"", i));
		in.run_id = arena_printf(f.a, "run-%d", i);
		in.thinking = i == 200 ? big : "\n    \"run_id\": \"run-7\"\n  }\n  {\n";
		TEST_OK(convlog_append(&f.log, &in, f.a, &f.e), f.e);
	}
	struct convlog_entry before = entry("the day before");
	before.run_id = "run-before";
	before.started_wall_us -= day_us;
	TEST_OK(convlog_append(&f.log, &before, f.a, &f.e), f.e);
	const size_t all = 64 << 20;

	for (int i = 0; i < 400; i += 7) {
		const char *run = arena_printf(f.a, "run-%d", i);
		const char *q = found(&f, run, START_US, 1, all);
		cr_assert_not_null(q, "%s", run);
		cr_expect(starts_with(q, arena_printf(f.a, "q%d ", i)), "%s: %s", run, q);
	}
	cr_expect_not_null(found(&f, "run-200", START_US, 1, all), "a large entry");
	cr_expect_null(found(&f, "run-400", START_US, 7, all));
	cr_expect_null(found(&f, "run-", START_US, 7, all));
	cr_expect_null(found(&f, "", START_US, 7, all));
	cr_expect_null(found(&f, "run-before", START_US, 1, all));
	cr_expect_str_eq(found(&f, "run-before", START_US, 2, all), "the day before");
	cr_expect_null(found(&f, "run-before", START_US, 2, 1000), "the bytes are used up");
	cr_expect_null(found(&f, "run-1", START_US + day_us, 1, all));
	spit(f.path, "[\n  {\n    \"run_id\": \"run-9\",", 27);
	cr_expect_null(found(&f, "run-9", START_US, 1, all), "a file that breaks off");
	f.log.dir = NULL;
	cr_expect_null(found(&f, "run-1", START_US, 1, all));
	fix_down(&f);
}
