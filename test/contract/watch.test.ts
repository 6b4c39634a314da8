import { spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { built } from "../support/cli.js";
import { REPOSITORY } from "../support/replay.js";

beforeAll(built);

const lines = readFileSync(join(REPOSITORY, "media/sample.jsonl"), "utf8").split(/(?<=\n)/);

interface Told {
  readonly kind: string;
  readonly file: string;
  readonly line: number;
}

/** Runs the program until it ends by itself; gives its output lines, parsed. */
async function events(args: string[], meanwhile: () => Promise<void>): Promise<Told[]> {
  const home = mkdtempSync(join(tmpdir(), "dedup-home-"));
  const env = { PATH: process.env["PATH"], HOME: home, CLAUDE_CONFIG_DIR: home };
  const program = spawn(process.execPath, [join(REPOSITORY, "dist/cli.js"), "watch", ...args, "--json"], { env });
  let output = "";
  program.stdout.on("data", text => {
    output += text;
  });
  const ended = new Promise(resolve => program.on("close", resolve));
  await meanwhile();
  await ended;
  return output.split("\n").flatMap(line => (line === "" ? [] : [JSON.parse(line) as Told]));
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
])("a log that is %s before its first change is told anew from its start", async (_, rewrite) => {
  const folder = mkdtempSync(join(tmpdir(), "dedup-watch-"));
  const log = join(folder, "a.jsonl");
  writeFileSync(log, lines.slice(0, 200).join(""));
  // Not in use for long: its past is only read when it changes.
  utimesSync(log, new Date(0), new Date(0));
  const live = await events([folder, "--idle-exit", "3"], async () => {
    await wait(1500);
    rewrite(log);
  });
  const whole = await events([folder, "--from-start", "--idle-exit", "1"], async () => {});
  expect(whole.length).toBeGreaterThan(10);
  expect(live.map(event => event.kind)).toEqual(["restart", ...whole.map(event => event.kind)]);
});

it("only what comes after the start is told, of a log in use and of one that was not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dedup-watch-"));
  const logs = ["used.jsonl", "old.jsonl"].map(name => join(folder, name));
  for (const log of logs) writeFileSync(log, lines.slice(0, 150).join(""));
  utimesSync(logs[1] as string, new Date(0), new Date(0));
  const live = await events([folder, "--idle-exit", "3"], async () => {
    await wait(1500);
    for (const log of logs) appendFileSync(log, lines.slice(150, 250).join(""));
  });
  const whole = await events([folder, "--from-start", "--idle-exit", "1"], async () => {});
  const told = (all: Told[], log: string | undefined) => all.filter(event => event.file === log);
  for (const log of logs) {
    const after = told(whole, log).filter(event => event.line > 150);
    expect(after.length).toBeGreaterThan(10);
    expect(told(live, log)).toEqual(after);
  }
});
