import type { BypassReason, MissReason } from "../dedup/events.js";
import { OUTCOMES } from "./outcomes.js";
import type { ResultRows } from "./rows.js";

/** Why a hit was forgone: the body had been there, and then it was not. */
export type ForgoneReason = Exclude<MissReason, "new">;

/** The figures of a partition, a tool, a project, or everything. Tokens are estimates: characters ÷ the ratio. */
export interface Figures {
  results: number;
  hits: number;
  nearHits: number;
  misses: number;
  bypassed: Record<BypassReason, number>;
  invalidations: number;
  evictions: number;
  forgone: Record<ForgoneReason, number>;
  /** UTF-8 bytes of all text bodies, errors included. */
  bytes: number;
  savedBytes: number;
  tokens: number;
  savedTokens: number;
  /** Saved tokens × the requests that really followed in the same partition. */
  carriedTokens: number;
  /** What Claude Code's own stubs already saved. */
  nativeTokens: number;
  /** What live hints saved. */
  realisedTokens: number;
}

export function emptyFigures(): Figures {
  return {
    results: 0,
    hits: 0,
    nearHits: 0,
    misses: 0,
    bypassed: { small: 0, error: 0, nonText: 0, native: 0, realised: 0 },
    invalidations: 0,
    evictions: 0,
    forgone: { evicted: 0, invalidated: 0, compacted: 0, cleared: 0, rewound: 0, shrunk: 0 },
    bytes: 0,
    savedBytes: 0,
    tokens: 0,
    savedTokens: 0,
    carriedTokens: 0,
    nativeTokens: 0,
    realisedTokens: 0,
  };
}

/** Adds one result. `laterRequests`: those of its partition that came after it. */
export function addRow(to: Figures, rows: ResultRows, row: number, charsPerToken: number, laterRequests: number): void {
  const outcome = OUTCOMES[rows.get(row, "outcome")] ?? "hit";
  const savedTokens = rows.get(row, "savedChars") / charsPerToken;
  to.results++;
  to.bytes += rows.get(row, "bytes");
  to.tokens += rows.get(row, "chars") / charsPerToken;
  to.invalidations += rows.get(row, "invalidations");
  if (rows.get(row, "evicted") > 0) to.evictions++;
  if (outcome === "hit" || outcome === "nearHit") {
    if (outcome === "hit") to.hits++;
    else to.nearHits++;
    to.savedBytes += rows.get(row, "savedBytes");
    to.savedTokens += savedTokens;
    to.carriedTokens += savedTokens * laterRequests;
  } else if (outcome.startsWith("miss:")) {
    to.misses++;
    const why = outcome.slice("miss:".length) as MissReason;
    if (why !== "new") to.forgone[why]++;
  } else {
    to.bypassed[outcome.slice("bypass:".length) as BypassReason]++;
    if (outcome === "bypass:native") to.nativeTokens += savedTokens;
    if (outcome === "bypass:realised") to.realisedTokens += savedTokens;
  }
}

/** Adds `from` to `to`, figure by figure. */
export function addFigures(to: Figures, from: Figures): void {
  const { bypassed, forgone, ...plain } = from;
  for (const key of Object.keys(plain) as (keyof typeof plain)[]) to[key] += from[key];
  for (const key of Object.keys(bypassed) as BypassReason[]) to.bypassed[key] += bypassed[key];
  for (const key of Object.keys(forgone) as ForgoneReason[]) to.forgone[key] += forgone[key];
}

/** Token figures as whole numbers: a sum is rounded once, at the end. */
export function rounded(figures: Figures): Figures {
  return {
    ...figures,
    tokens: Math.round(figures.tokens),
    savedTokens: Math.round(figures.savedTokens),
    carriedTokens: Math.round(figures.carriedTokens),
    nativeTokens: Math.round(figures.nativeTokens),
    realisedTokens: Math.round(figures.realisedTokens),
  };
}
