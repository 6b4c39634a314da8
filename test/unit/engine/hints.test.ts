/** What is shown instead of a result is what `replay` prints: one decision, one text. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { replayCommand } from "../../../src/cli/replayCommand.js";
import { emittedBy } from "../../../src/dedup/emission.js";
import { DEFAULT_SETTINGS, type DedupSettings } from "../../../src/dedup/settings.js";
import { SessionView } from "../../../src/engine/sessionView.js";
import { hintsIn, placed } from "../../../src/engine/texts/emissions.js";
import { REPLAY } from "../../../src/settings/table.js";
import { TranscriptWriter } from "../../../src/vscode/transcript/render.js";
import { StretchContext } from "../../../src/vscode/transcript/stretchContext.js";
import { Folders } from "../../support/liveLog.js";
import { call, logText, read, result, textOf } from "../../support/log.js";
import { REPOSITORY } from "../../support/replay.js";

const folders = new Folders();
afterAll(() => folders.remove());

const poll = (status: string) => JSON.stringify({ status, log: "line of the log ".repeat(40) });

/** Four kinds of calls, each answered twice; the last answer differs by one value. */
const LINES = [
  read("r1", "/w/a.ts"),
  result("r1", textOf(300, "file")),
  read("r2", "/w/a.ts"),
  result("r2", textOf(300, "file")),
  call("b1", "Bash", { command: "npm test" }),
  result("b1", textOf(300, "tests")),
  call("b2", "Bash", { command: "npm run test" }),
  result("b2", textOf(300, "tests")),
  call("p1", "mcp__ci__status", { id: 1 }),
  result("p1", poll("queued")),
  call("p2", "mcp__ci__status", { id: 1 }),
  result("p2", poll("done")),
];

function viewOf(settings: Partial<DedupSettings>): SessionView {
  const path = join(folders.make(), "s.jsonl");
  writeFileSync(path, logText(...LINES));
  return new SessionView(path, [path], { ...DEFAULT_SETTINGS, ...settings }, undefined);
}

function hintsOf(view: SessionView): (string | null | undefined)[] {
  const rows = Array.from({ length: view.counts("main").rows }, (_, row) => row);
  return rows.map(row => view.details("main", row, 1000)?.hint);
}

function transcriptOf(view: SessionView): string {
  const stretch = view.stretch("main", 0, { everywhere: new Map() });
  if (stretch === undefined) throw new Error("no stretch");
  const details = (row: number) => view.details("main", row, 1000);
  return new TranscriptWriter({ context: new StretchContext(stretch), details }).finish().text;
}

describe("the hint in a result's place", () => {
  it("names the kind of call it points at if hints are verbose", () => {
    const view = viewOf({ verbosity: "verbose" });
    const expected = ["> [ref: r1, byte-identical, from: file-read]", "> [ref: b1, byte-identical, from: other]"];
    expect(hintsOf(view)).toEqual([null, expected[0], null, expected[1], null, null]);
    for (const hint of expected) expect(transcriptOf(view)).toContain(`characters\n${hint}\n`);
  });

  it("says what has changed if a result is nearly the same", () => {
    const view = viewOf({ nearRef: true });
    const hint = "> [near-ref: p1, status: queued→done]";
    expect(hintsOf(view).at(-1)).toBe(hint);
    // The new text is nowhere else, so the transcript shows it too.
    expect(transcriptOf(view)).toContain(`below\n${hint}\n┄┄ result\n${poll("done")}`);
  });

  it("changes with the settings", () => {
    const view = viewOf({ verbosity: "terse" });
    expect(hintsOf(view)[1]).toBe("> [ref: r1]");
    view.change({ ...DEFAULT_SETTINGS, verbosity: "located", nearRef: true });
    expect(hintsOf(view)[1]).toBe("> [ref: r1, byte-identical, from: Read(/w/a.ts)]");
    expect(hintsOf(view)[5]).toBe("> [near-ref: p1, status: queued→done]");
  });

  it.each(REPLAY.verbosity.choices)("is what `replay` prints for the sample, %s", verbosity => {
    const sample = join(REPOSITORY, "media", "sample.jsonl");
    const printed: string[] = [];
    const terminal = { colour: false, width: 80, out: (text: string) => printed.push(text), say: () => {} };
    expect(replayCommand(["--json", "--no-runs", `--verbosity=${verbosity}`, sample], terminal)).toBe(0);
    const emitted = new Map(
      printed
        .join("")
        .split("\n")
        .filter(Boolean)
        .map(line => JSON.parse(line) as { context: string; id: string; emitted: string; refs: string[] })
        .filter(({ context, refs }) => context === "main" && refs.length > 0)
        .map(line => [line.id, line.emitted]),
    );
    const view = new SessionView(sample, [sample], { ...DEFAULT_SETTINGS, runs: false, verbosity }, undefined);
    const shown = hintsOf(view).flatMap((hint, row) =>
      hint == null ? [] : [[view.place("main", row)?.id, hint] as const],
    );
    expect(shown.length).toBeGreaterThan(0);
    expect(new Map(shown)).toEqual(emitted);
  });
});

describe("a hint for the lines of a file", () => {
  it("is found after what Claude Code adds before them", () => {
    const [before, lines] = ["<note>\nread in part\n</note>\n", "1\tone\n2\ttwo"];
    const replaced = { begin: before.length, end: before.length + lines.length };
    const emission = { hint: "1\t> [ref: r1, byte-identical]", replaced };
    const emitted = emittedBy(before + lines, emission).split("\n");
    const found = placed(emission, { rowOf: id => (id === "r1" ? 7 : -1), emissionOf: () => undefined });
    const [hint] = hintsIn(before + lines, found);
    expect([emitted[hint?.line ?? -1], hint?.row]).toEqual([emission.hint, 7]);
  });
});
