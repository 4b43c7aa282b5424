"""Vectors of the rules: `aviation-agent index rules` against a scripted provider, broken off in every way.

The rules are made up and generated: some 380 texts, so that a build takes several requests.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

import harness
from harness import KEY, Provider, check, cli, equal, eventually, program, small_disk, stop

COUNTRIES = ["BE", "CH", "DE", "ES", "FR", "GB", "IT", "NL", "PL"]
QUESTIONS = 45
SUBJECTS = ["a glider", "a drone", "a balloon", "a seaplane", "an airship"]
PLACES = ["over a lake", "at dusk", "above the cloud", "near a castle", "in the rain", "by the coast", "over a forest",
          "at a festival", "behind a tug"]


def rules(path, questions=QUESTIONS, change=None):
    """Rules of nested shape; in every fifth question all countries say the same. Returns the distinct texts."""
    texts, items = set(), []
    for i in range(questions):
        text = "May %s be flown %s?" % (SUBJECTS[i % 5], PLACES[i // 5 % 9])
        answers = {}
        for c in COUNTRIES:
            html = "Everywhere alike, rule %d." % i if i % 5 == 4 else "In %s: <b>yes</b>, with permit %s-%d." % (c, c, i * 7)
            if (i, c) == change:
                html += " Since today: no."
            answers[c] = {"answer_html": html, "links": ["https://rules.example.org/%d" % i], "last_reviewed": "2025-03-01"}
            texts.add(html)
        texts.add(text)
        items.append({"question_id": "Q%d" % i, "question_text": text, "category": "General", "tags": ["permission"],
                      "answers_by_country": answers})
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"questions": items}, f)
    return texts


def embeddings(*replies, **last):
    """A case: these replies to requests for embeddings, then good ones; any chat is answered."""
    return {"lists": [{"when": {"kind": "embeddings"}, "repeat": "last", "replies": list(replies) + [dict({"dims": 64}, **last)]},
                      {"when": {"kind": "planner"}, "repeat": "last", "replies": [{"plan": {
                          "selected_tool": "answer_rules_question", "answer_style": "narrative_markdown",
                          "arguments": {"country_code": "FR", "question": "May a balloon be flown at dusk?"}}}]},
                      {"when": {"kind": "formatter"}, "repeat": "last", "replies": [{"text": "May a balloon be flown at dusk?"}]}]}


GOOD = embeddings()


def slow(ms):
    return embeddings(head_ms=int(ms * harness.SLACK))


class Index:
    """A folder with rules and a vector file."""

    def __init__(self):
        self.dir = tempfile.mkdtemp(prefix="aa-index.")
        self.rules, self.file = os.path.join(self.dir, "rules.json"), os.path.join(self.dir, "vectors.db")
        self.texts = rules(self.rules)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.dir, ignore_errors=True)

    def env(self, provider, **more):
        env = {"RULES_JSON": self.rules, "VECTOR_DB_PATH": self.file, "AVIATION_AGENT_LLM_BACKOFF_MS": 20,
               "CHECKPOINTER_PROVIDER": "none", "AVIATION_AGENT_STATE_DIR": os.path.join(self.dir, "state")}
        env.update(provider.env if provider else {})
        env.update(more)
        return env

    def run(self, provider, *args, **env):
        status, out, err = cli("index", "rules", *args, env=self.env(provider, **env))
        check(KEY not in out + err, "the key is shown: " + out + err)
        return status, out, err

    def good(self, provider, *args, **env):
        """A run that must succeed: (embedded, kept, dropped)."""
        status, out, err = self.run(provider, *args, **env)
        equal(status, 0, "exit status: " + err)
        m = re.fullmatch(r"(\S+): (\S+), (\d+) texts: (\d+) embedded, (\d+) kept, (\d+) dropped; (\d+) questions, "
                         r"(\d+) answers; (about )?\d+ tokens, \d+\.\d s\n", out)
        check(m, "what it says: " + out)
        return tuple(int(m.group(i)) for i in (4, 5, 6))

    def start(self, provider):
        """A run that the test will disturb."""
        env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": self.dir, "LANG": "C.UTF-8",
               "AIRPORTS_DB": harness.DB, "CONVERSATION_LOG_DIR": "none"}
        env.update({k: str(v) for k, v in self.env(provider).items()})
        return subprocess.Popen([program("aviation-agent"), "index", "rules"], env=env, cwd=self.dir,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def dump(self, path=None):
        """Everything that readers see."""
        with contextlib.closing(sqlite3.connect("file:%s?mode=ro" % (path or self.file), uri=True)) as db:
            rows = db.execute("SELECT model, hex(hash), hex(vector) FROM vectors ORDER BY 1, 2").fetchall()
            return rows + db.execute("SELECT model, dims, texts FROM builds").fetchall()

    def size(self):
        try:
            with contextlib.closing(sqlite3.connect("file:%s?mode=ro" % self.file, uri=True)) as db:
                return db.execute("SELECT count(*) FROM vectors").fetchone()[0]
        except sqlite3.OperationalError:
            return 0

    def whole(self, provider, **env):
        """The result of one run without a break for the same rules, as a dump."""
        path = os.path.join(self.dir, "whole.db")
        if os.path.exists(path):
            os.unlink(path)
        self.good(provider, **dict(env, VECTOR_DB_PATH=path))
        return self.dump(path)


def inputs(provider):
    return [a.body["input"] for a in provider.requests(kind="embeddings")]


def asked_for(provider, n):
    """Wait until n requests for embeddings have come."""
    eventually(lambda: len(provider.requests(kind="embeddings")) >= n, "%d requests" % n, 20, 0.01)


# -- the plain case --


def test_builds():
    with Index() as x, Provider(good=GOOD) as provider:
        equal(x.good(provider), (len(x.texts), 0, 0), "embedded, kept, dropped")
        sent = inputs(provider)
        check(all(len(texts) <= 100 for texts in sent), "texts a request: %s" % [len(t) for t in sent])
        equal(sorted(t for texts in sent for t in texts), sorted(x.texts), "each text once, however many countries share it")
        equal({a.body["model"] for a in provider.requests()}, {"text-embedding-3-small"}, "model")
        equal(os.stat(x.file).st_mode & 0o7777, 0o640, "mode")
        equal(len(x.dump()), len(x.texts) + 1, "rows")
        equal(x.good(provider), (0, len(x.texts), 0), "the second time")
        equal(len(inputs(provider)), len(sent), "requests of the second time")
        status, out, err = cli("index", "rules", env=x.env(provider))
        check("%d questions, %d answers;" % ((QUESTIONS * len(COUNTRIES),) * 2) in out, "records as the original counts: " + out)


def test_only_what_changed():
    with Index() as x, Provider(good=GOOD) as provider:
        x.good(provider)
        n = len(x.texts)
        x.texts = rules(x.rules, change=(3, "FR"))
        equal(x.good(provider), (1, n - 1, 1), "embedded, kept, dropped")
        equal(len(inputs(provider)[-1]), 1, "texts sent")
        equal(x.dump(), x.whole(provider), "the file")


def test_a_folder_of_the_original():
    """VECTOR_DB_PATH of the original is a folder of another store: our file goes into it, all else stays."""
    with Index() as x, Provider(good=GOOD) as provider:
        os.mkdir(x.file)
        other = os.path.join(x.file, "chroma.sqlite3")
        with open(other, "wb") as f:
            f.write(b"not ours")
        x.good(provider)
        equal(sorted(os.listdir(x.file)), ["aviation-rules.db", "aviation-rules.db.lock", "chroma.sqlite3"], "the folder")
        equal(open(other, "rb").read(), b"not ours", "the other file")


def test_usage():
    for args in (("index",), ("index", "airports"), ("index", "rules", "more"), ("index", "rules", "--nonsense")):
        status, out, err = cli(*args)
        equal(status, 2, "exit status of %s" % (args,))
        check(err.strip() and not out, "%s: %r %r" % (args, out, err))


# -- broken off --


def answer_with(x, provider, path, vectors=True, **env):
    """The rules found with a vector file, as a turn gives them out."""
    before = len(inputs(provider))
    status, out, err = cli("ask", "--json", "May a balloon be flown at dusk in France?",
                           env=x.env(provider, VECTOR_DB_PATH=path, **env))
    equal((status, err), (0, ""), "ask")
    equal(len(inputs(provider)) - before, 1 if vectors else 0, "questions embedded")
    result, = (e["data"]["result"] for e in map(json.loads, out.splitlines()) if e["event"] == "tool_call_end")
    check(result["found"], "an answer: %s" % result)
    return result


def test_kill_9_and_resume(at):
    """Killed at a request, gone on with: the same file and the same answers as of one run; nothing is embedded twice."""
    with Index() as x, Provider(slow=slow(400)) as provider, Provider(good=GOOD) as quick:
        process = x.start(provider)
        asked_for(provider, at)
        process.kill()
        process.communicate()
        kept = x.size()
        check((at - 1) * 100 <= kept <= at * 100, "%d texts are kept" % kept)
        equal(x.good(quick), (len(x.texts) - kept, kept, 0), "embedded, kept, dropped")
        whole = x.whole(quick)
        equal(len(x.dump()), len(whole), "rows")
        check(x.dump() == whole, "the file is not the one of a single run")
        equal(answer_with(x, quick, x.file), answer_with(x, quick, os.path.join(x.dir, "whole.db")), "the answer")


test_kill_9_and_resume.rows = [(1,), (2,), (4,)]


def test_killed_again_and_again():
    """Each run makes some progress."""
    with Index() as x, Provider(slow=slow(120)) as provider, Provider(good=GOOD) as quick:
        seen = [0]
        for _ in range(8):
            process = x.start(provider)
            before = len(provider.requests(kind="embeddings"))
            asked_for(provider, before + 2) if seen[-1] + 100 < len(x.texts) else process.wait(20 * harness.SLACK)
            process.kill()
            process.communicate()
            seen.append(x.size())
            check(seen[-1] > seen[-2], "texts kept: %s" % seen)
            if seen[-1] == len(x.texts):
                break
        equal(x.good(quick)[0], 0, "embedded in the end")
        check(x.dump() == x.whole(quick), "the file is not the one of a single run")


def test_interrupted():
    """Control-C ends it at once, with a line that says how to continue."""
    with Index() as x, Provider(slow=embeddings({"dims": 64}, head_ms=60000)) as provider, Provider(good=GOOD) as quick:
        process = x.start(provider)
        asked_for(provider, 2)
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20 * harness.SLACK)
        check(time.monotonic() - started < 10 * harness.SLACK, "it took %.1f s" % (time.monotonic() - started))
        equal(process.returncode, -signal.SIGINT, "exit status: " + err.decode())
        check("stopped; 100 of %d texts are done: run aviation-agent index rules again" % len(x.texts) in err.decode(), err.decode())
        equal(x.good(quick)[1], 100, "kept")


def test_provider_fails(what):
    reply = {"down": {"status": 503}, "no quota": {"status": 429, "code": "insufficient_quota"}, "bad key": {"status": 401},
             "html": {"type": "text/html", "body": "<html>hello</html>"}, "not a number": {"body": {"data": [{"embedding": ["x"]}]}},
             "too few": {"body": {"data": [{"index": 0, "embedding": [1, 2]}]}}, "other length": {"dims": 32},
             "ends": {"fault": "close"}}[what]
    with Index() as x, Provider(bad=embeddings({"dims": 64}, {"dims": 64}, **reply)) as provider, Provider(good=GOOD) as quick:
        status, out, err = x.run(provider)
        equal((status, out), (3, ""), "exit status and output: " + err)
        check("200 of %d texts are done: run aviation-agent index rules" % len(x.texts) in err, err)
        equal(x.size(), 200, "kept")
        equal(x.good(quick)[1], 200, "gone on with")
        check(x.dump() == x.whole(quick), "the file is not the one of a single run")


test_provider_fails.rows = [(w,) for w in ("down", "no quota", "bad key", "html", "not a number", "too few", "other length", "ends")]


def test_provider_is_not_there():
    with Index() as x:
        url = "http://127.0.0.1:%d/v1" % harness.free_port()
        status, out, err = x.run(None, OPENAI_BASE_URL=url)
        equal(status, 3, "exit status")
        check("OPENAI_BASE_URL" in err and "0 of %d texts are done" % len(x.texts) in err, err)
        status, out, err = x.run(None)
        equal(status, 8, "exit status without a provider")
        check("OPENAI_API_KEY" in err, err)
        check(not os.path.exists(x.file) or x.size() == 0, "a file without vectors")


def test_rules_are_missing_or_broken():
    with Index() as x, Provider(good=GOOD) as provider:
        for text, code in ((None, 9), ("{\"questions\": [", 7), ("[]", 7)):
            os.unlink(x.rules)
            if text is not None:
                with open(x.rules, "w") as f:
                    f.write(text)
            status, out, err = x.run(provider)
            equal(status, code, "exit status for %r: %s" % (text, err))
            check("RULES_JSON" in err and x.rules in err, err)
            rules(x.rules)
        equal(inputs(provider), [], "requests")


def test_two_at_once():
    with Index() as x, Provider(slow=slow(400)) as provider:
        process = x.start(provider)
        asked_for(provider, 1)
        status, out, err = x.run(provider)
        equal(status, 5, "exit status: " + err)
        check("another index run" in err and "process %d" % process.pid in err and x.file in err, err)
        out, err = process.communicate(timeout=60 * harness.SLACK)
        equal(process.returncode, 0, err.decode())
        equal(sorted(t for texts in inputs(provider) for t in texts), sorted(x.texts), "each text once")


def test_disk_is_full():
    with Index() as x, Provider(good=embeddings(dims=1536)) as provider:
        with small_disk(os.path.join(x.dir, "disk"), 1700) as disk:
            there, x.file = x.file, os.path.join(disk, "vectors.db")
            status, out, err = x.run(provider)
            equal(status, 9, "exit status: " + err)
            check("disk is full" in err and x.file in err, err)
            kept = x.size()
            check(kept > 0 and "%d of %d texts are done" % (kept, len(x.texts)) in err, "%d kept: %s" % (kept, err))
            shutil.copy(x.file, there)
            x.file = there
        equal(x.good(provider)[1], kept, "gone on with where there is room")
        check(x.dump() == x.whole(provider), "the file is not the one of a single run")


def test_files_of_others():
    with Index() as x, Provider(good=GOOD) as provider:
        shutil.copy(harness.DB, x.file)
        before = open(x.file, "rb").read()
        status, out, err = x.run(provider)
        equal(status, 7, "exit status")
        check(x.file in err and "VECTOR_DB_PATH" in err, err)
        check(open(x.file, "rb").read() == before, "the database of something else was written to")
        equal(inputs(provider), [], "requests")


# -- another model, and anew --


def with_model(x, model):
    """A config folder whose rag.embedding_model is this."""
    with open(os.path.join(harness.ROOT, "conf", "aviation_agent", "default.json")) as f:
        shipped = json.load(f)
    shipped["rag"]["embedding_model"] = model
    folder = os.path.join(x.dir, model, "configs", "aviation_agent")
    os.makedirs(folder)
    os.symlink(os.path.join(harness.ROOT, "prompts"), os.path.join(folder, "prompts"))
    os.symlink(os.path.join(harness.ROOT, "conf", "next_query_predictor"),
               os.path.join(x.dir, model, "configs", "next_query_predictor"))
    with open(os.path.join(folder, "default.json"), "w") as f:
        json.dump(shipped, f)
    return {"PROJECT_ROOT": os.path.join(x.dir, model)}


def test_another_model():
    """An index of another model is refused with what to run; it serves its own until the new one is complete."""
    with Index() as x, Provider(good=GOOD) as provider, Provider(bad=embeddings({"dims": 32}, {"dims": 32}, status=503)) as fails, \
            Provider(other=embeddings(dims=32)) as other:
        x.good(provider)
        before = x.dump()
        new = with_model(x, "nomic-embed-text")
        status, out, err = cli("check", env=x.env(other, **new))
        for word in ("text-embedding-3-small", "nomic-embed-text", "aviation-agent index rules"):
            check(word in out, "check tells of %s: %s" % (word, out))
        answer_with(x, other, x.file, vectors=False, **new)
        answer_with(x, other, x.file)             # the same name, and vectors of another length: found by words
        status, out, err = x.run(fails, **new)
        equal(status, 3, "exit status: " + err)
        equal([r for r in x.dump() if r[0] == "text-embedding-3-small"], before, "the old model serves as before")
        equal(x.good(other, **new), (len(x.texts) - 200, 200, len(x.texts)), "embedded, kept, dropped")
        check(x.dump() == x.whole(other, **new), "the file is not the one of a single run")
        status, out, err = cli("check", env=x.env(other, **new))
        check("index rules" not in out, "nothing is left to do: " + out)
        answer_with(x, other, x.file, **new)


def test_rebuild():
    """The old vectors are used until all new ones are there."""
    with Index() as x, Provider(good=GOOD) as provider, Provider(bad=embeddings({"dims": 32}, {"dims": 32}, status=503)) as fails, \
            Provider(other=embeddings(dims=32)) as other:
        x.good(provider)
        before = x.dump()
        status, out, err = x.run(fails, "--rebuild")
        equal(status, 3, "exit status: " + err)
        check(x.dump() == before, "the old vectors are as they were")
        equal(x.good(other), (len(x.texts) - 200, 200, 0), "gone on with")
        check(x.dump() == x.whole(other), "the file is not the one of a single run")
        equal(x.good(provider, "--rebuild"), (len(x.texts), 0, 0), "anew")
        check(x.dump() == before, "and back")
