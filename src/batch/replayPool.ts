/** Replays many logs on all cores: the calling thread works too, so that one core needs no second thread. */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { LogCache } from "../cache/logCache.js";
import type { LogData } from "../inspect/logData.js";
import type { ReplayOptions } from "../pipeline/logModel.js";
import { type FoundLog, problemOf } from "../tail/discover.js";
import { replayLog } from "./replayLog.js";

export interface PoolJob {
  readonly logs: readonly FoundLog[];
  readonly options: ReplayOptions;
  /** Undefined: neither read nor write the cache. */
  readonly cacheFolder: string | undefined;
}

export interface Replayed {
  readonly index: number;
  readonly data?: LogData;
  readonly problem?: string;
}

export interface PoolEvents {
  /** Bytes that any thread has dealt with. */
  advance(bytes: number): void;
  done(replayed: Replayed): void;
}

/** A further thread takes about as long to start, and to compile the same code once more, as this many bytes to read. */
const WORTH_A_THREAD = 96 * 1024 * 1024;
const MOST_THREADS = 8;

export interface PoolOptions {
  readonly threads?: number;
  /** False where the calling thread has other things to do. */
  readonly callerWorks?: boolean;
  /** Aborting leaves the logs that no thread has taken yet. */
  readonly signal?: AbortSignal;
  /** By default the largest logs come first, so that the last thing to finish is small. */
  readonly inGivenOrder?: boolean;
}

export async function replayAll(job: PoolJob, events: PoolEvents, options: PoolOptions = {}): Promise<void> {
  const { callerWorks = true, inGivenOrder = false } = options;
  const bytes = job.logs.reduce((sum, log) => sum + log.bytes, 0);
  const threads =
    options.threads ?? Math.min(MOST_THREADS, availableParallelism(), 1 + Math.floor(bytes / WORTH_A_THREAD));
  // One number shared by all threads: the next log that nobody has taken.
  const turn = new Int32Array(new SharedArrayBuffer(4));
  const order = Int32Array.from(job.logs.keys());
  if (!inGivenOrder) order.sort((left, right) => (job.logs[right]?.bytes ?? 0) - (job.logs[left]?.bytes ?? 0));
  options.signal?.addEventListener("abort", () => Atomics.store(turn, 0, order.length), { once: true });
  const helpers = callerWorks ? threads - 1 : threads;
  const left = new Set(job.logs.keys());
  const counted: PoolEvents = {
    advance: bytes => events.advance(bytes),
    done: replayed => {
      left.delete(replayed.index);
      events.done(replayed);
    },
  };
  const workers = Array.from({ length: helpers }, () => startWorker(job, order, turn, counted));
  if (callerWorks) takeTurns(job, order, turn, counted);
  const failures = (await Promise.all(workers)).filter(failure => failure !== "");
  // A thread that died took the log in its hands with it.
  for (const index of left) {
    const path = job.logs[index]?.path ?? "";
    events.done({ index, problem: `a worker thread failed${failures[0] ? ` (${failures[0]})` : ""}: ${path}` });
  }
}

/** Replays logs until none is left. */
export function takeTurns(job: PoolJob, order: Int32Array, turn: Int32Array, events: PoolEvents): void {
  const cache = job.cacheFolder === undefined ? undefined : new LogCache(job.cacheFolder);
  for (let at = Atomics.add(turn, 0, 1); at < order.length; at = Atomics.add(turn, 0, 1)) {
    const index = order[at] ?? 0;
    const { path } = job.logs[index] as FoundLog;
    try {
      events.done({ index, data: replayLog(path, job.options, cache, bytes => events.advance(bytes)) });
    } catch (error) {
      events.done({ index, problem: `${problemOf(error)}: ${path}` });
    }
  }
}

/** A thread that dies leaves the logs it had not taken to the others. Gives what it died of, "" where it did not. */
function startWorker(job: PoolJob, order: Int32Array, turn: Int32Array, events: PoolEvents): Promise<string> {
  return new Promise(resolve => {
    let failure = "";
    let worker: Worker;
    try {
      worker = new Worker(join(__dirname, "replayWorker.js"), { workerData: { job, order, turn } });
    } catch (error) {
      // No further thread can be had: the others do its share.
      return resolve((error as Error).message);
    }
    worker.on("message", (message: Replayed | { advance: number }) => {
      if ("advance" in message) events.advance(message.advance);
      else events.done(message);
    });
    worker.on("error", error => {
      failure = error.message;
    });
    worker.on("exit", () => resolve(failure));
  });
}
