"""The harness itself: what a failed test shows of the processes that it started."""

import os
import signal

import harness
from harness import ROUTE, Failure, Site, check, equal, eventually


def fails(site, act):
    try:
        with site:
            act(site)
            raise Failure("the test's own word")
    except Failure as e:
        return e
    raise AssertionError("the failure is lost")


def test_a_failed_test_shows_the_last_warnings_of_its_workers():
    def store_is_gone(site):
        site.redis.stop()
        equal(site.chat(ROUTE).status, 503, "status")
    e = fails(Site("redis", AVIATION_AGENT_STORE_TIMEOUT_MS=200), store_is_gone)
    equal(str(e), "the test's own word", "the failure")
    check([x for x in harness.heard(e) if x.startswith("worker 1: ") and ("Z warn " in x or "Z error " in x)], harness.heard(e))
    check(not harness.is_fatal(e), "a warning is no crash")


def test_a_crash_is_not_hidden_by_what_it_leads_to():
    def crash(site):
        os.kill(site.workers[0].process.pid, signal.SIGSEGV)
        eventually(lambda: site.workers[0].process.poll() is not None, "it is gone")
    e = fails(Site(), crash)
    check(harness.is_fatal(e), harness.heard(e))
    check([x for x in harness.heard(e) if "ended with status" in x], harness.heard(e))
