/*
 * A template is cut into pieces once, literal text and variables in turn; filling in is copying.
 * The syntax is that of Python's str.format, but only with names between the braces. A template
 * with more than a name there would mean something that we do not do, so it is refused.
 */
#include "services/prompt.h"

#include <string.h>

#include "base/str.h"

enum { TEMPLATE_MAX = 1 << 20 };

/* Literal text, and the variable after it. */
struct piece {
	const char *text;
	size_t n;
	int var;                  /* index in the names; -1: none */
	struct piece *next;
};

struct prompt {
	const char *path;
	struct piece *first;
	size_t literal;           /* bytes of all literal text */
};

/* -- parsing -- */

struct parse {
	const char *path, *text;
	const char *const *names;
	struct arena *a;
};

static size_t line_of(const struct parse *p, const char *at)
{
	size_t line = 1;
	for (const char *c = p->text; c < at; c++)
		line += *c == '\n';
	return line;
}

static enum errcode refuse(const struct parse *p, const char *at, const char *why,
    struct err *e)
{
	const char *known = "no name is known";
	for (size_t i = 0; p->names[i] != NULL; i++)
		known = arena_printf(p->a, "%s {%s}", i == 0 ? "known are" : known, p->names[i]);
	return err_set(e, ERR_CONFIG, "%s:%zu: %s (%s; {{ and }} give braces themselves)", p->path,
	    line_of(p, at), why, known);
}

static bool name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The variable that `open`, a "{", begins. */
static enum errcode variable(const struct parse *p, const char *open, int *var, const char **end,
    struct err *e)
{
	const char *name = open + 1;
	size_t n = 0;
	if (name_start(name[0]))
		while (name_start(name[n]) || (name[n] >= '0' && name[n] <= '9'))
			n++;
	if (n == 0)
		return refuse(p, open, name[0] == '}' ? "{} has no name" : "{ without a name",
		    e);
	if (name[n] != '\0' && strchr(".[!: ", name[n]) != NULL)
		return refuse(p, open, "only a name may stand between { and }, no format, attribute "
		    "or blank", e);
	if (name[n] != '}')
		return refuse(p, open, "{ is not closed", e);
	*end = name + n + 1;
	for (*var = 0; p->names[*var] != NULL; ++*var)
		if (str_eq((struct str){ name, n }, p->names[*var]))
			return OK;
	return refuse(p, open,
	    arena_printf(p->a, "{%.*s} is not known", n > 60 ? 60 : (int)n, name), e);
}

static enum errcode cut(struct prompt *out, const struct parse *p, struct err *e)
{
	struct piece **tail = &out->first;
	for (const char *at = p->text, *next; *at != '\0'; at = next) {
		struct piece *piece = *tail = arena_alloc(p->a, sizeof(*piece));
		tail = &piece->next;
		*piece = (struct piece){ .text = at, .n = strcspn(at, "{}"), .var = -1 };
		next = at + piece->n;
		if (next[0] != '\0' && next[0] == next[1]) {
			piece->n++;       /* one of the two braces belongs to the text */
			next += 2;
		} else if (next[0] == '}') {
			return refuse(p, next, "} without {", e);
		} else if (next[0] == '{') {
			enum errcode rc = variable(p, next, &piece->var, &next, e);
			if (rc != OK)
				return rc;
		}
		out->literal += piece->n;
	}
	return OK;
}

/* The first byte that is not UTF-8; NULL: there is none. */
static const char *broken(const char *s)
{
	size_t left = strlen(s), n;
	for (; left > 0; s += n, left -= n)
		if ((n = utf8_len(s, left)) == 0)
			return s;
	return NULL;
}

enum errcode prompt_parse(struct prompt **out, struct arena *a, const char *path,
    const char *text, const char *const *names, struct err *e)
{
	struct parse p = { .path = path, .names = names, .a = a };
	*out = NULL;
	if (str_trim(str_of(text)).n == 0)
		return err_set(e, ERR_CONFIG, "%s: empty", path);
	p.text = arena_strdup(a, text);
	const char *bad = broken(p.text);
	if (bad != NULL)
		return err_set(e, ERR_CONFIG, "%s:%zu: not UTF-8", path, line_of(&p, bad));
	struct prompt *prompt = arena_alloc(a, sizeof(*prompt));
	prompt->path = arena_strdup(a, path);
	enum errcode rc = cut(prompt, &p, e);
	if (rc == OK)
		*out = prompt;
	return rc;
}

enum errcode prompt_load(struct prompt **out, struct arena *a, const char *path,
    const char *const *names, struct err *e)
{
	struct buf b;
	*out = NULL;
	buf_init(&b, TEMPLATE_MAX);
	enum errcode rc = buf_load(&b, path, e);
	if (rc == OK && memchr(b.p, '\0', b.n) != NULL)
		rc = err_set(e, ERR_CONFIG, "%s: not a text: it holds a NUL byte", path);
	if (rc == OK)
		rc = prompt_parse(out, a, path, b.p, names, e);
	buf_release(&b);
	return rc;
}

/* -- filling in -- */

static struct str value_of(const struct piece *piece, const char *const *values)
{
	return str_of(piece->var < 0 ? NULL : values[piece->var]);
}

const char *prompt_fill(const struct prompt *p, struct arena *a, const char *const *values)
{
	size_t n = p->literal;
	for (const struct piece *piece = p->first; piece != NULL; piece = piece->next)
		n += value_of(piece, values).n;
	char *out = arena_alloc(a, n + 1), *at = out;
	for (const struct piece *piece = p->first; piece != NULL; piece = piece->next) {
		struct str value = value_of(piece, values);
		memcpy(at, piece->text, piece->n);
		memcpy(at + piece->n, value.p, value.n);
		at += piece->n + value.n;
	}
	return out;
}

bool prompt_uses(const struct prompt *p, size_t i)
{
	for (const struct piece *piece = p->first; piece != NULL; piece = piece->next)
		if (piece->var >= 0 && (size_t)piece->var == i)
			return true;
	return false;
}

const char *prompt_path(const struct prompt *p)
{
	return p->path;
}
