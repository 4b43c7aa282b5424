/*
 * Words of answers that mean yes or no, or nothing at all: conf/language/LANGUAGE/answer_words.txt. An answer may be in any
 * of the languages, so the files serve together.
 *
 * They are read once, after languages_open() and before the first thread, and then serve the whole process.
 */
#ifndef RULES_ANSWER_WORDS_H
#define RULES_ANSWER_WORDS_H

#include "base/errs.h"
#include "base/str.h"

enum answer_word { ANSWER_PLAIN, ANSWER_EMPTY, ANSWER_YES, ANSWER_NO };

/* Read the file of each language that has one, under data_dir. A second call does nothing. ERR_CONFIG with file, line and
 * reason. */
enum errcode answer_words_open(const char *data_dir, struct err *e);

/* What a folded word means in an answer. */
enum answer_word answer_word(struct str word);

#endif
