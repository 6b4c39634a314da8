import type { Bytes } from "./bytes.js";
import { spells, textOf } from "./bytes.js";
import { stringAt } from "./line.js";
import { Members } from "./members.js";

/** One API message as far as accounting needs it. */
export interface MessageHead {
  id: string | undefined;
  model: string;
  input: number;
  output: number;
  written5m: number;
  written1h: number;
  /** Where the content blocks stand, -1 where there are none. */
  contentStart: number;
  contentEnd: number;
}

/** Reads an assistant line's `message` without touching its content. Undefined where it is no object. */
export function readMessageHead(bytes: Bytes, start: number, end: number): MessageHead | undefined {
  const head: MessageHead = {
    id: undefined,
    model: "",
    input: 0,
    output: 0,
    written5m: 0,
    written1h: 0,
    contentStart: -1,
    contentEnd: -1,
  };
  const members = new Members(bytes);
  members.open(bytes, start, end);
  while (members.next()) {
    const { keyStart, keyEnd, valueStart, valueEnd } = members;
    if (spells(bytes, keyStart, keyEnd, "id")) head.id = stringAt(bytes, valueStart, valueEnd);
    else if (spells(bytes, keyStart, keyEnd, "model")) head.model = stringAt(bytes, valueStart, valueEnd) ?? "";
    else if (spells(bytes, keyStart, keyEnd, "usage")) addUsage(head, JSON.parse(textOf(bytes, valueStart, valueEnd)));
    else if (spells(bytes, keyStart, keyEnd, "content")) {
      head.contentStart = valueStart;
      head.contentEnd = valueEnd;
    }
  }
  return members.malformed ? undefined : head;
}

function addUsage(head: MessageHead, usage: unknown): void {
  if (typeof usage !== "object" || usage === null) return;
  const of = usage as Record<string, unknown>;
  const split = (of["cache_creation"] ?? {}) as Record<string, unknown>;
  const written1h = count(split["ephemeral_1h_input_tokens"]);
  const written = Math.max(
    count(of["cache_creation_input_tokens"]),
    written1h + count(split["ephemeral_5m_input_tokens"]),
  );
  head.written1h = written1h;
  head.written5m = written - written1h;
  head.input = count(of["input_tokens"]) + written + count(of["cache_read_input_tokens"]);
  head.output = count(of["output_tokens"]);
}

/** Token counts are untrusted: anything that is not a sensible number counts as 0. */
function count(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
