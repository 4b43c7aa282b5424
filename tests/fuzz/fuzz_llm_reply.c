/*
 * Fuzzer of the reply parser (and with it of the event parser and the JSON pieces). The first byte
 * of an input chooses the content type and the dialect, the second where the network cuts. The
 * result of a reply that is cut there must be the same as that of the whole one, and the parser must
 * keep its promises.
 *
 * The parser and the dialects are compiled for the fuzzer; the rest comes from a build's library, in
 * BUILD:
 *
 *   clang -std=gnu11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined \
 *       -I/usr/include/json-c -include include/banned.h -iquote include -iquote src -iquote . \
 *       tests/fuzz/fuzz_llm_reply.c src/services/{sse,llm_parse,llm_fault,llm_request}.c \
 *       src/services/llm_{openai,openai_chunk,openai_reply,openai_request}.c \
 *       src/services/llm_{anthropic,gemini,ollama}.c \
 *       src/base/{arena,buf,clock,errs,jsn,log,owned,str}.c BUILD/libagent.a \
 *       -ljson-c -lcurl -lcrypto -lutf8proc -lhiredis -lm -o fuzz_llm_reply
 *   ./fuzz_llm_reply -dict=tests/fuzz/llm_reply.dict -max_len=4096 CORPUS
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/llm_summary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const types[] = { "text/event-stream", "application/json", "text/html", "" };
	static const struct llm_dialect *const dialects[] = { &llm_openai, &llm_anthropic, &llm_gemini,
		&llm_ollama };
	enum { MAX = 1 << 20, PIECES = 64 };
	if (size < 2)
		return 0;
	const struct llm_dialect *d = dialects[data[0] / 4 % 4];
	const char *type = types[data[0] % 4], *p = (const char *)data + 2;
	size_t n = size - 2, step = 1 + data[1] % 64, ends[PIECES + 1], nends = 0;
	for (size_t at = step; at < n && nends < PIECES; at += step)
		ends[nends++] = at;
	ends[nends++] = n;
	struct buf whole, pieces;
	buf_init(&whole, SIZE_MAX / 2);
	buf_init(&pieces, SIZE_MAX / 2);
	if (!summarize(&whole, d, type, p, n, &n, 1, MAX) ||
	    !summarize(&pieces, d, type, p, n, ends, nends, MAX) ||
	    strcmp(whole.p, pieces.p) != 0) {
		fprintf(stderr, "whole:  %s\npieces: %s\n", whole.p, pieces.p);
		abort();
	}
	buf_release(&whole);
	buf_release(&pieces);
	return 0;
}
