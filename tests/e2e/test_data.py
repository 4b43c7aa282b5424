"""Airport data: bad files, new files while serving, and the real data set."""

import contextlib
import fcntl
import os
import shutil
import sqlite3
import time

import harness
from harness import API, ROUTE, Failure, Site, check, cli, equal, eventually, question, real_data


NO_AIRPORTS = "Airports cannot be looked up here at the moment"
PREPARING = "The airport database is being prepared. Please ask again in a moment."
RULES_QUESTION = "Do I need a flight plan for a VFR flight into France?"


def served(site):
    """A question about airports gets airports."""
    r = site.chat(ROUTE)
    equal(r.status, 200, "status")
    return bool((r.json().get("ui_payload") or {}).get("airports"))


def answered_without_airports(site):
    """Questions that need no airports are answered as usual."""
    turn = site.ask("hello")
    equal(turn.all("error"), [], "errors of hello")
    check("airports" in turn.answer, "hello: " + turn.answer)
    turn = site.ask(RULES_QUESTION)
    equal(turn.all("error"), [], "errors of a rules question")
    equal(turn.plan["selected_tool"], "answer_rules_question", "tool")
    check("except at night" in turn.answer, turn.answer[:400])


def without_airports(site, path):
    """Airports are missing and nothing else; the log says which file and why."""
    turn = site.ask(ROUTE)
    check(turn.answer.startswith(NO_AIRPORTS), turn.answer)
    equal(turn.one("error")["code"], "data_unavailable", "code")
    check(path not in turn.stream.whole.decode(), "the answer tells a path of the server")
    r = site.chat(ROUTE)
    equal(r.status, 200, "status of a collected answer")
    check(r.json()["answer"].startswith(NO_AIRPORTS), r.json()["answer"])
    answered_without_airports(site)
    equal(site.get(API + "/quick-actions").status, 200, "plain requests")
    h = site.get("/health").json()
    equal((h["status"], h["airports"]["state"]), ("degraded", "failed"), "health")
    check("airports" in h["degraded"], "health tells: %s" % h)
    log = site.workers[0].log()
    check(path in log, "the log does not name the file: " + log[-600:])


RULES = os.path.join(harness.HERE, "data", "rules.json")


def make(folder, kind):
    path = os.path.join(folder, "test.db")
    if kind == "missing":
        return path
    if kind == "a folder":
        os.mkdir(path)
    elif kind == "empty":
        open(path, "wb").close()
    elif kind == "not SQLite":
        with open(path, "wb") as f:
            f.write(b"icao,name\nEGTF,Fairoaks\n" * 100)
    elif kind == "cut off":
        with open(harness.DB, "rb") as f, open(path, "wb") as g:
            g.write(f.read(5000))
    elif kind == "no tables":
        sqlite3.connect(path).executescript("CREATE TABLE other (x); INSERT INTO other VALUES (1);")
    elif kind.startswith("lacks "):
        shutil.copy(harness.DB, path)
        with sqlite3.connect(path) as db:
            what = kind[len("lacks "):]
            if "." in what:
                table, column = what.split(".")
                db.execute("ALTER TABLE %s DROP COLUMN %s" % (table, column))
            else:
                db.execute("DROP TABLE " + what)
    return path


def test_bad_database(kind):
    with Site(start=False, RULES_JSON=RULES) as site:
        path = make(site.dir, kind)
        site.env["AIRPORTS_DB"] = path
        site.workers[0].start()
        without_airports(site, path)
        for command in (("ask", ROUTE), ("check",)):
            status, out, err = cli(*command, env={"AIRPORTS_DB": path})
            equal(status, 7, "exit status of %s" % command[0])
            check(path in out + err, "%s names the file: %s" % (command[0], out + err))
        if kind == "missing":
            check(not os.path.exists(path), "a missing database was created")
        # Once the operator has put things right, no restart is needed.
        if os.path.isdir(path):
            os.rmdir(path)
        shutil.copy(harness.DB, path + ".new")
        os.rename(path + ".new", path)
        eventually(lambda: served(site), "served after the repair", 15, 0.3)


test_bad_database.rows = [(k,) for k in ("missing", "a folder", "empty", "not SQLite", "cut off", "no tables",
                                         "lacks airports", "lacks runways", "lacks airports.latitude_deg")]


@contextlib.contextmanager
def somebody_else_builds(path):
    """Holds the lock under which the index of this database is built."""
    with open(path + ".index.lock", "w") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        yield


def test_while_the_index_is_built():
    """A turn that needs the index waits a while, then says so; all others are answered."""
    with Site(start=False, RULES_JSON=RULES, AVIATION_AGENT_HEARTBEAT_S=1) as site:
        path = os.path.join(site.dir, "test.db")
        shutil.copy(harness.DB, path)
        site.env["AIRPORTS_DB"] = path
        with somebody_else_builds(path):
            site.workers[0].start()
            answered_without_airports(site)
            turn = site.ask(ROUTE)
            equal(turn.answer, PREPARING, "answer")
            equal(turn.one("error")["code"], "being_prepared", "code")
            at = {f.name: f.at for f in turn.events}
            beats = [f.at for f in turn.frames if f.name is None and at["tool_call_start"] < f.at < at["message"]]
            check(len(beats) >= 2, "%d heartbeats while it waited" % len(beats))
            equal(site.get("/health").json()["airports"]["state"], "indexing", "health")
            # a reader who leaves is not waited with
            with site.open(ROUTE) as s:
                s.until("tool_call_start")
                s.leave()
            eventually(lambda: "status=cancelled" in site.workers[0].log(), "the turn of a reader who left ends", 1.5)
            # one that still waits when it is there gets airports
            waiting = site.open(ROUTE)
            waiting.until("tool_call_start")
        with waiting:
            check(waiting.rest().airports, "the turn that waited has no airports")
        eventually(lambda: site.get("/health").json()["status"] == "healthy", "health after it")


def test_optional_tables_may_lack():
    with Site(start=False) as site:
        path = os.path.join(site.dir, "test.db")
        shutil.copy(harness.DB, path)
        with sqlite3.connect(path) as db:
            names = {r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type='table'")}
            for table in ("firs", "airac_updates", "airac_country_coverage", "waypoints", "model_metadata"):
                if table in names:
                    db.execute("DROP TABLE " + table)
        site.env["AIRPORTS_DB"] = path
        site.workers[0].start()
        eventually(lambda: served(site), "served without them", 15, 0.3)


def test_database_is_never_written():
    with Site(start=False) as site:
        folder = os.path.join(site.dir, "ro")
        os.mkdir(folder)
        path = os.path.join(folder, "test.db")
        shutil.copy(harness.DB, path)
        before = (os.stat(path).st_mtime_ns, open(path, "rb").read())
        os.chmod(path, 0o444)
        site.env["AIRPORTS_DB"] = path
        site.workers[0].start()
        eventually(lambda: served(site), "served", 15, 0.3)
        equal((os.stat(path).st_mtime_ns, open(path, "rb").read()) == before, True, "the database is as it was")
        check(not os.path.exists(path + "-wal") and not os.path.exists(path + "-journal"), "journal files beside it")


def test_index_is_rebuilt_when_the_source_changes():
    with Site(start=False) as site:
        path = os.path.join(site.dir, "test.db")
        shutil.copy(harness.DB, path)
        site.env["AIRPORTS_DB"] = path
        site.workers[0].start()
        eventually(lambda: served(site), "served", 15, 0.3)
        equal(site.get("/health").json()["status"], "healthy", "health")
        shutil.copy(harness.DB, path + ".new")
        with sqlite3.connect(path + ".new") as db:
            db.execute("UPDATE airports SET name='Renamed by a test' WHERE icao_code='LFMD'")
        os.rename(path + ".new", path)

        def renamed():
            r = site.chat("Tell me about LFMD")
            equal(r.status, 200, "served meanwhile")
            return "Renamed by a test" in r.json()["answer"]
        eventually(renamed, "the new data shows", 15, 0.3)


def test_damaged_index_is_built_again():
    with Site(start=False) as site:
        path = os.path.join(site.dir, "test.db")
        shutil.copy(harness.DB, path)
        site.env["AIRPORTS_DB"] = path
        w = site.workers[0].start()
        eventually(lambda: served(site), "served", 15, 0.3)
        w.term()
        w.process.wait(10)
        index = [f for f in os.listdir(site.dir) if f.startswith("test.db.") and not f.endswith(("-wal", "-shm", "lock"))]
        check(index, "an index beside the database: %s" % os.listdir(site.dir))
        with open(os.path.join(site.dir, index[0]), "wb") as f:
            f.write(b"garbage" * 1000)
        w.start()
        eventually(lambda: served(site), "served again", 15, 0.3)


def test_index_cut_short_under_a_worker():
    """In place, as a full disk or a clumsy copy leaves it: the worker lives, and builds it again."""
    with Site(start=False) as site:
        path = os.path.join(site.dir, "test.db")
        shutil.copy(harness.DB, path)
        site.env["AIRPORTS_DB"] = path
        w = site.workers[0].start()
        eventually(lambda: served(site), "served", 15, 0.3)
        for part in (2, 4, 0):
            index = path + ".index"
            os.truncate(index, os.path.getsize(index) // part if part else 0)
            for text in (ROUTE, "Airports near Paris", "Airports in Germany", "Tell me about LFMD"):
                equal(site.chat(text).status, 200, text)
            check(w.process.poll() is None, "the worker ended with %s" % w.process.returncode)
            eventually(lambda: served(site), "served again", 15, 0.3)
            # the next one is not taken for damage of a moment ago
            eventually(lambda: site.get("/health").json()["status"] == "healthy", "health")


def test_index_goes_elsewhere_when_it_must():
    """A database in a folder that cannot be written (here: because it does not take new files)."""
    if os.getuid() == 0:
        raise harness.Skip("root may write everywhere")
    with Site(start=False) as site:
        folder = os.path.join(site.dir, "ro")
        os.mkdir(folder)
        shutil.copy(harness.DB, os.path.join(folder, "test.db"))
        os.chmod(folder, 0o555)
        try:
            site.env["AIRPORTS_DB"] = os.path.join(folder, "test.db")
            site.workers[0].start()
            eventually(lambda: served(site), "served", 15, 0.3)
        finally:
            os.chmod(folder, 0o755)


def test_filters_are_applied():
    """On the fixture, whose facts the test knows."""
    with Site() as site:
        # one that is long and one that is short, both near Paris
        turn = site.ask("Airports near Paris with a runway of at least 5000 ft")
        f = turn.plan["arguments"]["filters"]
        equal(f["min_runway_length_ft"], 5000, "filter in feet")
        check("LFPN" not in turn.airports and "LFPT" in turn.airports, str(turn.airports))
        turn = site.ask("Airports near Paris with a runway of at least 1000 m")
        check(3270 <= turn.plan["arguments"]["filters"]["min_runway_length_ft"] <= 3290, str(turn.plan))
        turn = site.ask("Airports near Paris")
        check("LFPG" not in turn.airports, "large airports are left out unless asked for: %s" % turn.airports)
        check("LFPI" not in turn.airports, "no heliports")
        turn = site.ask("Airports near Paris including large airports")
        check(turn.plan["arguments"].get("include_large_airports") is True, str(turn.plan))
        turn = site.ask("Airports in Germany")
        check("EDAZ" in turn.airports and not any(a.startswith("LF") for a in turn.airports), str(turn.airports))


def test_caveat_for_data_that_is_not_there():
    """The fixture knows nothing of fuel: the answer must not claim that there is none."""
    with Site() as site:
        turn = site.ask("Airports with AVGAS between EGTF and LFMD")
        equal(turn.plan["arguments"]["filters"].get("has_avgas"), True, "filter")
        words = turn.answer.lower()
        check(any(w in words for w in ("unknown", "not known", "no fuel data", "no information", "no data", "not in the data",
                                       "does not", "doesn't", "not recorded", "missing")),
              "the answer does not say that fuel is unknown: " + turn.answer[:600])


def real_db():
    return real_data("euro_aip", "airports.db")


def test_real_database_is_read_as_it_is():
    source = real_db()
    with Site(start=False) as site:
        path = os.path.join(site.dir, "real.db")
        shutil.copy(source, path)
        site.env["AIRPORTS_DB"] = path
        site.workers[0].start()
        eventually(lambda: served(site), "served", 30, 0.3)
        turn = site.ask("fuel stop with AVGAS between EGTF and LFMD")
        equal(turn.plan["selected_tool"], "find_airports_near_route", "tool")
        equal(turn.plan["arguments"]["filters"].get("has_avgas"), True, "filter")
        with sqlite3.connect("file:%s?mode=ro" % source, uri=True) as db:
            for ident in turn.airports:
                fuel = db.execute("SELECT value FROM aip_entries WHERE airport_icao=? AND std_field_id=402", (ident,)).fetchall()
                check(any("AVGAS" in (v or "").upper() or "100LL" in (v or "").upper() for v, in fuel),
                      "%s has no AVGAS in the database" % ident)
        check(turn.airports, "found some")


def test_real_import():
    folder = os.path.dirname(real_data("ourairports", "airports.csv.gz"))
    with Site(start=False) as site:
        path = os.path.join(site.dir, "all.db")
        started = time.monotonic()
        status, out, err = cli("import", "ourairports", folder, "--out", path, timeout=180)
        equal(status, 0, "exit status: " + err[-500:])
        with sqlite3.connect(path) as db:
            n, = db.execute("SELECT count(*) FROM airports").fetchone()
            check(n > 40000, "%d airports" % n)
            equal(db.execute("SELECT count(*) FROM airports WHERE type IN ('closed','heliport','balloonport')").fetchone(), (0,),
                  "types left out")
            equal(db.execute("PRAGMA integrity_check").fetchone(), ("ok",), "integrity")
        site.env["AIRPORTS_DB"] = path
        site.workers[0].start()
        eventually(lambda: served(site), "served (import took %.0f s)" % (time.monotonic() - started), 60, 0.3)
        turn = site.ask("airports between KJFK and KLAX")
        check(turn.airports, "found some across America")
        turn = site.ask("Tell me about Zürich airport")
        check("LSZH" in turn.answer, "Zürich: " + turn.answer[:300])
