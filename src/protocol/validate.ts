/**
 * Checks messages from a page before anything acts on them: the page shows text from logs, and in a browser anybody with
 * the address can post. A message is rebuilt from known members; anything that is not exactly one of ours is rejected.
 */
import { isRunStrategy, isStrategy } from "../inspect/strategies.js";
import { REPLAY, WINDOW } from "../settings/table.js";
import type { Reply } from "./channel.js";
import type { ToHost } from "./messages.js";
import type { Ask, HostRequests, PageAsk, PageRequests } from "./requests.js";

/** The longest path on Windows; every name that a page sends is a path or shorter. */
const MAX_NAME = 32_767;
/** A transcript is fetched piece by piece. */
const MAX_CALLS = 200;
const MAX_ROW = 2 ** 31;
const MAX_TEXT = 1000;

type Fields = Readonly<Record<string, unknown>>;

/** The parameters of each request, or undefined if they are invalid. */
type Parsers<Methods extends keyof PageRequests> = {
  readonly [M in Methods]: (fields: Fields) => PageRequests[M]["params"] | undefined;
};

const HOST_REQUESTS: Parsers<keyof HostRequests> = {
  openCall: rowOf,
  openComparison: comparedRowOf,
  openLogLine: rowOf,
  setCapacity: ({ capacity }) =>
    isWithin(capacity, REPLAY.capacity.min, REPLAY.capacity.max) ? { capacity } : undefined,
  setAxis: ({ axis }) => {
    const known = WINDOW.axis.choices.find(one => one === axis);
    return known && { axis: known };
  },
  openSettings: () => ({}),
  turnLiveHints: onOf,
  offerLiveHints: onOf,
  acceptLiveHints: ({ offer, place }) => (isId(offer) && isId(place) ? { offer, place } : undefined),
  openSample: () => ({}),
  exportReport: () => ({}),
};

const PAGE_REQUESTS: Parsers<keyof PageRequests> = {
  ...HOST_REQUESTS,
  details: rowOf,
  transcript: ({ fromRow, count }) =>
    isRow(fromRow) && isWithin(count, 1, MAX_CALLS) ? { fromRow, count } : undefined,
  find: ({ text, fromRow, step }) =>
    isText(text) && isRow(fromRow) && (step === 1 || step === -1) ? { text, fromRow, step } : undefined,
  compare: comparedRowOf,
  logLine: rowOf,
  lines: ({ row, input, from, to }) =>
    isRow(row) && isLine(from) && isLine(to) && (input === null || isText(input))
      ? { row, input, from, to }
      : undefined,
  strategies: () => ({}),
  passes: () => ({}),
  savings: ({ strategy }) => (isStrategy(strategy) ? { strategy } : undefined),
  emitted: ({ row, strategy }) => (isRow(row) && isRunStrategy(strategy) ? { row, strategy } : undefined),
  compareAll: onOf,
};

/** The message, rebuilt from known members, or undefined. */
export function toHostMessage(value: unknown): ToHost | undefined {
  const fields = fieldsOf(value);
  switch (fields?.["type"]) {
    case "ready":
    case "hidden":
      return { type: fields["type"] };
    case "select":
      return selectionOf(fields);
    case "follow": {
      const on = onOf(fields);
      return on && { type: "follow", ...on };
    }
    case "selected": {
      const { row, restored } = fields;
      if (row !== null && !isRow(row)) return undefined;
      return { type: "selected", row, ...(restored === true && { restored }) };
    }
    case "request":
      return requestOf(fields);
    default:
      return undefined;
  }
}

/** Requests for the host itself; all others are for the engine. */
export function isForHost(ask: PageAsk): ask is Ask<HostRequests> {
  return Object.hasOwn(HOST_REQUESTS, ask.method);
}

/** The reply to what `toHostMessage` rejects; undefined if no page is waiting for one. */
export function refusalOf(value: unknown): Reply | undefined {
  const { type, id } = fieldsOf(value) ?? {};
  return type === "request" && isId(id) ? { type: "failure", id, message: "unknown or invalid request" } : undefined;
}

function selectionOf({ session, context }: Fields): ToHost | undefined {
  if (!isName(session)) return undefined;
  if (context === undefined) return { type: "select", session };
  return isName(context) ? { type: "select", session, context } : undefined;
}

function requestOf({ id, ask }: Fields): ToHost | undefined {
  const fields = fieldsOf(ask);
  const method = fields?.["method"];
  if (fields === undefined || !isId(id) || !isMethod(method)) return undefined;
  const known = askOf(method, fields);
  return known && { type: "request", id, ask: known };
}

function askOf<M extends keyof PageRequests>(method: M, fields: Fields): Ask<PageRequests, M> | undefined {
  const params = PAGE_REQUESTS[method](fields);
  return params && { method, ...params };
}

function isMethod(value: unknown): value is keyof PageRequests {
  return typeof value === "string" && Object.hasOwn(PAGE_REQUESTS, value);
}

function rowOf({ row }: Fields): { row: number } | undefined {
  return isRow(row) ? { row } : undefined;
}

function comparedRowOf({ row, strategy }: Fields): PageRequests["compare"]["params"] | undefined {
  if (!isRow(row)) return undefined;
  if (strategy === undefined) return { row };
  return isRunStrategy(strategy) ? { row, strategy } : undefined;
}

function onOf({ on }: Fields): { on: boolean } | undefined {
  return typeof on === "boolean" ? { on } : undefined;
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

function isId(value: unknown): value is number {
  return isWithin(value, 0, Number.MAX_SAFE_INTEGER);
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_NAME;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_TEXT;
}

function isRow(value: unknown): value is number {
  return isWithin(value, 0, MAX_ROW);
}

/** Lines are counted from 1. */
function isLine(value: unknown): value is number {
  return isWithin(value, 1, MAX_ROW);
}

function isWithin(value: unknown, min: number, max: number): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max;
}
