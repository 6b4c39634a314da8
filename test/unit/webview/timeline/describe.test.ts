import { describe, expect, it } from "vitest";
import { eventLabel, factsOf, factsOfRow, spoken, summaryOf } from "../../../../webview/timeline/describe.js";
import { TimelineModel } from "../../../../webview/timeline/model/timelineModel.js";
import { inputOf, manyResults, mark, modelOf, type Result, sceneFor } from "./support.js";

function wordsOf(results: readonly Result[], marks = [mark("boundary", 1)]) {
  const input = inputOf(results, marks);
  const model = new TimelineModel(input.rows);
  model.grow(input);
  return { input, model };
}

describe("what is said", () => {
  it("sums up the session", () => {
    const model = modelOf(manyResults(412).map((result, row) => ({ ...result, partition: Math.floor(row / 200) })));
    expect(summaryOf(model)).toBe("412 results, 41 repeat, 3 partitions");
  });

  it("names a hit's reference", () => {
    const words = wordsOf([{}, { tool: "Bash" }, { outcome: "hit", ref: 0, chars: 8560, partition: 1 }]);
    const facts = factsOfRow(words, 2);
    expect(facts.title).toBe("Read file2");
    expect(facts.lines).toEqual([
      "2,140 tokens · Hit · Identical to an earlier result",
      "Refers to call 1 (Read file0), 2 results earlier",
      "Call 3 · Partition 1",
    ]);
    expect(spoken(facts)).toContain("Refers to call 1 (Read file0), 2 results earlier. Call 3. Partition 1");
    expect(factsOfRow(words, 0).lines).toContain("Repeated by 1 later result");
  });

  it("says what another strategy would leave out, if it is shown", () => {
    const input = {
      ...inputOf([{ chars: 4000 }, {}]),
      savings: { name: "Runs of lines", chars: new Map([[0, 1000]]) },
    };
    const model = new TimelineModel(input.rows);
    model.grow(input);
    expect(factsOfRow({ input, model }, 0).lines).toContain("Runs of lines: 250 tokens less (25 %)");
    expect(factsOfRow({ input, model }, 1).lines.join()).not.toContain("less");
  });

  it("says what an edit did, and why a miss found nothing", () => {
    const words = wordsOf(
      [{}, { tool: "Edit", outcome: "bypass:small", invalidations: 1 }, { outcome: "miss:invalidated", cause: 1 }],
      [mark("invalidate", 1, { dropped: [0] })],
    );
    expect(factsOfRow(words, 0).lines).toContain("Invalidated by call 2 (Edit file1)");
    expect(factsOfRow(words, 1).lines).toContain("Invalidates 1 earlier result");
    expect(factsOfRow(words, 2).lines).toContain("Lost because of call 2 (Edit file1)");
  });

  it("labels events", () => {
    const model = modelOf(
      [{}, {}],
      [
        mark("boundary", 1, { trigger: "auto", preTokens: 167_200, postTokens: 12_000, kept: [0, 1] }),
        mark("rewind", 2, { dropped: [0, 1, 1] }),
        mark("shrink", 2),
      ],
    );
    expect(model.events.map(event => eventLabel(event))).toEqual([
      "Auto-compaction · 167k → 12.0k tokens · 2 kept",
      "Rewind · 3 dropped",
      "Shrink",
    ]);
  });

  it("sums up a bar", () => {
    const input = inputOf(manyResults(9000));
    const model = new TimelineModel(input.rows);
    model.grow(input);
    const facts = factsOf({ input, model }, sceneFor(model), { kind: "cell", cell: 0 });
    expect(facts.title).toMatch(/^Read · \d+ results$/);
    expect(facts.lines[1]).toMatch(/^Results 1 to \d+$/);
  });
});
