"""Apache with lines of this project, on a port of its own."""

import http.client
import os
import shutil
import subprocess
import tempfile

from harness import Failure, Response, Skip, eventually, find_program, free_port, stop

CONF = """ServerRoot "{dir}"
PidFile "{dir}/pid"
ErrorLog "{dir}/error.log"
Listen 127.0.0.1:{port}
ServerName localhost
Mutex file:{dir}
{modules}
{user}
<Directory "/">
    AllowOverride None
    Require all denied
</Directory>
{lines}
TypesConfig /dev/null
"""


class Apache:
    """with Apache(lines, modules) as a: a.get(path, headers). Its user is www-data when this runs as root."""

    def __init__(self, lines, modules):
        self.program = find_program("apache2")
        self.modules = {m: "/usr/lib/apache2/modules/mod_%s.so" % m for m in modules}
        if not all(os.path.exists(path) for path in self.modules.values()):
            raise Skip("Apache's modules are not in /usr/lib/apache2/modules")
        self.lines, self.process = lines, None

    def __enter__(self):
        self.dir, self.port = tempfile.mkdtemp(prefix="aa-apache."), free_port()
        os.chmod(self.dir, 0o755)
        conf = os.path.join(self.dir, "apache.conf")
        with open(conf, "w") as f:
            f.write(CONF.format(dir=self.dir, port=self.port, lines=self.lines,
                                user="User www-data\nGroup www-data" if os.getuid() == 0 else "",
                                modules="\n".join("LoadModule %s_module %s" % m for m in self.modules.items())))
        self.process = subprocess.Popen([self.program, "-D", "FOREGROUND", "-f", conf], stdin=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        try:
            eventually(self._answers, "Apache answers", 15)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        stop(self.process)
        shutil.rmtree(self.dir, ignore_errors=True)

    def _answers(self):
        if self.process.poll() is not None:
            with open(os.path.join(self.dir, "error.log")) as f:
                raise Failure("Apache ended: " + f.read()[-500:])
        try:
            return self.get("/").status
        except OSError:
            return None

    def get(self, path, headers=None):
        return self.request("GET", path, headers=headers)

    def request(self, method, path, body=None, headers=None):
        conn = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            conn.request(method, path, body=body, headers=headers or {})
            r = conn.getresponse()
            return Response(r.status, r.getheaders(), r.read())
        finally:
            conn.close()
