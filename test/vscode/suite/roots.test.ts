/** Only logs under the roots are shown: anything open from another log closes when the setting changes. */
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigurationTarget, commands, TabInputText, TabInputTextDiff, type Uri, window, workspace } from "vscode";
import { COMMANDS } from "../../../src/vscode/ids.js";
import { nameOf } from "../../../src/vscode/transcript/uri.js";
import { body } from "../support/sessionLog.mjs";
import { activated, eventually, extensionPath, listed, liveSession, sampleSession } from "./host.js";
import { test } from "./runner.js";

/** The documents of a session that are open in tabs, by kind. */
function openOf(session: string): string[] {
  const inputs = window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  const uris = inputs.flatMap((input): Uri[] => {
    if (input instanceof TabInputText) return [input.uri];
    return input instanceof TabInputTextDiff ? [input.original, input.modified] : [];
  });
  return uris.flatMap(uri => {
    const name = nameOf(uri);
    return name?.session === session ? [name.kind] : [];
  });
}

test("a session outside the new log roots closes: panel, transcript, comparison, log line, status bar", async () => {
  const probe = await activated();
  const log = liveSession("Outside");
  for (const name of ["a", "b", "a"]) log.read(`${name}.ts`, body(name));
  const session = await listed(log.file);
  const elsewhere = join(mkdtempSync(join(tmpdir(), "dedup-roots-")), "other.jsonl");
  copyFileSync(sampleSession(), elsewhere);
  await commands.executeCommand(COMMANDS.openPanel);
  const shownSession = () => probe.pages.find(({ kind }) => kind === "view")?.shownContext?.session;
  await eventually("the page on it", () => shownSession() === session);
  await eventually("a figure in the status bar", () => probe.statusText);
  const place = { session, context: "main", row: 2 };
  await probe.openCall(place);
  await commands.executeCommand("workbench.action.keepEditor");
  probe.select(place);
  await commands.executeCommand(COMMANDS.openLogLine);
  await commands.executeCommand("workbench.action.keepEditor");
  await commands.executeCommand(COMMANDS.compare);
  await eventually("all of it", () => new Set(openOf(session)).size === 3);

  const section = workspace.getConfiguration("dedup");
  await section.update("logRoots", [elsewhere], ConfigurationTarget.Global);
  try {
    await eventually("no document of it", () => openOf(session).length === 0);
    await eventually("the page on the other one", () => shownSession() === elsewhere);
    assert.deepEqual(await probe.sessions(), [elsewhere]);
    for (const open of [() => probe.openCall(place), () => probe.compare(place, "span")]) {
      await assert.rejects(open, /no longer available/);
    }
  } finally {
    await section.update("logRoots", undefined, ConfigurationTarget.Global);
  }
  await listed(session);
  await probe.openCall(place);
  assert.deepEqual(openOf(session), ["transcript"]);
});

test("no log in the extension's own folders can be requested", async () => {
  const probe = await activated();
  const place = { session: extensionPath("media", "sample.jsonl"), context: "main", row: 0 };
  await assert.rejects(() => probe.openCall(place), /no longer available/);
});
