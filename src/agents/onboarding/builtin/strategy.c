/*
 * The strategy without a language model. It leads through the same conversation with the same tools as the
 * model does, in two steps a turn: the message is read and turned into calls, and when these have results, the
 * answer says what was recorded, refused or found, and asks for what is missing.
 *
 * What was asked last, and what the employee does not want to tell, is kept in the channel state.
 */
#include <string.h>

#include "agents/onboarding/builtin/reading.h"
#include "agents/onboarding/onboarding.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/jsn.h"
#include "base/str.h"

enum { ANSWER_BYTES = 16 << 10, FOUND_MAX = 2 };

struct talk {
	struct run *run;
	struct arena *a;
	const struct onboarding_words *w;
	struct reading said;
	size_t asked_at;              /* index of the user's message */
	struct buf out;
	bool wrote, refused;
};

/* -- saying -- */

/* The text of a reply with its values put in. pairs: name, value, …, NULL. */
static const char *filled(const struct talk *t, const char *name, const char *const *pairs)
{
	struct buf b;
	const char *p = onboarding_reply(t->w, name);
	buf_init(&b, ANSWER_BYTES);
	while (*p != '\0') {
		const char *open = strchr(p, '{'), *close = open != NULL ? strchr(open, '}') : NULL;
		if (close == NULL)
			break;
		buf_put(&b, p, (size_t)(open - p));
		for (size_t i = 0; pairs[i] != NULL; i += 2)
			if (str_eq((struct str){ open + 1, (size_t)(close - open - 1) }, pairs[i]))
				buf_puts(&b, pairs[i + 1]);
		p = close + 1;
	}
	buf_puts(&b, p);
	const char *text = arena_strndup(t->a, b.p, b.n);
	buf_release(&b);
	return text;
}

static void say_with(struct talk *t, const char *name, const char *key, const char *value)
{
	const char *const pairs[] = { key, value, NULL };
	if (t->out.n > 0)
		buf_puts(&t->out, "\n\n");
	buf_puts(&t->out, filled(t, name, pairs));
}

static void say(struct talk *t, const char *name)
{
	say_with(t, name, "company", app_of(t->run)->company);
}

/* "name Ada Lovelace": a field and its value in words. */
static const char *in_words(const struct talk *t, enum onboarding_field f, struct json_object *v)
{
	const char *name = onboarding_field_name(f), *value = onboarding_reply(t->w, "nothing");
	if (jsn_is(v, json_type_boolean))
		value = onboarding_reply(t->w, json_object_get_boolean(v) ? "yes" : "no");
	else if (jsn_is(v, json_type_string) && json_object_get_string_len(v) > 0)
		value = json_object_get_string(v);
	return arena_printf(t->a, "%s %s", onboarding_reply(t->w, arena_printf(t->a, "label_%s", name)), value);
}

/* The fields that are filled, as a list; "": there are none. */
static const char *record_list(const struct talk *t)
{
	struct json_object *fields = state_of(t->run)->fields;
	const char *list = "";
	for (int f = 0; f < ONBOARDING_WRITABLE; f++) {
		struct json_object *v = jsn_get(fields, onboarding_field_name((enum onboarding_field)f));
		if (v != NULL)
			list = arena_printf(t->a, "%s%s%s", list, *list != '\0' ? ", " : "",
			    in_words(t, (enum onboarding_field)f, v));
	}
	return list;
}

/* -- what is missing -- */

static bool is_open(const struct onboarding_state *st, int f)
{
	const unsigned bit = 1u << f;
	if ((st->again & bit) != 0)
		return true;
	return jsn_get(st->fields, onboarding_field_name((enum onboarding_field)f)) == NULL &&
	    (f < ONBOARDING_REQUIRED || (st->declined & bit) == 0);
}

/* Is the record exported as it is now? */
static bool is_exported(const struct talk *t)
{
	const struct onboarding_state *st = state_of(t->run);
	struct json_object *before = jsn_get(st->exported, "fields");
	return before != NULL && st->again == 0 &&
	    streq(jsn_text(t->a, before, JSN_PLAIN), jsn_text(t->a, st->fields, JSN_PLAIN));
}

/* Ask for the next thing. */
static void ask_next(struct talk *t)
{
	struct onboarding_state *st = state_of(t->run);
	for (int f = 0; f < ONBOARDING_WRITABLE; f++)
		if (is_open(st, f)) {
			say(t, arena_printf(t->a, "ask_%s", onboarding_field_name((enum onboarding_field)f)));
			st->asked = f;
			return;
		}
	if (is_exported(t)) {
		st->asked = ASKED_NOTHING;
		return;
	}
	if (t->wrote && st->exported != NULL)
		say(t, "stale");
	say_with(t, "ask_confirm", "list", record_list(t));
	st->asked = ASKED_CONFIRM;
}

/* -- the first step: calls -- */

static void add_call(struct talk *t, struct onboarding_step *out, const char *tool, struct json_object *args)
{
	char id[ID_SIZE];
	id_message(id);
	out->calls[out->ncalls++] = (struct message_call){ .id = arena_printf(t->run->mem, "call_%s", id),
		.name = tool, .arguments = jsn_text(t->run->mem, args, JSN_PLAIN) };
}

static void add_write(struct talk *t, struct onboarding_step *out, enum onboarding_field f,
    struct json_object *value)
{
	struct json_object *args = jsn_object(t->a);
	jsn_add_str(args, "field_name", onboarding_field_name(f));
	jsn_add(args, "value", value);
	add_call(t, out, "write_data", args);
}

/* An export needs a clear word: "yes" to the record that was shown, or the wish itself. */
static bool wants_export(const struct talk *t)
{
	const struct onboarding_state *st = state_of(t->run);
	return t->said.export || (t->said.yes && !t->said.hold && st->asked == ASKED_CONFIRM);
}

static void plan_calls(struct talk *t, struct onboarding_step *out)
{
	out->calls = arena_array(t->run->mem, ONBOARDING_WRITABLE + 2, sizeof(*out->calls));
	for (int f = 0; f < ONBOARDING_WRITABLE; f++) {
		const char *value = t->said.value[f];
		if (value != NULL)
			add_write(t, out, (enum onboarding_field)f, f != FIELD_MEETING ? jsn_str(value) :
			    json_object_new_boolean(streq(value, "true")));
	}
	/* what was told before does not hold any more */
	if (t->said.no_diet && t->said.value[FIELD_DIETARY] == NULL &&
	    onboarding_text(state_of(t->run)->fields, FIELD_DIETARY) != NULL)
		add_write(t, out, FIELD_DIETARY, NULL);
	for (int f = ONBOARDING_REQUIRED; f < ONBOARDING_WRITABLE; f++)
		if ((t->said.removed & 1u << f) != 0 && t->said.value[f] == NULL &&
		    jsn_get(state_of(t->run)->fields, onboarding_field_name((enum onboarding_field)f)) != NULL)
			add_write(t, out, (enum onboarding_field)f, NULL);
	if (t->said.question != NULL) {
		struct json_object *args = jsn_object(t->a);
		jsn_add_str(args, "query", t->said.question);
		add_call(t, out, "rag_search", args);
	}
	if (wants_export(t))
		add_call(t, out, "export_data", jsn_object(t->a));
}

/* -- the second step: the answer -- */

/* The calls of this turn with their results: call(t, call, result). */
static void each_result(struct talk *t, void (*each)(struct talk *, const struct message_call *,
    const char *result))
{
	const struct message *m = t->run->messages;
	const struct message *caller = NULL;
	for (size_t i = state_of(t->run)->began; i < t->run->nmessages; i++) {
		if (m[i].ncalls > 0)
			caller = &m[i];
		for (size_t k = 0; caller != NULL && m[i].call_id != NULL && k < caller->ncalls; k++)
			if (streq(caller->calls[k].id, m[i].call_id))
				each(t, &caller->calls[k], m[i].content);
	}
}

static struct json_object *parse(struct talk *t, const char *text)
{
	struct json_object *o = NULL;
	if (jsn_parse(t->a, text, strlen(text), JSN_DEPTH, &o, NULL, NULL) != OK)
		return NULL;
	return o;
}

static void tell_recorded(struct talk *t, const struct message_call *c, const char *result)
{
	struct onboarding_state *st = state_of(t->run);
	struct json_object *o = parse(t, result);
	const int f = (int)onboarding_field_find(jsn_get_str(o, "field_name", ""));
	(void)c;
	if (f >= ONBOARDING_WRITABLE || !streq(jsn_get_str(o, "status", ""), "success"))
		return;
	st->again &= ~(1u << f);
	st->declined &= ~(1u << f);
	t->wrote = true;
	if (t->out.n > 0)
		buf_puts(&t->out, ", ");
	buf_puts(&t->out, in_words(t, (enum onboarding_field)f, jsn_get(o, "value")));
}

static void tell_refused(struct talk *t, const struct message_call *c, const char *result)
{
	struct json_object *o = parse(t, result);
	const int f = (int)onboarding_field_find(jsn_get_str(o, "field_name", ""));
	(void)c;
	if (f >= ONBOARDING_WRITABLE || !streq(jsn_get_str(o, "status", ""), "error"))
		return;
	t->refused = true;
	say_with(t, arena_printf(t->a, "refused_%s", onboarding_field_name((enum onboarding_field)f)), "value",
	    jsn_get_str(o, "value", ""));
}

static void tell_export(struct talk *t, const struct message_call *c, const char *result)
{
	struct json_object *o = parse(t, result);
	if (!streq(c->name, "export_data"))
		return;
	if (streq(jsn_get_str(o, "status", ""), "success"))
		say(t, "exported");
	else
		say(t, jsn_has(o, "missing_fields") ? "export_missing" : "export_failed");
}

/* The line behind a word such as "Source: ", and where the next search begins. */
static const char *line_after(const struct talk *t, const char **at, const char *word)
{
	const char *p = strstr(*at, word);
	if (p == NULL)
		return NULL;
	p += strlen(word);
	*at = p + strcspn(p, "\n");
	return arena_strndup(t->a, p, (size_t)(*at - p));
}

static void tell_found(struct talk *t, const struct message_call *c, const char *result)
{
	const char *at = result;
	if (!streq(c->name, "rag_search"))
		return;
	for (int i = 0; i < FOUND_MAX; i++) {
		const char *source = line_after(t, &at, "\nSource: "), *text = line_after(t, &at, "\nContent: ");
		if (source == NULL || text == NULL) {
			if (i == 0)
				say(t, starts_with(result, "No relevant") ? "not_found" : "no_knowledge");
			return;
		}
		const char *const pairs[] = { "text", text, "source", source, NULL };
		buf_printf(&t->out, "%s%s", t->out.n > 0 ? "\n\n" : "", filled(t, "found", pairs));
	}
}

/* What happened, in the order in which people care. */
static void tell_results(struct talk *t)
{
	struct buf answer = t->out;
	buf_init(&t->out, ANSWER_BYTES);
	each_result(t, tell_recorded);
	const char *list = arena_strndup(t->a, t->out.p, t->out.n);
	buf_release(&t->out);
	t->out = answer;
	if (t->wrote)
		say_with(t, "recorded", "list", list);
	each_result(t, tell_refused);
	each_result(t, tell_found);
	each_result(t, tell_export);
}

/* "None" to what was asked: an optional field stays empty. A required one is asked for again. */
static bool decline(struct talk *t)
{
	struct onboarding_state *st = state_of(t->run);
	const bool no_diet = t->said.no && st->asked == FIELD_DIETARY;
	/* an optional field stays empty, and a required one is asked for again */
	for (int f = 0; f < ONBOARDING_WRITABLE; f++)
		if ((t->said.removed & 1u << f) != 0 && t->said.value[f] == NULL)
			*(f < ONBOARDING_REQUIRED ? &st->again : &st->declined) |= 1u << f;
	if (t->said.no_diet && !t->wrote)
		say(t, "no_diet");
	if (t->said.no_diet) {
		st->declined |= 1u << FIELD_DIETARY;
		st->again &= ~(1u << FIELD_DIETARY);
	}
	if (t->said.decline_all) {
		for (int f = ONBOARDING_REQUIRED; f < ONBOARDING_WRITABLE; f++)
			st->declined |= 1u << f;
		st->again &= (1u << ONBOARDING_REQUIRED) - 1;
		say(t, "cleared");
		return true;
	}
	if ((!t->said.decline && !no_diet) || st->asked < ONBOARDING_REQUIRED || st->asked >= ONBOARDING_WRITABLE)
		return false;
	st->declined |= 1u << st->asked;
	st->again &= ~(1u << st->asked);
	say(t, "cleared");
	return true;
}

/* What the message says of the conversation itself. False: nothing that leads on. */
static bool tell_reply(struct talk *t)
{
	struct onboarding_state *st = state_of(t->run);
	const struct reading *r = &t->said;
	if (r->restart) {
		st->again = (1u << ONBOARDING_WRITABLE) - 1;
		st->declined = 0;
		say(t, "restart");
		return true;
	}
	if (r->status) {
		const char *list = record_list(t);
		say_with(t, *list != '\0' ? "status" : "status_empty", "list", list);
		return true;
	}
	if (decline(t))
		return true;
	if (r->yes && st->asked == FIELD_DIETARY) {
		say(t, "ask_which_restrictions");
		return false;
	}
	if (st->asked == ASKED_CONFIRM && r->mentioned != 0 && !r->yes) {
		st->again |= r->mentioned;
		return true;
	}
	if ((r->no || r->hold) && st->asked == ASKED_CONFIRM) {
		say(t, r->no ? "ask_change" : "held");
		return false;
	}
	if (r->thanks && !r->greeting && st->asked == ASKED_NOTHING)
		say(t, "thanks");
	return true;
}

static bool is_first_turn(const struct run *run)
{
	for (size_t i = 0; i < run->nmessages; i++)
		if (streq(run->messages[i].role, "assistant"))
			return false;
	return true;
}

static enum errcode answer(struct talk *t, bool called, bool first)
{
	struct onboarding_state *st = state_of(t->run);
	if (first)
		say(t, "welcome");
	if (st->degraded)
		say(t, "degraded");
	tell_results(t);
	const size_t before = t->out.n;
	bool on = tell_reply(t);
	if (!called && !first && t->out.n == before && on) {
		if (is_exported(t) && st->asked == ASKED_NOTHING)
			say(t, "done");
		else if (reading_is_empty(&t->said) || t->said.no || t->said.yes || t->said.decline)
			say(t, st->asked == ASKED_CONFIRM ? "help_confirm" : "not_understood");
	}
	if (on)
		ask_next(t);
	if (t->out.n == 0)
		say(t, "done");
	return run_text(t->run, t->out.p);
}

/* A conversation begins with the name, whether or not anybody has asked for it. */
static int asked_last(const struct talk *t)
{
	const struct onboarding_state *st = state_of(t->run);
	return st->asked == ASKED_NOTHING && onboarding_text(st->fields, FIELD_EMPLOYEE_NAME) == NULL ?
	    FIELD_EMPLOYEE_NAME : st->asked;
}

static enum errcode next(struct run *run, struct onboarding_step *out, struct err *e)
{
	struct talk t = { .run = run, .a = arena_new(), .w = app_of(run)->words };
	bool called = false;
	enum errcode rc = OK;
	(void)e;
	for (size_t i = 0; i < run->nmessages; i++)
		if (streq(run->messages[i].role, "user"))
			t.asked_at = i;
	/* not those of a turn that broke off, if its message is sent again */
	for (size_t i = state_of(run)->began; i < run->nmessages; i++)
		called |= run->messages[i].ncalls > 0;
	t.said = onboarding_read(t.w, t.a, run->messages[t.asked_at].content, asked_last(&t));
	buf_init(&t.out, ANSWER_BYTES);
	if (!called)
		plan_calls(&t, out);
	if (out->ncalls == 0)
		rc = answer(&t, called, t.asked_at == 0 || (!called && is_first_turn(run)));
	buf_release(&t.out);
	arena_free(t.a);
	return rc;
}

const struct onboarding_strategy onboarding_builtin = { "builtin", next };
