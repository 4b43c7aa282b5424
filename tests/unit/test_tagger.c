/* The tagger, trained on a handful of messages: what it finds in others, and what hostile ones do to it. */
#include "tests/unit/marked_lessons.h"
#include "tests/unit/test.h"

#include <unistd.h>

#include "base/str.h"
#include "language/evidence.h"
#include "language/feature.h"
#include "language/tagger.h"
#include "language/train/linear_write.h"
#include "language/train/tagger_train.h"
#include "language/words.h"

static const char lessons[] =
	"author: test\nlanguage: en\nperson: nobody\n\n"
	"airports near [Lyon|near] with [avgas|has_avgas] → near\n"
	"airports near [Graz|near] with [customs|point_of_entry] → near\n"
	"airports near [Brest|near] with [no avgas|has_avgas=false] → near\n"
	"fields near [St. Gallen|near] with [at least 800 m|min_runway=800m] → near\n"
	"fields near [Ulm|near] with [at least 2500 ft|min_runway=2500ft] → near\n"
	"fly from [Ulm|from] to [Graz|to] with [avgas|has_avgas] → route\n"
	"fly from [Lyon|from] to [Brest|to] please → route\n"
	"what is the fuel at [Graz|at] → details\n"
	"thanks for the fish → thanks\n";

/* Every capital letter begins a "town", so that there is some evidence. */
static void find_towns(void *self, const struct words *w, struct evidences *out)
{
	(void)self;
	for (size_t i = 0; i < w->n; i++)
		if (w->word[i].title)
			evidence_add(out, i, i, "town", NULL);
}

static const struct evidence_source towns[] = { { find_towns, NULL } };

struct tagger_case {
	struct arena *a;
	char *dir;
	const char *path;
	struct linear_file *file;
	struct tagger *tagger;
	struct err e;
};

enum { AUTHORS = 6 };

static void train(struct tagger_case *c)
{
	struct linear_draft draft[TAGGER_DRAFTS];
	const struct tagger_training how = { .names = "near|from|to|at", .rounds = 12 };
	c->a = arena_new();
	c->dir = test_mkdtemp();
	const struct marked m = marked_lessons(c->a, c->dir, lessons);
	struct tagger_example *x = arena_array(c->a, AUTHORS * m.n, sizeof(*x));
	for (size_t i = 0; i < AUTHORS * m.n; i++) {        /* several authors must use a word, or it is not known */
		struct marked_message *message = &m.message[i % m.n];
		message->gold.evidence = evidence_of(c->a, message->words, towns, 1);
		x[i] = (struct tagger_example){ .gold = &message->gold, .value = message->value,
			.author = (unsigned)(i / m.n) };
	}
	TEST_OK(tagger_train(draft, c->a, x, AUTHORS * m.n, &how, &c->e), c->e);
	c->path = arena_printf(c->a, "%s/reader.model", c->dir);
	TEST_OK(linear_write(c->path, draft, TAGGER_DRAFTS, &c->e), c->e);
	TEST_OK(linear_open(&c->file, c->path, &c->e), c->e);
	TEST_OK(tagger_open(&c->tagger, c->a, c->file, NULL, &c->e), c->e);
}

static void end(struct tagger_case *c)
{
	linear_close(c->file);
	test_rmdir(c->dir);
	arena_free(c->a);
}

/* The marks of a text: "near:Lyon has_avgas=false:no avgas" */
static const char *marks(struct tagger_case *c, const char *text)
{
	struct reading r = { .words = words_of(c->a, text, NULL) };
	const char *out = "";
	r.evidence = evidence_of(c->a, r.words, towns, 1);
	tagger_mark(c->tagger, c->a, &r, NULL, 0, &(float *){ NULL });
	for (size_t i = 0; i < r.nmarks; i++) {
		const struct mark *m = &r.mark[i];
		out = arena_printf(c->a, "%s%s%s%s%s%s:%s", out, i > 0 ? " " : "", m->lifted ? "-" : "", m->label,
		    m->value != NULL ? "=" : "", m->value != NULL ? m->value : "",
		    words_slice(c->a, r.words, m->first, m->last));
	}
	return out;
}

static const struct {
	const char *text, *marks;
} found[] = {
	{ "airports near Lyon with avgas", "near:Lyon has_avgas:avgas" },
	/* towns that no lesson has */
	{ "airports near Helsinki with customs", "near:Helsinki point_of_entry:customs" },
	{ "fly from Oslo to Turku", "from:Oslo to:Turku" },
	{ "fields near St. Anton with at least 600 m", "near:St. Anton min_runway:at least 600 m" },
	{ "airports near Bonn with no avgas", "near:Bonn has_avgas=false:no avgas" },
	{ "what is the fuel at Riga", "at:Riga" },
	{ "thanks for the fish", "" }, { "", "" }, { "?", "" },
};

TEST(tagger, finds_what_it_has_learned)
{
	struct tagger_case c = { 0 };
	train(&c);
	for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++)
		cr_expect_str_eq(marks(&c, found[i].text), found[i].marks, "%s: %s", found[i].text,
		    marks(&c, found[i].text));
	end(&c);
}

TEST(tagger, the_same_lessons_give_the_same_model)
{
	struct tagger_case c = { 0 }, d = { 0 };
	train(&c);
	train(&d);
	cr_expect_eq(system(arena_printf(c.a, "cmp -s '%s' '%s'", c.path, d.path)), 0);
	end(&c);
	end(&d);
}

TEST(tagger, hostile_texts)
{
	static const char *const pieces[] = { "and ", "from ", "near Lyon ", "Graz", "800 m ", "\U0001F602", "\xff", "\x01",
		"\u202e", "שלום ", "no no avgas ", "-", "\n" };
	enum { LONG = 65536 };
	struct tagger_case c = { 0 };
	train(&c);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		size_t len = strlen(pieces[i]);
		char *text = arena_alloc(c.a, LONG + 1);
		for (size_t at = 0; at + len <= LONG; at += len)
			memcpy(text + at, pieces[i], len);
		struct reading r = { .words = words_of(c.a, text, NULL) };
		r.evidence = evidence_of(c.a, r.words, towns, 1);
		tagger_mark(c.tagger, c.a, &r, NULL, 0, &(float *){ NULL });
		cr_assert_leq(r.nmarks, READING_MARKS);
		for (size_t k = 0; k < r.nmarks; k++) {
			cr_assert_leq(r.mark[k].first, r.mark[k].last);
			cr_assert_lt(r.mark[k].last, r.words->n);
			cr_assert(k == 0 || r.mark[k].first > r.mark[k - 1].last);
		}
	}
	end(&c);
}

/* Files with whole models, but not those of a tagger. */
TEST(tagger, other_models_are_refused)
{
	static const char *const one[] = { "x" }, *const tags[] = { "", "+", "near", "odd" };
	static const int32_t four[] = { 4 }, three[] = { 3 }, many[] = { 900 }, negative[] = { -1 };
	const struct linear_draft words = { .name = "tagger words", .nclasses = 1, .class_name = one };
	const struct linear_draft wrong[] = {
		{ .name = "other" },
		{ .name = "tagger" },
		{ .name = "tagger", .nclasses = 4, .class_name = tags, .nnumbers = 1, .number = four },
		{ .name = "tagger", .nclasses = 4, .class_name = tags, .nnumbers = 1, .number = three },
		{ .name = "tagger", .nclasses = 4, .class_name = tags, .nnumbers = 1, .number = many },
		{ .name = "tagger", .nclasses = 4, .class_name = tags, .nnumbers = 1, .number = negative },
	};
	struct arena *a = arena_new();
	char *dir = test_mkdtemp();
	const char *path = arena_printf(a, "%s/reader.model", dir);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct linear_draft draft[] = { wrong[i], words };
		struct linear_file *f;
		struct tagger *t;
		struct err e = { 0 };
		TEST_OK(linear_write(path, draft, 2, &e), e);
		TEST_OK(linear_open(&f, path, &e), e);
		cr_expect_eq(tagger_open(&t, a, f, NULL, &e), ERR_CONFIG, "%zu", i);
		linear_close(f);
	}
	test_rmdir(dir);
	arena_free(a);
}
