/** Reads the content of log lines, which is untrusted: any value may be anything. */
import { bodyOf, type Members, membersOf, stringOf } from "../record.js";
import { readUsage } from "../usage.js";
import type { Message, Part, RequestUsage } from "./message.js";

/** The parts of a message's `content`: a text, or blocks. */
export function partsOf(content: unknown): Part[] {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  return Array.isArray(content) ? content.map(block => partOf(membersOf(block))) : [];
}

/** A message as Anthropic's API takes it. */
export interface ApiMessage {
  readonly role: string;
  readonly content: unknown;
}

/** The same messages as lists of parts. The API mixes results and prompts in one message; here, results come first. */
export function messagesFromApi(messages: readonly ApiMessage[]): Message[] {
  return messages.flatMap(({ role, content }): Message[] => {
    const parts = partsOf(content);
    if (role === "assistant") return [{ role, parts }];
    const [results, others] = [parts.filter(isResult), parts.filter(part => !isResult(part))];
    const split: Message[] = [
      { role: "tool", parts: results },
      { role: "user", parts: others },
    ];
    return split.filter(message => message.parts.length > 0);
  });
}

function isResult({ kind }: Part): boolean {
  return kind === "result";
}

function partOf(block: Members): Part {
  switch (block["type"]) {
    case "text":
      return { kind: "text", text: stringOf(block["text"]) ?? "" };
    case "thinking":
      return { kind: "thinking", text: stringOf(block["thinking"]) ?? "" };
    case "redacted_thinking":
      return { kind: "thinking", text: "" };
    case "tool_use":
      return {
        kind: "call",
        id: stringOf(block["id"]) ?? "",
        name: stringOf(block["name"]) ?? "",
        input: jsonOf(block["input"]),
      };
    case "tool_result":
      return { kind: "result", id: stringOf(block["tool_use_id"]) ?? "", text: bodyOf(block["content"]) };
    default:
      return { kind: "other" };
  }
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // Nested too deeply for the stack: no real tool has such an input.
    return "";
  }
}

/** The usage that an assistant line repeats for its whole answer. */
export function usageOf(message: Members): RequestUsage {
  const usage = readUsage(message["usage"]);
  const read = membersOf(message["usage"])["cache_read_input_tokens"];
  return {
    ...usage,
    model: stringOf(message["model"]) ?? "",
    cacheRead: typeof read === "number" ? usage.cacheRead : null,
  };
}
