import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import type { PanelState, ToPage } from "../../../src/protocol/messages.js";
import { type Posted, packState } from "../../../src/protocol/packing.js";
import { Outbox } from "../../../src/vscode/outbox.js";

/** A fake of VS Code's webview: what is posted arrives when the test says so. */
class SlowPage {
  readonly posted: Posted[] = [];
  readonly #arrive: ((arrived: boolean) => void)[] = [];

  postMessage(message: Posted): Promise<boolean> {
    this.posted.push(message);
    return new Promise(resolve => this.#arrive.push(resolve));
  }

  async arrive(): Promise<void> {
    for (const resolve of this.#arrive.splice(0)) resolve(true);
    await turn();
  }

  get types(): string[] {
    return this.posted.map(({ type }) => type);
  }
}

const delta = (seq: number): ToPage => ({ type: "delta", seq, delta: {} });

/** A snapshot of three pieces. */
function snapshot(seq: number): ToPage {
  const context = { rows: [], ids: [], targets: ["x".repeat(600_000)] };
  return { type: "snapshot", seq, state: packState({ context } as unknown as PanelState) };
}

it("yields after each piece, and keeps the order", async () => {
  const page = new SlowPage();
  const outbox = new Outbox(page);
  outbox.post(snapshot(1));
  outbox.post(delta(2));
  expect(page.types).toEqual(["piece"]);
  await page.arrive();
  expect(page.types).toEqual(["piece", "piece"]);
  await page.arrive();
  await page.arrive();
  expect(page.types).toEqual(["piece", "piece", "piece", "snapshot", "delta"]);
  outbox.post(delta(3));
  expect(page.types).toHaveLength(6);
});

it("drops what was meant for a page that has reloaded", async () => {
  const page = new SlowPage();
  const outbox = new Outbox(page);
  outbox.post(snapshot(1));
  outbox.clear();
  outbox.post(delta(2));
  await page.arrive();
  expect(page.types).toEqual(["piece", "delta"]);
});

it("continues if a page cannot be reached", async () => {
  const posted: string[] = [];
  const outbox = new Outbox({
    postMessage: async (message: Posted) => {
      posted.push(message.type);
      throw new Error("disposed");
    },
  });
  outbox.post(snapshot(1));
  await turn();
  expect(posted).toEqual(["piece", "piece", "piece", "snapshot"]);
});
