/*
 * What of a conversation that a client sends is new to its thread.
 *
 * Clients differ. One sends only the new message; one sends everything again; one keeps the
 * answers as it read them: trimmed, with its own line ends, cut where the reader left; one keeps no
 * answers at all; one sends the newest message twice. The thread must hold each turn once.
 */
#ifndef RUNTIME_HISTORY_H
#define RUNTIME_HISTORY_H

#include <stddef.h>

#include "services/store.h"

/* Ends an answer whose reader left before its end, and a message that was too long to keep. */
#define HISTORY_CUT "…"

/*
 * `stored` are the newest messages of the thread, `skipped` the number of older ones that were not
 * loaded. Returns the index of the first new message of `sent`; *nsent is reduced to the first one
 * that is not new any more, because the last user message was sent more than once. The longest
 * beginning of `sent` that can be the end of the thread is old. Texts are the same when they differ
 * only in blanks at their ends and in the kind of line end. Two answers are also the same when one is
 * the beginning of the other. An answer that the client does not send is passed over, as long as a
 * question follows, and so is an earlier try of that question. A client that sends a conversation
 * again whose last question the thread has with an answer asks that question once more.
 */
size_t history_new(const struct message *stored, size_t nstored, size_t skipped,
    const struct message *sent, size_t *nsent);

#endif
