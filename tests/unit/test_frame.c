/*
 * Frames of marked messages: what the C code makes of the corpus is what tests/language/marks.py makes of
 * it; what is saved comes back; what is stored by somebody else does no harm.
 */
#include "agents/aviation/builtin/labels.h"

#include "base/buf.h"
#include "base/str.h"
#include "tests/language/marked.h"
#include "tests/unit/test.h"

enum { OUTPUT_MAX = 64 * 1024 * 1024, LINES_TOLD = 20 };

/* The reading that a message is marked with, values included. */
static struct reading gold_of(const struct marked_message *m)
{
	struct reading r = m->gold;
	for (size_t i = 0; i < r.nmarks; i++)
		if (m->value[i] != NULL)
			r.mark[i].value = m->value[i];
	return r;
}

static int by_name(const void *a, const void *b)
{
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;
	return strcmp(aviation_schema.label[x].name, aviation_schema.label[y].name);
}

/* As tests/language/check --plans prints it. */
static void print_frame(struct buf *b, const struct frame *f)
{
	size_t order[LABEL__MAX];
	for (size_t i = 0; i < LABEL__MAX; i++)
		order[i] = i;
	qsort(order, LABEL__MAX, sizeof(order[0]), by_name);
	buf_printf(b, "    = %s%s", f->plan->name, f->more ? " (more)" : "");
	for (size_t i = 0; i < LABEL__MAX; i++) {
		const struct frame_slot *slot = &f->slot[order[i]];
		for (size_t k = 0; k < slot->n; k++)
			buf_printf(b, "%s%s%s%s", k > 0 ? "," : "; ",
			    k > 0 ? "" : aviation_schema.label[order[i]].name, k > 0 ? "" : "=", slot->value[k].text);
	}
	buf_puts(b, "\n");
}

static void print_frames(struct buf *b, const struct frames *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->frame[i]->plan->labels != 0)
			print_frame(b, f->frame[i]);
}

/* The frames of one file, as text. `stored`: the dialogue is saved and loaded between its messages. */
static char *frames_text(struct arena *a, const struct marked *m, bool stored)
{
	struct dialogue talk = { .n = 0 };
	struct buf b;

	buf_init(&b, OUTPUT_MAX);
	for (size_t i = 0; i < m->n; i++) {
		const struct marked_message *one = &m->message[i];
		const struct reading gold = gold_of(one);
		struct frames f;
		if (one->turn == 0)
			talk.n = 0;
		frames_of(a, &aviation_schema, &gold, &talk, &f);
		cr_expect_eq(f.nunread, (size_t)0, "%s:%zu: unread: %s", one->path, one->line, f.unread[0]);
		buf_printf(&b, "%s:%zu: %s\n", one->path, one->line, one->text);
		print_frames(&b, &f);
		dialogue_add(&talk, &f);
		if (stored)
			dialogue_load(a, &aviation_schema, jsn_own(a, dialogue_save(&aviation_schema, &talk)), &talk);
	}
	char *text = arena_strdup(a, b.p);
	buf_release(&b);
	return text;
}

static char *read_all(struct arena *a, FILE *f)
{
	struct buf b;
	char part[65536];
	size_t n;
	buf_init(&b, OUTPUT_MAX);
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buf_put(&b, part, n);
	char *text = arena_strdup(a, b.p);
	buf_release(&b);
	return text;
}

/* Line by line, so that the report shows which messages differ. */
static void expect_lines(const char *got, const char *wanted)
{
	size_t different = 0;
	while (*got != '\0' || *wanted != '\0') {
		const size_t g = strcspn(got, "\n"), w = strcspn(wanted, "\n");
		if ((g != w || memcmp(got, wanted, g) != 0) && ++different <= LINES_TOLD)
			fprintf(stderr, "got    %.*s\nwanted %.*s\n", (int)g, got, (int)w, wanted);
		got += g + (got[g] != '\0');
		wanted += w + (wanted[w] != '\0');
	}
	cr_expect_eq(different, (size_t)0, "%zu lines differ", different);
}

TEST(frame, the_corpus_gives_the_frames_of_the_checker, .timeout = 300)
{
	struct arena *a = arena_new();
	struct marked m = { .n = 0 };
	struct err e = { OK, "" };
	char *folder = test_corpus();

	TEST_OK(marked_read_folder(&m, a, folder, &e), e);
	FILE *f = popen(arena_printf(a, "LC_ALL=C.UTF-8 %s/tests/language/check --plans $(LC_ALL=C ls %s/*.txt)", TEST_SRCDIR, folder), "r");
	const char *wanted = read_all(a, f);
	const bool python = pclose(f) == 0 || *wanted != '\0';
	test_rmdir(folder);
	if (!python)
		test_skip("no Python");
	expect_lines(frames_text(a, &m, false), wanted);
	expect_lines(frames_text(a, &m, true), wanted);
	arena_free(a);
}

/* ---- what is stored -------------------------------------------------------------------------- */

static const char *saved(struct arena *a, const struct dialogue *d)
{
	return jsn_text(a, jsn_own(a, dialogue_save(&aviation_schema, d)), JSN_PLAIN);
}

TEST(frame, loading_takes_what_it_knows)
{
	static const struct { const char *stored, *kept; } rows[] = {
		{ "[{\"plan\":\"near\",\"slots\":{\"near\":[\"Lyon\"],\"has_avgas\":[\"true\"]}}]",
		    "[{\"plan\":\"near\",\"slots\":{\"near\":[\"Lyon\"],\"has_avgas\":[\"true\"]}}]" },
		{ "[{\"plan\":\"details\",\"slots\":{\"at\":[\"Elba\"],\"ask\":[[\"fuel\",\"has it AVGAS\"]]}}]",
		    "[{\"plan\":\"details\",\"slots\":{\"at\":[\"Elba\"],\"ask\":[[\"fuel\",\"has it AVGAS\"]]}}]" },
		{ "[{\"plan\":\"near\",\"slots\":{\"near\":[[\"Bath\",\"GB\"]],\"count\":[[\"2\",\"x\"],[],[7]]}}]",
		    "[{\"plan\":\"near\",\"slots\":{\"near\":[[\"Bath\",\"GB\"]],\"count\":[\"2\"]}}]" },
		{ "[{\"plan\":\"near\",\"more\":true,\"slots\":{\"near\":[\"Lyon\"],\"moon\":[\"full\"],\"topic\":[\"x\"]}}]",
		    "[{\"plan\":\"near\",\"more\":true,\"slots\":{\"near\":[\"Lyon\"]}}]" },
		{ "[{\"plan\":\"fly\"},{\"plan\":\"hello\"},7,null,{\"plan\":\"search\",\"slots\":{\"name\":[7,\"a\"]}}]",
		    "[{\"plan\":\"search\",\"slots\":{\"name\":[\"a\"]}}]" },
		{ "[{\"plan\":\"near\",\"slots\":{\"near\":\"Lyon\",\"has_avgas\":{}}}]", "[{\"plan\":\"near\",\"slots\":{}}]" },
		{ "[{\"plan\":\"near\",\"slots\":[]}]", "[{\"plan\":\"near\",\"slots\":{}}]" },
		{ "{}", "[]" }, { "null", "[]" }, { "7", "[]" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena *a = arena_new();
		struct json_object *o;
		struct dialogue d;
		struct err e = { OK, "" };
		TEST_OK(jsn_parse(a, rows[i].stored, strlen(rows[i].stored), JSN_DEPTH, &o, NULL, &e), e);
		dialogue_load(a, &aviation_schema, o, &d);
		cr_expect_str_eq(saved(a, &d), rows[i].kept);
		arena_free(a);
	}
}

/* A frame with as much in it as fits, and a dialogue that goes on and on. */
TEST(frame, what_is_saved_has_a_bound)
{
	struct arena *a = arena_new();
	struct dialogue d = { .n = 0 };
	char value[3 * FRAME_VALUE_BYTES];

	for (int i = 0; i < 3 * FRAMES_KEPT; i++) {
		struct frame *f = arena_alloc(a, sizeof(*f));
		struct frames all = { .n = 1, .frame = { f } };
		f->plan = &aviation_schema.plan[PLAN_ROUTE];
		for (size_t label = 0; label < LABEL__MAX; label++) {
			struct frame_slot *slot = &f->slot[label];
			slot->value = arena_array(a, FRAME_VALUES, sizeof(*slot->value));
			for (slot->n = 0; slot->n < FRAME_VALUES; slot->n++) {
				memset(value, "x\"\n"[slot->n % 3], FRAME_VALUE_BYTES);
				value[FRAME_VALUE_BYTES] = '\0';
				value[0] = (char)('a' + slot->n);
				slot->value[slot->n].text = arena_strdup(a, value);
			}
		}
		dialogue_add(&d, &all);
		const char *text = jsn_text(a, jsn_own(a, frame_json(&aviation_schema, f)), JSN_PLAIN);
		cr_expect_leq(strlen(text), (size_t)FRAME_BYTES);
		cr_expect_gt(strlen(text), (size_t)FRAME_BYTES / 2);
	}
	cr_expect_eq(d.n, (size_t)FRAMES_KEPT);
	arena_free(a);
}
