import { computed, type ReadonlySignal } from "@preact/signals";
import type { Strategy } from "../../src/inspect/strategies.js";
import type { Ask, AskHost, PageRequests } from "../../src/protocol/requests.js";
import { KeptAnswer } from "./keptAnswer.js";
import type { PanelStore } from "./panelStore.js";

/** The engine's comparisons for the conversation shown: requested by the views, and again whenever it changes. */
export class ContextComparisons {
  readonly strategies: KeptAnswer<Ask<PageRequests, "strategies">>;
  readonly passes: KeptAnswer<Ask<PageRequests, "passes">>;
  /** For the strategy that the timeline shows. */
  readonly savings: KeptAnswer<Ask<PageRequests, "savings">>;
  readonly #subject: ReadonlySignal<string>;
  readonly #basis: ReadonlySignal<string>;
  /** Changes whenever an answer may change. */
  readonly version: ReadonlySignal<string>;

  constructor(store: PanelStore, ask: AskHost) {
    this.strategies = new KeptAnswer(ask);
    this.passes = new KeptAnswer(ask);
    this.savings = new KeptAnswer(ask);
    this.#subject = computed(() => {
      const { selected } = store.members ?? {};
      return `${selected?.session}\n${selected?.context}`;
    });
    this.#basis = computed(() => store.members?.basis ?? "");
    this.version = computed(() => `${this.#subject.value}\n${this.#basis.value}\n${store.contextVersion}`);
  }

  /** Why one of them failed. */
  get problem(): string | undefined {
    return this.#all.map(({ state }) => state.value.problem).find(problem => problem !== undefined);
  }

  /** Requests again what has failed. */
  retry(): void {
    for (const answer of this.#all) answer.retry();
  }

  get #all() {
    return [this.strategies, this.passes, this.savings];
  }

  wantAll(): void {
    const [subject, basis, version] = [this.#subject.peek(), this.#basis.peek(), this.version.peek()];
    this.strategies.want({ method: "strategies" }, subject, basis, version);
    this.passes.want({ method: "passes" }, subject, basis, version);
  }

  wantSavings(strategy: Strategy): void {
    const [basis, version] = [this.#basis.peek(), this.version.peek()];
    // Other settings are another subject: the timeline must not briefly show a stale answer.
    this.savings.want(
      { method: "savings", strategy },
      `${strategy}\n${this.#subject.peek()}\n${basis}`,
      basis,
      version,
    );
  }
}
