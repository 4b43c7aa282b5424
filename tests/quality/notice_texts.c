/*
 * Does the reader of notice texts find what people marked in them? Files of lines TEXT <tab> RULES,
 * as tests/quality/README describes them; a text counts if all its rules are found, and no other.
 *
 *   notice_texts [--misses] [--require SHARE] FILE…
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "airports/facts.h"
#include "airports/notice_rules.h"
#include "base/clock.h"
#include "base/str.h"

enum { LINE_MAX_BYTES = 16384, RULES = 64, RULE_BYTES = 200 };

/* A rule in words whose order is fixed, so that rules compare as text. */
static const char *canonical(struct arena *a, const struct notice_rule *r)
{
	const char *text = notice_kind_name(r->kind);

	if (r->kind == NOTICE_HOURS)
		text = arena_printf(a, "%s %g", text, r->hours);
	if (r->days.mask != 0 && r->days.mask != NOTICE_ALL_DAYS)
		text = arena_printf(a, "%s days=%02x", text, r->days.mask);
	if (r->days.holidays)
		text = arena_printf(a, "%s hol", text);
	if (r->from >= 0)
		text = arena_printf(a, "%s %04d-%04d", text, r->from, r->to);
	if (r->before >= 0)
		text = arena_printf(a, "%s before %04d", text, r->before);
	return r->schengen ? arena_printf(a, "%s schengen", text)
	    : r->non_schengen ? arena_printf(a, "%s nonschengen", text) : text;
}

/* Read a marked rule: "hours 24 mon-fri hol 0700-1900 before 1500 schengen". */
static bool read_marked(struct arena *a, char *text, struct notice_rule *r)
{
	char *save = NULL, *word = strtok_r(text, " ", &save);

	*r = (struct notice_rule){ .hours = (double)NAN, .from = -1, .to = -1, .before = -1 };
	r->kind = notice_kind_of(word);
	if (r->kind == NOTICE_UNKNOWN)
		return false;
	if (r->kind == NOTICE_HOURS) {
		word = strtok_r(NULL, " ", &save);
		if (word == NULL || !str_to_double(word, &r->hours))
			return false;
	}
	while ((word = strtok_r(NULL, " ", &save)) != NULL) {
		const struct notice_days d = notice_days_of(word);

		if (streq(word, "before")) {
			word = strtok_r(NULL, " ", &save);
			if (word == NULL || sscanf(word, "%d", &r->before) != 1)
				return false;
		} else if (streq(word, "schengen")) {
			r->schengen = true;
		} else if (streq(word, "nonschengen")) {
			r->non_schengen = true;
		} else if (d.mask != 0 || d.holidays) {
			r->days.mask |= d.mask;
			r->days.holidays |= d.holidays;
		} else if (sscanf(word, "%d-%d", &r->from, &r->to) != 2) {
			return false;
		}
	}
	(void)a;
	return true;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *joined(struct arena *a, const char **rule, size_t n)
{
	const char *text = n == 0 ? "none" : "";

	qsort(rule, n, sizeof(*rule), by_text);
	/* the marks do not tell whether customs or immigration demands it: two that are the same are one */
	for (size_t i = 0; i < n; i++)
		if (i == 0 || !streq(rule[i], rule[i - 1]))
			text = arena_printf(a, "%s%s%s", text, i > 0 ? "; " : "", rule[i]);
	return text;
}

/* NULL: the marks cannot be read. */
static const char *marked(struct arena *a, char *marks)
{
	const char *rule[RULES];
	size_t n = 0;
	char *save = NULL;

	if (str_eq(str_trim(str_of(marks)), "none"))
		return "none";
	for (char *one = strtok_r(marks, ";", &save); one != NULL && n < RULES; one = strtok_r(NULL, ";", &save)) {
		struct notice_rule r;

		if (!read_marked(a, one, &r))
			return NULL;
		rule[n++] = canonical(a, &r);
	}
	return joined(a, rule, n);
}

static const char *found(struct arena *a, const char *text)
{
	const char *rule[NOTICE_RULES_MAX];
	struct notice_reading r;
	size_t n = 0;

	notice_read(&r, a, text);
	for (size_t i = 0; i < r.n; i++)
		if (r.rule[i].obligatory)
			rule[n++] = canonical(a, &r.rule[i]);
	return joined(a, rule, n);
}

/* "\n" in a file stands for a line break. */
static void unescape(char *text)
{
	char *to = text;

	for (const char *p = text; *p != '\0'; p++) {
		if (p[0] == '\\' && p[1] == 'n') {
			*to++ = '\n';
			p++;
		} else {
			*to++ = *p;
		}
	}
	*to = '\0';
}

struct counts {
	size_t texts, exact;
	int64_t us;
};

static bool ask(const char *path, bool misses, struct counts *c)
{
	static char line[LINE_MAX_BYTES];
	FILE *f = fopen(path, "re");
	size_t number = 0;
	bool good = f != NULL;

	if (f == NULL)
		fprintf(stderr, "%s: cannot be opened\n", path);
	while (good && fgets(line, sizeof(line), f) != NULL) {
		struct arena *a = arena_new();
		char *tab = strchr(line, '\t');

		number++;
		line[strcspn(line, "\r\n")] = '\0';
		if (*line != '#' && *line != '\0') {
			const char *want = NULL, *got;

			if (tab != NULL) {
				*tab = '\0';
				want = marked(a, arena_strdup(a, tab + 1));
			}
			if (want == NULL) {
				fprintf(stderr, "%s:%zu: the marks cannot be read\n", path, number);
				good = false;
			} else {
				unescape(line);
				int64_t start = clock_mono_us();
				got = found(a, line);
				c->us += clock_mono_us() - start;
				c->texts++;
				c->exact += streq(want, got);
				if (misses && !streq(want, got))
					printf("%s:%zu: %s\n  marked: %s\n  found:  %s\n", path, number, line,
					    want, got);
			}
		}
		arena_free(a);
	}
	if (f != NULL)
		fclose(f);
	return good;
}

static double share(const struct counts *c)
{
	return c->texts > 0 ? (double)c->exact / (double)c->texts : 0;
}

int main(int argc, char **argv)
{
	const char *data = getenv("AVIATION_AGENT_DATA_DIR");
	struct counts all = { 0 };
	bool misses = false;
	double require = 0;
	struct err e = { OK, "" };

	if (facts_open(data != NULL ? data : ".", &e) != OK) {
		fprintf(stderr, "%s\n", e.msg);
		return 2;
	}
	for (int i = 1; i < argc; i++) {
		struct counts c = { 0 };

		if (streq(argv[i], "--misses")) {
			misses = true;
			continue;
		}
		if (streq(argv[i], "--require") && i + 1 < argc) {
			require = strtod(argv[++i], NULL);
			continue;
		}
		if (!ask(argv[i], misses && strstr(argv[i], "heldout") == NULL, &c))
			return 2;
		const char *name = strrchr(argv[i], '/');
		printf("%-32s %4zu texts, exact %.3f, %.1f us a text\n", name != NULL ? name + 1 : argv[i],
		    c.texts, share(&c), c.texts > 0 ? (double)c.us / (double)c.texts : 0);
		all.texts += c.texts;
		all.exact += c.exact;
		if (c.texts > 0 && share(&c) < require) {
			fprintf(stderr, "%s: below %.2f\n", argv[i], require);
			return 1;
		}
	}
	printf("%-32s %4zu texts, exact %.3f\n", "all", all.texts, share(&all));
	return 0;
}
