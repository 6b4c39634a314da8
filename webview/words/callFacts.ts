/** What happened to one result, in sentences: why, and which other calls were involved. */
import type { Mark } from "../../src/inspect/logData.js";
import { canDrop, kindAt, type MarkKind, type OutcomeKind, outcomeAt } from "../../src/inspect/outcomes.js";
import type { LiveContext } from "../../src/protocol/apply.js";
import { callMenu } from "../../src/protocol/contextMenu.js";
import type { PanelState } from "../../src/protocol/messages.js";
import type { EmittedText } from "../../src/protocol/requests.js";
import {
  markSubject,
  markTitle,
  markValues,
  named,
  otherCall,
  outcomeWords,
  reaskedHint,
  savedShare,
} from "../../src/words/outcomeTexts.js";
import {
  bytesText,
  callText,
  clockText,
  counted,
  fill,
  grouped,
  type Piece,
  pieces,
  strings,
  tokensText,
  visible,
} from "./pageText.js";

/** What happened to a result, or between results: each has an icon. */
export type Glyph = OutcomeKind | MarkKind;

export interface Facts {
  readonly glyph: Glyph;
  readonly title: string;
  readonly tool: string;
  readonly target: string;
  /** Call, partition and time. */
  readonly place: string;
  readonly sentences: readonly (readonly Piece[])[];
  /** The result that it refers to, or the call that made it miss. */
  readonly other: number | null;
  readonly comparable: boolean;
}

type Rows = Pick<LiveContext["rows"], "get">;
type Settings = Pick<PanelState["settings"], "capacity" | "minBytes">;

export function factsOfRow(context: LiveContext, row: number, settings: Settings): Facts {
  const { rows } = context;
  const partition = rows.get(row, "partition");
  return {
    glyph: kindAt(rows, row),
    title: outcomeWords(rows, row).title,
    tool: toolOf(context, row),
    target: visible(context.targets[row] ?? "", 400),
    place: [
      callText(row),
      context.partitionRequests.length > 1 ? fill(strings.bar.partitionNumber, { number: partition }) : "",
      clockText(rows.get(row, "at")),
    ]
      .filter(Boolean)
      .join(" · "),
    sentences: [
      whatHappened(context, row, settings),
      reasked(context, row),
      earlierCopy(context, row),
      ...consequences(context, row),
    ].filter(sentence => sentence.length > 0),
    other: otherCall(rows, row) ?? null,
    comparable: isComparable(rows, row),
  };
}

/** "54 of 120 lines are in call 92 (lines 370–374, 170–210) and call 96 (lines 12–20)." `brief`: without lines. */
export function repeatedLines({ hints, lines }: EmittedText, brief = false): readonly Piece[] {
  const text = strings.facts;
  const ranges = new Map<number, string[]>();
  for (const { row, from, to } of hints) {
    if (row === null) continue;
    const range = from === to ? grouped(from) : fill(text.range, { from: grouped(from), to: grouped(to) });
    ranges.set(row, [...(ranges.get(row) ?? []), range]);
  }
  const shown = [...ranges].slice(0, MAX_NAMED);
  const calls = shown.flatMap(([call, of], at): Piece[] => {
    const more = of.length - MAX_RANGES;
    const named = of.slice(0, MAX_RANGES).join(", ");
    const places = more > 0 ? `${named}, ${counted(strings.counts.more, more)}` : named;
    const isOneLine = of.length === 1 && !places.includes("–");
    const there = brief ? [] : [` (${fill(isOneLine ? text.oneLine : text.lines, { places })})`];
    return [at === 0 ? "" : ", ", { call }, ...there];
  });
  const left = ranges.size - shown.length;
  const repeated = hints.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  return pieces(text.repeated, {
    lines: grouped(repeated),
    all: counted(strings.counts.lines, lines),
    calls: left > 0 ? [...calls, ", ", counted(strings.counts.more, left)] : calls,
  });
}

/** Calls and ranges beyond this are counted, not named. */
const MAX_NAMED = 4;
const MAX_RANGES = 3;

const isComparable = (rows: Rows, row: number) => rows.get(row, "ref") > 0 || rows.get(row, "earlier") > 0;

/** What the context menu offers for a call: only what leads somewhere. */
export function menuOf(rows: Rows, row: number): string {
  return callMenu(row, {
    callHasReference: otherCall(rows, row) !== undefined,
    callIsComparable: isComparable(rows, row),
  });
}

/** The model got a live hint and asked for the text again. */
function reasked({ rows }: LiveContext, row: number): readonly Piece[] {
  const call = reaskedHint(rows, row);
  return call === undefined ? [] : pieces(strings.reaskFact, { call: { call } });
}

/** Where the text of a miss had been, and what losing it cost. */
function earlierCopy({ rows, calibration }: LiveContext, row: number): readonly Piece[] {
  const call = rows.get(row, "earlier") - 1;
  const chars = rows.get(row, "forgoneChars");
  // Hints for its lines may save as much as one for the whole result would have.
  if (call < 0 || chars === 0) return [];
  const saved = tokensText(chars / calibration.charsPerToken);
  return pieces(strings.earlierFact, { call: { call }, saved });
}

function whatHappened(context: LiveContext, row: number, { capacity, minBytes }: Settings): readonly Piece[] {
  const { rows, calibration, partitionRequests } = context;
  const tokensOf = (field: "chars" | "savedChars") => tokensText(rows.get(row, field) / calibration.charsPerToken);
  const call = otherCall(rows, row);
  const { fact, factAlone } = outcomeWords(rows, row);
  const later = (partitionRequests[rows.get(row, "partition")] ?? 0) - rows.get(row, "request");
  return pieces(call === undefined && factAlone !== undefined ? factAlone : fact, {
    size: fill(strings.facts.size, { tokens: tokensOf("chars"), bytes: bytesText(rows.get(row, "bytes")) }),
    saved: tokensOf("savedChars"),
    share: savedShare(rows, row),
    capacity,
    minBytes: bytesText(minBytes),
    requests: counted(strings.counts.laterRequests, later),
    ...(call !== undefined && { call: { call }, distance: counted(strings.counts.results, row - call) }),
  });
}

/**
 * What the result did to others, who points at it, and how it left the cache. An eviction is only mentioned if a later
 * result would have been a hit without it.
 */
function consequences(context: LiveContext, row: number): (readonly Piece[])[] {
  const { rows, marks } = context;
  const text = strings.facts;
  const users: number[] = [];
  const evicted = rows.get(row, "evicted") - 1;
  let [evictedBy, isMissed, didCost] = [-1, false, false];
  for (let later = row + 1; later < rows.length; later++) {
    if (rows.get(later, "ref") === row + 1) users.push(later);
    if (rows.get(later, "evicted") === row + 1) evictedBy = later;
    if (outcomeAt(rows, later) !== "miss:evicted") continue;
    const earlier = rows.get(later, "earlier") - 1;
    isMissed ||= earlier === row;
    didCost ||= earlier === evicted;
  }
  const stale = marks.filter(mark => mark.kind === "invalidate" && mark.position === row).flatMap(mark => mark.dropped);
  const end = marks.find(mark => mark.dropped.includes(row));
  return [
    stale.length > 0 ? pieces(text.madeStale, { calls: named(stale) }) : [],
    evicted >= 0 && didCost ? pieces(text.pushedOut, { call: { call: evicted } }) : [],
    users.length > 0 ? pieces(text.usedBy, { calls: named(users) }) : [],
    evictedBy >= 0 && isMissed ? pieces(text.evictedBy, { call: { call: evictedBy } }) : [],
    end === undefined ? [] : endOf(end),
  ];
}

function endOf({ kind, position }: Mark): readonly Piece[] {
  const call = kind === "invalidate" ? position : Math.max(0, position - 1);
  return pieces(strings.marks[kind].lost, { call: { call } });
}

export function factsOfMark(context: LiveContext, index: number): Facts | null {
  const mark = context.marks[index];
  if (mark === undefined) return null;
  const isInvalidation = mark.kind === "invalidate";
  return {
    glyph: mark.kind,
    title: strings.marks[mark.kind].title,
    tool: isInvalidation ? toolOf(context, mark.position) : "",
    target: isInvalidation ? visible(context.targets[mark.position] ?? "", 400) : markSubject(mark),
    place: [
      fill(strings.facts.line, { line: String(mark.line) }),
      clockText(mark.at === null ? 0 : Date.parse(mark.at) / 1000 || 0),
    ]
      .filter(Boolean)
      .join(" · "),
    sentences: markSentences(mark),
    other: isInvalidation ? (mark.dropped[0] ?? null) : null,
    comparable: false,
  };
}

function markSentences(mark: Mark): (readonly Piece[])[] {
  const text = strings.facts;
  const fact =
    mark.kind === "invalidate" && mark.by === "tool"
      ? strings.markDetails.invalidateByTool
      : strings.marks[mark.kind].fact;
  const what = pieces<string>(fact, {
    ...markValues(mark),
    trigger: markTitle(mark),
    call: { call: mark.position },
    dropped: named(mark.dropped),
  });
  if (mark.kind === "invalidate" || !canDrop(mark.kind)) return [what];
  const kept = mark.kept ?? [];
  return [
    what,
    mark.dropped.length > 0 ? pieces(text.lost, { calls: named(mark.dropped) }) : [text.nothingLost],
    kept.length > 0 ? pieces(text.stays, { calls: named(kept) }) : [],
  ].filter(sentence => sentence.length > 0);
}

export function toolOf(context: LiveContext, row: number): string {
  return visible(context.tools[context.rows.get(row, "tool")] ?? "", 80) || strings.app.unknownTool;
}
