/**
 * Questions and answers over a one-way stream of messages: the page asks, the host answers or says why it cannot.
 * Nothing may wait for ever, so every question ends by an answer, a failure, a time-out or the end of the channel.
 */
import type { Ask, ToHost, ToPage } from "./messages.js";

type Request = Extract<ToHost, { type: "request" }>;
type Answer = Extract<ToPage, { type: "reply" | "failure" }>;

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** After so long a question counts as not answered. */
export const TIMEOUT_MS = 30_000;

/** The page's end. */
export class AskChannel {
  readonly #send: (request: Request) => void;
  readonly #timeoutMs: number;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #disposed = false;

  constructor(send: (request: Request) => void, timeoutMs: number = TIMEOUT_MS) {
    this.#send = send;
    this.#timeoutMs = timeoutMs;
  }

  ask(ask: Ask): Promise<unknown> {
    if (this.#disposed) return Promise.reject(new Error("The channel is closed"));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#settle(id)?.reject(new Error("No answer in time")), this.#timeoutMs);
      this.#pending.set(id, { resolve, reject, timer });
      try {
        this.#send({ type: "request", id, ask });
      } catch (error) {
        this.#settle(id)?.reject(errorOf(error));
      }
    });
  }

  /** An answer to a question that nobody waits for any more is dropped. */
  take(answer: Answer): void {
    const pending = this.#settle(answer.id);
    if (answer.type === "reply") pending?.resolve(answer.result);
    else pending?.reject(new Error(answer.message));
  }

  dispose(): void {
    this.#disposed = true;
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(new Error("The channel is closed"));
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (pending !== undefined) clearTimeout(pending.timer);
    return pending;
  }
}

/** The host's end: the answer to one question, whatever its handler does. */
export async function answerTo(request: Request, handle: (ask: Ask) => unknown): Promise<Answer> {
  try {
    return { type: "reply", id: request.id, result: (await handle(request.ask)) ?? null };
  } catch (error) {
    return { type: "failure", id: request.id, message: errorOf(error).message };
  }
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
