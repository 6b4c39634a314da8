import type { Digest } from "./digest.js";
import type { BypassReason } from "./events.js";
import type { ReplayRuns } from "./runs/replayRuns.js";

/** The newest live hint that replaced a result. */
export interface RealisedHint {
  /** The call that it answered. */
  readonly id: string;
  /** How many requests came before it. */
  readonly request: number;
}

/** Texts in a log that stand for others: Claude Code's own stubs, and live hints. Knows what they replaced and saved. */
export class StandIns {
  readonly #runs: ReplayRuns;
  /** Sizes of the results seen, by id. */
  readonly #charsById = new Map<string, number>();
  /** The newest result of each tool on each file, which a native stub stands for. */
  readonly #newestByFile = new Map<string, Map<string, string>>();
  /** By the result that a live hint pointed at. */
  readonly #hinted: Map<string, RealisedHint>;
  /** Characters of the explanation that live hints have not made up for yet. */
  #owedChars = 0;

  constructor(runs: ReplayRuns, hinted: ReadonlyMap<string, RealisedHint> | undefined) {
    this.#runs = runs;
    this.#hinted = new Map(hinted);
  }

  get hinted(): ReadonlyMap<string, RealisedHint> {
    return this.#hinted;
  }

  /** Live hints were explained to the model. */
  owe(chars: number): void {
    this.#owedChars += chars;
  }

  /** The call whose text a result stands for. */
  named(result: Digest, reason: BypassReason): string | undefined {
    if (reason === "native") return this.#newestOfFile(result);
    return reason === "realised" ? result.hints[0]?.id : undefined;
  }

  /** Characters saved: the replaced text, minus what replaced it, minus the cost of explaining live hints. */
  savedChars(result: Digest, reason: BypassReason): number {
    const named = this.named(result, reason);
    const known = named === undefined ? undefined : (this.#charsById.get(named) ?? 0);
    const ofWhole = known === undefined ? 0 : known - result.chars;
    const saved = Math.max(0, isPartial(result) ? this.#runs.savedBy(result.hints) : ofWhole);
    if (reason !== "realised") return saved;
    const paid = Math.min(saved, this.#owedChars);
    this.#owedChars -= paid;
    return saved - paid;
  }

  /** A live hint for a whole text was given after this many requests. */
  noteHint(result: Digest, request: number): void {
    const [hint] = result.hints;
    if (hint !== undefined && !isPartial(result)) this.#hinted.set(hint.id, { id: result.id, request });
  }

  /** The call that a live hint to this result answered in the previous request. */
  hintBefore(id: string, requests: number): string | undefined {
    const hint = this.#hinted.get(id);
    return hint !== undefined && requests - hint.request === 1 ? hint.id : undefined;
  }

  /** Whether a result was seen. */
  knows(id: string): boolean {
    return this.#charsById.has(id);
  }

  /** A stub or hint counts as long as the text it stands for, so that a chain of them keeps the true size. */
  remember(result: Digest): void {
    const hinted = isPartial(result) ? undefined : result.hints[0]?.id;
    const stoodFor = result.native ? this.#newestOfFile(result) : hinted;
    const chars = stoodFor === undefined ? undefined : this.#charsById.get(stoodFor);
    this.#charsById.set(result.id, chars ?? result.chars);
    if (result.path === undefined) return;
    const ofFile = this.#newestByFile.get(result.path);
    if (ofFile === undefined) this.#newestByFile.set(result.path, new Map([[result.tool, result.id]]));
    else ofFile.set(result.tool, result.id);
  }

  /** The context was compacted. */
  forgetHints(): void {
    this.#hinted.clear();
  }

  #newestOfFile({ path, tool }: Digest): string | undefined {
    return path === undefined ? undefined : this.#newestByFile.get(path)?.get(tool);
  }
}

/** Only parts of it were replaced by live hints. */
function isPartial({ hints }: Digest): boolean {
  return hints[0]?.kind === "run";
}
