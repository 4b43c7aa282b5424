"""Places: areas, coordinates, how a place was understood, imported places, and places that are none."""

import os
import tempfile

import harness
from harness import Site, check, cli, equal

VIK = "1\tVík\tVik\tVik,Vik i Myrdal\t63.4186\t-19.0059\tP\tPPL\tIS\t\t42\t\t\t\t750\t\t10\tAtlantic/Reykjavik\t2024-01-01\n"
BEAUNE = "2\tBeaune\tBeaune\tBelna\t47.0241\t4.8389\tP\tPPLA3\tFR\t\t27\t\t\t\t20032\t\t10\tEurope/Paris\t2024-01-01\n"


def result(site, question):
    return site.ask(question).one("tool_call_end")["result"]


def resolved(site, question):
    return result(site, question)["resolved"]


def test_an_area_holds_its_airports():
    with Site() as site:
        turn = site.ask("airports in Île-de-France")
        equal(sorted(turn.airports), ["LFPB", "LFPN", "LFPT", "LFPZ"], "airports")
        check("in Île-de-France" in turn.answer, turn.answer)
        payload = turn.one("ui_payload")
        equal([r["how"] for r in payload["resolved"]], ["area"], "how, in the payload")
        # by its own border where the database has no such region
        turn = site.ask("airfields on the Côte d'Azur")
        equal(turn.airports, ["LFMD"], "airports")
        # "in England" is not all of the United Kingdom
        check("in England" in site.ask("airports in England").answer, "England is an area")
        # a route ends at the area's main airport, and the answer says so
        turn = site.ask("from EGTF to Bavaria")
        check("“Bavaria” was taken as Munich Airport (EDDM), the main airport for Bavaria." in turn.answer, turn.answer)
        # an area without an airfield: those around it
        turn = site.ask("airports near Burgundy")
        check("not only inside it" in turn.answer or "around" in turn.answer or not turn.airports, turn.answer)


def test_coordinates_in_a_question():
    with Site() as site:
        for text in ("43.711, 6.961", "434240N 0065740E", "4342N00657E", "N43 42.5 E006 57.5",
                     "43-42-40N 006-57-40E", "43°42'40\"N 6°57'40\"E"):
            r = resolved(site, "airports near " + text)[0]
            equal((r["how"], round(r["lat"], 1), round(r["lon"], 1)), ("coordinates", 43.7, 7.0), text)
        for text in ("95N 10E", "434299N 0065740E", "91, 0"):
            turn = site.ask("airports near " + text)
            check("not valid" in turn.answer or "not on Earth" in turn.answer, text + ": " + turn.answer)
            equal(turn.all("tool_call_end"), [], text + ": nothing is looked up")


def test_how_a_place_was_understood():
    with Site() as site:
        for question, how in (("airports near EGTF", "code"), ("airports near NCE", "iata"), ("airports near Lyon", "gazetteer")):
            r = resolved(site, question)
            equal([(x["role"], x["how"]) for x in r], [("location", how)], question)
        both = resolved(site, "airports between EGTF and Cannes")
        equal([(x["role"], x["how"], x["airport"]) for x in both],
              [("departure", "code", "EGTF"), ("destination", "gazetteer", "LFMD")], "ends")


def test_names_that_are_no_places():
    """Answered with a sentence, not with an error."""
    with Site() as site:
        for name in ("Xyzzyville", "x" * 3000, "Lyon\x1b[31m", "\u202e\u202e\u202e", "'; DROP TABLE place; --", "%s%n%s", "🛩️" * 50):
            turn = site.ask("airports near " + name)
            equal(turn.names[-1], "done", name[:40])
            equal(turn.all("error"), [], name[:40])


def test_imported_places():
    with tempfile.TemporaryDirectory(prefix="aa-places.") as folder:
        file, out = os.path.join(folder, "cities500.txt"), os.path.join(folder, "places.db")
        with open(file, "w", encoding="utf-8") as f:
            f.write(VIK + BEAUNE)
        with Site(PLACES_DB=out) as site:
            check("could not find" in site.ask("airports near Beaune").answer, "nobody knows Beaune")
            status, said, err = cli("import", "places", file, "--out", out)
            equal((status, err.splitlines()[-1:]), (0, ["names"]), "import")
            check("2 places" in said, said)
            # a running worker notices the file
            harness.eventually(lambda: site.ask("airports near Beaune").all("tool_call_end")[0]["result"]["found"],
                               "the worker uses the new places", 15)
            r = resolved(site, "airports near Beaune")[0]
            equal((r["how"], r["place"]), ("gazetteer", "Beaune, France"), "how")
            equal(resolved(site, "airports near Vik in Iceland")[0]["country"], "IS", "country")


def test_an_import_that_fails_changes_nothing():
    with tempfile.TemporaryDirectory(prefix="aa-places.") as folder:
        out = os.path.join(folder, "places.db")
        status, said, err = cli("import", "places", "-", "--out", out, stdin=BEAUNE.encode())
        equal(status, 0, "from standard input: " + err)
        before = os.stat(out).st_ino
        for text, says in (("a,b,c\n", "standard input:1: has 1 columns"), (BEAUNE + BEAUNE.replace("47.0241", "97"), "standard input:2: the latitude"),
                           ("", "holds no place")):
            status, said, err = cli("import", "places", "-", "--out", out, stdin=text.encode())
            check(status != 0 and says in err, "%d %s" % (status, err))
        status, said, err = cli("import", "places", os.path.join(folder, "none.txt"), "--out", out)
        check(status != 0 and "No such file" in err, err)
        status, said, err = cli("import", "places")
        equal(status, 2, "usage")
        equal(os.stat(out).st_ino, before, "the file")
        equal(sorted(os.listdir(folder)), ["places.db"], "files")
