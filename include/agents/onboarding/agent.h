/*
 * The onboarding agent: a loop of model and tools that fills in the record of a new employee, answers
 * questions from the company's documents, and exports the record.
 *
 * The events of a turn: EV_TEXT as the model writes; EV_TOOL_START and EV_TOOL_END for each call, with call_id
 * and time_us, the result as text (a JSON string that holds JSON, or plain text); after a failure EV_ERROR;
 * last EV_DONE. EV_TOOL_END comes after the result is stored.
 */
#ifndef AGENTS_ONBOARDING_AGENT_H
#define AGENTS_ONBOARDING_AGENT_H

#include <stddef.h>

#include "base/arena.h"
#include "base/errs.h"
#include "runtime/agent.h"

struct conf;
struct json_object;

extern const struct agent onboarding_agent;

/* The record in the channel state of a thread (struct thread.state; NULL: it has none): the six fields,
 * `missing_fields`, and `exported_at`, null before the first export. ERR_STORE: the state is damaged. */
enum errcode onboarding_record(struct arena *a, const char *state, struct json_object **out, struct err *e);

#endif
