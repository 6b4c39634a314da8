import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { PendingRequests, type Reply, unknownMessage } from "../../protocol/channel.js";
import type { Progress } from "../../protocol/messages.js";
import type { AnswerTo, Ask, ComparisonRequests } from "../../protocol/requests.js";
import { strings } from "../../words/strings.js";

export interface ToComparison {
  readonly id: number;
  readonly ask: Ask<ComparisonRequests>;
}

export type FromComparison = Reply | { readonly type: "progress"; readonly progress: Progress };

/** An idle thread is ended after this time, which frees the texts of the compared session. */
const IDLE_MS = 5 * 60_000;

/** A thread for comparisons, started by the first request and ended when idle. */
export class ComparisonThread {
  readonly #advanced: (progress: Progress) => void;
  readonly #pending = new PendingRequests();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(advanced: (progress: Progress) => void = () => {}) {
    this.#advanced = advanced;
  }

  ask<A extends Ask<ComparisonRequests>>(ask: A): Promise<AnswerTo<ComparisonRequests, A>> {
    clearTimeout(this.#idle);
    return this.#pending.open(id => {
      this.#worker ??= this.#start();
      this.#worker.postMessage({ id, ask } satisfies ToComparison);
    });
  }

  /** Cancels whatever is in progress. */
  stop(reason: string = strings.failures.stopped): void {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    this.#pending.rejectAll(reason);
    void worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(join(__dirname, "comparisonWorker.js"));
    let failure: string = strings.failures.threadEnded;
    worker.on("message", (message: FromComparison) => this.#take(message));
    worker.on("error", error => {
      failure = error.message;
    });
    worker.on("exit", () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#pending.rejectAll(failure);
    });
    return worker;
  }

  #take(message: FromComparison): void {
    switch (message.type) {
      case "progress":
        return this.#advanced(message.progress);
      case "reply":
      case "failure":
        this.#pending.take(message);
        break;
      default:
        this.#pending.rejectAll(`from the comparison thread: ${unknownMessage(message)}`);
    }
    if (this.#pending.size > 0) return;
    this.#idle = setTimeout(() => this.stop(), IDLE_MS);
    this.#idle.unref();
  }
}
