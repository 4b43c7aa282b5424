#include "rules/general_rules.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/datafile.h"
#include "base/log.h"
#include "base/str.h"
#include "language/languages.h"

enum { LAWS = 8, LAW_BYTES = 8, COUNTRY_BYTES = 2 };

struct general_law {
	const char *name;
	char **holds, **kept;         /* codes of countries */
	size_t nholds, nkept;
};

struct general_rules {
	struct arena *mem;
	struct general_law law[LAWS];
	size_t nlaws;
	struct general_rule *rule;
	size_t n;
	struct general_text *text[LANGUAGES_MAX];     /* by language, then by rule; NULL: the language has no file */
};

static struct general_rules *in_use;

enum general_kind { KIND_LAW, KIND_KEPT, KIND_RULE };
static const struct datafile_name kinds[] = { { "law", KIND_LAW }, { "kept", KIND_KEPT }, { "rule", KIND_RULE } };

static const struct general_rules *rules(void)
{
	if (in_use == NULL) {
		log_msg(LOG_ERROR, "general_rules", "a general rule was looked up before general_rules_open()");
		abort();
	}
	return in_use;
}

/* ---- looking up -------------------------------------------------------------------- */

size_t general_rules_count(void)
{
	return rules()->n;
}

const struct general_rule *general_rule_at(size_t i)
{
	return &rules()->rule[i];
}

static const struct general_rule *named(const struct general_rules *g, const char *id)
{
	for (size_t i = 0; i < g->n; i++)
		if (streq(g->rule[i].id, id))
			return &g->rule[i];
	return NULL;
}

const struct general_rule *general_rule_named(const char *id)
{
	return named(rules(), id);
}

struct general_text general_rule_text(const struct general_rule *g, const char *language)
{
	const struct general_rules *all = rules();
	size_t english = 0, at = languages_count();

	for (size_t i = 0; i < languages_count(); i++) {
		if (streq(language_at(i), "en"))
			english = i;
		if (streq(language_at(i), language))
			at = i;
	}
	return all->text[at < languages_count() && all->text[at] != NULL ? at : english][g - all->rule];
}

static const struct general_law *law_named(const struct general_rules *g, const char *name)
{
	for (size_t i = 0; i < g->nlaws; i++)
		if (streq(g->law[i].name, name))
			return &g->law[i];
	return NULL;
}

static bool has_country(char *const *code, size_t n, const char *country)
{
	for (size_t i = 0; i < n; i++)
		if (streq(code[i], country))
			return true;
	return false;
}

enum general_force general_rule_force(const struct general_rule *g, const char *country)
{
	const struct general_law *law = law_named(rules(), g->law);

	return law == NULL ? GENERAL_FOREIGN : has_country(law->holds, law->nholds, country) ? GENERAL_HOLDS
	    : has_country(law->kept, law->nkept, country) ? GENERAL_KEPT : GENERAL_FOREIGN;
}

const char *general_rule_state(const struct general_rule *g)
{
	const struct general_law *law = law_named(rules(), g->law);

	return law != NULL && law->nholds == 1 ? law->holds[0] : NULL;
}

/* ---- reading -------------------------------------------------------------------------- */

/* The rows of a file take more memory than what is kept of them, so they live in an arena of their own. */
struct general_source {
	struct datafile file;
	struct arena *scratch;
};

/* The elements of a list, in the arena. */
static enum errcode list_of(const struct general_source *s, const struct datafile_row *r, size_t field, struct arena *a, char ***list, size_t *n,
    struct err *e)
{
	char **from = NULL;
	enum errcode rc = datafile_list(&s->file, r, field, s->scratch, &from, n, e);

	*list = arena_array(a, *n + 1, sizeof(**list));
	for (size_t i = 0; rc == OK && i < *n; i++)
		(*list)[i] = arena_strdup(a, from[i]);
	return rc;
}

static enum errcode countries(const struct general_source *s, const struct datafile_row *r, struct arena *a, char ***code, size_t *n, struct err *e)
{
	const struct datafile *f = &s->file;
	enum errcode rc = list_of(s, r, 2, a, code, n, e);

	for (size_t i = 0; rc == OK && i < *n; i++)
		if (strlen((*code)[i]) != COUNTRY_BYTES || strspn((*code)[i], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != COUNTRY_BYTES)
			rc = datafile_fault(f, r, e, "\"%s\" is not a country code such as FR", (*code)[i]);
	if (rc == OK && *n == 0)
		rc = datafile_fault(f, r, e, "codes of countries are missing");
	return rc;
}

static enum errcode read_law(struct general_rules *g, const struct general_source *s, const struct datafile_row *r, struct err *e)
{
	const struct datafile *f = &s->file;
	struct general_law *law = &g->law[g->nlaws];

	if (g->nlaws == LAWS)
		return datafile_fault(f, r, e, "at most %d laws", LAWS);
	if (*r->field[1] == '\0' || strlen(r->field[1]) > LAW_BYTES || law_named(g, r->field[1]) != NULL)
		return datafile_fault(f, r, e, "the name of a law has 1 to %d letters, and each law has one row", LAW_BYTES);
	*law = (struct general_law){ .name = arena_strdup(g->mem, r->field[1]) };
	g->nlaws++;
	return countries(s, r, g->mem, &law->holds, &law->nholds, e);
}

static enum errcode read_kept(struct general_rules *g, const struct general_source *s, const struct datafile_row *r, struct err *e)
{
	for (size_t i = 0; i < g->nlaws; i++)
		if (streq(g->law[i].name, r->field[1]) && g->law[i].nkept > 0)
			return datafile_fault(&s->file, r, e, "the law \"%s\" has a row \"kept\" already", r->field[1]);
		else if (streq(g->law[i].name, r->field[1]))
			return countries(s, r, g->mem, &g->law[i].kept, &g->law[i].nkept, e);
	return datafile_fault(&s->file, r, e, "no row above has the law \"%s\"", r->field[1]);
}

static enum errcode read_rule(struct general_rules *g, struct general_source *s, const struct datafile_row *r, struct err *e)
{
	struct datafile *f = &s->file;
	struct general_rule *rule = &g->rule[g->n];
	const struct general_law *law = law_named(g, r->field[2]);

	*rule = (struct general_rule){ .id = arena_strdup(g->mem, r->field[1]), .law = law != NULL ? law->name : "",
		.paragraph = arena_strdup(g->mem, r->field[3]), .aip = arena_strdup(g->mem, r->field[4]) };
	if (*rule->id == '\0' || rule->id[strspn(rule->id, "abcdefghijklmnopqrstuvwxyz0123456789_")] != '\0')
		return datafile_fault(f, r, e, "the name \"%s\" may have only small letters, digits and _", rule->id);
	if (*r->field[2] != '\0' && law == NULL)
		return datafile_fault(f, r, e, "no row above has the law \"%s\"", r->field[2]);
	if (*rule->paragraph == '\0' && *rule->aip == '\0')
		return datafile_fault(f, r, e, "\"%s\" needs a paragraph or a section of the AIP", rule->id);
	enum errcode rc = datafile_once(f, r, KIND_RULE, rule->id, e);
	if (rc == OK)
		rc = list_of(s, r, 5, g->mem, &rule->phrase, &rule->nphrases, e);
	if (rc == OK && rule->nphrases == 0)
		rc = datafile_fault(f, r, e, "the words in which people ask about \"%s\" are missing", rule->id);
	g->n++;
	return rc;
}

static enum errcode read_facts(struct general_rules *g, struct general_source *s, const char *path, struct err *e)
{
	const struct datafile *f = &s->file;
	enum errcode rc = datafile_read(&s->file, s->scratch, path, 2, 6, e);

	if (rc != OK)
		return rc;
	g->rule = arena_array(g->mem, f->n + 1, sizeof(*g->rule));
	for (size_t i = 0; rc == OK && i < f->n; i++) {
		const struct datafile_row *r = &f->row[i];
		int kind;
		rc = datafile_name(f, r, r->field[0], kinds, sizeof(kinds) / sizeof(kinds[0]), &kind, e);
		if (rc == OK)
			rc = kind == KIND_LAW ? read_law(g, s, r, e) : kind == KIND_KEPT ? read_kept(g, s, r, e) : read_rule(g, s, r, e);
	}
	return rc;
}

static enum errcode read_texts(struct general_rules *g, struct general_source *s, struct general_text *text, const char *path, struct err *e)
{
	struct datafile *f = &s->file;
	enum errcode rc = datafile_read(f, s->scratch, path, 2, 3, e);

	for (size_t i = 0; rc == OK && i < f->n; i++) {
		const struct datafile_row *r = &f->row[i];
		const struct general_rule *rule = named(g, r->field[0]);
		if (rule == NULL)
			rc = datafile_fault(f, r, e, "conf/facts/general_rules.txt has no rule \"%s\"", r->field[0]);
		else if (*r->field[1] == '\0')
			rc = datafile_fault(f, r, e, "the title of \"%s\" is missing", rule->id);
		else if ((*rule->law != '\0') != (*r->field[2] != '\0'))
			rc = datafile_fault(f, r, e, "a rule with a law in conf/facts/general_rules.txt needs a text, and a rule without one must have none");
		else
			rc = datafile_once(f, r, 0, rule->id, e);
		if (rc == OK)
			text[rule - g->rule] = (struct general_text){ arena_strdup(g->mem, r->field[1]), arena_strdup(g->mem, r->field[2]) };
	}
	for (size_t i = 0; rc == OK && i < g->n; i++)
		if (text[i].title == NULL)
			rc = err_set(e, ERR_CONFIG, "%s: the rule \"%s\" of conf/facts/general_rules.txt is missing", path, g->rule[i].id);
	return rc;
}

static enum errcode read_all(struct general_rules *g, struct arena *scratch, const char *data_dir, struct err *e)
{
	struct general_source s = { .scratch = scratch };
	enum errcode rc = read_facts(g, &s, arena_printf(scratch, "%s/conf/facts/general_rules.txt", data_dir), e);

	for (size_t i = 0; rc == OK && i < languages_count(); i++) {
		const char *path = arena_printf(scratch, "%s/conf/language/%s/general_rules.txt", data_dir, language_at(i));
		if (!streq(language_at(i), "en") && access(path, F_OK) != 0)
			continue;
		g->text[i] = arena_array(g->mem, g->n + 1, sizeof(*g->text[i]));
		rc = read_texts(g, &s, g->text[i], path, e);
	}
	return rc;
}

enum errcode general_rules_load(struct general_rules **out, const char *data_dir, struct err *e)
{
	struct arena *a = arena_new(), *scratch = arena_new();
	struct general_rules *g = arena_alloc(a, sizeof(*g));
	*g = (struct general_rules){ .mem = a };
	enum errcode rc = read_all(g, scratch, data_dir, e);
	arena_free(scratch);
	if (rc == OK)
		*out = g;
	else
		arena_free(a);
	return rc;
}

void general_rules_free(struct general_rules *g)
{
	if (g != NULL)
		arena_free(g->mem);
}

enum errcode general_rules_open(const char *data_dir, struct err *e)
{
	return in_use != NULL ? OK : general_rules_load(&in_use, data_dir, e);
}
