"""Routes, methods, headers and errors, as a client sees them through nginx."""

import json
import os
import re
import socket
import subprocess

from harness import (API, ROOT, ROUTE, Site, Stream, check, equal, eventually, fcgi_post, fcgi_request, find_program, question,
                     temp_paths)

DISABLED = {"AVIATION_AGENT_ENABLED": "false"}


def security(r):
    equal(r.header("X-Content-Type-Options"), "nosniff", "X-Content-Type-Options")
    equal(r.header("X-Frame-Options"), "DENY", "X-Frame-Options")
    equal(r.header("X-XSS-Protection"), "1; mode=block", "X-XSS-Protection")
    equal(r.header("Referrer-Policy"), "strict-origin-when-cross-origin", "Referrer-Policy")
    check(r.header("Content-Security-Policy"), "no Content-Security-Policy")


def test_health():
    with Site() as site:
        for path in ("/health", API + "/health"):
            r = site.get(path)
            equal(r.status, 200, path)
            equal(r.header("Content-Type"), "application/json", "content type")
            equal(r.json()["status"], "healthy", "status")
            check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}", r.json()["timestamp"]),
                  "timestamp is ISO, UTC, without a zone: %r" % r.json()["timestamp"])
            security(r)


def test_quick_actions():
    with Site() as site:
        r = site.get(API + "/quick-actions")
        equal(r.status, 200, "status")
        equal([(a["icon"], a["title"], a["prompt"]) for a in r.json()["actions"]], [
            ("✈️", "Airports near route", "Find airports between EGTF and LFMD"),
            ("plane", "Border crossing airports", "Show me border crossing airports in France"),
            ("map-marker-alt", "Airports near location", "Find airports near Paris"),
            ("fuel-pump", "Airports with AVGAS", "Find airports with AVGAS in Germany"),
            ("route", "IFR procedures", "Show airports with IFR near EGTF"),
            ("book", "Country rules", "What are the rules for flying IFR to an uncontrolled airport in France?"),
        ], "actions")
        check("✈️".encode() in r.body, "non-ASCII text stays unescaped")
        security(r)


def test_unknown_paths():
    with Site() as site:
        for path in (API, API + "/nothing", API + "/chat/stream/more", API + "x", API + "/%00", API + "/../secret",
                     API + "/chat%2Fstream2", API + "/" + "a" * 3000, API + "/caf%C3%A9", API + "//chat"):
            for method in ("GET", "POST"):
                if path == API + "/../secret" or path == API + "/%00":
                    r = site.request(method, path)        # nginx itself may refuse these
                    check(r.status in (400, 404), "%s %s: %d" % (method, path, r.status))
                    continue
                if path == API + "//chat":
                    continue                              # nginx merges the slashes
                r = site.request(method, path)
                equal(r.status, 404, "%s %s" % (method, path[:60]))
                equal(r.json(), {"detail": "Not Found"}, "body")
                security(r)
        equal(site.get("/other").body, b"the site itself", "the rest of the site")


def test_wrong_methods():
    allowed = {"/chat": {"POST"}, "/chat/stream": {"POST"}, "/quick-actions": {"GET"}, "/health": {"GET"}}
    with Site() as site:
        for path, right in allowed.items():
            for method in ("GET", "POST", "PUT", "DELETE", "PATCH", "PROPFIND", "OPTIONS"):
                if method in right:
                    continue
                r = site.request(method, API + path)
                equal(r.status, 405, "%s %s" % (method, path))
                equal(r.json(), {"detail": "Method Not Allowed"}, "body")
                allow = {m.strip() for m in (r.header("Allow") or "").split(",")}
                equal(allow - {"HEAD"}, right, "Allow of " + path)
                security(r)


def test_HEAD_is_GET_without_a_body():
    with Site() as site:
        for path in ("/health", "/quick-actions"):
            r = site.request("HEAD", API + path)
            equal(r.status, 200, "HEAD " + path)
            equal(r.body, b"", "body")
            equal(r.header("Content-Type"), "application/json", "content type")
        r = site.request("HEAD", API + "/chat")
        equal(r.status, 405, "HEAD /chat")


def test_trailing_slash_is_redirected():
    with Site() as site:
        r = site.post(API + "/chat/", question(ROUTE))
        equal(r.status, 307, "status")
        check((r.header("Location") or "").endswith(API + "/chat"), "Location: %s" % r.header("Location"))
        r = site.post(API + "/chat/stream/?session_id=s1", question(ROUTE))
        equal(r.status, 307, "status")
        check((r.header("Location") or "").endswith(API + "/chat/stream?session_id=s1"),
              "Location keeps the query: %s" % r.header("Location"))


def test_content_types():
    body = json.dumps(question(ROUTE))
    with Site() as site:
        for ctype in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
                      "application/jsonp", "json"):
            for path in ("/chat", "/chat/stream"):
                r = site.post(API + path, body, {"Content-Type": ctype})
                equal(r.status, 415, "%s with %s" % (path, ctype))
                check(isinstance(r.json()["detail"], str), "detail is a sentence")
        for ctype in ("application/json", "application/json; charset=utf-8", "APPLICATION/JSON",
                      "application/vnd.api+json", None):
            r = site.post(API + "/chat", body, {"Content-Type": ctype})
            equal(r.status, 200, "with %s" % ctype)


def test_too_large():
    with Site(AVIATION_AGENT_MAX_BODY=20000) as site:
        fits = question("x" * 10000)
        equal(site.post(API + "/chat", fits).status, 200, "10,000 bytes")
        for size in (20001, 1 << 20, 10 << 20):
            r = site.post(API + "/chat", b" " * size)
            equal(r.status, 413, "%d bytes" % size)
            equal(r.header("Content-Type"), "application/json", "content type")
            check(isinstance(r.json()["detail"], str), "detail is a sentence")
            equal(r.header("X-Content-Type-Options"), "nosniff", "security header")
        check(site.usable(), "usable afterwards")


def test_length_said_and_sent_differ():
    """A body shorter than announced must not hang a worker; nginx waits for it, we hang up."""
    with Site(AVIATION_AGENT_IO_TIMEOUT_S=2) as site:
        with socket.create_connection(("127.0.0.1", site.port)) as s:
            s.sendall(("POST %s/chat HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                       "Content-Length: 500\r\n\r\n{}" % API).encode())
        check(site.usable(), "usable afterwards")
        # Past nginx, straight to the worker: an unfinished body ends in the I/O time limit.
        with socket.socket(socket.AF_UNIX) as s:
            s.settimeout(20)
            s.connect(site.workers[0].sock)
            s.sendall(fcgi_request({"REQUEST_METHOD": "POST", "SCRIPT_NAME": API + "/chat",
                                    "CONTENT_TYPE": "application/json", "CONTENT_LENGTH": "500"}, b"{}", end=False))
            answer = b""
            while True:
                piece = s.recv(65536)
                if not piece:
                    break
                answer += piece
            check(answer == b"" or b"Status: 408" in answer or b"Status: 400" in answer,
                  "unfinished body: %r" % answer[:200])
        check(site.usable(), "usable afterwards")


def test_many_and_huge_headers():
    with Site() as site:
        r = site.get(API + "/quick-actions", headers={"X-%d" % i: "v" * 100 for i in range(200)})
        check(r.status in (200, 400), "200 headers: %d" % r.status)
        r = site.get(API + "/quick-actions", headers={"X-Session-ID": "s" * 6000})
        equal(r.status, 200, "a long header")
        check(site.usable(), "usable afterwards")


def test_session_id():
    with Site() as site:
        for headers, query, body, expected in (
                ({}, "", {"session_id": "from-body"}, "from-body"),
                ({"X-Session-ID": "from-header"}, "", {}, "from-header"),
                ({}, "?session_id=from-query", {}, "from-query"),
                ({"X-Session-ID": "from-header"}, "?session_id=from-query", {"session_id": "from-body"}, "from-body"),
                ({"X-Session-ID": "from-header"}, "?session_id=from-query", {}, "from-header")):
            with Stream(site.port, question(ROUTE, **body), headers, API + "/chat/stream" + query) as s:
                turn = s.rest()
            equal(turn.one("done")["session_id"], expected, "session_id in done")
            equal(s.header("X-Session-ID"), expected, "X-Session-ID")
        with Stream(site.port, question(ROUTE)) as s:
            made = s.rest().one("done")["session_id"]
        check(re.fullmatch(r"session_\d{16}\d{39}", made), "a session id that is made: " + made)
        equal(s.header("X-Session-ID"), made, "X-Session-ID")
        # Nobody writes header lines through it.
        r = site.post(API + "/chat?session_id=a%0d%0aX-Injected:%20yes", question(ROUTE))
        check(r.header("X-Injected") is None, "a header was injected")


def test_cors():
    mine, other = "https://maps.example.org", "https://evil.example.org"
    with Site(AVIATION_AGENT_CORS_ORIGINS=mine + ", https://two.example.org") as site:
        r = site.get(API + "/quick-actions", headers={"Origin": mine})
        equal(r.header("Access-Control-Allow-Origin"), mine, "allowed origin")
        equal(r.header("Access-Control-Allow-Credentials"), "true", "credentials")
        check("Origin" in (r.header("Vary") or ""), "Vary: Origin")
        r = site.post(API + "/chat", question(ROUTE), {"Origin": mine})
        equal(r.header("Access-Control-Allow-Origin"), mine, "allowed origin, chat")
        r = site.post(API + "/chat", b"{", {"Origin": mine})
        equal((r.status, r.header("Access-Control-Allow-Origin")), (422, mine), "on errors as well")
        for origin in (other, mine + ".evil.example.org", "null", mine.upper()):
            r = site.get(API + "/quick-actions", headers={"Origin": origin})
            equal(r.header("Access-Control-Allow-Origin"), None, "origin " + origin)
        ask = {"Origin": mine, "Access-Control-Request-Method": "POST",
               "Access-Control-Request-Headers": "content-type, x-session-id"}
        r = site.request("OPTIONS", API + "/chat/stream", headers=ask)
        check(r.status in (200, 204), "preflight: %d" % r.status)
        equal(r.header("Access-Control-Allow-Origin"), mine, "preflight origin")
        methods = {m.strip() for m in (r.header("Access-Control-Allow-Methods") or "").split(",")}
        check({"GET", "POST"} <= methods, "preflight methods: %s" % methods)
        equal(r.header("Access-Control-Allow-Headers"), "content-type, x-session-id", "preflight headers")
        equal(r.header("Access-Control-Allow-Credentials"), "true", "preflight credentials")
        r = site.request("OPTIONS", API + "/chat/stream", headers=dict(ask, Origin=other))
        equal((r.status, r.header("Access-Control-Allow-Origin")), (400, None), "preflight from elsewhere")
    with Site() as site:
        r = site.get(API + "/quick-actions", headers={"Origin": mine})
        equal(r.header("Access-Control-Allow-Origin"), None, "no origin is allowed by default")


def test_switched_off():
    with Site(**DISABLED) as site:
        for method, path in (("POST", "/chat"), ("POST", "/chat/stream"), ("GET", "/quick-actions"), ("GET", "/chat"),
                             ("GET", "/health")):
            r = site.request(method, API + path, body=b"{}" if method == "POST" else None)
            equal((r.status, r.json()), (404, {"detail": "Not Found"}), method + " " + path)
        equal(site.get("/health").status, 200, "/health still answers")


def test_worker_away():
    """nginx's own errors look like the worker's."""
    with Site(start=False) as site:
        for path in (API + "/quick-actions", "/health"):
            r = site.get(path)
            equal(r.status, 503, path)
            check(isinstance(r.json()["detail"], str) and r.header("Retry-After"), "precise answer: %r" % r.body)
        site.workers[0].start()
        eventually(site.usable, "served once the worker is there")


def test_limits_for_each_client():
    """By default: ten chats at once and a burst of starts for an address, JSON beyond."""
    with Site(AVIATION_AGENT_BUILTIN_FIRST_MS=4000) as site:
        def refused(r):
            equal(r.status, 429, "status")
            equal(r.json(), {"detail": "Too many requests. Please try again later."}, "body")
            check(r.header("Retry-After"), "Retry-After")
            equal(r.header("Content-Type"), "application/json", "content type")
        open_now = [site.open(ROUTE, source="127.0.0.2") for _ in range(10)]
        try:
            for s in open_now:
                equal(s.until("tool_call_end").name, "tool_call_end", "one of the ten")
            for path in ("/chat", "/chat/stream", "/chat/"):
                refused(site.post(API + path, question(ROUTE), source="127.0.0.2"))
            equal(site.get("/health", source="127.0.0.2").status, 200, "health")
            equal(site.get(API + "/quick-actions", source="127.0.0.2").status, 200, "a plain request")
            for other in ("127.0.0.3", "127.0.0.1"):
                with site.open(ROUTE, source=other) as s:
                    equal(s.head().status, 200, "another address")
            for s in open_now:
                equal(s.rest().names[-1], "done", "the ten are served")
        finally:
            for s in open_now:
                s.leave()
        statuses = [site.post(API + "/chat", b"{", source="127.0.0.4").status for _ in range(40)]
        check(20 <= statuses.count(422) < 40 and set(statuses) == {422, 429}, "a burst of 40: %s" % statuses)
        equal({site.post(API + "/chat", b"{").status for _ in range(60)}, {422}, "the machine itself is not limited")


def test_limits_file_is_asked_for_by_name():
    """Without it nginx says which file is missing."""
    with Site(start=False, nginx=False) as site:
        conf = os.path.join(site.dir, "nginx.conf")
        with open(conf, "w") as f:
            f.write("pid %s/nginx.pid;\nevents {}\nhttp {\naccess_log off;\n%sserver { listen 127.0.0.1:%d; include %s; }\n}\n"
                    % (site.dir, temp_paths(site.dir), site.port, os.path.join(ROOT, "nginx", "aviation-agent.conf")))
        p = subprocess.run([find_program("nginx"), "-t", "-e", site.dir + "/log", "-c", conf],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        check(p.returncode != 0 and b"aviation-agent-limits.conf" in p.stdout, p.stdout.decode())


def test_shipped_pool_file():
    """nginx accepts the optional upstream file together with the changed line."""
    with Site(start=False, nginx=False) as site:
        with open(os.path.join(ROOT, "nginx", "aviation-agent.conf")) as f:
            agent = f.read().replace("fastcgi_pass unix:/run/aviation-agent/agent.sock;", "fastcgi_pass aviation_agent;")
        for name, text in (("agent.conf", agent), ("nginx.conf",
                "pid %s/nginx.pid;\nevents {}\nhttp {\naccess_log off;\n%sinclude %s/nginx/aviation-agent-upstream.conf;\n"
                "include %s/nginx/aviation-agent-limits.conf;\nserver { listen 127.0.0.1:%d; include %s/agent.conf; }\n}\n"
                % (site.dir, temp_paths(site.dir), ROOT, ROOT, site.port, site.dir))):
            with open(os.path.join(site.dir, name), "w") as f:
                f.write(text)
        p = subprocess.run([find_program("nginx"), "-t", "-e", site.dir + "/log", "-c", site.dir + "/nginx.conf"],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        equal(p.returncode, 0, "nginx -t: " + p.stdout.decode())


def ask_as(site, user, thread=None):
    """A turn with REMOTE_USER, past nginx; returns (status, body)."""
    status, _, text = fcgi_post(site, "/chat", json.dumps(question("Tell me about LFMD", thread)).encode(), user)
    return status, json.loads(text)


def test_users_own_their_threads():
    """With REMOTE_USER set by the server a thread belongs to its user; others get 404."""
    with Site() as site:
        status, first = ask_as(site, "alice")
        equal(status, 200, "alice's first turn")
        equal(ask_as(site, "alice", first["thread_id"])[0], 200, "alice goes on")
        for user in ("bob", None):
            status, body = ask_as(site, user, first["thread_id"])
            equal((status, sorted(body)), (404, ["detail"]), "%s on alice's thread" % user)
        # a thread that was made without a user stays everybody's who knows its id
        status, first = ask_as(site, None)
        equal(status, 200, "an anonymous first turn")
        for user in ("bob", None, "alice"):
            equal(ask_as(site, user, first["thread_id"])[0], 200, "%s on an anonymous thread" % user)
        check("alice" not in site.workers[0].log(), "the user's name is in the log")


def test_a_user_who_cannot_be_named_is_nobody_else():
    """A name that is too long or holds control characters is refused, never taken for none."""
    rows = [("x" * 256, 200), ("x" * 257, 431), ("x" * 5000, 431), ("x" * 20000, 431), ("a\nb", 400), ("a\x1b[31m", 400),
            ("a\x9b31m", 400), ("é", 200)]
    with Site() as site:
        for user, expected in rows:
            status, body = ask_as(site, user, "thread-of-%d" % len(user))
            equal(status, expected, "a name of %d bytes, %r" % (len(user), user[:10]))
            if status != 200:
                check("user name" in body["detail"], body["detail"])


def test_REMOTE_USER_cannot_be_forged():
    """The shipped configuration passes no name that nginx has not checked."""
    with Site() as site:
        alice = {"Authorization": "Basic YWxpY2U6eA=="}
        first = site.chat(ROUTE, headers=alice).json()
        r = site.chat("and with a hard runway?", first["thread_id"])
        equal(r.status, 200, "an unchecked name owns nothing")
