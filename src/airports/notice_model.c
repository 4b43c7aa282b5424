/*
 * What a model may add is bounded by the text: each number of a rule must stand in it in digits, each day
 * must be named in it. So a model that makes things up changes nothing.
 */
#include "airports/notice_model.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "airports/notice_tokens.h"
#include "base/str.h"
#include "services/llm.h"
#include "services/prompt.h"

enum { REPLY_BYTES = 64 << 10, REPLY_DEPTH = 6, SUMMARY_BYTES = 300, NUMBER_DIGITS = 9,
	HOURS_MAX = 8760, OFFSET_MIN = -9, RETRIES = 1,
	UNDERSTOOD = 2 /* up to this complexity the own reading is trusted */ };
static const double model_confidence = 0.85;

/* ---- what stands in the text ---------------------------------------------------------------- */

/* The next number in digits; false: there is none. */
static bool next_number(const char **p, long *n, size_t *digits)
{
	const char *q = *p;

	while (*q != '\0' && !isdigit((unsigned char)*q))
		q++;
	if (*q == '\0')
		return false;
	for (*n = 0, *digits = 0; isdigit((unsigned char)*q); q++)
		if (++*digits <= NUMBER_DIGITS)
			*n = 10 * *n + (*q - '0');
	*p = q;
	return true;
}

static bool has_number(const char *text, long wanted)
{
	size_t digits;
	long n;

	while (next_number(&text, &n, &digits))
		if (n == wanted && digits <= NUMBER_DIGITS)
			return true;
	return false;
}

/* "1100", "11:00", "11.00", "11h00", "11 00" */
static bool has_time(const char *text, int clock)
{
	size_t digits;
	long n;

	while (next_number(&text, &n, &digits)) {
		const char *rest = text + (*text != '\0');
		size_t more;
		long minutes;

		if (digits == 4 && n == clock)
			return true;
		if (digits <= 2 && n == clock / 100 && *text != '\0' && strchr(":.hH ", *text) != NULL &&
		    isdigit((unsigned char)*rest) && next_number(&rest, &minutes, &more) && more == 2 &&
		    minutes == clock % 100)
			return true;
	}
	return false;
}

/* Does each number of `said` stand in the text? Else *missing is the first that does not. */
static bool has_numbers(const char *text, const char *said, long *missing)
{
	size_t digits;

	while (next_number(&said, missing, &digits))
		if (digits > NUMBER_DIGITS || !has_number(text, *missing))
			return false;
	return true;
}

/* ---- the reply ---------------------------------------------------------------------------------- */

struct notice_reply {
	struct arena *mem;
	const char *text;
	struct notice_days named;     /* the days of the text */
	size_t at;                    /* the rule, counted from 1 */
	struct err *e;
};

static enum errcode refuse(struct notice_reply *q, const char *what, const char *why)
{
	return err_set(q->e, ERR_UPSTREAM, "rule %zu: %s %s", q->at, what, why);
}

/* An integer in a range, or null. *given: it is there. */
static enum errcode read_int(struct notice_reply *q, struct json_object *o, const char *key, int least,
    int most, int *out, bool *given)
{
	struct json_object *v = jsn_get(o, key);
	double n = jsn_get_num(o, key, NAN);

	*given = v != NULL;
	if (v == NULL)
		return OK;
	if (!(jsn_is(v, json_type_int) || jsn_is(v, json_type_double)) || !(n >= least && n <= most) ||
	    n != floor(n))
		return refuse(q, key, "is not a number that is possible");
	*out = (int)n;
	return OK;
}

static enum errcode read_flag(struct notice_reply *q, struct json_object *o, const char *key, bool *out)
{
	struct json_object *v = jsn_get(o, key);

	*out = jsn_get_bool(o, key, false);
	return v == NULL || jsn_is(v, json_type_boolean) ? OK : refuse(q, key, "is not true or false");
}

static const struct {
	const char *name;
	enum notice_kind kind;
} kinds[] = {
	{ "hours", NOTICE_HOURS }, { "business_day", NOTICE_BUSINESS_DAY }, { "h24", NOTICE_H24 },
	{ "on_request", NOTICE_ON_REQUEST }, { "prohibited", NOTICE_NOT_AVAILABLE },
};
static const char *const members[] = { "rule_type", "notification_type", "hours_notice", "weekday_start",
	"weekday_end", "includes_holidays", "specific_time", "business_day_offset", "schengen_only",
	"non_schengen_only", "is_prohibited", "summary" };
static const char *const subjects[] = { "ppr", "customs", "immigration" };

static enum errcode read_kind(struct notice_reply *q, struct json_object *o, struct notice_rule *r)
{
	const char *type = jsn_get_str(o, "notification_type", ""), *about = jsn_get_str(o, "rule_type", "");
	bool prohibited;

	for (size_t i = 0; i < sizeof(subjects) / sizeof(*subjects); i++)
		if (streq(about, subjects[i]))
			r->about = subjects[i];
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (streq(type, kinds[i].name))
			r->kind = kinds[i].kind;
	if (r->about == NULL)
		return refuse(q, "rule_type", "is not ppr, customs or immigration");
	if (r->kind == NOTICE_UNKNOWN)
		return refuse(q, "notification_type", "is not a word that is known");
	if (read_flag(q, o, "is_prohibited", &prohibited) != OK)
		return q->e->code;
	if (prohibited)
		r->kind = NOTICE_NOT_AVAILABLE;
	return r->kind != NOTICE_H24 || has_number(q->text, 24) ? OK
	    : refuse(q, "h24", "does not stand in the text");
}

static enum errcode read_hours(struct notice_reply *q, struct json_object *o, struct notice_rule *r)
{
	int hours = 0, offset = -1;
	bool given;

	if (read_int(q, o, "hours_notice", 0, HOURS_MAX, &hours, &given) != OK)
		return q->e->code;
	if (r->kind == NOTICE_HOURS && !given)
		return refuse(q, "hours_notice", "is missing");
	if (given && !(hours == 0 && r->kind != NOTICE_HOURS)) {
		if (!has_number(q->text, hours))
			return refuse(q, "hours_notice", "does not stand in the text");
		r->hours = hours;
	}
	if (read_int(q, o, "business_day_offset", OFFSET_MIN, -1, &offset, &given) != OK)
		return q->e->code;
	if (offset < -1 && !has_number(q->text, -offset))
		return refuse(q, "business_day_offset", "does not stand in the text");
	r->working_days = r->kind == NOTICE_BUSINESS_DAY ? -offset : 0;
	return OK;
}

static enum errcode read_days(struct notice_reply *q, struct json_object *o, struct notice_rule *r)
{
	int first = 0, last = 0;
	bool from, to;

	if (read_int(q, o, "weekday_start", 0, 6, &first, &from) != OK ||
	    read_int(q, o, "weekday_end", 0, 6, &last, &to) != OK ||
	    read_flag(q, o, "includes_holidays", &r->days.holidays) != OK)
		return q->e->code;
	if (to && !from)
		return refuse(q, "weekday_end", "is there without weekday_start");
	for (int day = first; from; day = (day + 1) % 7) {
		r->days.mask |= 1U << day;
		if (day == (to ? last : first))
			break;
	}
	if ((r->days.mask & ~q->named.mask) != 0 || (r->days.holidays && !q->named.holidays))
		return refuse(q, "a day", "does not stand in the text");
	return OK;
}

static enum errcode read_time(struct notice_reply *q, struct json_object *o, struct notice_rule *r)
{
	const char *text = jsn_get_str(o, "specific_time", NULL);
	long long clock;

	if (jsn_get(o, "specific_time") == NULL)
		return OK;
	if (text == NULL || strlen(text) != 4 || strspn(text, "0123456789") != 4 ||
	    !str_to_int(text, &clock) || clock > 2400 || clock % 100 > 59)
		return refuse(q, "specific_time", "is not a time as HHMM");
	if (!has_time(q->text, (int)clock))
		return refuse(q, "specific_time", "does not stand in the text");
	r->before = (int)clock;
	return OK;
}

static enum errcode read_words(struct notice_reply *q, struct json_object *o, struct notice_rule *r)
{
	const char *summary = jsn_get_str(o, "summary", "");
	long missing;

	if (read_flag(q, o, "schengen_only", &r->schengen) != OK ||
	    read_flag(q, o, "non_schengen_only", &r->non_schengen) != OK)
		return q->e->code;
	if ((r->schengen || r->non_schengen) && strcasestr(q->text, "schengen") == NULL)
		return refuse(q, "Schengen", "does not stand in the text");
	if (strlen(summary) > SUMMARY_BYTES)
		return refuse(q, "summary", "is too long");
	if (!has_numbers(q->text, summary, &missing))
		return refuse(q, "a number of summary", "does not stand in the text");
	r->raw = arena_strdup(q->mem, summary);
	return OK;
}

static enum errcode read_rule(struct notice_reply *q, struct json_object *o, struct notice_rule *r)
{
	*r = (struct notice_rule){ .hours = (double)NAN, .from = -1, .to = -1, .before = -1,
		.obligatory = true, .confidence = model_confidence, .by_model = true };
	if (!jsn_is(o, json_type_object))
		return refuse(q, "it", "is not an object");
	JSN_EACH(o, it) {
		size_t i = 0;

		while (i < sizeof(members) / sizeof(*members) && !streq(it.key, members[i]))
			i++;
		if (i == sizeof(members) / sizeof(*members))
			return refuse(q, "a member", "is not known");
	}
	if (read_kind(q, o, r) != OK || read_hours(q, o, r) != OK || read_days(q, o, r) != OK ||
	    read_time(q, o, r) != OK)
		return q->e->code;
	return read_words(q, o, r);
}

/* The object in a reply, which models like to put between fences. */
static enum errcode reply_object(struct arena *a, const char *reply, struct json_object **out,
    struct err *e)
{
	const char *from = strchr(reply, '{'), *to = strrchr(reply, '}');

	if (strlen(reply) > REPLY_BYTES || from == NULL || to == NULL || to < from)
		return err_set(e, ERR_UPSTREAM, "the reply holds no JSON object");
	if (jsn_parse(a, from, (size_t)(to - from) + 1, REPLY_DEPTH, out, NULL, e) != OK)
		return err_set(e, ERR_UPSTREAM, "the reply is not valid JSON");
	return OK;
}

enum errcode notice_model_rules(struct notice_reading *out, struct arena *a, const char *text,
    const char *reply, struct err *e)
{
	struct notice_reply q = { .mem = a, .text = text, .named = notice_days_of(text), .e = e };
	struct json_object *o, *list;
	struct notice_rule *rules;
	size_t n;

	if (reply_object(a, reply, &o, e) != OK)
		return e->code;
	list = jsn_get(o, "rules");
	n = jsn_len(list);
	if (!jsn_is(list, json_type_array) || n == 0 || n > NOTICE_RULES_MAX)
		return err_set(e, ERR_UPSTREAM, n > 0 ? "the reply has too many rules" :
		    "the reply has no rules");
	rules = arena_array(a, n, sizeof(*rules));
	for (q.at = 1; q.at <= n; q.at++)
		if (read_rule(&q, jsn_at(list, q.at - 1), &rules[q.at - 1]) != OK)
			return e->code;
	out->rule = rules;
	out->n = n;
	out->warning = NULL;
	return OK;
}

/* ---- asking --------------------------------------------------------------------------------------- */

enum errcode notice_model_prompt(struct prompt **out, struct arena *a, const char *path, struct err *e)
{
	static const char *const names[] = { NULL };

	return prompt_load(out, a, path, names, e);
}

static enum errcode ask(struct notice_model *m, struct arena *a, const char *text, const char **reply,
    struct err *e)
{
	const struct llm_message messages[] = {
		{ .role = "system", .content = prompt_fill(m->prompt, a, NULL) },
		{ .role = "user", .content = arena_printf(a, "<text>\n%s\n</text>", text) },
	};
	const struct llm_request req = { .purpose = "notice", .model = m->model,
		.fallback_model = m->fallback_model, .messages = messages, .nmessages = 2,
		.max_retries = RETRIES, .first_ms = m->first_ms };
	struct llm_reply r;
	enum errcode rc;

	if (m->llm == NULL)
		return err_set(e, ERR_UPSTREAM, "none is set up (OPENAI_API_KEY, OPENAI_BASE_URL or LLM_PROVIDER)");
	if (m->failed >= NOTICE_MODEL_FAILURES)
		return err_set(e, ERR_UPSTREAM, "it did not answer before");
	m->asked++;
	rc = llm_chat(m->llm, a, &req, NULL, NULL, m->watch, &r, NULL, e);
	m->failed = rc == OK ? 0 : m->failed + 1;
	*reply = r.text;
	return rc;
}

void notice_read_with(struct notice_reading *out, struct arena *a, const char *text,
    struct notice_model *m)
{
	struct err e = { 0 };
	const char *reply = NULL;

	notice_read(out, a, text);
	if (m == NULL || (out->n > 0 && out->complexity <= UNDERSTOOD) || str_trim(str_of(text)).n == 0)
		return;
	/* as much of it as the own reader looks at */
	text = arena_strndup(a, text, utf8_cut(text, strlen(text), NOTICE_TEXT));
	if (ask(m, a, text, &reply, &e) == OK && notice_model_rules(out, a, text, reply, &e) == OK)
		m->used++;
	else
		out->warning = arena_printf(a, "%s%sThe language model was not used: %s",
		    out->warning != NULL ? out->warning : "", out->warning != NULL ? ". " : "", e.msg);
}
