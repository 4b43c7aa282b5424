"""aviation-agent ingest: the knowledge base of the onboarding agent."""

import os
import re
import signal
import subprocess
import tempfile
import time

from harness import ROOT, SLACK, Skip, check, equal, find_program, program

HANDBOOK = os.path.join(ROOT, "conf", "handbook")


class Folder:
    def __init__(self):
        self.dir = tempfile.TemporaryDirectory(prefix="aa-kb.")
        self.path = self.dir.name
        self.env = {"PATH": "/usr/bin:/bin", "HOME": self.path, "AVIATION_AGENT_STATE_DIR": self.path + "/state",
                    "CHECKPOINTER_PROVIDER": "memory", "AIRPORTS_DB": self.path + "/none", "LANG": "C.UTF-8"}

    def put(self, name, data):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(data if isinstance(data, bytes) else data.encode())
        return path

    def run(self, *words, **env):
        return subprocess.run([program("aviation-agent"), *words], env=dict(self.env, **env), capture_output=True,
                              text=True, timeout=60 * SLACK)

    def ingest(self, *words, status=0, **env):
        r = self.run("ingest", *words, **env)
        equal(r.returncode, status, "exit status (%s%s)" % (r.stdout, r.stderr))
        return r

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.dir.cleanup()


def counts(r):
    m = re.search(r"(\d+) documents, (\d+) pieces: (\d+) new, (\d+) changed, (\d+) unchanged, (\d+) removed, (\d+) left out", r.stdout)
    check(m, r.stdout)
    return dict(zip(("documents", "pieces", "new", "changed", "unchanged", "removed", "left"), map(int, m.groups())))


def test_the_handbook_is_read_and_read_again():
    with Folder() as f:
        first = counts(f.ingest(HANDBOOK))
        equal((first["documents"], first["new"], first["left"]), (6, 6, 0), "first run")
        equal(counts(f.ingest(HANDBOOK))["unchanged"], 6, "second run")
        equal(os.stat(f.path + "/state/knowledge.db").st_mode & 0o777, 0o640, "mode")
        r = f.run("check")
        check(re.search(r"(?m)^knowledge +ok .*6 documents, .*by words and by meaning \(builtin\)", r.stdout), r.stdout)
        equal(counts(f.ingest("--remove", HANDBOOK))["removed"], 6, "removed")


def test_bad_documents_are_left_out_with_a_reason():
    with Folder() as f:
        f.put("docs/good.md", "# Good\n\nText.")
        f.put("docs/latin.txt", b"caf\xe9")
        f.put("docs/zeros.md", b"\0" * 1000)
        f.put("docs/broken.pdf", b"%PDF-1.4\n%%EOF")
        f.put("secret/s.md", "secret")
        os.symlink("../secret", f.path + "/docs/folder")
        os.symlink("/etc/passwd", f.path + "/docs/passwd.txt")
        os.truncate(f.put("docs/huge.md", "x"), 50 << 20)
        r = f.ingest(f.path + "/docs")
        equal((counts(r)["documents"], counts(r)["left"]), (1, 6), r.stderr)
        for line in ("docs/huge.md is left out: it has 50 MB", "docs/folder is left out: it is a link",
                     "docs/passwd.txt is left out: it is a link", "docs/latin.txt is left out: it is not text in UTF-8",
                     "docs/zeros.md is left out: it holds no text", "docs/broken.pdf is left out: pdftotext"):
            check(line in r.stderr, "%s: %s" % (line, r.stderr))


def test_bad_calls_are_told():
    with Folder() as f:
        f.put("empty/x.png", "x")
        f.put("file.md", "x")
        for words, status, said in ((["ingest"], 2, "ingest [--remove] DIR"), (["ingest", "a", "b"], 2, "usage"),
                                    (["ingest", "--what", "x"], 2, "what"), (["ingest", f.path + "/nowhere"], None, "name a folder"),
                                    (["ingest", f.path + "/file.md"], None, "name a folder"),
                                    (["ingest", f.path + "/empty"], None, "no document"),
                                    (["ingest", "--remove", f.path], None, "holds no documents of this folder")):
            r = f.run(*words)
            check(r.returncode == status if status else r.returncode not in (0, 2) or r.returncode == 2, "%s: %s" % (words, r.returncode))
            check(r.returncode != 0 and said in r.stderr, "%s: %s" % (words, r.stderr))
            check(not os.path.exists(f.path + "/state/knowledge.db"), "nothing is written: %s" % words)
        f.put("state/knowledge.db", "a file of somebody else, which must not be lost" * 10)
        f.ingest(HANDBOOK, status=f.run("ingest", HANDBOOK).returncode)
        with open(f.path + "/state/knowledge.db") as g:
            check("somebody else" in g.read(), "a file of something else was replaced")


def test_a_killed_run_leaves_the_old_file():
    with Folder() as f:
        f.put("docs/a.md", "The old text.")
        f.ingest(f.path + "/docs")
        with open(f.path + "/state/knowledge.db", "rb") as g:
            before = g.read()
        for i in range(1500):
            f.put("docs/%d.md" % i, "# Title %d\n\n" % i + "Some words that are new. " * 40)
        p = subprocess.Popen([program("aviation-agent"), "ingest", f.path + "/docs"], env=f.env, stderr=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL)
        time.sleep(0.15)
        p.send_signal(signal.SIGKILL)
        p.wait()
        with open(f.path + "/state/knowledge.db", "rb") as g:
            after = g.read()
        if p.returncode == -signal.SIGKILL:
            check(after == before, "the old file stays")
        equal(counts(f.ingest(f.path + "/docs"))["documents"], 1501, "the next run is not hindered")


def test_a_pdf_is_read():
    find_program("pdftotext")
    text = b"BT /F1 12 Tf 20 100 Td (The umbrella hangs in the hall.) Tj ET"
    parts = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
             b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
             b"<</Length %d>>stream\n%s\nendstream" % (len(text), text), b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    pdf, at = b"%PDF-1.4\n", []
    for i, part in enumerate(parts):
        at.append(len(pdf))
        pdf += b"%d 0 obj%s endobj\n" % (i + 1, part)
    start = len(pdf)
    pdf += b"xref\n0 6\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % a for a in at)
    pdf += b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % start
    with Folder() as f:
        f.put("docs/a.pdf", pdf)
        equal(counts(f.ingest(f.path + "/docs"))["pieces"], 1, "pieces")
        with open(f.path + "/state/knowledge.db", "rb") as g:
            check(b"umbrella hangs in the hall" in g.read(), "the text of the PDF")


def test_root_gives_up_its_rights_before_a_pdf_is_read():
    """In a mount namespace, pdftotext is a script that tells who it is."""
    reader, unshare = find_program("pdftotext"), find_program("unshare")
    with Folder() as f:
        f.put("docs/a.pdf", b"%PDF-1.4")
        spy = f.put("spy", "#!/bin/sh\necho \"I am $(id -u), $(id -g), $(id -G), $(grep NoNewPrivs /proc/self/status | tr -dc 0-9) in $(pwd).\"\n")
        os.chmod(spy, 0o755)
        r = subprocess.run([unshare, "-m", "sh", "-c", 'mount --bind "$0" "$1" && shift && exec "$@"', spy, reader,
                            program("aviation-agent"), "ingest", f.path + "/docs"],
                           env=f.env, capture_output=True, text=True, timeout=60 * SLACK)
        if "unshare failed" in r.stderr or "permission denied" in r.stderr.lower():
            raise Skip("this user cannot make a mount namespace")
        equal(r.returncode, 0, "exit status (%s%s)" % (r.stdout, r.stderr))
        with open(f.path + "/state/knowledge.db", "rb") as g:
            told = re.search(rb"I am [^.]*\.", g.read())
        equal(told and told.group(0), b"I am 65534, 65534, 65534, 1 in /.", "who reads a PDF")
