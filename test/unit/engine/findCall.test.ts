import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { findCall } from "../../../src/engine/requestHandlers.js";
import { SessionView } from "../../../src/engine/sessionView.js";
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

const find = (text: string, fromRow: number, step: 1 | -1 = 1) => findCall(view, "main", { text, fromRow, step });

it("finds tools, subjects, inputs and the whole of results, whatever their capitals", () => {
  expect(find("GREP", 0).row).toBe(2);
  expect(find("NeedLE.ts", 0).row).toBe(1);
  expect(find('a "quoted"\nthing', 0).row).toBe(2);
  expect(find("STRAßE OF", 0).row).toBe(3);
});

it("goes on after or before a call", () => {
  expect(find("needle", 0)).toEqual({ row: 1, next: 2 });
  expect(find("needle", 2)).toEqual({ row: 3, next: 4 });
  expect(find("needle", 2, -1)).toEqual({ row: 1, next: 0 });
  expect(find("needle", 0, -1)).toEqual({ row: null, next: null });
});

it("finds nothing where nothing is, nor beyond the end, nor in another context", () => {
  expect(find("hay", 0)).toEqual({ row: null, next: null });
  expect(find("ls", 900)).toEqual({ row: null, next: null });
  expect(findCall(view, "other", { text: "ls", fromRow: 0, step: 1 })).toEqual({ row: null, next: null });
});
