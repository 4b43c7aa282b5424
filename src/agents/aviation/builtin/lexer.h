/*
 * From a pilot's text to tokens: words, numbers, symbols.
 *
 * Every token knows its place in the text, so that a place name can be passed on exactly as it was
 * typed ("St. Moritz", "Saint-Étienne"). Work and memory are bounded: of a long text the last
 * LEX_BYTES bytes are read, and of these the last LEX_TOKENS tokens are kept, because the question
 * comes last.
 */
#ifndef AGENTS_AVIATION_BUILTIN_LEXER_H
#define AGENTS_AVIATION_BUILTIN_LEXER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum { LEX_BYTES = 4096, LEX_TOKENS = 400 };

enum token_kind { TOK_WORD, TOK_NUMBER, TOK_SYMBOL };

struct token {
	enum token_kind kind;
	size_t start, end;       /* bytes of struct lexed.text */
	const char *fold;        /* folded: "zurich", "2500", "?"; possessive 's taken off */
	double value;            /* TOK_NUMBER */
	bool gap;                /* blank space before it */
	bool upper, title;       /* all capitals (or digits); first letter a capital */
	bool owner;              /* a possessive 's was taken off */
};

struct lexed {
	const char *text;        /* what was read, NUL-terminated */
	struct token *tok;
	size_t n;
	bool shouted;            /* no small letter in the text, so capitals mean nothing */
	bool whispered;          /* no capital except at the start of sentences */
};

/* Tokens of a NUL-terminated text; everything in the arena. */
struct lexed lex(struct arena *a, const char *text);

/* The text from the first byte of one token to the last of another, as typed. */
const char *lex_slice(struct arena *a, const struct lexed *x, size_t first, size_t last);

#endif
