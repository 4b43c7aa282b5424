"""Conversations: any worker continues them, one turn at a time, through kills and outages."""

import json
import os
import sqlite3
import time

import harness
from harness import API, ROUTE, Failure, Site, check, equal, eventually, question, small_disk

STORES = [("sqlite",), ("redis",)]
GOLDEN_FOLLOW_UP = "and only with a hard runway?"


def rows(values):
    def mark(fn):
        fn.rows = values
        return fn
    return mark


def follow_up(turn, first):
    """The second turn is the first one's route with one more filter."""
    equal(turn.thread, first.thread, "thread")
    equal(turn.plan["selected_tool"], "find_airports_near_route", "tool of the follow-up")
    args = turn.plan["arguments"]
    equal((args["from_location"], args["to_location"]), ("EGTF", "LFMD"), "route of the follow-up")
    equal(args.get("filters", {}).get("has_hard_runway"), True, "filter of the follow-up")


@rows(STORES)
def test_another_worker_continues(store):
    """Turn 1 on worker 1, which is then killed with -9; turn 2 on worker 2, a new process."""
    with Site(store, workers=2, start=False) as site:
        if site.redis:
            site.redis.start()
        one, two = site.workers
        one.start()
        first = site.ask(ROUTE)
        one.kill9()
        two.start()
        second = site.ask(GOLDEN_FOLLOW_UP, first.thread)
        follow_up(second, first)
        check("LFPZ" not in second.airports, "a grass airfield passed the filter")
        # and back again, with both alive
        one.start()
        third = site.chat("Tell me more about LFMD", first.thread).json()
        equal(third["thread_id"], first.thread, "thread of the third turn")
        equal(third["planner_meta"]["selected_tool"], "get_airport_details", "tool of the third turn")


@rows(STORES)
def test_workers_share_a_thread_turn_by_turn(store):
    """Six turns, spread over three workers as nginx likes, are one conversation."""
    with Site(store, workers=3) as site:
        first = site.ask(ROUTE)
        for i in range(5):
            r = site.ask(GOLDEN_FOLLOW_UP if i % 2 == 0 else "and within 40 nm?", first.thread)
            equal(r.thread, first.thread, "thread")
            equal(r.plan["selected_tool"], "find_airports_near_route", "turn %d" % (i + 2))


@rows(STORES + [("memory",)])
def test_busy_thread(store):
    with Site(store, AVIATION_AGENT_BUILTIN_FIRST_MS=1500) as site:
        with site.open(ROUTE, "busy-one") as s:
            s.until("tool_call_end")
            for path in ("/chat", "/chat/stream"):
                r = site.post(API + path, question(ROUTE, "busy-one"))
                equal(r.status, 409, path)
                equal(list(r.json()), ["detail"], "body")
                retry = r.header("Retry-After")
                check(retry and retry.isdigit() and 1 <= int(retry) <= 15, "Retry-After: %s" % retry)
            equal(site.post(API + "/chat", question(ROUTE, "another-one")).status, 200, "another thread")
            equal(s.rest().names[-1], "done", "the turn that runs is not disturbed")
        equal(site.post(API + "/chat", question(ROUTE, "busy-one")).status, 200, "free again")


@rows(STORES)
def test_busy_on_another_worker(store):
    with Site(store, workers=2, start=False, AVIATION_AGENT_BUILTIN_FIRST_MS=2000) as site:
        if site.redis:
            site.redis.start()
        site.workers[0].start()
        with site.open(ROUTE, "busy-two") as s:
            s.until("tool_call_end")
            site.workers[1].start()
            seen = []
            for _ in range(6):                  # least_conn sends these to the free worker
                seen.append(site.post(API + "/chat", question(ROUTE, "busy-two")).status)
            equal(set(seen), {409}, "statuses while it runs")
            equal(s.rest().names[-1], "done", "the turn that runs")


@rows(STORES)
def test_killed_in_the_middle_of_a_turn(store):
    """A worker killed while it answers: nothing that was committed is lost, and the thread can
    be used again within the lease."""
    with Site(store, workers=2, start=False, AVIATION_AGENT_LEASE_S=3) as site:
        if site.redis:
            site.redis.start()
        one, two = site.workers
        one.start()
        first = site.ask(ROUTE)
        stop_slow = dict(site.env)
        one.term()
        one.process.wait(10)
        site.env = dict(stop_slow, AVIATION_AGENT_BUILTIN_FIRST_MS="20000")
        one.start()
        with site.open("Find airports near Paris", first.thread) as s:
            s.until("tool_call_end")
            one.kill9()
            site.env = stop_slow
            two.start()
            started = time.monotonic()

            def again():
                r = site.chat(GOLDEN_FOLLOW_UP, first.thread)
                return r.json() if r.status == 200 else None if r.status in (409, 503) else _fail(r)
            body = eventually(again, "the thread is free", 20, 0.2)
            check(time.monotonic() - started < 15, "after %.1f s" % (time.monotonic() - started))
        equal(body["planner_meta"]["selected_tool"], "find_airports_near_route", "the first turn is remembered")
        equal(body["planner_meta"]["arguments"]["from_location"], "EGTF", "its route")


def _fail(r):
    raise Failure("status %d %r" % (r.status, r.body[:200]))


@rows(STORES)
def test_reader_leaves(store):
    """A reader who hangs up ends the turn at once: the thread is free, and the question is kept."""
    with Site(store, AVIATION_AGENT_BUILTIN_FIRST_MS=8000, AVIATION_AGENT_LEASE_S=15) as site:
        for reset in (False, True):
            thread = "left-%s" % reset
            with site.open(ROUTE, thread) as s:
                s.until("tool_call_end")
                s.leave(reset)
            started = time.monotonic()

            def active():
                return site.get("/health").json()["chats"]["active"]
            eventually(lambda: active() == 0, "the turn of a reader who left ends", 4)
            check(time.monotonic() - started < 4, "it took %.2f s" % (time.monotonic() - started))
        entries = site.log_entries()
        equal([e["question"] for e in entries], [ROUTE, ROUTE], "cancelled turns are logged")
    with Site(store) as site:                          # the thread goes on after such an end
        fast = dict(site.env)
        one = site.workers[0]
        one.term()
        one.process.wait(10)
        site.env = dict(fast, AVIATION_AGENT_BUILTIN_FIRST_MS="8000")
        one.start()
        with site.open(ROUTE, "left-3") as s:
            s.until("tool_call_end")
            s.leave()
        eventually(lambda: site.get("/health").json()["chats"]["active"] == 0, "the turn ends", 4)
        one.term()
        one.process.wait(10)
        site.env = fast
        one.start()
        second = site.ask(GOLDEN_FOLLOW_UP, "left-3")
        equal(second.plan["arguments"].get("from_location"), "EGTF", "the question of the turn that was left is kept")


def stored(site, thread):
    """The thread as SQLite has it: [(role, content), ...]."""
    with sqlite3.connect("file:%s/state/threads.db?mode=ro" % site.dir, uri=True) as db:
        return db.execute("SELECT m.role, m.content FROM messages m JOIN threads t ON t.key = m.thread "
                          "WHERE t.id = ? ORDER BY m.seq", (thread,)).fetchall()


def test_what_had_been_said_is_kept():
    """If the reader leaves, thread and log hold the part of the answer that was sent."""
    with Site(AVIATION_AGENT_BUILTIN_PIECE_MS=150) as site:
        with site.open(ROUTE, "left") as s:
            for _ in range(3):
                s.until("message")
            s.leave()
        eventually(lambda: len(stored(site, "left")) == 2, "the turn ends", 3)
        (_, question_), (role, answer) = stored(site, "left")
        equal((question_, role), (ROUTE, "assistant"), "question and answer")
        check(answer.endswith(" …") and len(answer) > 20, "marked as unfinished: %r" % answer)
        entry, = eventually(site.log_entries, "the log's entry, which follows the commit", 3)
        equal((entry["answer"], entry["metadata"]["cancelled"]), (answer, True), "log")
        site.workers[0].term()
        site.workers[0].process.wait(10)
        site.env["AVIATION_AGENT_BUILTIN_PIECE_MS"] = "0"
        site.workers[0].start()
        # the client has read less than was sent, or kept nothing of it
        seen = [{"role": "user", "content": ROUTE}, {"role": "assistant", "content": answer[:15]}]
        for i, history in enumerate((seen, seen[:1])):
            r = site.post(API + "/chat", {"messages": history + [{"role": "user", "content": GOLDEN_FOLLOW_UP}],
                                          "thread_id": "left"}).json()
            equal(r["planner_meta"]["arguments"]["from_location"], "EGTF", "it is remembered")
            # the second time the same question is asked again
            equal([m[0] for m in stored(site, "left")], ["user", "assistant"] * (i + 2), "no message twice")


def test_an_answer_out_of_time_is_kept_with_its_apology():
    with Site(AVIATION_AGENT_TURN_TIMEOUT_S=1, AVIATION_AGENT_BUILTIN_PIECE_MS=120) as site:
        turn = site.ask(ROUTE, "late")
        state = turn.one("final_answer")["state"]
        check(state.get("error"), "the turn was in time")
        check("\n\nI encountered an error: " in turn.answer, turn.answer)
        equal(state["final_answer"], turn.answer.strip(), "final_answer is what was read")
        equal(stored(site, "late"), [("user", ROUTE), ("assistant", turn.answer.strip())], "thread")
        equal(site.log_entries()[0]["answer"], turn.answer.strip(), "log")


def test_history_in_other_words_of_the_same():
    """2, 4, 6, 8 messages, whatever a client does to the blanks of the answers."""
    changes = [lambda t: t + "\n", lambda t: t.replace("\n", "\r\n"), lambda t: "\n " + t + " \n\n", str.strip]
    with Site() as site:
        for n, change in enumerate(changes):
            history, counts, thread = [], [], "blanks-%d" % n
            for text in (ROUTE, GOLDEN_FOLLOW_UP, "Tell me about LFMD", "airports near Paris"):
                history.append({"role": "user", "content": text})
                turn = site.post(API + "/chat", {"messages": history, "thread_id": thread}).json()
                history.append({"role": "assistant", "content": change(turn["answer"])})
                counts.append(len(stored(site, thread)))
            equal(counts, [2, 4, 6, 8], "client %d" % n)
        # a client that keeps its questions only
        questions, counts = [], []
        for text in (ROUTE, GOLDEN_FOLLOW_UP, "Tell me about LFMD"):
            questions.append({"role": "user", "content": text})
            site.post(API + "/chat", {"messages": questions, "thread_id": "questions"})
            counts.append(len(stored(site, "questions")))
        equal(counts, [2, 4, 6], "a client without answers")


def test_a_page_outlives_its_limits():
    """The original page keeps a refused message, and sends the newest one twice; its conversation continues all the same."""
    long = "airports near Paris, please! " * 4000                    # 116 KB
    with Site() as site:
        def send(*texts, thread="page"):
            return site.post(API + "/chat", {"thread_id": thread, "messages": [
                {"role": "user" if i % 2 == 0 or i >= len(texts) - 2 else "assistant", "content": t}
                for i, t in enumerate(texts)]})
        r = send(long, long)
        equal(r.status, 422, "the over-long question")
        equal([(e["type"], e["loc"]) for e in r.json()["detail"]],
              [("string_too_long", ["body", "messages", 1, "content"])], "only the newest is at fault")
        equal(stored(site, "page"), [], "nothing of it is kept")
        history = [{"role": "user", "content": long}]
        for n, text in enumerate((ROUTE, GOLDEN_FOLLOW_UP)):
            history.append({"role": "user", "content": text})
            r = site.post(API + "/chat", {"messages": history + history[-1:], "thread_id": "page"})
            equal(r.status, 200, "turn %d after it: %r" % (n, r.body[:200]))
            history.append({"role": "assistant", "content": r.json()["answer"]})
            kept = stored(site, "page")
            equal([m[0] for m in kept], ["user"] + ["user", "assistant"] * (n + 1), "thread after turn %d" % n)
            check(kept[0][1].endswith("…") and len(kept[0][1].encode()) <= 65536 and long.startswith(kept[0][1][:-1]),
                  "the old message is cut")
        # 2,000 messages of a page that was never cleared
        many = [{"role": "user" if i % 2 == 0 else "assistant", "content": "message %d" % i} for i in range(2000)]
        r = site.post(API + "/chat", {"messages": many + [{"role": "user", "content": ROUTE}]})
        equal(r.status, 200, "2,001 messages: %r" % r.body[:200])
        equal(r.json()["planner_meta"]["arguments"]["from_location"], "EGTF", "the newest one is answered")


@rows(STORES)
def test_history_sent_or_not(store):
    """A client that resends everything and one that sends only the new message get the same."""
    with Site(store) as site:
        one = site.ask(ROUTE, "h-1")
        short = site.ask(GOLDEN_FOLLOW_UP, "h-1")
        two = site.ask(ROUTE, "h-2")
        history = [{"role": "user", "content": ROUTE}, {"role": "assistant", "content": two.answer},
                   {"role": "user", "content": GOLDEN_FOLLOW_UP}]
        full = site.post(API + "/chat", {"messages": history, "thread_id": "h-2"}).json()
        equal(full["planner_meta"], short.plan, "plan")
        equal(full["answer"], short.answer, "answer")
        # The web client of the original: no thread, whole history, the new message twice.
        web = site.post(API + "/chat", {"messages": history + history[-1:]}).json()
        equal(web["planner_meta"], short.plan, "plan of a client that keeps the history itself")
        check(one.answer == two.answer, "the same question, the same answer")


def test_unknown_thread_is_a_new_one():
    with Site() as site:
        turn = site.ask(ROUTE, "never-seen-before")
        equal(turn.thread, "never-seen-before", "thread id")
        equal(turn.plan["arguments"]["from_location"], "EGTF", "plan")


def test_an_error_does_not_poison_the_thread():
    with Site() as site:
        bad = site.ask("airports between EGTF and ZZZZ", "poison")
        check(bad.answer, "an answer")
        good = site.ask(ROUTE, "poison")
        check("error" not in good.names and "tool_call_end" in good.names, str(good.names))
        state = good.one("final_answer")["state"]
        check(not state.get("error"), "the old error is still in the state: %s" % state.get("error"))


def test_no_memory():
    with Site("none") as site:
        first = site.ask(ROUTE)
        second = site.ask(GOLDEN_FOLLOW_UP, first.thread)
        check(second.names[-1] == "done" and second.answer, "a turn without memory still answers")
        check(second.all("plan") == [] or second.plan["arguments"].get("from_location") != "EGTF", "it remembers")


def test_redis_away_at_the_start():
    with Site("redis", start=False) as site:
        site.workers[0].start()                        # no Redis: the worker starts all the same
        r = site.chat(ROUTE)
        equal(r.status, 503, "chat without Redis")
        check(isinstance(r.json()["detail"], str) and r.header("Retry-After"), "precise: %r" % r.body)
        r = site.post(API + "/chat/stream", question(ROUTE))
        equal(r.status, 503, "stream without Redis")
        equal(site.get(API + "/quick-actions").status, 200, "plain requests go on")
        h = site.get("/health")
        equal(h.status, 200, "health")
        check(h.json()["status"] != "healthy", "health tells: %s" % h.body)
        log = site.workers[0].log()
        check("redis" in log.lower() or "store" in log.lower(), "a line in the log: " + log[-400:])
        site.redis.start()
        eventually(lambda: site.chat(ROUTE).status == 200, "served once Redis is there", 20, 0.2)
        eventually(lambda: site.get("/health").json()["status"] == "healthy", "health recovers", 20, 0.2)


def test_redis_restarts_between_turns():
    with Site("redis") as site:
        first = site.ask(ROUTE)
        site.redis.stop()
        r = site.chat(GOLDEN_FOLLOW_UP, first.thread)
        equal(r.status, 503, "while it is away")
        site.redis.start()
        eventually(lambda: site.chat("hello", "warm-up").status == 200, "it is back", 20, 0.2)
        follow_up(site.ask(GOLDEN_FOLLOW_UP, first.thread), first)


def test_redis_gone_at_the_commit():
    """The turn is answered, it says that it could not be saved, and the thread's past is intact."""
    with Site("redis", AVIATION_AGENT_BUILTIN_PIECE_MS=40, AVIATION_AGENT_LEASE_S=3) as site:
        first = site.ask(ROUTE)
        with site.open("Find airports near Paris", first.thread) as s:
            s.until("message")
            site.redis.stop()
            turn = s.rest()
        equal(turn.names[-1], "done", "last event")
        equal(turn.names.count("done"), 1, "one terminal event")
        check(len(turn.answer) > 50, "the answer came all the same")
        told = "error" in turn.names or turn.one("done")["metadata"].get("saved") is False
        check(told, "nothing tells the reader that the turn was not saved: %s" % json.dumps(turn.one("done")))
        log = site.workers[0].log()
        check("ERROR" in log or "error" in log.lower(), "a line in the log: " + log[-400:])
        site.redis.start()
        eventually(lambda: site.chat("hello", "warm-up").status == 200, "it is back", 20, 0.2)
        r = eventually(lambda: (lambda x: x if x.status == 200 else None)(site.chat(GOLDEN_FOLLOW_UP, first.thread)),
                       "the thread is free", 20, 0.3).json()
        equal(r["planner_meta"]["arguments"].get("from_location"), "EGTF", "the first turn is still there")
    with Site("redis", AVIATION_AGENT_BUILTIN_FIRST_MS=1000) as site:      # the JSON twin
        import threading
        out = []
        t = threading.Thread(target=lambda: out.append(site.chat(ROUTE)))
        t.start()
        time.sleep(0.4)
        site.redis.stop()
        t.join()
        check(out[0].status in (200, 503), "status %d" % out[0].status)
        out[0].json()


def test_redis_hangs():
    """A Redis that is stopped, not gone, costs one timeout and never the worker."""
    import signal
    with Site("redis", AVIATION_AGENT_STORE_TIMEOUT_MS=500, AVIATION_AGENT_LEASE_S=3) as site:
        first = site.ask(ROUTE)
        site.redis.process.send_signal(signal.SIGSTOP)
        try:
            started = time.monotonic()
            r = site.chat(GOLDEN_FOLLOW_UP, first.thread)
            equal(r.status, 503, "while it hangs")
            check(time.monotonic() - started < 10, "after %.1f s" % (time.monotonic() - started))
            equal(site.get(API + "/quick-actions").status, 200, "plain requests go on")
        finally:
            site.redis.process.send_signal(signal.SIGCONT)
        r = eventually(lambda: (lambda x: x if x.status == 200 else None)(site.chat(GOLDEN_FOLLOW_UP, first.thread)),
                       "usable again", 20, 0.3).json()
        equal(r["planner_meta"]["arguments"].get("from_location"), "EGTF", "the first turn is still there")


def test_redis_hangs_at_the_commit():
    """A short silence costs nothing; after a long one the reader is told that the turn may not have
    been saved, which is true: the server finds it in its socket when it wakes up."""
    import signal
    for silence, known in ((0.6, True), (0, False)):
        with Site("redis", AVIATION_AGENT_BUILTIN_PIECE_MS=10, AVIATION_AGENT_STORE_TIMEOUT_MS=500) as site:
            with site.open(ROUTE, "hang") as s:
                s.until("message")
                site.redis.process.send_signal(signal.SIGSTOP)
                try:
                    if known:
                        s.until("final_answer")
                        time.sleep(silence)
                        site.redis.process.send_signal(signal.SIGCONT)
                    turn = s.rest()
                finally:
                    site.redis.process.send_signal(signal.SIGCONT)
            meta = turn.one("done")["metadata"]
            if known:
                check("saved" not in meta and "error" not in turn.names, "a short silence: %s" % meta)
            else:
                equal(meta.get("saved"), False, "not known to be saved")
                equal(meta.get("may_be_saved"), True, "and not known to be lost")
                error = turn.one("error")
                equal(error["code"], "save_unknown", "code")
                check("may not have been saved" in error["message"] and error["message"] in turn.answer, error["message"])
            r = eventually(lambda: (lambda x: x if x.status == 200 else None)(site.chat(GOLDEN_FOLLOW_UP, "hang")),
                           "usable again", 20, 0.3).json()
            equal(r["planner_meta"]["arguments"].get("from_location"), "EGTF", "the turn had been saved in the end")


def test_sqlite_locked_by_another_program():
    """Twelve requests at once cost the store's time-out once, and so does health; afterwards all is well."""
    import sqlite3
    import threading
    with Site("sqlite", AVIATION_AGENT_STORE_TIMEOUT_MS=int(2500 * harness.SLACK)) as site:
        first = site.ask(ROUTE)
        site.get("/health")
        lock = sqlite3.connect(os.path.join(site.dir, "state", "threads.db"), isolation_level=None)
        lock.execute("BEGIN EXCLUSIVE")
        out = []

        def one(i):
            started = time.monotonic()
            r = site.chat(ROUTE, "locked-%d" % i)
            out.append((r.status, r.header("Retry-After") is not None, time.monotonic() - started))
        threads = [threading.Thread(target=one, args=(i,)) for i in range(12)]
        started = time.monotonic()
        for t in threads:
            t.start()
        equal(site.get("/health").status, 200, "health")
        check(time.monotonic() - started < 2 * harness.SLACK, "health waited")
        for t in threads:
            t.join()
        equal({o[:2] for o in out}, {(503, True)}, "statuses and Retry-After")
        check(max(o[2] for o in out) < 8 * harness.SLACK, "times: %s" % ["%.1f" % o[2] for o in out])
        time.sleep(2.1)                                  # health asks the store every two seconds
        started = time.monotonic()
        equal(site.get("/health").json()["store"]["status"], "down", "health tells")
        check(time.monotonic() - started < 2 * harness.SLACK, "health waited")
        lock.execute("ROLLBACK")
        lock.close()
        follow_up(site.ask(GOLDEN_FOLLOW_UP, first.thread), first)


@rows(STORES)
def test_a_long_history_is_not_kept(store):
    """Of a megabyte that a client brings along, a thread keeps what can be read back; and when it sends
    everything again, its new message is the only new one."""
    import sqlite3
    with Site(store, AVIATION_AGENT_THREAD_BYTES=50000) as site:
        def stored():
            if site.redis:
                return int(site.redis.command("LLEN", "aa:{big}:msgs")[1:]), \
                    int(site.redis.command("HGET", "aa:{big}:meta", "bytes").split(b"\r\n")[1])
            db = sqlite3.connect(os.path.join(site.dir, "state", "threads.db"))
            row = db.execute("SELECT count(*), sum(length(role) + 1 + length(CAST(content AS BLOB))) FROM messages").fetchone()
            db.close()
            return row
        history = []
        for i in range(60):
            history += [{"role": "user", "content": "question %d " % i + "x" * 6000},
                        {"role": "assistant", "content": "answer %d " % i + "y" * 6000}]
        history.append({"role": "user", "content": ROUTE})
        first = site.post(API + "/chat", {"messages": history, "thread_id": "big"})
        equal(first.status, 200, "the first turn")
        count, size = stored()
        check(2 < count < 12 and size <= 50000, "%d messages, %d bytes" % (count, size))
        history += [{"role": "assistant", "content": first.json()["answer"]}, {"role": "user", "content": GOLDEN_FOLLOW_UP}]
        second = site.post(API + "/chat", {"messages": history, "thread_id": "big"}).json()
        equal(second["planner_meta"]["arguments"].get("from_location"), "EGTF", "it goes on")
        count, size = stored()
        check(2 < count < 12 and size <= 50000, "%d messages, %d bytes after the second turn" % (count, size))
        if site.redis:                                   # what went is counted: 121 + answer + question + answer
            gone = int(site.redis.command("HGET", "aa:{big}:meta", "gone").split(b"\r\n")[1])
            equal(gone + count, 124, "messages the thread has had")


def test_redis_keys_have_a_life():
    with Site("redis") as site:
        turn = site.ask(ROUTE)
        keys = site.redis.keys()
        check(keys, "something is stored")
        for key in keys:
            ttl = site.redis.command("PTTL", key.decode())
            check(not ttl.startswith(b":-1"), "%s never ends" % key)
        tags = {k[k.index(b"{"):k.index(b"}") + 1] if b"{" in k else None for k in keys if turn.thread.encode() in k}
        check(None not in tags and len(tags) == 1, "keys of a thread under one hash tag: %s" % keys)


def test_stored_bytes_per_turn_are_constant():
    with Site("redis") as site:
        def used():
            return sum(int(site.redis.command("MEMORY", "USAGE", k.decode(), "SAMPLES", "0").strip()[1:] or 0) for k in site.redis.keys())
        sizes = []
        for i in range(30):
            site.chat(ROUTE if i % 2 == 0 else GOLDEN_FOLLOW_UP, "grow")
            sizes.append(used())
        early, late = sizes[9] - sizes[1], sizes[29] - sizes[21]
        check(late <= early * 1.6 + 2000, "turns 2-10 added %d bytes, turns 22-30 %d" % (early, late))


def test_sqlite_folder_unwritable():
    """The state folder is a file: a clear error, not a crash."""
    with Site("sqlite", start=False) as site:
        with open(site.dir + "/blocked", "w"):
            pass
        site.env["CHECKPOINTER_SQLITE_PATH"] = site.dir + "/blocked/threads.db"
        w = site.workers[0]
        try:
            w.start()
        except Failure as e:
            check("blocked/threads.db" in str(e), "the message names the file: %s" % e)
            w.expected = (w.process.returncode,)
            check(w.process.returncode not in (0, 1, -11, -6), "exit status %s" % w.process.returncode)
            return
        r = site.chat(ROUTE)
        equal(r.status, 503, "status")
        check("blocked/threads.db" in w.log(), "the log names the file")


def test_sqlite_on_a_full_disk():
    """Turns are answered and say that they were not saved; what was stored before is still there."""
    with Site("sqlite", start=False, AVIATION_AGENT_LEASE_S=3) as site:
        disk = os.path.join(site.dir, "disk")
        with small_disk(disk, 2048):
            site.env["CHECKPOINTER_SQLITE_PATH"] = disk + "/threads.db"
            site.workers[0].start()
            first = site.ask(ROUTE)
            ballast = os.open(disk + "/ballast", os.O_WRONLY | os.O_CREAT)
            try:
                while os.write(ballast, b"x" * 4096):
                    pass
            except OSError:
                os.close(ballast)
            outcomes = set()
            for i in range(40):                        # the file may have some room left inside
                r = site.post(API + "/chat/stream", question("Find airports near Paris " + "x" * 2000, "full-%d" % i))
                check(r.status in (200, 503), "status %d" % r.status)
                outcomes.add(r.status if r.status != 200 else "told" if b"event: error" in r.body else "saved")
                check(r.status != 200 or b"event: done" in r.body, "a stream without done")
            check(outcomes & {"told", 503}, "a full disk went unnoticed: %s" % outcomes)
            check("disk" in site.workers[0].log() or "full" in site.workers[0].log(), "a line in the log")
            os.unlink(disk + "/ballast")
            r = eventually(lambda: (lambda x: x if x.status == 200 else None)(site.chat(GOLDEN_FOLLOW_UP, first.thread)),
                           "usable once there is room", 10, 0.3).json()
            equal(r["planner_meta"]["arguments"].get("from_location"), "EGTF", "the first turn is still there")
            site.workers[0].term()
            site.workers[0].process.wait(10)


def test_sqlite_damaged():
    with Site("sqlite", start=False) as site:
        path = site.dir + "/threads.db"
        with open(path, "wb") as f:
            f.write(b"this is not a database " * 500)
        site.env["CHECKPOINTER_SQLITE_PATH"] = path
        w = site.workers[0]
        try:
            w.start()
        except Failure as e:
            check("threads.db" in str(e), "the message names the file: %s" % e)
            w.expected = (w.process.returncode,)
        else:
            equal(site.chat(ROUTE).status, 503, "status")
            check("threads.db" in w.log(), "the log names the file")
        with open(path, "rb") as f:
            check(f.read(22) == b"this is not a database", "the file was overwritten")
