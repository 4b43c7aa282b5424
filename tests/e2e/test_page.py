"""How the original page shows a turn: its map, its suggestions and the little Markdown that it knows."""

import re

from harness import Site, check, equal, real_data
from test_rules import result, rules_site

FLAGSHIP = "fuel stop with AVGAS between EGTF and LFMD"
HEADING = "### May fit: call or check before you fly"

# What the page shows as it is written.
RAW = {"a quotation": r"(?m)^> ", "a link": r"\]\(", "an escape": r"\\", "a fourth heading": "####",
       "italics": r"(?<![\w*])[*_](?![\s*_])[^*_\n]+[*_](?![\w*])"}


def visualization(turn):
    return turn.one("ui_payload").get("visualization")


def suggestions(turn):
    return " | ".join(s["text"] for s in turn.one("ui_payload").get("suggested_queries", []))


def reads_well(turn):
    for what, pattern in RAW.items():
        check(not re.search(pattern, turn.answer), "%s in the answer: %s" % (what, turn.answer))


def test_nothing_to_draw_is_no_visualization():
    with Site() as site:
        turn = site.ask("Airports called Xyzzyville")
        payload = turn.one("ui_payload")
        equal(result(turn)["airports"], [], "airports")
        check("visualization" not in payload, "nothing to draw: %s" % payload)
        turn = site.ask("Airports in Germany")
        equal(visualization(turn)["type"], "markers", "type")
        check(visualization(turn)["data"], "markers")


def test_no_suggestion_about_a_place_that_was_not_found():
    with Site() as site:
        for q in ("airports near Xyzzyville", "airports between EGTF and Xyzzyville", "tell me about ZZZZ"):
            turn = site.ask(q)
            equal(result(turn)["found"], False, q)
            check("visualization" not in turn.one("ui_payload"), q)
            for lost in ("Xyzzyville", "ZZZZ", "this route", "this location"):
                check(lost not in suggestions(turn), "%s: %s" % (q, suggestions(turn)))
        check("near Paris" in suggestions(site.ask("airports near Paris")), "suggestions about a place that was found")


def test_answers_about_rules_read_well():
    with rules_site() as site:
        for q in ("Do I need a flight plan VFR in France?", "How do I join the visual circuit in the UK?",
                  "Compare flight plans in France and Germany", "rules in France", "Is a transponder required in class D in Italy?"):
            reads_well(site.ask(q))
        turn = site.ask("Do I need a flight plan VFR in France?")
        check("https://fr.example.org/fpl" in turn.answer, "the bare address: " + turn.answer)


def test_what_may_fit_is_named():
    """The fixture records no fuel of any airport."""
    with Site() as site:
        turn = site.ask(FLAGSHIP)
        r = result(turn)
        equal((r["airports"], r["total_found"]), ([], 0), "known to have AVGAS")
        maybe = r["unrecorded"]
        check(0 < len(maybe) <= 10, "%d airports that may fit" % len(maybe))
        for a in maybe:
            equal(a["unrecorded"], ["has_avgas"], a["ident"])
            check("segment_distance_nm" in a and "latitude_deg" in a, "an airport like others: %s" % a)
            check("(%s)" % a["ident"] in turn.answer, "%s is not named: %s" % (a["ident"], turn.answer))
        check(HEADING in turn.answer and "Not recorded for any of these: fuel." in turn.answer, turn.answer)
        check("cannot tell" not in turn.answer, turn.answer)
        reads_well(turn)
        payload = turn.one("ui_payload")
        equal(payload["unrecorded"], maybe, "in the payload")
        v = payload["visualization"]
        equal((v["type"], v["markers"], v["unrecorded"]), ("route_with_markers", [], maybe), "the route is drawn")
        # "the second one" is one of them
        again = site.ask("tell me about the second one", thread=turn.thread)
        equal(again.plan["arguments"], {"icao_code": maybe[1]["ident"]}, "a follow-up")

        turn = site.ask("Airports with AVGAS in France")
        check(result(turn)["unrecorded"], "a search")
        check("visualization" not in turn.one("ui_payload"), "markers need airports")
        check(turn.one("ui_payload")["unrecorded"], "for pages that draw them")


def test_elevation():
    with Site() as site:
        turn = site.ask("what is the elevation of LFMD?")
        equal(result(turn)["airport"]["elevation_ft"], 13, "in the result")
        check("is 13 ft (4 m)" in turn.answer, turn.answer)
        check("- Elevation: 598 ft (182 m)" in site.ask("tell me about EGKB").answer, "among the facts")


def test_welcome_questions():
    """As the page sends them: the new message twice."""
    with rules_site(real_data("rules", "rules.json")) as site:
        ask = lambda text: site.ask(text, messages=[{"role": "user", "content": text}] * 2)
        for q in ("What are the border crossing airports in Germany?", "Show me border crossing airports in Germany"):
            turn = ask(q)
            equal((turn.plan["selected_tool"], turn.plan["arguments"]["filters"]),
                  ("search_airports", {"country": "DE", "point_of_entry": True}), q)
        turn = ask("What are the rules for flying IFR to an uncontrolled airport in France?")
        equal((turn.plan["selected_tool"], turn.plan["arguments"]["country_code"]), ("answer_rules_question", "FR"), "rules")
        check("instrument approach" in result(turn)["rules"][0]["question_text"], "the nearest: %s" % result(turn)["rules"][0])
        reads_well(turn)
