/*
 * What is known of a session: its threads, its persona and the tokens it used. The store keeps it like a
 * thread: a session that is not used for store_config.ttl_s is deleted.
 *
 * A session belongs to the user whom the web server names; the same id of two users are two sessions.
 * Without a user, everybody who knows the id can find the session's threads. So a session is kept only if it
 * has a user, or an id that cannot be guessed. Any other id is only a label, and nothing is stored for it.
 *
 * A commit counts its turn in the session (struct commit), in the same step. In a Redis Cluster it is a
 * second step after the commit, because thread and session may be on different servers.
 */
#ifndef SERVICES_SESSIONS_H
#define SERVICES_SESSIONS_H

#include "services/store.h"

enum {
	SESSION_THREADS = 50,         /* the newest threads of a session are remembered */
	SESSION_PERSONA_MAX = 128,    /* bytes */
};

struct session {
	const char *id;
	int64_t first_us, last_us;    /* Unix time of its first and its newest turn */
	int64_t turns, input, output;
	const char *persona;          /* of its newest turn; "": none */
	const char **threads;         /* the newest last */
	size_t nthreads;
};

/* Is this session kept? `user` NULL: anonymous. */
bool session_is_kept(const char *id, const char *user);
/* Does it look like an id that a program made at random: one of id_session(), a UUID, or 32 hexadecimal
 * digits? A label may precede them. A name or a time does not, however long it is. */
bool session_id_is_hard(const char *id);

/* ERR_NOTFOUND: the session has no turn yet, has expired, or is not kept at all. */
enum errcode session_find(struct store *s, struct arena *a, const char *id, const char *user,
    struct session *out, struct err *e);

#endif
