"""What there is to filter by, statistics, and the procedures of all airports."""

import sqlite3

from harness import API, Site, check, equal, eventually, real_data
from shapes import Map, exactly, fits
from test_details import asked, ready, site

NUMBER, TEXT = (float, None), (str, None)
COUNTS = lambda name: [{name: str, "count": int}]
COUNTRIES = [{"code": str, "name": str, "count": int}]
RANGE = {"min": NUMBER, "max": NUMBER, "average": NUMBER, "count": int}
RUNWAYS = {"lengths": RANGE, "surfaces": COUNTS("surface"), "lighting": COUNTS("lighting")}
BORDERS = {"total_entries": int, "countries_count": int, "matched_count": int, "unmatched_count": int, "match_rate": float,
           "by_source": Map(int), "by_country": Map(int)}
SHARE = {"count": int, "percentage": float}
SHAPES = {
    "/filters/all": {"countries": COUNTRIES, "procedure_types": COUNTS("type"), "aip_sections": COUNTS("section"),
                     "aip_fields": COUNTS("field"), "sources": COUNTS("source"), "runway_characteristics": RUNWAYS,
                     "border_crossing": BORDERS},
    "/filters/countries": COUNTRIES,
    "/filters/procedure-types": COUNTS("type"),
    "/filters/approach-types": COUNTS("type"),
    "/filters/aip-sections": COUNTS("section"),
    "/filters/aip-fields": COUNTS("field"),
    "/filters/sources": COUNTS("source"),
    "/filters/runway-characteristics": RUNWAYS,
    "/filters/border-crossing": BORDERS,
    "/statistics/overview": {
        "total_airports": int, "airports_with_runways": int, "airports_with_procedures": int, "airports_with_aip_data": int,
        "airports_with_border_crossing": int, "total_runways": int, "total_procedures": int, "total_aip_entries": int,
        "total_border_crossing_points": int, "procedure_types": Map(int), "border_crossing": BORDERS, "sources_used": [str],
        "created_at": TEXT, "updated_at": TEXT},
    "/statistics/by-country": [{
        "country": str, "total_airports": int, "airports_with_procedures": int, "airports_with_runways": int,
        "airports_with_aip_data": int, "border_crossing_airports": int, "total_procedures": int, "total_runways": int,
        "total_aip_entries": int}],
    "/statistics/procedure-distribution": {"procedure_types": COUNTS("type"), "approach_types": COUNTS("type")},
    "/statistics/aip-data-distribution": {"sections": COUNTS("section"), "fields": COUNTS("field"), "sources": COUNTS("source")},
    "/statistics/runway-statistics": {
        "lengths": dict(RANGE, distribution=[{"category": str, "count": int, "percentage": float}]), "widths": RANGE,
        "surfaces": COUNTS("surface"), "lighting": COUNTS("lighting")},
    "/statistics/data-quality": {"total_airports": int, "coverage": {
        "coordinates": SHARE, "runways": SHARE, "procedures": SHARE, "aip_data": SHARE, "complete_data": SHARE}},
    "/procedures/statistics": {
        "total_procedures": int, "airports_with_procedures": int, "procedure_types": Map(int), "approach_types": Map(int),
        "average_procedures_per_airport": float},
}
LISTED = {"name": str, "procedure_type": str, "approach_type": TEXT, "runway_ident": TEXT, "authority": TEXT, "source": TEXT,
          "airport_ident": str, "airport_name": TEXT}
APPROACH = {"name": str, "approach_type": TEXT, "runway_ident": TEXT, "authority": TEXT, "source": TEXT, "airport_ident": str,
            "airport_name": TEXT, "precision": int}
OTHER = {"name": str, "runway_ident": TEXT, "authority": TEXT, "source": TEXT, "airport_ident": str, "airport_name": TEXT}


def counts(rows, name="type"):
    return {r[name]: r["count"] for r in rows}


def test_shapes():
    with site() as s:
        for path, shape in SHAPES.items():
            exactly(asked(s, path), shape, path)


def test_what_there_is_to_filter_by():
    with site() as s:
        every = asked(s, "/filters/all")
        equal([(c["code"], c["name"], c["count"]) for c in every["countries"]],
              [("GB", "United Kingdom", 3), ("DE", "Germany", 2), ("FR", "France", 10)], "countries; FR-0009 is no ICAO code")
        equal(counts(every["procedure_types"]), {"approach": 5, "arrival": 1, "departure": 1}, "types, whatever their case")
        equal(counts(asked(s, "/filters/approach-types")), {"ILS": 3, "RNP": 1, "VOR": 1}, "approaches")
        equal(counts(every["aip_fields"], "field"), {"Customs and immigration": 2, "Fuel and oil types": 1, "Hotels": 1}, "fields")
        equal(counts(every["aip_sections"], "section"), {"admin": 1, "handling": 1, "operational": 2, "passenger": 1}, "sections")
        check({"test": 1, "other": 1}.items() <= counts(every["sources"], "source").items(), every["sources"])
        border = every["border_crossing"]
        equal((border["total_entries"], border["matched_count"], border["unmatched_count"], border["match_rate"], border["by_country"]),
              (2, 1, 1, 0.5, {"FR": 2}), "points of entry")
        for part, path in (("countries", "countries"), ("aip_fields", "aip-fields"), ("sources", "sources"),
                           ("runway_characteristics", "runway-characteristics"), ("border_crossing", "border-crossing")):
            equal(asked(s, "/filters/" + path), every[part], path)


def test_the_numbers_agree():
    with site() as s:
        overview = asked(s, "/statistics/overview")
        countries = asked(s, "/statistics/by-country")
        for member, column in (("total_airports", "total_airports"), ("total_runways", "total_runways"),
                               ("total_procedures", "total_procedures"), ("total_aip_entries", "total_aip_entries"),
                               ("airports_with_procedures", "airports_with_procedures"),
                               ("airports_with_border_crossing", "border_crossing_airports")):
            equal(sum(c[column] for c in countries), overview[member], member)
        equal((overview["total_airports"], overview["total_procedures"], overview["total_aip_entries"],
               overview["airports_with_border_crossing"], overview["total_border_crossing_points"]), (15, 7, 5, 1, 2), "overview")
        quality = asked(s, "/statistics/data-quality")
        equal(quality["total_airports"], 15, "airports")
        equal(quality["coverage"]["procedures"], {"count": 2, "percentage": 13.3}, "with procedures")
        equal(quality["coverage"]["complete_data"]["count"], 2, "with everything")
        runways = asked(s, "/statistics/runway-statistics")
        equal(sum(c["count"] for c in runways["lengths"]["distribution"]), runways["lengths"]["count"], "classes of length")
        equal(sum(counts(runways["lighting"], "lighting").values()), overview["total_runways"], "lighting")
        check(runways["lengths"]["min"] < runways["lengths"]["average"] < runways["lengths"]["max"], runways["lengths"])
        p = asked(s, "/procedures/statistics")
        equal((p["total_procedures"], p["airports_with_procedures"], p["average_procedures_per_airport"]), (7, 2, 0.4667), "procedures")


def test_procedures():
    with site() as s:
        every = asked(s, "/procedures/")
        exactly(every, [LISTED])
        equal([(p["airport_ident"], p["name"]) for p in every],
              [("LFAT", "ILS RWY13"), ("LFAT", "ARR1"), ("LFMD", "RNP RWY35"), ("LFMD", "VOR RWY35"), ("LFMD", "ILS RWY17"),
               ("LFMD", "NIZ1A"), ("LFMD", "ILS RWY04")], "by airport, in the order of the source")
        names = lambda path: [p["name"] for p in asked(s, "/procedures/" + path)]
        equal(names("?limit=2&offset=1"), ["ARR1", "RNP RWY35"], "a page")
        equal(names("?offset=10000"), [], "beyond the end")
        equal(names("?approach_type=ils&airport=lfmd"), ["ILS RWY17", "ILS RWY04"], "by type and airport")
        equal(names("?runway=35&authority=LFC&source=test"), ["RNP RWY35", "VOR RWY35"], "by runway, authority and source")
        equal(names("?airport=ZZZZ"), [], "an unknown airport")
        equal(names("?airport=ceq"), names("?airport=LFMD"), "by its IATA code")
        approaches = asked(s, "/procedures/approaches?airport=LFMD")
        exactly(approaches, [APPROACH])
        equal([p["precision"] for p in approaches], [2, 4, 1, 1], "precision")
        exactly(asked(s, "/procedures/departures"), [OTHER])
        equal(names("departures"), ["NIZ1A"], "departures")
        equal(names("arrivals?procedure_type=departure"), ["ARR1"], "arrivals")
        equal(asked(s, "/procedures/by-runway/LFMD"),
              {"17": {"approaches": ["RNP RWY35", "VOR RWY35", "ILS RWY17"], "departures": ["NIZ1A"], "arrivals": []},
               "04": {"approaches": ["ILS RWY04"], "departures": [], "arrivals": []}}, "by runway")
        best = asked(s, "/procedures/most-precise/lfmd")
        exactly(best["17"], {"name": "ILS RWY17", "approach_type": "ILS", "precision": 1, "runway_ident": "17", "authority": TEXT,
                             "source": TEXT})
        equal(asked(s, "/procedures/by-runway/ZZZZ", 404), {"detail": "Airport ZZZZ not found"}, "an unknown airport")
        for query in ("limit=0", "limit=1001", "limit=x", "offset=-1", "offset=10001", "runway=" + "1" * 11, "airport=" + "A" * 21):
            equal(asked(s, "/procedures/?" + query, 422)["detail"][0]["loc"], ["query", query.split("=")[0]], query)
        equal(len(asked(s, "/procedures/?limit=&offset=undefined&airport=null&nonsense=1")), 7, "what counts as absent")


def test_all_idents():
    """airports.all_idents counts airports whose ident is no ICAO code, as its searches show them."""
    with site() as s:
        four = asked(s, "/statistics/overview")["total_airports"]
        with sqlite3.connect(s.env["AIRPORTS_DB"] + ".index") as index:
            names = [r[0] for r in index.execute("SELECT name FROM totals")]
            whole = index.execute("SELECT json_extract(json, '$.total_airports') FROM totals WHERE name = '*statistics/overview'")
            equal(whole.fetchone()[0], four + 1, "with FR-0009")
        equal(sorted("*" + n for n in names if n[0] != "*"), sorted(n for n in names if n[0] == "*"), "both for each document")


def test_what_a_database_lacks():
    """A database of plain OurAirports data has none of these, and still answers."""
    with Site() as s:
        ready(s)
        for path, shape in SHAPES.items():
            fits(asked(s, path), shape, path)
        equal(asked(s, "/procedures/"), [], "procedures")
        equal(asked(s, "/filters/all")["procedure_types"], [], "types")
    with Site(db="/nonexistent/airports.db") as s:
        for path in list(SHAPES) + ["/procedures/"]:
            equal(s.get("/api" + path).status, 503, path)


def test_real_numbers():
    path = real_data("euro_aip", "airports.db")
    with sqlite3.connect("file:%s?mode=ro&immutable=1" % path, uri=True) as db, Site(db=path) as s:
        one = lambda sql: db.execute(sql).fetchone()[0]
        ready(s)
        for p, shape in SHAPES.items():
            exactly(asked(s, p), shape, p)
        overview = asked(s, "/statistics/overview")
        equal(overview["total_airports"], one("SELECT count(*) FROM airports WHERE length(icao_code) = 4"), "airports")
        equal(overview["total_aip_entries"], one("SELECT count(DISTINCT airport_icao || section || field) FROM aip_entries "
                                                 "WHERE length(airport_icao) = 4"), "AIP entries")
        equal(overview["total_procedures"], one("SELECT count(*) FROM (SELECT DISTINCT airport_icao, name, procedure_type "
                                                "FROM procedures WHERE length(airport_icao) = 4)"), "procedures")
        france = next(c for c in asked(s, "/filters/countries") if c["code"] == "FR")
        equal((france["name"], france["count"]), ("France", one("SELECT count(*) FROM airports WHERE length(icao_code) = 4 "
                                                                "AND iso_country = 'FR'")), "France")
        equal([c["code"] for c in asked(s, "/filters/countries")][:8], ["GB", "GG", "JE", "IM", "GI", "DE", "FR", "IT"], "order")


def test_the_switches():
    with Site(AVIATION_AGENT_REST="-filters,-statistics,-procedures") as s:
        for path in list(SHAPES) + ["/procedures/", "/procedures/approaches", "/procedures/by-runway/LFMD"]:
            equal((s.get("/api" + path).status, s.get(API + path).status), (404, 404), path)
        eventually(lambda: s.get("/api/airports/aip-filter-presets").status == 200, "the others are there")
