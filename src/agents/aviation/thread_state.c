/*
 * What a thread keeps of the aviation agent between turns: the language of the talk, and what a follow-up goes on
 * from (builtin/talk.h).
 */
#include "agents/aviation/agent.h"
#include "agents/aviation/builtin/talk.h"
#include "language/languages.h"

struct json_object *aviation_save(const struct run *run)
{
	const struct aviation_state *st = state_of(run);
	struct json_object *o = json_object_new_object();

	if (st == NULL)
		return o;
	const struct talk *talk = st->talk_now != NULL ? st->talk_now : st->talk;
	if (st->language != NULL)
		jsn_add_str(o, "language", st->language);
	if (talk != NULL)
		jsn_add(o, "talk", talk_save(talk));
	return o;
}

enum errcode aviation_load(struct run *run, struct json_object *o, struct err *e)
{
	struct aviation_state *st = state_of(run);
	struct json_object *talk = jsn_get(o, "talk");

	(void)e;
	st->language = language_find(jsn_get_str(o, "language", ""));
	if (jsn_is(talk, json_type_object)) {
		st->talk = arena_alloc(run->mem, sizeof(*st->talk));
		talk_load(run->mem, talk, st->talk);
	}
	return OK;
}
