"""The calls of the original page, in the order and with the query strings in which a browser was seen to send them.

The page itself is not here. What it reads of each answer is checked: without it a part of the page fails.
"""

import json
import urllib.parse

from harness import API, Site, check, equal, eventually, real_data
from shapes import fits

TEXT, NUMBER, TRUTH = (str, None), (float, None), (bool, None)
# what the page reads of an airport on its map, and of one in its panel
SUMMARY = {
    "ident": str, "latitude_deg": float, "longitude_deg": float, "name": TEXT, "municipality": TEXT, "iso_country": TEXT,
    "point_of_entry": TRUTH, "has_procedures": TRUTH, "has_aip_data": TRUTH, "has_hard_runway": TRUTH,
    "longest_runway_length_ft": NUMBER, "procedure_count": int,
    "ga": ({"persona_scores": dict}, None),
    "notification": ({"notification_type": TEXT, "hours_notice": NUMBER, "is_h24": bool, "is_on_request": bool}, None)}
NEAR = {k: v for k, v in SUMMARY.items() if k not in ("ga", "procedure_count", "notification")}
DETAIL = {"ident": str, "latitude_deg": float, "longitude_deg": float, "name": TEXT, "type": TEXT, "iso_country": TEXT,
          "iso_region": TEXT, "municipality": TEXT, "elevation_ft": NUMBER, "home_link": TEXT, "wikipedia_link": TEXT,
          "sources": [str]}
PROCEDURE = {"name": str, "procedure_type": str, "approach_type": TEXT}
RUNWAY = {"le_ident": str, "he_ident": str, "surface": TEXT, "length_ft": NUMBER, "width_ft": NUMBER, "lighted": (bool, 0, 1)}
ENTRY = {"field": str, "value": TEXT, "section": str, "std_field": TEXT, "std_field_id": NUMBER, "alt_value": TEXT,
         "parsed_notification?": True}
ROUTE = {"airports_found": int, "airports": [{"airport": SUMMARY, "segment_distance_nm": float, "enroute_distance_nm": NUMBER,
                                              "closest_segment": [str]}]}
LOCATE = {"found": bool, "count": int, "center": ({"lat": float, "lon": float, "label": TEXT}, None), "airports": [NEAR], "pretty": TEXT}
GA = {"icao": str, "has_data": bool, "score": NUMBER, "features": (dict, None), "review_count": int, "last_review_utc": TEXT,
      "tags": ([str], None), "summary_text": TEXT, "notification_summary": TEXT, "hassle_level": TEXT, "hotel_info": TEXT,
      "restaurant_info": TEXT}
RULES = {"country": str, "total_rules": int, "categories": [{"name": str, "count": int, "rules": [{
    "question_id": str, "question_text": TEXT, "category": str, "tags": [str], "answer_html": TEXT, "links": [str],
    "last_reviewed": TEXT}]}]}
PERSONA = "ifr_touring_sr22"


class Page:
    """A browser with the page open: it keeps what the page keeps between calls."""

    def __init__(self, site):
        self.site, self.messages, self.session = site, [], None

    def get(self, path, shape=None, status=200, **query):
        """The page encodes as forms do: a blank as "+", a comma as "%2C"."""
        whole = "/api" + path + ("?" + urllib.parse.urlencode(query) if query else "")
        r = self.site.get(whole)
        equal(r.status, status, whole + ": " + r.body[:200].decode("utf-8", "replace"))
        check(r.header("Content-Type").startswith("application/json"), whole)
        value = r.json()
        if shape:
            fits(value, shape, whole)
        return value

    def view(self, north=66.123456789012345, south=35.5, east=28.987654321098765, west=-24.25, **filters):
        """What the map shows: at the start, and whenever it was moved."""
        return self.get("/airports/", [SUMMARY], **dict(filters, aip_operator="contains", limit=500,
                                                        bbox="%r,%r,%r,%r" % (north, south, east, west)))

    def ask(self, text):
        self.messages.append({"role": "user", "content": text})
        headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
        if self.session:
            headers["X-Session-ID"] = self.session
        r = self.site.request("POST", API + "/chat/stream", headers=headers,
                              body=json.dumps({"messages": self.messages, "persona_id": PERSONA}).encode())
        equal(r.status, 200, text)
        self.session = r.header("X-Session-ID") or self.session
        events = []
        for block in r.body.decode("utf-8").split("\n\n"):
            lines = block.split("\n")
            # the page drops a block of any other form
            if len(lines) == 2 and lines[0].startswith("event: ") and lines[1].startswith("data: "):
                events.append((lines[0][7:], json.loads(lines[1][6:])))
        answer = "".join(d["content"] or "" for n, d in events if n == "message")
        self.run = next(d["run_id"] for n, d in events if n == "done")
        self.messages.append({"role": "assistant", "content": answer})
        return next((d for n, d in events if n == "ui_payload"), {}), answer

    def details(self, ident, rules=None):
        """The panel of an airport, after a click on its marker or an answer about it."""
        airport = self.get("/airports/" + ident, DETAIL)
        self.get("/airports/%s/procedures" % ident, [PROCEDURE])
        self.get("/airports/%s/runways" % ident, [RUNWAY])
        self.get("/airports/%s/aip-entries" % ident, [ENTRY])
        if rules:
            self.get("/rules/" + airport["iso_country"], RULES)
        for _ in range(2):
            self.get("/ga/summary/" + ident, GA, persona=PERSONA)
        return airport


def on_map(airports):
    """An airport without a position, or at 0, gets no marker."""
    return {a["ident"] for a in airports if a["latitude_deg"] and a["longitude_deg"]}


def full_site(**more):
    return Site(db=real_data("euro_aip", "airports.db"), GA_NOTIFICATIONS_DB=real_data("euro_aip", "ga_notifications.db"),
                GA_PERSONA_DB=real_data("euro_aip", "ga_persona.db"), RULES_JSON=real_data("rules", "rules.json"), **more)


def opened(site):
    eventually(lambda: site.get(API + "/health").json()["airports"]["state"] == "ready", "the index is built", 30)
    return Page(site)


def filters_of(payload):
    """How the page turns the filters of an answer into parameters."""
    known = {"country": str, "has_procedures": bool, "has_aip_data": bool, "has_hard_runway": bool, "point_of_entry": bool,
             "has_avgas": bool, "has_jet_a": bool, "min_runway_length_ft": float, "max_runway_length_ft": float,
             "max_landing_fee": float, "hotel": str, "restaurant": str}
    return {k: "true" if v is True else v for k, v in (payload.get("filters") or {}).items() if k in known and v}


def test_the_page_loads():
    with full_site() as site:
        page = opened(site)
        actions = site.get(API + "/quick-actions").json()["actions"]
        fits(actions, [{"icon": str, "title": str, "prompt": str}])
        countries = page.get("/filters/all", {"countries": [{"code": str, "name": str, "count": int}]})["countries"]
        check(len(countries) > 20 and countries[0]["code"] == "GB", countries[:3])
        config = page.get("/ga/config", {"personas": [{"id": str, "label": str}], "default_persona": str, "feature_names": [str],
                                         "relevance_buckets": [{"id": str, "label": str, "color": str}]})
        check(config["default_persona"] in [p["id"] for p in config["personas"]], config["default_persona"])
        view = page.view()
        equal(len(view), 500, "the view")
        lengths = [a["longest_runway_length_ft"] or 0 for a in view]
        equal(lengths, sorted(lengths, reverse=True), "the longest runways first")
        check(sum(a["ga"] is not None for a in view) >= 4, "scores, from which the page makes its colours")
        check(any(a["notification"] for a in view), "notices")
        fits(page.get("/filters/aip-fields"), [{"field": str, "count": int}])
        fits(page.get("/airports/aip-filter-presets"), [{"id": str, "name": str}])


def test_an_answer_about_a_route():
    with full_site() as site:
        page = opened(site)
        payload, _ = page.ask("Find airports between EGTF and LFMD")
        vis = payload["visualization"]
        equal(vis["type"], "route_with_markers", "visualization")
        for end in ("from", "to"):
            page.get("/airports/" + vis["route"][end]["icao"], DETAIL)
        route = page.get("/airports/route-search", ROUTE, airports="EGTF,LFMD", segment_distance_nm=50, aip_operator="contains",
                         limit=1000, **filters_of(payload))
        shown = on_map([a["airport"] for a in route["airports"]])
        missing = {a["ident"] for a in payload["airports"]} - shown
        equal(missing, set(), "airports of the answer that are not on the map")
        check({len(a["closest_segment"]) for a in route["airports"]} == {2}, "segments")
        # the filters of the answer hold for the map too: fuel, runway length
        payload, _ = page.ask("only those with AVGAS and a runway of at least 3000 ft")
        asked = filters_of(payload)
        check("has_avgas" in asked and "min_runway_length_ft" in asked, payload.get("filters"))
        less = page.get("/airports/route-search", ROUTE, airports="EGTF,LFMD", segment_distance_nm=50, aip_operator="contains",
                        limit=1000, **asked)
        found = on_map([a["airport"] for a in less["airports"]])
        check(0 < len(found) < len(shown), "%d of %d" % (len(found), len(shown)))
        equal({a["ident"] for a in payload["airports"]} - found, set(), "airports of the answer that are not on the map")


def test_an_answer_about_a_place():
    with full_site() as site:
        page = opened(site)
        payload, _ = page.ask("Find airports near Lyon, France")
        vis = payload["visualization"]
        equal(vis["type"], "point_with_markers", "visualization")
        near = page.get("/airports/locate", LOCATE, center_lat=vis["point"]["lat"], center_lon=vis["point"]["lon"],
                        q=vis["point"]["label"], radius_nm=vis.get("radius_nm", 50), aip_operator="contains", limit=1000,
                        **filters_of(payload))
        check(near["found"] and near["count"] == len(near["airports"]), near["count"])
        equal({a["ident"] for a in payload["airports"]} - on_map(near["airports"]), set(), "airports that are not on the map")
        check("<" not in (near["pretty"] or ""), "it is put into the page as HTML: %s" % near["pretty"])
        lost = page.get("/airports/locate", LOCATE, q="Xyzzyville", radius_nm=50, aip_operator="contains", limit=1000)
        equal((lost["found"], lost["airports"], lost["center"]), (False, [], None), "a place that nobody knows")


def test_an_answer_about_a_region():
    """The page asks for the radius of the answer, and shows it beside the pin and in its box of distances."""
    with full_site() as site:
        page = opened(site)
        for place in ("Devon", "Corsica", "Bavaria", "Greenland"):
            payload, _ = page.ask("Find airports near %s" % place)
            vis = payload["visualization"]
            equal(vis["type"], "point_with_markers", place)
            equal(vis["radius_nm"] % 1, 0, "a whole number of NM: %r" % vis["radius_nm"])
            near = page.get("/airports/locate", LOCATE, center_lat=vis["point"]["lat"], center_lon=vis["point"]["lon"],
                            q=vis["point"]["label"], radius_nm=vis["radius_nm"], aip_operator="contains", limit=1000)
            equal({a["ident"] for a in payload["airports"]} - on_map(near["airports"]), set(), "not on the map of " + place)


def test_markers_with_filters():
    with full_site() as site:
        page = opened(site)
        payload, _ = page.ask("Find airports with AVGAS in Germany")
        asked = filters_of(payload)
        equal((asked.get("country"), asked.get("has_avgas")), ("DE", "true"), "filters")
        marked = page.get("/airports/", [SUMMARY], aip_operator="contains", limit=500, **asked)
        equal({a["ident"] for a in payload["airports"]} - on_map(marked), set(), "airports that are not on the map")
        check({a["iso_country"] for a in marked} == {"DE"}, "another country")
        everything = page.get("/airports/", [SUMMARY], aip_operator="contains", limit=500, country="DE")
        check(len(marked) < len(everything), "fuel is a filter: %d of %d" % (len(marked), len(everything)))
        view = page.view(55.1, 47.2, 15.1, 5.8, **asked)
        equal(on_map(view), on_map(marked), "the view after the map has fitted")


def test_the_select_of_fuels():
    """Newer versions of the page have a select of fuels; its choice goes into every call that the filters go into."""
    with full_site() as site:
        page = opened(site)
        box = (51.5, 43.2, 10.7, -4.7)
        plain = on_map(page.view(*box))
        found = {}
        for fuel, flag in (("avgas", "has_avgas"), ("jet_a", "has_jet_a")):
            found[fuel] = on_map(page.view(*box, fuel_type=fuel))
            check(0 < len(found[fuel]) < len(plain), "%s: %d of %d" % (fuel, len(found[fuel]), len(plain)))
            equal(found[fuel], on_map(page.view(*box, **{flag: "true"})), "the same as " + flag)
        check(found["avgas"] != found["jet_a"], "the fuels differ")
        corridor = dict(airports="EGTF,LFMD", segment_distance_nm=50, aip_operator="contains", limit=1000)
        route = page.get("/airports/route-search", ROUTE, fuel_type="avgas", **corridor)
        check(0 < route["airports_found"] < page.get("/airports/route-search", ROUTE, **corridor)["airports_found"], "a route")
        near = dict(q="Geneva", radius_nm=100, aip_operator="contains", limit=1000)
        some = page.get("/airports/locate", LOCATE, fuel_type="avgas", **near)
        check(0 < some["count"] < page.get("/airports/locate", LOCATE, **near)["count"], "a place: %d" % some["count"])
        page.get("/airports/", status=422, fuel_type="diesel")


def test_an_answer_about_an_airport():
    with full_site() as site:
        page = opened(site)
        payload, _ = page.ask("Tell me about LFMD")
        equal(payload["visualization"]["type"], "marker_with_details", "visualization")
        page.details("LFMD")
        around = page.get("/airports/route-search", ROUTE, airports="LFMD", segment_distance_nm=50, aip_operator="contains",
                          limit=1000)
        check("LFMD" in on_map([a["airport"] for a in around["airports"]]), "itself")
        check(all(a["closest_segment"] == ["LFMD", "LFMD"] for a in around["airports"]), "one code is a place")
        r = site.post(API + "/feedback", {"run_id": page.run, "score": 1, "comment": None})
        equal((r.status, r.json()["status"]), (200, "ok"), "feedback")


def test_an_answer_about_rules():
    with full_site() as site:
        page = opened(site)
        payload, answer = page.ask("What are the rules for flying IFR to an uncontrolled airport in France?")
        check(answer, "an answer")
        countries = payload["show_rules"]["countries"]
        equal(countries, ["FR"], "countries")
        check(page.get("/rules/FR", RULES)["total_rules"] > 10, "rules")
        equal(page.get("/rules/AQ", RULES)["categories"], [], "a country without rules")


def test_a_click_and_a_moved_map():
    with full_site() as site:
        page = opened(site)
        page.view()
        airport = page.details("EGTF", rules=True)
        equal((airport["ident"], airport["iso_country"]), ("EGTF", "GB"), "Fairoaks")
        before = on_map(page.view(52, 51, 0.5, -1))
        check("EGTF" in before, before)
        check("EGTF" not in on_map(page.view(47, 45, 6, 4)), "another part of the world")
        procedures = [a["ident"] for a in page.view() if a["has_procedures"]]
        lines = site.post("/api/airports/bulk/procedure-lines", {"airports": procedures, "distance_nm": 10})
        equal(lines.status, 200, "lines of %d airports" % len(procedures))
        fits(lines.json(), {p: {"procedure_lines": [{
            "runway_end": str, "start_lat": float, "start_lon": float, "end_lat": float, "end_lon": float, "approach_type": str,
            "procedure_name": str, "precision_category": ("precision", "rnp", "non-precision")}]} for p in procedures})
        check(any(x["procedure_lines"] for x in lines.json().values()), "a line")


def test_a_search_and_a_cleared_conversation():
    with full_site() as site:
        page = opened(site)
        page.ask("Find airports near Paris")
        found = page.get("/airports/search/le%20touquet", [{k: v for k, v in SUMMARY.items() if k not in ("ga", "notification")}], limit=50)
        check("LFAT" in on_map(found), found)
        page.get("/airports/search/zzzzzz", [], limit=50)
        page.get("/airports/route-search", status=404, airports="QQQQ", segment_distance_nm=50, aip_operator="contains", limit=1000)
        page.get("/airports/LYON", status=404)
        all_of_them = page.get("/airports/", [SUMMARY], limit=1000)
        equal(len(all_of_them), 1000, "after clear")
        check(page.view(89.8, -85.5, 196.9, -154.7), "a view that goes beyond 180 degrees")


def test_a_site_without_private_flying():
    """ga/config fails, and the page keeps its one persona; the rest of the page works."""
    with Site(db=real_data("euro_aip", "airports.db")) as site:
        page = opened(site)
        page.get("/ga/config", status=503)
        view = page.view()
        check(view and all(a["ga"] is None for a in view), "no scores")
        page.get("/airports/LFMD", DETAIL)
        page.get("/ga/summary/LFMD", status=503, persona=PERSONA)
