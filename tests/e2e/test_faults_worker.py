"""A worker killed with -9 at every step of a turn: before and after each call of the store, and after
each piece of the answer. Nothing that was committed is lost, and the thread goes on within the lease."""

import glob
import time

import harness
from faults import LEASE_S, QUESTIONS, Bench, keys_without_ttl, stored, whole
from harness import API, ROUTE, Failure, Provider, Site, Skip, Stream, check, equal, eventually, question


def rows(values):
    def mark(fn):
        fn.rows = values
        return fn
    return mark


def test_killed_at_every_call_of_the_store():
    with Bench() as b:
        n = b.steps()
        for point in range(1, n + 1):
            for when in ("before", "after"):
                what = "killed %s call %d of %d" % (when, point, n)
                thread = b.site.ask(QUESTIONS[0]).thread
                b.tap.arm(point, when, b.worker.kill9)
                saved = b.read(thread)
                b.tap.happened(what)
                b.tap.arm()
                b.worker.start()
                b.goes_on(thread, saved, what)
        equal(keys_without_ttl(b.site.redis.path), [], "keys that never expire")


def test_killed_after_each_piece_of_the_answer():
    with Bench(AVIATION_AGENT_BUILTIN_PIECE_MS=8) as b:
        thread = b.site.ask(QUESTIONS[0]).thread
        whole_turn = b.site.ask(QUESTIONS[1], thread)
        pieces = len(whole_turn.all("message"))
        check(pieces >= 5, "pieces of the answer: %d" % pieces)
        for n in sorted({1, 2, 3, pieces // 2, pieces - 1, pieces}):
            thread = b.site.ask(QUESTIONS[0]).thread
            seen = 0
            with b.site.open(QUESTIONS[1], thread) as s:
                for frame in s:
                    seen += frame.name == "message"
                    if seen == n:
                        break
                b.worker.kill9()
                try:
                    rest = [f.name for f in s]
                except OSError:
                    rest = []
            b.worker.start()
            b.goes_on(thread, "done" in rest, "killed after piece %d of %d" % (n, pieces))
        equal(keys_without_ttl(b.site.redis.path), [], "keys that never expire")


@rows([("silent", None), ("answer_silent", "tool_call_end"), ("slow_answer", "message")])
def test_killed_in_each_node(case, wait_for):
    """While the model plans, before it answers, and in its answer; with a log and without. The run is ended once,
    nothing of its turn is stored, and the thread goes on."""
    with Provider("turn", case) as provider, Bench(model=provider, AVIATION_AGENT_LLM_FIRST_MS=60000) as b:
        for n, headers in enumerate(({}, {"X-Stream-Ids": "1"})):
            thread, what = "t%d" % n, "killed in %s, headers %s" % (case, headers)
            b.site.ask(QUESTIONS[0], thread)
            with Stream(b.site.port, question("%s [%s]" % (QUESTIONS[1], case), thread), headers=headers,
                        ids=bool(headers)) as s:
                s.until(wait_for)
                run = s.header("X-Run-ID")
                eventually(lambda: len(provider.requests(case)) > n, what + ": the provider is asked")
                b.worker.kill9()
            b.worker.start()
            b.goes_on(thread, False, what)
            r = b.site.get(API + "/runs/" + run).json()
            equal((r["status"], r["error"]["code"]), ("failed", "worker_lost"), what)
            if headers:
                body = b.site.get(API + "/runs/%s/stream" % run).body
                equal((body.count(b"event: done"), body.count(b"event: error")), (1, 1), what + ": terminal events")
            equal([text for role, text in stored(b.site.redis.path, thread) if role == "user"],
                  [QUESTIONS[0], QUESTIONS[2]], what + ": questions")
        equal(keys_without_ttl(b.site.redis.path), [], "keys that never expire")


def test_killed_in_its_first_turn():
    """The thread's first turn: nothing but a lease was written."""
    with Bench() as b:
        b.site.ask(ROUTE)
        b.tap.arm()
        b.site.ask(ROUTE, "fresh-0")
        n = b.tap.calls
        for point in range(1, n + 1):
            thread, what = "fresh-%d" % point, "first turn, killed before call %d of %d" % (point, n)
            b.tap.arm(point, "before", b.worker.kill9)
            with b.site.open(ROUTE, thread) as s:
                try:
                    for _ in s:
                        pass
                except (OSError, ValueError):
                    pass
            b.tap.happened(what)
            b.tap.arm()
            b.worker.start()
            eventually(lambda: b.site.chat(QUESTIONS[2], thread).status == 200, what, LEASE_S + 10, 0.1)
            said = stored(b.site.redis.path, thread)
            whole(said, [ROUTE, QUESTIONS[2]])
            equal(said[-2], ("user", QUESTIONS[2]), what + ": the newest question")


def test_a_killed_run_is_ended_for_its_followers():
    """Killed before each call of the store in a run with a log: whoever follows it gets one terminal event."""
    with Bench() as b:
        def turn(thread):
            with Stream(b.site.port, question(QUESTIONS[1], thread), headers={"X-Stream-Ids": "1"}, ids=True) as s:
                run = None
                try:
                    run = s.head().header("X-Run-ID")
                    for _ in s:
                        pass
                except (OSError, ValueError, Failure):
                    pass
            return run
        thread = b.site.ask(QUESTIONS[0]).thread
        b.tap.arm()
        check(turn(thread), "X-Run-ID")
        n, known = b.tap.calls, 0
        for point in range(1, n + 1):
            what = "killed before call %d of %d" % (point, n)
            thread = b.site.ask(QUESTIONS[0]).thread
            b.tap.arm(point, "before", b.worker.kill9)
            run = turn(thread)
            if not b.tap.acted.wait(5):
                continue                    # this time the events went into fewer groups
            b.tap.arm()
            b.worker.start()
            if run is None:
                continue                    # the client never learned of a run
            known += 1
            began = time.monotonic()
            body = b.site.get(API + "/runs/%s/stream" % run, timeout=30).body
            equal(body.count(b"event: done"), 1, "%s: terminal events: %r" % (what, body[-300:]))
            check(time.monotonic() - began < 20 * harness.SLACK, "%s: it took %.1f s" % (what, time.monotonic() - began))
            status = b.site.get(API + "/runs/" + run).json()["status"]
            check(status in ("failed", "done"), "%s: status %s" % (what, status))
            b.goes_on(thread, status == "done", what)
        check(known >= 2, "the client learned of %d runs" % known)


def test_a_worker_whose_clock_is_two_days_off():
    """Leases and expiry are counted by Redis, so hosts whose clocks differ share threads."""
    found = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
    if not found:
        raise Skip("libfaketime is not installed")
    if harness.SLACK > 1:
        raise Skip("libfaketime cannot be loaded before the sanitizers")
    for offset in ("+2d", "-2d"):
        with Site("redis", workers=2, start=False, AVIATION_AGENT_LEASE_S=LEASE_S) as site:
            site.redis.start()
            right = dict(site.env)
            site.env.update(LD_PRELOAD=found[0], FAKETIME=offset, FAKETIME_DONT_FAKE_MONOTONIC="1",
                            AVIATION_AGENT_BUILTIN_FIRST_MS="20000")
            wrong, other = site.workers
            wrong.start()
            with site.open(QUESTIONS[0], "clocks") as s:
                s.until("tool_call_end")
                site.env = right
                other.start()
                time.sleep(LEASE_S + 0.5)
                for _ in range(4):
                    check(site.chat(QUESTIONS[1], "clocks").status == 409, "%s: the lease was renewed" % offset)
                wrong.kill9()
            eventually(lambda: site.chat(QUESTIONS[1], "clocks").status == 200, offset + ": the thread is free", LEASE_S + 10, 0.1)
            site.env.update(LD_PRELOAD=found[0], FAKETIME=offset, FAKETIME_DONT_FAKE_MONOTONIC="1")
            wrong.start()
            other.term()
            other.process.wait(10)
            equal(site.chat(QUESTIONS[2], "clocks").status, 200, offset + ": a turn on the worker that is off")
            whole(stored(site.redis.path, "clocks"), QUESTIONS)
            equal(keys_without_ttl(site.redis.path), [], "keys that never expire")


def test_killed_at_any_moment_with_SQLite():
    """There is no tap before a file, so the worker is killed at moments spread over the whole turn."""
    moments = 40
    with Site("sqlite", AVIATION_AGENT_LEASE_S=LEASE_S) as site:
        worker = site.workers[0]
        site.ask(ROUTE)
        began = time.monotonic()
        site.ask(ROUTE)
        usual, saved = time.monotonic() - began, {}
        for i in range(moments):
            thread = "moment-%d" % i
            site.ask(QUESTIONS[0], thread)
            with site.open(QUESTIONS[1], thread) as s:
                time.sleep(usual * 1.5 * i / moments)
                worker.kill9()
                try:
                    saved[thread] = [f.data["metadata"].get("saved", True) for f in s if f.name == "done"] == [True]
                except (OSError, ValueError, Failure):
                    saved[thread] = False
            worker.start()
        check(not all(saved.values()), "no turn was cut")
        time.sleep(LEASE_S)
        for thread, was_saved in saved.items():
            equal(site.chat(QUESTIONS[2], thread).status, 200, thread)
            page = site.get(API + "/threads/%s/messages?limit=100" % thread).json()
            said = [(m["role"], m["content"]) for m in page["messages"]]
            whole(said, QUESTIONS)
            asked = [text for role, text in said if role == "user"]
            equal((asked[0], asked[-1]), (QUESTIONS[0], QUESTIONS[2]), thread + ": first and last question")
            check(not was_saved or asked == QUESTIONS, "%s: a stored turn is missing: %s" % (thread, asked))
