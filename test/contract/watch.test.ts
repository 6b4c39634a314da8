import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { built } from "../support/cli.js";
import { REPOSITORY } from "../support/replay.js";

beforeAll(built);

const lines = readFileSync(join(REPOSITORY, "media/sample.jsonl"), "utf8").split(/(?<=\n)/);

/** Runs the program until it ends by itself; gives its output lines, parsed. */
async function events(args: string[], meanwhile: () => Promise<void>): Promise<{ kind: string }[]> {
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
  return output.split("\n").flatMap(line => (line === "" ? [] : [JSON.parse(line) as { kind: string }]));
}

it("a log that is rewritten shorter before its first change is told anew from its start", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dedup-watch-"));
  const log = join(folder, "a.jsonl");
  writeFileSync(log, lines.slice(0, 200).join(""));
  const live = await events([folder, "--idle-exit", "3"], async () => {
    await wait(1500);
    writeFileSync(log, lines.slice(0, 60).join(""));
  });
  const whole = await events([folder, "--from-start", "--idle-exit", "1"], async () => {});
  expect(whole.length).toBeGreaterThan(10);
  expect(live.map(event => event.kind)).toEqual(["restart", ...whole.map(event => event.kind)]);
});
