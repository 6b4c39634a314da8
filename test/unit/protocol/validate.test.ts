import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToHost } from "../../../src/protocol/messages.js";
import type { PageAsk } from "../../../src/protocol/requests.js";
import { refusalOf, toHostMessage } from "../../../src/protocol/validate.js";
import { turning } from "../../support/turns.js";

const ASKS: readonly PageAsk[] = [
  { method: "details", row: 0 },
  { method: "openCall", row: 5 },
  { method: "transcript", fromRow: 40, count: 20 },
  { method: "compare", row: 1 },
  { method: "logLine", row: 1 },
  { method: "find", text: "x", fromRow: 3, step: -1 },
  { method: "openComparison", row: 1 },
  { method: "openComparison", row: 1, strategy: "span-inputs" },
  { method: "openLogLine", row: 1 },
  { method: "compare", row: 1, strategy: "span" },
  { method: "strategies" },
  { method: "passes" },
  { method: "savings", strategy: "whole-unbounded" },
  { method: "emitted", row: 3, strategy: "span-inputs" },
  { method: "lines", row: 3, input: null, from: 1, to: 20 },
  { method: "lines", row: 3, input: "new_string", from: 7, to: 7 },
  { method: "compareAll", on: true },
  { method: "setCapacity", capacity: 12 },
  { method: "setAxis", axis: "time" },
  { method: "openSettings" },
  { method: "turnLiveHints", on: true },
  { method: "offerLiveHints", on: false },
  { method: "acceptLiveHints", offer: 3, place: 1 },
  { method: "openSample" },
  { method: "exportReport" },
];

const MESSAGES: readonly ToHost[] = [
  { type: "ready" },
  { type: "hidden" },
  { type: "select", session: "/a/b.jsonl" },
  { type: "select", session: "/a/b.jsonl", context: "agent-1" },
  { type: "follow", on: false },
  ...ASKS.map((ask, id) => ({ type: "request" as const, id, ask })),
];

describe("toHostMessage", () => {
  it.each(MESSAGES.map(message => [message]))("takes %j", message => {
    expect(toHostMessage(message)).toEqual(message);
    expect(toHostMessage(JSON.parse(JSON.stringify(message)))).toEqual(message);
  });

  it("drops what it does not know", () => {
    expect(toHostMessage({ type: "ready", extra: 1, __proto__: { x: 1 } })).toEqual({ type: "ready" });
    const ask = { method: "details", row: 1, path: "/etc/passwd" };
    expect(toHostMessage({ type: "request", id: 1, ask })).toEqual({
      type: "request",
      id: 1,
      ask: { method: "details", row: 1 },
    });
  });

  it.each([
    [null],
    [undefined],
    ["ready"],
    [[]],
    [{}],
    [{ type: "snapshot" }],
    [{ type: "toString" }],
    [{ type: "select" }],
    [{ type: "select", session: "" }],
    [{ type: "select", session: 3 }],
    [{ type: "select", session: "x".repeat(40_000) }],
    [{ type: "select", session: "x", context: 1 }],
    [{ type: "follow", on: "yes" }],
    [{ type: "request", ask: { method: "details", row: 1 } }],
    [{ type: "request", id: -1, ask: { method: "details", row: 1 } }],
    [{ type: "request", id: 1 }],
    [{ type: "request", id: 1, ask: { method: "compare", row: 1, strategy: "exact" } }],
    [{ type: "request", id: 1, ask: { method: "emitted", row: 1 } }],
    [{ type: "request", id: 1, ask: { method: "savings", strategy: "toString" } }],
    [{ type: "request", id: 1, ask: { method: "compareAll", on: 1 } }],
    [{ type: "request", id: 1, ask: { method: "lines", row: 1, input: 3, from: 1, to: 2 } }],
    [{ type: "request", id: 1, ask: { method: "lines", row: 1, input: null, from: 0, to: 2 } }],
    [{ type: "request", id: 1, ask: { method: "constructor" } }],
    [{ type: "request", id: 1, ask: { method: "sessions" } }],
    [{ type: "request", id: 1, ask: { method: "stretch", row: 1 } }],
    [{ type: "request", id: 1, ask: { method: "details" } }],
    [{ type: "request", id: 1, ask: { method: "details", row: -1 } }],
    [{ type: "request", id: 1, ask: { method: "details", row: 1.5 } }],
    [{ type: "request", id: 1, ask: { method: "details", row: "1" } }],
    [{ type: "request", id: 1, ask: { method: "transcript", fromRow: 0, count: 1_000_000 } }],
    [{ type: "request", id: 1, ask: { method: "transcript", fromRow: 0, count: 0 } }],
    [{ type: "request", id: 1, ask: { method: "find", text: "", fromRow: 0, step: 1 } }],
    [{ type: "request", id: 1, ask: { method: "find", text: "x".repeat(1001), fromRow: 0, step: 1 } }],
    [{ type: "request", id: 1, ask: { method: "find", text: "x", fromRow: -1, step: 1 } }],
    [{ type: "request", id: 1, ask: { method: "find", text: "x", fromRow: 0, step: 2 } }],
    [{ type: "request", id: 1, ask: { method: "setCapacity", capacity: 0 } }],
    [{ type: "request", id: 1, ask: { method: "setCapacity", capacity: Number.NaN } }],
    [{ type: "request", id: 1, ask: { method: "setCapacity", capacity: 1e9 } }],
    [{ type: "request", id: 1, ask: { method: "setAxis", axis: "size" } }],
    [{ type: "request", id: 1, ask: { method: "acceptLiveHints", offer: 1, place: "/etc" } }],
    [{ type: "request", id: 1, ask: { method: "acceptLiveHints", place: 1 } }],
  ])("refuses %j", message => {
    expect(toHostMessage(message)).toBeUndefined();
  });

  it("survives anything", async () => {
    await fc.assert(
      turning(fc.anything(), value => {
        const message = toHostMessage(value);
        expect(message === undefined || MESSAGES.some(({ type }) => type === message.type)).toBe(true);
      }),
    );
  });
});

describe("refusalOf", () => {
  it("answers a request that was rejected, and nothing else", () => {
    const refused = { type: "failure", id: 3, message: expect.stringContaining("invalid request") };
    expect(refusalOf({ type: "request", id: 3, ask: { method: "nobody" } })).toEqual(refused);
    for (const message of [null, "x", { type: "request" }, { type: "request", id: -1 }, { type: "other", id: 3 }]) {
      expect(refusalOf(message)).toBeUndefined();
    }
  });
});
