import type { ToHost, ToPage } from "../src/protocol/messages.js";
import type { ReportFormat } from "../src/protocol/reportFormats.js";

/** How the page reaches its host, wherever it runs. */
export interface Transport {
  send(message: ToHost): void;
  onMessage(take: (message: ToPage) => void): void;
  /** What was last passed to `setState`, even after a reload; undefined at first. */
  getState(): unknown;
  setState(state: unknown): void;
  /** `tell` is called with false when the host cannot be reached, and with true when it can be again. */
  onConnection?(tell: (connected: boolean) => void): void;
  /** Downloads the report, which is too large for messages; without this the host is asked to export it. */
  exportReport?(format: ReportFormat, signal: AbortSignal): Promise<void>;
}
