import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import type { Comparisons } from "../../../src/engine/compare/comparisons.js";
import { RequestScope, requestHandlers } from "../../../src/engine/requestHandlers.js";
import { SessionView } from "../../../src/engine/sessionView.js";
import { handle } from "../../../src/protocol/channel.js";
import type { EngineRequests } from "../../../src/protocol/requests.js";
import { Folders } from "../../support/liveLog.js";
import { call, logText, result, textOf } from "../../support/log.js";

const PICTURE = [{ type: "image", source: { type: "base64", media_type: "image/png", data: "aaaa" } }];

const folders = new Folders();
let file: string;
let view: SessionView;
beforeEach(() => {
  file = join(folders.make(), "s.jsonl");
  const log = logText(
    ...[call("1", "Read", { file_path: "/w/a.png" }), result("1", textOf(300))],
    ...[call("2", "Read", { file_path: "/w/a.png" }), result("2", PICTURE)],
    ...[call("3", "Bash", { command: "true" }), result("3", "")],
  );
  writeFileSync(file, log);
  view = new SessionView(file, [file], DEFAULT_SETTINGS, undefined);
});
afterEach(() => folders.remove());

const handlers = requestHandlers(
  { sessions: () => [], ratios: () => ({ everywhere: new Map() }) },
  { want: async () => {} },
  {} as unknown as Comparisons,
);

function ask<M extends "details" | "transcript" | "compare" | "find">(
  method: M,
  params: EngineRequests[M]["params"],
): Promise<unknown> {
  const scope = new RequestScope({ open: () => view }, { session: "s", context: "main" }, 1000);
  return handle(handlers, { method, ...params } as never, scope);
}

it("a result that is not text is not an empty one", async () => {
  expect(await ask("details", { row: 1 })).toMatchObject({ result: null, cut: false });
  expect(await ask("details", { row: 2 })).toMatchObject({ result: "", cut: false });
  expect(await ask("transcript", { fromRow: 0, count: 3 })).toMatchObject({
    calls: [{ result: textOf(300) }, { result: null }, { result: "" }],
  });
  expect(await ask("compare", { row: 1 })).toMatchObject({ right: { text: "(not text)" } });
});

it("a text that is no longer in the log is a failure; what is known of the call is still found", async () => {
  rmSync(file);
  const gone = "this result could not be read from the log";
  await expect(ask("details", { row: 0 })).rejects.toThrow(gone);
  await expect(ask("transcript", { fromRow: 0, count: 3 })).rejects.toThrow(gone);
  await expect(ask("compare", { row: 1 })).rejects.toThrow(gone);
  expect(await ask("find", { text: "bash", fromRow: 0, step: 1 })).toMatchObject({ row: 2 });
  writeFileSync(file, "something else\n");
  await expect(ask("details", { row: 0 })).rejects.toThrow(gone);
});
