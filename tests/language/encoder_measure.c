/*
 * Measures how rules are found that the encoder was not taught: encoder-measure TREE VECTORS [ROUNDS]
 *                                                               encoder-measure TREE --sealed FOLDER
 *
 * In each round one author and a fifth of the matters are left out of the training. A rules file is made of all matters: the
 * first title of each with its answers. What is asked is what that author wrote. A question counts as "author" if its matter
 * was taught, else as "matter". Questions that no rule answers are asked too, those of the fold that was left out; if
 * RULES_JSON names a file, they are also asked of its rules.
 *
 * With --sealed nothing is trained. The tree's encoder is asked sealed questions, which were not used to teach it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "airports/facts.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"
#include "language/encoder.h"
#include "language/languages.h"
#include "rules/general_rules.h"
#include "rules/options.h"
#include "rules/retrieve.h"
#include "rules/terms.h"
#include "tests/language/lessons.h"

enum { LANGUAGES = 3, WAYS = 3, FIVE = 5 };
static const char *const languages[LANGUAGES] = { "en", "fr", "de" };
static const struct { const char *name; enum rules_search search; } ways[WAYS] = {
	{ "words", RULES_BY_WORDS }, { "meaning", RULES_BY_MEANING }, { "both", RULES_BY_BOTH },
};

struct left {
	const char *author;
	unsigned fold;
};

struct tally {
	size_t n, first, five;        /* of questions that no rule answers: first counts what was found */
};

struct measure {
	struct lessons lessons;
	struct left left;
	const char *file, *made, *real;       /* the encoder's, and of rules; real NULL: none */
	bool sealed;
	struct tally found[2][LANGUAGES][WAYS];       /* matter seen, unseen */
	struct tally none[2][WAYS];                   /* of the rules made of matters, of the real ones */
};

static bool left_out(const void *arg, const struct matter_text *t)
{
	const struct left *left = arg;
	return streq(t->author, left->author) || lessons_fold(t) == left->fold;
}

/* A country for each answer, because one has one answer to a question. */
static enum errcode make_rules(const struct measure *m, struct err *e)
{
	struct arena *a = arena_new();
	struct json_object *list = jsn_array(a);
	FILE *out = fopen(m->made, "we");

	for (unsigned i = 1; i <= m->lessons.nmatters; i++) {
		struct json_object *q = jsn_new(), *answers = jsn_new();
		char country[] = "AA";
		jsn_add_str(q, "question_id", m->lessons.matter[i - 1]);
		for (size_t k = 0; k < m->lessons.ntexts; k++) {
			const struct matter_text *t = &m->lessons.text[k];
			if (t->number != i || !t->rule)
				continue;
			if (streq(t->kind, "answer") && country[1] <= 'Z') {
				struct json_object *answer = jsn_new();
				jsn_add_str(answer, "answer_html", t->text);
				jsn_add(answers, country, answer);
				country[1]++;
			} else if (jsn_get(q, "question_text") == NULL) {
				jsn_add_str(q, "question_text", t->text);
			}
		}
		jsn_add(q, "answers_by_country", answers);
		jsn_push(list, q);
	}
	bool written = out != NULL && fputs(jsn_text(a, list, JSN_PLAIN), out) >= 0;
	if (out != NULL)
		written = fclose(out) == 0 && written;
	arena_free(a);
	return written ? OK : err_set(e, ERR_IO, "%s: %m", m->made);
}

static enum errcode ask(struct rules *r, const struct matter_text *t, enum rules_search search, struct tally *tally,
    struct err *e)
{
	struct arena *a = arena_new();
	const struct rules_query q = { .question = t->text, .search = search };
	struct rules_found found;
	enum errcode rc = rules_retrieve(r, rules_use(r, a), a, &q, &found, e);
	size_t rank = 0;

	if (rc == OK) {
		while (rank < found.n && !streq(found.hits[rank].question->id, t->matter))
			rank++;
		tally->n++;
		tally->first += t->number == 0 ? found.n > 0 : rank < found.n && rank == 0;
		tally->five += rank < found.n && rank < FIVE;
	}
	arena_free(a);
	return rc;
}

static bool is_unseen(const struct measure *m, const struct matter_text *t)
{
	return m->sealed ? t->number > m->lessons.nopen_matters : lessons_fold(t) == m->left.fold;
}

/* The threshold is the shipped one. */
static const struct rules_options options = { .embedding_model = RULES_BUILTIN, .top_k = 10, .multiplier = 1,
	.threshold = 0.25, .rerank_provider = "none" };

static enum errcode ask_all(struct measure *m, const struct encoder *encoder, bool real, struct err *e)
{
	const struct rules_config config = { .path = real ? m->real : m->made, .encoder = encoder, .options = &options };
	struct rules *r;
	enum errcode rc = rules_open(&r, &config, e);

	if (rc != OK)
		return rc;
	rules_refresh(r);
	struct arena *a = arena_new();
	if (!rules_status(r, a).vectors)
		rc = err_set(e, ERR_DATA, "%s: %s", config.path, rules_status(r, a).index);
	arena_free(a);
	for (size_t i = 0; rc == OK && i < m->lessons.ntexts; i++) {
		const struct matter_text *t = &m->lessons.text[i];
		const bool kept = i >= m->lessons.nopen;
		if (m->sealed ? t->rule || !kept || (real && t->number != 0)
		    : t->rule || (t->number == 0 ? lessons_fold(t) != m->left.fold : real || !streq(t->author, m->left.author)))
			continue;
		size_t language = 0;
		while (language < LANGUAGES - 1 && !streq(t->kind, languages[language]))
			language++;
		for (size_t way = 0; rc == OK && way < WAYS; way++)
			rc = ask(r, t, ways[way].search, t->number == 0 ? &m->none[real][way]
			    : &m->found[is_unseen(m, t)][language][way], e);
	}
	rules_close(r);
	return rc;
}

static enum errcode round_of(struct measure *m, struct err *e)
{
	struct encoder *encoder;
	enum errcode rc = m->sealed ? OK : lessons_train(&m->lessons, left_out, &m->left, m->file, e);

	if (rc == OK)
		rc = encoder_open(&encoder, m->file, e);
	if (rc != OK)
		return rc;
	rc = ask_all(m, encoder, false, e);
	if (rc == OK && m->real != NULL)
		rc = ask_all(m, encoder, true, e);
	encoder_close(encoder);
	return rc;
}

static double share(size_t n, size_t of)
{
	return of > 0 ? (double)n / (double)of : 0;
}

static void print(const struct measure *m)
{
	printf("left out            n   first and among the first five, by");
	for (size_t way = 0; way < WAYS; way++)
		printf(" %s%s", ways[way].name, way + 1 < WAYS ? "," : "\n");
	for (int unseen = 0; unseen < 2; unseen++)
		for (size_t i = 0; i < LANGUAGES; i++) {
			const struct tally *t = m->found[unseen][i];
			printf("%-9s %s %8zu", unseen ? "matter" : "author", languages[i], t->n);
			for (size_t way = 0; way < WAYS; way++)
				printf("    %.3f %.3f", share(t[way].first, t[way].n), share(t[way].five, t[way].n));
			printf("\n");
		}
	for (int real = 0; real < (m->real != NULL ? 2 : 1); real++) {
		printf("refused, %s %zu", real ? "RULES_JSON" : "made rules", m->none[real][0].n);
		for (size_t way = 0; way < WAYS; way++)
			printf("    %.3f      ", 1 - share(m->none[real][way].first, m->none[real][way].n));
		printf("\n");
	}
}

/* The authors of questions, each once; how many. */
static size_t authors_of(const struct lessons *l, const char **author, size_t max)
{
	size_t n = 0;
	for (size_t i = 0; i < l->ntexts; i++) {
		size_t k = 0;
		if (l->text[i].rule || l->text[i].number == 0)
			continue;
		while (k < n && !streq(author[k], l->text[i].author))
			k++;
		if (k == n && n < max)
			author[n++] = l->text[i].author;
	}
	return n;
}

int main(int argc, char **argv)
{
	static struct measure m;
	const char *author[32];
	char folder[] = "/tmp/encoder-measure.XXXXXX";
	struct arena *a = arena_new();
	struct err e = { 0 };

	if (argc < 3 || (argc == 3 && streq(argv[2], "--sealed")) || mkdtemp(folder) == NULL) {
		fputs("usage: encoder-measure TREE VECTORS [ROUNDS]\n       encoder-measure TREE --sealed FOLDER\n", stderr);
		return 2;
	}
	log_level_set("OFF");
	m.sealed = argc > 3 && streq(argv[2], "--sealed");
	m.file = m.sealed ? arena_printf(a, "%s/conf/language/encoder.model", argv[1]) : arena_printf(a, "%s/encoder.model", folder);
	m.made = arena_printf(a, "%s/rules.json", folder);
	m.real = getenv("RULES_JSON");
	if (m.real != NULL && access(m.real, R_OK) != 0)
		m.real = NULL;
	size_t rounds = m.sealed ? 1 : argc > 3 ? strtoul(argv[3], NULL, 10) : LESSONS_FOLDS, nauthors = 0;
	enum errcode rc = facts_open(argv[1], &e);
	if (rc == OK)
		rc = languages_open(argv[1], &e);
	if (rc == OK)
		rc = terms_open(argv[1], &e);
	if (rc == OK)
		rc = general_rules_open(argv[1], &e);
	if (rc == OK)
		rc = lessons_read(&m.lessons, a, argv[1], m.sealed ? NULL : argv[2], m.sealed ? argv[3] : NULL, &e);
	if (rc == OK && (nauthors = authors_of(&m.lessons, author, sizeof(author) / sizeof(author[0]))) == 0)
		rc = err_set(&e, ERR_DATA, "no author");
	if (rc == OK)
		rc = make_rules(&m, &e);
	for (size_t i = 0; rc == OK && i < rounds; i++) {
		m.left = (struct left){ author[i % nauthors], (unsigned)(i % LESSONS_FOLDS) };
		rc = round_of(&m, &e);
	}
	if (rc == OK)
		print(&m);
	else
		fprintf(stderr, "encoder-measure: %s\n", e.msg);
	if (!m.sealed)
		(void)unlink(m.file);
	(void)unlink(m.made);
	(void)rmdir(folder);
	arena_free(a);
	return rc == OK ? 0 : 1;
}
