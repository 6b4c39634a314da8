import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import type { Comparisons } from "../../../src/engine/compare/comparisons.js";
import { RequestScope, requestHandlers } from "../../../src/engine/requestHandlers.js";
import { SessionView } from "../../../src/engine/sessionView.js";
import { handle } from "../../../src/protocol/channel.js";
import type { FoundCall } from "../../../src/protocol/requests.js";
import { Folders } from "../../support/liveLog.js";
import { call, logText, result, textOf } from "../../support/log.js";

const folders = new Folders();
let view: SessionView;
beforeAll(() => {
  const file = join(folders.make(), "s.jsonl");
  const long = `${textOf(9000)} Straße of needles`;
  const log = logText(
    ...[call("1", "Bash", { command: "ls -la" }), result("1", textOf(300))],
    ...[call("2", "Read", { file_path: "/w/needle.ts" }), result("2", textOf(300, "b"))],
    ...[call("3", "Grep", { pattern: 'a "quoted"\nthing' }), result("3", "nothing")],
    ...[call("4", "Bash", { command: "cat x" }), result("4", long)],
  );
  writeFileSync(file, log);
  view = new SessionView(file, [file], DEFAULT_SETTINGS, undefined);
});
afterAll(() => folders.remove());

const handlers = requestHandlers(
  { sessions: () => [], ratios: () => ({ everywhere: new Map() }) },
  { want: async () => {} },
  {} as unknown as Comparisons,
);

async function findOnce(text: string, fromRow: number, step: 1 | -1 = 1, context = "main"): Promise<FoundCall> {
  const scope = new RequestScope({ open: () => view }, { session: "s", context }, 1000);
  return handle(handlers, { method: "find", text, fromRow, step }, scope);
}

/** As a page does: continues a search that took too long. */
async function find(text: string, fromRow: number, step: 1 | -1 = 1, context = "main"): Promise<FoundCall> {
  const found = await findOnce(text, fromRow, step, context);
  return found.row === null && found.next !== null ? find(text, found.next, step, context) : found;
}

it("finds tools, subjects, inputs and whole results, ignoring case", async () => {
  expect((await find("GREP", 0)).row).toBe(2);
  expect((await find("NeedLE.ts", 0)).row).toBe(1);
  expect((await find('a "quoted"\nthing', 0)).row).toBe(2);
  expect((await find("STRAßE OF", 0)).row).toBe(3);
});

it("stops after a while, and says where to continue", async () => {
  let time = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (time += 10_000));
  expect(await findOnce("straße of", 0)).toEqual({ row: null, next: 1 });
  expect(await findOnce("straße of", 1)).toEqual({ row: null, next: 2 });
  expect(await find("straße of", 0)).toEqual({ row: 3, next: 4 });
  clock.mockRestore();
});

it("continues after or before a call", async () => {
  expect(await find("needle", 0)).toEqual({ row: 1, next: 2 });
  expect(await find("needle", 2)).toEqual({ row: 3, next: 4 });
  expect(await find("needle", 2, -1)).toEqual({ row: 1, next: 0 });
  expect(await find("needle", 0, -1)).toEqual({ row: null, next: null });
});

it("finds nothing that is missing, beyond the end, or in another context", async () => {
  expect(await find("hay", 0)).toEqual({ row: null, next: null });
  expect(await find("ls", 900)).toEqual({ row: null, next: null });
  expect(await find("ls", 0, 1, "other")).toEqual({ row: null, next: null });
});
