"""Runs tests side by side, and one that failed once more, by itself, when the others are done.

If it passes then, the machine may have been busy: the test counts as passed and as unstable, and is
printed with what the first try said. Many unstable tests in one run are a failure of their own. A
crash or a finding of a sanitizer has no second try.
"""

import concurrent.futures
import os
import sys
import time
import traceback
from collections import namedtuple

import harness

UNSTABLE_MOST = 3
AGAIN_MOST = 20             # if more have failed, the program is broken, and trying again only takes time

# alone: it measures or loads the machine, so it runs by itself, after the others
Test = namedtuple("Test", "label fn row alone")
Result = namedtuple("Result", "verdict why seconds fatal")


def run_one(test):
    started = time.monotonic()
    verdict, why, fatal = "ok", "", False
    try:
        test.fn(*test.row)
    except harness.Skip as e:
        verdict, why = "skip", str(e)
    except harness.Failure as e:
        frames = traceback.extract_tb(e.__traceback__)
        line = next((f for f in reversed(frames) if os.path.basename(f.filename).startswith("test_")), frames[-1])
        verdict, why = "FAIL", "\n".join(["line %d: %s" % (line.lineno, e)] + harness.heard(e))
        fatal = harness.is_fatal(e)
    except Exception as e:
        verdict, why = "FAIL", "\n".join([traceback.format_exc().rstrip()] + harness.heard(e))
        fatal = harness.is_fatal(e)
    return Result(verdict, why, time.monotonic() - started, fatal)


class Run:
    def __init__(self, out=sys.stdout):
        self.out = out
        self.passed, self.failed, self.skipped = 0, 0, 0
        self.unstable = []

    def line(self, verdict, text, why=""):
        print("%-4s %s" % (verdict, text), file=self.out)
        if why:
            print("     " + why.replace("\n", "\n     "), file=self.out)
        self.out.flush()

    def tests(self, tests, jobs):
        again = []
        for alone in (False, True):
            part = [t for t in tests if t.alone == alone]
            with concurrent.futures.ThreadPoolExecutor(1 if alone else jobs) as pool:
                started = {pool.submit(run_one, t): t for t in part}
                for future in concurrent.futures.as_completed(started):
                    test, result = started[future], future.result()
                    if result.verdict == "FAIL" and not result.fatal:
                        again.append((test, result))
                        self.line("wait", "%s  %.1fs (it failed and runs once more at the end)" % (test.label, result.seconds))
                    else:
                        self.note(test, result)
        for test, first in again:
            if len(again) > AGAIN_MOST:
                self.note(test, first)
            else:
                second = run_one(test)
                if second.verdict == "skip":       # a test that has run can run
                    second = Result("FAIL", "it was skipped: " + second.why, second.seconds, False)
                self.note(test, second, first)
        if len(self.unstable) > UNSTABLE_MOST:
            self.failed += 1
            self.line("FAIL", "%d tests passed only the second time; more than %d are not the machine's fault:" %
                      (len(self.unstable), UNSTABLE_MOST), "\n".join(sorted(self.unstable)))

    def note(self, test, result, first=None):
        text = "%s  %.1fs" % (test.label, result.seconds)
        if result.verdict == "skip":
            self.skipped += 1
            self.line("skip", "%s (%s)  %.1fs" % (test.label, result.why, result.seconds))
        elif result.verdict == "FAIL":
            self.failed += 1
            self.line("FAIL", text, result.why + ("\nand the first time: " + first.why if first else ""))
        elif first:
            self.passed += 1
            self.unstable.append(test.label)
            said, _, more = first.why.partition("\n")
            self.line("ok", "%s  (second try; the first said: %s)  %.1fs" % (test.label, said, result.seconds), more)
        else:
            self.passed += 1
            self.line("ok", text)

    def end(self):
        """Prints the sum; returns the exit status."""
        unstable = ", %d unstable" % len(self.unstable) if self.unstable else ""
        print("black-box tests: %d passed, %d failed, %d skipped%s" % (self.passed, self.failed, self.skipped, unstable),
              file=self.out)
        return 1 if self.failed else 0
