import { computed, type ReadonlySignal } from "@preact/signals";
import type { Strategy } from "../../src/inspect/strategies.js";
import type { ContextComparison, ContextPasses } from "../../src/protocol/comparison.js";
import type { Ask } from "../../src/protocol/messages.js";
import { KeptAnswer } from "./keptAnswer.js";
import type { PanelStore } from "./panelStore.js";

/** What the engine compares on the conversation in sight: asked for by who shows it, and anew when it has changed. */
export class ContextComparisons {
  readonly strategies: KeptAnswer<ContextComparison>;
  readonly passes: KeptAnswer<ContextPasses | null>;
  /** Of the strategy that the timeline shows: pairs of a row and the characters saved. */
  readonly savings: KeptAnswer<readonly number[]>;
  readonly #subject: ReadonlySignal<string>;
  /** Another one whenever an answer may be another. */
  readonly version: ReadonlySignal<string>;

  constructor(store: PanelStore, ask: (ask: Ask) => Promise<unknown>) {
    this.strategies = new KeptAnswer(ask);
    this.passes = new KeptAnswer(ask);
    this.savings = new KeptAnswer(ask);
    this.#subject = computed(() => {
      const { selected, basis } = store.members ?? {};
      // Under other settings it is another thing: an old answer must not stay in sight.
      return `${selected?.session}\n${selected?.context}\n${basis}`;
    });
    this.version = computed(() => `${this.#subject.value}\n${store.contextVersion}`);
  }

  wantAll(): void {
    const [subject, version] = [this.#subject.peek(), this.version.peek()];
    this.strategies.want({ method: "strategies" }, subject, version);
    this.passes.want({ method: "passes" }, subject, version);
  }

  wantSavings(strategy: Strategy): void {
    this.savings.want({ method: "savings", strategy }, `${strategy}\n${this.#subject.peek()}`, this.version.peek());
  }
}
