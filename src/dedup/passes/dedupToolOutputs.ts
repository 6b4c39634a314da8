import { utf8Length } from "../../log/bytes.js";
import type { Message } from "../../log/conversation/message.js";
import { oldCount, PassCounter, type PassResult, rewriteParts } from "./pass.js";

export interface OutputOptions {
  /** This many of the last messages are neither replaced nor referred to: 0 in codetether's first version, then 8. */
  readonly keepLast?: number;
  /** Shorter results, in UTF-8 bytes, are left alone. */
  readonly minBytes?: number;
}

/** A result that equals an earlier one, of any tool, becomes a line that names the first such call. */
export function dedupToolOutputs(messages: readonly Message[], options: OutputOptions = {}): PassResult {
  const { keepLast = 0, minBytes = 256 } = options;
  const counter = new PassCounter();
  const firstCall = new Map<string, string>();
  const rewritten = rewriteParts(messages, oldCount(messages, keepLast), part => {
    if (part.kind !== "result" || part.text === null) return part;
    const bytes = utf8Length(part.text);
    if (bytes < minBytes) return part;
    const first = firstCall.get(part.text);
    if (first === undefined) {
      firstCall.set(part.text, part.id);
      return part;
    }
    const text = `[DEDUP] identical to tool_call_id=${first} (${bytes} bytes)`;
    counter.replaced(part.text, text);
    return { ...part, text };
  });
  return { messages: rewritten, stats: counter.stats("dedupHits") };
}
