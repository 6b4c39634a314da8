/** The live messages of logs written by tests, and the lines of answers. */
import { bytesOf } from "../../src/log/bytes.js";
import { ConversationReader } from "../../src/log/conversation/conversationReader.js";
import type { LiveList } from "../../src/log/conversation/message.js";
import { type Json, logText } from "./log.js";

export function readerOf(lines: readonly (Json | string)[], agentOfFile?: string): ConversationReader {
  const reader = new ConversationReader({ agentOfFile });
  reader.push(bytesOf(logText(...lines)));
  return reader;
}

export function liveIn(lines: readonly (Json | string)[], context = "main"): LiveList {
  return readerOf(lines).contexts.get(context)?.live() ?? { messages: [], requests: [], shrunk: false };
}

export const messagesIn = (...lines: (Json | string)[]) => liveIn(lines).messages;

/** One block of an answer; Claude Code writes one line per block. */
export function block(messageId: string, content: Json, more: Json = {}): Json {
  return { type: "assistant", ...more, message: { id: messageId, content: [content], ...(more["message"] as Json) } };
}
export const said = (messageId: string, value: string, more: Json = {}) =>
  block(messageId, { type: "text", text: value }, more);
export const called = (messageId: string, id: string, more: Json = {}) =>
  block(messageId, { type: "tool_use", id, name: "Read", input: {} }, more);
