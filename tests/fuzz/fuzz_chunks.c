/*
 * Fuzzer of what cuts documents and of what reads frames of sockets. Every piece must be text in
 * UTF-8 of at most KNOWLEDGE_CHUNK characters, and not empty.
 *
 *   clang -std=gnu11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined \
 *       -include include/banned.h -iquote include -iquote src $(pkg-config --cflags json-c) tests/fuzz/fuzz_chunks.c \
 *       src/knowledge/chunks.c src/gateway/frames.c src/base/{arena,buf,clock,errs,heap,jsn,jsn_print,str}.c \
 *       -ljson-c -lutf8proc -lm -o fuzz_chunks
 *   ./fuzz_chunks -max_len=8192 CORPUS
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "gateway/frames.h"
#include "knowledge/chunks.h"
#include "knowledge/knowledge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static enum errcode look(void *arg, const struct chunk *c, struct err *e)
{
	size_t n = strlen(c->text);
	(void)arg;
	(void)e;
	if (n == 0 || !utf8_valid(c->text, n) || utf8_count(c->text, n) > KNOWLEDGE_CHUNK ||
	    !utf8_valid(c->heading, strlen(c->heading))) {
		fprintf(stderr, "a bad piece: [%s] %s\n", c->heading, c->text);
		abort();
	}
	return OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new();
	struct client_frame f;
	struct err e;
	bool last;
	const char *text = arena_strndup(a, (const char *)data, size);
	frame_read(&f, a, text, size, &e);
	frame_of_status(a, 502, text, size);
	frame_of_chat_event(a, "tool_call_end", text, size, &last);
	if (utf8_valid(text, strlen(text)))
		for (enum document_kind kind = DOCUMENT_TEXT; kind <= DOCUMENT_PAGES; kind++)
			cut_document(text, kind, look, NULL, NULL);
	arena_free(a);
	return 0;
}
