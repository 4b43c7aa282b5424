/*
 * The files are small and read once; a message is short, so phrases are compared one by one.
 */
#include "agents/onboarding/builtin/words.h"

#include <string.h>

#include "base/datafile.h"

static const struct datafile_name kinds[] = {
	{ "name", W_NAME }, { "self", W_SELF }, { "not_name", W_NOT_NAME }, { "name_end", W_NAME_END },
	{ "here", W_HERE },
	{ "id", W_ID }, { "is", W_IS }, { "kit_mouse", W_MOUSE }, { "kit_keyboard", W_KEYBOARD },
	{ "kit_backpack", W_BACKPACK }, { "wish", W_WISH }, { "article", W_ARTICLE }, { "diet", W_DIET },
	{ "diet_lead", W_DIET_LEAD }, { "no_diet", W_NO_DIET },
	{ "meeting", W_MEETING }, { "booked", W_BOOKED }, { "not", W_NOT },
	{ "yes", W_YES }, { "no", W_NO }, { "decline", W_DECLINE }, { "decline_all", W_DECLINE_ALL }, { "export", W_EXPORT },
	{ "status", W_STATUS }, { "restart", W_RESTART }, { "greeting", W_GREETING }, { "thanks", W_THANKS },
	{ "filler", W_FILLER }, { "question", W_QUESTION },
	{ "idle", W_IDLE }, { "join", W_JOIN }, { "later", W_LATER }, { "but", W_BUT },
	{ "yes_too", W_YES_TOO }, { "remove", W_REMOVE },
	{ "diet_name", W_DIET_NAME }, { "about_record", W_ABOUT_RECORD },
};
enum { NKINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* The texts that the strategy says. */
static const char *const replies[] = {
	"welcome", "degraded", "recorded", "cleared", "ask_employee_name", "ask_employee_id",
	"ask_starter_kit", "ask_dietary_restrictions", "ask_meeting_scheduled", "ask_which_restrictions",
	"ask_confirm", "ask_change", "refused_employee_name", "refused_employee_id", "refused_starter_kit",
	"refused_dietary_restrictions", "refused_meeting_scheduled", "found", "not_found", "no_knowledge",
	"status", "status_empty", "restart", "exported", "held", "stale", "no_diet", "help_confirm", "export_missing", "export_failed", "done",
	"not_understood", "thanks", "nothing", "yes", "no", "label_employee_name", "label_employee_id",
	"label_starter_kit", "label_dietary_restrictions", "label_meeting_scheduled",
};

/* -- loading -- */

static struct phrase read_phrase(struct arena *a, const char *text)
{
	char *folded = str_fold(a, text);
	struct phrase p = { .word = arena_array(a, strlen(folded) / 2 + 1, sizeof(*p.word)) };
	struct str list = str_of(folded), part;
	const char *at = list.p;

	while (str_part(&at, ' ', &part))
		if (part.n > 0)
			p.word[p.n++] = arena_strndup(a, part.p, part.n);
	return p;
}

static enum errcode add(struct onboarding_words *w, const struct datafile *f, const struct datafile_row *r,
    struct arena *a, struct err *e)
{
	char **element;
	size_t n;
	int kind;
	enum errcode rc = datafile_name(f, r, r->field[0], kinds, NKINDS, &kind, e);

	if (rc == OK)
		rc = datafile_list(f, r, 1, a, &element, &n, e);
	if (rc != OK)
		return rc;
	struct phrases *to = &w->of[kind];
	struct phrase *list = arena_array(a, to->n + n + 1, sizeof(*list));
	for (size_t i = 0; i < to->n; i++)
		list[i] = to->list[i];
	for (size_t i = 0; i < n; i++)
		list[to->n + i] = read_phrase(a, element[i]);
	*to = (struct phrases){ list, to->n + n };
	return OK;
}

static enum errcode load_words(struct onboarding_words *w, struct arena *a, const char *path, struct err *e)
{
	struct datafile f;
	enum errcode rc = datafile_read(&f, a, path, 2, 2, e);

	for (size_t i = 0; rc == OK && i < f.n; i++)
		rc = add(w, &f, &f.row[i], a, e);
	for (size_t i = 0; rc == OK && i < NKINDS; i++)
		if (w->of[kinds[i].value].n == 0)
			rc = err_set(e, ERR_CONFIG, "%s: there is no row \"%s\"", path, kinds[i].name);
	return rc;
}

static enum errcode load_replies(struct onboarding_words *w, struct arena *a, const char *path, struct err *e)
{
	struct datafile f;
	enum errcode rc = datafile_read(&f, a, path, 2, 2, e);

	if (rc != OK)
		return rc;
	w->replies = arena_array(a, f.n + 1, sizeof(*w->replies));
	for (size_t i = 0; rc == OK && i < f.n; i++) {
		rc = datafile_once(&f, &f.row[i], 0, f.row[i].field[0], e);
		w->replies[w->nreplies++] = (struct reply_row){ f.row[i].field[0], f.row[i].field[1] };
	}
	for (size_t i = 0; rc == OK && i < sizeof(replies) / sizeof(replies[0]); i++)
		if (*onboarding_reply(w, replies[i]) == '\0')
			rc = err_set(e, ERR_CONFIG, "%s: there is no text \"%s\"", path, replies[i]);
	return rc;
}

enum errcode onboarding_words_load(struct onboarding_words **out, struct arena *a, const char *data_dir,
    struct err *e)
{
	struct onboarding_words *w = arena_alloc(a, sizeof(*w));
	enum errcode rc = load_words(w, a, arena_printf(a, "%s/conf/language/en/onboarding_words.txt", data_dir),
	    e);

	*out = w;
	return rc != OK ? rc : load_replies(w, a, arena_printf(a,
	    "%s/conf/language/en/onboarding_replies.txt", data_dir), e);
}

const char *onboarding_reply(const struct onboarding_words *w, const char *name)
{
	for (size_t i = 0; i < w->nreplies; i++)
		if (streq(w->replies[i].name, name))
			return w->replies[i].text;
	return "";
}

/* -- matching -- */

static bool stands(const struct phrase *p, const struct said_word *said, size_t at, size_t end)
{
	if (p->n == 0 || at + p->n > end)
		return false;
	for (size_t i = 0; i < p->n; i++)
		if (!streq(p->word[i], said[at + i].folded) || (i + 1 < p->n && said[at + i].after != '\0'))
			return false;
	return true;
}

size_t words_match(const struct onboarding_words *w, enum word_kind kind, const struct said_word *said, size_t at,
    size_t end)
{
	const struct phrases *of = &w->of[kind];
	size_t longest = 0;

	for (size_t i = 0; i < of->n; i++)
		if (of->list[i].n > longest && stands(&of->list[i], said, at, end))
			longest = of->list[i].n;
	return longest;
}
