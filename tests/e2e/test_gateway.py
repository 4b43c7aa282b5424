"""The WebSocket gateway: frames, close codes, limits, and what happens when something goes wrong.

Two sites stand behind it. One is the real one, through nginx. The other is a small server of this
file that answers like the onboarding agent's HTTP interface, and that can stall, break off and let
tokens expire when a test says so.
"""

import http.server
import json
import os
import re
import socket
import subprocess
import threading
import time

import harness
from harness import ROOT, SLACK, Site, Skip, check, equal, eventually, find_program, free_port, program, stop, temp_paths
from websocket import BINARY, TEXT, Closed, Refused, WebSocket

ID = "0d5ac4b6-5f2f-4f0e-9a51-2f1a5f5f9e11"
MESSAGE = {"type": "message", "conversation_id": ID, "content": "hello"}
GOOD = {"Authorization": "Bearer good"}


class Gateway:
    def __init__(self, upstream, **env):
        self.program = program("aviation-agent-ws")
        if not os.path.exists(self.program):
            raise Skip("aviation-agent-ws was not built: libwebsockets-dev is missing")
        self.port = free_port()
        self.log_path = os.path.join("/tmp", "aa-ws.%d.log" % self.port)
        self.env = dict({"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LOG_LEVEL": "DEBUG",
                         "AVIATION_AGENT_WS_LISTEN": "127.0.0.1:%d" % self.port, "AVIATION_AGENT_WS_UPSTREAM": upstream,
                         "http_proxy": "http://127.0.0.1:9", "ASAN_OPTIONS": "exitcode=86"}, **env)

    def __enter__(self):
        self.process = subprocess.Popen([self.program], env=self.env, stdin=subprocess.DEVNULL,
                                        stderr=open(self.log_path, "w"))
        eventually(lambda: self.process.poll() is not None or "gateway_ready" in self.log(), "the gateway listens", 10)
        check(self.process.poll() is None, "the gateway ended: " + self.log())
        return self

    def log(self):
        with open(self.log_path) as f:
            return f.read()

    def open(self, path="/ws/onboarding", headers=GOOD, **kw):
        return WebSocket(self.port, path, headers=headers, **kw)

    def __exit__(self, kind, *_):
        status, log = stop(self.process), self.log()
        os.unlink(self.log_path)
        if kind is None:
            equal(status, 0, "exit status (%s)" % log[-500:])
            check("Sanitizer" not in log, log[-1500:])


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512

    def handle_error(self, *_):
        """A client that leaves is no fault."""


class StandIn:
    """Answers like the HTTP interface of the onboarding agent."""

    def __init__(self):
        site = self
        self.asked, self.left, self.tokens, self.stall, self.many = [], 0, {"good"}, threading.Event(), 0
        self.stall.set()
        self.break_off, self.large = False, 0

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def reply(self, status, body):
                text = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def signed_in(self):
                if self.headers.get("Authorization", "")[7:] in site.tokens:
                    return True
                self.reply(401, {"type": "error", "message": "Please sign in.", "code": "UNAUTHORIZED"})
                return False

            def do_GET(self):
                site.asked.append((self.path, dict(self.headers), None))
                if self.signed_in():
                    self.reply(200, {"id": "1", "username": "ada"})

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                site.asked.append((self.path, dict(self.headers), body))
                if not self.signed_in():
                    return
                if ID not in self.path:
                    self.reply(404, {"type": "error", "message": "Conversation not found", "code": "ACCESS_DENIED"})
                    return
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Connection", "close")
                self.end_headers()
                self.close_connection = True
                try:
                    self.stream()
                except OSError:
                    site.left += 1

            def event(self, value):
                self.wfile.write(("id: 1.1\nevent: %s\ndata: %s\n\n" % (value["type"], json.dumps(value))).encode())

            def stream(self):
                self.wfile.write(b": begin\n\n")
                self.event({"type": "token", "content": "Hel"})
                self.event({"type": "tool_start", "tool_name": "read_data", "tool_input": "{}", "source": "local",
                            "timestamp": "2026-01-01T10:00:00Z", "tool_call_id": "call_1"})
                while not site.stall.wait(0.1):
                    self.wfile.write(b": hb\n\n")
                if site.large:
                    self.event({"type": "tool_complete", "tool_name": "read_data", "tool_result": "x" * site.large,
                                "source": "local", "timestamp": "2026-01-01T10:00:00Z", "tool_call_id": "call_1"})
                for _ in range(site.many):
                    self.event({"type": "token", "content": "x" * 4000})
                if site.break_off:
                    return
                self.event({"type": "complete", "message_id": "m1", "conversation_id": ID})

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = "http://127.0.0.1:%d" % self.server.server_port

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.stall.set()
        self.server.shutdown()
        self.server.server_close()

    def turns(self):
        return [a for a in self.asked if a[2] is not None]


def types(frames):
    return [f["type"] for f in frames]


# -- a turn --


def test_a_turn_is_relayed_frame_by_frame():
    with StandIn() as site, Gateway(site.url) as gateway, gateway.open(headers=dict(GOOD, **{"X-Forwarded-For": "192.0.2.7"})) as ws:
        ws.send(MESSAGE)
        frames = ws.until("complete", "error")
        equal(types(frames), ["token", "tool_start", "complete"], "frames")
        equal(frames[1], {"type": "tool_start", "tool_name": "read_data", "tool_input": "{}", "source": "local",
                          "timestamp": "2026-01-01T10:00:00Z", "tool_call_id": "call_1"}, "a frame is the event's data")
        equal(frames[2]["conversation_id"], ID, "complete")
        path, headers, body = site.turns()[0]
        equal(path, "/api/onboarding/conversations/%s/messages" % ID, "path")
        equal(body, {"type": "message", "content": "hello"}, "body")
        equal(headers["X-Forwarded-For"], "192.0.2.7", "the client's address")
        ws.send({"conversation_id": ID, "content": "message is the default type"})
        equal(types(ws.until("complete", "error"))[-1], "complete", "second turn on the same socket")


def test_ping_is_answered_during_a_turn_and_a_second_message_is_refused():
    with StandIn() as site, Gateway(site.url) as gateway, gateway.open() as ws:
        site.stall.clear()
        ws.send(MESSAGE)
        ws.until("tool_start")
        ws.send({"type": "ping"})
        equal(ws.receive(), {"type": "pong"}, "pong")
        ws.send(MESSAGE)
        equal(ws.receive()["code"], "TURN_IN_PROGRESS", "second message")
        site.stall.set()
        equal(types(ws.until("complete", "error")), ["complete"], "the first turn ends as usual")
        equal(len(site.turns()), 1, "turns")


def test_w18_bad_frames_are_answered_and_the_socket_stays():
    bad = ["", "{", "[]", "1", '"x"', "{}", '{"type":"message"}', '{"type":1,"content":"x","conversation_id":"%s"}' % ID,
           '{"type":"token","content":"x","conversation_id":"%s"}' % ID, '{"content":"x"}',
           '{"content":"","conversation_id":"%s"}' % ID, '{"content":7,"conversation_id":"%s"}' % ID,
           '{"content":"x","conversation_id":7}', "[" * 1000, '{"a":' * 40 + "1" + "}" * 40]
    with StandIn() as site, Gateway(site.url) as gateway, gateway.open() as ws:
        for text in bad:
            ws.send(text)
            frame = ws.receive()
            equal((frame["type"], frame["code"]), ("error", "INVALID_FORMAT"), text[:60])
            check(frame["message"], text[:60])
        for conversation in ("../../auth/me", "a/b", "x?y=1", "", "x" * 200, "a b", "é"):
            ws.send({"conversation_id": conversation, "content": "x"})
            equal(ws.receive()["code"], "ACCESS_DENIED", conversation)
        ws.send({"conversation_id": ID.replace("0d5a", "ffff"), "content": "x"})
        frame = ws.receive()
        equal((frame["code"], frame["message"]), ("ACCESS_DENIED", "Conversation not found"), "an HTTP error is passed on")
        ws.send(MESSAGE)
        equal(types(ws.until("complete", "error"))[-1], "complete", "the socket still works")


# -- close codes --


def test_close_codes_of_bad_frames():
    with StandIn() as site, Gateway(site.url) as gateway:
        with gateway.open() as ws:
            ws.frame(BINARY, b"x")
            equal(ws.code(), 1003, "binary")
        with gateway.open() as ws:
            ws.frame(TEXT, b'{"content":"\xff\xfe"}')
            equal(ws.code(), 1007, "not UTF-8")
        with gateway.open() as ws:
            ws.send({"conversation_id": ID, "content": "x" * 65000})
            equal(types(ws.until("complete", "error"))[-1], "complete", "nearly 64 KiB")
            try:
                ws.send({"conversation_id": ID, "content": "x" * 70000})
                equal(ws.code(), 1009, "too long")
            except ConnectionError:
                pass
        with gateway.open() as ws:
            for i in range(20):
                ws.frame(TEXT if i == 0 else 0, b"x" * 8000, final=False)
                if i > 12:
                    time.sleep(0.02)
            equal(ws.code(), 1009, "too long in fragments")


def test_a_bad_token_is_closed_with_1008():
    with StandIn() as site, Gateway(site.url) as gateway:
        for headers, path in ((None, "/ws/onboarding"), ({"Authorization": "Bearer bad"}, "/ws/onboarding"),
                              (None, "/ws/onboarding?token=bad"), (None, "/ws/onboarding?token=bad%0d%0aX-Evil:%201")):
            with gateway.open(path, headers=headers) as ws:
                ws.send(MESSAGE)
                equal(ws.code(), 1008, path)
        equal(site.turns(), [], "turns")
        check(not any("X-Evil" in a[1] for a in site.asked), "a token must not become a header")


def test_w17_a_token_in_the_address_works_and_is_in_no_log():
    with StandIn() as site:
        site.tokens.add("secret-token-123")
        with Gateway(site.url) as gateway:
            with gateway.open("/ws/onboarding?token=secret-token-123", headers=None) as ws:
                ws.send(MESSAGE)
                equal(types(ws.until("complete", "error"))[-1], "complete", "turn")
            check("secret-token-123" not in gateway.log(), "the token is in the log")


def test_w17_a_token_that_expires_closes_the_socket():
    with StandIn() as site, Gateway(site.url) as gateway, gateway.open() as ws:
        ws.send(MESSAGE)
        equal(types(ws.until("complete", "error"))[-1], "complete", "first turn")
        site.tokens.clear()
        ws.send(MESSAGE)
        frame = ws.receive()
        equal((frame["type"], frame["code"]), ("error", "UNAUTHORIZED"), "expired")
        equal(ws.code(), 1008, "close code")


def test_an_upstream_that_is_away_is_1011_and_a_turn_that_breaks_off_is_an_error():
    with Gateway("http://127.0.0.1:%d" % free_port()) as gateway, gateway.open() as ws:
        equal(ws.code(), 1011, "nobody can check the token")
    with StandIn() as site, Gateway(site.url) as gateway, gateway.open() as ws:
        site.break_off = True
        ws.send(MESSAGE)
        frames = ws.until("complete", "error")
        equal((frames[-1]["type"], frames[-1]["code"]), ("error", "UNAVAILABLE"), "last frame")
        site.break_off = False
        ws.send(MESSAGE)
        equal(types(ws.until("complete", "error"))[-1], "complete", "the socket still works")


def test_a_client_that_leaves_ends_its_turn():
    with StandIn() as site, Gateway(site.url) as gateway:
        site.stall.clear()
        with gateway.open() as ws:
            ws.send(MESSAGE)
            ws.until("tool_start")
        eventually(lambda: site.left == 1, "the upstream request is dropped", 5)


def test_shutdown_closes_with_1001():
    with StandIn() as site, Gateway(site.url) as gateway, gateway.open() as idle, gateway.open() as busy:
        site.stall.clear()
        busy.send(MESSAGE)
        busy.until("tool_start")
        idle.send({"type": "ping"})
        equal(idle.receive(), {"type": "pong"}, "pong")
        gateway.process.terminate()
        equal(idle.code(), 1001, "idle")
        equal(busy.code(), 1001, "busy")
        equal(gateway.process.wait(10 * SLACK), 0, "exit status")


def test_a_slow_reader_is_bounded():
    with StandIn() as site, Gateway(site.url) as gateway:
        site.many = 20000                   # 80 MB
        with gateway.open(rcvbuf=4096) as ws:
            ws.send(MESSAGE)
            eventually(lambda: site.left == 1, "the turn is given up", 30)
            with open("/proc/%d/statm" % gateway.process.pid) as f:
                equal(int(f.read().split()[1]) * 4096 < (60 << 20) * SLACK, True, "memory of the gateway")
            try:
                code = ws.code()
                check(code in (1013, 1006), "close code %s" % code)
            except socket.timeout:
                raise harness.Failure("the socket was not closed")


def test_one_large_frame_does_not_close_a_fast_reader():
    with StandIn() as site, Gateway(site.url) as gateway, gateway.open() as ws:
        site.large = 1300000
        ws.send(MESSAGE)
        frames = ws.until("complete", "error")
        equal(types(frames), ["token", "tool_start", "tool_complete", "complete"], "frames")
        equal(len(frames[2]["tool_result"]), site.large, "the result")


def test_pongs_that_nobody_reads_are_bounded():
    with StandIn() as site, Gateway(site.url) as gateway:
        with gateway.open(rcvbuf=4096) as ws:
            ws.send({"type": "ping"})
            equal(ws.receive(), {"type": "pong"}, "pong")
            before, sent = _memory(gateway), 0
            ws.sock.settimeout(3 * SLACK)
            try:
                while sent < 400000:
                    ws.sock.sendall(PINGS)
                    sent += 500
            except OSError:
                pass
            check(sent < 400000, "the gateway takes pings without end")
            grown = _memory(gateway) - before
            # AddressSanitizer keeps freed memory aside
            check(grown < 5 << 19 or harness.SLACK > 1, "%d bytes of heap" % grown)


def _memory(gateway):
    """The most that it has taken so far: a queue is freed when its socket is closed."""
    with open("/proc/%d/status" % gateway.process.pid) as f:
        return int(re.search(r"VmHWM:\s+(\d+)", f.read()).group(1)) << 10


PINGS = (b"\x81\x8f\0\0\0\0" + b'{"type":"ping"}') * 500


def test_only_a_web_server_on_this_machine_may_name_the_client():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        try:
            s.connect(("192.0.2.1", 9))           # sends nothing
        except OSError:
            raise Skip("this machine has only a loopback address")
        own = s.getsockname()[0]
    forged = dict(GOOD, **{"X-Forwarded-For": "127.0.0.1"})
    port = free_port()
    with StandIn() as site, Gateway(site.url, AVIATION_AGENT_WS_LISTEN="0.0.0.0:%d" % port):
        for host, headers, seen in ((own, forged, own), (own, GOOD, own), ("127.0.0.1", GOOD, "127.0.0.1"),
                                    ("127.0.0.1", dict(GOOD, **{"X-Forwarded-For": "192.0.2.7"}), "192.0.2.7")):
            with WebSocket(port, "/ws/onboarding", headers=headers, host=host) as ws:
                ws.send(MESSAGE)
                ws.until("complete", "error")
            equal(site.turns()[-1][1].get("X-Forwarded-For"), seen, "from " + host)


# -- the handshake --


def test_the_handshake():
    with StandIn() as site, Gateway(site.url) as gateway:
        for path, origin, status in (("/ws/other", None, 404), ("/", None, 404), ("/ws/onboarding/", None, 404),
                                     ("/ws/onboarding", "https://evil.example", 403), ("/ws/onboarding", "null", 403),
                                     ("/ws/onboarding", "http://127.0.0.1:%d.evil.example" % gateway.port, 403)):
            try:
                gateway.open(path, origin=origin).close()
                raise harness.Failure("%s from %s was let in" % (path, origin))
            except Refused as r:
                equal(r.status, status, "%s from %s" % (path, origin))
        with gateway.open(origin="http://127.0.0.1:%d" % gateway.port) as ws:
            ws.send({"type": "ping"})
            equal(ws.receive(), {"type": "pong"}, "the site's own page")
        try:
            gateway.open(version="12").close()
            raise harness.Failure("version 12 was let in")
        except Refused:
            pass
    with StandIn() as site, Gateway(site.url, AVIATION_AGENT_WS_ORIGINS="https://a.example, https://b.example") as gateway:
        gateway.open(origin="https://b.example").close()
        try:
            gateway.open(origin="http://127.0.0.1:%d" % gateway.port).close()
            raise harness.Failure("an origin that is not in the list was let in")
        except Refused as r:
            equal(r.status, 403, "status")
        check("status=403 why=origin" in gateway.log(), "why: " + gateway.log())


def test_bad_settings_are_told():
    for name, value in (("AVIATION_AGENT_WS_LISTEN", "nowhere"), ("AVIATION_AGENT_WS_LISTEN", "127.0.0.1:99999")):
        r = subprocess.run([program("aviation-agent-ws")], env={"HOME": "/nonexistent", name: value}, capture_output=True,
                           text=True, timeout=20 * SLACK)
        check(r.returncode != 0 and name in r.stderr, "%s=%s: %s %s" % (name, value, r.returncode, r.stderr))


def test_200_sockets_at_once():
    with StandIn() as site, Gateway(site.url) as gateway:
        sockets = [gateway.open(timeout=60) for _ in range(200)]
        for ws in sockets:
            ws.send(MESSAGE)
        for ws in sockets:
            frames = ws.until("complete", "error")
            equal(types(frames), ["token", "tool_start", "complete"], "frames (%s, %s)" % (frames[-1], gateway.log()[-600:]))
        for ws in sockets:
            ws.close()
        equal(len(site.turns()), 200, "turns")
    with StandIn() as site, Gateway(site.url, AVIATION_AGENT_WS_MAX_SOCKETS="3") as gateway:
        sockets = [gateway.open() for _ in range(3)]
        try:
            gateway.open().close()
            raise harness.Failure("a fourth socket was let in")
        except Refused as r:
            equal(r.status, 503, "status")
        sockets.pop().close()
        eventually(lambda: _opens(gateway), "a place is free again")


def _opens(gateway):
    try:
        gateway.open().close()
        return True
    except Refused:
        return False


# -- the real site --


class Front:
    """An nginx with the shipped lines for /ws/ and the limits."""

    def __init__(self, gateway=None, api=None):
        self.gateway, self.port, self.dir = gateway, free_port(), harness.tempfile.mkdtemp(prefix="aa-ws.")
        self.api = "location /api/ { proxy_pass %s; proxy_set_header X-Seen $remote_addr; " \
            "proxy_set_header X-Counted $aviation_agent_chat; }\n" % api if api else ""

    def __enter__(self):
        with open(os.path.join(ROOT, "nginx", "aviation-agent-ws.conf")) as f:
            lines, n = re.subn(r"proxy_pass [^;]*;", "proxy_pass http://127.0.0.1:%d;" % self.gateway.port, f.read())
        equal(n, 1, "proxy_pass lines")
        conf = os.path.join(self.dir, "nginx.conf")
        with open(conf, "w") as f:
            f.write("%sdaemon off;\npid %s/pid;\nevents { }\nhttp {\n\taccess_log %s/access.log;\n%s\tinclude %s/nginx/aviation-agent-limits.conf;\n"
                    "\tserver {\n\t\tlisten 127.0.0.1:%d;\n%s%s\t}\n}\n"
                    % ("user root;\n" if os.getuid() == 0 else "", self.dir, self.dir, temp_paths(self.dir), ROOT,
                       self.port, lines, self.api))
        self.process = subprocess.Popen([find_program("nginx"), "-e", self.dir + "/error.log", "-c", conf],
                                        stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        eventually(lambda: _listens(self.port), "nginx listens", 10)
        return self

    def __exit__(self, *_):
        stop(self.process)
        harness.shutil.rmtree(self.dir, ignore_errors=True)


def _listens(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


def test_the_limits_count_the_client_and_not_the_gateway():
    stranger = dict(GOOD, **{"X-Forwarded-For": "198.51.100.7"})     # as a proxy on this machine names it
    with StandIn() as site:
        front = Front(api=site.url)
        with Gateway("http://127.0.0.1:%d" % front.port) as gateway:
            front.gateway = gateway
            with front, WebSocket(front.port, "/ws/onboarding", headers=stranger) as ws:
                ws.send(MESSAGE)
                equal(types(ws.until("complete", "error"))[-1], "complete", "turn")
                headers = site.turns()[0][1]
                equal(headers["X-Seen"], "198.51.100.7", "the address that the site sees")
                equal(headers.get("X-Counted"), "198.51.100.7", "the address that is limited")


def test_one_address_cannot_take_all_sockets():
    def sockets(front, address, n):
        return [WebSocket(front.port, "/ws/onboarding", headers=dict(GOOD, **{"X-Forwarded-For": address})) for _ in range(n)]

    with StandIn() as site, Gateway(site.url) as gateway, Front(gateway) as front:
        held = sockets(front, "198.51.100.7", 20)
        try:
            sockets(front, "198.51.100.7", 1)
            raise harness.Failure("a twenty-first socket was let in")
        except Refused as r:
            equal(r.status, 429, "status")
        held += sockets(front, "198.51.100.8", 1)
        for ws in held:
            ws.close()


def test_the_aviation_agent_through_nginx():
    """W11: /ws/chat answers."""
    with Site() as site, Gateway("http://127.0.0.1:%d" % site.port) as gateway, Front(gateway) as front, \
            WebSocket(front.port, "/ws/chat?token=not-for-logs", origin="http://127.0.0.1:%d" % front.port) as ws:
        ws.send({"content": "Find airports between EGTF and LFMD"})
        frames = ws.until("complete", "error")
        equal(frames[-1]["type"], "complete", "last frame")
        kinds = [k for i, k in enumerate(types(frames)) if i == 0 or types(frames)[i - 1] != k]
        equal(kinds, ["tool_start", "tool_complete", "token", "complete"], "order")
        equal(frames[0]["tool_name"], "find_airports_near_route", "tool")
        equal(json.loads(frames[0]["tool_input"])["from_location"], "EGTF", "tool_input is text that holds JSON")
        check(json.loads(frames[1]["tool_result"]), "tool_result is text that holds JSON")
        thread = frames[-1]["conversation_id"]
        check(thread.startswith("thread_"), thread)
        ws.send({"content": "only with AVGAS", "conversation_id": thread})
        frames = ws.until("complete", "error")
        equal(frames[-1]["conversation_id"], thread, "the thread goes on")
        ws.send({"content": "x", "conversation_id": "no such id!"})
        equal(ws.receive()["code"], "ACCESS_DENIED", "a bad id")
        for name in os.listdir(front.dir):
            path = os.path.join(front.dir, name)
            if os.path.isfile(path) and "log" in name:
                with open(path) as f:
                    check("not-for-logs" not in f.read(), "the token is in " + name)


def test_the_onboarding_agent_through_nginx():
    """W12: the real agent, its tools and its state are tested through /ws/onboarding, and nothing is put in their place."""
    with Site(ONBOARDING_AUTH="none") as site, Gateway("http://127.0.0.1:%d" % site.port) as gateway, Front(gateway) as front, \
            WebSocket(front.port, "/ws/onboarding") as ws:
        id = site.post("/api/onboarding/conversations", {}).json()["id"]
        ws.send({"type": "message", "conversation_id": id, "content": "My name is Ada Lovelace"})
        frames = ws.until("complete", "error")
        equal(frames[-1]["type"], "complete", "last frame (%s)" % frames[-1])
        equal(frames[-1]["conversation_id"], id, "conversation")
        check("token" in types(frames) and "tool_complete" in types(frames), types(frames))
        equal(site.get("/api/onboarding/conversations/%s/state" % id).json()["employee_name"], "Ada Lovelace", "state")
        ws.send({"conversation_id": ID, "content": "x"})
        equal(ws.receive()["code"], "ACCESS_DENIED", "an unknown conversation")


def test_w17_real_tokens():
    with Site(SECRET_KEY="0123456789abcdef0123456789abcdef") as site, Gateway("http://127.0.0.1:%d" % site.port) as gateway:
        on = "/api/onboarding"
        user = {"email": "ada@example.org", "username": "ada", "password": "correct horse"}
        equal(site.post(on + "/auth/register", user).status, 201, "register")
        r = site.request("POST", on + "/auth/token", body=b"username=ada&password=correct+horse",
                         headers={"Content-Type": "application/x-www-form-urlencoded"})
        token = {"Authorization": "Bearer " + r.json()["access_token"]}
        id = site.post(on + "/conversations", {}, headers=token).json()["id"]
        with gateway.open(headers=token) as ws:
            ws.send({"conversation_id": id, "content": "My name is Ada"})
            equal(types(ws.until("complete", "error"))[-1], "complete", "with a token")
        with gateway.open("/ws/onboarding?" + "token=" + token["Authorization"][7:], headers=None) as ws:
            ws.send({"conversation_id": id, "content": "My id is 42-A"})
            equal(types(ws.until("complete", "error"))[-1], "complete", "with a token in the address")
        with gateway.open(headers={"Authorization": token["Authorization"] + "x"}) as ws:
            equal(ws.code(), 1008, "a token that was changed")
