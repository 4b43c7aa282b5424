/*
 * Texts of rules: tags, harmless HTML, plain text, addresses.
 */
#include "tests/unit/test.h"

#include "base/str.h"
#include "rules/rule_html.h"

static const struct {
	const char *in, *out;
} tags[] = {
	{ "flight plan", "flight_plan" }, { "  IFR ", "ifr" }, { "", "" }, { " \t ", "" },
	{ "VFR/IFR transition", "vfr/ifr_transition" }, { "a  b", "a__b" }, { "é É", "é_É" },
};

TEST(ruletext, tags)
{
	struct arena *a = arena_new();
	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
		cr_assert_str_eq(rule_tag(a, tags[i].in), tags[i].out, "row %zu", i);
	arena_free(a);
}

static const struct {
	const char *in, *html, *plain;      /* html NULL: the very pointer; plain NULL: the same */
} texts[] = {
	{ "", NULL, NULL },
	{ "plain text", NULL, NULL },
	{ "R&D at 5 > 3", NULL, "R&D at 5 > 3" },
	{ "Fish &amp; chips, caf&#233;, &#xe9;, &eacute;", NULL, "Fish & chips, café, é, é" },
	{ "x &lt;script&gt; y", NULL, "x <script> y" },
	{ "&bogus; &#; &#x; &amp &#99999999999; &#xD800;", NULL,
	  "&bogus; &#; &#x; &amp &#99999999999; \xef\xbf\xbd" },
	{ "  outer \n", NULL, "outer" },
	{ "one\r\ntwo\rthree", NULL, "one\ntwo\nthree" },
	{ "bell\x07 escape\x1b[31m &#27; &#155;end", NULL, "bell  escape [31m    end" },

	/* what is kept */
	{ "one<br>two<br/>three<BR />four", "one<br>two<br>three<br>four", "one\ntwo\nthree\nfour" },
	{ "a<br><br>b", "a<br><br>b", "a\n\nb" },
	{ "a <br>\n b", "a <br>\n b", "a\nb" },
	{ "a</br>b", "a<br>b", "a\nb" },
	{ "<p>one</p><p>two</p>", "<p>one</p><p>two</p>", "one\ntwo" },
	{ "<ul><li>one</li><li>two</li></ul>end", "<ul><li>one</li><li>two</li></ul>end",
	  "one\ntwo\nend" },
	{ "<B>bold</B> <strong class=\"x\">s</strong> <i>i</i><em>e</em><u>u</u>",
	  "<b>bold</b> <strong>s</strong> <i>i</i><em>e</em><u>u</u>", "bold s ieu" },
	{ "<a href=\"https://a.example/?x=1&y=2\">go</a>",
	  "<a href=\"https://a.example/?x=1&amp;y=2\">go</a>", "go" },
	{ "<a href=\"https://a.example/?x=1&amp;y=2\">go</a>",
	  "<a href=\"https://a.example/?x=1&amp;y=2\">go</a>", "go" },
	{ "<a target=_blank href='http://a.example/x'>go</a>", "<a href=\"http://a.example/x\">go</a>",
	  "go" },
	{ "<a href = mailto:tower@a.example>mail</a>",
	  "<a href=\"mailto:tower@a.example\">mail</a>", "mail" },
	{ "<a href=\" HTTPS://a.example \">go</a>", "<a href=\"HTTPS://a.example\">go</a>", "go" },

	/* balanced, whatever came */
	{ "<b>open", "<b>open</b>", "open" },
	{ "close</b></ul></p></li>", "close", "close" },
	{ "<b><i>x</b>y</i>", "<b><i>x</i></b>y", "xy" },
	{ "<p>one<p>two", "<p>one</p><p>two</p>", "one\ntwo" },
	{ "<ul><li>a<li>b<ul><li>c</ul><li>d</ul>",
	  "<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul>", "a\nb\nc\nd" },
	{ "<p>x<ul><li>y", "<p>x</p><ul><li>y</li></ul>", "x\ny" },
	{ "<a href=http://a.example>x<a href=http://b.example>y",
	  "<a href=\"http://a.example\">x</a><a href=\"http://b.example\">y</a>", "xy" },
	{ "<i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i>x",
	  "<i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i>x"
	  "</i></i></i></i></i></i></i></i></i></i></i></i></i></i></i></i>", "x" },

	/* what goes */
	{ "a<script>alert(1)</script>b", "ab", "ab" },
	{ "a<ScRiPt src=//x>alert('</b>')</sCrIpT >b", "ab", "ab" },
	{ "a<script>never ends </scriptx>", "a", "a" },
	{ "a<script/>b", "a", "a" },
	{ "a<style>p{}</style>b</script>c", "abc", "abc" },
	{ "a<script><!--</script>b-->c", "ab-->c", "ab-->c" },
	{ "<img src=x onerror=alert(1)>text", "text", "text" },
	{ "<b onclick=\"alert(1)\" style=\"x\">text</b>", "<b>text</b>", "text" },
	{ "<br onmouseover=alert(1)>", "<br>", "" },
	{ "<svg/onload=alert(1)><math><mi>x", "x", "x" },
	{ "<svg><style><img src=x onerror=alert(1)></style></svg>y", "y", "y" },
	{ "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>z", "z", "z" },
	{ "<p title=\"</p><img src=x onerror=alert(1)>\">t</p>", "<p>t</p>", "t" },
	{ "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\"></noscript>",
	  "<p></p>", "" },
	{ "<table><tr><td>118.5</td><td>121.9</td></tr></table>", "118.5 121.9 ", "118.5 121.9" },
	{ "H<sub>2</sub>O <span style=x>span</span>s", "H2O spans", "H2O spans" },
	{ "a<!-- b --><!--><!doctype html><?php x ?><![CDATA[c]]>d", "ad", "ad" },
	{ "<a href=\"javascript:alert(1)\">x</a>", "x", "x" },
	{ "<a href=\"java&#115;cript:alert(1)\">x</a>", "x", "x" },
	{ "<a href=\"&#106avascript:alert(1)\">x</a>", "x", "x" },
	{ "<a href=\" \x01javascript:alert(1)\">x</a>", "x", "x" },
	{ "<a href=\"data:text/html,x\">x</a><a href=\"//a.example\">y</a><a href=/z>z</a><a>w</a>",
	  "xyzw", "xyzw" },
	{ "<a href=\"https://a.example/&quot; onclick=&quot;alert(1)\">x</a>", "x", "x" },
	{ "<a href='https://a.example/\" onclick=\"alert(1)'>x</a>", "x", "x" },
	{ "<a href=\"javascript:x\" href=\"https://a.example\">x</a>", "x", "x" },
	{ "<a href=https://a.example/'onclick=x>x</a>",
	  "<a href=\"https://a.example/'onclick=x\">x</a>", "x" },

	/* what is no tag is text */
	{ "a < b and c > d", "a &lt; b and c > d", "a < b and c > d" },
	{ "vis <5 km, below <FL100 <br>or >FL195", "vis &lt;5 km, below &lt;FL100 <br>or >FL195",
	  "vis <5 km, below <FL100\nor >FL195" },
	{ "<FL100>", "&lt;FL100>", "<FL100>" },
	{ "<-- 3 NM -->", "&lt;-- 3 NM -->", "<-- 3 NM -->" },
	{ "never closed <b and <i", "never closed &lt;b and &lt;i", "never closed <b and <i" },
	{ "never closed <!-- <script>", "never closed &lt;!-- &lt;script>",
	  "never closed <!-- <script>" },
	{ "<a href=\"https://a.example>x</a>", "&lt;a href=\"https://a.example>x&lt;/a>",
	  "<a href=\"https://a.example>x</a>" },
	{ "<", "&lt;", "<" }, { "</", "&lt;/", "</" }, { "<!", "&lt;!", "<!" },
	{ "<<b>>", "&lt;<b>></b>", "<>" },
	{ "<scr\x01ipt>x", "&lt;scr\x01ipt>x", "<scr ipt>x" },
	{ "<b\x0bonclick=x>y", "&lt;b\x0bonclick=x>y", "<b onclick=x>y" },
	{ "<\x80\xff<b>\xc3", "&lt;\x80\xff<b>\xc3</b>", "<\x80\xff\xc3" },
};

TEST(ruletext, html_and_plain_text)
{
	struct arena *a = arena_new();
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const char *in = texts[i].in, *html = rule_html(a, in);
		const char *wanted = texts[i].html != NULL ? texts[i].html : in;
		cr_assert_str_eq(html, wanted, "row %zu: %s", i, html);
		cr_assert(texts[i].html != NULL || html == in, "row %zu was copied", i);
		cr_assert_str_eq(rule_html(a, html), html, "row %zu: not twice the same", i);
		wanted = texts[i].plain != NULL ? texts[i].plain : in;
		cr_assert_str_eq(rule_plain(a, html), wanted, "row %zu: %s", i, rule_plain(a, html));
		cr_assert(texts[i].plain != NULL || rule_plain(a, html) == in, "row %zu", i);
	}
	arena_free(a);
}

/* The original's tag pattern takes "< b and c >" for a tag. */
TEST(ruletext, comparisons_are_no_tags)
{
	struct arena *a = arena_new();
	cr_assert_str_eq(rule_plain(a, "a < b and c > d"), "a < b and c > d");
	arena_free(a);
}

static const struct {
	const char *unit, *tail;
	size_t growth;                /* at most */
} floods[] = {
	{ "<", "", 4 }, { "<b", "", 4 }, { "<b>", "", 8 }, { "<!--", "", 4 }, { "<script>", "", 1 },
	{ " =\"<b \"", "<b", 4 }, { "<b x=\"", "", 4 }, { "</", "", 4 }, { "<!", "", 4 }, { "&", "", 1 },
	{ "<p><ul><li>", "", 4 }, { "&lt;", "", 1 }, { "\x80", "<", 4 }, { "<td>", "x", 2 },
	{ "<script></", "", 1 },
};

/* 64 kB of anything end, at once and bounded. */
TEST(ruletext, floods, .timeout = 20)
{
	enum { SIZE = 64 << 10 };
	for (size_t i = 0; i < sizeof(floods) / sizeof(floods[0]); i++) {
		struct arena *a = arena_new();
		char *in = arena_alloc(a, SIZE + 8), *to = in;
		size_t n = strlen(floods[i].unit);
		while (to + n < in + SIZE)
			to = mempcpy(to, floods[i].unit, n);
		memcpy(to, floods[i].tail, strlen(floods[i].tail) + 1);
		const char *html = rule_html(a, in), *plain = rule_plain(a, html);
		cr_assert_leq(strlen(html), floods[i].growth * SIZE + 64, "row %zu", i);
		cr_assert_leq(strlen(plain), strlen(html), "row %zu", i);
		cr_assert_str_eq(rule_html(a, html), html, "row %zu", i);
		arena_free(a);
	}
}

TEST(ruletext, text_of_plain_text_is_not_copied)
{
	struct arena *a = arena_new();
	char *in = arena_alloc(a, 1 << 16);
	memset(in, 'x', (1 << 16) - 1);
	size_t before = arena_used(a);
	rule_plain(a, rule_html(a, in));
	cr_assert_eq(arena_used(a), before);
	arena_free(a);
}

static const struct {
	const char *link;
	bool ok;
} links[] = {
	{ "http://a.example", true }, { "https://a.example/ü?x=1&y#z'", true },
	{ "HTTPS://A.EXAMPLE", true }, { "mailto:a@b.example", true },
	{ "", false }, { "http://", false }, { "mailto:", false }, { "https:a.example", false },
	{ "ftp://a.example", false }, { "javascript:alert(1)", false }, { " http://a.example", false },
	{ "www.a.example", false }, { "http://a.example/a b", false },
	{ "http://a.example/\n", false }, { "http://a.example/\"x", false },
	{ "http://a.example/<x>", false }, { "http://a.example/`", false },
	{ "http://a.example\\@b.example", false }, { "http://a.example/\x7f", false },
	{ "http://a.example/\xff", false }, { "http://a.example/\xe2\x80\xae", false },
	{ "http://a.example/\xc2\xa0", false },
};

TEST(ruletext, links)
{
	char long_link[2100];
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		cr_assert_eq(rule_link_ok(links[i].link), links[i].ok, "%s", links[i].link);
	memset(long_link, 'a', sizeof(long_link));
	memcpy(long_link, "http://", 7);
	long_link[2000] = '\0';
	cr_assert(rule_link_ok(long_link));
	long_link[2000] = 'a';
	long_link[2001] = '\0';
	cr_assert_not(rule_link_ok(long_link));
}

TEST(ruletext, clip)
{
	static const struct {
		const char *in;
		size_t n;
		const char *out;
	} rows[] = {
		{ "abc", 3, "abc" }, { "abc", 2, "ab" }, { "abc", 0, "" }, { "", 5, "" },
		{ "äöü", 2, "äö" }, { "a\xff\xfe", 2, "a\xff" }, { "✈️x", 1, "✈" }, { "ab\xc3", 3, "ab\xc3" },
	};
	struct arena *a = arena_new();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_assert_str_eq(rule_clip(a, rows[i].in, rows[i].n), rows[i].out, "row %zu", i);
	cr_assert_eq(rule_clip(a, rows[0].in, 3), rows[0].in, "nothing to cut, nothing to copy");
	arena_free(a);
}
