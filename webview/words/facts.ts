/** The life of one result in sentences: what became of it, why, and which other calls had a part in that. */
import type { Mark } from "../../src/inspect/logData.js";
import type { LiveContext } from "../../src/protocol/apply.js";
import type { PanelState } from "../../src/protocol/messages.js";
import { type Glyph, markSubject, outcomeGroup, outcomeOfRow, outcomeTitle, triggerText } from "./outcomeTexts.js";
import {
  bytesText,
  callText,
  clockText,
  counted,
  fill,
  type Piece,
  pieces,
  strings,
  tokensText,
  visible,
} from "./text.js";

export interface Facts {
  readonly glyph: Glyph;
  readonly title: string;
  readonly tool: string;
  readonly target: string;
  /** Where it stands: call, partition, time. */
  readonly place: string;
  readonly sentences: readonly (readonly Piece[])[];
  /** The result that it refers to, or the call that made it miss. */
  readonly other: number | null;
  readonly comparable: boolean;
}

type Settings = Pick<PanelState["settings"], "capacity" | "minBytes">;

/** So many calls are named one by one. */
const MOST_NAMED = 4;

export function factsOfRow(context: LiveContext, row: number, settings: Settings): Facts {
  const { rows } = context;
  const outcome = outcomeOfRow(context, row);
  const ref = rows.get(row, "ref") - 1;
  const cause = rows.get(row, "cause") - 1;
  const partition = rows.get(row, "partition");
  const what = whatHappened(context, row, settings);
  return {
    glyph: outcomeGroup(outcome),
    title: outcomeTitle(outcome),
    tool: toolOf(context, row),
    target: visible(context.targets[row] ?? "", 400),
    place: [
      callText(row),
      context.partitionRequests.length > 1 ? fill(strings.bar.partitionNumber, { number: partition }) : "",
      clockText(rows.get(row, "at")),
    ]
      .filter(Boolean)
      .join(" · "),
    sentences: [what, reasked(context, row), earlierCopy(context, row), ...consequences(context, row)].filter(
      sentence => sentence.length > 0,
    ),
    other: ref >= 0 ? ref : cause >= 0 ? cause : null,
    comparable: ref >= 0 || rows.get(row, "earlier") > 0,
  };
}

/** The model had been answered by a live hint and asked for the text again. */
function reasked(context: LiveContext, row: number): Piece[] {
  const hint = context.rows.get(row, "cause") - 1;
  const isReask = outcomeOfRow(context, row) === "hit" && hint >= 0;
  return isReask ? pieces(strings.facts.reasked, { call: { call: hint } }) : [];
}

/** Where the text of a miss had been, and what it cost that it was there no more. */
function earlierCopy({ rows, calibration }: LiveContext, row: number): Piece[] {
  const call = rows.get(row, "earlier") - 1;
  if (call < 0) return [];
  const tokens = tokensText(rows.get(row, "forgoneChars") / calibration.charsPerToken);
  return pieces(strings.facts.earlier, { call: { call }, tokens });
}

function whatHappened(context: LiveContext, row: number, { capacity, minBytes }: Settings): Piece[] {
  const { rows, calibration, partitionRequests } = context;
  const outcome = outcomeOfRow(context, row);
  const text = strings.facts;
  const tokensOf = (field: "chars" | "savedChars") => tokensText(rows.get(row, field) / calibration.charsPerToken);
  const size = fill(text.size, { tokens: tokensOf("chars"), bytes: bytesText(rows.get(row, "bytes")) });
  const ref = { call: rows.get(row, "ref") - 1 };
  const cause = { call: rows.get(row, "cause") - 1 };
  const alone = ref.call < 0;
  const [kind, reason = ""] = outcome.split(":") as [string, string?];
  const sized = (...rest: Piece[]) => [`${size}. `, ...rest];
  if (kind === "hit" || kind === "nearHit") {
    const distance = counted(text.distance, row - ref.call);
    const later = (partitionRequests[rows.get(row, "partition")] ?? 0) - rows.get(row, "request");
    const carried = fill(text.carried, { requests: counted(strings.figures.requests, later) });
    const same = pieces(kind === "hit" ? text.identical : text.nearlyIdentical, { call: ref, distance });
    return [`${size}, `, ...same, `. ${upper(fill(text.hintSaves, { tokens: tokensOf("savedChars") }))}, ${carried}.`];
  }
  if (outcome === "bypass:native") {
    if (alone) return [text.nativeAlone];
    return pieces(text.native, { call: ref, tokens: tokensOf("savedChars") });
  }
  if (outcome === "bypass:realised") {
    if (alone) return [text.realisedAlone];
    return pieces(text.realised, { call: ref, tokens: tokensOf("savedChars") });
  }
  if (outcome === "miss:invalidated" && cause.call >= 0) return sized(...pieces(text.invalidated, { call: cause }));
  if (outcome === "miss:invalidated") return sized(text.invalidatedAlone);
  if (outcome === "miss:evicted") return sized(fill(text.evicted, { capacity }));
  if (outcome === "bypass:small") return sized(fill(text.small, { bytes: bytesText(minBytes) }));
  return sized((text as Readonly<Record<string, string>>)[reason] ?? "");
}

/** What the result did to others, who points at it, and how it left the cache. */
function consequences(context: LiveContext, row: number): Piece[][] {
  const { rows, marks } = context;
  const text = strings.facts;
  const users: number[] = [];
  let evictedBy = -1;
  for (let later = row + 1; later < rows.length; later++) {
    if (rows.get(later, "ref") === row + 1) users.push(later);
    if (rows.get(later, "evicted") === row + 1) evictedBy = later;
  }
  const stale = marks.filter(mark => mark.kind === "invalidate" && mark.position === row).flatMap(mark => mark.dropped);
  const end = marks.find(mark => mark.dropped.includes(row));
  const evicted = rows.get(row, "evicted") - 1;
  return [
    stale.length > 0 ? pieces(text.madeStale, { calls: named(stale) }) : [],
    evicted >= 0 ? pieces(text.pushedOut, { call: { call: evicted } }) : [],
    users.length > 0 ? pieces(text.usedBy, { calls: named(users) }) : [],
    evictedBy >= 0 ? pieces(text.evictedBy, { call: { call: evictedBy } }) : [],
    end === undefined ? [] : endOf(end),
  ];
}

function endOf(mark: Mark): Piece[] {
  const text = strings.facts;
  if (mark.kind === "invalidate") return pieces(text.stale, { call: { call: mark.position } });
  const ends = {
    boundary: text.compactedAway,
    clear: text.clearedAway,
    rewind: text.rewoundAway,
    shrink: text.shrunkAway,
  } as const;
  return pieces(ends[mark.kind], { call: { call: Math.max(0, mark.position - 1) } });
}

export function factsOfMark(context: LiveContext, index: number): Facts | null {
  const mark = context.marks[index];
  if (mark === undefined) return null;
  const isInvalidation = mark.kind === "invalidate";
  return {
    glyph: mark.kind,
    title: strings.outcomes[mark.kind],
    tool: isInvalidation ? toolOf(context, mark.position) : "",
    target: isInvalidation ? visible(context.targets[mark.position] ?? "", 400) : markSubject(mark),
    place: [
      fill(strings.facts.line, { line: mark.line }),
      clockText(mark.at === null ? 0 : Date.parse(mark.at) / 1000 || 0),
    ]
      .filter(Boolean)
      .join(" · "),
    sentences: markSentences(mark),
    other: isInvalidation ? (mark.dropped[0] ?? null) : null,
    comparable: false,
  };
}

function markSentences(mark: Mark): Piece[][] {
  const text = strings.facts;
  if (mark.kind === "invalidate") {
    const sentence = mark.by === "tool" ? text.invalidateByTool : text.invalidate;
    return [pieces(sentence, { call: { call: mark.position }, dropped: named(mark.dropped) })];
  }
  const what = mark.kind === "boundary" ? fill(text.boundary, { trigger: upper(triggerText(mark)) }) : text[mark.kind];
  const kept = mark.kept ?? [];
  return [
    [what],
    mark.dropped.length > 0 ? pieces(text.lost, { calls: named(mark.dropped) }) : [text.nothingLost],
    kept.length > 0 ? pieces(text.stays, { calls: named(kept) }) : [],
  ].filter(sentence => sentence.length > 0);
}

/** "call 3, call 8 and 5 more". */
function named(calls: readonly number[]): Piece[] {
  const known = calls.filter(row => row >= 0);
  const list = known.slice(0, MOST_NAMED).flatMap((call, index) => (index === 0 ? [{ call }] : [", ", { call }]));
  const more = calls.length - Math.min(known.length, MOST_NAMED);
  return more > 0 ? [...list, list.length > 0 ? ", " : "", counted(strings.facts.andMore, more)] : list;
}

export function toolOf(context: LiveContext, row: number): string {
  return visible(context.tools[context.rows.get(row, "tool")] ?? "", 80) || strings.app.unknownTool;
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
