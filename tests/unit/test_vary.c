/* Variants of marked messages: they mean the same, and are always the same. */
#include "tests/unit/test.h"

#include "base/str.h"
#include "language/words.h"
#include "tests/language/vary.h"

static const char one[] =
	"author: one\nlanguage: en\nperson: nobody\n\n"
	"Airports near [Lyon|near] with [avgas|has_avgas], please? → near\n"
	"Fields around [Graz|near] with [at least 800 m|min_runway=800m] → near\n"
	"What does [Österreich|country=AT] say about [flight plans|topic]? → answer\n";
static const char two[] =
	"author: two\nlanguage: en\nperson: nobody\n\n"
	"From [Brest|from] to [Ulm|to], [100LL|has_avgas] → route\n"
	"[2000ft|min_runway=2000ft] at [Zürich|near]! → near\n"
	"[Polish|country=PL] rules for [life jackets|topic] → browse\n";

struct vary_case {
	struct arena *a;
	char *dir;
	struct marked marked;
	const struct marked_message **message;
	struct err e;
};

static void read_author(struct vary_case *c, const char *name, const char *text)
{
	const char *path = arena_printf(c->a, "%s/%s", c->dir, name);
	FILE *f = fopen(path, "w");
	cr_assert(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
	TEST_OK(marked_read(&c->marked, c->a, path, &c->e), c->e);
}

static void begin(struct vary_case *c)
{
	*c = (struct vary_case){ .a = arena_new(), .dir = test_mkdtemp() };
	read_author(c, "one.txt", one);
	read_author(c, "two.txt", two);
	c->message = arena_array(c->a, c->marked.n, sizeof(*c->message));
	for (size_t i = 0; i < c->marked.n; i++)
		c->message[i] = &c->marked.message[i];
}

static void end(struct vary_case *c)
{
	test_rmdir(c->dir);
	arena_free(c->a);
}

/* "airports near [brest|near] …": small letters, and only what is marked */
static const char *marks_of(struct vary_case *c, const struct marked_message *m)
{
	const char *out = "";
	for (size_t i = 0; i < m->gold.nmarks; i++) {
		const struct mark *k = &m->gold.mark[i];
		out = arena_printf(c->a, "%s[%s|%s%s%s]", out, words_slice(c->a, m->words, k->first, k->last), k->label,
		    m->value[i] != NULL ? "=" : "", m->value[i] != NULL ? m->value[i] : "");
	}
	return out;
}

/* After two slips of the finger: letters may have changed places, be missing, or come twice. */
static bool same_letters(const char *x, const char *y)
{
	const size_t n = strlen(x), m = strlen(y);
	return strspn(y, x) == m && n <= m + 2 && m <= n + 2;
}

static bool is_of(const char *label, const char *mark)
{
	return strncmp(strchr(mark, '|') + 1, label, strlen(label)) == 0;
}

TEST(vary, marks_get_words_of_other_authors_with_their_values)
{
	static const char *const allowed[] = {
		"[Lyon|near]", "[Graz|near]", "[Brest|from]", "[Ulm|to]", "[Brest|near]", "[Ulm|near]", "[Zürich|near]",
		"[Lyon|from]", "[Graz|from]", "[Lyon|to]", "[Graz|to]", "[Zurich|near]", "[Zuerich|near]",
		"[avgas|has_avgas]", "[100LL|has_avgas]", "[at least 800 m|min_runway=800m]", "[2000ft|min_runway=2000ft]",
		"[Österreich|country=AT]", "[Oesterreich|country=AT]", "[Osterreich|country=AT]", "[Polish|country=PL]",
		"[flight plans|topic]", "[life jackets|topic]",
	};
	struct vary_case c;
	begin(&c);
	struct vary *v = vary_new(c.a, c.message, c.marked.n);
	size_t exchanged = 0, typed = 0, invented = 0;
	for (size_t round = 0; round < 50; round++) {
		for (size_t i = 0; i < c.marked.n; i++) {
			struct marked_message m;
			cr_assert(vary_message(v, c.message[i], &m), "%s", c.message[i]->text);
			cr_expect_eq(m.gold.nmarks, c.message[i]->gold.nmarks);
			char *marks = arena_strdup(c.a, marks_of(&c, &m)), *mark = marks;
			exchanged += strcasecmp(marks, marks_of(&c, c.message[i])) != 0;
			typed += strcasecmp(m.text, c.message[i]->text) != 0;
			for (char *stop; (stop = strchr(mark, ']')) != NULL; mark = stop + 1) {
				bool found = false;
				for (size_t k = 0; k < sizeof(allowed) / sizeof(allowed[0]); k++)
					found = found || same_letters(words_of(c.a, allowed[k], NULL)->word[1].fold, words_of(c.a, mark, NULL)->word[1].fold);
				const bool place = is_of("near", mark) || is_of("from", mark) || is_of("to", mark);
				invented += !found;
				cr_expect(found || place, "%.*s in \"%s\"", (int)(stop + 1 - mark), mark, m.text);
			}
		}
	}
	cr_expect_gt(invented, 10u);
	cr_expect_lt(invented, exchanged / 2);
	cr_expect_gt(exchanged, 100u);
	cr_expect_gt(typed, 200u);
	end(&c);
}

TEST(vary, the_same_messages_give_the_same_variants)
{
	struct vary_case c;
	begin(&c);
	struct vary *v = vary_new(c.a, c.message, c.marked.n), *w = vary_new(c.a, c.message, c.marked.n);
	for (size_t i = 0; i < c.marked.n; i++) {
		struct marked_message x, y;
		cr_expect_eq(vary_message(v, c.message[i], &x), vary_message(w, c.message[i], &y));
		cr_expect_str_eq(x.text, y.text);
	}
	end(&c);
}
