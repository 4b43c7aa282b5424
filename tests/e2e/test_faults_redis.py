"""Redis that dies, hangs or is full at every step of a turn."""

import os
import re
import signal
import threading
import time

from faults import QUESTIONS, Bench, call, keys_without_ttl, stored, whole
from harness import API, ROOT, Site, Stream, check, equal, question

FULL = os.environ.get("AGENT_SOAK") == "full"


def restart(redis, pause=0.2):
    """Killed with -9, and started again from its append-only file."""
    redis.stop()
    time.sleep(pause)
    redis.start()


def test_redis_restarts_at_every_call_of_the_store():
    """A short restart goes unnoticed: the turn is answered and stored, exactly once."""
    with Bench() as b:
        n = b.steps()
        for point in range(1, n + 1):
            for when in ("before", "after"):
                what = "Redis killed %s call %d of %d" % (when, point, n)
                thread = b.site.ask(QUESTIONS[0]).thread
                b.tap.arm(point, when, lambda: restart(b.site.redis))
                turn = b.site.ask(QUESTIONS[1], thread)
                b.tap.happened(what)
                b.tap.arm()
                equal(turn.names[-1], "done", what + ": last event")
                equal(turn.one("done")["metadata"].get("saved", True), True, what + ": stored")
                b.goes_on(thread, True, what)
        equal(keys_without_ttl(b.site.redis.path), [], "keys that never expire")


def slow_turn(b, thread, text):
    """A turn that takes two seconds, and a client that follows it meanwhile: (own stream, run, theirs)."""
    own = Stream(b.site.port, question(text, thread), headers={"X-Stream-Ids": "1"}, ids=True)
    equal(own.head().status, 200, "status")
    run, theirs = own.header("X-Run-ID"), []

    def read():                             # comes again, as a browser does, if the store is away at first
        while not theirs or b"event: done" not in theirs[-1][1]:
            with b.site.follow(run, theirs[-1][0] if theirs else 0) as s:
                if s.head().status == 200:
                    theirs.extend((f.id, f.raw) for f in s if f.name)
                else:
                    check(s.status == 503, "status of runs/{id}/stream: %d" % s.status)
                    time.sleep(0.1)
    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    with own:
        mine = [(f.id, f.raw) for f in own if f.name]
    reader.join(20)
    return mine, run, theirs


def test_redis_restarts_while_the_pieces_of_an_answer_are_written():
    """Killed before and after each write to a run's log: whoever reads the run gets each event once, and the
    turn is stored."""
    with Bench(AVIATION_AGENT_BUILTIN_FIRST_MS=200, AVIATION_AGENT_BUILTIN_PIECE_MS=25) as b:
        thread = b.site.ask(QUESTIONS[0]).thread
        b.tap.arm()
        mine, _, theirs = slow_turn(b, thread, QUESTIONS[1])
        equal(theirs, mine, "the stream of a follower")
        n, questions = b.tap.calls, QUESTIONS[:2]
        check(n >= 10, "calls of the store in a slow turn: %s" % b.tap.names)
        # the first two are those of every turn; scripts/soak tries all others
        for i, point in enumerate(range(3, n - 2, 1 if FULL else max(1, (n - 5) // 4))):
            for when in ("before", "after") if FULL else ("before", "after")[i % 2:i % 2 + 1]:
                what = "Redis killed %s call %d of about %d" % (when, point, n)
                text = QUESTIONS[1] + "!" * (i + 1)
                questions.append(text)
                b.tap.arm(point, when, lambda: restart(b.site.redis))
                mine, run, theirs = slow_turn(b, thread, text)
                b.tap.happened(what)
                b.tap.arm()
                equal([i for i, _ in mine], list(range(1, len(mine) + 1)), what + ": numbers")
                check(b"event: done" in mine[-1][1], what + ": last event")
                check(b'"saved":false' not in mine[-1][1], what + ": stored")
                equal(theirs, mine, what + ": the stream of a follower")
                with b.site.follow(run) as s:
                    equal([(f.id, f.raw) for f in s if f.name], mine, what + ": the log")
                equal(b.site.get(API + "/runs/" + run).json()["status"], "done", what)
        whole(stored(b.site.redis.path, thread), questions)
        equal(len(stored(b.site.redis.path, thread)), 2 * len(questions), "messages of the thread")
        equal(keys_without_ttl(b.site.redis.path), [], "keys that never expire")


def test_redis_stays_away_in_the_middle_of_a_turn():
    """The answer is shown, the client learns that it was not stored, and the thread goes on."""
    with Bench(AVIATION_AGENT_STORE_TIMEOUT_MS=500) as b:
        n = b.steps()
        thread = b.site.ask(QUESTIONS[0]).thread
        b.tap.arm(n, "before", b.site.redis.stop)
        turn = b.site.ask(QUESTIONS[1], thread)
        b.tap.happened("the last call of the turn")
        b.tap.arm()
        check(turn.answer, "no answer")
        equal(b.site.post(API + "/chat", question(QUESTIONS[2], thread)).status, 503, "a question without a store")
        b.site.redis.start()
        b.goes_on(thread, turn.one("done")["metadata"].get("saved", True), "Redis was away")


def test_redis_hangs_at_every_call_of_the_store():
    """SIGSTOP for longer than a call waits: refused or told, never half-stored."""
    with Bench(AVIATION_AGENT_STORE_TIMEOUT_MS=300) as b:
        n = b.steps()
        for point in range(1, n + 1):
            what = "Redis hangs at call %d of %d" % (point, n)
            thread = b.site.ask(QUESTIONS[0]).thread

            def pause():
                process = b.site.redis.process
                process.send_signal(signal.SIGSTOP)
                threading.Timer(1.5, process.send_signal, (signal.SIGCONT,)).start()
            b.tap.arm(point, "before", pause)
            r = b.site.chat(QUESTIONS[1], thread)
            check(r.status in (200, 503), "%s: %d %r" % (what, r.status, r.body[:300]))
            b.tap.arm()
            saved = r.json()["metadata"].get("saved", True) if r.status == 200 else False
            time.sleep(1.6)
            b.goes_on(thread, saved, what)


def test_a_full_redis_refuses_and_keeps_what_it_has():
    """maxmemory with noeviction: a clear error, nothing half-committed, and it works again after."""
    with Bench() as b:
        redis = b.site.redis.path
        thread = b.site.ask(QUESTIONS[0]).thread
        before = stored(redis, thread)
        call(redis, "CONFIG", "SET", "maxmemory-policy", "noeviction")
        call(redis, "CONFIG", "SET", "maxmemory", "1mb")
        r = b.site.chat(QUESTIONS[1], thread)
        equal(r.status, 503, "a question to a full Redis: %r" % r.body[:300])
        check("maxmemory" in b.worker.log(), "the log does not name maxmemory: " + b.worker.log()[-600:])
        equal(stored(redis, thread), before, "the thread")
        call(redis, "CONFIG", "SET", "maxmemory", "0")
        b.goes_on(thread, False, "after maxmemory was raised")


def test_redis_fills_up_before_the_commit():
    with Bench() as b:
        redis = b.site.redis.path
        n = b.steps()
        thread = b.site.ask(QUESTIONS[0]).thread
        before = stored(redis, thread)

        def fill():
            call(redis, "CONFIG", "SET", "maxmemory", "1mb")
        commit = next(i for i in range(n, 0, -1) if b.tap.names[i - 1].startswith("EVAL"))
        b.tap.arm(commit, "before", fill)
        turn = b.site.ask(QUESTIONS[1], thread)
        b.tap.happened("the commit")
        saved = turn.one("done")["metadata"].get("saved", True)
        if not saved:
            equal(stored(redis, thread), before, "the thread after a refused commit")
        call(redis, "CONFIG", "SET", "maxmemory", "0")
        b.goes_on(thread, saved, "after maxmemory was raised")


def test_parts_of_a_thread_are_evicted():
    """Redis may evict one key of a thread alone: old and new conversation are never mixed."""
    with Bench() as b:
        redis = b.site.redis.path
        for part, left in (("meta", [QUESTIONS[2]]), ("msgs", [QUESTIONS[2]])):
            thread = b.site.ask(QUESTIONS[0]).thread
            b.site.ask(QUESTIONS[1], thread)
            call(redis, "DEL", "aa:{%s}:%s" % (thread, part))
            equal(b.site.chat(QUESTIONS[2], thread).status, 200, "without " + part)
            said = stored(redis, thread)
            whole(said, QUESTIONS)
            equal([t for r, t in said if r == "user"], left, "questions after %s was evicted" % part)


def test_a_user_with_the_rights_that_the_documentation_lists():
    """The ACL line of doc/redis.md is enough for turns, logs of runs, followers, threads and deletion."""
    with open(os.path.join(ROOT, "doc", "redis.md"), encoding="utf-8") as f:
        line = re.search(r"ACL SETUSER (aviation on >PASSWORD .*)", f.read()).group(1)
    with Site("redis", start=False) as site:
        site.redis.start()
        call(site.redis.path, "ACL", "SETUSER", *line.split())
        call(site.redis.path, "ACL", "SETUSER", "default", "off")
        site.env["REDIS_URL"] = "unix://aviation:PASSWORD@" + site.redis.path
        worker = site.workers[0]
        worker.start()
        with Stream(site.port, question(QUESTIONS[0], "mine"), headers={"X-Stream-Ids": "1"},
                    ids=True) as s:
            run = s.head().header("X-Run-ID")
            last = list(s)[-1]
            equal(last.name, "done", "last event")
        check(b"event: done" in site.get(API + "/runs/%s/stream" % run).body, "the log of the run")
        equal(site.chat(QUESTIONS[1], "mine", headers={"Idempotency-Key": "0b7f6c1e-5d4a-4c57-9f0e-2a8f3c1d9e64"}).status, 200, "a turn with a key")
        for path in ("/threads/mine", "/threads/mine/messages", "/runs/" + run, "/sessions/" + last.data["session_id"]):
            equal(site.get(API + path).status, 200, path)
        equal(site.post(API + "/threads/mine/fork", {}).status // 100, 2, "fork")
        equal(site.request("DELETE", API + "/threads/mine").status // 100, 2, "delete")
        check("NOPERM" not in worker.log() and "does not let" not in worker.log(), worker.log()[-800:])


def test_the_password_is_changed():
    """WRONGPASS in the middle of the day: one clear line in the log, and no key or password in it."""
    with Bench() as b:
        redis = b.site.redis.path
        call(redis, "CONFIG", "SET", "requirepass", "Fliegenpilz")
        b.worker.term()
        b.worker.process.wait(10)
        b.worker.start()
        r = b.site.chat(QUESTIONS[0])
        equal(r.status, 503, "without a password")
        check("wants a password: put it into REDIS_URL" in b.worker.log(), b.worker.log()[-600:])
        check(b"password" not in r.body, "the client is told about passwords: %r" % r.body)
