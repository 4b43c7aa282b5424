"""Control of runs: one run a conversation, waiting for one's turn, cancel, Idempotency-Key."""

import json
import re
import sqlite3
import threading
import time

import harness
from harness import API, ROUTE, Provider, Site, Stream, check, equal, eventually, fcgi_post, question

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
    with Site(store, workers=2, AVIATION_AGENT_BUILTIN_FIRST_MS=int(4000 * harness.SLACK)) as site:
        with site.open(ROUTE, "t1") as s:
            s.until("tool_call_end")
            gone = Stream(site.port, question("airports near Paris", "t1", **QUEUE))
            eventually(lambda: waiting(site, "t1") == 1, "it waits")
            last = Background(site, "airports near Lyon", "t1", **QUEUE)
            eventually(lambda: waiting(site, "t1") == 2, "both wait")
            gone.leave()
            eventually(lambda: waiting(site, "t1") == 1, "who leaves is out before the turn ends", 2, 0.02)
            s.rest()
        equal(last.join().status, 200, "the other one")
        equal([m[1] for m in messages(site, "t1") if m[0] == "user"], [ROUTE, "airports near Lyon"], "history")


@rows(STORES)
def test_a_full_queue_and_too_long_a_wait(store):
    wait_s = int(3 * harness.SLACK)
    with Site(store, workers=2, AVIATION_AGENT_BUILTIN_FIRST_MS=2000 * wait_s, AVIATION_AGENT_QUEUE_MAX=2,
              AVIATION_AGENT_QUEUE_S=wait_s) as site:
        with site.open(ROUTE, "t1") as s:
            s.until("tool_call_end")
            waiters = [Background(site, "airports near Paris", "t1", path=path, **QUEUE)
                       for path in ("/chat", "/chat/stream")]
            eventually(lambda: waiting(site, "t1") == 2, "two wait")
            began = time.monotonic()
            r = site.chat(ROUTE, "t1", **QUEUE)
            equal((r.status, time.monotonic() - began < wait_s * 0.8), (409, True), "a full queue refuses at once")
            check("2 messages of this conversation wait" in r.json()["detail"] and s.header("X-Run-ID") in r.json()["detail"], r.json())
            for w in waiters:
                r = w.join()
                equal(r.status, 409, "after the wait")
                check("waited %d s" % wait_s in r.json()["detail"], r.json())
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
            check(time.monotonic() - one_busy < 20 * harness.SLACK, "the first turn")
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


# -- cancel --


def cancel(site, run, **kw):
    return site.request("POST", API + "/runs/%s/cancel" % run, **kw)


def run_state(site, run):
    return site.get(API + "/runs/" + run)


PHASES = [("silent", None), ("answer_silent", "tool_call_end"), ("slow_answer", "message")]


@rows([(store,) + phase for store in ("redis", "sqlite") for phase in PHASES])
def test_cancel_at_each_phase(store, case, wait_for):
    """From any worker a run stops within 100 ms: planning, at the tool, or writing."""
    with Provider("turn", case) as provider, Site(store, workers=4, model=provider, AVIATION_AGENT_LLM_FIRST_MS=60000) as site:
        took, closed = [], []
        for n in range(6):
            with site.open("%s [%s]" % (ROUTE, case), "t%d" % n) as s:
                if wait_for:
                    s.until(wait_for)
                else:
                    s.until(None)
                eventually(lambda: len(provider.requests(case)) >= n + 1, "the provider is asked")
                time.sleep(0.15)
                began = time.monotonic()
                r = cancel(site, s.header("X-Run-ID"))
                equal((r.status, r.json()["status"]), (200, "cancelled"), "the answer: %r" % r.body)
                turn = s.rest()
                took.append((turn.frames[-1].at + s.started - began) * 1000)
            equal(turn.names[-1], "done", "the last event")
            equal(turn.names.count("done"), 1, "one terminal event: %s" % turn.names)
            equal("error" in turn.names, False, "no error")
            done = turn.one("done")
            equal((done["status"], done["run_id"]), ("cancelled", s.header("X-Run-ID")), "done")
            request = provider.requests(case)[-1]
            closed.append((eventually(lambda: provider.closed(request), "the call to the model is closed", 15) - began) * 1000)
            # what was said is kept, and the conversation goes on
            got = messages(site, "t%d" % n)
            equal(got[0], ("user", "%s [%s]" % (ROUTE, case)), "question")
            if wait_for == "message":
                equal((len(got), got[1][1]), (2, turn.answer.strip() + " …"), "what was said")
            else:
                equal(len(got), 1, "no answer was begun")
            equal(run_state(site, done["run_id"]).json()["status"], "cancelled", "its state")
            equal(cancel(site, done["run_id"]).json()["status"], "cancelled", "cancelled again")
        took.sort()
        closed.sort()
        print("     %s %s: ended after %.1f ms (median), %.1f ms (worst); the model's connection closed after %.1f ms (worst)"
              % (store, case, took[len(took) // 2], took[-1], closed[-1]))
        check(took[len(took) // 2] < 300 * harness.SLACK, "ended after %s ms" % took)
        equal(site.ask(ROUTE + " [turn]", "t0").names[-1], "done", "the next turn")
        equal([e["metadata"].get("cancelled") for e in site.log_entries()][:6], [True] * 6, "conversation log")


@rows(STORES)
def test_cancel_of_a_plain_chat(store):
    with Provider("slow_answer") as provider, Site(store, workers=2, model=provider) as site:
        first = Background(site, ROUTE, "t1")

        def running():
            r = site.chat(ROUTE, "t1")
            return r.header("X-Run-ID") if r.status == 409 else None
        eventually(provider.requests, "it runs")
        run = eventually(running, "its run")
        eventually(lambda: [a for a in provider.requests() if a.kind == "formatter"], "it writes")
        time.sleep(0.5)
        equal(cancel(site, run).json()["status"], "cancelled", "cancel")
        r = first.join(5)
        body = r.json()
        equal((r.status, body["status"], body["run_id"]), (200, "cancelled", run), "the answer")
        check(body["answer"].startswith("word") and "error" not in body, r.body[:300])


@rows(STORES)
def test_cancel_while_it_waits(store):
    with Site(store, workers=2, AVIATION_AGENT_BUILTIN_FIRST_MS=int(4000 * harness.SLACK)) as site:
        with site.open(ROUTE, "t1") as s:
            s.until("tool_call_end")
            late = Background(site, "airports near Paris", "t1", **QUEUE)
            eventually(lambda: waiting(site, "t1") == 1, "it waits")
            run = waiting_run(site, "t1")
            equal(run_state(site, run).json()["status"], "queued", "its state")
            began = time.monotonic()
            equal(cancel(site, run).json()["status"], "cancelled", "cancel")
            r = late.join(5)
            check(late.ended - began < 2 * harness.SLACK, "it took %.2f s" % (late.ended - began))
            equal(r.status, 409, "the message that waited")
            check("cancelled" in r.json()["detail"], r.json())
            equal(waiting(site, "t1"), 0, "the queue")
            equal(s.rest().names[-1], "done", "the turn that runs is not disturbed")
        equal([m[1] for m in messages(site, "t1") if m[0] == "user"], [ROUTE], "history")


def waiting_run(site, thread):
    if site.redis:
        return site.redis.command("LINDEX", "aa:{%s}:queue" % thread, "0").split(b"\r\n")[1].decode().split(":")[0]
    with sqlite3.connect("file:%s/state/threads.db?mode=ro" % site.dir, uri=True) as db:
        return db.execute("SELECT run FROM waiters WHERE thread = ?", (thread,)).fetchone()[0]


@rows(STORES)
def test_log_of_a_message_that_got_no_turn(store):
    """Cancelled, or out of time, while it waited: its log has one terminal event all the same."""
    for how, names in (("cancelled", ["done"]), ("failed", ["message", "error", "done"])):
        with Site(store, workers=2, AVIATION_AGENT_BUILTIN_FIRST_MS=5000, AVIATION_AGENT_QUEUE_S=3) as site:
            with site.open(ROUTE, "t1") as s:
                s.until("tool_call_end")
                late = Background(site, "airports near Paris", "t1", {"X-Stream-Ids": "1"}, **QUEUE)
                eventually(lambda: waiting(site, "t1") == 1, "it waits")
                run = waiting_run(site, "t1")
                live = site.follow(run)
                equal(live.head().status, 200, "a follower while it waits")
                if how == "cancelled":
                    equal(cancel(site, run).json()["status"], "cancelled", "cancel")
                equal(late.join(10).status, 409, "the message that waited")
                for follower in (live, site.follow(run)):
                    events = [f for f in follower if f.name]
                    equal([f.name for f in events], names, "events")
                    equal(events[-1].data["metadata"]["saved"], False, "saved in done")
                equal(site.get(API + "/runs/%s/stream?after=%d" % (run, len(names))).status, 204, "behind the end")
                equal(run_state(site, run).json()["status"], how, "status")


@rows(STORES)
def test_cancel_after_the_end_and_of_nothing(store):
    with Site(store, workers=2) as site:
        done = site.ask(ROUTE).one("done")
        for _ in range(2):
            r = cancel(site, done["run_id"])
            equal((r.status, r.json()), (200, {"run_id": done["run_id"], "thread_id": done["thread_id"], "status": "done"}), "after the end")
        other = site.get("/nothing-here")
        for run in ("6f1c2b1e-5a77-4d0c-9d34-0f6a8f1f7c11", "x", "%00", "..%2f..", "a" * 400, "%F0%9F%98%80", "*"):
            r = cancel(site, run)
            check(r.status in (404, 400), "%s: %d" % (run[:20], r.status))
            if r.status == 404 and r.header("Content-Type") == "application/json":
                equal(r.json(), {"detail": "Not Found"}, run[:20])
        equal(other.status, 404, "an unknown path")
        equal(site.get(API + "/runs/%s/cancel" % done["run_id"]).status, 405, "GET")


def test_cancel_of_another_users_run():
    with Site(AVIATION_AGENT_BUILTIN_FIRST_MS=1500) as site:
        def post(path, user, body=b""):
            return fcgi_post(site, path, body, user)
        turn = threading.Thread(target=lambda: post("/chat", "alice", json.dumps(question(ROUTE, "t1")).encode()), daemon=True)
        turn.start()

        def holder():
            status, head, _ = post("/chat", "alice", json.dumps(question(ROUTE, "t1")).encode())
            m = re.search(rb"X-Run-ID: (\S+)", head)
            return m.group(1).decode() if status == 409 else None
        eventually(lambda: site.get("/health").json()["chats"]["active"] == 1, "alice's turn runs")
        run = eventually(holder, "alice's run")
        for user in ("bob", None):
            equal(post("/runs/%s/cancel" % run, user)[0], 404, "%s cancels alice's run" % user)
        status, _, body = post("/runs/%s/cancel" % run, "alice")
        equal((status, json.loads(body)["status"]), (200, "cancelled"), "alice")
        turn.join(10)


# -- Idempotency-Key --

UUID = "0b8f6c1e-53a1-4b5c-9d0b-7d4f9a2a6f10"


SESSION, OTHER_SESSION = "session_6f1c2b1e5a774d0c9d340f6a8f1f7c11", "session_0fe9c2d1b3a4958677869504a3b2c1d0"


def keyed(key, session=SESSION):
    return {k: v for k, v in (("Idempotency-Key", key), ("X-Session-ID", session)) if v}


def said(turn):
    """The events of a turn, without what the transport adds."""
    return [(e.name, e.data) for e in turn.events]


@rows(STORES)
def test_the_same_request_again(store):
    """The same key and body: one turn, the same answer, at any worker and on both endpoints."""
    with Site(store, workers=4) as site:
        body = question(ROUTE, "t1")
        first = Stream(site.port, body, headers=keyed("k1")).rest()
        again = [Stream(site.port, body, headers=keyed("k1")).rest() for _ in range(4)]
        for turn in again:
            equal(said(turn), said(first), "the same events")
            equal(turn.stream.header("Idempotency-Replayed"), "true", "header")
            equal(turn.stream.header("X-Run-ID"), first.one("done")["run_id"], "run")
        plain = site.post(API + "/chat", body, headers=keyed("k1"))
        equal((plain.status, plain.json()["run_id"]), (200, first.one("done")["run_id"]), "as one object")
        equal(plain.json()["answer"], first.one("final_answer")["state"]["final_answer"], "answer")
        equal(plain.json()["planner_meta"], first.plan, "plan")
        equal(len(messages(site, "t1")), 2, "one turn is kept")
        # and the other way round
        body = question("airports near Paris")
        one = site.post(API + "/chat", body, headers=keyed("k2"))
        two = site.post(API + "/chat", body, headers=keyed("k2"))
        equal((two.status, two.json()), (200, one.json()), "the same JSON answer")
        turn = Stream(site.port, body, headers=keyed("k2")).rest()
        equal(turn.one("done")["run_id"], one.json()["run_id"], "streamed")


@rows(STORES)
def test_a_live_run_is_joined(store):
    with Site(store, workers=4, AVIATION_AGENT_BUILTIN_FIRST_MS=700, AVIATION_AGENT_BUILTIN_PIECE_MS=20) as site:
        body = question(ROUTE, "t1")
        with Stream(site.port, body, headers=keyed("k1")) as one:
            one.until("tool_call_end")
            two = Stream(site.port, body, headers=keyed("k1"))
            plain = Background(site, ROUTE, "t1", headers=keyed("k1"))
            first = one.rest()
            equal(said(two.rest()), said(first), "the second reader's events")
            equal(plain.join().json()["run_id"], first.one("done")["run_id"], "as one object")
        equal(len(messages(site, "t1")), 2, "one turn")


@rows(STORES)
def test_two_at_once_make_one_run(store):
    with Site(store, workers=4) as site:
        for n in range(5):
            all_ = [Background(site, "airports near Lyon", None, headers=keyed("k%d" % n),
                               path=("/chat", "/chat/stream")[i % 2]) for i in range(6)]
            runs = {b.join().header("X-Run-ID") for b in all_}
            equal([b.response.status for b in all_], [200] * 6, "statuses")
            equal(len(runs), 1, "runs")
        equal(len(site.log_entries()), 5, "turns in the conversation log")


@rows(STORES)
def test_the_first_client_goes_and_asks_again(store):
    """What the key is for: the connection broke, the same request gets the whole answer."""
    with Site(store, workers=2, AVIATION_AGENT_BUILTIN_FIRST_MS=500, AVIATION_AGENT_BUILTIN_PIECE_MS=10) as site:
        body = question(ROUTE, "t1")
        s = Stream(site.port, body, headers=keyed(UUID, None))
        s.until("tool_call_end")
        run = s.header("X-Run-ID")
        s.leave(True)
        turn = Stream(site.port, body, headers=keyed(UUID, None)).rest()
        equal((turn.one("done")["run_id"], "status" in turn.one("done")), (run, False), "the same run, to its end")
        check(len(turn.answer) > 50, turn.answer)
        equal(len(messages(site, "t1")), 2, "one turn")


@rows(STORES)
def test_a_stopping_worker_sends_repeated_requests_on(store):
    """A worker that stops does not wait for a turn of another worker, and the request can be sent again elsewhere."""
    with Site(store, workers=2, AVIATION_AGENT_BUILTIN_FIRST_MS=7000) as site:
        body = json.dumps(question(ROUTE, "t1")).encode()
        got = {}

        def send(name, path, worker):
            def run():
                got[name] = fcgi_post(site, path, body, "anna", "k1", worker)
            t = threading.Thread(target=run, daemon=True)
            t.start()
            return t
        first = send("first", "/chat", 0)
        time.sleep(0.5 * harness.SLACK)
        again = [send("stream", "/chat/stream", 1), send("plain", "/chat", 1)]
        time.sleep(0.7 * harness.SLACK)
        check(not got, "an answer came too early: %r" % got)
        began = time.monotonic()
        site.workers[1].term()
        equal(site.workers[1].process.wait(5 * harness.SLACK), 0, "exit status")
        check(time.monotonic() - began < 3 * harness.SLACK, "it waited for the turn of another worker")
        for t in again:
            t.join(5 * harness.SLACK)
        status, head, text = got["stream"]
        check(status == 200 and b"Idempotency-Replayed: true" in head, "stream: %d %r" % (status, head))
        check(b"event: plan" in text and b"event: done" not in text and text.endswith(b"\nretry: 1000\n\n"), "stream: %r" % text[-300:])
        status, head, text = got["plain"]
        check(status == 503 and b"Retry-After: " in head, "plain: %d %r" % (status, head))
        status, _, text = fcgi_post(site, "/chat", body, "anna", "k1", 0)
        first.join(20 * harness.SLACK)
        equal((status, json.loads(text)), (200, json.loads(got["first"][2])), "sent again, to the other worker")


@rows(STORES)
def test_another_body_or_owner(store):
    with Site(store, workers=2) as site:
        equal(site.post(API + "/chat", question(ROUTE), headers=keyed("k1")).status, 200, "first")
        for path in ("/chat", "/chat/stream"):
            r = site.post(API + path, question("airports near Paris"), headers=keyed("k1"))
            equal((r.status, list(r.json())), (409, ["detail"]), path)
            check("another request" in r.json()["detail"], r.json())
        first = site.post(API + "/chat", question(ROUTE), headers=keyed("k1")).json()
        other = site.post(API + "/chat", question(ROUTE), headers=keyed("k1", OTHER_SESSION)).json()
        check(first["run_id"] != other["run_id"], "another session has keys of its own")
        # users have keys of their own, whatever the session
        body = json.dumps(question(ROUTE)).encode()
        runs = set()
        for user in ("alice", "bob", "alice"):
            status, head, text = fcgi_post(site, "/chat", body, user, "k1")
            equal(status, 200, user)
            runs.add(json.loads(text)["run_id"])
        equal(len(runs), 2, "runs of two users")


@rows(STORES)
def test_a_refused_request_frees_its_key(store):
    with Site(store, workers=2, AVIATION_AGENT_BUILTIN_FIRST_MS=1000) as site:
        with site.open(ROUTE, "t1") as s:
            s.until("tool_call_end")
            equal(site.chat("airports near Paris", "t1", headers=keyed("k1")).status, 409, "busy")
            s.rest()
        r = site.chat("airports near Lyon", "t1", headers=keyed("k1"))
        equal(r.status, 200, "the key is free, for any body: %r" % r.body[:200])
        equal(site.post(API + "/chat", {"messages": []}, headers=keyed("k2")).status, 422, "a bad body")
        equal(site.chat(ROUTE, headers=keyed("k2")).status, 200, "leaves the key alone")


@rows(STORES)
def test_killed_with_a_key(store):
    """The first worker is killed while it waits between claim and begin, then while it runs."""
    with Site(store, workers=2, start=False, AVIATION_AGENT_LEASE_S=6, AVIATION_AGENT_BUILTIN_FIRST_MS=3000) as site:
        if site.redis:
            site.redis.start()
        one, two = site.workers
        one.start()
        with site.open(ROUTE, "t1") as s:                  # holds the conversation in worker 1
            s.until("tool_call_end")
            two.start()
            lost = Stream(site.port, question("airports near Paris", "t1", **QUEUE), headers=keyed("k1"))
            eventually(lambda: waiting(site, "t1") == 1, "it has the key and waits")
            two.kill9()
            lost.leave()
            s.rest()
        two.start()
        began = time.monotonic()
        r = site.chat("airports near Lyon", "t2", headers=keyed("k2"))
        equal(r.status, 200, "another key")
        r = site.post(API + "/chat", question("airports near Paris", "t1", **QUEUE), headers=keyed("k1"))
        equal(r.status, 200, "the key is not stuck: %r" % r.body[:200])
        check(time.monotonic() - began < 20 * harness.SLACK, "after %.1f s" % (time.monotonic() - began))
        equal(len([m for m in messages(site, "t1") if m[1] == "airports near Paris"]), 1, "one turn of it")


@rows(STORES)
def test_killed_after_the_turn_began(store):
    """The turn has failed, and its key says so, at once after its lease: one end, no second turn."""
    with Site(store, workers=2, start=False, AVIATION_AGENT_LEASE_S=3, AVIATION_AGENT_BUILTIN_FIRST_MS=8000) as site:
        if site.redis:
            site.redis.start()
        one, two = site.workers
        one.start()
        body = question(ROUTE, "t1")
        with Stream(site.port, body, headers=keyed("k1")) as s:
            s.until("tool_call_end")
            time.sleep(0.5)                                # the log is written in groups
            two.start()
            one.kill9()
            began = time.monotonic()
            turn = Stream(site.port, body, headers=keyed("k1")).rest()
            check(time.monotonic() - began < 20 * harness.SLACK, "it ended after %.1f s" % (time.monotonic() - began))
        equal((turn.names[0], turn.names[-2:]), ("plan", ["error", "done"]), "what was said, and one end")
        equal(turn.one("done")["status"], "failed", "done")
        r = site.post(API + "/chat", body, headers=keyed("k1"))
        equal((r.status, r.json()["error"]["code"], r.json()["run_id"]), (200, "worker_lost", turn.one("done")["run_id"]),
              "as one object: %r" % r.body[:300])


@rows(STORES)
def test_a_cancelled_turn_with_a_key(store):
    with Site(store, workers=2, AVIATION_AGENT_BUILTIN_FIRST_MS=5000) as site:
        body = question(ROUTE, "t1")
        with Stream(site.port, body, headers=keyed("k1")) as s:
            s.until("tool_call_end")
            two = Stream(site.port, body, headers=keyed("k1"))
            two.until("tool_call_end")
            equal(cancel(site, s.header("X-Run-ID")).json()["status"], "cancelled", "cancel")
            for reader in (s, two):
                turn = reader.rest()
                equal((turn.names.count("done"), turn.one("done")["status"]), (1, "cancelled"), "each reader is told once")
        r = site.post(API + "/chat", body, headers=keyed("k1"))
        equal((r.status, r.json()["status"]), (200, "cancelled"), "later")


# -- repair --


def damage(site, thread, rows_):
    """Store messages behind the conversation as an agent would that was cut: (role, content, call id, calls)."""
    if site.redis:
        for role, content, call, calls in rows_:
            value = "%s\n%s\0%016x\0%016d\0%s\0%s" % (role, content, 7, 0, call, calls)
            site.redis.command("RPUSH", "aa:{%s}:msgs" % thread, value)
            site.redis.command("HINCRBY", "aa:{%s}:meta" % thread, "bytes", str(len(value)))
        return
    with sqlite3.connect("%s/state/threads.db" % site.dir) as db:
        (key, n), = db.execute("SELECT key, nmessages FROM threads WHERE id = ?", (thread,)).fetchall()
        for i, (role, content, call, calls) in enumerate(rows_):
            db.execute("INSERT INTO messages (thread, seq, role, content, id, call_id, calls, time_us) VALUES (?,?,?,?,?,?,?,0)",
                       (key, n + i, role, content, "%016x" % (7 + i), call, calls))
        db.execute("UPDATE threads SET nmessages = nmessages + ? WHERE key = ?", (len(rows_), key))


CALLS = json.dumps([{"id": "c1", "name": "search_airports", "arguments": "{}"}, {"id": "c2", "name": "search_airports", "arguments": "{}"}])


@rows([(store, what) for store in ("sqlite", "redis") for what in ("no results", "one result", "no call")])
def test_a_damaged_conversation_goes_on(store, what):
    """The provider of these tests refuses a conversation in which a call has no result, as strict ones do."""
    rows_ = {"no results": [("user", "and then?", "", ""), ("assistant", "", "", CALLS)],
             "one result": [("user", "and then?", "", ""), ("assistant", "", "", CALLS), ("tool", "{}", "c2", "")],
             "no call": [("user", "and then?", "", ""), ("tool", "{}", "c9", "")]}[what]
    with Provider("turn") as provider, Site(store, model=provider) as site:
        site.ask(ROUTE, "t1")
        damage(site, "t1", rows_)
        for n in range(2):
            turn = site.ask(ROUTE, "t1")
            check("error" not in turn.names and "degraded" not in turn.one("done")["metadata"], turn.names)
            equal(len(messages(site, "t1")), 2 + len(rows_) + 2 * (n + 1), "nothing is stored that was not said")


@rows([("x" * 128, 200), ("x" * 129, 431), ("x" * 4000, 431), ("ü" * 60, 200), ("a b", 200), ("a\tb", 400), ("a/b:c{d}", 200),
       ("x" * 20000, 400), ("x" * 1000000, 400)])
def test_odd_keys(key, expected):
    with Site() as site:
        try:
            r = site.chat(ROUTE, headers={"Idempotency-Key": key.encode().decode("latin-1"), "X-Session-ID": SESSION})
        except (BrokenPipeError, ConnectionResetError):
            check(len(key) > 8000, "the connection broke")     # nginx does not read a header of 1 MB to its end
            return
        equal(r.status, expected, "a key of %d characters" % len(key))
        if expected == 431:
            check("Idempotency-Key is longer than 128 bytes" in r.json()["detail"], r.json())
        equal(site.chat(ROUTE).status, 200, "the next request")


def test_a_key_without_user_and_session_must_be_a_secret():
    with Site() as site:
        r = site.chat(ROUTE, headers={"Idempotency-Key": "1"})
        equal(r.status, 422, "a short key")
        fault, = r.json()["detail"]
        equal(fault["loc"], ["header", "Idempotency-Key"], "loc")
        check("22" in fault["msg"] and "session_id" in fault["msg"], fault["msg"])
        one = site.chat(ROUTE, headers={"Idempotency-Key": UUID})
        two = site.chat(ROUTE, headers={"Idempotency-Key": UUID})
        equal((one.status, two.json()), (200, one.json()), "a UUID")
        r = site.post(API + "/chat", question(ROUTE, session_id="demo"), headers={"Idempotency-Key": "1"})
        equal(r.status, 422, "a short key of a session that anybody can name")
        body = question(ROUTE, session_id=SESSION)
        one = site.post(API + "/chat", body, headers={"Idempotency-Key": "1"})
        two = site.post(API + "/chat", body, headers={"Idempotency-Key": "1"})
        equal((one.status, two.json()), (200, one.json()), "a session in the body")


def test_a_conversation_of_another_agent():
    """It is as unknown as any other, with and without waiting for it."""
    with Site("redis") as site:
        equal(site.chat(ROUTE, "t1").status, 200, "a turn")
        site.redis.command("HSET", "aa:{t1}:meta", "agent", "onboarding")
        for more in ({}, QUEUE):
            r = site.chat(ROUTE, "t1", **more)
            equal((r.status, r.json()), (404, {"detail": "Not Found"}), "another agent's")
        r = site.post(API + "/chat", question(ROUTE, "t1"), headers=keyed("k1"))
        equal(r.status, 404, "with a key")
        site.redis.command("HSET", "aa:{t1}:meta", "agent", "aviation")
        equal(site.post(API + "/chat", question(ROUTE, "t1"), headers=keyed("k1")).status, 200, "the key was free")
