/** How full a context is, and until when its prompt is cached, from the usage that its requests report. */
import type { Mark } from "./logData.js";
import { windowOf } from "./models.js";

/** A context's requests as a page gets them, this many numbers each. */
export const SENT_WIDTH = 5;

/**
 * `tokens`: the whole prompt, 0 if unknown; times are in seconds since 1970, 0 if unknown; `model`: the place in the
 * context's list of models.
 */
const SENT = { partition: 0, tokens: 1, at: 2, cachedFor: 3, model: 4 } as const;

export type SentField = keyof typeof SENT;

/** A number of a packed request. */
export function sent(requests: ArrayLike<number>, request: number, field: SentField): number {
  return requests[request * SENT_WIDTH + SENT[field]] ?? 0;
}

export interface ContextUse {
  /** What the newest request sent; right after a compaction, what that left. */
  readonly tokens: number;
  /** The limit of the model that answered last; undefined if unknown. */
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
  readonly requests: ArrayLike<number>;
  readonly partitionRequests: readonly number[];
  readonly marks: readonly Mark[];
  readonly models: readonly string[];
}

/** Undefined if no request reports its usage. */
export function contextUse({ requests, partitionRequests, marks, models }: UseBasis): ContextUse | undefined {
  let newest = requests.length / SENT_WIDTH - 1;
  while (newest >= 0 && sent(requests, newest, "tokens") === 0) newest--;
  if (newest < 0) return undefined;
  // Each model has its own window and its own prompt cache.
  const model = sent(requests, newest, "model");
  let [largest, cachedFor] = [0, 0];
  /** The partitions that ended with another model. */
  const others = new Set<number>();
  for (let request = 0; request <= newest; request++) {
    const tokens = sent(requests, request, "tokens");
    if (tokens === 0) continue;
    const partition = sent(requests, request, "partition");
    if (sent(requests, request, "model") !== model) {
      others.add(partition);
      continue;
    }
    others.delete(partition);
    largest = Math.max(largest, tokens);
    // A request that only reads the cache renews what an earlier one wrote.
    cachedFor = sent(requests, request, "cachedFor") || cachedFor;
  }
  const boundaries = marks.filter(({ kind }) => kind === "boundary");
  const own = boundaries.filter(({ partition }) => !others.has(partition - 1));
  const window = windowOf(models[model] ?? "", largest, own);
  const isCompacted = sent(requests, newest, "partition") < partitionRequests.length - 1;
  if (isCompacted) {
    const tokens = boundaries.at(-1)?.postTokens;
    return tokens === undefined ? undefined : { tokens, window, cachedUntil: undefined };
  }
  const at = sent(requests, newest, "at");
  const cachedUntil = at > 0 && cachedFor > 0 ? at + cachedFor : undefined;
  return { tokens: sent(requests, newest, "tokens"), window, cachedUntil };
}
