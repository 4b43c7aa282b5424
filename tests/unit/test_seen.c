/* The counts equal those of plain arrays, indexed by feature. */
#include "tests/unit/test.h"

#include "language/train/seen.h"

enum { AUTHORS = 3, OF_A_FEATURE = 4, FEATURES = 40000, OF_A_MESSAGE = 3 };

/* Some feature. All are small numbers, so their high bits are 0. */
static uint64_t some_feature(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return (*state >> 8) % FEATURES;
}

TEST(seen, counts_authors_and_messages)
{
	static struct seen_count wanted[FEATURES];
	static uint32_t last_author[FEATURES], last_message[FEATURES];
	struct seen *s = seen_new();
	uint32_t state = 7, number = 0;

	for (uint32_t author = 1; author <= AUTHORS; author++) {
		for (uint32_t k = 0; k < OF_A_FEATURE * FEATURES / OF_A_MESSAGE / AUTHORS; k++) {
			uint64_t feature[OF_A_MESSAGE];
			number++;
			for (size_t i = 0; i < OF_A_MESSAGE; i++) {
				feature[i] = some_feature(&state);
				wanted[feature[i]].authors += last_author[feature[i]] != author;
				wanted[feature[i]].messages += last_message[feature[i]] != number;
				last_author[feature[i]] = author;
				last_message[feature[i]] = number;
			}
			seen_add(s, feature, OF_A_MESSAGE, author, number);
		}
	}
	for (uint64_t f = 0; f < FEATURES; f++) {
		const struct seen_count got = seen_of(s, f);
		cr_assert(got.authors == wanted[f].authors && got.messages == wanted[f].messages, "feature %llu: %u authors, %u messages",
		    (unsigned long long)f, got.authors, got.messages);
	}
	seen_free(s);
}

TEST(seen, a_feature_that_nobody_has)
{
	struct seen *s = seen_new();
	const uint64_t twice[] = { 5, 5 };

	cr_expect(seen_of(s, 5).authors == 0);
	seen_add(s, twice, 2, 0, 0);
	cr_expect(seen_of(s, 5).authors == 1 && seen_of(s, 5).messages == 1, "one message has it twice");
	cr_expect(seen_of(s, 6).authors == 0);
	seen_free(s);
	seen_free(NULL);
}
