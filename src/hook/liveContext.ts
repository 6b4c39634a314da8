/** What the model of one conversation has, according to its log: the engine's own replay, kept between calls. */

import type { Decision, ReplaySink, SavedReplay } from "../dedup/decision.js";
import { digest } from "../dedup/digest.js";
import { showsTabs } from "../dedup/door.js";
import type { Fingerprint } from "../dedup/fingerprint.js";
import { HintedReads, type SavedRead } from "../dedup/hintedReads.js";
import type { Bar } from "../dedup/reach.js";
import { type QuotedLines, Reasks, type SavedReasks } from "../dedup/reasks.js";
import { ContextReplay } from "../dedup/replay.js";
import { DEFAULT_STYLE } from "../dedup/runs/contextRuns.js";
import type { ScansLines } from "../dedup/runs/lines.js";
import { numberCode, numberedPart, styleOfCode } from "../dedup/runs/numbered.js";
import type { LiveHint } from "../dedup/runs/runHints.js";
import type { ReadFormat } from "../dedup/toolShapes.js";
import type { Bytes } from "../log/bytes.js";
import { UNKNOWN_CALL } from "../log/calls.js";
import type { SavedChain } from "../log/chain.js";
import { type BoundaryFact, type ResultFact, withStrings } from "../log/facts.js";
import type { IndexedLine } from "../log/lineIndex.js";
import { LogReader, type SavedReader } from "../log/logReader.js";
import { membersOf, stringOf } from "../log/record.js";
import { agentOfFile } from "../log/sessionFiles.js";
import { kindOfTool } from "../log/tools.js";
import type { HookSettings } from "./hookSettings.js";
import { quickFingerprint } from "./quick.js";
import { QuickScanner } from "./quickLines.js";
import { type SavedResults, SeenResults } from "./seenResults.js";

/** Plain data, and small: a fresh process loads it for every call. */
export interface SavedContext {
  /** Where the reading of the log began. */
  readonly begin: number;
  readonly reader: SavedReader;
  readonly results: SavedResults;
  readonly replay: SavedReplay;
  readonly boundaryOffset: number;
  readonly reasks: SavedReasks;
  readonly hintedReads: ReadonlyMap<string, SavedRead<HintedRead>>;
  /** See `LiveContext`. */
  readonly format?: ReadFormat | null | undefined;
  readonly tabsAt: number;
}

/** Where a text is in the log: a call's result, or a member of its input. */
export interface TextPlace {
  readonly id: string;
  readonly input?: string | undefined;
  readonly offset: number;
}

/** A Read that was answered with hints, and what they replaced. */
export interface HintedRead {
  readonly place: TextPlace;
  readonly sources: readonly TextPlace[];
}

export interface LiveOptions {
  /** Where to begin in a log without saved state. */
  readonly begin: number;
  readonly saved: SavedContext | undefined;
  /** Finds lines that are not in the saved state. */
  readonly lookUp: (uuid: string) => IndexedLine | undefined;
  /** The text to answer, if any; runs of lines can only be found for this one. */
  readonly wanted?: string | undefined;
}

/** A result that is not in the log yet. */
export interface PresentResult {
  readonly id: string;
  readonly tool: string;
  readonly body: string;
  readonly response: unknown;
}

export class LiveContext implements ReplaySink {
  readonly #id: string;
  readonly #begin: number;
  readonly #scanner: ScansLines | undefined;
  readonly #reader: LogReader;
  readonly #results: SeenResults;
  readonly #replay: ContextReplay;
  readonly #reasks: Reasks;
  readonly #hintedReads: HintedReads<HintedRead>;
  /** How files are shown; undefined before the first one, null if the format of the newest one is unknown. */
  #format: ReadFormat | null | undefined;
  /** The log offset of the newest file with tabs, if a tab followed its numbers; -1 if there is none, or a colon did. */
  #tabsAt: number;
  #boundaryOffset: number;
  #decision: Decision | undefined;
  #clearedAt: number | undefined;

  constructor(log: string, settings: HookSettings, { begin, saved, lookUp, wanted }: LiveOptions) {
    const agent = agentOfFile(log);
    const engine = { ...settings.engine, door: "hooks" as const };
    this.#id = agent ?? "main";
    this.#begin = saved?.begin ?? begin;
    this.#scanner = engine.runs ? scannerFor(wanted) : undefined;
    this.#results = new SeenResults(saved?.results);
    this.#reader = new LogReader(
      (context, read) => {
        if (context.id !== this.#id) return;
        if (read.fact === "result" && !this.#results.add(read.id)) return;
        // A copy of a line that the reader no longer knows: its call was answered long ago.
        if (read.fact === "call" && this.#results.wasSaved(read.id)) return;
        const fact = withStrings(read);
        const digested = digest(fact, false, quickFingerprint, this.#scanner);
        this.#replay.take(digested);
        if (fact.fact === "result" && digested.fact === "result") this.#learn(fact, digested.hints);
        if (fact.fact === "clear" && fact.ids !== "all" && fact.ids.length > 0) this.#clearedAt = fact.offset;
      },
      {
        agentOfFile: agent,
        resume: saved?.reader,
        from: begin,
        lookUp: (id, uuid) => (id === this.#id ? lookUp(uuid) : undefined),
        attached: (context, attachment) => {
          if (context.id === this.#id && !isOfHook(attachment)) this.#hintedReads.attached(attachment);
        },
        withCalls: engine.runs,
      },
    );
    this.#replay = new ContextReplay(engine, this, {
      resume: saved?.replay,
      withoutReasons: true,
      asGiven: true,
      wanted: wanted === undefined ? undefined : this.#scanner?.scan(wanted),
    });
    this.#reasks = new Reasks(saved?.reasks);
    this.#hintedReads = new HintedReads(saved?.hintedReads);
    this.#format = saved?.format;
    this.#tabsAt = saved?.tabsAt ?? -1;
    this.#boundaryOffset = saved?.boundaryOffset ?? 0;
  }

  push(bytes: Bytes): void {
    this.#reader.push(bytes);
    // A line that could not be read may have removed anything from the context.
    if (this.#reader.header.failedLines > 0) throw new Error(this.#reader.header.failure);
  }

  /** All bytes before this offset have been read. */
  get consumed(): number {
    return this.#reader.consumed;
  }

  /** Whether the log has this call, and therefore everything before the call's message. */
  hasCall(id: string): boolean {
    return this.#reader.call(id) !== undefined;
  }

  /** Whether the log already has the call's result, so that whoever asks about the call repeats an old event. */
  hasResult(id: string): boolean {
    return this.#results.has(id);
  }

  /** The log offset of the last compaction; 0 before the first. */
  get boundaryOffset(): number {
    return this.#boundaryOffset;
  }

  /** The log offset of the newest line that names cleared results, of those read since the state was saved. */
  get clearedAt(): number | undefined {
    return this.#clearedAt;
  }

  /**
   * How Claude Code will show a file; undefined if uncertain. `hasTabs`: it has lines that start with tabs. `begun`: the
   * log offset where the session was last resumed; it may have been different before.
   */
  formatOf(hasTabs: boolean, begun: number): ReadFormat | undefined {
    if (this.#format === null) return undefined;
    if (this.#format === undefined && [...this.#reader.header.versions].some(mayWriteArrows)) return undefined;
    const format = this.#format ?? USUAL_FORMAT;
    return hasTabs && format.style === "tab" && this.#tabsAt < begun ? undefined : format;
  }

  /** The newest Read of the same lines, if it was answered with hints. */
  hintedRead(path: string, range: ResultFact["range"]): HintedRead | undefined {
    // With too many results, one that was taken for a copy may have been an edit.
    return this.#results.isFull ? undefined : this.#hintedReads.find(path, range);
  }

  placeOf({ id, input }: Pick<QuotedLines, "id" | "input">): TextPlace | undefined {
    const offset = this.#replay.offsetOf(id, input);
    return offset === undefined ? undefined : { id, input, offset };
  }

  /** Restores the texts that near-references need. */
  recall(bodyOf: (held: TextPlace) => string | undefined): void {
    this.#replay.recall(bodyOf);
  }

  /**
   * The decision on a result, by the engine's own rules. Until the log has the call, the call is assumed to begin a
   * message of its own.
   */
  decide({ id, tool, body, response }: PresentResult, isBarred: Bar): Decision | undefined {
    if (this.#results.isFull) return undefined;
    const line = this.#reader.lines + 1;
    const place = { line, offset: this.consumed, at: null };
    const known = this.#reader.call(id);
    if (known === undefined) this.#replay.take({ fact: "request", ...place, continued: false, ...NO_USAGE });
    const guess = { ...UNKNOWN_CALL, tool, kind: kindOfTool(tool), context: this.#id, callLine: line };
    const { context, callLine, ...call } = known ?? guess;
    const own = { ...call, tool, callLine: context === this.#id ? callLine : 0 };
    const fact = {
      fact: "result" as const,
      ...place,
      id,
      uuid: "",
      ...own,
      body,
      response,
      error: false,
      native: false,
    };
    const result = digest(fact, this.#replay.needsBodies, quickFingerprint, this.#scanner);
    if (result.fact !== "result") return undefined;
    this.#replay.reach.bar(isBarred);
    this.#decision = undefined;
    this.#replay.answer(result);
    return this.#decision;
  }

  /** Whether a text that these hints would replace is being asked for again. `asked`: texts that already were. */
  isAskedAgain(text: string, lines: readonly QuotedLines[], asked: ReadonlySet<Fingerprint>): boolean {
    const fingerprint = quickFingerprint(text);
    const { requests } = this.#replay;
    return asked.has(fingerprint) || this.#reasks.isAskedAgain(fingerprint, lines, requests);
  }

  /** Omits what only the figures of a whole log need, so it stays small however long the session is. */
  get state(): SavedContext {
    const state = this.#reader.stateSince(this.#reader.lines - REMEMBERED_LINES);
    const answered = new Set(state.contexts.flatMap(({ results }) => [...results]));
    const own = state.contexts.find(({ id }) => id === this.#id);
    const reader: SavedReader = {
      ...state,
      calls: new Map(
        [...state.calls].filter(([id]) => !answered.has(id) && !this.#results.wasSaved(id)).slice(-MAX_OPEN_CALLS),
      ),
      contexts: own ? [{ ...own, results: new Set(), calibrator: NO_CALIBRATION }] : [],
    };
    // Only the part of the parent chain for texts that a hint may refer to.
    const chain = this.#replay.reach.chain.since(this.#replay.oldestCall, MAX_BRANCHES);
    return {
      begin: this.#begin,
      reader,
      results: this.#results.state,
      replay: withChain(this.#replay.state, chain),
      boundaryOffset: this.#boundaryOffset,
      reasks: this.#reasks.state,
      hintedReads: this.#hintedReads.state,
      format: this.#format,
      tabsAt: this.#tabsAt,
    };
  }

  event(): void {}

  decided(decision: Decision): void {
    this.#decision = decision;
  }

  boundary({ offset }: BoundaryFact): void {
    this.#boundaryOffset = offset;
    this.#reasks.clear();
    this.#hintedReads.clear();
  }

  /** Remembers how a file was shown, and whether with hints. */
  #learn(
    { tool, kind, path, range, id, offset, body, error, native, response }: ResultFact,
    hints: readonly LiveHint[],
  ): void {
    if (kind === "mutate" && path !== undefined && !error) this.#hintedReads.edited(path);
    if (body === null || error) return;
    if (hints.length > 0) this.#reasks.quote(hints, this.#replay.requests);
    if (tool !== "Read") return;
    const hasColons = COLONS.test(body);
    if (hasColons || showsTabs(body)) this.#tabsAt = hasColons ? -1 : offset;
    if (hints.length > 0) {
      const sources = hints.flatMap(hint => this.placeOf(hint) ?? []);
      this.#hintedReads.keep(path ?? "", range, { place: { id, offset }, sources });
      return;
    }
    // A stub says nothing about the file.
    const part = numberedPart(body);
    if (part === undefined && (native || isStubbed(response))) return;
    this.#hintedReads.forget(path ?? "", range);
    if (part === undefined) {
      this.#format = hasColons ? (this.#format ?? USUAL_FORMAT) : null;
      return;
    }
    const style = styleOfCode(numberCode(body.slice(part.begin)));
    this.#format = { style, after: body.slice(part.end) };
  }
}

/** Splits the wanted text into lines only once. */
function scannerFor(wanted: string | undefined): ScansLines {
  const scanner = new QuickScanner();
  const lines = wanted === undefined ? undefined : scanner.scan(wanted);
  return { scan: text => (lines !== undefined && text === wanted ? lines : scanner.scan(text)) };
}

/** Whether the tool returned anything other than the lines of a file. */
function isStubbed(response: unknown): boolean {
  return (response as { readonly type?: unknown } | null | undefined)?.type !== "text";
}

/** What hooks said, such as our own answer to the Read: they read no files for Claude Code. */
function isOfHook(attachment: unknown): boolean {
  return stringOf(membersOf(attachment)["type"])?.startsWith("hook_") ?? false;
}

/** A file with tabs that has colons after its numbers. */
const COLONS = /^\d+:(?:\t|.*\n\d+:\t)/s;

/** Up to 2.1.125, a Claude Code feature switch decided what follows the numbers. */
function mayWriteArrows(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  return major < 2 || (major === 2 && (minor < 1 || (minor === 1 && patch < 126)));
}

/** In every version since then. */
export const USUAL_FORMAT: ReadFormat = { style: DEFAULT_STYLE, after: "" };
/** Older lines are looked up in the log if a line continues from them. */
const REMEMBERED_LINES = 256;
/** Only two conversations that take turns for hours have more calls that do not continue from the one before. */
const MAX_BRANCHES = 2048;
/** There are never more in parallel; older ones were interrupted and will not be answered. */
const MAX_OPEN_CALLS = 64;
const NO_CALIBRATION = { samples: [], input: 0, output: 0, chars: 0, spoiled: true };
const NO_USAGE = { model: "", input: 0, written5m: 0, written1h: 0, cacheRead: 0, output: 0 };

function withChain(state: SavedReplay, chain: SavedChain): SavedReplay {
  return { ...state, reach: { ...state.reach, chain } };
}
