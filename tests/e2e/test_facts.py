"""Facts of one airport, of a flight and of a country, asked through nginx."""

import datetime
import json
import math
import os
import shutil
import tempfile

import harness
from harness import API, Site, check, cli, equal

POLAR = ('90,"ENTC","medium_airport","Tromsø Airport",69.6833,18.9189,31,"EU","NO","NO-19","Tromsø","yes","ENTC",'
         '"TOS","ENTC",,,,\n'
         '91,"LSGS","medium_airport","Sion Airport",46.219166,7.326944,1582,"EU","CH","CH-VS","Sion","no","LSGS",'
         '"SIR","LSGS",,,,\n')
RUNWAYS = ('190,90,"ENTC",7854,148,"ASP",1,0,"18",69.6930,18.9150,29,183,,"36",69.6725,18.9120,31,3,\n'
           '191,91,"LSGS",6562,131,"ASPH",1,0,"07",46.216698,7.314575,1575,73,164,"25",46.221981,7.339386,1582,253,164\n')
FREQUENCIES = ('"id","airport_ref","airport_ident","type","description","frequency_mhz"\n'
               '1,4,"LFAT","TWR","Le Touquet Tower",118.45\n2,4,"LFAT","ATIS","ATIS",123.125\n')


class Airports:
    """The test's airports with two more in high places, and radio frequencies, as a database."""

    def __enter__(self):
        self.dir = tempfile.mkdtemp(prefix="aa-facts.")
        lists = os.path.join(self.dir, "lists")
        shutil.copytree(os.path.join(harness.HERE, "data"), lists)
        for name, more in (("airports.csv", POLAR), ("runways.csv", RUNWAYS)):
            with open(os.path.join(lists, name), "a", encoding="utf-8") as f:
                f.write(more)
        with open(os.path.join(lists, "airport-frequencies.csv"), "w", encoding="utf-8") as f:
            f.write(FREQUENCIES)
        self.db = os.path.join(self.dir, "airports.db")
        status, out, err = cli("import", "ourairports", lists, "--out", self.db)
        equal(status, 0, "import: " + err)
        check("2 frequencies" in out, "the import tells its frequencies: " + out)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.dir, ignore_errors=True)


def first(turn):
    equal(turn.all("error"), [], "errors")
    return turn.answer.split("\n")[0]


def test_a_fact_is_in_the_first_sentence():
    """The frequency, the sun, the lights: what was asked for comes first."""
    tomorrow = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)).date()
    with Airports() as made, Site(db=made.db) as site:
        line = first(site.ask("what is the tower frequency of LFAT?"))
        equal(line, "The tower frequency of **Le Touquet-Côte d'Opale Airport** (LFAT) is 118.450 MHz.", "frequency")
        line = first(site.ask("what is the tower frequency of EGKB?"))
        check(line.startswith("No radio frequency is recorded here for **London Biggin Hill Airport** (EGKB)"), line)
        turn = site.ask("can I land at Sion after dark tomorrow?")
        line = first(turn)
        equal(turn.plan["arguments"], {"icao_code": "LSGS", "date": "tomorrow"}, "arguments")
        check(line.startswith("At **Sion Airport** (LSGS) runway 07/25 is recorded with lights; on "), line)
        check("%d %s" % (tomorrow.day, tomorrow.strftime("%B")) in line and "civil twilight ends at" in line, line)
        check("It is not recorded here whether it is open" in line, line)
        equal(site.ask("runway heading at LSGS").answer.split("\n")[0],
              "Runway headings at **Sion Airport** (LSGS): 07/25 073°/253° true, threshold 07 displaced 164 ft (50 m), "
              "threshold 25 displaced 164 ft (50 m).", "headings")


def test_how_far_it_is():
    """Distance, track, and the time at the persona's speed if it has one."""
    with Site() as site:
        turn = site.ask("How far is it from EGKB to LFAT?")
        line = first(turn)
        (lat, lon), (to_lat, to_lon) = [(math.radians(a), math.radians(b)) for a, b in
                                        ((51.3308, 0.0325), (50.5174, 1.6206))]
        east = to_lon - lon
        nm = 3440.065 * math.acos(math.sin(lat) * math.sin(to_lat) + math.cos(lat) * math.cos(to_lat) * math.cos(east))
        track = math.degrees(math.atan2(math.sin(east) * math.cos(to_lat), math.cos(lat) * math.sin(to_lat) -
                                        math.sin(lat) * math.cos(to_lat) * math.cos(east)))
        check(line.startswith("It is **%.1f NM**" % nm), line)
        check("from London Biggin Hill Airport (EGKB) to Le Touquet" in line, line)
        flight = turn.one("tool_call_end")["result"]["flight"]
        equal(flight["distance_nm"], round(nm, 1), "distance")
        equal(flight["initial_true_track_deg"], round(track, 1), "track")
        if "cruise_kt" in flight:
            equal(flight["time_min"], round(flight["distance_nm"] / flight["cruise_kt"] * 60), "minutes")


def test_days_that_do_not_exist():
    """A wrong date is refused with a sentence; no tool is called."""
    with Site() as site:
        for text, why in (("when is sunset at LFAT on 2027-02-30?", "There is no 30 February 2027: that month has 28 days."),
                          ("sunrise at EGKB on 31 April 2027", "There is no 31 April 2027: that month has 30 days.")):
            turn = site.ask(text)
            equal(turn.all("error"), [], "errors of " + text)
            check(turn.answer.startswith(why), text + ": " + turn.answer)
            equal(turn.all("tool_call_start"), [], "calls for " + text)


def test_polar_night_and_day():
    """Where the sun does not rise or set, the answer says so and no time is made up."""
    with Airports() as made, Site(db=made.db) as site:
        turn = site.ask("when is sunset at ENTC on 2026-12-21?")
        check("the sun does not rise (polar night); civil twilight begins at" in first(turn), turn.answer)
        sun = turn.one("tool_call_end")["result"]["sun"]
        equal((sun["sunrise"], sun["sunset"], sun["sun"]), (None, None, "polar night"), "sun")
        turn = site.ask("can I land at ENTC at night on 2026-06-21?")
        check("the sun does not set, so it does not get dark" in first(turn), turn.answer)


def altitude(seconds, lat, lon):
    """Height of the sun by the Astronomical Almanac's formulas of low precision."""
    n = seconds / 86400 - 10957.5
    anomaly = math.radians((357.528 + 0.9856003 * n) % 360)
    longitude = math.radians((280.460 + 0.9856474 * n) % 360 + 1.915 * math.sin(anomaly) + 0.020 * math.sin(2 * anomaly))
    tilt = math.radians(23.439 - 4e-7 * n)
    ascension = math.atan2(math.cos(tilt) * math.sin(longitude), math.cos(longitude))
    declination = math.asin(math.sin(tilt) * math.sin(longitude))
    hour = math.radians((280.46061837 + 360.98564736629 * n + lon) % 360) - ascension
    lat = math.radians(lat)
    return math.degrees(math.asin(math.sin(lat) * math.sin(declination) +
                                  math.cos(lat) * math.cos(declination) * math.cos(hour)))


def test_the_sun_agrees_with_another_computation():
    """At each time that is given the sun has the height in question, by other formulas."""
    heights = {"sunrise": -0.833, "sunset": -0.833, "civil_twilight_begins": -6, "civil_twilight_ends": -6}
    with Airports() as made, Site(db=made.db) as site:
        for icao, lat, lon in (("LFAT", 50.5174, 1.6206), ("LSGS", 46.219166, 7.326944), ("ENTC", 69.6833, 18.9189)):
            for day in ("2026-01-30", "2026-03-20", "2026-09-01", "2027-10-31"):
                sun = site.ask("when is sunset at %s on %s?" % (icao, day)).one("tool_call_end")["result"]["sun"]
                equal(sun["date"], day, "date")
                for name, height in heights.items():
                    at = datetime.datetime.strptime(sun[name], "%Y-%m-%dT%H:%MZ").replace(tzinfo=datetime.timezone.utc)
                    around = [altitude(at.timestamp() + 60 * m, lat, lon) for m in (-2, 2)]
                    check(min(around) <= height <= max(around), "%s %s %s: %s is not within two minutes of %s"
                          % (icao, day, name, sun[name], height))


OLDER = ("get_border_crossing_airports", "get_airport_statistics")


def config_with(folder, tools):
    """A behaviour config that switches these tools."""
    with open(os.path.join(harness.ROOT, "conf", "aviation_agent", "default.json"), encoding="utf-8") as f:
        config = json.load(f)
    config["tools"].update({name: True for name in tools})
    os.makedirs(os.path.join(folder, "configs", "aviation_agent"))
    with open(os.path.join(folder, "configs", "aviation_agent", "default.json"), "w", encoding="utf-8") as f:
        json.dump(config, f)


def test_the_older_tools_are_switched_by_the_config():
    """A config that names them lets the planner use them; otherwise a search answers."""
    with Site() as site:
        equal(site.ask("how many airports are there in France?").plan.get("selected_tool") in OLDER, False, "tool")
    with tempfile.TemporaryDirectory(prefix="aa-older.") as folder:
        config_with(folder, OLDER)
        with Site(PROJECT_ROOT=folder) as site:
            turn = site.ask("how many airports are there in France?")
            equal(turn.plan["selected_tool"], "get_airport_statistics", "tool")
            equal(turn.plan["arguments"], {"country": "FR"}, "arguments")
            check(first(turn).startswith("The database has **"), turn.answer)
            stats = turn.one("tool_call_end")["result"]["stats"]
            check(stats["total_airports"] > 5 and stats["with_avgas"] == 0, stats)
            turn = site.ask("border crossing airports in France")
            equal(turn.plan["selected_tool"], "get_border_crossing_airports", "tool")
            result = turn.one("tool_call_end")["result"]
            equal((result["found"], result["count"]), (False, 0), "result without data")
            check("has no data on border crossings" in first(turn), turn.answer)
            equal(turn.one("ui_payload")["kind"], "airport", "kind")
            # with another condition it stays a search
            turn = site.ask("airports with customs and a hard runway in France")
            equal(turn.plan["selected_tool"], "search_airports", "tool")
