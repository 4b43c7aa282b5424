"""The calls on notice periods and on private flying: /api/notifications and /api/ga."""

from harness import API, Site, check, equal, eventually, real_data
from shapes import Map, exactly, fits

TEXT, NUMBER = (str, None), (float, None)
ONE = {"found": bool, "icao": str, "rule_type": TEXT, "notification_type": TEXT, "hours_notice": (int, None),
       "operating_hours": TEXT, "summary": TEXT, "confidence": NUMBER, "phone": TEXT, "email": TEXT, "day_specific_rule": TEXT,
       "pretty": str, "error": TEXT}
FOUND = {"found": bool, "count": int, "pretty": str, "error": TEXT, "airports": [{
    "icao": str, "ident": str, "notification_type": TEXT, "hours_notice": (int, None), "summary": TEXT, "name": TEXT,
    "municipality": TEXT, "country": TEXT, "latitude_deg": NUMBER, "longitude_deg": NUMBER}]}
STATS = {"found": bool, "total": int, "avg_confidence": NUMBER, "avg_hours_notice": NUMBER, "by_type": Map(int), "pretty": str,
         "error": TEXT}
FEATURES = ["review_cost_score", "review_hassle_score", "review_review_score", "review_ops_ifr_score", "review_ops_vfr_score",
            "review_access_score", "review_fun_score", "review_hospitality_score", "aip_ops_ifr_score", "aip_hospitality_score"]
PERSONA = {"id": str, "label": str, "description": str, "weights": {f: float for f in FEATURES}}
CONFIG = {"feature_names": [str], "feature_display_names": Map(str), "feature_descriptions": Map(str),
          "relevance_buckets": [{"id": str, "label": str, "color": str}], "personas": [PERSONA], "default_persona": str, "version": str}
SUMMARY = {"icao": str, "has_data": bool, "score": NUMBER, "features": ({f: NUMBER for f in FEATURES}, None), "review_count": int,
           "last_review_utc": TEXT, "tags": ([str], None), "summary_text": TEXT, "notification_summary": TEXT, "hassle_level": TEXT,
           "hotel_info": ("at_airport", "vicinity", "none", "unknown", None),
           "restaurant_info": ("at_airport", "vicinity", "none", "unknown", None)}


def real_site(**env):
    paths = {"GA_NOTIFICATIONS_DB": real_data("euro_aip", "ga_notifications.db"), "GA_PERSONA_DB": real_data("euro_aip", "ga_persona.db")}
    paths.update(env)
    return Site(db=real_data("euro_aip", "airports.db"), **paths)


def asked(s, path, status=200):
    first, second = s.get("/api" + path), s.get(API + path)
    equal((first.status, first.body), (second.status, second.body), "the same at both paths: " + path)
    equal(first.status, status, path)
    return first.json()


def ready(s):
    eventually(lambda: s.get(API + "/health").json()["airports"]["state"] == "ready", "the index is built", 30)


def test_notice_of_one_airport():
    with real_site() as s:
        ready(s)
        albert = asked(s, "/notifications/LFAQ")
        fits(albert, ONE)
        equal(list(albert)[:len(ONE)], list(ONE), "the original's members come first")
        equal((albert["found"], albert["icao"], albert["notification_type"], albert["hours_notice"], albert["error"]),
              (True, "LFAQ", "hours", 24, None), "Albert")
        check("visualization" not in albert, "it is not for a map")
        equal(asked(s, "/notifications/lfaq"), albert, "lower case")
        saturday = asked(s, "/notifications/LFAQ?day_of_week=Saturday")
        check(saturday["day_specific_rule"] and "Saturday" in saturday["pretty"], saturday)
        fits(asked(s, "/notifications/LFAQ?day_of_week=undefined"), ONE)
        fault = asked(s, "/notifications/LFAQ?day_of_week=funday", 422)["detail"][0]
        equal((fault["loc"], fault["input"]), (["query", "day_of_week"], "funday"), "no such day")
        none = asked(s, "/notifications/ZZZZ")
        fits(none, ONE)
        equal((none["found"], none["icao"], none["hours_notice"], none["error"]), (False, "ZZZZ", None, None), "an unknown airport")


def test_airports_by_notice():
    with real_site() as s:
        ready(s)
        some = asked(s, "/notifications/?max_hours_notice=24")
        exactly(some, FOUND)
        exactly(some["airports"], FOUND["airports"])
        equal((some["found"], some["count"], len(some["airports"])), (True, 20, 20), "the limit is 20")
        hours = [a["hours_notice"] for a in some["airports"]]
        equal(hours, sorted(hours, key=lambda h: (h is None, h or 0)), "by hours, none last")
        every = asked(s, "/notifications/?max_hours_notice=24&limit=1000")
        check(all(a["notification_type"] == "h24" or a["hours_notice"] <= 24 for a in every["airports"]), every)
        check(every["count"] > 20, every["count"])
        french = asked(s, "/notifications/?country=fr&limit=1000")
        check(french["count"] > 3 and {a["country"] for a in french["airports"]} == {"FR"}, french)
        h24 = asked(s, "/notifications/?notification_type=H24&limit=1000")
        check(h24["count"] > 0 and {a["notification_type"] for a in h24["airports"]} == {"h24"}, h24)
        equal(asked(s, "/notifications/?notification_type=nonsense"),
              {"found": False, "count": 0, "airports": [], "pretty": "No airport with such notice requirements is recorded.",
               "error": None}, "none")
        for query in ("limit=0", "limit=1001", "limit=x", "max_hours_notice=-1", "max_hours_notice=1.5", "country=FRAN",
                      "notification_type=" + "x" * 50):
            detail = asked(s, "/notifications/?" + query, 422)["detail"]
            equal(detail[0]["loc"], ["query", query.split("=")[0]], query)
        equal(asked(s, "/notifications/?limit=&max_hours_notice=NaN&country=null&nonsense=1")["count"], 20, "what counts as absent")


def test_how_many_notices():
    with real_site() as s:
        stats = asked(s, "/notifications/stats/summary")
        exactly(stats, STATS)
        equal((stats["found"], stats["total"], sum(stats["by_type"].values())), (True, 57, 57), "all rows of the database")
        counts = list(stats["by_type"].values())
        equal(counts, sorted(counts, reverse=True), "the most frequent type first")
        equal(stats["by_type"]["unknown"], 1, "the extraction that failed")


def test_private_flying():
    with real_site() as s:
        config = asked(s, "/ga/config")
        exactly(config, CONFIG)
        equal((config["feature_names"], config["default_persona"], config["version"]), (FEATURES, "ifr_touring_sr22", "1.0"), "config")
        equal([(b["id"], b["color"]) for b in config["relevance_buckets"]],
              [("top-quartile", "#27ae60"), ("second-quartile", "#3498db"), ("third-quartile", "#e67e22"),
               ("bottom-quartile", "#e74c3c"), ("unknown", "#95a5a6")], "buckets")
        equal(asked(s, "/ga/personas"), config["personas"], "personas")
        cannes = asked(s, "/ga/summary/LFMD")
        exactly(cannes, SUMMARY)
        equal((cannes["icao"], cannes["has_data"]), ("LFMD", True), "Cannes")
        equal(asked(s, "/ga/summary/lfmd?persona=ifr_touring_sr22"), cannes, "lower case, and the standard persona")
        equal(asked(s, "/ga/summary/CEQ"), cannes, "by the IATA code")
        check(asked(s, "/ga/summary/LFMD?persona=vfr_budget")["score"] != cannes["score"], "another persona")
        equal(asked(s, "/ga/summary/LFMD?persona=nobody")["score"], None, "a persona that does not exist")
        equal(asked(s, "/ga/summary/LFMD?persona=undefined"), cannes, "none")
        none = asked(s, "/ga/summary/ZZZZ")
        exactly(none, SUMMARY)
        equal((none["has_data"], none["score"], none["features"], none["review_count"]), (False, None, None, 0), "no data of it")
        equal(asked(s, "/ga/summary/" + "A" * 21, 422)["detail"][0]["loc"], ["path", "icao"], "a long code")
        equal(asked(s, "/ga/summary/LFMD?persona=" + "x" * 101, 422)["detail"][0]["loc"], ["query", "persona"], "a long persona")


def test_without_data():
    with Site() as s:
        ready(s)
        for path in ("/ga/config", "/ga/personas", "/ga/summary/LFMD"):
            equal(asked(s, path, 503), {"detail": "GA Friendliness service not available"}, path)
        one = asked(s, "/notifications/LFMD")
        fits(one, ONE)
        equal(one["found"], False, "nothing is known")
        stats = asked(s, "/notifications/stats/summary")
        exactly(stats, STATS)
        equal((stats["found"], stats["total"], stats["by_type"], stats["avg_hours_notice"]), (False, 0, {}, None), "no statistics")
        nothing = asked(s, "/notifications/")
        exactly(nothing, FOUND)
        equal((nothing["found"], nothing["airports"]), (False, []), "no airports")


def test_the_switches():
    with Site(AVIATION_AGENT_REST="-ga,-notifications") as s:
        for path in ("/ga/config", "/ga/summary/LFMD", "/notifications/", "/notifications/LFMD", "/notifications/stats/summary"):
            equal((s.get("/api" + path).status, s.get(API + path).status), (404, 404), path)
