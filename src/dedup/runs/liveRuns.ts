import type { CallDigest, Digest } from "../digest.js";
import type { RunReference } from "../events.js";
import type { PresentCall, Reach } from "../reach.js";
import type { DedupSettings } from "../settings.js";
import { ContextRuns, type HeldText, numberedLines, type SavedRuns } from "./contextRuns.js";
import type { LiveHint } from "./hints.js";
import type { LineTable } from "./lines.js";
import type { Run } from "./matcher.js";

/** The number of the way in force among those that share the lines. */
const LIVE = 0;

const NONE: readonly Run[] = [];

export interface RunsOptions {
  readonly saved?: SavedRuns | undefined;
  /** The lines of the only text for which runs will be looked for. */
  readonly wanted?: LineTable | undefined;
}

/** Runs of lines as live hints replace them: in results that are not replaced whole. */
export class LiveRuns {
  readonly #runs: ContextRuns;
  readonly #settings: DedupSettings;
  readonly #reach: Reach;

  constructor(settings: DedupSettings, reach: Reach, { saved, wanted }: RunsOptions = {}) {
    this.#runs = new ContextRuns(saved, wanted);
    this.#settings = settings;
    this.#reach = reach;
  }

  get state(): SavedRuns {
    return this.#runs.state;
  }

  /** Takes in the present result, which the model is given whatever becomes of it. */
  add({ id, tool, target, line: logLine, offset, callLine, lines, chars }: Digest): HeldText | undefined {
    if (lines === undefined) return undefined;
    const { order } = this.#reach;
    return this.#runs.add({ id, input: undefined, tool, target, logLine, offset, callLine, order }, lines, chars);
  }

  addCall({ id, tool, target, line: logLine, offset, callLine, inputs }: CallDigest): void {
    const { order } = this.#reach;
    for (const { key, lines, chars } of inputs) {
      this.#runs.add({ id, input: key, tool, target, logLine, offset, callLine, order }, lines, chars);
    }
  }

  /** The runs of the present result that become hints. */
  find(text: HeldText, call: PresentCall, { hooked }: Pick<Digest, "hooked">): readonly Run[] {
    const { minRunBytes: minBytes, verbosity, door } = this.#settings;
    if (door === "hooks" && hooked === undefined) return NONE;
    const isNumbered = door === "hooks" && hooked?.numbered !== undefined;
    const isLocated = verbosity === "located";
    return this.#runs.find(text, {
      way: LIVE,
      minBytes,
      isLocated,
      numbered: isNumbered ? numberedLines(text.lines) : undefined,
      isFree: source => this.#reach.mayQuote(source, call),
    });
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
  hide(text: HeldText): void {
    this.#runs.hideAll(text, LIVE);
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
