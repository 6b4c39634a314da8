/** A long session does not block the thread that all extensions share. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createWriteStream, mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { commands, window } from "vscode";
import { COMMANDS } from "../../../src/vscode/ids.js";
import { ThreadWork, worked } from "../../support/threadWork.mjs";
import { activated, eventually, projects } from "./host.js";
import { test } from "./runner.js";

const RESULTS = 100_000;
/** Reading this much takes a while on a busy machine; the measurement does not depend on that. */
const LIMIT_MS = 600_000;
/**
 * Relative to passing all rows in one go on this machine. The goal is one frame of 16 ms, and the figures are printed;
 * absolute times depend on the machine, so a ratio is checked.
 */
const MAX_SHARE = 0.1;

/** The thread's time for all rows as plain values, packed and unpacked in one go. */
function allInOneGo(): number {
  const rows = Array.from({ length: RESULTS }, (_, call) => ({
    id: `toolu_${String(call).padStart(24, "0")}`,
    target: `src/part-${call % 100}/some-file-of-the-project-${call}.ts`,
    figures: Array.from({ length: 20 }, (_, at) => call + at),
  }));
  const before = worked();
  JSON.parse(JSON.stringify(rows));
  return worked() - before;
}

/** The lines of a call and its result; every tenth repeats an earlier one, and now and then there is a compaction. */
function lines(call: number): string {
  const id = `toolu_${String(call).padStart(24, "0")}`;
  const command = `sed -n 1,80p src/part-${call % 100}/some-file-of-the-project-${call}.ts`;
  const use = { type: "tool_use", id, name: "Bash", input: { command } };
  const body = `line of call ${call % 10 === 0 ? call - 3 : call}\n`.repeat(12);
  const result = { type: "tool_result", tool_use_id: id, content: body };
  const timestamp = new Date(Date.UTC(2026, 0, 1) + call * 1000).toISOString();
  const usage = { input_tokens: 9, output_tokens: 9 };
  const all = [
    { type: "assistant", message: { id: `m-${call}`, model: "claude-test", content: [use], usage }, timestamp },
    { type: "user", message: { role: "user", content: [result] }, timestamp },
    ...(call % 500 === 0 ? [{ type: "system", subtype: "compact_boundary", timestamp }] : []),
  ];
  return all.map(line => `${JSON.stringify(line)}\n`).join("");
}

/** Written by another thread, bit by bit: this thread is being measured. */
async function longLog(): Promise<string> {
  const file = join(dirname(projects()), "long.jsonl");
  const stream = createWriteStream(file);
  for (let call = 1; call <= RESULTS; call++) {
    if (!stream.write(lines(call))) await once(stream, "drain");
  }
  stream.end();
  await once(stream, "close");
  return file;
}

test(
  `a session of ${RESULTS} results holds up nothing on its way to the page and to the transcript`,
  async () => {
    const probe = await activated();
    const work = new ThreadWork();
    const told: { readonly phase: string; readonly longestWork: number }[] = [];
    const ms = (time: number) => `${time.toFixed(1)} ms`;
    const tell = async (phase: string) => {
      await wait(2000);
      const { max, p99, longestWork } = await work.take();
      console.log(`     ${phase}: longest work ${ms(longestWork)}; delay p99 ${ms(p99)}, max ${ms(max)}`);
      told.push({ phase, longestWork });
    };
    const shown = () => probe.pages.find(({ kind }) => kind === "view");
    const written = await longLog();
    await commands.executeCommand(COMMANDS.openPanel);
    await eventually("the panel", () => (shown()?.snapshots ?? 0) > 0);
    await wait(1000);
    work.start();
    await tell("nothing");

    const session = join(projects(), "-home-ana-long", "bbbbbbbb-0000-4000-8000-000000000001.jsonl");
    mkdirSync(dirname(session), { recursive: true });
    renameSync(written, session);
    await eventually("the session", () => shown()?.shownContext?.session === session, LIMIT_MS);
    await tell("opening");

    await probe.openCall({ session, context: "main", row: RESULTS / 2 });
    await eventually("the transcript", () => window.activeTextEditor?.document.uri.scheme === "dedup");
    await tell("first transcript");

    const before = shown()?.snapshots ?? 0;
    await commands.executeCommand("workbench.action.closePanel");
    await commands.executeCommand(COMMANDS.openPanel);
    await eventually("a new snapshot", () => (shown()?.snapshots ?? 0) > before, LIMIT_MS);
    await tell("opening again");
    work.stop();

    const whole = allInOneGo();
    console.log(`     all rows in one go: ${ms(whole)}`);
    assert.deepEqual(
      told.filter(({ longestWork }) => longestWork > whole * MAX_SHARE),
      [],
    );
  },
  LIMIT_MS,
);
