import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigurationTarget, commands, type DocumentLink, TabInputTextDiff, Uri, window, workspace } from "vscode";
import { DEFAULT_PRICES } from "../../../src/inspect/prices.js";
import { CALL_SECTION } from "../../../src/protocol/contextMenu.js";
import { COMMANDS, VIEW } from "../../../src/vscode/ids.js";
import { nameOf, uriOf } from "../../../src/vscode/transcript/uri.js";
import { body } from "../support/sessionLog.mjs";
import { activated, eventually, listed, liveSession, sampleSession } from "./host.js";
import { test } from "./runner.js";

test("Compare Results opens a diff of both results", async () => {
  const probe = await activated();
  const log = liveSession("Compare");
  log.read("a.ts", body("a"));
  log.read("b.ts", body("b"));
  log.read("a.ts", body("a"));
  probe.select({ session: await listed(log.file), context: "main", row: 2 });
  await commands.executeCommand(COMMANDS.compare);
  const input = await eventually("the diff", () => {
    const shown = window.tabGroups.activeTabGroup.activeTab?.input;
    return shown instanceof TabInputTextDiff && shown;
  });
  assert.equal(window.tabGroups.activeTabGroup.activeTab?.label, "Call 1 ↔ Call 3");
  for (const uri of [input.original, input.modified]) {
    assert.equal((await workspace.openTextDocument(uri)).getText(), body("a"));
  }
});

test("a result is compared with what the model would get", async () => {
  const probe = await activated();
  const log = liveSession("Compare with hints");
  log.read("a.ts", body("a"));
  log.read("b.ts", `first\n${body("a")}\nlast`);
  // Actual hints say where the lines are from; an upper bound uses the shortest hints.
  const hints = {
    span: "> [ref: toolu_0001 lines 1-40]",
    live: "> [ref: toolu_0001 lines 1-40, from: Read(a.ts)]",
  };
  for (const strategy of ["span", "live"] as const) {
    await probe.compare({ session: await listed(log.file), context: "main", row: 1 }, strategy);
    const input = await eventually("the diff", () => {
      const { label, input: shown } = window.tabGroups.activeTabGroup.activeTab ?? {};
      if (label !== "Call 2 ↔ Call 2, with hints" || !(shown instanceof TabInputTextDiff)) return false;
      return shown.modified.query.includes(strategy) && shown;
    });
    assert.equal((await workspace.openTextDocument(input.original)).getText(), `first\n${body("a")}\nlast`);
    const emitted = (await workspace.openTextDocument(input.modified)).getText();
    assert.equal(emitted, `first\n${hints[strategy]}\nlast`);
  }
});

test("Open Log Line shows the line, pretty-printed, with a link to its file", async () => {
  const probe = await activated();
  const session = await listed(sampleSession());
  probe.select({ session, context: "main", row: 0 });
  await commands.executeCommand(COMMANDS.openLogLine);
  const document = window.activeTextEditor?.document;
  assert.equal(document?.languageId, "jsonc");
  const [header = "", ...rest] = document.getText().split("\n");
  const [, file, line] = /^\/\/ (.+), line (\d+)$/.exec(header) ?? [];
  assert.equal(file, session);
  const shown = JSON.parse(rest.join("\n")) as unknown;
  assert.deepEqual(shown, JSON.parse(readFileSync(session, "utf8").split("\n")[Number(line) - 1] ?? ""));
  const links = await commands.executeCommand<DocumentLink[]>("vscode.executeLinkProvider", document.uri);
  assert.ok(links.some(({ target }) => target?.fsPath === session && target.fragment === `L${line}`));
});

test("a context menu's command applies to what was under the pointer, whatever the page shows by then", async () => {
  const probe = await activated();
  const log = liveSession("Under the menu");
  log.read("a.ts", body("a"));
  const session = await listed(log.file);
  await commands.executeCommand(COMMANDS.openPanel);
  const shown = () => probe.pages.find(({ kind }) => kind === "view")?.shownContext?.session;
  await eventually("the session", () => shown() === session);
  const other = liveSession("Shown by then");
  other.read("b.ts", body("b"));
  await eventually("the other session", () => shown() === other.file);
  const menu = { webview: VIEW, webviewSection: CALL_SECTION, session, context: "main", row: 0 };
  await commands.executeCommand(COMMANDS.openLogLine, menu);
  assert.ok(window.activeTextEditor?.document.getText().startsWith(`// ${session}, line `));
});

test("a command that needs a call only says so if there is none", async () => {
  const probe = await activated();
  probe.select(undefined);
  const before = window.activeTextEditor?.document.uri.toString();
  await commands.executeCommand(COMMANDS.compare);
  assert.equal(window.activeTextEditor?.document.uri.toString(), before);
});

test("names of documents survive a round trip through a link", () => {
  const names = [
    { kind: "transcript", session: "/a b/ü&=%2F#?.jsonl", context: "main", from: 400 },
    { kind: "result", session: "C:\\x\\y.jsonl", context: "/agents/agent-1.jsonl", row: 3, side: "left" },
    { kind: "line", session: "/x.jsonl", context: "main", row: 0 },
  ] as const;
  for (const name of names) {
    assert.deepEqual(nameOf(Uri.parse(uriOf(name, "a/b\\c d?#").toString())), name);
  }
  for (const foreign of ["file:///x", "dedup://transcript/x", "dedup://line/x?session=a&context=b&row=x"]) {
    assert.equal(nameOf(Uri.parse(foreign)), undefined);
  }
});

test("Export Report writes the report of all logs", async () => {
  const probe = await activated();
  sampleSession();
  const file = join(mkdtempSync(join(tmpdir(), "dedup-report-")), "report.json");
  assert.equal(await probe.writeReport(Uri.file(file)), true);
  assert.ok(existsSync(file));
  const report = JSON.parse(readFileSync(file, "utf8")) as { settings: { capacity: number }; sessions: unknown[] };
  assert.equal(report.settings.capacity, 5);
  assert.ok(report.sessions.length > 1);
});

test("Export Report writes the format of the file's extension", async () => {
  const probe = await activated();
  sampleSession();
  const folder = mkdtempSync(join(tmpdir(), "dedup-report-"));
  for (const [name, beginning] of [
    ["all.html", "<!doctype html>"],
    ["all.md", "# Dedup Inspector"],
  ] as const) {
    assert.equal(await probe.writeReport(Uri.file(join(folder, name))), true);
    assert.ok(readFileSync(join(folder, name), "utf8").startsWith(beginning));
  }
  assert.match(readFileSync(join(folder, "all.html"), "utf8"), /<svg/);
});

test("Export Report writes through a symlink, and leaves nothing next to the report", async () => {
  const probe = await activated();
  const folder = mkdtempSync(join(tmpdir(), "dedup-report-"));
  writeFileSync(join(folder, "target"), "old", { mode: 0o640 });
  symlinkSync("target", join(folder, "report.json"));
  assert.equal(await probe.writeReport(Uri.file(join(folder, "report.json"))), true);
  assert.ok(lstatSync(join(folder, "report.json")).isSymbolicLink());
  assert.ok(Array.isArray(JSON.parse(readFileSync(join(folder, "target"), "utf8")).sessions));
  assert.equal(statSync(join(folder, "target")).mode & 0o777, 0o640);
  assert.deepEqual(readdirSync(folder).sort(), ["report.json", "target"]);
  // A report that cannot be renamed removes nothing else.
  mkdirSync(join(folder, "taken", "full"), { recursive: true });
  await assert.rejects(probe.writeReport(Uri.file(join(folder, "taken"))));
  assert.deepEqual(readdirSync(folder).sort(), ["report.json", "taken", "target"]);
});

test("an exported report names the source of its prices", async () => {
  const probe = await activated();
  sampleSession();
  const prices = async () => {
    const file = join(mkdtempSync(join(tmpdir(), "dedup-report-")), "report.json");
    assert.equal(await probe.writeReport(Uri.file(file)), true);
    return (JSON.parse(readFileSync(file, "utf8")) as { cost: { prices: string } }).cost.prices;
  };
  assert.equal(await prices(), DEFAULT_PRICES.source);
  const section = workspace.getConfiguration("dedup");
  await section.update("prices", { "claude-opus-5-5": 7 }, ConfigurationTarget.Global);
  try {
    assert.equal(await prices(), `your settings, else ${DEFAULT_PRICES.source}`);
  } finally {
    await section.update("prices", undefined, ConfigurationTarget.Global);
  }
});
