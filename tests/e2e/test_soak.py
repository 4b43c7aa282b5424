"""Long use of one thread, of one run, and of one Redis. `scripts/soak` runs the full form; otherwise a
bounded form of the same tests runs with all the others."""

import os
import selectors
import socket
import threading
import time

from faults import call, keys_without_ttl
from harness import API, ROUTE, Site, check, equal

FULL = os.environ.get("AGENT_SOAK") == "full"
STORES = [("sqlite",), ("redis",)]
FOLLOW_UPS = ["and only with a hard runway?", "and within 40 nm?", ROUTE]


def say(text):
    """Figures of the full form are for reading."""
    if FULL:
        print("       " + text, flush=True)


def rows(values):
    def mark(fn):
        fn.rows = values
        return fn
    return mark


def stored_bytes(site, thread):
    """Bytes the store takes: memory of the thread's keys, or the SQLite file with its log. (Records of
    runs expire by time: they are in the file, but not among the thread's keys.)"""
    if site.redis:
        keys = call(site.redis.path, "KEYS", "aa:{%s}:*" % thread)
        return sum(call(site.redis.path, "MEMORY", "USAGE", k, "SAMPLES", "0") for k in keys)
    folder = os.path.join(site.dir, "state")
    return sum(os.path.getsize(os.path.join(folder, n)) for n in os.listdir(folder) if n.startswith("threads.db"))


def resident_kb(worker):
    with open("/proc/%d/status" % worker.process.pid) as f:
        return next(int(line.split()[1]) for line in f if line.startswith("RssAnon"))


def cpu_ms(site):
    """CPU time of worker and Redis so far: unlike a clock, it does not tell how busy the machine is."""
    ticks = 0
    for process in [site.workers[0].process] + ([site.redis.process] if site.redis else []):
        with open("/proc/%d/stat" % process.pid) as f:
            ticks += sum(map(int, f.read().rsplit(")", 1)[1].split()[11:13]))
    return ticks * 1000.0 / os.sysconf("SC_CLK_TCK")


@rows(STORES)
def test_many_turns_on_one_thread(store):
    """CPU time and stored bytes of a turn stay what they were."""
    turns = 10000 if FULL else 800
    part = turns // 4
    with Site(store, log_dir="none", AVIATION_AGENT_RUN_TTL_S=60) as site:
        thread, cost, sizes, memory = "many", [], [], []
        for i in range(100):                    # until caches are filled and the thread is long
            equal(site.chat(FOLLOW_UPS[i % 3], thread).status, 200, "turn %d" % (i + 1))
        for _ in range(4):
            began = cpu_ms(site)
            for i in range(part):
                r = site.chat(FOLLOW_UPS[i % 3], thread)
                equal(r.status, 200, "a turn: %r" % r.body[:300])
            cost.append((cpu_ms(site) - began) / part)
            sizes.append(stored_bytes(site, thread))
            memory.append(resident_kb(site.workers[0]))
        say("%s: CPU ms a turn, by quarters of %d turns: %s; stored kB: %s; worker kB: %s" % (
            store, turns, ["%.2f" % c for c in cost], [s // 1024 for s in sizes], memory))
        check(cost[3] < 1.5 * cost[0] + 0.2, "a turn took %.2f ms of CPU at first and %.2f ms at the end" % (cost[0], cost[3]))
        # once the thread is at its limit, what goes makes room for what comes
        check((sizes[3] - sizes[2]) / part < 6000, "stored bytes by quarters: %s" % sizes)
        if FULL:
            check(sizes[3] < 1.5 * sizes[1] + (1 << 20), "the store grows: %s" % sizes)
            check(memory[3] < memory[1] + 2048, "the worker grows: %s kB" % memory)
        if site.redis:
            equal(keys_without_ttl(site.redis.path), [], "keys that never expire")


def all_messages(site, thread):
    """[(role, text), …] of a thread, over as many pages as it needs."""
    said, before = [], None
    while True:
        r = site.get(API + "/threads/%s/messages?limit=100%s" % (thread, "&before=" + before if before else ""))
        equal(r.status, 200, "messages: %r" % r.body[:300])
        page = r.json()
        said = [(m["role"], m["content"]) for m in page["messages"]] + said
        if not page["has_older"]:
            return said
        before = page["first_id"]


@rows(STORES)
def test_two_clients_hammer_one_thread(store):
    """Four workers, one thread: one client waits its turn, the other is refused and comes again. The
    history is serial, and each accepted question stands in it once, with its answer."""
    seconds = 240 if FULL else 6
    with Site(store, workers=4, AVIATION_AGENT_THREAD_BYTES=64 << 20, AVIATION_AGENT_LEASE_S=5) as site:
        thread, end = "hammered", time.monotonic() + seconds
        accepted, faults, refused = [[], []], [], [0, 0]
        site.chat(ROUTE, thread)

        def client(k):
            n = 0
            try:
                while time.monotonic() < end:
                    n += 1
                    text = "%s (client %d, question %d)" % (ROUTE, k, n)
                    more = {"multitask_strategy": "enqueue"} if k else {}
                    r = site.chat(text, thread, **more)
                    if r.status == 200:
                        equal(r.json()["metadata"].get("saved", True) if "metadata" in r.json() else True, True, "stored")
                        accepted[k].append(text)
                    else:
                        check(r.status in (409, 503), "status %d: %r" % (r.status, r.body[:300]))
                        refused[k] += 1
            except Exception as e:
                faults.append(repr(e))
        clients = [threading.Thread(target=client, args=(k,)) for k in (0, 1)]
        for c in clients:
            c.start()
        for c in clients:
            c.join()
        equal(faults, [], "faults")
        said = all_messages(site, thread)
        say("%s: %d and %d turns in %d s, %d and %d refused" % (
            store, len(accepted[0]), len(accepted[1]), seconds, *refused))
        equal([role for role, _ in said], ["user", "assistant"] * (len(said) // 2), "roles of the history")
        asked = [text for role, text in said if role == "user"][1:]
        check(accepted[0] and accepted[1], "a client got no turn at all")
        for k in (0, 1):
            equal([t for t in asked if "(client %d," % k in t], accepted[k], "questions of client %d, in order" % k)
        equal(len(asked), len(accepted[0]) + len(accepted[1]), "questions in the history")


def test_many_followers_of_one_run():
    """All of them, on two workers, read the same events to the end."""
    n = 1000 if FULL else 100
    with Site("redis", workers=2, AVIATION_AGENT_BUILTIN_FIRST_MS=4000 if FULL else 1500,
              AVIATION_AGENT_BUILTIN_PIECE_MS=20) as site:
        first = site.open(ROUTE, headers={"X-Stream-Ids": "1"}).head()
        run = first.header("X-Run-ID")
        before = int(call(site.redis.path, "INFO", "clients").split(b"connected_clients:")[1].split()[0])
        head = "GET %s/runs/%s/stream HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" % (API, run)
        waiting, got = selectors.DefaultSelector(), {}
        for i in range(n):
            s = socket.create_connection(("127.0.0.1", site.port))
            s.sendall(head.encode())
            got[s] = b""
            waiting.register(s, selectors.EVENT_READ)
        most, end = 0, time.monotonic() + 60
        while waiting.get_map() and time.monotonic() < end:
            for key, _ in waiting.select(1):
                piece = key.fileobj.recv(1 << 16)
                got[key.fileobj] += piece
                if not piece:
                    waiting.unregister(key.fileobj)
            if most == 0 and all(got.values()):
                most = int(call(site.redis.path, "INFO", "clients").split(b"connected_clients:")[1].split()[0])
        first.sock.close()
        for s in got:
            s.close()
        bodies = set()
        for raw in got.values():
            events = [line for line in raw.replace(b"\r\n", b"\n").split(b"\n") if line.startswith((b"event:", b"id:"))]
            bodies.add(b"\n".join(events))
        equal(len(bodies), 1, "different streams; the shortest: %r" % min(bodies, key=len)[-300:])
        equal(bodies.pop().count(b"event: done"), 1, "terminal events")
        say("%d followers; Redis had %d connections, %d with them" % (n, before, most))
        check(most - before < 40, "connections to Redis: %d, with %d followers %d" % (before, n, most))
