#!/usr/bin/env node
/* The page in a browser. Each test prints one line: ok, FAIL or skip. A test that fails is repeated once at the end,
   because a busy machine may be too slow for it; the line then says "repeated".

     node tests/browser/run.mjs --prefix DIR [--only WORDS] [--keep DIR] [--real] [--measure]

   --prefix  where the program is installed
   --only    only tests whose name contains this; may be given several times
   --keep    screenshots go here
   --real    the site has the real data set (TEST_DATA)
   --measure runs no tests and prints how quick the page is on a slow phone
   The driver of the browser and the checker of accessibility come from npm, in the versions of package-lock.json, and
   stay in the cache folder of the user. */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Context, tests } from "./driver.mjs";

const here = path.dirname(fileURLToPath(import.meta.url)), root = path.dirname(path.dirname(here));
const options = { only: [] };
for (let i = 2; i < process.argv.length; i++) {
	const name = process.argv[i].replace(/^--/, "");
	if (name === "real" || name === "measure") options[name] = true;
	else if (name === "only") options.only.push(process.argv[++i]);
	else if (name === "prefix" || name === "keep") options[name] = path.resolve(process.argv[++i] ?? "");
	else {
		console.error(`unknown option ${process.argv[i]}; the head of ${process.argv[1]} tells which there are`);
		process.exit(2);
	}
}
if (!options.prefix) {
	console.error("--prefix is missing: where is the program installed?");
	process.exit(2);
}

function skipAll(why) {
	console.log(`skip tests in the browser (${why.trim().split("\n").pop()})`);
	process.exit(0);
}

function run(program, args, cwd) {
	const r = spawnSync(program, args, { cwd, encoding: "utf8", timeout: 180000, stdio: ["ignore", "pipe", "pipe"] });
	return { ok: r.status === 0, said: (r.stderr || "") + (r.stdout || "") + (r.error ? r.error.message : "") };
}

/* The packages of package-lock.json; a folder that is complete has the mark of its lock file. */
function packages() {
	const lock = fs.readFileSync(path.join(here, "package-lock.json"));
	const sum = createHash("sha256").update(lock).digest("hex").slice(0, 16);
	const cache = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache"), "aviation-agent");
	const folder = path.join(cache, "browser-tests-" + sum);
	if (fs.existsSync(path.join(folder, "complete"))) return folder;
	fs.mkdirSync(cache, { recursive: true });
	const made = fs.mkdtempSync(path.join(cache, "making-"));
	for (const f of ["package.json", "package-lock.json"]) fs.copyFileSync(path.join(here, f), path.join(made, f));
	const npm = run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], made);
	if (!npm.ok) {
		fs.rmSync(made, { recursive: true, force: true });
		skipAll("npm cannot get playwright-core and axe-core: " + npm.said);
	}
	fs.writeFileSync(path.join(made, "complete"), "");
	try {
		fs.renameSync(made, folder);
	} catch {
		fs.rmSync(made, { recursive: true, force: true });      /* another run was quicker */
	}
	return folder;
}

function chromium() {
	for (const name of ["chromium", "chromium-browser", "google-chrome"])
		for (const dir of (process.env.PATH ?? "").split(":"))
			if (fs.existsSync(path.join(dir, name))) return path.join(dir, name);
	return skipAll("chromium is not installed");
}

function startSite() {
	const args = [path.join(here, "site.py"), "--prefix", options.prefix, ...(options.real ? ["--real"] : []), ...(options.measure ? ["--tls"] : [])];
	const child = spawn("python3", args, { stdio: ["pipe", "pipe", "inherit"] });
	const ended = new Promise(resolve => child.on("exit", resolve));
	return new Promise((resolve, reject) => {
		readline.createInterface({ input: child.stdout }).once("line", line => {
			const said = JSON.parse(line);
			if (said.skip) skipAll(said.skip);
			if (said.error) reject(new Error(said.error));
			else resolve({ port: said.port, tls: said.tls, model: said.model, stop: () => { child.stdin.end(); return ended; } });
		});
		ended.then(status => reject(new Error("the site ended with status " + status)));
	});
}

async function attempt(browser, site, { name, fn, options: o }) {
	const t = new Context(browser, o.model ? site.model : site.port, options.keep, name);
	let timer;
	try {
		await t.start();
		t.axe = axeSource;
		const late = new Promise((resolve, reject) => {
			timer = setTimeout(() => reject(new Error("the test did not end")), (o.seconds ?? 90) * 1000);
		});
		await Promise.race([fn(t), late]);
		t.quiet();
		return null;
	} catch (error) {
		if (error.skip) return error;
		const pages = t.contexts.flatMap(c => c.pages());
		if (pages.length) await t.shot(pages[pages.length - 1], "failed-" + name).catch(() => {});
		return error;
	} finally {
		clearTimeout(timer);
		await t.end();
	}
}

const program = chromium();
const modules = createRequire(path.join(packages(), "x"));
const axeSource = fs.readFileSync(modules.resolve("axe-core/axe.min.js"), "utf8");
const lib = run(path.join(root, "scripts", "page-libraries"), [path.join(options.prefix, "share/aviation-agent/nginx/html/lib")]);
if (!lib.ok) skipAll("the libraries of the page: " + lib.said.split("\n")[0]);

for (const file of fs.readdirSync(here).filter(f => /^test_.*\.mjs$/.test(f)).sort())
	await import(pathToFileURL(path.join(here, file)));
const wanted = tests.filter(x => !options.only.length || options.only.some(w => x.name.includes(w)));

const site = await startSite();
const { default: playwright } = await import(pathToFileURL(modules.resolve("playwright-core")));
const browser = await playwright.chromium.launch({ executablePath: program,
	args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-proxy-server"] });
if (options.measure) {
	await (await import("./measure.mjs")).measure(browser, site);
	await browser.close();
	await site.stop();
	process.exit(0);
}
const count = { ok: 0, FAIL: 0, skip: 0 }, began = Date.now();
const again = [];

async function runOne(x, repeated) {
	const started = Date.now(), error = await attempt(browser, site, x);
	const verdict = !error ? "ok" : error.skip ? "skip" : "FAIL";
	if (verdict === "FAIL" && !repeated) {
		again.push(x);
		console.log(`     ${x.name} failed and is repeated at the end: ${error.message}`.replaceAll("\n", "\n     "));
		return;
	}
	count[verdict]++;
	console.log(`${verdict.padEnd(4)} browser: ${x.name}${error?.skip ? ` (${error.skip})` : ""}${repeated ? " (repeated)" : ""}  ${((Date.now() - started) / 1000).toFixed(1)}s`);
	if (verdict === "FAIL") console.log("     " + (error.stack ?? error.message).replaceAll("\n", "\n     "));
}

/* Most of a test is waiting, so three run at a time; those that measure run alone, and so do repeated ones. */
const together = wanted.filter(x => !x.options.alone);
await Promise.all([1, 2, 3].map(async () => {
	for (let x; (x = together.shift());) await runOne(x, false);
}));
for (const x of wanted.filter(x => x.options.alone)) await runOne(x, false);
for (const x of again) await runOne(x, true);
await browser.close();
await site.stop();
console.log(`browser: ${count.ok} passed, ${count.FAIL} failed, ${count.skip} skipped in ${Math.round((Date.now() - began) / 1000)} s`);
process.exit(count.FAIL ? 1 : 0);
