import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commands, Uri, window, workspace } from "vscode";
import { COMMANDS } from "../../../src/vscode/ids.js";
import { body } from "../support/sessionLog.mjs";
import { activated, eventually, liveSession } from "./host.js";
import { test } from "./runner.js";

test("the view resolves, gets a snapshot, and then what is added", async () => {
  const probe = await activated();
  const log = liveSession("View");
  log.read("a.ts", body("a"));
  await commands.executeCommand(COMMANDS.openPanel);
  const page = await eventually("the page", () => probe.pages.find(({ kind }) => kind === "view"));
  assert.equal(page.kind, "view");
  const shown = () => probe.pages.find(({ kind }) => kind === "view");
  await eventually("a snapshot of the live session", () => shown()?.shownContext?.session === log.file);
  const before = shown()?.deltas ?? 0;
  log.read("a.ts", body("a"));
  await eventually("a delta", () => (shown()?.deltas ?? 0) > before);
});

test("the same page opens as an editor tab, once", async () => {
  const probe = await activated();
  const editors = () => probe.pages.filter(({ kind }) => kind === "editor");
  await commands.executeCommand(COMMANDS.openInEditor);
  await eventually("a snapshot in the tab", () => (editors()[0]?.snapshots ?? 0) > 0);
  await commands.executeCommand(COMMANDS.openInEditor);
  assert.equal(editors().length, 1);
  await commands.executeCommand("workbench.action.closeActiveEditor");
  await eventually("its end", () => editors().length === 0);
});

test("the editor tab shows the session that the panel shows, and follows as the panel does", async () => {
  const probe = await activated();
  const shownIn = (kind: "view" | "editor") => probe.pages.find(page => page.kind === kind)?.shownContext?.session;
  await commands.executeCommand(COMMANDS.openSample);
  await eventually("the sample in the panel", () => shownIn("view")?.endsWith("sample.jsonl"));
  await commands.executeCommand(COMMANDS.openInEditor);
  await eventually("the sample in the tab", () => shownIn("editor")?.endsWith("sample.jsonl"));
  const log = liveSession("Shown in both");
  log.read("a.ts", body("a"));
  await commands.executeCommand("workbench.action.closeActiveEditor");
  await commands.executeCommand(COMMANDS.followLive);
  await eventually("the live session in the panel", () => shownIn("view") === log.file);
  await commands.executeCommand(COMMANDS.openInEditor);
  await eventually("the live session in the tab", () => shownIn("editor") === log.file);
  await commands.executeCommand("workbench.action.closeActiveEditor");
});

test("a command that changes a page shows it, also if it is an editor tab behind another", async () => {
  const probe = await activated();
  const log = liveSession("Behind another tab");
  log.read("a.ts", body("a"));
  const activeTab = () => window.tabGroups.activeTabGroup.activeTab?.label;
  const editor = () => probe.pages.find(({ kind }) => kind === "editor");
  await commands.executeCommand(COMMANDS.openInEditor);
  await eventually("a snapshot in the tab", () => (editor()?.snapshots ?? 0) > 0);
  await window.showTextDocument(await workspace.openTextDocument({ content: "in front" }));
  await eventually("the other tab", () => activeTab() !== "Dedup");
  await commands.executeCommand(COMMANDS.openSample);
  await eventually("the tab", () => activeTab() === "Dedup", 10_000);
  await eventually("the sample in it", () => editor()?.shownContext?.session.endsWith("sample.jsonl"));
  await commands.executeCommand(COMMANDS.followLive);
  await eventually("the live session", () => editor()?.shownContext?.session === log.file);
  await commands.executeCommand("workbench.action.closeActiveEditor");
  await eventually("its end", () => editor() === undefined);
  await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
});

test("a hidden view gets no messages, and everything when it is shown again", async () => {
  const probe = await activated();
  const shown = () => probe.pages.find(({ kind }) => kind === "view");
  await commands.executeCommand(COMMANDS.openPanel);
  await eventually("the view", () => (shown()?.snapshots ?? 0) > 0);
  await commands.executeCommand("workbench.action.closePanel");
  // Messages pending when it was hidden have arrived once nothing more arrives for a while.
  let told = "";
  for (let before = "-"; told !== before; told = JSON.stringify(shown())) {
    before = told;
    await new Promise(resolve => setTimeout(resolve, 500));
  }
  const { deltas, snapshots } = shown() ?? { deltas: -1, snapshots: -1 };
  const log = liveSession("Hidden");
  for (const name of ["a", "b", "a"]) log.read(`${name}.ts`, body(name));
  await new Promise(resolve => setTimeout(resolve, 1000));
  assert.deepEqual([shown()?.deltas, shown()?.snapshots], [deltas, snapshots]);
  await commands.executeCommand(COMMANDS.openPanel);
  await eventually("a new snapshot", () => (shown()?.snapshots ?? 0) > snapshots);
});

test("the sample session opens from a command", async () => {
  const probe = await activated();
  await commands.executeCommand(COMMANDS.openSample);
  await eventually("the sample", () =>
    probe.pages.some(({ shownContext }) => shownContext?.session.endsWith("sample.jsonl")),
  );
  // It is shown, but is not one of the user's own.
  const file = join(mkdtempSync(join(tmpdir(), "dedup-report-")), "report.json");
  assert.equal(await probe.writeReport(Uri.file(file)), true);
  const report = JSON.parse(readFileSync(file, "utf8")) as { sessions: readonly { file: string }[] };
  assert.deepEqual(
    report.sessions.filter(session => session.file.endsWith("sample.jsonl")),
    [],
  );
  await commands.executeCommand(COMMANDS.followLive);
  await eventually("the live one", () =>
    probe.pages.some(({ shownContext }) => !shownContext?.session.endsWith("sample.jsonl")),
  );
});
