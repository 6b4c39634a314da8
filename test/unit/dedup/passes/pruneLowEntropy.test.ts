import { describe, expect, it } from "vitest";
import { pruneLowEntropy } from "../../../../src/dedup/passes/pruneLowEntropy.js";
import { assistant, prompts, result, text, thinking, tool, user } from "../../../support/messages.js";

/** What an old answer's text becomes. */
function pruned(value: string): string {
  const [part] = pruneLowEntropy([assistant(value), ...prompts(6)]).messages[0]?.parts ?? [];
  return part?.kind === "text" ? part.text : "";
}

describe("an old answer's text", () => {
  it.each([
    [
      "blank lines, dots and spaces",
      "Here is my   plan.\n\n\n\n...\n   \nAnd it works.  \n",
      "Here is my plan.\n\nAnd it works.\n",
    ],
    ["dots alone", "real content\n...\n...\nmore content\n", "real content\n\nmore content\n"],
    ["a horizontal rule", "x\n---\ny", "x\n\ny"],
    ["the indentation of a list", "- a\n    - b  c\n", "- a\n - b c\n"],
    ["only the indentation of what is not quite a rule", "x\n  ---\ny", "x\n ---\ny"],
    ["every kind of noise", "a\n.…-_*=\nb\n", "a\n\nb\n"],
    ["carriage returns", "a\r\nb\r\n", "a\nb\n"],
    ["a rule at the very end, for a newline", "x\n----", "x\n\n"],
  ])("loses %s", (_, before, after) => {
    expect(pruned(before)).toBe(after);
  });

  it.each([
    ["is tidy", "one\n\ntwo\n"],
    ["is empty", ""],
    ["would only grow", "."],
  ])("is unchanged if it %s", (_, value) => {
    expect(pruned(value)).toBe(value);
  });

  it("keeps code as it is", () => {
    const before = "text  with   spaces\n```\nfn  foo() {}\n\n\n\n---\n```\ntail";
    expect(pruned(before)).toBe("text with spaces\n```\nfn  foo() {}\n\n\n\n---\n```\ntail");
    expect(pruned("a  b\n\n```\nx\n```\n\nc")).toBe("a b\n\n```\nx\n```\n\nc");
    expect(pruned("  ```ts\na  b")).toBe("  ```ts\na  b");
  });
});

describe("pruning", () => {
  it("counts the bytes of each text that got shorter", () => {
    const { stats } = pruneLowEntropy([assistant(text("a  b"), text("tidy"), text("…\n…\n…\n")), ...prompts(6)]);
    // One space; three lines of 4 bytes become one newline.
    expect(stats).toEqual({ dedupHits: 0, snippetHits: 2, totalBytesSaved: 1 + 11 });
  });

  it("never touches users, results, thinking or the last six messages", () => {
    const noisy = "a   b\n\n\n\nc";
    const list = [user(noisy), tool(result("t", noisy)), assistant(thinking(noisy)), ...prompts(6)];
    const NOTHING = { dedupHits: 0, snippetHits: 0, totalBytesSaved: 0 };
    expect(pruneLowEntropy(list)).toEqual({ messages: list, stats: NOTHING });
    const recent = [assistant(noisy), ...prompts(5)];
    expect(pruneLowEntropy(recent)).toEqual({ messages: recent, stats: NOTHING });
  });
});
