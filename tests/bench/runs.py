"""What the log of a run costs, and how fast a stream is resumed. Called by scripts/bench.

    runs.py URL TURNS AT-ONCE PID…

AT-ONCE turns run at the same time. Plain turns and turns with a log take turns, so that other work on the
machine hits both alike. Prints RESULT lines: CPU of the processes per turn in µs without and with the log, then
resume latency p50 and p99 in µs (from the request to the first event of a run that has ended).
"""

import concurrent.futures
import http.client
import json
import sys
import time
import urllib.parse

QUESTION = "Find airports between EGTF and LFMD"
PATH = "/api/aviation-agent"


def cpu(pids):
    """Nanoseconds of processor time that the processes have used."""
    return sum(time.clock_gettime_ns((~pid << 3) | 2) for pid in pids)


def connect(url):
    at = urllib.parse.urlsplit(url)
    return http.client.HTTPConnection(at.hostname, at.port, timeout=60)


def turn(url, headers):
    """One streamed turn; its run id."""
    conn = connect(url)
    body = json.dumps({"messages": [{"role": "user", "content": QUESTION}]})
    conn.request("POST", PATH + "/chat/stream", body, dict(headers, **{"Content-Type": "application/json"}))
    r = conn.getresponse()
    text = r.read()
    conn.close()
    if r.status != 200 or b"event: done" not in text:
        raise SystemExit("a turn failed: %d %r" % (r.status, text[-200:]))
    return r.getheader("X-Run-ID")


def resume(url, run):
    """Microseconds from the request to the first event."""
    conn = connect(url)
    began = time.monotonic()
    conn.request("GET", "%s/runs/%s/stream?after=1" % (PATH, run))
    r = conn.getresponse()
    while r.status == 200:
        line = r.readline()
        if line.startswith(b"data: "):
            took = time.monotonic() - began
            r.read()
            conn.close()
            return took * 1e6
        if not line:
            break
    raise SystemExit("a run could not be resumed: status %d" % r.status)


def main():
    url, turns, at_once, pids = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), [int(p) for p in sys.argv[4:]]
    kinds = ({}, {"X-Stream-Ids": "1"})
    used, runs = [0, 0], []
    rounds = 10
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        list(pool.map(lambda k: turn(url, kinds[k % 2]), range(2 * at_once)))       # warm up
        for _ in range(rounds):
            for k in (0, 1):
                before = cpu(pids)
                done = list(pool.map(lambda _: turn(url, kinds[k]), range(turns // rounds)))
                time.sleep(0.02)
                used[k] += cpu(pids) - before
                runs += done if k else []
    print("RESULT %d %d" % tuple(u / (turns // rounds * rounds) / 1000 for u in used))
    took = sorted(resume(url, run) for run in runs[-200:])
    print("RESULT %d %d" % (took[len(took) // 2], took[len(took) * 99 // 100]))


if __name__ == "__main__":
    main()
