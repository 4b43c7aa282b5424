"""Rules found by a real Chroma server, filled over its REST API as an existing installation has filled its own.

Skipped where no `chroma` is installed. The rules are made up (data/rules.json); the vectors are those of the
scripted provider, which depend on the text alone.
"""

import contextlib
import json
import math
import os
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request

import harness
from harness import HERE, Provider, Site, check, equal, eventually, find_program, stop
from test_rules import result

RULES = os.path.join(HERE, "data", "rules.json")
QUESTIONS, ANSWERS = "aviation_rules", "aviation_rules_answers"
PHRASE = "Zwitschernde Kolibris am Nachmittag"      # shares no word with any rule
MODEL = "text-embedding-3-small"


def plan(tool, **arguments):
    return {"plan": {"selected_tool": tool, "arguments": arguments, "answer_style": "narrative_markdown"}}


def chat(word, reply):
    return {"when": {"kind": "planner", "contains": word}, "repeat": "last", "replies": [reply]}


CASE = {"lists": [
    {"when": {"kind": "embeddings"}, "repeat": "last", "replies": [{"dims": 256}]},
    chat("birds", plan("answer_rules_question", country_code="FR", question=PHRASE)),
    chat("words", plan("answer_rules_question", country_code="FR", question="Must a VFR flight file a flight plan?")),
    chat("compare", plan("compare_rules_between_countries", countries=["FR", "DE"])),
    {"when": {"kind": "formatter"}, "repeat": "last", "replies": [{"text": "So it is."}]}]}


def post(url, body, method="POST"):
    """The parsed reply; a status that means failure fails the test."""
    request = urllib.request.Request(url, None if body is None else json.dumps(body).encode(),
                                     {"Content-Type": "application/json", "Authorization": "Bearer " + harness.KEY},
                                     method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as f:
            return json.loads(f.read() or b"null")
    except urllib.error.HTTPError as e:
        raise harness.Failure("%s %s: %d %s" % (method, url, e.code, e.read()[:300]))


def unit(v):
    length = math.sqrt(sum(x * x for x in v))
    return [x / length for x in v]


def embed(provider, texts):
    return [unit(row["embedding"]) for row in post(provider.url + "/embeddings", {"model": MODEL, "input": texts})["data"]]


class Chroma:
    def __init__(self):
        self.program = find_program("chroma")
        self.dir, self.port = tempfile.mkdtemp(prefix="aa-chroma."), harness.free_port()
        self.url = "http://127.0.0.1:%d" % self.port
        self.base = self.url + "/api/v2/tenants/default_tenant/databases/default_database/collections"
        self.process = None

    def __enter__(self):
        self.process = subprocess.Popen(
            [self.program, "run", "--path", self.dir, "--host", "127.0.0.1", "--port", str(self.port)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.dir)
        try:
            eventually(self._answers, "Chroma answers", 60, 0.2)
        except harness.Failure:
            self.__exit__()
            raise
        return self

    def _answers(self):
        try:
            return post(self.url + "/api/v2/heartbeat", None, "GET")
        except (OSError, harness.Failure):
            check(self.process.poll() is None, "chroma ended with status %s" % self.process.returncode)
            return None

    def __exit__(self, *_):
        stop(self.process)
        shutil.rmtree(self.dir, ignore_errors=True)

    def fill(self, name, records):
        """Make a collection again, with (id, vector, document, metadata) for each record."""
        with contextlib.suppress(harness.Failure):
            post(self.base + "/" + name, None, "DELETE")
        base = self.base + "/" + post(self.base, {"name": name})["id"]
        for i in range(0, len(records), 100):
            ids, vectors, documents, metadatas = zip(*records[i:i + 100])
            post(base + "/add", {"ids": ids, "embeddings": vectors, "documents": documents, "metadatas": metadatas})
        equal(post(base + "/count", None, "GET"), len(records), "records in " + name)


def rules():
    """(question, country, answer) of the file, unchanged."""
    with open(RULES, encoding="utf-8") as f:
        return [(q, cc, a) for q in json.load(f)["questions"] for cc, a in q["answers_by_country"].items()]


def record_id(*parts):
    return "_".join(parts).replace(" ", "_")


def fill(chroma, provider, phrase=PHRASE):
    """As the original fills it; but the first question lies where the phrase does. Returns the answers' vectors."""
    rows = rules()
    first = rows[0][0]["question_id"]
    vectors = embed(provider, [phrase if q["question_id"] == first else q["question_text"] for q, _, _ in rows])
    chroma.fill(QUESTIONS, [
        (record_id(q["question_id"], cc), v, q["question_text"],
         {"question_id": q["question_id"], "country_code": cc, "category": q["category"], "tags": json.dumps(q["tags"]),
          "answer_html": a["answer_html"], "links": json.dumps(a["links"]), "last_reviewed": a["last_reviewed"] or ""})
        for (q, cc, a), v in zip(rows, vectors)])
    told = [(q, cc, a) for q, cc, a in rows if a["answer_html"].strip()]
    vectors = embed(provider, [a["answer_html"] for _, _, a in told])
    chroma.fill(ANSWERS, [
        (record_id(q["question_id"], cc, "answer"), v, a["answer_html"],
         {"question_id": q["question_id"], "country_code": cc, "category": q["category"], "tags": json.dumps(q["tags"]),
          "question_text": q["question_text"]}) for (q, cc, a), v in zip(told, vectors)])
    return {(q["question_id"], cc): v for (q, cc, _), v in zip(told, vectors)}


@contextlib.contextmanager
def site_with(chroma, provider):
    """A site whose config neither rewords questions nor reranks, so that only Chroma decides what is found."""
    root = tempfile.mkdtemp(prefix="aa-config.")
    try:
        folder = os.path.join(root, "configs", "aviation_agent")
        os.makedirs(folder)
        os.symlink(os.path.join(harness.ROOT, "prompts"), os.path.join(folder, "prompts"))
        os.symlink(os.path.join(harness.ROOT, "conf", "next_query_predictor"),
                   os.path.join(root, "configs", "next_query_predictor"))
        with open(os.path.join(harness.ROOT, "conf", "aviation_agent", "default.json")) as f:
            config = json.load(f)
        config["routing"]["enabled"] = config["query_reformulation"]["enabled"] = config["reranking"]["enabled"] = False
        with open(os.path.join(folder, "default.json"), "w") as f:
            json.dump(config, f)
        with Site(model=provider, RULES_JSON=RULES, VECTOR_DB_URL=chroma.url, PROJECT_ROOT=root) as site:
            yield site
    finally:
        shutil.rmtree(root, ignore_errors=True)


def found(site, question):
    r = result(site.ask(question))
    return [(x["question_id"], x["similarity"]) for x in r["rules"]] if r["retrieval_mode"] == "rag" else []


def test_answers_of_an_existing_installation():
    with Chroma() as chroma, Provider(rules=CASE) as provider:
        fill(chroma, provider)
        first = rules()[0][0]["question_id"]
        with site_with(chroma, provider) as site:
            got = found(site, "What about birds?")
            equal(got[0], (first, 1.0), "what only its vector knows")
            equal(len({i for i, _ in got}), len(got), "each question once")
            check("step=vectors" not in site.workers[0].log(), site.workers[0].log())


def test_comparison_by_its_vectors():
    with Chroma() as chroma, Provider(rules=CASE) as provider:
        vectors = fill(chroma, provider)
        with site_with(chroma, provider) as site:
            r = result(site.ask("Please compare"))
            scores = []
            for d in r["differences"]:
                pair = [vectors.get((d["question_id"], cc)) for cc in ("FR", "DE")]
                expected = 0 if None in pair else max(0.0, 1 - sum(x * y for x, y in zip(*pair)))
                check(abs(d["difference_score"] - expected) < 0.0015, "%s: expected %.3f" % (d, expected))
                scores.append(expected)
            check(len(scores) > 3 and max(scores) > 0.1, "differences: %s" % scores)


def test_filled_anew_gone_and_of_another_model():
    with Chroma() as chroma, Provider(rules=CASE) as provider:
        fill(chroma, provider)
        first = rules()[0][0]["question_id"]
        with site_with(chroma, provider) as site:
            equal(found(site, "What about birds?")[:1], [(first, 1.0)], "before")
            # dropped and filled again: the collection has a new id
            fill(chroma, provider)
            equal(found(site, "What about birds?")[:1], [(first, 1.0)], "filled anew")
            # of another model: told what to do, and found by words
            chroma.fill(QUESTIONS, [("a_FR", [1.0, 0.0], "a", {"question_id": first, "country_code": "FR"})])
            equal(found(site, "What about words?")[0][0], first, "found by words")
            log = site.workers[0].log()
            check("step=vectors" in log and "rag.embedding_model" in log, log)
            # gone: every turn is answered, and none waits
            stop(chroma.process)
            for _ in range(3):
                equal(found(site, "What about words?")[0][0], first, "without the server")
            equal(site.workers[0].log().count("step=vectors"), 1, "lines in the log")
