/*
 * The temporary file stands beside the final one, because a file can be renamed only within a file system. Its
 * name begins with a dot and depends on the conversation alone, so a killed writer leaves at most one.
 */
#include "tools/onboarding_export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/jsn.h"
#include "base/replace_file.h"
#include "base/str.h"

enum { CONVERSATION_MAX = 64, FOLDER_MODE = 0750, FILE_BYTES = 1 << 20 };

const char *onboarding_export_path(struct arena *a, const char *dir, const char *conversation)
{
	if (!id_valid(conversation, CONVERSATION_MAX))
		return NULL;
	return arena_printf(a, "%s/%s.json", dir, conversation);
}

static const char *tmp_path(struct arena *a, const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	return arena_printf(a, "%.*s.%s.tmp", (int)(name - path), path, name);
}

enum errcode onboarding_export_begin(struct arena *a, const char *path, const char **tmp, int *fd,
    struct err *e)
{
	char *dir = path_folder(path);
	enum errcode rc = make_dirs(dir, FOLDER_MODE, e);

	free(dir);
	*tmp = tmp_path(a, path);
	*fd = -1;
	if (rc == OK)
		rc = replace_begin(*tmp, fd, e);
	if (rc != OK && *fd >= 0)
		close(*fd);
	return rc;
}

enum errcode onboarding_export_end(const char *path, const char *tmp, int fd, const char *text, size_t n,
    struct err *e)
{
	enum errcode rc = OK;

	for (size_t done = 0; done < n && rc == OK;) {
		ssize_t more = write(fd, text + done, n - done);

		if (more > 0)
			done += (size_t)more;
		else if (more < 0 && errno != EINTR)
			rc = err_set(e, ERR_IO, "%s: can't be written (%s)", tmp, strerrordesc_np(errno));
	}
	if (rc == OK)
		rc = replace_file(tmp, path, e);
	/* while the lock is held: after it the file may be another writer's */
	if (rc != OK)
		(void)unlink(tmp);
	close(fd);
	return rc;
}

void onboarding_export_drop(const char *tmp, int fd)
{
	(void)unlink(tmp);
	close(fd);
}

enum errcode onboarding_export_read(const struct conf *c, struct arena *a, const char *conversation,
    struct json_object **out, struct err *e)
{
	const char *path = onboarding_export_path(a, c->onboarding_export_dir, conversation);

	if (path == NULL || access(path, F_OK) != 0)
		return err_set(e, ERR_NOTFOUND, "the conversation has no exported record");
	return jsn_load(a, path, FILE_BYTES, out, e);
}

enum errcode onboarding_export_delete(const struct conf *c, const char *conversation, struct err *e)
{
	struct arena *a = arena_new();
	const char *path = onboarding_export_path(a, c->onboarding_export_dir, conversation);
	enum errcode rc = OK;

	if (path != NULL && unlink(path) != 0 && errno != ENOENT && errno != ENOTDIR)
		rc = err_set(e, ERR_IO, "%s: can't be deleted (%s)", path, strerrordesc_np(errno));
	if (path != NULL)
		(void)unlink(tmp_path(a, path));
	arena_free(a);
	return rc;
}
