/*
 * The knowledge base: cutting documents, ingesting folders, and what searches find.
 */
#include "test.h"

#include <stdlib.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/datafile.h"
#include "base/str.h"
#include "knowledge/chunks.h"
#include "knowledge/ingest.h"
#include "knowledge/knowledge.h"
#include "language/encoder.h"
#include "services/llm.h"

#define WORDS TEST_SRCDIR "/conf/language/en/knowledge_words.txt"
#define ENCODER TEST_SRCDIR "/conf/language/encoder.model"

struct fix {
	char *dir;
	struct arena *mem;
	struct encoder *encoder;
	struct knowledge *k;
	struct ingest_stats stats;
	struct err e;
	char said[4096];              /* what was left out */
};

static const char *path_in(struct fix *f, const char *name)
{
	return arena_printf(f->mem, "%s/%s", f->dir, name);
}

static void put(struct fix *f, const char *name, const char *text)
{
	const char *path = path_in(f, name);
	FILE *out;
	cr_assert_eq(system(arena_printf(f->mem, "mkdir -p \"$(dirname '%s')\"", path)), 0);
	out = fopen(path, "w");
	cr_assert_not_null(out, "%s", path);
	fputs(text, out);
	fclose(out);
}

static void setup(struct fix *f, double threshold)
{
	*f = (struct fix){ .dir = test_mkdtemp(), .mem = arena_new() };
	TEST_OK(encoder_open(&f->encoder, ENCODER, &f->e), f->e);
	const struct knowledge_config c = { .path = path_in(f, "k.db"), .words = WORDS, .top_k = 5,
		.threshold = threshold, .encoder = f->encoder };
	TEST_OK(knowledge_open(&f->k, &c, &f->e), f->e);
}

static void teardown(struct fix *f)
{
	knowledge_close(f->k);
	encoder_close(f->encoder);
	arena_free(f->mem);
	test_rmdir(f->dir);
}

static void left_out(void *arg, const char *source, const char *why)
{
	struct fix *f = arg;
	size_t n = strlen(f->said);
	snprintf(f->said + n, sizeof(f->said) - n, "%s: %s\n", source, why);
}

static enum errcode ingest_dir(struct fix *f, const char *dir, bool remove)
{
	const struct ingest_options o = { .path = path_in(f, "k.db"), .dir = path_in(f, dir),
		.remove = remove, .left_out = left_out, .arg = f };
	f->said[0] = '\0';
	return ingest(&o, &f->stats, &f->e);
}

/* The sources of the hits, with commas between them; "" if there are none. */
static const char *found(struct fix *f, const char *text)
{
	const struct knowledge_hit *hits;
	const struct knowledge_query q = { .text = text };
	const char *out = "";
	size_t n;
	TEST_OK(knowledge_search(f->k, f->mem, &q, &hits, &n, &f->e), f->e);
	for (size_t i = 0; i < n; i++) {
		cr_expect(hits[i].relevance > 0 && hits[i].relevance <= 1.0 + 1e-9, "%f", hits[i].relevance);
		out = arena_printf(f->mem, "%s%s%s", out, i > 0 ? "," : "", hits[i].source);
	}
	return out;
}

/* -- cutting -- */

struct pieces {
	struct buf b;
	size_t n, longest;
};

static enum errcode collect(void *arg, const struct chunk *c, struct err *e)
{
	struct pieces *p = arg;
	size_t n = utf8_count(c->text, strlen(c->text));
	(void)e;
	p->n++;
	if (n > p->longest)
		p->longest = n;
	cr_expect(utf8_valid(c->text, strlen(c->text)));
	buf_printf(&p->b, "[%s] %s\n", c->heading, c->text);
	return OK;
}

static void cut(struct pieces *p, const char *text, enum document_kind kind)
{
	*p = (struct pieces){ .n = 0 };
	buf_init(&p->b, 1 << 24);
	cr_expect_eq(cut_document(text, kind, collect, p, NULL), OK);
}

static const struct {
	const char *name, *text;
	enum document_kind kind;
	const char *expected;
} cuts[] = {
	{ "a paragraph", "One line\nand another.", DOCUMENT_TEXT, "[] One line and another.\n" },
	{ "headings are a path", "# A\nx\n## B\ny\n### C ###\nz\n## D\nw\n", DOCUMENT_MARKDOWN,
	    "[A] x\n[A > B] y\n[A > B > C] z\n[A > D] w\n" },
	{ "underlined headings", "Title\n=====\nx\n\nSub\n---\ny", DOCUMENT_MARKDOWN,
	    "[Title] x\n[Title > Sub] y\n" },
	{ "a rule is no heading", "x\n\n---\n\ny", DOCUMENT_MARKDOWN, "[] x y\n" },
	{ "a tag is no heading", "#nothing", DOCUMENT_MARKDOWN, "[] #nothing\n" },
	{ "lists keep their lines", "Bring:\n- a pen\n- paper\n  of any kind", DOCUMENT_MARKDOWN,
	    "[] Bring:\n- a pen\n- paper of any kind\n" },
	{ "tables keep their rows", "| a | b |\n|---|---|\n| 1 | 2 |", DOCUMENT_MARKDOWN,
	    "[] | a | b |\n| 1 | 2 |\n" },
	{ "code is no heading", "```\n# comment\nrun it\n```\n", DOCUMENT_MARKDOWN,
	    "[] # comment\nrun it\n" },
	{ "front matter is left out", "---\ntitle: x\n---\ntext", DOCUMENT_MARKDOWN, "[] text\n" },
	{ "text has no headings", "# x\ny", DOCUMENT_TEXT, "[] # x y\n" },
	{ "pages", "one\ftwo\f", DOCUMENT_PAGES, "[page 1] one\n[page 2] two\n" },
	{ "nothing", " \n\n\t\n", DOCUMENT_MARKDOWN, "" },
	{ "only headings", "# A\n## B\n", DOCUMENT_MARKDOWN, "" },
	{ "blanks", "a  \t b", DOCUMENT_TEXT, "[] a b\n" },
};

TEST(knowledge, cuts_documents)
{
	for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
		struct pieces p;
		cut(&p, cuts[i].text, cuts[i].kind);
		cr_expect_str_eq(p.b.p, cuts[i].expected, "%s: %s", cuts[i].name, p.b.p);
		buf_release(&p.b);
	}
}

/* The original showed 300 of 3,300 characters (W14). */
TEST(knowledge, w14_pieces_are_no_longer_than_what_is_shown)
{
	struct buf text;
	struct pieces p;
	buf_init(&text, 1 << 22);
	for (int i = 0; i < 2000; i++)
		buf_printf(&text, "Sentence number %d is über %d Wörter long. ", i, i % 7);
	for (int i = 0; i < 5000; i++)
		buf_puts(&text, "ééé");          /* a word without end */
	cut(&p, text.p, DOCUMENT_MARKDOWN);
	cr_expect(p.n > 200 && p.longest <= KNOWLEDGE_CHUNK, "%zu pieces, longest %zu", p.n, p.longest);
	cr_expect(p.longest > KNOWLEDGE_CHUNK / 2);
	buf_release(&p.b);
	buf_release(&text);
}

TEST(knowledge, cuts_a_huge_line_in_bounded_time)
{
	struct pieces p;
	size_t n = 7 << 20;
	char *text = malloc(n + 1);
	int64_t began = clock_mono_ms();
	memset(text, 'a', n);
	text[n] = '\0';
	cut(&p, text, DOCUMENT_MARKDOWN);
	cr_expect(p.n >= n / KNOWLEDGE_CHUNK && p.longest <= KNOWLEDGE_CHUNK);
	cr_expect(clock_mono_ms() - began < 20000);
	buf_release(&p.b);
	free(text);
}

/* -- ingesting -- */

TEST(knowledge, finds_what_was_ingested)
{
	struct fix f;
	setup(&f, 0.35);
	put(&f, "docs/a/dogs.md", "# Pets\n\nDogs are welcome on the third floor.\n");
	put(&f, "docs/fruit.txt", "Fruit is delivered on Mondays.");
	TEST_OK(ingest_dir(&f, "docs", false), f.e);
	cr_expect_eq(f.stats.documents, 2);
	cr_expect_eq(f.stats.added, 2);
	cr_expect_str_eq(found(&f, "May I bring my dog?"), "docs/a/dogs.md");
	cr_expect_str_eq(found(&f, "DÖGS \"AND OR NOT ( * ^"), "docs/a/dogs.md", "an expression of FTS5 is text");
	cr_expect_str_eq(found(&f, "when is FRUIT delivered"), "docs/fruit.txt");
	cr_expect_str_eq(found(&f, "speed of light"), "");
	cr_expect_str_eq(found(&f, " \n "), "");
	cr_expect_str_eq(found(&f, "what is the"), "");
	cr_expect_str_eq(found(&f, "\xff\xfe\x01"), "");
	teardown(&f);
}

TEST(knowledge, a_hit_says_where_it_stands)
{
	struct fix f;
	const struct knowledge_hit *hits;
	const struct knowledge_query q = { .text = "carry over days" };
	size_t n;
	setup(&f, 0.35);
	put(&f, "docs/h.md", "# Holidays\n\n28 days.\n\n## Carry-over\n\nFive days may be carried over.\n");
	TEST_OK(ingest_dir(&f, "docs/", false), f.e);
	TEST_OK(knowledge_search(f.k, f.mem, &q, &hits, &n, &f.e), f.e);
	cr_assert_gt(n, 0);
	cr_expect_str_eq(hits[0].id, "docs/h.md#2");
	cr_expect_str_eq(hits[0].source, "docs/h.md");
	cr_expect_str_eq(hits[0].heading, "Holidays > Carry-over");
	cr_expect_str_eq(hits[0].text, "Five days may be carried over.");
	teardown(&f);
}

/* The original took ids from the stem of a file's name, so two files of the same name in two folders
 * replaced each other, and a changed file was not taken again (W14). */
TEST(knowledge, w14_ids_come_from_paths_and_changes_are_taken)
{
	struct fix f;
	setup(&f, 0.35);
	put(&f, "docs/one/notes.md", "The red umbrella hangs in the hall.");
	put(&f, "docs/two/notes.md", "The blue umbrella hangs in the cellar.");
	TEST_OK(ingest_dir(&f, "docs", false), f.e);
	const char *both = found(&f, "umbrella");
	cr_expect(streq(both, "docs/one/notes.md,docs/two/notes.md") || streq(both, "docs/two/notes.md,docs/one/notes.md"), "%s", both);
	cr_expect_str_eq(found(&f, "cellar"), "docs/two/notes.md");
	put(&f, "docs/two/notes.md", "The blue umbrella was given away.");
	unlink(path_in(&f, "docs/one/notes.md"));
	put(&f, "docs/three.md", "A green lamp.");
	TEST_OK(ingest_dir(&f, "docs", false), f.e);
	cr_expect_eq(f.stats.added, 1);
	cr_expect_eq(f.stats.changed, 1);
	cr_expect_eq(f.stats.removed, 1);
	cr_expect_str_eq(found(&f, "cellar"), "");
	cr_expect_str_eq(found(&f, "red umbrella"), "docs/two/notes.md", "an open knowledge base sees the new file");
	TEST_OK(ingest_dir(&f, "docs", false), f.e);
	cr_expect_eq(f.stats.unchanged, 2);
	teardown(&f);
}

TEST(knowledge, folders_are_kept_apart)
{
	struct fix f;
	setup(&f, 0.35);
	put(&f, "a/notes.md", "The umbrella hangs in the hall.");
	put(&f, "b/notes.md", "The lamp stands in the cellar.");
	TEST_OK(ingest_dir(&f, "a", false), f.e);
	TEST_OK(ingest_dir(&f, "b", false), f.e);
	cr_expect_eq(f.stats.documents, 2);
	cr_expect_str_eq(found(&f, "umbrella hall"), "a/notes.md");
	cr_expect_str_eq(found(&f, "lamp cellar"), "b/notes.md");
	TEST_OK(ingest_dir(&f, "a", true), f.e);
	cr_expect_eq(f.stats.removed, 1);
	cr_expect_str_eq(found(&f, "umbrella hall"), "");
	cr_expect_str_eq(found(&f, "lamp cellar"), "b/notes.md");
	cr_expect_eq(ingest_dir(&f, "a", true), ERR_INPUT, "its documents are gone already");
	cr_expect_eq(ingest_dir(&f, "nowhere", false), ERR_INPUT);
	cr_expect_not_null(strstr(f.e.msg, "name a folder"), "%s", f.e.msg);
	cr_expect_str_eq(found(&f, "lamp cellar"), "b/notes.md", "a failure changes nothing");
	teardown(&f);
}

TEST(knowledge, leaves_out_what_it_cannot_use)
{
	struct fix f;
	setup(&f, 0.35);
	put(&f, "docs/good.md", "A good document.");
	put(&f, "docs/README.md", "About these files.");
	put(&f, "docs/.hidden.md", "Secret.");
	put(&f, "docs/image.png", "no document");
	put(&f, "docs/latin.txt", "caf\xe9");
	put(&f, "docs/empty.md", "\xef\xbb\xbf \n");
	put(&f, "docs/bad.pdf", "no PDF at all");
	put(&f, "secret/s.md", "The secret umbrella.");
	cr_assert_eq(symlink("../secret", path_in(&f, "docs/linked")), 0);
	cr_assert_eq(symlink("../secret/s.md", path_in(&f, "docs/link.md")), 0);
	cr_assert_eq(mkfifo(path_in(&f, "docs/pipe.md"), 0600), 0);
	put(&f, "docs/huge.txt", "x");
	cr_assert_eq(truncate(path_in(&f, "docs/huge.txt"), 50 << 20), 0);
	TEST_OK(ingest_dir(&f, "docs", false), f.e);
	cr_expect_eq(f.stats.documents, 1, "%s", f.said);
	cr_expect_eq(f.stats.left_out, 6, "%s", f.said);
	cr_expect_not_null(strstr(f.said, "docs/linked: it is a link"), "%s", f.said);
	cr_expect_not_null(strstr(f.said, "docs/link.md: it is a link"), "%s", f.said);
	cr_expect_not_null(strstr(f.said, "docs/huge.txt: it has 50 MB"), "%s", f.said);
	cr_expect_not_null(strstr(f.said, "docs/latin.txt: it is not text in UTF-8"), "%s", f.said);
	cr_expect_not_null(strstr(f.said, "docs/bad.pdf: pdftotext"), "%s", f.said);
	cr_expect_str_eq(found(&f, "secret umbrella"), "");
	teardown(&f);
}

/* C0, DEL and C1: what could end a line of a prompt or command a terminal. */
TEST(knowledge, control_characters_are_removed_from_names_and_texts)
{
	struct fix f;
	setup(&f, 0.35);
	put(&f, "do\ncs/a\033[31m\xc2\x9b\tb.md", "# Hall\007\r\n\r\nThe \033[2J umbrella\x7f hangs\xc2\x85in the caf\xc3\xa9.\rHere.");
	TEST_OK(ingest_dir(&f, "do\ncs", false), f.e);
	cr_expect_eq(f.stats.documents, 1, "%s", f.said);
	const struct knowledge_hit *hits;
	const struct knowledge_query q = { .text = "umbrella" };
	size_t n;
	TEST_OK(knowledge_search(f.k, f.mem, &q, &hits, &n, &f.e), f.e);
	cr_assert_eq(n, 1);
	cr_expect_str_eq(hits[0].source, "do cs/a [31m  b.md");
	cr_expect_str_eq(hits[0].heading, "Hall");
	cr_expect_str_eq(hits[0].text, "The [2J umbrella hangs in the caf\xc3\xa9. Here.");
	TEST_OK(ingest_dir(&f, "do\ncs", false), f.e);
	cr_expect_eq(f.stats.unchanged, 1, "it is known again");
	teardown(&f);
}

TEST(knowledge, an_empty_folder_is_a_mistake)
{
	struct fix f;
	setup(&f, 0.35);
	put(&f, "docs/a.md", "The umbrella.");
	TEST_OK(ingest_dir(&f, "docs", false), f.e);
	unlink(path_in(&f, "docs/a.md"));
	cr_expect_eq(ingest_dir(&f, "docs", false), ERR_INPUT);
	cr_expect_not_null(strstr(f.e.msg, "--remove"), "%s", f.e.msg);
	cr_expect_str_eq(found(&f, "umbrella"), "docs/a.md");
	cr_expect_neq(access(path_in(&f, "k.db.new"), F_OK), 0, "nothing is left behind");
	teardown(&f);
}

/* -- a file that is missing or wrong -- */

TEST(knowledge, says_what_is_wrong_with_the_file)
{
	struct fix f;
	const struct knowledge_hit *hits;
	const struct knowledge_query q = { .text = "umbrella" };
	struct knowledge_status st;
	size_t n;
	setup(&f, 0.35);
	cr_expect_eq(knowledge_search(f.k, f.mem, &q, &hits, &n, &f.e), ERR_NOTFOUND);
	cr_expect_not_null(strstr(f.e.msg, "aviation-agent ingest"), "%s", f.e.msg);
	put(&f, "k.db", "this is no database, and it is long enough not to be taken for an empty one");
	cr_expect_eq(knowledge_search(f.k, f.mem, &q, &hits, &n, &f.e), ERR_DATA);
	cr_expect_eq(knowledge_status(f.k, &st, &f.e), ERR_DATA, "asked again, it still says so");
	put(&f, "docs/a.md", "The umbrella.");
	cr_expect_eq(ingest_dir(&f, "docs", false), ERR_DATA, "a file of something else is not replaced");
	unlink(path_in(&f, "k.db"));
	TEST_OK(ingest_dir(&f, "docs", false), f.e);
	cr_expect_str_eq(found(&f, "umbrella"), "docs/a.md");
	TEST_OK(knowledge_status(f.k, &st, &f.e), f.e);
	cr_expect_eq(st.documents, 1);
	teardown(&f);
}

/* -- quality -- */

/* Questions with the section that answers them. Each one that is wrong is printed. */
TEST(knowledge, answers_questions_about_the_handbook)
{
	struct fix f;
	struct datafile d;
	size_t first = 0, any = 0, asked = 0, foreign = 0, quiet = 0;
	setup(&f, 0.35);
	const struct ingest_options o = { .path = path_in(&f, "k.db"), .dir = TEST_SRCDIR "/conf/handbook",
		.left_out = left_out, .arg = &f };
	TEST_OK(ingest(&o, &f.stats, &f.e), f.e);
	TEST_OK(datafile_read(&d, f.mem, TEST_SRCDIR "/tests/quality/knowledge.txt", 1, 3, &f.e), f.e);
	for (size_t i = 0; i < d.n; i++) {
		const struct knowledge_query q = { .text = d.row[i].field[0] };
		const struct knowledge_hit *hits;
		const char *document = d.row[i].field[1], *heading = d.row[i].field[2];
		size_t n, at = 0;
		TEST_OK(knowledge_search(f.k, f.mem, &q, &hits, &n, &f.e), f.e);
		if (*document == '\0') {
			foreign++;
			quiet += n == 0;
			if (n > 0)
				fprintf(stderr, "%s: found %s (%.2f)\n", q.text, hits[0].id, hits[0].relevance);
			continue;
		}
		const char *end = arena_printf(f.mem, " > %s", heading);
		asked++;
		while (at < n && (!streq(hits[at].source + strlen("handbook/"), document) ||
		    strlen(hits[at].heading) < strlen(end) ||
		    !streq(hits[at].heading + strlen(hits[at].heading) - strlen(end), end)))
			at++;
		first += at == 0 && n > 0;
		any += at < n;
		if (at > 0 || n == 0)
			fprintf(stderr, "%s: %s at %zu of %zu, first %s %s (%.2f)\n", q.text, heading, at, n,
			    n > 0 ? hits[0].id : "-", n > 0 ? hits[0].heading : "", n > 0 ? hits[0].relevance : 0);
	}
	fprintf(stderr, "handbook: %zu questions: %zu first, %zu among the first five; %zu of %zu others find "
	    "nothing\n", asked, first, any, quiet, foreign);
	cr_expect(first * 100 >= asked * 85, "%zu of %zu", first, asked);
	cr_expect(any * 100 >= asked * 95, "%zu of %zu", any, asked);
	cr_expect_eq(quiet, foreign);
	teardown(&f);
}

/* a little below what is reached: in percent, and questions more than by words alone */
enum { OPEN_FIRST = 60, OPEN_QUIET = 60, ENCODER_GAINS = 2 };

struct tally {
	size_t asked, first;          /* questions to the documents, and those whose document is the first hit */
	size_t foreign, quiet;        /* other questions, and those that find nothing */
};

static struct tally tally_questions(struct fix *f, const struct knowledge_config *c, const struct datafile *d)
{
	struct tally t = { 0 };
	struct knowledge *k;
	TEST_OK(knowledge_open(&k, c, &f->e), f->e);
	for (size_t i = 0; i < d->n; i++) {
		const struct knowledge_query q = { .text = d->row[i].field[0] };
		const struct knowledge_hit *hits;
		const char *document = d->row[i].field[1];
		size_t n;
		TEST_OK(knowledge_search(k, f->mem, &q, &hits, &n, &f->e), f->e);
		const bool told = !streq(document, "-");
		t.asked += told;
		t.foreign += !told;
		t.first += told && n > 0 && streq(hits[0].source + strlen("handbook/"), document);
		t.quiet += !told && n == 0;
	}
	knowledge_close(k);
	return t;
}

/* Reads the questions of a file. `judged`: the figures must reach the floors. */
static void answer_questions(const char *path, bool judged)
{
	struct fix f;
	struct datafile d;
	setup(&f, 0.35);
	const struct ingest_options o = { .path = path_in(&f, "k.db"), .dir = TEST_SRCDIR "/conf/handbook",
		.left_out = left_out, .arg = &f };
	struct knowledge_config c = { .path = o.path, .words = WORDS, .top_k = 5, .threshold = 0.35 };
	TEST_OK(ingest(&o, &f.stats, &f.e), f.e);
	TEST_OK(datafile_read(&d, f.mem, path, 2, 2, &f.e), f.e);
	const struct tally words = tally_questions(&f, &c, &d);
	c.encoder = f.encoder;
	const struct tally both = tally_questions(&f, &c, &d);
	fprintf(stderr, "open questions: %zu of %zu find the right document first, %zu by words alone; %zu of %zu others "
	    "find nothing, %zu by words alone\n", both.first, both.asked, words.first, both.quiet, both.foreign, words.quiet);
	cr_expect(!judged || both.first * 100 >= both.asked * OPEN_FIRST, "%s: %zu of %zu", path, both.first, both.asked);
	cr_expect(!judged || both.quiet * 100 >= both.foreign * OPEN_QUIET, "%s: %zu of %zu", path, both.quiet, both.foreign);
	cr_expect(!judged || both.first >= words.first + ENCODER_GAINS, "%s: %zu, by words alone %zu", path, both.first,
	    words.first);
	teardown(&f);
}

/* Questions by authors who had not seen the search. KNOWLEDGE_SET names another file of them. */
TEST(knowledge, answers_questions_of_strangers)
{
	const char *set = getenv("KNOWLEDGE_SET");
	if (set != NULL) {
		answer_questions(set, false);
		return;
	}
	answer_questions(TEST_SRCDIR "/tests/quality/knowledge_open.txt", true);
	answer_questions(TEST_SRCDIR "/tests/quality/knowledge_sealed.txt", true);
}

/* -- meaning -- */

/* A provider whose vectors have a direction for each of a few subjects. */
struct subjects {
	struct llm_provider base;
	size_t texts;                 /* embedded so far */
	size_t fails_after;           /* texts; 0: never */
	size_t dims;
};

static enum errcode embed_subjects(struct llm_provider *p, struct arena *a,
    const struct llm_embed_request *req, const struct watch *w, float **vectors, size_t *dims,
    struct llm_usage *usage, struct llm_fault *fault, struct err *e)
{
	static const char *const words[][2] = { { "dog", "hound" }, { "umbrella", "drizzle" } };
	struct subjects *s = (struct subjects *)p;
	(void)w;
	*usage = (struct llm_usage){ .input = (int64_t)req->n };
	*fault = (struct llm_fault){ .retry_after_ms = -1 };
	if (s->fails_after != 0 && s->texts >= s->fails_after)
		return err_set(e, ERR_UPSTREAM, "the provider is away");
	*dims = s->dims;
	*vectors = arena_array(a, req->n * s->dims, sizeof(**vectors));
	for (size_t i = 0; i < req->n; i++) {
		size_t subject = 2;
		for (size_t k = 0; k < 2; k++)
			if (strstr(req->texts[i], words[k][0]) != NULL || strstr(req->texts[i], words[k][1]) != NULL)
				subject = k;
		(*vectors)[i * s->dims + subject] = 2;
	}
	s->texts += req->n;
	return OK;
}

static void close_subjects(struct llm_provider *p)
{
	(void)p;
}

static const struct llm_provider_ops subjects_ops = { .name = "subjects", .embed = embed_subjects,
	.close = close_subjects };

static enum errcode ingest_with(struct fix *f, struct llm *llm, const char *model)
{
	const struct ingest_options o = { .path = path_in(f, "k.db"), .dir = path_in(f, "docs"), .llm = llm,
		.model = model, .left_out = left_out, .arg = f };
	return ingest(&o, &f->stats, &f->e);
}

static struct knowledge *open_with(struct fix *f, struct llm *llm, const char *model)
{
	const struct knowledge_config c = { .path = path_in(f, "k.db"), .words = WORDS, .top_k = 5,
		.threshold = 0.35, .encoder = f->encoder, .llm = llm, .embedding_model = model };
	struct knowledge *k;
	TEST_OK(knowledge_open(&k, &c, &f->e), f->e);
	return k;
}

TEST(knowledge, finds_by_meaning_too)
{
	struct subjects s = { .base = { &subjects_ops }, .dims = 3 };
	const struct llm_config config = { .backoff_ms = 1 };
	struct llm *llm = llm_open(&s.base, &config);
	struct llm_usage usage = { 0 };
	const struct knowledge_hit *hits;
	struct knowledge_status st;
	struct fix f;
	size_t n;
	setup(&f, 0.35);
	put(&f, "docs/pets.md", "A dog may come along.");
	put(&f, "docs/rain.md", "The umbrella hangs in the hall.");
	TEST_OK(ingest_with(&f, llm, "subjects"), f.e);
	cr_expect_eq(f.stats.embedded, 2);
	cr_expect_eq(f.stats.no_vectors.code, OK);
	struct knowledge *k = open_with(&f, llm, "subjects");
	TEST_OK(knowledge_status(k, &st, &f.e), f.e);
	cr_expect(st.vectors);
	const struct knowledge_query q = { .text = "hounds", .usage = &usage };
	TEST_OK(knowledge_search(k, f.mem, &q, &hits, &n, &f.e), f.e);
	cr_assert_eq(n, 1, "no word of it is in a document");
	cr_expect_str_eq(hits[0].source, "docs/pets.md");
	cr_expect_float_eq(hits[0].relevance, 1, 1e-6);
	cr_expect_eq(usage.input, 1, "the search is paid for");
	const struct knowledge_query words = { .text = "hounds", .no_model = true };
	TEST_OK(knowledge_search(k, f.mem, &words, &hits, &n, &f.e), f.e);
	cr_expect_eq(n, 0, "without the model only words count");
	const struct knowledge_query both = { .text = "the dog in the hall" };
	TEST_OK(knowledge_search(k, f.mem, &both, &hits, &n, &f.e), f.e);
	cr_assert_eq(n, 2);
	cr_expect_str_eq(hits[0].source, "docs/pets.md", "in both lists");

	TEST_OK(ingest_with(&f, llm, "subjects"), f.e);
	cr_expect_eq(f.stats.embedded, 0, "the same text keeps its vector");
	cr_expect_eq(f.stats.kept, 2);
	TEST_OK(ingest_with(&f, NULL, "subjects"), f.e);
	cr_expect_eq(f.stats.kept, 2, "… also in a run without a provider");
	knowledge_close(k);
	k = open_with(&f, llm, "another");
	TEST_OK(knowledge_search(k, f.mem, &q, &hits, &n, &f.e), f.e);
	cr_expect_eq(n, 0, "vectors of another model are not compared");
	s.dims = 4;
	knowledge_close(k);
	k = open_with(&f, llm, "subjects");
	TEST_OK(knowledge_search(k, f.mem, &q, &hits, &n, &f.e), f.e);
	cr_expect_eq(n, 0, "vectors of another length are not compared");
	knowledge_close(k);
	llm_close(llm);
	teardown(&f);
}

TEST(knowledge, a_provider_that_fails_costs_only_vectors)
{
	struct subjects s = { .base = { &subjects_ops }, .dims = 3, .fails_after = 100 };
	const struct llm_config config = { .backoff_ms = 1 };
	struct llm *llm = llm_open(&s.base, &config);
	struct fix f;
	setup(&f, 0.35);
	for (int i = 0; i < 150; i++)
		put(&f, arena_printf(f.mem, "docs/%d.md", i), arena_printf(f.mem, "Text of dog %d.", i));
	TEST_OK(ingest_with(&f, llm, "subjects"), f.e);
	cr_expect_eq(f.stats.no_vectors.code, ERR_UPSTREAM);
	cr_expect_eq(f.stats.embedded, 100);
	cr_expect_eq(f.stats.documents, 150);
	cr_expect(*found(&f, "dog 149") != '\0', "words find all of them");
	s.fails_after = 0;
	TEST_OK(ingest_with(&f, llm, "subjects"), f.e);
	cr_expect_eq(f.stats.kept, 100, "the next run continues");
	cr_expect_eq(f.stats.embedded, 50);
	llm_close(llm);
	teardown(&f);
}
