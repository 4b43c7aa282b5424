/*
 * What the requests of several dialects have in common.
 */
#include "services/llm_dialect.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/jsn.h"
#include "base/str.h"

void llm_put_content(struct buf *b, const struct llm_message *m)
{
	if (m->quoted != NULL)
		buf_puts(b, m->quoted);
	else
		jsn_print_str(b, m->content);
}

void llm_put_object(struct buf *b, const char *text)
{
	struct arena *a = arena_new();
	struct json_object *o;
	if (jsn_parse(a, text, strlen(text), JSN_DEPTH, &o, NULL, NULL) == OK &&
	    jsn_is(o, json_type_object))
		jsn_print(b, o, JSN_PLAIN);
	else
		buf_puts(b, "{}");
	arena_free(a);
}

const char *llm_function_of(const struct llm_request *req, size_t result)
{
	const char *id = req->messages[result].call_id;
	for (size_t i = result; i-- > 0;)
		for (size_t k = req->messages[i].ncalls; k-- > 0;)
			if (streq(req->messages[i].calls[k].id, id))
				return req->messages[i].calls[k].name;
	return "unknown";
}
