/*
 * The text of a PDF, by the program pdftotext of poppler-utils, if it is installed.
 */
#ifndef KNOWLEDGE_PDF_TEXT_H
#define KNOWLEDGE_PDF_TEXT_H

#include "base/buf.h"

/* Append the text of an open file; each page ends with a form feed. NULL, or why there is none. The
 * program gets a limited time, memory and space for its output, and nothing of our environment. Root
 * runs it as the user nobody. */
const char *pdf_text(int fd, struct buf *out);

#endif
