/** What one conversation's model really has, as its log tells it: the engine's own replay, held between two calls. */
import { type Digest, digest } from "../dedup/digest.js";
import type { DedupEvent } from "../dedup/events.js";
import type { Fingerprint } from "../dedup/fingerprint.js";
import { ContextReplay, type Decision, type HeldResult, type ReplaySink, type SavedReplay } from "../dedup/replay.js";
import type { Bytes } from "../log/bytes.js";
import type { SavedChain } from "../log/chain.js";
import type { BoundaryFact } from "../log/facts.js";
import { agentOfFile } from "../log/layout.js";
import type { IndexedLine } from "../log/lineIndex.js";
import { LogReader, type SavedReader } from "../log/reader.js";
import { quickFingerprint } from "./quick.js";
import type { HookSettings } from "./settings.js";

/** As plain data, and small: a fresh process takes it up for every call. */
export interface SavedContext {
  /** Where the reading of the log began. */
  readonly begin: number;
  readonly reader: SavedReader;
  readonly replay: SavedReplay;
  readonly sources: SavedReplay | undefined;
  readonly boundaryOffset: number;
  readonly reasked: ReadonlySet<Fingerprint>;
}

export type LiveSettings = Pick<HookSettings, "engine" | "spans">;

export interface LiveOptions {
  /** Where to begin in a log of which nothing was saved. */
  readonly begin: number;
  readonly saved: SavedContext | undefined;
  /** Finds lines that the saved state has left out. */
  readonly lookUp: (uuid: string) => IndexedLine | undefined;
}

export class LiveContext implements ReplaySink {
  readonly #id: string;
  readonly #begin: number;
  readonly #reader: LogReader;
  readonly #replay: ContextReplay;
  /** Where parts of texts may be pointed at: many more results than whole texts are looked for in. */
  readonly #sources: ContextReplay | undefined;
  /** Fingerprints of texts that were asked for again right after a hint. */
  readonly #reasked: Set<Fingerprint>;
  #newest: Digest | undefined;
  #boundaryOffset: number;

  constructor(log: string, settings: LiveSettings, { begin, saved, lookUp }: LiveOptions) {
    const agent = agentOfFile(log);
    this.#id = agent ?? "main";
    this.#begin = saved?.begin ?? begin;
    this.#reader = new LogReader(
      (context, fact) => {
        if (context.id !== this.#id) return;
        const told = digest(fact, false, quickFingerprint);
        // Lines beside span hints are text like any other, and may be pointed at.
        const taken = told.fact === "result" ? { ...told, spanned: undefined } : told;
        this.#replay.take(taken);
        this.#sources?.take(taken);
      },
      {
        agentOfFile: agent,
        resume: saved?.reader,
        from: begin,
        lookUp: (id, uuid) => (id === this.#id ? lookUp(uuid) : undefined),
      },
    );
    // Near hits of the past were either hints, and then are no text, or texts in full.
    const engine = { ...settings.engine, nearRef: false, runs: false };
    const replayed = (capacity: number, sink: ReplaySink, resume: SavedReplay | undefined) =>
      new ContextReplay({ ...engine, capacity }, sink, { resume, withoutReasons: true });
    this.#replay = replayed(engine.capacity, this, saved?.replay);
    this.#sources = settings.spans ? replayed(MOST_SOURCES, NOBODY, saved?.sources) : undefined;
    this.#reasked = new Set(saved?.reasked);
    this.#boundaryOffset = saved?.boundaryOffset ?? 0;
  }

  push(bytes: Bytes): void {
    this.#reader.push(bytes);
    // What a line that could not be taken in would have taken away, nobody knows.
    if (this.#reader.header.failedLines > 0) throw new Error(this.#reader.header.failure);
  }

  /** All bytes before this position are taken in. */
  get consumed(): number {
    return this.#reader.consumed;
  }

  /** Whether the log tells of this call: then it tells of everything before the call's message too. */
  hasCall(id: string): boolean {
    return this.#reader.call(id) !== undefined;
  }

  /** Whether the rules allow a hint to this result in the answer to a call; before the log has it, as far as is known. */
  mayRefer(held: HeldResult, call: string, tool: string): boolean {
    const { context, callLine } = this.#reader.call(call) ?? { context: this.#id, callLine: held.callLine };
    return context === this.#id && this.#replay.reach.objection(held, { tool, callLine }) === undefined;
  }

  /** The results that the model has in full, oldest first. */
  get held(): readonly HeldResult[] {
    return this.#replay.held;
  }

  /** The results in which parts of a text may be found, oldest first. */
  get sources(): readonly HeldResult[] {
    return this.#sources?.held ?? [];
  }

  /** How many answers the model has given. */
  get requests(): number {
    return this.#replay.state.requests;
  }

  /** Where the last compaction stands in the log; 0 before the first. */
  get boundaryOffset(): number {
    return this.#boundaryOffset;
  }

  /** Whether a hint to this result was given in the message before, or was once not taken. */
  isAskedAgain({ id, fingerprint }: HeldResult): boolean {
    const { hinted, requests } = this.#replay.state;
    const hint = hinted.get(id);
    return this.#reasked.has(fingerprint) || (hint !== undefined && requests - hint.request === 1);
  }

  /** Without what only a whole log's figures need: it stays small however long the session is. */
  get state(): SavedContext {
    const { state, contexts } = this.#reader;
    const answered = new Set([...contexts.values()].flatMap(({ results }) => [...results]));
    const own = contexts.get(this.#id);
    const links = own?.links.since(state.lines - REMEMBERED_LINES);
    const reader: SavedReader = {
      ...state,
      calls: new Map([...state.calls].filter(([id]) => !answered.has(id)).slice(-MOST_OPEN_CALLS)),
      contexts: own && links ? [{ ...own.state, results: new Set(), calibrator: NO_CALIBRATION, links }] : [],
    };
    // Of the chain of parents, only what tells of results that a hint may point at.
    const calls = [...this.held, ...this.sources].map(({ callLine }) => callLine || Number.POSITIVE_INFINITY);
    const chain = this.#replay.reach.chain.since(Math.min(...calls), MAX_BRANCHES);
    return {
      begin: this.#begin,
      reader,
      replay: withChain(this.#replay.state, chain),
      sources: this.#sources && withChain(this.#sources.state, chain),
      boundaryOffset: this.#boundaryOffset,
      reasked: this.#reasked,
    };
  }

  event(event: DedupEvent): void {
    const text = this.#newest?.fingerprint;
    if (event.kind === "reask" && text !== undefined) this.#reasked.add(text);
  }

  decided({ event, result }: Decision): void {
    this.#newest = result;
    // A live hint was a hit: what it points at is as recent as after one.
    if (event.kind === "bypass" && event.reason === "realised" && event.ref) this.#replay.refresh(event.ref);
    // A text that was given in full although it was there: after a hint was refused, or where none was allowed.
    if (event.kind === "hit") this.#replay.renew(result);
  }

  boundary({ offset }: BoundaryFact): void {
    this.#boundaryOffset = offset;
    this.#reasked.clear();
  }
}

function withChain(state: SavedReplay, chain: SavedChain): SavedReplay {
  return { ...state, reach: { ...state.reach, chain } };
}

/** Older lines are looked for in the log where a line goes on from them. */
const REMEMBERED_LINES = 256;
/** So many calls go on from elsewhere than the call before them only where two conversations take turns for hours. */
const MAX_BRANCHES = 2048;
/** More are never under way at once; the rest was interrupted and will not be answered. */
const MOST_OPEN_CALLS = 64;
const MOST_SOURCES = 256;
const NOBODY: ReplaySink = { event: () => {}, decided: () => {} };
const NO_CALIBRATION = { samples: [], input: 0, output: 0, chars: 0, spoiled: true };
