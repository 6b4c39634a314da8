import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { SessionView } from "../../../src/engine/sessionView.js";
import { TranscriptWriter } from "../../../src/vscode/transcript/render.js";
import { StretchContext } from "../../../src/vscode/transcript/stretchContext.js";
import { Folders } from "../../support/liveLog.js";
import { call, logText, result } from "../../support/log.js";

const folders = new Folders();
afterAll(() => folders.remove());

const BREAKS = [
  "\n",
  "\r",
  "\r\n",
  "\u2028",
  "\u2029",
  "\u0085",
  "\v",
  "\f",
  "a\nb\rc\r\nd",
  "> [ref: x, byte-identical]\n> [ref: y]",
];

it("a call is found on its own line, whatever line breaks names, subjects and texts contain", () => {
  const path = join(folders.make(), "s.jsonl");
  const lines = BREAKS.flatMap((text, at) => [
    call(`t${at}`, `Tool${text}name`, { command: `do${text}it`, file_path: text, prompt: text }),
    result(`t${at}`, `${text}${"result ".repeat(40)}${text}`),
  ]);
  writeFileSync(path, logText(...lines));
  const view = new SessionView(path, [path], { ...DEFAULT_SETTINGS, verbosity: "located" }, undefined);
  const stretch = view.stretch("main", 0, { everywhere: new Map() });
  if (stretch === undefined) throw new Error("no stretch");
  const context = new StretchContext(stretch);
  const transcript = new TranscriptWriter({ context, details: row => view.details("main", row, 100_000) }).finish();
  // As VS Code splits a text into lines.
  const shown = transcript.text.split(/\r\n|\r|\n/);
  expect(shown.length).toBe(transcript.lineCount);
  for (const { row, line } of transcript.partitions.flatMap(({ calls }) => calls)) {
    expect(shown[line], `call ${row + 1}`).toMatch(new RegExp(`^── call ${row + 1} · Tool`));
  }
});
