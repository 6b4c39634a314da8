/** Posts messages to a webview in order. A long snapshot is posted in pieces, so that it blocks nothing else. */
import type { Webview } from "vscode";
import type { ToPage } from "../protocol/messages.js";
import { inPieces, type Posted } from "../protocol/packing.js";

export class Outbox {
  readonly #webview: Pick<Webview, "postMessage">;
  #waiting: Posted[] = [];
  #isSending = false;

  constructor(webview: Pick<Webview, "postMessage">) {
    this.#webview = webview;
  }

  post(message: ToPage): void {
    this.#waiting.push(...inPieces(message));
    if (!this.#isSending) void this.#send();
  }

  /** The page has been reloaded: pending messages are stale, and may never arrive. */
  clear(): void {
    this.#waiting = [];
    this.#isSending = false;
  }

  async #send(): Promise<void> {
    const waiting = this.#waiting;
    this.#isSending = true;
    for (let posted = waiting.shift(); posted !== undefined; posted = waiting.shift()) {
      // A page that is being closed cannot be reached, which is fine.
      const sent = this.#webview.postMessage(posted).then(undefined, () => undefined);
      if (posted.type === "piece") await sent;
      if (waiting !== this.#waiting) return;
    }
    this.#isSending = false;
  }
}
