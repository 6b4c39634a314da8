import { utf8Length } from "../../log/bytes.js";
import type { Message, Part } from "../../log/conversation/message.js";
import { NO_STATS, PassCounter, type PassResult } from "./pass.js";

const FIRST = 2;
const RECENT = 16;
const MIN_MESSAGES = 22;
/** What codetether counts for an image or a file. */
const OTHER_BYTES = 1024;

/** Keeps only the first and the most recent messages of a long list; one line replaces the rest. */
export function streamingTrim(messages: readonly Message[]): PassResult {
  const { start, end } = cutOf(messages);
  if (end - start <= 1) return { messages, stats: NO_STATS };
  const cut = messages.slice(start, end);
  const bytes = cut.reduce((sum, { parts }) => parts.reduce((all, part) => all + bytesOfPart(part), sum), 0);
  const text = `[...streaming-llm trim: ${cut.length} messages (${bytes} bytes) elided between sinks and recent window...]`;
  const counter = new PassCounter();
  counter.hit(Math.max(0, bytes - utf8Length(text)));
  const mark: Message = { role: "user", parts: [{ kind: "text", text }] };
  return {
    messages: [...messages.slice(0, start), mark, ...messages.slice(end)],
    stats: counter.stats("snippetHits"),
  };
}

/** Never between a call and its results: both ends move until nothing is separated. */
function cutOf(messages: readonly Message[]): { start: number; end: number } {
  if (messages.length < MIN_MESSAGES) return { start: 0, end: 0 };
  let end = messages.length - RECENT;
  while (end < messages.length && hasCall(messages[end - 1])) end++;
  while (messages[end]?.role === "tool") end++;
  let start = FIRST;
  while (start < end && messages[start]?.role === "tool") start++;
  return { start, end };
}

function hasCall(message: Message | undefined): boolean {
  return message?.role === "assistant" && message.parts.some(part => part.kind === "call");
}

/** Thinking counts as 0: it has already been removed. */
function bytesOfPart(part: Part): number {
  if (part.kind === "text") return utf8Length(part.text);
  if (part.kind === "call") return utf8Length(part.name) + utf8Length(part.input);
  if (part.kind === "result" && part.text !== null) return utf8Length(part.text);
  return part.kind === "thinking" ? 0 : OTHER_BYTES;
}
