/*
 * Reads requests: as much of HTTP/1.1 as clients of the protocol use.
 */
#include "double.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *http_field(const struct http *h, const char *name)
{
	struct json_object *v = NULL;
	return json_object_object_get_ex(h->fields, name, &v) ? json_object_get_string(v) : "";
}

/* Split the head, which ends with the first half of an empty line. False: it is not an HTTP
 * request. */
static bool read_head(struct http *h)
{
	char *line = strstr(h->head, "\r\n"), *blank = strchr(h->head, ' ');
	char *end = blank != NULL ? strchr(blank + 1, ' ') : NULL;

	if (line == NULL || end == NULL || end > line || strncmp(end, " HTTP/1.", 8) != 0)
		return false;
	bool old = end[8] == '0';
	*blank = *end = '\0';
	h->method = h->head;
	h->path = blank + 1;
	while (line[2] != '\0') {
		char *name = line + 2, *colon = strchr(name, ':');
		line = strstr(name, "\r\n");
		if (line == NULL || colon == NULL || colon > line)
			return false;
		*colon = *line = '\0';
		for (char *p = name; *p != '\0'; p++)
			*p = *p >= 'A' && *p <= 'Z' ? (char)(*p + 32) : *p;
		const char *value = colon + 1 + strspn(colon + 1, " ");
		json_object_object_add(h->fields, name, json_object_new_string(value));
	}
	if (old && *http_field(h, "connection") == '\0')
		json_object_object_add(h->fields, "connection", json_object_new_string("close"));
	return true;
}

/* Take a chunked body apart; its length in *length. 1 whole, 0 not yet, -1 wrong. */
static int read_chunks(const char *p, size_t n, struct text *out, size_t *length)
{
	size_t at = 0;

	for (;;) {
		const char *line = memchr(p + at, '\n', n - at);
		if (line == NULL)
			return n - at > 64 ? -1 : 0;
		unsigned long size = strtoul(p + at, NULL, 16);
		size_t data = (size_t)(line - p) + 1;
		if (size > BODY_MAX || out->n + size > BODY_MAX)
			return -1;
		if (n - data < size + 2)
			return 0;
		text_put(out, p + data, size);
		at = data + size + 2;
		if (size == 0) {
			*length = at;
			return 1;
		}
	}
}

static int read_body(struct http *h, const char *p, size_t n, size_t *length)
{
	unsigned long size = strtoul(http_field(h, "content-length"), NULL, 10);

	if (strcasecmp(http_field(h, "transfer-encoding"), "chunked") == 0)
		return read_chunks(p, n, &h->body, length);
	if (size > BODY_MAX)
		return -1;
	if (n < size)
		return 0;
	text_put(&h->body, p, size);
	*length = size;
	return 1;
}

int http_read(struct http *h, const char *p, size_t n, bool *hundred)
{
	const char *end = n > 0 ? memmem(p, n, "\r\n\r\n", 4) : NULL;
	size_t start, length = 0;
	int rc = -1;

	*hundred = false;
	if (end == NULL)
		return n > HEAD_MAX ? -1 : 0;
	start = (size_t)(end - p) + 4;
	*h = (struct http){ .head = must(strndup(p, start - 2)), .fields = json_object_new_object() };
	if (read_head(h))
		rc = read_body(h, p + start, n - start, &length);
	h->length = start + length;
	*hundred = rc == 0 && strcasecmp(http_field(h, "expect"), "100-continue") == 0;
	if (rc != 1)
		http_release(h);
	return rc;
}

void http_release(struct http *h)
{
	free(h->head);
	json_object_put(h->fields);
	text_free(&h->body);
}
