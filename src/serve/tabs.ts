/** All open tabs. To the engine, each one is a panel from its first message until it is closed. */
import type { ServerResponse } from "node:http";
import type { ToHost, ToPage } from "../protocol/messages.js";
import { EventStream } from "./eventStream.js";
import { Tab } from "./tab.js";

/** Where the messages of tabs go. */
export interface TabHost {
  fromPage(panel: number, message: ToHost): void;
  closed(panel: number): void;
}

export interface TabLimits {
  readonly maxTabs: number;
  /** A tab whose stream breaks reconnects within seconds, and finds its session still selected. */
  readonly graceMs: number;
  readonly heartbeatMs: number;
}

export const TAB_LIMITS: TabLimits = { maxTabs: 64, graceMs: 10_000, heartbeatMs: 15_000 };

export class Tabs {
  readonly #host: TabHost;
  readonly #limits: TabLimits;
  readonly #tabs = new Map<string, Tab>();
  readonly #byPanel = new Map<number, Tab>();
  readonly #graces = new Map<string, NodeJS.Timeout>();
  #lastPanel = 0;

  constructor(host: TabHost, limits: TabLimits = TAB_LIMITS) {
    this.#host = host;
    this.#limits = limits;
  }

  /** Opens the tab's stream; returns false if there are too many tabs. */
  connect(id: string, response: ServerResponse): boolean {
    const tab = this.#tab(id);
    if (tab === undefined) return false;
    const stream: EventStream = new EventStream(response, this.#limits.heartbeatMs, {
      drained: () => tab.refresh(),
      closed: () => {
        tab.disconnect(stream);
        if (this.#tabs.get(id) === tab && !tab.isConnected) this.#forgetSoon(id);
      },
    });
    clearTimeout(this.#graces.get(id));
    tab.connect(stream);
    return true;
  }

  /** Takes a tab's message; its stream may be opened a moment later. Returns false if there are too many tabs. */
  take(id: string, message: ToHost): boolean {
    const tab = this.#tab(id);
    if (tab === undefined) return false;
    tab.take(message);
    return true;
  }

  takeContext(id: string, seq: number): readonly ArrayBuffer[] | undefined {
    return this.#tabs.get(id)?.takeContext(seq);
  }

  /** Sends a message to the tab of a panel. */
  send(panel: number, message: ToPage): void {
    this.#byPanel.get(panel)?.send(message);
  }

  close(): void {
    for (const id of [...this.#tabs.keys()]) this.#forget(id);
  }

  #tab(id: string): Tab | undefined {
    const known = this.#tabs.get(id);
    if (known !== undefined || this.#tabs.size >= this.#limits.maxTabs) return known;
    const tab = new Tab(++this.#lastPanel, (panel, message) => this.#host.fromPage(panel, message));
    this.#tabs.set(id, tab);
    this.#byPanel.set(tab.panel, tab);
    this.#forgetSoon(id);
    return tab;
  }

  #forgetSoon(id: string): void {
    clearTimeout(this.#graces.get(id));
    const timer = setTimeout(() => this.#forget(id), this.#limits.graceMs);
    timer.unref();
    this.#graces.set(id, timer);
  }

  #forget(id: string): void {
    const tab = this.#tabs.get(id);
    clearTimeout(this.#graces.get(id));
    this.#graces.delete(id);
    this.#tabs.delete(id);
    if (tab === undefined) return;
    this.#byPanel.delete(tab.panel);
    tab.end();
    this.#host.closed(tab.panel);
  }
}
