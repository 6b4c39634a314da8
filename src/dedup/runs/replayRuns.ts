import type { CallDigest, Digest } from "../digest.js";
import type { RunReference } from "../events.js";
import type { PresentCall, Reach } from "../reach.js";
import type { DedupSettings } from "../settings.js";
import { ContextRuns, type HeldText, NO_RUNS, numberedLines, type SavedRuns } from "./contextRuns.js";
import type { LineTable } from "./lines.js";
import type { Run } from "./matcher.js";
import type { LiveHint } from "./runHints.js";
import type { RunSource } from "./sources.js";

/** One variant of replacing runs. Variants hide different lines, so each has its own number, from 0 to 14. */
export interface RunWay {
  readonly way: number;
  /** Shorter runs are ignored. */
  readonly minBytes: number;
  /**
   * "live": by the rules of live hints. The others are upper bounds, which replace lines of any result with lines of any
   * other that the model has; "everything": or with lines of calls' inputs.
   */
  readonly sources: "live" | "results" | "everything";
}

/** The number of the variant in use. */
export const IN_FORCE = 0;

export interface RunsOptions {
  readonly saved?: SavedRuns | undefined;
  /** The lines of the only text that will be searched for runs. */
  readonly wanted?: LineTable | undefined;
}

/** The lines that a replay's context holds, and the runs of them that results repeat. */
export class ReplayRuns {
  readonly #runs: ContextRuns;
  readonly #settings: DedupSettings;
  readonly #reach: Reach;
  readonly #inForce: RunWay;

  constructor(settings: DedupSettings, reach: Reach, { saved, wanted }: RunsOptions = {}) {
    this.#runs = new ContextRuns(saved, wanted);
    this.#settings = settings;
    this.#reach = reach;
    this.#inForce = { way: IN_FORCE, minBytes: settings.spanMinBytes, sources: "live" };
  }

  get state(): SavedRuns {
    return this.#runs.state;
  }

  /** Adds the current result, which the model gets in any case. */
  add(result: Digest): HeldText | undefined {
    const { id, tool, target, line: logLine, offset, callLine, lines, isListing = false, chars } = result;
    if (lines === undefined) return undefined;
    const { order } = this.#reach;
    const source = { id, input: undefined, tool, target, logLine, offset, callLine, order, isListing };
    return this.#runs.add(source, lines, chars);
  }

  addCall({ id, tool, target, line: logLine, offset, callLine, inputs }: CallDigest): void {
    const { order } = this.#reach;
    for (const { key: input, lines, chars } of inputs) {
      this.#runs.add({ id, input, tool, target, logLine, offset, callLine, order, isListing: false }, lines, chars);
    }
  }

  /** The runs of the current result that become hints. */
  find(
    text: HeldText,
    call: PresentCall & Pick<Digest, "hooked">,
    { way, minBytes, sources } = this.#inForce,
  ): readonly Run[] {
    if (sources !== "live") {
      const isFree = ({ input, callLine }: RunSource) =>
        (input === undefined || sources === "everything") && this.#reach.chain.leads(call.callLine, callLine);
      return this.#runs.find(text, { way, minBytes, isLocated: false, isFree });
    }
    const { door, verbosity } = this.#settings;
    if (text.held.source.isListing || (door === "hooks" && call.hooked === undefined)) return NO_RUNS;
    const isFree = (source: RunSource) => !source.isListing && this.#reach.mayQuote(source, call);
    const numbered = door === "hooks" && call.hooked?.numbered ? numberedLines(text.lines) : undefined;
    return this.#runs.find(text, { way, minBytes, isLocated: verbosity === "located", isFree, numbered });
  }

  get oldestCall(): number {
    return this.#runs.oldestCall;
  }

  offsetOf(id: string, input: string | undefined): number | undefined {
    return this.#runs.sourceNamed(id, input)?.offset;
  }

  /** Characters saved by live hints: those of the lines that they replace, minus their own. */
  savedBy(hints: readonly LiveHint[]): number {
    return hints.reduce((sum, hint) => sum + Math.max(0, this.#runs.charsOf(hint) - hint.chars), 0);
  }

  /** The current result was replaced whole. */
  hide(text: HeldText, way = IN_FORCE): void {
    this.#runs.hideAll(text, way);
  }

  /** The current result has been decided on. */
  endResult({ lines }: Digest): void {
    if (lines !== undefined) this.#runs.learnStyle(lines);
  }

  clear(): void {
    this.#runs.clear();
  }

  /** The matching calls have left the context, with their inputs. */
  drop(leaves: (call: { readonly id: string; readonly logLine: number }) => boolean): void {
    this.#runs.drop(leaves);
  }
}

/** The runs as reported in an event. */
export function runReferences(runs: readonly Run[]): { runs: RunReference[]; savedBytes: number } {
  const references = runs.map(({ bytes, hint: { id: ref, input, from, to } }) =>
    input === undefined ? { ref, from, to, bytes } : { ref, input, from, to, bytes },
  );
  return { runs: references, savedBytes: runs.reduce((sum, { savedBytes }) => sum + savedBytes, 0) };
}
