"""The conversation log: the original's daily files, valid after everything."""

import asyncio
import json
import os
import re
import subprocess
import time

from harness import API, HERE, ROUTE, Failure, Site, check, equal, eventually, question, small_disk
from test_life import gather

RULES = os.path.join(HERE, "data", "rules.json")
STAMP = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}"


def test_entries():
    with Site() as site:
        turn = site.ask(ROUTE, session_id="my-session")
        site.chat("Tell me about LFMD — café")
        entries = site.log_entries()
        equal(len(entries), 2, "entries of /chat/stream and /chat")
        e = entries[0]
        check({"session_id", "timestamp", "timestamp_end", "duration_seconds", "question", "answer", "thinking",
               "tool_calls", "metadata", "run_id"} <= set(e), "members: %s" % sorted(e))
        check("error" not in e, "no error, no member")
        equal((e["session_id"], e["question"], e["answer"]), ("my-session", ROUTE, turn.answer), "session, question, answer")
        equal(e["run_id"], turn.one("done")["run_id"], "run_id")
        check(re.fullmatch(STAMP, e["timestamp"]) and re.fullmatch(STAMP, e["timestamp_end"]), "timestamps")
        check(0 <= e["duration_seconds"] < 60, "duration")
        equal(e["thinking"], turn.one("final_answer")["state"]["thinking"], "thinking")
        call = turn.one("tool_call_end")
        equal(e["tool_calls"], [call], "tool_calls are filled")
        equal(e["metadata"], {"has_visualizations": True, "num_tool_calls": 1, "has_error": False}, "metadata")
        name, = [f for f in os.listdir(site.log_dir) if f.endswith(".json")]
        equal(name, e["timestamp"][:10] + ".json", "file name")
        path = os.path.join(site.log_dir, name)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        check("— café" in text, "non-ASCII is unescaped")
        check(text.startswith("[\n  {"), "indent of two: %r" % text[:20])
        equal(oct(os.stat(path).st_mode & 0o777), oct(0o640), "mode")


def test_failed_and_left_turns_are_logged():
    with Site(AVIATION_AGENT_TURN_TIMEOUT_S=2, AVIATION_AGENT_BUILTIN_FIRST_MS=20000) as site:
        with site.open("one that is left") as s:
            s.head()
            next(iter(s))
            time.sleep(0.2)
        site.ask(ROUTE)
        entries = eventually(lambda: site.log_entries() if len(site.log_entries()) == 2 else None, "two entries")
        late = next(e for e in entries if e["question"] == ROUTE)
        equal(late["metadata"]["has_error"], True, "has_error")
        check(late["error"], "error")


def test_valid_through_kills():
    """Many writers in two processes, one of them killed again and again."""
    with Site(workers=2, AVIATION_AGENT_STORE_TIMEOUT_MS=10000) as site:
        one = site.workers[0]
        answered = 0
        for _ in range(5):
            async def load():
                task = asyncio.create_task(gather_quietly(site.port, 24))
                await asyncio.sleep(0.08)
                one.kill9()
                return await task
            answered += sum(1 for s in asyncio.run(load()) if s == 200)
            site.log_entries()                   # valid with the worker dead
            one.start()
        equal(site.chat(ROUTE).status, 200, "a turn afterwards")
        entries = site.log_entries()
        ids = [e["run_id"] for e in entries]
        equal(len(ids), len(set(ids)), "no entry twice")
        check(len(entries) >= answered * 0.95, "%d answers, %d entries" % (answered, len(entries)))


async def gather_quietly(port, n):
    from test_life import post

    async def one():
        try:
            return await post(port, API + "/chat", question(ROUTE))
        except OSError:
            return 0
    return await asyncio.gather(*(one() for _ in range(n)))


def test_cut_off_file_is_mended():
    """A file that ends in the middle of an entry (a full disk, a power cut) loses that entry only."""
    with Site() as site:
        site.chat(ROUTE)
        site.chat(ROUTE)
        path, = [os.path.join(site.log_dir, f) for f in os.listdir(site.log_dir) if f.endswith(".json")]
        with open(path, "r+b") as f:
            data = f.read()
            f.truncate(len(data) - len(data) // 4)
        site.chat("Tell me about LFMD")
        entries = site.log_entries()
        equal([entries[0]["question"], entries[-1]["question"]], [ROUTE, "Tell me about LFMD"], "first and new entry")


def test_log_of_the_original_is_continued():
    with Site() as site:
        os.makedirs(site.log_dir)
        path = os.path.join(site.log_dir, time.strftime("%Y-%m-%d") + ".json")
        with open(path, "w") as f:
            json.dump([{"question": "old", "answer": "é"}], f, indent=2, ensure_ascii=False)
        site.chat(ROUTE)
        equal([e["question"] for e in site.log_entries()], ["old", ROUTE], "entries")


def bad_log(site):
    """If the log cannot be written, no turn fails, and one line in the program's log says so."""
    for _ in range(3):
        turn = site.ask(ROUTE)
        equal(turn.names[-1], "done", "last event")
        check("error" not in turn.names, "the turn failed")
    equal(site.chat(ROUTE).status, 200, "/chat")
    log = site.workers[0].log()
    check(site.log_dir in log, "the log does not name the folder: " + log[-600:])


COMPARE = "compare the rules of Germany, France, Switzerland and the UK"


def test_large_entries_are_cut():
    with Site(RULES_JSON=RULES, CONVERSATION_LOG_MAX_ENTRY=8192) as site:
        turn = site.ask(COMPARE)
        result = turn.one("tool_call_end")["result"]
        check(len(json.dumps(result)) > 10000, "the result is too small for this test: %d" % len(json.dumps(result)))
        site.chat(ROUTE)
        entries = site.log_entries()
        equal([e["question"] for e in entries], [COMPARE, ROUTE], "questions")
        for e in entries:
            size = len(json.dumps(e, indent=2, ensure_ascii=False).encode())
            check(size <= 8192, "an entry of %d bytes" % size)
        cut, = entries[0]["tool_calls"]
        equal(cut["name"], "compare_rules_between_countries", "name of the call")
        check(set(cut["result"]) == set(result), "members of the result: %s" % sorted(cut["result"]))
        check("CONVERSATION_LOG_MAX_ENTRY" in entries[0]["metadata"]["cut"], "it says so")
    with Site(CONVERSATION_LOG_MAX_ENTRY=0) as site:
        site.ask(ROUTE)
        check("cut" not in site.log_entries()[0]["metadata"], "no limit")


def test_a_full_day():
    """The ceiling holds for all workers together; turns go on, and the program's log tells once a worker."""
    with Site(workers=2, CONVERSATION_LOG_MAX_DAY=100000, AVIATION_AGENT_STORE_TIMEOUT_MS=10000) as site:
        statuses = asyncio.run(gather(site.port, 60))
        equal(set(statuses), {200}, "statuses")
        name, = os.listdir(site.log_dir)
        size = os.path.getsize(os.path.join(site.log_dir, name))
        check(50000 < size <= 100000, "%d bytes" % size)
        check(2 < len(site.log_entries()) < 60, "%d entries" % len(site.log_entries()))
        for w in site.workers:
            check(w.log().count("CONVERSATION_LOG_MAX_DAY") <= 1, "told too often")
        check(any("CONVERSATION_LOG_MAX_DAY" in w.log() for w in site.workers), "nothing tells")


def files_are(site, names):
    """The log is written, and old ones are removed, behind the end of the turn."""
    try:
        eventually(lambda: sorted(os.listdir(site.log_dir)) == sorted(names), "the files")
    except Failure:
        equal(sorted(os.listdir(site.log_dir)), sorted(names), "files")


def test_retention():
    def day(ago):
        return time.strftime("%Y-%m-%d", time.localtime(time.time() - ago * 86400))
    with Site(start=False, CONVERSATION_LOG_DAYS=30) as site:
        os.makedirs(site.log_dir)
        stay = [day(n) + ".json" for n in (1, 2, 29)] + [day(2) + "-feedback.json", day(100) + "-other.json", day(100) + ".txt", "notes"]
        go = [day(n) + ".json" for n in (32, 400, 4000)] + [day(40) + ".json.damaged-1", day(100) + "-feedback.json"]
        for name in stay + go:
            with open(os.path.join(site.log_dir, name), "w") as f:
                f.write("[]")
        site.workers[0].start()
        site.ask(ROUTE)
        files_are(site, stay + [day(0) + ".json"])
    with Site(start=False) as site:                        # a clock ten years ahead: one new log, nine old ones
        os.makedirs(site.log_dir)
        old = [day(n) + ".json" for n in range(3650, 3659)]
        for name in old:
            with open(os.path.join(site.log_dir, name), "w") as f:
                f.write("[]")
        site.workers[0].start()
        site.ask(ROUTE)
        files_are(site, old + [day(0) + ".json"])


def test_no_terminal_controls():
    """Neither log contains escape sequences that a terminal would follow."""
    with Site() as site:
        site.chat("airports near \x9b31mParis\x9d and \x7f", headers={"X-Session-ID": "a\u009b"})
        name, = eventually(lambda: os.path.isdir(site.log_dir) and os.listdir(site.log_dir), "a log")
        with open(os.path.join(site.log_dir, name), "rb") as f:
            data = f.read() + site.workers[0].log().encode()
        found = re.search(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", data)
        check(found is None, "%r" % (found and data[max(0, found.start() - 60):found.end() + 20]))
        equal(site.log_entries()[0]["question"], "airports near \x9b31mParis\x9d and \x7f", "and yet the text is whole")


def test_unwritable_folder():
    with Site(start=False) as site:
        with open(os.path.join(site.dir, "file"), "w"):
            pass
        site.log_dir = os.path.join(site.dir, "file", "conversations")
        site.env["CONVERSATION_LOG_DIR"] = site.log_dir
        site.workers[0].start()
        bad_log(site)


def test_full_disk():
    with Site(start=False) as site, small_disk(os.path.join(site.dir, "disk"), 64) as disk:
        site.log_dir = site.env["CONVERSATION_LOG_DIR"] = os.path.join(disk, "log")
        site.workers[0].start()
        for _ in range(12):                  # more than fits
            equal(site.ask(ROUTE).names[-1], "done", "last event")
        before = site.log_entries()          # valid although the disk is full
        check(before, "what did fit is there")
        check(site.log_dir in site.workers[0].log(), "the program's log tells")
        equal(subprocess.run(["mount", "-o", "remount,size=1m", disk]).returncode, 0, "remount")
        site.chat("Tell me about LFMD")
        entries = site.log_entries()
        equal(entries[-1]["question"], "Tell me about LFMD", "logging goes on once there is room")
        equal([e["run_id"] for e in entries[:len(before)]], [e["run_id"] for e in before], "nothing was lost")


def test_switched_off():
    with Site(CONVERSATION_LOG_DIR="none") as site:
        site.ask(ROUTE)
        check(not os.path.exists(site.log_dir) and not os.path.exists(os.path.join(site.dir, "none")), "a log was written")


def test_nothing_private_in_the_program_log():
    with Site() as site:
        turn = site.ask("Find airports near Paris for my secret trip", session_id="private-session")
        text = site.workers[0].log()
        for word in ("secret trip", turn.thread, "private-session"):
            check(word not in text, "the program's log holds %r" % word)


def test_many_at_once():
    with Site(workers=2, AVIATION_AGENT_STORE_TIMEOUT_MS=10000) as site:
        statuses = asyncio.run(gather(site.port, 100))
        equal(set(statuses), {200}, "statuses")
        equal(len(site.log_entries()), 100, "entries")
