"""The calls about one airport, and the lines of approaches of many."""

import contextlib
import math
import shutil
import tempfile

from airport_data import HOSTILE, detailed
from harness import API, Site, check, equal, eventually, real_data
from shapes import exactly, fits

TEXT, NUMBER = (str, None), (float, None)
RUNWAY = {
    "airport_ident": str, "length_ft": NUMBER, "width_ft": NUMBER, "surface": TEXT, "lighted": (0, 1), "closed": (0, 1),
    "le_ident": str, "le_latitude_deg": NUMBER, "le_longitude_deg": NUMBER, "le_elevation_ft": NUMBER, "le_heading_degT": NUMBER,
    "le_displaced_threshold_ft": NUMBER, "he_ident": str, "he_latitude_deg": NUMBER, "he_longitude_deg": NUMBER,
    "he_elevation_ft": NUMBER, "he_heading_degT": NUMBER, "he_displaced_threshold_ft": NUMBER, "created_at": TEXT}
PROCEDURE = {
    "name": str, "procedure_type": str, "approach_type": TEXT, "runway_number": TEXT, "runway_letter": TEXT, "runway_ident": TEXT,
    "source": TEXT, "authority": TEXT, "raw_name": TEXT, "data": None, "created_at": TEXT, "updated_at": TEXT}
ENTRY = {
    "ident": str, "section": str, "field": str, "value": TEXT, "std_field": TEXT, "std_field_id": (int, None),
    "mapping_score": NUMBER, "alt_field": TEXT, "alt_value": TEXT, "source": TEXT, "created_at": TEXT,
    "parsed_summary?": str, "parsed_notification?": True, "notification_confidence?": NUMBER}
TRUTH = (bool, None)
DETAIL = {
    "ident": str, "name": TEXT, "type": TEXT, "use": TEXT, "latitude_deg": float, "longitude_deg": float, "elevation_ft": NUMBER,
    "continent": TEXT, "iso_country": TEXT, "iso_region": TEXT, "municipality": TEXT, "scheduled_service": TEXT, "gps_code": TEXT,
    "iata_code": TEXT, "local_code": TEXT, "home_link": TEXT, "wikipedia_link": TEXT, "keywords": TEXT, "point_of_entry": (True, None),
    "avgas": TRUTH, "jet_a": TRUTH, "has_hard_runway": bool, "has_lighted_runway": bool, "has_soft_runway": bool,
    "has_water_runway": bool, "has_snow_runway": bool, "longest_runway_length_ft": (int, None), "sources": [str],
    "runways": [RUNWAY], "procedures": [PROCEDURE], "aip_entries": [ENTRY], "created_at": TEXT, "updated_at": TEXT}
LINE = {
    "runway_end": str, "start_lat": float, "start_lon": float, "end_lat": float, "end_lon": float, "approach_type": str,
    "procedure_name": str, "precision_category": ("precision", "rnp", "non-precision"), "distance_nm": float}
LINES = {"airport_ident": str, "procedure_lines": [LINE]}


@contextlib.contextmanager
def site(**env):
    folder = tempfile.mkdtemp(prefix="aa-details.")
    try:
        with Site(db=detailed(folder), **env) as s:
            ready(s)
            yield s
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def ready(s):
    eventually(lambda: s.get(API + "/health").json()["airports"]["state"] == "ready", "the index is built", 30)


def asked(s, path, status=200, **kw):
    """The answer, which must be the same at both places of the call."""
    first, second = s.get("/api" + path, **kw), s.get(API + path, **kw)
    equal((first.status, first.body), (second.status, second.body), "the same at both paths: " + path)
    equal(first.status, status, path)
    equal(first.header("Content-Type"), "application/json", "type of " + path)
    return first.json()


def bulk(s, body, status=200):
    r = s.post("/api/airports/bulk/procedure-lines", body)
    equal(r.status, status, str(body)[:100] + ": " + r.body[:300].decode())
    return r.json()


def test_details():
    with site() as s:
        cannes = asked(s, "/airports/LFMD")
        exactly(cannes, DETAIL)
        exactly(cannes["runways"], [RUNWAY])
        exactly(cannes["procedures"], [PROCEDURE])
        exactly(cannes["aip_entries"], [ENTRY])
        equal((cannes["ident"], cannes["latitude_deg"], cannes["longitude_deg"], cannes["type"]),
              ("LFMD", 43.542, 6.9535, "medium_airport"), "Cannes")
        equal((cannes["point_of_entry"], cannes["avgas"], cannes["jet_a"], cannes["has_hard_runway"], cannes["has_soft_runway"]),
              (True, True, True, True, False), "facts; a closed runway does not count")
        equal((cannes["longest_runway_length_ft"], cannes["sources"]), (5282, ["test", "other"]), "runway and sources")
        equal((cannes["home_link"], cannes["wikipedia_link"]), (None, "https://example.org/cannes"), "only web addresses are links")
        fairoaks = asked(s, "/airports/EGTF")
        fits(fairoaks, DETAIL)
        equal((fairoaks["point_of_entry"], fairoaks["avgas"], fairoaks["procedures"], fairoaks["aip_entries"]),
              (None, None, [], []), "what is not recorded is null or empty")
        equal(asked(s, "/airports/LFAT")["name"], HOSTILE, "a name as it is recorded")
        for code in ("lfmd", "LfMd"):
            equal(asked(s, "/airports/" + code)["ident"], "LFMD", code)
        equal(asked(s, "/airports/fr-0009")["ident"], "FR-0009", "an ident that is no ICAO code")


def test_parts():
    with site() as s:
        runways = asked(s, "/airports/lfmd/runways")
        exactly(runways, [RUNWAY])
        equal([(r["le_ident"], r["closed"], r["surface"]) for r in runways],
              [("17", 0, "ASP"), ("04", 1, "GRASS (closed)")], "a closed runway says so")
        procedures = asked(s, "/airports/LFMD/procedures")
        exactly(procedures, [PROCEDURE])
        equal(len(procedures), 5, "procedures")
        names = lambda query: [p["name"] for p in asked(s, "/airports/LFMD/procedures?" + query)]
        equal(names("procedure_type=departure"), ["NIZ1A"], "by type")
        equal(names("procedure_type=APPROACH&runway=35"), ["RNP RWY35", "VOR RWY35"], "by type and runway")
        equal(names("procedure_type=undefined&runway=&nonsense=1"), [p["name"] for p in procedures], "what counts as absent")
        equal(names("runway=99"), [], "another runway")
        entries = asked(s, "/airports/LFMD/aip-entries")
        exactly(entries, [ENTRY])
        equal([e["std_field_id"] for e in entries], [302, 402, 501, None], "fields")
        customs = entries[0]
        equal((customs["value"], customs["parsed_notification"]), ("O/R", True), "the notice stands beside the text")
        check(customs["parsed_summary"], customs)
        check("parsed_summary" not in entries[1], "… and only there")
        equal([e["field"] for e in asked(s, "/airports/LFMD/aip-entries?section=handling")], ["Fuel"], "by section")
        equal([e["value"] for e in asked(s, "/airports/LFMD/aip-entries?std_field=Hotels")], [HOSTILE], "by field")
        equal(asked(s, "/airports/EGTF/aip-entries"), [], "none")
        presets = asked(s, "/airports/aip-filter-presets")
        equal([p["id"] for p in presets], ["hotels", "restaurants", "avgas", "jet_a", "customs", "deicing", "hangar", "medical"],
              "presets")
        exactly(presets, [{"id": str, "name": str, "description": str, "field": str, "operator": ("not_empty", "contains"),
                           "value": TEXT, "icon": str}])


def far(lat, lon, bearing, nm):
    """The destination of a great circle, as every text book on navigation has it."""
    d, b = nm / 3440.065, math.radians(bearing)
    y, x = math.radians(lat), math.radians(lon)
    y2 = math.asin(math.sin(y) * math.cos(d) + math.cos(y) * math.sin(d) * math.cos(b))
    x2 = x + math.atan2(math.sin(b) * math.sin(d) * math.cos(y), math.cos(d) - math.sin(y) * math.sin(y2))
    return math.degrees(y2), math.degrees(x2)


def test_lines_of_approaches():
    with site() as s:
        cannes = asked(s, "/airports/LFMD/procedure-lines")
        exactly(cannes, LINES)
        equal([(x["runway_end"], x["approach_type"], x["procedure_name"], x["precision_category"]) for x in cannes["procedure_lines"]],
              [("17", "ILS", "ILS RWY17", "precision"), ("35", "RNP", "RNP RWY35", "rnp")], "the most precise approach of each end")
        south = cannes["procedure_lines"][1]
        equal((south["start_lat"], south["start_lon"]), (43.5343, 6.9587), "it begins at the runway's end")
        for got, expected in zip((south["end_lat"], south["end_lon"]), far(43.5343, 6.9587, 174.6, 10)):
            check(abs(got - expected) < 1e-5, "the far end: %s" % south)
        short = asked(s, "/airports/LFMD/procedure-lines?distance_nm=2.5")["procedure_lines"][1]
        equal(short["distance_nm"], 2.5, "length")
        check(abs(short["end_lat"] - far(43.5343, 6.9587, 174.6, 2.5)[0]) < 1e-5, short)
        equal(asked(s, "/airports/EGTF/procedure-lines"), {"airport_ident": "EGTF", "procedure_lines": []}, "without procedures")
        many = bulk(s, {"airports": ["LFMD", "lfat", "EGTF", "ZZZZ", "LFMD", HOSTILE], "distance_nm": 10})
        equal(list(many), ["LFMD", "lfat", "EGTF", "ZZZZ", HOSTILE], "each code as it was sent, once")
        equal(many["LFMD"], cannes, "the same lines")
        exactly(many["lfat"], LINES)
        equal(many["lfat"]["procedure_lines"][0]["runway_end"], "13", "lower case")
        equal(many["ZZZZ"], {"procedure_lines": [], "error": "Airport not found"}, "an unknown code fails alone")
        equal(list(bulk(s, {"airports": ["LFMD"]})), ["LFMD"], "the length may be left out")


def test_many_airports_at_once():
    with site() as s:
        codes = ["LF%02d" % i for i in range(100)] + ["A%03d" % i for i in range(800)] + ["LFMD"]
        many = bulk(s, {"airports": codes, "distance_nm": 10})
        equal(len(many), 901, "airports")
        check(many["LFMD"]["procedure_lines"], "lines")
        refused = bulk(s, {"airports": ["X%05d" % i for i in range(10000)]}, 422)
        equal(refused["detail"][0]["loc"], ["body", "airports"], "what is refused")
        check("at most 2000" in refused["detail"][0]["msg"], refused)


def test_what_is_refused():
    with site() as s:
        for code in ("ZZZZ", "LFZZ", "%3Cb%3E", "%27%20OR%201", "LF", "....", "undefined", "null"):
            for part in ("", "/runways", "/procedures", "/aip-entries", "/procedure-lines"):
                r = s.get("/api/airports/" + code + part)
                check(r.status in (404, 422), "%s%s: %d" % (code, part, r.status))
                check("detail" in r.json(), r.body)
        equal(s.get("/api/airports/ZZZZ").json(), {"detail": "Airport ZZZZ not found"}, "the refusal")
        long = s.get("/api/airports/" + "A" * 900)
        equal(long.status, 422, "a long code")
        check(len(long.body) < 1000, "it is not repeated whole")
        for path in ("LF%2FMD", "LFMD%00", "LFMD/runways/17"):
            status = s.get("/api/airports/" + path).status
            check(status in (400, 404, 422), "%s: %d" % (path, status))
        equal(s.get("/api/airports/" + "A" * 10240).status // 100, 4, "10 KB")
        for query in ("distance_nm=0", "distance_nm=101", "distance_nm=x", "distance_nm=1e999", "distance_nm=-1"):
            r = s.get("/api/airports/LFMD/procedure-lines?" + query)
            equal(r.status, 422, query)
            equal(r.json()["detail"][0]["loc"], ["query", "distance_nm"], query)
        for query in ("distance_nm=NaN", "distance_nm=", "distance_nm=undefined", "distance_nm=5&distance_nm=x"):
            equal(s.get("/api/airports/LFMD/procedure-lines?" + query).status, 200, query)
        equal(s.get("/api/airports/LFMD/procedures?runway=" + "3" * 11).status, 422, "a long runway")
        equal(s.get("/api/airports/LFMD/aip-entries?section=" + "x" * 10240).status // 100, 4, "a query of 10 KB")
        for body in ("", "[]", "{", "null", '{"airports": "LFMD"}', '{"airports": []}', '{"airports": [1]}', '{"airports": [null]}',
                     '{"airports": [["LFMD"]]}', '{"distance_nm": 10}', '{"airports": ["LFMD"], "distance_nm": 0}',
                     '{"airports": ["LFMD"], "distance_nm": 1000}', '{"airports": ["LFMD"], "distance_nm": "x"}',
                     '{"airports": ["LFMD"], "distance_nm": NaN}'):
            detail = bulk(s, body, 422)["detail"]
            check(isinstance(detail, list) and detail[0]["loc"][0] == "body", "%s: %s" % (body, detail))
        equal(bulk(s, {"airports": ["LFMD", 1]}, 422)["detail"][0]["loc"], ["body", "airports", 1], "the place of the fault")
        reply = s.get("/api/airports/bulk/procedure-lines")
        equal((reply.status, reply.header("Allow")), (405, "POST"), "no airport is called bulk")
        equal(s.post("/api/airports/LFMD", {}).status, 405, "it cannot be changed")


def test_an_answer_is_kept():
    with site() as s:
        first = s.get("/api/airports/LFMD")
        tag = first.header("ETag")
        check(tag, "an ETag")
        again = s.get("/api/airports/LFMD", headers={"If-None-Match": tag})
        equal((again.status, again.body), (304, b""), "the client has it")
        equal(s.request("HEAD", "/api/airports/LFMD").status, 200, "HEAD")


def test_without_an_airport_database():
    with Site(db="/nonexistent/airports.db") as s:
        for path in ("/airports/LFMD", "/airports/LFMD/runways", "/airports/LFMD/procedure-lines"):
            r = s.get("/api" + path)
            equal(r.status, 503, path)
            check("airport database" in r.json()["detail"], r.body)
        equal(len(s.get("/api/airports/aip-filter-presets").json()), 8, "what needs no data is answered")


def test_a_group_switched_off():
    with site(AVIATION_AGENT_REST="-airports") as s:
        for path in ("/airports/LFMD", "/airports/LFMD/runways", "/airports/aip-filter-presets"):
            equal((s.get("/api" + path).status, s.get(API + path).status), (404, 404), path)
        equal(s.get("/api/rules/FR").status, 200, "another group")


def test_real_airports():
    with Site(db=real_data("euro_aip", "airports.db"), GA_NOTIFICATIONS_DB=real_data("euro_aip", "ga_notifications.db")) as s:
        ready(s)
        for code in ("EGLL", "LFMD", "EGTF", "LSGS", "LFAT", "EGKB", "LOWS"):
            exactly(asked(s, "/airports/" + code), DETAIL)
            exactly(asked(s, "/airports/%s/aip-entries" % code), [ENTRY])
        lines = asked(s, "/airports/EGLL/procedure-lines")
        equal({x["runway_end"] for x in lines["procedure_lines"]}, {"09L", "09R", "27L", "27R"}, "the ends of Heathrow")
        east = next(x for x in lines["procedure_lines"] if x["runway_end"] == "27R")
        check(east["end_lon"] > east["start_lon"] + 0.2, "who lands on 27R comes from the east: %s" % east)


HOSTILE_VALUES = ["", "undefined", "null", "NaN", "-1", "0", "1e999", "99999999999999999999", "0x10", "true", "%00", "%zz", "%",
                  "a%0d%0aX:%20y", "%3Cscript%3E", "%F0%9F%9B%A9", "%ff%fe", "..%2F..%2Fetc", "'%20OR%201=1--", "x" * 1001, "x" * 10240]
CALLS = {
    "/airports/{}": [], "/airports/{}/runways": [], "/airports/{}/procedures": ["procedure_type", "runway"],
    "/airports/{}/aip-entries": ["section", "std_field"], "/airports/{}/procedure-lines": ["distance_nm"],
    "/notifications/{}": ["day_of_week"], "/notifications/": ["max_hours_notice", "notification_type", "country", "limit"],
    "/notifications/stats/summary": ["x"], "/ga/config": ["x"], "/ga/summary/{}": ["persona"],
    "/procedures/": ["procedure_type", "approach_type", "runway", "authority", "source", "airport", "limit", "offset"],
    "/procedures/approaches": ["airport", "limit"], "/procedures/by-runway/{}": [], "/procedures/most-precise/{}": [],
    "/filters/all": ["x"], "/statistics/overview": ["x"], "/airports/aip-filter-presets": ["x"]}


def test_every_call_stands_everything():
    """No value breaks a call: each is answered, or refused with a reason, and the worker lives on."""
    with site() as s:
        def ask(path):
            r = s.get("/api" + path)
            check(r.status in (200, 400, 404, 414, 422) or (r.status == 503 and path.startswith("/ga/")), "%s: %d" % (path[:200], r.status))
            if (r.header("Content-Type") or "").startswith("application/json"):
                check(r.status == 200 or "detail" in r.json(), path[:200])
                r.json()
                check(r.status == 200 or len(r.body) < 4000, "a refusal repeats all of it: " + path[:200])
            check(r.header("X") is None, "a header from outside: " + path[:200])

        for call, params in CALLS.items():
            if "{}" in call:
                for value in HOSTILE_VALUES:
                    ask(call.format(value or "-"))
            for param in params:
                for value in HOSTILE_VALUES:
                    ask("%s?%s=%s" % (call.format("LFMD"), param, value))
                ask("%s?%s=LFMD&%s=x&%s" % (call.format("LFMD"), param, param, param))
        equal(asked(s, "/airports/LFMD")["ident"], "LFMD", "the worker lives")
