#include "edges/mcp_tokens.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/heap.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/owned.h"
#include "base/replace_file.h"
#include "base/str.h"
#include "drivers/hmac.h"

#define PREFIX "avmcp_"
#define HASH_KEY "aviation-agent mcp token"

enum { FILE_MAX = 4 << 20, RANDOM_BYTES = 32, TOOLS_MAX_EACH = 64 };

/* Who may change a file. A change of them does not change the time of its text. */
struct rights {
	mode_t mode;
	uid_t owner;
	gid_t group;
};

struct mcp_tokens {
	const char *path;
	pthread_mutex_t lock;          /* of the rest */
	struct file_stamp stamp;
	struct rights rights;
	int64_t failed_ms;            /* when the file could not be used (clock_mono_ms); 0: it could */
	struct arena *mem;             /* of the list; NULL: nothing was read yet */
	struct mcp_token *list;
	size_t n;
};

static bool hash_of(unsigned char out[HMAC_SIZE], const char *token)
{
	return hmac_sha256(out, STR(HASH_KEY), str_of(token));
}

/* ---- the file ---------------------------------------------------------------------------- */

static bool read_hash(unsigned char out[HMAC_SIZE], const char *hex)
{
	if (hex == NULL || strlen(hex) != 2 * HMAC_SIZE)
		return false;
	for (size_t i = 0; i < HMAC_SIZE; i++) {
		const int high = hex_value(hex[2 * i]), low = hex_value(hex[2 * i + 1]);
		if (high < 0 || low < 0)
			return false;
		out[i] = (unsigned char)(high << 4 | low);
	}
	return true;
}

/* The member `tools`: absent for all tools. False: it is no list of names. */
static bool read_tools(struct arena *a, struct json_object *row, const char *const **out)
{
	struct json_object *list = jsn_get(row, "tools");
	const size_t n = jsn_len(list);
	const char **names;

	*out = NULL;
	if (!jsn_has(row, "tools"))
		return true;
	if (!jsn_is(list, json_type_array) || n > TOOLS_MAX_EACH)
		return false;
	names = arena_array(a, n + 1, sizeof(*names));
	for (size_t i = 0; i < n; i++) {
		if (!jsn_is(jsn_at(list, i), json_type_string))
			return false;
		names[i] = arena_strdup(a, json_object_get_string(jsn_at(list, i)));
	}
	*out = names;
	return true;
}

static enum errcode check_owner(const char *path, struct err *e)
{
	const int fd = owned_open(path, O_RDONLY, 0);

	if (fd < 0)
		return err_set(e, ERR_CONFIG, "%s: cannot be read (%s)", path, strerrordesc_np(errno));
	const enum errcode rc = owned_settings(fd, path, "set MCP_TOKENS to another file", e);
	close(fd);
	return rc;
}

enum errcode mcp_tokens_list(struct arena *a, const char *path, struct mcp_token **out, size_t *n, struct err *e)
{
	struct json_object *o, *list;

	*out = NULL;
	*n = 0;
	if (access(path, F_OK) != 0 && errno == ENOENT)
		return OK;
	enum errcode rc = check_owner(path, e);
	if (rc == OK)
		rc = jsn_load(a, path, FILE_MAX, &o, e);
	if (rc != OK)
		return rc;
	list = jsn_get(o, "tokens");
	if (!jsn_is(list, json_type_array) || jsn_len(list) > MCP_TOKENS_MAX)
		return err_set(e, ERR_CONFIG, "%s: \"tokens\" must be a list of at most %d tokens", path, MCP_TOKENS_MAX);
	*out = arena_array(a, jsn_len(list) + 1, sizeof(**out));
	for (size_t i = 0; i < jsn_len(list); i++) {
		struct json_object *row = jsn_at(list, i);
		struct mcp_token *t = &(*out)[i];
		t->name = arena_strdup(a, jsn_get_str(row, "name", NULL));
		t->made = arena_strdup(a, jsn_get_str(row, "made", NULL));
		if (!id_valid(t->name, MCP_TOKEN_NAME_MAX) || !read_hash(t->hash, jsn_get_str(row, "hash", NULL))
		    || !read_tools(a, row, &t->tools))
			return err_set(e, ERR_CONFIG, "%s: the token number %zu needs a name, a hash, and tools as a list of "
			    "names; remove it from the file", path, i + 1);
	}
	*n = jsn_len(list);
	return OK;
}

static struct json_object *row_of(struct arena *a, const struct mcp_token *t)
{
	struct json_object *row = jsn_object(a), *tools = jsn_array(a);
	char hex[2 * HMAC_SIZE + 1];

	hex_put(hex, t->hash, HMAC_SIZE);
	jsn_add_str(row, "name", t->name);
	jsn_add_str(row, "hash", hex);
	for (size_t i = 0; t->tools != NULL && t->tools[i] != NULL; i++)
		jsn_push(tools, jsn_str(t->tools[i]));
	if (t->tools != NULL)
		jsn_add(row, "tools", jsn_ref(tools));
	if (t->made != NULL)
		jsn_add_str(row, "made", t->made);
	return row;
}

static enum errcode write_all(int fd, const char *path, const char *p, size_t n, struct err *e)
{
	while (n > 0) {
		const ssize_t done = write(fd, p, n);
		if (done < 0 && errno != EINTR)
			return err_set(e, ERR_IO, "%s: cannot be written (%s)", path, strerrordesc_np(errno));
		if (done > 0) {
			p += done;
			n -= (size_t)done;
		}
	}
	return OK;
}

/* What a change does with the list, which has room for one more. */
struct change {
	enum errcode (*apply)(struct mcp_token *list, size_t *n, const struct mcp_token *about, struct err *e);
	const struct mcp_token *about;
};

/* The lock of the new file keeps a second operator out while the old one is read. */
static enum errcode rewrite(const char *path, const struct change *change, struct err *e)
{
	struct arena *a = arena_new();
	const char *tmp = arena_printf(a, "%s.new", path);
	char *folder = path_folder(path);
	struct mcp_token *old, *list;
	struct buf b;
	size_t n;
	int fd = -1;
	enum errcode rc = make_dirs(folder, 0750, e);

	free(folder);
	buf_init(&b, FILE_MAX);
	if (rc == OK)
		rc = replace_begin(tmp, &fd, e);
	if (rc == OK)
		rc = mcp_tokens_list(a, path, &old, &n, e);
	if (rc == OK) {
		list = arena_array(a, n + 1, sizeof(*list));
		if (n > 0)
			memcpy(list, old, n * sizeof(*list));
		rc = change->apply(list, &n, change->about, e);
	}
	if (rc == OK) {
		struct json_object *o = jsn_object(a), *rows = jsn_array(a);
		for (size_t i = 0; i < n; i++)
			jsn_push(rows, jsn_ref(row_of(a, &list[i])));
		jsn_add(o, "tokens", jsn_ref(rows));
		jsn_print(&b, o, JSN_INDENT);
		buf_putc(&b, '\n');
		rc = write_all(fd, tmp, b.p, b.n, e);
	}
	if (rc == OK)
		rc = replace_file(tmp, path, e);
	else if (fd >= 0)
		unlink(tmp);
	if (fd >= 0)
		close(fd);
	buf_release(&b);
	arena_free(a);
	return rc;
}

static size_t place_of(const struct mcp_token *list, size_t n, const char *name)
{
	size_t i = 0;

	while (i < n && !streq(list[i].name, name))
		i++;
	return i;
}

static enum errcode add(struct mcp_token *list, size_t *n, const struct mcp_token *about, struct err *e)
{
	if (place_of(list, *n, about->name) < *n)
		return err_set(e, ERR_INPUT, "there is a token called %s already: remove it first, or choose another name",
		    about->name);
	if (*n >= MCP_TOKENS_MAX)
		return err_set(e, ERR_INPUT, "there are %d tokens, and no more are kept: remove some", MCP_TOKENS_MAX);
	list[(*n)++] = *about;
	return OK;
}

static enum errcode drop(struct mcp_token *list, size_t *n, const struct mcp_token *about, struct err *e)
{
	const size_t at = place_of(list, *n, about->name);

	if (at == *n)
		return err_set(e, ERR_NOTFOUND, "there is no token called %.64s", about->name);
	memmove(&list[at], &list[at + 1], (*n - at - 1) * sizeof(*list));
	--*n;
	return OK;
}

enum errcode mcp_tokens_add(const char *path, const char *name, const char *const *tools,
    char out[MCP_TOKEN_SIZE], struct err *e)
{
	struct mcp_token about = { .name = name, .tools = tools };
	const struct change change = { add, &about };
	unsigned char bytes[RANDOM_BYTES];
	char made[CLOCK_ISO_SIZE];

	if (!id_valid(name, MCP_TOKEN_NAME_MAX))
		return err_set(e, ERR_INPUT, "the name of a token has 1 to %d letters, digits, - or _", MCP_TOKEN_NAME_MAX);
	id_random(bytes, sizeof(bytes));
	memcpy(out, PREFIX, sizeof(PREFIX));
	hex_put(out + sizeof(PREFIX) - 1, bytes, sizeof(bytes));
	clock_iso_utc(made, clock_wall_us());
	made[strcspn(made, ".")] = '\0';
	about.made = made;
	if (!hash_of(about.hash, out))
		return err_set(e, ERR_INTERNAL, "libcrypto cannot make a hash");
	return rewrite(path, &change, e);
}

enum errcode mcp_tokens_remove(const char *path, const char *name, struct err *e)
{
	const struct mcp_token about = { .name = name };
	const struct change change = { drop, &about };

	return rewrite(path, &change, e);
}

/* ---- the server's list ----------------------------------------------------------------------- */

struct mcp_tokens *mcp_tokens_open(const char *path)
{
	struct mcp_tokens *t = heap_new(sizeof(*t));

	*t = (struct mcp_tokens){ .path = path };
	pthread_mutex_init(&t->lock, NULL);
	return t;
}

void mcp_tokens_close(struct mcp_tokens *t)
{
	if (t == NULL)
		return;
	arena_free(t->mem);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

static struct rights rights_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (struct rights){ st.st_mode, st.st_uid, st.st_gid } : (struct rights){ 0, 0, 0 };
}

static bool is_unchanged(const struct mcp_tokens *t, const struct file_stamp *now, const struct rights *r)
{
	return t->mem != NULL && file_stamp_same(now, &t->stamp) && r->mode == t->rights.mode && r->owner == t->rights.owner
	    && r->group == t->rights.group;
}

/* A file that could not be used is tried again, because the reason may be no property of the file. */
static void follow_file(struct mcp_tokens *t)
{
	enum { RETRY_MS = 1000 };
	const struct file_stamp now = file_stamp(t->path);
	const struct rights rights = rights_of(t->path);
	struct err e = { 0 };

	if (is_unchanged(t, &now, &rights) && (t->failed_ms == 0 || clock_mono_ms() - t->failed_ms < RETRY_MS))
		return;
	t->rights = rights;
	t->failed_ms = 0;
	arena_free(t->mem);
	t->mem = arena_new();
	t->stamp = now;
	if (mcp_tokens_list(t->mem, t->path, &t->list, &t->n, &e) == OK)
		return;
	log_msg(LOG_ERROR, "mcp_tokens", "why=\"%s\"", e.msg);
	t->failed_ms = clock_mono_ms();
	t->n = 0;
}

static const char *const *copy_tools(struct arena *a, const char *const *tools)
{
	size_t n = 0;

	while (tools != NULL && tools[n] != NULL)
		n++;
	if (tools == NULL)
		return NULL;
	const char **copy = arena_array(a, n + 1, sizeof(*copy));
	for (size_t i = 0; i < n; i++)
		copy[i] = arena_strdup(a, tools[i]);
	return copy;
}

bool mcp_tokens_find(struct mcp_tokens *t, struct arena *a, const char *token, struct mcp_token *out)
{
	unsigned char hash[HMAC_SIZE];
	bool found = false;

	if (t->path == NULL || strlen(token) >= MCP_TOKEN_SIZE || !starts_with(token, PREFIX) || !hash_of(hash, token))
		return false;
	pthread_mutex_lock(&t->lock);
	follow_file(t);
	for (size_t i = 0; i < t->n && !found; i++) {
		found = hmac_same(hash, t->list[i].hash);
		if (found)
			*out = (struct mcp_token){ .name = arena_strdup(a, t->list[i].name),
				.tools = copy_tools(a, t->list[i].tools) };
	}
	pthread_mutex_unlock(&t->lock);
	return found;
}
