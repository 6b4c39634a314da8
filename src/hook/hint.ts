/** The hint for one tool result, or none: `restraint` decides when, `dedup/toolShapes` what can be replaced. */

import type { Decision } from "../dedup/decision.js";
import { emissionOf, emittedBy } from "../dedup/emission.js";
import { mayBeNear } from "../dedup/near.js";
import { wholeOf } from "../dedup/reasks.js";
import { areTrue } from "../dedup/runs/proof.js";
import { mentionsHints } from "../dedup/runs/runHints.js";
import { type KnownShape, shapeOf } from "../dedup/toolShapes.js";
import { PARTS, withPart } from "./continuedLog.js";
import type { HookEvent } from "./event.js";
import type { HookSettings } from "./hookSettings.js";
import { beginOf, type Journal, type JournalEntry, SOMEWHERE } from "./journal.js";
import { type LiveContext, USUAL_FORMAT } from "./liveContext.js";
import { readLive } from "./liveLog.js";
import { LogTexts } from "./logTexts.js";
import { sleep } from "./ownFile.js";
import { quickFingerprint } from "./quick.js";
import { askedAgain, barredBy } from "./restraint.js";
import type { StateFile } from "./stateFile.js";

/**
 * Claude Code writes its log about every 100 ms, but later if the machine is busy, as when tests run. Waiting only pays off
 * if a hint is likely, and then for some such intervals.
 */
export const WAIT_MS = 15;
export const MAX_WAITS = 40;

export interface HintParts {
  readonly settings: HookSettings;
  readonly state: StateFile;
  readonly journal: Journal;
  /** Whether a text that is asked for again is given in full. */
  readonly honorsReasks: boolean;
}

/** The tool's response if it may be replaced; undefined if it stays unchanged, whatever is in the log. */
export function replaceable(event: HookEvent, { engine }: HookSettings): KnownShape | undefined {
  const shape = shapeOf(event.tool, event.response);
  if (shape === undefined || event.call === "") return undefined;
  const body = shape.body(USUAL_FORMAT);
  // Claude Code never adds more than this to a file.
  if (Buffer.byteLength(body) + MAX_ADDED_BYTES < engine.minBytes) return undefined;
  // Such a line could be mistaken for one of our hints.
  return mentionsHints(body) ? undefined : shape;
}

const MAX_ADDED_BYTES = 1024;

export interface Replacement {
  /** Replaces the response; undefined if it stays unchanged. */
  readonly output?: unknown;
  /** Which parts of the program ran: see `PARTS`. */
  readonly parts: number;
  /** See `LiveContext`. */
  readonly clearedAt?: number | undefined;
}

export function hintFor(event: HookEvent, shape: KnownShape, given: HintParts): Replacement {
  const { settings, state, journal } = given;
  let clearedAt: number | undefined;
  for (let waits = 0; ; waits++) {
    const { context, isUpToDate, parts: read } = readLive(event.log, settings, state, shape.body(USUAL_FORMAT));
    const parts = event.tool === "Read" ? withPart(read, PARTS.file) : read;
    // The next round may continue after it.
    clearedAt = context.clearedAt ?? clearedAt;
    const unchanged = { parts, clearedAt };
    if (!isUpToDate || context.hasResult(event.call)) return unchanged;
    const entries = journal.entries();
    const format = event.tool === "Read" ? context.formatOf(shape.hasTabs ?? false, beginOf(entries)) : USUAL_FORMAT;
    if (format === undefined) return unchanged;
    const isUnsettled = beginOf(entries) === SOMEWHERE;
    const body = shape.body(format);
    const found = decisionOn(event, body, context, entries, settings);
    // Until the log has the call itself, something before it could be missing, too.
    if (context.hasCall(event.call)) {
      if (isUnsettled) journal.add({ at: context.consumed, begun: true });
      const text = found && answerTo(event, body, found, context, entries, given);
      if (text === undefined) return unchanged;
      const hinted = withPart(parts, found?.hint === undefined ? PARTS.runs : PARTS.whole);
      return { output: shape.replacedBy(text, format), parts: hinted, clearedAt };
    }
    if ((found === undefined && !isUnsettled) || waits === MAX_WAITS) return unchanged;
    sleep(WAIT_MS);
  }
}

/** The engine's decision, if it replaces anything. */
function decisionOn(
  event: HookEvent,
  body: string,
  context: LiveContext,
  journal: readonly JournalEntry[],
  { engine }: HookSettings,
): Decision | undefined {
  const { call: id, tool, response, log } = event;
  if (engine.nearRef && mayBeNear(body)) LogTexts.with(log, texts => context.recall(held => texts.at(held)));
  const isBarred = barredBy(journal, tool, context.boundaryOffset, engine.invalidates);
  const decision = context.decide({ id, tool, body, response }, isBarred);
  return decision?.hint === undefined && (decision?.runs ?? []).length === 0 ? undefined : decision;
}

/** What the model reads instead; undefined if it gets the full text after all. */
function answerTo(
  { log }: HookEvent,
  body: string,
  decision: Decision,
  context: LiveContext,
  entries: readonly JournalEntry[],
  { journal, honorsReasks }: HintParts,
): string | undefined {
  const { event, runs = [] } = decision;
  const ref = "ref" in event ? event.ref : undefined;
  const quoted = ref === undefined ? runs.map(({ hint }) => hint) : [wholeOf(ref)];
  if (honorsReasks && context.isAskedAgain(body, quoted, askedAgain(entries, context.boundaryOffset))) {
    journal.add({ at: context.consumed, asked: quickFingerprint(body) });
    return undefined;
  }
  const isTrue = LogTexts.with(log, texts => {
    const textOf = (id: string, input: string | undefined) => {
      const place = context.placeOf({ id, input });
      return place && texts.at(place);
    };
    // The differences of a near hit were found by comparing the texts themselves.
    if (event.kind === "nearHit") return true;
    return ref === undefined ? areTrue(runs, body, textOf) : textOf(ref, undefined) === body;
  });
  const emission = isTrue ? emissionOf(decision) : undefined;
  return emission && emittedBy(body, emission);
}
