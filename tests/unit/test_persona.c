/* Personas: the original's scores, explanations, and what a file may hold. */
#include "airports/persona.h"

#include <math.h>

#include "base/buf.h"
#include "base/str.h"
#include "tests/unit/test.h"

static void load_shipped(struct personas *p, struct arena *a)
{
	struct err e = { OK, "" };

	TEST_OK(personas_load(p, a, TEST_SRCDIR "/conf/personas.json", &e), e);
}

#define NOTHING { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN }

/* In the order of the features: cost, hassle, review, ops_ifr, ops_vfr, access, fun, hospitality, and
 * from the AIP ops_ifr, hospitality. */
static const struct {
	double value[FEATURE__MAX];
	/* ifr_touring_sr22, vfr_budget, lunch_stop, training */
	double score[4];
	bool informed[4];
} vectors[] = {
	{ NOTHING, { 0.5, 0.5, 0.325, 0.5 }, { false, false, false, false } },
	{ { .8, .6, .9, NAN, NAN, NAN, NAN, .4, 1.0, NAN }, { 0.76, 0.67, 0.525, 0.69 },
	  { true, true, true, true } },
	/* an airfield of which only the AIP tells */
	{ { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, .1, .6 }, { 0.394737, 0.5, 0.385, 0.5 },
	  { false, false, false, false } },
	/* a review of the food alone is of no use to a pilot who trains landings */
	{ { NAN, NAN, NAN, NAN, NAN, NAN, NAN, 1, NAN, NAN }, { 0.525, 0.5, 0.575, 0.5 },
	  { true, false, true, false } },
	{ { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 }, { 1, 1, 1, 1 }, { true, true, true, true } },
	{ { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }, { 0, 0, 0, 0 }, { true, true, true, true } },
};

TEST(persona, scores)
{
	struct arena *a = arena_new();
	struct personas p;

	load_shipped(&p, a);
	cr_assert_eq(p.n, 4);
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
		for (size_t k = 0; k < p.n; k++) {
			cr_expect_float_eq(persona_score(&p.list[k], vectors[i].value), vectors[i].score[k],
			    5e-7, "%zu %s", i, p.list[k].id);
			cr_expect_eq(persona_informed(&p.list[k], vectors[i].value),
			    vectors[i].informed[k], "%zu %s", i, p.list[k].id);
		}
	arena_free(a);
}

TEST(persona, the_shipped_ones)
{
	static const char *const ids[] = { "ifr_touring_sr22", "vfr_budget", "lunch_stop", "training" };
	struct arena *a = arena_new();
	struct personas p;

	load_shipped(&p, a);
	cr_expect_str_eq(p.version, "1.0");
	cr_expect_str_eq(p.standard->id, "ifr_touring_sr22");
	for (size_t i = 0; i < 4; i++) {
		cr_expect_str_eq(p.list[i].id, ids[i]);
		cr_expect_str_eq(p.ids[i], ids[i]);
		cr_expect_eq(p.list[i].number, i);
		cr_expect_gt(p.list[i].cruise_kt, 50);
	}
	cr_expect_null(p.ids[4]);
	cr_expect_eq(p.list[2].missing[FEATURE_AIP_HOSPITALITY], MISSING_NEGATIVE);
	cr_expect_eq(p.list[0].missing[FEATURE_AIP_HOSPITALITY], MISSING_EXCLUDE);
	cr_expect_eq(p.list[0].missing[FEATURE_COST], MISSING_NEUTRAL);
	cr_expect_null(persona_find(&p, "astronaut"));
	cr_expect_null(persona_find(&p, NULL));
	cr_expect_eq(persona_or_standard(&p, "astronaut"), p.standard);
	cr_expect_eq(persona_or_standard(&p, "training"), &p.list[3]);
	cr_expect_null(persona_or_standard(NULL, "training"));
	arena_free(a);
}

TEST(persona, explains_a_score)
{
	static const double value[FEATURE__MAX] = { .8, .6, .9, NAN, NAN, NAN, NAN, NAN, 1.0, NAN };
	struct arena *a = arena_new();
	struct personas p;
	struct json_object *o, *one;

	load_shipped(&p, a);
	o = persona_explain(a, &p.list[0], value);
	cr_expect_str_eq(jsn_get_str(o, "persona_id", ""), "ifr_touring_sr22");
	cr_expect_str_eq(jsn_get_str(o, "persona_label", ""), "IFR touring (SR22)");
	cr_expect_eq(jsn_len(jsn_get(o, "features")), 7);
	one = jsn_get(jsn_get(o, "features"), "review_cost_score");
	cr_expect_str_eq(jsn_text(a, one, JSN_PLAIN), "{\"weight\":0.2,\"raw_value\":0.8,"
	    "\"resolved_value\":0.8,\"missing_behavior\":null,\"included\":true,"
	    "\"contribution\":0.16000000000000003}");
	one = jsn_get(jsn_get(o, "features"), "review_hospitality_score");
	cr_expect_str_eq(jsn_text(a, one, JSN_PLAIN), "{\"weight\":0.05,\"raw_value\":null,"
	    "\"resolved_value\":null,\"missing_behavior\":\"exclude\",\"included\":false,"
	    "\"contribution\":0}");
	one = jsn_get(jsn_get(o, "features"), "review_fun_score");
	cr_expect_str_eq(jsn_get_str(one, "missing_behavior", ""), "neutral");
	cr_expect_float_eq(jsn_get_num(o, "total_weight", 0), 0.95, 1e-12);
	cr_expect_float_eq(jsn_get_num(o, "final_score", 0), 0.74 / 0.95, 1e-12);
	cr_expect_float_eq(jsn_get_num(o, "total_score", 0), 0.74, 1e-12);
	arena_free(a);
}

TEST(persona, config_for_clients)
{
	struct arena *a = arena_new();
	struct personas p;
	struct json_object *o;

	load_shipped(&p, a);
	o = personas_config(a, &p);
	cr_expect_eq(jsn_len(jsn_get(o, "feature_names")), 10);
	cr_expect_str_eq(jsn_get_str(jsn_get(o, "feature_display_names"), "aip_ops_ifr_score", ""),
	    "IFR Ops (Official)");
	cr_expect_eq(jsn_len(jsn_get(o, "feature_descriptions")), 10);
	cr_expect_eq(jsn_len(jsn_get(o, "relevance_buckets")), 5);
	cr_expect_str_eq(jsn_get_str(jsn_at(jsn_get(o, "relevance_buckets"), 3), "color", ""), "#e74c3c");
	cr_expect_eq(jsn_len(jsn_get(o, "personas")), 4);
	/* zeros included */
	cr_expect_eq(jsn_len(jsn_get(jsn_at(jsn_get(o, "personas"), 1), "weights")), 10);
	cr_expect_str_eq(jsn_get_str(o, "default_persona", ""), "ifr_touring_sr22");
	cr_expect_str_eq(jsn_get_str(o, "version", ""), "1.0");
	arena_free(a);
}

#define FILE_OF(members) "{\"version\":\"1\",\"personas\":{" members "}}"
#define PERSONA(id, rest) "\"" id "\":{\"id\":\"" id "\",\"label\":\"L\",\"description\":\"D\"" rest "}"
#define WEIGHTS(w) ",\"weights\":{" w "}"
#define FINE WEIGHTS("\"review_cost_score\":1")

static const struct {
	const char *text, *fault;      /* NULL: fine */
} files[] = {
	{ FILE_OF(PERSONA("a", FINE)), NULL },
	{ FILE_OF(PERSONA("a", WEIGHTS("\"review_cost_score\":0.5,\"review_fun_score\":0.45"))), NULL },
	{ FILE_OF(PERSONA("a", WEIGHTS("\"review_cost_score\":0.5,\"review_fun_score\":0.55"))), NULL },
	{ "{", "not JSON" },
	{ "[]", "an object \"personas\" with 1 to 32 members" },
	{ "{\"version\":\"1\",\"personas\":{}}", "with 1 to 32 members" },
	{ "{\"personas\":{" PERSONA("a", FINE) "}}", "version must be a text of 1 to 400 bytes, not absent" },
	{ FILE_OF("\"a\":7"), "persona \"a\": it must be an object, not a number" },
	{ FILE_OF("\"a b\":{}"), "persona \"a b\": an id has 1 to 64 letters" },
	{ FILE_OF("\"a\":{\"id\":\"b\"}"), "its id must be \"a\", like its key" },
	{ FILE_OF("\"a\":{\"id\":\"a\",\"label\":5}"), "label must be a text of 1 to 400 bytes, not a number" },
	{ FILE_OF(PERSONA("a", "")), "weights must be an object, not null" },
	{ FILE_OF(PERSONA("a", WEIGHTS("\"fun\":1"))), "weights: there is no feature fun" },
	{ FILE_OF(PERSONA("a", WEIGHTS("\"review_cost_score\":-1,\"review_fun_score\":2"))),
	  "weights.review_cost_score must be a number of at least 0" },
	{ FILE_OF(PERSONA("a", WEIGHTS("\"review_cost_score\":\"1\""))), "must be a number of at least 0" },
	{ FILE_OF(PERSONA("a", WEIGHTS("\"review_cost_score\":0.9"))),
	  "the weights add up to 0.9; they must add up to 1 (0.95 to 1.05)" },
	{ FILE_OF(PERSONA("a", FINE ",\"missing_behaviors\":[]")),
	  "missing_behaviors must be an object, not a list" },
	{ FILE_OF(PERSONA("a", FINE ",\"missing_behaviors\":{\"x\":\"neutral\"}")), "there is no feature x" },
	{ FILE_OF(PERSONA("a", FINE ",\"missing_behaviors\":{\"review_fun_score\":\"maybe\"}")),
	  "missing_behaviors.review_fun_score must be neutral, negative, positive or exclude" },
	{ FILE_OF(PERSONA("a", FINE ",\"cruise_speed_kt\":0")), "cruise_speed_kt must be a number above 0" },
	{ "{\"version\":\"1\",\"default_persona\":\"b\",\"personas\":{" PERSONA("a", FINE) "}}",
	  "default_persona must be the id of one of the personas" },
};

static void write_file(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	cr_assert_not_null(out);
	fputs(text, out);
	fclose(out);
}

TEST(persona, files)
{
	char *dir = test_mkdtemp();

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct arena *a = arena_new();
		const char *path = arena_printf(a, "%s/p.json", dir);
		struct err e = { OK, "" };
		struct personas p;
		enum errcode rc;

		write_file(path, files[i].text);
		rc = personas_load(&p, a, path, &e);
		cr_expect_eq(rc, files[i].fault == NULL ? OK : ERR_CONFIG, "%s: %s", files[i].text, e.msg);
		if (files[i].fault != NULL)
			cr_expect(starts_with(e.msg, path) && strstr(e.msg, files[i].fault) != NULL, "%s",
			    e.msg);
		else
			cr_expect_str_eq(p.standard->id, "a");
		arena_free(a);
	}
	test_rmdir(dir);
}

TEST(persona, a_missing_file_is_named)
{
	struct arena *a = arena_new();
	struct err e = { OK, "" };
	struct personas p;

	cr_expect_eq(personas_load(&p, a, "/nowhere/personas.json", &e), ERR_CONFIG);
	cr_expect(strstr(e.msg, "/nowhere/personas.json") != NULL, "%s", e.msg);
	arena_free(a);
}
