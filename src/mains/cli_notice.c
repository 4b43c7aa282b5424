/*
 * aviation-agent notifications parse: the rules that the program reads from a customs text, as JSON.
 * With --llm, a language model may read what is difficult, here and in import notifications.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "airports/facts.h"
#include "airports/notice.h"
#include "airports/notice_model.h"
#include "base/buf.h"
#include "base/conf.h"
#include "base/str.h"
#include "mains/cli.h"
#include "mains/service.h"

enum { TEXT_MAX = 65536 };

static bool is_code(const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i < n; i++)
		if (!isalpha((unsigned char)word[i]))
			return false;
	return n == 4;
}

/* Text from standard input, at most TEXT_MAX bytes. */
static enum errcode read_stdin(struct buf *b, struct err *e)
{
	char part[4096];
	size_t n;

	while ((n = fread(part, 1, sizeof(part), stdin)) > 0)
		buf_put(b, part, n);
	if (b->full)
		return err_set(e, ERR_TOOBIG, "notifications parse: the text has more than %d bytes", (int)TEXT_MAX);
	return ferror(stdin) ? err_set(e, ERR_IO, "notifications parse: standard input cannot be read") : OK;
}

enum errcode cli_notice_model(struct notice_model *m, struct service *s, struct err *e)
{
	struct prompt *prompt = NULL;
	enum errcode rc = notice_model_prompt(&prompt, s->mem,
	    arena_printf(s->mem, "%s/prompts/notice.md", s->conf.data_dir), e);

	*m = (struct notice_model){ .llm = s->llm, .prompt = prompt, .model = s->config->planner.model,
		.fallback_model = s->config->fallback.model, .first_ms = s->conf.llm_first_ms };
	return rc;
}

static void print(struct arena *a, struct notice_model *m, const char *icao, const char *text)
{
	struct notice_reading r;

	notice_read_with(&r, a, text, m);
	puts(jsn_text(a, notice_reading_json(a, icao, text, &r), JSN_INDENT));
}

/* One word of four letters that is an airport with a text means that text; anything else is text. */
static enum errcode parse(struct arena *a, const struct conf *c, struct notice_model *m, int argc,
    char **argv, struct err *e)
{
	const char *text = NULL, *icao = NULL;
	struct buf b;
	enum errcode rc = OK;

	buf_init(&b, TEXT_MAX + 1);
	for (int i = 0; i < argc; i++)
		buf_printf(&b, "%s%s", i > 0 ? " " : "", argv[i]);
	if (argc == 1 && is_code(argv[0])) {
		icao = str_upper_copy(a, argv[0], 4);
		rc = notice_aip_text(c->airports_db, icao, a, &text, e);
	} else if (argc == 0 || (argc == 1 && streq(argv[0], "-"))) {
		b.n = 0;
		rc = read_stdin(&b, e);
	}
	if (rc == OK && text == NULL) {
		if (icao != NULL)
			fprintf(stderr, "aviation-agent: %s has no customs text of an airport %s, so this word was read as a "
			    "text\n", c->airports_db, icao);
		icao = NULL;
		text = arena_strndup(a, b.n > 0 ? b.p : "", b.n);
	}
	buf_release(&b);
	if (rc == OK && !utf8_valid(text, strlen(text)))
		rc = err_set(e, ERR_INPUT, "notifications parse: the text must be UTF-8");
	if (rc == OK)
		print(a, m, icao, text);
	return rc;
}

static enum errcode parse_with_model(struct arena *a, int argc, char **argv, struct err *e)
{
	struct service s;
	struct notice_model m;
	enum errcode rc = service_open(&s, "OFF", e);

	if (rc != OK)
		return rc;
	rc = cli_notice_model(&m, &s, e);
	if (rc == OK)
		rc = parse(a, &s.conf, &m, argc, argv, e);
	service_close(&s);
	return rc;
}

int cli_notifications(int argc, char **argv)
{
	struct conf c;
	struct err e = { 0 };
	bool llm = argc > 2 && streq(argv[2], "--llm");
	struct arena *a;

	if (argc < 2 || !streq(argv[1], "parse"))
		return cli_usage("notifications: usage: notifications parse [--llm] [TEXT or ICAO code], or a "
		    "text on standard input");
	a = arena_new();
	if (llm)
		parse_with_model(a, argc - 3, argv + 3, &e);
	else if (conf_load(&c, a, &e) == OK && facts_open(c.data_dir, &e) == OK)
		parse(a, &c, NULL, argc - 2, argv + 2, &e);
	arena_free(a);
	return e.code == OK ? 0 : cli_fail(&e);
}
