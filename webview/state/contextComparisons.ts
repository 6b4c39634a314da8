import { computed, type ReadonlySignal } from "@preact/signals";
import type { Strategy } from "../../src/inspect/strategies.js";
import type { Ask, AskHost, PageRequests } from "../../src/protocol/requests.js";
import { KeptAnswer } from "./keptAnswer.js";
import type { PanelStore } from "./panelStore.js";

/** What the engine compares in the conversation that is shown: requested by the views, again whenever it changes. */
export class ContextComparisons {
  readonly strategies: KeptAnswer<Ask<PageRequests, "strategies">>;
  readonly passes: KeptAnswer<Ask<PageRequests, "passes">>;
  /** Of the strategy that the timeline shows. */
  readonly savings: KeptAnswer<Ask<PageRequests, "savings">>;
  readonly #subject: ReadonlySignal<string>;
  /** Changes whenever an answer may change. */
  readonly version: ReadonlySignal<string>;

  constructor(store: PanelStore, ask: AskHost) {
    this.strategies = new KeptAnswer(ask);
    this.passes = new KeptAnswer(ask);
    this.savings = new KeptAnswer(ask);
    this.#subject = computed(() => {
      const { selected, basis } = store.members ?? {};
      // Other settings are another subject: an old answer must not be shown any longer.
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
