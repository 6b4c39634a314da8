/** The pane in words: what it says at any width, and that nothing is lost or cut if there is room. */
import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { Ledger } from "../../../src/mod/ledger.js";
import { paneLines, plainLine, shortLine } from "../../../src/words/paneTexts.js";

const NOW = Date.parse("2026-11-17T12:00:00Z");
/** 40 lines of 50 characters with their breaks: 2,000 characters. */
const TEXT = Array.from({ length: 40 }, (_, line) => `line ${line} of a text`.padEnd(49, ".")).join("\n");

/** A session without hints: each result belongs to one call, and each call has its own request. */
function session(...results: readonly (readonly [target: string, text: string])[]): Ledger {
  const ledger = new Ledger(DEFAULT_SETTINGS);
  ledger.settle([], "/p");
  for (const [index, [target, text]] of results.entries()) {
    const id = `toolu_${index}`;
    const usage = { input_tokens: 20, cache_creation_input_tokens: 10_000, cache_read_input_tokens: 34_980 };
    ledger.ask({ model: "claude-opus-5" });
    const call = { type: "tool_use", id, name: "Bash", input: { command: target } };
    ledger.take({ door: "response", message: { content: [call] } }, "/p", NOW);
    ledger.answered({}, { usage }, NOW);
    const result = { type: "tool_result", tool_use_id: id, content: text };
    ledger.take({ door: "tool-result", message: { content: [result] } }, "/p", NOW);
  }
  return ledger;
}

const said = (ledger: Ledger, width: number, { now = NOW, isOn = true, results = 10 } = {}) =>
  paneLines(ledger.basis(isOn), now, { width, results }).map(plainLine);

describe("the pane's lines", () => {
  const ledger = session(["cat a.txt", TEXT], ["ls", "a.txt"], ["cat a.txt", TEXT], ["head b.txt", `new\n${TEXT}`]);

  it("say what repeats and where, newest first", () => {
    const lines = said(ledger, 100);
    expect(lines.slice(0, 3)).toEqual([
      // Hints of about 50 characters save the rest of 1,999 and of 1,999 characters out of 6,006: 3,900 ÷ 2.6 tokens.
      expect.stringMatching(
        /^Could save {4}1\.5k tokens {2}65 % of tool results · 2 of 4 results repeat · error unknown$/,
      ),
      "Saved so far  on           live hints · none here yet",
      expect.stringMatching(/^Context {7}45\.0k of 1M {2}4\.5 % full · cached until \d\d:05 or later$/),
    ]);
    expect(lines.slice(3)).toEqual([
      "",
      "Last results",
      expect.stringMatching(/^4 {2}9\d % {2}Bash head b\.txt {2}in call 1, Bash cat a\.txt$/),
      expect.stringMatching(/^3 {2}9\d % {2}Bash cat a\.txt {3}hit = call 1$/),
      "2        Bash ls          too small",
      "1        Bash cat a.txt   new",
    ]);
  });

  it("say the same in a narrow window, on more lines", () => {
    const [wide, narrow] = [said(ledger, 120), said(ledger, 44)];
    const words = (lines: string[]) => lines.join(" ").split(/\s+/).filter(Boolean).sort();
    expect(words(narrow).filter(word => !word.endsWith("…"))).toEqual(
      expect.arrayContaining(["hit", "=", "new", "ls"]),
    );
    expect(Math.max(...narrow.map(line => line.length))).toBeLessThanOrEqual(44);
    expect(narrow.length).toBeGreaterThan(wide.length);
    expect(narrow[0]).toBe("Could save    1.5k tokens");
  });

  it.each([1, 7, 20, 30, 76, 200])("never exceed a width of %i", width => {
    for (const line of said(ledger, width)) expect(line.length).toBeLessThanOrEqual(width);
  });

  it("say when the prompt is no longer cached, if the log says for how long it was", () => {
    const write = (life: string) => `{"cache_creation":{"ephemeral_${life}_input_tokens":10000}}`;
    const cached = (log: string, seconds: number) => {
      const ledger = session(["cat a.txt", TEXT]);
      ledger.read(log);
      return said(ledger, 100, { now: NOW + seconds * 1000 })[2];
    };
    expect(cached("", 299)).toMatch(/full · cached until \d\d:05 or later$/);
    expect(cached("", 301)).toMatch(/full$/);
    expect(cached(write("5m"), 299)).toMatch(/cached until \d\d:05$/);
    expect(cached(write("5m"), 301)).toMatch(/cache expired \d\d:05$/);
    expect(cached(`${write("5m")}\n${write("1h")}`, 3599)).toMatch(/cached until \d\d:00$/);
    // Foreign text in a result is escaped.
    expect(cached(`${write("5m")}\n${JSON.stringify(write("1h"))}`, 301)).toMatch(/cache expired \d\d:05$/);
  });

  it("say if live hints are off", () => {
    expect(said(ledger, 100, { isOn: false })[1]).toBe("Saved so far  off");
  });

  it("show as many results as requested, and none if there are none", () => {
    expect(said(ledger, 100, { results: 1 }).slice(5)).toHaveLength(1);
    expect(said(session(), 100)).toEqual([
      "Could save    0 tokens  0 results, nothing repeats",
      "Saved so far  on        live hints · none here yet",
    ]);
  });

  it("have one line for each, however narrow, as long as it fits", () => {
    const short = session(["cat a.txt", TEXT], ["ls", "a.txt"], ["cat a.txt", TEXT]);
    expect(said(short, 50).slice(-3)).toEqual([
      expect.stringMatching(/^3 {2}9\d % {2}Bash cat a\.txt {2}hit = call 1$/),
      "2        Bash ls         too small",
      "1        Bash cat a.txt  new",
    ]);
  });

  it("are few words if only one line is wanted", () => {
    const basis = ledger.basis(true);
    expect(shortLine(basis)).toBe("Context 4.5 % full · 65 % repeats");
    expect(shortLine(session().basis(true))).toBe("");
  });

  it("let nothing in a call control the terminal", () => {
    const lines = said(session(["printf '\u001b[2J'\nrm \u202e", TEXT]), 200);
    expect(lines.join("")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});
