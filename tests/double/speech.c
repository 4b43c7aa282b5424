/*
 * The bytes of a reply: heads, JSON of whole replies, events of streamed ones.
 *
 * A stream is normally made piece by piece, one chunk and one write each. If a case cuts the bytes
 * at given places, the whole stream is made first (the stage) and sent in slices.
 */
#include "double.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- text ------------------------------------------------------------------------- */

void *must(void *p)
{
	if (p == NULL)
		abort();
	return p;
}

static void room_for(struct text *t, size_t n)
{
	if (t->n + n + 1 <= t->room)
		return;
	t->room = (t->n + n + 1) * 2;
	t->p = must(realloc(t->p, t->room));
}

void text_put(struct text *t, const void *p, size_t n)
{
	room_for(t, n);
	if (n > 0)
		memcpy(t->p + t->n, p, n);
	t->n += n;
	t->p[t->n] = '\0';
}

void text_puts(struct text *t, const char *s)
{
	text_put(t, s, strlen(s));
}

void text_printf(struct text *t, const char *fmt, ...)
{
	char line[2048];
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= sizeof(line))
		abort();
	text_put(t, line, (size_t)n);
}

/* Length of the UTF-8 character at p, 1 if it is not valid; its code point in *cp. */
static size_t character(const char *p, size_t n, unsigned *cp)
{
	unsigned char c = (unsigned char)*p;
	size_t len = c < 0x80 ? 1 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;

	*cp = len == 1 ? c : c & (0xffu >> (len + 1));
	if (len > n)
		return 1;
	for (size_t i = 1; i < len; i++)
		*cp = *cp << 6 | ((unsigned char)p[i] & 0x3f);
	return len;
}

void text_json(struct text *t, const char *p, size_t n, bool ascii)
{
	for (size_t i = 0; i < n;) {
		unsigned cp;
		size_t len = character(p + i, n - i, &cp);
		if (cp == '"' || cp == '\\')
			text_printf(t, "\\%c", (char)cp);
		else if (cp == '\n')
			text_puts(t, "\\n");
		else if (cp < 0x20)
			text_printf(t, "\\u%04x", cp);
		else if (cp < 0x80 || !ascii)
			text_put(t, p + i, len);
		else if (cp < 0x10000)
			text_printf(t, "\\u%04x", cp);
		else
			text_printf(t, "\\u%04x\\u%04x", 0xd800 + ((cp - 0x10000) >> 10),
			    0xdc00 + ((cp - 0x10000) & 0x3ff));
		i += len;
	}
}

void text_fill(struct text *t, const char *template, const struct fill *f)
{
	const struct { const char *name, *value; } rows[] = {
		{ "{key}", f->key }, { "{model}", f->model }, { "{question}", f->question },
		{ "{param}", f->param },
	};
	for (const char *p = template; *p != '\0';) {
		size_t i = 0;
		while (i < sizeof(rows) / sizeof(rows[0]) &&
		    (rows[i].value == NULL || strncmp(p, rows[i].name, strlen(rows[i].name)) != 0))
			i++;
		if (i == sizeof(rows) / sizeof(rows[0])) {
			text_put(t, p++, 1);
			continue;
		}
		text_json(t, rows[i].value, strlen(rows[i].value), false);
		p += strlen(rows[i].name);
	}
}

void text_free(struct text *t)
{
	free(t->p);
	*t = (struct text){ 0 };
}

/* -- whole replies ------------------------------------------------------------------ */

static void put_usage(struct text *t, const struct reply *r)
{
	text_printf(t, "{\"prompt_tokens\":%lld,\"completion_tokens\":%lld,\"total_tokens\":%lld}",
	    (long long)r->usage_in, (long long)r->usage_out, (long long)(r->usage_in + r->usage_out));
}

static void put_head_members(struct text *t, const struct speech *s, const char *object)
{
	text_printf(t, "{\"id\":\"chatcmpl-%lld\",\"object\":\"%s\",\"created\":1767400000,\"model\":\"",
	    (long long)s->id, object);
	text_json(t, s->model, strlen(s->model), false);
	text_puts(t, "\",\"choices\":[");
}

static void whole_chat(struct text *t, const struct speech *s)
{
	const struct reply *r = s->reply;

	put_head_members(t, s, "chat.completion");
	text_puts(t, "{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":");
	if (r->content.n == 0 && r->calls.n > 0)
		text_puts(t, "null");
	else {
		text_puts(t, "\"");
		size_t rounds = r->calls.n > 0 || r->npieces == 0 ? 1 : r->total / r->npieces;
		while (rounds-- > 0)
			text_put(t, r->content.p, r->content.n);
		text_puts(t, "\"");
	}
	if (r->calls.n > 0) {
		text_puts(t, ",\"tool_calls\":[");
		text_put(t, r->calls.p, r->calls.n);
		text_puts(t, "]");
	}
	text_puts(t, "},\"logprobs\":null,\"finish_reason\":");
	if (r->finish != NULL)
		text_printf(t, "\"%s\"}]", r->finish);
	else
		text_puts(t, "null}]");
	if (r->usage) {
		text_puts(t, ",\"usage\":");
		put_usage(t, r);
	}
	text_puts(t, "}");
}

/* Vectors that depend only on the text: texts that share groups of three letters are near each
 * other. */
static void vector(struct text *t, const char *p, size_t n, int dims)
{
	double *v = must(calloc((size_t)dims, sizeof(*v)));

	for (size_t i = 0; i + 3 <= n; i++) {
		uint32_t h = 2166136261u;
		for (size_t k = i; k < i + 3; k++)
			h = (h ^ (unsigned char)(p[k] | 0x20)) * 16777619u;
		v[h % (unsigned)dims] += h & 0x10000 ? 1 : -1;
	}
	for (int i = 0; i < dims; i++)
		text_printf(t, "%s%.4f", i > 0 ? "," : "", v[i] / 16 + 0.001 * (i % 7));
	free(v);
}

void speech_vector(struct text *t, const char *text, int dims)
{
	vector(t, text, strlen(text), dims);
}

static void whole_embeddings(struct text *t, const struct speech *s, struct json_object *input)
{
	bool many = json_object_is_type(input, json_type_array);
	size_t n = many ? json_object_array_length(input) : 1, bytes = 0;

	text_puts(t, "{\"object\":\"list\",\"data\":[");
	for (size_t i = 0; i < n; i++) {
		struct json_object *one = many ? json_object_array_get_idx(input, i) : input;
		const char *p = one != NULL ? json_object_get_string(one) : "";
		text_printf(t, "%s{\"object\":\"embedding\",\"index\":%zu,\"embedding\":[",
		    i > 0 ? "," : "", i);
		vector(t, p, strlen(p), s->reply->dims);
		text_puts(t, "]}");
		bytes += strlen(p);
	}
	text_puts(t, "],\"model\":\"");
	text_json(t, s->model, strlen(s->model), false);
	text_puts(t, "\"");
	if (s->reply->usage)
		text_printf(t, ",\"usage\":{\"prompt_tokens\":%zu,\"total_tokens\":%zu}", bytes / 4 + 1,
		    bytes / 4 + 1);
	text_puts(t, "}");
}

/* -- streamed ones ------------------------------------------------------------------ */

static void event_open(struct text *t, const struct reply *r)
{
	if (r->comments)
		text_puts(t, r->crlf ? ": keep-alive\r\n\r\nid: 7\r\n" : ": keep-alive\n\nid: 7\n");
	text_puts(t, "data: ");
}

static void event_close(struct text *t, const struct reply *r)
{
	text_puts(t, r->crlf ? "\r\n\r\n" : "\n\n");
}

static void event_delta(struct text *t, struct speech *s, const struct piece *p,
    int64_t now_us)
{
	if (s->tongue != NULL) {
		s->tongue->piece(t, s, p->p, p->n);
		return;
	}
	event_open(t, s->reply);
	put_head_members(t, s, "chat.completion.chunk");
	text_puts(t, "{\"index\":0,\"delta\":");
	const char *mark = p->stamped ? strstr(p->p, "{now_us}") : NULL;
	if (mark != NULL) {
		text_put(t, p->p, (size_t)(mark - p->p));
		text_printf(t, "%lld", (long long)now_us);
		text_puts(t, mark + strlen("{now_us}"));
	} else
		text_put(t, p->p, p->n);
	text_puts(t, ",\"finish_reason\":null}]");
	text_puts(t, s->include_usage ? ",\"usage\":null}" : "}");
	event_close(t, s->reply);
}

static void stream_begin(struct text *t, struct speech *s)
{
	static const char role[] = "{\"role\":\"assistant\",\"content\":\"\"}";
	struct piece p = { NULL, sizeof(role) - 1, false };
	struct text copy = { 0 };

	if (s->reply->bom)
		text_puts(t, "\xef\xbb\xbf");
	if (s->tongue != NULL) {
		s->tongue->begin(t, s);
		return;
	}
	text_puts(&copy, role);
	p.p = copy.p;
	event_delta(t, s, &p, 0);
	text_free(&copy);
}

static void stream_finish(struct text *t, struct speech *s)
{
	const struct reply *r = s->reply;

	if (s->tongue != NULL) {
		s->tongue->finish(t, s);
		return;
	}

	if (r->finish != NULL) {
		event_open(t, r);
		put_head_members(t, s, "chat.completion.chunk");
		text_printf(t, "{\"index\":0,\"delta\":{},\"finish_reason\":\"%s\"}]", r->finish);
		if (r->usage && r->usage_early) {
			text_puts(t, ",\"usage\":");
			put_usage(t, r);
		}
		text_puts(t, "}");
		event_close(t, r);
	}
	if (r->usage && s->include_usage && !r->usage_early) {
		event_open(t, r);
		put_head_members(t, s, "chat.completion.chunk");
		text_puts(t, "],\"usage\":");
		put_usage(t, r);
		text_puts(t, "}");
		event_close(t, r);
	}
	if (r->done) {
		event_open(t, r);
		text_puts(t, "[DONE]");
		event_close(t, r);
	}
}

/* -- the reply as it goes out ---------------------------------------------------------- */

void speech_start(struct speech *s, int64_t id, const struct request *r, const struct choice *c)
{
	static const struct reply refusal;

	*s = (struct speech){ .reply = c->reply != NULL ? c->reply : &refusal, .id = id };
	s->status = c->status;
	s->model = must(strdup(r->model));
	s->include_usage = r->include_usage;
	s->tongue = r->format == FORMAT_OPENAI ? NULL : &tongues[r->format];
	const struct reply *p = s->reply;
	bool raw = c->reply == NULL || p->body != NULL || c->status >= 300;
	s->stream = r->stream && !raw;
	s->chunked = s->stream;
	s->staged = !s->stream || speech_cut(s);
	if (!s->staged)
		return;
	if (c->body.n > 0)
		text_put(&s->stage, c->body.p, c->body.n);
	else if (raw)
		text_put(&s->stage, p->body, p->nbody);
	else if (s->tongue != NULL && r->kind == KIND_EMBEDDINGS)
		s->tongue->vectors(&s->stage, p, json_object_object_get(r->body, "input"));
	else if (s->tongue != NULL && !s->stream)
		s->tongue->whole(&s->stage, s);
	else if (r->kind == KIND_EMBEDDINGS)
		whole_embeddings(&s->stage, s, json_object_object_get(r->body, "input"));
	else if (!s->stream)
		whole_chat(&s->stage, s);
	else {
		stream_begin(&s->stage, s);
		for (size_t i = 0; i < p->total; i++)
			event_delta(&s->stage, s, &p->pieces[i % p->npieces], 0);
		stream_finish(&s->stage, s);
	}
}

bool speech_cut(const struct speech *s)
{
	return s->reply->chop > 0 || s->reply->ncuts > 0;
}

static const char *reason(int status)
{
	static const struct { int status; const char *reason; } rows[] = {
		{ 200, "OK" }, { 301, "Moved Permanently" }, { 302, "Found" }, { 400, "Bad Request" },
		{ 401, "Unauthorized" }, { 403, "Forbidden" }, { 404, "Not Found" },
		{ 408, "Request Timeout" }, { 409, "Conflict" }, { 429, "Too Many Requests" },
		{ 500, "Internal Server Error" }, { 502, "Bad Gateway" }, { 503, "Service Unavailable" },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].status == status)
			return rows[i].reason;
	return "Scripted";
}

void speech_head(struct speech *s, bool keep, struct text *out)
{
	const struct reply *r = s->reply;
	const char *type = r->type != NULL ? r->type
	    : !s->stream ? "application/json" : s->tongue != NULL ? s->tongue->type
	    : "text/event-stream; charset=utf-8";

	text_printf(out, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\n", s->status, reason(s->status), type);
	if (r->fields.n > 0)
		text_put(out, r->fields.p, r->fields.n);
	if (s->chunked)
		text_puts(out, "Transfer-Encoding: chunked\r\n");
	else
		text_printf(out, "Content-Length: %zu\r\n", s->stage.n);
	text_puts(out, keep ? "\r\n" : "Connection: close\r\n\r\n");
}

static void put_chunk(const struct speech *s, struct text *out, const char *p, size_t n)
{
	if (n == 0)
		return;
	if (s->chunked)
		text_printf(out, "%zx\r\n", n);
	text_put(out, p, n);
	if (s->chunked)
		text_puts(out, "\r\n");
}

/* The end of the slice of the stage that begins at s->at. */
static size_t slice(const struct speech *s)
{
	const struct reply *r = s->reply;
	size_t end = r->chop > 0 ? s->at + r->chop : s->stage.n;

	for (size_t i = 0; i < r->ncuts; i++)
		if (r->cuts[i] > s->at && r->cuts[i] < end)
			end = r->cuts[i];
	return end < s->stage.n ? end : s->stage.n;
}

bool speech_piece(struct speech *s, int64_t now_us, struct text *out)
{
	const struct reply *r = s->reply;
	bool more;

	if (s->staged) {
		size_t end = slice(s);
		put_chunk(s, out, s->stage.p + s->at, end - s->at);
		s->at = end;
		s->next++;
		more = end < s->stage.n;
	} else {
		struct text t = { 0 };
		if (s->next == 0)
			stream_begin(&t, s);
		if (s->next < r->total)
			event_delta(&t, s, &r->pieces[s->next % r->npieces], now_us);
		s->next++;
		/* a fault due after the last piece must come before the end */
		more = s->next < r->total || (r->fault != FAULT_NONE && r->after == (int64_t)s->next);
		if (!more)
			stream_finish(&t, s);
		put_chunk(s, out, t.p, t.n);
		text_free(&t);
	}
	if (!more && s->chunked)
		text_puts(out, "0\r\n\r\n");
	return more;
}

void speech_fault(struct speech *s, enum fault fault, struct text *out)
{
	const struct reply *r = s->reply;

	if (fault == FAULT_ERROR) {
		struct text t = { 0 };
		if (s->tongue != NULL) {
			bool lines = s->tongue == &tongues[FORMAT_OLLAMA];
			text_puts(&t, lines ? "" : s->tongue == &tongues[FORMAT_ANTHROPIC]
			    ? "event: error\ndata: " : "data: ");
			s->tongue->error(&t, 529, "the engine failed");
			text_puts(&t, lines ? "\n" : "\n\n");
			put_chunk(s, out, t.p, t.n);
			text_free(&t);
			text_puts(out, s->chunked ? "0\r\n\r\n" : "");
			return;
		}
		event_open(&t, r);
		text_puts(&t, "{\"error\":{\"message\":\"");
		const char *m = r->error_message != NULL ? r->error_message : "the engine failed";
		text_json(&t, m, strlen(m), false);
		text_printf(&t, "\",\"type\":\"server_error\",\"param\":null,\"code\":\"%s\"}}",
		    r->error_code != NULL ? r->error_code : "500");
		event_close(&t, r);
		put_chunk(s, out, t.p, t.n);
		text_free(&t);
	}
	if (s->chunked)
		text_puts(out, "0\r\n\r\n");
}

void speech_end(struct speech *s)
{
	free(s->model);
	text_free(&s->stage);
	*s = (struct speech){ 0 };
}
