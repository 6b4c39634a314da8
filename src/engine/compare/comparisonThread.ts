import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { SpanStrategy, Strategy } from "../../inspect/strategies.js";
import type { Progress } from "../../protocol/messages.js";
import type { EngineConfig } from "../engineMessages.js";
import type { ComparedSession } from "./comparer.js";

export type ComparisonJob =
  /** ContextComparison */
  | { readonly name: "compare"; readonly session: ComparedSession }
  /** ContextPasses | null */
  | { readonly name: "passes"; readonly session: ComparedSession }
  /** number[]: see Comparer.savings */
  | { readonly name: "savings"; readonly session: ComparedSession; readonly strategy: Strategy }
  /** EmittedRun[] */
  | { readonly name: "runs"; readonly session: ComparedSession; readonly row: number; readonly strategy: SpanStrategy }
  /** AllSessions["report"] */
  | { readonly name: "all"; readonly config: EngineConfig };

export type FromComparison =
  | { readonly id: number; readonly progress: Progress }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly problem: string };

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
  advanced(progress: Progress): void;
}

/** What it holds of a session's texts is given back when nobody has asked for so long. */
const IDLE_MS = 5 * 60_000;

/** A thread for comparisons, started by the first one and gone when it is not used. */
export class ComparisonThread {
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;

  ask(job: ComparisonJob, advanced: (progress: Progress) => void = () => {}): Promise<unknown> {
    clearTimeout(this.#idle);
    const id = ++this.#lastId;
    // Where no thread can be had, the question ends with that.
    return new Promise((resolve, reject) => {
      this.#worker ??= this.#start();
      this.#worker.postMessage({ id, job });
      this.#pending.set(id, { resolve, reject, advanced });
    });
  }

  /** Whatever is being done is given up. */
  stop(reason = "stopped"): void {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    this.#rejectAll(reason);
    void worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(join(__dirname, "comparisonWorker.js"));
    let failure = "the thread ended";
    worker.on("message", (message: FromComparison) => this.#take(message));
    worker.on("error", error => {
      failure = error.message;
    });
    worker.on("exit", () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#rejectAll(failure);
    });
    return worker;
  }

  #take(message: FromComparison): void {
    const pending = this.#pending.get(message.id);
    if ("progress" in message) return pending?.advanced(message.progress);
    this.#pending.delete(message.id);
    if ("result" in message) pending?.resolve(message.result);
    else pending?.reject(new Error(message.problem));
    if (this.#pending.size > 0) return;
    this.#idle = setTimeout(() => this.stop(), IDLE_MS);
    this.#idle.unref();
  }

  #rejectAll(reason: string): void {
    for (const { reject } of this.#pending.values()) reject(new Error(reason));
    this.#pending.clear();
  }
}
