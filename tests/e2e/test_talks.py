"""Talks in which a message leans on the answer that was shown before it."""

from harness import check, equal
from test_rules import rules_site

# title; messages, each with the tool that it calls (None: it calls none) and a part of the answer
TALKS = [
    ("an airport of the list is named by a part of its name", [
        ("airports near Paris", "find_airports_near_location", "Pontoise - Cormeilles-en-Vexin Airport"),
        ("how long is the runway at Cormeilles?", "get_airport_details", "(LFPT)"),
    ]),
    ("a country is dropped from a comparison", [
        ("compare France, Germany and the United Kingdom on transponders", "compare_rules_between_countries", "Germany"),
        ("drop Germany", "compare_rules_between_countries", "France and United Kingdom compared"),
    ]),
    ("what no tag covers is searched, and not answered by all rules", [
        ("show me the French rules on night flying", "answer_rules_question", "no rule"),
    ]),
    ("permission is answered before customs", [
        ("does LFMD want PPR?", "get_notification_for_airport", "wants prior permission (PPR). Please check its AIP entry"),
    ]),
    ("the aircraft gives the speed", [
        ("how long from EGTF to LFMD in a C152?", "find_airports_near_route", "at 95 kt without wind"),
    ]),
    ("who asks for a distance gets the airports when he asks for them", [
        ("how far is it from EGKB to LFAT?", "find_airports_near_route", "ask for “airports on this route”"),
        ("airports on this route", "find_airports_near_route", "1. **"),
    ]),
    ("the airport is the end of the route", [
        ("how far is it from EGKB to LFAT, and is there a hotel there?", None, "(LFAT)"),
    ]),
    ("a refused airport leaves the list", [
        ("airports near Paris", "find_airports_near_location", "(LFPT)"),
        ("leave out Cormeilles", "find_airports_near_location", "Left out, as you asked or because you start there: LFPT"),
    ]),
    ("an airport is refused in a message that says the place of the list again", [
        ("airports near Paris", "find_airports_near_location", "(LFPT)"),
        ("not Cormeilles, and no more than 40 NM from Paris", "find_airports_near_location", "because you start there: LFPT"),
    ]),
    ("two airports are compared fact by fact", [
        ("compare LFAT and LFMD: fuel and landing fee", None, "- Fuel is not recorded for **Cannes-Mandelieu Airport** (LFMD).\n\n- Landing fees: "),
    ]),
    ("the alternatives to an airport do not contain it", [
        ("tell me about Cannes", "get_airport_details", "(LFMD)"),
        ("any alternatives within 60 NM?", "find_airports_near_location", "1 is left out, as you asked or because you start there"),
    ]),
    ("a wish after one airport goes on from the list", [
        ("airports near Paris", "find_airports_near_location", "(LFPT)"),
        ("how long is the runway at Cormeilles?", "get_airport_details", "(LFPT)"),
        ("only those within 40 miles", "find_airports_near_location", "within 40 NM of Paris"),
    ]),
    ("the legs of a flight are added up", [
        ("how far is it from EGKB to LFMD via LFAT?", None, "The whole flight from "),
    ]),
    # the first leg was taken for the whole route
    ("the legs of a route with airports are added up", [
        ("airports with avgas between EGKB and LFMD via LFAT", None, "has 2 legs and is "),
    ]),
    ("of two airports the nearer one is named", [
        ("which is nearer to LFAT, EGKB or LFMD?", None, "(EGKB) is nearer to"),
    ]),
    ("a talk in German stays German", [
        ("Welche Flugplätze liegen bei Lyon?", "find_airports_near_location", "Lyon-Bron"),
        ("LFLY hotel?", "get_airport_details", "Lyon-Bron"),
        ("ok", None, ""),
    ]),
]


def test_talk(title, messages):
    with rules_site() as site:
        for text, tool, part in messages:
            turn = site.ask(text, thread="talk")
            if tool is not None:
                equal(turn.plan["selected_tool"], tool, "tool for %r" % text)
            check(part in turn.answer, "%s: %r is not in the answer to %r: %s" % (title, part, text, turn.answer))


test_talk.rows = TALKS
