"""What users think of answers: the call, its file beside the conversation log, and the command that lists it."""

import concurrent.futures
import datetime
import glob
import json
import os

from harness import API, Site, check, cli, equal, eventually

HOSTILE = "<script>alert(1)</script>\u001b[31m\n\"'"


def run_of(s, text="airports near Paris", headers=None):
    """A turn whose entry is in the conversation log; its run."""
    r = s.post(API + "/chat/stream", {"messages": [{"role": "user", "content": text}]}, headers)
    equal(r.status, 200, text)
    run = json.loads(r.body.decode().split("event: done\ndata: ")[1].split("\n")[0])["run_id"]
    eventually(lambda: any(run in open(p, encoding="utf-8").read() for p in glob.glob(s.log_dir + "/*.json")),
               "the turn is logged")
    return run


def send(s, body, status=200, headers=None):
    r = s.post(API + "/feedback", body, headers)
    equal(r.status, status, "%s: %s" % (str(body)[:100], r.body[:300].decode()))
    return r.json()


def records(s):
    paths = glob.glob(os.path.join(s.log_dir, "*-feedback.json"))
    check(len(paths) <= 1, paths)
    if not paths:
        return []
    with open(paths[0], encoding="utf-8") as f:
        text = f.read()
    equal(text, json.dumps(json.loads(text), indent=2, ensure_ascii=False), "the layout of the original's files")
    return json.loads(text)


def test_up_and_down():
    with Site() as s:
        run = run_of(s)
        reply = send(s, {"run_id": run, "score": 1, "comment": None})
        equal((reply["status"], len(reply["feedback_id"])), ("ok", 36), "answer")
        record = records(s)[0]
        equal(list(record), ["run_id", "timestamp", "feedback", "score", "comment", "question", "answer", "tool_calls", "session_id",
                             "conversation_timestamp"], "members")
        equal((record["run_id"], record["feedback"], record["score"], record["comment"], record["question"]),
              (run, "up", 1, None, "airports near Paris"), "record")
        check(record["answer"] and record["tool_calls"][0]["name"] == "find_airports_near_location", record)
        datetime.datetime.fromisoformat(record["timestamp"])
        check(record["conversation_timestamp"] < record["timestamp"], "the turn came before")
        name = os.path.basename(glob.glob(os.path.join(s.log_dir, "*-feedback.json"))[0])
        equal(name, record["timestamp"][:10] + "-feedback.json", "name of the file")
        # whole numbers as the original takes them
        for score, up in ((0, "down"), (1.0, "up"), ("0", "down"), (True, "up"), (False, "down")):
            send(s, {"run_id": run, "score": score, "comment": " "})
            last = records(s)[-1]
            equal((last["feedback"], last["comment"]), (up, None), "score %r" % score)
        check(type(records(s)[2]["score"]) is int, "a whole number")


def test_the_last_score_counts():
    with Site() as s:
        first, second = run_of(s), run_of(s, "airports near Lyon")
        send(s, {"run_id": first, "score": 1})
        send(s, {"run_id": second, "score": 1})
        send(s, {"run_id": first, "score": 0, "comment": "Not near.\n" + HOSTILE})
        status, out, err = cli("feedback", "list", "--json", env={"CONVERSATION_LOG_DIR": s.log_dir})
        equal(status, 0, err)
        listed = [json.loads(line) for line in out.splitlines()]
        equal([(x["run_id"], x["feedback"]) for x in listed], [(first, "down"), (second, "up")], "newest first, each once")
        status, out, err = cli("feedback", "list", "--score", "down", env={"CONVERSATION_LOG_DIR": s.log_dir})
        equal(status, 0, err)
        check(first in out and second not in out and "Not near." in out and "airports near Paris" in out, out)
        check("\x1b" not in out, "nothing that a terminal obeys: %r" % out)


def test_the_command_without_feedback():
    with Site() as s:
        status, out, err = cli("feedback", "list", env={"CONVERSATION_LOG_DIR": s.log_dir})
        equal((status, out), (0, ""), err)
        check("no feedback" in err, err)
        for args in (("feedback",), ("feedback", "show"), ("feedback", "list", "x"), ("feedback", "list", "--days", "0"),
                     ("feedback", "list", "--score", "best")):
            equal(cli(*args, env={"CONVERSATION_LOG_DIR": s.log_dir})[0], 2, args)
        os.makedirs(s.log_dir, exist_ok=True)
        with open(os.path.join(s.log_dir, datetime.date.today().isoformat() + "-feedback.json"), "w") as f:
            f.write("[{")
        status, out, err = cli("feedback", "list", env={"CONVERSATION_LOG_DIR": s.log_dir})
        check(status != 0 and "-feedback.json" in err, "a broken file is named: " + err)


def test_what_is_refused():
    with Site() as s:
        run = run_of(s)
        for score, kind in ((0.5, "int_from_float"), ("x", "int_parsing"), ("0.5", "int_parsing"), (None, "int_type"),
                            ([], "int_type"), (2, "less_than_equal"), (-1, "greater_than_equal"), (1e300, "less_than_equal")):
            detail = send(s, {"run_id": run, "score": score}, 422)["detail"]
            equal([(d["loc"], d["type"]) for d in detail], [(["body", "score"], kind)], score)
        detail = send(s, {"comment": 3}, 422)["detail"]
        equal([d["loc"] for d in detail], [["body", "run_id"], ["body", "score"], ["body", "comment"]], "all faults at once")
        equal(send(s, {"run_id": 7, "score": 1}, 422)["detail"][0]["type"], "string_type", "a run that is a number")
        for body in ("", "[]", "{", "null", '{"run_id": "x", "score": NaN}'):
            send(s, body, 422)
        for other in ("", "x", run[:-1], run + "0", "../" + run, "a" * 10000, "%00", run.upper() + "\n"):
            send(s, {"run_id": other, "score": 1}, 404)
        equal(s.post(API + "/feedback", {"run_id": run, "score": 1, "comment": "x" * 70000}).status, 413, "a large body")
        equal(s.get(API + "/feedback").status, 405, "GET")
        equal(records(s), [], "nothing was written")
        send(s, {"run_id": run, "score": 1, "comment": "é" * 5000, "other": 1})
        comment = records(s)[0]["comment"]
        equal((len(comment), comment[-1]), (4001, "…"), "a long comment is cut")


def test_a_run_is_scored_a_few_times():
    with Site() as s:
        run = run_of(s)
        for _ in range(10):
            send(s, {"run_id": run, "score": 0})
        r = s.post(API + "/feedback", {"run_id": run, "score": 1})
        equal(r.status, 429, "the eleventh")
        check(int(r.header("Retry-After")) > 0, "when again")
        equal(len(records(s)), 10, "records")


def test_another_users_run():
    with Site(AVIATION_AGENT_USER_HEADER="X-Auth-User") as s:
        mine = {"X-Auth-User": "ann"}
        run = run_of(s, headers=mine)
        send(s, {"run_id": run, "score": 1}, 404, {"X-Auth-User": "bob"})
        send(s, {"run_id": run, "score": 1}, 404)
        equal(records(s), [], "nothing was written")
        send(s, {"run_id": run, "score": 1}, 200, mine)
        equal(len(records(s)), 1, "its owner may")


def test_a_run_that_the_store_has_forgotten():
    with Site(AVIATION_AGENT_RUN_TTL_S=1) as s:
        run = run_of(s)
        eventually(lambda: s.get("%s/runs/%s" % (API, run)).status == 404, "the record is gone", 30)
        send(s, {"run_id": run, "score": 0, "comment": "too late?"})
        equal(records(s)[0]["question"], "airports near Paris", "its entry in the log is found")
    with Site(store="none") as s:
        run = run_of(s)
        equal(send(s, {"run_id": run, "score": 1})["status"], "ok", "without a store the log knows it")


def test_without_a_log():
    with Site(CONVERSATION_LOG_DIR="none") as s:
        run = s.ask("airports near Paris").one("done")["run_id"]
        equal(send(s, {"run_id": run, "score": 1}), {"status": "skipped", "feedback_id": None}, "it is kept nowhere")


def test_a_full_file():
    with Site(CONVERSATION_LOG_MAX_DAY=20000) as s:
        run = run_of(s)
        answers = [send(s, {"run_id": run, "score": 0, "comment": "x" * 3900})["status"] for _ in range(8)]
        check(answers[0] == "ok" and answers[-1] == "skipped", answers)
        size = os.path.getsize(glob.glob(s.log_dir + "/*-feedback.json")[0])
        check(size <= 20000, size)
        equal(len(records(s)), answers.count("ok"), "whole records")


def test_many_at_once():
    with Site(workers=2, store="redis") as s:
        runs = [run_of(s, "airports near " + place) for place in ("Paris", "Lyon", "Cannes")]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda i: send(s, {"run_id": runs[i % 3], "score": i % 2, "comment": "c%d" % i}), range(24)))
        equal(sorted(r["comment"] for r in records(s)), sorted("c%d" % i for i in range(24)), "each record is whole")


def test_the_switch():
    with Site(AVIATION_AGENT_REST="-feedback") as s:
        equal(s.post(API + "/feedback", {"run_id": "x", "score": 1}).status, 404, "switched off")
