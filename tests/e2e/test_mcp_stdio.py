"""aviation-agent mcp: the tools over standard input and output."""

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import threading

import harness
from harness import check, equal, eventually, program, stop
from test_mcp import LEGACY, RULES, legacy, modern


class Pipe:
    """One client; lines of the program as they come."""

    def __init__(self, *args, **env):
        self.home = tempfile.mkdtemp(prefix="aa-mcp.")
        full = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": self.home, "LANG": "C.UTF-8",
                "AIRPORTS_DB": harness.DB, "RULES_JSON": RULES, "CONVERSATION_LOG_DIR": "none",
                "AVIATION_AGENT_STATE_DIR": os.path.join(self.home, "state")}
        full.update(env)
        self.err = open(os.path.join(self.home, "stderr"), "w+b")
        self.process = subprocess.Popen([program("aviation-agent"), "mcp"] + list(args), env=full, cwd=self.home,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.err)
        self.messages, self.bad, self.ended = [], [], False
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            try:
                m = json.loads(line.decode("utf-8"))
                check(m["jsonrpc"] == "2.0" and line.endswith(b"\n"), line[:200])
                self.messages.append(m)
            except Exception as e:
                self.bad.append("%r: %r" % (e, line[:200]))
        self.ended = True

    def send(self, message):
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def find(self, id):
        return next((m for m in self.messages if m.get("id") == id), None)

    def answer(self, message):
        self.send(message)
        eventually(lambda: self.find(message["id"]), "an answer to %s" % str(message)[:100], 30)
        return self.find(message["id"])

    def close(self):
        """End the input; the program must end by itself. Returns its status."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        eventually(lambda: self.process.poll() is not None, "the program ends", 20)
        self.reader.join()
        return self.process.returncode

    def errors(self):
        self.err.seek(0)
        return self.err.read().decode("utf-8", "replace")


@contextlib.contextmanager
def pipe(*args, **env):
    p = Pipe(*args, **env)
    try:
        yield p
        equal((p.close(), p.bad), (0, []), "end, and lines that are no messages: " + p.errors()[-500:])
        bad = harness.SANITIZER.search(p.errors())
        check(bad is None, p.errors()[-1500:])
    finally:
        stop(p.process)
        p.reader.join()
        p.err.close()
        shutil.rmtree(p.home, ignore_errors=True)


def test_both_eras_on_one_pipe():
    with pipe() as p:
        found = p.answer(modern("server/discover", id="d"))["result"]
        check(LEGACY in found["supportedVersions"], found)
        equal(p.answer(legacy("initialize", {"protocolVersion": LEGACY}, id=0))["result"]["protocolVersion"], LEGACY, "revision")
        p.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        equal(p.answer(legacy("tools/list", id=2))["result"]["tools"],
              p.answer(modern("tools/list", id=3))["result"]["tools"], "tools")
        r = p.answer(modern("tools/call", {"name": "search_airports", "arguments": {"query": "EGTF"}}, id=4))["result"]
        equal(r["structuredContent"]["airports"][0]["ident"], "EGTF", "airport")
        r = p.answer(legacy("tools/call", {"name": "ask_aviation_agent", "arguments": {"question": "airports near Lyon"}}, id=5))["result"]
        check("Lyon" in r["structuredContent"]["answer"], r)
        again = p.answer(legacy("tools/call", {"name": "ask_aviation_agent", "arguments": {
            "question": "and with AVGAS?", "thread": r["structuredContent"]["thread"]}}, id=6))["result"]
        check("Lyon" in again["structuredContent"]["answer"], again)


def test_needs_nothing_else():
    """No Redis, no airport database, no rules: it starts, lists its tools, and says what is missing."""
    with pipe(AIRPORTS_DB="/nonexistent/airports.db", RULES_JSON="/nonexistent/rules.json") as p:
        check(p.answer(legacy("tools/list"))["result"]["tools"], "tools")
        r = p.answer(legacy("tools/call", {"name": "search_airports", "arguments": {"query": "EGTF"}}, id=2))["result"]
        equal(r["isError"], True, r)


def test_broken_input():
    with pipe() as p:
        p.send(b"")
        p.send(b" \r")
        p.send(b"hello")
        p.send(b"[]")
        p.send(b"\xff\xfe")
        p.send(b"{" * 5000)
        p.send(b'{"jsonrpc":"2.0","id":null,"method":"ping"}')
        p.send(b'{"jsonrpc":"2.0","method":"nothing/known"}')
        p.send(b'{"jsonrpc":"2.0","id":7,"result":{}}')
        p.send(b'"' + b"x" * 3000000 + b'"')
        equal(p.answer(legacy("ping", id="after"))["result"], {}, "it goes on")
        equal(p.answer(legacy("nothing", id="unknown"))["error"]["code"], -32601, "an unknown method before initialize")
        codes = [m["error"]["code"] for m in p.messages if "id" not in m]
        equal(sorted(codes), sorted([-32700, -32600, -32700, -32700, -32600, -32600]), "errors without an id")
        check(p.answer(dict(legacy("ping", id="crlf")))["result"] == {}, "ping")
        p.send(b'{"jsonrpc":"2.0","id":"cr","method":"ping"}\r')
        eventually(lambda: p.find("cr"), "a line that ends with CR LF", 20)


def test_many_requests_in_a_row():
    with pipe() as p:
        n = 3000
        for i in range(n):
            p.send(legacy("tools/call", {"name": "search_airports", "arguments": {"query": "EGTF"}}, id=i) if i % 10 == 0
                   else legacy("ping", id=i))
        eventually(lambda: len(p.messages) >= n, "all are answered", 120)
        equal(sorted(m["id"] for m in p.messages), list(range(n)), "each once")


def test_cancelled_calls_are_not_answered():
    with pipe("--test-fixtures") as p:
        for i in range(1, 4):
            p.send(modern("tools/call", {"name": "test_endless"}, id=i, token="t%d" % i))
        eventually(lambda: len(p.messages) >= 3, "they run", 20)
        for id in (2, "2", 99, None, {}):
            p.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
        # as many as may run at once: a cancelled call has given its place back
        for i in range(10, 23):
            p.send(modern("tools/call", {"name": "test_endless"}, id=i, token="t%d" % i))
        eventually(lambda: len({m["params"]["progressToken"] for m in p.messages if "method" in m}) == 16, "all of them run", 20)
        p.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
        equal(p.answer(legacy("ping", id="p"))["result"], {}, "ping")
        equal([m for m in p.messages if "id" in m and m["id"] != "p"], [], "no answers")


def test_what_cancels_is_read_while_all_calls_run():
    with pipe("--test-fixtures") as p:
        def running():
            return {m["params"]["progressToken"] for m in p.messages if "method" in m}

        def cancel(id):
            p.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
        for i in range(40):
            p.send(modern("tools/call", {"name": "test_endless"}, id=i, token="t%d" % i))
        eventually(lambda: running() == {"t%d" % i for i in range(16)}, "the first of them run", 30)
        equal(p.answer(legacy("ping", id="p"))["result"], {}, "ping")
        cancel(16)                                 # it still waits
        for i in range(15):
            cancel(i)
        eventually(lambda: len(running()) >= 31, "those that waited run", 30)
        equal(running(), {"t%d" % i for i in range(32) if i != 16}, "in the order in which they came")
        equal([m for m in p.messages if "id" in m and m["id"] != "p"], [], "no answers")


def test_a_question_is_cancelled():
    with pipe(AVIATION_AGENT_BUILTIN_FIRST_MS="600000", AVIATION_AGENT_TURN_TIMEOUT_S="1800") as p:
        p.send(modern("tools/call", {"name": "ask_aviation_agent", "arguments": {"question": "airports near Lyon"}}, id=1, token="t"))
        eventually(lambda: p.messages, "progress", 20)
        p.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1, "reason": "the user"}})
        equal(p.answer(legacy("ping", id="p"))["result"], {}, "ping")
        p.close()
        check(p.find(1) is None, "no answer")


def test_the_end_of_the_input_ends_the_program():
    with pipe("--test-fixtures") as p:
        p.send(modern("tools/call", {"name": "test_endless"}, id=1, token="t"))
        eventually(lambda: p.messages, "it runs", 20)
        equal(p.close(), 0, "status")
    with pipe() as p:        # a script that sends all it has and ends
        p.process.stdin.write(json.dumps(legacy("tools/call", {"name": "search_airports", "arguments": {"query": "EGTF"}})).encode())
        p.close()
        equal(p.messages[0]["result"]["structuredContent"]["airports"][0]["ident"], "EGTF", "a last line without an end")
