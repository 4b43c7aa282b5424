/*
 * Writers that want to replace the same file at the same time. The test is the other writer: what
 * it does happens between opening the new file and locking it.
 */
#include "base/replace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/unit/test.h"

static void (*other_writer)(void);
static int locks;

/* In place of the C library's. */
int flock(int fd, int operation)
{
	if (other_writer != NULL) {
		locks++;
		other_writer();
	}
	return (int)syscall(SYS_flock, fd, operation);
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	cr_assert_not_null(f, "%s", path);
	fputs(text, f);
	fclose(f);
}

static void expect_text(const char *path, const char *text)
{
	char b[64] = "";
	FILE *f = fopen(path, "r");
	cr_assert_not_null(f, "%s", path);
	(void)!fgets(b, sizeof(b), f);
	fclose(f);
	cr_expect_str_eq(b, text, "%s", path);
}

static void finishes(void)
{
	put("new", "theirs");
	cr_assert_eq(rename("new", "live"), 0);
}

static void finishes_once(void)
{
	if (locks == 1)
		finishes();
}

static void fails_once(void)
{
	if (locks == 1)
		cr_assert_eq(unlink("new"), 0);
}

/* In a folder of its own, with a file that is in use. */
static char *enter(void (*other)(void))
{
	char *dir = test_mkdtemp();
	cr_assert_eq(chdir(dir), 0);
	put("live", "old");
	locks = 0;
	other_writer = other;
	return dir;
}

static void leave(char *dir)
{
	other_writer = NULL;
	cr_assert_eq(chdir("/"), 0);
	test_rmdir(dir);
}

static const struct {
	void (*other)(void);
	const char *before;            /* what the file in use holds before it is replaced */
} others[] = {
	{ finishes_once, "theirs" },
	{ fails_once, "old" },
};

TEST(replace_file, leaves_the_file_alone_that_another_writer_has_just_replaced)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct err e = { 0 };
		int fd;
		char *dir = enter(others[i].other);
		TEST_OK(replace_begin("new", &fd, &e), e);
		expect_text("live", others[i].before);
		expect_text("new", "");
		cr_expect_eq(write(fd, "mine", 4), 4);
		TEST_OK(replace_file("new", "live", &e), e);
		close(fd);
		expect_text("live", "mine");
		leave(dir);
	}
}

TEST(replace_file, gives_up_when_others_always_come_first)
{
	struct err e = { 0 };
	int fd;
	char *dir = enter(finishes);
	cr_expect_eq(replace_begin("new", &fd, &e), ERR_IO);
	cr_expect_eq(fd, -1);
	cr_expect_not_null(strstr(e.msg, "another process is writing it"), "%s", e.msg);
	cr_expect_leq(locks, 20, "%d times", locks);
	expect_text("live", "theirs");
	leave(dir);
}

TEST(replace_file, keeps_a_second_writer_out)
{
	struct err e = { 0 };
	int first, second;
	char *dir = enter(NULL);
	put("new", "left by a writer that was killed");
	TEST_OK(replace_begin("new", &first, &e), e);
	expect_text("new", "");
	cr_expect_eq(write(first, "mine", 4), 4);
	cr_expect_eq(replace_begin("new", &second, &e), ERR_IO);
	cr_expect_eq(second, -1);
	expect_text("new", "mine");
	close(first);
	leave(dir);
}
