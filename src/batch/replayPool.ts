/** Replays many logs on all cores. The calling thread works too, so a single core needs no second thread. */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { LogCache } from "../cache/logCache.js";
import { problemOf } from "../files/openFile.js";
import type { LogData } from "../inspect/logData.js";
import { type LogSummary, summaryOf } from "../inspect/logSummary.js";
import { forgetKernel } from "../kernel/kernel.js";
import type { PipelineOptions } from "../pipeline/logPipeline.js";
import { messageOf } from "../protocol/channel.js";
import type { FoundLog } from "../tail/discover.js";
import { needsTexts, replayLog } from "./replayLog.js";

export interface PoolJob {
  readonly logs: readonly FoundLog[];
  readonly options: PipelineOptions;
  /** Undefined: neither read nor write the cache. */
  readonly cacheFolder: string | undefined;
  /** See `RecallOptions`. */
  readonly keepFigures?: boolean;
  /** Whether summaries are enough: data takes time and memory on its way from another thread. */
  readonly summariesOnly?: boolean;
}

export interface Replayed {
  readonly index: number;
  readonly data?: LogData;
  /** Instead of the data. */
  readonly summary?: LogSummary;
  readonly problem?: string;
}

export interface PoolEvents {
  /** Some thread has processed this many more bytes. */
  advance(bytes: number): void;
  done(replayed: Replayed): void;
}

/** Starting another thread, which compiles the same code again, takes about as long as reading this many bytes. */
const MIN_BYTES_PER_THREAD = 96 * 1024 * 1024;
const MAX_THREADS = 8;
/**
 * A thread's overhead in memory equals the data held for this many bytes of a log, and all threads together may hold the
 * data of `MAX_BYTES_AT_ONCE`: about 120 MB in addition to one thread and the report.
 */
const BYTES_FOR_THREAD = 96 * 1024 * 1024;
const MAX_BYTES_AT_ONCE = 1152 * 1024 * 1024;
/** Most objects of a thread die with the next line: without a limit, up to 48 MB of them await garbage collection. */
const LIMITS = { maxYoungGenerationSizeMb: 3 };
/** A cached log counts as one with this many times fewer bytes. */
const KNOWN_FACTOR = 6;

export interface PoolOptions {
  readonly threads?: number;
  /** False if the calling thread has other work to do. */
  readonly callerWorks?: boolean;
  /** Aborting skips the logs that no thread has taken yet. */
  readonly signal?: AbortSignal;
  /** False if nobody is waiting: its threads get a lower priority, if the system supports that. */
  readonly isUrgent?: boolean;
  /** By default, the largest logs come first, so that the last one to finish is small. */
  readonly inGivenOrder?: boolean;
  /** The job's cache, for the calling thread: it may have listed the folder already. */
  readonly cache?: LogCache | undefined;
}

/** What all threads of a pool share. */
export interface SharedJob {
  readonly job: PoolJob;
  /** The indices of the logs, in the order they are taken. */
  readonly order: Int32Array;
  /** One number in shared memory: how many of them are taken. */
  readonly taken: Int32Array;
  readonly isUrgent: boolean;
}

export type FromWorker =
  | { readonly kind: "advance"; readonly bytes: number }
  | { readonly kind: "done"; readonly replayed: Replayed };

export async function replayAll(job: PoolJob, events: PoolEvents, options: PoolOptions = {}): Promise<void> {
  const { callerWorks = true, inGivenOrder = false, isUrgent = true } = options;
  const cache = options.cache ?? cacheIn(job);
  const threads = Math.min(options.threads ?? threadsFor(job, cache), threadsWithMemory(job.logs));
  const taken = new Int32Array(new SharedArrayBuffer(4));
  const order = Int32Array.from(job.logs.keys());
  if (!inGivenOrder) order.sort((left, right) => (job.logs[right]?.bytes ?? 0) - (job.logs[left]?.bytes ?? 0));
  options.signal?.addEventListener("abort", () => Atomics.store(taken, 0, order.length), { once: true });
  const unfinished = new Set(job.logs.keys());
  const counted: PoolEvents = {
    advance: bytes => events.advance(bytes),
    done: replayed => {
      unfinished.delete(replayed.index);
      events.done(replayed);
    },
  };
  const shared: SharedJob = { job, order, taken, isUrgent };
  const workers = Array.from({ length: callerWorks ? threads - 1 : threads }, () => startWorker(shared, counted));
  if (callerWorks) takeTurns(shared, counted, cache);
  const failures = (await Promise.all(workers)).filter(failure => failure !== "");
  // A thread that died did not finish its log.
  for (const index of unfinished) {
    const path = job.logs[index]?.path ?? "";
    events.done({ index, problem: `a worker thread failed${failures[0] ? ` (${failures[0]})` : ""}: ${path}` });
  }
}

function cacheIn({ cacheFolder }: PoolJob): LogCache | undefined {
  return cacheFolder === undefined ? undefined : new LogCache(cacheFolder);
}

function threadsFor({ logs, options }: PoolJob, cache: LogCache | undefined): number {
  // Usually the total is small, and the cache need not be checked.
  if (logs.reduce((sum, { bytes }) => sum + bytes, 0) < MIN_BYTES_PER_THREAD) return 1;
  const mayKnow = ({ path }: FoundLog) =>
    (cache?.serves(options) && !needsTexts(options) && cache.mayKnow(path)) ?? false;
  const amount = () => logs.reduce((sum, log) => sum + log.bytes / (mayKnow(log) ? KNOWN_FACTOR : 1), 0);
  const work = cache ? cache.together(amount) : amount();
  return Math.min(MAX_THREADS, availableParallelism(), 1 + Math.floor(work / MIN_BYTES_PER_THREAD));
}

/** In the worst case, they read the largest logs at the same time. */
export function threadsWithMemory(logs: readonly FoundLog[]): number {
  const sizes = logs.map(({ bytes }) => bytes).sort((left, right) => right - left);
  let [threads, bytes] = [1, sizes[0] ?? 0];
  while (threads < MAX_THREADS) {
    bytes += BYTES_FOR_THREAD + (sizes[threads] ?? 0);
    if (bytes > MAX_BYTES_AT_ONCE) break;
    threads++;
  }
  return threads;
}

/** Replays logs until none is left. */
export function takeTurns(shared: SharedJob, events: PoolEvents, cache = cacheIn(shared.job)): void {
  if (cache === undefined) replayTaken(shared, events, cache);
  else cache.together(() => replayTaken(shared, events, cache));
}

function replayTaken({ job, order, taken }: SharedJob, events: PoolEvents, cache: LogCache | undefined): void {
  for (let at = Atomics.add(taken, 0, 1); at < order.length; at = Atomics.add(taken, 0, 1)) {
    const index = order[at] ?? 0;
    const path = job.logs[index]?.path ?? "";
    try {
      const recalling = { cache, keepFigures: job.keepFigures, found: job.logs[index] };
      const data = replayLog(path, job.options, recalling, bytes => events.advance(bytes));
      events.done(job.summariesOnly ? { index, summary: summaryOf(data) } : { index, data });
    } catch (error) {
      events.done({ index, problem: `${problemOf(error)}: ${path}` });
    }
  }
  // Whatever is done with the data needs memory, too.
  forgetKernel();
}

/** If a thread dies, the others take the remaining logs. Resolves to the cause, or "" if it did not. */
function startWorker(shared: SharedJob, events: PoolEvents): Promise<string> {
  return new Promise(resolve => {
    let failure = "";
    let worker: Worker;
    try {
      worker = new Worker(join(__dirname, "replayWorker.js"), { workerData: shared, resourceLimits: LIMITS });
    } catch (error) {
      // No more threads are available: the others do its share.
      return resolve(messageOf(error));
    }
    worker.on("message", (message: FromWorker) => {
      switch (message.kind) {
        case "advance":
          return events.advance(message.bytes);
        case "done":
          return events.done(message.replayed);
        default:
          message satisfies never;
      }
    });
    worker.on("error", error => {
      failure = error.message;
    });
    worker.on("exit", () => resolve(failure));
  });
}
