import { utf8Length } from "../../log/bytes.js";
import type { Message } from "../../log/conversation/message.js";
import { oldCount, PassCounter, type PassResult, rewriteParts } from "./pass.js";

const KEEP_LAST = 8;
const MIN_BYTES = 64;

/** The input of a repeated call becomes a mark that names the first such call. */
export function collapseRepeatedCalls(messages: readonly Message[]): PassResult {
  const counter = new PassCounter();
  const firstCall = new Map<string, string>();
  const rewritten = rewriteParts(messages, oldCount(messages, KEEP_LAST), part => {
    if (part.kind !== "call" || part.input.startsWith("[REPEAT")) return part;
    const bytes = utf8Length(part.input);
    if (bytes < MIN_BYTES) return part;
    const key = `${part.name}\0${part.input}`;
    const first = firstCall.get(key);
    if (first === undefined) {
      firstCall.set(key, part.id);
      return part;
    }
    const input = `[REPEAT of call_id=${first}, ${bytes} bytes]`;
    counter.replaced(part.input, input);
    return { ...part, input };
  });
  return { messages: rewritten, stats: counter.stats("dedupHits") };
}
