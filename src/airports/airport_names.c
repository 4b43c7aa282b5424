#include "airports/airport_names.h"

#include <assert.h>

#include "airports/place_key.h"
#include "base/str.h"

static_assert((int)AIRPORT_NAMES_BYTES == (int)PLACE_KEY_MAX, "a name is a key");

void airport_names_of(struct airport_names *out, const struct airport *a)
{
	place_key(out->name, a->name, false, NULL);
	place_key(out->town, a->municipality, false, NULL);
}

bool airport_names_have(const struct airport_names *n, const char *word)
{
	return place_key_has(n->name, str_of(word)) || place_key_has(n->town, str_of(word));
}

bool airport_names_have_all(const struct airport_names *n, const char *name)
{
	char key[PLACE_KEY_MAX];
	const char *words = key;
	struct str word;
	bool any = false;

	place_key(key, name, false, NULL);
	while (str_part(&words, ' ', &word)) {
		if (!place_key_has(n->name, word) && !place_key_has(n->town, word))
			return false;
		any |= word.n > 0;
	}
	return any;
}

bool airport_name_is_common(const char *word)
{
	return place_common(word);
}
