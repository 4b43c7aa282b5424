/*
 * Fuzzer of the rules loader and its sanitiser. The first byte of an input chooses: even, the rest
 * is a rules file; odd, it is an answer. A reader of its own checks the result: only known tags, as
 * the sanitiser writes them, each closed in order; only addresses that may be links; a second pass
 * changes nothing; lists are sorted, complete and without blank texts.
 *
 *   clang -std=gnu11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined \
 *       -I/usr/include/json-c -include include/banned.h -iquote include -iquote src \
 *       tests/fuzz/fuzz_rules.c src/rules/{html_tokenizer,rule_html,rules_json,rulebase,rule_filter}.c \
 *       src/base/{arena,buf,clock,errs,jsn,log,owned,str}.c -ljson-c -lm -o fuzz_rules
 *   ./fuzz_rules -dict=tests/fuzz/rules.dict -max_len=4096 CORPUS
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"
#include "base/str.h"
#include "rules/rulebase.h"
#include "rules/rule_filter.h"
#include "rules/rule_html.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok, const char *what, const char *text)
{
	if (ok)
		return;
	fprintf(stderr, "%s: %s\n", what, text);
	abort();
}

/* The tag at p, which begins with "<"; pushes or pops the element. */
static const char *check_tag(const char *p, const char *stack[64], size_t *open)
{
	static const char *const names[] = { "p", "ul", "ol", "li", "b", "strong", "i", "em", "u" };
	if (starts_with(p, "<br>"))
		return p + 4;
	if (starts_with(p, "<a href=\"")) {
		const char *end = strchr(p + 9, '"');
		require(end != NULL && end[1] == '>', "open address", p);
		require(strncasecmp(p + 9, "http", 4) == 0 || strncasecmp(p + 9, "mailto:", 7) == 0,
		    "address", p);
		require(memchr(p + 9, '<', (size_t)(end - p - 9)) == NULL, "tag in address", p);
		stack[(*open)++] = "a";
		return end + 2;
	}
	bool close = p[1] == '/';
	const char *name = p + 1 + close, *end = strchr(name, '>');
	require(end != NULL, "open tag", p);
	size_t n = (size_t)(end - name);
	if (close) {
		require(*open > 0, "too many ends", p);
		const char *last = stack[--*open];
		require(strlen(last) == n && strncmp(name, last, n) == 0, "order of ends", p);
		return end + 1;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == n && strncmp(name, names[i], n) == 0) {
			require(*open < 64, "depth", p);
			stack[(*open)++] = names[i];
			return end + 1;
		}
	require(false, "unknown element", p);
	return end;
}

static void check_html(const char *html)
{
	const char *stack[64];
	size_t open = 0;
	for (const char *p = html; (p = strchr(p, '<')) != NULL;)
		p = check_tag(p, stack, &open);
	require(open == 0, "not closed", html);
}

static void check_answer(struct arena *a, const char *text)
{
	const char *html = rule_html(a, text), *plain = rule_plain(a, html);
	check_html(html);
	require(strcmp(rule_html(a, html), html) == 0, "not twice the same", html);
	require(strchr(text, '<') != NULL || html == text, "changed without need", html);
	require(strlen(plain) <= strlen(html), "longer than it was", plain);
	struct str trimmed = str_trim(str_of(plain));
	require(trimmed.n == strlen(plain), "blanks at the ends", plain);
	for (const char *p = plain; *p != '\0'; p++)
		require((unsigned char)*p >= 0x20 || *p == '\n' || *p == '\t', "control byte", plain);
	require(!utf8_valid(text, strlen(text)) || utf8_valid(plain, strlen(plain)), "UTF-8", plain);
	require(!utf8_valid(text, strlen(text)) || utf8_valid(html, strlen(html)), "UTF-8", html);
	require(strlen(rule_plain(a, text)) <= strlen(text), "longer than it was", text);
	rule_clip(a, plain, 20);
	rule_tag(a, text);
}

static void check_base(struct arena *a, const struct rulebase *b)
{
	size_t listed = 0, n;
	require(b->nanswers > 0 && b->nanswers <= b->facts.answers, "counts", "");
	for (size_t i = 0; i < b->nquestions; i++) {
		const struct rule_question *q = &b->questions[i];
		require(q->index == i && rulebase_question(b, q->id) == q, "question", q->id);
		for (size_t k = 0; k < q->nentries; k++) {
			const struct rule_entry *x = &q->entries[k];
			check_html(x->html);
			require(*x->text != '\0', "blank", q->id);
			require(rule_answer(q, x->country) == x, "country", x->country);
			for (size_t l = 0; l < x->nlinks; l++)
				require(rule_link_ok(x->links[l]), "link", x->links[l]);
			require(k == 0 || strcmp(x[-1].country, x->country) < 0, "order", q->id);
		}
	}
	for (size_t i = 0; i < b->ncountries; i++) {
		const struct rule_country *c = &b->countries[i];
		require(rulebase_country(b, c->code) == c, "country", c->code);
		rules_display(a, c->entries, c->nentries, i % 2 == 0);
		rules_for_country(b, a, c->code, NULL, &n);
		require(n == c->nentries, "all of a country", c->code);
		listed += n;
	}
	require(listed == b->nanswers, "answers are in no country's list", "");
}

static void check_file(struct arena *a, const uint8_t *data, size_t size)
{
	char path[64];
	struct rulebase *b = NULL;
	struct err e;
	int fd = memfd_create("rules", MFD_CLOEXEC);
	if (fd == -1 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	enum errcode rc = rulebase_load(&b, path, &e);
	require(rc == OK || (rc == ERR_DATA && b == NULL && *e.msg != '\0'), "code", err_row(rc)->name);
	if (rc == OK)
		check_base(a, b);
	rulebase_free(b);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	struct arena *a = arena_new();
	log_level_set("OFF");
	if (data[0] % 2 == 0)
		check_file(a, data + 1, size - 1);
	else
		check_answer(a, arena_strndup(a, (const char *)data + 1, size - 1));
	arena_free(a);
	return 0;
}
