/*
 * What a run keeps in the store: its lease, and its messages and state. Only for the run's own files.
 */
#ifndef RUNTIME_RUN_STORE_H
#define RUNTIME_RUN_STORE_H

#include "runtime/run.h"

struct thread_owner run_thread_owner(const struct run *run);

/* Renew the lease if a third of its time has passed. */
void run_renew_when_due(struct run *run, int64_t now);

/* The last commit of a turn: it also stores the answer, counts the turn and ends the lease. */
enum errcode run_commit(struct run *run, struct err *e);

#endif
