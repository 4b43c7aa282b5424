/*
 * The quick actions of the chat panel as prompts, which users of an assistant choose from a menu. Their words
 * can be replaced; without them a prompt says what the button says in English.
 */
#include "edges/mcp_call.h"

#include <string.h>

#include "agents/aviation/messages.h"
#include "edges/quick_actions.h"

static const struct quick_action *find(const char *name)
{
	for (size_t i = 0; i < nquick_actions; i++)
		if (streq(quick_actions[i].name, name))
			return &quick_actions[i];
	return NULL;
}

static void put_prompt(struct mcp_call *c, const struct quick_action *q)
{
	const struct wording *english = messages_in(CATALOGUE_REFERENCE);
	struct json_object *o = jsn_object(c->mem), *list = jsn_array(c->mem);

	jsn_add_str(o, "name", q->name);
	jsn_add_str(o, "title", quick_title(english, q));
	jsn_add_str(o, "description", quick_question(english, c->mem, q, NULL));
	for (size_t i = 0; i < QUICK_WORDS && q->words[i].name != NULL; i++) {
		struct json_object *row = jsn_new();
		jsn_add_str(row, "name", q->words[i].name);
		jsn_add_str(row, "description", arena_printf(c->mem, "%s (%s if left out)", q->words[i].doc,
		    quick_value(english, &q->words[i])));
		jsn_add_bool(row, "required", false);
		jsn_push(list, row);
	}
	jsn_add(o, "arguments", jsn_ref(list));
	jsn_print(c->out, o, JSN_PLAIN);
}

void mcp_prompts_list(struct mcp_call *c)
{
	if (!mcp_one_page(c))
		return;
	mcp_result_open(c);
	mcp_member(c, "prompts");
	buf_putc(c->out, '[');
	for (size_t i = 0; i < nquick_actions; i++) {
		buf_puts(c->out, i > 0 ? "," : "");
		put_prompt(c, &quick_actions[i]);
	}
	if (c->server->parts.mcp_fixtures)
		mcp_fixture_prompts(c);
	buf_putc(c->out, ']');
	mcp_cacheable(c, true);
	mcp_result_close(c);
}

static void answer(struct mcp_call *c, const struct quick_action *q, const char *const words[QUICK_WORDS])
{
	const struct wording *english = messages_in(CATALOGUE_REFERENCE);
	struct json_object *list = jsn_array(c->mem), *message = jsn_new(), *content = jsn_new();

	jsn_add_str(content, "type", "text");
	jsn_add_str(content, "text", quick_question(english, c->mem, q, words));
	jsn_add_str(message, "role", "user");
	jsn_add(message, "content", content);
	jsn_push(list, message);
	mcp_result_open(c);
	mcp_member(c, "description");
	jsn_print_str(c->out, quick_title(english, q));
	mcp_member_json(c, "messages", list);
	mcp_result_close(c);
}

void mcp_prompts_get(struct mcp_call *c)
{
	enum { WORD_MAX = 200 };
	const char *name = jsn_get_str(c->msg.params, "name", "");
	struct json_object *arguments = jsn_get(c->msg.params, "arguments");
	const struct quick_action *q = find(name);
	const char *words[QUICK_WORDS] = { NULL };

	if (arguments != NULL && !jsn_is(arguments, json_type_object)) {
		mcp_invalid(c, "params.arguments must be an object.");
		return;
	}
	if (c->server->parts.mcp_fixtures && mcp_fixture_prompt(c, name, arguments))
		return;
	if (q == NULL) {
		mcp_invalid(c, arena_printf(c->mem, "There is no prompt \"%.64s\". prompts/list names them.", name));
		return;
	}
	for (size_t i = 0; i < QUICK_WORDS && q->words[i].name != NULL; i++) {
		struct json_object *word = jsn_get(arguments, q->words[i].name);
		if (word != NULL && (!jsn_is(word, json_type_string) || json_object_get_string_len(word) > WORD_MAX)) {
			mcp_invalid(c, arena_printf(c->mem, "The argument %s must be a text of at most %d bytes.",
			    q->words[i].name, WORD_MAX));
			return;
		}
		if (word != NULL && json_object_get_string_len(word) > 0)
			words[i] = json_object_get_string(word);
	}
	answer(c, q, words);
}

const char *mcp_prompt_kind(const char *prompt, const char *argument)
{
	const struct quick_action *q = find(prompt);

	for (size_t i = 0; q != NULL && i < QUICK_WORDS && q->words[i].name != NULL; i++)
		if (streq(q->words[i].name, argument))
			return q->words[i].kind;
	return NULL;
}
