/*
 * A step that learns from the step before must not see that one's answers on its own lessons, which are better than they will
 * be for a stranger. So the authors are divided into parts; what the others taught answers for each part.
 *
 * The net and the tagger are taught each message twice: as it was written, and as a variant (vary.h). Choosers learn nothing from variants,
 * as measurement says. A message of a talk that was held with the program is taught once more, as it was
 * written. Users write like that, but only one in eight authors held such talks.
 */
#include "tests/language/school.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agents/aviation/builtin/frame_amends.h"
#include "agents/aviation/builtin/frame_plans.h"
#include "agents/aviation/builtin/labels.h"
#include "agents/aviation/builtin/replies.h"
#include "agents/aviation/messages.h"
#include "airports/facts.h"
#include "airports/place_evidence.h"
#include "base/arena.h"
#include "base/str.h"
#include "language/encoder.h"
#include "language/languages.h"
#include "language/quantity.h"
#include "language/reading_steps.h"
#include "language/train/chooser_train.h"
#include "language/train/net_train.h"
#include "language/train/tagger_train.h"
#include "tests/language/lessons.h"
#include "tests/language/vary.h"

enum { AIRPORTS_WAIT_MS = 10000, PARTS = 3, DRAFTS = 2 * CHOOSER_MODELS + TAGGER_DRAFTS + NET_MODELS };

void school_sources(const struct school *s, const struct school_message *x, struct evidence_source out[SCHOOL_SOURCES])
{
	memcpy(out, s->source, sizeof(s->source));
	out[SCHOOL_SOURCES - 1] = shown_evidence(x->shown);
}

static const void *copy_array(struct arena *a, const void *p, size_t n, size_t size)
{
	void *q = p != NULL ? arena_array(a, n + 1, size) : NULL;
	if (q != NULL)
		memcpy(q, p, n * size);
	return q;
}

static struct evidence *copy_evidence(struct arena *a, const struct evidence *from, size_t n)
{
	struct evidence *to = arena_array(a, n + 1, sizeof(*to));

	for (size_t i = 0; i < n; i++) {
		to[i] = from[i];
		to[i].value = from[i].value != NULL ? arena_strdup(a, from[i].value) : NULL;
	}
	return to;
}

/* The sources allocate many times what they find, and a whole corpus stays in memory. So only the findings are copied out. */
static struct evidences *evidence_for(const struct school *s, struct arena *a, const struct school_message *x, const struct words *w)
{
	struct evidence_source source[SCHOOL_SOURCES];
	struct arena *scratch = arena_new();
	struct evidences *kept = arena_alloc(a, sizeof(*kept));
	school_sources(s, x, source);
	const struct evidences *e = evidence_of(scratch, w, source, SCHOOL_SOURCES);
	*kept = (struct evidences){ .mem = a, .n = e->n, .room = e->n, .at = copy_evidence(a, e->at, e->n),
		.nexact = e->nexact, .exact_room = e->nexact, .exact = copy_evidence(a, e->exact, e->nexact),
		.sound = copy_array(a, e->sound, w->n, sizeof(*e->sound)), .clusters = copy_array(a, e->clusters, w->n, sizeof(*e->clusters)),
		.meanings = copy_array(a, e->meanings, w->n, sizeof(*e->meanings)) };
	arena_free(scratch);
	return kept;
}

/* Do the look-ups of the message, and keep in `t` what they found: the next message may name the airports of this answer. */
static void answer(const struct school *s, const struct school_message *x, struct talk *t)
{
	struct arena *a = arena_new();
	const struct reading valued = marked_with_values(x->marked, &x->gold);
	struct frames frames;
	struct plans plans;
	const struct planning planning = { .mem = a, .ctx = &s->tools, .con = s->con, .message = x->marked->text,
		.reading = &valued, .frames = &frames, .talk = t };

	frames_of_marks(a, &valued, &t->dialogue, &frames);
	plans_of_frames(&planning, &plans);
	talk_next_message(t);
	for (size_t i = 0; i < plans.n; i++) {
		struct json_object *result = NULL;
		if (plans.plan[i].tool != NULL &&
		    tool_call(&s->tools, plans.plan[i].tool, a, plans.plan[i].arguments, NULL, &result, NULL) == OK)
			talk_heard(t, &plans.plan[i], result);
	}
	arena_free(a);
}

/* Messages of authors before the `from`-th one get no evidence and no frames. */
static void add_messages(struct school *s, size_t from)
{
	static struct talk nothing;
	struct talk talk = { .n = 0 };
	s->n = s->marked.n;
	s->message = arena_array(s->mem, s->n, sizeof(*s->message));
	for (size_t i = 0; i < s->n; i++) {
		const struct marked_message *m = &s->marked.message[i];
		struct school_message *x = &s->message[i];
		const struct reading valued = marked_with_values(m, &m->gold);
		if (m->turn == 0)
			talk = (struct talk){ .n = 0 };
		struct talk *shown = m->turn > 0 ? arena_alloc(s->mem, sizeof(*shown)) : &nothing;
		*x = (struct school_message){ .marked = m, .gold = m->gold, .shown = arena_alloc(s->mem, sizeof(*x->shown)) };
		if (m->turn > 0)
			*shown = talk;
		*x->shown = (struct shown){ s->con, shown };
		while (s->marked.author[x->author] != m->author)
			x->author++;
		if (x->author < from)
			continue;
		x->gold.evidence = evidence_for(s, s->mem, x, m->words);
		x->before = dialogue_before(s->mem, &aviation_schema, &talk.dialogue, m->turn > 0 ? m[-1].words->language : NULL);
		frames_of(s->mem, &aviation_schema, &valued, &talk.dialogue, &x->frames);
		if (i + 1 < s->n && m[1].turn > 0)
			answer(s, x, &talk);
		dialogue_add(&talk.dialogue, &x->frames);
	}
}

static enum errcode open_airports(struct school *s, const char *path, struct err *e)
{
	const struct airdb_config config = { .path = path };
	enum errcode rc = airdb_index(&config, NULL, NULL, e);
	if (rc == OK)
		rc = airdb_open(&s->airdb, &config, e);
	return rc == OK ? airdb_get(s->airdb, AIRPORTS_WAIT_MS, &s->con, e) : rc;
}

/* Add the questions among the texts from..to-1. People who ask about a rule often tell what happened, and do not name the matter. who:
 * a prefix of their authors' names. */
static void add_rule_questions(struct school *s, const struct lessons *l, size_t from, size_t to, const char *who)
{
	for (size_t i = from; i < to; i++) {
		const struct matter_text *t = &l->text[i];
		if (t->number != 0 && !t->rule)
			marked_add_plan(&s->marked, s->mem, arena_printf(s->mem, "%s/%s", who, t->author), t->kind, t->text, "answer");
	}
}

/* Nobody who is taught may be a stranger as well. */
static enum errcode read_strangers(struct school *s, const char *folder, struct err *e)
{
	const size_t known = s->marked.n;
	enum errcode rc = marked_read_folder(&s->marked, s->mem, folder, e);
	for (size_t i = known; rc == OK && i < s->marked.n; i++)
		for (size_t k = 0; rc == OK && k < s->nknown; k++)
			if (s->marked.author[k] == s->marked.message[i].author)
				rc = err_set(e, ERR_CONFIG, "%s: the author '%s' is in the corpus too",
				    s->marked.message[i].path, s->marked.author[k]);
	return rc;
}

enum errcode school_open(struct school *s, const char *tree, const char *airports, const struct school_strangers *strangers,
    struct err *e)
{
	struct vocabulary *vocabulary;
	struct lessons rules;
	*s = (struct school){ .mem = arena_new() };
	enum errcode rc = facts_open(tree, e);
	if (rc == OK)
		rc = languages_open(tree, e);
	if (rc == OK)
		rc = messages_open(tree, e);
	if (rc == OK)
		rc = replies_open(tree, e);
	if (rc == OK)
		rc = open_airports(s, airports, e);
	if (rc == OK)
		rc = vocabulary_load(&vocabulary, s->mem, tree, e);
	if (rc == OK)
		rc = encoder_open(&s->encoder, arena_printf(s->mem, "%s/conf/language/encoder.model", tree), e);
	if (rc == OK)
		rc = marked_read_folder(&s->marked, s->mem, arena_printf(s->mem, "%s/tests/language/corpus", tree), e);
	if (rc == OK)
		rc = lessons_read(&rules, s->mem, tree, NULL, strangers != NULL ? strangers->rules : NULL, e);
	if (rc == OK)
		add_rule_questions(s, &rules, 0, rules.nopen, "rules");
	s->nknown = s->marked.nauthors;
	if (rc == OK)
		add_rule_questions(s, &rules, rules.nopen, rules.ntexts, "strange rules");
	if (rc == OK && strangers != NULL && strangers->messages != NULL)
		rc = read_strangers(s, strangers->messages, e);
	if (rc == OK && s->marked.nauthors > SCHOOL_AUTHORS)
		rc = err_set(e, ERR_CONFIG, "more than %d authors", SCHOOL_AUTHORS);
	if (rc != OK)
		return rc;
	s->tools = (struct tool_context){ .airports = s->airdb, .table = tools_builtin,
		.offered = toolset_offered(s->mem, tools_builtin, (struct behavior_switches){ NULL, 0 }) };
	s->source[0] = vocabulary_source(vocabulary);
	s->source[1] = quantity_source(vocabulary);
	s->source[2] = place_evidence(s->con);
	s->source[3] = encoder_evidence(s->encoder);
	add_messages(s, strangers != NULL && strangers->only ? s->nknown : 0);
	return OK;
}

void school_close(struct school *s)
{
	airdb_put(s->con);
	airdb_close(s->airdb);
	encoder_close(s->encoder);
	arena_free(s->mem);
}

enum errcode school_authors(const struct school *s, const char *names, bool author[SCHOOL_AUTHORS], struct err *e)
{
	memset(author, 0, SCHOOL_AUTHORS * sizeof(*author));
	for (struct str name; str_part(&names, ',', &name);) {
		size_t i = 0;
		while (i < s->marked.nauthors && !str_eq(name, s->marked.author[i]))
			i++;
		if (i == s->marked.nauthors)
			return err_set(e, ERR_INPUT, "there is no author '%.*s'", (int)name.n, name.p);
		author[i] = true;
	}
	return OK;
}

/* ---- training ------------------------------------------------------------------------------- */

/* A message in class, and what the steps so far say of it. */
struct pupil {
	const struct school_message *message;
	bool varied;
	unsigned part;
	struct chooser_choice choice;      /* of the first chooser */
	struct tagger_hint hint[READING_HINTS];
	size_t nhints;
	struct reading read;               /* with the marks that the tagger found */
};

struct class {
	struct arena *mem;
	size_t n;
	struct pupil *pupil;
	struct net net[PARTS];             /* net[k] was taught by all parts but k */
	struct linear_file *net_file[PARTS];
	const char *path;                  /* of the model files of the jobs; the number of the job is added at its end */
	struct err *e;
	pthread_mutex_t lock;              /* of mem, while jobs run */
};

enum { ALL = PARTS, JOBS = PARTS + 1 };

/* One job of training. Jobs can run at the same time, because none needs the result of another. */
struct job {
	enum errcode (*fn)(struct job *j);
	struct class *c;
	unsigned part;                     /* which is left out; ALL: none */
	bool marks;                        /* of the second chooser */
	struct linear_draft *draft;        /* where the models go */
	struct chooser_choice *choice;     /* where the answers of a chooser go */
	const char *path;
	struct err e;
	enum errcode rc;
};

/* Labels whose words are names, which say nothing of other messages. */
static const char NAMES[] = "from|to|via|near|at|area|name|country";

static struct chooser_view view_of(const struct pupil *p, bool marks)
{
	const struct reading *gold = &p->message->gold;
	return (struct chooser_view){ gold->words, gold->evidence, NULL, marks ? p->read.mark : NULL,
		marks ? p->read.nmarks : 0, p->message->before };
}

/* How often a pupil is taught. */
static unsigned times(const struct pupil *p)
{
	return p->message->marked->held && !p->varied ? 2 : 1;
}

/* Room for the lessons of all pupils. */
static size_t most_lessons(const struct class *c)
{
	size_t n = 0;
	for (size_t i = 0; i < c->n; i++)
		n += times(&c->pupil[i]);
	return n;
}

/* Teach a net to all but this part. */
static enum errcode teach_net(struct job *j, struct arena *a, struct linear_draft draft[NET_MODELS])
{
	const struct class *c = j->c;
	struct net_lesson *lesson = arena_array(a, most_lessons(c), sizeof(*lesson));
	size_t n = 0;
	for (size_t i = 0; i < c->n; i++) {
		const struct school_message *m = c->pupil[i].message;
		for (unsigned k = c->pupil[i].part != j->part ? times(&c->pupil[i]) : 0; k > 0; k--)
			lesson[n++] = (struct net_lesson){ &m->gold, m->marked->value, m->before, (unsigned)m->author, m->marked->plan_only };
	}
	return net_train(draft, a, lesson, n, 0, &j->e);
}

/* What the net that the other parts were taught sees in a pupil's message. */
static const struct net_reading *net_reading_of(const struct class *c, struct arena *a, const struct pupil *p)
{
	const struct reading *gold = &p->message->gold;
	return net_read(&c->net[p->part], a, gold->words, gold->evidence, p->message->before);
}

/* Teach a chooser to all but this part. */
static enum errcode teach_chooser(struct job *j, struct arena *a, struct linear_draft draft[CHOOSER_MODELS])
{
	const struct class *c = j->c;
	struct chooser_lesson *lesson = arena_array(a, most_lessons(c), sizeof(*lesson));
	size_t n = 0;
	for (size_t i = 0; i < c->n; i++)
		for (unsigned k = c->pupil[i].part != j->part && !c->pupil[i].varied ? times(&c->pupil[i]) : 0; k > 0; k--)
			lesson[n++] = (struct chooser_lesson){ view_of(&c->pupil[i], j->marks), &c->pupil[i].message->gold,
				(unsigned)c->pupil[i].message->author };
	struct chooser_trained *t;
	enum errcode rc = chooser_train(&t, lesson, n, j->path, &j->e);
	if (rc == OK)
		chooser_draft(t, a, j->marks ? "2" : "1", draft);
	chooser_trained_free(t);
	return rc;
}

static enum errcode teach_tagger(struct job *j, struct arena *a, struct linear_draft draft[TAGGER_DRAFTS])
{
	const struct class *c = j->c;
	struct tagger_example *example = arena_array(a, most_lessons(c), sizeof(*example));
	size_t n = 0;
	for (size_t i = 0; i < c->n; i++) {
		const struct pupil *p = &c->pupil[i];
		for (unsigned k = p->part != j->part && !p->message->marked->plan_only ? times(p) : 0; k > 0; k--)
			example[n++] = (struct tagger_example){ &p->message->gold, p->message->marked->value, p->hint, p->nhints,
				(unsigned)p->message->author };
	}
	return tagger_train(draft, a, example, n, &(struct tagger_training){ .names = NAMES }, &j->e);
}

/* How sharp probabilities must be to be right as often as they say: the exponent that makes the right plans likeliest, for one
 * part of the pupils or ALL. */
static double sharpness(const struct class *c, const struct chooser_choice *choice, unsigned part)
{
	static const double TRIED[] = { 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.5 };
	double best = 0, sharp = 1;
	for (size_t k = 0; k < sizeof(TRIED) / sizeof(TRIED[0]); k++) {
		double sum = 0;
		for (size_t i = 0; i < c->n; i++) {
			const struct reading *gold = &c->pupil[i].message->gold;
			double all = 0, right = 0;
			if (c->pupil[i].varied || (part != ALL && c->pupil[i].part != part))
				continue;
			for (size_t o = 0; o < choice[i].n; o++) {
				const struct chooser_outcome *x = &choice[i].outcome[o];
				double p = pow(x->sure, TRIED[k]);
				bool same = x->nplans == gold->nplans;
				for (size_t j = 0; same && j < x->nplans; j++)
					same = streq(x->plan[j].plan, gold->plan[j].plan) && streq(x->plan[j].kind, gold->plan[j].kind);
				all += p;
				right += same ? p : 0;
			}
			sum += log(right / all + 1e-3);
		}
		if (k == 0 || sum > best) {
			best = sum;
			sharp = TRIED[k];
		}
	}
	return sharp;
}

/* A text that lives as long as the class. */
static const char *keep(struct class *c, const char *text)
{
	pthread_mutex_lock(&c->lock);
	const char *kept = arena_strdup(c->mem, text);
	pthread_mutex_unlock(&c->lock);
	return kept;
}

/* What the chooser that the other parts were taught says of each pupil. */
static enum errcode ask_chooser(struct job *j)
{
	struct class *c = j->c;
	struct arena *a = arena_new();
	struct linear_draft draft[CHOOSER_MODELS];
	struct linear_file *f = NULL;
	struct chooser chooser;
	enum errcode rc = teach_chooser(j, a, draft);
	if (rc == OK)
		rc = linear_write(j->path, draft, CHOOSER_MODELS, &j->e);
	if (rc == OK)
		rc = linear_open(&f, j->path, &j->e);
	if (rc == OK)
		rc = chooser_open(&chooser, f, j->marks ? "2" : "1", &c->net[j->part], &j->e);
	for (size_t i = 0; rc == OK && i < c->n; i++) {
		struct chooser_view view = view_of(&c->pupil[i], j->marks);
		if (c->pupil[i].part != j->part || (j->marks && c->pupil[i].varied))
			continue;
		struct arena *b = arena_new();
		view.net = net_reading_of(c, b, &c->pupil[i]);
		chooser_choose(&chooser, b, &view, &j->choice[i]);
		arena_free(b);
		/* names of plans live as long as the file */
		for (size_t o = 0; o < j->choice[i].n; o++)
			for (size_t k = 0; k < j->choice[i].outcome[o].nplans; k++)
				j->choice[i].outcome[o].plan[k].plan = keep(c, j->choice[i].outcome[o].plan[k].plan);
	}
	linear_close(f);
	arena_free(a);
	return rc;
}

/* What the tagger that the other parts were taught finds in each pupil's message. */
static enum errcode ask_tagger(struct job *j)
{
	struct class *c = j->c;
	struct arena *a = arena_new();
	struct linear_draft draft[TAGGER_DRAFTS];
	struct linear_file *f = NULL;
	struct tagger *tagger;
	enum errcode rc = teach_tagger(j, a, draft);
	if (rc == OK)
		rc = linear_write(j->path, draft, TAGGER_DRAFTS, &j->e);
	if (rc == OK)
		rc = linear_open(&f, j->path, &j->e);
	if (rc == OK)
		rc = tagger_open(&tagger, a, f, &c->net[j->part], &j->e);
	for (size_t i = 0; rc == OK && i < c->n; i++) {
		struct pupil *p = &c->pupil[i];
		if (p->part != j->part || p->varied)
			continue;
		struct arena *b = arena_new();
		p->read = (struct reading){ .words = p->message->gold.words, .evidence = p->message->gold.evidence,
			.net = net_reading_of(c, b, p) };
		tagger_mark(tagger, b, &p->read, p->hint, p->nhints, &(float *){ NULL });
		p->read.net = NULL;
		arena_free(b);
		for (size_t k = 0; k < p->read.nmarks; k++) {
			p->read.mark[k].label = keep(c, p->read.mark[k].label);
			p->read.mark[k].value = p->read.mark[k].value != NULL ? keep(c, p->read.mark[k].value) : NULL;
		}
	}
	linear_close(f);
	arena_free(a);
	return rc;
}

/* The net of a part, which all later steps ask. */
static enum errcode open_net(struct job *j)
{
	struct class *c = j->c;
	struct arena *a = arena_new();
	struct linear_draft draft[NET_MODELS];
	enum errcode rc = teach_net(j, a, draft);
	if (rc == OK)
		rc = linear_write(j->path, draft, NET_MODELS, &j->e);
	if (rc == OK)
		rc = linear_open(&c->net_file[j->part], j->path, &j->e);
	if (rc == OK)
		rc = net_open(&c->net[j->part], c->net_file[j->part], &j->e);
	arena_free(a);
	return rc;
}

static void free_arena(void *a)
{
	arena_free(a);
}

/* The models that are kept: their memory must outlive the job. */
static enum errcode teach_final(struct job *j, enum errcode (*teach)(struct job *j, struct arena *a, struct linear_draft *draft))
{
	pthread_mutex_lock(&j->c->lock);
	struct arena *a = arena_new();
	arena_defer(j->c->mem, free_arena, a);
	pthread_mutex_unlock(&j->c->lock);
	return teach(j, a, j->draft);
}

static enum errcode teach_final_chooser(struct job *j)
{
	return teach_final(j, teach_chooser);
}

static enum errcode teach_final_net(struct job *j)
{
	return teach_final(j, teach_net);
}

static enum errcode teach_final_tagger(struct job *j)
{
	return teach_final(j, teach_tagger);
}

/* Jobs that wait for a worker. */
struct queue {
	struct job *job;
	size_t n, next;
	pthread_mutex_t lock;
};

static struct job *next_job(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	struct job *j = q->next < q->n ? &q->job[q->next++] : NULL;
	pthread_mutex_unlock(&q->lock);
	return j;
}

static void *work(void *arg)
{
	for (struct job *j; (j = next_job(arg)) != NULL;) {
		j->rc = j->fn(j);
		unlink(j->path);
	}
	return NULL;
}

/* Do all jobs, two at a time, because each needs much memory. */
static enum errcode do_jobs(struct class *c, struct job *job, size_t n)
{
	enum { WORKERS = 2 };
	struct queue q = { .job = job, .n = n, .lock = PTHREAD_MUTEX_INITIALIZER };
	pthread_t worker[WORKERS];
	size_t started = 0;
	enum errcode rc = OK;

	for (size_t i = 0; i < n; i++) {
		job[i].c = c;
		job[i].path = arena_printf(c->mem, "%s.%zu", c->path, i);
		job[i].rc = err_set(&job[i].e, ERR_INTERNAL, "cannot start a thread for training");
	}
	while (started < WORKERS && pthread_create(&worker[started], NULL, work, &q) == 0)
		started++;
	for (size_t i = 0; i < started; i++)
		pthread_join(worker[i], NULL);
	for (size_t i = 0; i < n && rc == OK; i++)
		if ((rc = job[i].rc) != OK)
			*c->e = job[i].e;
	return rc;
}

static enum errcode teach(struct class *c, const char *path)
{
	struct linear_draft draft[DRAFTS], *second = draft + CHOOSER_MODELS, *tagger = second + CHOOSER_MODELS,
		*net = tagger + TAGGER_DRAFTS;
	struct chooser_choice *choice = arena_array(c->mem, c->n, sizeof(*choice));
	struct job job[JOBS];

	for (unsigned i = 0; i < PARTS; i++)
		job[i] = (struct job){ .fn = open_net, .part = i };
	job[ALL] = (struct job){ .fn = teach_final_net, .part = ALL, .draft = net };
	enum errcode rc = do_jobs(c, job, JOBS);
	if (rc != OK)
		return rc;
	for (unsigned i = 0; i < PARTS; i++)
		job[i] = (struct job){ .fn = ask_chooser, .part = i, .choice = choice };
	job[ALL] = (struct job){ .fn = teach_final_chooser, .part = ALL, .draft = draft };
	if ((rc = do_jobs(c, job, JOBS)) != OK)
		return rc;
	chooser_draft_sharpen(draft, c->mem, sharpness(c, choice, ALL));
	for (size_t i = 0; i < c->n; i++)
		c->pupil[i].nhints = reading_hints(c->pupil[i].message->gold.words, &choice[i],
		    c->pupil[i].message->before, c->pupil[i].hint);
	for (unsigned i = 0; i < PARTS; i++)
		job[i] = (struct job){ .fn = ask_tagger, .part = i };
	job[ALL] = (struct job){ .fn = teach_final_tagger, .part = ALL, .draft = tagger };
	if ((rc = do_jobs(c, job, JOBS)) != OK)
		return rc;
	/* the second chooser is calibrated on one part only, to save time */
	job[0] = (struct job){ .fn = ask_chooser, .part = 0, .marks = true, .choice = choice };
	job[1] = (struct job){ .fn = teach_final_chooser, .part = ALL, .marks = true, .draft = second };
	if ((rc = do_jobs(c, job, 2)) != OK)
		return rc;
	chooser_draft_sharpen(second, c->mem, sharpness(c, choice, 0));
	return linear_write(path, draft, DRAFTS, c->e);
}

/* Add a variant of each pupil. */
static void add_variants(const struct school *s, struct class *c)
{
	const size_t n = c->n;
	const struct marked_message **marked = arena_array(c->mem, n + 1, sizeof(*marked));
	for (size_t i = 0; i < n; i++)
		marked[i] = c->pupil[i].message->marked;
	struct vary *vary = vary_new(c->mem, marked, n);
	for (size_t i = 0; i < n; i++) {
		struct marked_message *variant = arena_alloc(c->mem, sizeof(*variant));
		struct school_message *x = arena_alloc(c->mem, sizeof(*x));
		if (marked[i]->plan_only || !vary_message(vary, marked[i], variant))
			continue;
		*x = *c->pupil[i].message;
		x->marked = variant;
		x->gold = variant->gold;
		x->gold.evidence = evidence_for(s, c->mem, x, variant->words);
		c->pupil[c->n++] = (struct pupil){ .message = x, .varied = true, .part = c->pupil[i].part };
	}
}

enum errcode school_train(const struct school *s, const bool author[SCHOOL_AUTHORS], size_t limit, const char *path,
    struct err *e)
{
	struct class c = { .mem = arena_new(), .e = e, .lock = PTHREAD_MUTEX_INITIALIZER };
	size_t taught = 0, part[SCHOOL_AUTHORS], seen = 0;
	for (size_t i = 0, n = 0; i < SCHOOL_AUTHORS; i++)
		part[i] = author[i] ? n++ % PARTS : 0;
	for (size_t i = 0; i < s->n; i++)
		taught += author[s->message[i].author];
	if (limit == 0 || limit > taught)
		limit = taught;
	c.pupil = arena_array(c.mem, 2 * limit + 1, sizeof(*c.pupil));
	c.path = arena_printf(c.mem, "%s.part", path);
	for (size_t i = 0; i < s->n; i++) {
		const struct school_message *m = &s->message[i];
		if (!author[m->author])
			continue;
		/* every message whose number passes a whole multiple of taught / limit */
		if (seen * limit / taught != (seen + 1) * limit / taught)
			c.pupil[c.n++] = (struct pupil){ .message = m, .part = (unsigned)part[m->author] };
		seen++;
	}
	add_variants(s, &c);
	enum errcode rc = teach(&c, path);
	for (size_t i = 0; i < PARTS; i++)
		linear_close(c.net_file[i]);
	arena_free(c.mem);
	return rc;
}
