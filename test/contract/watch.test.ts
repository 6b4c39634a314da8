import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { built, homeIn, Place } from "../support/cli.js";
import { REPOSITORY } from "../support/replay.js";
import { until } from "../support/until.js";

beforeAll(built);

const lines = readFileSync(join(REPOSITORY, "media/sample.jsonl"), "utf8").split(/(?<=\n)/);

interface Told {
  readonly kind: string;
  readonly file: string;
  readonly line: number;
}

const place = new Place();
afterAll(() => place.remove());
let folders = 0;
const newFolder = () => dirname(place.write(`${++folders}/notes.txt`, "no log"));

/** The program, following a folder. */
class Watch {
  readonly #program: ChildProcess;
  readonly #ended: Promise<unknown>;
  #output = "";

  constructor(...args: string[]) {
    const home = place.path("home");
    const env = { ...homeIn(home), CLAUDE_CONFIG_DIR: home };
    this.#program = spawn(process.execPath, [join(REPOSITORY, "dist/cli.js"), "watch", ...args, "--json"], { env });
    this.#program.stdout?.on("data", text => {
      this.#output += text;
    });
    this.#ended = new Promise(resolve => this.#program.on("close", resolve));
  }

  /** Whole lines of output. */
  get told(): Told[] {
    return this.#output
      .split("\n")
      .slice(0, -1)
      .map(line => JSON.parse(line) as Told);
  }

  /** It is watching as soon as it reports a log that has grown; before that everything counts as past. */
  async begun(folder: string): Promise<void> {
    const probe = join(folder, "probe.jsonl");
    for (let call = 0; !this.told.some(event => event.file === probe); call++) {
      appendFileSync(probe, lines.slice(4 * call, 4 * call + 4).join(""));
      await wait(20);
    }
  }

  /** Everything it has reported about these logs, once there are this many events. */
  async events(logs: readonly string[], count: number): Promise<Told[]> {
    const found = () => this.told.filter(({ file }) => logs.includes(file));
    await until(
      () => found().length >= count,
      () => `${count} events, not ${found().length}`,
    );
    this.#program.kill("SIGTERM");
    await this.#ended;
    return found();
  }
}

/** All events of a log from start to end: the program exits when nothing more arrives. */
async function wholeStory(folder: string, logs: readonly string[]): Promise<Told[]> {
  const { stdout } = await place.run(["watch", folder, "--json", "--from-start", "--idle-exit", "1"]);
  const told = stdout.split("\n").flatMap(line => (line === "" ? [] : [JSON.parse(line) as Told]));
  return told.filter(({ file }) => logs.includes(file));
}

it.each([
  ["rewritten shorter", (log: string) => writeFileSync(log, lines.slice(0, 60).join(""))],
  [
    "replaced by a longer one",
    (log: string) => {
      writeFileSync(`${log}.new`, lines.slice(0, 260).join(""));
      renameSync(`${log}.new`, log);
    },
  ],
])("a log that is %s before its first change is shown again from its start", async (_, rewrite) => {
  const folder = newFolder();
  const log = join(folder, "a.jsonl");
  writeFileSync(log, lines.slice(0, 200).join(""));
  // Unused for a long time: its past is only read when it changes.
  utimesSync(log, new Date(0), new Date(0));
  const watch = new Watch(folder);
  await watch.begun(folder);
  rewrite(log);
  const whole = await wholeStory(folder, [log]);
  expect(whole.length).toBeGreaterThan(10);
  const live = await watch.events([log], 1 + whole.length);
  expect(live.map(event => event.kind)).toEqual(["restart", ...whole.map(event => event.kind)]);
});

it("only what comes after the start is reported, for a log in use and for one that was not", async () => {
  const folder = newFolder();
  const logs = ["used.jsonl", "old.jsonl"].map(name => join(folder, name));
  for (const log of logs) writeFileSync(log, lines.slice(0, 150).join(""));
  utimesSync(logs[1] as string, new Date(0), new Date(0));
  const watch = new Watch(folder);
  await watch.begun(folder);
  for (const log of logs) appendFileSync(log, lines.slice(150, 250).join(""));
  const whole = (await wholeStory(folder, logs)).filter(event => event.line > 150);
  const live = await watch.events(logs, whole.length);
  const told = (all: Told[], log: string) => all.filter(event => event.file === log);
  for (const log of logs) {
    const after = told(whole, log);
    expect(after.length).toBeGreaterThan(10);
    expect(told(live, log)).toEqual(after);
  }
});

it("lines are aligned, with the local time", async () => {
  const log = place.write("aligned/s.jsonl", lines.join(""));
  const watched = async (TZ: string) => {
    const { stdout } = await place.run(["watch", log, "--from-start", "--idle-exit", "1"], { TZ });
    return stdout.split("\n").filter(Boolean);
  };
  const [utc, tokyo] = [await watched("UTC"), await watched("Asia/Tokyo")];
  expect(utc.some(line => line.includes("Repeats in part"))).toBe(true);
  const sized = utc.filter(line => /^\S+ +s +(?:Hit|Miss|Repeats in part) /.test(line));
  const ends = sized.map(line => /^\S+ +s +(?:Hit|Miss|Repeats in part) +\S+ +[\d,.]+ k?B/.exec(line)?.[0].length);
  expect([sized.length > 10, [...new Set(ends)].length]).toEqual([true, 1]);
  const hours = (all: string[]) => all.filter(line => /^\d\d:/.test(line)).map(line => Number(line.slice(0, 2)));
  expect(hours(tokyo)).toEqual(hours(utc).map(hour => (hour + 9) % 24));
  expect(hours(utc).length).toBeGreaterThan(10);
});
