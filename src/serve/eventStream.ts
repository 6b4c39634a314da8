import type { ServerResponse } from "node:http";
import { begin } from "./responses.js";

/** Told to the browser: how soon it tries again after a loss. */
const RETRY_MS = 1000;

/** One page's stream of server-sent events. It knows how much the page has not taken yet. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;
  #waiting = 0;

  constructor(response: ServerResponse, heartbeatMs: number, events: { drained(): void; closed(): void }) {
    this.#response = response;
    begin(response, 200, { "content-type": "text/event-stream" });
    response.write(`retry: ${RETRY_MS}\n\n`);
    response.on("drain", () => events.drained());
    // The end of the stream says all there is to say.
    response.on("error", () => {});
    response.on("close", () => {
      clearInterval(this.#heartbeat);
      events.closed();
    });
    // A lost connection is noticed only by writing to it.
    this.#heartbeat = setInterval(() => {
      if (!this.isBusy) response.write(":\n\n");
    }, heartbeatMs);
    this.#heartbeat.unref();
  }

  /** The page has not yet taken what it was sent; `drained` tells when it has. */
  get isBusy(): boolean {
    return this.#response.writableNeedDrain;
  }

  /** Bytes written since the page last had everything. */
  get waiting(): number {
    return this.isBusy ? this.#waiting : 0;
  }

  send(json: string): void {
    this.#waiting = this.waiting + json.length;
    this.#response.write(`data: ${json}\n\n`);
  }

  /** Ends at once, even where nobody reads. */
  end(): void {
    this.#response.destroy();
  }
}
