/*
 * Reads the chunk once, from front to back, and gives up at anything unusual: an escape, white
 * space other than blanks, a number that is not a short whole one, an array or object where none is
 * expected, or a member that matters with another value than beside text. The JSON that is left is
 * so simple that a parser would see exactly the same; its tree would cost ten times as much.
 */
#include "services/llm_openai_chunk.h"

#include <string.h>

enum level { ROOT, CHOICE, DELTA };

struct scan {
	const char *p, *end;         /* what is left */
	bool choices, delta;         /* seen */
	struct str text;
};

static bool next(struct scan *s, char c)
{
	while (s->p < s->end && *s->p == ' ')
		s->p++;
	if (s->p == s->end || *s->p != c)
		return false;
	s->p++;
	return true;
}

/* The rest of a string, after its first quote. */
static bool string(struct scan *s, struct str *inside)
{
	const char *p = s->p;
	while (p < s->end && *p != '"' && *p != '\\' && (unsigned char)*p >= ' ')
		p++;
	*inside = (struct str){ s->p, (size_t)(p - s->p) };
	s->p = p;
	return s->p < s->end && *s->p++ == '"';
}

static bool whole_number(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.n == 1 || (s.n > 1 && s.n <= 18 && s.p[0] != '0');
}

/* null, true, false or a number, as it stands there */
static bool word(struct scan *s, struct str *out)
{
	const char *p = s->p;
	while (p < s->end && *p != ' ' && *p != ',' && *p != '}')
		p++;
	*out = (struct str){ s->p, (size_t)(p - s->p) };
	s->p = p;
	return str_eq(*out, "null") || str_eq(*out, "true") || str_eq(*out, "false") ||
	    whole_number(*out);
}

/* Members that would mean something with another value, wherever they are. */
static bool usual(struct str name, bool quoted, struct str value)
{
	static const struct { const char *name, *value; bool quoted; } rows[] = {
		{ "object", "chat.completion.chunk", true },
		{ "index", "0", false },
		{ "error", "null", false },
		{ "finish_reason", "null", false },
		{ "refusal", "null", false },
		{ "tool_calls", "null", false },
		{ "usage", "null", false },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		/* the first letter tells most of them apart, and this runs for each token */
		if (*name.p == *rows[i].name && str_eq(name, rows[i].name))
			return quoted == rows[i].quoted && str_eq(value, rows[i].value);
	return true;
}

static bool once(bool *seen)
{
	bool first = !*seen;
	*seen = true;
	return first;
}

static bool object(struct scan *s, enum level level);

static bool member(struct scan *s, enum level level, struct str name)
{
	struct str value;
	if (level == ROOT && str_eq(name, "choices"))
		return once(&s->choices) && next(s, '[') && object(s, CHOICE) && next(s, ']');
	if (level == CHOICE && str_eq(name, "delta"))
		return once(&s->delta) && object(s, DELTA);
	bool quoted = next(s, '"');
	if (quoted ? !string(s, &value) : !word(s, &value))
		return false;
	if (level != DELTA || !str_eq(name, "content"))
		return usual(name, quoted, value);
	s->text = quoted ? value : (struct str){ "", 0 };
	return quoted || str_eq(value, "null");
}

static bool object(struct scan *s, enum level level)
{
	struct str name;
	if (!next(s, '{'))
		return false;
	if (next(s, '}'))
		return true;
	do {
		if (!next(s, '"') || !string(s, &name) || !next(s, ':') || !member(s, level, name))
			return false;
	} while (next(s, ','));
	return next(s, '}');
}

bool openai_chunk_text(struct str chunk, struct str *text)
{
	struct scan s = { .p = chunk.p, .end = chunk.p + chunk.n, .text = { "", 0 } };
	if (!object(&s, ROOT) || s.p != s.end || !s.delta)
		return false;
	*text = s.text;
	return true;
}
