"""Sessions: their newest thread and persona are known to every worker, and to nobody who guesses."""

import json
import uuid

from harness import API, ROUTE, Site, check, equal, eventually

STORES = [("sqlite",), ("redis",)]
SESSIONS = API + "/sessions/"
USER = "X-Auth-User"
FOLLOW_UP = "and only with a hard runway?"


def rows(values):
    def mark(fn):
        fn.rows = values
        return fn
    return mark


def known(site, session, headers=None):
    r = site.get(SESSIONS + session, headers=headers)
    equal(r.status, 200, "session: %r" % r.body[:200])
    return r.json()


def number(site, *words):
    """The number that Redis answers with; the last word is a key."""
    return int(site.redis.command(*words[:-1], words[-1].decode()).strip(b":\r\n"))


@rows(STORES)
def test_last_continues_on_any_worker(store):
    """The first answer names a session; "last" with it goes on, also in a worker that started later."""
    with Site(store, workers=2, start=False) as site:
        if site.redis:
            site.redis.start()
        one, two = site.workers
        one.start()
        first = site.ask(ROUTE)
        session = first.one("done")["session_id"]
        one.kill9()
        two.start()
        second = site.ask(FOLLOW_UP, "last", session_id=session)
        equal(second.thread, first.thread, "thread")
        equal(second.plan["arguments"]["from_location"], "EGTF", "it is remembered")
        # a new thread of the session is the newest from then on, and the header names the session as well
        third = site.chat("airports near Paris", headers={"X-Session-ID": session}).json()
        check(third["thread_id"] != first.thread, "without thread_id a new one begins")
        fourth = site.chat(FOLLOW_UP, "last", headers={"X-Session-ID": session}).json()
        equal(fourth["thread_id"], third["thread_id"], "the newest")
        site.chat(FOLLOW_UP, first.thread, session_id=session)
        equal(site.chat(FOLLOW_UP, "last", session_id=session).json()["thread_id"], first.thread, "the newest that was used")
        s = known(site, session)
        equal((s["threads"], s["newest_thread_id"]), ([third["thread_id"], first.thread], first.thread), "threads")


@rows(STORES)
def test_what_a_session_tells(store):
    with Site(store, workers=2) as site:
        session = str(uuid.uuid4())
        equal(site.get(SESSIONS + session).status, 404, "before its first turn")
        threads = [site.chat(ROUTE, session_id=session).json()["thread_id"] for _ in range(3)]
        s = known(site, session)
        equal(sorted(s), ["first_seen_at", "last_seen_at", "newest_thread_id", "persona_id", "session_id", "threads", "tokens",
                          "turns"], "members")
        equal((s["session_id"], s["turns"], s["threads"]), (session, 3, threads), "session")
        equal(sorted(s["tokens"]), ["input", "output", "total"], "tokens")
        equal(s["persona_id"], "ifr_touring_sr22", "persona")
        check(s["first_seen_at"] < s["last_seen_at"], "times")
        equal(site.request("DELETE", API + "/threads/" + threads[2]).status, 204, "delete the newest")
        equal(known(site, session)["threads"], threads[:2], "it is no thread of the session any more")
        equal(site.chat(FOLLOW_UP, "last", session_id=session).json()["thread_id"], threads[1], "last")
        if site.redis:
            for key in site.redis.keys():
                check(number(site, "PTTL", key) > 0, "%r expires" % key)


@rows(STORES)
def test_the_persona_stays(store):
    def persona(r):
        return r.json()["metadata"].get("persona_id")
    with Site(store, workers=2) as site:
        session = "sess-" + uuid.uuid4().hex
        equal(persona(site.chat(ROUTE, session_id=session, persona_id="vfr_budget")), "vfr_budget", "as asked")
        equal(persona(site.chat(ROUTE, session_id=session)), "vfr_budget", "as before")
        equal(persona(site.chat(ROUTE)), "ifr_touring_sr22", "another session")
        equal(persona(site.chat(ROUTE, session_id=session, persona_id=None)), None, "null is none")
        equal(persona(site.chat(ROUTE, session_id=session)), "ifr_touring_sr22", "none is not kept")


@rows(STORES)
def test_a_session_that_can_be_guessed_is_a_label(store):
    """The original's session ids are times: who guesses one must not get at somebody's threads."""
    with Site(store, workers=2) as site:
        for session in ("session_1767400000", "session_1767400000123456", "s1", "my-session"):
            r = site.chat(ROUTE, session_id=session, persona_id="vfr_budget")
            equal((r.status, r.json()["session_id"]), (200, session), "it is returned as before")
            equal(site.get(SESSIONS + session).status, 404, "it is not shown")
            r = site.chat(FOLLOW_UP, "last", session_id=session)
            equal(r.status, 422, "its newest thread is not given away")
            equal(r.json()["detail"][0]["loc"], ["body", "thread_id"], "where")
            check("can be guessed" in r.json()["detail"][0]["msg"], "why: %r" % r.body)
            equal(site.chat(ROUTE, session_id=session).json()["metadata"]["persona_id"], "ifr_touring_sr22", "nor its persona")
        equal(site.chat(ROUTE, "last").status, 422, "last without a session")
        fresh = site.chat(ROUTE, "last", session_id=uuid.uuid4().hex)
        equal(fresh.status, 200, "last of a session without threads begins one: %r" % fresh.body[:100])
        check(fresh.json()["thread_id"].startswith("thread_"), "a new id")
        if site.redis:
            check(not [k for k in site.redis.keys() if b"my-session" in k], "nothing is stored for a label")


@rows(STORES)
def test_sessions_of_users(store):
    with Site(store, workers=2, AVIATION_AGENT_USER_HEADER=USER) as site:
        alice, bob = {USER: "alice"}, {USER: "bob"}
        a = site.chat(ROUTE, session_id="phone", headers=alice).json()["thread_id"]
        b = site.chat(ROUTE, session_id="phone", headers=bob).json()["thread_id"]
        equal(known(site, "phone", alice)["threads"], [a], "alice's")
        equal(known(site, "phone", bob)["threads"], [b], "bob's of the same name")
        equal(site.get(SESSIONS + "phone").status, 404, "nobody's")
        equal(site.chat(FOLLOW_UP, "last", session_id="phone", headers=bob).json()["thread_id"], b, "last")
        made = site.chat(ROUTE, headers=alice).json()["session_id"]
        equal([site.get(SESSIONS + made, headers=h).status for h in (alice, bob, {})], [200, 404, 404], "a session of alice")


def test_a_session_of_many_threads_is_bounded():
    """300 threads of one session: the newest 50 are remembered, and the record stays small."""
    with Site("redis", workers=2, CONVERSATION_LOG_DIR="none") as site:
        session = uuid.uuid4().hex
        threads = [site.chat("hello", session_id=session).json()["thread_id"] for _ in range(300)]
        s = known(site, session)
        equal((s["turns"], s["threads"]), (300, threads[-50:]), "the newest")
        key, = [k for k in site.redis.keys() if session.encode() in k]
        check(number(site, "MEMORY", "USAGE", key) < 8192, "bytes of the session")


def test_a_restart_keeps_sessions():
    with Site("sqlite") as site:
        session = uuid.uuid4().hex
        first = site.chat(ROUTE, session_id=session).json()["thread_id"]
        site.workers[0].kill9()
        site.workers[0].start()
        equal(site.chat(FOLLOW_UP, "last", session_id=session).json()["thread_id"], first, "last")


def test_a_store_that_is_away():
    """A turn that only lacks its persona does not need the session; "last" does."""
    with Site("redis", AVIATION_AGENT_STORE_TIMEOUT_MS=500) as site:
        session = uuid.uuid4().hex
        site.chat(ROUTE, session_id=session)
        site.redis.stop()
        r = site.chat(FOLLOW_UP, "last", session_id=session)
        equal((r.status, r.header("Retry-After") is not None), (503, True), "last: %r" % r.body[:100])
        equal(site.get(SESSIONS + session).status, 503, "the session")
        equal(site.get(API + "/threads/thread_x").status, 503, "a thread")
        site.redis.start()
        eventually(lambda: site.chat(ROUTE, session_id=session).status == 200, "it comes back", 10)


def test_bodies_with_odd_sessions():
    """What cannot be an id is no session, as before."""
    with Site() as site:
        for session in ("", "a b", "x" * 129, "../..", "é"):
            r = site.post(API + "/chat", json.dumps({"messages": [{"role": "user", "content": ROUTE}], "session_id": session}))
            equal(r.status, 200, "session %r: %r" % (session[:10], r.body[:100]))
            check(r.json()["session_id"].startswith("session_"), "a new one is made")
            r = site.post(API + "/chat", json.dumps({"messages": [{"role": "user", "content": ROUTE}], "session_id": session,
                                                     "thread_id": "last"}))
            equal(r.status, 422, "last with it")
