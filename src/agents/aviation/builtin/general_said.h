/*
 * A general rule (rules/general_rules.h) as Markdown, in the language of the pilot: whose rule it is, what it says, and where the AIP
 * tells more.
 */
#ifndef AGENTS_AVIATION_BUILTIN_GENERAL_SAID_H
#define AGENTS_AVIATION_BUILTIN_GENERAL_SAID_H

#include "agents/aviation/messages.h"
#include "base/arena.h"
#include "rules/general_rules.h"

/* Lines that end with "\n". country: the code of the country that was asked about; NULL: none, or several. */
const char *general_said(const struct wording *w, struct arena *a, const struct general_rule *g, const char *country);
/* One line that this rule, which was told already, is that of another country too. */
const char *general_said_again(const struct wording *w, struct arena *a, const struct general_rule *g, const char *country);

#endif
