"""The onboarding agent over HTTP: accounts and tokens, conversations, their owners, limits and bad input."""

import base64
import hashlib
import hmac
import json
import re
import time
import urllib.parse

from harness import Site, check, cli, equal, eventually

ON = "/api/onboarding"
SECRET = "a test key of at least thirty-two bytes"
STORES = [("sqlite",), ("redis",)]
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}"
NOBODY = "00000000-0000-4000-8000-000000000000"


def rows(values):
    def mark(fn):
        fn.rows = values
        return fn
    return mark


def token_site(store="sqlite", workers=1, **env):
    return Site(store, workers, ONBOARDING_AUTH="token", SECRET_KEY=SECRET, **env)


def register(site, name="ada", email=None, password="correct horse", **more):
    return site.post(ON + "/auth/register", dict({"email": email or name + "@example.org", "username": name,
                                                  "password": password}, **more))


def login(site, name="ada", password="correct horse", base=ON):
    return site.post(base + "/auth/token", urllib.parse.urlencode({"username": name, "password": password}),
                     headers={"Content-Type": "application/x-www-form-urlencoded"})


def bearer(token):
    return {"Authorization": "Bearer " + token}


def user(site, name="ada"):
    """A registered user, as headers."""
    equal(register(site, name).status, 201, "registered")
    r = login(site, name)
    equal(r.status, 200, "signed in: %r" % r.body)
    return bearer(r.json()["access_token"])


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def forge(claims, header=None, secret=SECRET, digest=hashlib.sha256):
    text = b64(json.dumps(header or {"alg": "HS256", "typ": "JWT"}).encode()) + "." + b64(json.dumps(claims).encode())
    return text + "." + (b64(hmac.new(secret.encode(), text.encode(), digest).digest()) if secret else "")


def refused(r, status, what):
    equal(r.status, status, "%s: %r" % (what, r.body[:300]))
    check("detail" in r.json(), "%s: %r" % (what, r.body[:300]))
    equal(r.header("Cache-Control"), "no-store", what + ": caching")


# -- accounts --


@rows(STORES)
def test_a_user_registers_signs_in_and_changes_its_name(store):
    with token_site(store, workers=2) as site:
        r = register(site, "Ada", "Ada@Example.org", full_name="Ada Lovelace")
        equal(r.status, 201, "registered: %r" % r.body)
        u = r.json()
        equal(list(u), ["id", "email", "username", "full_name", "is_active", "created_at"], "members")
        check(re.fullmatch(UUID, u["id"]), u["id"])
        check(re.fullmatch(TIME, u["created_at"]), u["created_at"])
        equal((u["email"], u["username"], u["full_name"], u["is_active"]), ("Ada@Example.org", "Ada", "Ada Lovelace", True),
              "user")
        for name in ("ada", "ADA@EXAMPLE.ORG"):
            r = login(site, name)
            equal(r.status, 200, "signed in as %s: %r" % (name, r.body))
            equal(r.json()["token_type"], "bearer", "type")
        me = bearer(r.json()["access_token"])
        for path in ("/auth/me", "/user/me"):
            equal(site.get(ON + path, headers=me).json(), u, path)
        r = site.post(ON + "/auth/refresh", "", headers=dict(me, **{"Content-Type": None}))
        equal(r.status, 200, "refresh: %r" % r.body)
        equal(site.get(ON + "/auth/me", headers=bearer(r.json()["access_token"])).json(), u, "with the new token")
        # W17: is_active is the operator's
        r = site.request("PATCH", ON + "/user/me", json.dumps({"full_name": None, "username": "Countess",
                         "is_active": False}), dict(me, **{"Content-Type": "application/json"}))
        equal(r.status, 200, "changed: %r" % r.body)
        equal(r.json(), dict(u, full_name=None, username="Countess"), "after the change")
        equal(login(site, "countess").status, 200, "the new name")
        equal(login(site, "ada").status, 401, "the old name")
        equal(register(site, "ada", "new@example.org").status, 201, "… which is free again")


def test_the_original_paths_work_in_the_workers():
    with token_site(original_paths=True) as site:
        equal(site.post("/api/auth/register", {"email": "a@b.org", "username": "bob", "password": "correct horse"}).status,
              201, "register")
        me = bearer(login(site, "bob", base="/api").json()["access_token"])
        equal(site.get("/api/user/me", headers=me).json()["username"], "bob", "me")
        c = site.post("/api/conversations", {}, headers=me).json()
        equal([x["id"] for x in site.get("/api/conversations", headers=me).json()], [c["id"]], "list")


BAD_USERS = [
    ({}, "email", "missing"),
    ({"email": "no-address"}, "email", "value_error"),
    ({"email": "a@b"}, "email", "value_error"),
    ({"email": "a b@c.org"}, "email", "value_error"),
    ({"email": "a@b@c.org"}, "email", "value_error"),
    ({"email": "x" * 250 + "@b.org"}, "email", "string_too_long"),
    ({"email": 7}, "email", "string_type"),
    ({"email": "a@b.org"}, "username", "missing"),
    ({"email": "a@b.org", "username": "ab"}, "username", "string_too_short"),
    ({"email": "a@b.org", "username": "   "}, "username", "string_too_short"),
    ({"email": "a@b.org", "username": "x" * 51}, "username", "string_too_long"),
    ({"email": "a@b.org", "username": "x" * 10000}, "username", "string_too_long"),
    ({"email": "a@b.org", "username": "me@b.org"}, "username", "value_error"),
    ({"email": "a@b.org", "username": "a\nb"}, "username", "value_error"),
    ({"email": "a@b.org", "username": "a\0b"}, "username", "value_error"),
    ({"email": "a@b.org", "username": None}, "username", "string_type"),
    ({"email": "a@b.org", "username": "bob", "full_name": "x" * 101}, "full_name", "string_too_long"),
    ({"email": "a@b.org", "username": "bob"}, "password", "missing"),
    ({"email": "a@b.org", "username": "bob", "password": "hunter2"}, "password", "string_too_short"),
    ({"email": "a@b.org", "username": "bob", "password": "x" * 101}, "password", "string_too_long"),
]


def test_what_is_no_account_is_refused():
    with token_site(ONBOARDING_USERS_PER_HOUR=0) as site:
        for body, field, kind in BAD_USERS:
            r = site.post(ON + "/auth/register", body)
            refused(r, 422, repr(body))
            equal((r.json()["detail"][0]["loc"], r.json()["detail"][0]["type"]), (["body", field], kind), repr(body))
            check(b"hunter2" not in r.body, "a password is not shown")
        for body in ("", "[", "[]", '"x"'):
            refused(site.post(ON + "/auth/register", body), 422, body)
        equal(register(site, "bob", password="ÿ" * 100).status, 201, "the longest password")
        equal(login(site, "bob", "ÿ" * 100).status, 200, "… is right")
        equal(login(site, "bob", "ÿ" * 99).status, 401, "… and a shorter one is not")
        equal(login(site, "bob", "ÿ" * 100 + "x").status, 401, "… nor a longer one")
        for name, email, why in (("BOB", "x@example.org", "Username already taken"),
                                 ("rob", "BOB@example.ORG", "Email already registered")):
            r = register(site, name, email)
            refused(r, 400, name)
            equal(r.json()["detail"], why, name)
        refused(site.post(ON + "/auth/token", {"username": "bob", "password": "x"}), 415, "JSON instead of a form")
        r = site.post(ON + "/auth/token", "username=bob", headers={"Content-Type": "application/x-www-form-urlencoded"})
        refused(r, 422, "no password")
        refused(site.post(ON + "/auth/register", {"email": "x" * 70000}), 413, "a body of 70 kB")
        equal(site.get(ON + "/auth/register").status, 405, "GET")


def test_tokens_of_others_are_refused():
    """W17: signature, algorithm, type and end are all checked."""
    with token_site(ACCESS_TOKEN_EXPIRE_MINUTES=1) as site:
        me = user(site)
        id = site.get(ON + "/auth/me", headers=me).json()["id"]
        good = {"sub": id, "exp": int(time.time()) + 600, "type": "access"}
        equal(site.get(ON + "/auth/me", headers=bearer(forge(good))).status, 200, "a token of another tool with our key")
        bad = {
            "alg none": forge(good, {"alg": "none"}, ""),
            "alg None": forge(good, {"alg": "None", "typ": "JWT"}, ""),
            "HS512": forge(good, {"alg": "HS512"}, digest=hashlib.sha512),
            "alg none, signed": forge(good, {"alg": "none"}),
            "another key": forge(good, secret="another key that is long enough too"),
            "ended": forge(dict(good, exp=int(time.time()) - 1)),
            "no end": forge({"sub": id, "type": "access"}),
            "refresh": forge(dict(good, type="refresh")),
            "no type": forge({"sub": id, "exp": good["exp"]}),
            "nobody": forge(dict(good, sub=NOBODY)),
            "odd subject": forge(dict(good, sub="../../" + id)),
            "number": forge(dict(good, sub=7)),
            "garbage": "garbage", "dots": "..", "empty": "", "huge": "a" * 3000,
        }
        for what, token in bad.items():
            r = site.get(ON + "/auth/me", headers=bearer(token))
            refused(r, 401, what)
            equal(r.header("WWW-Authenticate"), "Bearer", what)
        for what, headers in (("none", {}), ("basic", {"Authorization": "Basic YTpi"}),
                              ("query only", {})):
            path = ON + "/auth/me" + ("?token=" + forge(good) if what == "query only" else "")
            refused(site.get(path, headers=headers), 401, what)
        log = site.workers[0].log()
        check(forge(good).split(".")[2] not in log and "correct horse" not in log, "no token and no password in the log")


def test_logins_are_limited_by_name_and_address():
    with token_site(workers=2, ONBOARDING_LOGINS_PER_NAME=3, ONBOARDING_LOGINS_PER_ADDRESS=7) as site:
        register(site, "ada")
        register(site, "bob")
        for i in range(6):
            equal(login(site, "ada").status, 200, "a right password does not count")
        for i in range(3):
            r = login(site, "ADA", "wrong horse")
            refused(r, 401, "wrong")
            equal(r.json()["detail"], "Incorrect username or password", "text")
        r = login(site, "ada")
        refused(r, 429, "too many for one name, in either worker, even with the right password")
        check(0 < int(r.header("Retry-After")) <= 900, r.header("Retry-After"))
        for i in range(3):
            equal(login(site, "nobody%d" % i, "wrong").json()["detail"], "Incorrect username or password", "unknown name")
        refused(login(site, "bob"), 429, "too many from one address")
    with token_site(ONBOARDING_LOGINS_PER_NAME=2) as site:
        register(site, "ada")
        equal([login(site, name, "wrong horse").status for name in ("ada", "ada@example.org", "ada")], [401, 401, 429],
              "name and address of a user count together")


def test_registrations_are_limited_by_address():
    with token_site(ONBOARDING_USERS_PER_HOUR=2) as site:
        equal([register(site, "user%d" % i).status for i in range(3)], [201, 201, 429], "registrations")
    with token_site(ONBOARDING_REGISTRATION="no") as site:
        refused(register(site), 403, "closed")


def test_an_unknown_name_costs_the_same_time():
    with token_site(ONBOARDING_LOGINS_PER_NAME=0, ONBOARDING_LOGINS_PER_ADDRESS=0) as site:
        register(site)
        def cpu():
            with open("/proc/%d/stat" % site.workers[0].process.pid) as f:
                return sum(int(x) for x in f.read().rsplit(")", 1)[1].split()[11:13])

        ticks = {}
        for name in ("ada", "nobody"):
            before = cpu()
            for i in range(12):
                equal(login(site, name, "wrong horse").status, 401, name)
            ticks[name] = cpu() - before
        check(ticks["nobody"] > ticks["ada"] * 0.6 and ticks["ada"] > ticks["nobody"] * 0.6, "CPU time: %r" % ticks)


def test_a_short_key_stops_the_start():
    for env in ({"ONBOARDING_AUTH": "token"}, {"SECRET_KEY": "short"}):
        with Site(start=False, nginx=False, **env) as site:
            w = site.workers[0]
            w.start(wait=False)
            equal(w.process.wait(10) != 0, True, "the worker does not start")
            w.expected = [w.process.returncode]
            check("SECRET_KEY must have at least 32 bytes" in w.log(), w.log())


def test_an_operator_manages_accounts():
    with token_site(ONBOARDING_REGISTRATION="no") as site:
        run = lambda *args, stdin=None: cli("users", *args, env=site.env, stdin=stdin and stdin.encode())
        status, out, err = run("add", "ada", "ada@example.org", stdin="correct horse\n")
        equal((status, err), (0, ""), "added: " + out)
        check(re.fullmatch(UUID + r"  \S+Z  open    ada  ada@example.org\n", out), out)
        r = login(site)
        equal(r.status, 200, "signed in: %r" % r.body)
        me = bearer(r.json()["access_token"])
        equal(run("close", "ADA")[0], 0, "closed")
        refused(site.get(ON + "/auth/me", headers=me), 403, "a closed account")
        refused(login(site), 403, "… with the right password")
        refused(login(site, password="wrong horse"), 401, "… and with a wrong one")
        equal(run("open", "ada@example.org")[0], 0, "opened")
        equal(site.get(ON + "/auth/me", headers=me).status, 200, "open again")
        equal(run("password", "ada", stdin="another horse\n")[0], 0, "a new password")
        equal((login(site).status, login(site, password="another horse").status), (401, 200), "old and new")
        old = forge({"sub": site.get(ON + "/auth/me", headers=bearer(login(site, password="another horse").json()["access_token"]))
                     .json()["id"], "exp": int(time.time()) + 600, "iat": int(time.time()) - 60, "type": "access"})
        refused(site.get(ON + "/auth/me", headers=bearer(old)), 401, "a token from before the new password")
        me = bearer(login(site, password="another horse").json()["access_token"])
        equal(run("close", "ada")[0], 0, "closed")
        patch = site.request("PATCH", ON + "/user/me", "{}", dict(me, **{"Content-Type": "application/json"}))
        refused(patch, 403, "a closed account changes nothing")
        equal(run("open", "ada")[0], 0, "open")
        got = [site.request("PATCH", ON + "/user/me", "{}", dict(me, **{"Content-Type": "application/json"})).status
               for _ in range(21)]
        equal((got[0], got[-1]), (200, 429), "changes of one's own record are counted")
        for args, stdin, code in ((("add", "ADA", "x@example.org"), "correct horse\n", 2), (("add", "bob", "no"), "correct horse\n", 2),
                                  (("add", "bob", "b@example.org"), "short\n", 2), (("add", "bob"), None, 2),
                                  (("show", "nobody"), None, 2), (("remove", "ada"), None, 2), ((), None, 2)):
            equal(run(*args, stdin=stdin)[0], code, repr(args))
        c = site.post(ON + "/conversations", {}, headers=me).json()["id"]
        equal(run("delete", "ada"), (0, "", ""), "deleted")
        refused(site.get(ON + "/conversations/" + c, headers=me), 401, "the token of a deleted user")
        refused(login(site, password="another horse"), 401, "the password of a deleted user")
        equal(run("add", "ada", "ada@example.org", stdin="correct horse\n")[0], 0, "the name is free")
        equal(site.get(ON + "/conversations", headers=bearer(login(site).json()["access_token"])).json(), [], "and has no past")


# -- who --


def test_without_a_setting_the_agent_is_off():
    with Site() as site:
        equal(site.get(ON + "/health").json()["auth"], "off", "health")
        for path in ("/auth/me", "/conversations", "/conversations/" + NOBODY):
            r = site.get(ON + path)
            equal(r.status, 503, path)
            check("ONBOARDING_AUTH" in r.json()["detail"], r.body)


def test_the_web_server_may_name_the_users():
    with Site(ONBOARDING_AUTH="remote_user", AVIATION_AGENT_USER_HEADER="X-Auth-User") as site:
        ada, bob = {"X-Auth-User": "ada"}, {"X-Auth-User": "bob"}
        refused(site.get(ON + "/auth/me"), 401, "nobody")
        equal(site.get(ON + "/auth/me", headers=ada).json()["username"], "ada", "me")
        c = site.post(ON + "/conversations", {}, headers=ada).json()
        equal(c["user_id"], "ada", "owner")
        refused(site.get(ON + "/conversations/" + c["id"], headers=bob), 404, "another user's")
        refused(register(site), 404, "there are no accounts")


def test_without_users_an_id_is_enough():
    with Site(ONBOARDING_AUTH="none", AVIATION_AGENT_USER_HEADER="X-Auth-User") as site:
        equal(site.get(ON + "/auth/me").json()["username"], "anonymous", "me")
        c = site.post(ON + "/conversations", "", headers={"Content-Type": None}).json()
        equal(site.get(ON + "/conversations").json(), [], "nobody sees what others have")
        for headers in ({}, {"X-Auth-User": "eve"}):
            equal(site.get(ON + "/conversations/" + c["id"], headers=headers).json(), c, "by its id")
        refused(site.get(ON + "/conversations/" + NOBODY), 404, "an unknown id")


# -- conversations --


@rows(STORES)
def test_conversations_are_kept_for_their_owner(store):
    with token_site(store, workers=2, ONBOARDING_CONVERSATIONS_MAX=4) as site:
        ada, bob = user(site, "ada"), user(site, "bob")
        r = site.post(ON + "/conversations", {}, headers=ada)
        equal(r.status, 201, "created: %r" % r.body)
        first = r.json()
        equal(list(first), ["id", "user_id", "title", "created_at", "updated_at", "message_count"], "members")
        equal((first["title"], first["message_count"]), ("New Conversation", None), "defaults")
        check(re.fullmatch(UUID, first["id"]) and re.fullmatch(TIME, first["updated_at"]), repr(first))
        second = site.post(ON + "/conversations", {"title": "Erster Tag – Zoë"}, headers=ada).json()
        equal(second["title"], "Erster Tag – Zoë", "title")
        ids = lambda who, query="": [c["id"] for c in site.get(ON + "/conversations" + query, headers=who).json()]
        equal(ids(ada), [second["id"], first["id"]], "newest first")
        equal(ids(ada, "?skip=1&limit=1"), [first["id"]], "a page")
        equal(ids(bob), [], "another user has none")
        r = site.request("PATCH", ON + "/conversations/" + first["id"], json.dumps({"title": "x" * 200}),
                         dict(ada, **{"Content-Type": "application/json"}))
        equal((r.status, r.json()["title"]), (200, "x" * 200), "renamed")
        equal(ids(ada), [first["id"], second["id"]], "… and so the newest")
        unknown = site.get(ON + "/conversations/" + NOBODY, headers=bob)
        refused(unknown, 404, "unknown")
        for id in (first["id"], "x", "..%2F" + first["id"], "x" * 200, "%01", "a%20b"):
            for method, sub in (("GET", ""), ("GET", "/messages"), ("GET", "/state"), ("GET", "/export"), ("DELETE", ""),
                                ("PATCH", "")):
                r = site.request(method, ON + "/conversations/" + id + sub, "{}" if method == "PATCH" else None,
                                 dict(bob, **({"Content-Type": "application/json"} if method == "PATCH" else {})))
                equal(r.status, 404, "%s %s%s: %r" % (method, id, sub, r.body[:200]))
        equal(site.get(ON + "/conversations/" + first["id"], headers=bob).body, unknown.body, "the same 404 for both")
        for path, field in (("?limit=0", "limit"), ("?limit=101", "limit"), ("?skip=-1", "skip"), ("?skip=x", "skip")):
            r = site.get(ON + "/conversations" + path, headers=ada)
            refused(r, 422, path)
            equal(r.json()["detail"][0]["loc"], ["query", field], path)
        for title in ("x" * 201, 7, "a\nb"):
            refused(site.post(ON + "/conversations", {"title": title}, headers=ada), 422, repr(title))
        for i in range(2):
            equal(site.post(ON + "/conversations", {}, headers=ada).status, 201, "room for four")
        r = site.post(ON + "/conversations", {}, headers=ada)
        refused(r, 429, "a fifth")
        check("delete one" in r.json()["detail"], r.body)
        r = site.request("DELETE", ON + "/conversations/" + second["id"], headers=ada)
        equal((r.status, r.body), (204, b""), "deleted")
        refused(site.get(ON + "/conversations/" + second["id"], headers=ada), 404, "gone")
        equal(site.post(ON + "/conversations", {}, headers=ada).status, 201, "room again")


def test_new_conversations_are_limited():
    with Site(ONBOARDING_AUTH="none", ONBOARDING_CONVERSATIONS_PER_HOUR=2) as site:
        got = [site.post(ON + "/conversations", {}) for _ in range(3)]
        equal([r.status for r in got], [201, 201, 429], "an address without users")
        check(int(got[2].header("Retry-After")) > 3000, "Retry-After")


def test_health_tells_the_store():
    with Site("redis", ONBOARDING_AUTH="none") as site:
        h = site.get(ON + "/health").json()
        equal((h["status"], h["app"], h["auth"]), ("healthy", "aviation-agent", "none"), "up")
        site.redis.stop()
        eventually(lambda: site.get(ON + "/health").status == 503, "the store is down", 10)
        refused(site.get(ON + "/conversations/" + NOBODY), 503, "a store that is down is not an empty list (W15)")
        refused(site.post(ON + "/conversations", {}), 503, "create")
