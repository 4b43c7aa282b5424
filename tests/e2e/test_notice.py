"""Notice periods: questions through nginx and in the terminal, bad databases, the commands."""

import json
import os
import shutil
import sqlite3

from harness import Provider, Site, check, cli, equal, eventually, real_data

TOOL = "get_notification_for_airport"

# question, airport, day, how the answer begins or what it holds
QUESTIONS = [
    ("LFMD PPR?", "LFMD", None, "on request"),
    ("How much notice do I need for customs at LFMD?", "LFMD", None, "on request"),
    ("customs on a Sunday at Le Touquet", "LFAT", "Sunday", "0800-1800"),
    ("do I need to give notice at LFRG", "LFRG", None, "Yes: "),
    ("LFAQ needs 24 h notice?", "LFAQ", None, "up to 24 hours of notice"),
    ("LFKC notice on Sunday", "LFKC", "Sunday", "The longest on record is 96 hours"),
    ("When should I notify customs at LFRD for a Saturday arrival?", "LFRD", "Saturday", "48 hours of notice"),
    ("how early must I call LFQA", "LFQA", None, "wants 24 hours of notice"),
    ("Is there customs at EGKB on a bank holiday?", "EGKB", "holiday", "0800-2200"),
]


def euro(site=None):
    return {"AIRPORTS_DB": real_data("euro_aip", "airports.db"),
            "GA_NOTIFICATIONS_DB": real_data("euro_aip", "ga_notifications.db")}


def ready(site):
    eventually(lambda: site.get("/health").json()["airports"]["state"] == "ready", "the index is built", 30)


def told(answer):
    """The first line on customs: a question about PPR is answered before it."""
    lines = [line for line in answer.split("\n") if line]
    return lines[1] if "itself wants prior permission (PPR)" in lines[0] else lines[0]


def test_questions_through_nginx():
    env = euro()
    with Site(db=env["AIRPORTS_DB"], GA_NOTIFICATIONS_DB=env["GA_NOTIFICATIONS_DB"]) as site:
        ready(site)
        for text, icao, day, says in QUESTIONS:
            turn = site.ask(text)
            equal(turn.all("error"), [], "errors of " + text)
            equal(turn.plan["selected_tool"], TOOL, "tool of " + text)
            equal((turn.plan["arguments"].get("icao"), turn.plan["arguments"].get("day_of_week")), (icao, day), text)
            check(says in told(turn.answer), "%s: %s" % (text, turn.answer))
            ui = turn.one("ui_payload")
            equal((ui["kind"], ui["icao"]), ("airport", icao), "payload of " + text)
            equal(ui["visualization"]["marker"]["style"], "notification", "marker of " + text)
        turn = site.ask("airports near Albert, and how early must I tell customs on Saturday?")
        check("notice that day: 24h notice" in turn.answer, turn.answer)
        turn = site.ask("airports near Albert with at most 12 hours notice")
        check("May fit" in turn.answer and "LFAQ" not in turn.answer, turn.answer)


def test_a_question_in_the_terminal():
    status, out, err = cli("ask", "do I need to give notice at LFRG", env=euro(), timeout=120)
    equal(status, 0, "exit status: " + err)
    check(out.startswith("Yes: ") and "24 hours of notice" in out.split("\n")[0], out)


# the messages of a conversation, and the tool, the airport, the day and the time of the last one
FOLLOW_UPS = [
    (("LFMD PPR?", "Sunday?"), TOOL, "LFMD", "Sunday", None),
    (("LFMD PPR?", "Sunday?", "and at 14:00 on a Tuesday?"), TOOL, "LFMD", "Tuesday", "14:00"),
    (("LFMD PPR?", "and LFAT?"), TOOL, "LFAT", None, None),
    (("LFMD PPR?", "and what is the landing fee there?"), "get_airport_details", "LFMD", None, None),
    (("how much notice do I need for customs?", "LFAT", "and on Sunday?"), TOOL, "LFAT", "Sunday", None),
]


def test_a_conversation_goes_on_after_notice():
    env = euro()
    with Site(db=env["AIRPORTS_DB"], GA_NOTIFICATIONS_DB=env["GA_NOTIFICATIONS_DB"]) as site:
        ready(site)
        for messages, tool, icao, day, time in FOLLOW_UPS:
            thread = None
            for text in messages:
                turn = site.ask(text, thread_id=thread)
                thread = turn.thread
            args = turn.plan["arguments"]
            equal((turn.plan["selected_tool"], args.get("icao", args.get("icao_code")), args.get("day_of_week"),
                   args.get("time")), (tool, icao, day, time), " / ".join(messages))


def test_the_first_sentence_names_all_cases():
    with Site(start=False) as site:
        path = os.path.join(site.dir, "airports.db")
        shutil.copy(real_data("euro_aip", "airports.db"), path)
        with sqlite3.connect(path) as db:
            db.execute("UPDATE aip_entries SET value='0800-1800. Outside these hours PN 24 HR' "
                       "WHERE airport_icao='LFAT' AND std_field_id=302")
        site.env["AIRPORTS_DB"] = path
        site.workers[0].start()
        ready(site)
        turn = site.ask("How much notice does Le Touquet want for customs?")
        first = turn.answer.split("\n")[0]
        check("no notice from 08:00 to 18:00 and 24 hours of notice at other times" in first, turn.answer)
        result = turn.one("tool_call_end")["result"]
        equal([(t["from"], t["to"], t["hours_notice"]) for t in result["times"]],
              [("08:00", "18:00", 0), (None, None, 24)], "times")


def test_each_airport_of_a_question_is_looked_up():
    env = euro()
    with Site(db=env["AIRPORTS_DB"], GA_NOTIFICATIONS_DB=env["GA_NOTIFICATIONS_DB"]) as site:
        ready(site)
        turn = site.ask("how much notice do I need at LFMD, LFAT and LFRG?")
        equal([p["arguments"]["icao"] for p in turn.all("plan")], ["LFMD", "LFAT", "LFRG"], "each of them")


def test_a_code_and_a_day_that_do_not_exist():
    env = euro()
    with Site(db=env["AIRPORTS_DB"]) as site:
        ready(site)
        answer = site.ask("customs at ZZQQ on 30 February").answer
        check("I do not know the airport ZZQQ" in answer and "There is no 30 February" in answer, answer)


def test_a_time_of_day_through_nginx():
    env = euro()
    with Site(db=env["AIRPORTS_DB"], GA_NOTIFICATIONS_DB=env["GA_NOTIFICATIONS_DB"]) as site:
        ready(site)
        for text, time, says in (("customs at Le Touquet at 1400 on Sunday?", "14:00", "within its hours 0800-1800"),
                                 ("customs at Le Touquet on Sunday at 8 pm", "20:00", "outside its hours 0800-1800")):
            turn = site.ask(text)
            equal((turn.plan["selected_tool"], turn.plan["arguments"].get("time")), (TOOL, time), text)
            check(says in turn.answer.split("\n")[0], turn.answer)


def test_first_things_first():
    env = euro()
    with Site(db=env["AIRPORTS_DB"]) as site:
        ready(site)
        check("121.5 MHz" in site.ask("mayday").answer.split("\n")[0], "an emergency")
        turn = site.ask("how long does it take from EGKB to LFAT at 100 knots?")
        equal(turn.plan["arguments"].get("cruise_kt"), 100, "the pilot's speed")
        check("at 100 kt without wind" in turn.answer.split("\n")[0], turn.answer)
        check("Atlantis" in site.ask("airports near Paris, Atlantis").answer, "the region")
        turn = site.ask("how long is the runway at LFAT?")
        check("ask “Tell me about LFAT”" in turn.answer and "- Position" not in turn.answer, turn.answer)


def test_a_bad_database_leaves_the_texts_of_the_aip():
    env = euro()
    with Site(db=env["AIRPORTS_DB"], start=False) as site:
        path = os.path.join(site.dir, "notices.db")
        site.env["GA_NOTIFICATIONS_DB"] = path
        with open(path, "w") as f:
            f.write("no database\n" * 100)
        site.workers[0].start()
        ready(site)
        turn = site.ask("LFRG PPR?")
        check("wants 24 hours of notice" in turn.answer and "Text of the AIP" in turn.answer, turn.answer)
        log = site.workers[0].log()
        equal(log.count("error notices"), 1, "lines about the database: " + log[-800:])
        shutil.copy(env["GA_NOTIFICATIONS_DB"], path + ".new")
        with sqlite3.connect(path + ".new") as db:
            db.execute("UPDATE ga_notification_requirements SET hours_notice=7, summary='' WHERE icao='LFRG'")
        os.rename(path + ".new", path)
        eventually(lambda: "wants 7 hours of notice" in site.ask("LFRG PPR?").answer, "the new file is read", 15, 0.5)


WHOLE = ("CREATE TABLE ga_notification_requirements(id INTEGER PRIMARY KEY, icao TEXT NOT NULL, rule_type TEXT, "
         "notification_type TEXT, hours_notice INTEGER, weekday_rules TEXT, contact_info TEXT, summary TEXT, confidence REAL)")
ROW = ("INSERT INTO ga_notification_requirements(icao, rule_type, notification_type, hours_notice, weekday_rules, contact_info, "
       "summary, confidence) VALUES(%s)")


def test_a_database_that_is_not_as_it_should_be():
    """What is broken counts as absent; the rest of the row, and the other rows, are used."""
    with Site(db=real_data("euro_aip", "airports.db"), start=False) as site:
        path = os.path.join(site.dir, "notices.db")
        with sqlite3.connect(path) as db:
            db.execute(WHOLE)
            db.execute(ROW % "'LFRG','customs','hours',11,'{\"Mon-Fri\":NaN}','[NaN]','',1")
            db.execute(ROW % "'LFAQ','customs','hours',12,'{\"Mon-Fri\":\"2h','{\"phone\":5}','',1")
            db.execute(ROW % "'LFAT','customs','hours',13,'[\"Mon\"]','null','',1")
            db.execute(ROW % "'ZZQQ','customs','hours',14,NULL,NULL,'',1")
            db.execute(ROW % "'LFKC',NULL,NULL,NULL,NULL,NULL,'Extraction failed: time-out',0")
        site.env["GA_NOTIFICATIONS_DB"] = path
        site.workers[0].start()
        ready(site)
        for icao, hours in (("LFRG", 11), ("LFAQ", 12), ("LFAT", 13)):
            turn = site.ask("%s PPR on Monday?" % icao)
            check("wants %d hours of notice" % hours in told(turn.answer), turn.answer)
        # a row for an airport that the airport database does not have
        check("**ZZQQ** wants 14 hours" in site.ask("How much notice do I need for customs at ZZQQ?").answer, "ZZQQ")
        # a failed extraction is no answer: the text of the AIP is read instead
        turn = site.ask("LFKC PPR?")
        check("Extraction failed" not in turn.answer and "96 hours" in turn.answer, turn.answer)
        turn = site.ask("airports within 50 nm of LFAT with at most 12 hours notice")
        equal(turn.all("error"), [], "errors of a search")
        check("LFAT" not in [a for a in turn.airports], "13 hours are more than 12: %s" % turn.airports)
        # an older schema, in place of that file
        with sqlite3.connect(path + ".new") as db:
            db.execute("CREATE TABLE ga_notification_requirements(icao TEXT, hours_notice INTEGER)")
            db.execute("INSERT INTO ga_notification_requirements VALUES('LFRG', 6)")
        os.rename(path + ".new", path)
        eventually(lambda: "6 hours of notice" in site.ask("LFRG PPR?").answer, "the older schema", 15, 0.5)
        # no file any more: what was read stays in use, and health tells
        os.remove(path)
        eventually(lambda: site.get("/health").json()["notifications"]["state"] == "stale", "stale", 15, 0.5)
        check("6 hours of notice" in site.ask("LFRG PPR?").answer, "the earlier content")


def test_commands():
    status, out, err = cli("notifications", "parse", "MON-FRI: PPR 12 HR. SAT, SUN, HOL: PPR 48 HR")
    equal(status, 0, "exit status: " + err)
    rules = json.loads(out)["rules"]
    equal([(r["hours_notice"], r["days"], r["includes_holidays"]) for r in rules],
          [(12, ["Mon", "Tue", "Wed", "Thu", "Fri"], False), (48, ["Sat", "Sun"], True)], "rules")
    status, out, err = cli("notifications", "parse", stdin=b"H24")
    equal(json.loads(out)["rules"][0]["notification_type"], "h24", "rule from standard input")
    for bad in (b"\xff\xfe", b"x" * 70000):
        status, out, err = cli("notifications", "parse", stdin=bad)
        equal(status, 2 if bad[0] == 0xff else status, "exit status: " + err)
        check(status != 0 and out == "" and "notifications parse" in err, err)
    equal(cli("notifications")[0], 2, "exit status without a command")
    status, out, err = cli("notifications", "parse", "LFXX", env=euro())
    check(status == 0 and "no customs text of an airport LFXX" in err, "an unknown airport: " + err)
    with Site(start=False, nginx=False) as site:
        path = os.path.join(site.dir, "n.db")
        status, out, err = cli("import", "notifications", "--out", path, env=euro())
        equal(status, 0, "exit status: " + err)
        status, out, err = cli("check", env=dict(euro(), GA_NOTIFICATIONS_DB=path), timeout=120)
        line = [x for x in out.split("\n") if x.startswith("notices")][0]
        check("ok" in line and "55 airports" in line, line)


HARD = ("MON-FRI 0700-1900. If the flight comes from outside the Schengen area, except in July, notify 24 HR "
        "before, unless the AD is closed. SAT, SUN: before 1100 on the last working day.")


def test_a_language_model_reads_difficult_texts():
    def rule(hours):
        return {"text": json.dumps({"rules": [{
            "rule_type": "customs", "notification_type": "hours", "hours_notice": hours, "non_schengen_only": True,
            "summary": "notify %d HR before" % hours}]})}

    own = json.loads(cli("notifications", "parse", HARD)[1])
    script = {"replies": [rule(24), rule(36), {"status": 401}], "repeat": "last"}
    with Provider(notice=script) as provider:
        env = dict(provider.env, AVIATION_AGENT_LLM_BACKOFF_MS=20)

        def parse(*text, **more):
            status, out, err = cli("notifications", "parse", "--llm", *text, env=dict(env, **more))
            equal(status, 0, "exit status: " + err)
            return json.loads(out)

        equal(parse("PPR 24 HR")["rules"][0]["extraction_method"], "rules", "an easy text")
        equal(len(provider.requests()), 0, "the model is not asked about it")
        read = parse(HARD)
        equal([(r["hours_notice"], r["extraction_method"], r["confidence"], r["non_schengen_only"])
               for r in read["rules"]], [(24, "llm", 0.85, True)], "its rule")
        equal(read["parse_warnings"], [], "warnings")
        # a number that is not in the text, a refused key, no model at all
        for more, says in (({}, "hours_notice does not stand in the text"), ({}, "OPENAI_API_KEY"),
                           ({"OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""}, "none is set up")):
            read = parse(HARD, **more)
            equal(read["rules"], own["rules"], "the own reading: " + says)
            check(says in read["parse_warnings"][0], "%s: %s" % (says, read["parse_warnings"]))
        with Site(start=False, nginx=False) as site:
            path = os.path.join(site.dir, "n.db")
            status, out, err = cli("import", "notifications", "--llm", "--out", path, env=dict(euro(), **env))
            equal(status, 0, "exit status: " + err)
            check("55 airports" in out and "asked about 2 texts and read 0" in out, out)
            status, out, err = cli("import", "notifications", "--llm", "--out", path, env=euro())
            check(status != 0 and "--llm needs a language model" in err, err)
