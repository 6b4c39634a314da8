/** Message lists for tests, as a model would get them. */
import type { Message, Part } from "../../src/log/conversation/message.js";

export const text = (value: string): Part => ({ kind: "text", text: value });
export const thinking = (value: string): Part => ({ kind: "thinking", text: value });
export const call = (id: string, name = "Read", input = "{}"): Part => ({ kind: "call", id, name, input });
export const result = (id: string, value: string | null = "ok"): Part => ({ kind: "result", id, text: value });

const partOf = (part: Part | string): Part => (typeof part === "string" ? text(part) : part);
export const user = (...parts: (Part | string)[]): Message => ({ role: "user", parts: parts.map(partOf) });
export const assistant = (...parts: (Part | string)[]): Message => ({ role: "assistant", parts: parts.map(partOf) });
export const tool = (...parts: Part[]): Message => ({ role: "tool", parts });

/** Prompts that push what comes before them out of a pass's last messages. */
export function prompts(count: number): Message[] {
  return Array.from({ length: count }, (_, at) => user(`q${at}`));
}

/** A call and its result, as two messages. */
export function exchange(id: string, value = "ok", name = "Read"): Message[] {
  return [assistant(call(id, name)), tool(result(id, value))];
}
