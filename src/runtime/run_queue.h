/*
 * How a run gets its thread, at once or after waiting. Only for run.c.
 */
#ifndef RUNTIME_RUN_QUEUE_H
#define RUNTIME_RUN_QUEUE_H

#include "runtime/run.h"

/* Take the lease of run->thread_id; codes as of run_begin(). run->busy tells who has it. */
enum errcode run_queue_take(struct run *run, const struct turn_request *req, struct err *e);

#endif
