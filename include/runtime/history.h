/*
 * Finds the messages of a request that its thread does not hold yet.
 *
 * Clients differ:
 * - some send only the new message, some send the whole conversation again;
 * - some send answers trimmed, with other line ends, or cut where the reader left;
 * - some send no answers;
 * - some send the newest message twice.
 * The thread must hold each turn once.
 */
#ifndef RUNTIME_HISTORY_H
#define RUNTIME_HISTORY_H

#include <stddef.h>

#include "services/store.h"

/* Added to the end of an answer whose reader left early, and of a message that was too long to
 * keep. */
#define HISTORY_CUT "…"

/*
 * `stored` are the newest messages of the thread; `skipped` is the number of older ones that were not
 * loaded. Tool turns among them are passed over, because clients never see them. The new messages are
 * sent[result] up to sent[*nsent - 1]; *nsent becomes smaller when the last user message was sent
 * more than once.
 *
 * The longest beginning of `sent` that matches the end of the thread is old. Two texts match when
 * they differ only in blanks at their ends and in the kind of line end. Two answers also match when
 * one is the beginning of the other. A stored answer that the client does not send is skipped if a
 * question follows, and so is an earlier try of that question. If the last question sent already has
 * an answer in the thread, the client asks it again: then that question alone is new.
 */
size_t history_new(const struct message *stored, size_t nstored, size_t skipped,
    const struct message *sent, size_t *nsent);

#endif
