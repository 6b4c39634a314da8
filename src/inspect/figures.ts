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
  /** What those hits would have saved. */
  forgoneTokens: number;
  /** UTF-8 bytes of all text bodies, errors included. */
  bytes: number;
  savedBytes: number;
  tokens: number;
  savedTokens: number;
  /** Saved tokens × the requests that really followed in the same partition. */
  carriedTokens: number;
  /** What Claude Code's own stubs already saved. */
  nativeTokens: number;
  /** What live hints saved, less what was asked for again; below 0 where hints were not taken. */
  realisedTokens: number;
}

export function emptyFigures(): Figures {
  return {
    results: 0,
    hits: 0,
    nearHits: 0,
    misses: 0,
    bypassed: { small: 0, mutation: 0, error: 0, nonText: 0, native: 0, realised: 0 },
    invalidations: 0,
    evictions: 0,
    forgone: { evicted: 0, invalidated: 0, compacted: 0, cleared: 0, rewound: 0, shrunk: 0, parallel: 0, afterEdit: 0 },
    forgoneTokens: 0,
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
  const { group, reason } = PARTS[rows.get(row, "outcome")] ?? UNKNOWN_PARTS;
  const savedTokens = rows.get(row, "savedChars") / charsPerToken;
  to.results++;
  to.bytes += rows.get(row, "bytes");
  to.tokens += rows.get(row, "chars") / charsPerToken;
  to.invalidations += rows.get(row, "invalidations");
  if (rows.get(row, "evicted") > 0) to.evictions++;
  if (group === "hit" || group === "nearHit") {
    if (group === "hit") to.hits++;
    else to.nearHits++;
    to.savedBytes += rows.get(row, "savedBytes");
    to.savedTokens += savedTokens;
    to.carriedTokens += savedTokens * laterRequests;
    // Asked for again right after a live hint: what the hint had saved is lost.
    if (rows.get(row, "cause") > 0) to.realisedTokens -= rows.get(row, "chars") / charsPerToken;
  } else if (group === "miss") {
    to.misses++;
    if (reason !== "new") to.forgone[reason as ForgoneReason]++;
    to.forgoneTokens += rows.get(row, "forgoneChars") / charsPerToken;
  } else {
    to.bypassed[reason as BypassReason]++;
    if (reason === "native") to.nativeTokens += savedTokens;
    if (reason === "realised") to.realisedTokens += savedTokens;
  }
}

/** The two parts of each outcome's name: rows come in by the million, and no text is cut for any of them. */
const PARTS = OUTCOMES.map(outcome => {
  const [group, reason = ""] = outcome.split(":") as [string, string?];
  return { group, reason };
});
const UNKNOWN_PARTS = { group: "hit", reason: "" };

const { bypassed: _, forgone: __, ...PLAIN } = emptyFigures();

/** Adds `from` to `to`, figure by figure. */
export function addFigures(to: Figures, from: Figures): void {
  for (const key of Object.keys(PLAIN) as (keyof typeof PLAIN)[]) to[key] += from[key];
  for (const key of Object.keys(from.bypassed) as BypassReason[]) to.bypassed[key] += from.bypassed[key];
  for (const key of Object.keys(from.forgone) as ForgoneReason[]) to.forgone[key] += from.forgone[key];
}

/** Token figures as whole numbers: a sum is rounded once, at the end. */
export function rounded(figures: Figures): Figures {
  return {
    ...figures,
    forgoneTokens: Math.round(figures.forgoneTokens),
    tokens: Math.round(figures.tokens),
    savedTokens: Math.round(figures.savedTokens),
    carriedTokens: Math.round(figures.carriedTokens),
    nativeTokens: Math.round(figures.nativeTokens),
    realisedTokens: Math.round(figures.realisedTokens),
  };
}
