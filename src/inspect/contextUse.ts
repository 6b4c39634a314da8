/** How full a context is, and until when its prompt is cached, from the usage that its requests report. */
import type { Mark } from "./logData.js";
import { windowOf } from "./models.js";

/** A context's requests as a page gets them, this many numbers each. */
export const SENT_WIDTH = 4;

/** `tokens`: the whole prompt, 0 if unknown; times are in seconds since 1970, 0 if unknown. */
const SENT = { partition: 0, tokens: 1, at: 2, cachedFor: 3 } as const;

export type SentField = keyof typeof SENT;

/** A number of a packed request. */
export function sent(requests: readonly number[], request: number, field: SentField): number {
  return requests[request * SENT_WIDTH + SENT[field]] ?? 0;
}

export interface ContextUse {
  /** What the newest request sent; right after a compaction, what that left. */
  readonly tokens: number;
  /** The model's limit; undefined if unknown. */
  readonly window: number | undefined;
  /** When the cached prompt expires, in seconds since 1970; undefined if nothing is known to be cached. */
  readonly cachedUntil: number | undefined;
}

/** A session in a few figures. */
export interface LiveFigures {
  /** All results, what hints would save in them, and what live hints did save. */
  readonly tokens: number;
  readonly savedTokens: number;
  readonly realisedTokens: number;
  /** How full the main conversation's context is; undefined if no request reports it. */
  readonly use?: ContextUse | undefined;
}

export interface UseBasis {
  /** Packed. */
  readonly requests: readonly number[];
  readonly partitionRequests: readonly number[];
  readonly marks: readonly Mark[];
  readonly model: string;
}

/** Undefined if no request reports its usage. */
export function contextUse({ requests, partitionRequests, marks, model }: UseBasis): ContextUse | undefined {
  let [newest, largest, cachedFor] = [-1, 0, 0];
  for (let request = 0; request < requests.length / SENT_WIDTH; request++) {
    const tokens = sent(requests, request, "tokens");
    if (tokens === 0) continue;
    newest = request;
    largest = Math.max(largest, tokens);
    // A request that only reads the cache renews what an earlier one wrote.
    cachedFor = sent(requests, request, "cachedFor") || cachedFor;
  }
  if (newest < 0) return undefined;
  const boundaries = marks.filter(({ kind }) => kind === "boundary");
  const window = windowOf(model, largest, boundaries);
  const isCompacted = sent(requests, newest, "partition") < partitionRequests.length - 1;
  if (isCompacted) {
    const tokens = boundaries.at(-1)?.postTokens;
    return tokens === undefined ? undefined : { tokens, window, cachedUntil: undefined };
  }
  const at = sent(requests, newest, "at");
  const cachedUntil = at > 0 && cachedFor > 0 ? at + cachedFor : undefined;
  return { tokens: sent(requests, newest, "tokens"), window, cachedUntil };
}
