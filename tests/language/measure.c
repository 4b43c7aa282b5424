/*
 * Measures the reader of language on authors that it was not taught:
 *
 *   language-measure TREE AIRPORTS [--folds N [--fold N]] [OPTION…]
 *   language-measure TREE AIRPORTS --authors NAMES [OPTION…]
 *   language-measure TREE AIRPORTS --strangers FOLDER [OPTION…]
 *   language-measure TREE AIRPORTS --rules FOLDER [OPTION…]
 *   language-measure TREE AIRPORTS --strangers FOLDER --second FOLDER [--misses]
 *
 * The authors are divided into folds; each is read by a model that was taught the others. --fold does one fold only.
 * --authors measures these ("berlin,quebec") by a model that was taught all others, --strangers the authors of another
 * folder of marked messages, and --rules those of a folder of questions about rules, of which only the plan counts: what the reader
 * says, before the rules are asked. The options are: --model FILE, by the model in this file; --limit N, teach so many messages
 * only; --keep FILE, keep the model; --curve, by models that were taught more and more messages; --misses, print what was read wrongly.
 *
 * --second measures a person instead of a model: somebody else marked messages of the strangers once more. Each message stands at the same
 * line number, in a file with the same "author:" line. How often two people mean the same shows how much a model can be expected to reach.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "agents/aviation/builtin/frame_amends.h"
#include "agents/aviation/builtin/frame_plans.h"
#include "agents/aviation/builtin/labels.h"
#include "agents/aviation/builtin/talk.h"
#include "base/arena.h"
#include "base/str.h"
#include "language/reading.h"
#include "tests/language/measured.h"
#include "tests/language/same_frames.h"
#include "tests/language/school.h"

enum { HELD_BACK = 4 /* for a curve without names: every fourth author */ };

struct measure {
	const struct school *school;
	bool misses;
	struct marked second;         /* the same messages, marked by somebody else, if no model reads them */
	struct measured *out;
};

struct options {
	const char *authors, *model, *keep, *second;
	struct school_strangers strangers;
	size_t folds, fold, limit;
	bool curve, misses;
};

static bool has_strangers(const struct options *o)
{
	return o->strangers.messages != NULL || o->strangers.rules != NULL;
}

/* ---- one message ----------------------------------------------------------------------------- */

static bool same_plans(const struct reading *x, const struct reading *y)
{
	bool same = x->nplans == y->nplans;
	for (size_t i = 0; same && i < x->nplans; i++)
		same = streq(x->plan[i].plan, y->plan[i].plan) && streq(x->plan[i].kind, y->plan[i].kind);
	return same;
}

static const char *reading_line(struct arena *a, const struct reading *r)
{
	const char *text = "";
	for (size_t i = 0; i < r->nmarks; i++)
		text = arena_printf(a, "%s [%s|%s]", text, words_slice(a, r->words, r->mark[i].first, r->mark[i].last),
		    measured_label(a, &r->mark[i]));
	text = arena_printf(a, "%s →", text);
	for (size_t i = 0; i < r->nplans; i++)
		text = arena_printf(a, "%s%s%s%s %s", text, i > 0 ? " +" : "", r->plan[i].kind != NULL ? " " : "",
		    r->plan[i].kind != NULL ? r->plan[i].kind : "", r->plan[i].plan);
	return text;
}

static double cpu_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* What the planner makes of a message. */
struct meant {
	struct frames frames;
	struct plans plans;
};

/* The planner corrects a reading by exact knowledge. right: the marks are an author's, so they are not corrected. A pick finds one of the
 * airports that were listed. */
static void mean(const struct measure *m, struct arena *a, const struct school_message *x, struct reading *r,
    const struct dialogue *talk, bool right, struct meant *out)
{
	const struct frame *last = talk->n > 0 ? talk->frame[talk->n - 1] : NULL;
	/* if the answer before has no list: some airports, so that picks differ */
	static const struct talk some = { .n = 4, .current = "LOWI",
		.list = { { "LFAT", 4000, 4, 20 }, { "EGKB", 3000, 3, 10 }, { "LFMD", 2000, 2, 30 }, { "EDNY", 1000, 1, 5 } } };
	struct talk listed = x->shown->talk->n > 1 ? *x->shown->talk : some;
	listed.dialogue = *talk;
	if (right)
		frames_of_marks(a, r, talk, &out->frames);
	else
		frames_mean(a, r, talk, true, &out->frames);
	const struct planning planning = { .mem = a, .ctx = &m->school->tools, .con = m->school->con, .message = x->marked->text,
		.reading = r, .frames = &out->frames, .talk = &listed };
	/* the airport that was spoken of last */
	if (last != NULL && last->slot[LABEL_AT].n == 1)
		snprintf(listed.current, sizeof(listed.current), "%s",
		    place_ident(&planning, place_text(&planning, &last->slot[LABEL_AT].value[0])));
	plans_of_frames(&planning, &out->plans);
}

static bool same_argument(struct arena *a, struct json_object *x, struct json_object *y)
{
	return json_object_is_type(x, json_type_string) && json_object_is_type(y, json_type_string)
	    ? same_name(a, json_object_get_string(x), json_object_get_string(y)) : json_object_equal(x, y);
}

static bool same_arguments(struct arena *a, struct json_object *x, struct json_object *y)
{
	size_t n = 0, others = 0;
	JSN_EACH(x, it) {
		/* the words of a matter of rules: same_matter() compares them */
		if (one_of(it.key, "question|tags"))
			continue;
		n++;
		if (!same_argument(a, it.val, jsn_get(y, it.key)))
			return false;
	}
	JSN_EACH(y, it)
		others += !one_of(it.key, "question|tags");
	return n == others;
}

static bool same_look_up(struct arena *a, const struct plan *x, const struct plan *y)
{
	return x->tool == y->tool && (x->tool == NULL ? streq(x->reply, y->reply) : same_arguments(a, x->arguments, y->arguments));
}

/* A message that is nothing but a question about rules is asked in its own words, whatever its matter is taken for. */
static bool in_own_words(const struct meant *x)
{
	const struct frame *f = x->frames.n == 1 ? x->frames.frame[0] : NULL;
	return f != NULL && f->kind == NULL && streq(f->plan->name, "answer");
}

/* The `topic` values of all frames, in order. */
static struct frame_slot matters(struct arena *a, const struct frames *f)
{
	struct frame_slot all = { .n = 0 };
	for (size_t i = 0; i < f->n; i++)
		all.n += f->frame[i]->slot[LABEL_TOPIC].n;
	struct frame_value *value = arena_array(a, all.n + 1, sizeof(*value));
	all.value = value;
	for (size_t i = 0; i < f->n; i++)
		for (size_t k = 0; k < f->frame[i]->slot[LABEL_TOPIC].n; k++)
			*value++ = f->frame[i]->slot[LABEL_TOPIC].value[k];
	return all;
}

static bool same_look_ups(struct arena *a, const struct meant *x, const struct meant *y)
{
	bool same = x->plans.n == y->plans.n;
	for (size_t i = 0; same && i < x->plans.n; i++)
		same = same_look_up(a, &x->plans.plan[i], &y->plans.plan[i]);
	const struct frame_slot in_x = matters(a, &x->frames), in_y = matters(a, &y->frames);
	return same && ((in_own_words(x) && in_own_words(y)) || same_matter(a, &in_x, &in_y));
}

static const char *plans_line(struct arena *a, const struct plans *plans)
{
	const char *text = "";
	for (size_t i = 0; i < plans->n; i++)
		text = arena_printf(a, "%s%s%s %s", text, i > 0 ? " & " : "", plans->plan[i].tool != NULL ? plans->plan[i].tool->name
		    : "reply", plans->plan[i].tool != NULL ? jsn_text(a, plans->plan[i].arguments, JSN_PLAIN) : plans->plan[i].reply);
	return text;
}

static void show_miss(struct arena *a, const struct school_message *x, const struct reading *r, const struct meant *gold,
    const struct meant *read, struct measured_right right)
{
	const struct marked_message *m = x->marked;
	printf("%s:%zu: %s%s\n  gold%s\n  read%s (%.2f)\n", m->author, m->line, m->turn > 0 ? "- " : "", m->text,
	    reading_line(a, &x->gold), reading_line(a, r), r->sure);
	for (size_t i = 0; i < x->frames.n; i++)
		printf("  gold %s\n", frame_line(a, &aviation_schema, x->frames.frame[i]));
	for (size_t i = 0; i < read->frames.n; i++)
		printf("  read %s\n", frame_line(a, &aviation_schema, read->frames.frame[i]));
	printf("  %s\n", right.look_ups ? "the look-ups are the same" : "look-ups");
	for (const struct meant *k = gold; !right.look_ups; k = read) {
		printf("    %s\n", plans_line(a, &k->plans));
		if (k == read)
			break;
	}
}

static void count(struct measured *out, const struct school_message *x, struct measured_right right)
{
	const struct marked_message *m = x->marked;
	const struct reading_plan *plan = &x->gold.plan[0];

	measured_count(out, BY_ALL, "all", right);
	measured_count(out, BY_LANGUAGE, m->language, right);
	measured_count(out, BY_AUTHOR, m->author, right);
	measured_count(out, BY_TURN, m->turn > 0 ? "later messages" : "first messages", right);
	measured_count(out, BY_PLAN, x->gold.nplans > 1 ? "several plans" : plan->plan, right);
	if (plan->kind != NULL) {
		measured_count(out, BY_KIND, "all of these", right);
		measured_count(out, BY_KIND, plan->kind, right);
	}
	if (strncmp(plan->plan, "cannot:", strlen("cannot:")) == 0 && x->gold.nplans == 1) {
		measured_count(out, BY_CANNOT, "all of these", right);
		measured_count(out, BY_CANNOT, plan->plan, right);
	}
}

/* What a model reads in a message. */
static struct reading model_reading(struct measure *m, struct arena *a, const struct reading_model *model,
    const struct school_message *x)
{
	struct evidence_source source[SCHOOL_SOURCES];
	const struct reader reader = { model, source, SCHOOL_SOURCES };
	school_sources(m->school, x, source);
	const double start = cpu_ms();
	const struct reading *r = reading_make(a, &reader, x->marked->text, x->before);
	measured_time(m->out, cpu_ms() - start);
	return *r;
}

/* The same message as the second person marked it; NULL: this person did not. */
static const struct marked_message *second_of(const struct measure *m, const struct marked_message *x)
{
	for (size_t i = 0; i < m->second.n; i++)
		if (streq(m->second.message[i].author, x->author) && m->second.message[i].line == x->line)
			return &m->second.message[i];
	return NULL;
}

/* Read one message, and count. `talk` is as the marked messages have it. */
static void measure_message(struct measure *m, const struct reading_model *model, const struct school_message *x,
    struct dialogue *talk)
{
	const struct marked_message *second = model == NULL ? second_of(m, x->marked) : NULL;
	if (model == NULL && second == NULL)
		return;
	struct arena *a = arena_new();
	struct reading reading = model != NULL ? model_reading(m, a, model, x) : second->gold, *r = &reading;
	struct reading marked = marked_with_values(x->marked, &x->gold), found = model != NULL ? reading : marked_with_values(second, r);
	struct meant gold, read;
	if (model == NULL)
		r->evidence = found.evidence = x->gold.evidence;
	mean(m, a, x, &marked, talk, true, &gold);
	mean(m, a, x, &found, talk, model == NULL, &read);
	struct measured_right right = { .plans = same_plans(&x->gold, r) };
	if (x->marked->plan_only) {
		right.reading = right.frames = right.look_ups = right.plans;
	} else {
		const size_t common = measured_marks(m->out, &x->gold, r);
		right.reading = right.plans && common == x->gold.nmarks && common == r->nmarks;
		right.frames = same_frames(a, &aviation_schema, &gold.frames, &read.frames) ||
		    same_frames(a, &aviation_schema, &x->frames, &read.frames);
		right.look_ups = same_look_ups(a, &gold, &read);
	}
	count(m->out, x, right);
	measured_sure(m->out, r->sure, right.plans);
	if (m->misses && (!right.frames || !right.look_ups))
		show_miss(a, x, r, &gold, &read, right);
	arena_free(a);
}

/* ---- models ---------------------------------------------------------------------------------- */

/* Measure the authors that were not taught, by the model of this file. path NULL: by the marks of the second person. */
static enum errcode measure_model(struct measure *m, const char *path, const bool taught[SCHOOL_AUTHORS], struct err *e)
{
	const struct school *s = m->school;
	struct reading_model *model = NULL;
	enum errcode rc = path != NULL ? reading_model_open(&model, path, e) : OK;
	struct dialogue talk = { .n = 0 };
	for (size_t i = 0; rc == OK && i < s->n; i++) {
		const struct school_message *x = &s->message[i];
		if (x->marked->turn == 0)
			talk.n = 0;
		if (!taught[x->author])
			measure_message(m, model, x, &talk);
		dialogue_add(&talk, &x->frames);
	}
	reading_model_close(model);
	return rc;
}

/* The same by a new model. */
static enum errcode teach_and_measure(struct measure *m, const bool taught[SCHOOL_AUTHORS], const struct options *o,
    size_t limit, struct err *e)
{
	char path[] = "/tmp/language-measure.XXXXXX";
	int fd = mkstemp(path);
	if (fd < 0)
		return err_set(e, ERR_IO, "%s: cannot be made", path);
	close(fd);
	enum errcode rc = school_train(m->school, taught, limit, path, e);
	if (rc == OK)
		rc = measure_model(m, path, taught, e);
	if (o->keep != NULL && rc == OK && rename(path, o->keep) != 0)
		rc = err_set(e, ERR_IO, "%s: %m", o->keep);
	unlink(path);
	return rc;
}

static enum errcode measure_folds(struct measure *m, const struct options *o, struct err *e)
{
	const size_t folds = o->folds > 1 ? o->folds : (m->school->nknown + 1) / 2;
	enum errcode rc = OK;
	for (size_t fold = 0; rc == OK && fold < folds; fold++) {
		bool taught[SCHOOL_AUTHORS];
		for (size_t i = 0; i < SCHOOL_AUTHORS; i++)
			taught[i] = i % folds != fold;
		if (o->fold == SIZE_MAX || o->fold == fold)
			rc = teach_and_measure(m, taught, o, o->limit, e);
	}
	return rc;
}

/* Whom to teach: all but those that are measured. */
static enum errcode find_taught(const struct school *s, const struct options *o, bool taught[SCHOOL_AUTHORS],
    struct err *e)
{
	bool measured[SCHOOL_AUTHORS] = { false };
	enum errcode rc = OK;

	if (o->authors != NULL)
		rc = school_authors(s, o->authors, measured, e);
	for (size_t i = 0; i < SCHOOL_AUTHORS; i++) {
		measured[i] |= i >= s->nknown || (o->authors == NULL && !has_strangers(o) && i % HELD_BACK == 0);
		taught[i] = !measured[i];
	}
	return rc;
}

/* One more measurement for each number of messages. */
static enum errcode measure_curve(struct measure *m, const bool taught[SCHOOL_AUTHORS], const struct options *o,
    struct err *e)
{
	static const size_t sizes[] = { 500, 1000, 2000, SIZE_MAX };
	size_t all = 0;
	enum errcode rc = OK;

	for (size_t i = 0; i < m->school->n; i++)
		all += taught[m->school->message[i].author];
	measured_print_point(m->out, 0);
	for (size_t i = 0; rc == OK && i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const size_t n = sizes[i] < all ? sizes[i] : all;
		struct arena *mem = m->out->mem;
		*m->out = (struct measured){ .mem = mem };
		rc = teach_and_measure(m, taught, o, n, e);
		if (rc == OK)
			measured_print_point(m->out, n);
		if (n == all)
			break;
	}
	return rc;
}

static enum errcode measure(struct measure *m, const struct options *o, struct err *e)
{
	bool taught[SCHOOL_AUTHORS];

	if (!o->curve && o->authors == NULL && !has_strangers(o))
		return measure_folds(m, o, e);
	const enum errcode rc = find_taught(m->school, o, taught, e);
	if (rc != OK)
		return rc;
	if (o->curve)
		return measure_curve(m, taught, o, e);
	if (o->second != NULL) {
		const enum errcode read = marked_read_folder(&m->second, m->out->mem, o->second, e);
		return read == OK ? measure_model(m, NULL, taught, e) : read;
	}
	return o->model != NULL ? measure_model(m, o->model, taught, e) : teach_and_measure(m, taught, o, o->limit, e);
}

/* ---- options --------------------------------------------------------------------------------- */

static bool number_of(const char *text, size_t *out)
{
	long long n;
	if (text == NULL || !str_to_int(text, &n) || n < 0)
		return false;
	*out = (size_t)n;
	return true;
}

static bool read_options(struct options *o, char **argv)
{
	const struct { const char *name; const char **text; size_t *number; bool *flag; } rows[] = {
		{ "--authors", &o->authors, NULL, NULL }, { "--strangers", &o->strangers.messages, NULL, NULL },
		{ "--rules", &o->strangers.rules, NULL, NULL }, { "--second", &o->second, NULL, NULL },
		{ "--model", &o->model, NULL, NULL }, { "--keep", &o->keep, NULL, NULL }, { "--folds", NULL, &o->folds, NULL },
		{ "--fold", NULL, &o->fold, NULL }, { "--limit", NULL, &o->limit, NULL },
		{ "--curve", NULL, NULL, &o->curve }, { "--misses", NULL, NULL, &o->misses },
	};
	for (; *argv != NULL; argv++) {
		size_t i = 0;
		while (i < sizeof(rows) / sizeof(rows[0]) && !streq(*argv, rows[i].name))
			i++;
		if (i == sizeof(rows) / sizeof(rows[0]))
			return false;
		if (rows[i].flag != NULL)
			*rows[i].flag = true;
		else if (*++argv == NULL || (rows[i].number != NULL && !number_of(*argv, rows[i].number)))
			return false;
		else if (rows[i].text != NULL)
			*rows[i].text = *argv;
	}
	const bool strange = has_strangers(o), named = o->authors != NULL || strange;
	return (o->authors == NULL || !strange) && (o->second == NULL || (o->strangers.messages != NULL && o->model == NULL && o->keep == NULL && o->limit == 0 && !o->curve)) && (o->model == NULL || (named && !o->curve));
}

int main(int argc, char **argv)
{
	struct school s;
	struct err e = { 0 };
	struct options o = { .fold = SIZE_MAX };
	static struct measured out;

	if (argc < 3 || !read_options(&o, argv + 3)) {
		fputs("usage: language-measure TREE AIRPORTS [--folds N [--fold N]] [--limit N] [--curve] [--misses]\n"
		      "       language-measure TREE AIRPORTS --authors NAMES [--model FILE] [--limit N] [--curve] [--misses]\n"
		      "       language-measure TREE AIRPORTS --strangers FOLDER [--model FILE] [--limit N] [--curve] [--misses]\n"
		      "       language-measure TREE AIRPORTS --rules FOLDER [--model FILE] [--limit N] [--curve] [--misses]\n"
		      "       language-measure TREE AIRPORTS --strangers FOLDER --second FOLDER [--misses]\n",
		    stderr);
		return 2;
	}
	o.strangers.only = has_strangers(&o) && (o.model != NULL || o.second != NULL);
	enum errcode rc = school_open(&s, argv[1], argv[2], &o.strangers, &e);
	struct measure m = { .school = &s, .misses = o.misses, .out = &out };
	out.mem = s.mem;
	if (rc == OK)
		rc = measure(&m, &o, &e);
	if (rc == OK && !o.curve)
		measured_print(&out);
	if (rc != OK)
		fprintf(stderr, "language-measure: %s\n", e.msg);
	school_close(&s);
	return rc == OK ? 0 : 1;
}
