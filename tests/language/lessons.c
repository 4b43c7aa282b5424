/*
 * Each source is one course, because what two of them call different may mean the same.
 */
#include "tests/language/lessons.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

enum { LESSONS_MAX = 40000, FILES_MAX = 64, HEAD_LINES = 3, NAMES_MAX = 4000 };

enum course { COURSE_MATTERS, COURSE_TUNING, COURSE_GLOSSARY, COURSE_TOPICS };

static const struct encoder_study how = {
	.steps = 48000,
	.share = { [COURSE_MATTERS] = 8, [COURSE_TUNING] = 1, [COURSE_GLOSSARY] = 6, [COURSE_TOPICS] = 6 },
	.asks = { [COURSE_MATTERS] = true },
	.composed = { [COURSE_GLOSSARY] = true, [COURSE_TOPICS] = true },
};

/* Numbers for names, from 1 on. */
struct names {
	size_t n;
	const char *name[NAMES_MAX];
};

struct reading_file {
	struct lessons *l;
	struct names names;
	const char *path, *author;
	enum course course;
	size_t line;
};

static unsigned number_of(struct names *names, const char *name)
{
	size_t i = 0;
	while (i < names->n && !streq(names->name[i], name))
		i++;
	if (i == names->n && names->n < NAMES_MAX)
		names->name[names->n++] = name;
	return (unsigned)i + 1;
}

static void add(struct reading_file *f, const char *text, unsigned group, bool rule)
{
	if (f->l->n < LESSONS_MAX)
		f->l->lesson[f->l->n++] = (struct encoder_lesson){ text, f->course, group, rule };
}

typedef enum errcode line_fn(struct reading_file *f, char *line, struct err *e);

static enum errcode bad_line(const struct reading_file *f, struct err *e)
{
	return err_set(e, ERR_CONFIG, "%s:%zu: the line is malformed", f->path, f->line);
}

static enum errcode matter_line(struct reading_file *f, char *line, struct err *e)
{
	struct lessons *l = f->l;
	const char *matter = strsep(&line, "\t"), *kind = strsep(&line, "\t");

	if (f->line <= HEAD_LINES)
		return OK;
	if (line == NULL || *line == '\0')
		return bad_line(f, e);
	unsigned number = streq(matter, "none") ? 0 : number_of(&f->names, matter);
	bool rule = one_of(kind, "title|answer");
	l->text[l->ntexts++] = (struct matter_text){ f->author, matter, kind, line, number, rule };
	add(f, line, number, rule);
	return OK;
}

/* A line with a matter of the same course as the corpus, or with "none". It is used for training only, never for
 * measuring. */
static enum errcode aside_line(struct reading_file *f, char *line, struct err *e)
{
	if (*line == '#')
		return OK;
	const char *matter = strsep(&line, "\t"), *kind = strsep(&line, "\t");
	if (line == NULL)
		return bad_line(f, e);
	add(f, line, streq(matter, "none") ? 0 : NAMES_MAX + number_of(&f->names, matter), one_of(kind, "title|answer"));
	return OK;
}

static enum errcode tuning_line(struct reading_file *f, char *line, struct err *e)
{
	if (*line == '#')
		return OK;
	strsep(&line, "\t");
	const char *expected = strsep(&line, "\t");
	if (line == NULL)
		return bad_line(f, e);
	if (strchr(expected, '|') == NULL)
		add(f, line, streq(expected, "-") ? 0 : number_of(&f->names, expected), false);
	return OK;
}

static void phrases(struct reading_file *f, char *list, const char *between, unsigned group)
{
	char *one;
	while ((one = strsep(&list, between)) != NULL) {
		one += strspn(one, " ");
		if (*one != '\0')
			add(f, one, group, false);
	}
}

/* One line, one group: "life jacket, life vest | gilet de sauvetage | Schwimmweste" */
static enum errcode glossary_line(struct reading_file *f, char *line, struct err *e)
{
	(void)e;
	if (*line != '#')
		phrases(f, line, ",|", (unsigned)f->line);
	return OK;
}

/* "topic xpdr ~mode; transponder, squawk" */
static enum errcode topic_line(struct reading_file *f, char *line, struct err *e)
{
	(void)e;
	const char *kind = strsep(&line, " ");
	if (!one_of(kind, "topic|part") || line == NULL)
		return OK;
	char *concept = strsep(&line, ";");
	concept[strcspn(concept, " ")] = '\0';
	phrases(f, line, ",", number_of(&f->names, concept));
	return OK;
}

static enum errcode read_lines(struct reading_file *f, line_fn *take, struct err *e)
{
	FILE *in = fopen(f->path, "r");
	char line[4096];
	enum errcode rc = OK;

	if (in == NULL)
		return err_set(e, ERR_IO, "%s: %m", f->path);
	for (f->line = 1; rc == OK && fgets(line, sizeof(line), in) != NULL; f->line++) {
		line[strcspn(line, "\r\n")] = '\0';
		rc = *line != '\0' ? take(f, arena_strdup(f->l->mem, line), e) : OK;
	}
	fclose(in);
	return rc;
}

static int is_text(const struct dirent *d)
{
	size_t n = strlen(d->d_name);
	return n > 4 && streq(d->d_name + n - 4, ".txt");
}

static enum errcode read_folder(struct reading_file *f, const char *folder, struct err *e)
{
	struct arena *a = f->l->mem;
	struct dirent **file;
	int n = scandir(folder, &file, is_text, alphasort);
	enum errcode rc = n > 0 ? OK : err_set(e, ERR_IO, "%s: there is no file", folder);

	for (int i = 0; i < n; i++) {
		f->path = arena_printf(a, "%s/%s", folder, file[i]->d_name);
		f->author = arena_strndup(a, file[i]->d_name, strlen(file[i]->d_name) - strlen(".txt"));
		if (rc == OK)
			rc = read_lines(f, matter_line, e);
		free(file[i]);
	}
	free(file);
	return rc;
}

/* Matters that only the sealed files have get the last numbers. */
static enum errcode read_corpus(struct lessons *l, const char *tree, const char *sealed, struct err *e)
{
	struct reading_file f = { .l = l, .course = COURSE_MATTERS };
	enum errcode rc = read_folder(&f, arena_printf(l->mem, "%s/tests/language/rules/corpus", tree), e);

	l->nopen = l->ntexts;
	l->nopen_matters = f.names.n;
	if (rc == OK && sealed != NULL)
		rc = read_folder(&f, sealed, e);
	l->nmatters = f.names.n;
	l->matter = arena_array(l->mem, f.names.n + 1, sizeof(*l->matter));
	memcpy(l->matter, f.names.name, f.names.n * sizeof(*l->matter));
	return rc;
}

enum errcode lessons_read(struct lessons *l, struct arena *a, const char *tree, const char *vectors, const char *sealed,
    struct err *e)
{
	static const struct {
		const char *path;
		line_fn *take;
		enum course course;
	} files[] = {
		{ "tests/language/rules/asides.txt", aside_line, COURSE_MATTERS },
		{ "tests/quality/rules_tuning.tsv", tuning_line, COURSE_TUNING },
		{ "tests/language/rules/glossary.txt", glossary_line, COURSE_GLOSSARY },
		{ "conf/language/en/rule_topics.txt", topic_line, COURSE_TOPICS },
	};
	*l = (struct lessons){ .mem = a, .text = arena_array(a, LESSONS_MAX, sizeof(*l->text)),
		.lesson = arena_array(a, LESSONS_MAX, sizeof(*l->lesson)) };
	enum errcode rc = read_corpus(l, tree, sealed, e);
	for (size_t i = 0; rc == OK && i < sizeof(files) / sizeof(files[0]); i++) {
		struct reading_file f = { .l = l, .course = files[i].course,
			.path = arena_printf(a, "%s/%s", tree, files[i].path) };
		rc = read_lines(&f, files[i].take, e);
	}
	const struct senses_files from = { vectors, arena_printf(a, "%s/tests/language/rules/dictionary.txt", tree),
		arena_printf(a, "%s/tests/language/rules/names.txt", tree) };
	if (rc == OK && vectors != NULL)
		rc = senses_read(&l->senses, a, &from, e);
	return rc;
}

unsigned lessons_fold(const struct matter_text *t)
{
	return t->number != 0 ? t->number % LESSONS_FOLDS : (unsigned)(str_hash(t->text) % LESSONS_FOLDS);
}

enum errcode lessons_train(const struct lessons *l, lessons_leave_fn *leave, const void *arg, const char *path,
    struct err *e)
{
	struct encoder_lesson *taught = calloc(l->n, sizeof(*taught));
	size_t n = 0;
	if (taught == NULL)
		return err_set(e, ERR_INTERNAL, "no memory");
	for (size_t i = 0; i < l->n; i++)
		if (i >= l->ntexts || leave == NULL || !leave(arg, &l->text[i]))
			taught[n++] = l->lesson[i];
	struct encoder_study with_senses = how;
	with_senses.sense = l->senses.sense;
	with_senses.nsenses = l->senses.n;
	enum errcode rc = encoder_train(taught, n, &with_senses, path, e);
	free(taught);
	return rc;
}
