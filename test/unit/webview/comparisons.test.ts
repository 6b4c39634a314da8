import { expect, it } from "vitest";
import type { PanelState, PanelUpdate } from "../../../src/protocol/messages.js";
import { packState } from "../../../src/protocol/packing.js";
import type { PageAsk } from "../../../src/protocol/requests.js";
import { ContextComparisons } from "../../../webview/state/contextComparisons.js";
import { PanelStore } from "../../../webview/state/panelStore.js";
import { sampleText } from "../../support/sample.js";
import { replayed, stateOf } from "./context.js";

const context = stateOf(replayed(sampleText()));

/** The page's store and its comparisons; each request is answered when the test says so. */
function opened() {
  const store = new PanelStore(
    () => {},
    flush => flush(),
  );
  const asked: { readonly ask: PageAsk; answer(result: unknown): void; fail(why: string): void }[] = [];
  const comparisons = new ContextComparisons(
    store,
    ask =>
      new Promise((resolve, reject) => {
        asked.push({ ask, answer: resolve, fail: why => reject(new Error(why)) });
      }),
  );
  let seq = 0;
  const show = (basis: string, session = "s") => {
    const state = { basis, selected: { session, context: "main" }, context } as unknown as PanelState;
    store.take({ type: "snapshot", seq: ++seq, state: packState(state) } satisfies PanelUpdate);
    comparisons.wantSavings("span");
  };
  const settled = () => new Promise(resolve => setTimeout(resolve));
  return { show, asked, settled, comparisons, shown: () => comparisons.savings.state.value };
}

it("a comparison stays visible under other settings, marked as old, until the new one arrives", async () => {
  const { show, asked, settled, comparisons } = opened();
  const shown = () => comparisons.strategies.state.value;
  const compared = (basis: string) => {
    show(basis);
    comparisons.wantAll();
  };
  const answer = async (to: string) => {
    for (const { ask, answer: give } of asked.splice(0)) if (ask.method === "strategies") give(to);
    await settled();
  };
  compared("capacity 5");
  await answer("with 5");
  expect(shown()).toEqual({ value: "with 5" });
  compared("capacity 12");
  expect(shown()).toEqual({ value: "with 5", isOld: true });
  await answer("with 12");
  expect(shown()).toEqual({ value: "with 12" });
});

it("the timeline's answer under other settings is not kept, nor accepted when it comes late", async () => {
  const { show, asked, settled, shown } = opened();
  show("capacity 5");
  asked[0]?.answer([1, 100]);
  await settled();
  expect(shown()).toEqual({ value: [1, 100] });
  show("capacity 6");
  expect(shown()).toEqual({});
  show("capacity 7");
  asked[1]?.answer([1, 6]);
  await settled();
  expect(shown()).toEqual({});
  expect(asked).toHaveLength(3);
  asked[2]?.fail("no memory");
  await settled();
  expect(shown()).toEqual({ problem: "no memory" });
});

it("under the same settings the last answer stays visible until the next one arrives", async () => {
  const { show, asked, settled, shown } = opened();
  show("capacity 5");
  asked[0]?.answer([1, 100]);
  await settled();
  show("capacity 5");
  expect(shown()).toEqual({ value: [1, 100] });
  show("capacity 5", "another session");
  expect(shown()).toEqual({});
});

it("a request that failed leaves only the reason, and can be repeated", async () => {
  const { show, asked, settled, shown, comparisons } = opened();
  show("capacity 5");
  comparisons.retry();
  expect(asked).toHaveLength(1);
  asked[0]?.fail("no memory");
  await settled();
  expect([shown(), comparisons.problem]).toEqual([{ problem: "no memory" }, "no memory"]);
  comparisons.retry();
  expect([shown(), comparisons.problem]).toEqual([{}, undefined]);
  asked[1]?.answer([1, 100]);
  await settled();
  expect(shown()).toEqual({ value: [1, 100] });
});
