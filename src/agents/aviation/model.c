/*
 * What the model is told, loaded once: prompts, examples, the texts of tools. Mistakes in
 * these files show when the program starts and not in a pilot's turn.
 *
 * The planner imitates its examples, so each example is checked like a plan. An example for a tool
 * that does not exist here would only teach it to fail.
 */
#include "agents/aviation/model.h"

#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"

enum {
	EXAMPLES_BYTES = 1 << 20, EXAMPLES_MAX = 200, TOOL_TEXT_MAX = 64 * 1024,
};

/* -- texts of tools -- */

/* The file's trimmed text, NULL when there is none. */
static enum errcode read_text(struct arena *a, const char *path, const char **out, struct err *e)
{
	struct buf b;

	*out = NULL;
	buf_init(&b, TOOL_TEXT_MAX);
	enum errcode rc = buf_load(&b, path, e);
	struct str text = str_trim((struct str){ b.p, b.n });
	if (rc == ERR_IO && access(path, F_OK) != 0) {
		log_msg(LOG_WARN, "tool_text_missing", "path=%s", path);
		rc = OK;
	} else if (rc == OK && (!utf8_valid(text.p, text.n) || memchr(text.p, '\0', text.n) != NULL)) {
		rc = err_set(e, ERR_CONFIG, "%s: not text in UTF-8", path);
	} else if (rc == OK && text.n == 0) {
		log_msg(LOG_WARN, "tool_text_empty", "path=%s", path);
	} else if (rc == OK) {
		*out = arena_strndup(a, text.p, text.n);
	}
	buf_release(&b);
	return rc;
}

static enum errcode tool_text(struct arena *a, const struct aviation_config *b, const struct tool *t,
    const char **out, struct err *e)
{
	enum errcode rc = OK;

	*out = NULL;
	for (size_t i = 0; i < b->tools.n && rc == OK; i++)
		if (streq(b->tools.list[i].name, t->name) && b->tools.list[i].path != NULL)
			rc = read_text(a, b->tools.list[i].path, out, e);
	if (*out == NULL)
		*out = t->doc;
	return rc;
}

enum errcode model_texts(struct model *m, struct arena *a, const struct aviation_config *b, struct err *e)
{
	const char **docs = arena_array(a, m->tools.n + 1, sizeof(*docs));
	enum errcode rc = OK;

	for (size_t i = 0; i < b->tools.n; i++)
		if (toolset_find(m->tools, b->tools.list[i].name) == NULL)
			log_msg(LOG_WARN, "tool_unknown", "key=tools.%s file=%s", b->tools.list[i].name,
			    b->file == NULL ? "" : b->file);
	for (size_t i = 0; i < m->tools.n && rc == OK; i++)
		rc = tool_text(a, b, m->tools.tools[i], &docs[i], e);
	m->docs = docs;
	return rc;
}

/* -- examples -- */

static bool empty(const char *s)
{
	return str_trim(str_of(s)).n == 0;
}

/* Why an example is left out; NULL: it is good. Whether its tool is offered is checked in each
 * turn. */
static const char *example_fault(struct arena *work, struct toolset tools, struct model_example *ex,
    struct err *why)
{
	struct plan plan;

	if (empty(ex->question) || empty(ex->answer))
		return "a side is empty";
	if (model_plan_parse(work, tools, ex->answer, &plan, why) != OK ||
	    plan_check(&plan, NULL, why) != OK)
		return why->msg;
	ex->tool = plan.tool;
	ex->call = model_call_text(work, &plan);
	return NULL;
}

static void load_examples(struct model *m, struct arena *a, const char *path)
{
	struct arena *work = arena_new();
	struct json_object *list = NULL;
	struct err e = { OK, "" };
	size_t n = 0;

	if (jsn_load(work, path, EXAMPLES_BYTES, &list, &e) != OK)
		log_msg(LOG_WARN, "examples_ignored", "why=\"%s\"", e.msg);
	else if (!jsn_is(list, json_type_array))
		log_msg(LOG_WARN, "examples_ignored", "why=\"%s: not a list\"", path);
	else
		n = jsn_len(list);
	m->examples = arena_array(a, n + 1, sizeof(*m->examples));
	for (size_t i = 0; i < n; i++) {
		struct model_example ex = {
			.question = jsn_get_str(jsn_at(list, i), "question", ""),
			.answer = jsn_get_str(jsn_at(list, i), "answer", ""),
		};
		const char *fault = m->nexamples == EXAMPLES_MAX ? "there are too many"
		    : example_fault(work, m->tools, &ex, &e);
		if (fault != NULL)
			log_msg(LOG_WARN, "example_skipped", "file=%s number=%zu why=\"%s\"", path,
			    i + 1, fault);
		else
			m->examples[m->nexamples++] = (struct model_example){
			    arena_strdup(a, ex.question), arena_strdup(a, ex.answer),
			    arena_strdup(a, ex.call), ex.tool };
	}
	arena_free(work);
}

/* -- prompts and models -- */

static const char *const planner_names[] = { "tool_catalog", "available_tags",
	"format_instructions", NULL };
static const char *const formatter_names[] = { "answer_style", "tool_result_json", "pretty_text",
	NULL };
static const char *const comparison_names[] = { "countries", "topic_context", "rules_context",
	NULL };

static enum errcode load_prompts(struct model *m, struct arena *a, const struct aviation_config *b,
    struct err *e)
{
	const struct {
		const char *key, *path;
		const char *const *names;
		/* index of the name that the prompt must contain; -1: none */
		int vital;
		const struct prompt **out;
	} rows[] = {
		{ "planner", b->prompt_planner, planner_names, 0, &m->planner },
		{ "formatter", b->prompt_formatter, formatter_names, -1, &m->formatter },
		{ "comparison_synthesis", b->prompt_comparison, comparison_names, 2, &m->comparison },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct prompt *p = NULL;
		if (rows[i].path == NULL && m->llm == NULL)
			/* nothing is installed beside the program, and without a model nobody
			 * reads the prompts */
			continue;
		if (rows[i].path == NULL)
			return err_set(e, ERR_CONFIG, "%s: prompts.%s is not set",
			    b->file == NULL ? "behaviour config" : b->file, rows[i].key);
		enum errcode rc = prompt_load(&p, a, rows[i].path, rows[i].names, e);
		if (rc != OK)
			return rc;
		if (rows[i].vital >= 0 && !prompt_uses(p, (size_t)rows[i].vital))
			log_msg(LOG_WARN, "prompt_without", "key=prompts.%s file=%s missing={%s}",
			    rows[i].key, rows[i].path, rows[i].names[rows[i].vital]);
		*rows[i].out = p;
	}
	return OK;
}

static enum errcode need_models(const struct aviation_config *b, struct err *e)
{
	const struct {
		const char *key, *variable, *model;
	} rows[] = {
		{ "llms.planner.model", "AVIATION_AGENT_PLANNER_MODEL", b->planner.model },
		{ "llms.formatter.model", "AVIATION_AGENT_FORMATTER_MODEL", b->formatter.model },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].model == NULL || *rows[i].model == '\0')
			return err_set(e, ERR_CONFIG, "%s: %s is not set: name a model there or in %s",
			    b->file == NULL ? "behaviour config" : b->file, rows[i].key,
			    rows[i].variable);
	return OK;
}

enum errcode model_open(struct model *m, struct arena *a, struct toolset tools,
    const struct aviation_config *b, struct llm *llm, const struct model_limits *limits, struct err *e)
{
	*m = (struct model){ .llm = llm, .config = b, .tools = tools, .first_ms = limits->first_ms,
		.history_tokens = limits->history_tokens, .result_tokens = limits->result_tokens };
	enum errcode rc = llm == NULL ? OK : need_models(b, e);
	if (rc == OK)
		rc = load_prompts(m, a, b, e);
	if (rc == OK)
		rc = model_texts(m, a, b, e);
	if (rc == OK && b->examples_planner != NULL)
		load_examples(m, a, b->examples_planner);
	if (rc == OK && llm != NULL)
		model_prepare(m, a);
	return rc;
}
