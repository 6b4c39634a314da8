/** What holds for any list of messages, however odd. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyAll } from "../../../../src/dedup/passes/applyAll.js";
import { collapseRepeatedCalls } from "../../../../src/dedup/passes/collapseRepeatedCalls.js";
import { dedupToolOutputs } from "../../../../src/dedup/passes/dedupToolOutputs.js";
import { NO_STATS, type PassResult } from "../../../../src/dedup/passes/pass.js";
import { projectPasses } from "../../../../src/dedup/passes/projections.js";
import { pruneLowEntropy } from "../../../../src/dedup/passes/pruneLowEntropy.js";
import { pruneThinking } from "../../../../src/dedup/passes/pruneThinking.js";
import { repairOrphans } from "../../../../src/dedup/passes/repairOrphans.js";
import { bytesIn } from "../../../../src/dedup/passes/sizes.js";
import { snippet } from "../../../../src/dedup/passes/snippet.js";
import { streamingTrim } from "../../../../src/dedup/passes/streamingTrim.js";
import type { LiveRequest, Message, Part } from "../../../../src/log/conversation/message.js";
import { turning } from "../../../support/turns.js";

const words = fc.constantFrom("plan", "a  b", "", "---", "…", "```", "é漢🦀", " ", "\t", "{}");
const prose = fc.array(words, { maxLength: 8 }).map(lines => lines.join("\n"));
const body = fc.oneof(
  prose,
  fc.constantFrom("x".repeat(256), "é".repeat(128), "🦀".repeat(1500), "y".repeat(5000)),
  fc.constant(null),
);
const id = fc.constantFrom("t0", "t1", "t2", "t3", "t4", "t5");
const input = fc.constantFrom("{}", `{"p":"${"q".repeat(64)}"}`, `{"p":"${"é".repeat(64)}"}`);

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ kind: fc.constant("text" as const), text: prose }),
  fc.record({ kind: fc.constant("thinking" as const), text: prose }),
  fc.record({ kind: fc.constant("call" as const), id, name: fc.constantFrom("Read", "Bash"), input }),
  fc.record({ kind: fc.constant("result" as const), id, text: body }),
  fc.constant({ kind: "other" as const }),
);
const message: fc.Arbitrary<Message> = fc.record({
  role: fc.constantFrom("user" as const, "assistant" as const, "tool" as const),
  parts: fc.array(part, { maxLength: 4 }),
});
const anyList = fc.array(message, { maxLength: 40 });

/** Lists as in APIs: each call once, its result in the next message, prompts in between. */
const turn = fc.record({ think: prose, say: prose, body, ask: fc.option(prose) });
const orderlyList = fc.array(turn, { maxLength: 30 }).map(turns =>
  turns.flatMap(({ think, say, body: text, ask }, at): Message[] => {
    const call: Part = { kind: "call", id: `t${at}`, name: "Read", input: "{}" };
    return [
      { role: "assistant", parts: [{ kind: "thinking", text: think }, { kind: "text", text: say }, call] },
      { role: "tool", parts: [{ kind: "result", id: `t${at}`, text }] },
      ...(ask === null ? [] : [{ role: "user" as const, parts: [{ kind: "text" as const, text: ask }] }]),
    ];
  }),
);

/** The same with messages lost: results without calls, calls without results, but nothing before its cause. */
const tornList = fc
  .tuple(orderlyList, fc.infiniteStream(fc.nat(9)))
  .map(([list, chance]) => list.filter(() => chance.next().value > 0));

type Pass = (messages: readonly Message[]) => PassResult;
const dedup0: Pass = list => dedupToolOutputs(list, { keepLast: 0 });
const dedup8: Pass = list => dedupToolOutputs(list, { keepLast: 8 });
/** Each pass with the number of newest messages that it never touches. */
const REWRITING: readonly (readonly [name: string, keep: number, pass: Pass])[] = [
  ["dedupToolOutputs", 0, dedup0],
  ["dedupToolOutputs, keeping eight", 8, dedup8],
  ["pruneThinking", 4, pruneThinking],
  ["pruneLowEntropy", 6, pruneLowEntropy],
  ["snippet", 8, snippet],
  ["collapseRepeatedCalls", 8, collapseRepeatedCalls],
];

describe.each(REWRITING)("%s, on any list", (_, keep, pass) => {
  it("saves exactly what it says", async () => {
    await fc.assert(
      turning(anyList, list => {
        const { messages, stats } = pass(list);
        expect(bytesIn(list) - bytesIn(messages)).toBe(stats.totalBytesSaved);
      }),
    );
  });

  it("is idempotent", async () => {
    await fc.assert(
      turning(anyList, list => {
        const once = pass(list).messages;
        expect(pass(once)).toEqual({ messages: once, stats: NO_STATS });
      }),
    );
  });

  it("leaves the newest messages alone", async () => {
    await fc.assert(
      turning(anyList, list => {
        const after = pass(list).messages;
        for (let back = 1; back <= Math.min(keep, list.length); back++) expect(after.at(-back)).toBe(list.at(-back));
      }),
    );
  });
});

it.each([
  ...REWRITING.map(([name, , pass]) => [name, pass] as const),
  ["streamingTrim", streamingTrim] as const,
  ["repairOrphans", repairOrphans] as const,
])("%s never modifies its input", async (_, pass) => {
  await fc.assert(
    turning(anyList, list => {
      const before = structuredClone(list);
      pass(list);
      expect(list).toEqual(before);
    }),
  );
});

describe("repairing", () => {
  it("leaves no call without a result and no result without a call", async () => {
    await fc.assert(
      turning(tornList, list => {
        const { messages } = repairOrphans(list);
        const ids = (kind: Part["kind"]) =>
          messages.flatMap(({ parts }) => parts.flatMap(one => (one.kind === kind && "id" in one ? one.id : [])));
        expect(ids("result").sort()).toEqual(ids("call").sort());
        expect(repairOrphans(messages).stats).toEqual(NO_STATS);
      }),
    );
  });

  it("is the only thing that the sum of savings leaves out", async () => {
    await fc.assert(
      turning(tornList, list => {
        const pruned = pruneLowEntropy(dedup0(pruneThinking(list).messages).messages).messages;
        const { messages, stats } = applyAll(list);
        expect(messages).toEqual(repairOrphans(pruned).messages);
        expect(stats.totalBytesSaved).toBe(bytesIn(list) - bytesIn(pruned));
      }),
    );
  });
});

it("all passes together, applied twice, do nothing more if nothing had to be repaired", async () => {
  await fc.assert(
    turning(tornList, fc.constantFrom(0 as const, 8 as const), (list, keepLast) => {
      // An inserted result makes the messages before it older by one.
      const once = applyAll(repairOrphans(list).messages, { keepLast }).messages;
      expect(applyAll(once, { keepLast }).messages).toEqual(once);
    }),
  );
});

it("streamingTrim never separates a call from its result", async () => {
  await fc.assert(
    turning(tornList, list => {
      const lone = (messages: readonly Message[]) => repairOrphans(messages).stats.snippetHits;
      expect(lone(streamingTrim(list).messages)).toBeLessThanOrEqual(lone(list));
    }),
  );
});

describe("a projection", () => {
  const tokens = fc.constantFrom(0, 1, 500, 20_000, 150_000);
  const usage = fc.record({
    model: fc.constant("claude"),
    input: tokens,
    output: tokens,
    cacheRead: fc.option(tokens),
    written5m: tokens,
    written1h: tokens,
  });

  it("never loses more than was cached, and a missing figure always has its reason", async () => {
    await fc.assert(
      turning(anyList, fc.infiniteStream(usage), (list, usages) => {
        const answers = list.flatMap(({ role }, index) => (role === "assistant" ? [index] : []));
        const requests: LiveRequest[] = answers.map(answer => ({ ...usages.next().value, answer }));
        const read = requests.findLast(({ input: total }) => total > 0)?.cacheRead ?? 0;
        for (const one of projectPasses(list, requests, { charsPerToken: 2.6, readShare: 0.1 })) {
          expect(one.rewrittenTokens ?? 0).toBeGreaterThanOrEqual(0);
          expect(one.rewrittenTokens ?? 0).toBeLessThanOrEqual(read);
          expect(one.breakEvenRequests === null).toBe(one.unpriced !== null);
          expect(one.breakEvenRequests ?? 0).toBeGreaterThanOrEqual(0);
          if (one.rewrittenTokens === null) expect(one.unpriced).toBe("noUsage");
          if (one.firstChanged === null) expect(one.bytesAfter).toBe(one.bytesBefore);
        }
      }),
    );
  });
});
