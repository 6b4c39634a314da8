/** What the naive reference replay knows about a context. */
import type { Link } from "./chain";
import type { Verbosity } from "./hints";
import type { Json, Kind, Use } from "./lines";
import type { Text } from "./texts";

export interface ReferenceSettings {
  capacity: number;
  minBytes: number;
  nearRef: boolean;
  verbosity: Verbosity;
  invalidates: Record<string, string[]>;
  runs: boolean;
  door: "mod" | "hooks";
  spanMinBytes: number;
}

export interface ReferenceContext {
  id: string;
  events: Record<string, unknown>[];
}

export interface Call extends Use {
  id: string;
  context: string;
  link: Link | undefined;
}

export interface Entry {
  id: string;
  tool: string;
  kind: Kind;
  path: string | undefined;
  target: string;
  body: string;
  fingerprint: string;
  uuid: unknown;
  line: number;
  call: Link | undefined;
}

/** How an entry left the cache; the newest one with the same fingerprint explains a later miss. */
export interface Fate {
  fingerprint: string;
  why: string;
  cause?: string;
}

/** A cache's verdict on a result: a hit, or why not. */
export interface Verdict {
  id: string;
  why: string;
  cause?: string | undefined;
}

export interface Request {
  id: unknown;
  total: number;
}

export interface Context extends ReferenceContext {
  partition: number;
  boundary: number; // the line of the last one
  cache: Entry[]; // least recent first
  fates: Fate[]; // oldest first
  lines: { uuid: unknown; line: number; assistant: boolean; boundary: boolean }[];
  links: Link[];
  newestLink: Link | undefined;
  results: { id: string; tool: string; path: string | undefined; edited: boolean }[];
  request: Request | undefined; // the one whose lines are being read
  previousTotal: number; // of the newest counted request since the last boundary; 0: none
  asked: { count: number; id: unknown; line: number }; // the model's answers so far, and the id of the newest
  verdicts: Verdict[];
  judge: Context | undefined; // whose verdicts say why a result is a miss
  early: { id: unknown; by: string }[]; // results that were cleared before they were read
  edited: boolean; // the newest answer has reported what the API cleared
  texts: Text[]; // everything the model has received since the last boundary
  style: "arrow" | "tab"; // of the line numbers of the newest result that has any
  shown: { arrow: number; tabs: number }; // the first lines with numbers before arrows, and before tabs that begin lines
  partial: string[]; // results of which runs were replaced
  fall: { level: number; hinted: number; asked: number }; // 1: whole results only, 2: no hints; and the counts since
  answeredWithHints: { call: string; asked: number }[]; // calls whose repetition counts, and when they were answered
  hints: { id: string; ref: string; asked: number }[]; // live hints since the last boundary, and when they were given
}

export interface Line {
  json: Json;
  number: number;
  at: string | null;
}

export function contextOf(contexts: Context[], id: string): Context {
  const known = contexts.find(context => context.id === id);
  if (known !== undefined) return known;
  const fresh: Context = {
    id,
    events: [],
    partition: 0,
    boundary: 0,
    cache: [],
    fates: [],
    lines: [],
    links: [],
    newestLink: undefined,
    results: [],
    request: undefined,
    previousTotal: 0,
    asked: { count: 0, id: undefined, line: 0 },
    verdicts: [],
    judge: undefined,
    early: [],
    edited: false,
    fall: { level: 0, hinted: 0, asked: 0 },
    answeredWithHints: [],
    hints: [],
    texts: [],
    style: "tab",
    shown: { arrow: Number.POSITIVE_INFINITY, tabs: Number.POSITIVE_INFINITY },
    partial: [],
  };
  contexts.push(fresh);
  return fresh;
}
