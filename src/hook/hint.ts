/** The hint for one tool result, or none: see `restraint` for when, `shapes` for what can be replaced. */
import { hintWithin, renderNearHint } from "../dedup/hints.js";
import { NEAR_MIN_BODY_BYTES, nearDelta } from "../dedup/near.js";
import type { HeldResult } from "../dedup/replay.js";
import { utf8Length } from "../log/bytes.js";
import type { LiveContext } from "./context.js";
import type { HookEvent } from "./event.js";
import { beginsSomewhere, type Journal, type JournalEntry } from "./journal.js";
import { readLive } from "./liveLog.js";
import { bodiesInLog } from "./logBody.js";
import { sleep } from "./ownFile.js";
import { quickFingerprint } from "./quick.js";
import { isWorthIt, mentionsHints, restraint } from "./restraint.js";
import type { HookSettings } from "./settings.js";
import { type KnownShape, shapeOf } from "./shapes.js";
import { withSpanHints } from "./spans.js";
import type { StateFile } from "./stateFile.js";

/**
 * Claude Code writes its log about every tenth of a second. Only where there is something to gain is it worth waiting
 * for, and then for one such time and a good part of another.
 */
const WAIT_MS = 15;
const MOST_WAITS = 12;

export interface HintParts {
  readonly settings: HookSettings;
  readonly state: StateFile;
  readonly journal: Journal;
}

/** The tool's response as far as it may be replaced; undefined where it stays as it is, whatever the log says. */
export function replaceable(event: HookEvent, { engine }: HookSettings): KnownShape | undefined {
  const shape = shapeOf(event.tool, event.response);
  if (shape === undefined || event.call === "" || utf8Length(shape.body) < engine.minBytes) return undefined;
  return mentionsHints(shape.body) ? undefined : shape;
}

/** What the response becomes; undefined where it stays as it is. */
export function hintFor(event: HookEvent, shape: KnownShape, { settings, state, journal }: HintParts): unknown {
  for (let waits = 0; ; waits++) {
    const { context, isUpToDate } = readLive(event.log, settings, state);
    if (!isUpToDate) return undefined;
    const entries = journal.entries();
    const isUnsettled = beginsSomewhere(entries);
    const search = new Search(event, shape, context, entries, settings);
    const found = search.whole() ?? search.parts();
    // Without its own call in the log, something before it could be missing there too.
    if (context.hasCall(event.call)) {
      if (isUnsettled) journal.add({ at: context.consumed, begun: true });
      if (found?.note !== undefined) journal.add(found.note);
      return found && shape.replacedBy(found.text);
    }
    // A text that is there may only seem to be asked for again right after its hint: what came between is on its way.
    const isWorthWaiting = found !== undefined || search.knowsWhole || isUnsettled;
    if (!isWorthWaiting || waits === MOST_WAITS) return undefined;
    sleep(WAIT_MS);
  }
}

interface Found {
  readonly text: string;
  /** What the log alone will not tell. */
  readonly note?: JournalEntry;
}

/** Looks for what the model already has of one text. */
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

  /** The model has, or had, just this text. */
  get knowsWhole(): boolean {
    return this.#same !== undefined;
  }

  /** One hint for the whole text. */
  whole(): Found | undefined {
    const { body } = this.#shape;
    for (const text of this.#hints()) if (isWorthIt(text, body)) return { text };
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
    if (utf8Length(body) < NEAR_MIN_BODY_BYTES || !/^\s*\{/.test(body)) return;
    const free = this.#context.held.filter(this.#isFree).reverse();
    for (const [index, old] of bodiesInLog(this.#log, free).entries()) {
      const delta = nearDelta(old ?? "", body);
      if (delta !== undefined) yield renderNearHint(free[index]?.id ?? "", delta);
    }
  }

  /** The text with hints for runs of its lines. */
  parts(): Found | undefined {
    // Where the whole text is there and may not be pointed at, no part of it may be either.
    if (!this.#settings.spans || !this.#shape.verbatim || this.#same !== undefined) return undefined;
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
