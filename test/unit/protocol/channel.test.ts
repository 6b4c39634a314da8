import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AskChannel, answerTo } from "../../../src/protocol/channel.js";
import type { ToHost } from "../../../src/protocol/messages.js";

const ASK = { method: "openSample" } as const;

describe("AskChannel", () => {
  let sent: ToHost[];
  let channel: AskChannel;

  beforeEach(() => {
    vi.useFakeTimers();
    sent = [];
    channel = new AskChannel(message => sent.push(message), 1000);
  });

  afterEach(() => vi.useRealTimers());

  it("matches answers to questions by their numbers, in any order", async () => {
    const first = channel.ask(ASK);
    const second = channel.ask({ method: "details", row: 4 });
    expect(sent).toEqual([
      { type: "request", id: 1, ask: ASK },
      { type: "request", id: 2, ask: { method: "details", row: 4 } },
    ]);
    channel.take({ type: "reply", id: 2, result: "two" });
    channel.take({ type: "failure", id: 1, message: "no" });
    await expect(second).resolves.toBe("two");
    await expect(first).rejects.toThrow("no");
  });

  it("waits only so long, and takes no answer afterwards", async () => {
    const question = channel.ask(ASK);
    const failure = expect(question).rejects.toThrow("No answer in time");
    await vi.advanceTimersByTimeAsync(1000);
    await failure;
    channel.take({ type: "reply", id: 1, result: "late" });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("drops what nobody asked for", () => {
    expect(() => channel.take({ type: "reply", id: 99, result: null })).not.toThrow();
  });

  it("rejects everything when it ends, and everything after that", async () => {
    const open = [channel.ask(ASK), channel.ask(ASK)];
    channel.dispose();
    for (const question of open) await expect(question).rejects.toThrow("closed");
    await expect(channel.ask(ASK)).rejects.toThrow("closed");
    expect(sent).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("rejects a question that could not be sent", async () => {
    const broken = new AskChannel(() => {
      throw new Error("no way");
    });
    await expect(broken.ask(ASK)).rejects.toThrow("no way");
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("answerTo", () => {
  const request = { type: "request", id: 7, ask: ASK } as const;

  it("replies with the result, now or later", async () => {
    expect(await answerTo(request, () => 1)).toEqual({ type: "reply", id: 7, result: 1 });
    expect(await answerTo(request, async () => undefined)).toEqual({ type: "reply", id: 7, result: null });
  });

  it("turns whatever is thrown into a failure", async () => {
    const thrower = (error: unknown) => () => {
      throw error;
    };
    expect(await answerTo(request, thrower(new Error("x")))).toEqual({ type: "failure", id: 7, message: "x" });
    expect(await answerTo(request, thrower("y"))).toEqual({ type: "failure", id: 7, message: "y" });
    expect(await answerTo(request, () => Promise.reject(new Error("z")))).toMatchObject({ message: "z" });
  });
});
