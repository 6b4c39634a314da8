// One long session: turns of the generated history, and a status that is polled from time to time.
import { closeSync, openSync, writeSync } from "node:fs";
import { Session } from "../history/session.mjs";
import { Chance } from "../history/text.mjs";

const RESULT = /"type":"tool_result"/;

/** Writes a log with at least this many results; returns its size. */
export function writeLongSession(path, results) {
  const chance = new Chance(11);
  const about = { sessionId: chance.uuid(), cwd: "/home/ana/work/long", startedAt: Date.UTC(2026, 0, 5) };
  const session = new Session(chance, about);
  const file = openSync(path, "w");
  let [written, found] = [0, 0];
  while (found < results) {
    const lines = [...session.turn(), ...(chance.is(0.5) ? poll(chance) : [])];
    found += lines.filter(line => RESULT.test(line)).length;
    written += writeSync(file, `${lines.join("\n")}\n`);
  }
  closeSync(file);
  return written;
}

/** A tool that returns a JSON object of some 700 bytes, of which little changes. */
function poll(chance) {
  const id = chance.id("toolu");
  const job = chance.below(20);
  const steps = Array.from({ length: 12 }, (_, step) => ({
    name: `step ${step} of job ${job}`,
    runner: `runner-${step}`,
  }));
  const status = { job: `job-${job}`, done: chance.below(100), waiting: chance.below(9), steps };
  const call = { type: "tool_use", id, name: "mcp__builds__status", input: { job } };
  const result = { type: "tool_result", tool_use_id: id, content: JSON.stringify(status) };
  return [
    JSON.stringify({ type: "assistant", uuid: chance.uuid(), message: { role: "assistant", content: [call] } }),
    JSON.stringify({ type: "user", uuid: chance.uuid(), message: { role: "user", content: [result] } }),
  ];
}
