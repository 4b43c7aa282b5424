/*
 * Loading rules: the three shapes, their fallbacks, what is left out, files of strangers.
 */
#include "tests/unit/test.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/str.h"
#include "tests/unit/rules_fix.h"

static struct rulebase *load(const char *text)
{
	struct rulebase *b = NULL;
	struct err e;
	log_level_set("OFF");
	TEST_OK(rules_fix_load(&b, text, &e), e);
	return b;
}

/* "q-plan:FR,GB q-air:BE,FR,GB" */
static const char *shape(const struct rulebase *b)
{
	static char out[512];
	char *to = out, *end = out + sizeof(out);
	*out = '\0';
	for (size_t i = 0; i < b->nquestions; i++) {
		const struct rule_question *q = &b->questions[i];
		cr_assert_eq(q->index, i);
		to += snprintf(to, (size_t)(end - to), "%s%s:", i > 0 ? " " : "", q->id);
		for (size_t k = 0; k < q->nentries; k++) {
			cr_assert_eq(q->entries[k].question, q);
			to += snprintf(to, (size_t)(end - to), "%s%s", k > 0 ? "," : "",
			    q->entries[k].country);
		}
	}
	return out;
}

static const char *list(struct arena *a, const char *const *s, size_t n)
{
	const char *out = "";
	for (size_t i = 0; i < n; i++)
		out = arena_printf(a, "%s%s%s", out, i > 0 ? " " : "", s[i]);
	return out;
}

TEST(rulebase, small)
{
	struct arena *a = arena_new();
	struct rulebase *b = load(rules_fix_small);
	cr_assert_str_eq(shape(b), "q-plan:FR,GB q-air:BE,FR,GB q-none:");
	cr_assert_eq(b->facts.questions, 4);
	cr_assert_eq(b->facts.answers, 9);
	cr_assert_eq(b->facts.blank, 2);
	cr_assert_eq(b->facts.ignored, 1);
	cr_assert_eq(b->facts.faults, 0);
	cr_assert_eq(b->nanswers, 5);
	cr_assert_str_eq(list(a, b->categories, b->ncategories), "Airspace VFR");
	cr_assert_str_eq(list(a, b->tags, b->ntags), "air_space flight_plan vfr");
	cr_assert_str_eq(rulebase_codes(b, a), "BE, FR, GB");

	/* by lower-case question text, whatever the file's order */
	const struct rule_country *fr = rulebase_country(b, "fr");
	cr_assert_eq(fr->nentries, 2);
	cr_assert_str_eq(fr->entries[0]->question->id, "q-air");
	cr_assert_str_eq(fr->entries[1]->question->id, "q-plan");
	cr_assert_null(rulebase_country(b, "DE"), "blank answers only");
	cr_assert_null(rulebase_country(b, "NL"), "ignored answers only");
	cr_assert_null(rulebase_country(b, ""));

	const struct rule_question *plan = rulebase_question(b, "q-plan");
	cr_assert_eq(plan, &b->questions[0]);
	cr_assert_null(rulebase_question(b, "q-hid"));
	cr_assert_str_eq(list(a, plan->tags, plan->ntags), "flight_plan vfr");
	cr_assert(rule_has_tag(plan, "vfr") && !rule_has_tag(plan, "air_space"));
	const struct rule_entry *x = rule_answer(plan, "Fr");
	cr_assert_str_eq(x->html, "Always.<br>Not for <b>local</b> flights.");
	cr_assert_str_eq(x->text, "Always.\nNot for local flights.");
	cr_assert_str_eq(x->last_reviewed, "2025-11-11");
	cr_assert_str_eq(x->confidence, "0.5");
	cr_assert_eq(x->nlinks, 3);
	cr_assert_null(rule_answer(plan, "DE"));
	x = rule_answer(plan, "GB");
	cr_assert_eq(x->html, x->text, "the same text is kept once");
	cr_assert_null(x->confidence);
	cr_assert_eq(plan->text, plan->raw);
	cr_assert_str_eq(rule_title(&b->questions[2]), "q-none");
	rulebase_free(b);
	arena_free(a);
}

#define ANSWER "'answers_by_country': {'FR': {'answer_html': 'yes'}}"
#define FLAT(id, cc, rest) "{'country_code': '" cc "', 'question_id': '" id "', " \
	"'question_text': 'text of " id "', 'answer': 'answer of " cc "'" rest "}"

static const struct {
	const char *text, *shape;
	size_t faults;
} files[] = {
	/* the three shapes */
	{ "{'questions': [{'question_id': 'a', " ANSWER "}]}", "a:FR", 0 },
	{ "[{'question_id': 'a', " ANSWER "}, {'id': 'b', " ANSWER "}]", "a:FR b:FR", 0 },
	{ "[" FLAT("a", "FR", "") "," FLAT("b", "GB", "") "," FLAT("a", "gb", "") "]",
	  "a:FR,GB b:GB", 0 },
	{ "[" FLAT("a", "FR", "") ", {'id': 'b', " ANSWER "}]", "a:FR b:FR", 0 },
	/* ids */
	{ "[{'question_id': '', 'id': 'b', " ANSWER "}]", "b:FR", 0 },
	{ "[{'question_id': null, 'id': 'b', " ANSWER "}]", "b:FR", 0 },
	{ "[{" ANSWER "}, {'id': ' ', " ANSWER "}, {'id': 'b', " ANSWER "}]", "b:FR", 2 },
	{ "[{'question_id': 7, 'id': 'b', " ANSWER "}]", "b:FR", 1 },
	/* a later one replaces all of an earlier one, in its place */
	{ "[{'id': 'a', 'answers_by_country': {'DE': {'answer_html': 'old'}}}, {'id': 'b', " ANSWER
	  "}, {'id': 'a', " ANSWER "}]", "a:FR b:FR", 1 },
	{ "[" FLAT("a", "FR", "") "," FLAT("a", "FR", "") "]", "a:FR", 1 },
	{ "[{'id': 'a', 'answers_by_country': {'FR': {'answer_html': 'old'}, "
	  "'fr': {'answer_html': 'yes'}}}]", "a:FR", 1 },
	/* countries */
	{ "[{'id': 'a', 'answers_by_country': {'': {'answer_html': 'x'}, 'F': {'answer_html': 'x'}, "
	  "'FRAN': {'answer_html': 'x'}, 'F-': {'answer_html': 'x'}, '\xc3\xa9': {'answer_html': 'x'}, "
	  "'eu1': {'answer_html': 'x'}, 'zz': {'answer_html': 'x'}}}]", "a:EU1,ZZ", 5 },
	/* blank ones: without text, whatever the markup */
	{ "[{'id': 'a', 'answers_by_country': {'FR': {'answer_html': 'x'}, 'GB': {}, "
	  "'DE': {'answer_html': null}, 'BE': {'answer_html': '<br> &nbsp;<p></p>'}, "
	  "'NL': {'answer_html': '<script>x</script>'}}}]", "a:FR", 0 },
	{ "[{'id': 'a', 'category': ' IGNORE ', " ANSWER "}, {'id': 'b', " ANSWER "}]", "b:FR", 0 },
	/* wrong types, each alone */
	{ "[1, null, 'x', [], {'id': 'b', " ANSWER "}]", "b:FR", 4 },
	{ "[{'id': 'b', 'question_text': 1, 'question': {}, 'question_raw': [], "
	  "'question_prefix': true, 'category': 0.5, 'tags': 'x', " ANSWER "}]", "b:FR", 6 },
	{ "[{'id': 'b', 'tags': [1, null, '', 'x', ['y']], " ANSWER "}]", "b:FR", 4 },
	{ "[{'id': 'a', 'answers_by_country': ['FR']}, {'id': 'b', " ANSWER "}]", "a: b:FR", 1 },
	{ "[{'id': 'b', 'answers_by_country': {'FR': {'answer_html': 'x'}, 'GB': 'yes', 'DE': null, "
	  "'BE': {'answer_html': ['x']}}}]", "b:FR", 3 },
	{ "[{'id': 'b', 'answers_by_country': {'FR': {'answer_html': 'x', 'links': 1, "
	  "'links_json': {}, 'last_reviewed': 20251111, 'confidence': {}}}}]", "b:FR", 4 },
	{ "[{'id': 'b', 'country_code': 33, 'answer': 'x'}, {'id': 'b', " ANSWER "}]", "b:FR", 3 },
	{ "{'questions': [{'id': 'b', " ANSWER "}], 'more': {'of': ['anything']}}", "b:FR", 0 },
	{ "[{'id': 'b', 'answers_by_country': {'FR': {'answer_html': 'a\\u0000b\\u0007c'}}}]",
	  "b:FR", 0 },
};

TEST(rulebase, files)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct rulebase *b = load(files[i].text);
		cr_assert_str_eq(shape(b), files[i].shape, "row %zu: %s", i, shape(b));
		cr_assert_eq(b->facts.faults, files[i].faults, "row %zu: %zu faults", i,
		    b->facts.faults);
		rulebase_free(b);
	}
}

static const struct {
	const char *text;
	enum errcode rc;
	const char *says;
} refused[] = {
	{ "", ERR_DATA, "not JSON" }, { "{", ERR_DATA, ":1: not JSON" },
	{ "[{'id': 'a',\n'x' 1}]", ERR_DATA, ":2: not JSON" },
	{ "'questions'", ERR_DATA, "neither a list of questions" },
	{ "7", ERR_DATA, "neither a list" }, { "null", ERR_DATA, "neither a list" },
	{ "{}", ERR_DATA, "neither a list" },
	{ "{'questions': {}}", ERR_DATA, "neither a list" },
	{ "{'a': [{'id': 'a', " ANSWER "}]}", ERR_DATA, "neither a list" },
	{ "[]", ERR_DATA, "no rule in it" },
	{ "{'questions': [{'id': 'a'}, 1]}", ERR_DATA, "1 questions, 0 answers" },
	{ "[{'id': 'a', 'category': 'ignore', " ANSWER "}]", ERR_DATA, "no rule in it" },
	{ "[{'id': 'a', 'answers_by_country': {'FR': {'answer_html': '\xff'}}}]", ERR_DATA, "UTF-8" },
	{ "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]", ERR_DATA, "nested" },
};

TEST(rulebase, refused)
{
	log_level_set("OFF");
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct rulebase *b = (struct rulebase *)&b;
		struct err e;
		cr_assert_eq(rules_fix_load(&b, refused[i].text, &e), refused[i].rc, "row %zu", i);
		cr_assert_eq(e.code, refused[i].rc);
		cr_assert_null(b);
		cr_assert_not_null(strstr(e.msg, "rules.json"), "%s", e.msg);
		cr_assert_not_null(strstr(e.msg, refused[i].says), "row %zu: %s", i, e.msg);
		cr_assert_eq(rules_fix_load(&b, refused[i].text, NULL), refused[i].rc, "row %zu", i);
	}
}

/* What is listed to a pilot, and to a model, has an end. */
TEST(rulebase, made_up_countries)
{
	struct arena *a = arena_new();
	const char *answers = "";
	for (int i = 0; i < 400; i++)
		answers = arena_printf(a, "%s%s'%c%c%c': {'answer_html': 'x'}", answers, i > 0 ? ", " : "",
		    'A' + i / 26 / 26, 'A' + i / 26 % 26, 'A' + i % 26);
	struct rulebase *b = load(arena_printf(a, "[{'id': 'a', 'answers_by_country': {%s}}]", answers));
	const char *codes = rulebase_codes(b, a);
	cr_expect_eq(b->ncountries, 400);
	cr_expect(strncmp(codes, "AAA, AAB, ", 10) == 0);
	cr_expect_not_null(strstr(codes, "ALN and 100 more"), "%s", codes);
	rulebase_free(b);
	arena_free(a);
}

/* A short file can be a tree of gigabytes; it is refused before it is one. */
TEST(rulebase, too_many_values)
{
	static const char *const unit[] = { "{},", "[],", "0," };
	for (size_t i = 0; i < sizeof(unit) / sizeof(unit[0]); i++) {
		struct rulebase *b;
		struct err e;
		struct buf text;
		buf_init(&text, 8 << 20);
		buf_putc(&text, '[');
		while (text.n < 4000000)
			buf_puts(&text, unit[i]);
		buf_puts(&text, "{'id': 'a', " ANSWER "}]");
		cr_expect_eq(rules_fix_load(&b, text.p, &e), ERR_DATA, "%s", unit[i]);
		cr_expect_not_null(strstr(e.msg, "Too many values"), "%s", e.msg);
		buf_release(&text);
	}
}

/* What is no file is not waited for. */
TEST(rulebase, no_files, .timeout = 10)
{
	char *dir = test_mkdtemp(), path[600];
	struct rulebase *b;
	struct err e;
	snprintf(path, sizeof(path), "%s/pipe", dir);
	cr_assert_eq(mkfifo(path, 0600), 0);
	cr_assert_eq(rulebase_load(&b, path, &e), ERR_IO);
	cr_assert_eq(rulebase_load(&b, dir, &e), ERR_IO);
	cr_assert_eq(rulebase_load(&b, "/dev/zero", &e), ERR_IO);
	cr_assert_eq(rulebase_load(&b, "/nowhere/rules.json", &e), ERR_IO);
	cr_assert_not_null(strstr(e.msg, "/nowhere/rules.json"));
	test_rmdir(dir);
}

static const struct {
	const char *answer;           /* members of it */
	const char *links;            /* joined by a blank */
	size_t faults;
} links[] = {
	{ "'links': ['https://a.example', 'http://b.example']", "https://a.example http://b.example", 0 },
	{ "'links': ['https://a.example'], 'links_json': ['https://b.example']", "https://a.example", 0 },
	{ "'links': [], 'links_json': ['https://b.example']", "https://b.example", 0 },
	{ "'links': 'https://a.example', 'links_json': ['https://b.example']", "https://b.example", 0 },
	{ "'links': 'https://a.example', 'links_json': 'https://b.example'", "https://b.example", 0 },
	{ "'links': 'https://a.example', 'links_json': ''", "https://a.example", 0 },
	{ "'links': 'https://a.example', 'links_json': []", "https://a.example", 0 },
	{ "'links': '', 'links_json': null", "", 0 },
	{ "'links': 5, 'links_json': 'https://b.example'", "https://b.example", 0 },
	{ "'links': 5", "", 1 },
	{ "'links': ['javascript:alert(1)', 7, ' mailto:a@b.example ', 'x\\u0000y']",
	  "mailto:a@b.example", 3 },
	{ "'links': 'see the AIP'", "", 1 },
	{ "'x': 1", "", 0 },
};

TEST(rulebase, links)
{
	struct arena *a = arena_new();
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		struct rulebase *b = load(arena_printf(a, "[{'id': 'a', 'answers_by_country': "
		    "{'FR': {'answer_html': 'x', %s}}}]", links[i].answer));
		const struct rule_entry *x = &b->questions[0].entries[0];
		cr_assert_str_eq(list(a, x->links, x->nlinks), links[i].links, "row %zu", i);
		cr_assert_eq(b->facts.faults, links[i].faults, "row %zu", i);
		rulebase_free(b);
	}
	arena_free(a);
}

static const struct {
	const char *answer, *last_reviewed, *confidence;
} details[] = {
	{ "'last_reviewed': '2025-11-11', 'confidence': 'high'", "2025-11-11", "\"high\"" },
	{ "'last_reviewed': '2025-11-11T10:15:00+01:00', 'confidence': 1", "2025-11-11T10:15:00+01:00",
	  "1" },
	{ "'last_reviewed': '', 'confidence': null", NULL, NULL },
	{ "'last_reviewed': null, 'confidence': true", NULL, "true" },
	{ "'last_reviewed': 'yesterday', 'confidence': []", NULL, NULL },
	{ "'last_reviewed': '<img src=x onerror=alert(1)>'", NULL, NULL },
	{ "'last_reviewed': '2025<b>'", NULL, NULL },
};

TEST(rulebase, dates_and_confidence)
{
	struct arena *a = arena_new();
	for (size_t i = 0; i < sizeof(details) / sizeof(details[0]); i++) {
		struct rulebase *b = load(arena_printf(a, "[{'id': 'a', 'answers_by_country': "
		    "{'FR': {'answer_html': 'x', %s}}}]", details[i].answer));
		const struct rule_entry *x = &b->questions[0].entries[0];
		cr_assert(streq(x->last_reviewed, details[i].last_reviewed), "row %zu", i);
		cr_assert(streq(x->confidence, details[i].confidence), "row %zu", i);
		rulebase_free(b);
	}
	arena_free(a);
}

TEST(rulebase, fallbacks)
{
	struct rulebase *b = load("[{'id': 'a', 'question': 'Asked?', " ANSWER "},"
	    FLAT("b", "FR", ", 'tags': ['X y', 'x Y']") ","
	    FLAT("b", "GB", ", 'category': 'Late', 'tags': ['other'], 'links': ['http://a.example']") "]");
	const struct rule_question *q = &b->questions[0];
	cr_assert_str_eq(q->text, "Asked?");
	cr_assert_str_eq(q->raw, "");
	cr_assert_str_eq(q->prefix, "");
	cr_assert_str_eq(q->category, "General");
	cr_assert_eq(q->ntags, 0);
	q = &b->questions[1];
	cr_assert_str_eq(q->text, "text of b");
	cr_assert_str_eq(q->category, "Late", "rows of one question make one");
	cr_assert_eq(q->ntags, 1);
	cr_assert_str_eq(q->tags[0], "x_y");
	cr_assert_str_eq(q->entries[1].html, "answer of GB");
	cr_assert_eq(q->entries[1].nlinks, 1);
	rulebase_free(b);
}

/* An id that comes twice was in a country's list twice, old and new. */
TEST(rulebase, a_repeated_id_is_listed_once)
{
	struct rulebase *b = load("[{'id': 'a', 'answers_by_country': {'FR': {'answer_html': 'old'}, "
	    "'GB': {'answer_html': 'old'}}}, {'id': 'a', " ANSWER "}]");
	cr_assert_eq(b->ncountries, 1);
	cr_assert_eq(b->countries[0].nentries, 1);
	cr_assert_str_eq(b->countries[0].entries[0]->html, "yes");
	rulebase_free(b);
}

/* Country keys in lower case were found by one consumer, not by the other. */
TEST(rulebase, country_keys_in_any_case)
{
	struct rulebase *b = load("[{'id': 'a', 'answers_by_country': {'fr': {'answer_html': 'x'}}}]");
	cr_assert_not_null(rulebase_country(b, "FR"));
	cr_assert_not_null(rule_answer(&b->questions[0], "FR"));
	cr_assert_not_null(rule_answer(&b->questions[0], "fr"));
	rulebase_free(b);
}

/* The log names the first faults by place, and never says what stood there. */
TEST(rulebase, faults_are_logged_with_their_place)
{
	char *dir = test_mkdtemp(), path[600], log[600], text[8192];
	struct rulebase *b;
	struct err e;
	snprintf(path, sizeof(path), "%s/rules.json", dir);
	snprintf(log, sizeof(log), "%s/log", dir);
	rules_fix_write(path, "{'questions': [{'id': 'a', 'tags': ['x', {}], 'answers_by_country': "
	    "{'FR': {'answer_html': 'my-secret-text', 'links': ['my-secret-link']}, 'GB': 'my-secret'}},"
	    "'my-secret', {'id': 'a', " ANSWER ", 'category': ['my-secret']}, 1, 2, 3, 4]}");
	log_level_set("WARNING");
	cr_assert(log_open(log));
	TEST_OK(rulebase_load(&b, path, &e), e);
	log_open(NULL);
	rulebase_free(b);
	int fd = open(log, O_RDONLY);
	ssize_t n = read(fd, text, sizeof(text) - 1);
	close(fd);
	cr_assert_gt(n, 0);
	text[n] = '\0';
	static const char *const places[] = { "questions[0].tags[1]",
		"questions[0].answers_by_country.FR.links[0]", "questions[0].answers_by_country.GB",
		"questions[1]", "questions[2].category", "faults=10" };
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		cr_assert_not_null(strstr(text, places[i]), "%s in %s", places[i], text);
	cr_assert_null(strstr(text, "my-secret"), "%s", text);
	cr_assert_null(strstr(text, "questions[3]"), "only the first few");
	test_rmdir(dir);
}

TEST(rulebase, sizes_are_bounded)
{
	enum { LONG = 70000 };
	struct arena *a = arena_new();
	char *x = arena_alloc(a, LONG + 1);
	memset(x, 'x', LONG);
	struct rulebase *b = load(arena_printf(a, "[{'id': '%s', " ANSWER "}, {'id': 'a', "
	    "'question_text': '%s', 'category': '%s', 'tags': ['%s', 'y'], 'answers_by_country': "
	    "{'FR': {'answer_html': '%s'}, 'GB': {'answer_html': 'x', 'links': 'http://%s'}}}]",
	    x, x, x, x, x, x));
	cr_assert_str_eq(shape(b), "a:GB");
	cr_assert_str_eq(b->questions[0].text, "");
	cr_assert_str_eq(b->questions[0].category, "General");
	cr_assert_eq(b->questions[0].ntags, 1);
	cr_assert_eq(b->questions[0].entries[0].nlinks, 0);
	cr_assert_eq(b->facts.faults, 7);
	rulebase_free(b);
	arena_free(a);
}

TEST(rulebase, real_file)
{
	const char *path = test_data("rules/rules.json");
	struct arena *a = arena_new();
	struct rulebase *b;
	struct err e;
	if (path == NULL)
		test_skip("no rules/rules.json in the data set");
	TEST_OK(rulebase_load(&b, path, &e), e);
	cr_assert_eq(b->facts.questions, 58);
	cr_assert_eq(b->facts.answers, 1101);
	cr_assert_eq(b->facts.blank, 206);
	cr_assert_eq(b->facts.ignored, 1);
	cr_assert_eq(b->facts.faults, 0);
	cr_assert_eq(b->nquestions, 57);
	cr_assert_eq(b->nanswers, 877);
	cr_assert_eq(b->ncategories, 7);
	cr_assert_str_eq(list(a, b->tags, b->ntags), "air_traffic_service airfield airspace clearance "
	    "flight_plan international join penetration permission prior_permision procedure "
	    "semicircle tools transponder uncontrolled");
	cr_assert_str_eq(rulebase_codes(b, a),
	    "BE, CH, DE, FR, GB, GG, GR, HU, IE, IT, JE, LU, MT, NL, NO, PL, PT, SE, TR");
	size_t listed = 0;
	for (size_t i = 0; i < b->ncountries; i++) {
		const struct rule_country *c = &b->countries[i];
		listed += c->nentries;
		for (size_t k = 0; k < c->nentries; k++) {
			const struct rule_entry *x = c->entries[k];
			cr_assert_str_eq(x->country, c->code);
			cr_assert_str_neq(x->text, "");
			cr_assert_eq(rule_answer(x->question, c->code), x);
			cr_assert(k == 0 || strcasecmp(c->entries[k - 1]->question->text,
			    x->question->text) <= 0);
		}
	}
	cr_assert_eq(listed, b->nanswers);
	rulebase_free(b);
	arena_free(a);
}

/* Pages show question and category as they show the answer. */
TEST(rulebase, html_in_questions)
{
	struct rulebase *b = NULL;
	struct err e = { .code = OK };
	TEST_OK(rules_fix_load(&b, "[{'id': 'x', 'question': 'Is <script>bad()</script>a < b &amp; <i>c</i>?', "
	    "'category': 'V<img src=x onerror=bad()>FR', 'answers_by_country': {'FR': {'answer_html': "
	    "'Yes.'}}}]", &e), e);
	cr_expect_str_eq(b->questions[0].text, "Is a &lt; b &amp; <i>c</i>?");
	cr_expect_str_eq(b->questions[0].category, "V FR");
	rulebase_free(b);
}
