/** The only caller of acquireVsCodeApi, which must not be called twice. */
import type { ToHost } from "../src/protocol/messages.js";
import { PieceCollector } from "../src/protocol/packing.js";
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
      window.addEventListener("message", ({ data }) => {
        // Other windows may post anything; VS Code's frame around ours posts only our own messages.
        if (typeof data !== "object" || data === null || !("type" in data)) return;
        const message = collector.take(data);
        if (message !== undefined) take(message);
      });
    },
    getState: () => api.getState(),
    setState: state => api.setState(state),
  };
}
