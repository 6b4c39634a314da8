// npm run load -- [--sessions 10000] [--size 10G]: the inspector in a real browser on a huge generated history, compared
// with the bundled sample. Prints how long each user action takes, and the ratio of the two.
import { spawn } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { ensureChromium } from "../../scripts/system.mjs";
import { bytesOf, writeSession } from "../bench/generate.mjs";
import { Chance } from "../bench/history/text.mjs";

const { values } = parseArgs({ options: { sessions: { type: "string" }, size: { type: "string" } } });
const sessions = Number(values.sessions ?? 10_000);
const bytes = bytesOf(values.size ?? "10G");
const repository = fileURLToPath(new URL("../..", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "dedup-load-"));
const { path: executablePath, reason } = ensureChromium();
if (executablePath === undefined) throw new Error(reason);

/** Fills a folder with sessions of very different sizes; the last one is the newest. */
function generate(folder) {
  const chance = new Chance(5);
  let written = 0;
  for (let index = 0; index < sessions; index++) {
    const cwd = `/home/ana/work/project-${index % 211}`;
    const about = { sessionId: chance.uuid(), cwd, startedAt: Date.UTC(2025, 0, 1) + index * 3_000_000 };
    // Some large ones, many small ones, and the requested size in total.
    const share = (bytes - written) / (sessions - index);
    const size = index === sessions - 1 ? 2_000_000 : chance.is(0.1) ? share * (1 + 9 * chance.next()) : share * 0.3;
    const path = join(folder, cwd.replaceAll("/", "-"), `${about.sessionId}.jsonl`);
    written += writeSession(path, size, chance, about);
    utimesSync(path, about.startedAt / 1000, about.startedAt / 1000);
  }
  return written;
}

/** Programs to stop when this one ends. */
const running = new Set();

/** Opens the page on a folder and does what users do; returns milliseconds per action. */
async function visit(browser, folder, project) {
  const home = mkdtempSync(join(place, "home-"));
  const env = { PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: home, XDG_CACHE_HOME: join(home, "cache") };
  const run = () => spawn(process.execPath, [join(repository, "dist/cli.js"), "open", folder, "--no-browser"], { env });
  const took = {};
  for (const time of ["cold", "warm"]) {
    const started = performance.now();
    const since = () => Math.round(performance.now() - started);
    const inspector = run();
    running.add(inspector);
    const address = await new Promise(resolve => {
      inspector.stdout.on("data", text => resolve(/http\S+/.exec(String(text))?.[0]));
    });
    const page = await browser.newPage({ viewport: { width: 1400, height: 700 } });
    await page.addInitScript(() => {
      globalThis.longest = 0;
      new PerformanceObserver(list => {
        for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
      }).observe({ entryTypes: ["longtask"] });
    });
    page.setDefaultTimeout(120_000);
    await page.goto(address);
    await page.locator(".event-row").first().waitFor({ timeout: 600_000 });
    took[`${time}: newest session on the screen`] = since();
    if (time === "warm") Object.assign(took, await userActions(page, folder, project));
    await untilRead(page, inspector.pid);
    took[`${time}: everything read`] = since() - REST_MS;
    took[`${time}: longest time the page was busy`] = Math.round(await page.evaluate(() => globalThis.longest));
    await page.close();
    const ended = new Promise(resolve => inspector.on("exit", resolve));
    inspector.kill("SIGTERM");
    await ended;
    running.delete(inspector);
  }
  return took;
}

/** How long no progress must be shown, and nearly nothing be done, before everything counts as read. */
const REST_MS = 2000;
const IDLE_SHARE = 0.05;

/** On a busy machine, reading may start seconds after the page is shown: until then, only the work tells. */
async function untilRead(page, pid) {
  let rest = { since: Date.now(), work: workOf(pid) };
  while (Date.now() - rest.since < REST_MS) {
    await page.waitForTimeout(50);
    const [isReading, work] = [await page.locator(".reading-line, progress").count(), workOf(pid)];
    if (isReading || work - rest.work > IDLE_SHARE * REST_MS) rest = { since: Date.now(), work };
  }
}

/** The CPU time of a process with all of its threads in milliseconds; 0 where the system does not tell. */
function workOf(pid) {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return 0;
  const fields = readFileSync(file, "latin1").split(") ")[1].split(" ");
  // In hundredths of a second.
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

/** While everything else is still being read: the list, a search in it, another session, a new line. */
async function userActions(page, folder, project) {
  const took = {};
  const timed = async (name, action) => {
    const started = performance.now();
    await action();
    took[name] = Math.round(performance.now() - started);
  };
  const shown = page.locator(".session-name");
  await timed("session list opened", async () => {
    await shown.click();
    await page.getByRole("option").first().waitFor();
  });
  await timed("session list searched", async () => {
    await page.locator(".picker-filter").fill(project);
    await page.locator(".session-project").filter({ hasText: project }).first().waitFor();
  });
  await timed("another session opened", async () => {
    await page.keyboard.press("Enter");
    await shown.filter({ hasText: project }).waitFor();
    await page.locator(".event-row").first().waitFor();
  });
  const log = join(folder, "-fresh", "00000000-0000-4000-8000-000000000001.jsonl");
  mkdirSync(join(folder, "-fresh"), { recursive: true });
  const lines = readFileSync(join(repository, "media/sample.jsonl"), "utf8")
    .replaceAll("/home/ana/ladle", "/fresh")
    .replaceAll(/"timestamp":"[^T]*/g, `"timestamp":"${new Date().toISOString().slice(0, 10)}`);
  const follow = page.locator(".bar-session [aria-pressed]");
  if ((await follow.getAttribute("aria-pressed")) !== "true") await follow.click();
  await timed("a new log noticed and followed", async () => {
    appendFileSync(
      log,
      lines
        .split(/(?<=\n)/)
        .slice(0, 120)
        .join(""),
    );
    await shown.filter({ hasText: "fresh" }).waitFor({ timeout: 60_000 });
  });
  return took;
}

const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
try {
  const large = join(place, "large");
  const small = join(place, "small");
  console.error(`generating ${sessions} sessions …`);
  const written = generate(large);
  mkdirSync(small);
  copyFileSync(join(repository, "media/sample.jsonl"), join(small, "sample.jsonl"));
  utimesSync(join(small, "sample.jsonl"), 1e9, 1e9);
  const beside = await visit(browser, small, "ladle");
  const loaded = await visit(browser, large, "project-7");
  console.log(
    `| ${sessions} sessions, ${(written / 1024 ** 3).toFixed(1)} GB | huge | the sample alone | ratio |\n|---|---|---|---|`,
  );
  for (const [action, ms] of Object.entries(loaded)) {
    console.log(`| ${action} | ${ms} ms | ${beside[action]} ms | ${(ms / Math.max(1, beside[action])).toFixed(1)} |`);
  }
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await browser.close();
  for (const program of running) program.kill("SIGKILL");
  rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
