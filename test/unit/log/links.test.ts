/** How lines are linked, against one object per line, each pointing at its parent (test/reference/chain). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Chain } from "../../../src/log/chain.js";
import { hash64 } from "../../../src/log/lineIndex.js";
import { type Link, ParentLinks } from "../../../src/log/parentLinks.js";
import { addLink, leadsTo, nearestCall, type Link as ReferenceLink } from "../../reference/chain.js";
import { turning } from "../../support/turns.js";

/** There are few uuids, so that lines name each other, repeat, come too early and form cycles. */
const anyLines = fc.array(
  fc.record({
    uuid: fc.oneof({ weight: 20, arbitrary: fc.nat(30).map(String) }, { weight: 1, arbitrary: fc.constant(undefined) }),
    parent: fc.oneof(
      { weight: 12, arbitrary: fc.nat(30).map(String) },
      { weight: 12, arbitrary: fc.constant("newest") },
      { weight: 1, arbitrary: fc.constantFrom(null, undefined, 5, "gone") },
    ),
    isCall: fc.constantFrom(true, false, false),
    /** Lines of other contexts in between. */
    skip: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(6) }),
  }),
  { minLength: 10, maxLength: 60, size: "max" },
);

interface TestLine {
  readonly line: number;
  readonly uuid: string | undefined;
  readonly parent: string | number | null | undefined;
  readonly isCall: boolean;
}

function linkOf({ line, uuid, parent, isCall }: TestLine): Link {
  const [uuidHigh, uuidLow] = hash64(uuid ?? "");
  const [parentHigh, parentLow] = hash64(String(parent));
  return {
    line,
    hasUuid: uuid !== undefined,
    uuidHigh,
    uuidLow,
    uuid: () => uuid ?? "",
    parent: typeof parent === "string" ? "uuid" : parent === undefined ? "unspecified" : "none",
    parentHigh,
    parentLow,
    parentUuid: () => String(parent),
    standIns: undefined,
    isBoundary: false,
    isCall,
  };
}

function numbered(lines: typeof anyLines extends fc.Arbitrary<infer Lines> ? Lines : never): TestLine[] {
  let line = 0;
  return lines.map(({ uuid, parent, isCall, skip }, at) => {
    line += 1 + skip;
    return { line, uuid, parent: parent === "newest" ? lines[at - 1]?.uuid : parent, isCall };
  });
}

/** Both implementations at once: after each line, every pair of calls is compared. */
function check(lines: readonly TestLine[], resumeAt = -1): void {
  let links = new ParentLinks();
  let chain = new Chain();
  const reference: ReferenceLink[] = [];
  let newest: ReferenceLink | undefined;
  const calls: { node: number; link: ReferenceLink | undefined }[] = [];
  for (const [at, line] of lines.entries()) {
    if (at === resumeAt) [links, chain] = [new ParentLinks(structuredClone(links.since(1))), new Chain(chain.state)];
    const node = links.add(linkOf(line));
    for (const { call, from } of links.takeBranches() ?? []) chain.branch(call, from);
    newest = addLink(reference, newest, { ...line, call: line.isCall });
    if (line.isCall) calls.push({ node, link: nearestCall(newest) });
    const wrong = calls.flatMap(one =>
      calls.filter(other => chain.leads(one.node, other.node) !== leadsTo(one.link, other.link)),
    );
    expect(wrong).toEqual([]);
  }
}

describe("how lines are linked", () => {
  it("is what their parents say, whatever they say and in whatever order they come", async () => {
    await fc.assert(
      turning(anyLines, lines => check(numbered(lines))),
      { seed: 21, numRuns: 1000 },
    );
  });

  it("is saved and restored", async () => {
    await fc.assert(
      turning(anyLines, fc.nat(60), (lines, resumeAt) => check(numbered(lines), resumeAt)),
      { seed: 22, numRuns: 300 },
    );
  });
});
