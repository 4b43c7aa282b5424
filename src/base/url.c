#include "base/url.h"

#include <string.h>

#include "base/arena.h"

char *url_encode_byte(char *to, char c)
{
	static const char digits[] = "0123456789ABCDEF";
	*to++ = '%';
	*to++ = digits[(unsigned char)c >> 4];
	*to++ = digits[(unsigned char)c & 15];
	return to;
}

char *url_encode(struct arena *a, const char *s)
{
	static const char plain[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
	char *out = arena_alloc(a, 3 * strlen(s) + 1), *to = out;
	while (*s != '\0') {
		size_t n = strspn(s, plain);
		to = mempcpy(to, s, n);
		s += n;
		if (*s != '\0')
			to = url_encode_byte(to, *s++);
	}
	return out;
}

bool url_decode(char *dst, size_t size, struct str s, bool plus)
{
	size_t n = 0;
	for (size_t i = 0; i < s.n; i++) {
		char c = plus && s.p[i] == '+' ? ' ' : s.p[i];
		if (c == '%') {
			int high = s.n - i > 2 ? hex_value(s.p[i + 1]) : -1;
			int low = s.n - i > 2 ? hex_value(s.p[i + 2]) : -1;
			if (high < 0 || low < 0)
				return false;
			c = (char)(high * 16 + low);
			i += 2;
		}
		if (c == '\0' || n + 1 >= size)
			return false;
		dst[n++] = c;
	}
	dst[n] = '\0';
	return true;
}
