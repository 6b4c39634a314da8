/** `dedup-inspector open`, run as by a user: an address, a live page, and nothing left behind. */
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repeats } from "../../src/inspect/figures.js";
import type { PartitionReport, Report } from "../../src/inspect/report.js";
import type { PanelState } from "../../src/protocol/messages.js";
import type { LogLineText } from "../../src/protocol/requests.js";
import { startBrowser } from "../support/browser.js";
import { Place } from "../support/cli.js";
import { call, logText, result, textOf } from "../support/log.js";
import { REPOSITORY } from "../support/replay.js";
import { answers, childrenOf, listening, type Opened, openedIn, Tab, until } from "../unit/serve/opened.js";

const head = { type: "attachment", sessionId: "s1", cwd: "/w" };
const pair = (id: string) => [call(id, "Bash", { command: "ls" }), result(id, textOf(300))];
const LOG = logText(head, ...pair("1"));
const hasContext = (state: PanelState) => state.context !== null;

const place = new Place();
const start = openedIn(place);

async function begin(...args: string[]): Promise<Opened> {
  const opened = start(args);
  await opened.started;
  return opened;
}

describe("open", () => {
  it("prints the address first, and the page is there", async () => {
    place.write("logs/a.jsonl", LOG);
    const opened = await begin("logs");
    expect(opened.stdout).toMatch(/^Dedup Inspector: http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}\n$/);
    const page = await fetch(new URL("/", opened.address));
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<title>Dedup Inspector</title>")]);
    expect(opened.stderr).toBe("");
  });

  it("sends a page everything, and then what is appended to a log", async () => {
    const log = place.write("live/a.jsonl", LOG);
    const tab = await Tab.open(await begin("live"));
    await tab.post({ type: "ready" });
    const state = await tab.state(hasContext);
    expect([state.place, state.roots, state.context?.ids]).toEqual(["browser", ["live"], ["1"]]);
    appendFileSync(log, logText(...pair("2")));
    await until(() => tab.messages.some(message => message.type === "delta" && message.delta.grown?.ids[0] === "2"));
    tab.close();
  });

  it("uses the report's own ratio", async () => {
    place.write("ratio/a.jsonl", LOG);
    const tab = await Tab.open(await begin("ratio", "--chars-per-token", "3", "--span-min-bytes", "300"));
    await tab.post({ type: "ready" });
    const { calibration } = (await tab.state(hasContext)).context ?? {};
    expect(calibration).toMatchObject({ charsPerToken: 3, basis: "setting", medianAbsError: null });
    tab.close();
  });

  it("answers the requests of a page", async () => {
    place.write("requests/a.jsonl", logText(head, ...pair("1"), ...pair("2")));
    const tab = await Tab.open(await begin("requests", "--capacity", "7"));
    await tab.post({ type: "ready" });
    expect((await tab.state(hasContext)).settings.capacity).toBe(7);
    expect(await tab.ask({ method: "openCall", row: 1 })).toBe("not available in a browser");
    expect(await tab.ask({ method: "compare", row: 1 })).toMatchObject({ left: { text: textOf(300) } });
    expect(await tab.ask({ method: "compare", row: 0 })).toMatch(/does not refer to another/);
    expect(JSON.parse(((await tab.ask({ method: "logLine", row: 1 })) as LogLineText).text)).toMatchObject({
      type: "user",
    });
    expect(await tab.ask({ method: "openSettings" })).toMatch(/the page has no settings/);
    expect(await tab.ask({ method: "setCapacity", capacity: 3 })).toBeNull();
    await tab.state(({ settings }) => settings.capacity === 3);
    expect(await tab.ask({ method: "setAxis", axis: "time" })).toBeNull();
    await tab.state(({ settings }) => settings.axis === "time" && settings.capacity === 3);
    const { stdout } = await place.ask(["report", "requests", "--json", "--strategies", "--capacity", "3"]);
    expect(await tab.report()).toBe(stdout);
    expect(await tab.ask({ method: "openSample" })).toBeNull();
    const sample = await tab.state(({ selected }) => selected?.session.endsWith("sample.jsonl") === true);
    expect(sample.context?.ids.length).toBeGreaterThan(50);
    // It is shown, but is not one of the user's own.
    expect(sample.following).toBe(false);
    expect(sample.sessions.filter(item => item.sample).map(item => item.key)).toEqual([sample.selected?.session]);
    expect(await tab.report()).toBe(stdout);
    expect(await tab.ask({ method: "compareAll", on: true })).toBeNull();
    expect((await tab.comparedAll()).sessions).toBe(1);
    tab.close();
  });

  it("replays the sample if there are no logs, and says so", async () => {
    const opened = await begin();
    await until(() => opened.stdout.split("\n").length === 3);
    expect(opened.stdout.split("\n")[1]).toMatch(/sample session/);
    // They may be elsewhere: the user learns where they were searched for.
    expect(opened.stdout).toContain(`No Claude Code logs found in ${place.path("home/config/projects")}: `);
    const tab = await Tab.open(opened);
    await tab.post({ type: "ready" });
    const state = await tab.state(({ context }) => (context?.ids.length ?? 0) > 50);
    expect(state.sessions).toEqual([expect.objectContaining({ sample: true })]);
    // The sample is only a stand-in.
    expect(state.following).toBe(false);
    expect((JSON.parse(await tab.report()) as Report).sessions).toHaveLength(1);
    await until(() => tab.messages.some(message => message.type === "delta" && message.delta.grown !== undefined));
    expect(readdirSync(place.path("tmp"))).toHaveLength(1);
    expect(await opened.end("SIGINT")).toBe(0);
    expect(readdirSync(place.path("tmp"))).toEqual([]);
    tab.close();
  });

  it("shows the first session in place of the sample once there is one", async () => {
    const opened = start([], { CLAUDE_CONFIG_DIR: place.path("later") });
    await opened.started;
    const tab = await Tab.open(opened);
    await tab.post({ type: "ready" });
    await tab.state(({ sessions }) => sessions.length === 1);
    const log = place.write("later/projects/p/s1.jsonl", LOG);
    const { context, sessions } = await tab.state(({ selected }) => selected?.session === log);
    expect([context?.ids, sessions.length]).toEqual([["1"], 2]);
    tab.close();
  });

  it("ends on a signal with nothing left, whatever is going on", async () => {
    place.write("ends/a.jsonl", LOG);
    const opened = await begin("ends");
    const tab = await Tab.open(opened);
    await tab.post({ type: "ready" });
    await tab.state();
    expect(childrenOf(opened.child.pid)).toEqual([]);
    const report = tab.report().catch(() => "cut off");
    await tab.post({ type: "request", id: 2, ask: { method: "openSample" } });
    expect(await opened.end("SIGTERM")).toBe(0);
    await expect(fetch(new URL("/", opened.address))).rejects.toThrow();
    await report;
    expect([readdirSync(place.path("tmp")), opened.stderr]).toEqual([[], ""]);
  });

  it("leaves nothing behind if more signals follow while it ends", async () => {
    const opened = await begin();
    const tab = await Tab.open(opened);
    await tab.post({ type: "ready" });
    await tab.state();
    const left = () => readdirSync(place.path("tmp"));
    expect(left()).toHaveLength(1);
    const exit = opened.end("SIGINT");
    // Node itself no longer handles signals in its last moments, when everything is removed.
    await until(() => left().length === 0 || opened.child.signalCode !== null || !opened.child.kill("SIGTERM"));
    expect(left()).toEqual([]);
    await exit;
    tab.close();
  });

  it("can only be reached from this machine", async () => {
    place.write("alone/a.jsonl", LOG);
    const { address } = await begin("alone");
    const port = Number(address.port);
    const others = Object.values(networkInterfaces()).flatMap(list => list ?? []);
    for (const name of ["::1", ...others.filter(one => !one.internal).map(one => one.address)]) {
      expect([name, await answers(name, port)]).toEqual([name, false]);
    }
    expect(listening(port)).toEqual(["0100007F"]);
  });
});

describe("open, used wrongly,", () => {
  it.each([
    [["--port", "70000"], 2, /--port/],
    [["--port", "x"], 2, /--port/],
    [["--capacity", "0"], 2, /--capacity/],
    [["--frobnicate"], 2, /--frobnicate/],
    [["missing"], 1, /no such file/],
  ])("says so in one line: %j", async (args, status, words) => {
    const opened = start(args);
    expect(await opened.exit).toBe(status);
    expect([opened.stdout, opened.stderr.split("\n")]).toEqual(["", [expect.stringMatching(words), ""]]);
  });

  it("says so if a port is taken", async () => {
    const { port } = (await begin()).address;
    const second = start(["--port", port]);
    expect(await second.exit).toBe(1);
    expect([second.stdout, second.stderr]).toEqual(["", `dedup-inspector: port ${port} is in use\n`]);
  });
});

describe("the page in a browser", () => {
  it("shows the report's figures, violates no policy and misses no file", async context => {
    const browser = await startBrowser(place, context);
    place.write("shown/s.jsonl", readFileSync(join(REPOSITORY, "media", "sample.jsonl")));
    const { stdout } = await place.ask(["report", "shown", "--json"]);
    const main = (JSON.parse(stdout) as Report).sessions[0]?.contexts.find(({ id }) => id === "main");
    const sum = (of: (one: PartitionReport) => number) => main?.partitions.reduce((total, one) => total + of(one), 0);
    const { address } = await begin("shown");
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(120_000);
      const wrong: string[] = [];
      page.on("console", message => ["error", "warning"].includes(message.type()) && wrong.push(message.text()));
      page.on("pageerror", error => wrong.push(error.message));
      page.on("response", response => response.status() >= 400 && wrong.push(response.url()));
      page.on(
        "request",
        request => !/^(?:http:\/\/127\.0\.0\.1:|data:)/.test(request.url()) && wrong.push(request.url()),
      );
      await page.goto(String(address));
      const text = `${sum(repeats)} of ${sum(({ results }) => results)} results repeat`;
      await page.getByText(text).first().waitFor();
      // The token is hidden, but the page still finds it.
      expect(page.url()).toBe(`${address.origin}/`);
      await page.reload();
      await page.getByText(text).first().waitFor();
      expect(wrong).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
