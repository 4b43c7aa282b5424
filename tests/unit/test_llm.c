/*
 * The policy over a provider that does what a script says: one letter an attempt, in `acts`.
 */
#include "services/llm.h"
#include "tests/unit/test.h"

#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "services/llm_gate.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
enum { DIMS = 3, LONG_MS = 60000 };

/* What one attempt does. */
static const struct act {
	char letter;
	enum errcode rc;
	bool retry, outage, no_functions, answered;
	int64_t after;                         /* Retry-After; 0: none */
	const char *pieces[3];                 /* the text, handed on in these */
	const char *why, *finish;
	int64_t input, output;
	bool estimated;
} acts[] = {
	{ .letter = 'o', .pieces = { " ", "Lyon", " it is" }, .finish = "stop", .input = 100, .output = 10 },
	{ .letter = 'c', .finish = "tool_calls", .input = 100, .output = 10 },
	{ .letter = 'e', .finish = "length", .input = 100, .output = 7 },
	{ .letter = 'w', .pieces = { "\n", " \t" }, .finish = "<b>", .input = 100, .output = 7 },
	{ .letter = 'f', ERR_UPSTREAM, .retry = true, .outage = true, .why = "HTTP status 500" },
	{ .letter = 'r', ERR_UPSTREAM, .retry = true, .answered = true, .why = "HTTP status 409" },
	{ .letter = 'p', ERR_UPSTREAM, .answered = true, .why = "HTTP status 401: change OPENAI_API_KEY" },
	{ .letter = 'a', ERR_UPSTREAM, .retry = true, .after = 150, .why = "quota" },
	{ .letter = 'l', ERR_UPSTREAM, .retry = true, .after = 20001, .why = "quota" },
	{ .letter = 'n', ERR_UPSTREAM, .no_functions = true, .why = "takes no functions" },
	{ .letter = 't', ERR_UPSTREAM, .retry = true, .pieces = { "Ly" }, .why = "broken off",
	  .input = 90, .output = 1, .estimated = true },
	{ .letter = 'b', ERR_UPSTREAM, .retry = true, .outage = true, .pieces = { "\n", "\n" },
	  .why = "broken off", .input = 90, .output = 1, .estimated = true },
	{ .letter = 'h', ERR_HUP },
	{ .letter = 'd', ERR_TIMEOUT, .why = "the turn took too long" },
};

struct script {
	struct llm_provider base;
	const char *acts;                      /* what is left of it */
	char asked[64];                        /* first letter of each model asked */
	size_t n, closed;
	size_t wrong_dims_at;                  /* attempt whose vectors are of another length; 0: none */
};

static const struct act *next_act(struct script *s, const char *model)
{
	cr_assert(s->n + 1 < sizeof(s->asked));
	s->asked[s->n++] = model[0];
	cr_assert_neq(*s->acts, '\0', "asked more often than the script is long: %s", s->asked);
	for (size_t i = 0; i < COUNT(acts); i++)
		if (acts[i].letter == *s->acts) {
			s->acts++;
			return &acts[i];
		}
	cr_assert_fail("no act %c", *s->acts);
	abort();
}

static enum errcode fail(const struct act *t, struct llm_fault *f, struct err *e)
{
	*f = (struct llm_fault){ .retry = t->retry, .outage = t->outage, .answered = t->answered,
		.no_functions = t->no_functions, .retry_after_ms = t->after != 0 ? t->after : -1 };
	return t->why != NULL ? err_set(e, t->rc, "%s", t->why) : t->rc;
}

static enum errcode script_chat(struct llm_provider *p, struct arena *a, const struct llm_request *req,
    llm_text_fn *on_text, void *arg, const struct watch *w, struct llm_reply *out,
    struct llm_fault *fault, struct err *e)
{
	struct script *s = (struct script *)p;
	const struct act *t = next_act(s, req->model);
	(void)w;
	cr_assert_null(req->fallback_model);
	out->usage = (struct llm_usage){ .input = t->input, .output = t->output,
	    .estimated = t->estimated };
	for (size_t i = 0; i < COUNT(t->pieces) && t->pieces[i] != NULL; i++) {
		enum errcode rc = on_text(arg, t->pieces[i]);
		if (rc != OK) {
			*fault = (struct llm_fault){ .retry = true, .outage = true, .retry_after_ms = -1 };
			return rc;
		}
		out->text = arena_printf(a, "%s%s", out->text, t->pieces[i]);
	}
	if (t->rc != OK)
		return fail(t, fault, e);
	out->finish = t->finish;
	if (t->letter == 'c') {
		static const struct llm_tool_call call = { .id = "call-1", .name = "find",
			.arguments = "{}" };
		out->calls = &call;
		out->ncalls = 1;
	}
	return OK;
}

static enum errcode script_embed(struct llm_provider *p, struct arena *a,
    const struct llm_embed_request *req, const struct watch *w, float **vectors, size_t *dims,
    struct llm_usage *usage, struct llm_fault *fault, struct err *e)
{
	struct script *s = (struct script *)p;
	const struct act *t = next_act(s, req->model);
	(void)w;
	*usage = (struct llm_usage){ .input = (int64_t)req->n };
	if (t->rc != OK)
		return fail(t, fault, e);
	*dims = s->n == s->wrong_dims_at ? DIMS + 1 : DIMS;
	*vectors = arena_array(a, req->n * *dims, sizeof(float));
	for (size_t i = 0; i < req->n * *dims; i++)
		(*vectors)[i] = (float)atof(req->texts[i / *dims]);
	return OK;
}

static void script_close(struct llm_provider *p)
{
	((struct script *)p)->closed++;
}

static const struct llm_provider_ops script_ops = { "script", script_chat, script_embed, script_close };

#define SCRIPT(text) ((struct script){ .base = { &script_ops }, .acts = (text) })

static struct llm *over(struct script *s, struct llm_gate *g)
{
	const struct llm_config c = { .gate = g, .backoff_ms = 1 };
	return llm_open(&s->base, &c);
}

/* A reader: keeps what it got, and leaves when told to. */
struct reader {
	char got[64];
	enum errcode rc;
};

static enum errcode read_text(void *arg, const char *text)
{
	struct reader *r = arg;
	snprintf(r->got + strlen(r->got), sizeof(r->got) - strlen(r->got), "%s", text);
	return r->rc;
}

static const struct llm_message question = { .role = "user", .content = "TOPSECRET" };
static struct llm_request request(const char *fallback, int retries)
{
	return (struct llm_request){ .purpose = "formatter", .model = "main-model",
		.fallback_model = fallback, .messages = &question, .nmessages = 1,
		.max_retries = retries };
}

/* -- what follows what -- */

static const struct {
	const char *script, *fallback;
	int retries;
	enum errcode rc;
	const char *asked, *got;
	int64_t input, output;
	bool estimated;
	const char *says;                      /* the message, whole */
} rows[] = {
	{ "o", NULL, 3, OK, "m", " Lyon it is", 100, 10, false, NULL },
	{ "fro", NULL, 3, OK, "mmm", " Lyon it is", 100, 10, false, NULL },
	{ "fff", NULL, 2, ERR_UPSTREAM, "mmm", "", 0, 0, false, "formatter: main-model: HTTP status 500" },
	{ "f", NULL, 0, ERR_UPSTREAM, "m", "", 0, 0, false, "formatter: main-model: HTTP status 500" },
	{ "p", NULL, 3, ERR_UPSTREAM, "m", "", 0, 0, false,
	  "formatter: main-model: HTTP status 401: change OPENAI_API_KEY" },
	/* the fallback model, with retries of its own; once, and only another */
	{ "po", "spare", 3, OK, "ms", " Lyon it is", 100, 10, false, NULL },
	{ "fffffo", "spare", 2, OK, "mmmsss", " Lyon it is", 100, 10, false, NULL },
	{ "frp", "spare", 1, ERR_UPSTREAM, "mms", "", 0, 0, false,
	  "formatter: main-model: HTTP status 409; spare: HTTP status 401: change OPENAI_API_KEY" },
	{ "ff", "main-model", 1, ERR_UPSTREAM, "mm", "", 0, 0, false,
	  "formatter: main-model: HTTP status 500" },
	/* too long to wait */
	{ "lo", "spare", 3, OK, "ms", " Lyon it is", 100, 10, false, NULL },
	{ "l", NULL, 3, ERR_UPSTREAM, "m", "", 0, 0, false, "formatter: main-model: quota" },
	/* text is out */
	{ "t", "spare", 3, ERR_UPSTREAM, "m", "Ly", 90, 1, true, "formatter: main-model: broken off" },
	{ "ft", "spare", 3, ERR_UPSTREAM, "mm", "Ly", 90, 1, true, "formatter: main-model: broken off" },
	/* blanks are not */
	{ "bbo", NULL, 3, OK, "mmm", " Lyon it is", 280, 12, true, NULL },
	/* empty answers */
	{ "ewo", NULL, 3, OK, "mmm", " Lyon it is", 300, 24, false, NULL },
	{ "co", NULL, 3, OK, "mm", " Lyon it is", 200, 20, false, NULL },      /* a call is no answer */
	{ "ee", NULL, 1, ERR_UPSTREAM, "mm", "", 200, 14, false,
	  "formatter: main-model: the model gave an empty answer (finish_reason length): try another model" },
	{ "w", NULL, 0, ERR_UPSTREAM, "m", "", 100, 7, false,
	  "formatter: main-model: the model gave an empty answer (finish_reason unknown): try another model" },
	/* the turn is over */
	{ "h", "spare", 3, ERR_HUP, "m", "", 0, 0, false, "formatter: given up" },
	{ "fh", "spare", 3, ERR_HUP, "mm", "", 0, 0, false, "formatter: given up" },
	{ "d", "spare", 3, ERR_TIMEOUT, "m", "", 0, 0, false, "formatter: the turn took too long" },
};

TEST(llm, scripts)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arena *a = arena_new();
		struct script s = SCRIPT(rows[i].script);
		struct llm *l = over(&s, NULL);
		struct reader r = { "", OK };
		struct llm_request req = request(rows[i].fallback, rows[i].retries);
		struct llm_reply out;
		struct err e = { 0 };
		enum errcode rc = llm_chat(l, a, &req, read_text, &r, NULL, &out, NULL, &e);
		cr_expect_eq(rc, rows[i].rc, "%s: %s", rows[i].script, e.msg);
		cr_expect_str_eq(s.asked, rows[i].asked, "%s", rows[i].script);
		cr_expect_str_eq(r.got, rows[i].got, "%s", rows[i].script);
		cr_expect_str_eq(out.text, rc == OK ? rows[i].got : "", "%s", rows[i].script);
		cr_expect_eq(out.usage.input, rows[i].input, "%s", rows[i].script);
		cr_expect_eq(out.usage.output, rows[i].output, "%s", rows[i].script);
		cr_expect_eq(out.usage.estimated, rows[i].estimated, "%s", rows[i].script);
		cr_expect_eq(out.model[0], s.asked[s.n - 1], "%s", rows[i].script);
		cr_expect_str_eq(e.msg, rows[i].says != NULL ? rows[i].says : "");
		llm_close(l);
		cr_expect_eq(s.closed, 1);
		arena_free(a);
	}
}

/* Without a reader nothing is out, and text that was lost can be asked for again. */
TEST(llm, no_reader)
{
	struct arena *a = arena_new();
	struct script s = SCRIPT("to");
	struct llm *l = over(&s, NULL);
	struct llm_request req = request(NULL, 1);
	struct llm_reply out;
	struct err e;
	TEST_OK(llm_chat(l, a, &req, NULL, NULL, NULL, &out, NULL, &e), e);
	cr_expect_str_eq(out.text, " Lyon it is");
	cr_expect_eq(out.usage.input, 190);
	cr_expect(out.usage.estimated);
	llm_close(l);
	arena_free(a);
}

static const struct { const char *script; enum errcode rc; size_t asked; bool no_functions; } calls[] = {
	{ "c", OK, 1, false },
	{ "fc", OK, 2, false },
	{ "ec", OK, 2, false },
	{ "n", ERR_UPSTREAM, 1, true },
	{ "fn", ERR_UPSTREAM, 2, true },
	{ "rrrp", ERR_UPSTREAM, 4, false },
};

static const struct llm_tools functions = { .json = "[]", .n = 2 };

TEST(llm, functions)
{
	for (size_t i = 0; i < COUNT(calls); i++) {
		struct arena *a = arena_new();
		struct script s = SCRIPT(calls[i].script);
		struct llm *l = over(&s, NULL);
		struct llm_request req = request(NULL, 3);
		struct llm_reply out;
		bool no_functions = !calls[i].no_functions;
		struct err e = { 0 };
		req.tools = &functions;
		enum errcode rc = llm_chat(l, a, &req, NULL, NULL, NULL, &out, &no_functions, &e);
		cr_expect_eq(rc, calls[i].rc, "%s: %s", calls[i].script, e.msg);
		cr_expect_eq(s.n, calls[i].asked, "%s", calls[i].script);
		cr_expect_eq(no_functions, calls[i].no_functions, "%s", calls[i].script);
		cr_expect_eq(out.ncalls, rc == OK, "%s", calls[i].script);
		llm_close(l);
		arena_free(a);
	}
}

/* A function is not asked for elsewhere when the first model takes none. */
TEST(llm, no_functions_is_final)
{
	struct arena *a = arena_new();
	struct script s = SCRIPT("n");
	struct llm *l = over(&s, NULL);
	struct llm_request req = request("spare", 3);
	struct llm_reply out;
	bool no_functions = false;
	struct err e;
	req.tools = &functions;
	cr_expect_eq(llm_chat(l, a, &req, NULL, NULL, NULL, &out, &no_functions, &e), ERR_UPSTREAM);
	cr_expect(no_functions);
	cr_expect_str_eq(s.asked, "m");
	llm_close(l);
	arena_free(a);
}

static const enum errcode codes[] = { ERR_HUP, ERR_TIMEOUT, ERR_OVERLOAD, ERR_UPSTREAM };

TEST(llm, what_the_reader_says_counts)
{
	for (size_t i = 0; i < COUNT(codes); i++) {
		struct arena *a = arena_new();
		struct script s = SCRIPT("o");
		struct llm *l = over(&s, NULL);
		struct reader r = { "", codes[i] };
		struct llm_request req = request("spare", 3);
		struct llm_reply out;
		struct err e;
		cr_expect_eq(llm_chat(l, a, &req, read_text, &r, NULL, &out, NULL, &e), codes[i]);
		cr_expect_str_eq(s.asked, "m");
		cr_expect_str_eq(r.got, " Lyon");
		cr_expect_eq(out.usage.input, 100);
		llm_close(l);
		arena_free(a);
	}
}

/* -- pauses -- */

TEST(llm, waits_as_long_as_it_is_told_to)
{
	struct arena *a = arena_new();
	struct script s = SCRIPT("aao");
	struct llm *l = over(&s, NULL);
	struct llm_request req = request(NULL, 3);
	struct llm_reply out;
	struct err e;
	int64_t start = clock_mono_ms();
	TEST_OK(llm_chat(l, a, &req, NULL, NULL, NULL, &out, NULL, &e), e);
	cr_expect_geq(clock_mono_ms() - start, 300);
	llm_close(l);
	arena_free(a);
}

static enum errcode deadline(void *arg, int64_t *ms)
{
	*ms = 1;
	return ++*(int *)arg > 3 ? ERR_TIMEOUT : OK;
}

/* A pause of up to eight seconds, or of the 150 ms asked for, ends with the turn. */
TEST(llm, who_leaves_ends_the_pause)
{
	int s[2], checks = 0;
	struct arena *a = arena_new();
	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
	close(s[1]);
	const struct watch gone = { .fd = s[0] };
	const struct watch late = { .fd = -1, .check = deadline, .arg = &checks };
	const struct { const struct watch *w; enum errcode rc; } ends[] = {
		{ &gone, ERR_HUP }, { &late, ERR_TIMEOUT },
	};
	for (size_t i = 0; i < COUNT(ends); i++) {
		struct script script = SCRIPT("a");
		struct llm *l = over(&script, NULL);
		struct llm_request req = request("spare", 3);
		struct llm_reply out;
		struct err e;
		cr_expect_eq(llm_chat(l, a, &req, NULL, NULL, ends[i].w, &out, NULL, &e), ends[i].rc);
		cr_expect_str_eq(script.asked, "m");
		llm_close(l);
	}
	close(s[0]);
	arena_free(a);
}

/* The pauses as the log has them: anywhere up to a limit, which doubles up to eight seconds. */
static const struct { int64_t backoff_ms, limits[3]; } backoffs[] = {
	{ 1, { 1, 2, 4 } },
	{ 0, { 0, 0, 0 } },
	{ INT64_MAX, { 8000 } },
	{ 7000, { 7000 } },
};

TEST(llm, pauses)
{
	char *dir = test_mkdtemp(), path[600], line[4096];
	for (size_t i = 0; i < COUNT(backoffs); i++) {
		int checks = 3, attempt;       /* the turn ends in the first pause */
		int64_t most[3] = { 0 };
		const struct watch late = { .fd = -1, .check = deadline, .arg = &checks };
		snprintf(path, sizeof(path), "%s/%zu", dir, i);
		cr_assert(log_open(path));
		for (int n = 0; n < 60; n++) {
			struct arena *a = arena_new();
			struct script s = SCRIPT("ffff");
			const struct llm_config c = { .backoff_ms = backoffs[i].backoff_ms };
			struct llm *l = llm_open(&s.base, &c);
			struct llm_request req = request(NULL, 3);
			struct llm_reply out;
			llm_chat(l, a, &req, NULL, NULL, backoffs[i].limits[0] > 10 ? &late : NULL, &out,
			    NULL, NULL);
			llm_close(l);
			arena_free(a);
		}
		log_open(NULL);
		FILE *f = fopen(path, "r");
		while (fgets(line, sizeof(line), f) != NULL) {
			long long ms;
			const char *at = strstr(line, "attempt=");
			if (at == NULL || sscanf(at, "attempt=%d again_in_ms=%lld", &attempt, &ms) != 2 || ms < 0)
				continue;
			cr_assert_lt(attempt, 4);
			cr_expect_leq(ms, backoffs[i].limits[attempt - 1], "%s", line);
			if (ms > most[attempt - 1])
				most[attempt - 1] = ms;
		}
		fclose(f);
		/* one of sixty in the upper half, but for a chance of 1 to 10^9 at least */
		for (int n = 0; n < 3; n++)
			cr_expect_geq(most[n], backoffs[i].limits[n] / 2, "%zu: %d", i, n);
	}
	test_rmdir(dir);
}

/* -- the gate -- */

static const struct llm_gate_config gate = { .max_calls = 1, .max_failures = 3, .rest_ms = LONG_MS };

/* Scripts of calls one after another, each with one retry and a fallback model, and what the
 * gate makes of them. It has one place, so a call that kept it would show. */
static const struct { const char *script; int ncalls; bool rests; const char *asked; } verdicts[] = {
	{ "ffo", 1, false, "mms" },
	{ "ffoffo", 2, false, "mmsmms" },
	/* a model that fails counts once, so that the other one gets its chance */
	{ "ffff", 1, false, "mmss" },
	{ "ffffff", 2, true, "mmssmm" },
	{ "rrrrrrrr", 2, false, "mmssmmss" },
	{ "pppppp", 3, false, "msmsms" },
	{ "eeeewwww", 2, false, "mmssmmss" },
	{ "hhhhh", 5, false, "mmmmm" },
	{ "dddd", 4, false, "mmmm" },
	{ "ffhffff", 2, true, "mmsmmss" },
	{ "bbbbbb", 2, true, "mmssmm" },
	/* what a provider refuses shows that it is there */
	{ "ffffpp", 2, false, "mmssms" },
	{ "ffffppffff", 3, false, "mmssmsmmss" },
};

TEST(llm, the_gate_is_told)
{
	for (size_t i = 0; i < COUNT(verdicts); i++) {
		struct script s = SCRIPT(verdicts[i].script);
		struct llm_gate g;
		llm_gate_init(&g, &gate);
		struct llm *l = over(&s, &g);
		struct reader r = { "", OK };
		struct llm_request req = request("spare", 1);
		for (int n = 0; n < verdicts[i].ncalls; n++) {
			struct arena *a = arena_new();
			struct llm_reply out;
			struct err e;
			llm_chat(l, a, &req, read_text, &r, NULL, &out, NULL, &e);
			arena_free(a);
		}
		cr_expect_str_eq(s.asked, verdicts[i].asked, "%s", verdicts[i].script);
		cr_expect_eq(rest_left_ms(&g.rest) > 0, verdicts[i].rests, "%s", verdicts[i].script);
		llm_close(l);
		llm_gate_release(&g);
	}
}

TEST(llm, a_reader_who_leaves_is_no_outage)
{
	struct script s = SCRIPT("oooo");
	struct llm_gate g;
	llm_gate_init(&g, &gate);
	struct llm *l = over(&s, &g);
	struct reader r = { "", ERR_UPSTREAM };
	struct llm_request req = request(NULL, 1);
	for (int n = 0; n < 4; n++) {
		struct arena *a = arena_new();
		struct llm_reply out;
		struct err e;
		cr_expect_eq(llm_chat(l, a, &req, read_text, &r, NULL, &out, NULL, &e), ERR_UPSTREAM);
		arena_free(a);
	}
	cr_expect_eq(rest_left_ms(&g.rest), 0);
	llm_close(l);
	llm_gate_release(&g);
}

/* Nothing is asked of a provider that rests, nor over the cap: not of the fallback model either. */
TEST(llm, a_shut_gate_is_final)
{
	struct arena *a = arena_new();
	struct script s = SCRIPT("fff");
	struct llm_gate g;
	llm_gate_init(&g, &gate);
	struct llm *l = over(&s, &g);
	struct llm_request req = request("spare", 0);
	struct llm_reply out = { .model = NULL };
	struct err e;
	int64_t probe;
	bool full;
	TEST_OK(llm_gate_enter(&g, NULL, &probe, &full, &e), e);
	cr_expect_eq(llm_chat(l, a, &req, NULL, NULL, NULL, &out, NULL, &e), ERR_UPSTREAM);
	cr_expect(strstr(e.msg, "AVIATION_AGENT_LLM_MAX_CALLS") != NULL, "%s", e.msg);
	cr_expect_eq(s.n, 0);
	llm_gate_leave(&g, probe, LLM_NO_VERDICT);

	for (int n = 0; n < 3; n++)
		cr_expect_eq(llm_chat(l, a, &req, NULL, NULL, NULL, &out, NULL, &e), ERR_UPSTREAM);
	cr_expect(strstr(e.msg, "formatter: main-model: the provider failed 3 times") == e.msg, "%s", e.msg);
	cr_expect_null(strstr(e.msg, "spare"), "%s", e.msg);
	cr_expect_str_eq(s.asked, "msm");
	/* whoever asks by hand is let through, and not counted */
	s.acts = "o";
	req.ungated = true;
	TEST_OK(llm_chat(l, a, &req, NULL, NULL, NULL, &out, NULL, &e), e);
	cr_expect_gt(rest_left_ms(&g.rest), 0);
	llm_close(l);
	llm_gate_release(&g);
	arena_free(a);
}

TEST(llm, no_provider)
{
	struct arena *a = arena_new();
	const struct llm_config c = { .unusable = "OPENAI_BASE_URL is not an address" };
	struct llm *l = llm_open(NULL, &c);
	struct llm_request req = request("spare", 3);
	struct llm_reply out;
	struct err e;
	cr_expect_eq(llm_chat(l, a, &req, NULL, NULL, NULL, &out, NULL, &e), ERR_UPSTREAM);
	cr_expect_str_eq(e.msg, "formatter: main-model: OPENAI_BASE_URL is not an address");
	cr_expect_str_eq(llm_name(l), "none");
	llm_close(l);
	llm_close(NULL);
	arena_free(a);
}

/* -- log and messages -- */

TEST(llm, a_line_a_call_and_a_line_a_failure)
{
	char *dir = test_mkdtemp(), path[600], line[4096];
	int calls_seen = 0, failures = 0;
	struct arena *a = arena_new();
	struct script s = SCRIPT("fbo");
	struct llm *l = over(&s, NULL);
	struct reader r = { "", OK };
	struct llm_request req = request(NULL, 3);
	struct llm_reply out;
	struct err e;
	snprintf(path, sizeof(path), "%s/log", dir);
	cr_assert(log_open(path));
	TEST_OK(llm_chat(l, a, &req, read_text, &r, NULL, &out, NULL, &e), e);
	log_open(NULL);
	FILE *f = fopen(path, "r");
	while (fgets(line, sizeof(line), f) != NULL) {
		calls_seen += strstr(line, " info llm_call purpose=formatter model=main-model "
		    "attempts=3 ms=") != NULL && strstr(line, " input=190 output=11 estimated=1 cached=0 "
		    "provider=script result=ok") != NULL;
		failures += strstr(line, " warn llm_attempt purpose=formatter model=main-model "
		    "attempt=") != NULL;
		cr_expect_null(strstr(line, "TOPSECRET"), "%s", line);
		cr_expect_null(strstr(line, "Lyon"), "%s", line);
	}
	fclose(f);
	cr_expect_eq(calls_seen, 1);
	cr_expect_eq(failures, 2);
	llm_close(l);
	arena_free(a);
	test_rmdir(dir);
}

TEST(llm, the_last_reason_is_not_cut)
{
	struct arena *a = arena_new();
	struct script s = SCRIPT("pp");
	struct llm *l = over(&s, NULL);
	char name[401] = "";
	struct llm_request req = request("spare", 0);
	struct llm_reply out;
	struct err e;
	for (size_t i = 0; i + 2 < sizeof(name); i += 2)
		memcpy(name + i, "é", 2);
	req.model = name;
	cr_expect_eq(llm_chat(l, a, &req, NULL, NULL, NULL, &out, NULL, &e), ERR_UPSTREAM);
	const char *end = "; spare: HTTP status 401: change OPENAI_API_KEY";
	cr_expect_str_eq(e.msg + strlen(e.msg) - strlen(end), end);
	req.purpose = "a purpose long enough to leave too little room";
	s.acts = "pp";
	cr_expect_eq(llm_chat(l, a, &req, NULL, NULL, NULL, &out, NULL, &e), ERR_UPSTREAM);
	cr_expect_str_eq(e.msg + strlen(e.msg) - strlen(end), end);
	cr_expect(utf8_valid(e.msg, strlen(e.msg)));
	llm_close(l);
	arena_free(a);
}

/* -- embeddings -- */

static const struct {
	const char *script;
	size_t n, wrong_dims_at;
	enum errcode rc;
	int64_t input;
	const char *says;
} embeds[] = {
	{ "", 0, 0, OK, 0, NULL },
	{ "o", 1, 0, OK, 1, NULL },
	{ "o", 100, 0, OK, 100, NULL },
	{ "oo", 101, 0, OK, 101, NULL },
	{ "ofoo", 250, 0, OK, 350, NULL },
	{ "op", 250, 0, ERR_UPSTREAM, 200, "embeddings: small: HTTP status 401: change OPENAI_API_KEY" },
	{ "ffff", 5, 0, ERR_UPSTREAM, 20, "embeddings: small: HTTP status 500" },
	{ "oh", 250, 0, ERR_HUP, 200, "embeddings: given up" },
	{ "oo", 250, 2, ERR_UPSTREAM, 200, "embeddings: small: vectors of 3 and of 4 numbers: "
	    "the server mixes models" },
};

TEST(llm, embeddings)
{
	char numbers[250][8];
	const char *texts[250];
	for (size_t i = 0; i < COUNT(texts); i++) {
		snprintf(numbers[i], sizeof(numbers[i]), "%zu", i);
		texts[i] = numbers[i];
	}
	for (size_t i = 0; i < COUNT(embeds); i++) {
		struct arena *a = arena_new();
		struct script s = SCRIPT(embeds[i].script);
		struct llm *l = over(&s, NULL);
		struct llm_usage usage;
		float *v;
		size_t dims;
		struct err e = { 0 };
		s.wrong_dims_at = embeds[i].wrong_dims_at;
		const struct llm_embed_request req = { .model = "small", .texts = texts,
			.n = embeds[i].n };
		enum errcode rc = llm_embed(l, a, &req, NULL, &v, &dims, &usage, &e);
		cr_expect_eq(rc, embeds[i].rc, "%zu: %s", i, e.msg);
		cr_expect_str_eq(e.msg, embeds[i].says != NULL ? embeds[i].says : "");
		cr_expect_str_empty(s.acts, "%zu", i);
		cr_expect_eq(usage.input, embeds[i].input, "%zu: %lld", i, (long long)usage.input);
		for (size_t n = 0; rc == OK && n < embeds[i].n * DIMS; n++)
			cr_assert_eq(v[n], (float)(n / DIMS), "%zu: number %zu", i, n);
		cr_expect(rc != OK || dims == (embeds[i].n > 0 ? DIMS : 0), "%zu", i);
		llm_close(l);
		arena_free(a);
	}
}

/* An index run neither takes the chats' places nor shuts the gate before them. */
TEST(llm, embeddings_beside_the_gate)
{
	static const char *const texts[] = { "1" };
	struct arena *a = arena_new();
	struct script s = SCRIPT("o");
	struct llm_gate g;
	llm_gate_init(&g, &gate);
	struct llm *l = over(&s, &g);
	struct llm_embed_request req = { .model = "small", .texts = texts, .n = 1, .ungated = true };
	struct llm_usage usage;
	struct err e;
	float *v;
	size_t dims;
	int64_t probe;
	bool full;
	TEST_OK(llm_gate_enter(&g, NULL, &probe, &full, &e), e);
	TEST_OK(llm_embed(l, a, &req, NULL, &v, &dims, &usage, &e), e);
	llm_gate_leave(&g, probe, LLM_NO_VERDICT);
	s.acts = "ffffffffffff";
	for (int n = 0; n < 3; n++)
		cr_expect_eq(llm_embed(l, a, &req, NULL, &v, &dims, &usage, &e), ERR_UPSTREAM);
	cr_expect_eq(rest_left_ms(&g.rest), 0);
	/* a pilot's question does */
	s.acts = "ffffffffffff";
	req.ungated = false;
	for (int n = 0; n < 3; n++)
		cr_expect_eq(llm_embed(l, a, &req, NULL, &v, &dims, &usage, &e), ERR_UPSTREAM);
	cr_expect_gt(rest_left_ms(&g.rest), 0);
	llm_close(l);
	llm_gate_release(&g);
	arena_free(a);
}

TEST(llm, usage_from_outside)
{
	struct llm_usage sum = { .input = 5, .output = 7 };
	const struct llm_usage mad = { .input = -3, .output = INT64_MAX, .estimated = true };
	llm_usage_add(&sum, &mad);
	llm_usage_add(&sum, &mad);
	cr_expect_eq(sum.input, 5);
	cr_expect_eq(sum.output, INT64_MAX);
	cr_expect(sum.estimated);
}
