"""Threads over HTTP and on the command line: what is known, pages, turns, copies, deletion, and who may."""

import json
import os
import pty
import re
import signal
import subprocess

from harness import API, ROUTE, Site, check, cli, equal, eventually, find_program, program, question, stop

STORES = [("sqlite",), ("redis",)]
GOLDEN_FOLLOW_UP = "and only with a hard runway?"
THREADS = API + "/threads/"
USER = "X-Auth-User"


def rows(values):
    def mark(fn):
        fn.rows = values
        return fn
    return mark


def talk(site, thread, n, **more):
    """n turns of one thread; returns the answers."""
    answers = []
    for i in range(n):
        r = site.chat("airports near Paris" if i % 2 == 0 else ROUTE, thread, **more)
        equal(r.status, 200, "turn %d: %r" % (i + 1, r.body[:200]))
        answers.append(r.json()["answer"])
    return answers


def messages(site, thread, query="", headers=None):
    r = site.get(THREADS + thread + "/messages" + query, headers=headers)
    equal(r.status, 200, "messages%s: %r" % (query, r.body[:200]))
    return r.json()


@rows(STORES)
def test_a_thread_tells_what_is_known(store):
    with Site(store, workers=2) as site:
        first = site.chat("  Which airports are\n near Paris? ").json()
        thread = first["thread_id"]
        site.chat(GOLDEN_FOLLOW_UP, thread, persona_id="vfr_budget")
        r = site.get(THREADS + thread)
        equal(r.status, 200, "status")
        equal(r.header("Cache-Control"), "no-store", "caching")
        t = r.json()
        equal(sorted(t), ["agent", "created_at", "kept_messages", "message_count", "persona_id", "run_id", "status",
                          "thread_id", "title", "turns", "updated_at"], "members: nothing internal")
        equal((t["thread_id"], t["agent"], t["title"]), (thread, "aviation", "Which airports are near Paris?"), "thread")
        equal((t["turns"], t["message_count"], t["kept_messages"]), (2, 4, 4), "counts")
        equal((t["status"], t["run_id"]), ("idle", None), "no run")
        for name in ("created_at", "updated_at"):
            check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", t[name]), name + ": " + t[name])
        check(t["created_at"] < t["updated_at"], "times")


@rows(STORES)
def test_a_busy_thread_says_so_and_is_not_deleted(store):
    with Site(store, workers=2, AVIATION_AGENT_BUILTIN_FIRST_MS=0) as site:
        site.ask(ROUTE, "busy")
        for w in site.workers:
            w.term()
            w.process.wait(10)
        site.env["AVIATION_AGENT_BUILTIN_FIRST_MS"] = "2500"
        for w in site.workers:
            w.start()
        with site.open(GOLDEN_FOLLOW_UP, "busy") as s:
            s.until("tool_call_end")
            t = site.get(THREADS + "busy").json()
            equal(t["status"], "busy", "status")
            check(re.fullmatch(r"[0-9a-f-]{36}", t["run_id"]), "run: %r" % t["run_id"])
            r = site.request("DELETE", THREADS + "busy")
            equal(r.status, 409, "deleting it meanwhile")
            check(1 <= int(r.header("Retry-After")) <= 15, "Retry-After")
            done = s.rest().one("done")
            equal(done["run_id"], t["run_id"], "it was this run")
        # who cancels the run first need not wait for it
        with site.open(GOLDEN_FOLLOW_UP, "busy") as s:
            s.until("tool_call_end")
            run = site.get(THREADS + "busy").json()["run_id"]
            equal(site.post(API + "/runs/" + run + "/cancel", b"").status // 100, 2, "cancel")
            s.rest()
            equal(site.request("DELETE", THREADS + "busy").status, 204, "after the cancelled run")
        equal(site.get(THREADS + "busy").status, 404, "it is gone")


@rows(STORES)
def test_pages_of_messages(store):
    with Site(store, workers=2) as site:
        answers = talk(site, "long", 5)
        whole = messages(site, "long")
        m = whole["messages"]
        equal([x["role"] for x in m], ["user", "assistant"] * 5, "roles")
        equal([x["content"] for x in m if x["role"] == "assistant"], [a.strip() for a in answers], "answers")
        equal([sorted(x) for x in m], [["content", "created_at", "id", "role"]] * 10, "members")
        equal(len({x["id"] for x in m}), 10, "ids")
        equal((whole["has_older"], whole["has_newer"], whole["has_more"]), (False, False, False), "that is all")
        ids = [x["id"] for x in m]
        # all pages from the end, and from the beginning
        for size in (1, 3, 4, 10, 200):
            got, query = [], "?limit=%d" % size
            while True:
                page = messages(site, "long", query)
                got = [x["id"] for x in page["messages"]] + got
                if not page["has_more"]:
                    break
                query = "?limit=%d&before=%s" % (size, page["first_id"])
            equal(got, ids, "pages of %d from the end" % size)
            got, query = [], "?limit=%d&after=" % size
            while True:
                page = messages(site, "long", query)
                got += [x["id"] for x in page["messages"]]
                if not page["has_more"]:
                    break
                query = "?limit=%d&after=%s" % (size, page["last_id"])
            equal(got, ids, "pages of %d from the beginning" % size)
        page = messages(site, "long", "?limit=2&before=" + ids[4])
        equal(([x["id"] for x in page["messages"]], page["has_older"], page["has_newer"]), (ids[2:4], True, True), "before")
        page = messages(site, "long", "?before=" + ids[0])
        equal((page["messages"], page["first_id"], page["has_more"]), ([], None, False), "before the first")
        talk(site, "long", 1)
        equal([x["id"] for x in messages(site, "long")["messages"]][:10], ids, "ids stay")


@rows(STORES)
def test_the_turns_of_a_thread(store):
    with Site(store, workers=2) as site:
        runs = [site.chat(ROUTE, "turns").json()["run_id"] for _ in range(4)]
        said = messages(site, "turns")["messages"]
        h = site.get(THREADS + "turns/history").json()
        equal([c["version"] for c in h["checkpoints"]], [1, 2, 3, 4], "versions")
        equal([c["run_id"] for c in h["checkpoints"]], runs, "runs")
        equal([c["message_id"] for c in h["checkpoints"]], [m["id"] for m in said[1::2]], "each ends with its answer")
        page = site.get(THREADS + "turns/history?limit=1&before=" + said[5]["id"]).json()
        equal(([c["version"] for c in page["checkpoints"]], page["has_more"]), ([2], True), "a page of it")


@rows(STORES)
def test_bad_queries(store):
    with Site(store) as site:
        talk(site, "one", 1)
        talk(site, "two", 1)
        foreign = messages(site, "two")["messages"][0]["id"]
        bad = [("limit=0", "greater_than_equal"), ("limit=-1", "greater_than_equal"), ("limit=1000000000", "less_than_equal"),
               ("limit=201", "less_than_equal"), ("limit=NaN", "int_parsing"), ("limit=", "int_parsing"),
               ("limit=1e2", "int_parsing"), ("limit=99999999999999999999999", "int_parsing"), ("limit=0&limit=5", "greater_than_equal"),
               ("before=" + foreign, "value_error"), ("after=" + foreign, "value_error"), ("before=nonsense", "value_error"),
               ("before=", "value_error"), ("before=%00", "value_error"), ("after=%zz", "value_error"), ("limit=%00", "int_parsing"),
               ("before=%0a'--", "value_error"), ("before=" + "x" * 3000, "value_error"),
               ("before=a&after=b", "value_error")]
        for path in ("/messages", "/history"):
            for query, kind in bad:
                r = site.get(THREADS + "one" + path + "?" + query)
                equal(r.status, 422, path + "?" + query)
                fault = r.json()["detail"][0]
                equal((fault["type"], fault["loc"][0]), (kind, "query"), query)
                check(len(r.body) < 1000, "the echo is bounded")
            for query in ("limit=1", "limit=200", "limit=5&limit=0", "other=1", "limit=%31"):
                equal(site.get(THREADS + "one" + path + "?" + query).status, 200, query)


@rows(STORES)
def test_copies(store):
    with Site(store, workers=2) as site:
        talk(site, "origin", 3)
        m = messages(site, "origin")["messages"]
        r = site.post(THREADS + "origin/fork", {"message_id": m[3]["id"]})
        equal(r.status, 201, "fork: %r" % r.body[:200])
        fork = r.json()
        check(re.fullmatch(r"thread_[0-9a-f]{32}", fork["thread_id"]), fork["thread_id"])
        equal((fork["forked_from"], fork["message_id"], fork["message_count"]), ("origin", m[3]["id"], 4), "fork")
        equal(messages(site, fork["thread_id"])["messages"], m[:4], "its messages")
        h = site.get(THREADS + fork["thread_id"] + "/history").json()["checkpoints"]
        equal([c["message_id"] for c in h], [m[3]["id"]], "its own history")
        old = {c["run_id"] for c in site.get(THREADS + "origin/history").json()["checkpoints"]}
        check(h[0]["run_id"] not in old, "the runs of the other thread are not shown")
        # both go on by themselves
        second = site.chat(GOLDEN_FOLLOW_UP, fork["thread_id"]).json()
        equal(second["planner_meta"]["arguments"]["from_location"], "EGTF", "the copy remembers")
        equal(len(messages(site, "origin")["messages"]), 6, "the origin is as it was")
        # up to a question: the copy ends with it, and takes another one
        r = site.post(THREADS + "origin/fork", {"message_id": m[2]["id"]})
        equal((r.status, r.json()["message_id"], r.json()["message_count"]), (201, m[2]["id"], 3), "up to a question")
        other = site.chat("Tell me about LFMD", r.json()["thread_id"])
        equal((other.status, other.json()["planner_meta"]["arguments"].get("icao_code")), (200, "LFMD"), "another question")
        equal([x["role"] for x in messages(site, r.json()["thread_id"])["messages"]],
              ["user", "assistant", "user", "user", "assistant"], "what it holds then")
        # all of it: an empty body, null, an empty object
        for body in (b"", b"null", {}, {"message_id": None}):
            r = site.post(THREADS + "origin/fork", body)
            equal((r.status, r.json()["message_count"], r.json()["message_id"]), (201, 6, m[5]["id"]), "body %r" % body)
        for body, shown in (({"message_id": 7}, 7), ([], []), ({"message_id": ["x"]}, ["x"]), ({"message_id": "no"}, "no")):
            equal(site.post(THREADS + "origin/fork", body).json()["detail"][0]["input"], shown, "input of %r" % body)
        for body, status in (({"message_id": "nonsense"}, 422), ({"message_id": 7}, 422), ({"message_id": ["x"]}, 422), ([], 422),
                             (b"{", 422), ({"message_id": messages(site, fork["thread_id"])["messages"][5]["id"]}, 422)):
            r = site.post(THREADS + "origin/fork", body)
            equal(r.status, status, "body %r: %r" % (body, r.body[:100]))
            check(isinstance(r.json()["detail"], list), "a list of faults")


@rows(STORES)
def test_a_stranger_cannot_fill_the_store_with_copies(store):
    with Site(store, workers=2, AVIATION_AGENT_THREAD_COPIES=6) as site:
        talk(site, "origin", 1)
        made, refused = ["origin"], None
        for i in range(9):
            r = site.post(THREADS + made[-1] + "/fork" if i % 2 else THREADS + "origin/fork", {})
            if r.status != 201:
                refused = r
                break
            made.append(r.json()["thread_id"])
        equal(len(made), 7, "copies of it and of its copies")
        equal(refused.status, 429, "one more: %r" % refused.body[:200])
        check(3500 < int(refused.header("Retry-After")) <= 3600, "Retry-After: %s" % refused.header("Retry-After"))
        check("continue one of its copies" in refused.json()["detail"], "what to do: %r" % refused.body)
        equal(site.post(THREADS + made[3] + "/fork", {}).status, 429, "nor a copy of a copy")
        # the rest of the service is as before
        equal(site.chat(GOLDEN_FOLLOW_UP, made[3]).status, 200, "a copy is continued")
        equal(site.chat(GOLDEN_FOLLOW_UP, "origin").status, 200, "and the first thread")
        talk(site, "another", 1)
        equal(site.post(THREADS + "another/fork", {}).status, 201, "another thread")
        if site.redis:
            kept = [int(site.redis.command("PTTL", "aa:{%s}:%s" % (t, part))[1:]) for t in made[2:4] for part in ("meta", "msgs")]
            check(all(0 < ms <= 3660000 for ms in kept[:2]), "a copy that nobody has continued: %r" % kept)
            check(all(ms > 29 * 86400000 for ms in kept[2:]), "one that was continued: %r" % kept)


@rows(STORES)
def test_deleting(store):
    with Site(store, workers=2) as site:
        talk(site, "gone", 2)
        talk(site, "stays", 1)
        with site.open(ROUTE, "gone", on_disconnect="continue") as s:
            run = s.rest().one("done")["run_id"]
        equal(site.get(API + "/runs/" + run).status, 200, "a run with a log")
        r = site.request("DELETE", THREADS + "gone")
        equal((r.status, r.body), (204, b""), "delete")
        equal(site.request("DELETE", THREADS + "gone").status, 404, "twice")
        for path in ("", "/messages", "/history"):
            equal(site.get(THREADS + "gone" + path).status, 404, "afterwards " + path)
        equal(site.get(THREADS + "stays").status, 200, "the other one")
        equal(site.get(API + "/runs/" + run + "/stream").status, 404, "its log, which holds the answer")
        if site.redis:
            equal([k for k in site.redis.keys() if b"{gone}" in k or run.encode() in k], [], "keys of it")
        # the id may begin again, and knows nothing
        again = site.chat(GOLDEN_FOLLOW_UP, "gone").json()
        check((again["planner_meta"] or {}).get("arguments", {}).get("from_location") != "EGTF", "it remembers")
        entries = site.log_entries()
        check(len([e for e in entries if e["question"] == ROUTE]) >= 1, "the conversation log is kept")


def endpoints(thread, message):
    """Every request that names a thread."""
    return [("GET", THREADS + thread, None), ("GET", THREADS + thread + "/messages", None),
            ("GET", THREADS + thread + "/messages?before=" + message, None), ("GET", THREADS + thread + "/history", None),
            ("POST", THREADS + thread + "/fork", b"{}"), ("POST", THREADS + thread + "/fork", b'{"message_id":"x"}'),
            ("DELETE", THREADS + thread, None)]


def run_requests(run):
    """Every request that names a run."""
    return [("GET", API + "/runs/" + run, None), ("GET", API + "/runs/" + run + "/stream", None),
            ("GET", API + "/runs/" + run + "/stream?after=1", None), ("POST", API + "/runs/" + run + "/cancel", None)]


def shape(r):
    """All of a response but the time."""
    return (r.status, sorted((k.lower(), v) for k, v in r.headers if k.lower() != "date"), r.body)


@rows(STORES)
def test_foreign_and_unknown_are_the_same_bytes(store):
    with Site(store, workers=2, AVIATION_AGENT_USER_HEADER=USER) as site:
        alice, bob = {USER: "alice"}, {USER: "bob"}
        with site.open(ROUTE, headers=alice, on_disconnect="continue") as stream:
            r = stream.rest().one("done")
        thread, session, run = r["thread_id"], r["session_id"], r["run_id"]
        message = messages(site, thread, headers=alice)["messages"][0]["id"]
        unknown = "thread_" + "0" * 32
        nowhere = shape(site.get(API + "/nothing-here"))
        equal((nowhere[0], json.loads(nowhere[2])), (404, {"detail": "Not Found"}), "a path that does not exist")
        for who in (bob, {}, {USER: "Alice"}):
            for (method, path, body), (_, other, _) in zip(
                    endpoints(thread, message) + run_requests(run),
                    endpoints(unknown, message) + run_requests("6f1c2b1e-5a77-4d0c-9d34-0f6a8f1f7c11")):
                head = dict(who, **{"Content-Type": "application/json"}) if body else who
                equal(shape(site.request(method, path, body=body, headers=head)), nowhere, "foreign %s %s" % (method, path))
                equal(shape(site.request(method, other, body=body, headers=head)), nowhere, "unknown %s %s" % (method, other))
            equal(shape(site.get(API + "/sessions/" + session, headers=who)), nowhere, "foreign session")
            equal(shape(site.chat(GOLDEN_FOLLOW_UP, thread, headers=who))[0::2], nowhere[0::2], "a turn of a foreign thread")
        for bad in ("..", "%2e%2e", "a%20b", "x" * 129, "%00", "a'b", "thread_%ff"):
            for path in (THREADS + bad + "/messages", API + "/sessions/" + bad):
                r = site.get(path)
                check(r.status in (400, 404), "%s: %d" % (path, r.status))
        equal(site.get(THREADS + thread, headers=alice).status, 200, "its owner")
        equal(site.get(API + "/runs/" + run, headers=alice).status, 200, "the run's owner")
        equal(site.get(API + "/sessions/" + session, headers=alice).status, 200, "the session's owner")
        # what an anonymous client began is open to who knows its id, and a copy belongs to who made it
        open_one = site.chat(ROUTE).json()["thread_id"]
        equal(site.get(THREADS + open_one, headers=bob).status, 200, "an anonymous thread")
        copy = site.post(THREADS + open_one + "/fork", {}, headers=bob).json()["thread_id"]
        equal((site.get(THREADS + copy, headers=bob).status, site.get(THREADS + copy).status), (200, 404), "bob's copy")


def test_the_header_counts_only_if_it_is_set():
    with Site() as site:
        first = site.chat(ROUTE, headers={USER: "alice"}).json()["thread_id"]
        equal(site.get(THREADS + first).status, 200, "without the setting the header names nobody")


def test_nginx_replaces_a_header_that_a_client_sent():
    """The line that the shipped file shows, with the name from the query instead of from a login."""
    with Site(AVIATION_AGENT_USER_HEADER=USER) as site:
        path = os.path.join(site.dir, "agent.conf")
        with open(path) as f:
            conf = f.read()
        line = "\t#   fastcgi_param        HTTP_X_AUTH_USER $login_user;\n"
        check(line in conf, "nginx/aviation-agent.conf does not show the line")
        with open(path, "w") as f:
            f.write(conf.replace(line, line.replace("#  ", "").replace("$login_user", "$arg_login")))
        # not by a reload: for a moment the old process serves too
        stop(site.nginx_process, signal.SIGTERM)
        site.nginx_process = subprocess.Popen(
            [find_program("nginx"), "-e", os.path.join(site.dir, "nginx.log"), "-c", os.path.join(site.dir, "nginx.conf")],
            stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def sent(who, forged, thread=None):
            return site.post(API + "/chat" + ("?login=" + who if who else ""), question(ROUTE, thread), headers={USER: forged})

        def serves():
            try:
                return site.usable()
            except OSError:
                return False
        eventually(serves, "nginx starts again")
        equal(site.get(THREADS + sent("", "alice").json()["thread_id"]).status, 200, "a forged name is nobody's")
        thread = sent("bob", "alice").json()["thread_id"]
        equal([site.get(THREADS + thread + "?login=" + who, headers={USER: "bob"}).status for who in ("bob", "alice", "")],
              [200, 404, 404], "only the login counts")
        equal(sent("", "bob", thread).status, 404, "nobody with a forged header")


def test_a_long_thread_is_read_in_bounded_pages():
    """Thousands of messages: each page is small, and reading them all gives each once."""
    with Site(AVIATION_AGENT_THREAD_BYTES=4 << 20, AVIATION_AGENT_HISTORY_MESSAGES=1000) as site:
        many = [{"role": "user" if i % 2 == 0 else "assistant", "content": "message %d" % i} for i in range(900)]
        for k in range(3):
            r = site.post(API + "/chat", {"thread_id": "deep-%d" % k, "messages": many + [{"role": "user", "content": ROUTE}]})
            equal(r.status, 200, "a long history")
        seen, query = [], "?limit=200"
        while True:
            page = messages(site, "deep-0", query)
            check(len(page["messages"]) <= 200, "bounded")
            seen = [m["content"] for m in page["messages"]] + seen
            if not page["has_more"]:
                break
            query = "?limit=200&before=" + page["first_id"]
        equal(seen[:900], [m["content"] for m in many], "all of them, once")


@rows(STORES)
def test_the_command_line(store):
    with Site(store, AVIATION_AGENT_USER_HEADER=USER) as site:
        talk(site, "plain", 2)
        site.chat("a question\x1b[31m in red\nand a line", "alices", headers={USER: "alice"})
        status, out, err = cli("threads", "list", env=site.env)
        equal((status, err), (0, ""), "list")
        lines = sorted(out.splitlines())
        equal(len(lines), 2, out)
        check(lines[0].startswith("alices ") and " alice " in lines[0] and "\x1b" not in out, out)
        check("airports near Paris" in lines[1] and " 2 turns" in lines[1], out)
        equal(len(cli("threads", "list", "--user", "alice", env=site.env)[1].splitlines()), 1, "one user's")
        status, out, err = cli("threads", "list", "--limit", "1", env=site.env)
        equal((status, len(out.splitlines()), "more than 1" in err), (0, 1, True), "bounded")
        for line in cli("threads", "list", "--json", env=site.env)[1].splitlines():
            check(json.loads(line)["thread_id"] in ("plain", "alices"), line)
        status, out, _ = cli("threads", "show", "alices", env=site.env)
        check(status == 0 and "and a line" in out and "\x1b" not in out, out)
        status, out, _ = cli("threads", "export", "plain", env=site.env)
        whole = json.loads(out)
        equal((whole["thread_id"], len(whole["messages"]), whole["messages"][1]["turn"]), ("plain", 4, 1), "export")
        equal(cli("threads", "delete", "plain", env=site.env)[0], 0, "delete")
        status, _, err = cli("threads", "delete", "plain", env=site.env)
        check(status == 2 and "thread plain is not in the store" in err, err)
        equal(site.get(THREADS + "plain").status, 404, "gone for the workers too")
        equal(cli("threads", "delete", "--force", "alices", env=site.env)[0], 0, "delete --force")
        equal(cli("threads", "list", env=site.env)[1], "", "nothing left")
        for bad in ([], ["nonsense"], ["show"], ["show", "a b"], ["list", "x"], ["list", "--limit", "0"], ["list", "--limit", "x"],
                    ["list", "--limit", "10001"], ["export", "a", "b"], ["delete", "--quick", "a"]):
            equal(cli("threads", *bad, env=site.env)[0], 2, "threads %s" % " ".join(bad))


def test_ask_tells_how_to_continue():
    """On standard error, if that is a terminal: a script gets the answer and nothing else."""
    with Site() as site:
        status, out, err = cli("ask", ROUTE, env=site.env)
        equal((status, err, "thread_" in out), (0, "", False), "no terminal")
        terminal, end = pty.openpty()
        p = subprocess.run([program("aviation-agent"), "ask", ROUTE], env=site.env, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=end, timeout=60)
        os.close(end)
        said = os.read(terminal, 4096).decode()
        os.close(terminal)
        equal(p.returncode, 0, said)
        thread = re.search(r"ask --thread (thread_[0-9a-f]{32})", said)
        check(thread, "how to continue: %r" % said)
        _, out, _ = cli("ask", "--thread", thread.group(1), "--json", GOLDEN_FOLLOW_UP, env=site.env)
        check('"EGTF"' in out, "it continues")
        for id, new in (("mistyped", True), ("mistyped", False)):
            terminal, end = pty.openpty()
            subprocess.run([program("aviation-agent"), "ask", "--thread", id, ROUTE], env=site.env, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=end, timeout=60)
            os.close(end)
            said = os.read(terminal, 4096).decode()
            os.close(terminal)
            equal("there was no thread mistyped" in said, new, "a person notices a mistyped id: %r" % said)
        equal(cli("ask", "--thread", "last", ROUTE, env=site.env)[0], 2, "a word for sessions")
