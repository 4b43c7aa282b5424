/*
 * One pass over the tree. An element with answers_by_country is a question with all its answers;
 * one with country_code is one answer, which repeats its question; a list may hold both.
 *
 * The file is not trusted to have the right types or sizes. A wrong value counts as absent and as a
 * fault, and the first few faults are logged with their place, never with the value.
 */
#include "rules/rules_json.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"
#include "rules/rule_html.h"

enum {
	FILE_MAX = 16 << 20,
	FAULTS_LOGGED = 5,
	/* bytes; longer texts are ignored */
	ID_MAX = 1000, TEXT_MAX = 2000, CATEGORY_MAX = 100, TAG_MAX = 100, HTML_MAX = 64 << 10,
	DATE_MAX = 40, CONFIDENCE_MAX = 100,
	TAGS_MAX = 64, LINKS_MAX = 32,   /* of one question, of one answer */
};

struct rules_json_loader {
	struct arena *a;
	const char *path;
	struct rules_json *out;
	uint32_t *slots;              /* of questions by id: index + 1; 0: free */
	size_t mask;

	/* the present place in the file, for faults */
	const char *list;             /* "questions", or "" for a list without a name */
	size_t at;
	const char *country;          /* key of the answer; NULL: not inside an answer */
};

__attribute__((format(printf, 3, 4)))
static void fault(struct rules_json_loader *l, const char *why, const char *fmt, ...)
{
	char member[96];
	va_list ap;
	if (l->out->faults++ >= FAULTS_LOGGED)
		return;
	va_start(ap, fmt);
	vsnprintf(member, sizeof(member), fmt, ap);
	va_end(ap);
	log_msg(LOG_WARN, "rules_fault", "path=%s place=\"%s[%zu]%s%.8s%s%s\" why=\"%s\"", l->path,
	    l->list, l->at, l->country != NULL ? ".answers_by_country." : "",
	    l->country != NULL ? l->country : "", *member != '\0' ? "." : "", member, why);
}

/* ---- members ----------------------------------------------------------------------- */

/* Control bytes, and a NUL that would end a string, become blanks. */
static const char *clean(struct rules_json_loader *l, const char *s, size_t n)
{
	char *copy = NULL;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];
		if (c != 0x7f && (c >= 0x20 || c == '\t' || c == '\n' || c == '\r'))
			continue;
		if (copy == NULL)
			copy = arena_strndup(l->a, s, n);
		copy[i] = ' ';
	}
	return copy != NULL ? copy : s;
}

/* A member that is text; "" for any other. */
static const char *text(struct rules_json_loader *l, struct json_object *o, const char *key,
    size_t max)
{
	struct json_object *v = jsn_get(o, key);
	if (v == NULL)
		return "";
	if (!jsn_is(v, json_type_string)) {
		fault(l, "is not text", "%s", key);
		return "";
	}
	size_t n = (size_t)json_object_get_string_len(v);
	if (n > max) {
		fault(l, "is too long", "%s", key);
		return "";
	}
	return clean(l, json_object_get_string(v), n);
}

static bool blank(const char *s)
{
	return str_trim(str_of(s)).n == 0;
}

/* The first of two members that holds text. */
static const char *text_or(struct rules_json_loader *l, struct json_object *o, const char *key,
    const char *other, size_t max)
{
	const char *s = text(l, o, key, max);
	return blank(s) ? text(l, o, other, max) : s;
}

static void read_tags(struct rules_json_loader *l, struct json_object *o,
    struct rules_json_question *q)
{
	struct json_object *list = jsn_get(o, "tags");
	size_t n = jsn_len(list);
	const char **tags;

	if (list != NULL && !jsn_is(list, json_type_array)) {
		fault(l, "is not a list", "tags");
		return;
	}
	if (n > TAGS_MAX) {
		fault(l, "has too many elements", "tags");
		n = TAGS_MAX;
	}
	q->tags = tags = arena_array(l->a, n, sizeof(*tags));
	for (size_t i = 0; i < n; i++) {
		struct json_object *v = jsn_at(list, i);
		size_t len = jsn_is(v, json_type_string) ?
		    (size_t)json_object_get_string_len(v) : SIZE_MAX, known = 0;
		const char *tag = len <= TAG_MAX ?
		    rule_tag(l->a, clean(l, json_object_get_string(v), len)) : "";
		while (known < q->ntags && !streq(tags[known], tag))
			known++;
		if (*tag == '\0')
			fault(l, "is not a tag", "tags[%zu]", i);
		else if (known == q->ntags)
			tags[q->ntags++] = tag;
	}
}

static void add_link(struct rules_json_loader *l, struct json_object *v, const char *key, size_t i,
    const char **links, size_t *n)
{
	struct str s = { "", 0 };
	if (jsn_is(v, json_type_string))
		s = str_trim((struct str){ json_object_get_string(v),
		    (size_t)json_object_get_string_len(v) });
	const char *link = s.n > 0 && memchr(s.p, '\0', s.n) == NULL ?
	    arena_strndup(l->a, s.p, s.n) : "";
	if (rule_link_ok(link))
		links[(*n)++] = link;
	else
		fault(l, "is not an http, https or mailto address", "%s[%zu]", key, i);
}

/* The first place with links that has some. */
static void read_links(struct rules_json_loader *l, struct json_object *o,
    struct rules_json_answer *to)
{
	static const struct {
		const char *key;
		enum json_type type;
	} places[] = {
		{ "links", json_type_array }, { "links_json", json_type_array },
		{ "links_json", json_type_string }, { "links", json_type_string },
	};
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct json_object *v = jsn_get(o, places[i].key);
		if (!jsn_is(v, places[i].type) || !jsn_truthy(v))
			continue;
		bool list = places[i].type == json_type_array;
		size_t n = list ? jsn_len(v) : 1;
		if (n > LINKS_MAX) {
			fault(l, "has too many elements", "%s", places[i].key);
			n = LINKS_MAX;
		}
		const char **links = arena_array(l->a, n, sizeof(*links));
		for (size_t k = 0; k < n; k++)
			add_link(l, list ? jsn_at(v, k) : v, places[i].key, k, links, &to->nlinks);
		to->links = links;
		return;
	}
	for (size_t i = 0; i < 2; i++) {
		struct json_object *v = jsn_get(o, places[i].key);
		if (v != NULL && !jsn_is(v, json_type_array) && !jsn_is(v, json_type_string))
			fault(l, "is not a list of addresses", "%s", places[i].key);
	}
}

/* "2025-11-11", also with a time. With this form it cannot be anything else in a page. */
static const char *read_date(struct rules_json_loader *l, struct json_object *o)
{
	const char *s = text(l, o, "last_reviewed", DATE_MAX);
	if (*s == '\0')
		return NULL;
	if (strspn(s, "0123456789-") >= 4 && s[strspn(s, "0123456789-+:.TZ ")] == '\0')
		return s;
	fault(l, "is not a date", "last_reviewed");
	return NULL;
}

static const char *read_confidence(struct rules_json_loader *l, struct json_object *o)
{
	struct json_object *v = jsn_get(o, "confidence");
	if (v == NULL)
		return NULL;
	if (!jsn_is(v, json_type_object) && !jsn_is(v, json_type_array) &&
	    (!jsn_is(v, json_type_string) ||
	     json_object_get_string_len(v) <= CONFIDENCE_MAX))
		return jsn_text(l->a, v, JSN_PLAIN);
	fault(l, "is neither a number nor a short text", "confidence");
	return NULL;
}

/* ---- questions --------------------------------------------------------------------- */

/* In upper case. False: it does not look like "FR". */
static bool read_country(const char *key, char out[RULES_JSON_CODE])
{
	size_t n = strnlen(key, RULES_JSON_CODE);
	if (n < 2 || n >= RULES_JSON_CODE)
		return false;
	for (size_t i = 0; i <= n; i++) {
		char c = ascii_upper(key[i]);
		if (i < n && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9'))
			return false;
		out[i] = c;
	}
	return true;
}

static void add_answer(struct rules_json_loader *l, struct rules_json_question *q, const char *key,
    struct json_object *o)
{
	struct rules_json_answer answer = { .order = q->nanswers };
	if (!read_country(key, answer.country)) {
		l->country = NULL;
		fault(l, "a country's code has two or three letters", "%s", "");
		return;
	}
	if (!jsn_is(o, json_type_object)) {
		fault(l, "is not an answer", "%s", "");
		return;
	}
	answer.html = rule_html(l->a, text_or(l, o, "answer_html", "answer", HTML_MAX));
	answer.text = rule_plain(l->a, answer.html);
	answer.last_reviewed = read_date(l, o);
	answer.confidence = read_confidence(l, o);
	read_links(l, o, &answer);

	size_t n = q->nanswers;
	if ((n & (n - 1)) == 0) {    /* full: sizes are powers of two */
		struct rules_json_answer *more = arena_array(l->a, n == 0 ? 1 : 2 * n, sizeof(*more));
		if (n > 0)
			memcpy(more, q->answers, n * sizeof(*more));
		q->answers = more;
	}
	q->answers[q->nanswers++] = answer;
}

/* The question with this id; a new one has only its id. */
static struct rules_json_question *find(struct rules_json_loader *l, const char *id)
{
	struct rules_json *out = l->out;
	size_t i = (size_t)str_hash(id) & l->mask;
	for (; l->slots[i] != 0; i = (i + 1) & l->mask)
		if (streq(out->questions[l->slots[i] - 1].id, id))
			return &out->questions[l->slots[i] - 1];
	struct rules_json_question *q = &out->questions[out->nquestions++];
	*q = (struct rules_json_question){ .id = id, .text = "", .raw = "", .prefix = "",
		.category = "" };
	l->slots[i] = (uint32_t)out->nquestions;
	return q;
}

/* One element of the list. */
static void read_element(struct rules_json_loader *l, struct json_object *o)
{
	l->country = NULL;
	if (!jsn_is(o, json_type_object)) {
		fault(l, "is not a question", "%s", "");
		return;
	}
	const char *id = text_or(l, o, "question_id", "id", ID_MAX);
	if (blank(id)) {
		fault(l, "has no question_id", "%s", "");
		return;
	}
	size_t before = l->out->nquestions;
	struct rules_json_question *q = find(l, id), now = { .id = id };
	bool known = before == l->out->nquestions;
	bool flat = jsn_has(o, "country_code") && !jsn_has(o, "answers_by_country");

	/* pages show these in the same way as answers */
	now.text = rule_html(l->a, text_or(l, o, "question_text", "question", TEXT_MAX));
	now.raw = rule_html(l->a, text(l, o, "question_raw", TEXT_MAX));
	now.prefix = rule_html(l->a, text(l, o, "question_prefix", TEXT_MAX));
	now.category = rule_html(l->a, text(l, o, "category", CATEGORY_MAX));
	read_tags(l, o, &now);
	if (flat && known) {
		/* each row repeats its question; the first one that has a value counts */
		if (*q->text == '\0')
			q->text = now.text;
		if (blank(q->category))
			q->category = now.category;
		if (q->ntags == 0) {
			q->tags = now.tags;
			q->ntags = now.ntags;
		}
	} else {
		if (known)
			fault(l, "replaces an earlier question of the same id", "%s", "");
		*q = now;
	}
	if (flat) {
		add_answer(l, q, text(l, o, "country_code", TAG_MAX), o);
		return;
	}
	struct json_object *answers = jsn_get(o, "answers_by_country");
	if (answers != NULL && !jsn_is(answers, json_type_object))
		fault(l, "is not an object", "answers_by_country");
	JSN_EACH(answers, it) {
		l->country = it.key;
		add_answer(l, q, it.key, it.val);
	}
}

static int by_country(const void *x, const void *y)
{
	const struct rules_json_answer *a = x, *b = y;
	int c = strcmp(a->country, b->country);
	return c != 0 ? c : a->order < b->order ? -1 : a->order > b->order;
}

/* Sort the answers; of several of one country the last one counts. */
static void finish(struct rules_json_loader *l, struct rules_json_question *q)
{
	size_t n = 0;
	if (blank(q->category))
		q->category = "General";
	if (q->nanswers > 0)
		qsort(q->answers, q->nanswers, sizeof(*q->answers), by_country);
	for (size_t i = 0; i < q->nanswers; i++) {
		if (i + 1 < q->nanswers && streq(q->answers[i].country, q->answers[i + 1].country))
			l->out->faults++;
		else
			q->answers[n++] = q->answers[i];
	}
	q->nanswers = n;
}

enum errcode rules_json_load(struct rules_json *out, struct arena *a, const char *path,
    struct err *e)
{
	struct rules_json_loader l = { .a = a, .path = path, .out = out, .list = "" };
	struct json_object *top = NULL;
	struct stat st;

	*out = (struct rules_json){ 0 };
	if (stat(path, &st) != 0)
		return err_set(e, ERR_IO, "%s: %m: set RULES_JSON to a rules file", path);
	/* reading would wait for a pipe, and never end for a device */
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_IO, "%s: is not a file: set RULES_JSON to a rules file", path);
	enum errcode rc = jsn_load(a, path, FILE_MAX, &top, e);
	if (rc == ERR_CONFIG && e != NULL)
		e->code = ERR_DATA;
	if (rc != OK)
		return rc == ERR_CONFIG ? ERR_DATA : rc;
	if (jsn_is(top, json_type_object)) {
		l.list = "questions";
		top = jsn_get(top, "questions");
	}
	if (!jsn_is(top, json_type_array))
		return err_set(e, ERR_DATA, "%s: is neither a list of questions nor an object with "
		    "a list \"questions\"", path);
	size_t n = jsn_len(top), slots = 16;
	while (slots < 2 * n)
		slots *= 2;
	l.slots = arena_array(a, slots, sizeof(*l.slots));
	l.mask = slots - 1;
	out->questions = arena_array(a, n, sizeof(*out->questions));
	for (l.at = 0; l.at < n; l.at++)
		read_element(&l, jsn_at(top, l.at));
	for (size_t i = 0; i < out->nquestions; i++)
		finish(&l, &out->questions[i]);
	if (out->faults > FAULTS_LOGGED)
		log_msg(LOG_WARN, "rules_fault", "path=%s faults=%zu, the first of them above", path,
		    out->faults);
	return OK;
}
