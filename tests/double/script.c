/*
 * Case files, and which reply a request gets. README describes the content of a case file.
 *
 * A file is read once, into tables of ready pieces; a request then costs a search in its text and a
 * counter. The tables live until the program ends.
 */
#include "double.h"

#include <stdlib.h>
#include <string.h>

const char *const kind_names[KIND__MAX] = { "planner", "router", "reformulation", "formatter",
	"embeddings", "models", "other" };

/* How servers say that they do not accept a parameter, by class. */
struct refusal {
	const char *name;
	int status;
	const char *body;
};

#define OPENAI_REFUSES(what) "{\"error\":{\"message\":\"Unsupported parameter: '" what \
	"' is not supported with this model.\",\"type\":\"invalid_request_error\",\"param\":\"" what \
	"\",\"code\":\"unsupported_parameter\"}}"

static const struct refusal refusals[] = {        /* of a parameter */
	{ "openai", 400, OPENAI_REFUSES("{param}") },
	{ "list", 400,
	    "{\"object\":\"error\",\"message\":\"[{'type': 'extra_forbidden', 'loc': ('body', '{param}'), "
	    "'msg': 'Extra inputs are not permitted'}]\",\"type\":\"BadRequestError\",\"param\":null,"
	    "\"code\":400}" },
	{ "detail", 422,
	    "{\"detail\":[{\"type\":\"extra_forbidden\",\"loc\":[\"body\",\"{param}\"],"
	    "\"msg\":\"Extra inputs are not permitted\"}]}" },
};

static const struct refusal tool_refusals[] = {
	{ "ollama", 400,
	    "{\"error\":{\"message\":\"{model} does not support tools\",\"type\":\"api_error\","
	    "\"param\":null,\"code\":null}}" },
	{ "llama.cpp", 500,
	    "{\"error\":{\"code\":500,\"message\":\"tools param requires --jinja flag\","
	    "\"type\":\"server_error\"}}" },
	{ "vllm", 400,
	    "{\"object\":\"error\",\"message\":\"tool choice requires --enable-auto-tool-choice and "
	    "--tool-call-parser to be set\",\"type\":\"BadRequestError\",\"param\":null,"
	    "\"code\":400}" },
	{ "openai", 400, OPENAI_REFUSES("tools") },
};

/* Bodies of errors without one of their own. */
static const struct {
	int status;
	const char *type, *code, *message;
} errors[] = {
	{ 400, "invalid_request_error", NULL, "This request cannot be served: {question}" },
	{ 401, "invalid_request_error", "invalid_api_key", "Incorrect API key provided: {key}" },
	{ 403, "invalid_request_error", "unsupported_country", "Access denied for {key}" },
	{ 404, "invalid_request_error", "model_not_found", "The model `{model}` does not exist" },
	{ 408, "timeout", NULL, "The request took too long to arrive" },
	{ 409, "conflict", NULL, "The request conflicts with another" },
	{ 429, "requests", "rate_limit_exceeded", "Rate limit reached for {model}" },
	{ 500, "server_error", NULL, "The server had an error" },
	{ 503, "server_error", NULL, "The engine is overloaded" },
	{ 529, "overloaded_error", NULL, "Overloaded" },
};

struct list {
	int kind;                       /* -1: any */
	char *model, *contains, *path;  /* NULL: any */
	char **refuse;
	size_t nrefuse;
	const struct refusal *style, *tools;
	struct reply *replies;
	size_t n, next;
	enum { ONCE, REPEAT_LAST, REPEAT_ALL } repeat;
};

struct script {
	char *name, *marker;            /* "[name]" */
	struct list *lists;
	size_t n;
};

static struct script *scripts;
static size_t nscripts;

/* -- reading --------------------------------------------------------------------- */

static const struct refusal *find_refusal(const struct refusal *rows, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	case_error("no refusal is called \"%s\"", name);
}

static void read_list(struct list *l, struct json_object *o)
{
	struct json_object *when = json_member(o, "when"), *replies = json_member(o, "replies");
	struct json_object *refuse = json_member(o, "refuse");
	const char *repeat = json_string(o, "repeat"), *kind = json_string(when, "kind");
	const char *style = json_string(o, "style"), *tools = json_string(o, "refuse_tools");

	*l = (struct list){ .kind = kind == NULL ? -1 : json_find("kind", kind, kind_names, KIND__MAX) };
	l->model = json_copy(when, "model");
	l->contains = json_copy(when, "contains");
	l->path = json_copy(when, "path");
	l->style = find_refusal(refusals, sizeof(refusals) / sizeof(refusals[0]),
	    style != NULL ? style : "openai");
	if (tools != NULL)
		l->tools = find_refusal(tool_refusals, sizeof(tool_refusals) / sizeof(tool_refusals[0]),
		    tools);
	l->nrefuse = refuse == NULL ? 0 : json_object_array_length(refuse);
	if (l->nrefuse > 0)
		l->refuse = must(calloc(l->nrefuse, sizeof(*l->refuse)));
	for (size_t i = 0; i < l->nrefuse; i++)
		l->refuse[i] = must(strdup(json_plain(json_object_array_get_idx(refuse, i))));
	if (repeat != NULL)
		l->repeat = strcmp(repeat, "all") == 0 ? REPEAT_ALL : REPEAT_LAST;
	if (!json_object_is_type(replies, json_type_array) || json_object_array_length(replies) == 0)
		case_error("a list has no \"replies\"");
	l->n = json_object_array_length(replies);
	l->replies = must(calloc(l->n, sizeof(*l->replies)));
	for (size_t i = 0; i < l->n; i++)
		reply_read(&l->replies[i], json_object_array_get_idx(replies, i));
}

/* Append the lists of a file, then those of the case named by "then". */
static void read_file(struct script *s, const char *path, int depth)
{
	case_file = path;
	struct json_object *root = json_object_from_file(path), *lists = json_member(root, "lists");
	if (root == NULL)
		case_error("cannot be read as JSON: %s", json_util_get_last_err());
	struct json_object *one = json_object_new_object();
	if (json_object_is_type(root, json_type_array))
		json_object_object_add(one, "replies", json_object_get(root));
	size_t n = lists == NULL ? 1 : json_object_array_length(lists);
	s->lists = must(realloc(s->lists, (s->n + n) * sizeof(*s->lists)));
	for (size_t i = 0; i < n; i++)
		read_list(&s->lists[s->n++], lists != NULL ? json_object_array_get_idx(lists, i)
		    : json_object_is_type(root, json_type_array) ? one : root);
	json_object_put(one);

	const char *then = json_string(root, "then"), *slash = strrchr(path, '/');
	if (then != NULL && depth == 0)
		case_error("\"then\" goes round in a circle");
	if (then != NULL) {
		struct text next = { 0 };
		text_put(&next, path, slash == NULL ? 0 : (size_t)(slash - path) + 1);
		text_printf(&next, "%s.json", then);
		read_file(s, next.p, depth - 1);
		text_free(&next);
	}
	json_object_put(root);
}

void script_load(const char *path)
{
	const char *base = strrchr(path, '/');
	struct text marker = { 0 };

	scripts = must(realloc(scripts, (nscripts + 1) * sizeof(*scripts)));
	struct script *s = &scripts[nscripts++];
	*s = (struct script){ .name = must(strdup(base == NULL ? path : base + 1)) };
	char *dot = strrchr(s->name, '.');
	if (dot != NULL)
		*dot = '\0';
	text_printf(&marker, "[%s]", s->name);
	s->marker = marker.p;
	read_file(s, path, 8);
}

/* -- requests -------------------------------------------------------------------- */

static bool ends_with(const char *s, const char *end)
{
	size_t n = strcspn(s, "?"), k = strlen(end);
	return n >= k && strncmp(s + n - k, end, k) == 0;
}

/* Text of the i-th message, counted from the last; NULL beyond the first. "" if it is not from the
 * user. */
static const char *user_text(const struct request *r, size_t i)
{
	struct json_object *all = json_member(r->body, "messages");
	size_t n = json_object_is_type(all, json_type_array) ? json_object_array_length(all) : 0;
	if (i >= n)
		return NULL;
	struct json_object *m = json_object_array_get_idx(all, n - 1 - i);
	const char *role = json_string(m, "role");
	if (role == NULL || strcmp(role, "user") != 0 || json_member(m, "content") == NULL)
		return "";
	return json_plain(json_member(m, "content"));
}

/* Name of the function that is to be called; "". */
static const char *function_of(const struct request *r)
{
	struct json_object *tools = json_member(r->body, "tools");
	const char *name = NULL;

	if (json_object_is_type(tools, json_type_array) && json_object_array_length(tools) > 0)
		name = json_string(json_member(json_object_array_get_idx(tools, 0), "function"), "name");
	return name != NULL ? name : "";
}

static bool asks_for(const struct request *r, const char *member)
{
	const char *last = user_text(r, 0);
	return !r->tools && !r->stream && last != NULL && strstr(last, member) != NULL;
}

static enum kind chat_kind(const struct request *r)
{
	struct json_object *messages = json_member(r->body, "messages");

	if (strcmp(function_of(r), "AviationRoute") == 0 || asks_for(r, "`kind`"))
		return KIND_ROUTER;
	if (r->tools || asks_for(r, "selected_tool"))
		return KIND_PLANNER;
	return json_object_is_type(messages, json_type_array) &&
	    json_object_array_length(messages) == 1 && asks_for(r, "JSON string")
	    ? KIND_REFORMULATION : KIND_FORMATTER;
}

void request_read(struct request *r)
{
	const char *model = json_string(r->body, "model");

	r->model = model != NULL ? model : "";
	r->stream = json_flag(r->body, "stream", false);
	r->include_usage = json_flag(json_member(r->body, "stream_options"), "include_usage", false);
	r->tools = json_member(r->body, "tools") != NULL;
	if (ends_with(r->path, "/models"))
		r->kind = KIND_MODELS;
	else if (ends_with(r->path, "/embeddings"))
		r->kind = KIND_EMBEDDINGS;
	else if (r->format != FORMAT_OPENAI)
		r->kind = r->chat ? chat_kind(r) : KIND_EMBEDDINGS;
	else if (!ends_with(r->path, "/chat/completions"))
		r->kind = KIND_OTHER;
	else
		r->kind = chat_kind(r);
}

static bool says(const struct request *r, const char *word)
{
	const char *text;
	for (size_t i = 0; (text = user_text(r, i)) != NULL; i++)
		if (strstr(text, word) != NULL)
			return true;
	return false;
}

/* The case that the conversation named last, else the first case. */
static struct script *script_of(const struct request *r)
{
	const char *text;

	for (size_t i = 0; nscripts > 1 && (text = user_text(r, i)) != NULL; i++)
		for (size_t k = 0; k < nscripts; k++)
			if (strstr(text, scripts[k].marker) != NULL)
				return &scripts[k];
	return nscripts > 0 ? &scripts[0] : NULL;
}

static bool matches(const struct list *l, const struct request *r)
{
	return (l->kind < 0 || l->kind == (int)r->kind) &&
	    (l->next < l->n || l->repeat != ONCE) &&
	    (l->model == NULL || strcmp(l->model, r->model) == 0) &&
	    (l->path == NULL || strstr(r->path, l->path) != NULL) &&
	    (l->contains == NULL || says(r, l->contains));
}

static bool refused(const struct list *l, const struct request *r, struct choice *out)
{
	const struct refusal *row = NULL;
	struct fill f = { .model = r->model };

	for (size_t i = 0; i < l->nrefuse && row == NULL; i++)
		if (json_member(r->raw != NULL ? r->raw : r->body, l->refuse[i]) != NULL) {
			row = l->style;
			f.param = l->refuse[i];
		}
	if (row == NULL && r->tools)
		row = l->tools;
	if (row == NULL)
		return false;
	out->status = row->status;
	if (r->format != FORMAT_OPENAI) {
		struct text message = { 0 };
		text_fill(&message, f.param != NULL ? "{param}: this model does not take it"
		    : "{model} does not support tools", &f);
		tongues[r->format].error(&out->body, out->status, message.p);
		text_free(&message);
		return true;
	}
	text_fill(&out->body, row->body, &f);
	return true;
}

static void put_nullable(struct text *out, const char *name, const char *value)
{
	text_printf(out, ",\"%s\":", name);
	if (value == NULL)
		text_puts(out, "null");
	else
		text_printf(out, "\"%s\"", value);
}

/* The error body for a reply without its own. */
static void error_body(const struct request *r, const struct reply *p, struct text *out)
{
	struct fill f = { .key = r->key, .model = r->model, .question = user_text(r, 0) };
	size_t i = 0;

	while (i + 1 < sizeof(errors) / sizeof(errors[0]) && errors[i].status != p->status)
		i++;
	if (r->format != FORMAT_OPENAI) {
		struct text message = { 0 };
		text_fill(&message, p->error_message != NULL ? p->error_message : errors[i].message, &f);
		tongues[r->format].error(out, p->status, message.p);
		text_free(&message);
		return;
	}
	text_puts(out, "{\"error\":{\"message\":\"");
	text_fill(out, p->error_message != NULL ? p->error_message : errors[i].message, &f);
	text_printf(out, "\",\"type\":\"%s\"", errors[i].type);
	put_nullable(out, "param", p->error_param);
	put_nullable(out, "code", p->error_code != NULL ? p->error_code : errors[i].code);
	text_puts(out, "}}");
}

static void nothing_scripted(const struct request *r, struct choice *out)
{
	static const struct reply vectors = { .status = 200, .dims = 16, .usage = true };
	struct fill f = { .model = r->model, .param = r->path };

	if (r->kind == KIND_EMBEDDINGS) {
		out->reply = &vectors;
		out->status = 200;
	} else if (r->kind == KIND_MODELS) {
		out->status = 200;
		text_puts(&out->body,
		    "{\"object\":\"list\",\"data\":[{\"id\":\"gpt-4o-mini\",\"object\":\"model\"}]}");
	} else {
		out->status = r->kind == KIND_OTHER ? 404 : 400;
		text_fill(&out->body,
		    "{\"error\":{\"message\":\"the case has no reply for this request to {param}\","
		    "\"type\":\"invalid_request_error\",\"param\":null,\"code\":\"not_scripted\"}}", &f);
	}
}

/* -- what a strict server checks --------------------------------------------------- */

static bool function_ok(struct json_object *tool)
{
	struct json_object *f = json_member(tool, "function");
	const char *type = json_string(tool, "type"), *name = json_string(f, "name");

	return type != NULL && strcmp(type, "function") == 0 && name != NULL && *name != '\0' &&
	    strlen(name) <= 64 && name[strspn(name, "abcdefghijklmnopqrstuvwxyz"
	        "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] == '\0' &&
	    json_object_is_type(json_member(f, "parameters"), json_type_object);
}

static bool offers(struct json_object *tools, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(json_string(json_member(json_object_array_get_idx(tools, i), "function"),
		    "name"), name) == 0)
			return true;
	return false;
}

static const char *wrong_tools(const struct request *r)
{
	struct json_object *tools = json_member(r->body, "tools");
	struct json_object *choice = json_member(r->body, "tool_choice");
	const char *forced = json_string(json_member(choice, "function"), "name");
	size_t n = json_object_is_type(tools, json_type_array) ? json_object_array_length(tools) : 0;

	if (choice != NULL && n == 0)
		return "'tool_choice' is only allowed when 'tools' are specified";
	for (size_t i = 0; i < n; i++) {
		struct json_object *tool = json_object_array_get_idx(tools, i);
		if (!function_ok(tool))
			return "Invalid value in 'tools'";
		if (offers(tools, i, json_string(json_member(tool, "function"), "name")))
			return "Two functions of one name in 'tools'";
	}
	return forced != NULL && !offers(tools, n, forced)
	    ? "'tool_choice' names a function that is not among 'tools'" : NULL;
}

/* Each call of an assistant is answered by the messages that follow, in any order. */
static const char *wrong_turns(const struct request *r)
{
	static const char unanswered[] = "An assistant message with 'tool_calls' must be followed by tool "
	    "messages responding to each 'tool_call_id'";
	struct json_object *all = json_member(r->body, "messages"), *calls = NULL;
	size_t n = json_object_is_type(all, json_type_array) ? json_object_array_length(all) : 0, open = 0;

	for (size_t i = 0; i < n; i++) {
		struct json_object *m = json_object_array_get_idx(all, i);
		const char *role = json_string(m, "role"), *id = json_string(m, "tool_call_id");
		bool known = false;
		if (role == NULL || strcmp(role, "tool") != 0) {
			if (open > 0)
				return unanswered;
			calls = json_member(m, "tool_calls");
			open = calls == NULL ? 0 : json_object_array_length(calls);
			continue;
		}
		for (size_t k = 0; id != NULL && calls != NULL && k < json_object_array_length(calls); k++)
			known |= strcmp(json_string(json_object_array_get_idx(calls, k), "id"), id) == 0;
		if (!known || open == 0 || json_string(m, "content") == NULL)
			return "A tool message must answer a call of the message before it";
		open--;
	}
	return open > 0 ? unanswered : NULL;
}

static bool wrong(const struct request *r, struct choice *out)
{
	const char *why = r->wrong != NULL ? r->wrong : r->kind >= KIND_EMBEDDINGS ? NULL : wrong_tools(r);

	if (why == NULL && r->kind < KIND_EMBEDDINGS)
		why = wrong_turns(r);
	if (why == NULL)
		return false;
	out->status = 400;
	if (r->format != FORMAT_OPENAI) {
		struct text message = { 0 };
		text_json(&message, why, strlen(why), false);
		tongues[r->format].error(&out->body, 400, message.p);
		text_free(&message);
		return true;
	}
	text_printf(&out->body, "{\"error\":{\"message\":\"%s\",\"type\":\"invalid_request_error\","
	    "\"param\":null,\"code\":\"malformed\"}}", why);
	return true;
}

void script_choose(const struct request *r, struct choice *out)
{
	struct script *s = script_of(r);

	*out = (struct choice){ .script = s != NULL ? s->name : "", .list = -1, .nth = -1 };
	if (wrong(r, out))
		return;
	for (size_t i = 0; s != NULL && i < s->n; i++) {
		struct list *l = &s->lists[i];
		/* a list without a kind is for chats */
		if (!matches(l, r) || (l->kind < 0 && r->kind >= KIND_EMBEDDINGS))
			continue;
		out->list = (int)i;
		if (refused(l, r, out))
			return;
		if (l->next == l->n)
			l->next = l->repeat == REPEAT_ALL ? 0 : l->n - 1;
		out->nth = (int)l->next;
		out->reply = &l->replies[l->next++];
		if (out->reply->plain != NULL && !r->tools)
			out->reply = out->reply->plain;
		out->status = out->reply->status;
		if (out->status >= 400 && out->reply->body == NULL)
			error_body(r, out->reply, &out->body);
		return;
	}
	nothing_scripted(r, out);
}
