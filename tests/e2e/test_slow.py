"""Attacks on a worker: silent, slow and hostile connections.

Everything here but one test goes past nginx, as nginx itself waits for slow senders."""

import json
import os
import resource
import socket
import time

import harness
from harness import API, ROUTE, Site, check, equal, eventually, fcgi_record, fcgi_request, question

BEGIN = fcgi_record(1, b"\0\1\0\0\0\0\0\0")
CHAT = {"REQUEST_METHOD": "POST", "SCRIPT_NAME": API + "/chat/stream", "REQUEST_URI": API + "/chat/stream",
        "CONTENT_TYPE": "application/json", "QUERY_STRING": ""}


def many_descriptors(n):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < n and (hard == resource.RLIM_INFINITY or hard >= n):
        resource.setrlimit(resource.RLIMIT_NOFILE, (n, hard))


class Peers:
    """Connections to a worker's socket, closed at the end."""

    def __init__(self, site):
        self.path, self.all = site.workers[0].sock, []

    def open(self, data=b""):
        s = socket.socket(socket.AF_UNIX)
        self.all.append(s)
        s.settimeout(30 * harness.SLACK)
        s.connect(self.path)
        s.sendall(data)
        return s

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for s in self.all:
            s.close()


def ended(s):
    """Does the worker close this connection, without an answer?"""
    try:
        return s.recv(1) == b""
    except ConnectionResetError:
        return True


def healthy(site, within):
    started = time.monotonic()
    equal(site.get("/health").status, 200, "health")
    took = time.monotonic() - started
    check(took < within * harness.SLACK, "health took %.1f s" % took)


def test_hostile_lengths():
    """Lengths that would crash libfcgi end only their own connection, with one line in the log."""
    with Site(AVIATION_AGENT_BUILTIN_FIRST_MS=1500) as site, Peers(site) as peers:
        with site.open(ROUTE) as stream:
            stream.until("tool_call_end")
            attacks = (BEGIN + fcgi_record(4, b"\xff\xff\xff\xfe\1") + fcgi_record(4),
                       BEGIN + fcgi_record(4, b"\1\xff\xff\xff\xfe") + fcgi_record(4),
                       BEGIN + fcgi_record(4, b"\xff\xff\xff\xfe\xff\xff\xff\xfe") + fcgi_record(4),
                       fcgi_record(9, b"\xff\xff\xff\xfe\1", 0),
                       fcgi_record(9, b"\x0f\0FCGI_MPXS_CONNS" * 61, 0) + b"x",
                       BEGIN + fcgi_record(4) + fcgi_record(9, b"\xff\xff\xff\xfe\1", 0))
            for attack in attacks:
                peers.open(attack)
            for i, s in enumerate(peers.all):
                check(i == 4 or ended(s), "connection %d stays open" % i)
            equal(stream.rest().names[-1], "done", "a turn that runs meanwhile")
        check(site.workers[0].process.poll() is None, "the worker ended")
        equal(site.workers[0].log().count("broke the FastCGI protocol"), len(attacks), "lines in the log")
        check(site.usable(), "usable afterwards")


def test_silent_connections():
    """A connection without a request holds no thread, however many there are."""
    many_descriptors(4096)
    with Site() as site, Peers(site) as peers:
        for i in range(1100):
            peers.open(b"\1\1" if i % 2 else b"")
        for _ in range(5):
            healthy(site, 2)
        equal(site.ask(ROUTE).names[-1], "done", "a turn")
        check(len(os.listdir("/proc/%d/task" % site.workers[0].process.pid)) < 40, "threads were made for them")


def test_slow_senders():
    """A body that comes slowly holds neither a chat's place nor a thread."""
    body = json.dumps(question(ROUTE)).encode()
    with Site(AVIATION_AGENT_MAX_CHATS=2, AVIATION_AGENT_RESERVED_THREADS=1, AVIATION_AGENT_IO_TIMEOUT_S=4) as site, \
            Peers(site) as peers:
        started = time.monotonic()
        for _ in range(50):
            peers.open(fcgi_request(dict(CHAT, CONTENT_LENGTH=str(len(body))), body[:5], end=False))
        equal(site.ask(ROUTE).names[-1], "done", "a turn meanwhile")
        healthy(site, 2)
        check(time.monotonic() - started < 3 * harness.SLACK, "others waited")
        # one that never stops sending, a byte at a time, is cut off too
        dripping = peers.open(fcgi_request(dict(CHAT, CONTENT_LENGTH=str(len(body))), b"", end=False)[:-8])
        try:
            while time.monotonic() - started < 20 * harness.SLACK:
                dripping.sendall(fcgi_record(5, b" "))
                time.sleep(0.1)
        except OSError:
            pass
        check(time.monotonic() - started < 15 * harness.SLACK, "it may send for ever")
        first = peers.all[0].recv(65536)
        check(b"Status: 408" in first, "the others are told: %r" % first[:100])
        equal(site.ask(ROUTE).names[-1], "done", "a turn afterwards")


def test_dripping_readers():
    """A reader who takes a few bytes now and then counts as gone; the thread then serves others."""
    with Site(start=False, AVIATION_AGENT_MAX_CHATS=1, AVIATION_AGENT_RESERVED_THREADS=1, AVIATION_AGENT_IO_TIMEOUT_S=5) as site:
        answer = {"answer_html": "<p>" + "A long answer. " * 2000 + "</p>", "links": [], "last_reviewed": "2025-01-01"}
        rules = {"categories": {}, "questions": [
            {"question_id": "q%d" % i, "question_raw": "Question %d?" % i, "question_prefix": "", "category": "VFR",
             "tags": ["flight_plan"], "answers_by_country": {"FR": answer}} for i in range(40)]}
        path = os.path.join(site.dir, "rules.json")
        with open(path, "w") as f:
            json.dump(rules, f)
        site.env["RULES_JSON"] = path
        site.workers[0].start()
        url = "/api/rules/FR"
        whole = eventually(lambda: (lambda r: r if r.status == 200 and len(r.body) > 1 << 20 else None)(site.get(url)),
                           "a large answer", 5)
        with Peers(site) as peers:
            drips = [peers.open(fcgi_request({"REQUEST_METHOD": "GET", "SCRIPT_NAME": url, "REQUEST_URI": url}, b""))
                     for _ in range(2)]
            # 2 kB a second: each write of 8 kB ends in time, and all of it would take ten minutes
            started = time.monotonic()
            while site.workers[0].log().count("slow_reader") < 2 and time.monotonic() - started < 25 * harness.SLACK:
                for s in drips:
                    s.recv(200)
                time.sleep(0.1)
            healthy(site, 2)
            equal(len(site.get(url).body), len(whole.body), "who reads gets all of it")
            equal(site.workers[0].log().count("slow_reader"), 2, "lines in the log")
