"""A slow geocoder must not delay the worker's other turns."""

import http.server
import json
import threading
import time

import harness
from harness import API, ROUTE, Site, check, equal, eventually

NEAR = "Which airports are near Lyon?"
HEARTBEAT_S = 1


class Geocoder:
    """Geoapify on a port of this machine, that answers after a while. Use it with `with`."""

    def __init__(self, seconds, status=200, body=None):
        self.asked, self.paths = 0, []
        self.leave = threading.Event()
        outer, lock = self, threading.Lock()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                with lock:
                    outer.asked += 1
                    outer.paths.append(self.path)
                outer.leave.wait(seconds)
                answer = body if body is not None else json.dumps({"results": [{"lat": 45.76, "lon": 4.84, "formatted": "Lyon, by the geocoder",
                                                "country_code": "fr"}]}).encode()
                try:
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(answer)))
                    self.end_headers()
                    self.wfile.write(answer)
                except OSError:
                    pass

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    @property
    def env(self):
        return {"GEOAPIFY_API_KEY": "geo-key-of-the-test", "GEOAPIFY_BASE_URL": "http://127.0.0.1:%d" % self.server.server_port,
                "AVIATION_AGENT_HEARTBEAT_S": HEARTBEAT_S, "LOG_LEVEL": "INFO"}

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.leave.set()
        self.server.shutdown()
        self.server.server_close()


def test_its_point_is_the_centre():
    with Geocoder(0) as geocoder, Site(**geocoder.env) as site:
        result = site.ask(NEAR).one("tool_call_end")["result"]
        equal(result["center"]["label"], "Lyon, by the geocoder", "label")
        check(result["airports"], "no airports there")


def test_slow_look_ups_keep_nothing_from_others():
    """Twelve turns wait for the geocoder; the pool has eight connections."""
    with Geocoder(8) as geocoder, Site(**geocoder.env) as site:
        streams = [site.open(NEAR) for _ in range(12)]
        try:
            eventually(lambda: geocoder.asked == 12, "all twelve ask the geocoder", 10)
            started = time.monotonic()
            turn = site.ask(ROUTE)
            check(turn.airports, "no airports on the route")
            check(time.monotonic() - started < 1.5 * harness.SLACK, "it took %.1f s" % (time.monotonic() - started))
            for s in streams:
                equal(s.rest().names[-1], "done", "a turn whose place the gazetteer knew")
        finally:
            for s in streams:
                s.leave()


def test_the_stream_lives_while_it_is_asked():
    with Geocoder(8) as geocoder, Site(**geocoder.env) as site, site.open(NEAR) as s:
        turn = s.rest()
        at = {f.name: f.at for f in turn.events}
        silent = [f.at for f in turn.frames if f.name is None and at["tool_call_start"] < f.at < at["tool_call_end"]]
        check(len(silent) >= 2, "%d heartbeats while the geocoder was asked" % len(silent))
        check(at["tool_call_end"] - at["tool_call_start"] < 4 * harness.SLACK, "a pilot waits %.1f s" %
              (at["tool_call_end"] - at["tool_call_start"]))
        check(turn.airports, "the gazetteer knows it too")


def test_a_reader_who_leaves_frees_the_thread():
    with Geocoder(8) as geocoder, Site(**geocoder.env) as site:
        with site.open(NEAR) as s:
            s.until("tool_call_start")
            eventually(lambda: geocoder.asked == 1, "the geocoder is asked", 10)
            s.leave()
        left = time.monotonic()
        eventually(lambda: "status=cancelled" in site.workers[0].log(), "the turn ends", 1.5)
        check(time.monotonic() - left < 1.5 * harness.SLACK, "it took %.1f s" % (time.monotonic() - left))
        # it says nothing of the geocoder: that is asked again
        geocoder.leave.set()
        result = site.ask(NEAR).one("tool_call_end")["result"]
        equal(result["center"]["label"], "Lyon, by the geocoder", "label")
        equal(site.get(API + "/health").status, 200, "health")


# What a geocoder may answer instead of an answer.
BAD = (("401", 401, b'{"message": "Invalid apiKey"}'), ("429", 429, b"{}"), ("500", 500, b""), ("empty", 200, b""), ("HTML", 200, b"<html>hello</html>"),
       ("garbage", 200, b"\xff\xfe\x00garbage"), ("no results", 200, b'{"results": []}'), ("odd results", 200, b'{"results": [null, {"lat": "x"}]}'),
       ("off Earth", 200, b'{"results": [{"lat": 95, "lon": 200, "formatted": "X"}]}'), ("huge", 200, b'{"results": [' + b"0," * 400000 + b"0]}"))


def test_whatever_it_answers_the_gazetteer_knows_lyon():
    for name, status, body in BAD:
        with Geocoder(0, status, body) as geocoder, Site(**geocoder.env) as site:
            turn = site.ask(NEAR)
            equal(turn.names[-1], "done", name)
            result = turn.one("tool_call_end")["result"]
            equal((result["resolved"][0]["how"], result["resolved"][0]["place"]), ("gazetteer", "Lyon, France"), name)
            check("geo-key-of-the-test" not in site.workers[0].log(), name + ": the key is in the log")
            if name in ("401", "429"):
                asked = geocoder.asked
                site.ask("Which airports are near Cannes?")
                equal(geocoder.asked, asked, name + ": it is asked again at once")


def test_a_geocoder_that_hangs_is_waited_for_once():
    """Two ends of a route, and then another question: one time-out in all."""
    with Geocoder(30) as geocoder, Site(**geocoder.env) as site:
        started = time.monotonic()
        turn = site.ask("Find airports between Lyon and Cannes")
        check(turn.airports, "no airports on the route")
        check(time.monotonic() - started < 4.5 * harness.SLACK, "the route took %.1f s" % (time.monotonic() - started))
        started = time.monotonic()
        site.ask(NEAR)
        check(time.monotonic() - started < 1.5 * harness.SLACK, "the next one took %.1f s" % (time.monotonic() - started))
        geocoder.leave.set()


def test_it_is_asked_for_the_country_that_was_named():
    with Geocoder(0) as geocoder, Site(**geocoder.env) as site:
        site.ask("airports near Vik in Iceland")
        site.ask("airports near Lyon")
        check("filter=countrycode:is" in geocoder.paths[0], "the country: " + geocoder.paths[0])
        check("bias=countrycode:" in geocoder.paths[1] and ",fr," in geocoder.paths[1], "the preferred ones: " + geocoder.paths[1])
        # codes, coordinates and areas are known without it
        asked = geocoder.asked
        for text in ("EGTF", "NCE", "43.544, 6.954", "Corsica", "the Black Forest"):
            site.ask("airports near " + text)
        equal(geocoder.asked, asked, "requests")
