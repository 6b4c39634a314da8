import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { SessionView } from "../../../src/engine/sessionView.js";
import { type Transcript, TranscriptWriter } from "../../../src/vscode/transcript/render.js";
import { StretchContext } from "../../../src/vscode/transcript/stretchContext.js";
import { Folders } from "../../support/liveLog.js";
import { call, logText, result } from "../../support/log.js";

const folders = new Folders();
afterAll(() => folders.remove());

/** A transcript of one stretch. */
function transcriptOf(...lines: Parameters<typeof logText>): Transcript {
  const path = join(folders.make(), "s.jsonl");
  writeFileSync(path, logText(...lines));
  const view = new SessionView(path, [path], { ...DEFAULT_SETTINGS, verbosity: "located" }, undefined);
  const stretch = view.stretch("main", 0, { everywhere: new Map() });
  if (stretch === undefined) throw new Error("no stretch");
  const context = new StretchContext(stretch);
  const details = (row: number) => view.details("main", row, Number.POSITIVE_INFINITY);
  return new TranscriptWriter({ context, details }).finish();
}

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
  const transcript = transcriptOf(
    ...BREAKS.flatMap((text, at) => [
      call(`t${at}`, `Tool${text}name`, { command: `do${text}it`, file_path: text, prompt: text }),
      result(`t${at}`, `${text}${"result ".repeat(40)}${text}`),
    ]),
  );
  // As VS Code splits a text into lines.
  const shown = transcript.text.split(/\r\n|\r|\n/);
  expect(shown.length).toBe(transcript.lineCount);
  for (const { row, line } of transcript.partitions.flatMap(({ calls }) => calls)) {
    expect(shown[line], `call ${row + 1}`).toMatch(new RegExp(`^── call ${row + 1} · Tool`));
  }
});

it("a document stays small enough for an editor, however much was written to files", () => {
  const { text } = transcriptOf(
    ...Array.from({ length: 400 }, (_, at) => [
      call(`t${at}`, "Write", { file_path: `/w/${at}.ts`, content: `${at} `.repeat(50_000) }),
      result(`t${at}`, "File created."),
    ]).flat(),
  );
  expect(text.match(/^── call \d+ /gm)).toHaveLength(400);
  expect(text.length).toBeLessThan(5_000_000);
  const cut = /\n┄┄ input\n(?<input>.*)\n┄┄ truncated: (?<more>[\d,]+) more characters\. The log has all of it\.\n/s;
  const { input = "", more = "" } = cut.exec(text.slice(0, 12_000))?.groups ?? {};
  expect([input.length, more]).toEqual([10_000, "90,028"]);
});
