import type { CallFact, Fact, ResultFact } from "../../log/facts.js";
import { emitSpans, type SpanEmission } from "./matcher.js";
import { SpanIndex, type SpanLine, spanLine } from "./source.js";

export interface SpanSettings {
  /** Shorter runs are left alone. */
  readonly minBytes: number;
  /** Strings of earlier calls' inputs are sources too. */
  readonly inputs: boolean;
}

/** What the model would have been given for one result. */
export interface SpanDecision {
  readonly result: ResultFact;
  readonly partition: number;
  /** Null where the result is not only text. */
  readonly emission: SpanEmission | null;
}

const SHRINK_SHARE = 0.9;

/**
 * Replays one context with span references: engine.md 6. Sources leave with their text: at a compaction, when cleared,
 * after a rewind. An edit invalidates nothing here, because equal lines are equal whatever happened in between.
 */
export class SpanReplay {
  readonly #settings: SpanSettings;
  readonly #index = new SpanIndex();
  #partition = 0;
  #lastInput = 0;

  constructor(settings: SpanSettings) {
    this.#settings = settings;
  }

  /** The decision, where the fact is a result. */
  take(fact: Fact): SpanDecision | undefined {
    switch (fact.fact) {
      case "result":
        return this.#takeResult(fact);
      case "call":
        return this.#takeCall(fact);
      case "request":
        if (fact.input > 0) {
          if (fact.input < this.#lastInput * SHRINK_SHARE) this.#index.keep(() => false);
          this.#lastInput = fact.input;
        }
        return undefined;
      case "boundary": {
        const preserved = new Set(fact.preserved);
        this.#index.keep(source => preserved.has(source.uuid));
        this.#partition++;
        this.#lastInput = 0;
        return undefined;
      }
      case "clear": {
        const cleared = new Set(fact.ids);
        this.#index.keep(source => source.input !== undefined || !cleared.has(source.id));
        if (fact.by === "microcompact") this.#lastInput = 0;
        return undefined;
      }
      case "rewind":
        this.#index.keep(source => source.logLine <= fact.toLine);
        return undefined;
    }
  }

  #takeResult(result: ResultFact): SpanDecision {
    const partition = this.#partition;
    if (result.body === null) return { result, partition, emission: null };
    // Errors are never replaced, but what they say can be referred to.
    const minBytes = result.error ? Number.POSITIVE_INFINITY : this.#settings.minBytes;
    const emission = emitSpans(result.body, this.#index, minBytes);
    const lines = emission.lines.map((line, at) => (emission.hints[at] === undefined ? spanLine(line) : HINT_LINE));
    this.#index.add({ id: result.id, input: undefined, lines, logLine: result.line, uuid: result.uuid });
    return { result, partition, emission };
  }

  #takeCall(call: CallFact): undefined {
    if (!this.#settings.inputs) return;
    for (const [input, text] of call.strings) {
      // A hint names the member; a name with a space could not be read back.
      if (/[\s\]]/.test(input)) continue;
      const lines = text.split("\n").map(spanLine);
      this.#index.add({ id: call.id, input, lines, logLine: call.line, uuid: call.uuid });
    }
  }
}

const HINT_LINE: SpanLine = { text: "", numbered: undefined, visible: false };
