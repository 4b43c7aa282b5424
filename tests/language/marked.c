/*
 * A file is read line by line. The words of a mark become the words of the text that it touches, so that
 * a mark whose end is within a word holds the whole word.
 */
#include "tests/language/marked.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

enum { FILE_BYTES = 4 << 20, FILES = 100, LABEL_BYTES = 60 };

static const char KINDS[] = "refine|replace|lift|correct|pick|more|switch|return";
/* The values of these labels are read from the words of the mark. */
static const char IN_WORDS[] = "country|day|time|radius|reach|min_runway|max_runway|max_fee|max_notice|"
	"count|speed|aircraft";
static const char ARROW[] = "→";

struct file {
	struct marked *out;
	struct arena *mem;
	const char *path, *author, *language;
	bool held;
	size_t line;
	struct err *e;
};

static enum errcode fault(const struct file *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static enum errcode fault(const struct file *f, const char *fmt, ...)
{
	char why[300];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	return err_set(f->e, ERR_CONFIG, "%s:%zu: %s", f->path, f->line, why);
}

static struct marked_message *add_message(struct marked *m, struct arena *a)
{
	if ((m->n & (m->n - 1)) == 0) {       /* full at each power of two */
		struct marked_message *more = arena_array(a, m->n == 0 ? 1 : 2 * m->n, sizeof(*more));
		if (m->n > 0)
			memcpy(more, m->message, m->n * sizeof(*more));
		m->message = more;
	}
	return &m->message[m->n++];
}

static const char *add_author(struct marked *m, struct arena *a, const char *name)
{
	for (size_t i = 0; i < m->nauthors; i++)
		if (streq(m->author[i], name))
			return m->author[i];
	const char **more = arena_array(a, m->nauthors + 1, sizeof(*more));
	if (m->nauthors > 0)
		memcpy(more, m->author, m->nauthors * sizeof(*more));
	m->author = more;
	return m->author[m->nauthors++] = name;
}

/* "refine near + cannot:weather" */
static enum errcode read_plans(const struct file *f, struct str text, struct reading *r)
{
	while (text.n > 0) {
		const char *plus = memmem(text.p, text.n, " + ", 3);
		struct str part = str_trim((struct str){ text.p, plus == NULL ? text.n : (size_t)(plus - text.p) });
		text = plus == NULL ? (struct str){ 0 } : (struct str){ plus + 3, text.n - (size_t)(plus + 3 - text.p) };
		if (r->nplans == READING_PLANS)
			return fault(f, "more than %d plans", READING_PLANS);
		struct reading_plan *plan = &r->plan[r->nplans++];
		const char *blank = memchr(part.p, ' ', part.n);
		if (blank != NULL) {
			plan->kind = arena_strndup(f->mem, part.p, (size_t)(blank - part.p));
			if (!one_of(plan->kind, KINDS))
				return fault(f, "unknown kind '%s'", plan->kind);
			part = str_trim((struct str){ blank, part.n - (size_t)(blank - part.p) });
		}
		plan->plan = arena_strndup(f->mem, part.p, part.n);
		if (part.n == 0 || strspn(plan->plan, "abcdefghijklmnopqrstuvwxyz:") != part.n)
			return fault(f, "'%s' is not a plan", plan->plan);
	}
	return r->nplans == 0 ? fault(f, "no plan behind the arrow") : OK;
}

/* "-max_fee", "country=FR#2", "at#1#2": the label, its value and its plans */
static enum errcode read_label(const struct file *f, char *text, size_t nplans, struct mark *mark,
    const char **value)
{
	char *number = strchr(text, '#');
	if (number != NULL)
		*number++ = '\0';
	for (; number != NULL; number = strchr(number, '#'), number += number != NULL) {
		if (number[0] < '1' || number[0] > '9' || (number[1] != '#' && number[1] != '\0'))
			return fault(f, "'#%s' is not the number of a plan", number);
		if ((size_t)(number[0] - '0') > nplans)
			return fault(f, "'#%c', but the message has %zu plans", number[0], nplans);
		mark->plans |= 1U << (number[0] - '1');
	}
	mark->lifted = text[0] == '-';
	mark->label = text += mark->lifted;
	char *equals = strchr(text, '=');
	if (equals != NULL) {
		*equals = '\0';
		*value = equals + 1;
		if (**value == '\0')
			return fault(f, "no value behind '%s='", text);
	}
	/* "day=1-8" is what "day=01-08" is */
	int day, month;
	if (streq(text, "day") && *value != NULL && sscanf(*value, "%2d-%2d", &day, &month) == 2)
		*value = arena_printf(f->mem, "%02d-%02d", day, month);
	if (*text == '\0' || strspn(text, "abcdefghijklmnopqrstuvwxyz_") != strlen(text))
		return fault(f, "'%s' is not a label", text);
	bool numbered = streq(text, "pick") && *value != NULL && **value >= '0' && **value <= '9';
	if (*value != NULL && !numbered && !one_of(text, IN_WORDS) && !streq(*value, "true"))
		mark->value = *value;
	return OK;
}

/* The text without its marks, and the marks without their words. */
static enum errcode read_text(const struct file *f, struct str line, struct marked_message *m,
    struct marked_piece *piece)
{
	struct reading *r = &m->gold;
	char *plain = arena_alloc(f->mem, line.n + 1);
	size_t n = 0;
	for (const char *p = line.p, *stop = line.p + line.n; p < stop; p++) {
		if (*p == ']' || *p == '|')
			return fault(f, "'%c' outside of a mark", *p);
		if (*p != '[') {
			plain[n++] = *p;
			continue;
		}
		const char *end = memchr(p, ']', (size_t)(stop - p));
		const char *bar = end == NULL ? NULL : memchr(p, '|', (size_t)(end - p));
		if (bar == NULL || bar == p + 1 || memchr(p + 1, '[', (size_t)(end - p - 1)) != NULL ||
		    memchr(bar + 1, '|', (size_t)(end - bar - 1)) != NULL)
			return fault(f, "a mark is [words|label], and marks do not nest");
		if (r->nmarks == READING_MARKS)
			return fault(f, "more than %d marks", READING_MARKS);
		piece[r->nmarks].start = n;
		memcpy(plain + n, p + 1, (size_t)(bar - p - 1));
		n += (size_t)(bar - p - 1);
		piece[r->nmarks].end = n;
		char *label = arena_strndup(f->mem, bar + 1, (size_t)(end - bar - 1));
		enum errcode rc = read_label(f, label, r->nplans, &r->mark[r->nmarks], &m->value[r->nmarks]);
		if (rc != OK)
			return rc;
		r->nmarks++;
		p = end;
	}
	m->text = plain;
	return OK;
}

size_t marked_find(struct marked_message *m, const struct marked_piece *piece)
{
	const struct words *w = m->words;
	for (size_t i = 0; i < m->gold.nmarks; i++) {
		struct mark *mark = &m->gold.mark[i];
		size_t first = 0;
		while (first < w->n && w->word[first].end <= piece[i].start)
			first++;
		size_t last = first;
		while (last + 1 < w->n && w->word[last + 1].start < piece[i].end)
			last++;
		if (first == w->n || w->word[first].start >= piece[i].end || (i > 0 && first <= mark[-1].last))
			return i;
		mark->first = first;
		mark->last = last;
		mark->sure = 1;
	}
	return SIZE_MAX;
}

static enum errcode read_message(const struct file *f, struct str line, size_t turn)
{
	struct str left = { 0 }, right = { 0 };
	for (const char *p = line.p; (p = memmem(p, line.n - (size_t)(p - line.p), ARROW, strlen(ARROW))) != NULL;
	     p += strlen(ARROW)) {
		left = str_trim((struct str){ line.p, (size_t)(p - line.p) });
		right = str_trim((struct str){ p + strlen(ARROW), line.n - (size_t)(p - line.p) - strlen(ARROW) });
	}
	if (left.p == NULL)
		return fault(f, "no '%s'", ARROW);
	if (f->author == NULL || f->language == NULL)
		return fault(f, "no lines 'author: …' and 'language: …' before the first message");

	const char *before = turn > 0 ? f->out->message[f->out->n - 1].words->language : NULL;
	struct marked_message *m = add_message(f->out, f->mem);
	struct marked_piece piece[READING_MARKS];
	m->author = f->author;
	m->language = f->language;
	m->held = f->held;
	m->path = f->path;
	m->line = f->line;
	m->turn = turn;
	m->gold.sure = 1;
	enum errcode rc = read_plans(f, right, &m->gold);
	if (rc != OK || (rc = read_text(f, left, m, piece)) != OK)
		return rc;
	m->gold.words = m->words = words_of(f->mem, m->text, before);
	size_t lost = marked_find(m, piece);
	return lost == SIZE_MAX ? OK
	    : fault(f, "the words of '%s' were not read, or belong to another mark too", m->gold.mark[lost].label);
}

void marked_add_plan(struct marked *m, struct arena *a, const char *author, const char *language, const char *text,
    const char *plan)
{
	struct marked_message *x = add_message(m, a);
	*x = (struct marked_message){ .author = add_author(m, a, author), .language = language, .path = author, .text = text,
		.plan_only = true, .gold = { .sure = 1, .nplans = 1, .plan = { { NULL, plan } } } };
	x->gold.words = x->words = words_of(a, text, NULL);
}

static bool head_line(struct file *f, struct str line)
{
	static const char AUTHOR[] = "author:", LANGUAGE[] = "language:", PERSON[] = "person:", TALKS[] = "talks:";
	char *text = arena_strndup(f->mem, line.p, line.n);
	if (starts_with(text, AUTHOR)) {
		struct str name = str_trim(str_of(text + strlen(AUTHOR)));
		f->author = add_author(f->out, f->mem, arena_strndup(f->mem, name.p, name.n));
	} else if (starts_with(text, LANGUAGE)) {
		struct str name = str_trim(str_of(text + strlen(LANGUAGE)));
		f->language = arena_strndup(f->mem, name.p, name.n);
	} else if (starts_with(text, TALKS)) {
		f->held = true;
	} else {
		return starts_with(text, PERSON);
	}
	return true;
}

static enum errcode read_lines(struct file *f, const char *text)
{
	bool began = false;
	size_t turns = 0;
	while (*text != '\0') {
		size_t n = strcspn(text, "\n");
		struct str line = str_trim((struct str){ text, n });
		text += n + (text[n] == '\n');
		f->line++;
		if (line.n == 0)
			turns = 0;
		if (line.n == 0 || line.p[0] == '#' || (!began && head_line(f, line)))
			continue;
		bool dialogue = line.n > 2 && line.p[0] == '-' && line.p[1] == ' ';
		if (dialogue)
			line = (struct str){ line.p + 2, line.n - 2 };
		else
			turns = 0;
		if (turns == MARKED_TURNS)
			return fault(f, "a dialogue has at most %d messages", MARKED_TURNS);
		enum errcode rc = read_message(f, line, turns);
		if (rc != OK)
			return rc;
		began = true;
		turns = dialogue ? turns + 1 : 0;
	}
	return OK;
}

enum errcode marked_read(struct marked *m, struct arena *a, const char *path, struct err *e)
{
	struct file f = { .out = m, .mem = a, .path = arena_strdup(a, path), .e = e };
	struct buf b;
	buf_init(&b, FILE_BYTES);
	enum errcode rc = buf_load(&b, path, e);
	if (rc == OK)
		rc = read_lines(&f, b.p);
	buf_release(&b);
	return rc;
}

static int is_marked(const struct dirent *d)
{
	const char *dot = strrchr(d->d_name, '.');
	return dot != NULL && dot != d->d_name && streq(dot, ".txt");
}

static int by_name(const struct dirent **x, const struct dirent **y)
{
	return strcmp((*x)->d_name, (*y)->d_name);      /* the same order under every locale */
}

enum errcode marked_read_folder(struct marked *m, struct arena *a, const char *folder, struct err *e)
{
	struct dirent **entry;
	int n = scandir(folder, &entry, is_marked, by_name);
	if (n < 0)
		return err_set(e, ERR_IO, "%s: cannot be read", folder);
	enum errcode rc = OK;
	if (n == 0)
		rc = err_set(e, ERR_CONFIG, "%s: no file *.txt", folder);
	for (int i = 0; i < n; i++) {
		if (rc == OK)
			rc = marked_read(m, a, arena_printf(a, "%s/%s", folder, entry[i]->d_name), e);
		free(entry[i]);
	}
	free(entry);
	return rc;
}

struct reading marked_with_values(const struct marked_message *m, const struct reading *gold)
{
	struct reading r = *gold;
	for (size_t i = 0; i < r.nmarks; i++)
		if (m->value[i] != NULL)
			r.mark[i].value = m->value[i];
	return r;
}
