/**
 * What comes from the page is checked before it is believed: the page shows text from logs, and in a browser anybody
 * with the address can post. A message that is not exactly one of ours is no message.
 */

import { isSpanStrategy, isStrategy } from "../inspect/strategies.js";
import { REPLAY } from "../settings/table.js";
import type { Ask, ToHost } from "./messages.js";

/** Windows' longest path; every name the page sends is a path or shorter. */
const LONGEST_NAME = 32_767;
/** A transcript is fetched piece by piece. */
const MOST_CALLS = 200;
const LARGEST_ROW = 2 ** 31;
const LONGEST_SEARCH = 1000;

type Fields = Readonly<Record<string, unknown>>;

/** The message, rebuilt from the members we know, or undefined. */
export function toHostMessage(value: unknown): ToHost | undefined {
  const fields = fieldsOf(value);
  switch (fields?.["type"]) {
    case "ready":
    case "hidden":
      return { type: fields["type"] };
    case "select":
      return selection(fields);
    case "follow":
      return typeof fields["on"] === "boolean" ? { type: "follow", on: fields["on"] } : undefined;
    case "selected": {
      const { row } = fields;
      return row === null || isRow(row) ? { type: "selected", row } : undefined;
    }
    case "request":
      return request(fields);
    default:
      return undefined;
  }
}

function selection({ session, context }: Fields): ToHost | undefined {
  if (!isName(session)) return undefined;
  if (context === undefined) return { type: "select", session };
  return isName(context) ? { type: "select", session, context } : undefined;
}

function request({ id, ask }: Fields): ToHost | undefined {
  const fields = fieldsOf(ask);
  const known = fields && isWithin(id, 0, Number.MAX_SAFE_INTEGER) ? askOf(fields) : undefined;
  return known && { type: "request", id: id as number, ask: known };
}

function askOf(fields: Fields): Ask | undefined {
  const { method, row, fromRow, count, text, step, capacity, axis, strategy, on, input, from, to } = fields;
  switch (method) {
    case "details":
    case "openCall":
    case "openLogLine":
      return isRow(row) ? { method, row } : undefined;
    case "transcript":
      return isRow(fromRow) && isWithin(count, 1, MOST_CALLS) ? { method, fromRow, count } : undefined;
    case "find":
      if (!isText(text) || !isRow(fromRow) || (step !== 1 && step !== -1)) return undefined;
      return { method, text, fromRow, step };
    case "strategies":
    case "passes":
      return { method };
    case "savings":
      return isStrategy(strategy) ? { method, strategy } : undefined;
    case "compare":
    case "emitted":
      if (!isRow(row)) return undefined;
      if (method === "compare" && strategy === undefined) return { method, row };
      return isSpanStrategy(strategy) ? { method, row, strategy } : undefined;
    case "lines":
      if (!isRow(row) || !isLine(from) || !isLine(to) || !(input === null || isText(input))) return undefined;
      return { method, row, input, from, to };
    case "compareAll":
      return typeof on === "boolean" ? { method, on } : undefined;
    case "setCapacity":
      return isWithin(capacity, REPLAY.capacity.min, REPLAY.capacity.max) ? { method, capacity } : undefined;
    case "setAxis":
      return axis === "order" || axis === "time" ? { method, axis } : undefined;
    case "turnLiveHints":
      return typeof on === "boolean" ? { method, on } : undefined;
    case "openSettings":
    case "openSample":
    case "exportReport":
      return { method };
    default:
      return undefined;
  }
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= LONGEST_NAME;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= LONGEST_SEARCH;
}

function isRow(value: unknown): value is number {
  return isWithin(value, 0, LARGEST_ROW);
}

/** Lines are counted from 1. */
function isLine(value: unknown): value is number {
  return isWithin(value, 1, LARGEST_ROW);
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}
