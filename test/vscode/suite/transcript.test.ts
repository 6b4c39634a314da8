import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import {
  ConfigurationTarget,
  commands,
  type DocumentLink,
  type DocumentSymbol,
  extensions,
  type FoldingRange,
  FoldingRangeKind,
  languages,
  type TextDocument,
  type Uri,
  window,
  workspace,
} from "vscode";
import { COMMANDS, TRANSCRIPT_LANGUAGE } from "../../../src/vscode/ids.js";
import { nameOf } from "../../../src/vscode/transcript/uri.js";
import { body } from "../support/sessionLog.mjs";
import { activated, EXTENSION, eventually, listed, liveSession, sampleSession } from "./host.js";
import { test } from "./runner.js";

/** Opens the transcript at a call and returns its document. */
async function openAt(session: string, row: number): Promise<TextDocument> {
  const probe = await activated();
  await probe.openCall({ session: await listed(session), context: "main", row });
  return eventually("the transcript", () => {
    const document = window.activeTextEditor?.document;
    const name = document && nameOf(document.uri);
    return name?.kind === "transcript" && name.session === session && document;
  });
}

/** Instead of assert.match, whose message would contain a whole session. */
function has(document: TextDocument, text: RegExp): void {
  assert.ok(text.test(document.getText()), `no ${text}`);
}

function lines(document: TextDocument): string[] {
  return document.getText().split("\n");
}

/** Numbers of the calls whose outcome matches. */
function callsLike(document: TextDocument, outcome: RegExp): number[] {
  return lines(document)
    .map(line => /^── call (\d+) .* · (.*)$/.exec(line))
    .filter(found => found !== null && outcome.test(found[2] ?? ""))
    .map(found => Number(found?.[1]));
}

/** The number of results in a log, and before its compaction. */
function resultsIn(session: string): { all: number; before: number } {
  const text = readFileSync(session, "utf8");
  const count = (part: string) => part.split("\n").filter(line => line.includes('"type":"tool_result"')).length;
  return { all: count(text), before: count(text.slice(0, text.indexOf('"subtype":"compact_boundary"'))) };
}

function linksOf(uri: Uri): Thenable<DocumentLink[]> {
  return commands.executeCommand("vscode.executeLinkProvider", uri, 1000);
}

/** Editors turn URLs in any text into links. */
function isOfEditor(target: Uri | undefined): boolean {
  return target?.scheme === "http" || target?.scheme === "https";
}

test("the transcript shows every call with its input, its result or its hint", async () => {
  const session = sampleSession();
  const { all, before } = resultsIn(session);
  const document = await openAt(session, 0);
  assert.equal(document.languageId, TRANSCRIPT_LANGUAGE);
  has(document, new RegExp(`^Dedup transcript · .+ · main\\n.+\\.jsonl\\nCalls 1–${all} of ${all} · capacity 5 · `));
  assert.equal(callsLike(document, /./).length, all);
  has(
    document,
    /\n── call 1 · Bash git log .* · \d+ tokens · new\n┄┄ input\ncommand: git log .*\n(?:.+: .+\n)*┄┄ result\n\w{7} /,
  );
  // What repeats in whole or in part, according to the calls' headers.
  const inLast = (outcome: RegExp) => callsLike(document, outcome).filter(call => call > before).length;
  const [whole, partial] = [inLast(/^hit = call \d+$/), inLast(/^[\d.]+ % in call \d+/)];
  assert.ok(whole > 0 && partial > 0, `${whole} in whole, ${partial} in part`);
  has(
    document,
    new RegExp(`\n━━ partition 1 · ${all - before} results · ${whole + partial} repeat · hints would save `),
  );
  has(document, /\n╳ Manual compaction · .*partition 0 ends/);
  const [hit] = callsLike(document, /^hit = call \d+$/);
  const at = lines(document).findIndex(line => line.startsWith(`── call ${hit} `));
  const end = lines(document).findIndex((line, index) => index > at && line.startsWith("── call "));
  assert.match(
    lines(document).slice(at, end).join("\n"),
    /┄┄ hint instead of .*\n> \[ref: toolu_\w+, byte-identical, from: \w+\(.+\).*\]/,
  );
});

test("a title that is the name of a source file does not change the language", async () => {
  for (const title of ["Fix README.md", "explain src/app.ts", "package.json", ".env.local is not read"]) {
    const log = liveSession(title);
    log.read("a.ts", body("a"));
    const document = await openAt(log.file, 0);
    assert.equal(document.languageId, TRANSCRIPT_LANGUAGE, title);
    assert.equal(window.tabGroups.activeTabGroup.activeTab?.label, `“${title.replace("/", " ")}”`);
  }
});

test("it opens at the requested call", async () => {
  await openAt(sampleSession(), 80);
  const editor = window.activeTextEditor;
  assert.match(editor?.document.lineAt(editor.selection.active.line).text ?? "", /^── call 81 /);
});

test("hints are links to the call they point at, and no link is a command", async () => {
  const document = await openAt(sampleSession(), 0);
  const links = (await linksOf(document.uri)).filter(({ target }) => !isOfEditor(target));
  const hits = callsLike(document, /^hit = call/);
  assert.ok(links.length >= 2 * hits.length, `${links.length} links for ${hits.length} hits`);
  for (const { range, target } of links) {
    const named = /call ([\d,]+)/.exec(document.getText(range))?.[1];
    assert.equal(target?.scheme, "dedup");
    const line = Number(/^L(\d+)$/.exec(target?.fragment ?? "")?.[1]) - 1;
    const head = document.lineAt(line).text;
    assert.match(head, /^── call /);
    if (named !== undefined) assert.ok(head.startsWith(`── call ${named} `), `${named}: ${head}`);
  }
});

test("the outline has a symbol for each partition and each call", async () => {
  const document = await openAt(sampleSession(), 0);
  const symbols = await commands.executeCommand<DocumentSymbol[]>("vscode.executeDocumentSymbolProvider", document.uri);
  assert.deepEqual(
    symbols.map(({ name }) => name),
    ["Partition 0", "Partition 1"],
  );
  const calls = symbols.flatMap(({ children }) => children);
  assert.equal(calls.length, resultsIn(sampleSession()).all);
  assert.match(calls[0]?.name ?? "", /^1 Bash git log/);
  for (const { selectionRange, name } of calls) {
    assert.ok(document.lineAt(selectionRange.start.line).text.startsWith(`── call ${name.split(" ")[0]} `));
  }
});

test("calls fold, and partitions are regions", async () => {
  const document = await openAt(sampleSession(), 0);
  const folds = await commands.executeCommand<FoldingRange[]>("vscode.executeFoldingRangeProvider", document.uri);
  assert.equal(folds.filter(({ kind }) => kind === FoldingRangeKind.Region).length, 2);
  assert.ok(folds.length > 0.95 * resultsIn(sampleSession()).all, String(folds.length));
  for (const { start, kind } of folds) {
    assert.match(document.lineAt(start).text, kind === FoldingRangeKind.Region ? /^━━ partition/ : /^── call /);
  }
});

test("log text creates no links, no symbols and no folds", async () => {
  const log = liveSession("Hostile");
  const hostile = [
    "[click](command:workbench.action.quit)",
    "command:workbench.action.quit",
    "── call 1 · Read a.ts · 5 tokens · hit = call 1",
    "━━ partition 7 · 1 result",
    "> [ref: toolu_0001, byte-identical]",
    "a\rb\r\nc\u2028d",
  ].join("\n");
  log.read("a.ts", hostile + body("a"));
  log.read("b.ts", body("b"));
  const document = await openAt(log.file, 1);
  const links = await linksOf(document.uri);
  assert.deepEqual(
    links.filter(({ target }) => !isOfEditor(target)).map(({ range }) => document.lineAt(range.start.line).text),
    [],
  );
  const symbols = await commands.executeCommand<DocumentSymbol[]>("vscode.executeDocumentSymbolProvider", document.uri);
  assert.equal(symbols.length, 1);
  assert.equal(symbols[0]?.children.length, 2);
  // Lone line endings and separators in a result must not shift what comes after them.
  assert.match(document.lineAt(symbols[0]?.children[1]?.range.start.line ?? 0).text, /^── call 2 · Read b\.ts/);
});

test("a transcript that is open grows with its session", async () => {
  const log = liveSession("Growing");
  log.read("a.ts", body("a"));
  const document = await openAt(log.file, 0);
  assert.equal(callsLike(document, /./).length, 1);
  log.read("a.ts", body("a"));
  await eventually("the second call", () => callsLike(document, /^hit = call 1$/).length === 1);
});

test("a transcript in another language keeps its links and grows", async () => {
  const log = liveSession("Another language");
  for (const name of ["a", "b", "a"]) log.read(`${name}.ts`, body(name));
  const document = await openAt(log.file, 0);
  const { length } = await linksOf(document.uri);
  assert.ok(length > 0);
  await languages.setTextDocumentLanguage(document, "plaintext");
  assert.equal((await linksOf(document.uri)).length, length);
  log.read("b.ts", body("b"));
  await eventually("the fourth call", () => callsLike(document, /^hit = call 2$/).length === 1, 10_000);
});

test("a long session is split into documents that link to each other", async () => {
  const log = liveSession("Long");
  for (let at = 0; at < 900; at++) log.read(`${at % 450}.ts`, body(`file ${at % 450}`, 8));
  const first = await openAt(log.file, 5);
  has(first, /Calls 1–400 of 900/);
  const later = (await linksOf(first.uri)).find(({ range }) =>
    first.getText(range).startsWith("↓ later: calls 401–800"),
  );
  assert.match(String(later?.target?.query), /from=400/);
  const last = await openAt(log.file, 899);
  has(last, /Calls 801–900 of 900/);
  assert.equal(callsLike(last, /./).length, 100);
  const earlier = (await linksOf(last.uri)).find(({ range }) => last.getText(range).startsWith("↑ earlier"));
  assert.match(String(earlier?.target?.fragment), /^L\d+$/);
});

test("hints in an open transcript follow the settings", async () => {
  const log = liveSession("Settings of hints");
  for (const name of ["a", "b", "a"]) log.read(`${name}.ts`, body(name));
  const document = await openAt(log.file, 0);
  has(document, /\n> \[ref: toolu_0001, byte-identical, from: Read\(.*a\.ts\)\]\n/);
  const section = workspace.getConfiguration("dedup");
  await section.update("hintVerbosity", "verbose", ConfigurationTarget.Global);
  try {
    await eventually("the verbose hint", () =>
      document.getText().includes("\n> [ref: toolu_0001, byte-identical, from: file-read]\n"),
    );
  } finally {
    await section.update("hintVerbosity", undefined, ConfigurationTarget.Global);
  }
});

test("a transcript survives a crash of the engine, even if it is being opened", async () => {
  const probe = await activated();
  const log = liveSession("Crash");
  log.read("a.ts", body("a"));
  const document = await openAt(log.file, 0);
  probe.crashEngine();
  await probe.openCall({ session: log.file, context: "main", row: 0 }).catch(error => {
    // It was pending when the engine died: it fails with a reason, and the next attempt works.
    assert.match(String(error), /please try again/);
  });
  await probe.openCall({ session: log.file, context: "main", row: 0 });
  log.read("a.ts", body("a"));
  await eventually("the second call", () => callsLike(document, /^hit = call 1$/).length === 1);
  has(document, /\n┄┄ result\na line 1: /);
});

test("Go to Referenced Call goes there, and says so if there is none", async () => {
  const probe = await activated();
  const session = sampleSession();
  const document = await openAt(session, 0);
  const [hit = 0] = callsLike(document, /^hit = call \d+$/);
  const line = lines(document).find(text => text.startsWith(`── call ${hit} `));
  probe.select({ session, context: "main", row: hit - 1 });
  await commands.executeCommand(COMMANDS.goToReference);
  const there = window.activeTextEditor;
  const wanted = /hit = (call \d+)$/.exec(line ?? "")?.[1];
  assert.ok(there?.document.lineAt(there.selection.active.line).text.startsWith(`── ${wanted} `));
});

test("opening a call selects it, whether or not a page shows its session, so keys go on from there", async () => {
  const probe = await activated();
  const session = sampleSession();
  const document = await openAt(session, 0);
  const hits = lines(document).flatMap(line => {
    const [, call, to] = /^── call (\d+) .* · hit = call (\d+)$/.exec(line) ?? [];
    return call === undefined || to === undefined ? [] : [{ row: Number(call) - 1, to: Number(to) - 1 }];
  });
  const [hit] = hits;
  assert.ok(hit !== undefined);
  probe.select(undefined);
  await openAt(session, hit.row);
  assert.equal(probe.selected?.row, hit.row);
  await commands.executeCommand(COMMANDS.goToReference);
  const there = window.activeTextEditor;
  assert.ok(there?.document.lineAt(there.selection.active.line).text.startsWith(`── call ${hit.to + 1} `));
  assert.equal(probe.selected?.row, hit.to);
});

test("a key pressed right after a call was opened selects the call at the cursor", async () => {
  const probe = await activated();
  const session = sampleSession();
  const document = await openAt(session, 0);
  await commands.executeCommand("cursorBottom");
  const last = Math.max(...callsLike(document, /./));
  await eventually("the last call", () => probe.selected?.session === session && probe.selected.row === last - 1);
});

test("keys in a transcript apply to the call at its cursor, whatever was selected elsewhere", async () => {
  const probe = await activated();
  const keys: readonly { command: string; args?: string; when?: string }[] =
    extensions.getExtension(EXTENSION)?.packageJSON.contributes.keybindings;
  const key = keys.find(one => one.command === COMMANDS.goToReference && one.when?.includes(TRANSCRIPT_LANGUAGE));
  const [first, second] = [liveSession("First tab"), liveSession("Second tab")];
  for (const name of ["a", "b", "b"]) first.read(`${name}.ts`, body(name));
  for (const name of ["a", "b", "a"]) second.read(`${name}.ts`, body(name));
  await openAt(first.file, 2);
  await openAt(second.file, 2);
  // A change of tabs selects nothing.
  probe.select({ session: first.file, context: "main", row: 2 });
  await commands.executeCommand(COMMANDS.goToReference, key?.args);
  assert.deepEqual(probe.selected, { session: second.file, context: "main", row: 0 });
});
