import { utf8Length } from "../../log/bytes.js";
import type { LiveRequest, Message, Part } from "../../log/conversation/message.js";

/** The sum of `measure` over all texts of the messages [from, to). */
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

/** UTF-8 bytes of all text; images and the like count as 0. */
export function bytesIn(messages: readonly Message[]): number {
  return measured(messages, 0, messages.length, utf8Length);
}

export function charsIn(messages: readonly Message[], from = 0, to = messages.length): number {
  return measured(messages, from, to, text => text.length);
}

/** How many parts are of unknown size: images, and thinking without its text. */
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

/** A place in a prompt: tokens according to a request's usage, plus characters from there (negative: before it). */
export interface TokenPlace {
  readonly tokens: number;
  readonly chars: number;
}

export function tokensAt({ tokens, chars }: TokenPlace, charsPerToken: number): number {
  return Math.max(0, tokens + chars / charsPerToken);
}

/**
 * The size of everything before a message. It comes from the requests' usage; only the part between the message and the
 * nearest request is estimated. Undefined if no request has usage.
 */
export function placeOf(
  index: number,
  messages: readonly Message[],
  requests: readonly LiveRequest[],
): TokenPlace | undefined {
  const places = measuredPlaces(requests);
  const before = places.findLast(({ answer }) => answer <= index);
  if (before !== undefined) {
    if (before.answer === index) return { tokens: before.input, chars: 0 };
    return { tokens: before.input + before.output, chars: charsIn(messages, before.answer + 1, index) };
  }
  const after = places[0];
  return after && { tokens: after.input, chars: -charsIn(messages, index, after.answer) };
}

/** A context only grows: a request with more input than a later one included messages that have since been cleared. */
function measuredPlaces(requests: readonly LiveRequest[]): LiveRequest[] {
  const places: LiveRequest[] = [];
  let min = Number.POSITIVE_INFINITY;
  for (const request of requests.toReversed()) {
    if (request.input === 0 || request.input > min) continue;
    min = request.input;
    places.push(request);
  }
  return places.reverse();
}
