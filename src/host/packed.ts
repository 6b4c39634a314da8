import type { ToPage } from "../protocol/messages.js";

/**
 * VS Code hands typed arrays to a webview as bytes, but writes a list of numbers out as text: a session of 100,000
 * results has 1.6 million of them. The page takes either. Deltas are a few rows: not worth it.
 */
export function packed(message: ToPage): unknown {
  if (message.type !== "snapshot" || message.state.context === null) return message;
  const { context } = message.state;
  return { ...message, state: { ...message.state, context: { ...context, rows: Uint32Array.from(context.rows) } } };
}
