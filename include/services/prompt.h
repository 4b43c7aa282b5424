/*
 * Prompt templates: {name} in a text is replaced, {{ and }} stand for braces themselves.
 *
 * Templates are checked when they are loaded, so that a wrong brace stops the start and not a
 * pilot's turn. Values are not expanded again. A loaded template does not change.
 */
#ifndef SERVICES_PROMPT_H
#define SERVICES_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/errs.h"

struct prompt;

/*
 * Load a template in UTF-8, at most 1 MiB, into the arena. `names` are the variables it may use,
 * NULL at the end; they need not outlive the call. ERR_CONFIG with file, line and reason: an
 * unknown name (the known ones are listed), a brace that is not closed, a format or attribute
 * after a name, not UTF-8, empty. ERR_IO: it cannot be read.
 */
enum errcode prompt_load(struct prompt **out, struct arena *a, const char *path,
    const char *const *names, struct err *e);
/* The same from text, which is copied; `path` is for messages. */
enum errcode prompt_parse(struct prompt **out, struct arena *a, const char *path,
    const char *text, const char *const *names, struct err *e);

/* Fill in: values[i] stands for names[i] of the load; NULL stands for "". Arena memory. */
const char *prompt_fill(const struct prompt *p, struct arena *a, const char *const *values);
/* Does the template use the i-th variable? */
bool prompt_uses(const struct prompt *p, size_t i);
/* The file it came from. */
const char *prompt_path(const struct prompt *p);

#endif
