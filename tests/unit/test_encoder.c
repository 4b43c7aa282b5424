/* The encoder: what it was taught is near, damaged files are refused, and no text is too long for it. */
#include "tests/unit/test.h"

#include <math.h>
#include <pthread.h>
#include <unistd.h>

#include "base/arena.h"
#include "language/encoder.h"
#include "language/encoder_format.h"
#include "language/train/encoder_train.h"

#define SHIPPED TEST_SRCDIR "/conf/language/encoder.model"

static const struct encoder_lesson lessons[] = {
	{ "squawk seven thousand", 0, 1, false }, { "which code for the transponder", 0, 1, false },
	{ "Transpondercode", 0, 1, true }, { "how low over houses", 0, 2, false },
	{ "hauteur minimale sur la ville", 0, 2, false }, { "Mindesthöhe über Städten", 0, 2, true },
	{ "may I drink beer", 0, 3, false }, { "alcool et vol", 0, 3, false }, { "Alkohol am Steuer", 0, 3, true },
	{ "how high is the Eiffel tower", 0, 0, false }, { "beer, wine", 1, 1, false }, { "boire", 1, 1, false },
	{ "town, city", 1, 2, false }, { "ville", 1, 2, false },
};
enum { LESSONS = sizeof(lessons) / sizeof(lessons[0]) };
static const struct encoder_study study = { .steps = 200, .share = { 2, 1 }, .asks = { true }, .composed = { false, true } };

struct encoder_case {
	char *dir;
	char path[600];
	struct encoder *m;
	struct err e;
};

static void train(struct encoder_case *c)
{
	*c = (struct encoder_case){ .dir = test_mkdtemp() };
	snprintf(c->path, sizeof(c->path), "%s/encoder.model", c->dir);
	TEST_OK(encoder_train(lessons, LESSONS, &study, c->path, &c->e), c->e);
}

static double nearness(const struct encoder *m, const char *one, const char *two)
{
	float a[ENCODER_DIMS], b[ENCODER_DIMS];
	double sum = 0;
	encoder_vector(m, one, a);
	encoder_vector(m, two, b);
	for (size_t i = 0; i < ENCODER_DIMS; i++)
		sum += (double)(a[i] * b[i]);
	return sum;
}

TEST(encoder, what_was_taught_is_near)
{
	struct encoder_case c;
	train(&c);
	TEST_OK(encoder_open(&c.m, c.path, &c.e), c.e);
	cr_expect_gt(nearness(c.m, "transponder code?", "squawk"), nearness(c.m, "transponder code?", "beer"));
	cr_expect_gt(nearness(c.m, "Mindesthöhe", "how low"), nearness(c.m, "Mindesthöhe", "Alkohol"));
	cr_expect_gt(nearness(c.m, "alcool", "beer"), nearness(c.m, "alcool", "ville"));
	cr_expect_float_eq(nearness(c.m, "MINDESTHOHE uber", "Mindesthöhe, über"), 1, 1e-5, "letters are folded");
	cr_expect_float_eq(nearness(c.m, "xyzzy", "xyzzy"), 1, 1e-5, "an unknown word is near to itself");
	encoder_close(c.m);
	test_rmdir(c.dir);
}

static const struct {
	const char *text;
	bool asks;                    /* like a question about a rule */
} sounds[] = {
	{ "May I land there without asking anybody?", true }, { "do I have to carry a fire extinguisher", true },
	{ "how long before must I tell them", true }, { "Faut-il une autorisation pour survoler la ville ?", true },
	{ "Darf ich ohne Genehmigung dort landen?", true }, { "who invented the parachute", false },
	{ "which headset is best for glasses", false }, { "tell me a joke about pilots", false },
	{ "Qui a construit le premier hydravion ?", false }, { "Was verdient ein Fluglehrer im Monat", false },
};

TEST(encoder, a_question_about_rules_sounds_like_one)
{
	struct err e;
	struct encoder *m;
	TEST_OK(encoder_open(&m, SHIPPED, &e), e);
	for (size_t i = 0; i < sizeof(sounds) / sizeof(sounds[0]); i++)
		cr_expect_eq(encoder_asks_rule(m, sounds[i].text) > 0, sounds[i].asks, "%s: %g", sounds[i].text,
		    (double)encoder_asks_rule(m, sounds[i].text));
	cr_expect(isfinite(encoder_asks_rule(m, "")) && isfinite(encoder_asks_rule(m, "?!\xff")));
	encoder_close(m);
}

/* A question of one word sounds the same word by word, and the words of a longer one nearly so: their pairs are left out. */
TEST(encoder, each_word_has_its_sound)
{
	struct arena *a = arena_new();
	struct encoder *m;
	struct err e = { 0 };

	TEST_OK(encoder_open(&m, SHIPPED, &e), e);
	const struct evidence_source source = encoder_evidence(m);
	const struct evidence_sound *one = evidence_of(a, words_of(a, "transponder?", NULL), &source, 1)->sound;
	const float always = encoder_asks_rule(m, "");
	cr_expect_float_eq(always + one[0].sum / sqrtf(one[0].size), encoder_asks_rule(m, "transponder"), 1e-4F);
	cr_expect(one[1].sum <= 0 && one[1].sum >= 0 && one[1].size <= 0, "a sign has none");
	for (size_t i = 0; i < sizeof(sounds) / sizeof(sounds[0]); i++) {
		const struct words *w = words_of(a, sounds[i].text, NULL);
		const struct evidences *all = evidence_of(a, w, &source, 1);
		cr_assert_not_null(all->sound);
		for (size_t k = 0; k < w->n; k++)
			cr_expect(isfinite(all->sound[k].sum) && all->sound[k].size >= 0);
	}
	cr_expect_null(evidence_of(a, words_of(a, "transponder", NULL), NULL, 0)->sound);
	encoder_close(m);
	arena_free(a);
}

/* The cosine of two words. */
static double alike(const struct encoder *m, const char *one, const char *two)
{
	static struct encoder_word a[ENCODER_WORDS], b[ENCODER_WORDS];
	int sum = 0;
	cr_assert_eq(encoder_words(m, one, a), 1, "%s", one);
	cr_assert_eq(encoder_words(m, two, b), 1, "%s", two);
	for (size_t d = 0; d < ENCODER_DIMS; d++)
		sum += a[0].direction[d] * b[0].direction[d];
	return sum / (127.0 * 127);
}

static const struct { const char *word, *near, *far; } meanings[] = {
	{ "aircraft", "Flugzeug", "Regen" }, { "pluie", "rain", "plane" }, { "runway", "piste", "beer" },
	{ "beer", "Bier", "Landebahn" }, { "physician", "doctor", "engine" },
};

TEST(encoder, words_of_similar_meaning_point_the_same_way)
{
	static struct encoder_word word[ENCODER_WORDS];
	struct encoder *m;
	struct err e = { 0 };

	TEST_OK(encoder_open(&m, SHIPPED, &e), e);
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
		cr_expect_gt(alike(m, meanings[i].word, meanings[i].near), alike(m, meanings[i].word, meanings[i].far) + 0.15,
		    "%s: %g, %g", meanings[i].word, alike(m, meanings[i].word, meanings[i].near),
		    alike(m, meanings[i].word, meanings[i].far));
	cr_expect_eq(encoder_words(m, "", word) + encoder_words(m, " ?! ", word), 0);
	cr_expect_eq(encoder_words(m, "The OXYGEN, the oxygène, the bottle", word), 4, "each word once");
	cr_expect_gt(word[1].weight, word[0].weight, "a frequent word tells less");
	cr_expect_float_eq(alike(m, "Qzxwv", "qzxwv"), 1, 0.02, "an unknown word is like itself");
	encoder_close(m);
}

static const struct { const char *text; double least, most; } languages[] = {
	{ "A flight plan must be filed sixty minutes before departure when the flight crosses the border.", 0.8, 1 },
	{ "Le commandant de bord dépose un plan de vol soixante minutes avant le départ.", 0.8, 1 },
	{ "Der Luftfahrzeugführer hat sechzig Minuten vor dem Abflug einen Flugplan aufzugeben.", 0.55, 1 },
	{ "El piloto al mando debe presentar un plan de vuelo sesenta minutos antes de la salida.", 0, 0.45 },
	{ "Il pilota in comando deve presentare il piano di volo sessanta minuti prima della partenza.", 0, 0.45 },
	{ "De gezagvoerder moet zestig minuten voor vertrek een vliegplan indienen.", 0, 0.45 },
};

/* Words of the word vectors that no lesson had do not count: they are of many languages. */
TEST(encoder, a_language_that_was_not_taught_is_not_known)
{
	struct encoder *m;
	struct err e = { 0 };

	TEST_OK(encoder_open(&m, SHIPPED, &e), e);
	for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++) {
		size_t words = 0, known = 0;
		encoder_count(m, languages[i].text, &words, &known);
		double share = (double)known / (double)words;
		cr_expect(share >= languages[i].least && share <= languages[i].most, "%s: %g", languages[i].text, share);
	}
	encoder_close(m);
}

TEST(encoder, words_have_clusters)
{
	struct arena *a = arena_new();
	struct encoder *m;
	struct err e = { 0 };

	TEST_OK(encoder_open(&m, SHIPPED, &e), e);
	const struct evidence_source source = encoder_evidence(m);
	const struct words *w = words_of(a, "rain pluie Qzxwv ?", NULL);
	const struct evidence_clusters *c = evidence_of(a, w, &source, 1)->clusters;
	cr_assert_eq(w->n, 4);
	for (size_t k = 0; k < EVIDENCE_CLUSTERS; k++) {
		cr_expect(c[0].at[k] > 0 && c[1].at[k] > 0);
		cr_expect_eq(c[2].at[k] + c[3].at[k], 0, "a word that is not known has none");
	}
	cr_expect_eq(c[0].at[0], c[1].at[0]);
	cr_expect_null(evidence_of(a, w, NULL, 0)->clusters);
	encoder_close(m);
	arena_free(a);
}

/* A word that no lesson has is near to what its sense is near to; one that is like another has its row. */
TEST(encoder, senses_reach_words_without_a_lesson)
{
	enum { SENSES = 5 };
	static struct encoder_sense sense[SENSES] = {
		{ .word = "transponder" }, { .word = "beer" }, { .word = "ale" }, { .word = "xpdr" },
		{ .word = "bieres", .like = "ale" },
	};
	struct encoder_case c = { .dir = test_mkdtemp() };
	struct encoder_study with = study;

	sense[0].vector[0] = sense[3].vector[0] = 1;
	sense[1].vector[1] = sense[2].vector[1] = sense[4].vector[1] = 1;
	with.sense = sense;
	with.nsenses = SENSES;
	snprintf(c.path, sizeof(c.path), "%s/encoder.model", c.dir);
	TEST_OK(encoder_train(lessons, LESSONS, &with, c.path, &c.e), c.e);
	TEST_OK(encoder_open(&c.m, c.path, &c.e), c.e);
	cr_expect_gt(nearness(c.m, "ale", "may I drink beer"), nearness(c.m, "ale", "squawk seven thousand"));
	cr_expect_gt(nearness(c.m, "xpdr", "squawk seven thousand"), nearness(c.m, "xpdr", "may I drink beer"));
	cr_expect_gt(nearness(c.m, "bieres", "ale"), 0.5);
	encoder_close(c.m);
	test_rmdir(c.dir);
}

/* Without questions that no rule answers there is nothing to learn, and nothing is said. */
TEST(encoder, one_kind_of_question_alone_teaches_no_sound)
{
	struct encoder_case c = { .dir = test_mkdtemp() };
	snprintf(c.path, sizeof(c.path), "%s/encoder.model", c.dir);
	TEST_OK(encoder_train(lessons, 9, &study, c.path, &c.e), c.e);
	TEST_OK(encoder_open(&c.m, c.path, &c.e), c.e);
	cr_expect_eq(encoder_asks_rule(c.m, "which code for the transponder"), 0);
	encoder_close(c.m);
	test_rmdir(c.dir);
}

TEST(encoder, lessons_without_two_groups_are_refused)
{
	struct err e = { 0 };
	cr_expect_eq(encoder_train(lessons, 3, &study, "/nowhere/x", &e), ERR_DATA);
	cr_expect_eq(encoder_train(lessons, 0, &study, "/nowhere/x", &e), ERR_DATA);
	cr_expect_eq(encoder_train(lessons, LESSONS, &study, "/nowhere/x", &e), ERR_IO);
}

static char *slurp(struct arena *a, const char *path, size_t *n)
{
	FILE *f = fopen(path, "r");
	char *p = arena_alloc(a, ENCODER_FILE_BYTES);
	cr_assert_not_null(f);
	*n = fread(p, 1, ENCODER_FILE_BYTES, f);
	fclose(f);
	return p;
}

static void put(const char *path, const char *p, size_t n)
{
	FILE *f = fopen(path, "w");
	cr_assert_not_null(f);
	cr_assert_eq(fwrite(p, 1, n, f), n);
	fclose(f);
}

TEST(encoder, the_same_lessons_give_the_same_bytes)
{
	struct arena *a = arena_new();
	struct encoder_case c, d;
	size_t n, m;
	train(&c);
	train(&d);
	const char *p = slurp(a, c.path, &n), *q = slurp(a, d.path, &m);
	cr_expect(n == m && memcmp(p, q, n) == 0);
	test_rmdir(c.dir);
	test_rmdir(d.dir);
	arena_free(a);
}

static void expect_refused(struct encoder_case *c, const char *why)
{
	c->e.msg[0] = '\0';
	cr_expect_eq(encoder_open(&c->m, c->path, &c->e), ERR_CONFIG, "%s", why);
	cr_expect_null(c->m);
	cr_expect(strstr(c->e.msg, c->path) != NULL && strstr(c->e.msg, why) != NULL, "%s: %s", why, c->e.msg);
}

TEST(encoder, damaged_files_are_refused)
{
	struct arena *a = arena_new();
	struct encoder_case c;
	size_t n;
	train(&c);
	char *p = slurp(a, c.path, &n);
	struct encoder_head *head = (void *)p;

	for (size_t at = sizeof(*head); at < n; at += n / 40) {
		p[at] = (char)(p[at] ^ 4);
		put(c.path, p, n);
		expect_refused(&c, "damaged");
		p[at] = (char)(p[at] ^ 4);
	}
	for (size_t len = n - 8; len >= sizeof(*head); len /= 3) {
		put(c.path, p, len);
		expect_refused(&c, "cut");
	}
	put(c.path, p, 3);
	expect_refused(&c, "no encoder");
	head->version++;
	put(c.path, p, n);
	expect_refused(&c, "another version");
	head->version--;
	head->dims = ENCODER_DIMS - 1;
	put(c.path, p, n);
	expect_refused(&c, "damaged");
	p[0] = 'x';
	put(c.path, p, n);
	expect_refused(&c, "no encoder");
	cr_assert_eq(truncate(c.path, ENCODER_FILE_BYTES + 8), 0);
	expect_refused(&c, "no encoder");
	cr_assert_eq(unlink(c.path), 0);
	expect_refused(&c, "No such file");
	test_rmdir(c.dir);
	arena_free(a);
}

static const struct {
	const char *text;
	bool word;
} texts[] = {
	{ "", false }, { " \n\t", false }, { "?!…", false }, { "a", true }, { "7", true }, { "Ωμέγα", true },
	{ "\xff\xfe\x80", true }, { "\xc3", true }, { "can I fly\x01?", true },
};

TEST(encoder, any_text_has_a_vector_of_length_one_or_none)
{
	float v[ENCODER_DIMS];
	struct err e;
	struct encoder *m;
	TEST_OK(encoder_open(&m, SHIPPED, &e), e);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		double length = 0;
		cr_expect_eq(encoder_vector(m, texts[i].text, v), texts[i].word, "%zu", i);
		for (size_t d = 0; d < ENCODER_DIMS; d++)
			length += (double)(v[d] * v[d]);
		cr_expect_float_eq(length, texts[i].word ? 1 : 0, 1e-4, "%zu: %g", i, length);
	}
	encoder_close(m);
}

/* Of a question of 64 KiB the beginning and the end count. */
TEST(encoder, long_texts_are_bounded)
{
	enum { LONG = 64 * 1024 };
	struct arena *a = arena_new();
	float v[ENCODER_DIMS];
	struct err e;
	struct encoder *m;
	TEST_OK(encoder_open(&m, SHIPPED, &e), e);
	char *one = arena_alloc(a, LONG + 1), *many = arena_alloc(a, LONG + 1), *umlauts = arena_alloc(a, LONG + 1);
	memset(one, 'w', LONG);
	for (size_t i = 0; i < LONG; i++) {
		many[i] = i % 3 == 2 ? ' ' : (char)('a' + i % 26);
		umlauts[i] = i % 2 == 0 ? '\xc3' : '\xbc';
	}
	cr_expect(encoder_vector(m, one, v) && encoder_vector(m, many, v) && encoder_vector(m, umlauts, v));
	cr_expect(isfinite(encoder_asks_rule(m, one)) && isfinite(encoder_asks_rule(m, many)) &&
	    isfinite(encoder_asks_rule(m, umlauts)));
	memset(many, ' ', LONG);
	memcpy(many, "oxygen", 6);
	memcpy(many + LONG - 6, "bottle", 6);
	cr_expect_gt(nearness(m, many, "oxygen"), 0.5);
	cr_expect_gt(nearness(m, many, "bottle"), 0.3);
	encoder_close(m);
	arena_free(a);
}

struct encoder_thread {
	const struct encoder *m;
	float vector[ENCODER_DIMS];
};

static void *encode(void *arg)
{
	struct encoder_thread *t = arg;
	for (int i = 0; i < 200; i++)
		encoder_vector(t->m, "Brauche ich einen Flugplan über die Grenze?", t->vector);
	return NULL;
}

TEST(encoder, threads_get_the_same_vector)
{
	struct encoder_thread t[4] = { 0 };
	pthread_t thread[4];
	struct err e;
	struct encoder *m;
	TEST_OK(encoder_open(&m, SHIPPED, &e), e);
	for (size_t i = 0; i < 4; i++) {
		t[i].m = m;
		cr_assert_eq(pthread_create(&thread[i], NULL, encode, &t[i]), 0);
	}
	for (size_t i = 0; i < 4; i++) {
		pthread_join(thread[i], NULL);
		cr_expect_eq(memcmp(t[i].vector, t[0].vector, sizeof(t[0].vector)), 0);
	}
	encoder_close(m);
}

static const struct {
	const char *text, *near, *far;
} shipped[] = {
	{ "Do I need a flight plan to cross the border?", "plan de vol obligatoire pour passer la frontière",
		"oxygène en altitude" },
	{ "Wie tief darf ich über der Stadt fliegen?", "least height over towns", "closing a flight plan" },
	{ "squawk", "Transpondercode", "landing fee" },
	{ "gilet de sauvetage", "life vest", "seat belt" },
};

TEST(encoder, the_shipped_file_knows_three_languages)
{
	struct err e;
	struct encoder *m;
	TEST_OK(encoder_open(&m, SHIPPED, &e), e);
	for (size_t i = 0; i < sizeof(shipped) / sizeof(shipped[0]); i++)
		cr_expect_gt(nearness(m, shipped[i].text, shipped[i].near),
		    nearness(m, shipped[i].text, shipped[i].far) + 0.2, "%s", shipped[i].text);
	encoder_close(m);
}
