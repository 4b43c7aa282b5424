/*
 * Folders in order. A config is a site's before it is ours; a file it names is beside it before
 * it is a shipped one, so that a config folder of the original works as it is, and a site
 * replaces a shipped text by putting one of that name beside its config.
 */
#include "base/behavior_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>


static bool absent(const char *path)
{
	struct stat st;
	return stat(path, &st) == -1 && (errno == ENOENT || errno == ENOTDIR);
}

const char *behavior_find_config(const struct conf *c, struct arena *a, const char *folder,
    const char *name)
{
	const char *const tries[] = {
		c->project_root == NULL ? NULL :
		    arena_printf(a, "%s/configs/%s/%s.json", c->project_root, folder, name),
		c->project_root == NULL ? NULL :
		    arena_printf(a, "%s/conf/%s/%s.json", c->project_root, folder, name),
		arena_printf(a, "%s/conf/%s/%s.json", c->data_dir, folder, name),
	};
	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++)
		if (tries[i] != NULL && !absent(tries[i]))
			return tries[i];
	return NULL;
}

static const struct {
	enum behavior_files kind;
	bool shipped;             /* in the data folder; else in the config's own */
	const char *below;
} places[] = {
	{ BEHAVIOR_TEXTS, false, "" },
	{ BEHAVIOR_TEXTS, true, "" },
	{ BEHAVIOR_TEXTS, true, "/prompts" },
	/* the original looks for these one folder above its config */
	{ BEHAVIOR_TEMPLATES, false, "" },
	{ BEHAVIOR_TEMPLATES, false, "/.." },
	{ BEHAVIOR_TEMPLATES, true, "/conf" },
};

/* Why it cannot be read as a file; NULL: it can. */
static const char *fault(struct arena *a, const char *path)
{
	struct stat st;
	char text[64];
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return arena_printf(a, "%s is not a file", path);
	if (access(path, R_OK) == -1)
		return arena_printf(a, "%s: %s", path, strerror_r(errno, text, sizeof(text)));
	return NULL;
}

const char *behavior_find_file(const struct conf *c, struct arena *a, const char *config,
    enum behavior_files kind, const char *path, const char **why)
{
	if (path[0] == '/') {
		*why = fault(a, path);
		return *why == NULL ? path : NULL;
	}
	const char *slash = config == NULL ? NULL : strrchr(config, '/');
	const char *own = slash == NULL ? NULL : arena_strndup(a, config, (size_t)(slash - config));
	const char *seen = NULL;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		const char *root = places[i].shipped ? c->data_dir : own;
		if (places[i].kind != kind || root == NULL)
			continue;
		const char *dir = arena_printf(a, "%s%s", root, places[i].below);
		const char *full = arena_printf(a, "%s/%s", dir, path);
		if (!absent(full)) {
			*why = fault(a, full);
			return *why == NULL ? full : NULL;
		}
		seen = seen == NULL ? dir : arena_printf(a, "%s, %s", seen, dir);
	}
	*why = arena_printf(a, "%s is in none of these folders: %s", path, seen);
	return NULL;
}

bool behavior_file_blank(const char *path)
{
	int c = EOF;
	FILE *f = fopen(path, "re");
	if (f == NULL)
		return true;
	do
		c = getc(f);
	while (c == ' ' || (c >= '\t' && c <= '\r'));
	fclose(f);
	return c == EOF;
}
