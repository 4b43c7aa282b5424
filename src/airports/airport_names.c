#include "airports/airport_names.h"

#include <assert.h>
#include <string.h>

#include "airports/place_key.h"
#include "base/str.h"

static_assert((int)AIRPORT_NAMES_BYTES == (int)PLACE_KEY_MAX, "a name is a key");

/* "saint mary s" also gets "marys", because people leave the apostrophe out. */
static void add_without_apostrophe(char key[AIRPORT_NAMES_BYTES])
{
	const size_t n = strlen(key);

	for (size_t i = 1; i + 1 < n; i++) {
		size_t from = i;
		if (key[i] != ' ' || key[i + 1] != 's' || (key[i + 2] != ' ' && key[i + 2] != '\0'))
			continue;
		while (from > 0 && key[from - 1] != ' ')
			from--;
		const size_t owner = i - from;
		if (n + owner + 3 > AIRPORT_NAMES_BYTES)
			return;
		key[n] = ' ';
		memcpy(key + n + 1, key + from, owner);
		memcpy(key + n + 1 + owner, "s", 2);
		return;
	}
}

void airport_names_of(struct airport_names *out, const struct airport *a)
{
	place_key(out->name, a->name, false, NULL);
	place_key(out->town, a->municipality, false, NULL);
	add_without_apostrophe(out->name);
}

bool airport_names_have(const struct airport_names *n, const char *word)
{
	return place_key_has(n->name, str_of(word)) || place_key_has(n->town, str_of(word));
}

/* Are all words of a name among those of these keys? town: NULL, only the first. */
static bool have_all(const char *own, const char *town, const char *name)
{
	char key[PLACE_KEY_MAX];
	const char *words = key;
	struct str word;
	bool any = false;

	place_key(key, name, false, NULL);
	while (str_part(&words, ' ', &word)) {
		if (!place_key_has(own, word) && (town == NULL || !place_key_has(town, word)))
			return false;
		any |= word.n > 0;
	}
	return any;
}

bool airport_own_name_has_all(const struct airport_names *n, const char *name)
{
	return have_all(n->name, NULL, name);
}

bool airport_names_have_all(const struct airport_names *n, const char *name)
{
	return have_all(n->name, n->town, name);
}

bool airport_name_is_common(const char *word)
{
	return place_common(word);
}
