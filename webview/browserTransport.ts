import { TIMEOUT_MS } from "../src/protocol/channel.js";
import type { ToHost, ToPage } from "../src/protocol/messages.js";
import { keptToken } from "./token.js";
import type { Transport } from "./transport.js";
import { download } from "./ui/dom.js";

const RETRY_MS = 1000;
const STATE_KEY = "dedup.state";
const READY: ToHost = { type: "ready" };
/** The server has read the message and does not take it: it would not take it the next time either. */
const NOT_TAKEN = [400, 413, 415];

/**
 * The page served by `dedup-inspector open`: events stream in, messages are posted. The server tells two tabs apart by
 * the page's own id, which both requests carry.
 */
export function browserTransport(): Transport {
  const token = keptToken();
  const page = crypto.randomUUID();
  const authorization = `Bearer ${token}`;
  const connection = new Connection();
  let take: (message: ToPage) => void = () => {};
  let sent: Promise<unknown> = Promise.resolve();
  let arrived: Promise<unknown> = Promise.resolve();

  /** A snapshot's context is fetched: bytes do not go well with a stream of text. Undefined where a newer one comes. */
  async function whole(message: ToPage): Promise<ToPage | undefined> {
    if (message.type !== "snapshot" || message.state.context === null) return message;
    const response = await fetch(`/context?page=${page}&seq=${message.seq}`, { headers: { authorization } });
    if (!response.ok) return undefined;
    return { ...message, state: { ...message.state, context: [await response.arrayBuffer()] } };
  }

  /** The status of the answer; 0 where there is none. */
  async function post(message: ToHost): Promise<number> {
    try {
      const { status } = await fetch(`/message?page=${page}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization },
        body: JSON.stringify(message),
      });
      return status;
    } catch {
      return 0;
    }
  }

  /** Tries until the server has it. A question that was given up meanwhile is not asked any more. */
  async function deliver(message: ToHost, askedAt: number): Promise<void> {
    for (;;) {
      const isGivenUp = message.type === "request" && Date.now() - askedAt > TIMEOUT_MS;
      const status = await post(isGivenUp ? READY : message);
      const isTaken = status >= 200 && status < 300;
      if (isTaken || NOT_TAKEN.includes(status)) {
        connection.set("posts", true);
        if (!isTaken) refused(message, status);
        return;
      }
      connection.set("posts", false);
      await new Promise(resolve => setTimeout(resolve, RETRY_MS));
    }
  }

  function refused(message: ToHost, status: number): void {
    const reason = `Dedup Inspector refused it (${status})`;
    if (message.type === "request") take({ type: "failure", id: message.id, message: reason });
    else reportError(new Error(`${message.type}: ${reason}`));
  }

  /** One at a time: requests on their way together may arrive in any order. */
  function send(message: ToHost): void {
    const askedAt = Date.now();
    sent = sent.then(() => deliver(message, askedAt)).catch(reportError);
  }

  function listen(): void {
    const events = new EventSource(`/events?token=${encodeURIComponent(token)}&page=${page}`);
    events.onmessage = event => {
      // Its bytes can be had once: where they got lost on the way, everything is asked for anew.
      const message = whole(JSON.parse(event.data) as ToPage).catch(() => send(READY));
      // One after the other: what follows a snapshot waits for its bytes.
      arrived = Promise.all([message, arrived])
        .then(([next]) => next && take(next))
        .catch(reportError);
    };
    events.onopen = () => connection.set("stream", true);
    events.onerror = () => {
      connection.set("stream", false);
      // A broken stream is opened again by the browser, a refused one is not.
      if (events.readyState === EventSource.CLOSED) setTimeout(listen, RETRY_MS);
    };
  }

  return {
    send,
    onMessage: taken => {
      take = taken;
      listen();
    },
    getState: () => readState(),
    setState: state => localStorage.setItem(STATE_KEY, JSON.stringify(state)),
    onConnection: tell => {
      connection.tell = tell;
    },
    exportReport: async () => {
      const response = await fetch("/report", { headers: { authorization } });
      if (!response.ok) throw new Error((await response.text()).trim());
      download("dedup-report.json", await response.blob());
    },
  };
}

/** There is one while both ways work; each tells of itself. */
class Connection {
  readonly #works = { stream: true, posts: true };
  tell: (connected: boolean) => void = () => {};

  set(way: "stream" | "posts", works: boolean): void {
    this.#works[way] = works;
    this.tell(this.#works.stream && this.#works.posts);
  }
}

function readState(): unknown {
  try {
    return JSON.parse(localStorage.getItem(STATE_KEY) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}
