import type { Message, Part } from "../../log/conversation/message.js";
import { PassCounter, type PassResult } from "./pass.js";

const UNAVAILABLE = "[tool result unavailable: elided by context management]";

/** Adds missing results and removes results without a call: the API accepts nothing else. Counts no saved bytes. */
export function repairOrphans(messages: readonly Message[]): PassResult {
  const counter = new PassCounter();
  const answered = withResults(messages, counter);
  return { messages: withoutStrays(answered, counter), stats: counter.stats("snippetHits") };
}

function withResults(messages: readonly Message[], counter: PassCounter): Message[] {
  const fulfilled = new Set(messages.flatMap(({ role, parts }) => (role === "tool" ? idsOf(parts, "result") : [])));
  return messages.flatMap(message => {
    const calls = message.role === "assistant" ? idsOf(message.parts, "call") : [];
    const missing = calls.filter(id => !fulfilled.has(id));
    return [message, ...missing.map(id => placeholder(id, counter))];
  });
}

function placeholder(id: string, counter: PassCounter): Message {
  counter.hit();
  return { role: "tool", parts: [{ kind: "result", id, text: UNAVAILABLE }] };
}

/** Removes messages that have only results without a call before them; a message with anything else stays. */
function withoutStrays(messages: readonly Message[], counter: PassCounter): Message[] {
  const called = new Set<string>();
  return messages.filter(({ role, parts }) => {
    for (const id of idsOf(parts, "call")) called.add(id);
    const isStray = (part: Part) => part.kind === "result" && !called.has(part.id);
    if (role !== "tool" || parts.length === 0 || !parts.every(isStray)) return true;
    counter.hit();
    return false;
  });
}

function idsOf(parts: readonly Part[], kind: "call" | "result"): string[] {
  return parts.flatMap(part => (part.kind === kind ? [part.id] : []));
}
