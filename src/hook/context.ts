/** What the model of one conversation has, according to its log: the engine's own replay, kept between two calls. */
import { type Digest, digest } from "../dedup/digest.js";
import type { DedupEvent } from "../dedup/events.js";
import type { Fingerprint } from "../dedup/fingerprint.js";
import { ContextReplay, type Decision, type HeldResult, type ReplaySink, type SavedReplay } from "../dedup/replay.js";
import type { Bytes } from "../log/bytes.js";
import type { SavedChain } from "../log/chain.js";
import type { BoundaryFact } from "../log/facts.js";
import type { IndexedLine } from "../log/lineIndex.js";
import { LogReader, type SavedReader } from "../log/logReader.js";
import { agentOfFile } from "../log/sessionFiles.js";
import { quickFingerprint } from "./quick.js";
import type { HookSettings } from "./settings.js";

/** Plain data, and small: a fresh process loads it for every call. */
export interface SavedContext {
  /** Where the reading of the log began. */
  readonly begin: number;
  readonly reader: SavedReader;
  readonly replay: SavedReplay;
  readonly sources: SavedReplay | undefined;
  readonly boundaryOffset: number;
  readonly reasked: ReadonlySet<Fingerprint>;
}

export interface LiveOptions {
  /** Where to begin in a log for which nothing was saved. */
  readonly begin: number;
  readonly saved: SavedContext | undefined;
  /** Finds lines that are not in the saved state. */
  readonly lookUp: (uuid: string) => IndexedLine | undefined;
}

export class LiveContext implements ReplaySink {
  readonly #id: string;
  readonly #begin: number;
  readonly #reader: LogReader;
  readonly #replay: ContextReplay;
  /** The results that hints for parts of a text may refer to: many more than for whole texts. */
  readonly #sources: ContextReplay | undefined;
  /** Fingerprints of texts that were requested again right after a hint. */
  readonly #reasked: Set<Fingerprint>;
  #newest: Digest | undefined;
  #boundaryOffset: number;

  constructor(log: string, settings: HookSettings, { begin, saved, lookUp }: LiveOptions) {
    const agent = agentOfFile(log);
    this.#id = agent ?? "main";
    this.#begin = saved?.begin ?? begin;
    this.#reader = new LogReader(
      (context, fact) => {
        if (context.id !== this.#id) return;
        const told = digest(fact, false, text => quickFingerprint(text.toString()));
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
    // What was a near hit is in the log either as a hint, which is not a text, or in full.
    const engine = { ...settings.engine, nearRef: false, runs: false };
    const replayed = (capacity: number, sink: ReplaySink, resume: SavedReplay | undefined) =>
      new ContextReplay({ ...engine, capacity }, sink, { resume, withoutReasons: true });
    this.#replay = replayed(engine.capacity, this, saved?.replay);
    this.#sources = settings.engine.runs ? replayed(MAX_SOURCES, NO_SINK, saved?.sources) : undefined;
    this.#reasked = new Set(saved?.reasked);
    this.#boundaryOffset = saved?.boundaryOffset ?? 0;
  }

  push(bytes: Bytes): void {
    this.#reader.push(bytes);
    // A line that could not be read may have removed anything from the context.
    if (this.#reader.header.failedLines > 0) throw new Error(this.#reader.header.failure);
  }

  /** All bytes before this position have been read. */
  get consumed(): number {
    return this.#reader.consumed;
  }

  /** Whether the log has this call, and therefore everything before the call's message. */
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

  /** Where the last compaction is in the log; 0 before the first. */
  get boundaryOffset(): number {
    return this.#boundaryOffset;
  }

  /** Whether a hint to this result was given in the message before, or was once not taken. */
  isAskedAgain({ id, fingerprint }: HeldResult): boolean {
    const { hinted, requests } = this.#replay.state;
    const hint = hinted.get(id);
    return this.#reasked.has(fingerprint) || (hint !== undefined && requests - hint.request === 1);
  }

  /** Without what only the figures of a whole log need, so it stays small however long the session is. */
  get state(): SavedContext {
    const { state, contexts } = this.#reader;
    const answered = new Set([...contexts.values()].flatMap(({ results }) => [...results]));
    const own = contexts.get(this.#id);
    const links = own?.links.since(state.lines - REMEMBERED_LINES);
    const reader: SavedReader = {
      ...state,
      calls: new Map([...state.calls].filter(([id]) => !answered.has(id)).slice(-MAX_OPEN_CALLS)),
      contexts: own && links ? [{ ...own.state, results: new Set(), calibrator: NO_CALIBRATION, links }] : [],
    };
    // Of the chain of parents, only what concerns results that a hint may refer to.
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
    // A live hint was a hit, so what it refers to becomes the most recent.
    if (event.kind === "bypass" && event.reason === "realised" && event.ref) this.#replay.refresh(event.ref);
    // Given in full although the model had it: after it had asked again, or where no hint was allowed.
    if (event.kind === "hit") this.#replay.renew(result);
  }

  boundary({ offset }: BoundaryFact): void {
    this.#boundaryOffset = offset;
    this.#reasked.clear();
  }
}

/** Older lines are looked up in the log if a line continues from them. */
const REMEMBERED_LINES = 256;
/** Only two conversations that take turns for hours have more calls that do not continue from the one before. */
const MAX_BRANCHES = 2048;
/** More never run at once; older ones were interrupted and will not be answered. */
const MAX_OPEN_CALLS = 64;
const MAX_SOURCES = 256;
const NO_SINK: ReplaySink = { event: () => {}, decided: () => {} };
const NO_CALIBRATION = { samples: [], input: 0, output: 0, chars: 0, spoiled: true };

function withChain(state: SavedReplay, chain: SavedChain): SavedReplay {
  return { ...state, reach: { ...state.reach, chain } };
}
