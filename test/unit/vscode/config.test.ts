/** The settings as VS Code returns them, which are not plain data. */
import { realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { Folders } from "../../support/liveLog.js";
import * as vscode from "./vscode.js";

vi.mock("vscode", () => import("./vscode.js"));
const { Configuration, settingsFrom } = await import("../../../src/vscode/config.js");
const { Roots } = await import("../../../src/vscode/roots.js");

const folders = new Folders();
afterEach(() => {
  vi.unstubAllEnvs();
  folders.remove();
});

/** `WorkspaceConfiguration.get` returns objects like this at every depth: they look like the value, but cannot be sent. */
function guarded<T>(value: T): T {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return new Proxy(value, {
    get: (target, key) => (key === "toJSON" ? () => value : guarded(Reflect.get(target, key))),
  });
}

it("can be sent to the engine's thread, whatever objects they contain", () => {
  const mine = {
    input: 3,
    cacheRead: 0.3,
    above: { promptTokens: 100_000, input: 6 },
    before: { date: "2026-01-01", input: 2 },
  };
  const values: Record<string, unknown> = {
    prices: { mine, flat: 5 },
    invalidates: { Bash: ["Grep"] },
    logRoots: ["/logs"],
  };
  expect(() => structuredClone(guarded(mine))).toThrow();
  const settings = settingsFrom(key => guarded(values[key]));
  expect(structuredClone(settings)).toEqual(settingsFrom(key => values[key]));
  expect(settings.figures.prices?.models).toEqual({ mine, flat: { input: 5 } });
});

it("name the open folder as VS Code and as Claude Code do, which logs it without links", () => {
  const [real, linked] = [realpathSync.native(folders.make()), join(folders.make(), "linked")];
  symlinkSync(real, linked, "junction");
  vi.stubEnv("CLAUDE_CONFIG_DIR", real);
  const never = () => ({ dispose: () => {} });
  Object.assign(vscode.workspace, {
    workspaceFolders: [{ uri: vscode.Uri.file(linked) }],
    getConfiguration: () => ({ get: () => undefined }),
    onDidChangeConfiguration: never,
    onDidGrantWorkspaceTrust: never,
    onDidChangeWorkspaceFolders: never,
  });
  const config = new Configuration(new Roots());
  expect(config.forEngine.workspace).toEqual([linked, real]);
  config.dispose();
});
