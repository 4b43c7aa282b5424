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

/* Only forms that a program makes count, because no measure tells a long name from random text. */
bool session_id_is_hard(const char *id)
{
	/* decimal digits: as many as id_session() writes, the first of which are the time */
	enum { HEX_DIGITS = 32, DECIMAL_DIGITS = 55, DIFFERENT = 6 };
	unsigned seen = 0;
	int n = 0;

	for (const char *p = behind_label(id); *p != '\0'; p++) {
		const int digit = hex_value(*p);

		if (digit < 0 && *p != '-')
			return false;
		if (digit >= 0) {
			seen |= 1U << digit;
			n++;
		}
	}
	return __builtin_popcount(seen) >= DIFFERENT && n >= (seen >> 10 != 0 ? HEX_DIGITS : DECIMAL_DIGITS);
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
