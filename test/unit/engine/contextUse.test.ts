/** What a page gets about the context's size while a session grows, compared with what a new page would get. */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { SessionView } from "../../../src/engine/sessionView.js";
import { contextUse } from "../../../src/inspect/contextUse.js";
import { applyDelta, openState } from "../../../src/protocol/apply.js";
import type { PanelState } from "../../../src/protocol/messages.js";
import { Folders } from "../../support/liveLog.js";
import { answer, boundary, call, logText, result, textOf } from "../../support/log.js";

const folders = new Folders();
afterAll(() => folders.remove());

const RATIOS = { everywhere: new Map() };

/** One request; its first line has no usage yet, as when an answer is streamed. */
function request(id: string, input: number, at: string) {
  const usage = { cache_read_input_tokens: input - 30, cache_creation: { ephemeral_1h_input_tokens: 30 } };
  const message = { id: `msg_${id}`, model: "claude-haiku-4-5" };
  return [
    call(id, "Bash", { command: id }, { timestamp: at, message: { ...message, usage: {} } }),
    answer(`msg_${id}`, 0, { timestamp: at, message: { ...message, usage } }),
  ] as const;
}

it("is the same, delta by delta, even if usage comes in later, and at compactions", () => {
  const path = join(folders.make(), "s.jsonl");
  const [first, firstUsage] = request("1", 20_000, "2026-11-20T09:00:00Z");
  const [second, secondUsage] = request("2", 26_000, "2026-11-20T09:01:00Z");
  const [third, thirdUsage] = request("3", 9000, "2026-11-20T09:10:00Z");
  const steps = [
    [first],
    [firstUsage],
    [result("1", textOf(900, "a")), second],
    [secondUsage, result("2", textOf(900, "b"))],
    [boundary([], { timestamp: "2026-11-20T09:09:00Z" })],
    [third, thirdUsage],
    [result("3", textOf(900, "c"))],
  ];
  writeFileSync(path, "");
  const view = new SessionView(path, [path], DEFAULT_SETTINGS, undefined);
  appendFileSync(path, logText(...(steps.shift() ?? [])));
  view.update(path);
  const page = openState({ context: view.state("main", RATIOS) } as PanelState);
  const used: (number | undefined)[] = [];
  for (const lines of steps) {
    const known = view.counts("main");
    appendFileSync(path, logText(...lines));
    view.update(path);
    const grown = view.delta("main", known, RATIOS);
    expect(grown && applyDelta(page, { grown })).toBe(true);
    expect(page.context?.requests).toEqual([...(view.state("main", RATIOS)?.requests ?? [])]);
    used.push(page.context ? contextUse(page.context)?.tokens : Number.NaN);
  }
  expect(used).toEqual([20_000, 20_000, 26_000, undefined, 9000, 9000]);
  expect(page.context && contextUse(page.context)).toEqual({
    tokens: 9000,
    window: 200_000,
    cachedUntil: Date.parse("2026-11-20T10:10:00Z") / 1000,
  });
});
