/*
 * Fuzzer of the checks before libfcgi. The first byte of an input chooses where the network cuts;
 * the result of a connection that is cut there must be the same as that of the whole one. A request
 * that passes is read by libfcgi itself, which must accept it and find as many parameters.
 *
 *   clang -std=gnu11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined \
 *       -include include/banned.h -iquote include tests/fuzz/fuzz_fcgi_screen.c \
 *       src/drivers/fcgi_screen.c src/base/{arena,buf,errs,str}.c -lfcgi -o fuzz_fcgi_screen
 *   ./fuzz_fcgi_screen -max_len=4096 CORPUS
 */
#include <fcgiapp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "drivers/fcgi_screen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool good, const char *what)
{
	if (!good) {
		fprintf(stderr, "%s\n", what);
		abort();
	}
}

static void feed(struct fcgi_screen *s, const uint8_t *p, size_t n, size_t step)
{
	fcgi_screen_init(s, 1000);
	for (size_t at = 0; at < n; at += step)
		fcgi_screen_feed(s, p + at, n - at < step ? n - at : step);
}

static size_t length(const unsigned char **p)
{
	size_t n = **p < 0x80 ? **p : (size_t)((*p)[0] & 0x7f) << 24 | (size_t)(*p)[1] << 16 |
	    (size_t)(*p)[2] << 8 | (*p)[3];
	*p += **p < 0x80 ? 1 : 4;
	return n;
}

static void let_libfcgi_read(const struct fcgi_screen *s)
{
	static int file = -1;
	struct buf b;
	FCGX_Request req;
	int found = 0, expected = 1;            /* FCGI_ROLE is libfcgi's own */

	if (file < 0) {
		file = memfd_create("head", 0);
		must(file >= 0 && FCGX_Init() == 0, "no file in memory");
	}
	buf_init(&b, 1 << 20);
	fcgi_screen_head(s, &b);
	must(pwrite(file, b.p, b.n, 0) == (ssize_t)b.n && lseek(file, 0, SEEK_SET) == 0, "write");
	buf_release(&b);
	FCGX_InitRequest(&req, -1, 0);
	req.ipcFd = file;
	req.keepConnection = 1;
	must(FCGX_Accept_r(&req) == 0, "libfcgi refuses what passed");
	must(req.requestId == s->id, "another request");
	for (char **p = req.envp; *p != NULL; p++)
		found++;
	const unsigned char *p = (const unsigned char *)s->params.p, *end = p + s->params.n;
	for (; p < end; expected++) {
		size_t name = length(&p), value = length(&p);
		p += name + value;
	}
	must(found == expected, "libfcgi finds other parameters");
	FCGX_Free(&req, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fcgi_screen whole, pieces;
	if (size < 1)
		return 0;
	feed(&whole, data + 1, size - 1, size);
	feed(&pieces, data + 1, size - 1, 1 + data[0] % 32);
	must(whole.state == pieces.state && whole.why == pieces.why && whole.id == pieces.id &&
	    whole.params.n == pieces.params.n && whole.body.n == pieces.body.n &&
	    whole.reply.n == pieces.reply.n && memcmp(whole.body.p, pieces.body.p, whole.body.n) == 0 &&
	    memcmp(whole.reply.p, pieces.reply.p, whole.reply.n) == 0, "it matters where it is cut");
	must((whole.state == SCREEN_REFUSED) == (whole.why != NULL), "refused without a reason");
	if (whole.state == SCREEN_BODY || whole.state == SCREEN_DONE || whole.state == SCREEN_FULL)
		let_libfcgi_read(&whole);
	fcgi_screen_release(&whole);
	fcgi_screen_release(&pieces);
	return 0;
}
