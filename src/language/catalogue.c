/*
 * Reading catalogues. A file is split into messages, each goes to its row, and then the languages are
 * compared: the same messages, the same plural forms, the same names in braces.
 */
#include "language/catalogue.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "language/languages.h"
#include "language/wording.h"

enum { NAME_MAX_BYTES = 40 };

static const char forms_file[] = "forms.txt";

/* Where a text stands, for what is said of it later. */
struct place_in_file { const char *path; size_t line; };

/* A language that is being read. */
struct reading_language {
	struct wording *w;
	struct place_in_file *place;          /* of each text */
	struct place_in_file form[FORM__MAX];
	const char *folder;
};

struct catalogue {
	size_t n;
	struct wording *language[LANGUAGES_MAX];
};

/* The reading of a catalogue. */
struct catalogue_reading {
	const struct catalogue_source *from;
	struct arena *mem, *scratch;          /* scratch holds what is needed until the end of the reading */
	struct reading_language *language;    /* this one is read */
	size_t next;                          /* the row that most likely comes next: files keep the order of rows */
};

static enum errcode fault(struct place_in_file at, struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static enum errcode fault(struct place_in_file at, struct err *e, const char *fmt, ...)
{
	char why[400];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	return at.line == 0 ? err_set(e, ERR_CONFIG, "%s: %s", at.path, why)
	    : err_set(e, ERR_CONFIG, "%s:%zu: %s", at.path, at.line, why);
}

/* ---- one text ---------------------------------------------------------------------------- */

/* Quotes keep blanks at the ends; \n begins a line. */
static enum errcode unquote(char *text, struct place_in_file at, struct err *e)
{
	size_t n = strlen(text);
	char *to = text;

	if (n >= 2 && text[0] == '"' && text[n - 1] == '"') {
		memmove(text, text + 1, n - 2);
		text[n - 2] = '\0';
	}
	for (const char *p = text; *p != '\0'; p++) {
		if (*p != '\\') {
			*to++ = *p;
			continue;
		}
		if (*++p != 'n')
			return fault(at, e, "only \\n may follow a backslash");
		*to++ = '\n';
	}
	*to = '\0';
	return OK;
}

/* Braces come in pairs with a name between them. */
static enum errcode check_braces(const char *text, struct place_in_file at, struct err *e)
{
	for (const char *p = text; *(p += strcspn(p, "{}")) != '\0';) {
		const size_t n = strspn(p + 1, "abcdefghijklmnopqrstuvwxyz_0123456789");
		if (*p != '{' || n == 0 || p[n + 1] != '}')
			return fault(at, e, "a brace without a name like {place}");
		p += n + 2;
	}
	return OK;
}

/* Does one of the signs of "! ? »" stand here? Its length. */
static size_t sign_at(const char *p, const char *signs)
{
	struct str sign;

	while (str_part(&signs, ' ', &sign))
		if (sign.n > 0 && strncmp(p, sign.p, sign.n) == 0)
			return sign.n;
	return 0;
}

/* A blank at a sign that must not begin or end a line becomes one that does not break the line. */
static const char *with_firm_blanks(struct catalogue_reading *r, const char *text)
{
	static const char firm[] = "\xC2\xA0";
	const struct wording *w = r->language->w;
	const char *before = w->form[FORM_NO_BREAK_BEFORE], *after = w->form[FORM_NO_BREAK_AFTER];
	char *out = arena_alloc(r->scratch, 2 * strlen(text) + 1), *o = out;
	bool opened = false;

	for (const char *p = text; *p != '\0';) {
		const size_t n = sign_at(p, after);
		if (*p == ' ' && (opened || sign_at(p + 1, before) > 0))
			o = mempcpy(o, firm, sizeof(firm) - 1);
		else
			o = mempcpy(o, p, n > 0 ? n : 1);
		opened = n > 0;
		p += n > 0 ? n : 1;
	}
	return arena_strndup(r->mem, out, (size_t)(o - out));
}

/* ---- rows ---------------------------------------------------------------------------------- */

static enum errcode take_form(struct catalogue_reading *r, struct str name, const char *text,
    struct place_in_file at, struct err *e)
{
#define FORM_ROW(constant, word, empty) { word, empty },
	static const struct { const char *name; bool empty; } rows[FORM__MAX] = { WORDING_FORMS(FORM_ROW) };
	struct wording *w = r->language->w;

	for (size_t i = 0; i < FORM__MAX; i++) {
		if (!str_eq(name, rows[i].name))
			continue;
		if (w->form[i] != NULL)
			return fault(at, e, "\"%s\" has a row already", rows[i].name);
		if (*text == '\0' && !rows[i].empty)
			return fault(at, e, "\"%s\" has no text", rows[i].name);
		w->form[i] = text;
		r->language->form[i] = at;
		return OK;
	}
	return fault(at, e, "there is no form \"%.*s\"", (int)name.n, name.p);
}

/* "list_more.one": the row and the plural form. */
static enum errcode take_message(struct catalogue_reading *r, struct str name, const char *text,
    struct place_in_file at, struct err *e)
{
	static const char *const endings[PLURAL_FORMS] = { ".one", ".other" };
	const char *dot = memchr(name.p, '.', name.n);
	const struct str base = { name.p, dot != NULL ? (size_t)(dot - name.p) : name.n };
	size_t row = r->next, form = 0, seen = 0;

	while (seen < r->from->n && !str_eq(base, r->from->row[row % r->from->n].name)) {
		row++;
		seen++;
	}
	row %= r->from->n;
	if (seen == r->from->n)
		return fault(at, e, "the program has no message \"%.*s\"", (int)base.n, base.p);
	if ((dot != NULL) != r->from->row[row].counted)
		return fault(at, e, dot != NULL ? "\"%.*s\" does not depend on a number, so its name has no ending"
		    : "\"%.*s\" depends on a number: write it twice, with the endings .one and .other",
		    (int)base.n, base.p);
	while (dot != NULL && form < PLURAL_FORMS && !str_eq((struct str){ dot, name.n - base.n }, endings[form]))
		form++;
	if (form == PLURAL_FORMS)
		return fault(at, e, "a name ends with .one or .other, not with %.*s", (int)(name.n - base.n), dot);
	const size_t i = row * PLURAL_FORMS + form;
	if (r->language->w->text[i] != NULL)
		return fault(at, e, "\"%.*s\" has a text already, in line %zu", (int)name.n, name.p,
		    r->language->place[i].line);
	if (*text == '\0')
		return fault(at, e, "\"%.*s\" has no text", (int)name.n, name.p);
	r->language->w->text[i] = text;
	r->language->place[i] = at;
	r->next = form == 0 && dot != NULL ? row : row + 1;
	return check_braces(text, at, e);
}

/* "name = text", with the lines that continue it joined. */
static enum errcode take_row(struct catalogue_reading *r, const char *row, bool forms,
    struct place_in_file at, struct err *e)
{
	const char *sign = strchr(row, '=');
	struct str name = str_trim((struct str){ row, sign != NULL ? (size_t)(sign - row) : 0 });

	if (sign == NULL || name.n == 0 || name.n > NAME_MAX_BYTES)
		return fault(at, e, "is not \"name = text\"");
	if (!utf8_valid(row, strlen(row)) || str_has_control(row))
		return fault(at, e, "is not UTF-8 text, or has a control character");
	const struct str value = str_trim(str_of(sign + 1));
	char *text = arena_strndup(forms ? r->mem : r->scratch, value.p, value.n);
	enum errcode rc = unquote(text, at, e);
	if (rc != OK)
		return rc;
	return forms ? take_form(r, name, text, at, e)
	    : take_message(r, name, with_firm_blanks(r, text), at, e);
}

static enum errcode read_text(struct catalogue_reading *r, char *text, const char *path, bool forms,
    struct err *e)
{
	struct place_in_file at = { path, 0 };
	size_t line = 0;
	const char *row = NULL;
	enum errcode rc = OK;

	for (char *p = text, *end; rc == OK && p != NULL; p = end) {
		end = strchr(p, '\n');
		if (end != NULL)
			*end++ = '\0';
		line++;
		p[strcspn(p, "\r")] = '\0';
		const struct str content = str_trim(str_of(p));
		if (row != NULL && content.n > 0 && isblank((unsigned char)*p)) {
			row = arena_printf(r->scratch, "%s %.*s", row, (int)content.n, content.p);
			continue;
		}
		rc = row != NULL ? take_row(r, row, forms, at, e) : OK;
		row = content.n > 0 && *p != '#' ? p : NULL;
		at.line = line;
	}
	return rc == OK && row != NULL ? take_row(r, row, forms, at, e) : rc;
}

static enum errcode read_file(struct catalogue_reading *r, const char *name, bool forms, struct err *e)
{
	const char *path = arena_printf(r->mem, "%s/%s", r->language->folder, name);
	struct buf b;

	buf_init(&b, CATALOGUE_BYTES);
	enum errcode rc = buf_load(&b, path, e);
	if (rc != OK && e != NULL)
		e->code = ERR_CONFIG;
	char *text = arena_strndup(r->scratch, b.p, b.n);
	const bool cut = strlen(text) != b.n;
	buf_release(&b);
	if (rc != OK)
		return ERR_CONFIG;
	return cut ? err_set(e, ERR_CONFIG, "%s: has a NUL byte", path) : read_text(r, text, path, forms, e);
}

/* ---- a language ------------------------------------------------------------------------------ */

static enum errcode read_plural(struct reading_language *l, struct err *e)
{
	static const char *const names[PLURAL__MAX] = { [PLURAL_ONE] = "one", [PLURAL_BELOW_TWO] = "below_two" };
	size_t i = 0;

	while (i < PLURAL__MAX && !streq(names[i], l->w->form[FORM_PLURAL]))
		i++;
	l->w->plural = (enum plural)i;
	return i < PLURAL__MAX ? OK : fault(l->form[FORM_PLURAL], e,
	    "\"plural\" is \"one\" (.one is for 1) or \"below_two\" (.one is for 0 and 1)");
}

static enum errcode read_months(struct reading_language *l, struct arena *a, struct err *e)
{
	const char *list = l->w->form[FORM_MONTHS];
	struct str month;
	size_t n = 0;

	for (; str_part(&list, ',', &month); n++)
		if (n < WORDING_MONTHS) {
			month = str_trim(month);
			l->w->month[n] = arena_strndup(a, month.p, month.n);
		}
	return n == WORDING_MONTHS ? OK : fault(l->form[FORM_MONTHS], e, "\"months\" has %zu names, not 12", n);
}

/* "de d', que qu'" */
static enum errcode read_shortened(struct reading_language *l, struct arena *a, struct err *e)
{
	const char *list = l->w->form[FORM_SHORTENED];
	struct wording *w = l->w;
	struct str pair;

	while (str_part(&list, ',', &pair)) {
		pair = str_trim(pair);
		const char *blank = memchr(pair.p, ' ', pair.n);
		if (pair.n == 0 && w->nshortened == 0)
			continue;
		if (blank == NULL || w->nshortened == SHORTENED_MAX)
			return fault(l->form[FORM_SHORTENED], e, "\"shortened\" is a list like \"de d', que qu'\", "
			    "of at most %d pairs", SHORTENED_MAX);
		w->shortened[w->nshortened].word = arena_strndup(a, pair.p, (size_t)(blank - pair.p));
		w->shortened[w->nshortened++].as = arena_strndup(a, blank + 1, (size_t)(pair.p + pair.n - blank - 1));
	}
	return OK;
}

static enum errcode read_forms(struct catalogue_reading *r, struct err *e)
{
	struct reading_language *l = r->language;
#define FORM_NAME(constant, word, empty) word,
	static const char *const names[FORM__MAX] = { WORDING_FORMS(FORM_NAME) };
	enum errcode rc = read_file(r, forms_file, true, e);

	for (size_t i = 0; rc == OK && i < FORM__MAX; i++)
		if (l->w->form[i] == NULL)
			rc = err_set(e, ERR_CONFIG, "%s/%s: \"%s\" is missing", l->folder, forms_file, names[i]);
	if (rc == OK && (strlen(l->w->form[FORM_THOUSANDS]) > WORDING_SIGN ||
	    strlen(l->w->form[FORM_DECIMAL]) > WORDING_SIGN))
		rc = fault(l->form[FORM_THOUSANDS], e, "a sign in numbers is one character");
	if (rc == OK)
		rc = read_plural(l, e);
	if (rc == OK)
		rc = read_months(l, r->mem, e);
	if (rc == OK)
		rc = read_shortened(l, r->mem, e);
	if (rc == OK)
		rc = check_braces(l->w->form[FORM_DATE], l->form[FORM_DATE], e);
	return rc;
}

static enum errcode check_complete(const struct catalogue_reading *r, struct err *e)
{
	for (size_t i = 0; i < r->from->n * PLURAL_FORMS; i++) {
		const struct message_row *row = &r->from->row[i / PLURAL_FORMS];
		if (r->language->w->text[i] == NULL && (i % PLURAL_FORMS == 0 || row->counted))
			return err_set(e, ERR_CONFIG, "%s: the message \"%s%s\" is missing", r->language->folder,
			    row->name, !row->counted ? "" : i % PLURAL_FORMS == 0 ? ".one" : ".other");
	}
	return OK;
}

static enum errcode read_language(struct catalogue_reading *r, const char *name, struct err *e)
{
	struct reading_language *l = r->language;

	l->folder = arena_printf(r->mem, "%s/%s", r->from->folder, name);
	l->w = arena_alloc(r->mem, sizeof(*l->w));
	l->w->language = arena_strdup(r->mem, name);
	l->w->text = arena_array(r->mem, r->from->n * PLURAL_FORMS, sizeof(*l->w->text));
	l->place = arena_array(r->scratch, r->from->n * PLURAL_FORMS, sizeof(*l->place));
	enum errcode rc = read_forms(r, e);
	for (size_t i = 0; rc == OK && r->from->file[i] != NULL; i++)
		rc = read_file(r, r->from->file[i], false, e);
	return rc == OK ? check_complete(r, e) : rc;
}

/* ---- the languages compared -------------------------------------------------------------------- */

/* Is {name} in one of the forms of a message? */
static bool has_value(const struct wording *w, size_t row, struct str name)
{
	for (size_t form = 0; form < PLURAL_FORMS; form++) {
		const char *p = w->text[row * PLURAL_FORMS + form];
		for (; p != NULL && (p = strchr(p, '{')) != NULL; p++)
			if (strncmp(p + 1, name.p, name.n) == 0 && p[1 + name.n] == '}')
				return true;
	}
	return false;
}

/* A name in braces that one language has and the other has not. */
static bool value_missing(const struct wording *in, const struct wording *of, size_t row, bool counted,
    struct str *name)
{
	for (size_t form = 0; form < PLURAL_FORMS; form++) {
		const char *p = of->text[row * PLURAL_FORMS + form];
		for (; p != NULL && (p = strchr(p, '{')) != NULL; p++) {
			*name = (struct str){ p + 1, strcspn(p + 1, "}") };
			if (!(counted && str_eq(*name, "n")) && !has_value(in, row, *name))
				return true;
		}
	}
	return false;
}

static enum errcode compare(const struct catalogue_source *from, const struct wording *reference,
    const struct reading_language *l, struct err *e)
{
	struct str name;

	for (size_t row = 0; row < from->n; row++) {
		const struct place_in_file at = l->place[row * PLURAL_FORMS];
		if (value_missing(reference, l->w, row, from->row[row].counted, &name))
			return fault(at, e, "{%.*s} is not a value of \"%s\" in English", (int)name.n, name.p,
			    from->row[row].name);
		if (value_missing(l->w, reference, row, from->row[row].counted, &name))
			return fault(at, e, "{%.*s} is missing: \"%s\" has it in English", (int)name.n, name.p,
			    from->row[row].name);
	}
	return OK;
}

enum errcode catalogue_read(struct catalogue **out, struct arena *a,
    const struct catalogue_source *from, struct err *e)
{
	struct catalogue *c = arena_alloc(a, sizeof(*c));
	enum errcode rc = OK;

	for (size_t i = 0; rc == OK && from->language[i] != NULL && i < LANGUAGES_MAX; i++) {
		struct arena *scratch = arena_new();
		struct reading_language l = { .w = NULL };
		struct catalogue_reading r = { .from = from, .mem = a, .scratch = scratch, .language = &l };
		rc = read_language(&r, from->language[i], e);
		c->language[c->n++] = l.w;
		if (rc == OK)
			rc = compare(from, c->language[0], &l, e);
		arena_free(scratch);
	}
	*out = c;
	return rc;
}

const struct wording *catalogue_at(const struct catalogue *c, size_t i)
{
	return i < c->n ? c->language[i] : NULL;
}

const struct wording *catalogue_in(const struct catalogue *c, const char *language)
{
	for (size_t i = 0; i < c->n; i++)
		if (streq(c->language[i]->language, language))
			return c->language[i];
	return c->language[0];
}
