#!/usr/bin/env python3
"""An MCP server of the tests: honest or hostile, over HTTP (in the test's process) or over stdio (as a program).

    with HttpServer(tools=…, mode="modern") as s: s.url
    program("modern", tools=…) gives argv for stdio

A mode says what it speaks: modern, legacy, or both. A fault says what it does wrong; see `answer` and the two transports.
"""

import gzip
import http.server
import json
import os
import sys
import threading
import time

MODERN, LEGACY = "2026-07-28", "2025-11-25"
META = "io.modelcontextprotocol/"

WEATHER = {
    "name": "get_weather_report", "title": "Weather report",
    "description": "The latest weather report (METAR) of an airport.",
    "inputSchema": {"type": "object", "additionalProperties": False, "required": ["station"],
                    "properties": {"station": {"type": "string", "description": "ICAO code of the airport"}}},
}
TOOLS = [WEATHER,
         {"name": "delete_everything", "description": "Deletes all.", "inputSchema": {"type": "object"}}]


def report(arguments):
    data = {"station": arguments.get("station"), "wind": "240/12 kt", "visibility_km": 10, "clouds": ["few 3000 ft", "broken 8000 ft"]}
    return {"content": [{"type": "text", "text": json.dumps(data)}], "structuredContent": data}


class Logic:
    """What a message is answered with, without a transport."""

    def __init__(self, mode="modern", tools=None, fault=None, result=None):
        self.mode, self.fault = mode, fault
        self.tools = TOOLS if tools is None else tools
        self.result = result or report
        self.beside = {}                # more members of a list of tools
        self.seen = []                  # (method, params)
        self.initialized = False

    def error(self, message, code, text, data=None):
        error = {"code": code, "message": text}
        if data is not None:
            error["data"] = data
        return {"jsonrpc": "2.0", "id": message.get("id"), "error": error}

    def answer(self, message):
        """The answer to a request; None: there is none."""
        method, params = message.get("method"), message.get("params") or {}
        self.seen.append((method, params))
        if "id" not in message or method is None:
            return None
        modern = META + "protocolVersion" in (params.get("_meta") or {})
        if modern and self.mode == "legacy":
            return self.error(message, -32601, "Method not found")
        if not modern and self.mode == "modern":
            return self.error(message, -32022, "Unsupported protocol version", {"supported": [MODERN], "requested": "?"})
        result = self.result_of(message, method, params)
        if "error" in result:
            return dict({"jsonrpc": "2.0", "id": message["id"]}, **result)
        if modern:
            result = dict({"resultType": "complete"}, **result)
        return {"jsonrpc": "2.0", "id": message["id"], "result": result}

    def result_of(self, message, method, params):
        if method == "server/discover":
            return {"supportedVersions": [MODERN] + ([LEGACY] if self.mode == "both" else []), "capabilities": {"tools": {}},
                    "ttlMs": 0, "cacheScope": "public"}
        if method == "initialize":
            return {"protocolVersion": LEGACY, "capabilities": {"tools": {}}, "serverInfo": {"name": "t", "version": "1"}}
        if method == "tools/list":
            return dict({"tools": self.tools, "ttlMs": 0, "cacheScope": "public"}, **self.beside)
        if method == "tools/call":
            for tool in self.tools:
                if tool["name"] == params.get("name"):
                    return self.result(params.get("arguments") or {})
            return {"error": {"code": -32602, "message": "Unknown tool"}}
        if method == "ping":
            return {}
        return {"error": {"code": -32601, "message": "Method not found"}}

    def called(self):
        return [p for m, p in self.seen if m == "tools/call"]


class HttpServer:
    """Use it with `with`. Headers of the requests are in `heads`."""

    def __init__(self, mode="modern", tools=None, fault=None, result=None, token=None, sse=False, delay=0.0):
        self.logic = Logic(mode, tools, fault, result)
        self.heads, self.token, self.answers = [], token, 0
        self.leave = threading.Event()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def send(self, status, body=b"", kind="application/json", **fields):
                self.send_response(status)
                if body or status == 200:
                    self.send_header("Content-Type", kind)
                for name, value in fields.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                self.send(405, Allow="POST")

            def do_DELETE(self):
                outer.logic.seen.append(("DELETE", {}))
                self.send(200)

            def do_POST(self):
                try:
                    self.post()
                except OSError:
                    self.close_connection = True

            def post(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                outer.heads.append(dict(self.headers))
                if outer.token and self.headers.get("Authorization") != "Bearer " + outer.token:
                    return self.send(401, WWW_Authenticate="Bearer")
                message = json.loads(body)
                method, fault = message.get("method"), outer.logic.fault
                call = method == "tools/call"
                if fault == "down":
                    return self.send(503)
                if fault == "redirect":
                    return self.send(307, Location=outer.url + "/elsewhere")
                if fault == "slow head" and call:
                    outer.leave.wait(60)
                    return self.send(200)
                if fault == "pings" and method is None:
                    outer.answers += 1
                    outer.leave.wait(60)
                    return self.send(202)
                answer = outer.logic.answer(message)
                if delay and call:
                    outer.leave.wait(delay)
                if fault == "session" and method == "initialize":
                    return self.send(200, json.dumps(answer).encode(), Mcp_Session_Id="one-%d" % len(outer.heads))
                if answer is None:
                    return self.send(202)
                if call and fault:
                    return self.misbehave(fault, answer)
                text = json.dumps(answer).encode()
                if sse:
                    text = b": hello\n\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":1}}\n\n" \
                        b"event: message\ndata: " + text + b"\n\n"
                    return self.send(200, text, "text/event-stream")
                status = 200
                if "error" in answer:
                    status = {-32022: 400, -32601: 404 if outer.logic.mode == "modern" else 400}.get(answer["error"]["code"], 200)
                self.send(status, text)

            def misbehave(self, fault, answer):
                if fault == "wrong id":
                    return self.send(200, json.dumps(dict(answer, id="another")).encode())
                if fault == "huge":
                    self.send_response(200)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(100 << 20))
                    self.end_headers()
                    self.wfile.write(b'{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"' % json.dumps(answer["id"]).encode())
                    for _ in range(100 << 4):
                        self.wfile.write(b"A" * (64 << 10))
                    return None
                if fault == "bomb":
                    text = gzip.compress(b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"' + b"A" * (50 << 20))
                    return self.send(200, text, Content_Encoding="gzip")
                if fault in ("endless", "pings"):
                    self.send_response(200)
                    self.send_header("Content-Type", "text/event-stream")
                    self.end_headers()
                    for i in range(16 if fault == "pings" else 0):
                        self.wfile.write(b"event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"p%d\",\"method\":\"ping\"}\n\n" % i)
                    while not outer.leave.wait(0.02):
                        self.wfile.write(b"event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n\n")
                        self.wfile.flush()
                    return None
                if fault == "deep":
                    return self.send(200, b'{"jsonrpc":"2.0","id":1,"result":' + b"[" * 100000 + b"]" * 100000 + b"}")
                if fault == "html":
                    return self.send(200, b"<html>It works!</html>", "text/html")
                if fault == "many values":
                    return self.send(200, b'{"jsonrpc":"2.0","id":1,"result":{"content":[' + b"{}," * 500000 + b"{}]}}")
                text = json.dumps(answer).encode()
                return self.send(200, text)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda *_: None
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    @property
    def url(self):
        return "http://127.0.0.1:%d/mcp" % self.server.server_port

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.leave.set()
        self.server.shutdown()
        self.server.server_close()


def program(mode="modern", fault="", tools=""):
    """argv of this file as a server over stdio. `tools` is the path of a file with a list, read at each tools/list."""
    return [sys.executable, os.path.abspath(__file__), mode, fault, tools]


def serve_stdio(mode, fault, tools):
    logic = Logic(mode, None, fault)
    if fault == "banner":
        print("Weather server 1.0 is ready!", flush=True)
    if fault == "stubborn":               # ignores the end of its input, and leaves a process of its own behind
        if os.fork() == 0:
            os.setsid()
            time.sleep(600)
    out = sys.stdout
    for line in sys.stdin:
        message = json.loads(line)
        method = message.get("method")
        if tools and method == "tools/list":
            with open(tools, encoding="utf-8") as f:
                logic.tools = json.load(f)
        if fault == "crash on probe" and method == "server/discover":
            sys.exit(3)
        if fault == "silent on probe" and method == "server/discover":
            continue
        answer = logic.answer(message)
        if method == "tools/call" and fault == "crash":
            print("out of cheese", file=sys.stderr, flush=True)
            os._exit(9)
        if method == "tools/call" and fault == "silent":
            continue
        if method == "tools/call" and fault == "flood":
            while True:
                out.write("x" * 65536)
        if method == "tools/call" and fault == "wrong id":
            answer["id"] = "another"
        if method == "tools/call" and fault == "asks":
            print(json.dumps({"jsonrpc": "2.0", "id": "s1", "method": "sampling/createMessage", "params": {}}), flush=True)
            print(json.dumps({"jsonrpc": "2.0", "id": "s2", "method": "ping"}), flush=True)
            said = {}
            for _ in range(2):
                reply = json.loads(sys.stdin.readline())
                said[reply["id"]] = reply
            ok = said["s1"]["error"]["code"] == -32601 and said["s2"]["result"] == {}
            answer["result"]["content"] = [{"type": "text", "text": "asked and answered" if ok else repr(said)}]
            answer["result"].pop("structuredContent")
        if answer is not None:
            print(json.dumps(answer), flush=True)
    if fault == "stubborn":
        time.sleep(600)


if __name__ == "__main__":
    serve_stdio(*sys.argv[1:4])
