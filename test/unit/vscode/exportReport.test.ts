/** What "Open" does with an exported report: a browser is only of use for HTML on this machine. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it, vi } from "vitest";
import type { LogOutputChannel } from "vscode";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { DEFAULT_FIGURES } from "../../../src/settings/table.js";
import { texts } from "../../../src/vscode/vscodeStrings.js";
import { Folders } from "../../support/liveLog.js";
import { commandHandlers, EventEmitter, env, Uri, window, workspace } from "./vscode.js";

vi.mock("vscode", () => import("./vscode.js"));
const { exportReport } = await import("../../../src/vscode/exportReport.js");

const folders = new Folders();
afterAll(() => folders.remove());

let opened: string[];
let hasBrowser: boolean;

beforeEach(() => {
  [opened, hasBrowser] = [[], true];
  commandHandlers.set("vscode.open", () => opened.push("VS Code"));
  Object.assign(env, {
    remoteName: undefined,
    openExternal: async () => {
      if (hasBrowser) opened.push("browser");
      return hasBrowser;
    },
  });
  const token = { isCancellationRequested: false, onCancellationRequested: new EventEmitter<void>().event };
  Object.assign(window, {
    withProgress: (_: unknown, run: (...args: unknown[]) => unknown) => run({ report: () => {} }, token),
    showInformationMessage: async () => texts.report.open,
  });
  Object.assign(workspace, { fs: { createDirectory: async () => {} }, asRelativePath: String });
});

async function exported(name: string): Promise<void> {
  const folder = folders.make();
  const program = join(folder, "program.cjs");
  writeFileSync(program, 'console.log("a report")');
  Object.assign(window, { showSaveDialog: async () => Uri.file(join(folder, name)) });
  const job = { program, scratch: folder, roots: [], settings: DEFAULT_SETTINGS, figures: DEFAULT_FIGURES };
  await exportReport(job, { warn: () => {} } as unknown as LogOutputChannel);
}

it("opens HTML in a browser, and other formats here", async () => {
  for (const name of ["all.html", "all.md", "all.json"]) await exported(name);
  expect(opened).toEqual(["browser", "VS Code", "VS Code"]);
});

it("opens HTML here if it is on another machine, or if there is no browser", async () => {
  Object.assign(env, { remoteName: "ssh-remote" });
  await exported("report.html");
  Object.assign(env, { remoteName: undefined });
  hasBrowser = false;
  await exported("report.html");
  expect(opened).toEqual(["VS Code", "VS Code"]);
});
