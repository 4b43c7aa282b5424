/*
 * A session that cannot be read does not stop a turn that only lacks a persona: it gets the default. A
 * turn that wants the newest thread is refused then, because it would begin a new thread and nobody would
 * notice.
 */
#include "edges/chat_session.h"

#include "base/log.h"
#include "base/str.h"
#include "services/sessions.h"

enum errcode chat_session_fill(struct store *s, struct arena *a, struct chat_request *chat,
    const char *session_id, const char *user, const struct personas *personas, struct err *e)
{
	const bool last = streq(chat->thread_id, "last");
	const bool kept = session_id != NULL && session_is_kept(session_id, user);
	struct session session;

	if (last && !kept)
		return err_set(e, ERR_INPUT, "thread_id is \"last\", and the session %s",
		    session_id == NULL ? "is not named" : "has an id that can be guessed");
	if (!kept || (!last && chat->persona_given))
		return OK;
	enum errcode rc = session_find(s, a, session_id, user, &session, e);
	if (rc == ERR_NOTFOUND)
		session = (struct session){ .persona = "" };
	else if (rc != OK && last)
		return rc;
	else if (rc != OK) {
		log_msg(LOG_WARN, "session_not_read", "session=%s why=\"%s\"", log_id(session_id), e->msg);
		return OK;
	}
	if (last)
		chat->thread_id = session.nthreads > 0 ? session.threads[session.nthreads - 1] : NULL;
	if (!chat->persona_given && *session.persona != '\0' &&
	    (personas == NULL || persona_find(personas, session.persona) != NULL))
		chat->persona_id = session.persona;
	return OK;
}
