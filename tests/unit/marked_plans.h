/*
 * From marked messages to plans, without the trained model: a dialogue is written as tests/language/GUIDE.md says, and its last
 * message gives plans.
 */
#ifndef TESTS_UNIT_MARKED_PLANS_H
#define TESTS_UNIT_MARKED_PLANS_H

#include "agents/aviation/builtin/frame_amends.h"
#include "agents/aviation/builtin/frame_plans.h"
#include "agents/aviation/builtin/shown_evidence.h"
#include "airports/place_evidence.h"
#include "base/str.h"
#include "language/quantity.h"
#include "language/vocabulary.h"
#include "tests/language/marked.h"
#include "tools/rules_result.h"
#include "tests/unit/airports_fixture.h"
#include "tests/unit/planner_airports.h"

struct fixture {
	struct airfix air;
	char *dir;
	struct aircon *con;
	struct tool_context ctx;
	struct arena *known;                  /* the vocabulary, for messages with evidence */
	struct vocabulary *vocabulary;        /* NULL: it is not read yet */
};

static inline void fixture_open(struct fixture *f)
{
	char path[600];
	struct db *db;
	struct err e = { OK, "" };

	*f = (struct fixture){ .dir = test_mkdtemp() };
	snprintf(path, sizeof(path), "%s/airports.db", f->dir);
	TEST_OK(db_open(&db, path, DB_CREATE, &e), e);
	TEST_OK(db_exec(db, fixture_sql, &e), e);
	TEST_OK(db_exec(db, planner_airports_sql, &e), e);
	db_close(db);
	airfix_open(&f->air, path, false);
	TEST_OK(airdb_get(f->air.db, 1000, &f->con, &e), e);
	f->ctx = (struct tool_context){ .airports = f->air.db, .table = tools_builtin,
		.offered = toolset_offered(f->air.mem, tools_builtin, (struct behavior_switches){ NULL, 0 }) };
}

static inline void fixture_close(struct fixture *f)
{
	airdb_put(f->con);
	airfix_close(&f->air);
	if (f->known != NULL)
		arena_free(f->known);
	test_rmdir(f->dir);
}

/* The messages of a dialogue, separated by line ends. */
static inline void read_dialogue(struct marked *m, struct arena *a, const char *dir, const char *lines)
{
	char path[600];
	struct err e = { OK, "" };

	snprintf(path, sizeof(path), "%s/marked.txt", dir);
	FILE *f = fopen(path, "we");
	cr_assert_not_null(f);
	fputs("author: test\nlanguage: en\nperson: a test\n\n- ", f);
	for (const char *p = lines; *p != '\0'; p++)
		fputs(*p == '\n' ? "\n- " : (char[]){ *p, '\0' }, f);
	/* a dialogue has two messages at least */
	fputs(strchr(lines, '\n') == NULL ? "\n- thanks → thanks\n" : "\n", f);
	fclose(f);
	TEST_OK(marked_read(m, a, path, &e), e);
	m->n -= strchr(lines, '\n') == NULL;
}

static inline struct reading gold_of(const struct marked_message *m)
{
	static struct evidences nothing;
	struct reading r = m->gold;
	r.evidence = &nothing;
	for (size_t i = 0; i < r.nmarks; i++)
		if (m->value[i] != NULL)
			r.mark[i].value = m->value[i];
	return r;
}

static inline const char *plan_text(struct arena *a, const struct plan *p)
{
	return p->tool == NULL ? arena_printf(a, "reply: %s", p->reply)
	    : arena_printf(a, "%s %s", p->tool->name, jsn_text(a, p->arguments, JSN_PLAIN));
}

/* What exact knowledge says of a message. */
static inline const struct evidences *evidence_for(struct fixture *f, struct arena *a, const struct words *w, const struct talk *talk)
{
	struct shown shown = { f->con, talk };
	struct err e = { OK, "" };
	if (f->vocabulary == NULL) {
		f->known = arena_new();
		TEST_OK(vocabulary_load(&f->vocabulary, f->known, TEST_SRCDIR, &e), e);
	}
	const struct evidence_source source[] = {
		vocabulary_source(f->vocabulary), quantity_source(f->vocabulary), place_evidence(f->con),
		shown_evidence(&shown),
	};
	return evidence_of(a, w, source, sizeof(source) / sizeof(source[0]));
}

/* The frames of a marked message. known: with the evidence of its words, which gives the values that are in them, and with
 * all that is amended; else as it is marked. */
static inline const struct reading *frames_marked(struct fixture *f, struct arena *a, const struct marked_message *m,
    bool known, const struct talk *talk, struct frames *out)
{
	struct reading *r = arena_alloc(a, sizeof(*r));
	const struct dialogue *before = &talk->dialogue;

	*r = known ? m->gold : gold_of(m);
	if (known) {
		r->evidence = evidence_for(f, a, r->words, talk);
		frames_mean(a, r, before, true, out);
	} else {
		frames_of(a, &aviation_schema, r, before, out);
	}
	return r;
}

/* The plans of the last message. */
static inline void plan_marked(struct fixture *f, struct arena *a, const char *lines, bool known, struct talk *talk,
    struct plans *out)
{
	struct marked m = { .n = 0 };

	read_dialogue(&m, a, f->dir, lines);
	for (size_t i = 0; i < m.n; i++) {
		struct frames frames;
		const struct reading *r = frames_marked(f, a, &m.message[i], known, talk, &frames);
		const struct planning planning = { .mem = a, .ctx = &f->ctx, .con = f->con,
			.message = m.message[i].text, .reading = r, .frames = &frames, .talk = talk,
			.set = f->ctx.rules != NULL ? rules_of(&f->ctx, a) : NULL };
		plans_of_frames(&planning, out);
		dialogue_add(&talk->dialogue, &frames);
	}
}

/* All of them as one text, with " & " between. */
static inline const char *plans_text(struct arena *a, const struct plans *plans)
{
	const char *all = "";
	for (size_t k = 0; k < plans->n; k++)
		all = arena_printf(a, "%s%s%s", all, k > 0 ? " & " : "", plan_text(a, &plans->plan[k]));
	return all;
}

#endif
