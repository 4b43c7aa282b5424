/*
 * From the files of words to rows. Each kind of row has the class it gives and the names that may
 * follow the kind.
 */
#include "agents/aviation/builtin/lexicon_read.h"

#include <stdlib.h>
#include <string.h>

#include "agents/aviation/builtin/rules_reading.h"
#include "base/datafile.h"
#include "base/str.h"

#define NAMES(rows) rows, sizeof(rows) / sizeof((rows)[0])

enum {
	WORDS_OF_MEANING = 8,
	PHRASE_WORDS = 8,
	PHRASES = 4000,       /* of one file; a short can still count all their words */
};

static const struct datafile_name nots[] = {
	{ "negate", NOT_NEGATE }, { "waive", NOT_WAIVE }, { "waive_before", NOT_WAIVE_BEFORE },
};

static const struct datafile_name roles[] = {
	{ "from", ROLE_FROM }, { "to", ROLE_TO }, { "near", ROLE_NEAR }, { "at", ROLE_AT },
	{ "in", ROLE_IN }, { "between", ROLE_BETWEEN }, { "along", ROLE_ALONG }, { "via", ROLE_VIA },
	{ "of", ROLE_OF }, { "for", ROLE_FOR },
};

static const struct datafile_name compares[] = {
	{ "min", CMP_MIN }, { "max", CMP_MAX }, { "within", CMP_WITHIN }, { "about", CMP_ABOUT },
	{ "top", CMP_TOP }, { "show", CMP_SHOW }, { "min_after", CMP_MIN_AFTER },
	{ "max_after", CMP_MAX_AFTER },
};

static const struct datafile_name measures[] = {
	{ "runway", DIM_RUNWAY }, { "distance", DIM_DISTANCE }, { "fee", DIM_FEE },
	{ "notice", DIM_NOTICE }, { "count", DIM_COUNT }, { "height", DIM_HEIGHT },
	{ "speed", DIM_SPEED },
};

static const struct datafile_name units[] = {
	{ "ft", UNIT_FT }, { "m", UNIT_M }, { "km", UNIT_KM }, { "nm", UNIT_NM }, { "mi", UNIT_MI },
	{ "hours", UNIT_HOURS }, { "days", UNIT_DAYS }, { "money", UNIT_MONEY },
	{ "thousand", UNIT_THOUSAND },
	{ "kt", UNIT_KT }, { "kmh", UNIT_KMH }, { "mph", UNIT_MPH },
	{ "kg", UNIT_KG }, { "tonne", UNIT_TONNE }, { "lb", UNIT_LB },
};

static const struct datafile_name sites[] = { { "vicinity", 0 }, { "at_airport", 1 } };

static const struct datafile_name cues[] = {
	{ "show", CUE_SHOW }, { "lookup", CUE_LOOKUP }, { "tell", CUE_TELL }, { "aspect", CUE_ASPECT },
	{ "ask", CUE_ASK }, { "follow", CUE_FOLLOW }, { "there", CUE_THERE }, { "more", CUE_MORE },
	{ "back", CUE_BACK }, { "notify", CUE_NOTIFY }, { "rules", CUE_RULES },
	{ "weather", CUE_WEATHER }, { "notam", CUE_NOTAM }, { "file", CUE_FILE },
	{ "hello", CUE_HELLO }, { "thanks", CUE_THANKS }, { "who", CUE_WHO },
	{ "inject", CUE_INJECT }, { "here", CUE_HERE }, { "travel", CUE_TRAVEL },
	{ "fresh", CUE_FRESH }, { "code", CUE_CODE }, { "about", CUE_ABOUT },
	{ "instead", CUE_INSTEAD }, { "other", CUE_OTHER }, { "correct", CUE_CORRECT },
	{ "where", CUE_WHERE }, { "count", CUE_COUNT }, { "urgent", CUE_URGENT },
	{ "mayday", CUE_MAYDAY }, { "cheapest", CUE_CHEAPEST },
};

static const struct datafile_name lacks[] = { { "rank", LACK_RANK }, { "fuel", LACK_FUEL } };

/* How a kind of row is written: "noun", "number 12", "role from", "cue show where",
 * "filter hotel=vicinity", "unit money=EUR". */
enum kind_form { FORM_ALONE, FORM_NUMBER, FORM_NAME, FORM_NAMES, FORM_FILTER, FORM_UNIT };

static const struct {
	enum kind_form form;
	const struct datafile_name *names;
	size_t n;
} kinds[LX__MAX] = {
	[LX_NOT] = { FORM_NAME, NAMES(nots) },
	[LX_ROLE] = { FORM_NAME, NAMES(roles) },
	[LX_WISH] = { FORM_FILTER, NULL, 0 },
	[LX_SITE] = { FORM_NAME, NAMES(sites) },
	[LX_COMPARE] = { FORM_NAME, NAMES(compares) },
	[LX_DIM] = { FORM_NAME, NAMES(measures) },
	[LX_UNIT] = { FORM_UNIT, NAMES(units) },
	[LX_NUMBER] = { FORM_NUMBER, NULL, 0 },
	[LX_ORDINAL] = { FORM_NUMBER, NULL, 0 },
	[LX_LACK] = { FORM_NAME, NAMES(lacks) },
	[LX_CUE] = { FORM_NAMES, NAMES(cues) },
};

static const struct datafile_name kind_names[] = {
	{ "filler", LX_FILLER }, { "break", LX_BREAK }, { "and", LX_AND }, { "or", LX_OR },
	{ "not", LX_NOT }, { "role", LX_ROLE }, { "filter", LX_WISH }, { "site", LX_SITE },
	{ "compare", LX_COMPARE }, { "measure", LX_DIM }, { "unit", LX_UNIT }, { "number", LX_NUMBER },
	{ "ordinal", LX_ORDINAL }, { "lack", LX_LACK }, { "noun", LX_NOUN }, { "large", LX_LARGE },
	{ "cue", LX_CUE },
};

static const struct datafile_name marks[] = {
	{ "topic", MARK_TOPIC }, { "hint", MARK_HINT }, { "border", MARK_BORDER },
	{ "notice", MARK_NOTICE }, { "must", MARK_MUST }, { "may", MARK_MAY }, { "need", MARK_NEED },
	{ "ask", MARK_ASK }, { "rules", MARK_RULES }, { "compare", MARK_COMPARE },
	{ "browse", MARK_BROWSE }, { "more", MARK_MORE }, { "have", MARK_HAVE },
	{ "subjects", MARK_SUBJECTS }, { "every", MARK_EVERY }, { "neighbour", MARK_NEIGHBOUR },
	{ "general", MARK_GENERAL }, { "know", MARK_KNOW }, { "same", MARK_SAME },
	{ "lead", MARK_LEAD }, { "there", MARK_THERE }, { "void", MARK_VOID }, { "seek", MARK_SEEK },
};

static const struct datafile_name flags[] = { { "false", false }, { "true", true } };

/* A row while it is read. */
struct row_read {
	struct datafile *file;
	const struct datafile_row *from;
	char *word[WORDS_OF_MEANING];         /* of its first field */
	size_t n;
	struct arena *mem;
	struct lex_row row;                   /* without a phrase */
};

/* "has_avgas", "has_hard_runway=false", "hotel=vicinity" */
static enum errcode read_filter(struct row_read *r, char *word, struct err *e)
{
	struct datafile_name names[WISH__MAX];
	size_t n = 0;
	int value = true;
	char *equals = strchr(word, '=');
	if (equals != NULL)
		*equals++ = '\0';
	for (size_t i = 0; i < WISH__MAX; i++)
		if (wish_filters[i].as == WISH_FLAG || wish_filters[i].as == WISH_SITE)
			names[n++] = (struct datafile_name){ wish_filters[i].name, (int)i };
	enum errcode rc = datafile_name(r->file, r->from, word, names, n, &r->row.value, e);
	if (rc != OK)
		return rc;
	r->row.on = true;
	if (wish_filters[r->row.value].as == WISH_SITE) {
		rc = datafile_name(r->file, r->from, equals != NULL ? equals : "", NAMES(sites), &value, e);
		r->row.text = rc == OK ? sites[value].name : NULL;
	} else if (equals != NULL) {
		rc = datafile_name(r->file, r->from, equals, NAMES(flags), &value, e);
		r->row.on = value;
	}
	return rc;
}

/* "nm", "money=EUR" */
static enum errcode read_unit(struct row_read *r, char *word, struct err *e)
{
	enum errcode rc;
	char *equals = strchr(word, '=');
	if (equals != NULL)
		*equals++ = '\0';
	rc = datafile_name(r->file, r->from, word, NAMES(units), &r->row.value, e);
	if (rc == OK && (r->row.value == UNIT_MONEY) != (equals != NULL && strlen(equals) == 3))
		return datafile_fault(r->file, r->from, e, "money takes the three letters of its currency, as "
		    "in money=EUR, and no other unit does");
	r->row.text = arena_strdup(r->mem, equals);
	return rc;
}

/* The bits of names from the word `first` on. */
static enum errcode read_bits(struct row_read *r, size_t first, const struct datafile_name *names,
    size_t n, struct err *e)
{
	enum errcode rc = OK;
	for (size_t i = first; rc == OK && i < r->n; i++) {
		int bit = 0;
		rc = datafile_name(r->file, r->from, r->word[i], names, n, &bit, e);
		r->row.value |= bit;
	}
	return rc;
}

static enum errcode airport_meaning(struct row_read *r, struct err *e)
{
	int class;
	long long number;
	enum errcode rc = datafile_name(r->file, r->from, r->word[0], NAMES(kind_names), &class, e);
	if (rc != OK)
		return rc;
	r->row.class = (enum lex_class)class;
	const enum kind_form form = kinds[class].form;
	if (form == FORM_ALONE ? r->n > 1 : form == FORM_NAMES ? r->n < 2 : r->n != 2)
		return datafile_fault(r->file, r->from, e, form == FORM_ALONE
		    ? "no word may follow \"%s\" before the semicolon" : form == FORM_NAMES
		    ? "at least one word must follow \"%s\" before the semicolon"
		    : "one word must follow \"%s\" before the semicolon", r->word[0]);
	switch (form) {
	case FORM_ALONE:
		return OK;
	case FORM_NUMBER:
		if (!str_to_int(r->word[1], &number) || number < -1 || number > 1000000)
			return datafile_fault(r->file, r->from, e, "\"%s\" is not a whole number from -1 to "
			    "1000000", r->word[1]);
		r->row.value = (int)number;
		return OK;
	case FORM_FILTER:
		return read_filter(r, r->word[1], e);
	case FORM_UNIT:
		return read_unit(r, r->word[1], e);
	case FORM_NAME:
		return datafile_name(r->file, r->from, r->word[1], kinds[class].names, kinds[class].n,
		    &r->row.value, e);
	case FORM_NAMES:
		break;
	}
	return read_bits(r, 1, kinds[class].names, kinds[class].n, e);
}

static enum errcode rule_meaning(struct row_read *r, struct err *e)
{
	r->row.class = LX_CUE;
	return read_bits(r, 0, NAMES(marks), e);
}

/* Is it words of small letters with one blank between, which most phrases are? */
static bool plain(const char *phrase, size_t *n)
{
	for (*n = 0;; phrase++) {
		const size_t letters = strspn(phrase, "abcdefghijklmnopqrstuvwxyz");
		phrase += letters;
		++*n;
		if (letters == 0 || *phrase != ' ')
			return letters > 0 && *phrase == '\0';
	}
}

/* The phrase as the lexer gives it: folded words, one blank between them, no hyphens. */
static const char *as_tokens(struct arena *a, const char *phrase, size_t *n)
{
	if (plain(phrase, n))
		return phrase;
	struct lexed x = lex(a, phrase);
	*n = x.n;
	char *text = arena_alloc(a, 4 * strlen(phrase) + 1), *p = text;
	for (size_t i = 0; i < x.n; i++) {
		if (i > 0 && i + 1 < x.n && streq(x.tok[i].fold, "-"))
			continue;
		if (p > text)
			*p++ = ' ';
		p = stpcpy(p, x.tok[i].fold);
	}
	return text;
}

/* The words before the first semicolon. */
static enum errcode split_meaning(struct row_read *r, struct err *e)
{
	for (char *p = r->from->field[0]; *(p += strspn(p, " \t")) != '\0';) {
		if (r->n == WORDS_OF_MEANING)
			return datafile_fault(r->file, r->from, e, "has more than %d words before the "
			    "semicolon", WORDS_OF_MEANING);
		r->word[r->n++] = p;
		p += strcspn(p, " \t");
		if (*p != '\0')
			*p++ = '\0';
	}
	return OK;
}

typedef enum errcode meaning_fn(struct row_read *r, struct err *e);

/* Add a row of the lexicon for each phrase. */
static enum errcode read_phrases(struct lex_rows *out, struct row_read *r, struct arena *scratch,
    struct err *e)
{
	char **phrase;
	size_t n;
	enum errcode rc = datafile_list(r->file, r->from, 1, scratch, &phrase, &n, e);
	for (size_t i = 0, words; rc == OK && i < n; i++) {
		r->row.phrase = arena_strdup(r->mem, as_tokens(scratch, phrase[i], &words));
		if (words == 0 || words > PHRASE_WORDS)
			return datafile_fault(r->file, r->from, e, "\"%s\" must have 1 to %d words",
			    phrase[i], PHRASE_WORDS);
		if (out->n == PHRASES)
			return datafile_fault(r->file, r->from, e, "there are more than %d phrases", PHRASES);
		rc = datafile_once(r->file, r->from, (int)r->row.class, r->row.phrase, e);
		out->row[out->n++] = r->row;
	}
	return rc;
}

static enum errcode read_rows(struct lex_rows *out, struct arena *a, const char *path,
    meaning_fn *meaning, struct err *e)
{
	struct arena *scratch = arena_new();  /* holds the content of the file */
	struct datafile d;
	enum errcode rc = datafile_read(&d, scratch, path, 2, 2, e);
	if (rc == OK)
		out->row = arena_array(a, datafile_elements(&d, 1), sizeof(*out->row));
	for (size_t i = 0; rc == OK && i < d.n; i++) {
		struct row_read r = { .file = &d, .from = &d.row[i], .mem = a };
		rc = split_meaning(&r, e);
		if (rc == OK)
			rc = meaning(&r, e);
		if (rc == OK)
			rc = read_phrases(out, &r, scratch, e);
	}
	arena_free(scratch);
	return rc;
}

enum errcode lexicon_read_airports(struct lex_rows *out, struct arena *a, const char *path,
    struct err *e)
{
	return read_rows(out, a, path, airport_meaning, e);
}

enum errcode lexicon_read_rules(struct lex_rows *out, struct arena *a, const char *path,
    struct err *e)
{
	return read_rows(out, a, path, rule_meaning, e);
}
