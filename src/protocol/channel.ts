/**
 * Requests and replies over a one-way stream of messages, for both ends of every connection: page and host, host and
 * engine, engine and comparison thread. Nothing waits forever: a request ends with a reply, a failure, a timeout, or
 * the end of the connection.
 */
import type { PageRequest } from "./messages.js";
import type { AnswerTo, Ask, Handlers, PageAsk, PageRequests, Table } from "./requests.js";

export type Reply =
  | { readonly type: "reply"; readonly id: number; readonly result: unknown }
  | { readonly type: "failure"; readonly id: number; readonly message: string };

interface Pending {
  // A method, so that it accepts the resolver of any answer: only the request tables know which one belongs to which id.
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** The asking end: requests that have not been answered yet. */
export class PendingRequests {
  readonly #pending = new Map<number, Pending>();
  #lastId: number;

  constructor(lastId = 0) {
    this.#lastId = lastId;
  }

  get size(): number {
    return this.#pending.size;
  }

  /** `send` gets the request's id; if it throws, the request fails with that error. */
  open<A>(send: (id: number) => void): Promise<A> {
    const id = ++this.#lastId;
    return new Promise<A>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      try {
        send(id);
      } catch (error) {
        this.take({ type: "failure", id, message: messageOf(error) });
      }
    });
  }

  /** Ignores a reply that nobody is waiting for any more. */
  take(reply: Reply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (reply.type === "reply") pending?.resolve(reply.result);
    else pending?.reject(new Error(reply.message));
  }

  rejectAll(message: string): void {
    for (const id of [...this.#pending.keys()]) this.take({ type: "failure", id, message });
  }
}

/** How long a page waits for an answer. */
export const TIMEOUT_MS = 30_000;

/** Leaves room for more requests than a page can ever make. */
const MAX_FIRST_ID = 2 ** 52;

/** Why a request was not answered, in the page's language. */
interface ChannelWords {
  readonly channelClosed: string;
  readonly noAnswer: string;
}

/** The page's end of its connection to the host. */
export class AskChannel {
  readonly #send: (request: PageRequest) => void;
  readonly #words: ChannelWords;
  readonly #timeoutMs: number;
  /** A page that was reloaded must not take an answer to the page before it for one of its own. */
  readonly #pending = new PendingRequests(Math.floor(Math.random() * MAX_FIRST_ID));
  #disposed = false;

  constructor(send: (request: PageRequest) => void, words: ChannelWords, timeoutMs: number = TIMEOUT_MS) {
    this.#send = send;
    this.#words = words;
    this.#timeoutMs = timeoutMs;
  }

  ask<A extends PageAsk>(ask: A): Promise<AnswerTo<PageRequests, A>> {
    if (this.#disposed) return Promise.reject(new Error(this.#words.channelClosed));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const answer = this.#pending.open<AnswerTo<PageRequests, A>>(id => {
      this.#send({ type: "request", id, ask });
      const late = () => this.take({ type: "failure", id, message: this.#words.noAnswer });
      timer = setTimeout(late, this.#timeoutMs);
    });
    return answer.finally(() => clearTimeout(timer));
  }

  take(reply: Reply): void {
    this.#pending.take(reply);
  }

  dispose(): void {
    this.#disposed = true;
    this.#pending.rejectAll(this.#words.channelClosed);
  }
}

/** Calls the handler of a request. An unknown method, which only another version could send, is an error. */
export async function handle<T extends Table<T>, M extends keyof T, C extends readonly unknown[]>(
  handlers: Handlers<T, C>,
  ask: Ask<T, M>,
  ...context: C
): Promise<T[M]["answer"]> {
  if (!Object.hasOwn(handlers, ask.method)) throw new Error(`unknown request: ${String(ask.method)}`);
  return handlers[ask.method](ask, ...context);
}

/** The answering end: the reply to one request, whatever happens while handling it. */
export async function replyTo(id: number, answer: () => unknown): Promise<Reply> {
  try {
    return { type: "reply", id, result: (await answer()) ?? null };
  } catch (error) {
    return { type: "failure", id, message: messageOf(error) };
  }
}

/** Ends an exhaustive dispatch: does not compile if a case is missing, and describes messages of other versions. */
export function unknownMessage(message: never): string {
  return `unknown message: ${JSON.stringify(message).slice(0, 200)}`;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
