/*
 * What the built-in writer makes of the rules tools' results: what each answer must and must not
 * say, and hostile data.
 */
#include "agents/aviation/builtin/writer_rules.h"
#include "base/str.h"
#include "rules/rulebase.h"
#include "tests/unit/test.h"
#include "tests/unit/sink_mem.h"

#define ANSWER "answer_rules_question"
#define BROWSE "browse_rules"
#define COMPARE "compare_rules_between_countries"
#define RULE(question, similarity, html, links, date) \
	"{\"question_id\":\"" question "\",\"question_text\":\"" question "\",\"similarity\":" similarity \
	",\"country_code\":\"FR\",\"category\":\"Airspace\",\"tags\":[\"airspace\"],\"answer_html\":\"" \
	html "\",\"links\":" links ",\"last_reviewed\":" date "}"
#define FOUND(rules) "{\"found\":true,\"country_code\":\"FR\",\"count\":1," \
	"\"retrieval_mode\":\"rag\",\"rules\":[" rules "],\"formatted_text\":\"raw <b>text</b>\"}"
#define GENERAL_OXYGEN "{\"id\":\"oxygen\",\"text\":\"<b>not read</b>\"}"
#define GENERAL_PLACE "{\"id\":\"minors\",\"text\":\"\"}"
#define FOUND_GENERAL(rules, general) "{\"found\":true,\"country_code\":\"FR\",\"count\":1," \
	"\"retrieval_mode\":\"rag\",\"rules\":[" rules "],\"general_rule\":" general "}"
#define NONE_GENERAL(country, general) "{\"found\":false,\"country_code\":\"" country "\",\"count\":0,\"retrieval_mode\":\"tags\"," \
	"\"message\":\"m\",\"available_countries\":[\"FR\"],\"general_rule\":" general "}"
#define DIFFERENCE(id, text, answers) \
	"{\"question_id\":\"" id "\",\"question_text\":\"" text "\",\"category\":\"c\",\"tags\":[]," \
	"\"difference_score\":0.731,\"countries\":[\"FR\",\"DE\"],\"answers\":" answers "}"

enum { LISTED = 10 };

static const struct {
	const char *tool, *args, *result;
	const char *has[LISTED], *hasnt[LISTED];
} answers[] = {
	/* the best rule is quoted, the near ones are shortened, the far ones left out */
	{ ANSWER, "{\"country_code\":\"FR\",\"question\":\"x\"}",
	  FOUND(RULE("May it be crossed?", "0.82", "Yes.<br>Not on <b>Sundays</b> &amp; holidays",
	      "[\"https://caa.example/x(1)\",\"javascript:alert(1)\",\"ftp://no.example/\"]",
	      "\"2025-03-01\"")
	    "," RULE("Who is asked?", "0.60", "The controller", "[]", "null")
	    "," RULE("Something else?", "0.30", "Never mind", "[]", "null")),
	  { "**France: May it be crossed?**\n\nYes.  \nNot on Sundays & holidays\n",
	    "(last reviewed 2025-03-01 · https://caa.example/x%281%29)",
	    "**Related rules**\n\n- **Who is asked?** The controller\n",
	    "Rules change, and practice can differ: check the AIP" },
	  { "nearest", "javascript", "ftp:", "0.82", "similarity", "Never mind", "<b>", "raw" } },
	/* a number alone is no list */
	{ ANSWER, "{}", FOUND(RULE("Which squawk?", "0.9", "7000", "[]", "null")),
	  { "\n\n7000\n" }, { "7000\\", "> " } },
	/* middling: said so */
	{ ANSWER, "{}", FOUND(RULE("A?", "0.31", "B.", "[]", "\"2024-01-01\"")),
	  { "No rule of France answers your question word for word. This one comes nearest:\n\n"
	    "**France: A?**\n\nB.\n\n(last reviewed 2024-01-01)" }, { "Related" } },
	/* a general rule: above a middling one, below one that answers, and alone if there is none */
	{ ANSWER, "{}", FOUND_GENERAL(RULE("A?", "0.31", "B.", "[]", "null"), GENERAL_OXYGEN),
	  { "**Oxygen** (European rule NCO.OP.190, which applies in France)\n\nThe pilot decides",
	    "above 13,000 ft.\n\nNo rule of France answers your question word for word. This one comes nearest:\n\n**France: A?**" }, { "<", "AIP (" } },
	{ ANSWER, "{}", FOUND_GENERAL(RULE("A?", "0.8", "B.", "[]", "null") "," RULE("C?", "0.7", "D.", "[]", "null"), GENERAL_OXYGEN),
	  { "**France: A?**\n\nB.\n\n**Oxygen** (European rule", "above 13,000 ft.\n\n**Related rules**\n\n- **C?** D.\n" }, { "word for word" } },
	{ ANSWER, "{}", FOUND_GENERAL(RULE("A?", "0.8", "B.", "[]", "null"), GENERAL_PLACE), { "**France: A?**\n\nB.\n\nRules change" }, { "GEN" } },
	{ ANSWER, "{}", NONE_GENERAL("FR", GENERAL_OXYGEN),
	  { "above 13,000 ft.\n\nI have no national rule of France about this.\n\nGeneral rules are summaries." }, { "other words" } },
	{ ANSWER, "{}", NONE_GENERAL("AT", GENERAL_OXYGEN),
	  { "which applies in Austria)", "\n\nI have no national rule of Austria about this.\n\nGeneral rules are" }, { "I have rules for" } },
	{ ANSWER, "{}", NONE_GENERAL("FR", GENERAL_PLACE), { ": I do not have the text of this rule. Look in section GEN 1.3 of the AIP (France).\n\nI have no national rule of France" }, { "NULL" } },
	{ ANSWER, "{}", NONE_GENERAL("FR", "{\"id\":\"no_such_rule\",\"text\":\"x\"}"), { "I have no rule of France that answers this question.\n\nPlease check" }, { "x\n" } },
	/* by tags: no direct answer, a list, and how many more there are */
	{ ANSWER, "{\"tags\":[\"flight_plan\",\"airspace\"]}",
	  "{\"found\":true,\"country_code\":\"FR\",\"count\":11,\"retrieval_mode\":\"tags\",\"rules\":["
	  RULE("A?", "0", "B.", "[]", "null") "]}",
	  { "No rule of France answers your question directly. What there is about flight plan and "
	    "airspace:\n\n- **A?** B.\n", "3 more: say “more”" }, { "nearest" } },
	/* nothing: the reason, and what to do */
	{ ANSWER, "{}", "{\"found\":false,\"country_code\":\"AT\",\"count\":0,"
	  "\"retrieval_mode\":\"tags\",\"message\":\"No rules found for Austria (AT). Available "
	  "countries: BE, FR\"}",
	  { "No rules found for Austria (AT). Available countries: BE, FR\n",
	    "check the AIP of Austria", "another topic or country" }, { "Rules change" } },
	/* a page */
	{ BROWSE, "{\"tags\":[\"airspace\"]}",
	  "{\"found\":true,\"country_code\":\"FR\",\"total\":12,\"offset\":10,\"limit\":1,\"count\":1,"
	  "\"has_more\":true,\"rules\":[" RULE("A?", "0", "B.", "[\"http://u@h.example/p\"]",
	  "\"2024-01-01\"") "]}",
	  { "**France**: 12 rules about airspace. These are 11 to 11.\n\n**Airspace**\n\n"
	    "- **A?** B. (last reviewed 2024-01-01 · http://h.example/p)\n",
	    "1 more: say “more” to go on." }, { "u@" } },
	{ BROWSE, "{}", "{\"found\":true,\"country_code\":\"FR\",\"total\":12,\"offset\":20,"
	  "\"rules\":[]}", { "Those were all the rules of France: there are 12." }, { "say “more”" } },
	{ BROWSE, "{}", "{\"found\":false,\"country_code\":\"FR\",\"total\":0,"
	  "\"message\":\"No rule of France (FR) has these tags.\"}",
	  { "No rule of France (FR) has these tags." }, { "12" } },
	{ "list_rules_for_country", "{}", "{\"found\":true,\"country_code\":\"FR\",\"total\":1,"
	  "\"count\":1,\"rules\":[" RULE("A?", "0", "B.", "[]", "null") "]}",
	  { "**France**: 1 rule.\n\n**Airspace**\n\n- **A?** B.\n" }, { "These are", "more" } },
	/* a comparison: no scores, missing answers named, equal answers on one line */
	{ COMPARE, "{\"countries\":[\"FR\",\"DE\",\"NO\"]}",
	  "{\"found\":true,\"countries\":[\"FR\",\"DE\",\"NO\"],\"total_questions\":20,\"differences\":["
	  DIFFERENCE("q1", "How?", "{\"FR\":\"Yes.\",\"DE\":\"yes\",\"NO\":\"<i>No</i>\"}") ","
	  DIFFERENCE("q2", "When?", "{\"FR\":\"Now\"}") "],"
	  "\"sources\":[{\"FR\":{\"links\":[\"https://a.example/\"],\"last_reviewed\":\"2025-01-01\"}}],"
	  "\"missing_answers\":[{\"question_id\":\"q2\",\"question_text\":\"When?\",\"countries\":[\"DE\"]},"
	  "{\"question_id\":\"q3\",\"question_text\":\"Why?\",\"countries\":[\"NO\"]}]}",
	  { "**France, Germany and Norway compared**: 2 of 20 questions, the most different answers first.",
	    "**How?**\n\n- **France and Germany**: Yes. (last reviewed 2025-01-01 · "
	    "https://a.example/)\n- **Norway**: No\n",
	    "- **Germany and Norway**: no answer recorded",
	    "- Why? (no answer recorded for Norway)" },
	  { "0.73", "score", "|", "- When? (no answer" } },
	/* a question, not a wish to compare: its answer comes first, for each country */
	{ COMPARE, "{\"countries\":[\"FR\",\"DE\"],\"question\":\"must I?\"}",
	  "{\"found\":true,\"countries\":[\"FR\",\"DE\"],\"total_questions\":2,\"differences\":["
	  DIFFERENCE("q1", "Must I?", "{\"FR\":\"Yes.\",\"DE\":\"No\"}") ","
	  DIFFERENCE("q2", "When?", "{\"FR\":\"Now\",\"DE\":\"Later\"}") "]}",
	  { "**Must I?**\n\n- **France**: Yes.\n- **Germany**: No\n\n**Other rules of these countries**:\n\n**When?**" },
	  { "compared", "\n**Must" } },
	/* equal wording is not equal rules */
	{ COMPARE, "{}", "{\"found\":true,\"countries\":[\"FR\",\"DE\"],\"total_questions\":3,"
	  "\"differences\":[],\"message\":\"m\"}",
	  { "of France and Germany I found no difference: the answers to the 3 questions",
	    "does not mean that the rules are the same" }, { "m\n" } },
	/* one country with rules is nothing to compare: not “no difference” */
	{ COMPARE, "{}", "{\"found\":true,\"countries\":[\"FR\",\"AT\"],\"total_questions\":57,"
	  "\"differences\":[],\"unknown_countries\":[\"AT\"],\"message\":\"Needs two countries.\"}",
	  { "Needs two countries." }, { "no difference" } },
	{ COMPARE, "{}", "{\"found\":true,\"countries\":[\"FR\",\"DE\"],\"total_questions\":0,"
	  "\"differences\":[],\"message\":\"None answers this.\"}", { "None of the rules of France and Germany answers this question.", "check the AIP of France and Germany" }, { "alike" } },
	{ COMPARE, "{\"question\":\"x\"}", "{\"found\":true,\"countries\":[\"FR\",\"DE\"],\"total_questions\":0,\"differences\":[],"
	  "\"message\":\"m\",\"general_rule\":" GENERAL_OXYGEN "}",
	  { "**Oxygen** (European rule NCO.OP.190)", "\n\nNone of the rules of France and Germany answers this question." }, { "check the AIP of" } },
	/* the older tools */
	{ "list_rule_countries", "{}", "{\"found\":true,\"countries\":[{\"code\":\"FR\","
	  "\"name\":\"France\",\"rules\":52}]}", { "- France (FR): 52 rules" }, { NULL } },
	{ "list_rule_categories_and_tags", "{}", "{\"found\":true,\"categories\":[{\"name\":\"VFR\","
	  "\"count\":1}],\"tags\":[{\"name\":\"airspace\",\"count\":9}]}",
	  { "**Categories**\n\n- VFR: 1 question\n", "**Topics**\n\n- airspace: 9 questions" }, { NULL } },
	{ "get_answers_for_questions", "{}", "{\"found\":true,\"questions\":[{\"question_text\":\"A?\","
	  "\"answers\":{\"FR\":{\"answer_html\":\"B<br>C\",\"links\":[],\"last_reviewed\":\"2025\"}}}]}",
	  { "**A?**\n\n- **France**: B C (last reviewed 2025)" }, { NULL } },
	/* hostile data: markup, headings, lists and addresses that pretend */
	{ ANSWER, "{\"tags\":[\"**x**<b>\",7]}",
	  FOUND(RULE("# a **b** [c](d)", "1",
	      "# heading<br>- item<br>1. one<br>2) two<br>&gt; deep<br>---<br>===<br>+ plus<br>+33 1<br>"
	      "-5 C<br><br><br><br>| a | b |<br>&lt;script&gt; *x* ![i](http://e.example) a\\\\_b",
	      "[\"https://good.example@evil.example/\",\"https://a.example/<b>\",\"https://\",7]",
	      "\"**now**\"")),
	  { "＃ heading  \n– item  \n1․ one  \n2․ two  \n› deep  \n–--  \n＝==  \n＋ plus  \n+33 1  \n"
	    "-5 C\n\n¦ a ¦ b ¦  \n‹script> ∗x∗ !(i)(http://e.example) a∖ˍb",
	    "(last reviewed ∗∗now∗∗ · https://evil.example/)",
	    "# a ∗∗b∗∗ (c)(d)" },
	  { "\n# ", "\n> ", "\n- item", "\n1. ", "good.example", "<b>", "\\", "](" } },
	/* wrong types anywhere */
	{ ANSWER, "{\"tags\":7}", "{\"found\":true,\"rules\":[7,{\"answer_html\":3}]}",
	  { "this country" }, { NULL } },
	{ BROWSE, "{}", "{\"found\":true,\"rules\":\"x\",\"total\":\"y\"}", { "rules" }, { NULL } },
	{ COMPARE, "{}", "{\"differences\":[7,{\"answers\":9}],\"countries\":[7,\"FR\"],"
	  "\"sources\":{},\"missing_answers\":[3]}", { "compared" }, { NULL } },
	{ "list_rule_countries", "{}", "{\"countries\":[7]}", { "rules" }, { NULL } },
};

struct desk {
	struct arena *mem;
	struct sink_mem sink;
	struct message message;
	struct run run;
	struct plan plan, rules_plan;
	struct writing writing;
	const char *answer;
	struct err e;
};

static struct json_object *parse(struct arena *a, const char *text)
{
	struct json_object *o = NULL;
	struct err e = { .code = OK };

	TEST_OK(jsn_parse(a, text, strlen(text), JSN_DEPTH, &o, NULL, &e), e);
	return o;
}

static void desk_init(struct desk *d)
{
	*d = (struct desk){ .mem = arena_new() };
	sink_mem_init(&d->sink, d->mem);
	d->message = (struct message)MESSAGE("user", "What are the rules?");
	d->run = (struct run){ .mem = d->mem, .log.first.sink = &d->sink.sink, .messages = &d->message,
		.nmessages = 1 };
	d->writing.found[0].plan = &d->plan;
	d->writing.n = 1;
}

static void desk_write(struct desk *d)
{
	TEST_OK(writer_builtin.write(&d->run, &d->writing, &d->e), d->e);
	d->answer = run_said(&d->run);
}

TEST(writer_rules, says_what_the_result_says)
{
	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
		struct desk d;

		desk_init(&d);
		d.plan.tool = toolset_find(tools_builtin, answers[i].tool);
		cr_assert_not_null(d.plan.tool, "no tool %s", answers[i].tool);
		d.plan.arguments = parse(d.mem, answers[i].args);
		d.writing.found[0].result = parse(d.mem, answers[i].result);
		desk_write(&d);
		for (size_t j = 0; j < LISTED && answers[i].has[j]; j++)
			cr_expect(strstr(d.answer, answers[i].has[j]), "row %zu lacks: %s\n%s", i,
			    answers[i].has[j], d.answer);
		for (size_t j = 0; j < LISTED && answers[i].hasnt[j]; j++)
			cr_expect(!strstr(d.answer, answers[i].hasnt[j]), "row %zu has: %s\n%s", i,
			    answers[i].hasnt[j], d.answer);
		arena_free(d.mem);
	}
}

/* A turn about both: the airports, a heading, the rules. */
TEST(writer_rules, writes_airports_and_rules_one_after_the_other)
{
	struct desk d;

	desk_init(&d);
	d.plan.tool = toolset_find(tools_builtin, "search_airports");
	d.plan.arguments = parse(d.mem, "{\"query\":\"Lyon\"}");
	d.writing.found[0].result = parse(d.mem, "{\"count\":1,\"airports\":[{\"ident\":\"LFLY\","
	    "\"name\":\"Bron\"}],\"filter_profile\":{\"search_query\":\"Lyon\"}}");
	d.rules_plan = (struct plan){ .tool = toolset_find(tools_builtin, ANSWER),
		.arguments = parse(d.mem, "{\"country_code\":\"FR\"}") };
	d.writing.found[1] = (struct finding){ &d.rules_plan,
		parse(d.mem, FOUND(RULE("A?", "0.9", "B.", "[]", "null"))), "rules" };
	d.writing.n = 2;
	desk_write(&d);
	const char *airports = strstr(d.answer, "LFLY"), *heading = strstr(d.answer, "\n\n### Rules\n\n");
	cr_assert(airports != NULL && heading != NULL && airports < heading, "%s", d.answer);
	cr_assert_not_null(strstr(heading, "**France: A?**\n\nB.\n"), "%s", d.answer);
	cr_assert_null(strstr(d.answer, "\n\n\n"), "%s", d.answer);
	arena_free(d.mem);
}

/* Two of one kind: the heading says which is which. */
TEST(writer_rules, several_of_one_kind_have_headings_of_their_own)
{
	struct desk d;
	const struct plan germany = { .tool = toolset_find(tools_builtin, ANSWER) };
	struct plan second = germany;

	desk_init(&d);
	d.plan.tool = germany.tool;
	d.plan.arguments = parse(d.mem, "{\"country_code\":\"FR\"}");
	second.arguments = parse(d.mem, "{\"country_code\":\"DE\"}");
	d.writing.found[0].result = parse(d.mem, FOUND(RULE("A?", "0.9", "B.", "[]", "null")));
	d.writing.found[1] = (struct finding){ &second,
		parse(d.mem, FOUND(RULE("C?", "0.9", "D.", "[]", "null"))), "rules (Germany)" };
	d.writing.n = 2;
	desk_write(&d);
	const char *heading = strstr(d.answer, "\n\n### Rules (Germany)\n\n");
	cr_assert_not_null(heading, "%s", d.answer);
	const char *one = strstr(d.answer, "A?"), *two = strstr(d.answer, "C?");
	cr_assert(one != NULL && two != NULL && one < heading && two > heading, "%s", d.answer);
	arena_free(d.mem);
}

/* A long answer is cut between words, in the quotation and in a list. */
TEST(writer_rules, cuts_long_answers)
{
	struct desk d;
	struct buf html;

	desk_init(&d);
	buf_init(&html, 8000);
	while (!html.full)
		buf_puts(&html, "wört ");
	struct answer w = { .mem = d.mem, .out = &html, .wording = messages_in("en") };
	const char *text = arena_strndup(d.mem, html.p, 7990);
	const char *brief = rules_short(&w, text, 100);
	cr_assert_leq(strlen(brief), (size_t)110, "%s", brief);
	cr_assert(utf8_valid(brief, strlen(brief)));
	cr_assert(strstr(brief, "wört …") != NULL, "%s", brief);
	cr_assert_str_eq(rules_short(&w, "short", 100), "short");
	buf_clear(&html);
	rules_quote(&w, text, 1000);
	cr_assert_leq(html.n, (size_t)1020);
	cr_assert(utf8_valid(html.p, html.n));
	buf_release(&html);
	arena_free(d.mem);
}

/* What a page that knows only headings, bold and code would show as it is written. */
static const char *shown_raw(struct arena *a, const char *text)
{
	static const char *const anywhere[] = { "\\", "](", "####", "**", "`", "<b", "<a" };
	static const char *const begins[] = { "> ", "#", "- ", "* ", "+ ", "| " };

	for (size_t i = 0; i < sizeof(anywhere) / sizeof(anywhere[0]); i++)
		if (strstr(text, anywhere[i]) != NULL)
			return anywhere[i];
	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (starts_with(text, begins[i]) || strstr(text, arena_printf(a, "\n%s", begins[i])))
			return begins[i];
	return NULL;
}

TEST(writer_rules, every_recorded_answer_reads_well_everywhere)
{
	const char *path = test_data("rules/rules.json");
	struct rulebase *base;
	struct err e = { .code = OK };
	struct buf out;

	if (path == NULL)
		test_skip("no real rules beside the tree");
	TEST_OK(rulebase_load(&base, path, &e), e);
	buf_init(&out, 64 * 1024);
	for (size_t i = 0; i < base->nquestions; i++)
		for (size_t k = 0; k < base->questions[i].nentries; k++) {
			const struct rule_entry *entry = &base->questions[i].entries[k];
			struct arena *a = arena_new();
			struct answer w = { .mem = a, .out = &out, .wording = messages_in("en") };
			struct json_object *rule = jsn_object(a), *links = json_object_new_array();

			for (size_t l = 0; l < entry->nlinks; l++)
				jsn_push(links, jsn_str(entry->links[l]));
			jsn_add(rule, "links", links);
			buf_clear(&out);
			rules_quote(&w, entry->html, 1600);
			buf_puts(&out, rules_source(&w, rule));
			const char *raw = shown_raw(a, out.p);
			cr_expect_null(raw, "%s in %s of %s", raw, base->questions[i].id, entry->country);
			cr_expect_null(strstr(out.p, "\n\n\n"));
			arena_free(a);
		}
	buf_release(&out);
	rulebase_free(base);
}
