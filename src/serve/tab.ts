/**
 * One open tab. A tab that does not keep up, or whose stream is broken, is no longer written to: it is marked as stale
 * and gets a new snapshot when it can take one. This bounds the memory for a tab, however slow it is.
 */
import type { PanelUpdate, ToHost, ToPage } from "../protocol/messages.js";
import type { EventStream } from "./eventStream.js";

/** Max bytes waiting to be sent, not counting a snapshot. */
const MAX_WAITING = 4 * 1024 * 1024;
/** A longer reply would only choke a browser. */
const MAX_REPLY = 64 * 1024 * 1024;

export class Tab {
  readonly panel: number;
  readonly #toHost: (panel: number, message: ToHost) => void;
  #stream: EventStream | undefined;
  /** The page is visible. */
  #visible = false;
  /** The page has missed something and needs a snapshot. */
  #stale = true;
  /** The context of the last snapshot, until the page has fetched it or there is a newer snapshot. */
  #context: { readonly seq: number; readonly pieces: readonly ArrayBuffer[] } | undefined;
  /** The value of `waiting` after the last snapshot. */
  #snapshotBytes = 0;

  constructor(panel: number, toHost: (panel: number, message: ToHost) => void) {
    this.panel = panel;
    this.#toHost = toHost;
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

  /** The stream has ended, unless it had already been replaced. */
  disconnect(stream: EventStream): void {
    if (this.#stream !== stream) return;
    this.#stream = undefined;
    this.#context = undefined;
    this.#stale = true;
    this.#toHost(this.panel, { type: "hidden" });
  }

  /** Requests a snapshot if one is needed and can be sent. */
  refresh(): void {
    if (this.#stale && this.#visible && this.#stream?.isBusy === false) this.#toHost(this.panel, { type: "ready" });
  }

  /** A message from the page. */
  take(message: ToHost): void {
    if (message.type === "ready") {
      this.#visible = true;
      this.#stale = true;
      return this.refresh();
    }
    if (message.type === "hidden") this.#visible = false;
    this.#toHost(this.panel, message);
  }

  /** A message to the page. */
  send(message: ToPage): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    if (message.type === "snapshot" || message.type === "delta") this.#sendUpdate(stream, message);
    else this.#sendReply(stream, message);
  }

  end(): void {
    this.#stream?.end();
  }

  #sendUpdate(stream: EventStream, message: PanelUpdate): void {
    const isSnapshot = message.type === "snapshot";
    if (!stream.isBusy) this.#snapshotBytes = 0;
    // A snapshot queued behind one that is still being sent would be stale before it arrives.
    const full = isSnapshot ? stream.isBusy : stream.waiting - this.#snapshotBytes > MAX_WAITING;
    if (full) this.#stale = true;
    if (full || (this.#stale && !isSnapshot)) return;
    stream.send(JSON.stringify(isSnapshot ? this.#setAside(message) : message));
    if (!isSnapshot) return;
    this.#stale = false;
    this.#snapshotBytes = stream.waiting;
  }

  /** The event stream is text: the page fetches the bytes separately, by the snapshot's number. */
  #setAside(message: Extract<PanelUpdate, { type: "snapshot" }>): PanelUpdate {
    const { seq, state } = message;
    this.#context = state.context === null ? undefined : { seq, pieces: state.context };
    return { ...message, state: { ...state, context: state.context && [] } };
  }

  /** The packed context of a snapshot, once; undefined if there is a newer snapshot. */
  takeContext(seq: number): readonly ArrayBuffer[] | undefined {
    if (this.#context?.seq !== seq) return undefined;
    const { pieces } = this.#context;
    this.#context = undefined;
    return pieces;
  }

  /** Replies are not resent: a page that lets them pile up has to reconnect. */
  #sendReply(stream: EventStream, message: Exclude<ToPage, PanelUpdate>): void {
    const json = replyText(message);
    if (stream.waiting + json.length > 2 * MAX_REPLY) stream.end();
    else stream.send(json);
  }
}

function replyText(message: Exclude<ToPage, PanelUpdate>): string {
  try {
    const json = JSON.stringify(message);
    if (json.length <= MAX_REPLY || message.type !== "reply") return json;
  } catch {
    // Longer than the longest possible string.
  }
  const id = "id" in message ? message.id : 0;
  return JSON.stringify({ type: "failure", id, message: "this is too long to show in a browser" } satisfies ToPage);
}
