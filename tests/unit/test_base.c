/*
 * The base layer: errors, arena, buffers, strings, ids, JSON.
 */
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/errs.h"
#include "base/files.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"
#include "base/url.h"
#include "tests/unit/test.h"

#include <math.h>
#include <stdint.h>
#include <unistd.h>

TEST(errs, every_code_has_a_row)
{
	for (int c = 0; c < ERR__MAX; c++) {
		const struct err_row *r = err_row((enum errcode)c);
		cr_assert_not_null(r->name, "code %d", c);
		if (c != OK && c != ERR_HUP) {
			cr_assert_not_null(r->said, "%s", r->name);
			cr_assert(r->http >= 400 && r->exit > 0, "%s", r->name);
		}
	}
	cr_assert_str_eq(err_row((enum errcode)999)->name, "internal_error");
}

TEST(errs, prefix_keeps_what_fits)
{
	struct err e = { 0 };
	err_set(&e, ERR_DATA, "no table %s", "airports");
	err_prefix(&e, "%s", "x.db");
	cr_assert_str_eq(e.msg, "x.db: no table airports");
	char longish[600];
	memset(longish, 'a', sizeof(longish) - 1);
	longish[sizeof(longish) - 1] = '\0';
	cr_assert_eq(err_prefix(&e, "%s", longish), ERR_DATA);
	cr_assert_eq(strlen(e.msg), sizeof(e.msg) - 1);
	err_set(&e, ERR_DATA, "%s", e.msg);    /* its own text as argument */
}

static void count(void *p)
{
	++*(int *)p;
}

TEST(arena, gives_zeroed_aligned_memory_and_runs_deferred)
{
	int called = 0;
	struct arena *a = arena_new();
	for (size_t n = 0; n < 3000; n += 7) {
		unsigned char *p = arena_alloc(a, n);
		cr_assert_eq((uintptr_t)p % 16, 0);
		for (size_t i = 0; i < n; i++)
			cr_assert_eq(p[i], 0);
		memset(p, 0xee, n);
	}
	char *big = arena_alloc(a, 5 << 20);
	big[(5 << 20) - 1] = 1;
	arena_defer(a, count, &called);
	arena_defer(a, count, &called);
	cr_assert_str_eq(arena_printf(a, "%d-%s", 7, "x"), "7-x");
	cr_assert_null(arena_strdup(a, NULL));
	arena_free(a);
	cr_assert_eq(called, 2);
}

TEST(buf, never_passes_its_ceiling)
{
	struct buf b;
	buf_init(&b, 10);
	cr_assert_str_eq(b.p, "");
	buf_puts(&b, "12345");
	buf_printf(&b, "%s", "67890abc");
	cr_assert_str_eq(b.p, "1234567890");
	cr_assert(b.full);
	buf_trunc(&b, 3);
	cr_assert_str_eq(b.p, "123");
	buf_clear(&b);
	cr_assert(!b.full && b.n == 0);
	buf_release(&b);
}

static const struct { const char *in, *out; } folds[] = {
	{ "Zürich", "zurich" }, { "ÅRE ÖSTERSUND", "are ostersund" }, { "Łódź", "lodz" },
	{ "Straße", "strasse" }, { "Ørland", "orland" }, { "Cœur", "coeur" },
	{ "Ţânţăreni Șomcuta", "tantareni somcuta" }, { "Hà Nội", "ha noi" },
	{ "Z\xcc\x8curich", "zurich" }, { "L’Alpe – d‘Huez", "l'alpe - d'huez" },
	{ "Москва", "Москва" }, { "a\xff" "b", "a\xff" "b" }, { "", "" }, { "Þingeyri", "thingeyri" },
	{ "Trường Sa", "truong sa" }, { "KȨTRZYN", "ketrzyn" }, { "Đakovo ẞ Ǿ", "dakovo ss o" },
	{ "½ ﬁ 한 Ω", "½ ﬁ 한 Ω" },
};

TEST(str, folds)
{
	struct arena *a = arena_new();
	for (size_t i = 0; i < sizeof(folds) / sizeof(folds[0]); i++)
		cr_assert_str_eq(str_fold(a, folds[i].in), folds[i].out, "%s", folds[i].in);
	arena_free(a);
}

static const struct { const char *text; bool valid; } utf8s[] = {
	{ "abc", true }, { "é€😀", true }, { "\xc0\x80", false }, { "\xed\xa0\x80", false },
	{ "\xf4\x90\x80\x80", false }, { "\xe2\x82", false }, { "\x80", false }, { "", true },
};

TEST(str, checks_utf8)
{
	for (size_t i = 0; i < sizeof(utf8s) / sizeof(utf8s[0]); i++)
		cr_assert_eq(utf8_valid(utf8s[i].text, strlen(utf8s[i].text)), utf8s[i].valid,
		    "row %zu", i);
	/* long text is looked at in blocks: the same sequences, anywhere among ASCII */
	for (size_t i = 0; i < sizeof(utf8s) / sizeof(utf8s[0]); i++)
		for (int before = 0; before < 40; before++) {
			char text[128];
			int n = snprintf(text, sizeof(text), "%.*s%s%s", before,
			    "The quick brown fox jumps over the lazy dog", utf8s[i].text,
			    "and again the quick brown fox jumps");
			cr_assert_eq(utf8_valid(text, (size_t)n), utf8s[i].valid, "%s", text);
		}
	cr_assert_eq(utf8_cut("a€b", 5, 3), 1);
	cr_assert_eq(utf8_cut("a€b", 5, 4), 4);
}

static const struct { const char *text; bool ok; double v; } numbers[] = {
	{ "12", true, 12 }, { " -3.5 ", true, -3.5 }, { "12abc", false, 0 }, { "", false, 0 },
	{ "nan", false, 0 }, { "0x10", false, 0 }, { "1e400", false, 0 }, { "1e3", true, 1000 },
};

TEST(str, parses_numbers)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		double v = 0;
		cr_assert_eq(str_to_double(numbers[i].text, &v), numbers[i].ok, "%s",
		    numbers[i].text);
		if (numbers[i].ok)
			cr_assert_eq(v, numbers[i].v);
	}
}

TEST(str, changes_the_case_of_ascii_alone)
{
	struct arena *a = arena_new();
	char s[] = "Zürich `{az@[ĳ";
	str_upper(s);
	cr_assert_str_eq(s, "ZüRICH `{AZ@[ĳ");
	str_lower(s);
	cr_assert_str_eq(s, "zürich `{az@[ĳ");
	cr_assert_str_eq(str_upper_copy(a, "lfpb", 2), "LF");
	arena_free(a);
}

TEST(str, knows_one_slip_of_the_finger)
{
	static const struct { const char *a, *b; bool one; } rows[] = {
		{ "lyon", "lyon", true }, { "lyon", "lyonn", true }, { "lyon", "lon", true }, { "lyon", "lyan", true },
		{ "lyon", "lyno", true }, { "yonl", "lyon", false }, { "lyon", "lyxx", false }, { "", "a", true }, { "", "ab", false },
		{ "aaa", "aa", true }, { "abcd", "badc", false },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_expect_eq(str_one_slip(str_of(rows[i].a), str_of(rows[i].b)), rows[i].one, "%s, %s", rows[i].a, rows[i].b);
}

TEST(str, parts_lists)
{
	const char *list = "a|bc||d";
	struct str part;
	static const char *const want[] = { "a", "bc", "", "d" };
	for (size_t i = 0; i < 4; i++)
		cr_assert(str_part(&list, '|', &part) && str_eq(part, want[i]), "%zu", i);
	cr_assert_not(str_part(&list, '|', &part));
	cr_assert(one_of("bc", "a|bc|d") && one_of("d", "a|bc|d") && one_of("a", "a"));
	cr_assert_not(one_of("b", "a|bc|d"));
	cr_assert_not(one_of("a|bc", "a|bc|d"));
	cr_assert_not(one_of("", "a||d"));
	cr_assert_not(one_of("A", "a|b"));
	cr_assert(ione_of("A", "a|b") && !ione_of("", "a|b"));
}

TEST(str, knows_an_id)
{
	static const struct { const char *s; bool good; } rows[] = {
		{ "a", true }, { "Thread_1-x", true }, { "12345678", true }, { "123456789", false },
		{ "", false }, { NULL, false }, { "a b", false }, { "a\n", false }, { "é", false },
		{ "a/b", false },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_assert_eq(id_valid(rows[i].s, i < 2 ? 10 : 8), rows[i].good, "row %zu", i);
}

TEST(str, reads_and_writes_hexadecimal_digits)
{
	char out[7];
	for (int c = 0; c < 256; c++) {
		const char *digits = "0123456789abcdefABCDEF";
		const char *at = c != 0 ? strchr(digits, c) : NULL;
		int want = at == NULL ? -1 : at - digits < 16 ? (int)(at - digits) : (int)(at - digits) - 6;
		cr_assert_eq(hex_value((char)c), want, "%d", c);
	}
	cr_assert_eq(hex_put(out, "\x00\xaf\x7f", 3), out + 6);
	cr_assert_str_eq(out, "00af7f");
	cr_assert_eq(utf8_count("Zürich", strlen("Zürich")), 6);
}

TEST(url, encodes_and_decodes)
{
	struct arena *a = arena_new();
	char out[16];
	cr_assert_str_eq(url_encode(a, "a b/ü-._~%"), "a%20b%2F%C3%BC-._~%25");
	cr_assert(url_decode(out, sizeof(out), STR("a%20b+%C3%bc"), false));
	cr_assert_str_eq(out, "a b+ü");
	cr_assert(url_decode(out, sizeof(out), STR("a+%2B"), true));
	cr_assert_str_eq(out, "a +");
	cr_assert(url_decode(out, 4, STR("abc"), false));
	static const struct str wrong[] = {
		STR("%"), STR("%4"), STR("a%4g"), STR("%00"), STR("\0"), STR("a%2"),
	};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		cr_assert_not(url_decode(out, sizeof(out), wrong[i], false), "row %zu", i);
	cr_assert_not(url_decode(out, 3, STR("abc"), false));
	arena_free(a);
}

TEST(files, makes_every_missing_folder)
{
	struct arena *a = arena_new();
	char top[] = "/tmp/dirs-XXXXXX";
	struct stat st;
	struct err e = { 0 };
	cr_assert_not_null(mkdtemp(top));
	const char *deep = arena_printf(a, "%s/a//b/c", top), *file = arena_printf(a, "%s/f", top);
	TEST_OK(make_dirs(deep, 0750, &e), e);
	TEST_OK(make_dirs(deep, 0750, &e), e);
	cr_assert(stat(deep, &st) == 0 && S_ISDIR(st.st_mode) && (st.st_mode & 0027) == 0);
	fclose(fopen(file, "we"));
	const char *under = arena_printf(a, "%s/f/x", top);
	cr_assert_eq(make_dirs(under, 0750, &e), ERR_IO);
	cr_assert_str_eq(e.msg, arena_printf(a, "folder %s: cannot make %s: Not a directory", under,
	    under));
	cr_assert_eq(make_dirs("", 0750, &e), ERR_IO);
	remove(file);
	for (const char *const *p = (const char *const[]){ "/a/b/c", "/a/b", "/a", "", NULL }; *p; p++)
		cr_assert_eq(rmdir(arena_printf(a, "%s%s", top, *p)), 0);
	arena_free(a);
}

TEST(clock, timed_waits_follow_the_monotonic_clock)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t cond;
	struct timespec at = clock_at(1999);
	cr_assert(at.tv_sec == 1 && at.tv_nsec == 999000000);
	clock_cond_init(&cond);
	int64_t began = clock_mono_ms();
	at = clock_at(began + 20);
	pthread_mutex_lock(&lock);
	while (pthread_cond_timedwait(&cond, &lock, &at) == 0)
		;
	pthread_mutex_unlock(&lock);
	cr_assert(clock_mono_ms() - began >= 19);
	pthread_cond_destroy(&cond);
}

TEST(clock, makes_ids_of_the_documented_form)
{
	char id[ID_SIZE], other[ID_SIZE];
	id_thread(id);
	cr_assert_eq(strlen(id), 7 + 32);
	id_thread(other);
	cr_assert_str_neq(id, other);
	id_run(id);
	cr_assert_eq(strlen(id), 36);
	cr_assert_eq(id[14], '4');
	cr_assert_not_null(strchr("89ab", id[19]));
	/* digits only, as clients know it, and 39 of them cannot be guessed */
	id_session(id);
	id_session(other);
	cr_assert_eq(strlen(id), 8 + 16 + 39, "%s", id);
	cr_assert_eq(strncmp(id, "session_", 8), 0);
	cr_assert_eq(strspn(id + 8, "0123456789"), 16 + 39);
	cr_assert_str_neq(id + 24, other + 24);
	char when[CLOCK_ISO_SIZE];
	clock_iso_utc(when, 1767435300123456);
	cr_assert_str_eq(when, "2026-01-03T10:15:00.123456");
}

static const struct { const char *text, *plain; } jsons[] = {
	{ "{\"a\": 1, \"b\": [true, null, \"x\"]}", "{\"a\":1,\"b\":[true,null,\"x\"]}" },
	{ "38.90", "38.9" }, { "5541.0", "5541" }, { "0.1", "0.1" }, { "-0.0", "0" },
	{ "\"a\\/b\\u00e9\\n\"", "\"a/bé\\n\"" }, { "[]", "[]" }, { " {} ", "{}" }, { "null", "null" },
	{ "\"\\u0001\"", "\"\\u0001\"" }, { "1e300", "1e+300" }, { "\"1.\"", "\"1.\"" },
	/* not JSON */
	{ "", NULL }, { "{", NULL }, { "{} x", NULL }, { "NaN", NULL }, { "[Infinity]", NULL },
	{ "{'a':1}", NULL }, { "\"\xff\"", NULL }, { "[1,]", NULL }, { "\"a\nb\"", NULL },
	{ "1.", NULL }, { "[1.,2]", NULL }, { ".5", NULL },
	{ "tru", NULL }, { "\"\xc0\xaf\"", NULL }, { "\"\xed\xa0\x80\"", NULL },
};

TEST(jsn, parses_strictly_and_prints)
{
	for (size_t i = 0; i < sizeof(jsons) / sizeof(jsons[0]); i++) {
		struct arena *a = arena_new();
		struct json_object *o;
		struct err e = { 0 };
		enum errcode rc = jsn_parse(a, jsons[i].text, strlen(jsons[i].text), JSN_DEPTH,
		    &o, NULL, &e);
		if (jsons[i].plain == NULL) {
			cr_expect_eq(rc, ERR_INPUT, "accepted: %s", jsons[i].text);
		} else {
			cr_expect_eq(rc, OK, "%s: %s", jsons[i].text, e.msg);
			if (rc == OK)
				cr_expect_str_eq(jsn_text(a, o, JSN_PLAIN), jsons[i].plain);
		}
		arena_free(a);
	}
}

TEST(jsn, prints_the_shortest_number_that_reads_back)
{
	static const double fixed[] = { 0.1, -0.5, 38.9, 0.000001, -0.000001, 1e-7, 1e-5, 99999999.123456,
		1e8 + 0.5, 48.725277, 0.30000000000000004, 5e-324, 1.7976931348623157e308, 123456.7 };
	unsigned long long x = 88172645463325252ull;
	for (size_t i = 0; i < 200000; i++) {
		double v = i < sizeof(fixed) / sizeof(fixed[0]) ? fixed[i] : 0;
		if (v == 0) {
			x ^= x << 13, x ^= x >> 7, x ^= x << 17;
			v = (double)(long long)(x % 360000000ull) / (i % 2 ? 1e6 : 1e5) - 180 +
			    (i % 3 == 0 ? 1e-9 * (double)(x % 1000) : 0);
		}
		char out[32], shorter[32];
		num_print(out, v);
		cr_assert_eq(strtod(out, NULL), v, "%s is not %.17g", out, v);
		int digits = 1;
		do
			snprintf(shorter, sizeof(shorter), "%.*g", digits, v);
		while (strtod(shorter, NULL) != v && ++digits <= 17);
		size_t have = 0;
		for (const char *p = out; *p != '\0' && *p != 'e'; p++)
			have += *p >= '0' && *p <= '9' && !(have == 0 && *p == '0');
		cr_assert(have <= (size_t)(digits > 15 ? 17 : digits > 8 ? digits : 17), "%s for %s", out, shorter);
	}
}

TEST(jsn, refuses_deep_nesting)
{
	char deep[2001];
	memset(deep, '[', 1000);
	memset(deep + 1000, ']', 1000);
	deep[2000] = '\0';
	struct arena *a = arena_new();
	struct json_object *o;
	struct jsn_fault fault;
	cr_assert_eq(jsn_parse(a, deep, 2000, JSN_DEPTH, &o, &fault, NULL), ERR_INPUT);
	cr_assert_str_eq(fault.why, "Too deeply nested");
	arena_free(a);
}

TEST(jsn, prints_in_three_styles)
{
	static const char text[] = "{\"a\":[1,{\"b\":[]}],\"c\":{}}";
	struct arena *a = arena_new();
	struct json_object *o;
	struct err e;
	TEST_OK(jsn_parse(a, text, sizeof(text) - 1, JSN_DEPTH, &o, NULL, &e), e);
	cr_assert_str_eq(jsn_text(a, o, JSN_PLAIN), text);
	cr_assert_str_eq(jsn_text(a, o, JSN_SPACED), "{\"a\": [1, {\"b\": []}], \"c\": {}}");
	cr_assert_str_eq(jsn_text(a, o, JSN_INDENT),
	    "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ],\n  \"c\": {}\n}");
	arena_free(a);
}

/* A finished text prints like the tree from which it was made, wherever it is. */
TEST(jsn, finished_text_prints_as_its_tree)
{
	static const char *const rows[] = {
		"null", "7", "\"a\"", "[]", "{}", "[{}, [], [[]], {\"a\": []}]",
		"{\"a, b: {\": \"x: [1, 2], \\\"q\\\" \\\\\", \"n\": [1, 2.5, null, true, \"\", \" \"], \"é\": {\"u\": \"\\u0007 ü\"}}",
	};
	struct arena *a = arena_new();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_object *tree, *text, *of_tree = jsn_object(a), *of_text = jsn_object(a);
		struct err e;
		cr_assert_eq(jsn_parse(a, rows[i], strlen(rows[i]), JSN_DEPTH, &tree, NULL, &e), OK, "%s", e.msg);
		text = jsn_own(a, jsn_printed(tree));
		jsn_add(of_tree, "in", jsn_ref(tree));
		jsn_add(of_text, "in", jsn_ref(text));
		jsn_add_int(of_tree, "after", 1);
		jsn_add_int(of_text, "after", 1);
		for (int style = JSN_PLAIN; style <= JSN_INDENT; style++) {
			cr_expect_str_eq(jsn_text(a, text, style), jsn_text(a, tree, style));
			cr_expect_str_eq(jsn_text(a, of_text, style), jsn_text(a, of_tree, style));
			cr_expect_str_eq(jsn_text(a, jsn_copy(a, of_text), style), jsn_text(a, of_tree, style));
		}
		cr_expect_eq(jsn_len(jsn_get(jsn_copy(a, of_text), "in")), jsn_len(tree), "a tree again");
		cr_expect(jsn_own(a, jsn_printed(text)) == text, "once is enough");
	}
	cr_expect_null(jsn_printed(NULL));
	arena_free(a);
}

TEST(jsn, prints_every_byte_of_a_string)
{
	static const char *const named[128] = { ['\b'] = "\\b", ['\t'] = "\\t", ['\n'] = "\\n",
		['\f'] = "\\f", ['\r'] = "\\r", ['"'] = "\\\"", ['\\'] = "\\\\" };
	for (int c = 0; c < 128; c++) {
		char text[3] = { 'a', (char)c, 'z' }, want[16];
		struct json_object *o = jsn_strn(text, 3);
		struct buf b;
		if (named[c] != NULL)
			snprintf(want, sizeof(want), "\"a%sz\"", named[c]);
		else
			snprintf(want, sizeof(want), c < 0x20 || c == 0x7f ? "\"a\\u%04xz\"" : "\"a%cz\"", c);
		buf_init(&b, 100);
		jsn_print(&b, o, JSN_PLAIN);
		cr_expect_str_eq(b.p, want);
		buf_release(&b);
		json_object_put(o);
	}
}

/* They command terminals, where a log or the output of a command may be read. */
TEST(jsn, escapes_the_controls_beyond_ascii)
{
	static const struct { const char *text, *json; } rows[] = {
		{ "a\xc2\x9b" "31m", "\"a\\u009b31m\"" }, { "\xc2\x80\xc2\x9f", "\"\\u0080\\u009f\"" },
		{ "12°·\u00a0Â", "\"12°·\u00a0Â\"" }, { "\xc2\xa0", "\"\xc2\xa0\"" },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena *a = arena_new();
		struct json_object *o, *back;
		struct err e;
		o = jsn_own(a, jsn_str(rows[i].text));
		const char *json = jsn_text(a, o, JSN_PLAIN);
		cr_expect_str_eq(json, rows[i].json, "row %zu", i);
		TEST_OK(jsn_parse(a, json, strlen(json), JSN_DEPTH, &back, NULL, &e), e);
		cr_expect_str_eq(json_object_get_string(back), rows[i].text, "row %zu", i);
		arena_free(a);
	}
}

/* The library would cut the name there, and take "role\0x" for "role". */
TEST(jsn, refuses_names_with_a_nul)
{
	static const struct { const char *text; bool ok; size_t at; } rows[] = {
		{ "{\"role\\u0000x\":1}", false, 6 }, { "{\"a\":{\"\\u0000\" \t: 1}}", false, 7 },
		{ "{\"a\":\"x\\u0000\"}", true, 0 }, { "[\"\\u0000\",\"b\"]", true, 0 },
		{ "{\"a\\\\u0000\":1}", true, 0 }, { "{\"x\":\"\\u0000\",\"y\":1}", true, 0 },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena *a = arena_new();
		struct json_object *o;
		struct jsn_fault fault;
		cr_expect_eq(jsn_parse(a, rows[i].text, strlen(rows[i].text), JSN_DEPTH, &o, &fault, NULL),
		    rows[i].ok ? OK : ERR_INPUT, "row %zu", i);
		if (!rows[i].ok)
			cr_expect_eq(fault.offset, rows[i].at, "row %zu: %zu", i, fault.offset);
		arena_free(a);
	}
}

TEST(jsn, reads_without_converting)
{
	struct arena *a = arena_new();
	struct json_object *o = jsn_object(a);
	jsn_add_str(o, "text", "12abc");
	jsn_add_str(o, "bad", "x\xffy");
	jsn_add_num(o, "nan", NAN);
	jsn_add_num(o, "whole", 5541.0);
	jsn_add_bool(o, "no", false);
	cr_assert_eq(jsn_get_int(o, "text", -1), -1);
	cr_assert_str_eq(jsn_get_str(o, "bad", ""), "x\xef\xbf\xbdy");
	cr_assert(jsn_has(o, "nan") && jsn_get(o, "nan") == NULL);
	cr_assert_eq(jsn_get_int(o, "whole", 0), 5541);
	cr_assert(!jsn_truthy(jsn_get(o, "no")) && jsn_truthy(jsn_get(o, "text")));
	size_t n = 0;
	JSN_EACH(o, it) {
		if (it.val == NULL)
			continue;
		n++;
	}
	cr_assert_eq(n, 4);
	cr_assert_eq(num_round(2.675, 2), 2.67);
	arena_free(a);
}

/* However many there are, around the size an object begins with: all stay, in order. */
TEST(jsn, keeps_all_members_of_an_object)
{
	static const int sizes[] = { 0, 1, 3, 4, 5, 6, 7, 8, 12, 13, 50, 1000 };
	struct arena *a = arena_new();
	char key[16];
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct json_object *o = jsn_object(a);
		int n = 0;
		for (int k = 0; k < sizes[i]; k++) {
			snprintf(key, sizeof(key), "k%d", k);
			jsn_add_int(o, key, k);
		}
		cr_expect_eq(jsn_len(o), (size_t)sizes[i]);
		for (int k = 0; k < sizes[i]; k++) {
			snprintf(key, sizeof(key), "k%d", k);
			cr_expect_eq(jsn_get_int(o, key, -1), k, "%d of %d", k, sizes[i]);
		}
		cr_expect(!jsn_has(o, "k"));
		JSN_EACH(o, it) {
			snprintf(key, sizeof(key), "k%d", n);
			cr_expect_str_eq(it.key, key);
			cr_expect_eq(json_object_get_int(it.val), n++);
		}
		cr_expect_eq(n, sizes[i]);

		/* a member that is set again keeps its place; others come and go */
		if (sizes[i] > 0)
			jsn_add_int(o, "k0", 7);
		for (int k = 0; k < 100; k++) {
			snprintf(key, sizeof(key), "x%d", k);
			jsn_add_int(o, key, k);
			json_object_object_del(o, key);
		}
		cr_expect_eq(jsn_len(o), (size_t)sizes[i]);
		cr_expect_eq(jsn_get_int(o, "k0", -1), sizes[i] > 0 ? 7 : -1);
		struct json_object *copy = jsn_copy(a, o);
		cr_expect_str_eq(jsn_text(a, copy, JSN_PLAIN), jsn_text(a, o, JSN_PLAIN));
	}
	arena_free(a);
}

static const struct { const char *text, *logged; } logged[] = {
	{ "a\nb\x1b[31m", "a\\x0ab\\x1b[31m" },
	{ "a\x7f\rb", "a\\x7f\\x0db" },
	{ "Zürich · €", "Zürich · €" },
	{ "a\xc2\x9b" "31m\xc2\x85" "b", "a\\xc2\\x9b31m\\xc2\\x85b" },
	{ "a\x9b" "31m\xff", "a\\x9b31m\\xff" },       /* controls of old terminals, and no UTF-8 */
	{ "cut\xe2\x82", "cut\\xe2\\x82" },
};

TEST(log, escapes_controls)
{
	char *dir = test_mkdtemp(), path[600], line[4096], want[256];
	snprintf(path, sizeof(path), "%s/log", dir);
	cr_assert(log_open(path));
	for (size_t i = 0; i < sizeof(logged) / sizeof(logged[0]); i++)
		log_msg(LOG_INFO, "event", "text=%s", logged[i].text);
	cr_assert(log_open(NULL));
	FILE *f = fopen(path, "r");
	for (size_t i = 0; i < sizeof(logged) / sizeof(logged[0]); i++) {
		cr_assert_not_null(fgets(line, sizeof(line), f));
		snprintf(want, sizeof(want), "info event text=%s\n", logged[i].logged);
		cr_expect_not_null(strstr(line, want), "%s", line);
	}
	cr_assert_null(fgets(line, sizeof(line), f));
	fclose(f);
	test_rmdir(dir);
}

/* A value as long as it likes leaves one line. */
TEST(log, escapes_within_its_line)
{
	char *dir = test_mkdtemp(), path[600], line[8192], text[4096];
	snprintf(path, sizeof(path), "%s/log", dir);
	memset(text, '\x1b', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	cr_assert(log_open(path));
	log_msg(LOG_INFO, "event", "text=%s", text);
	cr_assert(log_open(NULL));
	FILE *f = fopen(path, "r");
	cr_assert_not_null(fgets(line, sizeof(line), f));
	cr_expect_gt(strlen(line), 1000);
	cr_expect_str_eq(line + strlen(line) - 5, "\\x1b\n");
	cr_assert_null(fgets(line, sizeof(line), f));
	fclose(f);
	test_rmdir(dir);
}

TEST(log, shortens_capabilities)
{
	cr_assert_str_eq(log_id("thread_0a1b2c3d4e5f"), "thread_0a1b…");
}
