/*
 * Codes that are dictated letter by letter.
 */
#ifndef LANGUAGE_SPELLED_H
#define LANGUAGE_SPELLED_H

#include <stddef.h>

/* Puts the letters of codes together, and blanks behind them, so that the text keeps its length. A code has four letters: "E G S H",
 * "E-G-S-H", "e g s h" and "echo golf sierra hotel". Three capitals with blanks between are joined too ("I L S"). A longer run is left
 * alone. n: the bytes of the text. */
void spelled_join(char *text, size_t n);

#endif
