import { digest } from "../dedup/digest.js";
import { fingerprint } from "../dedup/fingerprint.js";
import { mayBeNear } from "../dedup/near.js";
import { LineScanner } from "../dedup/runs/lines.js";
import type { LogData } from "../inspect/logData.js";
import { FactPacker, packFacts } from "../kernel/factPacker.js";
import { noFigures, ReplayKernel, replayKernel } from "../kernel/kernel.js";
import { type FactChunk, NameList, type PackedFacts } from "../kernel/packedFacts.js";
import type { Bytes } from "../log/bytes.js";
import type { Fact } from "../log/facts.js";
import type { LogText } from "../log/heldText.js";
import { LogReader } from "../log/logReader.js";
import { agentOfFile } from "../log/sessionFiles.js";
import { fastestParser } from "../scanner/scanner.js";
import { ComparedTexts } from "./comparedTexts.js";
import { logDataOf } from "./logDataOf.js";
import type { PipelineOptions, SavedLog } from "./logPipeline.js";
import { PassRecorder } from "./passRecorder.js";

/** Whether figures are all that is asked for, and the kernel can give them. */
export function isForFigures({ settings, keepEvents, keepDetails }: PipelineOptions): boolean {
  if (keepEvents || keepDetails) return false;
  return ReplayKernel.serves(settings) && replayKernel() !== undefined;
}

/** For all logs: it keeps nothing, but its room takes longer to make than most logs to cut. */
const LINES = new LineScanner();

/**
 * Takes one log from its bytes, or from its packed facts, to its figures, with the kernel. What it gives is what a
 * `LogPipeline` with the same options gives. There is one kernel in a thread, so each log must be finished before the
 * next one is begun; if the kernel fails, so does the pipeline, with a `KernelFailure`.
 */
export class FiguresPipeline {
  readonly #path: string;
  readonly #kernel: ReplayKernel;
  /** Its number of this log. */
  readonly #log: number;
  readonly #reader: LogReader;
  readonly #keepFacts: boolean;
  readonly #past: PackedFacts | undefined;
  readonly #chunks: FactChunk[] = [];
  /** Where all ways to save are replayed. */
  readonly #texts: ComparedTexts | undefined;
  readonly #passes: PassRecorder | undefined;
  /** None until there are bytes. */
  #packer: FactPacker | undefined;

  /** `saved`: continue where an earlier pipeline for the same log stopped. */
  constructor(path: string, options: PipelineOptions, saved?: SavedLog) {
    const { settings, withoutSweep, keepFacts, strategies, passes } = options;
    const past = strategies || passes ? undefined : saved;
    const kernel = replayKernel();
    if (kernel === undefined) throw new Error("no kernel");
    this.#path = path;
    this.#kernel = kernel;
    this.#keepFacts = keepFacts;
    this.#reader = new LogReader((context, fact) => this.#take(context.id, fact), {
      agentOfFile: agentOfFile(path),
      resume: past?.reader,
      withCalls: true,
      parser: fastestParser(),
    });
    this.#texts = strategies ? new ComparedTexts() : undefined;
    this.#passes = passes ? new PassRecorder(agentOfFile(path)) : undefined;
    this.#past = past && packFacts(past.facts);
    const chunks = this.#past?.chunks ?? [];
    const names = new NameList(chunks);
    const nameOf = (name: number) => this.#packer?.nameOf(name) ?? names.get(name);
    this.#log = kernel.begin(settings, withoutSweep !== true, nameOf, { texts: this.#texts });
    for (const chunk of chunks) this.#replay(chunk);
  }

  push(bytes: Bytes): void {
    this.#reader.push(bytes);
    this.#passes?.push(bytes);
    // Not while a line is read: an error there would be one of that line.
    if (this.#packer?.isFull) this.#flush();
  }

  /** All bytes before this position belong to lines that were taken in. */
  get consumed(): number {
    return this.#reader.consumed;
  }

  data(): LogData {
    this.#flush();
    const contexts = this.#kernel.contexts(this.#log);
    const partitions = this.#passes?.partitions();
    return logDataOf(this.#path, this.#reader, (id, file) => {
      const figures = contexts.get(id) ?? noFigures(id, this.#texts !== undefined);
      if (file === undefined && partitions === undefined) return figures;
      return {
        ...figures,
        ...(file !== undefined && { file }),
        ...(partitions && { passes: partitions.get(id) ?? [] }),
      };
    });
  }

  /** Undefined unless facts are kept. */
  save(): SavedLog | undefined {
    this.#flush();
    return this.#keepFacts ? { reader: this.#reader.state, facts: { chunks: this.#chunks } } : undefined;
  }

  #take(context: string, fact: Fact<LogText>): void {
    this.#packer ??= new FactPacker({ keepAll: this.#keepFacts, before: this.#past });
    // Facts that are kept serve other settings, too: those for settings hooks.
    const isCompared = this.#texts !== undefined && fact.fact === "result" && fact.body !== null && !fact.error;
    const keepBody = isCompared && mayBeNear(fact.body);
    const digested = digest(fact, keepBody, fingerprint, LINES, this.#keepFacts);
    this.#texts?.take(context, digested);
    this.#packer.add(context, digested);
  }

  #flush(): void {
    if (this.#packer === undefined) return;
    const chunk = this.#packer.chunk();
    if (chunk.numbers.length > 0) this.#replay(chunk);
  }

  #replay(chunk: FactChunk): void {
    if (this.#keepFacts) this.#chunks.push(chunk);
    this.#kernel.take(this.#log, chunk);
    this.#texts?.replayed();
  }
}
