import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AskChannel, handle, replyTo } from "../../../src/protocol/channel.js";
import type { ToHost } from "../../../src/protocol/messages.js";
import type { CallDetails, Handlers, LibraryRequests, ReferencedLines } from "../../../src/protocol/requests.js";
import { toHostMessage } from "../../../src/protocol/validate.js";
import { strings } from "../../../src/words/strings.js";

const ASK = { method: "openSample" } as const;

describe("AskChannel", () => {
  let sent: ToHost[];
  let channel: AskChannel;

  beforeEach(() => {
    vi.useFakeTimers();
    sent = [];
    channel = new AskChannel(message => sent.push(message), strings.failures, 1000);
  });

  afterEach(() => vi.useRealTimers());

  /** Of the first two requests. */
  const ids = () => sent.map(message => ("id" in message ? message.id : -1)) as [number, number];

  it("matches answers to requests by their numbers, in any order", async () => {
    const first = channel.ask(ASK);
    const second = channel.ask({ method: "details", row: 4 });
    const [one, two] = ids();
    expect(sent).toEqual([
      { type: "request", id: one, ask: ASK },
      { type: "request", id: two, ask: { method: "details", row: 4 } },
    ]);
    channel.take({ type: "reply", id: two, result: "two" });
    channel.take({ type: "failure", id: one, message: "no" });
    await expect(second).resolves.toBe("two");
    await expect(first).rejects.toThrow("no");
  });

  it("times out, and accepts no answer afterwards", async () => {
    const question = channel.ask(ASK);
    const failure = expect(question).rejects.toThrow(strings.failures.noAnswer);
    await vi.advanceTimersByTimeAsync(1000);
    await failure;
    channel.take({ type: "reply", id: ids()[0], result: "late" });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("takes no answer to the page that was there before a reload", async () => {
    void channel.ask(ASK).catch(() => {});
    const reloaded = new AskChannel(message => sent.push(message), strings.failures, 1000);
    const failure = expect(reloaded.ask({ method: "details", row: 4 })).rejects.toThrow(strings.failures.noAnswer);
    reloaded.take({ type: "reply", id: ids()[0], result: "the old page's" });
    await vi.advanceTimersByTimeAsync(1000);
    await failure;
  });

  it("numbers requests as their validation expects", () => {
    const largest = vi.spyOn(Math, "random").mockReturnValue(1 - Number.EPSILON / 2);
    void new AskChannel(message => sent.push(message), strings.failures, 1000).ask(ASK).catch(() => {});
    expect(toHostMessage(sent[0])).toEqual(sent[0]);
    largest.mockRestore();
  });

  it("drops what nobody requested", () => {
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

  it("rejects a request that could not be sent", async () => {
    const broken = new AskChannel(() => {
      throw new Error("no way");
    }, strings.failures);
    await expect(broken.ask(ASK)).rejects.toThrow("no way");
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("replyTo", () => {
  it("replies with the result, now or later", async () => {
    expect(await replyTo(7, () => 1)).toEqual({ type: "reply", id: 7, result: 1 });
    expect(await replyTo(7, async () => undefined)).toEqual({ type: "reply", id: 7, result: null });
  });

  it("turns whatever is thrown into a failure", async () => {
    const thrower = (error: unknown) => () => {
      throw error;
    };
    expect(await replyTo(7, thrower(new Error("x")))).toEqual({ type: "failure", id: 7, message: "x" });
    expect(await replyTo(7, thrower("y"))).toEqual({ type: "failure", id: 7, message: "y" });
    expect(await replyTo(7, () => Promise.reject(new Error("z")))).toMatchObject({ message: "z" });
  });
});

describe("handle", () => {
  const handlers: Handlers<LibraryRequests, [who: string]> = {
    sessions: () => [],
    trial: () => null,
    stopTrial: () => {},
    compareAll: ({ on }, who) => {
      if (!on) throw new Error(`not for ${who}`);
    },
  };

  it("calls the handler of the request, with what it needs", async () => {
    expect(await handle(handlers, { method: "sessions" }, "me")).toEqual([]);
    await expect(handle(handlers, { method: "compareAll", on: false }, "me")).rejects.toThrow("not for me");
  });

  it.each(["toString", "nobody"])("says that %s is unknown", async method => {
    await expect(handle(handlers, { method } as never, "me")).rejects.toThrow(`unknown request: ${method}`);
  });
});

it("requests, handlers and answers are typed by their tables", async () => {
  const channel = new AskChannel(({ id }) => channel.take({ type: "reply", id, result: null }), strings.failures);
  const details: CallDetails | null = await channel.ask({ method: "details", row: 1 });
  expect(details).toBeNull();
  // @ts-expect-error: the answer is of another type.
  const lines: ReferencedLines = await channel.ask({ method: "details", row: 1 });
  expect(lines).toBeNull();
  // @ts-expect-error: the row is missing.
  await channel.ask({ method: "details" });
  // @ts-expect-error: only the host may ask this.
  await channel.ask({ method: "sessions" });
  // @ts-expect-error: a handler is missing.
  const incomplete: Handlers<LibraryRequests> = { sessions: () => [] };
  // @ts-expect-error: a handler gives another answer.
  const wrong: Handlers<LibraryRequests> = { sessions: () => 1, compareAll: () => {} };
  expect([incomplete, wrong]).toHaveLength(2);
});
