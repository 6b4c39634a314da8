import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { Comparer } from "../../../src/engine/compare/comparer.js";
import { contextKey } from "../../../src/engine/sessionView.js";
import { calibrationsOf } from "../../../src/log/calibration.js";
import { priceTable } from "../../../src/settings/shapes.js";
import { DEFAULT_FIGURES } from "../../../src/settings/table.js";
import { call, logText, prompt, result } from "../../support/log.js";

const folder = mkdtempSync(join(tmpdir(), "dedup-comparer-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("passes pay off by the model's price of a cache read, by default a tenth of the input price", () => {
  const path = join(folder, "s.jsonl");
  const usage = (read: number, written: number) => ({
    usage: { input_tokens: 5, cache_read_input_tokens: read, cache_creation_input_tokens: written },
  });
  const ask = (id: string, message: object) =>
    call(id, "Bash", { command: id }, { message: { id, model: "m", ...message } });
  const text = "x".repeat(2600);
  const lines = [
    prompt("go"),
    ...[ask("a", usage(0, 5000)), result("a", text), ask("b", usage(5000, 1000)), result("b", text)],
    ...Array.from({ length: 20 }, (_, at) => [ask(`c${at}`, usage(6000 + 5000 * at, 5000)), result(`c${at}`, `${at}`)]),
  ];
  writeFileSync(path, logText(...lines.flat()));
  const session = {
    files: [path],
    context: contextKey(path, "main"),
    settings: DEFAULT_SETTINGS,
    everywhere: calibrationsOf([]),
  };
  const passesAt = (prices?: object) =>
    new Comparer()
      .passes({ ...session, figures: { ...DEFAULT_FIGURES, prices: prices && priceTable(prices, "mine") } })
      ?.passes.find(({ pass, keepLast }) => pass === "dedupToolOutputs" && keepLast === 0);
  /** What is left is written at 1.25 instead of read; then every request reads less. */
  const breakEven = (share: number) => {
    const { rewrittenTokens: rewritten, savedTokens: saved } = passesAt() ?? {};
    if (typeof rewritten !== "number" || saved === undefined) throw new Error("no figures");
    return ((rewritten - saved) * 1.25 - rewritten * share) / (saved * share);
  };
  // The reported tokens are rounded, about a thousand of them.
  const ratio = (prices: object | undefined, share: number) =>
    (passesAt(prices)?.breakEvenRequests ?? Number.NaN) / breakEven(share);
  expect(ratio(undefined, 0.1)).toBeCloseTo(1, 2);
  expect(ratio({ m: { input: 4, cacheRead: 0.2 } }, 0.05)).toBeCloseTo(1, 2);
  // From now on, the requests go to another model.
  appendFileSync(path, logText(ask("d", { model: "other", ...usage(106_000, 5000) }), result("d", "d")));
  expect(ratio({ m: { input: 4, cacheRead: 0.2 }, other: { input: 4, cacheRead: 0.8 } }, 0.2)).toBeCloseTo(1, 2);
});
