"""Runs that can be followed: resumed on any worker, going on without their reader, ended when their worker dies."""

import http.client
import json
import os
import signal
import sqlite3
import threading
import time

import harness
from harness import API, ROUTE, Site, Stream, check, equal, eventually, question

STORES = [("sqlite",), ("redis",)]
SLOW = {"AVIATION_AGENT_BUILTIN_FIRST_MS": 500, "AVIATION_AGENT_BUILTIN_PIECE_MS": 40}
IDS = {"X-Stream-Ids": "1"}
AHEAD = 10000           # so many numbers are left out where a worker died


def rows(values):
    def mark(fn):
        fn.rows = values
        return fn
    return mark


def begin(site, thread=None, headers=IDS, **more):
    """A streamed turn whose events have numbers."""
    s = Stream(site.port, question(ROUTE, thread, **more), headers=headers, ids=headers is IDS)
    equal(s.head().status, 200, "status")
    check(s.header("X-Run-ID"), "there is no X-Run-ID")
    return s, s.header("X-Run-ID")


def events_of(stream):
    """[(number, bytes), …] to the end."""
    equal(stream.head().status, 200, "status of the stream")
    with stream:
        return [(f.id, f.raw) for f in stream if f.name]


def take(stream, n):
    """The first n events."""
    out = []
    equal(stream.head().status, 200, "status of the stream")
    for f in stream:
        if f.name:
            out.append((f.id, f.raw))
        if len(out) == n:
            return out
    return out


def whole(events):
    """Numbered from 1 without gaps, and ended by one terminal event."""
    equal([i for i, _ in events], list(range(1, len(events) + 1)), "numbers")
    equal([b"event: done" in raw for _, raw in events].count(True), 1, "terminal events")
    check(b"event: done" in events[-1][1], "the last event is not done")
    return events


def names(events):
    return [raw.split(b"event: ")[1].split(b"\n")[0] for _, raw in events]


def ended_run(events, logged):
    """Of a run whose worker died: the events of its log, and two with numbers that the worker cannot have sent."""
    numbers = [i for i, _ in events]
    equal(numbers[:-2], list(range(1, logged + 1)), "numbers in the log")
    equal(numbers[-2:], [logged + AHEAD + 1, logged + AHEAD + 2], "numbers of the last two events")
    equal(names(events[-2:]), [b"error", b"done"], "the last two events")


def status(site, run):
    r = site.get(API + "/runs/" + run)
    equal(r.status, 200, "status of runs/{id}: %r" % r.body[:200])
    return r.json()


def ended(site, run, how, seconds=10):
    eventually(lambda: status(site, run)["status"] == how, "the run is " + how, seconds)
    return status(site, run)


def in_parallel(fn, args):
    """fn(arg) for each, at once; the results in order."""
    out, threads = {}, []

    def call(i, arg):
        try:
            out[i] = fn(arg)
        except Exception as e:
            out[i] = e
    for i, arg in enumerate(args):
        threads.append(threading.Thread(target=call, args=(i, arg), daemon=True))
        threads[-1].start()
    for t in threads:
        t.join(60)
    for i in range(len(threads)):
        if isinstance(out.get(i), Exception):
            raise out[i]
    return [out[i] for i in range(len(threads))]


def followers_served(worker):
    return worker.log().count("route=/api/aviation-agent/runs/{run_id}/stream status=200")


def executes(worker, site, run):
    """Does this worker execute the run? The store says so."""
    if site.redis:
        return (":%d" % worker.process.pid).encode() in site.redis.command("HGET", "aa:{%s}:run" % run, "worker")
    with sqlite3.connect("file:%s/state/threads.db?mode=ro" % site.dir, uri=True) as db:
        return db.execute("SELECT worker FROM runs WHERE id = ?", (run,)).fetchone()[0].endswith(":%d" % worker.process.pid)


@rows(STORES)
def test_cut_at_every_event(store):
    """The stream is cut behind each of its events in turn, and resumed: the same bytes, no gap, no repeat."""
    with Site(store, workers=2, **SLOW) as site:
        s, run = begin(site, on_disconnect="continue")
        first = take(s, 2)
        s.leave()

        def cut_behind(n):
            with site.follow(run) as one:
                head = take(one, n)
            return head + events_of(site.follow(run, n))
        results = in_parallel(cut_behind, range(1, 40))
        full = whole(events_of(site.follow(run)))
        check(len(full) > 15, "only %d events" % len(full))
        equal(full[:2], first, "the beginning, as the first reader saw it")
        for n, got in enumerate(results):
            equal(got, full, "cut behind event %d" % (n + 1))
        equal(ended(site, run, "done")["last_event_id"], len(full), "last_event_id")
        check(all(followers_served(w) > 5 for w in site.workers), "one worker served all of it")


@rows(STORES + [("memory",)])
def test_events_have_numbers_only_where_asked_for(store):
    with Site(store, **{k: "0" for k in SLOW}) as site:
        site.ask(ROUTE, "plain")                                # a number would be a bad frame
        for headers, path in ((IDS, "/chat/stream"), ({}, "/chat/stream?ids=1")):
            with Stream(site.port, question(ROUTE), headers=headers, path=API + path, ids=True) as s:
                live = events_of(s)
            run = s.header("X-Run-ID")
            equal(whole(live), events_of(site.follow(run)), "the stream and its replay")
            equal(events_of(site.follow(run, query="?after=%d" % (len(live) - 1))), live[-1:], "?after=")
            for r in (site.get(API + "/runs/%s/stream" % run, headers={"Last-Event-ID": str(len(live))}),
                      site.get(API + "/runs/%s/stream?after=%d" % (run, len(live)))):
                equal((r.status, r.body), (204, b""), "nothing is left")


@rows(STORES)
def test_status_of_a_plain_turn(store):
    """A turn that asked for nothing is known to other workers too, while it runs and afterwards."""
    with Site(store, workers=2, **SLOW) as site:
        s, run = begin(site, "t-plain", headers={})
        s.until("tool_call_end")
        now = [status(site, run) for _ in range(4)]             # on both workers
        for r in now:
            equal((r["status"], r["thread_id"], r["ended_at"], r["error"]), ("running", "t-plain", None, None), "now")
        done = s.rest().one("done")
        after = status(site, run)
        equal(after["status"], "done", "status behind done")
        equal(after["tokens"]["total"], done["tokens"]["total"], "tokens")
        check(after["started_at"] < after["ended_at"] and after["duration_ms"] > 300, "times: %s" % after)
        equal(sorted(after), ["duration_ms", "ended_at", "error", "resumable", "run_id", "session_id", "started_at",
                              "status", "thread_id", "tokens"], "members")
        equal(after["resumable"], False, "resumable")
        equal(site.get(API + "/runs/%s/stream" % run).status, 410, "its events were not kept")


@rows(STORES)
def test_reader_leaves(store):
    """The default ends the turn; on_disconnect continues it, holding its thread, to its end."""
    with Site(store, workers=2, **SLOW) as site:
        s, run = begin(site, "t-cancel")
        s.until("message")
        s.leave()
        ended(site, run, "cancelled")
        whole(events_of(site.follow(run)))

        s, run = begin(site, "t-go", headers={}, on_disconnect="continue")
        s.until("message")
        s.leave()
        time.sleep(0.3)
        equal(status(site, run)["status"], "running", "status behind the leaving")
        equal(site.chat(ROUTE, "t-go").status, 409, "its thread is not free")
        events = whole(events_of(site.follow(run)))
        ended(site, run, "done")
        answer = "".join(json.loads(raw.split(b"data: ", 1)[1])["content"] for _, raw in events
                         if b"event: message" in raw)
        stored = site.get(API + "/threads/t-go/messages").json()["messages"]
        equal(stored[-1]["content"].strip(), answer.strip(), "the stored answer")
    with Site(store, AVIATION_AGENT_ON_DISCONNECT="continue", AVIATION_AGENT_TURN_TIMEOUT_S=2,
              AVIATION_AGENT_BUILTIN_FIRST_MS=30000) as site:
        s, run = begin(site, headers={})
        s.until("tool_call_end")
        s.leave()
        equal(ended(site, run, "failed", 6)["error"]["code"], "timeout", "its deadline ends it")


def sockets(worker):
    fds = "/proc/%d/fd" % worker.process.pid
    return sum(os.readlink(os.path.join(fds, fd)).startswith("socket:") for fd in os.listdir(fds))


@rows(STORES)
def test_a_reader_that_left_holds_no_connection(store):
    """The run goes on and is silent; the connection of its reader is closed at once all the same."""
    with Site(store, AVIATION_AGENT_BUILTIN_FIRST_MS=8000, AVIATION_AGENT_HEARTBEAT_S=60) as site:
        s, run = begin(site, on_disconnect="continue")
        s.until("tool_call_end")
        time.sleep(0.5)                                         # its events are in the store
        had = sockets(site.workers[0])
        s.leave()
        eventually(lambda: sockets(site.workers[0]) < had, "the connection is closed", 5)
        equal(status(site, run)["status"], "running", "status")


@rows(STORES)
def test_killed_worker(store):
    """A follower on another worker gets one terminal event; the thread is free."""
    with Site(store, workers=2, AVIATION_AGENT_LEASE_S=4, AVIATION_AGENT_BUILTIN_FIRST_MS=60000) as site:
        s, run = begin(site, "t-kill")
        s.until("tool_call_end")
        follower = site.follow(run)                             # nginx gives it to the other worker
        take(follower, 2)
        next(w for w in site.workers if executes(w, site, run)).kill9()
        killed = time.monotonic()
        rest = [f for f in follower if f.name]
        took = time.monotonic() - killed
        check(took < 20 * harness.SLACK, "ended after %.1f s" % took)
        equal([f.name for f in rest][-2:], ["error", "done"], "last events")
        equal(rest[-1].data["status"], "failed", "status in done")
        equal(rest[-1].data["error"]["code"], "worker_lost", "error in done")
        r = status(site, run)
        equal((r["status"], r["error"]["code"]), ("failed", "worker_lost"), "status")
        equal(r["error"]["message"], rest[-1].data["error"]["message"], "the sentence of status and of done")
        ended_run(events_of(site.follow(run)), r["last_event_id"] - AHEAD - 2)
        with site.open(ROUTE, "t-kill") as again:
            equal(again.head().status, 200, "its thread is free")


def killed_ahead_of_its_log(site, seconds):
    """Kill a worker in the middle of an answer. (run, what its client got, number of the last event in the log)"""
    s, run = begin(site)
    first = s.until("message")
    seen = [(first.id, first.raw)]
    began = time.monotonic()
    for f in s:
        seen += [(f.id, f.raw)] if f.name else []
        if time.monotonic() - began > seconds:
            break
    worker = next(w for w in site.workers if executes(w, site, run))
    worker.kill9()
    try:
        seen += [(f.id, f.raw) for f in s if f.name]
    except (OSError, AssertionError):
        pass                                                    # the stream breaks off
    worker.start()
    return run, seen, status(site, run)["last_event_id"]


@rows(STORES)
def test_killed_worker_had_sent_more_than_its_log_has(store):
    """The client resumes behind the last event that it really got: the two last events, with new numbers, once."""
    with Site(store, workers=2, AVIATION_AGENT_LEASE_S=3, AVIATION_AGENT_BUILTIN_FIRST_MS=0,
              AVIATION_AGENT_BUILTIN_PIECE_MS=15) as site:
        for pause in (0.05, 0.1, 0.15, 0.02):
            run, seen, logged = killed_ahead_of_its_log(site, pause)
            if seen[-1][0] > logged:
                break
        last = seen[-1][0]
        check(last > logged, "the client has event %d, and the log event %d" % (last, logged))
        waiting = site.follow(run, last)                        # before anybody knows that the worker died
        rest = events_of(waiting)
        equal(names(rest), [b"error", b"done"], "the rest")
        check(last < rest[0][0] == rest[1][0] - 1, "numbers %s behind %d" % ([i for i, _ in rest], last))
        equal(events_of(site.follow(run, last)), rest, "asked for again")
        equal(events_of(site.follow(run, logged)), rest, "behind the last event of the log")
        equal(events_of(site.follow(run, rest[0][0])), rest[1:], "behind the error")
        equal(site.get(API + "/runs/%s/stream?after=%d" % (run, rest[1][0])).status, 204, "nothing is left")
        equal(status(site, run)["last_event_id"], rest[1][0], "last_event_id")
        ended_run(events_of(site.follow(run)), logged)


@rows(STORES)
def test_next_turn_ends_a_dead_one(store):
    """The next question of the conversation ends the record and the log of the turn that died with its worker."""
    with Site(store, workers=2, AVIATION_AGENT_LEASE_S=2, AVIATION_AGENT_BUILTIN_FIRST_MS=1500) as site:
        s, run = begin(site, "t-next")
        s.until("tool_call_end")
        time.sleep(0.4)                                         # its events are written in groups
        next(w for w in site.workers if executes(w, site, run)).kill9()
        turn = []
        eventually(lambda: turn.append(site.chat(ROUTE, "t-next")) or turn[-1].status == 200, "the next turn", 20)
        equal(sum("run_lost" in line for w in site.workers for line in w.log().splitlines()), 1, "who ended it")
        r = status(site, run)
        equal((r["status"], r["error"]["code"]), ("failed", "worker_lost"), "status")
        ended_run(events_of(site.follow(run)), r["last_event_id"] - AHEAD - 2)


@rows(STORES)
def test_stopping_worker_sends_its_followers_on(store):
    """Streams of a worker that stops end at once and without a terminal event; another worker has the rest."""
    with Site(store, workers=2, AVIATION_AGENT_BUILTIN_FIRST_MS=6000) as site:
        s, run = begin(site, on_disconnect="continue")
        s.until("tool_call_end")
        stopping = next(w for w in site.workers if not executes(w, site, run))
        followers = [site.follow(run) for _ in range(6)]
        heads = [take(f, 2) for f in followers]
        began = time.monotonic()
        stopping.term()
        equal(stopping.process.wait(5 * harness.SLACK), 0, "exit status")
        took = time.monotonic() - began
        check(took < 3 * harness.SLACK, "it waited %.1f s for its followers" % took)
        parts = [head + events_of(f) for head, f in zip(heads, followers)]
        cut = [(p, f) for p, f in zip(parts, followers) if b"event: done" not in p[-1][1]]
        check(0 < len(cut) < 6, "%d of 6 followers were sent on" % len(cut))
        full = whole(events_of(site.follow(run)))
        for part, f in cut:
            check(b"\nretry: 1000" in f.frames[-1].raw, "its last line: %r" % f.frames[-1].raw)
            equal(part + events_of(site.follow(run, part[-1][0])), full, "the part and the rest")
        equal([p for p in parts if len(p) == len(full)][0], full, "a follower of the other worker")


@rows(STORES)
def test_paused_worker(store):
    """A worker that comes back after its run was ended adds nothing to the log."""
    with Site(store, workers=2, AVIATION_AGENT_LEASE_S=3, AVIATION_AGENT_BUILTIN_FIRST_MS=200,
              AVIATION_AGENT_BUILTIN_PIECE_MS=150) as site:
        s, run = begin(site, "t-pause")
        s.until("message")
        paused = next(w for w in site.workers if executes(w, site, run))
        other = next(w for w in site.workers if w is not paused)
        paused.process.send_signal(signal.SIGSTOP)
        try:
            # nginx may give a request to the worker that is paused: many are sent, and one gets through
            def look(_):
                with site.follow(run) as f:
                    f.sock.settimeout(15)
                    try:
                        return events_of(f)
                    except OSError:
                        return None
            found = [x for x in in_parallel(look, range(6)) if x]
            check(found, "nobody could follow the run")
            before = found[0]
            ended_run(before, len(before) - 2)
            check(b"worker_lost" in before[-1][1], "the end: %r" % before[-1][1])
        finally:
            paused.process.send_signal(signal.SIGCONT)
        time.sleep(3)
        equal(events_of(site.follow(run)), before, "the log after the worker came back")
        equal(status(site, run)["status"], "failed", "status")
        check(other.process.poll() is None and paused.process.poll() is None, "a worker ended")
        with site.open(ROUTE, "t-pause") as again:
            equal(again.head().status, 200, "its thread is free")


@rows(STORES)
def test_paused_worker_stores_nothing(store):
    """A worker that comes back after its run was ended stores nothing, and its client is told so once."""
    with Site(store, workers=2, AVIATION_AGENT_LEASE_S=3, AVIATION_AGENT_BUILTIN_FIRST_MS=3000) as site:
        s, run = begin(site, "t-buried", headers={})            # its events are not kept
        s.until("tool_call_end")
        paused = next(w for w in site.workers if executes(w, site, run))
        paused.process.send_signal(signal.SIGSTOP)
        try:
            end = time.monotonic() + 20 * harness.SLACK

            # nginx may give a request to the worker that is paused
            def look(_):
                try:
                    return site.get(API + "/runs/" + run, timeout=2).json()["status"]
                except (OSError, http.client.HTTPException):
                    return None
            seen = []
            while "failed" not in seen and time.monotonic() < end:
                seen += in_parallel(look, range(4))
                time.sleep(0.3)
            check("failed" in seen, "nobody has ended the run: %s" % seen)
        finally:
            paused.process.send_signal(signal.SIGCONT)
        told = s.rest()
        done = told.one("done")
        equal(told.names[-1], "done", "last event")
        equal(done["metadata"]["saved"], False, "saved")
        equal(told.one("error")["code"], "worker_lost", "the error")
        r = status(site, run)
        equal((r["status"], r["error"]["code"]), ("failed", "worker_lost"), "status")
        equal(site.get(API + "/threads/t-buried/messages").status, 404, "nothing is stored")
        check(all(w.process.poll() is None for w in site.workers), "a worker ended")
        site.ask(ROUTE, "t-buried")
        equal(len(site.get(API + "/threads/t-buried/messages").json()["messages"]), 2, "the next turn is the first")


@rows(STORES)
def test_many_followers(store):
    """A hundred readers of one run, some of whom leave or read slowly: all others get all of it."""
    with Site(store, workers=2, **SLOW) as site:
        s, run = begin(site, on_disconnect="continue")
        s.until("tool_call_end")
        lazy = [site.follow(run) for _ in range(10)]            # nobody reads these

        def read(n):
            if n % 10 == 9:
                with site.follow(run) as f:
                    return take(f, 3)
            return events_of(site.follow(run))
        results = in_parallel(read, range(90))
        full = whole(events_of(site.follow(run)))
        for n, got in enumerate(results):
            equal(got, full[:3] if n % 10 == 9 else full, "follower %d" % n)
        equal(whole([(f.id, f.raw) for f in s.rest().events] and full), full, "the first reader")
        for f in lazy:
            equal(events_of(f), full, "a reader that began late")


def test_redis_user_without_channels():
    """An ACL user who may not publish makes followers slower, and nothing else."""
    with Site("redis", workers=2, **SLOW) as site:
        equal(site.redis.command("ACL", "SETUSER", "default", "resetchannels"), b"+OK\r\n", "ACL")
        s, run = begin(site, on_disconnect="continue")
        s.until("tool_call_end")
        followed = whole(events_of(site.follow(run)))
        equal(followed, [(f.id, f.raw) for f in s.rest().events], "the follower and the first reader")


@rows(STORES)
def test_bad_input(store):
    with Site(store) as site:
        s, run = begin(site)
        n = len(events_of(s))
        missing = site.get(API + "/no-such-path")
        for bad in ("00000000-0000-4000-8000-000000000000", "x", "a" * 400, "run%7B1%7D", "*"):
            for path in ("/runs/" + bad, "/runs/%s/stream" % bad):
                r = site.get(API + path)
                equal((r.status, r.body), (404, missing.body), path)
        for bad in ("-1", "x", "1.5", "99999999999999999999999", "0x1", "1 2", " ", "%F0%9F%9B%A9"):
            r = site.get(API + "/runs/%s/stream?after=%s" % (run, bad.replace(" ", "%20")))
            equal(r.status, 422, "after=%s" % bad)
            equal(r.json()["detail"][0]["loc"], ["query", "after"], "loc")
        for bad in ("-1", "x", "99999999999999999999999", "1;2"):
            r = site.get(API + "/runs/%s/stream" % run, headers={"Last-Event-ID": bad})
            equal(r.status, 422, "Last-Event-ID: %s" % bad)
        r = site.get(API + "/runs/%s/stream?after=%d" % (run, n + 1))
        equal((r.status, r.json()["detail"][0]["loc"]), (422, ["query", "after"]), "beyond the end")
        equal(site.post(API + "/chat", dict(question(ROUTE), on_disconnect="stay")).status, 422, "on_disconnect")
        equal(site.post(API + "/runs/%s/stream" % run, {}).status, 405, "POST")
        equal(site.get(API + "/runs/" + run).json()["status"], "done", "nothing of this did harm")


@rows(STORES)
def test_run_of_another_user(store):
    """Others get the 404 of a run that does not exist, for its status and for its events."""
    with Site(store, AVIATION_AGENT_USER_HEADER="X-Auth-User") as site:
        ann, bob = dict(IDS, **{"X-Auth-User": "ann"}), {"X-Auth-User": "bob"}
        with Stream(site.port, question(ROUTE), headers=ann, ids=True) as s:
            mine = events_of(s)
        run = s.header("X-Run-ID")
        missing = site.get(API + "/runs/00000000-0000-4000-8000-000000000000")
        for headers in (bob, {}):
            for path in ("/runs/" + run, "/runs/%s/stream" % run, "/runs/%s/stream?after=%d" % (run, len(mine))):
                r = site.get(API + path, headers=headers)
                equal((r.status, r.body), (404, missing.body), "%s for %s" % (path, headers))
        equal(events_of(site.follow(run, headers={"X-Auth-User": "ann"})), mine, "the events for their owner")


@rows(STORES)
def test_expiry(store):
    """Events expire first (410), then the run is not known any more (404)."""
    with Site(store, AVIATION_AGENT_RUN_TTL_S=1) as site:
        s, run = begin(site)
        events_of(s)
        equal(len(events_of(site.follow(run))) > 3, True, "events")
        eventually(lambda: site.get(API + "/runs/%s/stream" % run).status == 410, "the events expire", 3)
        equal(status(site, run)["resumable"], False, "resumable")
        eventually(lambda: site.get(API + "/runs/" + run).status == 404, "the run expires", 4)
        equal(site.get(API + "/runs/%s/stream" % run).status, 404, "its stream")
        if site.redis:
            for key in site.redis.keys():
                check(int(site.redis.command("PTTL", key.decode())[1:]) != -1, "%s does not expire" % key)
