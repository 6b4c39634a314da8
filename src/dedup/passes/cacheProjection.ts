import type { LiveRequest, Message } from "../../log/conversation/message.js";
import { type BreakpointOptions, cacheBreakpoints, validateCacheHit, wireMarks } from "./cacheBreakpoints.js";
import { placeOf, type TokenPlace, tokensAt } from "./sizes.js";

/** Where cached micro-compaction would have marked the last request, and what the prompt cache really did. */
export interface CacheProjection {
  readonly applied: boolean;
  /** Why nothing is marked. */
  readonly unmarked: "subagent" | "provider" | "tooFew" | null;
  readonly breakpoints: readonly number[];
  /** The breakpoints that would be sent. */
  readonly marks: readonly number[];
  readonly eligibleResults: number;
  /** Tokens up to the last mark: the most that a later request could read. */
  readonly markedTokens: number | null;
  /** Tokens that the last request really read from the cache. */
  readonly readTokens: number | null;
  /** Requests with known cache reads, and how many of them read anything. */
  readonly requests: number;
  readonly hits: number;
  /** Over all requests but the first: what the previous request left in the cache, and how much of it was read. */
  readonly couldReadTokens: number | null;
  readonly didReadTokens: number | null;
}

/** The same before characters are converted to tokens: plain data for when the ratio is known. */
export interface MeasuredMarks extends Omit<CacheProjection, "markedTokens"> {
  /** The place of the last mark; null if there is none. */
  readonly marked: TokenPlace | null;
  /** All tokens of the last request; null if unknown. */
  readonly lastInput: number | null;
}

export interface MarkOptions extends Pick<BreakpointOptions, "liveThreshold" | "tools"> {
  readonly subagent: boolean;
}

export function projectCacheMarks(
  messages: readonly Message[],
  requests: readonly LiveRequest[],
  { charsPerToken, ...options }: MarkOptions & { readonly charsPerToken: number },
): CacheProjection {
  return cacheMarksAt(measureCacheMarks(messages, requests, options), charsPerToken);
}

export function measureCacheMarks(
  messages: readonly Message[],
  requests: readonly LiveRequest[],
  options: MarkOptions,
): MeasuredMarks {
  const last = requests.findLast(({ input }) => input > 0);
  const sent = messages.slice(0, last?.answer);
  const provider = foreignProvider(last?.model ?? "");
  const { breakpoints, eligibleIds, applied } = cacheBreakpoints(sent, { ...options, enabled: true, provider });
  const marks = wireMarks(breakpoints).messages;
  const lastMark = marks.at(-1);
  return {
    applied,
    unmarked: applied ? null : (options.subagent && "subagent") || (provider && "provider") || "tooFew",
    breakpoints,
    marks,
    eligibleResults: eligibleIds.length,
    marked: (lastMark === undefined ? undefined : placeOf(lastMark + 1, messages, requests)) ?? null,
    lastInput: last?.input ?? null,
    readTokens: last?.cacheRead ?? null,
    ...cacheUse(requests),
  };
}

export function cacheMarksAt(
  { marked, lastInput, ...measured }: MeasuredMarks,
  charsPerToken: number,
): CacheProjection {
  const tokens = marked && tokensAt(marked, charsPerToken);
  return { ...measured, markedTokens: tokens === null ? null : Math.round(Math.min(tokens, lastInput ?? tokens)) };
}

/** The log names the model, not the provider: a model that is not Anthropic's is used as the provider's name. */
function foreignProvider(model: string): string | undefined {
  return model === "" || /claude|anthropic/i.test(model) ? undefined : model;
}

type CacheUse = Pick<CacheProjection, "requests" | "hits" | "couldReadTokens" | "didReadTokens">;

function cacheUse(requests: readonly LiveRequest[]): CacheUse {
  const measured = requests.filter(({ input, cacheRead }) => input > 0 && cacheRead !== null);
  const counts = { requests: measured.length, hits: measured.filter(validateCacheHit).length };
  if (measured.length < 2) return { ...counts, couldReadTokens: null, didReadTokens: null };
  let [couldReadTokens, didReadTokens] = [0, 0];
  for (const [at, request] of measured.slice(1).entries()) {
    const could = Math.min(leftInCache(measured[at]), request.input);
    couldReadTokens += could;
    didReadTokens += Math.min(request.cacheRead ?? 0, could);
  }
  return { ...counts, couldReadTokens, didReadTokens };
}

function leftInCache(request: LiveRequest | undefined): number {
  return request === undefined ? 0 : (request.cacheRead ?? 0) + request.written5m + request.written1h;
}
