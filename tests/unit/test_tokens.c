/*
 * The guess beside what o200k, the encoder of gpt-4o, makes of the same text.
 */
#include "services/tokens.h"
#include "tests/unit/test.h"

static const struct {
	int64_t real;
	const char *text;
} rows[] = {
	{ 1, "a" },
	{ 1, "\n" },
	{ 18, "Which airports near Paris have a hard runway of at least 1000 m and customs?" },
	{ 22, "The nearest field with AVGAS is 12 NM to the south; call ahead, fees are not recorded." },
	{ 14, "EGTF LFMD LFLX LSGS EDNY LOWI" },
	{ 38, "{\"ident\":\"LFLY\",\"name\":\"Lyon Bron\",\"lat\":45.7272,\"lon\":4.9443,"
	    "\"elevation_ft\":659,\"avgas\":true}" },
	{ 29, "[51.3481,-0.5589,48.8566,2.3522,1995,3.14159]" },
	{ 23, "| a | b |\n|---|---|\n| 5,971 ft | 1,820 m |\n" },
	{ 24, "Wie weit ist es von Köln nach Zürich, und wo gibt es unterwegs Treibstoff für "
	    "Überführungsflüge?" },
	{ 25, "Où puis-je me poser près de Besançon avec une piste goudronnée, même après le "
	    "coucher du soleil ?" },
	{ 21, "Jaké letiště u Brna má zpevněnou dráhu a celní odbavení?" },
	{ 16, "Где рядом с Киевом есть твёрдая полоса и топливо?" },
	{ 21, "Ποιο αεροδρόμιο κοντά στην Πάτρα έχει καύσιμα;" },
	{ 10, "أين أقرب مطار فيه وقود؟" },
	{ 9, "里昂附近哪个机场有汽油？" },
	{ 15, "リヨンの近くで給油できる空港は？" },
	{ 13, "여기서 가장 가까운 공항은 어디입니까?" },
	{ 8, "ลียงมีสนามบินอะไรบ้าง" },
	{ 15, "🛬🛩️😀👍🏽🇫🇷" },
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

TEST(tokens, large_side_but_not_by_far)
{
	for (size_t i = 0; i < ROWS; i++) {
		int64_t got = tokens_guess(rows[i].text, strlen(rows[i].text));
		cr_expect(got >= rows[i].real && got <= 3 * rows[i].real,
		    "%lld tokens, guessed %lld: %s", (long long)rows[i].real, (long long)got,
		    rows[i].text);
	}
}

TEST(tokens, english_within_a_third)
{
	int64_t got = tokens_guess(rows[2].text, strlen(rows[2].text));
	cr_expect(3 * got <= 4 * rows[2].real, "%lld", (long long)got);
}

TEST(tokens, more_text_never_takes_fewer)
{
	for (size_t i = 0; i < ROWS; i++) {
		int64_t before = 0;
		for (size_t n = 0; n <= strlen(rows[i].text); n++) {
			int64_t now = tokens_guess(rows[i].text, n);
			cr_expect(now >= before && (n == 0) == (now == 0), "%zu bytes of %s", n,
			    rows[i].text);
			before = now;
		}
	}
}

TEST(tokens, any_byte_counts)
{
	for (int c = 0; c < 256; c++) {
		char many[320];
		memset(many, c, sizeof(many));
		cr_expect_eq(tokens_guess(many, 1) > 0, true, "byte %d", c);
		cr_expect_geq(tokens_guess(many, sizeof(many)), 50, "byte %d", c);
	}
	cr_expect_eq(tokens_guess(NULL, 0), 0);
}
