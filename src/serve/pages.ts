/** All open tabs: which panel of the engine each one is, from its first message until it is gone. */
import type { ServerResponse } from "node:http";
import type { ToHost, ToPage } from "../protocol/messages.js";
import { EventStream } from "./eventStream.js";
import { Page } from "./page.js";

/** The engine, as far as tabs speak to it. */
export interface PageEngine {
  fromPage(panel: number, message: ToHost): void;
  closed(panel: number): void;
}

export interface PageLimits {
  readonly most: number;
  /** A tab whose stream breaks comes back within seconds, and finds its session still selected. */
  readonly graceMs: number;
  readonly heartbeatMs: number;
}

export const PAGE_LIMITS: PageLimits = { most: 64, graceMs: 10_000, heartbeatMs: 15_000 };

export class Pages {
  readonly #engine: PageEngine;
  readonly #limits: PageLimits;
  readonly #pages = new Map<string, Page>();
  readonly #byPanel = new Map<number, Page>();
  readonly #graces = new Map<string, NodeJS.Timeout>();
  #lastPanel = 0;

  constructor(engine: PageEngine, limits: PageLimits = PAGE_LIMITS) {
    this.#engine = engine;
    this.#limits = limits;
  }

  /** Opens the tab's stream; false where there are too many tabs. */
  connect(id: string, response: ServerResponse): boolean {
    const page = this.#page(id);
    if (page === undefined) return false;
    const stream: EventStream = new EventStream(response, this.#limits.heartbeatMs, {
      drained: () => page.refresh(),
      closed: () => {
        page.disconnect(stream);
        if (this.#pages.get(id) === page && !page.isConnected) this.#forgetSoon(id);
      },
    });
    clearTimeout(this.#graces.get(id));
    page.connect(stream);
    return true;
  }

  /** Takes a message of a tab, whose stream may come a moment later; false where there are too many tabs. */
  take(id: string, message: ToHost): boolean {
    const page = this.#page(id);
    if (page === undefined) return false;
    page.take(message);
    return true;
  }

  takeContext(id: string, seq: number): readonly ArrayBuffer[] | undefined {
    return this.#pages.get(id)?.takeContext(seq);
  }

  /** Hands a message of the engine to the tab it is for. */
  send(panel: number, message: ToPage): void {
    this.#byPanel.get(panel)?.send(message);
  }

  close(): void {
    for (const id of [...this.#pages.keys()]) this.#forget(id);
  }

  #page(id: string): Page | undefined {
    const known = this.#pages.get(id);
    if (known !== undefined || this.#pages.size >= this.#limits.most) return known;
    const page = new Page(++this.#lastPanel, (panel, message) => this.#engine.fromPage(panel, message));
    this.#pages.set(id, page);
    this.#byPanel.set(page.panel, page);
    this.#forgetSoon(id);
    return page;
  }

  #forgetSoon(id: string): void {
    clearTimeout(this.#graces.get(id));
    const timer = setTimeout(() => this.#forget(id), this.#limits.graceMs);
    timer.unref();
    this.#graces.set(id, timer);
  }

  #forget(id: string): void {
    const page = this.#pages.get(id);
    clearTimeout(this.#graces.get(id));
    this.#graces.delete(id);
    this.#pages.delete(id);
    if (page === undefined) return;
    this.#byPanel.delete(page.panel);
    page.end();
    this.#engine.closed(page.panel);
  }
}
