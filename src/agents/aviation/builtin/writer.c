/*
 * The builtin writer: chooses the formatter by the kind of result, writes the whole answer, then
 * sends it piece by piece as a model would.
 *
 * An answer is a few kilobytes and takes microseconds to write, so sending while writing would gain
 * nothing. The pieces let clients show progress in the same way for every writer. A piece is a few
 * words and ends at a blank, so it never splits a character or a mark.
 */
#include "agents/aviation/builtin/writer.h"
#include "agents/aviation/builtin/writer_flights.h"

#include <ctype.h>
#include <string.h>

#include "agents/aviation/agent.h"
#include "agents/aviation/builtin/asked_facts.h"
#include "agents/aviation/builtin/writer_details.h"
#include "agents/aviation/builtin/writer_rules.h"
#include "base/str.h"

enum { ANSWER_MAX = 256 * 1024, PIECE_MIN = 18, QUESTION_MAX = 2000 };

struct writer_pace writer_builtin_pace;

static void (*const formatters[RESULT__MAX])(const struct answer *) = {
	[RESULT_AIRPORTS_FOUND] = write_airport_list,
	[RESULT_AIRPORTS_NEAR] = write_airport_list,
	[RESULT_AIRPORTS_ROUTE] = write_airport_list,
	[RESULT_AIRPORT] = write_airport_details,
	[RESULT_POINTS_OF_ENTRY] = write_points_of_entry,
	[RESULT_AIRPORT_STATISTICS] = write_airport_statistics,
	[RESULT_NOTICE] = write_airport_notice,
	[RESULT_RULES_ANSWER] = write_rules_answer,
	[RESULT_RULES_PAGE] = write_rules_page,
	[RESULT_RULES_LIST] = write_rules_page,
	[RESULT_RULES_COMPARISON] = write_rules_comparison,
	[RESULT_RULES_ANSWERS] = write_rules_answers,
	[RESULT_RULES_SUBJECTS] = write_rules_subjects,
	[RESULT_RULES_COUNTRIES] = write_rules_countries,
	[RESULT_EXTERNAL] = write_external,
};

void write_notes(const struct answer *w, const struct phrases *notes, bool airports_named)
{
	if (notes->n == 0 && !airports_named)
		return;
	buf_puts(w->out, "\n");
	say(w, notes_head);
	buf_puts(w->out, "\n");
	for (size_t i = 0; i < notes->n; i++)
		buf_printf(w->out, "- %s\n", notes->text[i]);
	if (airports_named)
		buf_printf(w->out, "- %s\n", said(w, notes_check));
}

/* A result without a formatter of its own: print its text for people. */
static void write_plain(const struct answer *w)
{
	static const char *const members[] = { "pretty", "formatted_text", "message" };

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		const char *s = jsn_get_str(w->result, members[i], "");
		if (*s) {
			buf_puts(w->out, s);
			return;
		}
	}
	say(w, no_text);
}

/* ---- the question -------------------------------------------------------------- */

/* Words by which the formatters find what was asked for (asked_facts.h). A plan of a model does not say what was, so
 * that the message itself tells. */
static const char *question_of(const struct run *run, const struct plan *plan, const struct wording *wording)
{
	if (plan->asks)
		return asked_words(run->mem, plan);
	const char *all = last_question(run), *text = arena_strndup(run->mem, all, utf8_cut(all, strlen(all), QUESTION_MAX));
	return streq(wording_language(wording), "fr") ? asked_in_french(run->mem, text) : asked_folded(run->mem, text);
}

/* ---- sending --------------------------------------------------------------------- */

/* The length of the next piece: some words and the blanks after them. */
static size_t piece_length(const char *p)
{
	size_t n = 0;

	while (p[n]) {
		bool blank = isspace((unsigned char)p[n]);
		n++;
		if (blank && n >= PIECE_MIN && p[n] && !isspace((unsigned char)p[n]))
			break;
	}
	return n;
}

static enum errcode send_pieces(struct run *run, char *text, const struct writer_pace *pace)
{
	enum errcode rc = OK;

	if (pace->first_ms > 0)
		rc = run_wait(run, pace->first_ms);
	for (char *p = text; rc == OK && *p;) {
		size_t n = piece_length(p);
		char after = p[n];

		p[n] = '\0';
		rc = run_text(run, p);
		p[n] = after;
		p += n;
		if (rc == OK && *p && pace->piece_ms > 0)
			rc = run_wait(run, pace->piece_ms);
	}
	return rc;
}

static void compose(const struct answer *w)
{
	const struct plan *plan = w->plan;

	if (plan->tool == NULL) {
		buf_puts(w->out, plan->reply != NULL ? plan->reply : said(w, no_answer));
		return;
	}
	if (formatters[plan->tool->result] != NULL)
		formatters[plan->tool->result](w);
	else
		write_plain(w);
}

static void trim_end(struct buf *b)
{
	while (b->n > 0 && isspace((unsigned char)b->p[b->n - 1]))
		buf_trunc(b, b->n - 1);
}

void writer_take(struct answer *w, const struct run *run, const struct finding *f)
{
	w->plan = f->plan;
	w->question = question_of(run, f->plan, w->wording);
	w->args = f->plan->arguments;
	w->result = f->result;
}

/* One look-up after the other; each further one gets a heading, and so does the first of several questions about rules, or of several legs. */
static void compose_all(struct answer *w, const struct run *run, const struct writing *writing)
{
	size_t questions = 0;

	if (writer_airports_beside(w, run, writing)) {
		trim_end(w->out);
		return;
	}
	writer_flights_together(w, run, writing);
	const bool legs = writer_legs(w, run, writing);
	for (size_t i = 0; i < writing->n; i++)
		questions += writing->found[i].plan->matter != NULL;
	for (size_t i = 0; i < writing->n; i++) {
		const struct finding *f = &writing->found[i];
		writer_take(w, run, f);
		if (i > 0 || legs || (questions > 1 && f->plan->matter != NULL)) {
			trim_end(w->out);
			buf_printf(w->out, "%s### %c%s\n\n", w->out->n > 0 ? "\n\n" : "", toupper((unsigned char)f->about[0]), f->about + 1);
		}
		compose(w);
	}
	trim_end(w->out);
}

static enum errcode writer_write(struct run *run, const struct writing *writing, struct err *e)
{
	struct buf out;
	const struct general_rule *general = NULL;
	struct answer w = { .mem = run->mem, .out = &out, .wording = turn_wording(run), .general = &general };
	enum errcode rc;

	for (size_t i = 0; i < writing->n; i++) {
		const struct finding *f = &writing->found[i];
		if (f->plan->tool != NULL && !jsn_is(f->result, json_type_object))
			return err_set(e, ERR_FORMATTER, "writer: %s gave no result", f->plan->tool->name);
	}
	buf_init(&out, ANSWER_MAX);
	compose_all(&w, run, writing);
	if (out.full)
		buf_trunc(&out, utf8_cut(out.p, out.n, out.n - 1));
	char *text = arena_strndup(run->mem, out.p, out.n);
	buf_release(&out);

	rc = send_pieces(run, text, &writer_builtin_pace);
	if (rc == ERR_TIMEOUT)
		err_set(e, rc, "writer: the turn's deadline passed while the answer was being sent");
	if (rc == ERR_OVERLOAD)
		err_set(e, rc, "writer: the process ended while the answer was being sent");
	return rc;
}

const struct writer writer_builtin = { .name = "builtin", .write = writer_write };
