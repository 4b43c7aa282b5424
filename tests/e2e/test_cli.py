"""The command line: answers, import, check, settings, exit codes."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile

import harness
from harness import ROUTE, Site, check, cli, equal, small_disk

DATA = os.path.join(harness.HERE, "data")


def test_version_and_help():
    status, out, err = cli("--version")
    check(status == 0 and re.fullmatch(r"aviation-agent \d+\.\d+\.\d+\n", out), out)
    status, out, err = cli("--help")
    equal(status, 0, "status")
    for word in ("ask", "import", "check", "config", "--json", "--thread"):
        check(word in out, "--help does not tell of " + word)
    for args in (("threads", "--help"), ("help", "threads"), ("threads", "list", "--help")):
        status, out, err = cli(*args)
        check(status == 0 and out.startswith("  threads list") and "threads delete" in out and "ask" not in out, "%s: %s" % (args, out + err))


def test_usage_errors():
    for args in ((), ("nonsense",), ("ask",), ("ask", "--nonsense", "x"), ("ask", "--thread", "a b", "x"), ("import",),
                 ("import", "ourairports"), ("import", "elsewhere", DATA), ("config",), ("check", "more"), ("--nonsense",),
                 ("tools", "more"), ("help", "nonsense"), ("nonsense", "--help")):
        status, out, err = cli(*args)
        equal(status, 2, "exit status of %s" % (args,))
        check(err.strip() and not out.strip(), "%s speaks on standard error: %r %r" % (args, out, err))


def test_ask():
    status, out, err = cli("ask", ROUTE)
    equal((status, err), (0, ""), "status and standard error")
    check("LFMD" in out and len(out) > 100, "an answer: " + out[:300])


def test_ask_an_empty_question():
    for question in ("", "  "):
        status, out, err = cli("ask", question)
        equal((status, out), (2, ""), "status and output of %r" % question)
        check("the question is empty" in err and "airports near Lyon" in err, err)


def test_ask_reads_standard_input():
    status, out, err = cli("ask", "-", stdin=b"Airports near Lyon\n", timeout=120)
    equal(status, 0, "exit status: " + err)
    check("Lyon" in out.split("\n")[0] and "did not find a question" not in out, out)
    for bad, says in ((b"", "is empty"), (b" \n\n", "is empty"), (b"\xff\xfe", "UTF-8"), (b"a\0b", "must be text"),
                      (b"x" * 2000000, "longer than")):
        status, out, err = cli("ask", "-", stdin=bad)
        equal((status, out), (2, ""), "exit status and answer: " + err)
        check(says in err, err)


def test_ask_json_and_thread():
    with tempfile.TemporaryDirectory() as state:
        env = {"AVIATION_AGENT_STATE_DIR": state}

        def ask(*args):
            status, out, err = cli("ask", "--json", *args, env=env)
            equal((status, err), (0, ""), "status and standard error")
            events = [json.loads(line) for line in out.splitlines()]
            return events
        first = ask(ROUTE)
        names = [e["event"] for e in first]
        equal([n for i, n in enumerate(names) if n != "message" or names[i - 1] != "message"],
              ["plan", "thinking", "tool_call_start", "tool_call_end", "message", "thinking_done", "ui_payload",
               "final_answer", "done"], "events")
        thread = first[-1]["data"]["thread_id"]
        second = ask("--thread", thread, "and only with a hard runway?")
        plan = next(e["data"] for e in second if e["event"] == "plan")
        equal((plan["arguments"]["from_location"], plan["arguments"]["filters"].get("has_hard_runway")), ("EGTF", True),
              "the follow-up")


def test_tools_are_listed_with_their_schemas():
    status, out, err = cli("tools")
    equal((status, err), (0, ""), "status and standard error")
    entries = re.findall(r"(?m)^- (\w+): .+\n  Parameters: (\{\n(?:.*\n)*?\})", out)
    equal([name for name, _ in entries],
          ["search_airports", "find_airports_near_location", "find_airports_near_route", "get_airport_details",
           "get_notification_for_airport", "answer_rules_question", "browse_rules", "compare_rules_between_countries"], "names in order")
    for name, schema in entries:
        check(json.loads(schema)["type"] == "object", "schema of " + name)


def test_threads_delete_leaves_nothing():
    with tempfile.TemporaryDirectory() as state:
        env = {"AVIATION_AGENT_STATE_DIR": state, "CHECKPOINTER_PROVIDER": "sqlite"}
        equal(cli("ask", "--thread", "t1", ROUTE, env=env)[0], 0, "ask")
        stored = lambda: sqlite3.connect(os.path.join(state, "threads.db")).execute(
            "select count(*) from messages").fetchone()[0]
        check(stored() == 2, "question and answer are stored: %d" % stored())
        equal(cli("threads", "delete", "t1", env=env), (0, "", ""), "threads delete")
        check(stored() == 0, "nothing is left: %d" % stored())


def test_threads_delete_of_a_conversation_with_the_onboarding_agent():
    said = "My name is Ada Lovelace, my id is 42-A, I want a keyboard, no diet, and the meeting is booked"
    for more in ((), ("--force",)):
        with Site(ONBOARDING_AUTH="none") as site:
            env = site.env
            talk = "/api/onboarding/conversations/" + site.post("/api/onboarding/conversations", {}).json()["id"]
            id = talk.rsplit("/", 1)[1]
            for text in (said, "export it"):
                site.post(talk + "/messages", {"content": text})
            equal(site.get(talk + "/export").status, 200, "it is exported")
            check(re.search(r"(?m)^%s .* 2 turns " % id, cli("threads", "list", env=env)[1]), "turns, not commits")
            equal(json.loads(cli("threads", "export", id, env=env)[1])["turns"], 2, "turns as JSON")
            equal(cli("threads", "delete", *more, id, env=env), (0, "", ""), "threads delete")
            for rest in ("", "/export", "/state"):
                equal(site.get(talk + rest).status, 404, "nothing is left: " + rest)
            equal([n for _, _, names in os.walk(os.path.join(site.dir, "state", "onboarding")) for n in names], [], "no file is left")


def test_ask_says_when_the_store_is_away():
    status, out, err = cli("ask", ROUTE, env={"REDIS_URL": "unix:///nonexistent/redis.sock", "CHECKPOINTER_PROVIDER": "redis"})
    equal(status, 6, "exit status")
    check("/nonexistent/redis.sock" in err, err)


def test_settings_that_are_wrong():
    for name, value in (("AVIATION_AGENT_MAX_BODY", "lots"), ("CHECKPOINTER_PROVIDER", "oracle"), ("AVIATION_AGENT_ENABLED", "maybe"),
                        ("CHECKPOINTER_PROVIDER", "redis"), ("AVIATION_AGENT_CONFIG", "../../etc/passwd")):
        for command in (("ask", ROUTE), ("check",), ("config", "--print")):
            status, out, err = cli(*command, env={name: value})
            equal(status, 8, "%s with %s=%s" % (command[0], name, value))
            check(name in out + err, "%s with %s=%s: %s" % (command[0], name, value, out + err))


def test_config_print():
    status, out, err = cli("config", "--print", env={"GEOAPIFY_API_KEY": "sehr-geheim-123", "LOG_LEVEL": "WARNING"})
    equal(status, 0, "status")
    check("sehr-geheim-123" not in out, "a secret is printed")
    check(re.search(r"(?m)^LOG_LEVEL=WARNING$", out), "the value in force")
    for name in ("AIRPORTS_DB", "REDIS_URL", "CHECKPOINTER_PROVIDER", "CONVERSATION_LOG_DIR", "AVIATION_AGENT_ENABLED",
                 "AVIATION_AGENT_MAX_CHATS", "AVIATION_AGENT_CORS_ORIGINS"):
        check(re.search(r"(?m)^#?%s=" % name, out), "%s is not documented" % name)
    # What it prints can be fed back.
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "env")
        settings = re.split(r"(?m)^(?=## Behaviour|\{)", out)[0]
        with open(path, "w") as f:
            f.write("\n".join(x for x in settings.splitlines() if "***" not in x) + "\n")
        status, again, err = cli("config", "--print", env={"ENV_FILE": path})
        equal(status, 0, "printed settings as an env file: " + err)


def test_a_copied_program_uses_its_own_data():
    """The folder that was given to configure may be closed to the user who runs the copy."""
    folder = tempfile.mkdtemp(prefix="aa-copy.")
    try:
        for part in ("bin", "share"):
            shutil.copytree(os.path.join(harness.PREFIX, part), os.path.join(folder, part))
        made_for, harness.PREFIX = harness.PREFIX, folder
        try:
            status, out, err = cli("config", "--print")
        finally:
            harness.PREFIX = made_for
        equal(status, 0, "status")
        data = os.path.join(os.path.realpath(folder), "share", "aviation-agent")
        check("AVIATION_AGENT_DATA_DIR=%s\n" % data in out, "the copy's own folder is used: " + out[:600])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


test_a_copied_program_uses_its_own_data.alone = True        # the others use harness.PREFIX meanwhile


def test_broken_facts_stop_the_start():
    """A worker and a command name file, line and reason; whole facts have a line in check."""
    with tempfile.TemporaryDirectory() as data:
        shipped = os.path.join(harness.PREFIX, "share", "aviation-agent")
        for part in ("conf", "prompts"):
            shutil.copytree(os.path.join(shipped, part), os.path.join(data, part))
        env = {"AVIATION_AGENT_DATA_DIR": data}
        status, out, err = cli("check", env=env)
        check(re.search(r"(?m)^facts +ok +%s/conf/facts: 250 countries" % re.escape(data), out), out + err)
        countries = os.path.join(data, "conf", "facts", "countries.txt")
        lines = open(countries, encoding="utf-8").read().count("\n")
        with open(countries, "a") as f:
            f.write("FR; Frankreich\n")
        fault = "%s:%d: FR has a row already" % (countries, lines + 1)
        for command in (("check",), ("ask", ROUTE), ("import", "ourairports", DATA, "--out", os.path.join(data, "a.db"))):
            status, out, err = cli(*command, env=env)
            equal(status, 8, "%s with broken facts" % command[0])
            check(fault in out + err, "%s: %s" % (command[0], out + err))
        worker = subprocess.run([os.path.join(harness.PREFIX, "bin", "aviation-agent.fcgi"),
                                 "--listen", "unix:" + os.path.join(data, "w.sock")],
                                env=dict(os.environ, **env), capture_output=True, text=True, timeout=30)
        equal(worker.returncode, 8, "the worker's exit status")
        check(fault in worker.stdout + worker.stderr, worker.stdout + worker.stderr)
        os.remove(countries)
        status, out, err = cli("check", env=env)
        check(status == 8 and countries + ": No such file" in out + err, out + err)


def test_broken_words_stop_the_start():
    """Each file of words and texts is checked before the first question; file, line and reason are told."""
    faults = {
        "en/vocabulary.txt": ("hotel; ...\n", '"..." has no letter, digit or sign'),
        "en/rule_topics.txt": ("topic other; squawks\n", '"squawks" has the same stems as a phrase'),
        "de/general_rules.txt": ("oxygen; Sauerstoff; Ja\n", '"oxygen" has a row already'),
        "en/answer_words.txt": ("no; by no means\n", '"by no means" is not one word'),
        "en/tool_words.txt": ("tool_idle; show me\n", '"show me" is more than one word'),
        "en/replies.txt": ("hello example; {nam}\n", '"{nam}" is not one of the values'),
        "common/foreign.txt": ("Italian; ci sono\n", '"ci sono" is not one word'),
    }
    with tempfile.TemporaryDirectory() as data:
        shipped = os.path.join(harness.PREFIX, "share", "aviation-agent")
        for part in ("conf", "prompts"):
            shutil.copytree(os.path.join(shipped, part), os.path.join(data, part))
        for name, (row, reason) in faults.items():
            path = os.path.join(data, "conf", "language", name)
            with open(path, encoding="utf-8") as f:
                whole = f.read()
            with open(path, "a", encoding="utf-8") as f:
                f.write(row)
            fault = "%s:%d: %s" % (path, whole.count("\n") + 1, reason)
            for command in (("check",), ("ask", ROUTE)):
                status, out, err = cli(*command, env={"AVIATION_AGENT_DATA_DIR": data})
                equal(status, 8, "%s with a broken %s" % (command[0], name))
                check(fault in out + err, "%s: %s" % (fault, out + err))
            with open(path, "w", encoding="utf-8") as f:
                f.write(whole)


def test_a_damaged_model_stops_the_start():
    """What the reader of language has learned is never read wrongly: file, fault and what to do are told."""
    faults = {
        "flipped": (lambda b: b[:len(b) // 2] + bytes([b[len(b) // 2] ^ 16]) + b[len(b) // 2 + 1:], "the file is damaged"),
        "cut": (lambda b: b[:len(b) * 2 // 3], "the file is cut"),
        "older": (lambda b: b[:8] + bytes([b[8] - 1]) + b[9:], "the file is of another version of the program"),
        "empty": (lambda b: b"", "the file is no file of models"),
        "missing": (None, "No such file or directory"),
    }
    with tempfile.TemporaryDirectory() as data:
        shipped = os.path.join(harness.PREFIX, "share", "aviation-agent")
        for part in ("conf", "prompts"):
            shutil.copytree(os.path.join(shipped, part), os.path.join(data, part))
        path = os.path.join(data, "conf", "language", "reader.model")
        with open(path, "rb") as f:
            whole = f.read()
        worker = [os.path.join(harness.PREFIX, "bin", "aviation-agent.fcgi"), "--listen", "unix:" + os.path.join(data, "w.sock")]
        for name, (damage, reason) in faults.items():
            if damage is None:
                os.remove(path)
            else:
                with open(path, "wb") as f:
                    f.write(damage(whole))
            fault = "%s: %s; install the file that belongs to this program" % (path, reason)
            for command in (("check",), ("ask", ROUTE), ("plan", ROUTE)):
                status, out, err = cli(*command, env={"AVIATION_AGENT_DATA_DIR": data})
                equal(status, 8, "%s, %s" % (command[0], name))
                check(fault in out + err, "%s: %s" % (fault, out + err))
            ended = subprocess.run(worker, env=dict(os.environ, AVIATION_AGENT_DATA_DIR=data), capture_output=True,
                                   text=True, timeout=30)
            equal(ended.returncode, 8, "the worker's exit status, %s" % name)
            check(fault in ended.stdout + ended.stderr, ended.stdout + ended.stderr)


def test_a_broken_encoder_stops_the_start():
    """The file of the built-in vectors is checked at start, with or without a provider; path and what to do are told."""
    with tempfile.TemporaryDirectory() as data:
        shipped = os.path.join(harness.PREFIX, "share", "aviation-agent")
        for part in ("conf", "prompts"):
            shutil.copytree(os.path.join(shipped, part), os.path.join(data, part))
        path = os.path.join(data, "conf", "language", "encoder.model")
        with open(path, "rb") as f:
            whole = f.read()
        faults = {
            "the file is cut": whole[:-4096],
            "the file is damaged": whole[:-5] + bytes([whole[-5] ^ 1]) + whole[-4:],
            "the file is of another version of the program": whole[:8] + b"\xff" + whole[9:],
            "the file is no encoder": b"",
        }
        for reason, content in faults.items():
            with open(path, "wb") as f:
                f.write(content)
            for env in ({}, {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://127.0.0.1:1"}):
                status, out, err = cli("ask", ROUTE, env=dict(env, AVIATION_AGENT_DATA_DIR=data))
                equal(status, 8, reason)
                check("%s: %s; install the file that belongs to this program" % (path, reason) in out + err, out + err)


def test_words_can_be_added_without_a_compiler():
    """A row that a site adds is understood."""
    with tempfile.TemporaryDirectory() as data:
        shipped = os.path.join(harness.PREFIX, "share", "aviation-agent")
        for part in ("conf", "prompts"):
            shutil.copytree(os.path.join(shipped, part), os.path.join(data, part))
        with open(os.path.join(data, "conf", "language", "en", "vocabulary.txt"), "a", encoding="utf-8") as f:
            f.write("has_avgas; skyjuice\n")
        for env, avgas in (({}, False), ({"AVIATION_AGENT_DATA_DIR": data}, True)):
            status, out, err = cli("ask", "--json", ROUTE + " with skyjuice", env=env)
            equal(status, 0, err)
            check(("has_avgas" in out) == avgas, "%s: %s" % (avgas, out))


def test_env_file():
    with tempfile.TemporaryDirectory() as d:
        with open(os.path.join(d, ".env"), "w") as f:
            f.write("# a comment\nexport BASE='/data'\nAIRPORTS_DB=\"${BASE}/a.db\"\nLOG_LEVEL=DEBUG # why\n")
        status, out, err = cli("config", "--print", cwd=d, env={"AIRPORTS_DB": None, "LOG_LEVEL": "ERROR"})
        equal(status, 0, err)
        check(re.search(r"(?m)^AIRPORTS_DB=/data/a.db$", out), "expansion")
        check(re.search(r"(?m)^LOG_LEVEL=ERROR$", out), "the environment wins")
        status, out, err = cli("config", "--print", cwd=d, env={"ENV_FILE": d + "/nothing"})
        equal(status, 8, "a named env file that is not there")
        with open(os.path.join(d, ".env"), "w") as f:
            f.write("this is no setting\n")
        status, out, err = cli("config", "--print", cwd=d)
        equal(status, 8, "a broken line")
        check(".env:1" in err, "file and line: " + err)


def test_check():
    status, out, err = cli("check")
    equal(status, 0, out + err)
    for word in ("config", "airports", "threads", "provider"):
        check(re.search(r"(?m)^%s\b.*\bok\b" % word, out), "no line for %s: %s" % (word, out))
    status, out, err = cli("check", env={"REDIS_URL": "unix:///nonexistent/redis.sock"})
    equal(status, 6, "Redis away: " + out)
    check(re.search(r"(?m)^threads\b.*FAIL.*/nonexistent/redis.sock", out), out)
    check(re.search(r"(?m)^airports\b.*\bok\b", out), "the rest is checked all the same: " + out)


def importing(change, *args, out=None):
    """Import a changed copy of the fixture's files."""
    folder = tempfile.mkdtemp(prefix="aa-import.")
    try:
        data = os.path.join(folder, "data")
        shutil.copytree(DATA, data)
        change(data)
        db = out or os.path.join(folder, "out.db")
        status, said, err = cli("import", "ourairports", data, "--out", db, *args)
        left = [f for f in os.listdir(folder) if f not in ("data", "out.db") and not f.startswith("out.db.index")]
        rows = None
        if os.path.exists(db):
            with sqlite3.connect(db) as c:
                rows = dict(c.execute("SELECT icao_code, type FROM airports"))
        return status, said + err, rows, left
    finally:
        shutil.rmtree(folder)


def edit(name, old, new):
    def change(folder):
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        check(old in text, "the fixture has no %r" % old)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text.replace(old, new, 1))
    return change


def test_import():
    status, said, rows, left = importing(lambda d: None)
    equal(status, 0, said)
    equal(set(rows.values()), {"small_airport", "medium_airport", "large_airport"}, "types taken")
    check("LFPI" not in rows and "LFZZ" not in rows, "heliport and closed one are left out")
    check("FR-0009" in rows, "every ident of the types taken")
    equal(left, [], "files left behind")
    status, said, rows, left = importing(lambda d: None, "--types", "heliport")
    equal((status, rows), (0, {"LFPI": "heliport"}), "--types heliport")
    status, said, rows, left = importing(lambda d: None, "--types", "closed")
    check("LFZZ" not in (rows or {}), "closed ones are never taken")
    status, said, rows, left = importing(lambda d: None, "--types", "spaceport")
    equal((status, rows), (2, None), "an unknown type")
    check("spaceport" in said, said)


def test_import_reads_gz():
    import gzip

    def change(folder):
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            with open(path, "rb") as f, gzip.open(path + ".gz", "wb") as g:
                g.write(f.read())
            os.unlink(path)
    status, said, rows, left = importing(change)
    equal(status, 0, said)
    check("LFMD" in rows, "airports")


def test_import_reads_what_spreadsheets_write():
    def change(folder):
        for name in ("airports.csv", "runways.csv"):
            path = os.path.join(folder, name)
            with open(path, "rb") as f:
                data = f.read()
            with open(path, "wb") as f:
                f.write(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))
    status, said, rows, left = importing(change)
    equal(status, 0, said)
    check("LFMD" in rows, "airports")


def test_import_text_is_kept():
    folder = tempfile.mkdtemp(prefix="aa-import.")
    try:
        db = os.path.join(folder, "out.db")
        equal(cli("import", "ourairports", DATA, "--out", db)[0], 0, "status")
        with sqlite3.connect(db) as c:
            equal(c.execute("SELECT name, municipality FROM airports WHERE icao_code='LFLX'").fetchone(),
                  ('Châteauroux-Déols "Marcel Dassault" Airport', "Châteauroux, Déols"), "quotes, commas, accents")
            equal(c.execute("SELECT length_ft, surface, lighted, closed, le_ident, he_ident FROM runways "
                            "WHERE airport_icao='LFPT' AND le_ident='12'").fetchone(),
                  (2461.0, "GRASS", 0, 1, "12", "30"), "a runway")
            equal(c.execute("SELECT iata_code FROM airports WHERE icao_code='EGTF'").fetchone()[0] or None, None, "no IATA code")
    finally:
        shutil.rmtree(folder)


BAD_IMPORTS = [
    ("airports.csv missing", lambda d: os.unlink(d + "/airports.csv"), "airports.csv"),
    ("runways.csv missing", lambda d: os.unlink(d + "/runways.csv"), "runways.csv"),
    ("a column missing", edit("airports.csv", '"latitude_deg"', '"breite"'), "latitude_deg"),
    ("airports.csv empty", lambda d: open(d + "/airports.csv", "w").close(), "airports.csv"),
    ("a web page instead", lambda d: open(d + "/airports.csv", "w").write("<html><body>Not found</body></html>\n"), "airports.csv"),
    ("a quote never closed", edit("airports.csv", '"Fairoaks Airport"', '"Fairoaks Airport'), "airports.csv"),
]


def test_import_errors(name):
    change, word = {n: (c, w) for n, c, w in BAD_IMPORTS}[name]
    status, said, rows, left = importing(change)
    equal((status, rows), (7, None), "status and database: " + said)
    check(word in said, "the message names %s: %s" % (word, said))
    equal(left, [], "files left behind")


test_import_errors.rows = [(n,) for n, _, _ in BAD_IMPORTS]


def test_import_keeps_the_old_database_on_failure():
    folder = tempfile.mkdtemp(prefix="aa-import.")
    try:
        db = os.path.join(folder, "out.db")
        equal(cli("import", "ourairports", DATA, "--out", db)[0], 0, "first import")
        before = open(db, "rb").read()
        importing(lambda d: os.unlink(d + "/runways.csv"), out=db)
        check(open(db, "rb").read() == before, "the database changed")
        status, out, err = cli("import", "ourairports", folder + "/nothing", "--out", db)
        equal(status, 7, "a folder that is not there")
        status, out, err = cli("import", "ourairports", DATA, "--out", folder + "/no/such/folder/x.db")
        check(status in (7, 9) and "no/such/folder" in err, "%d %s" % (status, err))
        # a relative path: the message names the whole one, and how to choose another
        status, out, err = cli("import", "ourairports", DATA, "--out", "no/such/x.db")
        check(status == 9 and ": /" in err and "/no/such/x.db" in err and "--out" in err and "AIRPORTS_DB" in err, err)
    finally:
        shutil.rmtree(folder)


def test_import_on_a_full_disk():
    folder = tempfile.mkdtemp(prefix="aa-import.")
    try:
        with small_disk(os.path.join(folder, "disk"), 40) as disk:
            status, out, err = cli("import", "ourairports", DATA, "--out", disk + "/x.db")
            equal(status, 9, "exit status: " + err)
            check(disk in err, "the message names the file: " + err)
            equal(os.listdir(disk), [], "files left behind")
    finally:
        shutil.rmtree(folder)


def test_one_bad_row_does_not_lose_the_rest():
    status, said, rows, left = importing(edit("airports.csv", '51.3308,0.0325', 'north,east'))
    if status == 0:
        check("EGKB" not in rows or rows, "rows")
        check("LFMD" in rows, "the others are there")
        check(re.search(r"\b1 rows? skipped", said), "it is told: " + said)
    else:
        equal(status, 7, said)
        check(re.search(r"airports\.csv:3\b", said), "file and line: " + said)


def test_answers_in_the_terminal_are_safe():
    """Text from data must not reach the terminal as commands to it."""
    folder = tempfile.mkdtemp(prefix="aa-import.")
    try:
        data = os.path.join(folder, "data")
        shutil.copytree(DATA, data)
        edit("airports.csv", "Cannes-Mandelieu Airport", "Cannes \x1b]0;owned\x07\x1b[2J \x9b31m\x9d Airport")(data)
        db = os.path.join(folder, "out.db")
        status, out, err = cli("import", "ourairports", data, "--out", db)
        equal(status, 0, err)
        controls = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
        for args in (["ask", "Tell me about LFMD"], ["ask", "--json", "Tell me about LFMD"]):
            status, out, err = cli(*args, env={"AIRPORTS_DB": db})
            check("LFMD" in out and not controls.search(out), "controls reach the terminal: %r" % out[:300])
        status, out, err = cli("check", env={"AIRPORTS_DB": "/nonexistent/\x1b[31m\x9b31m.db"})
        check("/nonexistent/" in out and not controls.search(out + err), "controls of a file's name: %r" % out)
    finally:
        shutil.rmtree(folder)
