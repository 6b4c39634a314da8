import type { ServerResponse } from "node:http";
import { begin } from "./http.js";

/** How soon the browser reconnects after a lost connection. */
const RETRY_MS = 1000;

/** One tab's stream of server-sent events, which knows how much the page has not received yet. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;
  #waiting = 0;

  constructor(response: ServerResponse, heartbeatMs: number, events: { drained(): void; closed(): void }) {
    this.#response = response;
    begin(response, 200, { "content-type": "text/event-stream" });
    response.write(`retry: ${RETRY_MS}\n\n`);
    response.on("drain", () => events.drained());
    // The close event is enough.
    response.on("error", () => {});
    response.on("close", () => {
      clearInterval(this.#heartbeat);
      events.closed();
    });
    // Only writing to a connection reveals that it is lost.
    this.#heartbeat = setInterval(() => {
      if (!this.isBusy) response.write(":\n\n");
    }, heartbeatMs);
    this.#heartbeat.unref();
  }

  /** The page has not received everything yet; `drained` reports when it has. */
  get isBusy(): boolean {
    return this.#response.writableNeedDrain;
  }

  /** Bytes written since the page was last up to date. */
  get waiting(): number {
    return this.isBusy ? this.#waiting : 0;
  }

  send(json: string): void {
    this.#waiting = this.waiting + json.length;
    this.#response.write(`data: ${json}\n\n`);
  }

  /** Ends immediately, even if nobody reads. */
  end(): void {
    this.#response.destroy();
  }
}
