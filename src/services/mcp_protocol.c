#include "services/mcp_protocol.h"

#include <string.h>

#include "base/buf.h"

const struct mcp_revision mcp_revisions[] = {
	{ MCP_NEWEST_MODERN, MCP_MODERN },
	{ MCP_NEWEST_LEGACY, MCP_LEGACY },
	{ "2025-06-18", MCP_LEGACY },
	{ MCP_UNNAMED, MCP_LEGACY },
	{ "2024-11-05", MCP_LEGACY },
};
const size_t mcp_nrevisions = sizeof(mcp_revisions) / sizeof(mcp_revisions[0]);

const struct mcp_revision *mcp_revision_find(const char *name)
{
	for (size_t i = 0; i < mcp_nrevisions; i++)
		if (streq(mcp_revisions[i].name, name))
			return &mcp_revisions[i];
	return NULL;
}

struct json_object *mcp_revision_names(void)
{
	struct json_object *names = json_object_new_array();

	for (size_t i = 0; i < mcp_nrevisions; i++)
		jsn_push(names, jsn_str(mcp_revisions[i].name));
	return names;
}

const char *mcp_named_by(const char *method)
{
	static const struct { const char *method, *member; } rows[] = {
		{ MCP_TOOLS_CALL, "name" }, { MCP_PROMPTS_GET, "name" }, { MCP_RESOURCES_READ, "uri" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (streq(rows[i].method, method))
			return rows[i].member;
	return NULL;
}

/* -- values of headers -- */

static const char digits64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

#define OPENING "=?base64?"
#define CLOSING "?="

static bool is_encoded(struct str v)
{
	const size_t open = strlen(OPENING), close = strlen(CLOSING);

	return v.n >= open + close && memcmp(v.p, OPENING, open) == 0
	    && memcmp(v.p + v.n - close, CLOSING, close) == 0;
}

/* Can a header carry this text as it is, so that the other side reads the same? */
static bool is_plain(struct str v)
{
	for (size_t i = 0; i < v.n; i++)
		if (v.p[i] < 0x20 || v.p[i] > 0x7e)
			return false;
	return (v.n == 0 || (v.p[0] != ' ' && v.p[v.n - 1] != ' ')) && !is_encoded(v);
}

static void encode(struct buf *b, const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i += 3) {
		const unsigned long bits = (unsigned long)p[i] << 16
		    | (i + 1 < n ? (unsigned long)p[i + 1] << 8 : 0) | (i + 2 < n ? p[i + 2] : 0);
		buf_putc(b, digits64[bits >> 18]);
		buf_putc(b, digits64[bits >> 12 & 63]);
		buf_putc(b, i + 1 < n ? digits64[bits >> 6 & 63] : '=');
		buf_putc(b, i + 2 < n ? digits64[bits & 63] : '=');
	}
}

const char *mcp_header_write(struct arena *a, const char *text, size_t n)
{
	struct buf b;

	if (is_plain((struct str){ text, n }))
		return arena_strndup(a, text, n);
	buf_init(&b, n * 2 + 64);
	buf_puts(&b, OPENING);
	encode(&b, (const unsigned char *)text, n);
	buf_puts(&b, CLOSING);
	const char *value = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return value;
}

/* Four digits, of which the last may be missing: "=" stands for them. The bits that no byte uses must be 0, so that a
 * text has one form only. Returns the bytes; 0: broken. */
static size_t decode_four(const char *p, bool last, char out[3])
{
	unsigned long bits = 0;
	size_t n = 0;

	while (n < 4 && p[n] != '=') {
		const char *digit = memchr(digits64, p[n], sizeof(digits64) - 1);
		if (digit == NULL)
			return 0;
		bits |= (unsigned long)(digit - digits64) << (18 - 6 * n);
		n++;
	}
	if (n < 2 || (n < 4 && (!last || p[3] != '=')) || (n == 2 && (bits & 0xffff) != 0)
	    || (n == 3 && (bits & 0xff) != 0))
		return 0;
	out[0] = (char)(bits >> 16);
	out[1] = (char)(bits >> 8);
	out[2] = (char)bits;
	return n - 1;
}

enum errcode mcp_header_read(struct arena *a, const char *value, struct str *out)
{
	struct str v = str_of(value);

	while (v.n > 0 && (v.p[0] == ' ' || v.p[0] == '\t'))
		v = (struct str){ v.p + 1, v.n - 1 };
	while (v.n > 0 && (v.p[v.n - 1] == ' ' || v.p[v.n - 1] == '\t'))
		v.n--;
	if (!is_encoded(v)) {
		*out = (struct str){ arena_strndup(a, v.p, v.n), v.n };
		return OK;
	}
	v = (struct str){ v.p + strlen(OPENING), v.n - strlen(OPENING) - strlen(CLOSING) };
	if (v.n % 4 != 0)
		return ERR_INPUT;
	char *text = arena_alloc(a, v.n / 4 * 3 + 1);
	size_t n = 0;
	for (size_t i = 0; i < v.n; i += 4) {
		char bytes[3];
		const size_t got = decode_four(v.p + i, i + 4 == v.n, bytes);
		if (got == 0)
			return ERR_INPUT;
		memcpy(text + n, bytes, got);
		n += got;
	}
	*out = (struct str){ text, n };
	return OK;
}
