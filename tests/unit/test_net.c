/* The net, trained on a handful of messages: what it says of others, how the tagger and the chooser use it, and what hostile
 * messages and wrong files do to it. */
#include "tests/unit/marked_lessons.h"
#include "tests/unit/test.h"

#include <math.h>

#include "base/str.h"
#include "language/chooser.h"
#include "language/evidence.h"
#include "language/net.h"
#include "language/net_gates.h"
#include "language/tagger.h"
#include "language/train/net_train.h"
#include "language/words.h"

static const char lessons[] =
	"author: test\nlanguage: en\nperson: nobody\n\n"
	"airports near [Lyon|near] with [avgas|has_avgas] → near\n"
	"airports near [Graz|near] with [customs|point_of_entry] → near\n"
	"fields near [Ulm|near] with [customs|point_of_entry] please → near\n"
	"from [Ulm|from] to [Graz|to] with [avgas|has_avgas] → route\n"
	"from [Lyon|from] to [Brest|to] please → route\n"
	"thanks for the fish → thanks\n"
	"thanks → thanks\n"
	"\n"
	"- fields near [Ulm|near] → near\n"
	"- with [avgas|has_avgas] → refine near\n";

enum { AUTHORS = 6, ROUNDS = 60 };

/* Every capital letter begins a "town", and "avgas" and "petrol" mean the same. */
static void find_towns(void *self, const struct words *w, struct evidences *out)
{
	static const int8_t fuel[ENCODER_DIMS] = { 100, -20, 7 };
	const int8_t **meaning = arena_array(out->mem, w->n + 1, sizeof(*meaning));

	(void)self;
	for (size_t i = 0; i < w->n; i++) {
		if (w->word[i].title)
			evidence_add(out, i, i, "town", NULL);
		if (streq(w->word[i].fold, "avgas") || streq(w->word[i].fold, "petrol"))
			meaning[i] = fuel;
	}
	out->meanings = meaning;
}

static const struct evidence_source towns[] = { { find_towns, NULL } };

struct net_case {
	struct arena *a;
	char *dir;
	const char *path;
	struct linear_file *file;
	struct net net;
	struct err e;
};

static const struct reading_before talk = { .nplans = 1, .plan = { "near" } };

static void train(struct net_case *c)
{
	struct linear_draft draft[NET_MODELS];

	c->a = arena_new();
	c->dir = test_mkdtemp();
	struct marked m = marked_lessons(c->a, c->dir, lessons);
	/* its "avgas" is not marked, and must not teach that avgas is no wish */
	marked_add_plan(&m, c->a, "test", "en", "avgas and hail broke my wing", "answer");
	struct net_lesson *x = arena_array(c->a, AUTHORS * m.n, sizeof(*x));
	for (size_t i = 0; i < AUTHORS * m.n; i++) {        /* several authors must have a word, or it has no row */
		struct marked_message *message = &m.message[i % m.n];
		message->gold.evidence = evidence_of(c->a, message->words, towns, 1);
		x[i] = (struct net_lesson){ &message->gold, message->value, message->turn > 0 ? &talk : NULL, (unsigned)(i / m.n), message->plan_only };
	}
	TEST_OK(net_train(draft, c->a, x, AUTHORS * m.n, ROUNDS, &c->e), c->e);
	c->path = arena_printf(c->a, "%s/reader.model", c->dir);
	TEST_OK(linear_write(c->path, draft, NET_MODELS, &c->e), c->e);
	TEST_OK(linear_open(&c->file, c->path, &c->e), c->e);
	TEST_OK(net_open(&c->net, c->file, &c->e), c->e);
}

static void end(struct net_case *c)
{
	linear_close(c->file);
	test_rmdir(c->dir);
	arena_free(c->a);
}

static const struct net_reading *read_text(struct net_case *c, const char *text, const struct reading_before *before)
{
	const struct words *w = words_of(c->a, text, "en");
	return net_read(&c->net, c->a, w, evidence_of(c->a, w, towns, 1), before);
}

static const char *likeliest(const struct linear *m, const float *score)
{
	size_t best = 0;
	for (size_t i = 1; i < m->nclasses; i++)
		best = score[i] > score[best] ? i : best;
	return m->class_name[best];
}

static const struct {
	const char *text;
	const struct reading_before *before;
	size_t first, last;
	const char *plan, *tags;     /* of the words first to last; of all words, NULL: whatever they are */
} found[] = {
	{ "airports near Riga with avgas", NULL, 0, 4, "-|near", "- - near - has_avgas" },
	{ "from Riga to Oslo please", NULL, 0, 4, "-|route", "- from - to -" },
	{ "thanks", NULL, 0, 0, "-|thanks", "-" },
	{ "with avgas", &talk, 0, 1, "refine|near", "- has_avgas" },
	{ "thanks, fields near Riga", NULL, 2, 4, "-|near", "- - - - near" },
	/* a word that no lesson has, by its meaning alone */
	{ "airports near Riga with petrol", NULL, 0, 4, "-|near", "- - near - has_avgas" },
	{ "hail broke my wing", NULL, 0, 3, "-|answer", NULL },
};

TEST(net, says_plans_and_tags)
{
	struct net_case c = { .file = NULL };
	float score[NET_PLANS];
	train(&c);
	for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++) {
		const struct net_reading *r = read_text(&c, found[i].text, found[i].before);
		const char *tags = "";
		net_score_plans(r, found[i].first, found[i].last, score);
		cr_expect_str_eq(likeliest(c.net.plans, score), found[i].plan, "%s: %s", found[i].text, likeliest(c.net.plans, score));
		for (size_t k = 0; k < r->n; k++) {
			const char *tag = likeliest(c.net.tags, r->tag + k * c.net.tags->nclasses);
			tags = arena_printf(c.a, "%s%s%s", tags, k > 0 ? " " : "", *tag != '\0' ? tag : "-");
		}
		cr_expect(found[i].tags == NULL || streq(tags, found[i].tags), "%s: %s", found[i].text, tags);
	}
	end(&c);
}

/* What learning takes for the steepness of a step is its steepness. A state never leaves -1 to 1. */
TEST(net, gates)
{
	static const float delta = 1e-2F;
	for (float x = -5; x <= 5; x += 0.25F) {
		const float steep = (net_squash(x + delta) - net_squash(x - delta)) / (2 * delta);
		const float gate = (net_gate(x + delta) - net_gate(x - delta)) / (2 * delta);
		cr_expect(fabsf(steep - net_squash_slope(x)) < 1e-3F, "%g: %g, %g", (double)x, (double)steep, (double)net_squash_slope(x));
		cr_expect(fabsf(gate - net_gate_slope(x)) < 1e-3F, "%g: %g, %g", (double)x, (double)gate, (double)net_gate_slope(x));
		cr_expect(fabsf(net_squash(x)) <= 1 && net_gate(x) >= 0 && net_gate(x) <= 1, "%g", (double)x);
		cr_expect(fabsf(net_squash(x) - tanhf(x)) < 0.03F, "%g is near tanh", (double)x);
	}
	cr_expect_eq(net_squash(1e30F), 1);
	cr_expect_eq(net_squash(-1e30F), -1);
	/* a gate that is open keeps the old state, one that is closed takes the new one */
	cr_expect_eq(net_next((struct net_step){ 0, 9, 1, 1 }, 0.5F), 0.5F);
	cr_expect_eq(net_next((struct net_step){ -9, -9, 0.5F, 7 }, 0.5F), net_squash(0.5F));
}

TEST(net, the_same_lessons_give_the_same_net)
{
	struct net_case c = { .file = NULL }, d = { .file = NULL };
	train(&c);
	train(&d);
	cr_expect_eq(system(arena_printf(c.a, "cmp -s '%s' '%s'", c.path, d.path)), 0);
	end(&c);
	end(&d);
}

/* A tagger and a chooser that know nothing: what they find is what the net says. */
TEST(net, is_added_to_the_scores_of_tagger_and_chooser)
{
	static const char *const tags[] = { "", "+", "near", "has_avgas", "label near", "polarity plain", "form bare ", "label has_avgas" },
		*const word[] = { "known" }, *const plans[] = { "near", "route", "thanks" }, *const follow[] = { "-|near", "-|=", "-|<", "-|*" },
		*const cut[] = { "cut" };
	static const int32_t four[] = { 4 }, one[] = { 1000 };
	struct net_case c = { .file = NULL };
	train(&c);
	const struct linear_draft draft[] = {
		{ .name = "tagger", .nclasses = 8, .class_name = tags, .nnumbers = 1, .number = four },
		{ .name = "tagger words", .nclasses = 1, .class_name = word }, { .name = "tagger plans", .nclasses = 8, .class_name = tags },
		{ .name = "plans1", .nclasses = 3, .class_name = plans, .nnumbers = 1, .number = one },
		{ .name = "follow1", .nclasses = 4, .class_name = follow, .nnumbers = 1, .number = one },
		{ .name = "cut1", .nclasses = 1, .class_name = cut, .nnumbers = 1, .number = one },
		{ .name = "sides1", .nclasses = 1, .class_name = cut, .nnumbers = 1, .number = one },
	};
	const char *path = arena_printf(c.a, "%s/other.model", c.dir);
	struct linear_file *f;
	struct tagger *tagger;
	struct chooser chooser;
	struct chooser_choice choice;
	TEST_OK(linear_write(path, draft, sizeof(draft) / sizeof(draft[0]), &c.e), c.e);
	TEST_OK(linear_open(&f, path, &c.e), c.e);
	TEST_OK(tagger_open(&tagger, c.a, f, &c.net, &c.e), c.e);
	TEST_OK(chooser_open(&chooser, f, "1", &c.net, &c.e), c.e);
	struct reading r = { .words = words_of(c.a, "fields near Riga with avgas", "en") };
	r.evidence = evidence_of(c.a, r.words, towns, 1);
	r.net = net_read(&c.net, c.a, r.words, r.evidence, NULL);
	tagger_mark(tagger, c.a, &r, NULL, 0, &(float *){ NULL });
	cr_assert_eq(r.nmarks, 2, "%zu", r.nmarks);
	cr_expect_str_eq(r.mark[0].label, "near");
	cr_expect_str_eq(r.mark[1].label, "has_avgas");
	const struct chooser_view view = { .words = r.words, .evidence = r.evidence, .net = r.net };
	chooser_choose(&chooser, c.a, &view, &choice);
	cr_expect_str_eq(choice.outcome[0].plan[0].plan, "near");
	linear_close(f);
	end(&c);
}

TEST(net, hostile_texts)
{
	static const char *const pieces[] = { "and ", "near Lyon ", "800 m ", "\U0001F602", "\xff", "\x01", "\u202e", "-", "\n", "" };
	enum { LONG = 65536 };
	struct net_case c = { .file = NULL };
	float score[NET_PLANS];
	train(&c);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		const size_t len = strlen(pieces[i]);
		char *text = arena_alloc(c.a, LONG + 1);
		for (size_t at = 0; len > 0 && at + len <= LONG; at += len)
			memcpy(text + at, pieces[i], len);
		const struct net_reading *r = read_text(&c, text, &talk);
		net_score_plans(r, 0, r->n > 0 ? r->n - 1 : 0, score);
		for (size_t k = 0; k < c.net.plans->nclasses; k++)
			cr_expect(score[k] > -10000 && score[k] < 10000, "%zu: %g", i, (double)score[k]);
	}
	end(&c);
}

/* Files that are intact but have no net, or one of the wrong shape; the first is right. */
TEST(net, other_models_are_refused)
{
	static const char *const one[] = { "x" }, *const none[] = { "" };
	static const int32_t numbers[200000] = { 1 };
	const size_t layers = (NET_NEAR * NET_SPAN * NET_INPUT + NET_NEAR + NET_WIDE * (NET_SPAN * NET_NEAR + 1) + NET_DIRECTIONS * NET_GATES * (NET_NEAR + 1 + NET_STATE)) / 2;
	struct linear_entry far = { 7, 0, 1 };
	const struct linear_draft net = { .name = "net", .nnumbers = layers, .number = numbers },
		tags = { .name = "net tags", .nclasses = 1, .class_name = none, .nnumbers = NET_OUT + 1, .number = numbers },
		plans = { .name = "net plans", .nclasses = 1, .class_name = one, .nnumbers = (NET_WIDE + 2) / 2, .number = numbers },
		words = { .name = "net words", .nclasses = 1, .class_name = one, .nnumbers = 1 + 2 * NET_LEARNED / 4, .number = numbers, .n = 1,
			.entry = &far };
	static const int32_t large[200000] = { [0 ... 199999] = 0x7fff7fff };
	struct linear_draft cut = net, no_tags = tags, short_plans = plans, few_rows = words, no_one = words, heavy = net;
	cut.nnumbers--;
	no_tags.nclasses = 0;
	short_plans.nnumbers = 1;
	few_rows.nnumbers = 1 + NET_LEARNED / 4;
	no_one.nnumbers = 0;
	heavy.number = large;
	const struct {
		struct linear_draft draft[NET_MODELS];
		enum errcode rc;
	} files[] = {
		{ { net, tags, plans, words }, OK },
		{ { { .name = "other" }, tags, plans, words }, ERR_CONFIG },
		{ { cut, tags, plans, words }, ERR_CONFIG },
		{ { net, no_tags, plans, words }, ERR_CONFIG },
		{ { net, tags, short_plans, words }, ERR_CONFIG },
		{ { net, tags, plans, few_rows }, ERR_CONFIG },
		{ { net, tags, plans, no_one }, ERR_CONFIG },
		{ { heavy, tags, plans, words }, ERR_CONFIG },
	};
	struct arena *a = arena_new();
	char *dir = test_mkdtemp();
	const char *path = arena_printf(a, "%s/reader.model", dir);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct linear_draft draft[NET_MODELS];
		struct linear_file *f;
		struct net opened;
		struct err e = { 0 };
		memcpy(draft, files[i].draft, sizeof(draft));
		TEST_OK(linear_write(path, draft, NET_MODELS, &e), e);
		TEST_OK(linear_open(&f, path, &e), e);
		cr_expect_eq(net_open(&opened, f, &e), files[i].rc, "%zu: %s", i, e.msg);
		linear_close(f);
	}
	test_rmdir(dir);
	arena_free(a);
}
