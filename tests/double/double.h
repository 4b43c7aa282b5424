/*
 * The double: a scripted stand-in for a server of language models, for tests and benchmarks.
 *
 * It speaks HTTP/1.1 and four formats: chat completions as OpenAI and compatible servers do, and those
 * of Anthropic, Gemini and Ollama. It answers from case files, which are the same for all. It shares no code with the program under test, because a mistake in
 * shared code would not be noticed. README explains how to run it and what a case file contains.
 *
 *   provider.c   connections, timers, the log
 *   http.c       requests out of bytes
 *   script.c     case files, and which reply a request gets
 *   reply.c      a reply out of a case file
 *   speech.c     the bytes of a reply
 *   other_requests.c, other_replies.c   the formats that are not chat completions
 */
#ifndef TESTS_DOUBLE_DOUBLE_H
#define TESTS_DOUBLE_DOUBLE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- growing text; the program ends if memory runs out -- */

struct text {
	char *p;
	size_t n, room;
};

void *must(void *p);
void text_put(struct text *t, const void *p, size_t n);
void text_puts(struct text *t, const char *s);
void text_printf(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* As the inside of a JSON string; ascii: all other characters as \uXXXX. */
void text_json(struct text *t, const char *p, size_t n, bool ascii);
/* A template, {key} {model} {question} {param} replaced, JSON-escaped. */
struct fill {
	const char *key, *model, *question, *param;
};
void text_fill(struct text *t, const char *template, const struct fill *f);
void text_free(struct text *t);

/* -- requests -- */

enum {
	HEAD_MAX = 64 << 10,
	BODY_MAX = 64 << 20,
};

struct http {
	char *head;                  /* owns method and path */
	const char *method, *path;
	struct json_object *fields;  /* names in lower case */
	struct text body;
	size_t length;               /* of all of it */
};

/* Read a request from the n bytes at p (NUL-terminated). 1: there is one, free it with
 * http_release(); 0: not yet (*hundred: it waits for "100 Continue"); -1: it is not a request. */
int http_read(struct http *h, const char *p, size_t n, bool *hundred);
void http_release(struct http *h);
const char *http_field(const struct http *h, const char *name);     /* "" */

/* -- a script -- */

enum kind {
	KIND_PLANNER,        /* asks for a function call, or for a plan as JSON */
	KIND_ROUTER,         /* the call that it asks for is AviationRoute, or JSON with a `kind` */
	KIND_REFORMULATION,  /* one message that holds a JSON string to reword */
	KIND_FORMATTER,      /* any other chat */
	KIND_EMBEDDINGS,
	KIND_MODELS,
	KIND_OTHER,          /* no path of the protocol: 404 */
	KIND__MAX,
};
extern const char *const kind_names[KIND__MAX];

enum fault {
	FAULT_NONE,
	FAULT_CLOSE,         /* the connection ends */
	FAULT_RESET,         /* … with a reset */
	FAULT_STALL,         /* nothing more is sent, the connection stays open */
	FAULT_END,           /* the body ends normally, but without finish and [DONE] */
	FAULT_ERROR,         /* an error object in the stream, then its end */
	FAULT_GARBAGE,       /* something that is not HTTP */
	FAULT__MAX,
};
enum { AFTER_REQUEST = -2, AFTER_HEAD = -1 };      /* other values: after this many pieces */

/* A delta of a streamed reply, as JSON. */
struct piece {
	char *p;
	size_t n;
	bool stamped;        /* contains {now_us} */
};

struct reply {
	int status;
	char *type;                  /* Content-Type; NULL: chosen by the kind of reply */
	struct text fields;          /* further header lines */
	char *body;                  /* sent as it is; NULL: made from the members below */
	size_t nbody;
	char *error_code, *error_message, *error_param;    /* of a default error body */
	char *thinking;              /* what the model thinks before it answers; NULL: nothing */

	struct piece *pieces;
	size_t npieces, total;       /* total: pieces sent, from the beginning again at the end */
	struct text content;         /* the text once, JSON-escaped */
	struct text calls;           /* tool_calls of a reply that is not streamed */
	struct reply *plain;         /* used instead if the request has no tools */
	const char *finish;          /* NULL: none */
	/* early: in the chunk that finishes, even if it was not asked for */
	bool usage, usage_early;
	int64_t usage_in, usage_out;
	int dims;                    /* of embeddings */

	int64_t head_ms, first_ms, every_ms;
	enum fault fault;
	int64_t after, fault_ms;
	bool crlf, bom, comments, done, close, hangup;
	size_t chop, *cuts, ncuts;   /* where the body is cut into separate writes */
	int64_t chop_ms;
};

/* How a server is spoken to. */
enum format { FORMAT_OPENAI, FORMAT_ANTHROPIC, FORMAT_GEMINI, FORMAT_OLLAMA, FORMAT__MAX };

struct request {
	const char *path;
	struct json_object *body;    /* as chat completions has it; NULL: not JSON */
	enum format format;
	bool chat;                   /* of another format: it is no request for embeddings */
	struct json_object *raw;     /* of another format: as it came */
	const char *wrong;           /* of another format: why a strict server refuses it; NULL: it does not */
	const char *key;             /* of Authorization: Bearer; "" */
	const char *model;           /* "" */
	enum kind kind;
	bool stream, include_usage, tools;
};

/* The answer to a request: a reply of the script, or a refusal that is made for it. */
struct choice {
	const struct reply *reply;   /* NULL: the request is refused */
	int status;
	struct text body;            /* made for this request; empty: use the reply's own */
	const char *script;          /* the case; "" */
	int list, nth;               /* which reply of which list; -1: none of the script */
};

/* Read a case file. Errors end the program, because a test cannot continue without its script. */
void script_load(const char *path);
void reply_read(struct reply *r, struct json_object *o);
extern const char *case_file;    /* being read, for messages */
void case_error(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Members of an object; NULL, or `otherwise`, if `o` is no object or has no such member of that
 * kind. */
struct json_object *json_member(struct json_object *o, const char *name);
const char *json_string(struct json_object *o, const char *name);
char *json_copy(struct json_object *o, const char *name);
int64_t json_number(struct json_object *o, const char *name, int64_t otherwise);
bool json_flag(struct json_object *o, const char *name, bool otherwise);
/* A text as it is, anything else as JSON; borrowed from v. */
const char *json_plain(struct json_object *v);
/* The place of a name in a table; a name that is not in it is a mistake in the case file. */
int json_find(const char *what, const char *value, const char *const *names, int n);

/* Fill in kind, model and what else is read from the body. */
void request_read(struct request *r);
/* Take the next reply for a request. */
void script_choose(const struct request *r, struct choice *out);

/* -- a reply in progress -- */

struct speech {
	const struct reply *reply;   /* NULL: no reply is in progress */
	struct text stage;           /* the body, if it is made as a whole */
	int status;
	char *model;
	bool stream, chunked, staged, include_usage;
	int64_t id;
	size_t at, next;             /* bytes of the stage sent; pieces sent */
	const struct tongue *tongue; /* NULL: chat completions */
	int block;                   /* of Anthropic: the block being sent, */
	bool open, texting;          /* whether there is one, and whether it is text */
};

/* A format other than chat completions. */
struct tongue {
	const char *type;            /* Content-Type of a stream */
	void (*whole)(struct text *t, const struct speech *s);
	void (*begin)(struct text *t, struct speech *s);
	void (*piece)(struct text *t, struct speech *s, const char *p, size_t n);
	void (*finish)(struct text *t, struct speech *s);
	/* An error object; the message is the inside of a JSON string. */
	void (*error)(struct text *t, int status, const char *message);
	void (*vectors)(struct text *t, const struct reply *r, struct json_object *input);
};
extern const struct tongue tongues[FORMAT__MAX];

/* Read a request of another format: body, format and raw are set, the old body is kept as raw. */
void request_translate(struct request *r, const struct http *h);
/* A vector of a text: its numbers. */
void speech_vector(struct text *t, const char *text, int dims);

/* Start: append the head to `out` with speech_head(), then pieces until it says false. */
void speech_start(struct speech *s, int64_t id, const struct request *r, const struct choice *c);
void speech_head(struct speech *s, bool keep, struct text *out);
/* Append the next piece, and the end after the last one; with `fault`, an error object or a clean
 * end instead of a piece. */
bool speech_piece(struct speech *s, int64_t now_us, struct text *out);
void speech_fault(struct speech *s, enum fault fault, struct text *out);
void speech_end(struct speech *s);
/* Is the body cut into slices? */
bool speech_cut(const struct speech *s);

#endif
