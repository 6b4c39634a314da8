/**
 * One open tab. A tab that does not keep up, or whose stream is broken, is not written to any further: it is marked as
 * stale and gets one new snapshot when it can take it. So a tab costs a bounded amount of memory, however slow it is.
 */
import type { ToHost, ToPage } from "../protocol/messages.js";
import type { EventStream } from "./eventStream.js";

/** What a tab may have waiting beside one snapshot. */
const MOST_WAITING = 4 * 1024 * 1024;
/** No answer is longer: a browser would only choke on it. */
const MOST_ANSWER = 64 * 1024 * 1024;

export class Page {
  readonly panel: number;
  readonly #toEngine: (panel: number, message: ToHost) => void;
  #stream: EventStream | undefined;
  /** The page can be seen. */
  #visible = false;
  /** The page has missed something: only a snapshot helps. */
  #stale = true;
  /** The context of the last snapshot, until the page has fetched it or there is a newer one. */
  #context: { readonly seq: number; readonly pieces: readonly ArrayBuffer[] } | undefined;
  /** Where `waiting` stood after the last snapshot. */
  #snapshotBytes = 0;

  constructor(panel: number, toEngine: (panel: number, message: ToHost) => void) {
    this.panel = panel;
    this.#toEngine = toEngine;
  }

  get isConnected(): boolean {
    return this.#stream !== undefined;
  }

  connect(stream: EventStream): void {
    this.#stream?.end();
    this.#stream = stream;
    this.#stale = true;
    this.refresh();
  }

  /** The stream has ended; an older one that was replaced does not count. */
  disconnect(stream: EventStream): void {
    if (this.#stream !== stream) return;
    this.#stream = undefined;
    this.#context = undefined;
    this.#stale = true;
    this.#toEngine(this.panel, { type: "hidden" });
  }

  /** Asks for a snapshot where one is needed and can be taken. */
  refresh(): void {
    if (this.#stale && this.#visible && this.#stream?.isBusy === false) this.#toEngine(this.panel, { type: "ready" });
  }

  /** A message from the page. */
  take(message: ToHost): void {
    if (message.type === "ready") {
      this.#visible = true;
      this.#stale = true;
      return this.refresh();
    }
    if (message.type === "hidden") this.#visible = false;
    this.#toEngine(this.panel, message);
  }

  /** A message to the page. */
  send(message: ToPage): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    if (message.type === "snapshot" || message.type === "delta") this.#sendData(stream, message);
    else this.#sendAnswer(stream, message);
  }

  end(): void {
    this.#stream?.end();
  }

  #sendData(stream: EventStream, message: Extract<ToPage, { type: "snapshot" | "delta" }>): void {
    const isSnapshot = message.type === "snapshot";
    if (!stream.isBusy) this.#snapshotBytes = 0;
    // A second snapshot behind one that is still on its way would be out of date before it arrives.
    const full = isSnapshot ? stream.isBusy : stream.waiting - this.#snapshotBytes > MOST_WAITING;
    if (full) this.#stale = true;
    if (full || (this.#stale && !isSnapshot)) return;
    stream.send(JSON.stringify(isSnapshot ? this.#setAside(message) : message));
    if (!isSnapshot) return;
    this.#stale = false;
    this.#snapshotBytes = stream.waiting;
  }

  /** Bytes do not go well with text: the page fetches them by the number of their snapshot. */
  #setAside(message: Extract<ToPage, { type: "snapshot" }>): ToPage {
    const { seq, state } = message;
    this.#context = state.context === null ? undefined : { seq, pieces: state.context };
    return { ...message, state: { ...state, context: state.context && [] } };
  }

  /** The packed context of a snapshot, once; undefined where there is a newer one. */
  takeContext(seq: number): readonly ArrayBuffer[] | undefined {
    if (this.#context?.seq !== seq) return undefined;
    const { pieces } = this.#context;
    this.#context = undefined;
    return pieces;
  }

  /** Answers are not made again: a page that lets them pile up has to connect anew. */
  #sendAnswer(stream: EventStream, message: ToPage): void {
    const json = answerText(message);
    if (stream.waiting + json.length > 2 * MOST_ANSWER) stream.end();
    else stream.send(json);
  }
}

function answerText(message: ToPage): string {
  try {
    const json = JSON.stringify(message);
    if (json.length <= MOST_ANSWER || message.type !== "reply") return json;
  } catch {
    // Longer than the longest string.
  }
  const id = "id" in message ? message.id : 0;
  return JSON.stringify({ type: "failure", id, message: "this is too long for a browser" } satisfies ToPage);
}
