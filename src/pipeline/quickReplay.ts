import type { ReplayFact } from "../dedup/digest.js";
import type { Emission } from "../dedup/emission.js";
import type { ContextData } from "../inspect/logData.js";
import { ResultRows, ROW_WIDTH, type SweepRow, sweepRows } from "../inspect/rows.js";
import { ChunkPacker, packFacts } from "../kernel/factPacker.js";
import { type ContextFigures, MAX_DETAILED, noFigures, ReplayKernel, replayKernel } from "../kernel/kernel.js";
import { type FactChunk, NameList, type PackedFacts } from "../kernel/packedFacts.js";
import type { ReadLog } from "./logDataOf.js";
import type { PipelineOptions, SavedLog } from "./logPipeline.js";

/** A context with everything that is shown of it. */
export interface ShownContext
  extends Pick<
    ContextData,
    | "id"
    | "model"
    | "models"
    | "partitionRequests"
    | "requestCosts"
    | "tools"
    | "files"
    | "ids"
    | "targets"
    | "marks"
    | "sources"
  > {
  readonly rows: ResultRows;
  readonly sweep: readonly SweepRow[];
  /** By row, the byte offsets of the result's line and of the call's line. */
  readonly offsets: readonly number[];
  readonly callOffsets: readonly number[];
  /** By row, what would replace the result; only rows that would be replaced. */
  readonly emissions: ReadonlyMap<number, Emission>;
}

/** The kernel's replay of what is shown first, by context. */
export interface ShownFigures {
  readonly figures: ReadonlyMap<string, ContextFigures>;
  readonly offsets: ReadonlyMap<string, Float64Array>;
}

/** The same, with what is known about the log. */
export interface ShownLog extends ShownFigures {
  readonly log: ReadLog & { readonly consumed: number };
}

/** Whether only rows and marks are shown first, and the kernel can provide them. */
export function isForPicture({
  settings,
  keepEvents,
  keepFacts,
  strategies,
  passes,
  isShownFirst,
}: PipelineOptions): boolean {
  if (!isShownFirst || keepEvents || !keepFacts || strategies || passes) return false;
  return ReplayKernel.serves(settings) && settings.capacity <= MAX_DETAILED;
}

/**
 * Replays a log with the kernel for what is shown first: rows and marks. Its facts are kept, so that the rest can be
 * replayed on demand.
 */
export class QuickReplay {
  readonly #kernel: ReplayKernel;
  /** The kernel's number for this log. */
  readonly #log: number;
  readonly #past: PackedFacts | undefined;
  /** Undefined until there are bytes. */
  #packer: ChunkPacker | undefined;
  readonly #chunks: FactChunk[] = [];
  /** Set once it is finished. */
  #shown: ShownFigures | undefined;
  readonly #contexts = new Map<string, ShownContext>();

  /** Undefined if the kernel cannot do it. */
  static of(options: PipelineOptions, past: SavedLog | undefined): QuickReplay | undefined {
    const kernel = isForPicture(options) ? replayKernel() : undefined;
    return kernel && new QuickReplay(kernel, options, past && packFacts(past.facts), past?.shown);
  }

  private constructor(
    kernel: ReplayKernel,
    { settings, withoutSweep }: PipelineOptions,
    past: PackedFacts | undefined,
    shown: ShownFigures | undefined,
  ) {
    this.#kernel = kernel;
    this.#past = past;
    this.#shown = shown;
    if (shown !== undefined) {
      this.#log = 0;
      this.#chunks = [...(past?.chunks ?? [])];
      return;
    }
    const names = new NameList(past?.chunks ?? []);
    const nameOf = (name: number) => this.#packer?.nameOf(name) ?? names.get(name);
    this.#log = kernel.begin(settings, withoutSweep !== true, nameOf, { withDetails: true });
    for (const chunk of past?.chunks ?? []) this.#take(chunk);
  }

  /** Whether it is finished: nothing can be added any more. */
  get isFinished(): boolean {
    return this.#shown !== undefined;
  }

  add(context: string, fact: ReplayFact): void {
    this.#packer ??= new ChunkPacker(true, this.#past);
    this.#packer.add(context, fact);
  }

  /** Replays what was added, if it is enough to be worthwhile. Fails if the kernel does. */
  replay(): void {
    if (this.#packer?.isFull) this.#take(this.#packer.chunk());
  }

  /** Must be called before the kernel begins another log. Fails if the kernel does. */
  finish(): void {
    if (this.isFinished) return;
    if (this.#packer !== undefined) this.#take(this.#packer.chunk());
    this.#shown = { figures: this.#kernel.contexts(this.#log), offsets: this.#kernel.offsets(this.#log) };
  }

  /** Everything that was added: nothing more is replayed after this. */
  facts(): PackedFacts {
    if (!this.isFinished && this.#packer !== undefined) this.#chunks.push(this.#packer.chunk());
    return { chunks: this.#chunks };
  }

  figures(id: string): ContextFigures {
    return this.#shown?.figures.get(id) ?? noFigures(id, false);
  }

  /** `whole`: the same context with the rest, which takes longer. */
  context(id: string, whole: () => ShownContext): ShownContext {
    const known = this.#contexts.get(id) ?? shownContext(this.figures(id), this.#shown?.offsets.get(id) ?? [], whole);
    this.#contexts.set(id, known);
    return known;
  }

  #take(chunk: FactChunk): void {
    this.#chunks.push(chunk);
    this.#kernel.take(this.#log, chunk);
  }
}

function shownContext(
  figures: ContextFigures,
  offsets: ArrayLike<number>,
  whole: () => Pick<ShownContext, "emissions">,
): ShownContext {
  const length = figures.rows.length / ROW_WIDTH;
  const every2nd = (first: number) => Array.from({ length }, (_, row) => offsets[2 * row + first] as number);
  const [ofResults, ofCalls] = [onDemand(() => every2nd(0)), onDemand(() => every2nd(1))];
  return {
    ...figures,
    rows: new ResultRows(figures.rows, length),
    sweep: sweepRows(figures.sweep),
    get offsets() {
      return ofResults();
    },
    get callOffsets() {
      return ofCalls();
    },
    get emissions() {
      return whole().emissions;
    },
  };
}

function onDemand<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
