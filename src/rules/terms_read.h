/* Reads conf/language/…/rule_topics.txt. */
#ifndef RULES_TERMS_READ_H
#define RULES_TERMS_READ_H

#include "base/errs.h"

struct phrase_table;

/* ERR_CONFIG: file, line and reason. The table lives in its own arena, ->mem. */
enum errcode terms_read(struct phrase_table **out, const char *path, struct err *e);

#endif
