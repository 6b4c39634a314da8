/** The hint for one tool result, or none: see `restraint` for when, `shapes` for what can be replaced. */
import { hintWithin, isWorthIt, renderNearHint } from "../dedup/hints.js";
import { NEAR_LIMITS, nearDelta } from "../dedup/near.js";
import type { HeldResult } from "../dedup/replay.js";
import { SpanIndex } from "../dedup/span/index.js";
import { ScannedLines } from "../dedup/span/lines.js";
import { findRuns } from "../dedup/span/matcher.js";
import { emittedText } from "../dedup/span/replay.js";
import { utf8Length } from "../log/bytes.js";
import type { LiveContext } from "./context.js";
import type { HookEvent } from "./event.js";
import { beginsSomewhere, type Journal, type JournalEntry } from "./journal.js";
import { readLive } from "./liveLog.js";
import { bodiesInLog } from "./logBody.js";
import { sleep } from "./ownFile.js";
import { quickFingerprint } from "./quick.js";
import { mentionsHints, restraint } from "./restraint.js";
import type { HookSettings } from "./settings.js";
import { type KnownShape, shapeOf } from "./shapes.js";
import type { StateFile } from "./stateFile.js";

/**
 * Claude Code writes its log about every 100 ms. Waiting pays only if a hint is likely, and then for a little less than
 * two such intervals.
 */
const WAIT_MS = 15;
const MAX_WAITS = 12;

export interface HintParts {
  readonly settings: HookSettings;
  readonly state: StateFile;
  readonly journal: Journal;
}

/** The tool's response if it may be replaced; undefined if it stays as it is, whatever is in the log. */
export function replaceable(event: HookEvent, { engine }: HookSettings): KnownShape | undefined {
  const shape = shapeOf(event.tool, event.response);
  if (shape === undefined || event.call === "" || utf8Length(shape.body) < engine.minBytes) return undefined;
  return mentionsHints(shape.body) ? undefined : shape;
}

/** What replaces the response; undefined if it stays as it is. */
export function hintFor(event: HookEvent, shape: KnownShape, { settings, state, journal }: HintParts): unknown {
  for (let waits = 0; ; waits++) {
    const { context, isUpToDate } = readLive(event.log, settings, state);
    if (!isUpToDate) return undefined;
    const entries = journal.entries();
    const isUnsettled = beginsSomewhere(entries);
    const search = new Search(event, shape, context, entries, settings);
    const found = search.whole() ?? search.parts();
    // As long as the call itself is not in the log, something before it could be missing, too.
    if (context.hasCall(event.call)) {
      if (isUnsettled) journal.add({ at: context.consumed, begun: true });
      if (found?.note !== undefined) journal.add(found.note);
      return found && shape.replacedBy(found.text);
    }
    // A text may only seem to be requested again right after its hint: what came in between is not in the log yet.
    const isWorthWaiting = found !== undefined || search.knowsWhole || isUnsettled;
    if (!isWorthWaiting || waits === MAX_WAITS) return undefined;
    sleep(WAIT_MS);
  }
}

interface Found {
  readonly text: string;
  /** What the log will not have. */
  readonly note?: JournalEntry;
}

/** Finds what the model already has of one text. */
class Search {
  readonly #log: string;
  readonly #shape: KnownShape;
  readonly #fingerprint: string;
  readonly #context: LiveContext;
  readonly #journal: readonly JournalEntry[];
  readonly #settings: HookSettings;
  readonly #isFree: (held: HeldResult) => boolean;

  constructor(
    event: HookEvent,
    shape: KnownShape,
    context: LiveContext,
    journal: readonly JournalEntry[],
    settings: HookSettings,
  ) {
    this.#log = event.log;
    this.#shape = shape;
    this.#fingerprint = quickFingerprint(shape.body);
    this.#context = context;
    this.#journal = journal;
    this.#settings = settings;
    this.#isFree = restraint(context, event, journal, settings.engine.invalidates);
  }

  /** The model has, or had, exactly this text. */
  get knowsWhole(): boolean {
    return this.#same !== undefined;
  }

  /** One hint for the whole text. */
  whole(): Found | undefined {
    const { body } = this.#shape;
    for (const text of this.#hints()) if (isWorthIt(text, body.length)) return { text };
    return undefined;
  }

  *#hints(): Generator<string> {
    const { body } = this.#shape;
    const { engine } = this.#settings;
    const same = this.#same;
    if (same !== undefined && this.#isFree(same) && bodiesInLog(this.#log, [same])[0] === body) {
      yield hintWithin(body.length, same, engine.verbosity);
    }
    if (same !== undefined || !engine.nearRef) return;
    if (utf8Length(body) < NEAR_LIMITS.minBodyBytes || !/^\s*\{/.test(body)) return;
    const free = this.#context.held.filter(this.#isFree).reverse();
    for (const [index, old] of bodiesInLog(this.#log, free).entries()) {
      const delta = nearDelta(old ?? "", body);
      if (delta !== undefined) yield renderNearHint(free[index]?.id ?? "", delta);
    }
  }

  /** The text with hints for runs of its lines. */
  parts(): Found | undefined {
    // If no hint may refer to the whole text, none may refer to a part of it.
    if (!this.#settings.engine.runs || !this.#shape.verbatim || this.#same !== undefined) return undefined;
    const { requests } = this.#context;
    const isAskedAgain = (entry: JournalEntry) =>
      "spanned" in entry && entry.spanned === this.#fingerprint && requests - entry.requests === 1;
    if (this.#journal.some(isAskedAgain)) return undefined;
    const free = this.#context.sources.filter(this.#isFree);
    const text = withSpanHints(this.#shape.body, free, bodiesInLog(this.#log, free));
    if (text === undefined) return undefined;
    return { text, note: { at: this.#context.consumed, spanned: this.#fingerprint, requests } };
  }

  get #same(): HeldResult | undefined {
    return this.#context.held.find(entry => entry.fingerprint === this.#fingerprint);
  }
}

/** Four times the length of a hint. Shorter runs stay as they are. */
const MIN_RUN_BYTES = 200;

/** The text with hints in place of runs of lines that these results have; undefined where they have none. */
function withSpanHints(
  body: string,
  sources: readonly HeldResult[],
  bodies: readonly (string | undefined)[],
): string | undefined {
  const index = new SpanIndex();
  const lines = new ScannedLines();
  // The log has what the model was given. The index skips hint lines in it.
  for (const [at, { id, line: logLine, callLine }] of sources.entries()) {
    index.add({ id, input: undefined, logLine, callLine }, lines.scan(bodies[at] ?? ""));
  }
  const scanned = lines.scan(body);
  const target = index.add({ id: "this", input: undefined, logLine: 0, callLine: 0 }, scanned);
  if (target === undefined) return undefined;
  const options = { variant: 0, minBytes: MIN_RUN_BYTES, inputs: false, numbering: false, isInReach: () => true };
  const { runs } = findRuns(scanned, target, index, options);
  return runs.length > 0 ? emittedText(body, runs) : undefined;
}
