/* The HTTP client over TLS: whom it trusts, and that requests arrive whole. */
#include "drivers/httpc.h"

#include <sys/prctl.h>
#include <sys/wait.h>

#include "tests/unit/httpc_fix.h"

/* Make dir/cert.pem and dir/key.pem, for 127.0.0.1. */
static bool make_certificate(const char *dir)
{
	char cmd[1024];
	snprintf(cmd, sizeof(cmd), "cd '%s' && openssl req -x509 -newkey ec -pkeyopt "
	    "ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test -addext "
	    "subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem >log 2>&1", dir);
	return system(cmd) == 0;
}

static void end_program(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* A program that listens on `port`, when it does; 0: it cannot be had. */
static pid_t start_program(const char *const argv[], int port)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) },
		.sin_port = htons((uint16_t)port) };
	pid_t pid = fork();
	if (pid == 0) {
		char *args[16] = { NULL };
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (int i = 0; argv[i] != NULL; i++)
			args[i] = strdup(argv[i]);
		execvp(args[0], args);
		_exit(127);
	}
	for (int i = 0; i < 500 && waitpid(pid, NULL, WNOHANG) == 0; i++) {
		int fd = socket(AF_INET, SOCK_STREAM, 0);
		int rc = connect(fd, (struct sockaddr *)&at, sizeof(at));
		close(fd);
		if (rc == 0)
			return pid;
		clock_sleep_ms(10);
	}
	end_program(pid);
	return 0;
}

static int free_port(void)
{
	int port;
	close(listen_local(1, &port));
	return port;
}

/* `openssl s_server`, which tells about the connection and closes it. */
static pid_t tls_server(const char *dir, int port)
{
	char accept[32], cert[512], key[512];
	snprintf(accept, sizeof(accept), "127.0.0.1:%d", port);
	snprintf(cert, sizeof(cert), "%s/cert.pem", dir);
	snprintf(key, sizeof(key), "%s/key.pem", dir);
	return start_program((const char *const[]){ "openssl", "s_server", "-accept", accept,
	    "-cert", cert, "-key", key, "-www", "-quiet", NULL }, port);
}

/* nginx before the server at `back`. Below /drop/ it closes each connection at its second
 * request, or any later one, having read no more than the head. */
static pid_t tls_front(const char *dir, int port, const char *back)
{
	char conf[512], log[512];
	snprintf(conf, sizeof(conf), "%s/nginx.conf", dir);
	snprintf(log, sizeof(log), "%s/error.log", dir);
	FILE *f = fopen(conf, "w");
	cr_assert_not_null(f);
	fprintf(f, "daemon off; master_process off; pid %s/pid; events { } http { access_log off;\n",
	    dir);
	static const char *const kinds[] = { "client_body", "proxy", "fastcgi", "uwsgi", "scgi" };
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		fprintf(f, "%s_temp_path %s/%s;\n", kinds[i], dir, kinds[i]);
	fprintf(f, "server { listen 127.0.0.1:%d ssl; client_max_body_size 0;\n"
	    "ssl_certificate %s/cert.pem; ssl_certificate_key %s/key.pem;\n"
	    "location / { proxy_pass %s; }\n"
	    "location /drop/ { if ($connection_requests != 1) { return 444; } proxy_pass %s/; }\n"
	    "} }\n", port, dir, dir, back, back);
	fclose(f);
	return start_program((const char *const[]){ "nginx", "-e", log, "-c", conf, NULL }, port);
}

/* Takes TLS off and passes bytes on, each way by itself. nginx is no good for a reply before the
 * request's end: once it has passed the reply's head on, it drops the rest of the body as soon as
 * the server does not take it at once, and all wait. Small buffers, which hold no large body. */
static const char relay[] =
    "import asyncio, socket, ssl, sys\n"
    "SIZE = 65536\n"
    "async def pump(reader, writer):\n"
    "    while data := await reader.read(SIZE):\n"
    "        writer.write(data)\n"
    "        await writer.drain()\n"
    "    writer.close()\n"
    "async def serve(reader, writer):\n"
    "    back = socket.create_connection(('127.0.0.1', int(sys.argv[3])))\n"
    "    back.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SIZE)\n"
    "    answer, request = await asyncio.open_connection(sock=back)\n"
    "    await asyncio.gather(pump(reader, request), pump(answer, writer))\n"
    "async def main():\n"
    "    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)\n"
    "    tls.load_cert_chain(sys.argv[1] + '/cert.pem', sys.argv[1] + '/key.pem')\n"
    "    front = socket.socket()\n"
    "    front.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SIZE)\n"
    "    front.bind(('127.0.0.1', int(sys.argv[2])))\n"
    "    server = await asyncio.start_server(serve, sock=front, ssl=tls)\n"
    "    await server.serve_forever()\n"
    "asyncio.run(main())\n";

static pid_t tls_relay(const char *dir, int port, const char *back)
{
	char at[16];
	snprintf(at, sizeof(at), "%d", port);
	return start_program((const char *const[]){ "python3", "-c", relay, dir, at,
	    strrchr(back, ':') + 1, NULL }, port);
}

TEST(httpc, trusts_only_who_it_is_told_to)
{
	struct fix f;
	struct httpc *trusting;
	struct err e = { 0 };
	char ca[512];
	char *dir = test_mkdtemp();
	setup(&f);
	struct httpc_config wrong = { .ca_file = "/no/such/file" };
	cr_expect_eq(httpc_open(&trusting, &wrong, &e), ERR_CONFIG);
	cr_expect_not_null(strstr(e.msg, "AVIATION_AGENT_CA_FILE: /no/such/file: No such file"), "%s",
	    e.msg);

	struct call c = call_to(f.server, "");
	snprintf(c.url, sizeof(c.url), "https%s/", f.server->url + 4);
	run(f.http, &c);
	cr_expect_eq(c.rc, ERR_UPSTREAM);
	cr_expect_not_null(strstr(c.e.msg, "is this an https:// address?"), "%s", c.e.msg);
	done(&c);

	int port = free_port();
	pid_t pid = make_certificate(dir) ? tls_server(dir, port) : 0;
	if (pid > 0) {
		c = call_to(f.server, "");
		snprintf(c.url, sizeof(c.url), "https://127.0.0.1:%d/", port);
		run(f.http, &c);
		cr_expect_eq(c.rc, ERR_CONFIG, "asking again does not help");
		cr_expect_not_null(strstr(c.e.msg, "certificate not trusted"), "%s", c.e.msg);
		cr_expect_not_null(strstr(c.e.msg, "AVIATION_AGENT_CA_FILE"), "%s", c.e.msg);
		cr_expect(!c.head.sent);
		done(&c);

		c = call_to(f.server, "");
		snprintf(c.url, sizeof(c.url), "http://127.0.0.1:%d/", port);
		run(f.http, &c);
		cr_expect_eq(c.rc, ERR_UPSTREAM, "plain HTTP to a TLS port");
		done(&c);

		snprintf(ca, sizeof(ca), "%s/cert.pem", dir);
		struct httpc_config good = { .ca_file = ca };
		TEST_OK(httpc_open(&trusting, &good, &e), e);
		int reader[2];
		cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, reader), 0);
		struct watch watch = { .fd = reader[0] };
		struct worker other = { .http = trusting, .call = call_to(f.server, "/never") };
		other.call.watch = &watch;
		for (int i = 0; i < 2; i++) {
			c = call_to(f.server, "");
			snprintf(c.url, sizeof(c.url), "https://127.0.0.1:%d/", port);
			run(trusting, &c);
			cr_expect_eq(c.rc, OK, "%s", c.e.msg);
			cr_expect_eq(c.head.status, 200);
			/* s_server closes each connection, but the session is taken up again, also by
			 * a second handle while the first is busy */
			cr_expect_not_null(strstr(c.body.p, i == 0 ? "New, " : "Reused, "), "%s",
			    c.body.p);
			done(&c);
			int before = atomic_load(&f.server->requests);
			if (i == 0) {
				cr_assert_eq(pthread_create(&other.thread, NULL, work, &other), 0);
				await(&f.server->requests, before + 1);
			}
		}
		close(reader[1]);
		pthread_join(other.thread, NULL);
		close(reader[0]);
		done(&other.call);
		httpc_close(trusting);
		end_program(pid);
	}
	test_rmdir(dir);
	teardown(&f);
	if (pid <= 0)
		test_skip("no openssl to make a certificate with");
}

static const struct { const char *path; size_t size; int calls; } sent[] = {
	{ "/echo", 0, 1 }, { "/echo", 1, 1 }, { "/echo", 8192, 1 }, { "/echo", 8193, 1 },
	{ "/echo", 16384, 1 }, { "/echo", 16385, 1 }, { "/echo", 65536, 1 }, { "/echo", 1000001, 2 },
	/* the connection is closed before, in the middle of and after the sending */
	{ "/drop/echo", 100, 5 }, { "/drop/echo", 40000, 40 }, { "/drop/echo", 200001, 40 },
};

TEST(httpc, sends_all_of_it_over_tls)
{
	struct fix f;
	struct httpc *trusting;
	struct err e = { 0 };
	char ca[512];
	char *dir = test_mkdtemp();
	setup(&f);
	snprintf(ca, sizeof(ca), "%s/cert.pem", dir);
	int port = free_port();
	pid_t pid = make_certificate(dir) ? tls_front(dir, port, f.server->url) : 0;
	if (pid > 0) {
		TEST_OK(httpc_open(&trusting, &(struct httpc_config){ .ca_file = ca }, &e), e);
		for (size_t i = 0; i < sizeof(sent) / sizeof(sent[0]); i++) {
			char expected[64], *body = fill(sent[i].size, expected);
			bool well = true;
			for (int j = 0; well && j < sent[i].calls; j++) {
				struct call c = call_to(f.server, "");
				snprintf(c.url, sizeof(c.url), "https://127.0.0.1:%d%s", port,
				    sent[i].path);
				c.req.body = body;
				c.req.nbody = sent[i].size;
				run(trusting, &c);
				cr_expect_eq(c.rc, OK, "%s %s: %s", sent[i].path, expected, c.e.msg);
				cr_expect_str_eq(c.body.p, expected, "%s", sent[i].path);
				cr_expect(!c.head.reused || streq(sent[i].path, "/echo"));
				well = c.rc == OK;
				done(&c);
			}
			free(body);
		}
		httpc_close(trusting);
		end_program(pid);
	}
	test_rmdir(dir);
	teardown(&f);
	if (pid <= 0)
		test_skip("no nginx or openssl");
}

TEST(httpc, says_when_all_of_it_is_sent_over_tls)
{
	struct fix f;
	struct httpc *trusting;
	struct err e = { 0 };
	char ca[512], front[64];
	char *dir = test_mkdtemp();
	setup(&f);
	snprintf(ca, sizeof(ca), "%s/cert.pem", dir);
	int port = free_port();
	pid_t pid = make_certificate(dir) ? tls_relay(dir, port, f.server->url) : 0;
	if (pid > 0) {
		TEST_OK(httpc_open(&trusting, &(struct httpc_config){ .ca_file = ca }, &e), e);
		snprintf(front, sizeof(front), "https://127.0.0.1:%d", port);
		upload(f.server, trusting, front, "/early", 8 * 1024 * 1024, true);
		upload(f.server, trusting, front, "/early", 1, false);
		upload(f.server, trusting, front, "/echo", 40000, false);
		httpc_close(trusting);
		end_program(pid);
	}
	test_rmdir(dir);
	teardown(&f);
	if (pid <= 0)
		test_skip("no python3 or openssl");
}
