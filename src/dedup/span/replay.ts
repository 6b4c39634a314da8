import { Chain } from "../../log/chain.js";
import { hasShrunk } from "../../log/contextRules.js";
import type { CallFact, Fact, ResultFact } from "../../log/facts.js";
import { type NumberStyle, styleOfCode } from "../runs/numbered.js";
import { renderSpanHint } from "./hints.js";
import { type HeldSource, SpanIndex } from "./index.js";
import { ScannedLines } from "./lines.js";
import { findRuns, type Run, type RunsFound } from "./matcher.js";

export interface SpanSettings {
  /** Shorter runs stay as they are. */
  readonly minBytes: number;
  /** Strings in earlier calls' inputs are sources, too. */
  readonly inputs: boolean;
}

/** What the model would have been given for one result. */
export interface SpanDecision {
  readonly result: ResultFact;
  readonly partition: number;
  /** Per variant, the runs that became hints, in their order. */
  readonly runs: readonly (readonly Run[])[];
}

/** The style of line numbers if nothing in the context has any: that of newer versions of Claude Code. */
const DEFAULT_STYLE: NumberStyle = "tab";
/** Shared by all contexts: a text is split into lines, used and forgotten. */
const scratch = new ScannedLines();

/**
 * Replays one context with span references (docs/rules.md, "Runs of lines"). A hint never refers to anything before a
 * compaction, or to what was cleared, rewound or silently dropped. An edit invalidates nothing here: equal lines are
 * equal whatever happened in between. Runs of lines in errors are replaced, too: a failing test prints the same lines
 * again and again. Variants with different settings are replayed together, over the same lines.
 */
export class SpanReplay {
  readonly #variants: readonly SpanSettings[];
  readonly #inputs: boolean;
  /** There are two variants that differ only in `inputs`. */
  readonly #differInInputs: boolean;
  readonly #minBytes: number;
  readonly #none: readonly (readonly Run[])[];
  readonly #index = new SpanIndex();
  readonly #chain = new Chain();
  #partition = 0;
  #lastInput = 0;
  /** The style of line numbers in the newest result that has any. */
  #style = DEFAULT_STYLE;

  constructor(...variants: SpanSettings[]) {
    this.#variants = variants;
    this.#none = variants.map(() => []);
    this.#inputs = variants.some(({ inputs }) => inputs);
    const [one, other] = variants;
    this.#differInInputs = variants.length === 2 && one?.minBytes === other?.minBytes && other?.inputs === true;
    this.#minBytes = Math.min(...variants.map(({ minBytes }) => minBytes));
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
          if (hasShrunk(fact.input, this.#lastInput)) this.#index.clear();
          this.#lastInput = fact.input;
        }
        return undefined;
      case "boundary":
        this.#index.clear();
        this.#partition++;
        this.#lastInput = 0;
        return undefined;
      case "clear": {
        const cleared = fact.ids === "all" ? undefined : new Set(fact.ids);
        this.#index.drop(source => cleared?.has(source.id) ?? true);
        this.#lastInput = 0;
        return undefined;
      }
      case "rewind":
        this.#index.drop(source => source.logLine > fact.toLine);
        this.#lastInput = 0;
        return undefined;
      case "branch":
        this.#chain.branch(fact.call, fact.from);
        return undefined;
      case "explanation":
        return undefined;
      default:
        return fact satisfies never;
    }
  }

  #takeResult(result: ResultFact): SpanDecision {
    const partition = this.#partition;
    if (result.body === null) return { result, partition, runs: this.#none };
    const lines = scratch.scan(result.body);
    const target = this.#isTooShort(result.body)
      ? undefined
      : this.#index.add({ id: result.id, input: undefined, logLine: result.line, callLine: result.callLine }, lines);
    const runs = target === undefined ? this.#none : this.#allRuns(lines, target);
    this.#style = lines.firstStyle ?? this.#style;
    return { result, partition, runs };
  }

  #allRuns(lines: ScannedLines, target: HeldSource): readonly (readonly Run[])[] {
    if (!this.#index.repeats(target)) return this.#none;
    const last = this.#variants.length - 1;
    const found = this.#runs(lines, target, last);
    // What does not depend on inputs is also found without them.
    const isKnown = this.#differInInputs && found.isSameForBoth;
    const runs = this.#variants.map((_, variant) =>
      isKnown || variant === last ? found.runs : this.#runs(lines, target, variant).runs,
    );
    for (let variant = 0; variant <= last; variant++) this.#index.hide(target, variant, runs[variant] ?? []);
    return runs;
  }

  /**
   * "numbered from" does not name a style. A reader assumes that of the first numbered line left in the text, or else
   * that of the newest earlier result with numbered lines. If that would be wrong, no such hints are used.
   */
  #runs(lines: ScannedLines, target: HeldSource, variant: number): RunsFound {
    const { minBytes, inputs } = this.#variants[variant] as SpanSettings;
    const numbering = inputs && lines.style !== undefined && lines.style !== "mixed";
    const isInReach = (source: HeldSource) => this.#chain.leads(target.callLine, source.callLine);
    const options = { variant, minBytes, inputs, numbering, isInReach };
    const found = findRuns(lines, target, this.#index, options);
    if (!numbering || !found.runs.some(run => run.hint.numberedFrom !== undefined)) return found;
    const assumed = firstStyleLeft(lines, found.runs) ?? this.#style;
    return assumed === lines.style ? found : findRuns(lines, target, this.#index, { ...options, numbering: false });
  }

  #takeCall(call: CallFact): undefined {
    if (!this.#inputs) return;
    const { id, line: logLine, callLine } = call;
    for (const [input, text] of call.strings) {
      if (!this.#isTooShort(text)) this.#index.add({ id, input, logLine, callLine }, scratch.scan(text));
    }
  }

  /** Numbers make lines a little longer, but no short text becomes a long run by them. */
  #isTooShort(text: string): boolean {
    return text.length * 12 < this.#minBytes;
  }
}

function firstStyleLeft(lines: ScannedLines, runs: readonly Run[]): NumberStyle | undefined {
  let line = 0;
  for (const { start, end } of [...runs, { start: lines.count, end: lines.count }]) {
    for (; line < start; line++) {
      const code = lines.numbers[line] as number;
      if (code !== 0) return styleOfCode(code);
    }
    line = end;
  }
  return undefined;
}

/** The text with hints in place of its runs. */
export function emittedText(body: string, runs: readonly Run[]): string {
  if (runs.length === 0) return body;
  const lines = body.split("\n");
  const emitted: string[] = [];
  let line = 0;
  for (const { start, end, hint } of runs) {
    while (line < start) emitted.push(lines[line++] as string);
    emitted.push(renderSpanHint(hint));
    line = end;
  }
  while (line < lines.length) emitted.push(lines[line++] as string);
  return emitted.join("\n");
}
