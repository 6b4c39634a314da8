/** The only caller of acquireVsCodeApi, which may be called once. */
import type { ToHost } from "../src/protocol/messages.js";
import { PieceCollector, type Posted } from "../src/protocol/packing.js";
import { browserTransport } from "./browserTransport.js";
import type { Transport } from "./transport.js";

interface VsCodeApi {
  postMessage(message: ToHost): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare const acquireVsCodeApi: (() => VsCodeApi) | undefined;

export function connect(): { readonly transport: Transport; readonly inVsCode: boolean } {
  const inVsCode = typeof acquireVsCodeApi === "function";
  return { transport: inVsCode ? vscodeTransport(acquireVsCodeApi()) : browserTransport(), inVsCode };
}

function vscodeTransport(api: VsCodeApi): Transport {
  return {
    send: message => api.postMessage(message),
    onMessage: take => {
      const collector = new PieceCollector();
      // VS Code posts from the frame around ours; another window's message has no business here.
      window.addEventListener("message", event => {
        const data: unknown = event.data;
        if (typeof data !== "object" || data === null || !("type" in data)) return;
        const message = collector.take(data as Posted);
        if (message !== undefined) take(message);
      });
    },
    getState: () => api.getState(),
    setState: state => api.setState(state),
  };
}
