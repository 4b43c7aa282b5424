#!/usr/bin/env python3
"""The MCP server beside the one of the official TypeScript SDK, for scripts/bench.

  mcp.py URL DATABASE COUNT PID…   COUNT requests of each kind to our server at URL, whose processes are PID…, and to
                                   the other one, which is started here with the same tools. Prints for each kind:
                                   name, CPU of ours in microseconds a request, of the other, requests a second of
                                   ours, of the other. Or: SKIP and the reason.
  mcp.py ready COUNT COMMAND…      starts the server over pipes; prints milliseconds to its answer to initialize: best, median
  mcp.py call COUNT AGENT          calls a tool of an external server, COUNT times with the AGENT's command line. Prints for
                                   a server over HTTP and one that is a program: name, milliseconds (best), CPU in
                                   milliseconds (best), with that of the program that was started
"""

import http.client
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from urllib.parse import urlsplit

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "e2e"))
sys.dont_write_bytecode = True

TICK = os.sysconf("SC_CLK_TCK")
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
           "MCP-Protocol-Version": "2025-11-25"}
KINDS = {"tools/list": {}, "search_airports": {"name": "search_airports", "arguments": {"query": "Lyon"}}}


def cpu(pids):
    total = 0
    for pid in pids:
        with open("/proc/%s/stat" % pid) as f:
            fields = f.read().rsplit(") ", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICK


def measure(url, pids, count, method, params):
    u = urlsplit(url)
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    conn = http.client.HTTPConnection(u.hostname, u.port, timeout=60)

    def ask(n):
        for _ in range(n):
            conn.request("POST", u.path, body, HEADERS)
            r = conn.getresponse()
            data = r.read()
            if r.status != 200 or b'"error"' in data or b'"isError"' in data:
                raise SystemExit("%s: %d %r" % (method, r.status, data[:300]))
    ask(min(count, 300))               # so that the other server has compiled what it runs
    before, began = cpu(pids), time.monotonic()
    ask(count)
    took, used = time.monotonic() - began, cpu(pids) - before
    conn.close()
    return used / count * 1e6, count / took


def beside(url, database, count, pids):
    import harness
    import npm
    try:
        modules = os.path.join(npm.folder(), "node_modules")
    except harness.Skip as e:
        print("SKIP %s" % e)
        return
    folder = tempfile.mkdtemp(prefix="aa-bench-mcp.")
    other = None
    try:
        shutil.copy(os.path.join(HERE, "mcp_server.mjs"), folder)
        os.symlink(modules, os.path.join(folder, "node_modules"))
        other = subprocess.Popen([npm.node(), "--no-warnings", "mcp_server.mjs", url, database], cwd=folder,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        line = other.stdout.readline()
        if not line:
            raise SystemExit("the other server did not start")
        theirs = "http://127.0.0.1:%d/mcp" % int(line)
        for name, params in KINDS.items():
            method = "tools/call" if "name" in params else name
            ours = measure(url, pids, count, method, params)
            its = measure(theirs, [other.pid], count, method, params)
            print("RESULT %s %.0f %.0f %.0f %.0f" % (name, ours[0], its[0], ours[1], its[1]))
    finally:
        if other is not None:
            other.terminate()
            other.wait()
        shutil.rmtree(folder, ignore_errors=True)


def ready(count, command):
    took = []
    hello = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}})
    for _ in range(count):
        began = time.monotonic()
        p = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        p.stdin.write(hello.encode() + b"\n")
        p.stdin.flush()
        if not p.stdout.readline():
            raise SystemExit("no answer")
        took.append((time.monotonic() - began) * 1000)
        p.stdin.close()
        p.wait()
    print("RESULT %.0f %.0f" % (min(took), statistics.median(took)))


def timed(agent, env, *args):
    """Milliseconds and CPU milliseconds of a run of the command line, and of what it started."""
    began = time.monotonic()
    p = subprocess.Popen([agent] + list(args), env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    said = p.stdout.read()
    _, status, used = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    p.stdout.close()
    if p.returncode != 0:
        raise SystemExit("%s: %d %r" % (" ".join(args), p.returncode, said[-300:]))
    return (time.monotonic() - began) * 1000, (used.ru_utime + used.ru_stime) * 1000


def call(count, agent):
    """Each run connects, lists the tools, and calls one: what a worker does at the first call."""
    from mcp_server import HttpServer, program
    argv = program("both")
    with HttpServer() as server:
        for name, how in (("HTTP", {"url": server.url}), ("program", {"command": argv[0], "args": argv[1:]})):
            folder = tempfile.mkdtemp(prefix="aa-bench-mcp.")
            env = {"PATH": os.environ["PATH"], "HOME": folder, "AVIATION_AGENT_STATE_DIR": folder,
                   "MCP_SERVERS": json.dumps({"mcpServers": {"wx": dict(how, tools=["get_weather_report"])}})}
            try:
                timed(agent, env, "mcp-client", "pin")
                runs = [timed(agent, env, "mcp-client", "call", "wx", "get_weather_report", '{"station":"EGTF"}')
                        for _ in range(count)]
                print("RESULT %s %.0f %.1f" % (name, min(r[0] for r in runs), min(r[1] for r in runs)))
            finally:
                shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    if sys.argv[1] == "call":
        call(int(sys.argv[2]), sys.argv[3])
    elif sys.argv[1] == "ready":
        ready(int(sys.argv[2]), sys.argv[3:])
    else:
        beside(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:])
