"""More than one host: a network that breaks, a Sentinel failover, a Redis Cluster."""

import contextlib
import os
import shutil
import subprocess
import tempfile
import threading
import time

from faults import QUESTIONS, Cluster, Node, Sentinels, keys_without_ttl, stored, whole
from harness import API, Failure, Site, Skip, Stream, check, equal, eventually, find_program, program, question

SLOW_MS = 6000


def slow(site, worker, ms=SLOW_MS):
    """Start a worker whose answer begins late, as that of a slow model."""
    fast, site.env = site.env, dict(site.env, AVIATION_AGENT_BUILTIN_FIRST_MS=str(ms))
    worker.start()
    site.env = fast


def until_answered(site, text, thread, seconds, what):
    def again():
        r = site.chat(text, thread)
        check(r.status in (200, 409, 503), "%s: status %d: %r" % (what, r.status, r.body[:300]))
        return r if r.status == 200 else None
    return eventually(again, what, seconds, 0.2).json()


# -- Sentinel --


def test_a_failover_in_the_middle_of_a_turn():
    """The master dies while the model thinks; the turn is stored by the replica that was promoted."""
    with Sentinels() as redis, Site("redis", start=False, REDIS_URL=redis.url) as site:
        worker = site.workers[0]
        worker.start()
        thread = site.ask(QUESTIONS[0]).thread
        eventually(lambda: stored((redis.replica.host, redis.replica.port), thread), "the replica has the first turn", 10)
        worker.term()
        worker.process.wait(10)
        slow(site, worker, 8000)
        with site.open(QUESTIONS[1], thread) as s:
            s.until("tool_call_end")
            redis.master.kill9()
            eventually(redis.promoted, "the replica is promoted", 20)
            turn = s.rest()
        equal(turn.one("done")["metadata"].get("saved", True), True, "stored by the new master")
        worker.kill9()
        worker.start()
        until_answered(site, QUESTIONS[2], thread, 20, "the next turn")
        said = stored((redis.replica.host, redis.replica.port), thread)
        whole(said, QUESTIONS)
        equal(len(said), 6, "messages")
        equal(keys_without_ttl((redis.replica.host, redis.replica.port)), [], "keys that never expire")
        # the old master comes back, and is made a replica
        redis.master.start()
        eventually(lambda: redis.master.call("ROLE")[0] == b"slave", "the old master follows", 30)
        until_answered(site, QUESTIONS[0], thread, 10, "after the old master came back")


def test_a_url_that_names_a_replica():
    """The master was moved by hand: the message says what to write into REDIS_URL."""
    with Sentinels() as redis, Site("redis", start=False, REDIS_URL="redis://127.0.0.1:%d" % redis.replica.port) as site:
        site.workers[0].start()
        equal(site.chat(QUESTIONS[0]).status, 503, "a question to a replica")
        check("name the master in REDIS_URL, or use sentinel://" in site.workers[0].log(), site.workers[0].log()[-500:])


# -- Cluster --


def test_a_conversation_in_a_cluster():
    """Threads in all three nodes, several turns each, on two workers."""
    with Cluster() as redis, Site("redis", workers=2, start=False, REDIS_URL=redis.url) as site:
        for w in site.workers:
            w.start()
        holders = set()
        for i in range(9):
            thread = "cluster-%d" % i
            for q in QUESTIONS:
                turn = site.ask(q, thread)
                equal(turn.one("done")["metadata"].get("saved", True), True, "stored")
            _, node = redis.holder(thread)
            holders.add(node.port)
            said = stored((node.host, node.port), thread)
            whole(said, QUESTIONS)
            equal(len(said), 6, "messages of " + thread)
            copy = site.post("%s/threads/%s/fork" % (API, thread), {})
            equal((copy.status, copy.json()["message_count"]), (201, 6), "a copy, which may lie in another node")
            path = "%s/threads/%s" % (API, copy.json()["thread_id"])
            equal([site.request("DELETE", path).status, site.get(path).status], [204, 404], "the copy is deleted")
        equal(len(holders), 3, "nodes that hold threads")
        for node in redis.nodes:
            equal(keys_without_ttl((node.host, node.port)), [], "keys that never expire")


def test_runs_in_a_cluster():
    """Logs of runs, followers on another worker, and cancelling, in all three nodes."""
    with Cluster() as redis, Site("redis", workers=2, start=False, REDIS_URL=redis.url,
                                  AVIATION_AGENT_BUILTIN_FIRST_MS=700) as site:
        for w in site.workers:
            w.start()
        holders = set()
        for i in range(9):
            thread = "runs-%d" % i
            holders.add(redis.holder(thread)[1].port)
            with Stream(site.port, question(QUESTIONS[0], thread), headers={"X-Stream-Ids": "1"}, ids=True) as s:
                run = s.head().header("X-Run-ID")
                s.until("tool_call_end")
                if i % 3 == 2:
                    equal(site.post(API + "/runs/%s/cancel" % run, {}).status // 100, 2, "cancel")
                followed = site.get(API + "/runs/%s/stream" % run).body     # to the end
                equal(followed.count(b"event: done"), 1, "terminal events of a follower: %r" % followed[-300:])
                equal([f.name for f in s if f.name][-1], "done", "last event")
            status = site.get(API + "/runs/" + run).json()["status"]
            equal(status, "cancelled" if i % 3 == 2 else "done", "status")
            equal(site.request("DELETE", API + "/threads/" + thread).status // 100, 2, "delete")
        equal(len(holders), 3, "nodes that hold threads")


def test_a_slot_moves_during_a_turn():
    """Its thread is moved to another node while the model thinks, slowly, and back during the next turn."""
    with Cluster() as redis, Site("redis", start=False, REDIS_URL=redis.url) as site:
        worker = site.workers[0]
        slow(site, worker, 1500)
        thread = "moving"
        site.ask(QUESTIONS[0], thread)
        for q in QUESTIONS[1:]:
            slot, source = redis.holder(thread)
            target = next(n for n in redis.nodes if n is not source)
            with site.open(q, thread) as s:
                s.until("tool_call_end")
                mover = threading.Thread(target=redis.move, args=(slot, source, target, 0.1))
                mover.start()
                turn = s.rest()
                mover.join()
            equal(turn.one("done")["metadata"].get("saved", True), True, "stored while the slot moved")
        said = redis.stored(thread)
        whole(said, QUESTIONS)
        equal(len(said), 6, "messages")


def test_slots_move_under_many_turns():
    """Every slot of eight threads moves while they are in use; refused turns may be asked again."""
    with Cluster() as redis, Site("redis", workers=2, start=False, REDIS_URL=redis.url) as site:
        for w in site.workers:
            w.start()
        threads = ["many-%d" % i for i in range(8)]
        faults = []

        def talk(thread):
            try:
                for q in QUESTIONS:
                    until_answered(site, q, thread, 20, "%s: %s" % (thread, q))
            except Exception as e:
                faults.append(repr(e))
        talkers = [threading.Thread(target=talk, args=(t,)) for t in threads]
        for t in talkers:
            t.start()
        for thread in threads:
            slot, source = redis.holder(thread)
            redis.move(slot, source, next(n for n in redis.nodes if n is not source))
        for t in talkers:
            t.join()
        equal(faults, [], "faults")
        for thread in threads:
            said = redis.stored(thread)
            whole(said, QUESTIONS)
            equal(len(said), 6, "messages of " + thread)


def test_a_node_of_the_cluster_dies_and_comes_back():
    with Cluster() as redis, Site("redis", start=False, REDIS_URL=redis.url, AVIATION_AGENT_STORE_TIMEOUT_MS=1000) as site:
        site.workers[0].start()
        for n in redis.nodes:
            n.call("CONFIG", "SET", "cluster-require-full-coverage", "no")
        thread = "dying"
        site.ask(QUESTIONS[0], thread)
        _, node = redis.holder(thread)
        other = next(t for t in ("other-%d" % i for i in range(50)) if redis.holder(t)[1] is not node)
        node.kill9()
        check(site.chat(QUESTIONS[1], thread).status in (503,), "a thread of the dead node")
        until_answered(site, QUESTIONS[0], other, 10, "a thread of another node")
        node.start()
        until_answered(site, QUESTIONS[1], thread, 20, "the thread of the node that is back")
        said = redis.stored(thread)
        whole(said, QUESTIONS)
        equal(len(said), 4, "messages")


# -- two hosts --


def ip(*words):
    made = subprocess.run([find_program("ip"), *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if made.returncode != 0:
        raise Failure("ip %s: %s" % (" ".join(words), made.stdout.decode()))


class Host:
    """A network namespace, joined to this one by a cable that can be pulled."""

    def __init__(self, name, net):
        self.name, self.near, self.far = name, "10.254.%d.1" % net, "10.254.%d.2" % net
        self.link = "aa%s" % name[-8:]

    def __enter__(self):
        if os.getuid() != 0:
            raise Skip("needs root for network namespaces")
        try:
            ip("netns", "add", self.name)
        except Failure as e:
            raise Skip("this machine has no network namespaces: %s" % e)
        try:
            ip("link", "add", self.link, "type", "veth", "peer", "name", "eth0", "netns", self.name)
            ip("addr", "add", self.near + "/30", "dev", self.link)
            ip("link", "set", self.link, "up")
            ip("-n", self.name, "addr", "add", self.far + "/30", "dev", "eth0")
            ip("-n", self.name, "link", "set", "eth0", "up")
        except BaseException:
            self.__exit__()
            raise
        return self

    def cable(self, plugged):
        ip("link", "set", self.link, "up" if plugged else "down")

    def run(self):
        return [find_program("ip"), "netns", "exec", self.name]

    def __exit__(self, *_):
        subprocess.run([find_program("ip"), "netns", "del", self.name], stderr=subprocess.DEVNULL)


def test_a_host_is_cut_off_in_the_middle_of_a_turn():
    """Two hosts share one Redis. The one that runs the turn loses its network; the other takes the
    thread over within the lease. What the first one stores later must not overwrite that."""
    lease = 3
    folder = tempfile.mkdtemp(prefix="aa-hosts.")
    pid = os.getpid() % 10000000
    try:
        with contextlib.ExitStack() as stack:
            one = stack.enter_context(Host("aat%da" % pid, 241))
            two = stack.enter_context(Host("aat%db" % pid, 242))
            redis = Node(folder, "redis", host="0.0.0.0").start()
            stack.callback(redis.kill9)
            where = ("127.0.0.1", redis.port)
            site = stack.enter_context(Site("redis", workers=2, start=False, AVIATION_AGENT_LEASE_S=lease,
                                            AVIATION_AGENT_STORE_TIMEOUT_MS=1000))

            def begin(worker, host, **env):
                saved, site.env = site.env, dict(site.env, REDIS_URL="redis://%s:%d" % (host.near, redis.port), **env)
                worker.start(args=host.run() + [program("aviation-agent.fcgi"), "--listen", "unix:" + worker.sock])
                site.env = saved
            begin(site.workers[1], two)
            thread = site.ask(QUESTIONS[0]).thread
            site.workers[1].term()
            site.workers[1].process.wait(10)
            begin(site.workers[0], one, AVIATION_AGENT_BUILTIN_FIRST_MS="9000")
            with site.open(QUESTIONS[1], thread) as s:
                s.until("tool_call_end")
                one.cable(False)
                begin(site.workers[1], two)
                began = time.monotonic()

                def taken_over():
                    # nginx may still ask the host that is cut off, which refuses
                    r = site.chat(QUESTIONS[2], thread)
                    check(r.status in (200, 409, 503), "status %d: %r" % (r.status, r.body[:300]))
                    return r.status == 200
                eventually(taken_over, "the other host has the thread", lease + 5, 0.1)
                took = time.monotonic() - began
                one.cable(True)
                turn = s.rest()
            equal(turn.one("done")["metadata"].get("saved", True), False, "the turn that lost its thread (taken over after %.1f s)" % took)
            said = stored(where, thread)
            whole(said, QUESTIONS)
            equal([t for r, t in said if r == "user"], [QUESTIONS[0], QUESTIONS[2]], "questions")
            until_answered(site, QUESTIONS[1], thread, 10, "the next turn, on either host")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
