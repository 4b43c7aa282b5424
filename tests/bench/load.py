#!/usr/bin/env python3
"""Load on a running site, for scripts/bench. Standard library only.

  load.py turns URL SECONDS CONNECTIONS   whole streamed turns; prints: done failed seconds
  load.py streams URL COUNT PID…          opens COUNT streams that stay silent for a while; prints the
                                          private memory (kB) of the pids before, with all open, and how many were open
  load.py followers URL COUNT PID…        COUNT readers of one run that begins to answer after a while; prints how many
                                          got all events, milliseconds from the end of the run's own stream to the end
                                          of the last reader's, private memory (kB) of the pids before and with all readers
  load.py cancel URL COUNT                cancels COUNT turns that wait for a model; prints milliseconds from the
                                          request to the end of the stream: median, worst, how many ended
  load.py queue URL COUNT                 COUNT turns of one conversation at once; prints milliseconds from the end
                                          of a turn to the begin of the next: median, worst, how many ended
  load.py memory PID…                     private memory (RssAnon) of the pids in kB, added up
  load.py ready SOCKET COMMAND…           starts a worker; prints milliseconds to its first answered health check
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from urllib.parse import urlsplit

BODY = json.dumps({"messages": [{"role": "user", "content": "Find airports between EGTF and LFMD"}]}).encode()


def request(url):
    return (b"POST /api/aviation-agent/chat/stream HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
            b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(BODY)) + BODY


async def turn(host, port, message):
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(message)
    data = await reader.read(-1)
    writer.close()
    return data.startswith(b"HTTP/1.1 200") and b"\nevent: done\n" in data


async def turns(url, seconds, connections):
    u = urlsplit(url)
    message, done, failed = request(url), 0, 0
    start = time.monotonic()

    async def client():
        nonlocal done, failed
        while time.monotonic() - start < seconds:
            if await turn(u.hostname, u.port, message):
                done += 1
            else:
                failed += 1
    await asyncio.gather(*(client() for _ in range(connections)))
    print("RESULT %d %d %.3f" % (done, failed, time.monotonic() - start))


def memory(pids):
    total = 0
    for pid in pids:
        with open("/proc/%s/status" % pid) as f:
            total += next(int(line.split()[1]) for line in f if line.startswith("RssAnon:"))
    return total


async def streams(url, count, pids):
    u = urlsplit(url)
    message, before, writers = request(url), memory(pids), []

    async def opened():
        reader, writer = await asyncio.open_connection(u.hostname, u.port)
        writers.append(writer)
        writer.write(message)
        data = b""
        while b"event: tool_call_end\n" not in data:
            piece = await reader.read(65536)
            if not piece:
                return False
            data += piece
        return True
    good = 0
    for i in range(0, count, 50):
        good += sum(await asyncio.gather(*(opened() for _ in range(min(50, count - i)))))
    await asyncio.sleep(0.5)
    after = memory(pids)
    for w in writers:
        w.close()
    print("RESULT %d %d %d" % (before, after, good))


async def followers(url, count, pids):
    u = urlsplit(url)
    before = memory(pids)
    own, writer = await asyncio.open_connection(u.hostname, u.port)
    writer.write(request(url).replace(b"Connection:", b"X-Stream-Ids: 1\r\nConnection:"))
    run = (await head(own))["x-run-id"].encode()
    get = b"GET /api/aviation-agent/runs/%s/stream HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n" % run
    open_, at_once = [], asyncio.Semaphore(100)     # no more connections begin at the same time

    async def opened():
        async with at_once:
            try:
                reader, writer = await asyncio.open_connection(u.hostname, u.port)
                writer.write(get)
                data = b""
                while b"event: tool_call_end\n" not in data:
                    piece = await reader.read(65536)
                    if not piece:
                        return              # refused
                    data += piece
                open_.append((reader, writer, data))
            except ConnectionError:
                pass

    async def to_end(reader, writer, data):
        data += await reader.read(-1)
        writer.close()
        return data.count(b"\nid: "), data.count(b"\nevent: done\n"), time.monotonic()

    await asyncio.gather(*(opened() for _ in range(count)))
    held = memory(pids)
    ends = [asyncio.ensure_future(to_end(*f)) for f in open_]
    data = await own.read(-1)
    ended = time.monotonic()
    writer.close()
    expected = data.count(b"\nid: "), 1
    got = [at for ids, done, at in await asyncio.gather(*ends) if (ids, done) == expected]
    print("RESULT %d %.0f %d %d" % (len(got), (max(got, default=ended) - ended) * 1000, before, held))


async def head(reader):
    """The header fields of a response."""
    data = await reader.readuntil(b"\r\n\r\n")
    lines = data.decode("latin-1").split("\r\n")[1:]
    return {k.lower(): v for k, _, v in (line.partition(": ") for line in lines)}


def spread(times, count):
    times.sort()
    print("RESULT %.1f %.1f %d" % (times[len(times) // 2] if times else -1, times[-1] if times else -1, count))


async def cancel(url, count):
    u = urlsplit(url)
    times = []
    for _ in range(count):
        reader, writer = await asyncio.open_connection(u.hostname, u.port)
        writer.write(request(url))
        run = (await head(reader))["x-run-id"]
        await reader.readuntil(b"event: tool_call_end\n")
        await asyncio.sleep(0.05)
        start = time.monotonic()
        _, other = await asyncio.open_connection(u.hostname, u.port)
        other.write(b"POST /api/aviation-agent/runs/%s/cancel HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n"
                    b"Content-Length: 0\r\n\r\n" % run.encode())
        data = await reader.readuntil(b"event: done\n")
        if b"event: error" not in data:
            times.append((time.monotonic() - start) * 1000)
        other.close()
        writer.close()
    spread(times, len(times))


async def queue(url, count):
    u = urlsplit(url)
    body = json.dumps({"messages": [{"role": "user", "content": "Tell me about LFMD"}], "thread_id": "bench-queue",
                       "multitask_strategy": "enqueue"}).encode()
    message = request(url).replace(b"Length: %d" % len(BODY), b"Length: %d" % len(body)).replace(BODY, body)
    begun, ended = [], []

    async def client():
        reader, writer = await asyncio.open_connection(u.hostname, u.port)
        writer.write(message)
        if b" 200 " not in await reader.readline():
            return
        begun.append(time.monotonic())
        data = await reader.read(-1)
        if b"\nevent: done\n" in data:
            ended.append(time.monotonic())
        writer.close()
    await asyncio.gather(*(client() for _ in range(count)))
    begun.sort()
    ended.sort()
    spread([(b - e) * 1000 for e, b in zip(ended, begun[1:])], len(ended))


def ready(path, command):
    """Time from exec to the first answered health check, spoken to as nginx does."""
    def record(kind, content):
        return bytes([1, kind, 0, 1]) + len(content).to_bytes(2, "big") + b"\0\0" + content
    params = {"REQUEST_METHOD": "GET", "SCRIPT_NAME": "/health", "REQUEST_URI": "/health", "QUERY_STRING": ""}
    pairs = b"".join(bytes([len(k), len(v)]) + k.encode() + v.encode() for k, v in params.items())
    message = record(1, b"\0\1\0\0\0\0\0\0") + record(4, pairs) + record(4, b"") + record(5, b"")
    if os.path.exists(path):
        os.unlink(path)
    start = time.monotonic()
    p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while time.monotonic() - start < 30:
            try:
                with socket.socket(socket.AF_UNIX) as s:
                    s.connect(path)
                    s.sendall(message)
                    if b"200" in s.recv(65536):
                        print("RESULT %.1f" % ((time.monotonic() - start) * 1000))
                        return
            except OSError:
                time.sleep(0.0005)
        print("RESULT -1")
    finally:
        p.terminate()
        p.wait()


def main():
    what, rest = sys.argv[1], sys.argv[2:]
    if what == "turns":
        asyncio.run(turns(rest[0], float(rest[1]), int(rest[2])))
    elif what == "streams":
        asyncio.run(streams(rest[0], int(rest[1]), rest[2:]))
    elif what == "followers":
        asyncio.run(followers(rest[0], int(rest[1]), rest[2:]))
    elif what == "cancel":
        asyncio.run(cancel(rest[0], int(rest[1])))
    elif what == "queue":
        asyncio.run(queue(rest[0], int(rest[1])))
    elif what == "memory":
        print("RESULT %d" % memory(rest))
    elif what == "ready":
        ready(rest[0], rest[1:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
