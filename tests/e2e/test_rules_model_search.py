"""Rules searched by meaning, and put in order: what is asked of whom, and what comes of it.

The reranker is a small server of this file.
"""

import http.server
import json
import re
import threading
import time

import harness
from harness import Provider, Site, check, equal, eventually
from test_model import nowhere, quick
from test_rules import RULES, result
from test_rules_model import (COMING, FPL, IN_FRANCE, MODEL, Index, answering, block, config, found, is_golden, kinds, plan,
                              questions, script, texts, warns, when)

CIRCUIT = "How is the visual circuit joined?"
# Near the circuit by groups of three letters, and no word of any rule.
GARBLED = "visua isual circu rcuit joine oined visu sual"
LARGE = "text-embedding-3-large"
COHERE_KEY = "co-e2e-Kennzeichen-0815"


def test_found_by_meaning():
    """A question that shares no word with its rule."""
    with Index() as x, Provider(case=script(reword={"text": "\"%s\"\n" % GARBLED})) as provider, \
            Site(model=provider, **x.env) as site:
        turn = site.ask(IN_FRANCE)
        is_golden(turn, "by meaning")
        equal(kinds(provider), ["planner", "reformulation", "embeddings", "formatter"], "requests")
        _, reword, embed, _ = provider.requests()
        check(json.dumps(COMING) in reword.text, "the pilot's words go out as a JSON string: " + reword.text)
        equal((embed.body["model"], embed.body["input"]), (MODEL, [GARBLED]), "one vector, of the reworded question")
        equal(result(turn)["retrieval_mode"], "rag", "mode")
        near = dict(zip(questions("FR"), x.near(GARBLED, questions("FR"))))
        equal(max(near, key=near.get), CIRCUIT, "what is nearest")
        got = found(turn)
        check(CIRCUIT in got, "it was found: %s" % got)
        check(abs(got[CIRCUIT] - near[CIRCUIT]) < 0.0011, "similarity %s, expected %.3f" % (got[CIRCUIT], near[CIRCUIT]))
        check("vectors=1" in site.workers[0].log() and "reformulated=1" in site.workers[0].log(), "the log tells of it")
        equal(site.get("/health").json()["rules"]["search"], "vectors", "health")


def test_without_rewording():
    with config(query_reformulation__enabled=False) as env, Index() as x, Provider(case=script()) as provider, \
            Site(model=provider, **dict(x.env, **env)) as site:
        is_golden(site.ask(IN_FRANCE), "without rewording")
        equal(kinds(provider), ["planner", "embeddings", "formatter"], "requests")
        equal(provider.requests()[1].body["input"], [COMING], "the pilot's own words")


def test_rewording_by_its_own_model():
    with config(llms__rules={"model": "rewords", "temperature": 0.25}) as env, Index() as x, \
            Provider(case=script()) as provider, Site(model=provider, **dict(x.env, **env)) as site:
        is_golden(site.ask(IN_FRANCE), "its own model")
        reword, = provider.requests(kind="reformulation")
        equal((reword.body["model"], reword.body["temperature"], reword.body.get("stream", False)), ("rewords", 0.25, False), "model")


def test_rewording_of_no_use():
    """Empty, the same, far too long, refused, broken off: the pilot's words are searched."""
    rows = {"empty": {"text": "  \"\" "}, "the same": {"text": COMING}, "a book": {"text": "word " * 4000},
            "refused": {"status": 400}, "down": {"status": 500}, "ends": {"fault": "close"}, "html": {"type": "text/html", "body": "<p>"}}
    with Index() as x:
        for what, reply in rows.items():
            with Provider(case=script(reword=reply)) as provider, Site(model=provider, **dict(x.env, **quick())) as site:
                turn = site.ask(IN_FRANCE)
                is_golden(turn, what)
                equal(provider.requests(kind="embeddings")[0].body["input"], [COMING], what + ": what is searched")


def test_order_by_similarity():
    """The config sets the number of rules and the threshold."""
    near_all = {}
    with Index() as x:
        near_all = dict(zip(questions("FR"), x.near(FPL, questions("FR"))))
        check(abs(near_all[FPL] - 1) < 1e-6, "the question itself")
        rows = ((0, 3), (0, 100), (0.999, 10))
        for least, top in rows:
            with config(rag__retrieval__top_k=top, rag__retrieval__similarity_threshold=least) as env, \
                    Provider(case=script()) as provider, Site(model=provider, **dict(x.env, **env)) as site:
                got = found(site.ask(IN_FRANCE))
                what = "top_k %d, threshold %s" % (top, least)
                equal(list(got)[0], FPL, what + ": best")
                check(len(got) <= top, "%s: %s" % (what, got))
                equal(len(got), {3: 3, 100: 7, 10: 1}[top], what + ": how many: %s" % got)
                for text, similarity in got.items():
                    check(similarity >= least and abs(similarity - near_all[text]) < 0.0011,
                          "%s: %s %s, expected %.3f" % (what, text, similarity, near_all[text]))


def test_nothing_near_enough():
    with config(rag__retrieval__similarity_threshold=0.95) as env, Index() as x, \
            Provider(case=script(plans=[answering("May I eat soup?"), answering("May I eat soup?", tags=["transponder"])],
                                 reword={"text": "Is soup permitted?"})) as provider, \
            Site(model=provider, **dict(x.env, **env)) as site:
        turn = site.ask(IN_FRANCE)
        is_golden(turn, "nothing")
        r = result(turn)
        equal((r["found"], r["count"], r["retrieval_mode"]), (False, 0, "tags"), "not in the rules")
        check("ot in my rules" in r["message"], r["message"])
        told = json.loads(block(provider.requests(kind="formatter")[0].messages[-1][1], "tool_result"))
        equal((told["found"], told["message"]), (False, r["message"]), "the formatter is told")
        turn = site.ask(IN_FRANCE)
        r = result(turn)
        equal((r["found"], r["count"], r["retrieval_mode"]), (True, 2, "tags"), "what has the tag")
        check(all("similarity" not in x and x["tags"] == ["transponder", "airspace"] for x in r["rules"]), r["rules"])


def test_comparison_by_meaning():
    """Differences are those of the vectors of the answers, and of yes, no and numbers; a question narrows it to what answers it."""
    plans = [plan("compare_rules_between_countries", countries=["FR", "DE"]),
             plan("compare_rules_between_countries", countries=["FR", "DE"], question=COMING)]
    with Index() as x, Provider(case=script(plans=plans)) as provider, Site(model=provider, **x.env) as site:
        turn = site.ask("Compare France and Germany")
        is_golden(turn, "compare")
        r = result(turn)
        with open(RULES, encoding="utf-8") as f:
            html = {q["question_text"]: q["answers_by_country"] for q in json.load(f)["questions"]}
        scores = [d["difference_score"] for d in r["differences"]]
        equal(scores, sorted(scores, reverse=True), "most different first")
        check(max(scores) > 0.3 and min(scores) == 0, scores)
        claims = plain = 0
        for d in r["differences"]:
            pair = [html[d["question_text"]].get(cc, {}).get("answer_html", "") for cc in ("FR", "DE")]
            expected = 0 if "" in pair else 1 - x.near(pair[0], [pair[1]])[0]
            if re.search(r"\d|\b(yes|no|not|never|none|without)\b", " ".join(pair), re.I) and "" not in pair and pair[0] != pair[1]:
                claims += 1
                check(0 < d["difference_score"] <= 2, "%s: yes, no and numbers count beside the vectors" % d)
                continue
            plain += 1
            check(abs(d["difference_score"] - expected) < 0.0011, "%s: expected %.3f" % (d, expected))
        check(claims > 0 and plain > 0, "both kinds of pairs: %d, %d" % (claims, plain))
        check("comparison" not in r, "the shape is the one with vectors")
        equal(kinds(provider), ["planner", "formatter"], "stored vectors need no request")
        turn = site.ask("Compare France and Germany: do I have to announce myself?")
        equal(result(turn)["differences"][0]["question_text"], FPL, "what answers the question comes first")
        equal(kinds(provider)[2:], ["planner", "reformulation", "embeddings", "formatter"], "requests")


# -- in a better order --


class Cohere:
    """A reranker that answers as `replies` say, in turn and the last one again and again: a list of indexes, (status, body),
    "close" or "stall"."""

    def __init__(self, *replies):
        cohere, self.replies, self.asked, self.closed_at = self, list(replies), [], None

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                cohere.asked.append((self.path, self.headers["Authorization"], body))
                reply = cohere.replies.pop(0) if len(cohere.replies) > 1 else cohere.replies[0]
                if reply in ("close", "stall"):
                    if reply == "stall":
                        self.connection.settimeout(60)
                        self.connection.recv(1)
                        cohere.closed_at = time.monotonic()
                    self.close_connection = True
                    return
                if isinstance(reply, list):
                    reply = 200, json.dumps({"results": [{"index": at, "relevance_score": 1 / (n + 1)}
                                                         for n, at in enumerate(reply)]})
                status, text = reply
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.env = {"COHERE_API_KEY": COHERE_KEY, "COHERE_BASE_URL": "http://127.0.0.1:%d" % self.server.server_port}

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def test_reranked_by_vectors():
    """One request for question and texts, with the config's model; the order is theirs."""
    with config(reranking__provider="openai", rag__retrieval__top_k=3, rag__retrieval__rerank_candidates_multiplier=3,
                rag__retrieval__similarity_threshold=0) as env, \
            Index() as x, Provider(case=script()) as provider, Site(model=provider, **dict(x.env, **env)) as site:
        turn = site.ask(IN_FRANCE)
        is_golden(turn, "reranked")
        equal(kinds(provider), ["planner", "reformulation", "embeddings", "embeddings", "formatter"], "requests")
        rerank = provider.requests(kind="embeddings")[1].body
        equal(rerank["model"], LARGE, "model")
        equal(rerank["input"][0], COMING, "the pilot's own words come first")
        candidates = rerank["input"][1:]
        equal(sorted(candidates), sorted(questions("FR")), "then all candidates, each once")
        near = dict(zip(candidates, x.near(COMING, candidates)))
        expected = sorted(candidates, key=lambda t: -near[t])[:3]
        equal(texts(turn), expected, "order")
        check(expected != candidates[:3], "the test proves nothing: the order was the same before")


def test_reranking_by_vectors_fails():
    rows = {"down": {"status": 500}, "garbage": {"body": "no JSON"}, "ends": {"fault": "close"}, "too few": {"body": {"data": []}}}
    with config(reranking__provider="openai", rag__retrieval__top_k=2) as env, Index() as x:
        with config(reranking__enabled=False, rag__retrieval__top_k=2) as plain, Provider(case=script()) as provider, \
                Site(model=provider, **dict(x.env, **plain)) as site:
            before = texts(site.ask(IN_FRANCE))
        for what, reply in rows.items():
            case = script(when("embeddings", reply, model=LARGE))
            with Provider(case=case) as provider, Site(model=provider, **dict(x.env, **env, **quick())) as site:
                turn = site.ask(IN_FRANCE)
                is_golden(turn, what)
                equal(texts(turn), before, what + ": order, and no more than top_k")
                check(warns(site, "step=rerank"), what + ": the log tells of it")


def reranked(x, cohere, provider, **env):
    return Site(model=provider, **dict(x.env, **cohere.env, **env))


def test_reranked_by_Cohere():
    with config(rag__retrieval__top_k=3, rag__retrieval__similarity_threshold=0) as env, Index() as x, \
            Cohere([5, 0, 3], [4]) as cohere, Provider(case=script()) as provider, reranked(x, cohere, provider, **env) as site:
        turn = site.ask(IN_FRANCE)
        is_golden(turn, "reranked")
        (path, key, body), = cohere.asked
        equal((path, key), ("/v2/rerank", "Bearer " + COHERE_KEY), "path and key")
        equal((body["model"], body["query"], body["top_n"]), ("rerank-v3.5", COMING, 3), "body")
        equal(len(body["documents"]), 6, "top_k times rerank_candidates_multiplier")
        equal(texts(turn), [body["documents"][i] for i in (5, 0, 3)], "order")
        check("reranked=1" in site.workers[0].log(), "the log tells of it")
        turn = site.ask(IN_FRANCE)
        docs = cohere.asked[1][2]["documents"]
        equal(texts(turn), [docs[i] for i in (4, 0, 1)], "what it leaves out follows in the old order")
        nowhere(COHERE_KEY, site, turn)


def test_Cohere_fails():
    """A bad reranker is ignored, and none of its text is shown."""
    unkind = json.dumps({"message": "invalid api token %s" % COHERE_KEY})
    with config(rag__retrieval__top_k=2, rag__retrieval__similarity_threshold=0) as env, Index() as x:
        with Provider(case=script()) as provider, Site(model=provider, **dict(x.env, **env)) as site:
            before = texts(site.ask(IN_FRANCE))
        equal(len(before), 2, "top_k")
        rows = {"500": (500, "{}"), "401": (401, unkind), "garbage": (200, "<html>"), "a list": (200, "[]"),
                "no such text": [0, 99], "twice the same": [1, 1], "close": "close"}
        for what, reply in rows.items():
            with Cohere(reply) as cohere, Provider(case=script()) as provider, reranked(x, cohere, provider, **env) as site:
                turn = site.ask(IN_FRANCE)
                is_golden(turn, what)
                check(cohere.asked, what + ": it was asked")
                equal(texts(turn), before, what + ": order, and no more than top_k")
                check(warns(site, "step=rerank"), what + ": the log tells of it")
                nowhere(COHERE_KEY, site, turn)


def test_Cohere_that_is_gone_is_left_alone():
    with config(rag__retrieval__top_k=2) as env, Index() as x, Cohere("close") as cohere, \
            Provider(case=script()) as provider, reranked(x, cohere, provider, **env) as site:
        for _ in range(4):
            is_golden(site.ask(IN_FRANCE), "Cohere is gone")
        check(len(cohere.asked) <= 2, "it was asked %d times" % len(cohere.asked))
        equal(len(warns(site, "step=rerank")), 1, "lines in the log")


def test_reader_leaves_while_Cohere_thinks():
    with Index() as x, Cohere("stall") as cohere, Provider(case=script()) as provider, reranked(x, cohere, provider) as site:
        with site.open(IN_FRANCE) as s:
            eventually(lambda: cohere.asked, "Cohere is asked")
            time.sleep(0.2)
            gone = time.monotonic()
            s.leave()
        closed = eventually(lambda: cohere.closed_at, "the connection to Cohere is closed", 5)
        check(closed - gone < 2 * harness.SLACK, "closed %.0f ms after the reader left" % ((closed - gone) * 1000))
        equal(len(provider.requests(kind="formatter")), 0, "nothing more is asked")
