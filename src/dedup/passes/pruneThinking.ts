import { utf8Length } from "../../log/bytes.js";
import type { Message, Part } from "../../log/conversation/message.js";
import { oldCount, PassCounter, type PassResult } from "./pass.js";

const KEEP_LAST = 4;

/** Removes thinking from old answers, and answers that are empty afterwards (or already were). */
export function pruneThinking(messages: readonly Message[]): PassResult {
  const counter = new PassCounter();
  const count = oldCount(messages, KEEP_LAST);
  const kept = messages.flatMap((message, index) => {
    if (index >= count || message.role !== "assistant") return [message];
    const parts = message.parts.filter(part => part.kind !== "thinking");
    // Newer logs have thinking without its text: it is removed, too, but its size is unknown.
    const bytes = message.parts.reduce((sum, part) => sum + thinkingBytes(part), 0);
    if (bytes > 0) counter.hit(bytes);
    if (parts.length === 0) return [];
    return [parts.length === message.parts.length ? message : { ...message, parts }];
  });
  return { messages: kept, stats: counter.stats("snippetHits") };
}

function thinkingBytes(part: Part): number {
  return part.kind === "thinking" ? utf8Length(part.text) : 0;
}
