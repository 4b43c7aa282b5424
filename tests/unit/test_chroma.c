/*
 * The Chroma client over real sockets: ids of collections, records, vectors, and servers that
 * answer with something else.
 */
#include "services/chroma.h"
#include "services/chroma_rows.h"
#include "tests/unit/scripted_chroma.h"

#include <math.h>

static const struct chroma_record records[] = {
	{ "good", "a_FR", "a", "FR", { 1, 0, 0 } }, { "good", "b_FR", "b", "FR", { 0, 1, 0 } },
	{ "good", "a_DE", "a", "DE", { 1, 0, 0 } }, { "good", "c_DE", "c", "DE", { 0, 0, 1 } },
};
static const float along_a[] = { 1, 0, 0 };

static void fill(void)
{
	chroma.records = records;
	chroma.nrecords = sizeof(records) / sizeof(records[0]);
}

TEST(chroma, addresses)
{
	static const struct { const char *url, *host; } rows[] = {
		{ "http://chroma", "chroma:8000" },
		{ "https://chroma", "chroma:443" },           /* https stays https */
		{ "http://10.0.0.1:1234/some/path?x", "10.0.0.1:1234" },
		{ "HTTPS://Chroma.example.org:8443/", "Chroma.example.org:8443" },
		{ "http://user:pass@chroma:9", "chroma:9" },
		{ "http://user:pass@chroma", "chroma:8000" },
		{ "http://[::1]", "[::1]:8000" },
		{ "http://[::1]:77", "[::1]:77" },
		{ "chroma:8000", NULL }, { "", NULL }, { "ftp://chroma", NULL }, { "http://", NULL },
		{ "http://:8000", NULL }, { "http://chroma:", NULL }, { "http://chroma:0", NULL },
		{ "http://chroma:65536", NULL }, { "http://chroma:80a", NULL },
		{ "http://user@", NULL }, { "http://a b", NULL },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct chroma *c = NULL;
		struct err e = { 0 };
		enum errcode rc = chroma_open(&c, NULL, rows[i].url, &e);
		cr_expect_eq(rc, rows[i].host != NULL ? OK : ERR_CONFIG, "%s", rows[i].url);
		if (rc == OK)
			cr_expect_str_eq(chroma_host(c), rows[i].host);
		else
			cr_expect_not_null(strstr(e.msg, "VECTOR_DB_URL"));
		chroma_close(c);
	}
}

TEST(chroma, finds_the_nearest)
{
	struct chroma_fix f;
	struct chroma_hit *hits;
	size_t n;
	int64_t count;
	fill();
	chroma_setup(&f);
	struct json_object *where = NULL;
	TEST_OK(chroma_query(f.client, f.a, "good", along_a, 3, NULL, 3, NULL, &hits, &n, &f.e), f.e);
	cr_assert_eq(n, 3);
	cr_expect(hits[0].distance == 0 && hits[1].distance == 0 && hits[2].distance == 2);
	cr_expect_str_eq(jsn_get_str(hits[0].metadata, "question_id", ""), "a");
	TEST_OK(jsn_parse(f.a, "{\"country_code\":{\"$in\":[\"DE\"]}}", 31, 32, &where, NULL, &f.e), f.e);
	TEST_OK(chroma_query(f.client, f.a, "good", along_a, 3, where, 5, NULL, &hits, &n, &f.e), f.e);
	cr_assert_eq(n, 2);
	cr_expect_str_eq(hits[0].id, "a_DE");
	cr_expect_str_eq(hits[1].id, "c_DE");
	TEST_OK(chroma_count(f.client, "good", NULL, &count, &f.e), f.e);
	cr_expect_eq(count, 4);
	/* exactly this request, and the id asked for once */
	cr_expect_eq(atomic_load(&chroma.lookups), 1);
	cr_expect_str_eq(chroma.log[1], CHROMA_PATH "/good-0/query {\"query_embeddings\":[[1,0,0]],"
	    "\"n_results\":5,\"where\":{\"country_code\":{\"$in\":[\"DE\"]}},"
	    "\"include\":[\"metadatas\",\"distances\"]}");
	cr_expect_str_eq(chroma.log[2], CHROMA_PATH "/good-0/count ");
	chroma_teardown(&f);
}

TEST(chroma, vectors_by_id_whatever_the_order)
{
	static const char *const ids[] = { "c_DE", "nobody", "a_FR", "c_DE" };
	struct chroma_fix f;
	float *out[4];
	size_t dims;
	fill();
	chroma_setup(&f);
	TEST_OK(chroma_vectors(f.client, f.a, "good", ids, 4, NULL, out, &dims, &f.e), f.e);
	cr_assert_eq(dims, 3);
	cr_expect_null(out[1]);
	cr_assert(out[0] != NULL && out[2] != NULL && out[3] != NULL);
	cr_expect(out[0][2] == 1 && out[2][0] == 1 && out[3][2] == 1);
	cr_expect_eq(atomic_load(&chroma.asked), 1, "one request");
	TEST_OK(chroma_vectors(f.client, f.a, "good", ids, 0, NULL, out, &dims, &f.e), f.e);
	cr_expect_eq(atomic_load(&chroma.asked), 1, "nothing to ask");
	chroma_teardown(&f);
}

/* Who fills it anew drops the collection; the new one has another id. */
TEST(chroma, a_collection_filled_anew_is_found_again)
{
	struct chroma_fix f;
	struct chroma_hit *hits;
	int64_t count;
	size_t n;
	fill();
	chroma_setup(&f);
	TEST_OK(chroma_count(f.client, "good", NULL, &count, &f.e), f.e);
	atomic_fetch_add(&chroma.filled, 1);
	TEST_OK(chroma_query(f.client, f.a, "good", along_a, 3, NULL, 1, NULL, &hits, &n, &f.e), f.e);
	cr_expect_eq(n, 1);
	TEST_OK(chroma_count(f.client, "good", NULL, &count, &f.e), f.e);
	cr_expect_eq(atomic_load(&chroma.lookups), 2);
	cr_expect_eq(chroma_count(f.client, "none", NULL, &count, &f.e), ERR_NOTFOUND);
	cr_expect_not_null(strstr(f.e.msg, "has no collection none"), "%s", f.e.msg);
	chroma_teardown(&f);
}

#define LISTS(ids, metadatas, distances) \
	"{\"ids\":" ids ",\"metadatas\":" metadatas ",\"distances\":" distances "}"

TEST(chroma, answers_of_something_else)
{
	static const struct { struct chroma_canned c; enum errcode rc; const char *says; } rows[] = {
		{ { "html", 200, "<html>hello</html>" }, ERR_UPSTREAM, "not JSON" },
		{ { "empty", 200, "" }, ERR_UPSTREAM, "not JSON" },
		{ { "number", 200, "17" }, ERR_UPSTREAM, "lacks ids" },
		{ { "list", 200, "[]" }, ERR_UPSTREAM, "lacks ids" },
		{ { "nulls", 200, LISTS("null", "null", "null") }, ERR_UPSTREAM, "lacks ids" },
		{ { "flat", 200, LISTS("[\"a\"]", "[{}]", "[1]") }, ERR_UPSTREAM, "lacks ids" },
		{ { "two", 200, LISTS("[[],[]]", "[[],[]]", "[[],[]]") }, ERR_UPSTREAM, "lacks ids" },
		{ { "lengths", 200, LISTS("[[\"a\",\"b\"]]", "[[{},{}]]", "[[1]]") }, ERR_UPSTREAM,
		  "different lengths" },
		{ { "ids", 200, LISTS("[[7]]", "[[{}]]", "[[1]]") }, ERR_UPSTREAM, "is not" },
		{ { "words", 200, LISTS("[[\"a\"]]", "[[{}]]", "[[\"near\"]]") }, ERR_UPSTREAM,
		  "is not" },
		{ { "nothing", 200, LISTS("[[\"a\"]]", "[[{}]]", "[[null]]") }, ERR_UPSTREAM, "is not" },
		{ { "nan", 200, LISTS("[[\"a\"]]", "[[{}]]", "[[NaN]]") }, ERR_UPSTREAM, "not JSON" },
		{ { "infinite", 200, LISTS("[[\"a\"]]", "[[{}]]", "[[1e999]]") }, ERR_UPSTREAM, "not JSON" },
		{ { "login", 401, "{}" }, ERR_UPSTREAM, "wants a login" },
		{ { "trouble", 500, "oops" }, ERR_UPSTREAM, "HTTP status 500" },
		{ { "moved", 302, "" }, ERR_UPSTREAM, "HTTP status 302" },
		{ { "longer", 400, "{\"error\":\"InvalidArgumentError\",\"message\":\"Collection expecting "
		    "embedding with dimension of 3, got 2\"}" }, ERR_DATA, "rag.embedding_model" },
		{ { "gone", 400, "{\"error\":\"InvalidCollection\",\"message\":\"Collection gone does not "
		    "exist.\"}" }, ERR_NOTFOUND, "has no collection gone" },
		{ { "old", 404, "{\"detail\":\"Not Found\"}" }, ERR_UPSTREAM, "API v2" },
	};
	enum { N = sizeof(rows) / sizeof(rows[0]) };
	struct chroma_canned canned[N];
	struct chroma_fix f;
	for (size_t i = 0; i < N; i++)
		canned[i] = rows[i].c;
	chroma.canned = canned;
	chroma.ncanned = N;
	chroma_setup(&f);
	for (size_t i = 0; i < N; i++) {
		struct chroma_hit *hits;
		size_t n;
		f.e = (struct err){ 0 };
		enum errcode rc = chroma_query(f.client, f.a, rows[i].c.collection, along_a, 3, NULL, 5,
		    NULL, &hits, &n, &f.e);
		cr_expect_eq(rc, rows[i].rc, "%s: %d %s", rows[i].c.collection, rc, f.e.msg);
		cr_expect_not_null(strstr(f.e.msg, rows[i].says), "%s: %s", rows[i].c.collection,
		    f.e.msg);
	}
	chroma_teardown(&f);
}

/* More than was asked for: the first ones count; metadata that is none is left out. */
TEST(chroma, more_than_asked_for)
{
	static const struct chroma_canned canned[] = {
		{ "more", 200, LISTS("[[\"a\",\"b\",\"c\"]]", "[[{},7,null]]", "[[1,2,3]]") },
	};
	struct chroma_fix f;
	struct chroma_hit *hits;
	size_t n;
	chroma.canned = canned;
	chroma.ncanned = 1;
	chroma_setup(&f);
	TEST_OK(chroma_query(f.client, f.a, "more", along_a, 3, NULL, 2, NULL, &hits, &n, &f.e), f.e);
	cr_assert_eq(n, 2);
	cr_expect(hits[0].metadata != NULL && hits[1].metadata == NULL);
	chroma_teardown(&f);
}

#define GOT(ids, embeddings) "{\"ids\":" ids ",\"embeddings\":" embeddings "}"

TEST(chroma, vectors_of_something_else)
{
	static const struct { struct chroma_canned c; enum errcode rc; const char *says; } rows[] = {
		{ { "fine", 200, GOT("[\"a\"]", "[[1,2]]") }, OK, NULL },
		{ { "other", 200, GOT("[\"x\"]", "[[1,2]]") }, OK, NULL },
		{ { "absent", 200, GOT("[\"a\"]", "[null]") }, OK, NULL },
		{ { "html", 200, "<html>" }, ERR_UPSTREAM, "are not vectors" },
		{ { "broken", 200, "{\"embeddings\":[[1,2]],\"ids\":[\"a\"" }, ERR_UPSTREAM, "not JSON" },
		{ { "no", 200, "{\"ids\":[]}" }, ERR_UPSTREAM, "are not vectors" },
		{ { "null", 200, GOT("[\"a\"]", "null") }, ERR_UPSTREAM, "are not vectors" },
		{ { "words", 200, GOT("[\"a\"]", "[[\"1\"]]") }, ERR_UPSTREAM, "are not vectors" },
		{ { "infinite", 200, GOT("[\"a\"]", "[[1e99]]") }, ERR_UPSTREAM, "are not vectors" },
		{ { "lengths", 200, GOT("[\"a\",\"b\"]", "[[1,2],[1]]") }, ERR_UPSTREAM, "are not vectors" },
		{ { "many", 200, GOT("[\"a\",\"b\",\"c\"]", "[[1],[1],[1]]") }, ERR_UPSTREAM, "are not vectors" },
		{ { "few", 200, GOT("[\"a\",\"b\"]", "[[1]]") }, ERR_UPSTREAM, "different lengths" },
		{ { "ids", 200, GOT("[7]", "[[1]]") }, ERR_UPSTREAM, "is not text" },
		{ { "noids", 200, GOT("{}", "[[1]]") }, ERR_UPSTREAM, "different lengths" },
	};
	static const char *const ids[] = { "a", "b" };
	enum { N = sizeof(rows) / sizeof(rows[0]) };
	struct chroma_canned canned[N];
	struct chroma_fix f;
	for (size_t i = 0; i < N; i++)
		canned[i] = rows[i].c;
	chroma.canned = canned;
	chroma.ncanned = N;
	chroma_setup(&f);
	for (size_t i = 0; i < N; i++) {
		float *out[2];
		size_t dims;
		f.e = (struct err){ 0 };
		enum errcode rc = chroma_vectors(f.client, f.a, rows[i].c.collection, ids, 2, NULL, out,
		    &dims, &f.e);
		cr_expect_eq(rc, rows[i].rc, "%s: %d %s", rows[i].c.collection, rc, f.e.msg);
		if (rows[i].says != NULL)
			cr_expect_not_null(strstr(f.e.msg, rows[i].says), "%s: %s", rows[i].c.collection,
			    f.e.msg);
		else
			cr_expect_eq(out[0] != NULL, streq(rows[i].c.collection, "fine"));
	}
	chroma_teardown(&f);
}

/* Numbers are read without a tree of them; what is read must be what a parser would read. */
TEST(chroma, rows_of_numbers)
{
	static const struct { const char *text; size_t n, dims; } rows[] = {
		{ "{\"e\":[[1,2,3]]}", 1, 3 },
		{ " { \"x\" : {\"e\":[[9]]} , \"s\":\"\\\"e\\\":[\\\\\" , \"e\" : [ [ 1 , -2.5e-3 ] , null ,"
		  "[0,-0.0] ] , \"y\":[1,{\"a\":2}] }", 3, 2 },
		{ "{\"e\":[]}", 0, 0 }, { "{\"e\":[null,null]}", 2, 0 },
		{ "{\"e\":[[]]}", SIZE_MAX, 0 }, { "{\"e\":[[1],[]]}", SIZE_MAX, 0 },
		{ "{\"e\":[[1,]]}", SIZE_MAX, 0 }, { "{\"e\":[[1],]}", SIZE_MAX, 0 },
		{ "{\"e\":[[,1]]}", SIZE_MAX, 0 }, { "{\"e\":[[1 2]]}", SIZE_MAX, 0 },
		{ "{\"e\":[[nan]]}", SIZE_MAX, 0 }, { "{\"e\":[[inf]]}", SIZE_MAX, 0 },
		{ "{\"e\":[[0x10]]}", SIZE_MAX, 0 }, { "{\"e\":[[+1]]}", SIZE_MAX, 0 },
		{ "{\"e\":[[-]]}", SIZE_MAX, 0 }, { "{\"e\":[[.5]]}", SIZE_MAX, 0 },
		{ "{\"e\":[[[1]]]}", SIZE_MAX, 0 }, { "{\"e\":[[1]", SIZE_MAX, 0 },
		{ "{\"e\":[[1", SIZE_MAX, 0 }, { "{\"e\":[", SIZE_MAX, 0 }, { "{\"e\":", SIZE_MAX, 0 },
		{ "{\"e", SIZE_MAX, 0 }, { "{\"e\\", SIZE_MAX, 0 }, { "{", SIZE_MAX, 0 },
		{ "", SIZE_MAX, 0 }, { "[[1]]", SIZE_MAX, 0 }, { "{\"f\":[[1]]}", SIZE_MAX, 0 },
		{ "{\"x\":[[[[,\"e\":[[1]]}", SIZE_MAX, 0 }, { "{\"e\":[[1],[2],[3],[4],[5]]}", SIZE_MAX, 0 },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena *a = arena_new();
		/* of its own size, so that reading on is seen */
		char *text = strdup(rows[i].text);
		float *out[4];
		size_t n, dims;
		struct json_object *rest;
		bool ok = chroma_rows(a, text, strlen(text), "e", 4, out, &n, &dims);
		cr_expect_eq(ok, rows[i].n != SIZE_MAX, "%s", rows[i].text);
		if (ok) {
			cr_expect(n == rows[i].n && dims == rows[i].dims, "%s: %zu %zu", rows[i].text, n, dims);
			cr_expect_eq(jsn_parse(a, text, strlen(text), 32, &rest, NULL, NULL), OK, "%s", text);
		}
		if (ok && i == 1) {
			cr_expect(out[0][0] == 1 && fabsf(out[0][1] + 0.0025f) < 1e-9f && out[1] == NULL);
			cr_expect_eq(jsn_len(jsn_get(rest, "y")), 2, "the rest is whole");
		}
		free(text);
		arena_free(a);
	}
}

TEST(chroma, is_left_alone_when_it_is_away)
{
	struct chroma_fix f;
	int64_t count;
	fill();
	chroma_setup(&f);
	TEST_OK(chroma_count(f.client, "good", NULL, &count, &f.e), f.e);
	server_stop(f.server);
	f.server = NULL;
	cr_expect_eq(chroma_count(f.client, "good", NULL, &count, &f.e), ERR_UPSTREAM);
	cr_expect_not_null(strstr(f.e.msg, "VECTOR_DB_URL"), "%s", f.e.msg);
	cr_expect_eq(chroma_count(f.client, "good", NULL, &count, &f.e), ERR_UPSTREAM);
	cr_expect_not_null(strstr(f.e.msg, "a moment ago"), "%s", f.e.msg);
	chroma_teardown(&f);
}

/* Threads share the client and what it remembers, while the collection is filled anew. */
static void *ask_often(void *arg)
{
	struct chroma_fix *f = arg;
	struct err e = { 0 };
	for (int i = 0; i < 25; i++) {
		struct arena *a = arena_new();
		struct chroma_hit *hits;
		size_t n = 0;
		enum errcode rc = chroma_query(f->client, a, "good", along_a, 3, NULL, 2, NULL, &hits, &n,
		    &e);
		/* filled anew between look-up and question: the next one finds it */
		cr_expect((rc == OK && n == 2) || rc == ERR_NOTFOUND, "%s", e.msg);
		arena_free(a);
		atomic_fetch_add(&chroma.filled, i % 10 == 9);
	}
	return NULL;
}

TEST(chroma, threads)
{
	struct chroma_fix f;
	pthread_t threads[4];
	fill();
	chroma_setup(&f);
	for (size_t i = 0; i < 4; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, ask_often, &f), 0);
	for (size_t i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	chroma_teardown(&f);
}
