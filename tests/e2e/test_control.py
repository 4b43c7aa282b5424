"""Control of runs: one run a conversation, waiting for one's turn."""

import sqlite3
import threading
import time

from harness import API, ROUTE, Site, Stream, check, equal, eventually, question

STORES = [("sqlite",), ("redis",)]
QUEUE = {"multitask_strategy": "enqueue"}


def rows(values):
    def mark(fn):
        fn.rows = values
        return fn
    return mark


def messages(site, thread):
    """The conversation as it is stored: [(role, content), …]."""
    if site.redis:
        # as texts between the lengths of the reply; a message is "role\ncontent\0…"
        reply = site.redis.command("LRANGE", "aa:{%s}:msgs" % thread, "0", "-1")
        out, at = [], reply.find(b"\r\n") + 2
        while at < len(reply):
            end = reply.find(b"\r\n", at)
            size = int(reply[at + 1:end])
            role, rest = reply[end + 2:end + 2 + size].split(b"\n", 1)
            out.append((role.decode(), rest.split(b"\0", 1)[0].decode()))
            at = end + 2 + size + 2
        return out
    with sqlite3.connect("file:%s/state/threads.db?mode=ro" % site.dir, uri=True) as db:
        return db.execute("SELECT m.role, m.content FROM messages m JOIN threads t ON t.key = m.thread "
                          "WHERE t.id = ? ORDER BY m.seq", (thread,)).fetchall()


def waiting(site, thread):
    if site.redis:
        return int(site.redis.command("LLEN", "aa:{%s}:queue" % thread)[1:])
    with sqlite3.connect("file:%s/state/threads.db?mode=ro" % site.dir, uri=True) as db:
        return db.execute("SELECT count(*) FROM waiters WHERE thread = ?", (thread,)).fetchone()[0]


class Background:
    """A chat in a thread of its own; `response` when it has ended."""

    def __init__(self, site, text, thread, headers=None, path="/chat", **more):
        self.response, self.ended = None, None

        def run():
            self.response = site.post(API + path, question(text, thread, **more), headers=headers)
            self.ended = time.monotonic()
        self.thread = threading.Thread(target=run, daemon=True)
        self.thread.start()

    def join(self, seconds=60):
        self.thread.join(seconds)
        check(self.response is not None, "no answer within %d s" % seconds)
        return self.response


# -- one run a conversation --


def test_a_refusal_names_the_run():
    with Site(AVIATION_AGENT_BUILTIN_FIRST_MS=2500) as site:
        with site.open(ROUTE, "t1") as s:
            s.until("tool_call_end")
            time.sleep(1.1)
            for path in ("/chat", "/chat/stream"):
                r = site.post(API + path, question(ROUTE, "t1"))
                equal(r.status, 409, path)
                equal(list(r.json()), ["detail"], "shape of the body")
                check(isinstance(r.json()["detail"], str), "detail is no text")
                check(s.header("X-Run-ID") in r.json()["detail"], r.json()["detail"])
                check(" 1 s ago" in r.json()["detail"] or " 2 s ago" in r.json()["detail"], r.json()["detail"])
                equal(r.header("X-Run-ID"), s.header("X-Run-ID"), "the run that has the conversation")
                check(r.header("Retry-After").isdigit(), "Retry-After")
            turn = s.rest()
            equal(turn.one("done")["run_id"], s.header("X-Run-ID"), "the stream's own header")


@rows(STORES + [("memory",)])
def test_enqueue_waits_for_its_turn(store):
    with Site(store, AVIATION_AGENT_BUILTIN_FIRST_MS=600) as site:
        with site.open(ROUTE, "t1") as s:
            s.until("tool_call_end")
            second = Background(site, "airports near Paris", "t1", **QUEUE)
            time.sleep(0.1)
            # one that does not wait is refused, also in between
            equal(site.chat(ROUTE, "t1").status, 409, "reject")
            equal(s.rest().names[-1], "done", "the first turn")
        equal(second.join().status, 200, "the second turn")
        equal(site.chat("airports near Lyon", "t1", **QUEUE).status, 200, "a free conversation")
        if store != "memory":
            equal([m[1] for m in messages(site, "t1") if m[0] == "user"],
                  [ROUTE, "airports near Paris", "airports near Lyon"], "history")


def test_enqueue_as_the_sites_choice():
    with Site(AVIATION_AGENT_BUILTIN_FIRST_MS=500, AVIATION_AGENT_MULTITASK_STRATEGY="enqueue") as site:
        with site.open(ROUTE, "t1") as s:
            s.until("tool_call_end")
            second = Background(site, "airports near Paris", "t1")
            equal(site.chat(ROUTE, "t1", multitask_strategy="reject").status, 409, "a request that rejects")
            s.rest()
        equal(second.join().status, 200, "the second turn")


@rows([("redis", 4, "enqueue"), ("redis", 4, "reject"), ("redis", 2, "enqueue"), ("sqlite", 4, "enqueue"),
       ("sqlite", 4, "reject")])
def test_a_hammered_conversation_is_a_serial_history(store, workers, strategy):
    """Two clients (and two more) send as fast as they can, through all workers."""
    clients, each = 4, 5
    with Site(store, workers=workers, AVIATION_AGENT_QUEUE_S=60) as site:
        texts = {}

        def client(n):
            texts[n] = []
            for i in range(each):
                text = "airports near %s within %d nm" % (("Paris", "Lyon", "London", "Bern")[n], 20 + i)
                for _ in range(600):
                    r = site.chat(text, "busy", multitask_strategy=strategy)
                    if r.status != 409:
                        break
                    time.sleep(0.02)
                check(r.status == 200, "client %d: %d %r" % (n, r.status, r.body[:200]))
                texts[n].append((text, r.json()["answer"]))
        threads = [threading.Thread(target=client, args=(n,)) for n in range(clients)]
        for t in threads:
            t.start()
        for t in threads:
            t.join(120)
        equal(sorted(len(v) for v in texts.values()), [each] * clients, "turns of each client")
        got = messages(site, "busy")
        equal([m[0] for m in got], ["user", "assistant"] * (clients * each), "roles")
        pairs = [(got[i][1], got[i + 1][1]) for i in range(0, len(got), 2)]
        # every turn once, with its own answer, and each client's in the order in which they were sent
        for n in range(clients):
            equal([p for p in pairs if p in texts[n]], texts[n], "the turns of client %d" % n)
        equal(waiting(site, "busy"), 0, "nobody waits any more")


@rows([("sqlite",), ("redis",)])
def test_first_come_first_served_across_workers(store):
    with Site(store, workers=4, AVIATION_AGENT_BUILTIN_FIRST_MS=700) as site:
        cities = ["Paris", "Lyon", "London", "Bern", "Nantes", "Dijon"]
        with site.open(ROUTE, "t1") as s:
            s.until("tool_call_end")
            clients = []
            for n, city in enumerate(cities):
                clients.append(Background(site, "airports near " + city, "t1", **QUEUE))
                eventually(lambda: waiting(site, "t1") == n + 1, "client %d waits" % n)
            s.rest()
        for c in clients:
            equal(c.join().status, 200, "status")
        equal([m[1] for m in messages(site, "t1") if m[0] == "user"],
              [ROUTE] + ["airports near " + c for c in cities], "order")


@rows(STORES)
def test_a_departed_client_leaves_the_queue(store):
    with Site(store, workers=2, AVIATION_AGENT_BUILTIN_FIRST_MS=1500) as site:
        with site.open(ROUTE, "t1") as s:
            s.until("tool_call_end")
            gone = Stream(site.port, question("airports near Paris", "t1", **QUEUE))
            eventually(lambda: waiting(site, "t1") == 1, "it waits")
            last = Background(site, "airports near Lyon", "t1", **QUEUE)
            eventually(lambda: waiting(site, "t1") == 2, "both wait")
            gone.leave()
            eventually(lambda: waiting(site, "t1") == 1, "who leaves is out at once", 0.7, 0.02)
            s.rest()
        equal(last.join().status, 200, "the other one")
        equal([m[1] for m in messages(site, "t1") if m[0] == "user"], [ROUTE, "airports near Lyon"], "history")


@rows(STORES)
def test_a_full_queue_and_too_long_a_wait(store):
    with Site(store, workers=2, AVIATION_AGENT_BUILTIN_FIRST_MS=4000, AVIATION_AGENT_QUEUE_MAX=2,
              AVIATION_AGENT_QUEUE_S=1) as site:
        with site.open(ROUTE, "t1") as s:
            s.until("tool_call_end")
            waiters = [Background(site, "airports near Paris", "t1", path=path, **QUEUE)
                       for path in ("/chat", "/chat/stream")]
            eventually(lambda: waiting(site, "t1") == 2, "two wait")
            began = time.monotonic()
            r = site.chat(ROUTE, "t1", **QUEUE)
            equal((r.status, time.monotonic() - began < 0.7), (409, True), "a full queue refuses at once")
            check("2 more messages" in r.json()["detail"] and s.header("X-Run-ID") in r.json()["detail"], r.json())
            for w in waiters:
                r = w.join()
                equal(r.status, 409, "after the wait")
                check("waited 1 s" in r.json()["detail"], r.json())
                check(r.header("Retry-After").isdigit(), "Retry-After")
            equal(waiting(site, "t1"), 0, "nobody waits")
            equal(s.rest().names[-1], "done", "the turn")
        equal([m[0] for m in messages(site, "t1")], ["user", "assistant"], "nothing of the refused ones is kept")


@rows(STORES)
def test_a_killed_worker_does_not_block_those_behind(store):
    """The worker of the first waiter is killed: its place is lost after a third of the lease."""
    with Site(store, workers=3, start=False, AVIATION_AGENT_LEASE_S=6, AVIATION_AGENT_BUILTIN_FIRST_MS=2500) as site:
        if site.redis:
            site.redis.start()
        one, two, three = site.workers
        one.start()
        with site.open(ROUTE, "t1") as s:
            s.until("tool_call_end")
            one_busy = time.monotonic()
            two.start()
            lost = Stream(site.port, question("airports near Paris", "t1", **QUEUE))
            eventually(lambda: waiting(site, "t1") == 1, "the first waits")
            three.start()
            last = None
            while last is None or waiting(site, "t1") < 2:
                last = Background(site, "airports near Lyon", "t1", **QUEUE)
                eventually(lambda: waiting(site, "t1") >= 2, "the second waits", 2)
            # who holds which connection? least_conn gave one to each
            two.kill9()
            s.rest()
            check(time.monotonic() - one_busy < 5, "the first turn")
        equal(last.join(20).status, 200, "the one behind")
        lost.leave()
        users = [m[1] for m in messages(site, "t1") if m[0] == "user"]
        equal((users[0], users[-1]), (ROUTE, "airports near Lyon"), "history")


def test_the_process_ends_while_a_message_waits():
    with Site(workers=2, start=False, AVIATION_AGENT_GRACE_S=0, AVIATION_AGENT_BUILTIN_FIRST_MS=4000) as site:
        one, two = site.workers
        one.start()
        with site.open(ROUTE, "t1") as s:
            s.until("tool_call_end")
            two.start()
            late = Background(site, "airports near Paris", "t1", **QUEUE)
            eventually(lambda: waiting(site, "t1") == 1, "it waits")
            two.term()
            r = late.join(10)
            equal(r.status, 503, "the worker ends: %r" % r.body[:200])
            check(r.header("Retry-After").isdigit(), "Retry-After")
            equal(waiting(site, "t1"), 0, "it is out of the queue")
            s.leave()


@rows([(v,) for v in ("interrupt", "REJECT", "", 7, [], {"a": 1}, True)])
def test_a_wrong_strategy(value):
    with Site() as site:
        r = site.chat(ROUTE, "t1", multitask_strategy=value)
        equal(r.status, 422, repr(value))
        fault, = r.json()["detail"]
        equal((fault["type"], fault["loc"], fault["ctx"]),
              ("literal_error", ["body", "multitask_strategy"], {"expected": "'reject' or 'enqueue'"}), "fault")
        equal(site.chat(ROUTE, "t1", multitask_strategy=None).status, 200, "null is absent")
