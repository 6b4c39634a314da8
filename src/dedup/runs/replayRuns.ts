import type { CallDigest, Digest } from "../digest.js";
import type { RunReference } from "../events.js";
import type { PresentCall, Reach } from "../reach.js";
import type { DedupSettings } from "../settings.js";
import { ContextRuns, type HeldText, NO_RUNS, numberedLines, type SavedRuns } from "./contextRuns.js";
import type { LineTable } from "./lines.js";
import type { Run } from "./matcher.js";
import type { LiveHint } from "./runHints.js";
import type { RunSource } from "./sources.js";

/** One way of replacing runs. Ways hide different lines, so each has a number of its own, from 0 to 14. */
export interface RunWay {
  readonly way: number;
  /** Shorter runs are left alone. */
  readonly minBytes: number;
  /**
   * "live": by the rules of live hints. The others are upper bounds, which replace lines of every result by lines of any
   * other that the model has; "everything": or by lines of calls' inputs.
   */
  readonly sources: "live" | "results" | "everything";
}

/** The number of the way in force. */
export const IN_FORCE = 0;

export interface RunsOptions {
  readonly saved?: SavedRuns | undefined;
  /** The lines of the only text for which runs will be looked for. */
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

  /** Takes in the present result, which the model is given whatever becomes of it. */
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

  /** The runs of the present result that become hints. */
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

  /** Characters that live hints spared: those of the lines that they stand for, less their own. */
  sparedBy(hints: readonly LiveHint[]): number {
    return hints.reduce((sum, hint) => sum + Math.max(0, this.#runs.charsOf(hint) - hint.chars), 0);
  }

  /** The present result was replaced whole. */
  hide(text: HeldText, way = IN_FORCE): void {
    this.#runs.hideAll(text, way);
  }

  /** The present result has been decided on. */
  endResult({ lines }: Digest): void {
    if (lines !== undefined) this.#runs.learnStyle(lines);
  }

  clear(): void {
    this.#runs.clear();
  }

  /** Calls that the condition names have left the context, with their inputs. */
  drop(leaves: (call: { readonly id: string; readonly logLine: number }) => boolean): void {
    this.#runs.drop(leaves);
  }
}

/** What an event says of runs. */
export function runReferences(runs: readonly Run[]): { runs: RunReference[]; savedBytes: number } {
  const references = runs.map(({ bytes, hint: { id: ref, input, from, to } }) =>
    input === undefined ? { ref, from, to, bytes } : { ref, input, from, to, bytes },
  );
  return { runs: references, savedBytes: runs.reduce((sum, { savedBytes }) => sum + savedBytes, 0) };
}
