import { expect, it } from "vitest";
import type { Comparisons } from "../../../src/engine/compare/comparisons.js";
import { RequestScope, requestHandlers } from "../../../src/engine/requestHandlers.js";
import { handle } from "../../../src/protocol/channel.js";

it("the list of sessions is answered after it was read, or after a limited time", async () => {
  const steps: string[] = [];
  const store = {
    sessions: () => {
      steps.push("answered");
      return [];
    },
    ratios: () => ({ everywhere: new Map() }),
  };
  const reader = {
    want: async (maxMs?: number) => {
      expect(maxMs).toBeGreaterThan(0);
      await new Promise(resolve => setImmediate(resolve));
      steps.push("read");
    },
  };
  const handlers = requestHandlers(store, reader, {} as unknown as Comparisons);
  const open = () => {
    throw new Error("no session is asked for");
  };
  expect(await handle(handlers, { method: "sessions" }, new RequestScope({ open }, undefined, 1000))).toEqual([]);
  expect(steps).toEqual(["read", "answered"]);
});
