/*
 * Files that another user may have prepared: links of theirs are not followed by what writes.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/replace_file.h"
#include "base/log.h"
#include "base/owned.h"
#include "drivers/db.h"
#include "tests/unit/test.h"

enum { THEM = 65534 };

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	cr_assert_not_null(f, "%s", path);
	fputs(text, f);
	fclose(f);
}

static bool still(const char *path, const char *text)
{
	char b[64] = "";
	FILE *f = fopen(path, "r");
	cr_assert_not_null(f, "%s", path);
	(void)!fgets(b, sizeof(b), f);
	fclose(f);
	return strcmp(b, text) == 0;
}

TEST(owned, what_writes_follows_no_link_of_another_user)
{
	char *dir = test_mkdtemp();
	struct db *db = NULL;
	struct err e = { 0 };
	cr_assert_eq(chdir(dir), 0);
	put("mine", "keep me\n");
	cr_assert_eq(symlink("mine", "link"), 0);
	cr_assert_eq(symlink("new", "to-new"), 0);
	cr_expect(owned_link("link") && owned_link("mine") && owned_link("nothing"));
	cr_expect(log_open("link"), "a link that the user made is followed");
	log_open(NULL);
	if (geteuid() != 0)
		test_skip("only root can give a link away");
	cr_assert_eq(lchown("link", THEM, THEM), 0);
	cr_assert_eq(lchown("to-new", THEM, THEM), 0);
	cr_expect(!owned_link("link") && errno == ELOOP);
	cr_expect_eq(owned_open("link", O_RDONLY, 0), -1);
	cr_expect(!log_open("link") && !log_open("to-new"));
	cr_expect_neq(db_open(&db, "to-new", DB_CREATE, &e), OK);
	cr_expect_not_null(strstr(e.msg, "symbolic link was made by another user"), "%s", e.msg);
	cr_expect_neq(db_open(&db, "link", DB_WRITE, &e), OK);
	cr_expect_neq(replace_file("link", "other", &e), OK, "what is to replace a file is no link");
	cr_expect(still("mine", "keep me\n"));
	cr_expect_neq(access("new", F_OK), 0);
	cr_assert_eq(chdir("/"), 0);
	test_rmdir(dir);
}

TEST(owned, a_folder_that_everybody_writes_to_holds_no_state)
{
	char *dir = test_mkdtemp();
	struct err e = { 0 };
	cr_expect_eq(owned_folder(dir, &e), OK);
	cr_expect_eq(owned_folder("/nonexistent", &e), OK);
	cr_assert_eq(chmod(dir, 01777), 0);
	cr_expect_eq(owned_folder(dir, &e), OK);
	cr_assert_eq(chmod(dir, 0777), 0);
	cr_expect_eq(owned_folder(dir, &e), ERR_CONFIG);
	cr_expect_not_null(strstr(e.msg, "chmod o-w"), "%s", e.msg);
	test_rmdir(dir);
}
