import { expect, it, vi } from "vitest";
import { type LogOutputChannel, l10n } from "vscode";
import type { Configuration } from "../../../src/vscode/config.js";
import { EngineHost } from "../../../src/vscode/engineHost.js";
import type { Roots } from "../../../src/vscode/roots.js";

const translations: unknown[] = [];

vi.mock("vscode", () => import("./vscode.js"));
// The real one would start a thread from the built program.
vi.mock("../../../src/engine/engineClient.js", () => ({
  EngineClient: class {
    configure = () => {};
    constructor(_: unknown, given: unknown) {
      translations.push(given);
    }
  },
}));

it("the engine speaks VS Code's language", () => {
  const bundle = { "no such result": "kein Ergebnis" };
  Object.assign(l10n, { bundle });
  const config = { forEngine: { roots: [] }, onDidChange: () => ({ dispose: () => {} }) } as unknown as Configuration;
  const log = { info: () => {} } as unknown as LogOutputChannel;
  new EngineHost(log, config, { awaitMissing: () => {} } as unknown as Roots).start();
  expect(translations).toEqual([bundle]);
});
