import type { ToHost, ToPage } from "../src/protocol/messages.js";

/** How the page reaches its host, wherever it runs. */
export interface Transport {
  send(message: ToHost): void;
  onMessage(take: (message: ToPage) => void): void;
  /** What `setState` was last given, also after a reload; undefined at first. */
  getState(): unknown;
  setState(state: unknown): void;
  /** Called with false when the host cannot be reached, and with true when it can again. */
  onConnection?(tell: (connected: boolean) => void): void;
  /** Brings the report by another way than messages, which are not made for it; without this the host is asked. */
  exportReport?(): Promise<void>;
}
