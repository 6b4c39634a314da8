// Twenty sessions that are written at once, in bursts of appends 1 to 50 ms apart. Each append is one call with its
// result, so each must be reported as one event.
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Chance } from "../history/text.mjs";

/** The lines of one call and its result; no two bodies are the same. */
export function exchange(id) {
  const body = `${id} `.repeat(40);
  const call = { type: "tool_use", id, name: "Bash", input: { command: `echo ${id}` } };
  const result = { type: "tool_result", tool_use_id: id, content: body };
  const lines = [
    { type: "assistant", message: { id: `m-${id}`, model: "m", content: [call], usage: { input_tokens: 9 } } },
    { type: "user", message: { role: "user", content: [result] }, toolUseResult: { stdout: body } },
  ];
  return lines.map(line => `${JSON.stringify({ ...line, timestamp: new Date().toISOString() })}\n`).join("");
}

/** Logs in separate folders, each with some history. */
export function prepare(folder, count) {
  return Array.from({ length: count }, (_, log) => {
    const path = join(folder, `project-${log}`, `session-${log}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, Array.from({ length: 50 }, (__, call) => exchange(`past-${log}-${call}`)).join(""));
    return path;
  });
}

/** Writes for this long; returns the time of each write by the id of its call. */
export async function write(paths, seconds, mark) {
  const writtenAt = new Map();
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    paths.map(async (path, log) => {
      const chance = new Chance(log);
      for (let call = 0; performance.now() < end; call++) {
        const id = `${mark}-${log}-${call}`;
        const lines = exchange(id);
        writtenAt.set(id, performance.now());
        appendFileSync(path, lines);
        // A burst of ten, then a pause.
        await wait(call % 10 === 9 ? 200 + 300 * chance.next() : 1 + 49 * chance.next());
      }
    }),
  );
  return writtenAt;
}

// On its own: node writer.mjs FOLDER COUNT SECONDS
if (process.argv[1]?.endsWith("writer.mjs")) {
  const [folder, count, seconds] = process.argv.slice(2);
  await write(prepare(folder, Number(count)), Number(seconds), "own");
}
