import { BYPASS_REASONS, type BypassReason, FORGONE_REASONS, type ForgoneReason } from "../dedup/events.js";
import { kindAt, lostChars, OUTCOMES, type OutcomeKind } from "./outcomes.js";
import type { ResultRows } from "./rows.js";

/** The figures of a partition, a tool, a project, or everything. Tokens are estimates: characters ÷ the ratio. */
export interface Figures {
  results: number;
  hits: number;
  nearHits: number;
  misses: number;
  /** Misses with some lines that become hints. */
  runHits: number;
  bypassed: Record<BypassReason, number>;
  invalidations: number;
  evictions: number;
  forgone: Record<ForgoneReason, number>;
  /** What those hits would have saved. */
  forgoneTokens: number;
  /** UTF-8 bytes of all text bodies, errors included. */
  bytes: number;
  /** What hints would save with the current strategy: the sum of `saved`. */
  savedBytes: number;
  tokens: number;
  savedTokens: number;
  saved: Record<SavedBy, SavedPart>;
  /** Saved tokens × the requests that actually followed in the same partition. */
  carriedTokens: number;
  /** What Claude Code's own stubs already saved. */
  nativeTokens: number;
  /** What live hints saved, minus what was asked for again; negative if hints backfired. */
  realisedTokens: number;
}

/** What a hint replaces: a whole result, a JSON object that differs in a few values, or runs of a result's lines. */
const SAVED_BY = ["whole", "near", "runs"] as const;
export type SavedBy = (typeof SAVED_BY)[number];

export interface SavedPart {
  results: number;
  bytes: number;
  tokens: number;
}

/** What live hints would have saved in some sessions; the rest is in repeated lines. */
export interface SavedInSessions extends Pick<Figures, "tokens" | "savedTokens"> {
  readonly sessions: number;
  /** In results repeated as a whole. */
  readonly wholeTokens: number;
}

/** Results that repeat, in whole or in part, what the model has. */
export function repeats({ hits, nearHits, runHits }: Pick<Figures, "hits" | "nearHits" | "runHits">): number {
  return hits + nearHits + runHits;
}

function zeros<K extends string>(keys: readonly K[]): Record<K, number> {
  return Object.fromEntries(keys.map(key => [key, 0])) as Record<K, number>;
}

const NONE_BYPASSED = zeros(BYPASS_REASONS);
const NONE_FORGONE = zeros(FORGONE_REASONS);

export function emptyFigures(): Figures {
  return {
    results: 0,
    hits: 0,
    nearHits: 0,
    misses: 0,
    runHits: 0,
    bypassed: { ...NONE_BYPASSED },
    invalidations: 0,
    evictions: 0,
    forgone: { ...NONE_FORGONE },
    forgoneTokens: 0,
    bytes: 0,
    savedBytes: 0,
    tokens: 0,
    savedTokens: 0,
    saved: nothingSaved(),
    carriedTokens: 0,
    nativeTokens: 0,
    realisedTokens: 0,
  };
}

function nothingSaved(): Figures["saved"] {
  const none = () => ({ results: 0, bytes: 0, tokens: 0 });
  return { whole: none(), near: none(), runs: none() };
}

/** Adds one result. `laterRequests`: those of its partition that came after it. */
export function addRow(to: Figures, rows: ResultRows, row: number, charsPerToken: number, laterRequests: number): void {
  const kind = kindAt(rows, row);
  const savedTokens = rows.get(row, "savedChars") / charsPerToken;
  to.results++;
  to.bytes += rows.get(row, "bytes");
  to.tokens += rows.get(row, "chars") / charsPerToken;
  to.invalidations += rows.get(row, "invalidations");
  if (rows.get(row, "evicted") > 0) to.evictions++;
  const by = SAVED_AS[kind];
  if (by !== undefined) {
    const part = to.saved[by];
    part.results++;
    part.bytes += rows.get(row, "savedBytes");
    part.tokens += savedTokens;
    to.savedBytes += rows.get(row, "savedBytes");
    to.savedTokens += savedTokens;
    to.carriedTokens += savedTokens * laterRequests;
  }
  if (kind === "hit" || kind === "nearHit") {
    if (kind === "hit") to.hits++;
    else to.nearHits++;
    to.realisedTokens -= lostChars(rows, row) / charsPerToken;
  } else if (kind === "miss" || kind === "forgone" || kind === "partial") {
    to.misses++;
    if (kind === "partial") to.runHits++;
    const reason = FORGONE[rows.get(row, "outcome")];
    if (reason !== undefined) to.forgone[reason]++;
    to.forgoneTokens += rows.get(row, "forgoneChars") / charsPerToken;
  } else {
    const reason = BYPASSED[rows.get(row, "outcome")];
    if (reason !== undefined) to.bypassed[reason]++;
    if (kind === "native") to.nativeTokens += savedTokens;
    if (kind === "realised") to.realisedTokens += savedTokens;
  }
}

const SAVED_AS: { readonly [K in OutcomeKind]?: SavedBy } = { hit: "whole", nearHit: "near", partial: "runs" };

/** By the code in a row: there are millions of rows, and concatenated names are slow to look up. */
export const FORGONE = OUTCOMES.map(outcome => FORGONE_REASONS.find(reason => outcome === `miss:${reason}`));
export const BYPASSED = OUTCOMES.map(outcome => BYPASS_REASONS.find(reason => outcome === `bypass:${reason}`));

const { bypassed: _, forgone: __, saved: ___, ...PLAIN } = emptyFigures();

const PLAIN_KEYS = Object.keys(PLAIN) as (keyof typeof PLAIN)[];

/** Adds `from` to `to`, figure by figure. */
export function addFigures(to: Figures, from: Figures): void {
  for (const key of PLAIN_KEYS) to[key] += from[key];
  for (const key of BYPASS_REASONS) to.bypassed[key] += from.bypassed[key];
  for (const key of FORGONE_REASONS) to.forgone[key] += from.forgone[key];
  for (const key of SAVED_BY) {
    const part = to.saved[key];
    const more = from.saved[key];
    part.results += more.results;
    part.bytes += more.bytes;
    part.tokens += more.tokens;
  }
}

/** Token figures as integers: a sum is rounded once, at the end. The parts of the saving add up to it. */
export function rounded(figures: Figures): Figures {
  const { whole, near, runs } = figures.saved;
  const savedTokens = Math.round(figures.savedTokens);
  const wholeTokens = Math.round(whole.tokens);
  const nearTokens = Math.round(whole.tokens + near.tokens) - wholeTokens;
  return {
    ...figures,
    forgoneTokens: Math.round(figures.forgoneTokens),
    tokens: Math.round(figures.tokens),
    savedTokens,
    saved: {
      whole: { ...whole, tokens: wholeTokens },
      near: { ...near, tokens: nearTokens },
      runs: { ...runs, tokens: savedTokens - wholeTokens - nearTokens },
    },
    carriedTokens: Math.round(figures.carriedTokens),
    nativeTokens: Math.round(figures.nativeTokens),
    realisedTokens: Math.round(figures.realisedTokens),
  };
}
