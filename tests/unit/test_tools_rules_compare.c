/*
 * compare_rules_between_countries: whole results by words and by vectors, and what planners ask
 * for that cannot be compared.
 */
#include "language/encoder.h"
#include "tools/rules_comparison.h"

#include "tests/unit/rules_tools_call.h"

#define COMPARE "compare_rules_between_countries"

static struct json_object *compare(struct rulesfix *f, const char *args)
{
	return rules_call(f, COMPARE, args);
}

/* ---- whole results, by words ------------------------------------------------- */

#define CONTEXT_TETHER(score)                                                              \
	"\\n### 1. Must a balloon be tethered?\\nTags: tether\\n"                              \
	"Semantic difference score: " score "\\n\\n"                                           \
	"**FR**: Within 50 m of houses\\n**DE**: Within 90 m of houses\\n"                      \
	"\\n\\n### 2. How high may a kite fly?\\nTags: tether, flight_plan\\n"                   \
	"Semantic difference score: 0.00\\n\\n**FR**: 100 m\\n"                                \
	"\\n\\n### Not recorded\\n"                                                               \
	"**DE**: no answer recorded to 1 of the 2 questions compared\\n"

#define DIFFERENCE_TETHER                                                                  \
	"{\"question_id\":\"Balloons-Tether\","                                                \
	"\"question_text\":\"Must a balloon be tethered?\",\"category\":\"Airspace\","         \
	"\"tags\":[\"tether\"],\"difference_score\":0.571,\"countries\":[\"FR\",\"DE\"],"       \
	"\"answers\":{\"FR\":\"Within 50 m of houses\",\"DE\":\"Within 90 m of houses\"},"     \
	"\"question\":\"Must a balloon be tethered?\","                                       \
	"\"FR\":{\"answer\":\"Within 50 m of houses\",\"links\":[]},"                         \
	"\"DE\":{\"answer\":\"Within 90 m of houses\",\"links\":[]}}"

/* The members that the original service has, in their order, then our own. */
static const char by_words[] =
	"{\"found\":true,\"countries\":[\"FR\",\"DE\"],\"tags\":[\"Tether\"],"
	"\"comparison\":{\"country1\":\"FR\",\"country2\":\"DE\",\"total_rules_country1\":2,"
	"\"total_rules_country2\":1,\"common_rules\":1,\"only_in_country1\":1,"
	"\"only_in_country2\":0,\"differences\":[" DIFFERENCE_TETHER "],\"differences_count\":1,"
	"\"summary\":\"**Rules of FR and DE compared**\\n\\n**Different answers** (1):"
	"\\n\\n**Must a balloon be tethered?**\\n- FR: Within 50 m of houses"
	"\\n- DE: Within 90 m of houses\\n\\n**Only in FR** (1):"
	"\\n- How high may a kite fly?\"},"
	"\"differences\":[" DIFFERENCE_TETHER ",{\"question_id\":\"Kites\",\"question_text\":\"How high may a kite fly?\","
	"\"category\":\"Airspace\",\"tags\":[\"tether\",\"flight_plan\"],\"difference_score\":0,"
	"\"countries\":[\"FR\",\"DE\"],\"answers\":{\"FR\":\"100 m\"},"
	"\"question\":\"How high may a kite fly?\",\"FR\":{\"answer\":\"100 m\",\"links\":[]}}],"
	"\"rules_context\":\"" CONTEXT_TETHER("0.57") "\",\"total_differences\":2,"
	"\"filtered_by_embedding\":false,"
	"\"message\":\"Comparison between FR, DE complete. Questions compared: 2; shown: 2.\","
	"\"_tool_type\":\"comparison\",\"total_questions\":2,\"questions_analyzed\":2,"
	"\"sources\":[{\"FR\":{\"links\":[],\"last_reviewed\":null},"
	"\"DE\":{\"links\":[],\"last_reviewed\":null}},"
	"{\"FR\":{\"links\":[],\"last_reviewed\":null}}],"
	"\"missing_answers\":[{\"question_id\":\"Kites\","
	"\"question_text\":\"How high may a kite fly?\",\"countries\":[\"DE\"]}]}";

/* Texts, tags and every country are there without vectors too. */
TEST(tools_compare, by_words)
{
	struct rulesfix f;

	rulesfix_open(&f, NULL, NULL);
	expect_text(rules_text(&f, COMPARE,
	    "{\"countries\":[\"france\",\"DE\",\"fr\"],\"tags\":[\"Tether\"]}"), by_words,
	    "by words");
	rulesfix_close(&f);
}

/* The object inside, with all but its list of differences. */
static const char *without_differences(struct arena *a, struct json_object *comparison)
{
	struct json_object *o = jsn_object(a);

	JSN_EACH(comparison, it)
		if (!streq(it.key, "differences"))
			jsn_add(o, it.key, jsn_ref(it.val));
	return jsn_text(a, o, JSN_PLAIN);
}

/* A turn waits with its result: what is in it twice are the very same objects, in the order of
 * their ids, and only those whose answers are not the same. */
static void expect_shared(struct json_object *result, const char *const *ids, size_t n)
{
	struct json_object *shown = jsn_get(result, "differences");
	struct json_object *list = jsn_get(jsn_get(result, "comparison"), "differences");

	cr_assert_eq(jsn_len(list), n);
	for (size_t i = 0; i < n; i++) {
		struct json_object *o = jsn_at(list, i);
		size_t k = 0;

		cr_expect_str_eq(jsn_get_str(o, "question_id", ""), ids[i]);
		while (k < jsn_len(shown) && jsn_at(shown, k) != o)
			k++;
		cr_expect_lt(k, jsn_len(shown), "%s", ids[i]);
	}
}

TEST(tools_compare, three_countries_by_words)
{
	static const char *const ids[] = { "Balloons-Tether", "Night flight" };
	struct json_object *o;
	struct rulesfix f;

	rulesfix_open(&f, NULL, NULL);
	o = compare(&f, "{\"countries\":[\"GB\",\"DE\",\"FR\"],\"tags\":null}");
	expect_text(without_differences(f.mem, jsn_get(o, "comparison")),
	    "{\"countries\":[\"GB\",\"DE\",\"FR\"],\"total_rules\":{\"GB\":3,\"DE\":2,\"FR\":3},"
	    "\"common_rules\":1,\"only_in\":{\"GB\":1,\"DE\":0,\"FR\":0},"
	    "\"differences_count\":2,\"summary\":\"**Rules of GB and DE and FR compared**\\n\\n**Different answers** (2):"
	    "\\n\\n**Must a balloon be tethered?**\\n- DE: Within 90 m of houses"
	    "\\n- FR: Within 50 m of houses\\n\\n**May gliders fly by night?**\\n- GB: No"
	    "\\n- DE: Yes, with a lamp.\\n- FR: Yes, with a lamp. Ask first."
	    "\\n\\n**Only in GB** (1):\\n- Do frisbees need a radio?\"}", "comparison");
	expect_shared(o, ids, 2);
	cr_expect(jsn_has(o, "tags"));
	cr_expect_null(jsn_get(o, "tags"));
	/* most different first: yes and no, 50 and 90 m */
	cr_expect_str_eq(jsn_get_str(jsn_at(jsn_get(o, "differences"), 0), "question_id", ""),
	    "Night flight");
	/* a country without an answer is named, and does not count as one that agrees */
	expect_text(rules_member(f.mem, o, "missing_answers"),
	    "[{\"question_id\":\"Balloons-Tether\",\"question_text\":\"Must a balloon be tethered?\","
	    "\"countries\":[\"GB\"]},{\"question_id\":\"Kites\","
	    "\"question_text\":\"How high may a kite fly?\",\"countries\":[\"DE\"]},"
	    "{\"question_id\":\"Frisbees\",\"question_text\":\"Do frisbees need a radio?\","
	    "\"countries\":[\"DE\",\"FR\"]}]", "missing");
	cr_expect_not_null(strstr(jsn_get_str(o, "rules_context", ""), "\n### Not recorded\n"
	    "**GB**: no answer recorded to 1 of the 4 questions compared\n"
	    "**DE**: no answer recorded to 2 of the 4 questions compared\n"
	    "**FR**: no answer recorded to 1 of the 4 questions compared\n"));
	expect_text(rules_text(&f, COMPARE, "{\"countries\":[\"GB\",\"DE\",\"FR\"]}"),
	    jsn_text(f.mem, o, JSN_PLAIN), "the same again");
	rulesfix_close(&f);
}

/* ---- what cannot be compared ------------------------------------------------- */

static const struct {
	const char *args;
	const char *countries, *unknown, *message;
	size_t differences;
} odd[] = {
	{ "{\"countries\":[\"FR\"]}", "[\"FR\"]", "null",
	    "A comparison needs the rules of two countries at least, and only this one has some: "
	    "FR. Available countries: DE, FR, GB, NO.", 0 },
	{ "{\"countries\":[\"FR\",\"fr\",\"France\"]}", "[\"FR\"]", "null",
	    "A comparison needs the rules of two countries at least, and only this one has some: "
	    "FR. Available countries: DE, FR, GB, NO.", 0 },
	{ "{\"countries\":[]}", "[]", "null",
	    "A comparison needs the rules of two countries at least. "
	    "Available countries: DE, FR, GB, NO.", 0 },
	{ "{\"countries\":[\"PT\",\"narnia\"]}", "[\"PT\",\"NARNIA\"]", "[\"PT\",\"NARNIA\"]",
	    "A comparison needs the rules of two countries at least. "
	    "Available countries: DE, FR, GB, NO. No rules found for PT, NARNIA.", 0 },
	{ "{\"countries\":[\"FR\",\"PT\",\"UK\"]}", "[\"FR\",\"PT\",\"GB\"]", "[\"PT\"]",
	    "Comparison between FR, GB complete. Questions compared: 4; shown: 4. "
	    "No rules found for PT. Available countries: DE, FR, GB, NO", 4 },
	{ "{\"countries\":[\"FR\",\"GB\"],\"question\":\"xyzzy quux\"}", "[\"FR\",\"GB\"]", "null",
	    "None of the rules of FR, GB answers this question.", 0 },
	{ "{\"countries\":[\"FR\",\"GB\"],\"question\":\" \"}", "[\"FR\",\"GB\"]", "null",
	    "Comparison between FR, GB complete. Questions compared: 4; shown: 4.", 4 },
};

TEST(tools_compare, odd_countries)
{
	struct rulesfix f;

	rulesfix_open(&f, NULL, NULL);
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		struct json_object *o = compare(&f, odd[i].args);

		cr_expect(jsn_get_bool(o, "found", false), "%s", odd[i].args);
		cr_expect_str_eq(rules_member(f.mem, o, "countries"), odd[i].countries);
		cr_expect_str_eq(rules_member(f.mem, o, "unknown_countries"), odd[i].unknown);
		cr_expect_str_eq(jsn_get_str(o, "message", ""), odd[i].message);
		cr_expect_eq(jsn_len(jsn_get(o, "differences")), odd[i].differences, "%s",
		    odd[i].args);
		cr_expect_eq(jsn_get_int(o, "total_differences", -1), (int64_t)odd[i].differences);
		cr_expect_str_eq(jsn_get_str(o, "_tool_type", ""), "comparison");
		cr_expect_str_eq(jsn_get_str(o, "message", ""), odd[i].message);
	}
	cr_expect_str_eq(rules_member(f.mem, jsn_get(compare(&f, odd[0].args), "comparison"),
	    "differences"), "[]");
	rulesfix_close(&f);
}

TEST(tools_compare, odd_tags)
{
	struct json_object *o;
	struct rulesfix f;

	rulesfix_open(&f, NULL, NULL);
	/* duplicates and unknown ones: as given, compared by what is left */
	o = compare(&f, "{\"countries\":[\"FR\",\"GB\"],"
	    "\"tags\":[\"tether\",\"TETHER\",\"secret\",\"moon\"]}");
	cr_expect_str_eq(rules_member(f.mem, o, "tags"),
	    "[\"tether\",\"TETHER\",\"secret\",\"moon\"]");
	cr_expect_str_eq(rules_member(f.mem, o, "unknown_tags"), "[\"secret\",\"moon\"]");
	cr_expect_eq(jsn_get_int(o, "total_questions", -1), 2);
	/* none known: as if none were given */
	o = compare(&f, "{\"countries\":[\"FR\",\"GB\"],\"tags\":[\"moon\"]}");
	cr_expect_eq(jsn_get_int(o, "total_questions", -1), 4);
	rulesfix_close(&f);
}

/* comparison.enabled has effect. */
TEST(tools_compare, switched_off)
{
	struct rulesfix f;

	rulesfix_open(&f, NULL, NULL);
	f.options.compare = false;
	expect_text(rules_text(&f, COMPARE, "{\"countries\":[\"FR\",\"GB\"]}"),
	    "{\"found\":false,\"countries\":[\"FR\",\"GB\"],\"tags\":null,\"differences\":[],"
	    "\"total_differences\":0,\"message\":\"Comparing the rules of countries is switched off "
	    "here; ask for one country.\",\"_tool_type\":\"comparison\","
	    "\"available_countries\":[\"DE\",\"FR\",\"GB\",\"NO\"]}", "off");
	rulesfix_close(&f);
}

TEST(tools_compare, question)
{
	struct json_object *o, *first;
	struct rulesfix f;

	rulesfix_open(&f, NULL, NULL);
	o = compare(&f, "{\"countries\":[\"FR\",\"GB\",\"DE\"],"
	    "\"question\":\"may gliders fly by night\"}");
	first = jsn_at(jsn_get(o, "differences"), 0);
	cr_expect_str_eq(jsn_get_str(first, "question_id", ""), "Night flight");
	cr_expect_lt(jsn_get_int(o, "total_questions", 99), 4);
	cr_expect_eq(jsn_get_int(o, "questions_analyzed", -1),
	    jsn_get_int(o, "total_questions", -2));
	rulesfix_close(&f);
}

/* Rules that only share a tag with the question are compared if they may answer it. Those that are silent on oxygen cannot. */
TEST(tools_compare, tags_do_not_answer_what_no_rule_mentions)
{
	static const struct { const char *question; int total; } rows[] = {
		{ "may my zebra graze", 2 }, { "may my zebra graze with oxygen", 0 },
	};
	struct rulesfix f;

	rulesfix_open(&f, NULL, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_object *o = rules_call(&f, COMPARE, arena_printf(f.mem,
		    "{\"countries\":[\"FR\",\"DE\"],\"question\":\"%s\",\"tags\":[\"tether\"]}", rows[i].question));
		cr_expect_eq(jsn_get_int(o, "total_questions", -1), rows[i].total, "%s", rows[i].question);
	}
	rulesfix_close(&f);
}

/* An answer cannot begin a line of the context, or an element of a page. */
TEST(tools_compare, hostile_answers)
{
	const char *text = "{\"questions\":[{\"question_id\":\"a\","
	    "\"question_text\":\"One?\\n### 9. Two?\",\"tags\":[\"t\"],\"answers_by_country\":{"
	    "\"FR\":{\"answer_html\":\"x\\n### 2. Nothing else\\n**GB**: yes\"},"
	    "\"GB\":{\"answer_html\":\"<img src=x onerror=alert(1)>no<script>x</script>\"}}}]}";
	struct rulesfix f;
	char *dir = test_mkdtemp(), path[600];

	snprintf(path, sizeof(path), "%s/hostile.json", dir);
	test_write(path, text);
	rulesfix_open(&f, path, NULL);
	expect_text(jsn_get_str(compare(&f, "{\"countries\":[\"FR\",\"GB\"]}"), "rules_context", ""),
	    "\n### 1. One? ### 9. Two?\nTags: t\nSemantic difference score: 1.00\n\n"
	    "**FR**: x / ### 2. Nothing else / **GB**: yes\n**GB**: no\n", "context");
	rulesfix_close(&f);
	test_rmdir(dir);
}

/* What the model reads is text: line ends and references of the page are none of it. */
TEST(tools_compare, context_is_plain_text)
{
	struct rulesfix f;

	rulesfix_open(&f, NULL, NULL);
	const char *context = jsn_get_str(compare(&f, "{\"countries\":[\"FR\",\"GB\"],"
	    "\"question\":\"may gliders fly by night\"}"), "rules_context", "");
	cr_expect_not_null(strstr(context, "\n**FR**: Yes, with a lamp. / Ask first.\n"), "%s", context);
	context = jsn_get_str(compare(&f, "{\"countries\":[\"FR\",\"GB\"]}"), "rules_context", "");
	cr_expect_not_null(strstr(context, "\n**GB**: Only if a < b, see AIP\n"), "%s", context);
	rulesfix_close(&f);
}

/* ---- by vectors -------------------------------------------------------------- */

enum { DIMS = 32 };

/* A vector of the text's letters: equal texts have equal ones. */
static enum errcode embed(struct llm_provider *p, struct arena *a,
    const struct llm_embed_request *req, const struct watch *w, float **vectors, size_t *dims,
    struct llm_usage *usage, struct llm_fault *fault, struct err *e)
{
	(void)p, (void)w, (void)usage, (void)fault, (void)e;
	*dims = DIMS;
	*vectors = arena_array(a, req->n * DIMS, sizeof(float));
	for (size_t i = 0; i < req->n; i++) {
		float *v = *vectors + i * DIMS;

		for (const char *c = req->texts[i]; *c != '\0'; c++)
			v[(unsigned char)*c % DIMS] += 1;
		vector_unit(v, DIMS);
	}
	return OK;
}

static void closed(struct llm_provider *p)
{
	(void)p;
}

static const struct llm_provider_ops letters_ops = { .name = "letters", .embed = embed,
	.close = closed };

static struct llm *letters(struct llm_provider *p)
{
	struct llm_config c = { .backoff_ms = 1 };

	p->ops = &letters_ops;
	return llm_open(p, &c);
}

static const char by_vectors[] =
	"{\"found\":true,\"countries\":[\"FR\",\"DE\"],\"tags\":[\"tether\"],"
	"\"total_questions\":2,\"questions_analyzed\":2,\"filtered_by_embedding\":false,"
	"\"differences\":[{\"question_id\":\"Balloons-Tether\","
	"\"question_text\":\"Must a balloon be tethered?\",\"category\":\"Airspace\","
	"\"tags\":[\"tether\"],\"difference_score\":%s,\"countries\":[\"FR\",\"DE\"],"
	"\"answers\":{\"FR\":\"Within 50 m of houses\",\"DE\":\"Within 90 m of houses\"}},"
	"{\"question_id\":\"Kites\",\"question_text\":\"How high may a kite fly?\","
	"\"category\":\"Airspace\",\"tags\":[\"tether\",\"flight_plan\"],\"difference_score\":0,"
	"\"countries\":[\"FR\",\"DE\"],\"answers\":{\"FR\":\"100 m\"}}],"
	"\"rules_context\":\"" CONTEXT_TETHER("%.2f") "\",\"total_differences\":2,"
	"\"message\":\"Comparison between FR, DE complete. Questions compared: 2; shown: 2.\","
	"\"_tool_type\":\"comparison\","
	"\"sources\":[{\"FR\":{\"links\":[],\"last_reviewed\":null},"
	"\"DE\":{\"links\":[],\"last_reviewed\":null}},"
	"{\"FR\":{\"links\":[],\"last_reviewed\":null}}],"
	"\"missing_answers\":[{\"question_id\":\"Kites\","
	"\"question_text\":\"How high may a kite fly?\",\"countries\":[\"DE\"]}]}";

TEST(tools_compare, by_vectors)
{
	struct json_object *o;
	struct llm_provider p;
	struct llm *llm = letters(&p);
	struct rulesfix f;
	char score[32];
	double s;

	rulesfix_open(&f, NULL, llm);
	o = compare(&f, "{\"countries\":[\"FR\",\"DE\"],\"tags\":[\"tether\"]}");
	s = jsn_get_num(jsn_at(jsn_get(o, "differences"), 0), "difference_score", -1);
	cr_expect(s > 0.5 && s < 0.65, "the vectors are nearly equal, the numbers are not: %g", s);
	num_print(score, s);
	expect_text(jsn_text(f.mem, o, JSN_PLAIN), arena_printf(f.mem, by_vectors, score, s),
	    "by vectors");

	/* one country: the same shape */
	o = compare(&f, "{\"countries\":[\"FR\"]}");
	cr_expect_str_eq(rules_keys(f.mem, o), "found countries tags total_questions "
	    "questions_analyzed filtered_by_embedding differences rules_context "
	    "total_differences message _tool_type sources missing_answers");
	cr_expect_str_eq(rules_member(f.mem, o, "differences"), "[]");
	rulesfix_close(&f);
	llm_close(llm);
}

/* A client that reads the texts of a site without a provider finds them whether the built-in vectors are made or not. */
TEST(tools_compare, built_in_vectors_leave_the_members)
{
	static const char args[] = "{\"countries\":[\"FR\",\"GB\"]}";
	struct rulesfix f;
	struct rules *words;
	struct encoder *encoder;
	struct err e;

	rulesfix_open(&f, NULL, NULL);
	TEST_OK(encoder_open(&encoder, TEST_SRCDIR "/conf/language/encoder.model", &e), e);
	struct rules_config c = *rules_config(f.rules);
	const char *keys = rules_keys(f.mem, compare(&f, args));
	c.encoder = encoder;
	words = f.rules;
	TEST_OK(rules_open(&f.rules, &c, &e), e);
	rules_refresh(f.rules);
	cr_assert(rules_status(f.rules, f.mem).vectors);
	cr_expect_str_eq(rules_keys(f.mem, compare(&f, args)), keys);
	cr_expect_not_null(strstr(keys, " comparison "));
	rulesfix_close(&f);
	rules_close(words);
	encoder_close(encoder);
}

/* ---- the real file ----------------------------------------------------------- */

#define NINETEEN "\"BE\",\"CH\",\"DE\",\"FR\",\"GB\",\"GG\",\"GR\",\"HU\",\"IE\",\"IT\",\"JE\"," \
	"\"LU\",\"MT\",\"NL\",\"NO\",\"PL\",\"PT\",\"SE\",\"TR\""

TEST(tools_compare, real_file)
{
	const char *path = test_data("rules/rules.json");
	struct json_object *o;
	struct llm_provider p;
	struct llm *llm = letters(&p);
	struct rulesfix f;

	if (path == NULL) {
		llm_close(llm);
		test_skip("no data");
		return;
	}
	rulesfix_open(&f, path, NULL);
	o = compare(&f, "{\"countries\":[" NINETEEN "]}");
	cr_expect_eq(jsn_get_int(o, "total_questions", -1), 57);
	cr_expect_eq(jsn_len(jsn_get(o, "differences")), 15);
	cr_expect_not(jsn_get_bool(o, "filtered_by_embedding", true));
	cr_expect_lt(strlen(jsn_text(f.mem, o, JSN_PLAIN)), 250000);
	o = compare(&f, "{\"countries\":[\"FR\",\"GB\"]}");
	cr_expect_eq(jsn_len(jsn_get(jsn_get(o, "comparison"), "differences")), 15);
	cr_expect_gt(jsn_get_int(jsn_get(o, "comparison"), "differences_count", -1), 15);
	cr_expect_null(strchr(jsn_get_str(o, "rules_context", "<"), '<'), "plain text for the model");
	rulesfix_close(&f);

	rulesfix_open(&f, path, llm);
	o = compare(&f, "{\"countries\":[" NINETEEN "]}");
	cr_expect_eq(jsn_get_int(o, "total_questions", -1), 57);
	cr_expect_leq(jsn_len(jsn_get(o, "differences")), 15);
	cr_expect(jsn_get_bool(o, "filtered_by_embedding", false));
	cr_expect_lt(strlen(jsn_text(f.mem, o, JSN_PLAIN)), 150000);
	rulesfix_close(&f);
	llm_close(llm);
}
