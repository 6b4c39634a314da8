import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { ComparisonThread } from "../../../src/engine/compare/comparisonThread.js";
import type { Ask, ComparisonRequests } from "../../../src/protocol/requests.js";
import { Folders } from "../../support/liveLog.js";
import { REPOSITORY } from "../../support/replay.js";

/** The thread's end of the channel: does what the test says. */
const WORKER = `const { parentPort } = require("node:worker_threads");
parentPort.on("message", ({ id, ask }) => {
  if (ask.method === "die") throw new Error("no memory");
  if (ask.method === "leave") process.exit(3);
  if (ask.method === "babble") parentPort.postMessage({ type: "babble", id });
  if (ask.method === "answer") parentPort.postMessage({ type: "reply", id, result: "answer" });
});`;

const folders = new Folders();
const code = folders.make();
let thread: ComparisonThread;
const job = (method: string, more = {}) => ({ method, ...more }) as unknown as Ask<ComparisonRequests>;

beforeAll(async () => {
  const entryPoints = [join(REPOSITORY, "src", "engine", "compare", "comparisonThread.ts")];
  await build({ entryPoints, bundle: true, platform: "node", format: "cjs", outdir: code });
  writeFileSync(join(code, "comparisonWorker.js"), WORKER);
  const { ComparisonThread: Thread } = createRequire(`${code}/`)("./comparisonThread.js") as {
    ComparisonThread: typeof ComparisonThread;
  };
  thread = new Thread();
});
afterEach(() => thread.stop());
afterAll(() => folders.remove());

it.each([
  ["die", "no memory"],
  ["leave", "the thread ended"],
])("every request fails if the thread ends (%s), and the next one gets a new thread", async (name, why) => {
  const [open, reason] = [thread.ask(job("wait")), thread.ask(job(name))];
  const behind = thread.ask(job("answer"));
  for (const ask of [open, reason, behind]) await expect(ask).rejects.toThrow(why);
  expect(await thread.ask(job("answer"))).toBe("answer");
});

it("a request that cannot be sent fails, and does not block others", async () => {
  await expect(thread.ask(job("answer", { odd: () => {} }))).rejects.toThrow("could not be cloned");
  expect(await thread.ask(job("answer"))).toBe("answer");
});

it("a request fails if the thread sends something unknown, which is reported", async () => {
  await expect(thread.ask(job("babble"))).rejects.toThrow('unknown message: {"type":"babble"');
});

it("a request fails if the thread is stopped", async () => {
  const open = thread.ask(job("wait"));
  thread.stop("given up");
  await expect(open).rejects.toThrow("given up");
});
