/*
 * Which sessions are kept, and the list of a session's threads, which is one text in both back ends.
 */
#include "services/sessions.h"

#include <ctype.h>
#include <string.h>

#include "base/log.h"
#include "base/str.h"
#include "services/store_backend.h"
#include "services/store_threads.h"

/* -- which ids cannot be guessed -- */

/* "session_0a1b…": the words before the random part say nothing. A word has a letter beyond f, because
 * "face-…" may begin a random id. */
static const char *behind_label(const char *id)
{
	size_t n = 0;
	bool word = false;

	for (; isalpha((unsigned char)id[n]); n++)
		word |= hex_value(id[n]) < 0;
	return word && (id[n] == '_' || id[n] == '-') ? behind_label(id + n + 1) : id;
}

bool session_id_is_hard(const char *id)
{
	/* bits in a character of such an id, in hundredths */
	enum { DIGIT = 332, HEX = 400, LETTER = 500, BASE64 = 590, ENOUGH = 11500 };
	size_t digits = 0, letters = 0;
	bool upper = false, lower = false, hex = true;

	for (const char *p = id; *p != '\0'; p++) {
		upper |= isupper((unsigned char)*p) != 0;
		lower |= islower((unsigned char)*p) != 0;
	}
	if (upper && lower)             /* here '-' and '_' are two of 64 characters */
		return strlen(id) * BASE64 >= ENOUGH;
	for (const char *p = behind_label(id); *p != '\0'; p++) {
		digits += isdigit((unsigned char)*p) != 0;
		letters += isalpha((unsigned char)*p) != 0;
		hex &= !isalpha((unsigned char)*p) || hex_value(*p) >= 0;
	}
	if (digits == 0)                /* words */
		return false;
	return (digits + letters) * (letters == 0 ? DIGIT : hex ? HEX : LETTER) >= ENOUGH;
}

bool session_is_kept(const char *id, const char *user)
{
	return id_valid(id, STORE_ID_MAX) && (user != NULL || session_id_is_hard(id));
}

enum errcode session_unknown(const char *id, struct err *e)
{
	return err_set(e, ERR_NOTFOUND, "session %s is not in the store", log_id(id));
}

enum errcode session_find(struct store *s, struct arena *a, const char *id, const char *user,
    struct session *out, struct err *e)
{
	*out = (struct session){ .id = arena_strdup(a, id) };
	if (!session_is_kept(id, user))
		return err_set(e, ERR_NOTFOUND, "session %s can be guessed and has no user, so nothing is "
		    "kept of it", log_id(id));
	return s->threads->session(s, a, user != NULL ? user : "", out, e);
}

/* -- the list of threads -- */

const char *session_threads_drop(struct arena *a, const char *list, const char *thread_id)
{
	const size_t len = strlen(thread_id);

	for (const char *p = list; (p = strstr(p, thread_id)) != NULL; p += len) {
		if ((p > list && p[-1] != ' ') || (p[len] != ' ' && p[len] != '\0'))
			continue;
		if (p[len] == ' ')
			return arena_printf(a, "%.*s%s", (int)(p - list), list, p + len + 1);
		return arena_strndup(a, list, p > list ? (size_t)(p - list) - 1 : 0);
	}
	return list;
}

const char *session_threads_add(struct arena *a, const char *list, const char *thread_id)
{
	size_t n = 1;

	list = session_threads_drop(a, list, thread_id);
	if (*list == '\0')
		return thread_id;
	for (const char *p = list; *p != '\0'; p++)
		n += *p == ' ';
	for (; n >= SESSION_THREADS; n--)
		list = strchr(list, ' ') + 1;
	return arena_printf(a, "%s %s", list, thread_id);
}

void session_threads_read(struct arena *a, const char *list, struct session *out)
{
	struct str id;

	out->threads = arena_array(a, SESSION_THREADS, sizeof(*out->threads));
	for (const char *rest = list; *rest != '\0' && out->nthreads < SESSION_THREADS &&
	    str_part(&rest, ' ', &id);)
		out->threads[out->nthreads++] = arena_strndup(a, id.p, id.n);
}
