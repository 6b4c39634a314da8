import { TIMEOUT_MS } from "../src/protocol/channel.js";
import type { ToHost, ToPage } from "../src/protocol/messages.js";
import { reportFile } from "../src/protocol/reportFormats.js";
import type { ContextRef } from "../src/protocol/requests.js";
import { keptToken } from "./token.js";
import type { Transport } from "./transport.js";
import { download } from "./ui/dom.js";

const RETRY_MS = 1000;
const STATE_KEY = "dedup.state";
const CHOICE_KEY = "dedup.choice";
const READY: ToHost = { type: "ready" };
/** Browsers allow only a few connections to a server: a tab that stays hidden leaves its own to others. */
const DISCONNECT_AFTER_MS = TIMEOUT_MS;
/** The server has rejected the message: retrying would not help. */
const REJECTED = [400, 413, 415];

/**
 * For the page served by `dedup-inspector open`: events are streamed in, messages are posted. Both requests carry the
 * page's id, by which the server distinguishes tabs.
 */
export function browserTransport(): Transport {
  const token = keptToken();
  const page = crypto.randomUUID();
  const authorization = `Bearer ${token}`;
  const connection = new Connection();
  const choice = new Choice();
  let events: EventSource | undefined;
  let leaving: ReturnType<typeof setTimeout> | undefined;
  let take: (message: ToPage) => void = () => {};
  let sent: Promise<unknown> = Promise.resolve();
  let arrived: Promise<unknown> = Promise.resolve();

  /** Fetches a snapshot's context, which is binary and not in the event stream; undefined if a newer one follows. */
  async function whole(message: ToPage): Promise<ToPage | undefined> {
    if (message.type !== "snapshot" || message.state.context === null) return message;
    const response = await fetch(`/context?page=${page}&seq=${message.seq}`, { headers: { authorization } });
    if (!response.ok) return undefined;
    return { ...message, state: { ...message.state, context: [await response.arrayBuffer()] } };
  }

  /** The status of the response; 0 if there is none. */
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

  /** Retries until the server has the message. A request that has timed out in the meantime is dropped. */
  async function deliver(message: ToHost, askedAt: number): Promise<void> {
    for (;;) {
      const isTimedOut = message.type === "request" && Date.now() - askedAt > TIMEOUT_MS;
      const status = await post(isTimedOut ? READY : message);
      const isTaken = status >= 200 && status < 300;
      if (isTaken || REJECTED.includes(status)) {
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

  /** One at a time: simultaneous requests may arrive in any order. */
  function enqueue(message: ToHost): void {
    const askedAt = Date.now();
    sent = sent.then(() => deliver(message, askedAt)).catch(reportError);
  }

  function send(message: ToHost): void {
    if (message.type === "hidden" || message.type === "ready") clearTimeout(leaving);
    if (message.type === "hidden") leaving = setTimeout(leave, DISCONNECT_AFTER_MS);
    else if (message.type === "ready") {
      if (events === undefined) listen();
      const missing = choice.missing;
      if (missing !== undefined) enqueue({ type: "select", ...missing });
    }
    enqueue(message);
  }

  function leave(): void {
    events?.close();
    events = undefined;
    choice.isKnown = false;
  }

  function listen(): void {
    const opened = new EventSource(`/events?token=${encodeURIComponent(token)}&page=${page}`);
    events = opened;
    opened.onmessage = event => {
      const received: ToPage = JSON.parse(event.data);
      if (received.type === "snapshot") choice.note(received.state);
      else if (received.type === "delta") choice.note(received.delta);
      // Its bytes can only be fetched once: if they are lost, a new snapshot is requested.
      const message = whole(received).catch(() => send(READY));
      // In order: what follows a snapshot waits for its bytes.
      arrived = Promise.all([message, arrived])
        .then(([next]) => next && take(next))
        .catch(reportError);
    };
    opened.onopen = () => connection.set("stream", true);
    opened.onerror = () => {
      connection.set("stream", false);
      choice.isKnown = false;
      // The browser reopens a broken stream by itself, but not a rejected one.
      if (opened.readyState === EventSource.CLOSED) setTimeout(() => events === opened && listen(), RETRY_MS);
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
    exportReport: async (format, signal) => {
      const response = await fetch(`/report?format=${format}`, { headers: { authorization }, signal });
      if (!response.ok) throw new Error((await response.text()).trim());
      download(reportFile(format), await response.blob());
    },
  };
}

/** Connected as long as both directions work. */
class Connection {
  readonly #works = { stream: true, posts: true };
  tell: (connected: boolean) => void = () => {};

  set(way: "stream" | "posts", works: boolean): void {
    this.#works[way] = works;
    this.tell(this.#works.stream && this.#works.posts);
  }
}

/**
 * The conversation that the user has chosen in this tab. The server forgets a tab that was reloaded, or away for long, and
 * would show the newest session again.
 */
class Choice {
  /** Whether the server has said what the tab shows since it was last connected. */
  isKnown = false;
  #selected: ContextRef | null | undefined;
  #following: boolean | undefined;

  /** What to select; undefined if the server knows, or if the tab follows. */
  get missing(): ContextRef | undefined {
    return this.isKnown ? undefined : readChoice();
  }

  note({ selected, following }: { readonly selected?: ContextRef | null; readonly following?: boolean }): void {
    this.isKnown = true;
    if (selected === undefined && following === undefined) return;
    if (selected !== undefined) this.#selected = selected;
    if (following !== undefined) this.#following = following;
    const kept = this.#following === false ? this.#selected : null;
    if (kept) sessionStorage.setItem(CHOICE_KEY, JSON.stringify(kept));
    else sessionStorage.removeItem(CHOICE_KEY);
  }
}

function readChoice(): ContextRef | undefined {
  try {
    const { session, context } = JSON.parse(sessionStorage.getItem(CHOICE_KEY) ?? "{}");
    return typeof session === "string" && typeof context === "string" ? { session, context } : undefined;
  } catch {
    return undefined;
  }
}

function readState(): unknown {
  try {
    return JSON.parse(localStorage.getItem(STATE_KEY) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}
