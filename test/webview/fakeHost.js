// A fake of VS Code's side of a webview: records what the page sends and posts what a test wants. The real
// acquireVsCodeApi only exists inside VS Code; test/vscode tests the same page there.
import { packState } from "../../src/protocol/packing.ts";
import { columnOf } from "../support/rows.ts";

(() => {
  const stateKey = "fake-vscode-state";
  const host = {
    /** Everything the page has sent. */
    messages: [],
    /** Violations of the content security policy, and other errors. */
    violations: [],
    errors: [],
    post(message) {
      // As in VS Code, data arrives as a copy of what was sent.
      window.postMessage(message, "*");
    },
    /** A message whose bytes arrive as text, because a test cannot pass anything else. */
    postEncoded(message) {
      const bytesOf = text => Uint8Array.from(atob(text), character => character.charCodeAt(0)).buffer;
      const context = message.state.context?.map(bytesOf) ?? null;
      host.post({ ...message, state: { ...message.state, context } });
    },
    /** A snapshot of a state; returns a function that posts it, already packed. VS Code copies its bytes. */
    snapshot(seq, state) {
      const message = { type: "snapshot", seq, state: packState(state) };
      return () => window.postMessage(message, "*", message.state.context ?? []);
    },
  };
  /** A session of any length, by repeating a state's rows: too long for a test to pass in. */
  host.repeated = (state, results) => {
    const { context } = state;
    const length = context.ids.length;
    const rowWidth = context.rows.length / length;
    const references = ["ref", "cause", "evicted", "earlier"].map(columnOf);
    const rows = new Array(results * rowWidth);
    const targets = new Array(results);
    const ids = new Array(results);
    for (let row = 0; row < results; row++) {
      const of = row % length;
      for (let column = 0; column < rowWidth; column++) {
        rows[row * rowWidth + column] = context.rows[of * rowWidth + column];
      }
      // References stay within their copy.
      for (const column of references) {
        if (rows[row * rowWidth + column] > 0) rows[row * rowWidth + column] += row - of;
      }
      rows[row * rowWidth + columnOf("at")] += 9000 * Math.floor(row / length);
      targets[row] = context.targets[of];
      ids[row] = `${context.ids[of]}-${row}`;
    }
    return { ...state, context: { ...context, rows, targets, ids } };
  };
  document.addEventListener("securitypolicyviolation", event =>
    host.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`),
  );
  window.addEventListener("error", event => host.errors.push(String(event.error?.stack ?? event.message)));
  window.addEventListener("unhandledrejection", event => host.errors.push(String(event.reason?.stack ?? event.reason)));
  window.host = host;

  let acquired = false;
  window.acquireVsCodeApi = () => {
    if (acquired) throw new Error("acquireVsCodeApi may be called once");
    acquired = true;
    return {
      postMessage(message) {
        const copy = structuredClone(message);
        host.messages.push(copy);
        // A test may have the real engine behind the page: see pictures/engineBehind.ts.
        if (window.toEngine) return void window.toEngine(copy);
        // A test may answer requests: see open() in page.ts.
        if (copy.type === "request") {
          window.answerAsk?.(copy.ask).then(
            result => result !== undefined && host.post({ type: "reply", id: copy.id, result }),
            error => host.post({ type: "failure", id: copy.id, message: error.message }),
          );
        }
      },
      // VS Code keeps a webview's state when its frame reloads.
      getState: () => JSON.parse(sessionStorage.getItem(stateKey) ?? "null") ?? undefined,
      setState: state => sessionStorage.setItem(stateKey, JSON.stringify(state)),
    };
  };
})();
