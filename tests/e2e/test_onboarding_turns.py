"""Turns of the onboarding agent over HTTP: streamed and in one piece, errors, again, stopped, deleted."""

import json
import os
import re
import threading
import time

from harness import Provider, Site, Stream, check, equal, eventually
from test_onboarding_api import NOBODY, ON, SECRET, STORES, TIME, bearer, refused, rows, user

TOLD = "My name is Ada, my id is 42-A and I want a keyboard."


def write(field, value, n):
    return {"call": {"name": "write_data", "arguments": {"field_name": field, "value": value}, "id": "call_%d" % n}}


REPLIES = [
    write("employee_name", "Ada", 1),
    write("employee_id", "42-A", 2),
    write("starter_kit", "keyboard", 3),
    {"text": "Thank you, Ada. Shall I export this?"},
]
EXPORT = [
    {"call": {"name": "export_data", "arguments": {}, "id": "call_4"}},
    {"text": "- Ada wants a keyboard"},
    {"text": "All done. Welcome!"},
]


def onboarding(model, store="sqlite", workers=1, **env):
    return Site(store, workers, model=model, **dict({"ONBOARDING_AUTH": "none"}, **env))


def begin(site, headers=None):
    r = site.post(ON + "/conversations", {}, headers=headers)
    equal(r.status, 201, "a conversation: %r" % r.body)
    return r.json()["id"]


def path(id, rest="/messages"):
    return ON + "/conversations/" + id + rest


def say(site, id, text, headers=None, accept="text/event-stream", **more):
    return site.post(path(id), dict({"content": text}, **more), headers=dict({"Accept": accept}, **(headers or {})))


def frames(r):
    """[(id, type, data)] of a streamed answer, whose form is checked byte by byte."""
    equal(r.status, 200, "streamed: %r" % r.body[:300])
    out = []
    for frame in r.body.decode().split("\n\n")[:-1]:
        if frame.startswith(":"):
            continue
        m = re.fullmatch(r"id: (\d+\.\d+)\nevent: ([a-z_]+)\ndata: (\{[^\n]*\})", frame)
        check(m, "frame: %r" % frame)
        data = json.loads(m.group(3))
        equal(list(data)[0], "type", "the first member")
        equal(data["type"], m.group(2), "type")
        equal(json.dumps(data, separators=(",", ":"), ensure_ascii=False), m.group(3), "no blanks")
        out.append((m.group(1), m.group(2), data))
    check(r.body.endswith(b"\n\n"), "whole frames")
    equal([t for _, t, _ in out if t in ("complete", "error")], [out[-1][1]], "exactly one terminal event, last")
    return out


def typed(r, status, code, what):
    equal((r.status, r.json().get("type"), r.json().get("code")), (status, "error", code), "%s: %r" % (what, r.body[:300]))
    equal(list(r.json()), ["type", "message", "code"], what)
    return r.json()["message"]


@rows(STORES)
def test_a_turn_streams_its_tools_and_ends_once(store):
    with Provider(main={"lists": [{"replies": REPLIES}]}) as p, onboarding(p, store, workers=2) as site:
        id = begin(site)
        before = site.get(path(id, "")).json()
        r = say(site, id, TOLD)
        equal((r.header("Content-Type").split(";")[0], r.header("Cache-Control"), r.header("X-Run-ID") is not None),
              ("text/event-stream", "no-cache", True), "headers")
        got = frames(r)
        kinds = [t for _, t, _ in got]
        equal([k for i, k in enumerate(kinds) if k != "token" or kinds[i - 1] != "token"],
              ["tool_start", "tool_complete"] * 3 + ["token", "complete"], "order")
        start, done = got[0][2], got[1][2]
        equal(list(start), ["type", "tool_name", "tool_input", "source", "timestamp", "tool_call_id"], "tool_start")
        equal((start["tool_name"], json.loads(start["tool_input"]), start["source"]),
              ("write_data", {"field_name": "employee_name", "value": "Ada"}, "local"), "tool_start")
        check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", done["timestamp"]), done["timestamp"])
        # the example of the protocol, byte for byte but for time and id
        equal(json.dumps(dict(done, timestamp="T", tool_call_id="C"), separators=(",", ":")),
              '{"type":"tool_complete","tool_name":"write_data","tool_result":"{\\"field_name\\":\\"employee_name\\",'
              '\\"value\\":\\"Ada\\",\\"status\\":\\"success\\",\\"message\\":\\"Data recorded\\"}","source":"local",'
              '"timestamp":"T","tool_call_id":"C"}', "tool_complete")
        equal(start["tool_call_id"], done["tool_call_id"], "of the same call")
        numbers = [tuple(int(x) for x in i.split(".")) for i, _, _ in got]
        check(numbers == sorted(set(numbers)) and numbers[0][0] == 1, repr(numbers))
        end = got[-1][2]
        equal(list(end), ["type", "message_id", "conversation_id"], "complete")
        equal(end["conversation_id"], id, "conversation")
        history = site.get(path(id)).json()
        equal([(m["role"], m["content"]) for m in history],
              [("user", TOLD), ("assistant", "Thank you, Ada. Shall I export this?")], "history without tool turns")
        equal(history[1]["id"], end["message_id"], "the stored message")
        equal(list(history[0]), ["id", "conversation_id", "role", "content", "created_at", "metadata"], "members")
        check(re.fullmatch(TIME, history[0]["created_at"]), history[0]["created_at"])
        equal(site.get(path(id)).json(), history, "W15: ids and times are the same at every read")
        equal(site.get(path(id, "/messages?skip=1&limit=1")).json(), history[1:], "a page")
        equal(site.get(path(id, "/messages?skip=2")).json(), [], "behind the end")
        for query in ("skip=-1", "limit=0", "limit=501", "limit=x"):
            refused(site.get(path(id, "/messages?" + query)), 422, query)
        check(site.get(path(id, "")).json()["updated_at"] > before["updated_at"], "W16: a message moves updated_at")
        state = site.get(path(id, "/state")).json()
        equal((state["employee_name"], state["starter_kit"], state["dietary_restrictions"], state["missing_fields"],
               state["exported_at"]), ("Ada", "keyboard", None, [], None), "state")
        refused(site.get(path(id, "/export")), 404, "nothing exported yet")


@rows(STORES)
def test_an_answer_in_one_piece_and_nothing_left_of_it(store):
    with Provider(main={"lists": [{"replies": REPLIES + [{"text": "What a day."}]}]}) as p, \
            onboarding(p, store, workers=2) as site:
        id = begin(site)
        equal(site.get(path(id, "/state")).json()["missing_fields"], ["employee_name", "employee_id", "starter_kit"], "empty")
        r = say(site, id, TOLD, accept="application/json")
        equal(r.status, 200, "answer: %r" % r.body)
        o = r.json()
        equal(list(o), ["type", "message_id", "conversation_id", "content", "tools"], "members")
        equal((o["type"], o["conversation_id"], o["content"]), ("complete", id, "Thank you, Ada. Shall I export this?"),
              "answer")
        equal([t["tool_name"] for t in o["tools"]], ["write_data"] * 3, "tools")
        for w in site.workers:          # a restart between turns
            w.term()
            w.process.wait(10)
            w.start()
        equal(say(site, id, "No.", accept="application/json").json()["content"], "What a day.", "after the restart")
        equal(site.get(path(id, "/state")).json()["employee_name"], "Ada", "state")
        # W16: nothing of it stays
        equal(site.request("DELETE", path(id, "")).status, 204, "deleted")
        for rest in ("", "/messages", "/state", "/export"):
            refused(site.get(path(id, rest)), 404, rest)
        if site.redis:
            equal([k for k in site.redis.keys() if id in str(k)], [], "keys of the conversation")
        equal(site.log_entries(), [], "the conversation log has none of it")
        text = "".join(w.log() for w in site.workers)
        check("Ada" not in text and "42-A" not in text, "no names and values in the log")


@rows(STORES)
def test_the_export_is_read_and_deleted(store):
    with Provider(main={"lists": [{"replies": REPLIES + EXPORT}]}) as p, onboarding(p, store, workers=2) as site:
        id = begin(site)
        say(site, id, TOLD, accept="application/json")
        refused(site.get(path(id, "/export")), 404, "before")
        got = frames(say(site, id, "Yes, please."))
        equal([d["tool_name"] for _, t, d in got if t == "tool_complete"], ["export_data"], "tool")
        equal("".join(d["content"] for _, t, d in got if t == "token"), "All done. Welcome!", "no token of the summary (W8)")
        record = site.get(path(id, "/export")).json()
        equal(list(record), ["conversation_id", "user_id", "employee_name", "employee_id", "starter_kit",
                             "dietary_restrictions", "meeting_scheduled", "conversation_summary", "exported_at"], "members")
        equal((record["conversation_id"], record["employee_name"], record["starter_kit"]), (id, "Ada", "keyboard"), "record")
        equal(site.get(path(id, "/state")).json()["exported_at"], record["exported_at"], "state")
        files = [os.path.join(d, f) for d, _, names in os.walk(site.dir) for f in names if id in f]
        equal(len(files), 1, "the export file")
        equal(site.request("DELETE", path(id, "")).status, 204, "deleted")
        check(not os.path.exists(files[0]), "W16: the export file is gone")


BAD = [
    ("", 400), ("[", 400), ("[]", 400), ('"x"', 400), ("{}", 400), ('{"content": 7}', 400), ('{"content": ""}', 400),
    ('{"content": " \\n "}', 400), ('{"content": null}', 400), ('{"content": "a\\u0000b"}', 400),
    ('{"type": "ping", "content": "x"}', 400), ('{"type": null, "content": "x"}', 400), ('{"type": 1, "content": "x"}', 400),
    ('{"conversation_id": "x", "content": "x"}', 400), ('{"conversation_id": 3, "content": "x"}', 400),
    (json.dumps({"content": "ä" * 8001}), 413), (json.dumps({"content": "x" * 66000}), 413),
    (json.dumps({"content": "x" * 400000}), 413),
]


def test_what_is_no_message_is_refused():
    """W18: only `message` is a message, sizes are limited, and no internal text reaches the client."""
    with Provider(main={"lists": [{"repeat": "last", "replies": [{"text": "Hello."}]}]}) as p, onboarding(p) as site:
        id = begin(site)
        codes = {400: "INVALID_FORMAT", 413: "PAYLOAD_TOO_LARGE"}
        for body, status in BAD:
            r = site.post(path(id), body)
            equal((r.status, r.json()["type"], r.json()["code"]), (status, "error", codes[status]), body[:60])
        r = typed(site.post(path(id), '{"content": 5}'), 400, "INVALID_FORMAT", "a number")
        check("must be a text" in r, "what is wrong: %s" % r)
        typed(site.request("POST", path(id), "content=x", {"Content-Type": "text/plain"}), 415, "INVALID_FORMAT", "text")
        for other in (NOBODY, "x", "a%20b", "x" * 300):
            typed(say(site, other, "x"), 404, "ACCESS_DENIED", other)
        equal(say(site, "..%2F" + id, "x").status, 404, "no such path")
        equal(site.get(path(id)).json(), [], "nothing was stored")
        equal(len(p.requests()), 0, "nothing reached the model")
        equal(frames(say(site, id, "ä" * 8000))[-1][1], "complete", "the longest message")
        equal(frames(say(site, id, "x", type="message", conversation_id=id))[-1][1], "complete", "all members")


def test_two_users_and_two_turns_at_once():
    """W6: two tabs cannot run turns on one conversation, and no turn overwrites another's state."""
    slow = [{"text": "One two three four five.", "first_ms": 1500}]
    with Provider(main={"lists": [{"when": {"contains": "slow"}, "repeat": "last", "replies": slow},
                                  {"repeat": "last", "replies": [{"text": "Hello."}]}]}) as p, \
            onboarding(p, workers=2, ONBOARDING_AUTH="token", SECRET_KEY=SECRET) as site:
        ada, bob = user(site, "ada"), user(site, "bob")
        mine, his = begin(site, ada), begin(site, bob)
        typed(say(site, mine, "x"), 401, "UNAUTHORIZED", "no token")
        equal(say(site, mine, "x").header("WWW-Authenticate"), "Bearer", "no token")
        typed(say(site, mine, "x", headers=bearer("garbage")), 401, "UNAUTHORIZED", "bad token")
        equal(typed(say(site, mine, "x", headers=bob), 404, "ACCESS_DENIED", "another user's"),
              typed(say(site, NOBODY, "x", headers=bob), 404, "ACCESS_DENIED", "unknown"), "the same text")
        got = {}
        turns = [threading.Thread(target=lambda k=k, c=c, h=h: got.update({k: say(site, c, "slow", headers=h)}))
                 for k, c, h in (("ada", mine, ada), ("bob", his, bob))]
        for t in turns:
            t.start()
        eventually(lambda: len(p.requests()) >= 2, "both turns run")
        typed(say(site, mine, "another tab", headers=ada), 409, "TURN_IN_PROGRESS", "W6: a second turn of one conversation")
        refused(site.request("DELETE", path(mine, ""), headers=ada), 409, "deleted while its first turn runs")
        equal(site.get(path(mine, ""), headers=ada).status, 200, "it is still there")
        for t in turns:
            t.join()
        for who, r in got.items():
            equal(frames(r)[-1][1], "complete", who)
        equal([m["role"] for m in site.get(path(mine), headers=ada).json()], ["user", "assistant"], "one turn each")
        equal(frames(say(site, mine, "again", headers=ada))[0][0].split(".")[0], "2", "the second turn has number 2")


@rows(STORES)
def test_a_user_has_so_many_turns_at_once(store):
    slow = [{"text": "One two three.", "first_ms": 2000}]
    with Provider(main={"lists": [{"when": {"contains": "slow"}, "repeat": "last", "replies": slow},
                                  {"repeat": "last", "replies": [{"text": "Hello."}]}]}) as p, \
            onboarding(p, store, workers=2, ONBOARDING_AUTH="token", SECRET_KEY=SECRET, ONBOARDING_TURNS_AT_ONCE=2) as site:
        ada, bob = user(site, "ada"), user(site, "bob")
        got = []
        turns = [threading.Thread(target=lambda id=begin(site, ada): got.append(say(site, id, "slow", headers=ada)))
                 for _ in range(2)]
        for t in turns:
            t.start()
        eventually(lambda: len(p.requests()) >= 2, "two turns run")
        third = begin(site, ada)
        r = say(site, third, "Hello", headers=ada)
        typed(r, 429, "RATE_LIMITED", "a third turn")
        check(0 < int(r.header("Retry-After")) <= 60, "Retry-After")
        equal(site.get(path(third), headers=ada).json(), [], "nothing of it is stored")
        equal(frames(say(site, begin(site, bob), "Hello", headers=bob))[-1][1], "complete", "another user")
        for t in turns:
            t.join()
        equal([frames(r)[-1][1] for r in got], ["complete"] * 2, "the first two")
        for _ in range(3):
            eventually(lambda: say(site, third, "Hello", headers=ada).status == 200, "a slot is free again", 5)


def test_failures_are_events_with_a_code():
    cases = {"lists": [{"when": {"contains": "broken"}, "repeat": "last", "replies": [{"status": 400, "code": "secret_reason"}]},
                       {"repeat": "last", "replies": [{"call": {"name": "read_data", "arguments": {}}}]}]}
    with Provider(main=cases) as p, onboarding(p, ONBOARDING_MODEL_CALLS=3) as site:
        id = begin(site)
        end = frames(say(site, id, "for ever"))[-1][2]
        equal((list(end), end["code"]), (["type", "message", "code"], "STEP_LIMIT"), "a model that never stops: %r" % end)
        r = say(site, id, "for ever", accept="application/json")
        equal((r.status, r.json()["type"], r.json()["code"]), (502, "error", "STEP_LIMIT"), "in one piece")


def test_a_turn_is_stopped():
    slow = [{"text": "One two three.", "tokens": 3, "every_ms": 700, "first_ms": 100}]
    with Provider(main={"lists": [{"repeat": "last", "replies": slow}]}) as p, onboarding(p, workers=2) as site:
        id = begin(site)
        typed(site.request("DELETE", path(id, "/turn")), 404, "NO_TURN", "nothing runs")
        typed(site.request("DELETE", path(NOBODY, "/turn")), 404, "ACCESS_DENIED", "unknown")
        with Stream(site.port, {"content": "slow"}, path=path(id), ids=True) as s:
            s.until("token")
            r = site.request("DELETE", path(id, "/turn"))
            equal((r.status, r.json()), (202, {"conversation_id": id, "status": "cancelling"}), "stopped")
            s.rest_of_turn = [f for f in s]
            last = s.frames[-1]
            equal((last.name, last.data["code"]), ("error", "CANCELLED"), "the terminal event")
        eventually(lambda: site.request("DELETE", path(id, "/turn")).status == 404, "nothing runs any more")
        equal(frames(say(site, id, "again"))[-1][1], "complete", "the conversation goes on")


@rows(STORES)
def test_a_turn_is_read_again_from_any_event(store):
    slow = [{"text": "One two three four.", "tokens": 4, "every_ms": 300}]
    with Provider(main={"lists": [{"repeat": "last", "replies": slow}]}) as p, \
            onboarding(p, store, workers=2, AVIATION_AGENT_ON_DISCONNECT="continue") as site:
        id = begin(site)
        typed(site.get(path(id, "/turn")), 404, "NO_TURN", "no turn yet")
        with Stream(site.port, {"content": "slow"}, path=path(id), ids=True) as s:
            first = s.until("token")
            s.leave()
        with Stream(site.port, None, path=path(id, "/turn"), headers={"Last-Event-ID": first.id}, ids=True) as s:
            rest = [f for f in s if f.name]
        equal([f.name for f in rest[-1:]], ["complete"], "followed to its end")
        check(all(float(f.id.split(".")[1]) > float(first.id.split(".")[1]) for f in rest), "only newer events")
        said = first.data["content"] + "".join(f.data["content"] for f in rest if f.name == "token")
        equal(said.strip(), "One two three four.", "nothing is lost")
        whole = frames(site.get(path(id, "/turn")))
        equal("".join(d["content"] for _, t, d in whole if t == "token").strip(), said.strip(), "all of it again")
        equal(site.get(path(id, "/turn"), headers={"Last-Event-ID": whole[-1][0]}).status, 204, "behind the end")
        o = site.get(path(id, "/turn"), headers={"Accept": "application/json"}).json()
        equal((o["type"], o["content"].strip()), ("complete", said.strip()), "in one piece")
        last, count = whole[-1][0], whole[-1][0].split(".")[0]
        r = typed(site.get(path(id, "/turn"), headers={"Last-Event-ID": count + ".999"}), 400, "INVALID_FORMAT", "behind the end")
        check(last in r, "it names the last event: %s" % r)
        r = typed(site.get(path(id, "/turn"), headers={"Last-Event-ID": "9.1"}), 404, "NO_TURN", "a turn to come")
        check("no turn 9" in r and "begun since" not in r, "no such turn: %s" % r)
        for bad, status, code in (("x", 400, "INVALID_FORMAT"), ("3", 400, "INVALID_FORMAT"), ("1.-2", 400, "INVALID_FORMAT"),
                                  ("7.1", 404, "NO_TURN")):
            typed(site.get(path(id, "/turn"), headers={"Last-Event-ID": bad}), status, code, bad)
        key = {"Idempotency-Key": "a-key-that-nobody-can-guess-0001"}
        one = say(site, id, "once", headers=key)
        two = say(site, id, "once", headers=key)
        equal(two.header("Idempotency-Replayed"), "true", "sent twice")
        equal([d for _, _, d in frames(two)], [d for _, _, d in frames(one)], "the same answer")
        equal(len(site.get(path(id)).json()), 4, "two turns, not three")
        typed(say(site, id, "another", headers=key), 409, "KEY_REUSED", "the key with another message")
        typed(say(site, begin(site), "once", headers=key), 409, "KEY_REUSED", "the key in another conversation")


def test_a_silent_model_is_bridged_and_turns_are_limited():
    with Provider(main={"lists": [{"repeat": "last", "replies": [{"text": "Hello.", "first_ms": 2500}]}]}) as p, \
            onboarding(p, AVIATION_AGENT_HEARTBEAT_S=1, ONBOARDING_TURNS_PER_MINUTE=2) as site:
        id = begin(site)
        r = say(site, id, "x")
        check(r.body.count(b": hb\n\n") >= 1, "heartbeats: %r" % r.body)
        frames(r)
        say(site, id, "y")
        r = say(site, id, "z")
        typed(r, 429, "RATE_LIMITED", "the third in a minute")
        check(0 < int(r.header("Retry-After")) <= 60, "Retry-After")


def test_a_store_that_is_down_is_told():
    with Provider(main=[{"text": "Hello."}]) as p, onboarding(p, "redis") as site:
        id = begin(site)
        site.redis.stop()
        typed(say(site, id, "x"), 503, "UNAVAILABLE", "no store")


@rows(STORES)
def test_a_killed_worker_ends_the_turn_and_keeps_what_was_stored(store):
    replies = [write("employee_name", "Ada", 1), {"text": "One two three.", "tokens": 3, "first_ms": 5000}, {"text": "Here I am."}]
    with Provider(main={"lists": [{"replies": replies}]}) as p, \
            onboarding(p, store, workers=2, AVIATION_AGENT_LEASE_S=2) as site:
        id = begin(site)
        with Stream(site.port, {"content": "My name is Ada."}, path=path(id), ids=True) as s:
            done = s.until("tool_complete")
            for w in site.workers:
                w.kill9()
                w.start()
        whole = frames(site.get(path(id, "/turn"), headers={"Last-Event-ID": done.id}))
        equal((whole[-1][1], whole[-1][2]["code"]), ("error", "INTERNAL_ERROR"), "the turn has an end")
        equal(site.get(path(id, "/state")).json()["employee_name"], "Ada", "a stored result stays")
        answer = eventually(lambda: [r for r in [say(site, id, "Still there?")] if r.status == 200], "the thread is free", 10)
        equal(frames(answer[0])[-1][1], "complete", "the conversation goes on")
