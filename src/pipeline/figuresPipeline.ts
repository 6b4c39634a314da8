import { digest } from "../dedup/digest.js";
import { fingerprint } from "../dedup/fingerprint.js";
import { LineScanner } from "../dedup/runs/lines.js";
import type { LogData } from "../inspect/logData.js";
import { CompiledReader } from "../kernel/compiledReader.js";
import { ChunkPacker, packFacts } from "../kernel/factPacker.js";
import { noFigures, ReplayKernel, replayKernel } from "../kernel/kernel.js";
import { type FactChunk, NameList, type PackedFacts } from "../kernel/packedFacts.js";
import type { ReaderExports } from "../kernel/programStrings.js";
import type { Bytes } from "../log/bytes.js";
import { LogReader, type SavedReader } from "../log/logReader.js";
import { agentOfFile } from "../log/sessionFiles.js";
import { NO_HOST } from "../scanner/program.js";
import { fastestParser } from "../scanner/scanner.js";
import { ComparedTexts } from "./comparedTexts.js";
import { logDataOf, type ReadLog } from "./logDataOf.js";
import { type PipelineOptions, readsForHooks, type SavedLog, usableFacts } from "./logPipeline.js";
import { PassRecorder } from "./passRecorder.js";
import { isForPicture } from "./quickReplay.js";

/** Whether only figures are requested, and the kernel can provide them. */
export function isForFigures({ settings, keepEvents, keepDetails }: PipelineOptions): boolean {
  if (keepEvents || keepDetails) return false;
  return ReplayKernel.serves(settings) && replayKernel() !== undefined;
}

/** What is known about an unchanged log: enough for its figures, but not to continue reading. */
export interface KnownLog {
  readonly log: ReadLog;
  readonly facts: PackedFacts;
}

/** Same as a `FiguresPipeline` that continues from all facts of a log and finds nothing new. */
export function figuresOf(
  path: string,
  { settings, withoutSweep }: PipelineOptions,
  { log, facts }: KnownLog,
): LogData {
  const kernel = kernelOfThread();
  const names = new NameList(facts.chunks);
  const number = kernel.begin(settings, withoutSweep !== true, name => names.get(name));
  for (const chunk of facts.chunks) kernel.take(number, chunk);
  const contexts = kernel.contexts(number);
  return logDataOf(path, log, (id, file) => {
    const figures = contexts.get(id) ?? noFigures(id, false);
    return file === undefined ? figures : { ...figures, file };
  });
}

function kernelOfThread(): ReplayKernel {
  const kernel = replayKernel();
  if (kernel === undefined) throw new Error("no kernel");
  return kernel;
}

/** Shared by all logs: it keeps nothing, but allocating its memory takes longer than splitting most logs. */
const LINES = new LineScanner();

/** The source of facts. */
interface FactSource {
  /** What has been read. */
  readonly reader: ReadLog & { readonly consumed: number; readonly state: SavedReader };
  /** See `CompiledReader`. */
  readonly room?: Bytes | undefined;
  push(bytes: Bytes): void;
  nameOf(name: number): string | undefined;
  /** Passes what was read to the kernel. */
  flush(): void;
}

/**
 * Takes one log from its bytes, or from its packed facts, to its figures, with the kernel. The output is that of a
 * `LogPipeline` with the same options. There is one kernel per thread, so each log must be finished before the next one
 * is begun; if the kernel fails, so does the pipeline, with a `KernelFailure`.
 */
export class FiguresPipeline {
  readonly #path: string;
  readonly #kernel: ReplayKernel;
  /** The kernel's number for this log. */
  readonly #log: number;
  readonly #source: FactSource;
  readonly #keepFacts: boolean;
  readonly #forHooks: boolean;
  readonly #isForPicture: boolean;
  readonly #chunks: FactChunk[] = [];
  /** Set if all strategies are replayed. */
  readonly #texts: ComparedTexts | undefined;
  readonly #passes: PassRecorder | undefined;

  /** `saved`: continue where an earlier pipeline for the same log stopped. */
  constructor(path: string, options: PipelineOptions, saved?: SavedLog) {
    const { settings, withoutSweep, keepFacts, strategies, passes } = options;
    const past = usableFacts(options, saved);
    const forHooks = readsForHooks(options, past);
    const kernel = kernelOfThread();
    this.#path = path;
    this.#kernel = kernel;
    this.#keepFacts = keepFacts;
    this.#forHooks = forHooks;
    const agent = agentOfFile(path);
    const texts = strategies ? new ComparedTexts() : undefined;
    this.#texts = texts;
    this.#passes = passes ? new PassRecorder(agent) : undefined;
    const forPicture = isForPicture(options);
    this.#isForPicture = forPicture;
    const kernelOptions = { texts, withDetails: forPicture };
    this.#log = kernel.begin(settings, withoutSweep !== true, name => this.#source.nameOf(name), kernelOptions);
    if (past === undefined) {
      const kept = keepFacts ? this.#chunks : undefined;
      this.#source = new ReadFacts(kernel, this.#log, agent, { kept, forHooks, texts, forPicture });
    } else {
      const facts = packFacts(past.facts);
      const take = (chunk: FactChunk) => this.#take(chunk);
      this.#source = new ResumedFacts(agent, past.reader, facts, { keepFacts, forHooks }, take);
      for (const chunk of facts.chunks) take(chunk);
    }
  }

  /** Where the next bytes can be read to, to be pushed without being copied; undefined if it has no room for them. */
  get room(): Bytes | undefined {
    // Passes need the bytes that were pushed once more.
    return this.#passes === undefined ? this.#source.room : undefined;
  }

  push(bytes: Bytes): void {
    this.#source.push(bytes);
    this.#passes?.push(bytes);
  }

  /** All bytes before this offset belong to lines that were processed. */
  get consumed(): number {
    return this.#source.reader.consumed;
  }

  data(): LogData {
    this.#source.flush();
    const contexts = this.#kernel.contexts(this.#log);
    const partitions = this.#passes?.partitions();
    return logDataOf(this.#path, this.#source.reader, (id, file) => {
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
    this.#source.flush();
    if (!this.#keepFacts) return undefined;
    const { reader } = this.#source;
    const saved = { facts: { chunks: this.#chunks }, forHooks: this.#forHooks };
    if (!this.#isForPicture) return { ...saved, reader: reader.state };
    const { header, lines, samples, consumed } = reader;
    const log = { header, lines, samples, consumed, contexts: new Set(reader.contexts.keys()) };
    const shown = { log, figures: this.#kernel.contexts(this.#log), offsets: this.#kernel.offsets(this.#log) };
    const state = this.#kernel.later(this.#log, () => reader.state);
    return {
      ...saved,
      shown,
      // The state to continue from is not shown.
      get reader() {
        return state();
      },
    };
  }

  #take(chunk: FactChunk): void {
    if (this.#keepFacts) this.#chunks.push(chunk);
    this.#kernel.take(this.#log, chunk);
  }
}

interface ReadFactsOptions {
  /** Receives copies of facts to keep. */
  readonly kept: FactChunk[] | undefined;
  readonly forHooks: boolean;
  readonly texts: ComparedTexts | undefined;
  readonly forPicture: boolean;
}

/** Facts that the program in WebAssembly reads and keeps in its own memory. */
class ReadFacts implements FactSource {
  readonly #kernel: ReplayKernel;
  readonly #log: number;
  readonly reader: CompiledReader;
  readonly #kept: FactChunk[] | undefined;
  readonly #cutsNames: boolean;
  /** The names of kept facts, whose texts are strings already. */
  #names: NameList | undefined;
  readonly #texts: ComparedTexts | undefined;

  constructor(
    kernel: ReplayKernel,
    log: number,
    agent: string | undefined,
    { kept, forHooks, texts, forPicture }: ReadFactsOptions,
  ) {
    this.#kernel = kernel;
    this.#log = log;
    this.#kept = kept;
    // A name cut from a text keeps all of it in memory, which only an opened session does anyway.
    this.#cutsNames = forPicture;
    this.#texts = texts;
    this.reader = kernel.read(log, NO_HOST, program => {
      const options = { agentOfFile: agent, keepFacts: kept !== undefined, forHooks, texts, full: () => this.flush() };
      return new CompiledReader(program as ReaderExports, options);
    });
  }

  nameOf(name: number): string | undefined {
    return this.#names === undefined ? this.reader.nameOf(name) : this.#names.get(name);
  }

  get room(): Bytes | undefined {
    return this.reader.room;
  }

  push(bytes: Bytes): void {
    this.#kernel.read(this.#log, this.reader, () => this.reader.push(bytes));
  }

  flush(): void {
    if (!this.reader.hasFacts) return;
    if (this.#kept !== undefined) {
      this.#kept.push(this.reader.chunk());
      if (this.#cutsNames) this.#names = new NameList(this.#kept);
    }
    this.#kernel.takeRead(this.#log);
    this.#texts?.replayed();
  }
}

/** Facts of a log whose beginning was read before. */
class ResumedFacts implements FactSource {
  readonly reader: LogReader;
  readonly #past: NameList;
  readonly #take: (chunk: FactChunk) => void;
  /** Undefined until there are bytes. */
  #packer: ChunkPacker | undefined;

  constructor(
    agent: string | undefined,
    resume: SavedReader,
    past: PackedFacts,
    { keepFacts, forHooks }: { keepFacts: boolean; forHooks: boolean },
    take: (chunk: FactChunk) => void,
  ) {
    this.#take = take;
    this.#past = new NameList(past.chunks);
    this.reader = new LogReader(
      ({ id }, fact) => {
        this.#packer ??= new ChunkPacker(keepFacts, past);
        this.#packer.add(id, digest(fact, false, fingerprint, LINES, forHooks));
      },
      { agentOfFile: agent, resume, withCalls: true, parser: fastestParser() },
    );
  }

  nameOf(name: number): string | undefined {
    return this.#packer?.nameOf(name) ?? this.#past.get(name);
  }

  push(bytes: Bytes): void {
    this.reader.push(bytes);
    // Not while a line is read: an error would be blamed on that line.
    if (this.#packer?.isFull) this.flush();
  }

  flush(): void {
    if (this.#packer === undefined) return;
    const chunk = this.#packer.chunk();
    if (chunk.numbers.length > 0) this.#take(chunk);
  }
}
