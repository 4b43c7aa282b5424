"""Marked messages: read, checked, and merged into the frames that they result in. GUIDE.md defines the format."""

import collections
import re

# Plans that are carried out, with the labels that each may have beside those that every one may have.
WHERE = {"near", "at", "area", "country", "name", "pick"}
NUMBERS = {"radius", "reach", "min_runway", "max_runway", "max_fee", "max_notice", "count", "speed", "aircraft"}
WISHES = {"has_avgas", "has_jet_a", "fuel", "has_hard_runway", "point_of_entry", "has_procedures", "hotel", "restaurant",
          "large", "order", "wish"}
TIMES = {"day", "time"}
PLANS = {
    "near": {"near", "at", "country", "area", "pick"} | NUMBERS | WISHES | TIMES,
    "route": {"from", "to", "via", "at", "country", "pick"} | NUMBERS | WISHES | TIMES,
    "search": {"at", "area", "country", "name", "pick"} | NUMBERS | WISHES | TIMES,
    "details": {"at", "pick", "country", "area", "aircraft", "wish"} | TIMES,
    "notice": {"at", "pick", "country", "area"} | TIMES,
    "answer": {"country", "topic", "at", "area", "aircraft", "pick"} | TIMES,
    "browse": {"country", "topic", "area", "count"},
    "compare": {"country", "topic"},
}
EVERYWHERE = {"ask"}
TALK = {"hello", "thanks", "help", "unclear", "urgent"}
CANNOT = {"weather", "notam", "act", "compute", "here", "instructions", "other"}
KINDS = {"refine", "replace", "lift", "correct", "pick", "more", "switch", "return"}

ASKS = {"runway_length", "surface", "lights", "direction", "elevation", "frequency", "fuel", "hours", "customs", "fee",
        "procedures", "hotel", "restaurant", "distance", "time", "where", "country", "code", "name", "reviews", "contact",
        "transport", "how_many", "which", "night", "ppr"}
DAYS = {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "weekend", "weekday", "today",
        "tomorrow", "holiday"}
SITES = {"at_airport", "vicinity"}

# A label's values: None: it has none. Wishes that are a bare label may be "=false".
NUMBER = r"[0-9]+(\.[0-9]+)?"
VALUES = {
    "country": r"[A-Z]{2}",
    "pick": r"(-1|[1-9][0-9]?|it|runway|fee|distance)",
    "radius": NUMBER + r"(nm|km|mi)",
    "reach": NUMBER + r"(min|h)",
    "min_runway": NUMBER + r"(m|ft)",
    "max_runway": NUMBER + r"(m|ft)",
    "max_fee": NUMBER + r"[a-z]{3}",
    "max_notice": NUMBER + r"(h|d|min)",
    "count": r"[1-9][0-9]?",
    "speed": NUMBER + r"(kt|kmh|mph)",
    "aircraft": r"[a-z0-9-]+",
    "hotel": "|".join(SITES),
    "restaurant": "|".join(SITES),
    "order": "fee|runway|distance",
    "day": "|".join(DAYS) + r"|[0-3]?[0-9]-[01]?[0-9]",
    "time": r"[0-2][0-9]:[0-5][0-9]",
    "ask": "|".join(ASKS),
}
SWITCHES = {"has_avgas", "has_jet_a", "fuel", "has_hard_runway", "point_of_entry", "has_procedures", "large"}
ALSO_FALSE = {"hotel", "restaurant"}
BARE = {"from", "to", "via", "near", "at", "area", "name", "topic", "wish"}
LABELS = set(VALUES) | SWITCHES | BARE
# Labels of which a frame may have several; of the others the last one counts.
SEVERAL = {"via", "at", "near", "country", "wish", "topic", "ask", "area"}

# the spelling alphabet of ICAO, as people write it
ALPHABET = "alfa|alpha|bravo|charlie|delta|echo|foxtrot|fox|golf|hotel|india|juliette|juliett|juliet|kilo|lima|mike|november|oscar|oskar|" \
    "papa|quebec|québec|romeo|sierra|tango|uniform|victor|viktor|whiskey|whisky|x-ray|xray|yankee|zulu|zoulou"

Mark = collections.namedtuple("Mark", "words label value lifted plans start end")
Frame = collections.namedtuple("Frame", "plan slots more")


class Turn:
    def __init__(self, line, text, marks, plan):
        self.line, self.text, self.marks, self.plan = line, text, marks, plan
        self.frames = []


class Document:
    def __init__(self, path):
        self.path, self.head, self.dialogues, self.faults = path, {}, [], []

    def fault(self, line, what):
        self.faults.append("%s:%d: %s" % (self.path, line, what))


class Fault(Exception):
    pass


def parse_label(text, nplans):
    """label, value, lifted, plans of "-max_fee", "country=FR#2", …"""
    plans = ()
    m = re.fullmatch(r"(.*?)((?:#[1-9])+)", text)
    if m:
        text, plans = m.group(1), tuple(int(n) for n in m.group(2)[1:].split("#"))
        if max(plans) > nplans:
            raise Fault("'%s' names plan %d, but the message has %d" % (m.group(0), max(plans), nplans))
    lifted = text.startswith("-")
    label, eq, value = text.lstrip("-").partition("=")
    if label not in LABELS:
        raise Fault("unknown label '%s'" % label)
    if lifted:
        if label in WHERE | {"from", "to", "topic", "ask"}:
            raise Fault("'-%s': only wishes, numbers, times and via can be taken away" % label)
        return label, value if eq else None, True, plans
    if label in SWITCHES:
        if not eq:
            value = "true"
        elif value not in ("true", "false"):
            raise Fault("'%s=%s': true or false" % (label, value))
    elif label in VALUES:
        if not eq:
            raise Fault("'%s' wants a value, such as in GUIDE.md" % label)
        if not re.fullmatch(VALUES[label], value) and not (label in ALSO_FALSE and value == "false"):
            raise Fault("'%s=%s': no value of %s" % (label, value, label))
        if label == "day" and value[0].isdigit():
            value = "%02d-%02d" % tuple(int(n) for n in value.split("-"))
    elif eq:
        raise Fault("'%s' has no value" % label)
    return label, value if eq or label in SWITCHES else None, False, plans


SPELLED = re.compile(r"(?<![\w'-])(?:(?P<words>(?i:%s)(?: +(?i:%s))*)|(?P<letters>[A-Z](?:([ -])[A-Z](?:\3[A-Z])*)?|[a-z](?:([ -])[a-z](?:\4[a-z])*)?))(?!\w)"
                     % (ALPHABET, ALPHABET))


def spelled(run):
    """The code of a run of spelled letters as src/language/spelled.c joins them; None: it is none."""
    if run.group("words"):
        words = run.group("words").split()
        return "".join(word[0].upper() for word in words) if len(words) == 4 else None
    letters = re.sub("[ -]", "", run.group("letters"))
    if len(letters) == 4:
        return letters if letters.isupper() or letters[0] in "bdeghklopsuv" else None
    return letters if len(letters) == 3 and letters.isupper() and " " in run.group("letters") else None


def as_read(plain, mark):
    """A mark with its words as the reader takes them: a code that is dictated letter by letter is one word, "E G S H"."""
    words = plain[mark.start:mark.end]
    for run in reversed(list(SPELLED.finditer(plain))):
        if mark.start <= run.start() and run.end() <= mark.end and spelled(run):
            words = words[:run.start() - mark.start] + spelled(run) + words[run.end() - mark.start:]
    return mark._replace(words=words)


def parse_message(text, nplans):
    """The message without its marks, and the marks."""
    plain, marks, at = "", [], 0
    while at < len(text):
        c = text[at]
        if c == "[":
            end = text.find("]", at)
            if end < 0:
                raise Fault("'[' without ']'")
            inner = text[at + 1:end]
            if "[" in inner:
                raise Fault("marks do not nest: '[%s]'" % inner)
            if inner.count("|") != 1:
                raise Fault("'[%s]': a mark is [words|label]" % inner)
            words, label_text = inner.split("|")
            if not words.strip():
                raise Fault("'[%s]': a mark without words" % inner)
            if words != words.strip() or words[-1] in ",;" or words[0] in ",;":
                raise Fault("'[%s]': a blank or a comma at the end of the words" % inner)
            label, value, lifted, plans = parse_label(label_text, nplans)
            marks.append(Mark(words, label, value, lifted, plans, len(plain), len(plain) + len(words)))
            plain += words
            at = end + 1
        elif c in "]|→":
            raise Fault("'%s' outside of a mark" % c)
        else:
            plain += c
            at += 1
    return plain, [as_read(plain, mark) for mark in marks]


def parse_plan(text):
    """[(kind or None, plan)]"""
    plans = []
    for part in text.split(" + "):
        words = part.split()
        kind = words.pop(0) if len(words) == 2 else None
        if kind is not None and kind not in KINDS:
            raise Fault("unknown kind '%s'" % kind)
        if len(words) != 1:
            raise Fault("'%s' is not a plan" % part)
        plan = words[0]
        if plan.startswith("cannot:"):
            if plan[7:] not in CANNOT:
                raise Fault("unknown plan '%s'" % plan)
        elif plan not in PLANS and plan not in TALK:
            raise Fault("unknown plan '%s'" % plan)
        if kind is not None and plan not in PLANS:
            raise Fault("'%s' never has a kind" % plan)
        plans.append((kind, plan))
    if len(plans) > 3:
        raise Fault("more than three plans")
    return plans


def may_have(plan, label):
    return plan in PLANS and (label in PLANS[plan] or label in EVERYWHERE)


def divide(marks, plans):
    """For each plan its own marks."""
    parts = [[] for _ in plans]
    for mark in marks:
        wanted = [n - 1 for n in mark.plans]
        if not wanted:
            wanted = [i for i, (_, plan) in enumerate(plans) if may_have(plan, mark.label)][:1]
        if not wanted:
            if all(plan not in PLANS for _, plan in plans):
                continue                # a place in a question about the weather: only the reader of spans learns from it
            raise Fault("'%s' fits none of the plans" % mark.label)
        for i in wanted:
            if not may_have(plans[i][1], mark.label):
                raise Fault("'%s' does not fit '%s'" % (mark.label, plans[i][1]))
            parts[i].append(mark)
    return parts


def slots_of(marks):
    slots, lifted = {}, set()
    for mark in marks:
        if mark.lifted:
            lifted.add(mark.label)
            slots.pop(mark.label, None)
            continue
        value = mark.value if mark.value is not None else mark.words
        if mark.label in SEVERAL:
            values = slots.setdefault(mark.label, [])
            if value not in values:
                values.append(value)
        else:
            slots[mark.label] = [value]
    return slots, lifted


PLACES = {"near", "at", "area", "country", "name", "from", "to", "via", "pick"}


def merge(kind, plan, marks, before):
    """The frame that a message results in. before: the frames of the dialogue so far, newest last."""
    slots, lifted = slots_of(marks)
    if kind is None:
        return Frame(plan, slots, False)
    old = next((f for f in reversed(before) if f.plan == plan), None) if kind == "return" else before[-1] if before else None
    if old is None:
        raise Fault("'%s' goes on from nothing" % kind)
    if "ask" in old.slots and "ask" not in slots and plan == old.plan and kind in ("replace", "correct", "pick"):
        slots["ask"] = old.slots["ask"]         # "and Elba?": the same fact of another airport
    if kind == "more":
        if old.plan != plan:
            raise Fault("'more %s', but the talk was about '%s'" % (plan, old.plan))
        return Frame(plan, dict(old.slots, **slots), True)
    if kind == "pick":
        if plan not in ("details", "notice", "near", "route", "answer"):
            raise Fault("'pick %s': an airport is picked for details, notice, near, route or answer" % plan)
        if plan in ("details", "notice") and not ({"pick", "at"} & set(slots)):
            slots["pick"] = ["it"]
        return Frame(plan, slots, False)
    kept = {k: v for k, v in old.slots.items() if may_have(plan, k) and k not in lifted and k != "ask"}
    if kind == "switch":
        if old.plan == plan:
            raise Fault("'switch %s', but the talk was about that already" % plan)
        kept = {k: v for k, v in kept.items() if k in ("at", "country", "pick", "day", "time", "topic")}
    elif kind == "lift":
        if not lifted:
            raise Fault("'lift' without a mark such as -has_avgas")
    elif kind == "refine":
        for k in SEVERAL - {"ask"}:
            if k in slots and k in kept:
                slots[k] = kept[k] + [v for v in slots[k] if v not in kept[k]]
    if kind in ("replace", "correct", "return", "switch"):
        if {"near", "area", "at", "name", "pick"} & set(slots) or ("country" in slots and plan in ("search", "near")):
            kept = {k: v for k, v in kept.items() if k not in ("near", "area", "at", "name", "pick", "country")}
    kept.update(slots)
    return Frame(plan, kept, False)


NEEDS = {"near": ({"near"}, {"at"}, {"area"}, {"pick"}), "route": ({"from"}, {"to"}, {"pick"}, {"via"}),
         "details": ({"at"}, {"pick"}), "notice": ({"at"}, {"pick"})}


def need(plan, slots):
    """What a frame lacks."""
    if plan == "compare" and len(slots.get("country", ())) < 2:
        return "'compare' needs two countries"
    if plan in NEEDS and not any(one <= set(slots) for one in NEEDS[plan]):
        return "'%s' needs one of: %s" % (plan, ", ".join(sorted(next(iter(one)) for one in NEEDS[plan])))
    return None


def read_turn(text, line, before):
    left, arrow, right = text.rpartition("→")
    if not arrow:
        raise Fault("no '→'")
    plans = parse_plan(right.strip())
    plain, marks = parse_message(left.strip(), len(plans))
    turn = Turn(line, plain, marks, plans)
    for part, (kind, plan) in zip(divide(marks, plans), plans):
        if plan not in PLANS:
            continue
        frame = merge(kind, plan, part, before)
        lack = need(plan, frame.slots)
        if lack:
            raise Fault(lack)
        turn.frames.append(frame)
    return turn


HEAD = ("author", "language", "person")
LANGUAGES = ("en", "fr", "de")


def read(path):
    """A Document; what is wrong with it stands in its faults."""
    document = Document(path)
    seen = {}
    dialogue, before = None, []
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    for number, text in enumerate(lines, 1):
        stripped = text.strip()
        if stripped == "":
            dialogue = None
            continue
        if stripped.startswith("# ") or stripped == "#":
            continue
        m = re.match(r"(author|language|person|talks): *(.+)$", stripped)
        if m and not document.dialogues:
            document.head[m.group(1)] = m.group(2)
            continue
        try:
            if stripped.startswith("- "):
                if dialogue is None:
                    dialogue, before = [], []
                    document.dialogues.append(dialogue)
                turn = read_turn(stripped[2:], number, before)
                dialogue.append(turn)
                before.extend(turn.frames)
                if len(dialogue) > 8:
                    raise Fault("a dialogue has at most 8 messages")
            else:
                dialogue = None
                turn = read_turn(stripped, number, [])
                document.dialogues.append([turn])
                if turn.text in seen:
                    raise Fault("the same message stands in line %d" % seen[turn.text])
                seen[turn.text] = number
        except Fault as e:
            document.fault(number, str(e))
    for name in HEAD:
        if name not in document.head:
            document.fault(1, "no line '%s: …' at the beginning" % name)
    if document.head.get("language", "en") not in LANGUAGES:
        document.fault(1, "language: en, fr or de")
    for dialogue in document.dialogues:
        if len(dialogue) == 1 and not document.faults and lines[dialogue[0].line - 1].strip().startswith("- "):
            document.fault(dialogue[0].line, "a dialogue of one message: leave the '- ' away")
    return document
