"""Lists of airports for a map: in a box, beside a route, around a place, by words; and all calls alike: parameters,
answers that are kept, limits, the switch."""

import concurrent.futures
import contextlib
import gzip
import os
import shutil
import tempfile
import urllib.parse

from airport_data import HOSTILE, detailed
from apache import Apache
from harness import API, ROOT, Site, check, equal, eventually, real_data
from shapes import Map, exactly, fits
from test_mcp import tool

TEXT, NUMBER = (str, None), (float, None)
GA = {"features": Map(NUMBER), "persona_scores": Map(NUMBER), "review_count": int, "last_review_utc": TEXT,
      "tags": (None, [str]), "summary_text": TEXT, "notification_hassle": TEXT}
NOTICE = {"notification_type": TEXT, "hours_notice": (int, None), "is_h24": bool, "is_on_request": bool,
          "easiness_score": NUMBER, "summary": str}
SUMMARY = {
    "ident": str, "name": TEXT, "latitude_deg": float, "longitude_deg": float, "iso_country": TEXT, "municipality": TEXT,
    "point_of_entry": (True, None), "has_procedures": bool, "has_runways": bool, "has_aip_data": bool, "has_hard_runway": bool,
    "has_lighted_runway": bool, "has_soft_runway": bool, "has_water_runway": bool, "has_snow_runway": bool,
    "longest_runway_length_ft": (int, None), "use": TEXT, "procedure_count": int, "runway_count": int, "aip_entry_count": int,
    "ga": (None, GA), "notification": (None, NOTICE)}
ROUTE = {
    "route_airports": [str], "segment_distance_nm": float, "airports_found": int, "total_nearby": int, "filters_applied": dict,
    "airports": [{"airport": SUMMARY, "segment_distance_nm": float, "enroute_distance_nm": NUMBER,
                  "along_track_distance_nm": NUMBER, "closest_segment": [str]}]}
SPOT = {"lat": float, "lon": float, "label": str}
NEAR = dict(SUMMARY, country=TEXT, distance_nm=float)
LOCATE = {
    "found": True, "count": int, "center": SPOT, "airports": [NEAR], "pretty": str, "filter_profile": dict,
    "visualization": {"type": "point_with_markers", "point": SPOT, "markers": [NEAR], "radius_nm": float}}
NOWHERE = {"found": False, "count": 0, "center": None, "airports": [], "pretty": str, "filter_profile": dict, "visualization": None}

# what the original page sends, as it sends it
VIEW = "bbox=66.10012345678901%2C34.39112345678901%2C44.73345678901234%2C-31.93312345678901&aip_operator=contains&limit=500"
LYON = "q=Lyon%2C+France&radius_nm=50&aip_operator=contains&limit=1000"


@contextlib.contextmanager
def site(**env):
    folder = tempfile.mkdtemp(prefix="aa-calls.")
    try:
        with Site(db=detailed(folder), **env) as s:
            if env.get("nginx", True):
                ready(s)
            yield s
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def europe(**env):
    """The real airports of Europe, with notices and reviews."""
    with Site(db=real_data("euro_aip", "airports.db"), GA_NOTIFICATIONS_DB=real_data("euro_aip", "ga_notifications.db"),
              GA_PERSONA_DB=real_data("euro_aip", "ga_persona.db"), **env) as s:
        ready(s)
        yield s


def ready(s):
    eventually(lambda: s.get(API + "/health").json()["airports"]["state"] == "ready", "the index is built", 60)


def asked(s, path, status=200, **kw):
    """The answer, which must be the same at both places of the call."""
    first, second = s.get("/api" + path, **kw), s.get(API + path, **kw)
    equal((first.status, first.body), (second.status, second.body), "the same at both paths: " + path)
    equal(first.status, status, path + ": " + first.body[:300].decode())
    return first.json()


def idents(answer):
    return [a.get("airport", a)["ident"] for a in (answer if isinstance(answer, list) else answer["airports"])]


# ---- shapes

def test_lists():
    with site() as s:
        everything = asked(s, "/airports/?limit=1000")
        exactly(everything, [SUMMARY])
        lengths = [a["longest_runway_length_ft"] or -1 for a in everything]
        equal(lengths, sorted(lengths, reverse=True), "longest runway first")
        check(all(len(a["ident"]) == 4 for a in everything) and "LFMD" in idents(everything), idents(everything))
        cannes = next(a for a in everything if a["ident"] == "LFMD")
        equal((cannes["procedure_count"], cannes["runway_count"], cannes["aip_entry_count"], cannes["longest_runway_length_ft"]),
              (5, 2, 4, 5282), "counts")
        equal((cannes["point_of_entry"], cannes["has_procedures"], cannes["has_hard_runway"], cannes["ga"]),
              (True, True, True, None), "facts")
        equal(next(a for a in everything if a["ident"] == "LFAT")["name"], HOSTILE, "a name as it is recorded")
        equal(idents(asked(s, "/airports/")), idents(everything), "without parameters")
        # pages
        pages = [idents(asked(s, "/airports/?limit=3&offset=%d" % n)) for n in range(0, len(everything) + 3, 3)]
        equal(sum(pages, []), idents(everything), "page by page")
        equal(pages[-1], [], "behind the last page")
        # the path without its slash
        r = s.get("/api/airports?limit=3")
        equal(r.status, 307, "redirect")
        equal(s.get(r.header("Location")).json(), asked(s, "/airports/?limit=3"), "where it leads")
        # one that has notice
        check(cannes["notification"] is None or exactly(cannes["notification"], NOTICE) is None, "notice")
        equal(asked(s, "/airports/?include_notification=false&limit=2")[0]["notification"], None, "notice left out")


def test_route_search():
    with site() as s:
        answer = asked(s, "/airports/route-search?airports=EGTF%2CLFMD&segment_distance_nm=50&aip_operator=contains&limit=1000")
        exactly(answer, ROUTE)
        exactly([a["airport"] for a in answer["airports"]], [SUMMARY])
        equal((answer["route_airports"], answer["segment_distance_nm"], answer["filters_applied"]), (["EGTF", "LFMD"], 50, {}), "echo")
        equal(answer["airports_found"], len(answer["airports"]), "count")
        check({"EGTF", "LFMD"} <= set(idents(answer)), "both ends: %s" % idents(answer))
        distances = [a["segment_distance_nm"] for a in answer["airports"]]
        equal(distances, sorted(distances), "the nearest first")
        check(all(a["closest_segment"] == ["EGTF", "LFMD"] for a in answer["airports"]), "segments")
        equal(asked(s, "/airports/route-search?airports=egtf,lfmd&distance_nm=50"), answer, "the older name of the distance")
        end = next(a for a in answer["airports"] if a["airport"]["ident"] == "LFMD")
        check(abs(end["enroute_distance_nm"] - 558.28) < 2, end)
        near = asked(s, "/airports/route-search?airports=EGTF,LFMD&enroute_distance_max_nm=100")
        check(idents(near) and "LFMD" not in idents(near), "not behind the first 100 NM: %s" % idents(near))
        equal(near["total_nearby"], answer["total_nearby"], "nearby")
        equal(asked(s, "/airports/route-search?airports=EGTF,LFMD&country=FR&has_avgas=true&min_runway_length_ft=2000")["filters_applied"],
              {"country": "FR", "has_avgas": True, "min_runway_length_ft": 2000}, "the filters that were applied")
        # three airports, and one
        back = asked(s, "/airports/route-search?airports=EGTF,LFAT,LFMD&segment_distance_nm=20")
        equal(back["route_airports"], ["EGTF", "LFAT", "LFMD"], "three")
        check(["LFAT", "LFMD"] in [a["closest_segment"] for a in back["airports"]], back["airports"])
        one = asked(s, "/airports/route-search?airports=LFMD&segment_distance_nm=50&limit=1000")
        exactly(one, ROUTE)
        equal((one["airports"][0]["segment_distance_nm"], one["airports"][0]["closest_segment"]), (0, ["LFMD", "LFMD"]), "one")
        # its ends need not pass the filters, but are no results then
        equal(idents(asked(s, "/airports/route-search?airports=EGTF,LFMD&country=FR&has_procedures=true&segment_distance_nm=30")),
              [i for i in idents(asked(s, "/airports/route-search?airports=EGTF,LFMD&segment_distance_nm=30")) if i in ("LFMD", "LFAT")],
              "filters")


def test_locate():
    with site() as s:
        answer = asked(s, "/airports/locate?q=LFMD&radius_nm=50")
        exactly(answer, LOCATE)
        exactly(answer["airports"], [NEAR])
        equal(answer["visualization"]["markers"], answer["airports"], "markers")
        equal((answer["count"], answer["filter_profile"]), (len(answer["airports"]), {"location_query": "LFMD", "radius_nm": 50}),
              "profile")
        check("LFMD" in idents(answer) and all(a["distance_nm"] <= 50 for a in answer["airports"]), answer["airports"])
        equal(asked(s, "/airports/locate?q=LFMD&radius_nm=50&country=uk")["filter_profile"]["country"], "GB", "a country is its code")
        center = answer["center"]
        at = asked(s, "/airports/locate?center_lat=%s&center_lon=%s&q=Anywhere&radius_nm=50" % (center["lat"], center["lon"]))
        equal(idents(at), idents(answer), "by its centre")
        equal(at["center"]["label"], "Anywhere", "its label")
        for no in ("undefined", "null", "", "NaN", "91", "north"):
            equal(asked(s, "/airports/locate?q=LFMD&center_lat=%s&center_lon=%s" % (no, no))["center"], center, "centre " + no)
        nowhere = asked(s, "/airports/locate?q=%3Cb%3ENowhere%3C%2Fb%3E%27&radius_nm=50")
        exactly(nowhere, NOWHERE)
        check("<" not in nowhere["pretty"] and "'" not in nowhere["pretty"].replace("find '", "").replace("': ", ""), nowhere["pretty"])
        check("&#60;b&#62;Nowhere" in nowhere["pretty"], nowhere["pretty"])
        equal(asked(s, "/airports/locate?radius_nm=50", 400), {"detail": "Either q or center_lat and center_lon are needed"}, "no place")


def test_search():
    with site() as s:
        for query, wanted in (("LFMD", "LFMD"), ("cannes", "LFMD"), ("EGTF", "EGTF"), ("CEQ", "LFMD")):
            answer = asked(s, "/airports/search/%s?limit=50" % urllib.parse.quote(query))
            exactly(answer, [SUMMARY])
            equal(idents(answer)[:1], [wanted], query)
        codes = idents(asked(s, "/airports/search/EGTF%20LFMD?limit=50"))
        equal(sorted(codes), ["EGTF", "LFMD"], "two codes")
        equal(idents(asked(s, "/airports/search/EGTF%20LFMD?limit=1")), codes[:1], "no more than were asked for")
        equal(asked(s, "/airports/search/xyzzyxyzzy"), [], "nothing")
        check(len(asked(s, "/airports/search/FR?limit=2")) == 2, "limit")
        around = asked(s, "/airports/search/43.6%2C%207.0")
        check("LFMD" in idents(around), "a place that is no airport's name: %s" % idents(around))


# ---- bad input

def fault(answer):
    return [(d["type"], d["loc"][1]) for d in answer["detail"]]


def test_parameters_out_of_range():
    long = "x" * 3000
    rows = (
        ("/airports/?limit=0", 422, [("greater_than_equal", "limit")]),
        ("/airports/?limit=10001", 422, [("less_than_equal", "limit")]),
        ("/airports/?limit=1.5", 422, [("int_parsing", "limit")]),
        ("/airports/?limit=ten&offset=-1&has_avgas=maybe", 422,
         [("bool_parsing", "has_avgas"), ("int_parsing", "limit"), ("greater_than_equal", "offset")]),
        ("/airports/?offset=100001", 400, "Offset too large"),
        ("/airports/?country=FRANCE", 422, [("string_too_long", "country")]),
        ("/airports/?country=" + long, 422, [("string_too_long", "country")]),
        ("/airports/?country=%00%01", 422, None),
        ("/airports/?hotel=castle", 422, [("enum", "hotel")]),
        ("/airports/?min_runway_length_ft=long", 422, [("float_parsing", "min_runway_length_ft")]),
        ("/airports/?min_runway_length_ft=-1", 422, [("greater_than_equal", "min_runway_length_ft")]),
        ("/airports/?max_landing_fee=1e400", 422, [("float_parsing", "max_landing_fee")]),
        ("/airports/?aip_field=Hotels&aip_operator=like&aip_value=x", 422, [("enum", "aip_operator")]),
        ("/airports/?fee_aircraft=broomstick&max_landing_fee=5", 422, None),
        ("/airports/?bbox=1,2,3", 400, "bbox must have 4 values: north,south,east,west"),
        ("/airports/?bbox=1,2,3,4,5", 400, "bbox must have 4 values: north,south,east,west"),
        ("/airports/?bbox=a,b", 400, "bbox must have 4 values: north,south,east,west"),
        ("/airports/?bbox=a,b,c,d", 400, "bbox values must be valid numbers"),
        ("/airports/?bbox=NaN,NaN,NaN,NaN", 400, "bbox values must be valid numbers"),
        ("/airports/?bbox=1,inf,3,4", 400, "bbox values must be valid numbers"),
        ("/airports/?bbox=40,50,3,4", 400, "bbox south must be <= north"),
        ("/airports/route-search", 422, [("missing", "airports")]),
        ("/airports/route-search?airports=", 422, [("missing", "airports")]),
        ("/airports/route-search?airports=undefined", 422, [("missing", "airports")]),
        ("/airports/route-search?airports=,,", 400, "A route needs at least one airport code"),
        ("/airports/route-search?airports=" + ",".join(["EGTF"] * 21), 400, "A route has at most 20 airports"),
        ("/airports/route-search?airports=EGTF,%3Cb%3E", 400, "'<b>' is not an airport code"),
        ("/airports/route-search?airports=EG%2FTF", 400, "'EG/TF' is not an airport code"),
        ("/airports/route-search?airports=LYON", 404, "Airport LYON not found"),
        ("/airports/route-search?airports=EGTF,ZZZZ", 404, "Airport ZZZZ not found"),
        ("/airports/route-search?airports=EGTF&segment_distance_nm=0", 422, [("greater_than_equal", "segment_distance_nm")]),
        ("/airports/route-search?airports=EGTF&segment_distance_nm=5001", 422, [("less_than_equal", "segment_distance_nm")]),
        ("/airports/locate?q=LFMD&radius_nm=0", 422, [("greater_than_equal", "radius_nm")]),
        ("/airports/locate?q=" + long, 422, [("string_too_long", "q")]),
        ("/airports/locate", 400, "Either q or center_lat and center_lon are needed"),
        ("/airports/locate?center_lat=45", 400, "Either q or center_lat and center_lon are needed"),
        ("/airports/search/" + "x" * 101, 422, [("string_too_long", "query")]),
        ("/airports/search/a?limit=101", 422, [("less_than_equal", "limit")]),
        ("/airports/search/a%2Fb", 404, "Not Found"),
        ("/airports/?x=" + "y" * 5000, 414, "The query is longer than 4096 bytes."),
    )
    with site() as s:
        for path, status, detail in rows:
            answer = asked(s, path, status)
            if detail is not None:
                equal(answer["detail"] if isinstance(detail, str) else fault(answer), detail, path[:100])
            check(len(str(answer)) < 2000, "a short answer: " + path[:60])
        whole = idents(asked(s, "/airports/?limit=500"))
        for same in ("country=&has_avgas=&limit=500&bbox=", "country=undefined&has_avgas=undefined&limit=500&bbox=undefined",
                     "country=null&min_runway_length_ft=NaN&limit=500", "limit=500&limit=1&limit=x", "limit=500&unknown=1&aip_value=x",
                     "limit=500&bbox=90,-90,180,-180", "limit=500&bbox=99,-99,999,-999", "limit=500&bbox=89.8,-85.5,190,-180"):
            equal(idents(asked(s, "/airports/?" + same)), whole, same)


def test_boxes():
    with site() as s:
        everything = asked(s, "/airports/?limit=1000")

        def within(north, south, east, west):
            return [a["ident"] for a in everything if south <= a["latitude_deg"] <= north
                    and (west <= a["longitude_deg"] <= east if west <= east else a["longitude_deg"] >= west or a["longitude_deg"] <= east)]
        for box in ((52, 40, 10, -5), (44, 43, 7.5, 6.5), (60, 30, -100, 5), (51.5, 51.2, 0, -1), (90, -90, 180, 0), (10, 0, 10, 0)):
            equal(idents(asked(s, "/airports/?limit=1000&bbox=%s,%s,%s,%s" % box)), within(*box), str(box))
        # a map that was dragged once round the world
        equal(idents(asked(s, "/airports/?bbox=52,40,370,355")), within(52, 40, 10, -5), "one turn on")
        equal(idents(asked(s, "/airports/?bbox=52,40,-350,-365")), within(52, 40, 10, -5), "one turn back")
        # far round the world: any box is an answer, and none of them keeps a worker busy
        for far in ("7.2e27", "7.6e307", "-7.2e27", "1.7e308", "-1.7e308"):
            for box in ("60,40,0," + far, "60,40,%s,0" % far, "60,40,%s,%s" % (far, far), far + ",40,10,0", "60,%s,10,0" % far):
                north, south = (float(x) for x in box.split(",")[:2])
                equal(s.get("/api/airports/?bbox=" + box).status, 200 if south <= north else 400, box)
        # the page's own text, with many digits
        equal(idents(asked(s, "/airports/?" + VIEW)), within(66.100123456789, 34.391123456789, 44.733456789, -31.933123456789), "view")


def test_boxes_at_the_date_line():
    # of the original page after "clear conversation", and around the line
    with Site(db=real_data("euro_aip", "airports.db")) as s:
        ready(s)
        wide = asked(s, "/airports/?bbox=89.8,-85.5,196.9,-154.7&limit=10000")
        equal(len(wide), len(asked(s, "/airports/?bbox=89.8,-85.5,180,-154.7&limit=10000")), "cut at the 180th meridian")
        check(len(wide) > 3000, "%d airports" % len(wide))


# ---- the map shows what the answer names

QUESTIONS = (
    "3 airports in Germany with AVGAS",
    "airports along the route from EGTF to LFMD with customs",
    "airports near Geneva with a hard runway of at least 3000 ft",
    "airports near LFAT with a landing fee below 30 EUR",
    "airports within 60 NM of LFMD with AVGAS",
)


def query_of(filters, **more):
    """The parameters that a page makes of an answer's filters."""
    values = {k: str(v).lower() if isinstance(v, bool) else v for k, v in (filters or {}).items()}
    return urllib.parse.urlencode(dict(values, aip_operator="contains", limit=1000, **more))


def test_the_map_shows_what_the_answer_names():
    with europe() as s:
        for text in QUESTIONS:
            turn = s.ask(text)
            payload = turn.one("ui_payload")
            seen = payload["visualization"]
            named = [a["ident"] for a in payload["airports"]]
            check(named, text)
            if seen["type"] == "route_with_markers":
                ends = seen["route"]["from"]["icao"] + "," + seen["route"]["to"]["icao"]
                drawn = asked(s, "/airports/route-search?" + query_of(payload["filters"], airports=ends,
                                                                    segment_distance_nm=seen["radius_nm"]))
            elif seen["type"] == "point_with_markers":
                drawn = asked(s, "/airports/locate?" + query_of(payload["filters"], center_lat=seen["point"]["lat"],
                              center_lon=seen["point"]["lon"], q=seen["point"]["label"], radius_nm=seen["radius_nm"]))
            else:
                drawn = asked(s, "/airports/?" + query_of(payload["filters"]))
            missing = set(named) - set(idents(drawn))
            equal(missing, set(), "%s: on the map; drawn %d" % (text, len(idents(drawn))))


def test_a_country_by_its_name():
    """A model may write the name of a country. The answer's filters carry its code, which the lists take."""
    with europe() as s:
        for near, name, code in (("Strasbourg", "Germany", "DE"), ("LFAT", "UK", "GB")):
            arguments = {"location_query": near, "filters": {"country": name}}
            result = tool(s, "find_airports_near_location", arguments)["structuredContent"]
            check(result["count"] > 0, result)
            equal(result["filter_profile"]["country"], code, name)
            center = result["center"]
            drawn = asked(s, "/airports/locate?center_lat=%s&center_lon=%s&limit=10000&country=%s" % (center["lat"], center["lon"], code))
            check({a["ident"] for a in result["airports"]} <= set(idents(drawn)), name)


def test_the_same_airports_for_the_same_filters():
    """As many as the tool counts, and those that it names, at the same distances."""
    rows = (
        ("airports in Germany with AVGAS", "/airports/?country=DE&has_avgas=true"),
        ("airports in France with customs", "/airports/?country=FR&point_of_entry=true&include_large_airports=true"),
        ("airports along the route from EGTF to LFMD", "/airports/route-search?airports=EGTF,LFMD"),
        ("airports along the route from EGTF to LFMD with AVGAS", "/airports/route-search?airports=EGTF,LFMD&has_avgas=true"),
        ("airports within 20 nm of EGTF", "/airports/locate?q=EGTF&radius_nm=20"),
        ("airports within 50 nm of LSGG with a hard runway", "/airports/locate?q=LSGG&radius_nm=50&has_hard_runway=true"),
    )
    with europe() as s:
        for text, path in rows:
            result = next(e["result"] for e in s.ask(text).all("tool_call_end"))
            large = "" if "include_large" in path else "&include_large_airports=false"
            drawn = asked(s, path + large + "&limit=10000")
            equal(len(idents(drawn)), result["total_found"], text)
            check({a["ident"] for a in result["airports"]} <= set(idents(drawn)), text)
            if "route-search" in path:
                by = {a["airport"]["ident"]: a for a in drawn["airports"]}
                for a in result["airports"]:
                    for name in ("segment_distance_nm", "enroute_distance_nm", "along_track_distance_nm"):
                        equal(by[a["ident"]][name], a[name], "%s: %s, %s" % (text, a["ident"], name))
            if "locate" in path:
                by = {a["ident"]: a["distance_nm"] for a in drawn["airports"]}
                for a in result["airports"]:
                    equal(by[a["ident"]], a["distance_nm"], text + ": " + a["ident"])


def test_facts_of_reviews_and_notices():
    with europe() as s:
        answer = asked(s, "/airports/?" + VIEW)
        exactly(answer, [SUMMARY])
        equal(len(answer), 500, "a full page")
        every = asked(s, "/airports/?limit=10000")
        scored = [a for a in every if a["ga"]]
        told = [a for a in every if a["notification"]]
        check(len(scored) >= 50 and len(told) >= 50, "%d scored, %d with notice" % (len(scored), len(told)))
        for a in scored:
            exactly(a["ga"], GA)
            check(len(a["ga"]["persona_scores"]) >= 4, a["ga"])
        for a in told:
            exactly(a["notification"], NOTICE)
        plain = asked(s, "/airports/?limit=10000&include_ga=false&include_notification=false")
        equal({(a["ga"], a["notification"]) for a in plain}, {(None, None)}, "left out")
        equal(idents(plain), idents(every), "the same airports")
        for path in ("/airports/route-search?airports=EGTF,LFMD&hotel=vicinity", "/airports/?restaurant=at_airport",
                     "/airports/locate?q=LFAT&max_landing_fee=30"):
            check(idents(asked(s, path)), path)
        # what the AIP says
        fuel = asked(s, "/airports/?aip_field=Fuel+and+oil+types&aip_value=avgas&aip_operator=contains&limit=1000")
        check(fuel and all(a["has_aip_data"] for a in fuel), "%d airports whose AIP names AVGAS" % len(fuel))
        for a in fuel[:5]:
            entries = asked(s, "/airports/%s/aip-entries?std_field=Fuel+and+oil+types" % a["ident"])
            check(any("AVGAS" in (e["value"] or "").upper() for e in entries), "%s: %s" % (a["ident"], entries))
        fits(asked(s, "/airports/locate?" + LYON), LOCATE)


def test_place_names_are_looked_up_locally():
    """Even where a geocoder is set, which costs money for each question."""
    with site(GEOAPIFY_API_KEY="secret", GEOAPIFY_BASE_URL="http://127.0.0.1:9/none") as s:
        fits(asked(s, "/airports/locate?q=Cannes&radius_nm=20"), LOCATE)
        exactly(asked(s, "/airports/locate?q=Xyzzyville&radius_nm=20"), NOWHERE)
        log = s.workers[0].log()
        check("geoapify" not in log.lower(), "nothing was asked: " + log[-500:])


# ---- all calls alike

def test_answers_are_kept():
    with site() as s:
        for path in ("/api/airports/?limit=100", "/api/airports/route-search?airports=EGTF,LFMD", "/api/airports/locate?q=LFMD",
                     "/api/airports/search/cannes", "/api/airports/LFMD"):
            first = s.get(path)
            tag = first.header("ETag")
            check(tag, path)
            equal(first.header("Cache-Control"), "no-cache", path)
            again = s.get(path, headers={"If-None-Match": tag})
            equal((again.status, again.body, again.header("ETag")), (304, b"", tag), path)
            equal(s.get(path, headers={"If-None-Match": '"other"'}).body, first.body, path)
        # compressed, and kept all the same
        packed = s.get("/api/airports/?limit=100", headers={"Accept-Encoding": "gzip"})
        equal(packed.header("Content-Encoding"), "gzip", "compressed")
        check(len(packed.body) < len(gzip.decompress(packed.body)), "smaller")
        equal(gzip.decompress(packed.body), s.get("/api/airports/?limit=100").body, "the same content")
        equal(packed.header("ETag"), "W/" + s.get("/api/airports/?limit=100").header("ETag"), "a weak tag")
        again = s.get("/api/airports/?limit=100", headers={"Accept-Encoding": "gzip", "If-None-Match": packed.header("ETag")})
        equal(again.status, 304, "kept")
        # a stream is never compressed
        with s.open("Tell me about LFMD", headers={"Accept-Encoding": "gzip"}) as stream:
            equal(stream.head().header("Content-Encoding"), None, "the stream")
            equal(stream.rest().names[-1], "done", "its end")


def test_apache_passes_the_calls_on():
    with site(nginx=False) as s:
        sock = s.workers[0].sock
        os.chmod(s.dir, 0o755)                  # Apache's user must reach the socket
        os.chmod(sock, 0o666)
        with open(os.path.join(ROOT, "nginx", "apache.conf")) as f:
            lines = f.read().replace("/run/aviation-agent/agent.sock", sock)
        with Apache(lines, ("mpm_event", "authz_core", "proxy", "proxy_fcgi", "mime", "filter", "deflate")) as apache:
            eventually(lambda: apache.get("/api/airports/?limit=1").status == 200, "the index is built", 60)
            plain = apache.get("/api/airports/?limit=100")
            exactly(plain.json(), [SUMMARY])
            for path in (API + "/airports/?limit=100", "/api/airports/search/cannes%20mandelieu", "/api/airports/LFMD", "/api/rules/FR",
                         "/api/airports/route-search?airports=EGTF%2CLFMD"):
                equal(apache.get(path).status, 200, path)
            equal(apache.get("/api/airports").header("Location").split("/api")[1], "/airports/", "redirect")
            packed = apache.get("/api/airports/?limit=100", {"Accept-Encoding": "gzip"})
            equal(packed.header("Content-Encoding"), "gzip", "compressed")
            equal(gzip.decompress(packed.body), plain.body, "the same content")
            for tag in (plain.header("ETag"), packed.header("ETag")):
                again = apache.get("/api/airports/?limit=100", {"Accept-Encoding": "gzip", "If-None-Match": tag})
                equal((again.status, again.body), (304, b""), "kept: " + tag)


def test_each_group_has_its_switch():
    def states(s):
        paths = {"airports": "/api/airports/?limit=1", "rules": "/api/rules/FR"}
        return {name: (s.get(path).status, s.get(path.replace("/api", API, 1)).status) for name, path in paths.items()}
    with site(AVIATION_AGENT_REST="-airports") as s:
        equal(states(s), {"airports": (404, 404), "rules": (200, 200)}, "without airports")
        equal(s.get(API + "/quick-actions").status, 200, "the rest")
        equal(s.ask("Tell me about LFMD").names[-1], "done", "the chat")
    with Site(AVIATION_AGENT_REST="none") as s:
        equal(states(s), {"airports": (404, 404), "rules": (404, 404)}, "without any")


def test_limits_of_calls():
    """A page load, clicks and moves of the map fit; a program that asks without end is slowed down, and chats are not."""
    with site() as s:
        def ask(n, source, path="/api/airports/?limit=1"):
            # many at once, so that a slow machine asks faster than the limit too
            with concurrent.futures.ThreadPoolExecutor(16) as threads:
                return list(threads.map(lambda _: s.get(path, source=source).status, range(n)))
        equal(set(ask(60, "127.0.0.2")), {200}, "six calls of a page load, and some clicks and moves")
        many = ask(400, "127.0.0.3")
        check(100 <= many.count(200) and set(many) == {200, 429}, "a burst: %d of 400 served" % many.count(200))
        for path in (API + "/airports/?limit=1", "/api/rules/FR"):
            check(429 in ask(100, "127.0.0.3", path), "all these calls together: " + path)
        equal(s.post(API + "/chat", b"{", source="127.0.0.3").status, 422, "a chat counts apart")
        equal(set(ask(300, "127.0.0.1")), {200}, "the machine itself is not limited")
