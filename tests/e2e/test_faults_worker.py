"""A worker killed with -9 at every step of a turn: before and after each call of the store, and after
each piece of the answer. Nothing that was committed is lost, and the thread goes on within the lease."""

from faults import LEASE_S, QUESTIONS, Bench, keys_without_ttl, stored, whole
from harness import ROUTE, check, equal, eventually


def test_killed_at_every_call_of_the_store():
    with Bench() as b:
        n = b.steps()
        for point in range(1, n + 1):
            for when in ("before", "after"):
                what = "killed %s call %d of %d" % (when, point, n)
                thread = b.site.ask(QUESTIONS[0]).thread
                b.tap.arm(point, when, b.worker.kill9)
                saved = b.read(thread)
                check(b.tap.fired, what + ": the call did not come: %s" % b.tap.names)
                b.tap.arm()
                b.worker.start()
                b.goes_on(thread, saved, what)
        equal(keys_without_ttl(b.site.redis.path), [], "keys that never expire")


def test_killed_after_each_piece_of_the_answer():
    with Bench(AVIATION_AGENT_BUILTIN_PIECE_MS=8) as b:
        thread = b.site.ask(QUESTIONS[0]).thread
        whole_turn = b.site.ask(QUESTIONS[1], thread)
        pieces = len(whole_turn.all("message"))
        check(pieces >= 5, "pieces of the answer: %d" % pieces)
        for n in sorted({1, 2, 3, pieces // 2, pieces - 1, pieces}):
            thread = b.site.ask(QUESTIONS[0]).thread
            seen = 0
            with b.site.open(QUESTIONS[1], thread) as s:
                for frame in s:
                    seen += frame.name == "message"
                    if seen == n:
                        break
                b.worker.kill9()
                try:
                    rest = [f.name for f in s]
                except OSError:
                    rest = []
            b.worker.start()
            b.goes_on(thread, "done" in rest, "killed after piece %d of %d" % (n, pieces))
        equal(keys_without_ttl(b.site.redis.path), [], "keys that never expire")


def test_killed_in_its_first_turn():
    """The thread's first turn: nothing but a lease was written."""
    with Bench() as b:
        b.site.ask(ROUTE)
        b.tap.arm()
        b.site.ask(ROUTE, "fresh-0")
        n = b.tap.calls
        for point in range(1, n + 1):
            thread, what = "fresh-%d" % point, "first turn, killed before call %d of %d" % (point, n)
            b.tap.arm(point, "before", b.worker.kill9)
            with b.site.open(ROUTE, thread) as s:
                try:
                    for _ in s:
                        pass
                except (OSError, ValueError):
                    pass
            check(b.tap.fired, what)
            b.tap.arm()
            b.worker.start()
            eventually(lambda: b.site.chat(QUESTIONS[2], thread).status == 200, what, LEASE_S + 2, 0.1)
            said = stored(b.site.redis.path, thread)
            whole(said, [ROUTE, QUESTIONS[2]])
            equal(said[-2], ("user", QUESTIONS[2]), what + ": the newest question")
