/*
 * Makes a reply from a case file, as far as possible before there is a request. Texts are cut into
 * pieces and escaped here, once; sending them is copying.
 */
#include "double.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *case_file = "";

/* -- JSON of a case file ----------------------------------------------------------- */

void case_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fprintf(stderr, "%s: ", case_file);
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, "\n");
	va_end(ap);
	exit(2);
}

struct json_object *json_member(struct json_object *o, const char *name)
{
	struct json_object *v = NULL;
	return json_object_is_type(o, json_type_object) &&
	    json_object_object_get_ex(o, name, &v) ? v : NULL;
}

const char *json_string(struct json_object *o, const char *name)
{
	struct json_object *v = json_member(o, name);
	return json_object_is_type(v, json_type_string) ? json_object_get_string(v) : NULL;
}

char *json_copy(struct json_object *o, const char *name)
{
	const char *v = json_string(o, name);
	return v == NULL ? NULL : must(strdup(v));
}

int64_t json_number(struct json_object *o, const char *name, int64_t otherwise)
{
	struct json_object *v = json_member(o, name);
	if (v == NULL)
		return otherwise;
	if (!json_object_is_type(v, json_type_int) && !json_object_is_type(v, json_type_double))
		case_error("\"%s\" is not a number", name);
	return json_object_get_int64(v);
}

bool json_flag(struct json_object *o, const char *name, bool otherwise)
{
	struct json_object *v = json_member(o, name);
	return v == NULL ? otherwise : json_object_get_boolean(v);
}

const char *json_plain(struct json_object *v)
{
	return json_object_is_type(v, json_type_string) ? json_object_get_string(v)
	    : json_object_to_json_string_ext(v, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
}

int json_find(const char *what, const char *value, const char *const *names, int n)
{
	for (int i = 0; i < n; i++)
		if (names[i] != NULL && strcmp(names[i], value) == 0)
			return i;
	case_error("\"%s\": \"%s\" is not known", what, value);
}

/* -- the content ------------------------------------------------------------------- */

static const char *const fault_names[FAULT__MAX] = {
	[FAULT_CLOSE] = "close", [FAULT_RESET] = "reset", [FAULT_STALL] = "stall",
	[FAULT_END] = "end", [FAULT_ERROR] = "error", [FAULT_GARBAGE] = "garbage",
};

static void add_piece(struct reply *r, struct text *delta)
{
	r->pieces = must(realloc(r->pieces, (r->npieces + 1) * sizeof(*r->pieces)));
	r->pieces[r->npieces++] = (struct piece){ delta->p, delta->n,
		strstr(delta->p, "{now_us}") != NULL };
	*delta = (struct text){ 0 };
}

/* Text that is already the inside of a JSON string. */
static void add_content(struct reply *r, const char *p, size_t n)
{
	struct text t = { 0 };

	text_put(&r->content, p, n);
	text_puts(&t, "{\"content\":\"");
	text_put(&t, p, n);
	text_puts(&t, "\"}");
	add_piece(r, &t);
}

static void add_text(struct reply *r, const char *p, size_t n, bool ascii)
{
	struct text t = { 0 };
	text_json(&t, p, n, ascii);
	add_content(r, t.p != NULL ? t.p : "", t.n);
	text_free(&t);
}

static bool boundary(const char *p)
{
	return ((unsigned char)*p & 0xc0) != 0x80;
}

/* The end of the k-th of n equal parts; n 0: the end of a word with the blank before it. */
static size_t part_end(const char *p, size_t len, size_t at, size_t k, size_t n)
{
	size_t end = n == 0 ? at + 1 : len * (k + 1) / n < at ? at : len * (k + 1) / n;
	while (end < len && (n > 0 ? !boundary(p + end) : p[end] != ' '))
		end++;
	return end < len ? end : len;
}

static void add_parts(struct reply *r, const char *p, size_t n, bool ascii)
{
	size_t len = strlen(p);

	for (size_t at = 0, k = 0; at < len; k++) {
		size_t end = part_end(p, len, at, k, n);
		if (end > at)
			add_text(r, p + at, end - at, ascii);
		at = end;
	}
}

/* One of "tokens": text, {"raw": the inside of a JSON string}, {"hex": its bytes}, {"delta": the
 * whole delta object}. */
static void add_token(struct reply *r, struct json_object *v, bool ascii)
{
	const char *raw = json_string(v, "raw"), *hex = json_string(v, "hex");
	struct text t = { 0 };

	if (json_object_is_type(v, json_type_string))
		add_text(r, json_object_get_string(v), (size_t)json_object_get_string_len(v), ascii);
	else if (raw != NULL)
		add_content(r, raw, strlen(raw));
	else if (hex != NULL) {
		for (unsigned byte; sscanf(hex, "%2x", &byte) == 1; hex += 2)
			text_put(&t, &(char){ (char)byte }, 1);
		add_content(r, t.p, t.n);
		text_free(&t);
	} else if (json_member(v, "delta") != NULL) {
		text_puts(&t, json_plain(json_member(v, "delta")));
		add_piece(r, &t);
	} else
		case_error("a token is text or has raw, hex or delta");
}

static void add_call(struct reply *r, struct json_object *call, int64_t index, size_t fragments)
{
	const char *name = json_string(call, "name"), *id = json_string(call, "id");
	struct json_object *given = json_member(call, "arguments");
	const char *args = given != NULL ? json_plain(given) : "{}";
	struct text head = { 0 }, t = { 0 };
	size_t len = strlen(args);

	text_printf(&head, "\"id\":\"%s%s%lld\",\"type\":\"function\",\"function\":{\"name\":\"%s\","
	    "\"arguments\":\"", id != NULL ? id : "call_", id != NULL ? "." : "", (long long)index,
	    name != NULL ? name : "AviationPlan");
	text_puts(&r->calls, index > 0 ? ",{" : "{");
	text_put(&r->calls, head.p, head.n);
	text_json(&r->calls, args, len, false);
	text_puts(&r->calls, "\"}}");

	text_printf(&t, "{\"tool_calls\":[{\"index\":%lld,", (long long)index);
	text_put(&t, head.p, head.n);
	text_puts(&t, "\"}}]}");
	add_piece(r, &t);
	text_free(&head);
	for (size_t at = 0, k = 0; at < len; k++) {
		size_t end = part_end(args, len, at, k, fragments);
		if (end > at) {
			text_printf(&t, "{\"tool_calls\":[{\"index\":%lld,\"function\":{\"arguments\":\"",
			    (long long)index);
			text_json(&t, args + at, end - at, false);
			text_puts(&t, "\"}}]}");
			add_piece(r, &t);
		}
		at = end;
	}
}

/* A plan as a model gives it that was offered the tools as functions: a call of its tool. */
static void add_plan(struct reply *r, struct json_object *plan, int64_t index, size_t fragments)
{
	struct json_object *call = json_object_new_object(), *args = json_object_new_object();
	const char *tool = json_string(plan, "selected_tool"), *style = json_string(plan, "answer_style");

	if (json_object_is_type(json_member(plan, "arguments"), json_type_object)) {
		json_object_object_foreach(json_member(plan, "arguments"), name, value)
			json_object_object_add(args, name, json_object_get(value));
	}
	if (style != NULL && strcmp(style, "narrative_markdown") != 0)
		json_object_object_add(args, "answer_style", json_object_new_string(style));
	json_object_object_add(call, "name", json_object_new_string(tool == NULL ? "AviationPlan"
	    : strcmp(tool, "none") == 0 ? "no_tool" : tool));
	json_object_object_add(call, "arguments", tool != NULL ? args : json_object_get(plan));
	if (tool == NULL)
		json_object_put(args);
	add_call(r, call, index, fragments);
	json_object_put(call);
}

static void read_content(struct reply *r, struct json_object *o)
{
	struct json_object *tokens = json_member(o, "tokens"), *calls = json_member(o, "calls");
	struct json_object *plans = json_member(o, "plans");
	const char *text = json_string(o, "text");
	bool ascii = json_flag(o, "ascii", false);
	size_t fragments = (size_t)json_number(o, "fragments", 4);

	if (json_object_is_type(tokens, json_type_array))
		for (size_t i = 0; i < json_object_array_length(tokens); i++)
			add_token(r, json_object_array_get_idx(tokens, i), ascii);
	else if (text != NULL)
		add_parts(r, text, tokens != NULL ? (size_t)json_object_get_int64(tokens) : 0, ascii);
	if (json_member(o, "call") != NULL)
		add_call(r, json_member(o, "call"), 0, fragments);
	for (size_t i = 0; calls != NULL && i < json_object_array_length(calls); i++)
		add_call(r, json_object_array_get_idx(calls, i), (int64_t)i, fragments);
	if (json_member(o, "plan") != NULL)
		add_plan(r, json_member(o, "plan"), 0, fragments);
	for (size_t i = 0; plans != NULL && i < json_object_array_length(plans); i++)
		add_plan(r, json_object_array_get_idx(plans, i), (int64_t)i, fragments);
	size_t rounds = (size_t)json_number(o, "repeat", 1);
	int64_t bytes = json_number(o, "bytes", 0);
	if (bytes > 0 && r->content.n > 0)
		rounds = ((size_t)bytes + r->content.n - 1) / r->content.n;
	r->total = r->npieces * rounds;
}

static void read_fault(struct reply *r, struct json_object *o)
{
	struct json_object *after = json_member(o, "after");
	const char *fault = json_string(o, "fault");

	if (fault == NULL)
		return;
	r->fault = (enum fault)json_find("fault", fault, fault_names, FAULT__MAX);
	r->after = AFTER_REQUEST;
	if (json_object_is_type(after, json_type_string))
		r->after = strcmp(json_plain(after), "head") == 0 ? AFTER_HEAD : AFTER_REQUEST;
	else if (after != NULL)
		r->after = json_object_get_int64(after) > 0 ? json_object_get_int64(after) : AFTER_HEAD;
	r->fault_ms = json_number(o, "fault_ms", 0);
}

void reply_read(struct reply *r, struct json_object *o)
{
	struct json_object *body = json_member(o, "body"), *usage = NULL;

	*r = (struct reply){ .usage = true, .usage_in = 100 };
	r->status = (int)json_number(o, "status", 200);
	r->type = json_copy(o, "type");
	r->error_code = json_copy(o, "code");
	r->error_message = json_copy(o, "message");
	r->error_param = json_copy(o, "param");
	r->thinking = json_copy(o, "thinking");
	if (json_member(o, "headers") != NULL) {
		json_object_object_foreach(json_member(o, "headers"), name, value)
			text_printf(&r->fields, "%s: %s\r\n", name, json_plain(value));
	}
	if (body != NULL) {
		r->body = must(strdup(json_plain(body)));
		r->nbody = strlen(r->body);
	}
	read_content(r, o);
	r->finish = "stop";
	if (json_object_object_get_ex(o, "finish", &usage))
		r->finish = json_copy(o, "finish");
	r->usage_out = (int64_t)r->total;
	if (json_object_object_get_ex(o, "usage", &usage)) {
		r->usage = usage != NULL;
		r->usage_in = json_number(usage, "in", 100);
		r->usage_out = json_number(usage, "out", r->usage_out);
		r->usage_early = json_flag(usage, "early", false);
	}
	r->dims = (int)json_number(o, "dims", 16);
	r->head_ms = json_number(o, "head_ms", 0);
	r->first_ms = json_number(o, "first_ms", 0);
	r->every_ms = json_number(o, "every_ms", 0);
	read_fault(r, o);
	r->crlf = json_flag(o, "crlf", false);
	r->bom = json_flag(o, "bom", false);
	r->comments = json_flag(o, "comments", false);
	r->done = json_flag(o, "done", true);
	r->close = json_flag(o, "close", false);
	r->hangup = json_flag(o, "hangup", false);
	r->chop = (size_t)json_number(o, "chop", 0);
	r->chop_ms = json_number(o, "chop_ms", 1);
	struct json_object *cuts = json_member(o, "cuts");
	r->ncuts = cuts == NULL ? 0 : json_object_array_length(cuts);
	if (r->ncuts > 0)
		r->cuts = must(calloc(r->ncuts, sizeof(*r->cuts)));
	for (size_t i = 0; i < r->ncuts; i++)
		r->cuts[i] = (size_t)json_object_get_int64(json_object_array_get_idx(cuts, i));
	struct json_object *plan = json_member(o, "plan"), *plans = json_member(o, "plans");
	if (plans != NULL)
		plan = json_object_array_get_idx(plans, 0);
	if (plan != NULL) {
		struct json_object *text = json_object_new_object();
		json_object_object_foreach(o, name, value)
			if (strcmp(name, "plan") != 0 && strcmp(name, "plans") != 0)
				json_object_object_add(text, name, json_object_get(value));
		json_object_object_add(text, "text", json_object_new_string(json_plain(plan)));
		r->plain = must(calloc(1, sizeof(*r->plain)));
		reply_read(r->plain, text);
		json_object_put(text);
	}
}

