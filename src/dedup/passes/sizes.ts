import { utf8Length } from "../../log/bytes.js";
import type { LiveRequest, Message, Part } from "../../log/conversation/message.js";

/** Texts that stand in the messages [from, to), each measured in its own way. */
function measured(messages: readonly Message[], from: number, to: number, measure: (text: string) => number): number {
  let total = 0;
  for (let at = from; at < to; at++) {
    for (const part of messages[at]?.parts ?? []) for (const text of textsOf(part)) total += measure(text);
  }
  return total;
}

function textsOf(part: Part): readonly string[] {
  if (part.kind === "call") return [part.name, part.input];
  return part.kind === "other" || part.text === null ? [] : [part.text];
}

/** UTF-8 bytes of all text; pictures and the like count for nothing. */
export function bytesIn(messages: readonly Message[]): number {
  return measured(messages, 0, messages.length, utf8Length);
}

export function charsIn(messages: readonly Message[], from = 0, to = messages.length): number {
  return measured(messages, from, to, text => text.length);
}

/** How many parts there are whose size the log does not tell: pictures, and thinking kept without its text. */
export function unsizedIn(messages: readonly Message[]): number {
  return messages.reduce((sum, { parts }) => sum + parts.filter(isUnsized).length, 0);
}

function isUnsized(part: Part): boolean {
  return (
    part.kind === "other" ||
    (part.kind === "thinking" && part.text === "") ||
    (part.kind === "result" && part.text === null)
  );
}

/**
 * How many tokens stand before a message: the requests measured it. Only what lies between the message and the nearest
 * request is estimated. Undefined where no request said what it read.
 */
export function tokensBefore(
  index: number,
  messages: readonly Message[],
  requests: readonly LiveRequest[],
  charsPerToken: number,
): number | undefined {
  const places = measuredPlaces(requests);
  const before = places.findLast(({ answer }) => answer <= index);
  if (before !== undefined) {
    if (before.answer === index) return before.input;
    return before.input + before.output + charsIn(messages, before.answer + 1, index) / charsPerToken;
  }
  const after = places[0];
  if (after === undefined) return undefined;
  return Math.max(0, after.input - charsIn(messages, index, after.answer) / charsPerToken);
}

/** A context only grows: a request that read more than a later one tells of messages that have since been cleared. */
function measuredPlaces(requests: readonly LiveRequest[]): LiveRequest[] {
  const places: LiveRequest[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const request of requests.toReversed()) {
    if (request.input === 0 || request.input > least) continue;
    least = request.input;
    places.push(request);
  }
  return places.reverse();
}
