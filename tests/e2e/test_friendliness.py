"""Friendliness through nginx: hotels, restaurants, landing fees, reviews, personas; good and bad input."""

import contextlib
import json
import os
import shutil
import sqlite3

import harness
from harness import API, Site, check, cli, equal, eventually, question, real_data

PERSONAS = ["ifr_touring_sr22", "vfr_budget", "lunch_stop", "training"]
HEADING = "May fit: call or check before you fly"


@contextlib.contextmanager
def site_with(persona_db="real", start=True, **env):
    """A site on the real European airports. persona_db: "real", a list of SQL statements, or None."""
    airports = real_data("euro_aip", "airports.db")
    with Site(start=False) as site:
        site.env["AIRPORTS_DB"] = os.path.join(site.dir, "airports.db")
        shutil.copy(airports, site.env["AIRPORTS_DB"])
        path = site.env["GA_PERSONA_DB"] = os.path.join(site.dir, "ga_persona.db")
        if persona_db == "real":
            shutil.copy(real_data("euro_aip", "ga_persona.db"), path)
        elif persona_db is not None:
            put(path, persona_db)
        site.env.update(env)
        if start:
            site.workers[0].start()
            eventually(lambda: site.get("/health").json()["airports"]["state"] == "ready", "an index", 30, 0.2)
        yield site


def put(path, statements):
    """Put a database into its place by renaming."""
    fresh = path + ".fresh"
    if os.path.exists(fresh):
        os.unlink(fresh)
    with contextlib.closing(sqlite3.connect(fresh)) as db:
        for sql in statements:
            db.execute(sql)
        db.commit()
    os.rename(fresh, path)


def friendliness(airport):
    return airport.get("friendliness") or {}


def idents(airports):
    return [a["ident"] for a in airports]


def test_restaurant_hotel_and_fee():
    with site_with() as site:
        turn = site.ask("lunch stop between EGTF and LFMD")
        equal(turn.plan["arguments"]["filters"], {"restaurant": "vicinity"}, "filters")
        result = turn.one("tool_call_end")["result"]
        equal(idents(result["airports"]), ["LFPN", "LFRG", "LFAT", "LFMD", "EGTK"], "airports")
        for a in result["airports"]:
            check(friendliness(a)["restaurant"] in ("vicinity", "at_airport"), a)
        # what is not recorded is neither dropped nor passed off as fitting
        maybe = result["unrecorded"]
        equal(len(maybe), 10, "candidates without a record")
        equal([a["unrecorded"] for a in maybe], [["restaurant"]] * 10, "what is not recorded")
        payload = turn.one("ui_payload")
        equal(idents(payload["visualization"]["unrecorded"]), idents(maybe), "on the map")
        equal(payload["filters"]["restaurant"], "vicinity", "filter_profile")
        check(HEADING in turn.answer and "restaurant on the airfield" in turn.answer, turn.answer)

        turn = site.ask("airfields within 50 nm of LFMD with a hotel nearby")
        equal(turn.airports, ["LFMD"], "with a hotel")
        check("hotel close by" in turn.answer and HEADING in turn.answer, turn.answer)

        turn = site.ask("airports in France with a landing fee under 20 euros")
        equal(turn.airports, ["LFKC", "LFAT", "LFQA", "LFLX"], "cheap ones")
        check("landing fee 12 EUR (Cessna 172, 1,157 kg)" in turn.answer, turn.answer)

        # fees in pounds are compared with pounds only, and those of a heavier aircraft are higher
        turn = site.ask("landing fee under 20 pounds near EGTF")
        equal(turn.airports, ["EGTF"], "in pounds")
        turn = site.ask("landing fee under 20 pounds for an SR22 near EGTF")
        equal(turn.airports, [], "for an SR22")
        check("for a Cirrus SR22" in turn.answer and "- 3 cost more" in turn.answer, turn.answer)


def test_one_airport():
    with site_with() as site:
        for asked, said in (("what is the landing fee at LFAT?", "Landing fees at **Le Touquet-Côte d'Opale Airport** (LFAT): "
                                                                  "8 EUR below 750 kg, 12 EUR below 1,200 kg"),
                            ("is there a restaurant at LFAT?", "Yes: **Le Touquet-Côte d'Opale Airport** (LFAT) has a restaurant on the airfield."),
                            ("is there a hotel at EDNY?", "(EDNY) has a hotel on the airfield."),
                            ("what is the landing fee at LFAC?", "Landing fees: not recorded here for **Calais Marck Airport** (LFAC); call before")):
            turn = site.ask(asked)
            check(said in turn.answer.split("\n\n")[0].replace("’", "'"), "%s: %s" % (asked, turn.answer[:400]))
        result = turn.one("tool_call_end")["result"]
        check("friendliness" not in result, "nothing is recorded of LFAC")
        result = site.ask("tell me about LFAT").one("tool_call_end")["result"]
        equal(result["friendliness"]["landing_fees"]["currency"], "EUR", "currency")
        equal(result["friendliness"]["has_data"], True, "has_data")


def test_persona_changes_the_order():
    with site_with() as site:
        orders = {}
        for persona in PERSONAS:
            turn = site.ask("airports in France with a landing fee under 20 euros", persona_id=persona)
            equal(turn.one("done")["metadata"]["persona_id"], persona, "persona in done")
            orders[persona] = turn.airports
            scores = [friendliness(a)["score"] for a in turn.one("tool_call_end")["result"]["airports"]]
            equal(scores, sorted(scores, reverse=True), "scores of " + persona)
            check(all(0 <= s <= 1 for s in scores), scores)
        equal(orders["vfr_budget"], ["LFQA", "LFKC", "LFLX", "LFAT"], "a budget flyer's order")
        check(orders["vfr_budget"] != orders["ifr_touring_sr22"], orders)


def test_unknown_persona():
    with site_with() as site:
        for path in ("/chat", "/chat/stream"):
            r = site.post(API + path, question("hello", persona_id="astronaut"))
            equal(r.status, 422, "status of " + path)
            fault, = r.json()["detail"]
            equal(fault["loc"], ["body", "persona_id"], "loc")
            equal(fault["type"], "literal_error", "type")
            for known in PERSONAS:
                check("'%s'" % known in fault["msg"], fault)
        for none in (None, ""):
            equal(site.chat("hello", persona_id=none).status, 200, "no persona")
    status, out, err = cli("ask", "--persona", "astronaut", "hello")
    equal(status, 2, "exit status")
    check("vfr_budget" in err, err)


def test_personas_of_the_site():
    with site_with(start=False) as site:
        path = site.env["GA_FRIENDLINESS_PERSONAS_JSON_PATH"] = os.path.join(site.dir, "personas.json")
        mine = {"version": "7", "personas": {"gourmet": {
            "id": "gourmet", "label": "Gourmet", "description": "Eats well.",
            "weights": {"review_hospitality_score": 1.0}}}}
        with open(path, "w") as f:
            json.dump(mine, f)
        site.workers[0].start()
        eventually(lambda: site.get("/health").json()["airports"]["state"] == "ready", "an index", 30, 0.2)
        turn = site.ask("airports in France with a landing fee under 20 euros", persona_id="gourmet")
        equal(turn.airports[0], "LFAT", "the best food")
        equal(site.ask("hello").one("done")["metadata"]["persona_id"], "gourmet", "the first is the default")
        equal(site.chat("hello", persona_id="vfr_budget").status, 422, "a persona that this site has not")
        # a file with a mistake stops the start, with file, persona and reason
        mine["personas"]["gourmet"]["weights"] = {"review_hospitality_score": 0.5}
        with open(path, "w") as f:
            json.dump(mine, f)
        status, out, err = cli("check", env=site.env)
        check(status != 0, "check passes")
        check(path in out + err and "gourmet" in out + err and "the weights add up to 0.5" in out + err, out + err)


STATS = ("CREATE TABLE ga_airfield_stats(icao TEXT PRIMARY KEY, aip_restaurant_info INTEGER, review_cost_score, "
         "review_hassle_score)")


def test_databases_that_are_not_as_they_should_be():
    asked = "airports within 50 nm of LFMD with a restaurant"

    def known(site):
        return site.ask(asked).airports

    # an older schema, values out of range, an airport that does not exist
    older = [STATS, "INSERT INTO ga_airfield_stats VALUES('LFMD', 1, 7.5, 'NaN')",
             "INSERT INTO ga_airfield_stats VALUES('XXXX', 2, 0.5, 0.5)"]
    with site_with(older) as site:
        equal(known(site), ["LFMD"], "an older schema")
        log = site.workers[0].log()
        check("columns_missing=" in log and "values_not_usable=2" in log, log[-800:])
        equal(log.count("values_not_usable"), 1, "told once")
        equal(site.get("/health").json()["friendliness"],
              {"state": "ready", "rows": 2, "airfields": 2,
               "file": os.path.basename(site.env["GA_PERSONA_DB"])}, "health")
        # replaced while running, then by a file that cannot be used
        put(site.env["GA_PERSONA_DB"], [STATS, "INSERT INTO ga_airfield_stats VALUES('LFTZ', 2, 0.5, 0.5)"])
        eventually(lambda: known(site) == ["LFTZ"], "the new content", 10, 0.3)
        put(site.env["GA_PERSONA_DB"], ["CREATE TABLE other(x)"])
        eventually(lambda: site.get("/health").json()["friendliness"]["state"] == "stale", "stale", 10, 0.3)
        equal(known(site), ["LFTZ"], "the earlier content stays")
        health = site.get("/health").json()
        check("friendliness" in health["degraded"], "degraded")
        check("aviation-agent check" in health["friendliness"]["what_to_do"], "what to do: %s" % health)
        equal(health["notifications"]["state"], "unset", "no database of notice")
        check("import notifications" in health["notifications"]["what_to_do"], "what to do: %s" % health)
        check(os.path.dirname(site.env["GA_PERSONA_DB"]) not in json.dumps(health), "no path: %s" % health)
    # no file at all, and one that is no database
    for content in (None, b"this is no database" * 100):
        with site_with(None, start=False) as site:
            if content:
                with open(site.env["GA_PERSONA_DB"], "wb") as f:
                    f.write(content)
            site.workers[0].start()
            eventually(lambda: site.get("/health").json()["airports"]["state"] == "ready", "an index", 30, 0.2)
            turn = site.ask(asked)
            equal(turn.airports, [], "nothing is known to fit")
            check(len(turn.one("tool_call_end")["result"]["unrecorded"]) > 0 and HEADING in turn.answer, turn.answer)
            equal(site.get("/health").json()["friendliness"]["state"], "failed", "health")


def test_check_tells():
    real = real_data("euro_aip", "ga_persona.db")
    status, out, err = cli("check", env={"GA_PERSONA_DB": real})
    check("friendliness ok" in out and "55 airfields" in out, out)
    check("personas" in out and "4 personas" in out, out)
    status, out, err = cli("check", env={"GA_PERSONA_DB": "/nowhere/ga.db"})
    check("friendliness FAIL" in out and "/nowhere/ga.db" in out, out)
    status, out, err = cli("check")
    check("GA_PERSONA_DB is not set" in out, out)
    # this one has a default, so "not set" would contradict config --print
    check("none: there is no file ga_notifications.db (GA_NOTIFICATIONS_DB)" in out, out)
